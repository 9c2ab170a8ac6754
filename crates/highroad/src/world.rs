//! A map that changes: edits, revisions, snapshots.

use highroad_core::{
    Batch, Cell, Change, EditError, Grid, GridMap, GridSearch, Journal, Movement, Path, Planner,
    Query, QueryError, Revision, Scratch,
};
use std::ops::Deref;

/// Changed cells that the journal remembers: a megabyte in large batches, six if each is its own.
const JOURNAL_CELLS_MAX: usize = 65_536;

/// A map, how agents move on it, and what has changed: the single writer.
pub struct World {
    grid: Grid,
    journal: Journal,
    scratch: Scratch,
}

impl World {
    /// A world under the benchmark rules: the profile of the map's palette, corners never cut.
    pub fn new(map: GridMap) -> Self {
        Self::on(Grid::with_defaults(map))
    }

    /// A world whose agents move otherwise.
    pub fn with_movement(map: GridMap, movement: Movement) -> Self {
        Self::on(Grid::new(map, movement))
    }

    fn on(grid: Grid) -> Self {
        let journal = Journal::new(grid.revision(), JOURNAL_CELLS_MAX);
        Self { grid, journal, scratch: Scratch::new() }
    }

    /// The grid as it is now.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How often it has been changed.
    pub fn revision(&self) -> Revision {
        self.grid.revision()
    }

    /// Makes one batch of changes: all of them, or none if one lies outside. Returns the revision
    /// that they led to.
    pub fn edit(&mut self, describe: impl FnOnce(&mut Batch)) -> Result<Revision, EditError> {
        let mut batch = Batch::new();
        describe(&mut batch);
        let changes = self.grid.apply(&batch)?;
        if !changes.is_empty() {
            self.journal.record(self.grid.revision(), changes);
        }
        Ok(self.grid.revision())
    }

    /// Every change made after `revision`, oldest first; `None` if the journal no longer knows, and
    /// whoever asks must start afresh.
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = &Change>> {
        self.journal.since(revision)
    }

    /// The world as it is now, for readers on any thread: cheap to make, and it stays as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.grid.clone())
    }

    /// A cheapest path; `None` if there is none (or if it would cost 2⁴⁴ half-units or more, which no
    /// search counts up to).
    pub fn find_path(
        &mut self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<Path>, QueryError> {
        let query = Query::new(start, goal);
        let answer = GridSearch::astar().solve(&self.grid, &query, &mut self.scratch)?;
        Ok(answer.path())
    }
}

/// One revision of a world. Reads like a [`Grid`], and nobody can change it.
#[derive(Clone)]
pub struct Snapshot(Grid);

impl Deref for Snapshot {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::{Answer, Terrain};

    #[test]
    fn a_snapshot_answers_for_its_own_revision_from_another_thread() {
        let mut world = World::new("...\n.#.\n...\n".parse().unwrap());
        let before = world.snapshot();
        world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL)).unwrap();
        world.edit(|edit| _ = edit.set((1, 2), Terrain::WALL)).unwrap();
        assert_eq!(world.find_path((0, 1), (2, 1)).unwrap(), None);
        let answer = std::thread::spawn(move || {
            let query = Query::new((0, 1), (2, 1));
            GridSearch::astar().solve(&before, &query, &mut Scratch::new()).unwrap()
        });
        let Answer::Found(path) = answer.join().unwrap() else {
            panic!("the snapshot has two ways round");
        };
        assert_eq!((path.length(), path.revision()), (4.0, Revision(0)));
    }

    #[test]
    fn the_journal_tells_what_came_after_a_revision() {
        let mut world = World::new("...\n".parse().unwrap());
        let first = world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).unwrap();
        world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).unwrap();
        world.edit(|edit| _ = edit.set((2, 0), Terrain::SWAMP)).unwrap();
        let cells = |since| {
            let changes = world.changes_since(since).unwrap();
            changes.map(|change| change.cell.x).collect::<Vec<_>>()
        };
        assert_eq!(cells(Revision(0)), [0, 2]);
        assert_eq!(cells(first), [2]);
        assert_eq!(world.revision(), Revision(2), "an edit without effect is no revision");
    }

    #[test]
    fn an_edit_outside_changes_nothing() {
        let mut world = World::new("...\n".parse().unwrap());
        let result = world.edit(|edit| {
            edit.set((0, 0), Terrain::WALL).set((3, 0), Terrain::WALL);
        });
        assert!(result.is_err());
        assert_eq!(world.revision(), Revision(0));
        assert_eq!(world.grid().map().to_string(), "...\n");
    }
}
