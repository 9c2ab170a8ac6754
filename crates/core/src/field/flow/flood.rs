//! Costs from everywhere to some sources, found cheapest first and repaired after edits.
//!
//! Dijkstra's algorithm from the sources, against the direction of steps, is the last of three kinds of work; the other two
//! repair (after Ramalingam and Reps, "An incremental algorithm for a generalization of the shortest-path problem",
//! Journal of Algorithms 21, 1996, for many changes at once):
//!
//! 1. *Check* a cell that may have lost what its cost rests on, the cheapest first: a cost *rests* on a source, or on a step
//!    to a cell whose cost and the step do not add up to more. If it rests on nothing any more, it is taken away, and the
//!    cells whose cost may have rested on it are to be checked.
//! 2. *Restore* the cells whose costs were taken away, and those around an edit that could be cheaper now: the best
//!    that their neighbours offer.
//! 3. *Grow*: take the cheapest open cell and offer its cost to all cells from which a step leads to it.
//!
//! Each kind begins when nothing is left of the one before. Invariants between two looks at a cell:
//!
//! * Every cost that rests on nothing belongs to a cell that is to be checked. Steps cost more than nothing, so that
//!   costs cannot rest on each other in a circle.
//! * Whoever could be cheaper by a step to a cell with a cost is to be restored, or that cell is open, or is to be checked.
//!
//! So when nothing is left to do, costs are exact, whatever came before. Checking the cheapest first is a matter of speed alone.
//! Every cost below `limit` is final at any time: an edit lowers the limit to the least cost that it may change.

use super::sources::Sources;
use crate::grid::{CellId, Grid};
use crate::search::{AnyOrderQueue, OpenList};
use crate::space::{Arrival, NodeId, Space};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The cost of a cell that has none.
pub(super) const NONE: u64 = u64::MAX;

/// Costs, and what is left to do.
#[derive(Clone, Default)]
pub(super) struct Flood {
    costs: Vec<u64>,
    /// Costs below are final.
    limit: u64,
    /// Cells to check, by their costs.
    checks: BinaryHeap<Reverse<(u64, u32)>>,
    /// Cells to restore.
    raised: Vec<u32>,
    /// Cells whose costs are to be offered to others. An entry counts if its cell still has that cost.
    open: AnyOrderQueue,
    step_max: u64,
    /// A bit for each 64 cells among which costs have changed.
    touched: Vec<u64>,
    /// The numbers of those bits.
    touched_words: Vec<u32>,
}

/// What costs depend on.
pub(super) struct On<'f, S> {
    pub(super) grid: &'f Grid,
    pub(super) sources: &'f Sources,
    pub(super) space: S,
}

/// What a flood can do.
#[derive(Clone, Copy)]
pub(super) enum Task<'t> {
    /// Takes note that steps from these cells, or their starting costs, may be others than before.
    Doubt(&'t [u32]),
    /// Goes on for so many looks at a cell.
    Work(u64),
}

impl<S: Space> On<'_, S> {
    /// The best that the sources and the neighbours of a cell offer.
    fn best(&mut self, costs: &[u64], id: u32) -> u64 {
        let mut best = match self.sources.cost_of(id) {
            NONE => NONE,
            cost => {
                let is_open = self.grid.is_enterable(self.grid.extent().cell(CellId(id)));
                if is_open { cost } else { NONE }
            }
        };
        self.space.expand(arrival(id), &mut |to, step| {
            let rest = costs[to.index()];
            if rest != NONE {
                best = best.min(rest + S::price(step));
            }
        });
        best
    }
}

fn arrival(id: u32) -> Arrival {
    Arrival { node: NodeId(id), parent: NodeId(id) }
}

impl Flood {
    /// Begins again on so many cells, with steps up to that cost.
    pub(super) fn begin(&mut self, cell_count: usize, step_max: u64) {
        self.costs.clear();
        self.costs.resize(cell_count, NONE);
        self.checks.clear();
        self.raised.clear();
        self.step_max = step_max;
        self.open.reset(step_max);
        self.limit = 0;
        self.touched.clear();
        self.touched.resize(cell_count.div_ceil(64 * 64), 0);
        self.touched_words.clear();
    }

    #[inline]
    pub(super) fn cost(&self, id: u32) -> u64 {
        self.costs[id as usize]
    }

    /// Costs below are final.
    #[inline]
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    pub(super) fn is_complete(&self) -> bool {
        self.checks.is_empty() && self.raised.is_empty() && self.open.len() == 0
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let lists = self.touched.capacity() * 8 + self.touched_words.capacity() * 4;
        let left = self.checks.capacity() * 16 + self.raised.capacity() * 4;
        self.costs.capacity() * 8 + lists + left + self.open.memory_bytes()
    }

