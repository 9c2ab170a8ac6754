//! Exact costs from one cell to all others inside a cluster, and the first step back from each.
//!
//! Everything happens in buffers of the largest cluster's size, reused from flood to flood. Numbers of
//! cells are masked to that size, so that the compiler sees that they fit.

use super::cell_box::CellBox;
use super::mend::Mending;
use super::packed::{UNREACHED, pack};
use super::spread::{ARRIVALS, Everywhere, Flat, Shaped, Spread, Sum, Target, Wanted};
use crate::grid::{ARRIVAL_AT_START, Board, CanonicalMoves, Cell, DELTAS, Grid};
use crate::search::AnyOrderQueue;

/// The step back from a cell that it has not reached, and from its source.
pub(in crate::hierarchy) const NO_STEP: u8 = 15;

/// Cells of the largest cluster.
pub(super) const CELLS_MAX: usize = 64 * 64;
pub(super) const MASK: usize = CELLS_MAX - 1;
/// Beside the nine bits around a cell: all of these cells cost the same.
pub(super) const EVEN: usize = 1 << 9;

/// The cells of a block's row `y` as bits, from its left end on.
pub(in crate::hierarchy) fn row_bits(board: &Board, block: &CellBox, y: u32) -> u64 {
    board.bits_from(Cell::new(block.origin.x, block.origin.y + y)) & (!0 >> (64 - block.width))
}

/// A flood's buffers, and the cluster that they are filled for.
pub(in crate::hierarchy) struct Flood {
    pub(super) block: CellBox,
    pub(super) width: usize,
    pub(super) cell_count: usize,
    /// The nine bits around each cell; cells outside the cluster or in other domains count as blocked.
    pub(super) neighbourhoods: Box<[u16; CELLS_MAX]>,
    /// Whether cells that touch cost the same.
    pub(super) level: bool,
    /// Otherwise, the cost of each, the smallest and the largest.
    pub(super) cell_costs: Box<[u32; CELLS_MAX]>,
    pub(super) cell_cost_min: u32,
    cell_cost_max: u32,
    /// Packed.
    pub(super) costs: Box<[u32; CELLS_MAX]>,
    /// The same as they are while they are found, where they may be too large; empty until then.
    pub(super) wide: Vec<u64>,
    /// The direction of the step from each cell back towards the source.
    pub(super) back: Box<[u8; CELLS_MAX]>,
    seeds: Vec<Seed>,
    pub(super) queue: AnyOrderQueue,
    /// Whether borders or heights count in the block, and the most that a slope adds to a step.
    pub(super) shaped: bool,
    slope_max: u64,
    /// Whether ways lead to the source instead of from it.
    backwards: bool,
    /// Where a flood has been mended.
    pub(super) mending: Option<Mending>,
}

impl Default for Flood {
    fn default() -> Self {
        Self {
            block: CellBox { origin: Cell::new(0, 0), width: 0, height: 0 },
            width: 0,
            cell_count: 0,
            neighbourhoods: Box::new([0; CELLS_MAX]),
            level: true,
            cell_costs: Box::new([0; CELLS_MAX]),
            cell_cost_min: 1,
            cell_cost_max: 1,
            costs: Box::new([UNREACHED; CELLS_MAX]),
            wide: Vec::new(),
            back: Box::new([NO_STEP; CELLS_MAX]),
            seeds: Vec::new(),
            queue: AnyOrderQueue::default(),
            shaped: false,
            slope_max: 0,
            backwards: false,
            mending: None,
        }
    }
}

impl Flood {
    /// Takes over the cells of one domain in a cluster. What follows depends on nothing else.
    pub(in crate::hierarchy) fn enter(&mut self, grid: &Grid, board: &Board, block: &CellBox) {
        self.enter_rows(grid, block, |y| row_bits(board, block, y));
    }

