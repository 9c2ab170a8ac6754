//! A bit a cell: enterable or not, for one domain of one profile.
//!
//! ```text
//!   row 0       0 0 0 0 0 0      a border of zeros on all sides, so that a look
//!   row y+1     0 . . . . 0      around a cell needs no range check;
//!   row h+1     0 0 0 0 0 0      bit x+1 of row y+1 is cell (x, y)
//! ```
//!
//! Rows lie in bands of shared bytes, copied on write, of about [`BAND_BYTES`]. Each row ends in
//! eight spare bytes, so that a 64-bit window may start at any byte that holds a cell.

use super::cell::{Cell, Extent};
use std::sync::Arc;

/// PERF: a band is what the first edit after a snapshot copies (about 0.3 µs at this size).
const BAND_BYTES: usize = 8192;
const SPARE_BYTES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    row_bytes: usize,
    band_shift: u32,
    bands: Vec<Arc<[u8]>>,
}

impl Board {
    /// A board whose row bits `fill(y, row)` sets through [`RowBits::set`].
    pub(crate) fn build(extent: Extent, mut fill: impl FnMut(u32, &mut RowBits<'_>)) -> Self {
        let row_bytes = (extent.width() as usize + 2).div_ceil(8) + SPARE_BYTES;
        let rows = extent.height() + 2;
        let band_shift = (BAND_BYTES / row_bytes).max(1).ilog2();
        let band_rows = 1u32 << band_shift;
        let bands = (0..rows.div_ceil(band_rows)).map(|band| {
            let mut bytes = vec![0; row_bytes << band_shift];
            for (row, bits) in (band * band_rows..).zip(bytes.chunks_exact_mut(row_bytes)) {
                if (1..=extent.height()).contains(&row) {
                    fill(row - 1, &mut RowBits(bits));
                }
            }
            bytes.into()
        });
        Self { row_bytes, band_shift, bands: bands.collect() }
    }

    /// The band and the byte in it of byte `byte` of padded row `row`.
    #[inline(always)]
    fn locate(&self, row: u32, byte: u32) -> (usize, usize) {
        let in_band = row & ((1 << self.band_shift) - 1);
        let offset = in_band as usize * self.row_bytes + byte as usize;
        ((row >> self.band_shift) as usize, offset)
    }

    #[cfg(test)]
    fn get(&self, cell: Cell) -> bool {
        let (band, byte) = self.locate(cell.y + 1, (cell.x + 1) >> 3);
        self.bands[band][byte] >> ((cell.x + 1) & 7) & 1 == 1
    }

    pub(crate) fn set(&mut self, cell: Cell, value: bool) {
        let (band, byte) = self.locate(cell.y + 1, (cell.x + 1) >> 3);
        let byte = &mut Arc::make_mut(&mut self.bands[band])[byte];
        let bit = 1 << ((cell.x + 1) & 7);
        *byte = if value { *byte | bit } else { *byte & !bit };
    }

    /// The nine bits around a cell, in the order of [`super::rule`].
    #[inline(always)]
    pub(crate) fn neighbourhood(&self, cell: Cell) -> usize {
        let bits = |window: &[u8]| {
            usize::from(u16::from_le_bytes([window[0], window[1]])) >> (cell.x & 7) & 7
        };
        let (band, byte) = self.locate(cell.y, cell.x >> 3);
        let (last, last_byte) = self.locate(cell.y + 2, cell.x >> 3);
        if band == last {
            // PERF: one slice for three rows, as mostly they share a band.
            let rows = &self.bands[band][byte..last_byte + 2];
            return bits(rows)
                | bits(&rows[self.row_bytes..]) << 3
                | bits(&rows[2 * self.row_bytes..]) << 6;
        }
        let (middle, middle_byte) = self.locate(cell.y + 1, cell.x >> 3);
        bits(&self.bands[band][byte..])
            | bits(&self.bands[middle][middle_byte..]) << 3
            | bits(&self.bands[last][last_byte..]) << 6
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.bands.len() * ((self.row_bytes << self.band_shift) + size_of::<Arc<[u8]>>())
    }
}

/// The bits of one row while a board is built.
pub(crate) struct RowBits<'a>(&'a mut [u8]);

impl RowBits<'_> {
    #[inline]
    pub(crate) fn set(&mut self, x: usize, value: bool) {
        self.0[(x + 1) >> 3] |= u8::from(value) << ((x + 1) & 7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern without symmetry.
    fn free(x: u32, y: u32) -> bool {
        (x * 7 + y * 13 + x * y) % 5 < 3
    }

    #[test]
    fn neighbourhoods_are_the_cells_around_and_zero_outside() {
        for (width, height) in [(1, 1), (7, 9), (64, 3), (65, 130), (900, 40)] {
            let extent = Extent::new(width, height).unwrap();
            let board = Board::build(extent, |y, row| {
                (0..width).for_each(|x| row.set(x as usize, free(x as u32, y)));
            });
            for cell in extent.cells() {
                let mut expected = 0;
                for bit in 0..9 {
                    let x = (cell.x + bit % 3).wrapping_sub(1);
                    let y = (cell.y + bit / 3).wrapping_sub(1);
                    let inside = extent.contains(Cell { x, y });
                    expected |= usize::from(inside && free(x, y)) << bit;
                }
                assert_eq!(board.neighbourhood(cell), expected, "{cell} of {width} × {height}");
                assert_eq!(board.get(cell), free(cell.x, cell.y));
            }
        }
    }

    #[test]
    fn a_clone_stays_as_it_was_and_a_patched_board_equals_a_built_one() {
        let extent = Extent::new(90, 300).unwrap();
        let built = |flipped: &[Cell]| {
            Board::build(extent, |y, row| {
                for x in 0..90 {
                    let cell = Cell { x, y };
                    row.set(x as usize, free(x, y) != flipped.contains(&cell));
                }
            })
        };
        let flipped = [Cell::new(0, 0), Cell::new(89, 299), Cell::new(62, 63), Cell::new(63, 64)];
        let mut board = built(&[]);
        let snapshot = board.clone();
        for cell in flipped {
            board.set(cell, !board.get(cell));
        }
        assert_eq!(snapshot, built(&[]));
        assert_eq!(board, built(&flipped));
    }
}
