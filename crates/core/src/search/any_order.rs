//! An open list for keys in any order that is as quick as buckets where they come nearly in order.
//!
//! Keys within a fixed span above the last one popped lie in a ring of buckets. Those below it, which only
//! an inconsistent heuristic brings about, and those too far above wait in heaps of their own:
//!
//! ```text
//!   lower (heap)      ring of buckets           higher (heap)
//! ────────────────|floor ───────── floor + span|──────────────▶ keys
//! ```
//!
//! Among equal keys the newest comes first, as in the other lists: the floor only rises, so of equal keys
//! those in the ring are newer than those in the higher heap.

use super::open_list::{BucketQueue, Floored, HeapQueue, OpenList};
use crate::space::NodeId;

/// A ring of buckets between two heaps.
#[derive(Clone, Default)]
pub(crate) struct AnyOrderQueue {
    ring: BucketQueue,
    lower: HeapQueue,
    higher: HeapQueue,
    /// Whether an entry has come: the first one sets the floor.
    begun: bool,
    span: u64,
}

impl AnyOrderQueue {
    /// The largest span that is worth a ring: its heads stay in the second cache.
    const SPAN_MAX: u64 = (1 << 16) - 1;

    /// Empties it, for keys that mostly rise at most `span` above the last one popped.
    pub(crate) fn reset(&mut self, span: u64) {
        self.span = span.min(Self::SPAN_MAX);
        self.lower.clear();
        self.higher.clear();
        self.begun = false;
        self.ring.reset(self.span, 0);
    }

    /// The ring alone, emptied, for keys that never fall and rise at most `span` above the last one popped, the first of
    /// which are at least `floor`. The queue is to be reset before it is used as a whole again.
    pub(crate) fn as_buckets(&mut self, span: u64, floor: u64) -> &mut BucketQueue {
        self.ring.reset(span, floor);
        &mut self.ring
    }

    /// The ring alone, as it is.
    pub(crate) fn buckets(&mut self) -> &mut BucketQueue {
        &mut self.ring
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ring.memory_bytes() + self.lower.memory_bytes() + self.higher.memory_bytes()
    }
}

impl OpenList for AnyOrderQueue {
    #[inline]
    fn push(&mut self, key: u64, node: NodeId) {
        if !self.begun {
            self.begun = true;
            self.ring.reset(self.span, key);
        }
        let floor = self.ring.floor();
        if key < floor {
            self.lower.push(key, node);
        } else if key - floor > self.ring.span() {
            self.higher.push(key, node);
        } else {
            self.ring.push(key, node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, NodeId)> {
        if self.lower.len() > 0 {
            return self.lower.pop();
        }
        if self.higher.len() > 0 {
            let near = self.ring.smallest().unwrap_or(u64::MAX);
            if self.higher.smallest().is_some_and(|far| far < near) {
                let (key, node) = self.higher.pop()?;
                self.ring.raise_floor(key);
                return Some((key, node));
            }
        }
        match self.ring.pop() {
            // A key of the very largest number in the higher heap compares equal to an empty ring.
            None => self.higher.pop(),
            entry => entry,
        }
    }

    fn smallest(&self) -> Option<u64> {
        if self.lower.len() > 0 {
            return self.lower.smallest();
        }
        match (self.ring.smallest(), self.higher.smallest()) {
            (Some(near), Some(far)) => Some(near.min(far)),
            (near, far) => near.or(far),
        }
    }

    fn len(&self) -> usize {
        self.lower.len() + self.ring.len() + self.higher.len()
    }
}

impl Floored for AnyOrderQueue {
    #[inline(always)]
    fn floor(&self) -> u64 {
        if self.begun { self.ring.floor() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_gives_the_smallest_then_newest_whatever_comes(
            span in 0u64..300,
            steps in proptest::collection::vec(
                proptest::option::of(prop_oneof![0u64..40, 0u64..1000, Just(u64::MAX)]), 0..300)
        ) {
            let (mut queue, mut model) = (AnyOrderQueue::default(), Vec::<(u64, u32)>::new());
            queue.reset(span);
            for (node, step) in (0u32..).zip(steps) {
                match step {
                    Some(key) => {
                        queue.push(key, NodeId(node));
                        model.push((key, node));
                    }
                    None => {
                        let smallest = model.iter().map(|entry| entry.0).min();
                        prop_assert_eq!(queue.smallest(), smallest);
                        let newest = model.iter().rposition(|entry| Some(entry.0) == smallest);
                        let expected = newest.map(|at| model.remove(at));
                        let expected = expected.map(|(key, node)| (key, NodeId(node)));
                        prop_assert_eq!(queue.pop(), expected);
                    }
                }
                prop_assert_eq!(queue.len(), model.len());
            }
        }
    }
}
