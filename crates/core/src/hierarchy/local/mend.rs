//! Floods of terrain that differs in cost, put right after a few cells have changed.
//!
//! A flood leaves a tree: from each cell the step back towards the source. Whatever the tree does not lead over a changed
//! cell costs what it did, unless a cheaper way has come up. So only the changed cells and those behind them in the tree
//! are searched again, from the cells around them, and what gets cheaper from there on (Ramalingam and Reps, "An
//! Incremental Algorithm for a Generalization of the Shortest-Path Problem", 1996).
//!
//! ```text
//!   · · · · · ·      @ the source, x a changed cell, o the cells behind it in the tree. What the others cost is found by
//!   @ · · x o o      walking back to the source, where it is asked for.
//!   · · · · o o
//! ```
//!
//! Several steps back may be as good as each other. A flood that is kept takes the first of them, in the order of the
//! directions ([`Flood::settle_steps`]), so that a mended flood is the same as one from the beginning.

use super::flood::{CELLS_MAX, Flood, MASK, NO_STEP, OPPOSITE, offsets};
use super::packed::UNREACHED;
use super::spread::{Flat, Ground, Shaped, Sum};
use crate::grid::{ARRIVAL_AT_START, CanonicalMoves, Grid};
use crate::search::{AnyOrderQueue, OpenList};
use crate::space::NodeId;

/// Where more than this share of a block's cells is touched, a flood from the beginning takes less.
const TOUCHED_SHARE: usize = 4;
/// Buckets of the open list: the cells behind a changed one mostly differ by less in cost.
const SPAN: u64 = 1023;

/// Marks of a cell: its cost is found again; its step has been.
const TOUCHED: u8 = 1;
const STEP_DONE: u8 = 2;

/// What mending works with.
pub(super) struct Mending {
    /// What cells cost before that are not touched, as far as that was asked for.
    former: Box<[u32; CELLS_MAX]>,
    marks: Box<[u8; CELLS_MAX]>,
    touched: Vec<u16>,
    /// Cells on the way to the source.
    walk: Vec<u16>,
    /// Steps that differ, to be written at the end.
    steps: Vec<(u16, u8)>,
}