    /// Returns how many looks at a cell it has taken.
    pub(super) fn run<S: Space>(&mut self, on: &mut On<'_, S>, task: Task<'_>) -> u64 {
        match task {
            Task::Doubt(cells) => {
                cells.iter().for_each(|&id| self.doubt(on, id));
                cells.len() as u64
            }
            Task::Work(slice) => self.work(on, slice),
        }
    }

    fn doubt<S: Space>(&mut self, on: &mut On<'_, S>, id: u32) {
        let (cost, best) = (self.cost(id), on.best(&self.costs, id));
        if best > cost {
            self.checks.push(Reverse((cost, id)));
        } else if best < cost {
            self.raised.push(id);
        }
        // Its direction may be another one even if its cost is not.
        touch(&mut self.touched, &mut self.touched_words, id);
        if best != cost {
            self.limit = self.limit.min(best.min(cost));
        }
    }

    fn work<S: Space>(&mut self, on: &mut On<'_, S>, slice: u64) -> u64 {
        let mut left = slice;
        while left > 0 {
            if let Some(Reverse((cost, id))) = self.checks.pop() {
                self.check(on, cost, id);
            } else if let Some(id) = self.raised.pop() {
                self.restore(on, id);
            } else {
                left -= self.grow(&mut on.space, left);
                break;
            }
            left -= 1;
        }
        if self.checks.is_empty() && self.raised.is_empty() {
            // Whatever is open changes only what costs more.
            self.limit = self.open.smallest().map_or(NONE, |least| least.saturating_add(1));
        }
        slice - left
    }

    fn check<S: Space>(&mut self, on: &mut On<'_, S>, cost: u64, id: u32) {
        if self.cost(id) != cost || on.best(&self.costs, id) <= cost {
            return;
        }
        self.set_cost(id, NONE);
        self.raised.push(id);
        let Self { costs, checks, .. } = self;
        on.space.expand_backwards(arrival(id), &mut |from, step| {
            // More than that, if it has not heard yet that this cell had become cheaper.
            let own = costs[from.index()];
            if own != NONE && own >= cost + S::price(step) {
                checks.push(Reverse((own, from.0)));
            }
        });
    }

    fn restore<S: Space>(&mut self, on: &mut On<'_, S>, id: u32) {
        let best = on.best(&self.costs, id);
        if best < self.cost(id) {
            if self.open.len() == 0 {
                // Its floor would be where the last work has ended.
                self.open.reset(self.step_max);
            }
            self.set_cost(id, best);
            self.open.push(best, NodeId(id));
        }
    }

    /// Offers the costs of up to so many open cells. Returns how many it has looked at.
    fn grow<S: Space>(&mut self, space: &mut S, slice: u64) -> u64 {
        let Self { costs, open, touched, touched_words, .. } = self;
        for looks in 0..slice {
            let Some((cost, node)) = open.pop() else { return looks };
            if costs[node.index()] != cost {
                continue;
            }
            space.expand_backwards(arrival(node.0), &mut |from, step| {
                let offer = cost + S::price(step);
                let own = &mut costs[from.index()];
                if offer < *own {
                    *own = offer;
                    touch(touched, touched_words, from.0);
                    open.push(offer, from);
                }
            });
        }
        slice
    }

    fn set_cost(&mut self, id: u32, cost: u64) {
        self.costs[id as usize] = cost;
        touch(&mut self.touched, &mut self.touched_words, id);
    }

    /// Calls `forget` with ranges of cells that hold every cell whose cost has changed since the last call, and all
    /// neighbours of such cells. Their ends may lie outside the map.
    pub(super) fn take_touched(&mut self, width: usize, mut forget: impl FnMut(Range<usize>)) {
        for word in self.touched_words.drain(..) {
            self.touched[word as usize / 64] &= !(1 << (word % 64));
            let first = word as usize * 64;
            for row in 0..3 {
                let begin = (first + row * width).saturating_sub(width + 1);
                let end = (first + row * width + 65).saturating_sub(width);
                forget(begin..end);
            }
        }
    }
}

/// Notes that the cost of a cell has changed.
#[inline(always)]
fn touch(touched: &mut [u64], words: &mut Vec<u32>, id: u32) {
    let word = id / 64;
    let bit = 1 << (word % 64);
    let bits = &mut touched[word as usize / 64];
    if *bits & bit == 0 {
        *bits |= bit;
        words.push(word);
    }
}
