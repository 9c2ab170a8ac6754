//! Smoothing on terrain of differing cost, where a straighter way may be a dearer one.
//!
//! A frame slides along the path. Inside it the stretch from its first to its last cell is replaced by
//! the cheapest way, found by a flood; the next frame begins in the middle of that way, so that every
//! cell but the ends is looked at twice.

use super::flood::Flood;
use super::frame::Frame;
use crate::grid::{Cell, Grid};

/// Columns and rows of the frame: as many as a flood can take.
pub(in crate::hierarchy) const SIDE: u32 = 64;
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
        let (frame, last) = frame_around(grid, &cells[anchor..]);
        let last = anchor + last;
        let Some(board) = grid.board_of(cells[anchor]) else { return };
        flood.enter(grid, board, &frame);
        flood.run(grid, frame.local(cells[anchor]));
        way.clear();
        flood.trace(&frame, cells[last], way);
        let middle = way.len() / 2;
        let done = last + 1 == cells.len();
        cells.splice(anchor..=last, way.iter().copied());
        if done {
            return;
        }
        anchor += middle.max(1);
    }
}

/// The frame around as much of a path's beginning as fits, and the number of the last cell in it.
pub(in crate::hierarchy) fn frame_around(grid: &Grid, cells: &[Cell]) -> (Frame, usize) {
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
    (Frame { origin: Cell::new(x, y), width, height }, last)
}
