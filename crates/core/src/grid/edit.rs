//! Batches of changes.

use super::cell::{Cell, Extent};
use super::ground::KindId;
use super::terrain::Terrain;
use thiserror::Error;

/// A rectangle of cells, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRect {
    min: Cell,
    max: Cell,
}

impl CellRect {
    /// The rectangle between two opposite corners, whichever they are.
    pub fn new(a: impl Into<Cell>, b: impl Into<Cell>) -> Self {
        let (a, b) = (a.into(), b.into());
        Self {
            min: Cell::new(a.x.min(b.x), a.y.min(b.y)),
            max: Cell::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// The corner nearest to the top left.
    pub fn min(&self) -> Cell {
        self.min
    }

    /// The corner nearest to the bottom right.
    pub fn max(&self) -> Cell {
        self.max
    }

    /// Its cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (min, max) = (self.min, self.max);
        (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| Cell { x, y }))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Terrain(Terrain),
    Surcharge(u16),
}

/// One step of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) rect: CellRect,
    pub(super) paint: Paint,
    /// The kind of agent that a surcharge applies to; all of them if none is named.
    pub(super) kind: Option<KindId>,
}

/// Changes to be made together: one batch, one revision.
///
/// ```
/// use highroad::{Cell, CellRect, Terrain};
/// use highroad::grid::{Batch, Grid};
/// let mut grid = Grid::with_defaults("....\n....\n".parse()?);
/// let mut batch = Batch::new();
/// batch.fill(CellRect::new((1, 0), (2, 0)), Terrain::WALL).set((0, 1), Terrain::SWAMP);
/// let changes = grid.apply(&batch)?;
/// assert_eq!(grid.map().to_string(), ".@@.\nS...\n");
///
/// grid.apply(&Batch::undoing(&changes))?;
/// assert_eq!(grid.map().to_string(), "....\n....\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` a batch is a list of named operations, such as a game sends to others:
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use highroad::{CellRect, Terrain};
/// use highroad::grid::{Batch, KindId};
/// let mut batch = Batch::new();
/// batch.set((0, 1), Terrain::SWAMP).surcharge_for(KindId(1), CellRect::new((2, 0), (3, 1)), 5);
/// let json = serde_json::to_string(&batch)?;
/// assert_eq!(json, concat!(
///     r#"[{"set":{"cell":{"x":0,"y":1},"terrain":"S"}},"#,
///     r#"{"surcharge_for":{"kind":1,"min":{"x":2,"y":0},"max":{"x":3,"y":1},"amount":5}}]"#,
/// ));
/// assert_eq!(serde_json::from_str::<Batch>(&json)?, batch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    pub(super) edits: Vec<Edit>,
}

impl Batch {
    /// No changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes one cell that terrain.
    pub fn set(&mut self, cell: impl Into<Cell>, terrain: Terrain) -> &mut Self {
        let cell = cell.into();
        self.fill(CellRect::new(cell, cell), terrain)
    }

    /// Makes a rectangle that terrain.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> &mut Self {
        self.push(rect, Paint::Terrain(terrain), None)
    }

    /// Makes the cells of a rectangle cost `amount` more than their terrain for every kind of agent, or takes that
    /// back with 0: bandits on the road, fire nearby. The cells stay enterable.
    pub fn surcharge(&mut self, rect: CellRect, amount: u16) -> &mut Self {
        self.push(rect, Paint::Surcharge(amount), None)
    }

    /// As [`Batch::surcharge`], for one kind of agent: a hunter fears the bear that a tank does not notice. It is
    /// added to what all kinds pay; together they count up to 65,535.
    pub fn surcharge_for(&mut self, kind: KindId, rect: CellRect, amount: u16) -> &mut Self {
        self.push(rect, Paint::Surcharge(amount), Some(kind))
    }

    fn push(&mut self, rect: CellRect, paint: Paint, kind: Option<KindId>) -> &mut Self {
        self.edits.push(Edit { rect, paint, kind });
        self
    }

    /// Whether it can be made on a map of that size with those kinds of agents; if not, why.
    pub(super) fn check(
        &self,
        extent: Extent,
        exists: impl Fn(KindId) -> bool,
    ) -> Result<(), EditError> {
        for edit in &self.edits {
            if !extent.contains(edit.rect.max()) {
                let cell = edit.rect.cells().find(|&cell| !extent.contains(cell));
                return Err(EditError::Outside { cell: cell.unwrap_or(edit.rect.max()), extent });
            }
            if let Some(kind) = edit.kind.filter(|&kind| !exists(kind)) {
                return Err(EditError::NoSuchKind { kind });
            }
        }
        Ok(())
    }

    /// What takes these changes back.
    pub fn undoing(changes: &[Change]) -> Self {
        let mut batch = Self::new();
        for change in changes.iter().rev() {
            let cell = CellRect::new(change.cell, change.cell);
            if change.kind.is_none() {
                batch.fill(cell, change.before.terrain);
            }
            batch.push(cell, Paint::Surcharge(change.before.surcharge), change.kind);
        }
        batch
    }
}

/// What a cell is to searches: its terrain and what it costs on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellState {
    /// The terrain class.
    pub terrain: Terrain,
    /// Cost on top of the terrain's.
    pub surcharge: u16,
}

/// One cell that a batch changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    /// Which cell.
    pub cell: Cell,
    /// The kind of agent whose own surcharge has changed; `None` if the change concerns all kinds.
    pub kind: Option<KindId>,
    /// What it was.
    pub before: CellState,
    /// What it is now.
    pub after: CellState,
}

/// Why a batch was not made; nothing of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// It reaches outside the map.
    #[error("cell {cell} lies outside the map of {} × {} cells; nothing was changed", .extent.width(), .extent.height())]
    Outside {
        /// The first cell found outside.
        cell: Cell,
        /// The map's size.
        extent: Extent,
    },
    /// It has a surcharge for a kind of agent that does not exist.
    #[error("there is no {kind}; nothing was changed")]
    NoSuchKind {
        /// Which kind.
        kind: KindId,
    },
}
