//! Open lists. Both give the smallest key first and, among equal keys, the newest entry: on grids
//! that tie rule follows one of many equal paths to its end instead of advancing them all.
//!
//! There is no decrease-key: a node that gets cheaper is pushed again, and its older entries are
//! passed over when they come up and the node is closed.
//!
//! PERF: mean milliseconds a query in one run (`highroad bench MAP --queries 100`, ten on Map11), with
//! the other lists put in the same loop. Where the buckets serve, none was faster; where they do not, the
//! standard library's binary heap did, so these two were kept.
//!
//! | open list | AcrosstheCape A* / Dijkstra | random512-30-0 A* / Dijkstra | weighted Map11 A* |
//! |---|---|---|---|
//! | buckets | 1.91 / 11.2 | 1.75 / 5.9 | 155 |
//! | radix heap | 2.74 / 16.4 | 1.75 / 7.5 | 170 |
//! | binary heap | 3.75 / 16.9 | 2.55 / 8.9 | 211 |
//! | heap of four children | 4.48 / 21.4 | 3.19 / 10.3 | 247 |

use crate::space::NodeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the loop needs of an open list.
pub(crate) trait OpenList {
    fn push(&mut self, key: u64, node: NodeId);
    /// As `push`, with the cost so far, for lists that break ties by it.
    #[inline(always)]
    fn push_reached(&mut self, key: u64, _g: u64, node: NodeId) {
        self.push(key, node);
    }
    /// The entry of the smallest key, with it; the newest among equals.
    fn pop(&mut self) -> Option<(u64, NodeId)>;
    /// Puts the entry that was popped last back: it will be the first to come out again.
    #[inline(always)]
    fn put_back(&mut self, key: u64, node: NodeId) {
        self.push(key, node);
    }
    /// The smallest key held.
    fn smallest(&self) -> Option<u64>;
    fn len(&self) -> usize;
}

/// A binary heap, for keys in any order.
#[derive(Clone, Default)]
pub(crate) struct HeapQueue {
    /// Key (64 bits); then, so that newer ones come first, the inverted push count; then the node (32 each).
    ///
    /// PERF: one wide number is compared without a branch.
    entries: BinaryHeap<Reverse<u128>>,
    pushes: u32,
}

impl HeapQueue {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.pushes = 0;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Reverse<u128>>()
    }
}

impl OpenList for HeapQueue {
    #[inline]
    fn push(&mut self, key: u64, node: NodeId) {
        // Wraps after four billion pushes: ties are then broken otherwise, but always the same way.
        self.pushes = self.pushes.wrapping_add(1);
        let order = u64::from(!self.pushes) << 32 | u64::from(node.0);
        self.entries.push(Reverse(u128::from(key) << 64 | u128::from(order)));
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, NodeId)> {
        let Reverse(entry) = self.entries.pop()?;
        Some(((entry >> 64) as u64, NodeId(entry as u32)))
    }

    fn smallest(&self) -> Option<u64> {
        self.entries.peek().map(|Reverse(entry)| (entry >> 64) as u64)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }
}

/// A ring of buckets, one a key, for keys that never fall below the last one popped nor rise more
/// than a fixed span above it: what Dijkstra's algorithm and A* with a consistent heuristic push.
///
/// ```text
/// levels[2]  ·············1···   a bit: this word of levels[1] has a bit
/// levels[1]  ····1·····1······   a bit: this word of levels[0] has a bit
/// levels[0]  ··1····11··1·····   a bit: this bucket has entries
/// heads      →   →   →→  →       newest entry of each; entries link to older ones
/// ```
#[derive(Clone, Default)]
pub(crate) struct BucketQueue {
    mask: u64,
    /// The last key popped: no entry has a smaller one.
    floor: u64,
    /// Read only where levels[0] has the bucket's bit.
    heads: Vec<u32>,
    levels: [Vec<u64>; 3],
    /// (node, next older entry of the bucket), reused by way of `free`.
    entries: Vec<(u32, u32)>,
    free: u32,
    count: usize,
    /// The newest entry, if its key is `floor`: the next to be popped, so it needs no bucket.
    newest: Option<u32>,
}

const NONE: u32 = u32::MAX;

impl BucketQueue {
    /// The largest span a queue serves: three levels of 64 ways, in a megabyte of heads.
    pub(crate) const SPAN_MAX: u64 = 64 * 64 * 64 - 1;

