//! Batches of changes, and the journal that remembers them.

use super::cell::{Cell, Extent};
use super::terrain::Terrain;
use std::collections::VecDeque;
use std::fmt;
use thiserror::Error;

/// How often a grid has been changed. Answers and abstractions remember the revision they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(pub u64);

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "revision {}", self.0)
    }
}

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

/// The latest batches, up to a number of changed cells: how abstractions catch up.
#[derive(Clone, Debug)]
pub struct Journal {
    cells_max: usize,
    cells: usize,
    /// Each batch with the revision it led to.
    batches: VecDeque<(Revision, Vec<Change>)>,
    /// Everything after this revision is here.
    complete_since: Revision,
}

impl Journal {
    /// A journal, empty at `revision`, that keeps batches of together at most `cells_max` changes.
    pub fn new(revision: Revision, cells_max: usize) -> Self {
        Self { cells_max, cells: 0, batches: VecDeque::new(), complete_since: revision }
    }

    /// Adds the batch that led to `revision`, forgetting the oldest ones where there is no room.
    pub fn record(&mut self, revision: Revision, changes: Vec<Change>) {
        self.cells += changes.len();
        self.batches.push_back((revision, changes));
        while self.cells > self.cells_max
            && let Some((forgotten, changes)) = self.batches.pop_front()
        {
            self.cells -= changes.len();
            self.complete_since = forgotten;
        }
    }

    /// Every change made after `revision`, oldest first; `None` if some are forgotten, or if the
    /// journal has never seen that revision: then one must start afresh.
    pub fn since(&self, revision: Revision) -> Option<impl Iterator<Item = &Change>> {
        let latest = self.batches.back().map_or(self.complete_since, |(at, _)| *at);
        (self.complete_since..=latest).contains(&revision).then(|| {
            let first = self.batches.partition_point(|(at, _)| *at <= revision);
            self.batches.range(first..).flat_map(|(_, changes)| changes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(x: u32) -> Change {
        let state = CellState { terrain: Terrain::GROUND, surcharge: 0 };
        Change { cell: Cell::new(x, 0), before: state, after: state }
    }

    #[test]
    fn a_journal_gives_what_came_after_and_owns_up_to_what_it_forgot() {
        let mut journal = Journal::new(Revision(7), 3);
        let since = |journal: &Journal, revision| {
            let changes = journal.since(Revision(revision))?;
            Some(changes.map(|change| change.cell.x).collect::<Vec<_>>())
        };
        assert_eq!(since(&journal, 7), Some(vec![]));
        assert_eq!(since(&journal, 6), None);
        journal.record(Revision(8), vec![change(1), change(2)]);
        journal.record(Revision(9), vec![change(3)]);
        assert_eq!(since(&journal, 7), Some(vec![1, 2, 3]));
        assert_eq!(since(&journal, 8), Some(vec![3]));
        journal.record(Revision(10), vec![change(4)]);
        assert_eq!(since(&journal, 7), None, "the oldest batch had to go");
        assert_eq!(since(&journal, 8), Some(vec![3, 4]));
        assert_eq!(since(&journal, 11), None, "a revision of some other grid");
        journal.record(Revision(11), (0..9).map(change).collect());
        assert_eq!(since(&journal, 10), None, "a batch larger than the journal");
        assert_eq!(since(&journal, 11), Some(vec![]));
    }
}
