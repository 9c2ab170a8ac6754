//! How far a generator is, and whether its map is still wanted.

use super::GenerateError;
use highroad::planner::Watch;

/// What is made, unless it is stopped.
pub(super) type Made<T> = Result<T, GenerateError>;

/// Small pieces of work between two reports.
const PIECES_A_REPORT: u32 = 4096;

/// The work of a generator, in rows of the map.
pub(super) struct Work<'a, 'w> {
    watch: &'a mut Watch<'w>,
    done: u64,
    of: u64,
    pieces: u32,
}

impl<'a, 'w> Work<'a, 'w> {
    /// Work that goes over so many rows in all, more or less.
    pub(super) fn new(watch: &'a mut Watch<'w>, rows: u64) -> Self {
        Self { watch, done: 0, of: rows, pieces: 0 }
    }

    fn report(&mut self) -> Made<()> {
        self.watch.report(self.done, self.of).map_err(|_| GenerateError::Stopped)
    }

    /// One more row is done.
    pub(super) fn row(&mut self) -> Made<()> {
        self.done = (self.done + 1).min(self.of);
        self.report()
    }

    /// A small piece of work is done: a run of cells, a block.
    pub(super) fn piece(&mut self) -> Made<()> {
        self.pieces += 1;
        if self.pieces < PIECES_A_REPORT {
            return Ok(());
        }
        self.pieces = 0;
        self.report()
    }
}