    /// Takes over some cells of a block: those whose bits are set in its rows.
    pub(in crate::hierarchy) fn enter_rows(
        &mut self,
        grid: &Grid,
        block: &CellBox,
        row: impl Fn(u32) -> u64,
    ) {
        self.block = *block;
        self.width = block.width as usize;
        self.cell_count = block.cell_count();
        // Cells with a cheaper one beside them, and in each row those around which there are any.
        let uneven = |y: u32| match y < block.height && !grid.is_all_level() {
            true => row(y) & !grid.level_bits(Cell::new(block.origin.x, block.origin.y + y)),
            false => 0,
        };
        let (mut above, mut middle) = (0, row(0));
        let (mut uneven_above, mut uneven_middle, mut any_uneven) = (0, uneven(0), 0);
        for (y, around) in (1..).zip(self.neighbourhoods[..self.cell_count].chunks_mut(self.width))
        {
            let below = if y < block.height { row(y) } else { 0 };
            let uneven_below = uneven(y);
            let near = uneven_above | uneven_middle | uneven_below;
            let even = !(near | near << 1 | near >> 1);
            let three = |left: u64, middle: u64, right: u64| {
                ((left & 7) | (middle & 7) << 3 | (right & 7) << 6) as u16
            };
            around[0] = three(above << 1, middle << 1, below << 1);
            for (x, around) in around[1..].iter_mut().enumerate() {
                *around = three(above >> x, middle >> x, below >> x);
            }
            any_uneven |= near;
            if !grid.is_all_level() {
                for (x, around) in around.iter_mut().enumerate() {
                    *around |= ((even >> x & 1) as u16) << EVEN.trailing_zeros();
                }
            }
            (above, middle) = (middle, below);
            (uneven_above, uneven_middle) = (uneven_middle, uneven_below);
        }
        self.level = any_uneven == 0;
        self.shaped = grid.is_shaped() && !self.level;
        self.slope_max = if self.shaped { grid.slope_max_in(block.rect()) } else { 0 };
        if !self.level {
            self.take_costs(grid);
        }
    }

    /// Takes over what cells cost.
    fn take_costs(&mut self, grid: &Grid) {
        let Self { block, width, cell_count, .. } = *self;
        (self.cell_cost_min, self.cell_cost_max) = (u32::MAX, 1);
        for (y, row) in (0..).zip(self.cell_costs[..cell_count].chunks_mut(width)) {
            grid.write_costs(Cell::new(block.origin.x, block.origin.y + y), row);
            // Those that cannot be entered cost nothing: less one, they are the largest.
            let min = row.iter().fold(u32::MAX, |min, &cost| min.min(cost.wrapping_sub(1)));
            self.cell_cost_min = self.cell_cost_min.min(min.saturating_add(1));
            self.cell_cost_max = row.iter().fold(self.cell_cost_max, |max, &cost| max.max(cost));
        }
    }

    /// Floods the cluster against the direction of steps: costs are those of the ways that lead to a cell, and the step back
    /// from each cell is the first of its way there.
    pub(in crate::hierarchy) fn run_backwards(&mut self, grid: &Grid, goal: usize) {
        self.backwards = true;
        self.run(grid, goal);
        self.backwards = false;
    }

    /// Floods the cluster from one of its cells.
    pub(in crate::hierarchy) fn run(&mut self, grid: &Grid, source: usize) {
        self.prepare(source);
        if self.level {
            self.run_level(grid, source);
        } else if self.is_narrow(grid) {
            self.spread_narrow(grid, Some(source), None);
        } else {
            self.run_wide(grid, source);
        }
        self.back[source & MASK] = NO_STEP;
    }

    /// Looks for a way to one cell that costs less than a bound, and no further. Returns how many cells it has
    /// gone on from; whether there is such a way, [`Flood::cost`] says.
    pub(in crate::hierarchy) fn run_to(
        &mut self,
        grid: &Grid,
        source: usize,
        target: usize,
        bound: u64,
    ) -> u32 {
        self.begin_to(grid, source, target, bound, u32::MAX).0
    }

