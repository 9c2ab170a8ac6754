//! Finding a way: up from the start and up from the goal, until they have met.
//!
//! A loop of its own because it turns two frontiers at once on two sets of edges, and ends when neither
//! can better the best meeting. Both searches are ordered by cost so far plus an estimate (Hart, Nilsson
//! and Raphael 1968); an estimate that never falls by more than an edge costs keeps every settled cost
//! final, and each side ends for itself when its least key reaches the best meeting. So a search looks
//! only at nodes of the hierarchy that could lie on a way as short.
//!
//! Stalling on demand (Geisberger et al. 2008): a node that is reached more cheaply by coming down from
//! a higher one is not on a shortest way up, and is not gone on from.
//!
//! Both searches' labels of a node lie together: a meeting is noticed without another cache miss.

use super::{ContractionHierarchy, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A shortest way through a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// What it costs.
    pub cost: u64,
    /// Every node, in order, both ends included.
    pub nodes: Vec<u32>,
}

/// What a search knows of a node.
#[derive(Clone, Copy, Debug)]
struct Label {
    /// Twice the cost so far, and one if it is settled.
    cost: u64,
    /// The rank before this one; itself at an end.
    before: u32,
    /// The edge between, by its number; at an end, which seed.
    edge: u32,
}

const UNREACHED: Label = Label { cost: u64::MAX, before: NONE, edge: NONE };

impl Label {
    #[inline]
    fn cost(self) -> u64 {
        self.cost >> 1
    }

    #[inline]
    fn is_reached(self) -> bool {
        self.cost != u64::MAX
    }

    #[inline]
    fn is_settled(self) -> bool {
        self.cost & 1 == 1
    }
}

/// Estimates what is still to go from a rank: of the search from the starts (0) or the goals (1).
pub(crate) trait Estimate {
    fn estimate(&self, side: usize, rank: u32) -> u64;
}

/// Nothing is known of where nodes lie.
struct NoEstimate;

impl Estimate for NoEstimate {
    fn estimate(&self, _side: usize, _rank: u32) -> u64 {
        0
    }
}

/// Working memory of queries. Make one a thread and keep it.
#[derive(Default)]
pub struct RouteScratch {
    labels: Vec<[Label; 2]>,
    touched: Vec<u32>,
    /// Keys of 40 bits, then ranks of 24.
    open: [BinaryHeap<Reverse<u64>>; 2],
    /// The cost of the best meeting, and its rank.
    best: (u64, u32),
    stack: Vec<u32>,
    /// Edges from the first seed to the second, by their numbers.
    way: Vec<u32>,
}

const RANK_BITS: u32 = 24;
const KEY_MAX: u64 = u64::MAX >> RANK_BITS;

/// A node that a search has come to.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) side: usize,
    pub(crate) rank: u32,
    /// Where from; itself at an end.
    pub(crate) before: u32,
    pub(crate) cost: u64,
    /// Whether it had been reached before, at a higher cost.
    pub(crate) improved: bool,
}

impl RouteScratch {
    /// Empty memory; it grows to what queries need.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.labels.capacity() * size_of::<[Label; 2]>()
            + (self.touched.capacity() + self.stack.capacity() + self.way.capacity()) * 4
            + self.open.iter().map(|open| open.capacity() * 8).sum::<usize>()
    }

    pub(crate) fn open_len(&self) -> usize {
        self.open[0].len() + self.open[1].len()
    }

    /// Forgets the query before.
    pub(crate) fn begin(&mut self, node_count: usize) {
        for rank in self.touched.drain(..) {
            self.labels[rank as usize] = [UNREACHED; 2];
        }
        if self.labels.len() < node_count {
            self.labels.resize(node_count, [UNREACHED; 2]);
        }
        self.open.iter_mut().for_each(BinaryHeap::clear);
        self.best = (KEY_MAX, NONE);
    }

    /// Every node that the ends of the query are joined to, before the search has gone on.
    pub(crate) fn seeds(&self) -> impl Iterator<Item = Reached> + '_ {
        self.touched.iter().flat_map(move |&rank| {
            let reached = move |side: usize| {
                let cost = self.labels[rank as usize][side].cost();
                Reached { side, rank, before: rank, cost, improved: false }
            };
            let sides = (0..2).filter(move |&side| self.labels[rank as usize][side].is_reached());
            sides.map(reached)
        })
    }

    /// Opens a rank at one end of the query, at a cost, as seed number `seed`; whether for the first
    /// time.
    pub(crate) fn seed(
        &mut self,
        side: usize,
        rank: u32,
        cost: u64,
        seed: u32,
        estimates: &impl Estimate,
    ) -> bool {
        let reached = Reached { side, rank, before: rank, cost, improved: false };
        self.reach(reached, seed, estimates).is_some_and(|reached| !reached.improved)
    }

    /// The best cost known, if the searches have met.
    pub(crate) fn best(&self) -> Option<u64> {
        (self.best.1 != NONE).then_some(self.best.0)
    }

    /// Notes a cheaper way to a node, unless it is too dear to matter.
    #[inline]
    fn reach(&mut self, reached: Reached, edge: u32, estimates: &impl Estimate) -> Option<Reached> {
        let Reached { side, rank, before, cost, .. } = reached;
        let labels = &mut self.labels[rank as usize];
        // A settled label is at most this cost.
        if labels[side].cost <= cost << 1 | 1 {
            return None;
        }
        let key = cost + estimates.estimate(side, rank);
        if key >= self.best.0 {
            return None;
        }
        let improved = labels[side].is_reached();
        if !labels[0].is_reached() && !labels[1].is_reached() {
            self.touched.push(rank);
        }
        labels[side] = Label { cost: cost << 1, before, edge };
        let other = labels[1 - side];
        if other.is_reached() && cost + other.cost() < self.best.0 {
            self.best = (cost + other.cost(), rank);
        }
        self.open[side].push(Reverse(key << RANK_BITS | u64::from(rank)));
        Some(Reached { improved, ..reached })
    }
}