    /// Empties it, for keys that rise at most `span` above the last one popped, the first of which
    /// are at least `floor`.
    pub(crate) fn reset(&mut self, span: u64, floor: u64) {
        assert!(span <= Self::SPAN_MAX, "a span of {span} needs another open list");
        let buckets = (span + 1).next_power_of_two().max(64) as usize;
        self.mask = buckets as u64 - 1;
        self.floor = floor;
        if self.heads.len() < buckets {
            self.heads.resize(buckets, NONE);
        }
        let mut words = buckets;
        for level in &mut self.levels {
            words = words.div_ceil(64);
            level.clear();
            level.resize(words, 0);
        }
        self.entries.clear();
        self.free = NONE;
        self.count = 0;
        self.newest = None;
    }

    /// How far above it keys may lie.
    pub(super) fn span(&self) -> u64 {
        self.mask
    }

    /// Raises the floor to a key that no entry lies below.
    pub(super) fn raise_floor(&mut self, key: u64) {
        debug_assert!(self.newest.is_none() && key >= self.floor);
        self.floor = key;
    }

    /// The first bucket with entries at or after `from`, not going round.
    fn next_filled(&self, from: usize) -> Option<usize> {
        let mut at = from;
        for (height, level) in self.levels.iter().enumerate() {
            let bits = level.get(at / 64).map_or(0, |word| word & (!0 << (at % 64)));
            if bits != 0 {
                at = at / 64 * 64 + bits.trailing_zeros() as usize;
                for lower in self.levels[..height].iter().rev() {
                    at = at * 64 + lower[at].trailing_zeros() as usize;
                }
                return Some(at);
            }
            at = at / 64 + 1;
        }
        None
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|level| level.capacity() * 8).sum();
        levels + self.heads.capacity() * 4 + self.entries.capacity() * 8
    }
}

impl BucketQueue {
    #[inline(always)]
    fn put(&mut self, key: u64, node: u32) {
        let bucket = (key & self.mask) as usize;
        let word = &mut self.levels[0][bucket / 64];
        let bit = 1 << (bucket % 64);
        let older = if *word & bit != 0 { self.heads[bucket] } else { NONE };
        let was_empty = *word == 0;
        *word |= bit;
        if was_empty {
            self.levels[1][bucket / 4096] |= 1 << (bucket / 64 % 64);
            self.levels[2][0] |= 1 << (bucket / 4096);
        }
        let entry = (node, older);
        self.heads[bucket] = if self.free == NONE {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let slot = self.free;
            self.free = std::mem::replace(&mut self.entries[slot as usize], entry).1;
            slot
        };
    }
}

impl OpenList for BucketQueue {
    #[inline(always)]
    fn push(&mut self, key: u64, node: NodeId) {
        debug_assert!(key >= self.floor && key - self.floor <= self.mask);
        self.count += 1;
        if key == self.floor {
            if let Some(older) = self.newest.replace(node.0) {
                self.put(key, older);
            }
        } else {
            self.put(key, node.0);
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u64, NodeId)> {
        if let Some(newest) = self.newest.take() {
            self.count -= 1;
            return Some((self.floor, NodeId(newest)));
        }
        let key = self.smallest()?;
        self.floor = key;
        let bucket = (key & self.mask) as usize;
        let slot = self.heads[bucket];
        let (node, older) = self.entries[slot as usize];
        self.entries[slot as usize].1 = self.free;
        self.free = slot;
        self.count -= 1;
        if older == NONE {
            self.levels[0][bucket / 64] &= !(1 << (bucket % 64));
            if self.levels[0][bucket / 64] == 0 {
                self.levels[1][bucket / 4096] &= !(1 << (bucket / 64 % 64));
                if self.levels[1][bucket / 4096] == 0 {
                    self.levels[2][0] &= !(1 << (bucket / 4096));
                }
            }
        } else {
            self.heads[bucket] = older;
        }
        Some((key, NodeId(node)))
    }

    #[inline(always)]
    fn smallest(&self) -> Option<u64> {
        if self.newest.is_some() {
            return Some(self.floor);
        }
        if self.count == 0 {
            return None;
        }
        let from = (self.floor & self.mask) as usize;
        // PERF: mostly the next entry lies in the same bucket or in its word.
        let here = self.levels[0][from / 64] >> (from % 64);
        if here != 0 {
            return Some(self.floor + u64::from(here.trailing_zeros()));
        }
        let bucket = self.next_filled(from).or_else(|| self.next_filled(0))?;
        let ahead = (bucket as u64).wrapping_sub(self.floor) & self.mask;
        Some(self.floor + ahead)
    }

    fn len(&self) -> usize {
        self.count
    }
}

/// The same for keys that may fall a little, as with estimates that are slightly too large: an entry with a
/// smaller key than the last one popped comes next.
pub(crate) struct Rising<'q, Q>(pub(crate) &'q mut Q);