    /// The same, but where cells differ in cost it pauses after so many cells. Returns also whether it has ended.
    pub(in crate::hierarchy) fn begin_to(
        &mut self,
        grid: &Grid,
        source: usize,
        target: usize,
        bound: u64,
        cells_max: u32,
    ) -> (u32, bool) {
        if self.level || !self.is_narrow(grid) {
            self.run(grid, source);
            return (self.cell_count as u32, true);
        }
        self.prepare(source);
        self.spread_narrow(grid, Some(source), Some(Wanted { cell: target, bound, cells_max }))
    }

    /// Goes on after a pause, with the same target and bound.
    pub(in crate::hierarchy) fn go_on_to(
        &mut self,
        grid: &Grid,
        target: usize,
        bound: u64,
        cells_max: u32,
    ) -> (u32, bool) {
        // What it has found is the bound now.
        let found = self.costs[target & MASK];
        let bound = if found == UNREACHED { bound } else { bound.min(found.into()) };
        self.spread_narrow(grid, None, Some(Wanted { cell: target, bound, cells_max }))
    }

    fn prepare(&mut self, source: usize) {
        self.costs[..self.cell_count].fill(UNREACHED);
        // One more, for the second half of a table's last byte.
        self.back[..(self.cell_count + 1).min(CELLS_MAX)].fill(NO_STEP);
        self.costs[source & MASK] = 0;
    }

    /// Whether no way inside the block costs too much for a packed cost to be the cost itself.
    pub(super) fn is_narrow(&self, grid: &Grid) -> bool {
        let step = u64::from(grid.movement().steps().diagonal()) * 2;
        let step = step * u64::from(self.cell_cost_max) + self.slope_max;
        step * (self.cell_count as u64) < 1 << 31
    }

    /// On level ground every cell that is reached costs what the source costs.
    fn run_level(&mut self, grid: &Grid, source: usize) {
        let cost = grid.cost_of(self.block.cell(source)).unwrap_or(1);
        self.cell_cost_max = cost;
        if self.is_narrow(grid) {
            self.run_uniform(grid, source, cost);
            return;
        }
        self.run_uniform(grid, source, 1);
        for found in &mut self.costs[..self.cell_count] {
            if *found != UNREACHED {
                *found = pack(u64::from(*found) * u64::from(cost));
            }
        }
    }

    fn spread_narrow(
        &mut self,
        grid: &Grid,
        source: Option<usize>,
        wanted: Option<Wanted>,
    ) -> (u32, bool) {
        let steps = grid.movement().steps();
        let cheapest = 2 * u64::from(self.cell_cost_min);
        let (width, shape) = (self.width, self.shape(grid));
        let (range, slope_max) = ((self.cell_cost_min, self.cell_cost_max), self.slope_max);
        let Self { neighbourhoods, cell_costs, costs, back, queue, .. } = self;
        let canonical = grid.movement().canonical();
        let mut spread = Spread {
            width,
            neighbourhoods,
            cell_costs,
            cell_cost_range: range,
            slope_max,
            steps,
            canonical,
            costs,
            back,
        };
        let target = |wanted| Target::new(wanted, width, steps, cheapest);
        match (wanted.map(target), shape) {
            (None, None) => spread.run(source, Everywhere, Flat, queue),
            (None, Some(shape)) => spread.run(source, Everywhere, shape, queue),
            (Some(target), None) => spread.run(source, target, Flat, queue),
            (Some(target), Some(shape)) => spread.run(source, target, shape, queue),
        }
    }

