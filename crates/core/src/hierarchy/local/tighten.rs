//! Smoothing on terrain of differing cost, where a straighter way may be a costlier one.
//!
//! Where ground is level, a path is pulled taut as on uniform terrain ([`Smoother`](crate::path::Smoother)). What
//! remains are the places where terrain changes. A block slides along the path. Inside it a search looks for a way
//! from the first to the last cell of the stretch that costs less than the stretch itself, and goes no further than
//! such a way could; the next block begins in the middle of what it has found. Frames of level ground are passed
//! over, and so are stretches that already cost as little as any way of that length could.

use super::cell_box::CellBox;
use super::flood::{Flood, row_bits};
use super::packed::{UNREACHED, unpack};
use crate::grid::{Cell, Grid};

/// Columns and rows of the block: as many as a flood can take.
const SIDE: u32 = 64;
/// What is kept free around the stretch, for ways that swing out.
const MARGIN: u32 = 8;
/// How far from the stretch cells are looked at.
const REACH: u32 = 12;

/// Cells that floods may go on from to make a path cheaper, whatever the search took.
pub(in crate::hierarchy) const TIGHTENED_MIN: u64 = 4096;
/// More such cells for each node that the search expanded, which takes about as long: smoothing takes no longer than the search.
///
/// Map11 and Map20 of the weighted benchmark, 60 seeded queries each: with 16 the mean is 0.238 and 0.393 % above the
/// optimum, with 4 it is 0.250 and 0.419 %.
pub(in crate::hierarchy) const TIGHTENED_PER_EXPANSION: u64 = 6;

/// Cells that a search of a block goes on from before it pauses.
const CELLS_A_PIECE: u32 = 256;

/// How far a path has been made cheaper.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::hierarchy) struct Tightening {
    anchor: usize,
    done: bool,
    /// The search of a block that has paused.
    search: Option<BlockSearch>,
    /// Cells that floods have gone on from, and may go on from in all.
    spent: u64,
    cells_max: u64,
}

/// A search for a way across a block that costs less than the stretch of the path.
#[derive(Clone, Copy, Debug)]
struct BlockSearch {
    block: CellBox,
    /// The last cell of the stretch, and what the stretch costs.
    last: usize,
    cost: u64,
}

impl Tightening {
    /// Sets out from a path's first cell. Floods go on from about so many cells at most, spread evenly over the path.
    pub(in crate::hierarchy) fn begin(&mut self, cells_max: u64) {
        *self = Self { anchor: 0, done: false, search: None, spent: 0, cells_max };
    }

    /// Makes a path cheaper in place, or leaves it as it is, as far as `left` goes: what remains of it when this
    /// returns. Returns whether it has come to the end.
    pub(in crate::hierarchy) fn go_on(
        &mut self,
        grid: &Grid,
        cells: &mut Vec<Cell>,
        way: &mut Vec<Cell>,
        flood: &mut Flood,
        left: &mut u64,
    ) -> bool {
        while self.search.is_some() || !self.done && self.anchor + 2 < cells.len() {
            if *left == 0 {
                return false;
            }
            let units = match self.search {
                Some(search) => {
                    let to = search.block.local(cells[search.last]);
                    let found = flood.go_on_to(grid, to, search.cost, CELLS_A_PIECE);
                    self.take_way(search, found, cells, way, flood)
                }
                None => self.step(grid, cells, way, flood),
            };
            *left = left.saturating_sub(units);
        }
        true
    }

    /// Looks at one block, and begins to search it. Returns what that counts.
    fn step(
        &mut self,
        grid: &Grid,
        cells: &mut Vec<Cell>,
        way: &mut Vec<Cell>,
        flood: &mut Flood,
    ) -> u64 {
        let anchor = self.anchor;
        let (block, last) = block_around(grid, &cells[anchor..]);
        let last = anchor + last;
        let Some(board) = grid.board_of(cells[anchor]) else {
            self.done = true;
            return 1;
        };
        self.done = last + 1 == cells.len();
        let mut units = 4 + (last - anchor) as u64 / 8;
        let share = self.cells_max.saturating_mul(last as u64 + 1) / cells.len() as u64;
        // The next block shares a margin with this one.
        let beyond = last.saturating_sub(MARGIN as usize).max(anchor + 1);
        let whole = |y: u32| row_bits(board, &block, y);
        // PERF: mostly the whole block is level where few cells are costly, and what lies near need not be found.
        if self.spent > share || grid.is_level(block.origin, block.height, whole) {
            self.anchor = beyond;
            return units;
        }
        let near = around_stretch(&block, &cells[anchor..=last]);
        let row = |y: u32| whole(y) & near[y as usize];
        if grid.is_level(block.origin, block.height, row) {
            self.anchor = beyond;
            return units;
        }
        let (from, to) = (block.local(cells[anchor]), block.local(cells[last]));
        let cost = grid.cost_along(&cells[anchor..=last]).0;
        if cost <= least_cost(grid, cells[anchor], cells[last]) {
            self.anchor += ((last - anchor) / 2).max(1);
            return units;
        }
        flood.enter_rows(grid, &block, row);
        units += block.cell_count() as u64 / 64;
        let found = flood.begin_to(grid, from, to, cost, CELLS_A_PIECE);
        let search = BlockSearch { block, last, cost };
        units + self.take_way(search, found, cells, way, flood)
    }

