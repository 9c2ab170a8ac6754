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

/// Makes a path cheaper in place, or leaves it as it is.
pub(in crate::hierarchy) fn tighten(
    grid: &Grid,
    cells: &mut Vec<Cell>,
    way: &mut Vec<Cell>,
    flood: &mut Flood,
) {
    let mut anchor = 0;
    while anchor + 2 < cells.len() {
        let (block, last) = block_around(grid, &cells[anchor..]);
        let last = anchor + last;
        let Some(board) = grid.board_of(cells[anchor]) else { return };
        let done = last + 1 == cells.len();
        if grid.is_level(block.origin, block.height, |y| row_bits(board, &block, y)) {
            // The next block shares a margin with this one.
            anchor = last.saturating_sub(MARGIN as usize).max(anchor + 1);
        } else {
            let (from, to) = (block.local(cells[anchor]), block.local(cells[last]));
            let spent = grid.cost_along(&cells[anchor..=last]).0;
            let mut steps = last - anchor;
            if spent > least_cost(grid, cells[anchor], cells[last]) {
                flood.enter(grid, board, &block);
                flood.run_to(grid, from, to, spent);
                let found = flood.cost(to);
                if found != UNREACHED && unpack(found) < spent {
                    way.clear();
                    flood.trace(&block, cells[last], way);
                    steps = way.len() - 1;
                    cells.splice(anchor..=last, way.iter().copied());
                }
            }
            anchor += (steps / 2).max(1);
        }
        if done {
            return;
        }
    }
}

/// No way between two cells costs less.
fn least_cost(grid: &Grid, from: Cell, to: Cell) -> u64 {
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
