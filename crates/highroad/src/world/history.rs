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
    /// What each undo has changed since the latest edit, the latest last.
    undone: Vec<Arc<[C]>>,
}

impl<C> History<C> {
    pub(crate) fn new(changes_max: usize) -> Self {
        Self { changes_max, changes: 0, batches: VecDeque::new(), undone: Vec::new() }
    }

    pub(crate) fn set_changes_max(&mut self, changes_max: usize) {
        self.changes_max = changes_max;
    }

    /// Notes an edit: what was undone before it cannot be done again.
    pub(crate) fn push_edit(&mut self, changes: Arc<[C]>) {
        self.undone.clear();
        self.push(changes);
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

    /// Notes what an undo has changed.
    pub(crate) fn push_undone(&mut self, changes: Arc<[C]>) {
        self.undone.push(changes);
    }

    /// What the latest undo has changed, if no edit came after it.
    pub(crate) fn pop_undone(&mut self) -> Option<Arc<[C]>> {
        self.undone.pop()
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.batches.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Every batch that can be taken back, the oldest first.
    pub(crate) fn batches(&self) -> impl ExactSizeIterator<Item = &[C]> {
        self.batches.iter().map(|batch| &batch[..])
    }

    /// What each undo has changed that can be done again, the latest last.
    pub(crate) fn undone(&self) -> impl ExactSizeIterator<Item = &[C]> {
        self.undone.iter().map(|batch| &batch[..])
    }
}
