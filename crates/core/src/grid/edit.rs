//! Batches of changes.

use super::cell::{Cell, Extent};
use super::ground::KindId;
use super::terrain::Terrain;
use thiserror::Error;

/// A rectangle of cells, both corners included.
///
/// ```
/// use highroad::{Cell, CellRect};
/// let rect = CellRect::new((3, 1), (2, 0));
/// assert_eq!((rect.min(), rect.max()), (Cell::new(2, 0), Cell::new(3, 1)));
/// assert_eq!(rect.cells().count(), 4);
/// ```
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
    /// A batch without changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes one cell to that terrain.
    pub fn set(&mut self, cell: impl Into<Cell>, terrain: Terrain) -> &mut Self {
        let cell = cell.into();
        self.fill(CellRect::new(cell, cell), terrain)
    }

    /// Changes every cell of a rectangle to that terrain.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> &mut Self {
        self.push(rect, Paint::Terrain(terrain), None)
    }

    /// Makes the cells of a rectangle cost `amount` more than their terrain for every kind of agent, or takes that
    /// back with 0: bandits on the road, fire nearby. The cells stay enterable.
    ///
    /// ```
    /// use highroad::{CellRect, PathWorld};
    /// let mut world = PathWorld::new(".....\n.....\n.....\n".parse()?);
    /// world.edit(|edit| _ = edit.surcharge(CellRect::new((2, 0), (2, 1)), 9))?;
    /// let path = world.find_path((0, 0), (4, 0))?.expect("all is open");
    /// assert!(path.cells().contains(&(2, 2).into()), "it goes around the costly cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surcharge(&mut self, rect: CellRect, amount: u16) -> &mut Self {
        self.push(rect, Paint::Surcharge(amount), None)
    }

    /// As [`Batch::surcharge`], for one kind of agent: a hunter fears the bear that a tank does not notice. It is
    /// added to what all kinds pay; together they count up to 65,535.
    ///
    /// ```
    /// use highroad::{Cell, CellRect};
    /// use highroad::grid::{Batch, Grid, KindId, Movement};
    /// let tanks = Grid::with_defaults("...\n".parse()?);
    /// let hunters = tanks.another_kind(KindId(1), Movement::default());
    /// let mut kinds = [tanks, hunters];
    /// let bear = CellRect::new((1, 0), (1, 0));
    /// let changes = Grid::apply_to_all(&mut kinds, Batch::new().surcharge_for(KindId(1), bear, 50))?;
    /// let [tanks, hunters] = &kinds;
    /// assert_eq!((tanks.surcharge_of(Cell::new(1, 0)), hunters.surcharge_of(Cell::new(1, 0))), (Some(0), Some(50)));
    /// assert!(hunters.is_concerned_by(&changes[0]) && !tanks.is_concerned_by(&changes[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// The batch that takes these changes back.
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
///
/// See [`Change`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellState {
    /// The terrain class.
    pub terrain: Terrain,
    /// Cost on top of the terrain's.
    pub surcharge: u16,
}

/// One cell that a batch changed.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::grid::{Batch, CellState, Change, Grid};
/// let mut grid = Grid::with_defaults("...\n".parse()?);
/// let changes: Vec<Change> = grid.apply(Batch::new().set((1, 0), Terrain::WALL))?;
/// assert_eq!((changes[0].cell, changes[0].before.terrain), (Cell::new(1, 0), Terrain::GROUND));
/// assert_eq!(changes[0].after, CellState { terrain: Terrain::WALL, surcharge: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use highroad::{PathWorld, Terrain};
/// use highroad::grid::EditError;
/// let mut world = PathWorld::new("...\n".parse()?);
/// let error: EditError = world.edit(|edit| _ = edit.set((0, 7), Terrain::WALL)).unwrap_err();
/// assert_eq!(error.to_string(), "cell (0, 7) lies outside the map of 3 × 1 cells; nothing was changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
