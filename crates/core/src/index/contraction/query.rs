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
//! In the core both searches move freely, and share it (Pijls and Post, "Yet another bidirectional
//! algorithm for finding the shortest path", 2009): what one has settled the other does not go on from,
//! nor from a node of which the other's least key shows that no way over it is shorter than the best.
//!
//! Both searches' costs of a node lie together: a meeting is noticed without another cache miss. How a
//! node was reached lies apart, as most looks at a node only compare costs.

use super::{ContractionHierarchy, NONE, Parts};
use crate::search::{Heuristic, Run, SearchObserver, TraceEvent, TraceKind};
use crate::space::NodeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a search has spent to come to a node: twice the cost, and one if the node is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spent(u64);

impl Spent {
    const UNREACHED: Self = Self(u64::MAX);

    #[inline]
    fn cost(self) -> u64 {
        self.0 >> 1
    }

    #[inline]
    fn is_reached(self) -> bool {
        self != Self::UNREACHED
    }

    #[inline]
    fn is_settled(self) -> bool {
        self.is_reached() && self.0 & 1 == 1
    }

    /// Whether to come at that cost would be cheaper. A settled node is at most that cost.
    #[inline]
    fn is_above(self, cost: u64) -> bool {
        self.0 > (cost << 1 | 1)
    }
}

/// How a search has come to a node.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The rank before this one; itself at an end.
    before: u32,
    /// The edge between, by its place in the list; at an end, which seed.
    edge: u32,
}

const NO_STEP: Step = Step { before: NONE, edge: NONE };

/// What a climb from both ends needs.
#[derive(Default)]
pub(crate) struct ClimbMemory {
    spent: Vec<[Spent; 2]>,
    /// Read only where a node was reached.
    steps: Vec<[Step; 2]>,
    touched: Vec<u32>,
    /// Keys of 40 bits, then ranks of 24.
    open: [BinaryHeap<Reverse<u64>>; 2],
    /// The cost of the best meeting, and its rank.
    best: (u64, u32),
    stack: Vec<u32>,
    /// Edges from the first seed to the second, by their numbers.
    way: Vec<u32>,
    /// What a settled node reaches, while a search is watched.
    watched: Vec<Reached>,
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

impl ClimbMemory {
    pub(crate) fn bytes(&self) -> usize {
        self.spent.capacity() * size_of::<[Spent; 2]>()
            + self.steps.capacity() * size_of::<[Step; 2]>()
            + (self.touched.capacity() + self.stack.capacity() + self.way.capacity()) * 4
            + self.open.iter().map(|open| open.capacity() * 8).sum::<usize>()
            + self.watched.capacity() * size_of::<Reached>()
    }

    pub(crate) fn open_len(&self) -> usize {
        self.open[0].len() + self.open[1].len()
    }

    /// Forgets the query before.
    pub(crate) fn begin(&mut self, node_count: usize) {
        for rank in self.touched.drain(..) {
            self.spent[rank as usize] = [Spent::UNREACHED; 2];
        }
        if self.spent.len() < node_count {
            self.spent.resize(node_count, [Spent::UNREACHED; 2]);
            self.steps.resize(node_count, [NO_STEP; 2]);
        }
        self.open.iter_mut().for_each(BinaryHeap::clear);
        self.best = (KEY_MAX, NONE);
    }

    /// Every node that the ends of the query are joined to, before the search has gone on.
    pub(crate) fn seeds(&self) -> impl Iterator<Item = Reached> + '_ {
        self.touched.iter().flat_map(move |&rank| {
            let reached = move |side: usize| {
                let cost = self.spent[rank as usize][side].cost();
                Reached { side, rank, before: rank, cost, improved: false }
            };
            let sides = (0..2).filter(move |&side| self.spent[rank as usize][side].is_reached());
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
        estimates: &[impl Heuristic; 2],
    ) -> bool {
        let reached = Reached { side, rank, before: rank, cost, improved: false };
        self.reach(reached, seed, estimates).is_some_and(|reached| !reached.improved)
    }

    /// The best cost known, if the searches have met.
    pub(crate) fn best(&self) -> Option<u64> {
        (self.best.1 != NONE).then_some(self.best.0)
    }

    /// Notes a cheaper way to a node, unless it is too costly to matter.
    #[inline]
    fn reach(
        &mut self,
        reached: Reached,
        edge: u32,
        estimates: &[impl Heuristic; 2],
    ) -> Option<Reached> {
        let Reached { side, rank, before, cost, .. } = reached;
        let spent = &mut self.spent[rank as usize];
        if !spent[side].is_above(cost) {
            return None;
        }
        let key = cost + estimates[side].estimate(NodeId(rank));
        if key >= self.best.0 {
            return None;
        }
        let improved = spent[side].is_reached();
        let other = spent[1 - side];
        if !improved && !other.is_reached() {
            self.touched.push(rank);
        }
        spent[side] = Spent(cost << 1);
        self.steps[rank as usize][side] = Step { before, edge };
        if other.is_reached() && cost + other.cost() < self.best.0 {
            self.best = (cost + other.cost(), rank);
        }
        self.open[side].push(Reverse(key << RANK_BITS | u64::from(rank)));
        Some(Reached { improved, ..reached })
    }
}

/// How a climb stands after a slice.
pub(crate) enum Climbed {
    Paused,
    Limit,
    Over,
}

impl ContractionHierarchy {
    /// Settles at most `slice` nodes. `event` describes a node for an observer.
    pub(crate) fn climb<O: SearchObserver>(
        &self,
        memory: &mut ClimbMemory,
        estimates: &[impl Heuristic; 2],
        run: &mut Run,
        slice: u64,
        event: impl Fn(TraceKind, Reached) -> TraceEvent,
        observer: &mut O,
    ) -> Climbed {
        let mut statistics = run.statistics;
        let end = run.slice_end(slice);
        let mut watched = std::mem::take(&mut memory.watched);
        let mut over = false;
        while statistics.expanded < end {
            let mut generated = 0;
            let settled = self.settle_next(memory, estimates, |reached| {
                generated += 1;
                if O::ACTIVE {
                    watched.push(reached);
                }
            });
            let Some(settled) = settled else {
                over = true;
                break;
            };
            statistics.expanded += 1;
            statistics.generated += generated;
            statistics.open_max = statistics.open_max.max(memory.open_len() as u64);
            if O::ACTIVE {
                // Reported before those that it reaches, though known after.
                observer.event(event(TraceKind::Expand, settled));
                for reached in watched.drain(..) {
                    let kind = if reached.improved { TraceKind::Improve } else { TraceKind::Open };
                    observer.event(event(kind, reached));
                }
            }
        }
        memory.watched = watched;
        run.statistics = statistics;
        if over || Self::next_side(memory).is_none() {
            Climbed::Over
        } else if statistics.expanded >= run.limits.expansions_max {
            Climbed::Limit
        } else {
            Climbed::Paused
        }
    }

