//! Floods and searches of a block where cells differ in cost.
//!
//! Dijkstra's algorithm, or A* towards one cell, over the cells of a [`Flood`](super::Flood). A bucket is no wider than
//! the cheapest step of the block costs, so that it may be emptied in any order (Denardo and Fox 1979). Steps too
//! costly for the ring of buckets wait in a heap.
//!
//! Where a cell and all cells around it are level ground, and so cost the same, only the canonical successors are looked at: the argument in
//! `grid/canonical.rs` compares ways between cells that touch the one that is left, and so holds wherever these are
//! even (Carlson, Moran and Harabor, "Optimal Pathfinding on Weighted Grid Maps", 2023).

use super::cell_box::CellBox;
use super::flood::{CELLS_MAX, EVEN, MASK, OPPOSITE};
use crate::grid::{ARRIVAL_AT_START, CanonicalMoves, Cell, DELTAS, Grid, StepCosts};
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
    /// Whether the search is to pause after it has gone on from so many cells.
    #[inline(always)]
    fn pauses_after(&self, _expanded: u32) -> bool {
        false
    }
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

/// A cell that is looked for at less than some cost, and the cells to go on from before the search pauses.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) cell: usize,
    pub(super) bound: u64,
    pub(super) cells_max: u32,
}

/// One cell, at less than some cost.
pub(super) struct Target {
    cell: usize,
    /// Its column and row.
    x: usize,
    y: usize,
    width: usize,
    /// 2²⁰ / width, rounded up.
    rows_per_cell: usize,
    /// What a column or a row costs at least, and how much more both at once.
    per_max: u64,
    per_min: u64,
    bound: u64,
    cells_max: u32,
}

impl Target {
    /// A cell of a block of that width, where a step between cells costs at least that of `steps` between cells that cost
    /// `cheapest` together.
    pub(super) fn new(wanted: Wanted, width: usize, steps: StepCosts, cheapest: u64) -> Self {
        let Wanted { cell, bound, cells_max } = wanted;
        Self {
            cell,
            x: cell % width,
            y: cell / width,
            width,
            rows_per_cell: (1usize << ROW_BITS).div_ceil(width),
            per_max: u64::from(steps.straight()) * cheapest,
            per_min: u64::from(steps.diagonal() - steps.straight()) * cheapest,
            bound,
            cells_max,
        }
    }

    /// The column and the row of a cell.
    ///
    /// PERF: a multiplication instead of a division, which is exact for numbers below 4,096 and widths of at most 64.
    #[inline(always)]
    fn place(&self, cell: usize) -> (usize, usize) {
        let y = (cell * self.rows_per_cell) >> ROW_BITS;
        (cell - y * self.width, y)
    }
}

/// Bits of a fraction that is multiplied by instead of dividing by a width.
const ROW_BITS: u32 = 20;

impl Aim for Target {
    #[inline(always)]
    fn estimate(&self, cell: usize) -> u64 {
        let (x, y) = self.place(cell);
        let (dx, dy) = (x.abs_diff(self.x) as u64, y.abs_diff(self.y) as u64);
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

    #[inline(always)]
    fn pauses_after(&self, expanded: u32) -> bool {
        expanded >= self.cells_max
    }
}

/// What decides beside cells and their costs which steps there are, and what they cost.
pub(super) trait Ground {
    /// Whether the step between a cell and the one beside it in a direction is closed, and what it costs on top.
    fn look(&self, cell: usize, beside: usize, direction: usize) -> (bool, u32);
}

/// Nothing.
pub(super) struct Flat;

impl Ground for Flat {
    #[inline(always)]
    fn look(&self, _cell: usize, _beside: usize, _direction: usize) -> (bool, u32) {
        (false, 0)
    }
}

/// Borders and heights.
#[derive(Clone, Copy)]
pub(super) struct Shaped<'g> {
    pub(super) grid: &'g Grid,
    pub(super) block: CellBox,
    pub(super) width: usize,
    /// Whether steps lead from the cell beside to the cell.
    pub(super) backwards: bool,
}

