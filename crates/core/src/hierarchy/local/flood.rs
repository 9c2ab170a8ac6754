//! Exact costs from one cell to all others inside a cluster, and the first step back from each.
//!
//! Everything happens in buffers of the largest cluster's size, reused from flood to flood. Numbers of
//! cells are masked to that size, so that the compiler sees that they fit.

use super::frame::Frame;
use crate::grid::{ARRIVAL_AT_START, Board, CanonicalMoves, Cell, DELTAS, Grid};
use crate::search::{BucketQueue, OpenList};
use crate::space::NodeId;

/// What a flood says of a cell that it has not reached.
pub(in crate::hierarchy) const UNREACHED: u32 = u32::MAX;
/// The step back from a cell that it has not reached, and from its source.
pub(in crate::hierarchy) const NO_STEP: u8 = 15;

/// Cells of the largest cluster.
const CELLS_MAX: usize = 64 * 64;
const MASK: usize = CELLS_MAX - 1;

/// The cells of a frame's row `y` as bits, from its left end on.
pub(in crate::hierarchy) fn row_bits(board: &Board, frame: &Frame, y: u32) -> u64 {
    let row = board.row(frame.origin.y + y + 1);
    let (word, bit) = ((frame.origin.x + 1) as usize / 64, (frame.origin.x + 1) % 64);
    let both = u128::from(row.word(word)) | u128::from(row.word(word + 1)) << 64;
    (both >> bit) as u64 & (!0 >> (64 - frame.width))
}

/// A flood's buffers, and the cluster that they are filled for.
pub(in crate::hierarchy) struct Flood {
    width: usize,
    cell_count: usize,
    /// The nine bits around each cell; cells outside the cluster or in other domains count as blocked.
    neighbourhoods: Box<[u16; CELLS_MAX]>,
    /// The one cost of all enterable cells in the cluster, if there is one.
    uniform: Option<u32>,
    /// Otherwise, the cost of each, and the largest.
    cell_costs: Vec<u32>,
    cell_cost_max: u32,
    costs: Box<[u32; CELLS_MAX]>,
    /// The direction of the step from each cell back towards the source.
    back: Box<[u8; CELLS_MAX]>,
    seeds: Vec<Seed>,
    queue: BucketQueue,
}

impl Default for Flood {
    fn default() -> Self {
        Self {
            width: 0,
            cell_count: 0,
            neighbourhoods: Box::new([0; CELLS_MAX]),
            uniform: None,
            cell_costs: Vec::new(),
            cell_cost_max: 0,
            costs: Box::new([UNREACHED; CELLS_MAX]),
            back: Box::new([NO_STEP; CELLS_MAX]),
            seeds: Vec::new(),
            queue: BucketQueue::default(),
        }
    }
}

impl Flood {
    /// Takes over the cells of one domain in a cluster. What follows depends on nothing else.
    pub(in crate::hierarchy) fn enter(&mut self, grid: &Grid, board: &Board, frame: &Frame) {
        self.enter_rows(grid, frame, |y| row_bits(board, frame, y));
    }

    /// Takes over some cells of a frame: those whose bits are set in its rows.
    pub(in crate::hierarchy) fn enter_rows(
        &mut self,
        grid: &Grid,
        frame: &Frame,
        row: impl Fn(u32) -> u64,
    ) {
        self.width = frame.width as usize;
        self.cell_count = frame.cell_count();
        let (mut above, mut middle) = (0, row(0));
        for (y, around) in (1..).zip(self.neighbourhoods[..self.cell_count].chunks_mut(self.width))
        {
            let below = if y < frame.height { row(y) } else { 0 };
            let three = |left: u64, middle: u64, right: u64| {
                ((left & 7) | (middle & 7) << 3 | (right & 7) << 6) as u16
            };
            around[0] = three(above << 1, middle << 1, below << 1);
            for (x, around) in around[1..].iter_mut().enumerate() {
                *around = three(above >> x, middle >> x, below >> x);
            }
            (above, middle) = (middle, below);
        }
        self.cell_costs.clear();
        self.uniform = grid.uniform_cost();
        if self.uniform.is_none() {
            let cost = |local| grid.cost_of(frame.cell(local)).unwrap_or(0);
            self.cell_costs.extend((0..frame.cell_count()).map(cost));
            let enterable = || self.cell_costs.iter().copied().filter(|&cost| cost > 0);
            self.cell_cost_max = enterable().max().unwrap_or(1);
            self.uniform = enterable().min().filter(|&min| min == self.cell_cost_max);
        }
    }

