//! A bit a cell: enterable or not, for one domain of one profile.
//!
//! ```text
//!   row 0       0 0 0 0 0 0      a border of zeros on all sides, so that a look
//!   row y+1     0 . . . . 0      around a cell needs no range check;
//!   row h+1     0 0 0 0 0 0      bit x+1 of row y+1 is cell (x, y)
//! ```
//!
//! Rows lie in bands of shared bytes, copied on write, of about [`BAND_BYTES`]. Each row ends in
//! eight spare bytes or more, so that a 64-bit window may start at any byte that holds a cell, and is
//! a whole number of 64-bit words, so that sweeps may read it word by word.

use super::cell::{Cell, Extent};
use super::edit::CellRect;
use std::ops::Range;
use std::sync::Arc;

/// Bits of a word; a tile of so many rows and columns is transposed at once.
const WORD_BITS: usize = 64;
const WORD_BYTES: usize = 8;

/// A band is what the first edit after a snapshot copies.
const BAND_BYTES: usize = 8192;
const SPARE_BYTES: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    row_bytes: usize,
    band_shift: u32,
    /// PERF: shared as a whole, so that a clone copies one pointer, not one a band.
    bands: Arc<[Arc<[u8]>]>,
}

impl Board {
    /// A board whose row bits `fill(y, row)` sets through [`RowBits::set`].
    pub(crate) fn build(extent: Extent, mut fill: impl FnMut(u32, &mut RowBits<'_>)) -> Self {
        let (row_bytes, band_shift) = layout(extent.width());
        let rows = extent.height() + 2;
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

    /// The same bits with columns for rows: cell (y, x) is what (x, y) is here. `extent` is this
    /// board's.
    ///
    /// PERF: 64 × 64 bits at a time, tiles along the rows of the source, so that each of its cache
    /// lines is read once: 16,384² cells take about 0.2 s.
    pub(crate) fn transposed(&self, extent: Extent) -> Self {
        let (row_bytes, band_shift) = layout(extent.height());
        let rows = extent.width() as usize + 2;
        let mut bytes = vec![0; rows.next_multiple_of(1 << band_shift) * row_bytes];
        for tile_y in 0..(extent.height() as usize + 2).div_ceil(WORD_BITS) {
            for tile_x in 0..rows.div_ceil(WORD_BITS) {
                let mut tile = [0; WORD_BITS];
                let source_rows = tile_y * WORD_BITS..extent.height() as usize + 2;
                for (word, row) in tile.iter_mut().zip(source_rows) {
                    *word = self.row(row as u32).word(tile_x);
                }
                transpose(&mut tile);
                let (top, left) = (tile_x * WORD_BITS, tile_y * WORD_BYTES);
                for (row, word) in (top..rows).zip(tile) {
                    let at = row * row_bytes + left;
                    bytes[at..at + WORD_BYTES].copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        let bands = bytes.chunks_exact(row_bytes << band_shift).map(Arc::from).collect();
        Self { row_bytes, band_shift, bands }
    }

    /// The bits of padded row `row`: 0 and the one after the last cells are the border.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> Row<'_> {
        let (band, byte) = self.locate(row, 0);
        Row(self.bands[band][byte..byte + self.row_bytes].as_chunks().0)
    }

    /// The band and the byte in it of byte `byte` of padded row `row`.
    #[inline(always)]
    fn locate(&self, row: u32, byte: u32) -> (usize, usize) {
        let in_band = row & ((1 << self.band_shift) - 1);
        let offset = in_band as usize * self.row_bytes + byte as usize;
        ((row >> self.band_shift) as usize, offset)
    }

    /// The bits of 64 cells of a row, from one on; beyond the map they are zero.
    #[inline]
    pub(crate) fn bits_from(&self, cell: Cell) -> u64 {
        let row = self.row(cell.y + 1);
        let (word, bit) = ((cell.x + 1) as usize / 64, (cell.x + 1) % 64);
        let both = u128::from(row.word(word)) | u128::from(row.word(word + 1)) << 64;
        (both >> bit) as u64
    }

    /// Whether the bit of a cell is set.
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        let (band, byte) = self.locate(cell.y + 1, (cell.x + 1) >> 3);
        self.bands[band][byte] >> ((cell.x + 1) & 7) & 1 == 1
    }

    pub(crate) fn set(&mut self, cell: Cell, value: bool) {
        let (band, byte) = self.locate(cell.y + 1, (cell.x + 1) >> 3);
        let byte = &mut Arc::make_mut(&mut Arc::make_mut(&mut self.bands)[band])[byte];
        let bit = 1 << ((cell.x + 1) & 7);
        *byte = if value { *byte | bit } else { *byte & !bit };
    }

    /// Sets the bits of all cells of a rectangle.
    pub(crate) fn fill(&mut self, rect: CellRect, value: bool) {
        let (first, last) = (rect.min().x + 1, rect.max().x + 1);
        let (low, high) = (u8::MAX << (first & 7), u8::MAX >> (7 - (last & 7)));
        let fill = |byte: &mut u8, bits: u8| {
            *byte = if value { *byte | bits } else { *byte & !bits };
        };
        for y in rect.min().y..=rect.max().y {
            let (band, at) = self.locate(y + 1, first >> 3);
            let end = at + ((last >> 3) - (first >> 3)) as usize;
            match &mut Arc::make_mut(&mut Arc::make_mut(&mut self.bands)[band])[at..=end] {
                [] => {}
                [one] => fill(one, low & high),
                [head, middle @ .., tail] => {
                    fill(head, low);
                    middle.fill(if value { u8::MAX } else { 0 });
                    fill(tail, high);
                }
            }
        }
    }

    /// The nine bits around a cell, in the order of [`super::rule`].
    #[inline(always)]
    pub(crate) fn neighbourhood(&self, cell: Cell) -> usize {
        let bits = |window: &[u8]| match window {
            [low, high, ..] => usize::from(u16::from_le_bytes([*low, *high])) >> (cell.x & 7) & 7,
            _ => 0,
        };
        let (band, byte) = self.locate(cell.y, cell.x >> 3);
        let last_in_band = (1 << self.band_shift) - 1;
        if (cell.y & last_in_band) + 2 <= last_in_band {
            // PERF: one slice for three rows, as mostly they share a band.
            let rows = &self.bands[band][byte..];
            let (above, rows) = (bits(rows), rows.get(self.row_bytes..).unwrap_or_default());
            let (middle, rows) = (bits(rows), rows.get(self.row_bytes..).unwrap_or_default());
            return above | middle << 3 | bits(rows) << 6;
        }
        let (middle, middle_byte) = self.locate(cell.y + 1, cell.x >> 3);
        let (last, last_byte) = self.locate(cell.y + 2, cell.x >> 3);
        bits(&self.bands[band][byte..])
            | bits(&self.bands[middle][middle_byte..]) << 3
            | bits(&self.bands[last][last_byte..]) << 6
    }

    /// A cursor at byte `byte` of padded row `row`.
    #[inline(always)]
    pub(crate) fn cursor(&self, row: u32, byte: u32) -> Cursor<'_> {
        let (band, at) = self.locate(row, byte);
        Cursor { board: self, bytes: &self.bands[band], at, row, byte }
    }

    /// The band of a padded row, and where in it byte `byte` of the row is.
    #[cold]
    fn band(&self, row: u32, byte: u32) -> (&[u8], usize) {
        let (band, at) = self.locate(row, byte);
        (&self.bands[band], at)
    }

    /// The 64 bits from byte `byte` on of padded row `row` and of the two rows after it.
    #[inline(always)]
    pub(crate) fn three_windows(&self, row: u32, byte: u32) -> [u64; 3] {
        let mut cursor = self.cursor(row, byte);
        [cursor.bits(), cursor.next_bits(true), cursor.next_bits(true)]
    }

    /// Padded row `row` and the two rows after it.
    #[inline(always)]
    pub(crate) fn three_rows(&self, row: u32) -> ThreeRows<'_> {
        ThreeRows([self.row(row).0, self.row(row + 1).0, self.row(row + 2).0])
    }

    /// How many bits are set. `extent` is this board's.
    pub(crate) fn count(&self, extent: Extent) -> u32 {
        let words = (extent.width() as usize + 2).div_ceil(WORD_BITS);
        let ones = |row: u32| self.row(row).words(0..words).map(u64::count_ones).sum::<u32>();
        (1..=extent.height()).map(ones).sum()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.bands.len() * ((self.row_bytes << self.band_shift) + size_of::<Arc<[u8]>>())
    }
}

/// Bytes of a row of so many cells, and the logarithm of the rows in a band.
fn layout(width: u32) -> (usize, u32) {
    let cell_bytes = (width as usize + 2).div_ceil(8);
    let row_bytes = (cell_bytes + SPARE_BYTES).next_multiple_of(WORD_BYTES);
    (row_bytes, (BAND_BYTES / row_bytes).max(1).ilog2())
}

/// Swaps rows and columns of a tile: the blocks off the diagonal of halves, then of quarters, and so
/// on down to single bits (Warren, Hacker's Delight, 7–3).
fn transpose(tile: &mut [u64; WORD_BITS]) {
    let mut half = WORD_BITS / 2;
    // The columns of the left halves.
    let mut left = u64::MAX >> half;
    while half > 0 {
        for row in (0..WORD_BITS).filter(|row| row & half == 0) {
            let swapped = ((tile[row] >> half) ^ tile[row + half]) & left;
            tile[row] ^= swapped << half;
            tile[row + half] ^= swapped;
        }
        half /= 2;
        left ^= left << half;
    }
}

/// One row to read: bit `b` of word `k` is padded column `64 k + b`.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a>(&'a [[u8; WORD_BYTES]]);

impl Row<'_> {
    #[inline]
    pub(crate) fn word(self, index: usize) -> u64 {
        u64::from_le_bytes(self.0[index])
    }