impl Ground for Shaped<'_> {
    #[inline]
    fn look(&self, cell: usize, beside: usize, direction: usize) -> (bool, u32) {
        let extent = self.grid.extent();
        let id = |local: usize| {
            let (x, y) = ((local % self.width) as u32, (local / self.width) as u32);
            extent.id_inside(Cell::new(self.block.origin.x + x, self.block.origin.y + y))
        };
        let (from, to, direction) = match self.backwards {
            true => (id(beside), id(cell), direction ^ 2),
            false => (id(cell), id(beside), direction),
        };
        (self.grid.is_closed(from, direction), self.grid.slope(from, to))
    }
}

/// The cells of a block, and where what is found is written.
pub(super) struct Spread<'f, C> {
    pub(super) width: usize,
    pub(super) neighbourhoods: &'f [u16; CELLS_MAX],
    pub(super) cell_costs: &'f [u32; CELLS_MAX],
    /// The smallest and the largest of them.
    pub(super) cell_cost_range: (u32, u32),
    /// The most that a slope adds to a step.
    pub(super) slope_max: u64,
    pub(super) steps: StepCosts,
    pub(super) canonical: &'f CanonicalMoves,
    pub(super) costs: &'f mut [C; CELLS_MAX],
    pub(super) back: &'f mut [u8; CELLS_MAX],
}

impl<C: Sum> Spread<'_, C> {
    /// Spreads from a source whose cost is written, or goes on after a pause. Returns how many cells it has gone on from, and
    /// whether it has ended.
    pub(super) fn run(
        &mut self,
        source: Option<usize>,
        aim: impl Aim,
        ground: impl Ground,
        queue: &mut AnyOrderQueue,
    ) -> (u32, bool) {
        let cheapest = u64::from(self.cell_cost_range.0);
        let shift = (2 * u64::from(self.steps.straight()) * cheapest).max(1).ilog2();
        let costliest = u64::from(self.steps.diagonal()) * 2 * u64::from(self.cell_cost_range.1);
        let costliest = costliest + self.slope_max;
        // With estimates, keys rise by the cost of a step and by as much again.
        let span = ((2 * costliest) >> shift).saturating_add(1);
        let in_ring = span <= RING_MAX;
        if let Some(source) = source {
            let (first, node) = (aim.estimate(source) >> shift, NodeId(source as u32));
            if in_ring {
                queue.as_buckets(span, first).push(first, node);
            } else {
                queue.reset(RING_MAX);
                queue.push(first, node);
            }
        }
        match in_ring {
            true => self.go_on(aim, ground, shift, queue.buckets()),
            false => self.go_on(aim, ground, shift, queue),
        }
    }

    /// The same with an open list, and keys that leave out so many low bits.
    fn go_on(
        &mut self,
        mut aim: impl Aim,
        ground: impl Ground,
        shift: u32,
        queue: &mut impl OpenList,
    ) -> (u32, bool) {
        let factors = [self.steps.straight(), self.steps.diagonal()];
        let offsets = DELTAS.map(|(dx, dy)| dy as isize * self.width as isize + dx as isize);
        let mut expanded = 0;
        while let Some((key, NodeId(at))) = queue.pop() {
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
            if aim.pauses_after(expanded) {
                queue.put_back(key, NodeId(at as u32));
                return (expanded, false);
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
                let (closed, slope) = ground.look(at, to, direction);
                if closed {
                    continue;
                }
                let price = (own + self.cell_costs[to]) * factors[direction >> 2] + slope;
                let to_cost = cost.plus(price);
                if to_cost < self.costs[to] {
                    let full = to_cost.into() + aim.estimate(to);
                    if full >= aim.bound() {
                        continue;
                    }
                    self.costs[to] = to_cost;
                    self.back[to] = OPPOSITE[direction];
                    aim.reach(to, to_cost.into());
                    queue.push(full >> shift, NodeId(to as u32));
                }
            }
        }
        (expanded, true)
    }
}

/// PERF: the most buckets of the ring; more do not fit the first cache. Where these are enough, no heaps are looked at.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_of_every_block_are_exact() {
        for width in 1..=64 {
            let wanted = Wanted { cell: 0, bound: 0, cells_max: 0 };
            let target = Target::new(wanted, width, StepCosts::EXACT, 1);
            for cell in 0..CELLS_MAX {
                assert_eq!(target.place(cell), (cell % width, cell / width), "width {width}");
            }
        }
    }
}
