//! Batches of changes.

use super::cell::{Cell, Extent};
use super::terrain::Terrain;
use thiserror::Error;

/// A rectangle of cells, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    min: Cell,
    max: Cell,
}

impl Rect {
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

#[derive(Clone, Copy, Debug)]
pub(super) enum Paint {
    Terrain(Terrain),
    Surcharge(u16),
}

/// Changes to be made together: one batch, one revision.
///
/// ```
/// use highroad_core::{Batch, Cell, Grid, Rect, Terrain};
/// let mut grid = Grid::with_defaults("....\n....\n".parse()?);
/// let mut batch = Batch::new();
/// batch.fill(Rect::new((1, 0), (2, 0)), Terrain::WALL).set((0, 1), Terrain::SWAMP);
/// let changes = grid.apply(&batch)?;
/// assert_eq!(grid.map().to_string(), ".@@.\nS...\n");
///
/// grid.apply(&Batch::undoing(&changes))?;
/// assert_eq!(grid.map().to_string(), "....\n....\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) edits: Vec<(Rect, Paint)>,
}

impl Batch {
    /// No changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes one cell that terrain.
    pub fn set(&mut self, cell: impl Into<Cell>, terrain: Terrain) -> &mut Self {
        let cell = cell.into();
        self.fill(Rect::new(cell, cell), terrain)
    }

    /// Makes a rectangle that terrain.
    pub fn fill(&mut self, rect: Rect, terrain: Terrain) -> &mut Self {
        self.edits.push((rect, Paint::Terrain(terrain)));
        self
    }

    /// Makes the cells of a rectangle dearer by `amount` than their terrain, or takes that back with
    /// 0: bandits on the road, fire nearby. The cells stay enterable.
    pub fn surcharge(&mut self, rect: Rect, amount: u16) -> &mut Self {
        self.edits.push((rect, Paint::Surcharge(amount)));
        self
    }

    /// What takes these changes back.
    pub fn undoing(changes: &[Change]) -> Self {
        let mut batch = Self::new();
        for change in changes.iter().rev() {
            let cell = Rect::new(change.cell, change.cell);
            batch.fill(cell, change.before.terrain);
            batch.surcharge(cell, change.before.surcharge);
        }
        batch
    }
}

/// What a cell is to searches: its terrain and what it costs on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellState {
    /// The terrain class.
    pub terrain: Terrain,
    /// Cost on top of the terrain's.
    pub surcharge: u16,
}

/// One cell that a batch changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Which cell.
    pub cell: Cell,
    /// What it was.
    pub before: CellState,
    /// What it is now.
    pub after: CellState,
}

/// A batch reaches outside the map; nothing of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cell {cell} lies outside the map of {} × {} cells; nothing was changed", .extent.width(), .extent.height())]
pub struct EditError {
    /// The first cell found outside.
    pub cell: Cell,
    /// The map's size.
    pub extent: Extent,
}
