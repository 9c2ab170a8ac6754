//! The cells that agents can stand on, as bits, and their numbers.
//!
//! Cells are numbered by blocks of 8 × 8, so that a block is one word and near cells have near numbers:
//!
//! ```text
//!  block 0   block 1   block 2      a ring of empty blocks lies around the map, so that
//!  0  1 … 7  64 65 …                every place has four neighbours by arithmetic alone
//!  8  9 …
//! ```

use crate::grid::{Cell, Grid};

/// A place of the floor: `block * 64 + row * 8 + column`.
pub(super) type Place = u32;

/// No place, or no agent.
pub(super) const NONE: u32 = u32::MAX;

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// The bits of all cells that can be entered.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    /// Blocks in a row, with those of the ring.
    stride: u32,
    free: Vec<u64>,
}

impl Floor {
    pub(super) fn of(grid: &Grid) -> Self {
        let extent = grid.extent();
        let stride = extent.width().div_ceil(8) + 2;
        let rows = extent.height().div_ceil(8) + 2;
        let mut floor = Self { stride, free: vec![0; (stride * rows) as usize] };
        for cell in extent.cells().filter(|&cell| grid.is_enterable(cell)) {
            let place = floor.place(cell);
            floor.free[(place >> 6) as usize] |= 1 << (place & 63);
        }
        floor
    }

    /// One more than the largest number of a place.
    pub(super) fn place_count(&self) -> usize {
        self.free.len() * 64
    }

    pub(super) fn block_count(&self) -> usize {
        self.free.len()
    }

    pub(super) fn place(&self, cell: Cell) -> Place {
        let block = (cell.y / 8 + 1) * self.stride + cell.x / 8 + 1;
        block * 64 + cell.y % 8 * 8 + cell.x % 8
    }

    pub(super) fn cell(&self, place: Place) -> Cell {
        let (block, inside) = (place / 64, place % 64);
        let (column, row) = (block % self.stride - 1, block / self.stride - 1);
        Cell::new(column * 8 + inside % 8, row * 8 + inside / 8)
    }

    #[inline]
    pub(super) fn is_free(&self, place: Place) -> bool {
        self.free[(place >> 6) as usize] >> (place & 63) & 1 != 0
    }

    /// The place one step to the north, east, south or west, by these numbers; any other number stays.
    #[inline]
    pub(super) fn along(&self, place: Place, direction: u32) -> Place {
        let down = self.stride * 64;
        match direction {
            0 if place & 56 > 0 => place - 8,
            0 => place + 56 - down,
            1 if place & 7 < 7 => place + 1,
            1 => place + 57,
            2 if place & 56 < 56 => place + 8,
            2 => place + down - 56,
            3 if place & 7 > 0 => place - 1,
            3 => place - 57,
            _ => place,
        }
    }

    /// The direction that leads back to a place from its neighbour.
    pub(super) fn way_back(&self, to: Place, neighbour: Place) -> u32 {
        (0..4).find(|&direction| self.along(neighbour, direction) == to).unwrap_or(4)
    }

    /// The free places beside one, and how many there are.
    #[inline]
    pub(super) fn beside(&self, place: Place) -> ([Place; 4], usize) {
        let (mut found, mut count) = ([NONE; 4], 0);
        for to in [0, 1, 2, 3].map(|direction| self.along(place, direction)) {
            if self.is_free(to) {
                found[count] = to;
                count += 1;
            }
        }
        (found, count)
    }

    /// Spreads bits of a block by one step: calls `reach` with each block that gets some, and those that are free there.
    #[inline]
    pub(super) fn spread(&self, block: usize, bits: u64, mut reach: impl FnMut(usize, u64)) {
        let stride = self.stride as usize;
        let inside =
            (bits & !LAST_COLUMN) << 1 | (bits & !FIRST_COLUMN) >> 1 | bits << 8 | bits >> 8;
        let mut at = |block: usize, bits: u64| {
            let bits = bits & self.free[block];
            if bits != 0 {
                reach(block, bits);
            }
        };
        at(block, inside);
        if bits & LAST_COLUMN != 0 {
            at(block + 1, (bits & LAST_COLUMN) >> 7);
        }
        if bits & FIRST_COLUMN != 0 {
            at(block - 1, (bits & FIRST_COLUMN) << 7);
        }
        if bits << 56 != 0 {
            at(block - stride, bits << 56);
        }
        if bits >> 56 != 0 {
            at(block + stride, bits >> 56);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.free.capacity() * 8
    }
}
