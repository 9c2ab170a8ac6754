//! What can be undone.

use std::collections::VecDeque;
use std::sync::Arc;

/// The latest batches: the newest, and before it as many as have a number of changes together.
#[derive(Clone)]
pub(crate) struct History<C> {
    changes_max: usize,
    changes: usize,
    /// Clones share them.
    batches: VecDeque<Arc<[C]>>,
}

impl<C> History<C> {
    pub(crate) fn new(changes_max: usize) -> Self {
        Self { changes_max, changes: 0, batches: VecDeque::new() }
    }

    /// Whatever its size, the newest batch can be taken back, and it does not make older ones forgotten by itself.
    pub(crate) fn push(&mut self, changes: Arc<[C]>) {
        let newest = changes.len();
        self.changes += newest;
        self.batches.push_back(changes);
        while self.changes - newest > self.changes_max
            && let Some(forgotten) = self.batches.pop_front()
        {
            self.changes -= forgotten.len();
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Arc<[C]>> {
        let changes = self.batches.pop_back()?;
        self.changes -= changes.len();
        Some(changes)
    }

    /// Every batch that can be taken back, the oldest first.
    pub(crate) fn batches(&self) -> impl ExactSizeIterator<Item = &[C]> {
        self.batches.iter().map(|batch| &batch[..])
    }
}