/// An open list that knows the last key popped.
pub(crate) trait Floored: OpenList {
    /// The last key popped; before that, at most the first that was pushed.
    fn floor(&self) -> u64;
}

impl Floored for BucketQueue {
    #[inline(always)]
    fn floor(&self) -> u64 {
        self.floor
    }
}

impl<Q: Floored> OpenList for Rising<'_, Q> {
    #[inline(always)]
    fn push(&mut self, key: u64, node: NodeId) {
        self.0.push(key.max(self.0.floor()), node);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u64, NodeId)> {
        self.0.pop()
    }

    /// Under its own key: that of a start may lie below the floor.
    #[inline(always)]
    fn put_back(&mut self, key: u64, node: NodeId) {
        self.0.put_back(key, node);
    }

    fn smallest(&self) -> Option<u64> {
        self.0.smallest()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The tie rule, stated plainly.
    #[derive(Default)]
    struct Model(Vec<(u64, u32)>);

    impl Model {
        fn pop(&mut self) -> Option<(u64, u32)> {
            let smallest = self.0.iter().map(|entry| entry.0).min()?;
            let newest = self.0.iter().rposition(|entry| entry.0 == smallest)?;
            Some(self.0.remove(newest))
        }
    }

    /// The first start sets the floor of such a queue. One below it that was popped and put back came out after
    /// others: PRA* then answered otherwise in slices.
    #[test]
    fn a_start_below_the_floor_that_is_put_back_is_the_first_again() {
        let mut queue = super::super::any_order::AnyOrderQueue::default();
        queue.reset(100);
        for (key, node) in [(9, 1), (5, 2), (7, 3)] {
            queue.push(key, NodeId(node));
        }
        let mut rising = Rising(&mut queue);
        assert_eq!(rising.pop(), Some((5, NodeId(2))));
        rising.put_back(5, NodeId(2));
        assert_eq!([rising.pop(), rising.pop()], [Some((5, NodeId(2))), Some((7, NodeId(3)))]);
    }

    proptest! {
        #[test]
        fn the_heap_gives_the_smallest_then_newest(
            steps in proptest::collection::vec(proptest::option::of(0u64..20), 0..300)
        ) {
            let (mut heap, mut model) = (HeapQueue::default(), Model::default());
            for (node, step) in (0u32..).zip(steps) {
                match step {
                    Some(key) => {
                        heap.push(key, NodeId(node));
                        model.0.push((key, node));
                    }
                    None => prop_assert_eq!(heap.pop(), model.pop().map(|(key, node)| (key, NodeId(node)))),
                }
                prop_assert_eq!(heap.len(), model.0.len());
            }
        }

        #[test]
        fn the_buckets_give_the_smallest_then_newest(
            span in prop_oneof![0u64..200, 4000u64..5000, 262_000u64..=BucketQueue::SPAN_MAX],
            floor in 0u64..1_000_000,
            steps in proptest::collection::vec(proptest::option::of(0.0f64..=1.0), 0..300)
        ) {
            let (mut queue, mut model) = (BucketQueue::default(), Model::default());
            queue.reset(span, floor);
            let mut last = floor;
            for (node, step) in (0u32..).zip(steps) {
                match step {
                    Some(rise) => {
                        let key = last + (rise * span as f64) as u64;
                        queue.push(key, NodeId(node));
                        model.0.push((key, node));
                    }
                    None => {
                        let expected = model.pop();
                        prop_assert_eq!(queue.smallest(), expected.map(|entry| entry.0));
                        prop_assert_eq!(queue.pop(), expected.map(|(key, node)| (key, NodeId(node))));
                        last = expected.map_or(last, |entry| entry.0);
                    }
                }
                prop_assert_eq!(queue.len(), model.0.len());
            }
        }
    }
}