impl Default for Mending {
    fn default() -> Self {
        Self {
            former: Box::new([UNREACHED; CELLS_MAX]),
            marks: Box::new([0; CELLS_MAX]),
            touched: Vec::new(),
            walk: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl Mending {
    pub(super) fn memory_bytes(&self) -> usize {
        CELLS_MAX * (size_of::<u32>() + 1)
            + (self.touched.capacity() + self.walk.capacity()) * size_of::<u16>()
            + self.steps.capacity() * size_of::<(u16, u8)>()
    }
}

impl Flood {
    /// Whether costs differ in the cells that were entered: only such floods are mended, and only while neither borders nor
    /// heights count.
    pub(in crate::hierarchy) fn is_uneven(&self) -> bool {
        !self.level
    }

    /// Makes the flood from a source of an earlier one, after cells have changed: `former` are the steps that it wrote.
    /// Returns whether that has been done; if not, it is to be run from the beginning.
    pub(in crate::hierarchy) fn mend(
        &mut self,
        grid: &Grid,
        source: usize,
        former: &[u8],
        changed: &[u16],
    ) -> bool {
        if self.level || self.shaped || !self.is_narrow(grid) || changed.contains(&(source as u16))
        {
            return false;
        }
        self.read_steps(former);
        let mut mending = self.mending.take().unwrap_or_default();
        mending.former[..self.cell_count].fill(UNREACHED);
        mending.former[source & MASK] = 0;
        mending.marks[..self.cell_count].fill(0);
        mending.touched.clear();
        mending.steps.clear();
        let mut mend = Mend {
            cell_count: self.cell_count,
            offsets: offsets(self.width),
            factors: [grid.movement().steps().straight(), grid.movement().steps().diagonal()],
            canonical: grid.movement().canonical(),
            neighbourhoods: &self.neighbourhoods,
            cell_costs: &self.cell_costs,
            costs: &mut self.costs,
            back: &self.back,
            mending: &mut mending,
        };
        let step_min = 2 * u64::from(mend.factors[0]) * u64::from(self.cell_cost_min);
        let shift = step_min.max(1).ilog2();
        let mended = mend.collect(changed) && mend.search(changed, &mut self.queue, shift);
        if mended {
            mend.find_steps(source, changed);
        }
        self.mending = Some(mending);
        mended
    }

    /// The cost of a cell after mending; `None` if it is what it was before.
    pub(in crate::hierarchy) fn mended_cost(&self, local: usize) -> Option<u32> {
        let mending = self.mending.as_ref()?;
        (mending.marks[local & MASK] & TOUCHED != 0).then(|| self.costs[local & MASK])
    }

    /// Writes the steps that mending has changed.
    pub(in crate::hierarchy) fn take_mended_steps(&mut self) {
        for &(cell, step) in self.mending.iter().flat_map(|mending| &mending.steps) {
            self.back[usize::from(cell) & MASK] = step;
        }
    }

    /// Makes each step back the first, in the order of directions, of those that lead to the source at the same cost.
    /// What a flood finds first depends on the order of its search, which an edit may change elsewhere. Where steps lead one
    /// way, the flood is one of ways to the source.
    pub(in crate::hierarchy) fn settle_steps(&mut self, grid: &Grid) {
        if self.level {
            return;
        }
        let steps = grid.movement().steps();
        let (block, width) = (self.block, self.width);
        let settling = Settling {
            cell_count: self.cell_count,
            offsets: offsets(width),
            factors: [steps.straight(), steps.diagonal()],
            canonical: grid.movement().canonical(),
            neighbourhoods: &self.neighbourhoods,
            cell_costs: &self.cell_costs,
        };
        // Steps back are made from a cell towards the source.
        let shape = Shaped { grid, block, width, backwards: false };
        match (self.is_narrow(grid), self.shaped) {
            (true, false) => settling.settle(&self.costs[..], &mut self.back, Flat),
            (true, true) => settling.settle(&self.costs[..], &mut self.back, shape),
            (false, false) => settling.settle(&self.wide, &mut self.back, Flat),
            (false, true) => settling.settle(&self.wide, &mut self.back, shape),
        }
    }
}

/// The cells of a block, for steps back.
struct Settling<'f> {
    cell_count: usize,
    offsets: [isize; 8],
    factors: [u32; 2],
    canonical: &'f CanonicalMoves,
    neighbourhoods: &'f [u16; CELLS_MAX],
    cell_costs: &'f [u32; CELLS_MAX],
}

impl Settling<'_> {
    fn settle<C: Sum>(&self, costs: &[C], back: &mut [u8; CELLS_MAX], ground: impl Ground) {
        let Ok(costs): Result<&[C; CELLS_MAX], _> = costs.try_into() else { return };
        for cell in 0..self.cell_count.min(CELLS_MAX) {
            // The source and what is not reached have no step; the one that is known is good.
            let known = back[cell];
            if known == NO_STEP || known == 0 {
                continue;
            }
            let around = usize::from(self.neighbourhoods[cell]) & 511;
            let mut moves = self.canonical[ARRIVAL_AT_START][around] & ((1 << known) - 1) as u8;
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize & 7;
                moves &= moves - 1;
                let to = cell.wrapping_add_signed(self.offsets[direction]) & MASK;
                let (closed, slope) = ground.look(cell, to, direction);
                let both = self.cell_costs[cell] + self.cell_costs[to];
                let price = both * self.factors[direction >> 2] + slope;
                if !closed && costs[to].plus(price) == costs[cell] {
                    back[cell] = direction as u8;
                    break;
                }
            }
        }
    }
}

/// A flood while it is mended.
struct Mend<'f> {
    cell_count: usize,
    offsets: [isize; 8],
    factors: [u32; 2],
    canonical: &'f CanonicalMoves,
    neighbourhoods: &'f [u16; CELLS_MAX],
    cell_costs: &'f [u32; CELLS_MAX],
    /// Of touched cells.
    costs: &'f mut [u32; CELLS_MAX],
    /// The tree as it was.
    back: &'f [u8; CELLS_MAX],
    mending: &'f mut Mending,
}