    /// What borders and heights do to steps, where they count.
    fn shape<'g>(&self, grid: &'g Grid) -> Option<Shaped<'g>> {
        let Self { block, width, backwards, .. } = *self;
        self.shaped.then_some(Shaped { grid, block, width, backwards })
    }

    fn run_wide(&mut self, grid: &Grid, source: usize) {
        self.wide.clear();
        self.wide.resize(CELLS_MAX, u64::NONE);
        self.wide[source & MASK] = 0;
        let (width, shape) = (self.width, self.shape(grid));
        let (range, slope_max) = ((self.cell_cost_min, self.cell_cost_max), self.slope_max);
        let Self { neighbourhoods, cell_costs, wide, back, queue, .. } = self;
        let steps = grid.movement().steps();
        let canonical = grid.movement().canonical();
        let Ok(costs) = wide.as_mut_slice().try_into() else { return };
        let mut spread = Spread {
            width,
            neighbourhoods,
            cell_costs,
            cell_cost_range: range,
            slope_max,
            steps,
            canonical,
            costs,
            back,
        };
        match shape {
            None => spread.run(Some(source), Everywhere, Flat, queue),
            Some(shape) => spread.run(Some(source), Everywhere, shape, queue),
        };
        for (found, &wide) in self.costs[..self.cell_count].iter_mut().zip(&self.wide) {
            *found = if wide == u64::NONE { UNREACHED } else { pack(wide) };
        }
    }

    pub(in crate::hierarchy) fn memory_bytes(&self) -> usize {
        CELLS_MAX * (size_of::<u16>() + 2 * size_of::<u32>() + size_of::<u8>())
            + self.seeds.capacity() * size_of::<Seed>()
            + self.wide.capacity() * size_of::<u64>()
            + self.queue.memory_bytes()
            + self.mending.as_ref().map_or(0, Mending::memory_bytes)
    }

    /// The packed cost of a cell.
    pub(in crate::hierarchy) fn cost(&self, local: usize) -> u32 {
        self.costs[local & MASK]
    }

    /// The steps back towards the source, two cells a byte: those of the first half of the cells in the
    /// low bits, those of the second half in the high ones.
    pub(in crate::hierarchy) fn write_steps(&self, steps: &mut [u8]) {
        let (first, second) = self.back.split_at(steps.len());
        for ((byte, &low), &high) in steps.iter_mut().zip(first).zip(second) {
            *byte = low | high << 4;
        }
    }

    /// Takes over steps that were written.
    pub(super) fn read_steps(&mut self, steps: &[u8]) {
        let (first, second) = self.back.split_at_mut(steps.len());
        for ((&byte, low), high) in steps.iter().zip(first).zip(second) {
            (*low, *high) = (byte & 15, byte >> 4);
        }
    }

    /// The cells from the source to a reached cell, both included.
    pub(in crate::hierarchy) fn trace(&self, block: &CellBox, goal: Cell, cells: &mut Vec<Cell>) {
        let first = cells.len();
        let mut at = goal;
        cells.push(at);
        while let Some((dx, dy)) = DELTAS.get(usize::from(self.back[block.local(at) & MASK])) {
            at = Cell::new(at.x.wrapping_add_signed(*dx), at.y.wrapping_add_signed(*dy));
            cells.push(at);
        }
        cells[first..].reverse();
    }

    /// Runs instead of cells: a straight run goes on while it makes cells cheaper, a diagonal one sends a
    /// straight run to either side from each of its cells. Where something stands beside a run, other
    /// moves begin; they wait as seeds.
    ///
    /// ```text
    ///   · · · ╱ ─ ─ #     The canonical moves show where runs go and where seeds lie. A cell filled too
    ///   · # ╱ ─ ─ ─ #     early by a long way round is filled again by the shorter one; a seed whose cell
    ///   · ╱ ─ ─ ─ ─ ─     has become cheaper has another in its place. At the end every cell's cost has
    ///   @ ─ ─ ─ ─ ─ ─     been handed on to its canonical successors, so all are exact.
    /// ```
    fn run_uniform(&mut self, grid: &Grid, source: usize, cell_cost: u32) {
        let steps = grid.movement().steps();
        let prices = [steps.step(false, 2 * cell_cost), steps.step(true, 2 * cell_cost)];
        let Self { width, neighbourhoods, costs, back, seeds, .. } = self;
        let canonical = grid.movement().canonical();
        let offsets = offsets(*width);
        let mut runs = Runs { neighbourhoods, canonical, offsets, prices, costs, back, seeds };
        runs.seeds.clear();
        let around = usize::from(runs.neighbourhoods[source & MASK]) & 511;
        runs.go(Seed { cell: source as u16, moves: canonical[ARRIVAL_AT_START][around], cost: 0 });
        let mut next = 0;
        while let Some(&seed) = runs.seeds.get(next) {
            next += 1;
            if runs.costs[usize::from(seed.cell) & MASK] == seed.cost {
                runs.go(seed);
            }
        }
    }
}