    /// The same; zero past the end.
    #[inline]
    pub(crate) fn word_or_zero(self, index: usize) -> u64 {
        self.0.get(index).map_or(0, |&bytes| u64::from_le_bytes(bytes))
    }

    #[inline]
    pub(crate) fn words(self, range: Range<usize>) -> impl DoubleEndedIterator<Item = u64> {
        self.0[range].iter().map(|&bytes| u64::from_le_bytes(bytes))
    }
}

/// Reads 64 bits from a byte on, row after row.
///
/// PERF: rows of a band follow on each other, and past its end there is nothing to read: the check that
/// the language makes is also the one for the next band.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'b> {
    board: &'b Board,
    /// The band, and where in it.
    bytes: &'b [u8],
    at: usize,
    row: u32,
    byte: u32,
}

impl Cursor<'_> {
    #[inline(always)]
    pub(crate) fn row(&self) -> u32 {
        self.row
    }

    /// The bits, 64 from the byte on.
    #[inline(always)]
    pub(crate) fn bits(&self) -> u64 {
        let window = self.bytes.get(self.at..).and_then(|bytes| bytes.first_chunk());
        window.map_or(0, |&window| u64::from_le_bytes(window))
    }

    /// Goes on to the row below, or above, and reads it.
    #[inline(always)]
    pub(crate) fn next_bits(&mut self, down: bool) -> u64 {
        let stride = self.board.row_bytes;
        if down {
            self.at += stride;
            self.row += 1;
        } else {
            self.at = self.at.wrapping_sub(stride);
            self.row = self.row.wrapping_sub(1);
        }
        match self.bytes.get(self.at..).and_then(|bytes| bytes.first_chunk()) {
            Some(&window) => u64::from_le_bytes(window),
            None => {
                // PERF: passed by value, so that a cursor can live in registers.
                (self.bytes, self.at) = self.board.band(self.row, self.byte);
                self.bits()
            }
        }
    }
}

