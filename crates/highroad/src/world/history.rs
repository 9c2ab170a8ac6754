//! What can be undone.

use highroad_core::Change;
use std::collections::VecDeque;

/// The latest batches, up to a number of changed cells.
pub(crate) struct History {
    cells_max: usize,
    cells: usize,
    batches: VecDeque<Vec<Change>>,
}

impl History {
    pub(crate) fn new(cells_max: usize) -> Self {
        Self { cells_max, cells: 0, batches: VecDeque::new() }
    }

    pub(crate) fn push(&mut self, changes: Vec<Change>) {
        self.cells += changes.len();
        self.batches.push_back(changes);
        while self.cells > self.cells_max
            && let Some(forgotten) = self.batches.pop_front()
        {
            self.cells -= forgotten.len();
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Vec<Change>> {
        let changes = self.batches.pop_back()?;
        self.cells -= changes.len();
        Some(changes)
    }
}