impl Mend<'_> {
    /// The steps that can be made from a cell, a bit each; none where it cannot be entered.
    fn moves(&self, cell: usize) -> u8 {
        let around = usize::from(self.neighbourhoods[cell & MASK]) & 511;
        if around >> 4 & 1 == 0 { 0 } else { self.canonical[ARRIVAL_AT_START][around] }
    }

    fn neighbour(&self, cell: usize, direction: usize) -> usize {
        cell.wrapping_add_signed(self.offsets[direction & 7])
    }

    fn price(&self, from: usize, to: usize, direction: usize) -> u32 {
        let both = self.cell_costs[from & MASK] + self.cell_costs[to & MASK];
        both * self.factors[direction >> 2 & 1]
    }

    fn is_touched(&self, cell: usize) -> bool {
        self.mending.marks[cell & MASK] & TOUCHED != 0
    }

    fn touch(&mut self, cell: usize, cost: u32) {
        self.mending.marks[cell & MASK] |= TOUCHED;
        self.mending.touched.push(cell as u16);
        self.costs[cell & MASK] = cost;
    }

    /// Touches the changed cells, those whose step back is not possible any more, and all behind them in the tree.
    /// Returns whether they are few.
    fn collect(&mut self, changed: &[u16]) -> bool {
        for &cell in changed {
            let cell = usize::from(cell);
            if !self.is_touched(cell) {
                self.touch(cell, UNREACHED);
            }
            for direction in 0..8 {
                let beside = self.neighbour(cell, direction);
                if beside >= self.cell_count || self.is_touched(beside) {
                    continue;
                }
                let step = self.back[beside & MASK];
                if step < 8 && self.moves(beside) >> step & 1 == 0 {
                    self.touch(beside, UNREACHED);
                }
            }
        }
        let mut next = 0;
        while let Some(&cell) = self.mending.touched.get(next) {
            next += 1;
            for (direction, &opposite) in OPPOSITE.iter().enumerate() {
                // A step never leaves the block, so that a cell at its other end is not mistaken for a neighbour.
                let beside = self.neighbour(usize::from(cell), direction);
                if beside < self.cell_count
                    && self.back[beside & MASK] == opposite
                    && !self.is_touched(beside)
                {
                    self.touch(beside, UNREACHED);
                }
            }
            if self.mending.touched.len() > self.cell_count / TOUCHED_SHARE {
                return false;
            }
        }
        true
    }

    /// What a cell costs by what is known now.
    fn cost(&mut self, cell: usize) -> u32 {
        if self.is_touched(cell) { self.costs[cell & MASK] } else { self.former(cell) }
    }

    /// What a cell cost that is not touched: its way to the source has not changed.
    fn former(&mut self, cell: usize) -> u32 {
        let mut at = cell & MASK;
        self.mending.walk.clear();
        while self.mending.former[at] == UNREACHED {
            let step = self.back[at];
            if step == NO_STEP {
                return UNREACHED;
            }
            self.mending.walk.push(at as u16);
            at = self.neighbour(at, usize::from(step)) & MASK;
        }
        let mut cost = self.mending.former[at];
        while let Some(cell) = self.mending.walk.pop() {
            let cell = usize::from(cell) & MASK;
            cost += self.price(cell, at, usize::from(self.back[cell]));
            self.mending.former[cell] = cost;
            at = cell;
        }
        cost
    }

    /// Finds what the touched cells cost, from those around them, and touches what gets cheaper by them. Returns whether
    /// these are few.
    fn search(&mut self, changed: &[u16], queue: &mut AnyOrderQueue, shift: u32) -> bool {
        queue.reset(SPAN);
        // Where a cell has become free, one may go past it diagonally.
        for &cell in changed {
            for direction in 0..8 {
                let beside = self.neighbour(usize::from(cell), direction);
                if beside < self.cell_count && !self.is_touched(beside) {
                    let cost = self.former(beside);
                    if cost != UNREACHED {
                        queue.push(u64::from(cost >> shift), NodeId(beside as u32));
                    }
                }
            }
        }
        for index in 0..self.mending.touched.len() {
            let cell = usize::from(self.mending.touched[index]);
            let (mut moves, mut best) = (self.moves(cell), UNREACHED);
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let to = self.neighbour(cell, direction) & MASK;
                if !self.is_touched(to) {
                    let there = self.former(to);
                    best = best.min(there.saturating_add(self.price(cell, to, direction)));
                }
            }
            if best != UNREACHED {
                self.costs[cell & MASK] = best;
                queue.push(u64::from(best >> shift), NodeId(cell as u32));
            }
        }
        while let Some((key, NodeId(at))) = queue.pop() {
            let at = at as usize & MASK;
            let cost = self.cost(at);
            if u64::from(cost >> shift) != key {
                continue;
            }
            let mut moves = self.moves(at);
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let to = self.neighbour(at, direction) & MASK;
                let to_cost = cost + self.price(at, to, direction);
                if to_cost >= self.cost(to) {
                    continue;
                }
                if self.is_touched(to) {
                    self.costs[to] = to_cost;
                } else {
                    self.touch(to, to_cost);
                }
                queue.push(u64::from(to_cost >> shift), NodeId(to as u32));
            }
            if self.mending.touched.len() > self.cell_count / TOUCHED_SHARE {
                return false;
            }
        }
        true
    }

    /// Finds the steps of touched cells and of those beside them.
    fn find_steps(&mut self, source: usize, changed: &[u16]) {
        self.mending.marks[source & MASK] |= STEP_DONE;
        // Beside a changed cell, other steps may be possible than before.
        for &cell in changed {
            self.find_steps_around(usize::from(cell), true);
        }
        for index in 0..self.mending.touched.len() {
            self.find_steps_around(usize::from(self.mending.touched[index]), false);
        }
    }

    /// Finds the steps of a cell and of those beside it.
    fn find_steps_around(&mut self, cell: usize, all: bool) {
        self.find_step(cell, all);
        for direction in 0..8 {
            let beside = self.neighbour(cell, direction);
            if beside < self.cell_count {
                self.find_step(beside, all);
            }
        }
    }

    /// Finds the first step of a cell that is on a cheapest way, unless that has been done. Where `all` is not asked for and
    /// the cell is not touched, its step was the first before, so that only touched cells may come before it now.
    fn find_step(&mut self, cell: usize, all: bool) {
        let mark = self.mending.marks[cell & MASK];
        if mark & STEP_DONE != 0 {
            return;
        }
        self.mending.marks[cell & MASK] |= STEP_DONE;
        let known = self.back[cell & MASK];
        let kept = !all && mark & TOUCHED == 0;
        let mut left = self.moves(cell);
        if kept {
            left &= ((1u16 << known.min(8)) - 1) as u8;
        }
        let cost = self.cost(cell);
        let mut found = if kept { known } else { NO_STEP };
        while left != 0 && cost != UNREACHED {
            let direction = left.trailing_zeros() as usize;
            left &= left - 1;
            let to = self.neighbour(cell, direction) & MASK;
            if kept && !self.is_touched(to) {
                continue;
            }
            let there = self.cost(to);
            if there != UNREACHED && there + self.price(cell, to, direction) == cost {
                found = direction as u8;
                break;
            }
        }
        if found != known {
            self.mending.steps.push((cell as u16, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, Cell, CellRect, Grid, GridMap, Terrain};
    use crate::hierarchy::local::CellBox;

    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as u32 % end
        }

        fn cell(&mut self, block: &CellBox) -> Cell {
            Cell::new(self.below(block.width), self.below(block.height))
        }

        /// Makes a cell a wall, or ground that costs one of a few amounts, so that many ways cost the same.
        fn paint(&mut self, batch: &mut Batch, cell: Cell, walls: u32) {
            if self.below(100) < walls {
                batch.set(cell, Terrain::WALL);
            } else {
                batch.set(cell, Terrain::GROUND);
                let amount = [0, 0, 0, 1, 2, 9][self.below(6) as usize];
                batch.surcharge(CellRect::from(cell), amount);
            }
        }
    }

    /// Enters all cells around a source; whether costs differ among them.
    fn enter(flood: &mut Flood, grid: &Grid, block: &CellBox, source: Cell) -> bool {
        let Some(board) = grid.board_of(source) else { return false };
        flood.enter(grid, board, block);
        flood.is_uneven()
    }

    #[test]
    fn a_mended_flood_is_the_one_from_the_beginning() {
        let mut numbers = Numbers(7);
        let (mut flood, mut other) = (Flood::default(), Flood::default());
        let (mut mended, mut given_up) = (0, 0);
        for round in 0..3000 {
            let (width, height) = (2 + numbers.below(30), 2 + numbers.below(30));
            let block = CellBox { origin: Cell::new(0, 0), width, height };
            let map = GridMap::filled(width, height, Terrain::GROUND).expect("small sides");
            let mut grid = Grid::with_defaults(map);
            let (walls, mut batch) = ([0, 10, 35][round % 3], Batch::new());
            for cell in grid.extent().cells() {
                numbers.paint(&mut batch, cell, walls);
            }
            grid.apply(&batch).expect("inside");
            let source = numbers.cell(&block);
            if !enter(&mut flood, &grid, &block, source) {
                continue;
            }
            let table = block.cell_count().div_ceil(2);
            let (mut former, mut steps, mut expected) =
                (vec![0; table], vec![0; table], vec![0; table]);
            flood.run(&grid, block.local(source));
            flood.settle_steps(&grid);
            flood.write_steps(&mut former);
            let before: Vec<u32> = (0..block.cell_count()).map(|cell| flood.cost(cell)).collect();
            let mut batch = Batch::new();
            let changed: Vec<Cell> =
                (0..1 + numbers.below(3)).map(|_| numbers.cell(&block)).collect();
            for &cell in &changed {
                numbers.paint(&mut batch, cell, 40);
            }
            grid.apply(&batch).expect("inside");
            let changed: Vec<u16> = changed.iter().map(|&cell| block.local(cell) as u16).collect();
            if !enter(&mut flood, &grid, &block, source)
                || !enter(&mut other, &grid, &block, source)
            {
                continue;
            }
            if !flood.mend(&grid, block.local(source), &former, &changed) {
                given_up += 1;
                continue;
            }
            mended += 1;
            other.run(&grid, block.local(source));
            other.settle_steps(&grid);
            other.write_steps(&mut expected);
            for (cell, &before) in before.iter().enumerate() {
                let cost = flood.mended_cost(cell).unwrap_or(before);
                assert_eq!(cost, other.cost(cell), "round {round}, {}", block.cell(cell));
            }
            flood.take_mended_steps();
            flood.write_steps(&mut steps);
            assert_eq!(steps, expected, "round {round}");
        }
        assert!(mended > 1500 && given_up > 100, "{mended} mended, {given_up} not");
    }
}