/// Three rows to read, one below the other.
pub(crate) struct ThreeRows<'a>([&'a [[u8; WORD_BYTES]]; 3]);

impl ThreeRows<'_> {
    /// A word of each; zero past their end.
    #[inline(always)]
    pub(crate) fn words(&self, index: usize) -> [u64; 3] {
        let word =
            |row: &[[u8; WORD_BYTES]]| row.get(index).map_or(0, |&at| u64::from_le_bytes(at));
        let [first, second, third] = self.0;
        [word(first), word(second), word(third)]
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
                assert_eq!(board.is_free(cell), free(cell.x, cell.y));
            }
        }
    }

    #[test]
    fn a_transposed_board_is_the_one_built_with_columns_for_rows() {
        for (width, height) in [(1, 1), (7, 9), (62, 63), (64, 3), (65, 130), (900, 40), (61, 700)]
        {
            let extent = Extent::new(width, height).unwrap();
            let board = Board::build(extent, |y, row| {
                (0..width).for_each(|x| row.set(x as usize, free(x as u32, y)));
            });
            let across = Extent::new(height, width).unwrap();
            let expected = Board::build(across, |x, row| {
                (0..height).for_each(|y| row.set(y as usize, free(x, y as u32)));
            });
            assert_eq!(board.transposed(extent), expected, "{width} × {height}");
            assert_eq!(expected.transposed(across), board, "{height} × {width}");
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
            board.set(cell, !board.is_free(cell));
        }
        assert_eq!(snapshot, built(&[]));
        assert_eq!(board, built(&flipped));
    }

    #[test]
    fn a_filled_rectangle_has_all_its_bits_and_no_others() {
        let extent = Extent::new(90, 40).unwrap();
        for (a, b) in [((0, 0), (89, 39)), ((7, 3), (7, 9)), ((6, 0), (8, 39)), ((15, 2), (62, 2))]
        {
            for value in [false, true] {
                let rect = CellRect::new(a, b);
                let bit = |cell| if rect.contains(cell) { value } else { free(cell.x, cell.y) };
                let build = |bit: &dyn Fn(Cell) -> bool| {
                    Board::build(extent, |y, row| {
                        (0..90).for_each(|x| row.set(x as usize, bit(Cell { x, y })));
                    })
                };
                let mut board = build(&|cell| free(cell.x, cell.y));
                board.fill(rect, value);
                assert_eq!(board, build(&bit), "{a:?} to {b:?}");
            }
        }
    }
}
