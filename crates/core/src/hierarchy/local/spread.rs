//! Floods and searches of a block where cells differ in cost.
//!
//! Dijkstra's algorithm, or A* towards one cell, over the cells of a [`Flood`](super::Flood). A bucket is no wider than
//! the cheapest step of the block costs, so that it may be emptied in any order (Denardo and Fox 1979). Steps too
//! costly for the ring of buckets wait in a heap.
//!
//! Where a cell and all cells around it are level ground, and so cost the same, only the canonical successors are looked at: the argument in
//! `grid/canonical.rs` compares ways between cells that touch the one that is left, and so holds wherever these are
//! even (Carlson, Moran and Harabor, "Optimal Pathfinding on Weighted Grid Maps", 2023).

use super::flood::{CELLS_MAX, EVEN, MASK, OPPOSITE};
use crate::grid::{ARRIVAL_AT_START, CanonicalMoves, DELTAS, StepCosts};
use crate::search::{AnyOrderQueue, OpenList};
use crate::space::NodeId;

/// A cost so far: as narrow as the block allows.
pub(super) trait Sum: Copy + Ord + Into<u64> {
    /// Of cells that are not reached.
    const NONE: Self;
    /// The sum after a step.
    fn plus(self, step: u32) -> Self;
}

impl Sum for u32 {
    const NONE: Self = Self::MAX;

    #[inline(always)]
    fn plus(self, step: u32) -> Self {
        self.saturating_add(step)
    }
}

impl Sum for u64 {
    const NONE: Self = Self::MAX;

    #[inline(always)]
    fn plus(self, step: u32) -> Self {
        self.saturating_add(Self::from(step))
    }
}

/// What a search is after, and what it knows of the way there.
pub(super) trait Aim {
    /// No way from a cell to the aim costs less.
    fn estimate(&self, cell: usize) -> u64;
    /// Ways that cost as much as this, or more, do not count.
    fn bound(&self) -> u64;
    /// Takes note of a cell that is reached at that cost.
    fn reach(&mut self, cell: usize, cost: u64);
}

/// All cells.
pub(super) struct Everywhere;

impl Aim for Everywhere {
    #[inline(always)]
    fn estimate(&self, _cell: usize) -> u64 {
        0
    }

    #[inline(always)]
    fn bound(&self) -> u64 {
        u64::MAX
    }

    #[inline(always)]
    fn reach(&mut self, _cell: usize, _cost: u64) {}
}

/// One cell, at less than some cost.
pub(super) struct Target {
    pub(super) cell: usize,
    pub(super) width: usize,
    /// What a column or a row costs at least, and how much more both at once.
    pub(super) per_max: u64,
    pub(super) per_min: u64,
    pub(super) bound: u64,
}

impl Aim for Target {
    #[inline(always)]
    fn estimate(&self, cell: usize) -> u64 {
        let (x, y) = (cell % self.width, cell / self.width);
        let dx = x.abs_diff(self.cell % self.width) as u64;
        let dy = y.abs_diff(self.cell / self.width) as u64;
        self.per_max * dx.max(dy) + self.per_min * dx.min(dy)
    }

    #[inline(always)]
    fn bound(&self) -> u64 {
        self.bound
    }

    #[inline(always)]
    fn reach(&mut self, cell: usize, cost: u64) {
        if cell == self.cell {
            self.bound = self.bound.min(cost);
        }
    }
}

/// The cells of a block, and where what is found is written.
pub(super) struct Spread<'f, C> {
    pub(super) width: usize,
    pub(super) neighbourhoods: &'f [u16; CELLS_MAX],
    pub(super) cell_costs: &'f [u32; CELLS_MAX],
    /// The smallest and the largest of them.
    pub(super) cell_cost_range: (u32, u32),
    pub(super) steps: StepCosts,
    pub(super) canonical: &'f CanonicalMoves,
    pub(super) costs: &'f mut [C; CELLS_MAX],
    pub(super) back: &'f mut [u8; CELLS_MAX],
    pub(super) queue: &'f mut AnyOrderQueue,
}

impl<C: Sum> Spread<'_, C> {
    /// Spreads from a source whose cost is written. Returns how many cells it has gone on from.
    pub(super) fn run(&mut self, source: usize, mut aim: impl Aim) -> u32 {
        let factors = [self.steps.straight(), self.steps.diagonal()];
        let offsets = DELTAS.map(|(dx, dy)| dy as isize * self.width as isize + dx as isize);
        let (cheapest, costliest) = self.cell_cost_range;
        let shift = (2 * u64::from(factors[0]) * u64::from(cheapest)).max(1).ilog2();
        let costliest = u64::from(factors[1]) * 2 * u64::from(costliest);
        self.queue.reset(((2 * costliest) >> shift).saturating_add(1).min(RING_MAX));
        self.queue.push(aim.estimate(source) >> shift, NodeId(source as u32));
        let mut expanded = 0;
        while let Some((key, NodeId(at))) = self.queue.pop() {
            let at = at as usize & MASK;
            let cost = self.costs[at];
            let full = cost.into() + aim.estimate(at);
            if full >= aim.bound() {
                if key > aim.bound() >> shift {
                    break;
                }
                continue;
            }
            if full >> shift != key {
                continue;
            }
            expanded += 1;
            let around = usize::from(self.neighbourhoods[at]);
            let arrival = match around & EVEN {
                0 => ARRIVAL_AT_START,
                _ => ARRIVALS[usize::from(self.back[at]) & 15],
            };
            let mut moves = self.canonical[arrival & 15][around & 511];
            let own = self.cell_costs[at];
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize & 7;
                moves &= moves - 1;
                let to = at.wrapping_add_signed(offsets[direction]) & MASK;
                let price = (own + self.cell_costs[to]) * factors[direction >> 2];
                let to_cost = cost.plus(price);
                if to_cost < self.costs[to] {
                    let full = to_cost.into() + aim.estimate(to);
                    if full >= aim.bound() {
                        continue;
                    }
                    self.costs[to] = to_cost;
                    self.back[to] = OPPOSITE[direction];
                    aim.reach(to, to_cost.into());
                    self.queue.push(full >> shift, NodeId(to as u32));
                }
            }
        }
        expanded
    }
}

/// PERF: the most buckets of the ring; more do not fit the first cache.
const RING_MAX: u64 = 4_095;

/// From the step back, the arrival that it undoes: see the canonical successors. A source has none.
pub(super) const ARRIVALS: [usize; 16] = {
    let mut arrivals = [ARRIVAL_AT_START; 16];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = DELTAS[direction];
        arrivals[direction] = (1 - dx + 3 * (1 - dy)) as usize;
        direction += 1;
    }
    arrivals
};