/// Moves that remain to be made from a cell, if its cost is still that.
#[derive(Clone, Copy)]
struct Seed {
    cost: u32,
    cell: u16,
    moves: u8,
}

/// What runs need, borrowed from a [`Flood`].
struct Runs<'f> {
    neighbourhoods: &'f [u16; CELLS_MAX],
    canonical: &'f CanonicalMoves,
    offsets: [isize; 8],
    prices: [u32; 2],
    costs: &'f mut [u32; CELLS_MAX],
    back: &'f mut [u8; CELLS_MAX],
    seeds: &'f mut Vec<Seed>,
}

impl Runs<'_> {
    fn go(&mut self, seed: Seed) {
        let mut moves = seed.moves;
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize & 7;
            moves &= moves - 1;
            if direction < 4 {
                self.straight(usize::from(seed.cell), direction, seed.cost);
            } else {
                self.diagonal(usize::from(seed.cell), direction, seed.cost);
            }
        }
    }

    #[inline]
    fn straight(&mut self, from: usize, direction: usize, from_cost: u32) {
        let (offset, price) = (self.offsets[direction], self.prices[0]);
        let canonical = &self.canonical[ARRIVALS[usize::from(OPPOSITE[direction])] & 15];
        let (mut at, mut cost) = (from, from_cost);
        loop {
            at = at.wrapping_add_signed(offset) & MASK;
            cost += price;
            if cost >= self.costs[at] {
                return;
            }
            self.costs[at] = cost;
            self.back[at] = OPPOSITE[direction];
            let moves = canonical[usize::from(self.neighbourhoods[at]) & 511];
            if moves != 1 << direction {
                let aside = moves & !(1 << direction);
                if aside != 0 {
                    self.seeds.push(Seed { cell: at as u16, moves: aside, cost });
                }
                if aside == moves {
                    return;
                }
            }
        }
    }

    fn diagonal(&mut self, from: usize, direction: usize, from_cost: u32) {
        let (offset, price) = (self.offsets[direction], self.prices[1]);
        let canonical = &self.canonical[ARRIVALS[usize::from(OPPOSITE[direction])] & 15];
        let (mut at, mut cost) = (from, from_cost);
        loop {
            at = at.wrapping_add_signed(offset) & MASK;
            cost += price;
            if cost >= self.costs[at] {
                return;
            }
            self.costs[at] = cost;
            self.back[at] = OPPOSITE[direction];
            let moves = canonical[usize::from(self.neighbourhoods[at]) & 511];
            let mut straight = moves & 15;
            while straight != 0 {
                self.straight(at, straight.trailing_zeros() as usize & 3, cost);
                straight &= straight - 1;
            }
            let aside = moves & 0xF0 & !(1 << direction);
            if aside != 0 {
                self.seeds.push(Seed { cell: at as u16, moves: aside, cost });
            }
            if moves >> direction & 1 == 0 {
                return;
            }
        }
    }
}

pub(super) fn offsets(width: usize) -> [isize; 8] {
    DELTAS.map(|(dx, dy)| dy as isize * width as isize + dx as isize)
}

/// The direction back.
pub(super) const OPPOSITE: [u8; 8] = [2, 3, 0, 1, 6, 7, 4, 5];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions_undo_each_other() {
        for direction in 0..8 {
            let (dx, dy) = DELTAS[direction];
            assert_eq!(DELTAS[usize::from(OPPOSITE[direction])], (-dx, -dy));
        }
    }
}