    /// Floods the cluster from one of its cells.
    pub(in crate::hierarchy) fn run(&mut self, grid: &Grid, source: usize) {
        self.costs[..self.cell_count].fill(UNREACHED);
        // One more, for the second half of a table's last byte.
        self.back[..(self.cell_count + 1).min(CELLS_MAX)].fill(NO_STEP);
        self.costs[source & MASK] = 0;
        match self.uniform {
            Some(cost) => self.run_uniform(grid, source, cost),
            None => self.run_weighted(grid, source),
        }
        self.back[source & MASK] = NO_STEP;
    }

    pub(in crate::hierarchy) fn memory_bytes(&self) -> usize {
        CELLS_MAX * (size_of::<u16>() + size_of::<u32>() + size_of::<u8>())
            + self.seeds.capacity() * size_of::<Seed>()
            + self.cell_costs.capacity() * size_of::<u32>()
            + self.queue.memory_bytes()
    }

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

    /// The cells from the source to a reached cell, both included.
    pub(in crate::hierarchy) fn trace(&self, frame: &Frame, goal: Cell, cells: &mut Vec<Cell>) {
        let first = cells.len();
        let mut at = goal;
        cells.push(at);
        while let Some((dx, dy)) = DELTAS.get(usize::from(self.back[frame.local(at) & MASK])) {
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
    ///   · · · ╱ ─ ─ #     The canonical moves tell where runs go and where seeds lie. A cell filled too
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

    /// Buckets wider than one cost, so that any terrain fits: a cell is expanded again if it gets
    /// cheaper, and at the end all costs are exact.
    fn run_weighted(&mut self, grid: &Grid, source: usize) {
        let steps = grid.movement().steps();
        let offsets = offsets(self.width);
        let moves_of = grid.movement().rule().moves();
        let dearest = u64::from(steps.diagonal()) * 2 * u64::from(self.cell_cost_max);
        let shift = (dearest.max(1).ilog2() + 1).saturating_sub(12);
        self.queue.reset((dearest >> shift) + 1, 0);
        self.queue.push(0, NodeId(source as u32));
        while let Some((key, NodeId(at))) = self.queue.pop() {
            let at = at as usize & MASK;
            let cost = self.costs[at];
            if u64::from(cost) >> shift != key {
                continue;
            }
            let mut moves = moves_of[usize::from(self.neighbourhoods[at]) & 511];
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize & 7;
                moves &= moves - 1;
                let to = at.wrapping_add_signed(offsets[direction]) & MASK;
                let price = steps.step(direction >= 4, self.cell_costs[at] + self.cell_costs[to]);
                let to_cost = cost.saturating_add(price);
                if to_cost < self.costs[to] {
                    self.costs[to] = to_cost;
                    self.back[to] = OPPOSITE[direction];
                    self.queue.push(u64::from(to_cost) >> shift, NodeId(to as u32));
                }
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

fn offsets(width: usize) -> [isize; 8] {
    DELTAS.map(|(dx, dy)| dy as isize * width as isize + dx as isize)
}

/// The direction back.
const OPPOSITE: [u8; 8] = [2, 3, 0, 1, 6, 7, 4, 5];

/// From the step back, the arrival that it undoes: see the canonical successors.
const ARRIVALS: [usize; 8] = {
    let mut arrivals = [0; 8];
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
    fn opposite_directions_undo_each_other() {
        for direction in 0..8 {
            let (dx, dy) = DELTAS[direction];
            assert_eq!(DELTAS[usize::from(OPPOSITE[direction])], (-dx, -dy));
        }
    }
}