impl ContractionHierarchy {
    /// A shortest way between two nodes; `None` if there is none, or no such node.
    pub fn route(&self, from: u32, to: u32, scratch: &mut RouteScratch) -> Option<Route> {
        let (start, goal) = (self.rank(from)?, self.rank(to)?);
        scratch.begin(self.node_count());
        scratch.seed(0, start, 0, 0, &NoEstimate);
        scratch.seed(1, goal, 0, 0, &NoEstimate);
        while self.settle_next(scratch, &NoEstimate, |_| ()).is_some() {}
        let cost = scratch.best()?;
        let mut nodes = vec![from];
        self.unpack(scratch, |rank| nodes.push(self.nodes[rank as usize]));
        Some(Route { cost, nodes })
    }

    /// Whether neither search can better the best meeting.
    #[inline]
    fn next_side(scratch: &mut RouteScratch) -> Option<usize> {
        let mut keys = [u64::MAX; 2];
        for (side, key) in keys.iter_mut().enumerate() {
            while let Some(&Reverse(entry)) = scratch.open[side].peek() {
                let rank = (entry & ((1 << RANK_BITS) - 1)) as usize;
                if scratch.labels[rank][side].is_settled() {
                    scratch.open[side].pop();
                    continue;
                }
                *key = entry >> RANK_BITS;
                break;
            }
        }
        let side = usize::from(keys[1] < keys[0]);
        (keys[side] < scratch.best.0).then_some(side)
    }

    /// Whether the search is over.
    pub(crate) fn is_over(&self, scratch: &mut RouteScratch) -> bool {
        Self::next_side(scratch).is_none()
    }

    /// Settles one node, telling of those that it reaches; `None` when the search is over.
    #[inline]
    pub(crate) fn settle_next(
        &self,
        scratch: &mut RouteScratch,
        estimates: &impl Estimate,
        mut tell: impl FnMut(Reached),
    ) -> Option<Reached> {
        let side = Self::next_side(scratch)?;
        let Reverse(entry) = scratch.open[side].pop()?;
        let rank = (entry & ((1 << RANK_BITS) - 1)) as u32;
        let label = &mut scratch.labels[rank as usize][side];
        let (cost, before) = (label.cost(), label.before);
        label.cost |= 1;
        let stalled = self.edges[self.range(rank, 1 - side)].iter().any(|edge| {
            let higher = scratch.labels[edge.rank as usize][side];
            higher.is_reached() && higher.cost() + u64::from(edge.weight) < cost
        });
        if !stalled {
            let range = self.range(rank, side);
            for (edge, &number) in self.edges[range.clone()].iter().zip(&self.numbers[range]) {
                let cost = cost + u64::from(edge.weight);
                // PERF: most edges lead to nodes that are reached as cheaply.
                if scratch.labels[edge.rank as usize][side].cost <= cost << 1 | 1 {
                    continue;
                }
                let reached =
                    Reached { side, rank: edge.rank, before: rank, cost, improved: false };
                if let Some(reached) = scratch.reach(reached, number, estimates) {
                    tell(reached);
                }
            }
        }
        Some(Reached { side, rank, before, cost, improved: false })
    }

    /// Tells every rank of the best way in order, less the first; returns the seeds it goes by.
    pub(crate) fn unpack(
        &self,
        scratch: &mut RouteScratch,
        mut tell: impl FnMut(u32),
    ) -> (u32, u32) {
        let RouteScratch { labels, best, stack, way, .. } = scratch;
        way.clear();
        let seed_of = |side: usize, way: &mut Vec<u32>| {
            let mut at = best.1;
            loop {
                let label = labels[at as usize][side];
                if label.before == at {
                    return label.edge;
                }
                way.push(label.edge);
                at = label.before;
            }
        };
        let first = seed_of(0, way);
        way.reverse();
        let second = seed_of(1, way);
        for &number in &*way {
            stack.clear();
            stack.push(number);
            while let Some(number) = stack.pop() {
                let edge = self.unpacked[number as usize];
                if edge.halves[0] == NONE {
                    tell(edge.to);
                } else {
                    stack.extend([edge.halves[1], edge.halves[0]]);
                }
            }
        }
        (first, second)
    }

    /// The rank at which the best way begins.
    pub(crate) fn first_rank(&self, scratch: &RouteScratch) -> u32 {
        let mut at = scratch.best.1;
        loop {
            let before = scratch.labels[at as usize][0].before;
            if before == at {
                return at;
            }
            at = before;
        }
    }
}
