//! A map under construction: one bit a cell.

use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{Cell, GridMap, Terrain};
use std::ops::Range;

/// Which cells are walls, 64 to a word.
///
/// Invariant: the bits past the last column are set, so that the outside of the map is wall to
/// whoever works on whole words.
#[derive(Clone, Debug)]
pub(super) struct Walls {
    extent: Extent,
    row_words: usize,
    words: Vec<u64>,
}

impl Walls {
    /// Nothing but wall.
    pub(super) fn solid(extent: Extent) -> Self {
        let row_words = extent.width().div_ceil(u64::BITS) as usize;
        Self { extent, row_words, words: vec![u64::MAX; row_words * extent.height() as usize] }
    }

    /// Walls with the same probability everywhere: one draw a cell, row by row.
    pub(super) fn noise(
        extent: Extent,
        percent: u32,
        random: &mut Random,
        work: &mut Work<'_, '_>,
    ) -> Made<Self> {
        let mut walls = Self::solid(extent);
        for y in 0..extent.height() {
            walls.write_row(y, |word| {
                let left = extent.width() - word as u32 * u64::BITS;
                (0..left.min(u64::BITS)).fold(0, |bits, bit| {
                    bits | u64::from(random.chance(u64::from(percent), 100)) << bit
                })
            });
            work.row()?;
        }
        Ok(walls)
    }

    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether a cell that lies inside is a wall.
    #[inline]
    pub(super) fn is_wall(&self, cell: Cell) -> bool {
        self.row(cell.y)[(cell.x / u64::BITS) as usize] >> (cell.x % u64::BITS) & 1 == 1
    }

    /// Turns the cells of some columns and rows into ground.
    pub(super) fn open(&mut self, columns: Range<u32>, rows: Range<u32>) {
        for (word, mask) in masks(columns) {
            for y in rows.clone() {
                self.row_mut(y)[word] &= !mask;
            }
        }
    }

    /// Turns the cells of some columns of a row into wall.
    pub(super) fn close(&mut self, columns: Range<u32>, y: u32) {
        for (word, mask) in masks(columns) {
            self.row_mut(y)[word] |= mask;
        }
    }

    /// The first column from `from` on that is ground; the width if there is none.
    pub(super) fn next_ground(&self, from: u32, y: u32) -> u32 {
        self.next(from, y, u64::MAX)
    }

    /// The first column from `from` on that is wall; the width if there is none.
    pub(super) fn next_wall(&self, from: u32, y: u32) -> u32 {
        self.next(from, y, 0)
    }

    /// The first column from `from` on whose bit is set after flipping.
    fn next(&self, from: u32, y: u32, flip: u64) -> u32 {
        let first = (from / u64::BITS) as usize;
        let mut ahead = u64::MAX << (from % u64::BITS);
        for (word, bits) in (first..).zip(self.row(y).iter().skip(first)) {
            let found = (bits ^ flip) & ahead;
            if found != 0 {
                // Past the last column there are only walls, which may be farther than the width.
                return (word as u32 * u64::BITS + found.trailing_zeros()).min(self.extent.width());
            }
            ahead = u64::MAX;
        }
        self.extent.width()
    }

    /// The last ground before column `end`.
    pub(super) fn last_ground(&self, end: u32, y: u32) -> Option<u32> {
        self.last(end, y, u64::MAX)
    }

    /// The last wall before column `end`.
    pub(super) fn last_wall(&self, end: u32, y: u32) -> Option<u32> {
        self.last(end, y, 0)
    }

    /// The last column before `end` whose bit is set after flipping.
    fn last(&self, end: u32, y: u32, flip: u64) -> Option<u32> {
        let row = self.row(y);
        let words = end.div_ceil(u64::BITS);
        let mut behind = u64::MAX >> (words * u64::BITS - end);
        for word in (0..words).rev() {
            let found = (row[word as usize] ^ flip) & behind;
            if found != 0 {
                return Some(word * u64::BITS + found.ilog2());
            }
            behind = u64::MAX;
        }
        None
    }

    /// A row's bits, the first column lowest.
    pub(super) fn row(&self, y: u32) -> &[u64] {
        let start = y as usize * self.row_words;
        &self.words[start..start + self.row_words]
    }

    fn row_mut(&mut self, y: u32) -> &mut [u64] {
        let start = y as usize * self.row_words;
        &mut self.words[start..start + self.row_words]
    }

    /// Puts in a row's bits, each word as a function of its place.
    pub(super) fn write_row(&mut self, y: u32, mut bits: impl FnMut(usize) -> u64) {
        let outside = self.outside();
        let row = self.row_mut(y);
        for (word, old) in row.iter_mut().enumerate() {
            *old = bits(word);
        }
        if let Some(last) = row.last_mut() {
            *last |= outside;
        }
    }

    /// The bits of a row's last word that lie past the last column.
    fn outside(&self) -> u64 {
        match self.extent.width() % u64::BITS {
            0 => 0,
            inside => u64::MAX << inside,
        }
    }

    /// The finished map.
    pub(super) fn into_map(self, work: &mut Work<'_, '_>) -> Made<GridMap> {
        let mut stopped = Ok(());
        let map = GridMap::from_fn(self.extent.width(), self.extent.height(), |cell| {
            if cell.x == 0 && stopped.is_ok() {
                stopped = work.row();
            }
            if stopped.is_err() || self.is_wall(cell) { Terrain::WALL } else { Terrain::GROUND }
        });
        stopped.and(map.map_err(GenerateError::from))
    }
}

/// The words that some columns lie in, and which of their bits.
fn masks(columns: Range<u32>) -> impl Iterator<Item = (usize, u64)> {
    (columns.start / u64::BITS..columns.end.div_ceil(u64::BITS)).map(move |word| {
        let base = word * u64::BITS;
        let from = columns.start.max(base) - base;
        let to = columns.end.min(base + u64::BITS) - base;
        let ones = u64::MAX.checked_shr(u64::BITS - to.saturating_sub(from)).unwrap_or(0);
        (word as usize, ones << from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn spans_and_searches_agree_with_single_cells(
            width in 1u32..200,
            spans in prop::collection::vec((0u32..200, 0u32..200, any::<bool>()), 0..6),
            from in 0u32..200,
        ) {
            let mut walls = Walls::solid(Extent::new(u64::from(width), 2).unwrap());
            let mut plain = vec![true; width as usize];
            for (a, b, wall) in spans {
                let span = a.min(b).min(width)..a.max(b).min(width);
                plain[span.start as usize..span.end as usize].fill(wall);
                if wall { walls.close(span, 1) } else { walls.open(span, 1..2) }
            }
            let drawn: Vec<_> = (0..width).map(|x| walls.is_wall(Cell::new(x, 1))).collect();
            prop_assert_eq!(&drawn, &plain);
            prop_assert!((0..width).all(|x| walls.is_wall(Cell::new(x, 0))));
            let from = from.min(width);
            for wall in [true, false] {
                let next = (from..width).find(|&x| plain[x as usize] == wall).unwrap_or(width);
                let last = (0..from).rev().find(|&x| plain[x as usize] == wall);
                let found = if wall {
                    (walls.next_wall(from, 1), walls.last_wall(from, 1))
                } else {
                    (walls.next_ground(from, 1), walls.last_ground(from, 1))
                };
                prop_assert_eq!(found, (next, last));
            }
            walls.write_row(0, |_| 0);
            let last = walls.row(0).last().copied().unwrap_or(0);
            prop_assert_eq!(last.count_ones(), width.next_multiple_of(64) - width);
        }
    }
}