    /// The side to go on with, and the least key of the other; `None` if neither can better the best
    /// meeting.
    #[inline]
    fn next_side(memory: &mut ClimbMemory) -> Option<(usize, u64)> {
        let mut keys = [u64::MAX; 2];
        for (side, key) in keys.iter_mut().enumerate() {
            while let Some(&Reverse(entry)) = memory.open[side].peek() {
                let rank = (entry & ((1 << RANK_BITS) - 1)) as usize;
                if memory.spent[rank][side].is_settled() {
                    memory.open[side].pop();
                    continue;
                }
                *key = entry >> RANK_BITS;
                break;
            }
        }
        let side = usize::from(keys[1] < keys[0]);
        (keys[side] < memory.best.0).then_some((side, keys[1 - side]))
    }

    /// Settles one node, and reports those that it reaches; `None` when the search is over.
    #[inline]
    fn settle_next(
        &self,
        memory: &mut ClimbMemory,
        estimates: &[impl Heuristic; 2],
        mut report: impl FnMut(Reached),
    ) -> Option<Reached> {
        let (side, other_key) = Self::next_side(memory)?;
        let Reverse(entry) = memory.open[side].pop()?;
        let rank = (entry & ((1 << RANK_BITS) - 1)) as u32;
        let spent = &mut memory.spent[rank as usize];
        let cost = spent[side].cost();
        spent[side].0 |= 1;
        let before = memory.steps[rank as usize][side].before;
        let ends_here = if rank < self.core {
            self.is_stalled(memory, side, rank, cost)
        } else {
            let from_other = other_key.saturating_sub(estimates[1 - side].estimate(NodeId(rank)));
            spent[1 - side].is_settled() || cost.saturating_add(from_other) >= memory.best.0
        };
        if !ends_here {
            let range = self.range(rank, side);
            for (edge, at) in self.edges[range.clone()].iter().zip(range.start as u32..) {
                let cost = cost + u64::from(edge.weight);
                // PERF: most edges lead to nodes that are reached as cheaply.
                if !memory.spent[edge.rank as usize][side].is_above(cost) {
                    continue;
                }
                let reached =
                    Reached { side, rank: edge.rank, before: rank, cost, improved: false };
                if let Some(reached) = memory.reach(reached, at, estimates) {
                    report(reached);
                }
            }
        }
        Some(Reached { side, rank, before, cost, improved: false })
    }

    /// Whether a node is reached more cheaply by coming down from a higher one.
    #[inline]
    fn is_stalled(&self, memory: &ClimbMemory, side: usize, rank: u32, cost: u64) -> bool {
        self.edges[self.range(rank, 1 - side)].iter().any(|edge| {
            let higher = memory.spent[edge.rank as usize][side];
            higher.is_reached() && higher.cost() + u64::from(edge.weight) < cost
        })
    }

    /// Visits every rank of the best way in order, less the first; returns the seeds it goes by.
    pub(crate) fn unpack(
        &self,
        memory: &mut ClimbMemory,
        mut visit: impl FnMut(u32),
    ) -> (u32, u32) {
        let ClimbMemory { steps, best, stack, way, .. } = memory;
        way.clear();
        let seed_of = |side: usize, way: &mut Vec<u32>| {
            let mut at = best.1;
            loop {
                let step = steps[at as usize][side];
                if step.before == at {
                    return step.edge;
                }
                way.push(self.numbers[step.edge as usize]);
                at = step.before;
            }
        };
        let first = seed_of(0, way);
        way.reverse();
        let second = seed_of(1, way);
        for &number in &*way {
            stack.clear();
            stack.push(number);
            while let Some(number) = stack.pop() {
                match self.unpacked[number as usize].parts() {
                    Parts::Edge { to, .. } => visit(to),
                    Parts::Shortcut([first, second]) => stack.extend([second, first]),
                }
            }
        }
        (first, second)
    }

    /// The rank at which the best way begins.
    pub(crate) fn first_rank(&self, memory: &ClimbMemory) -> u32 {
        let mut at = memory.best.1;
        loop {
            let before = memory.steps[at as usize][0].before;
            if before == at {
                return at;
            }
            at = before;
        }
    }
}