    /// Takes over what a search has found, if it has ended; otherwise it goes on later. Returns what the search counts.
    fn take_way(
        &mut self,
        search: BlockSearch,
        (expanded, ended): (u32, bool),
        cells: &mut Vec<Cell>,
        way: &mut Vec<Cell>,
        flood: &Flood,
    ) -> u64 {
        let BlockSearch { block, last, cost } = search;
        let (anchor, expanded) = (self.anchor, u64::from(expanded));
        self.spent += expanded;
        self.search = (!ended).then_some(search);
        if ended {
            let mut steps = last - anchor;
            let found = flood.cost(block.local(cells[last]));
            if found != UNREACHED && unpack(found) < cost {
                way.clear();
                flood.trace(&block, cells[last], way);
                steps = way.len() - 1;
                cells.splice(anchor..=last, way.iter().copied());
            }
            self.anchor += (steps / 2).max(1);
        }
        expanded / 4
    }
}

/// No way between two cells costs less.
pub(super) fn least_cost(grid: &Grid, from: Cell, to: Cell) -> u64 {
    let steps = grid.movement().steps();
    let cheapest = 2 * u64::from(*grid.cost_range().start());
    let (dx, dy) = from.offset(to);
    let (max, min) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
    let (straight, diagonal) = (u64::from(steps.straight()), u64::from(steps.diagonal()));
    if grid.movement().rule().has_diagonals() {
        cheapest * (straight * (max - min) + diagonal * min)
    } else {
        cheapest * straight * (max + min)
    }
}

/// The cells of a block at most [`REACH`] columns and rows away from a stretch, as bits of its rows.
fn around_stretch(block: &CellBox, cells: &[Cell]) -> [u64; SIDE as usize] {
    let mut rows = [0u64; SIDE as usize];
    for cell in cells {
        rows[(cell.y - block.origin.y) as usize] |= 1 << (cell.x - block.origin.x);
    }
    // Each round reaches twice as far as the one before, as far as is left.
    let (mut reached, mut by) = (0, 1);
    while reached < REACH {
        by = by.min(REACH - reached);
        for row in &mut rows {
            *row |= *row << by | *row >> by;
        }
        let wide = rows;
        for (y, row) in rows.iter_mut().enumerate() {
            let above = y.checked_sub(by as usize).map_or(0, |y| wide[y]);
            *row |= above | wide.get(y + by as usize).copied().unwrap_or(0);
        }
        reached += by;
        by *= 2;
    }
    rows
}

/// The block around as much of a path's beginning as fits, and the number of the last cell in it.
pub(in crate::hierarchy) fn block_around(grid: &Grid, cells: &[Cell]) -> (CellBox, usize) {
    let (mut min, mut max) = (cells[0], cells[0]);
    let mut last = 0;
    for (index, cell) in cells.iter().enumerate() {
        let low = Cell::new(min.x.min(cell.x), min.y.min(cell.y));
        let high = Cell::new(max.x.max(cell.x), max.y.max(cell.y));
        if high.x - low.x >= SIDE - 2 * MARGIN || high.y - low.y >= SIDE - 2 * MARGIN {
            break;
        }
        (min, max, last) = (low, high, index);
    }
    let extent = grid.extent();
    // Centred on the stretch, and moved inside the map.
    let along = |min: u32, max: u32, length: u32| {
        let spare = (SIDE - (max - min + 1)) / 2;
        let size = SIDE.min(length);
        (min.saturating_sub(spare).min(length - size), size)
    };
    let (x, width) = along(min.x, max.x, extent.width());
    let (y, height) = along(min.y, max.y, extent.height());
    (CellBox { origin: Cell::new(x, y), width, height }, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, CellRect, GridMap, Terrain};

    /// A search of a block was one piece, of a fifth of a millisecond on terrain of differing cost.
    #[test]
    fn blocks_are_searched_in_pieces_that_change_nothing() {
        let map = GridMap::filled(90, 90, Terrain::GROUND).unwrap();
        let mut grid = Grid::with_defaults(map);
        let mut batch = Batch::new();
        for cell in grid.extent().cells() {
            let surcharge = (cell.x * 7919 + cell.y * 104_729 + cell.x * cell.y * 31) % 7;
            batch.surcharge(CellRect::from(cell), surcharge as u16);
        }
        grid.apply(&batch).unwrap();
        let along = (5..80).map(|x| Cell::new(x, 10)).chain((11..80).map(|y| Cell::new(79, y)));
        let along: Vec<Cell> = along.collect();
        let tightened = |slice: u64| {
            let (mut cells, mut way, mut flood) = (along.clone(), Vec::new(), Flood::default());
            let (mut tightening, mut slices) = (Tightening::default(), 0);
            tightening.begin(u64::MAX);
            loop {
                let mut left = slice;
                slices += 1;
                if tightening.go_on(&grid, &mut cells, &mut way, &mut flood, &mut left) {
                    return (cells, slices, tightening.spent);
                }
            }
        };
        let (whole, _, spent) = tightened(u64::MAX);
        let (sliced, slices, spent_in_slices) = tightened(1);
        assert!(grid.cost_along(&whole) < grid.cost_along(&along));
        assert_eq!((&sliced, spent_in_slices), (&whole, spent));
        let pieces = spent / u64::from(CELLS_A_PIECE);
        assert!(pieces > 10 && slices >= pieces, "{slices} slices of {spent} cells");
    }

    #[test]
    fn cells_near_a_stretch_are_those_within_reach() {
        let block = CellBox { origin: Cell::new(100, 200), width: SIDE, height: SIDE };
        let stretch: Vec<Cell> =
            (0..30).map(|step| Cell::new(110 + step, 205 + step / 3)).collect();
        let rows = around_stretch(&block, &stretch);
        for local in 0..block.cell_count() {
            let cell = block.cell(local);
            let near = stretch.iter().any(|at| {
                let (dx, dy) = at.offset(cell);
                dx.max(dy) <= REACH
            });
            let (x, y) = (local % SIDE as usize, local / SIDE as usize);
            assert_eq!(rows[y] >> x & 1 == 1, near, "{cell}");
        }
    }
}
