//! The latest changes of an environment: how abstractions catch up.

use super::Revision;
use std::collections::VecDeque;
use std::sync::Arc;

/// The latest batches of changes, up to a number of changes: what planners catch up by.
///
/// ```
/// use highroad::environment::{Journal, Revision};
/// let mut journal = Journal::new(Revision(0), 3); // keeps three changes
/// journal.record(Revision(1), vec!["wall"]);
/// journal.record(Revision(2), vec!["swamp", "water"]);
/// assert_eq!(journal.since(Revision(1)).unwrap().collect::<Vec<_>>(), [&"swamp", &"water"]);
/// journal.record(Revision(3), vec!["ground"]);
/// assert!(journal.since(Revision(0)).is_none(), "the first batch is forgotten");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Journal<C> {
    changes_max: usize,
    changes: usize,
    /// Each batch with the revision it led to; clones share them.
    batches: VecDeque<(Revision, Arc<[C]>)>,
    /// Everything after this revision is here.
    complete_since: Revision,
}

impl<C> Journal<C> {
    /// A journal, empty at `revision`, that keeps batches of together at most `changes_max` changes.
    pub fn new(revision: Revision, changes_max: usize) -> Self {
        Self { changes_max, changes: 0, batches: VecDeque::new(), complete_since: revision }
    }

    /// Adds the batch that led to `revision`, and forgets the oldest ones where there is no room. O(changes of the
    /// batch).
    pub fn record(&mut self, revision: Revision, changes: impl Into<Arc<[C]>>) {
        let changes = changes.into();
        self.changes += changes.len();
        self.batches.push_back((revision, changes));
        while self.changes > self.changes_max
            && let Some((forgotten, changes)) = self.batches.pop_front()
        {
            self.changes -= changes.len();
            self.complete_since = forgotten;
        }
    }

    /// Every batch that it remembers, with the revision that it led to, the oldest first.
    pub fn batches(&self) -> impl ExactSizeIterator<Item = (Revision, &[C])> {
        self.batches.iter().map(|(revision, changes)| (*revision, &changes[..]))
    }

    /// The revision after which it remembers everything.
    pub fn complete_since(&self) -> Revision {
        self.complete_since
    }

    /// Every change made after `revision`, oldest first; `None` if some are forgotten, or if the
    /// journal has never seen that revision: then one must start afresh.
    pub fn since(&self, revision: Revision) -> Option<impl Iterator<Item = &C>> {
        let latest = self.batches.back().map_or(self.complete_since, |(at, _)| *at);
        (self.complete_since..=latest).contains(&revision).then(|| {
            let first = self.batches.partition_point(|(at, _)| *at <= revision);
            self.batches.range(first..).flat_map(|(_, changes)| changes.iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_gives_what_came_after_and_owns_up_to_what_it_forgot() {
        let mut journal = Journal::new(Revision(7), 3);
        let since = |journal: &Journal<u32>, revision| {
            let changes = journal.since(Revision(revision))?;
            Some(changes.copied().collect::<Vec<_>>())
        };
        assert_eq!(since(&journal, 7), Some(vec![]));
        assert_eq!(since(&journal, 6), None);
        journal.record(Revision(8), vec![1, 2]);
        journal.record(Revision(9), vec![3]);
        assert_eq!(since(&journal, 7), Some(vec![1, 2, 3]));
        assert_eq!(since(&journal, 8), Some(vec![3]));
        journal.record(Revision(10), vec![4]);
        assert_eq!(since(&journal, 7), None, "the oldest batch had to go");
        assert_eq!(since(&journal, 8), Some(vec![3, 4]));
        assert_eq!(since(&journal, 11), None, "a revision of something else");
        journal.record(Revision(11), (0..9).collect::<Vec<u32>>());
        assert_eq!(since(&journal, 10), None, "a batch larger than the journal");
        assert_eq!(since(&journal, 11), Some(vec![]));
    }
}
