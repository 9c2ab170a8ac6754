//! Rows, columns and diagonals as bits, a cache line for 64 cells: what a look along them meets.
//!
//! Where others keep a table of distances a cell (eight numbers in Uras, Koenig and Hernández 2013),
//! here a bit says *whether* there is something, and the few times there is, the place is the next set
//! bit of another board. Along a diagonal that answers for 64 cells at once which of them see a stop:
//!
//! ```text
//!   diagonal from x      1 1 1 1 1 0      it goes on for five cells
//!   sees a stop east     0 0 1 0 0 0      one of them sees a stop: only its row is looked at
//! ```
//!
//! PERF: 28 bits a cell in all, where eight distances of 16 bits would take 128.

use super::corners::{Corners, sides};
use crate::grid::Direction;

const WORD_BITS: usize = 64;

/// Bits along rows, or along columns, 64 cells of all boards together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct LineWord {
    /// The next cell can be stepped to.
    pub(super) open: u64,
    /// Stops for travel towards higher cells, and towards lower ones.
    pub(super) stops: [u64; 2],
    /// Against the diagonal directions, north-east first, lies a through cell that leads here.
    pub(super) back: [u64; 4],
    pub(super) subgoals: u64,
}

/// Bits along a family of diagonals, from low columns to high ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiagonalWord {
    /// The next cell can be stepped to.
    pub(super) open: u64,
    pub(super) through: u64,
    /// Stops are seen: to the east and along the column when going towards high columns, to the west
    /// and along the column when going towards low ones.
    pub(super) sees: [[u64; 2]; 2],
}

/// All rows, or all columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) words: Vec<LineWord>,
    /// Words of a line.
    pub(super) stride: usize,
}

impl Lines {
    pub(super) fn new(corners: &Corners, rows: bool) -> Self {
        let (width, height) = corners.size();
        let (length, count) = if rows { (width, height) } else { (height, width) };
        let (up, down) = if rows {
            (Direction::East as usize, Direction::West as usize)
        } else {
            (Direction::South as usize, Direction::North as usize)
        };
        let stride = length.div_ceil(WORD_BITS);
        let mut words = vec![LineWord::default(); stride * count];
        for y in 0..height {
            for x in 0..width {
                let at = corners.at(x, y);
                let (line, place) = if rows { (y, x) } else { (x, y) };
                let word = &mut words[line * stride + place / WORD_BITS];
                let shift = place % WORD_BITS;
                word.open |= u64::from(corners.steps(at, up)) << shift;
                for direction in 0..4 {
                    word.back[direction] |= u64::from(corners.meets(at, 4 + direction)) << shift;
                }
                if corners.is_subgoal(at) {
                    word.subgoals |= 1 << shift;
                    word.stops[0] |= u64::from(corners.is_stop(at, up)) << shift;
                    word.stops[1] |= u64::from(corners.is_stop(at, down)) << shift;
                }
            }
        }
        Self { words, stride }
    }

    /// How many cells one can go from a place before a wall, up or down.
    #[inline]
    pub(super) fn clearance(&self, line: u32, place: u32, up: bool) -> u32 {
        let words = self.line(line);
        if up {
            next_set(words, place, |word| !word.open) - place
        } else {
            // The step from the cell below is missing.
            last_set(words, place, |word| !word.open).map_or(place, |wall| place - 1 - wall)
        }
    }

    /// How far the next stop is, which is known to be there.
    #[inline]
    pub(super) fn to_stop(&self, line: u32, place: u32, up: bool) -> u32 {
        let words = self.line(line);
        if up {
            next_set(words, place + 1, |word| word.stops[0]) - place
        } else {
            last_set(words, place, |word| word.stops[1]).map_or(0, |stop| place - stop)
        }
    }

    /// How many cells one can go from a place before a wall or a stop, up or down.
    pub(super) fn clearance_to_stop(&self, line: u32, place: u32, up: bool) -> u32 {
        let (words, clear) = (self.line(line), self.clearance(line, place, up));
        let stop = if up {
            Some(next_set(words, place + 1, |word| word.stops[0]) - place)
        } else {
            last_set(words, place, |word| word.stops[1]).map(|stop| place - stop)
        };
        stop.map_or(clear, |distance| clear.min(distance - 1))
    }

    /// How far behind a place the nearest stop is for travel that leads to it, if there is one.
    #[inline]
    pub(super) fn nearest_stop_behind(&self, line: u32, place: u32, up: bool) -> Option<u32> {
        let words = self.line(line);
        if up {
            last_set(words, place, |word| word.stops[0]).map(|stop| place - stop)
        } else {
            let next = next_set(words, place + 1, |word| word.stops[1]);
            (next < (words.len() * WORD_BITS) as u32).then(|| next - place)
        }
    }

    #[inline]
    pub(super) fn line(&self, line: u32) -> &[LineWord] {
        &self.words[line as usize * self.stride..][..self.stride]
    }
}

/// All diagonals of one family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagonals {
    rising: bool,
    height: u32,
    pub(super) words: Vec<DiagonalWord>,
    /// Where each diagonal begins, and where the last ends.
    pub(super) first: Vec<u32>,
}

/// A diagonal, and where on it a cell lies.
#[derive(Clone, Copy)]
pub(super) struct LinePosition<'a> {
    pub(super) words: &'a [DiagonalWord],
    pub(super) at: u32,
}

impl Diagonals {
    pub(super) fn new(corners: &Corners, rising: bool) -> Self {
        let (width, height) = corners.size();
        let first = Self::layout(width, height);
        let count = first[first.len() - 1] as usize;
        let mut this = Self {
            rising,
            height: height as u32,
            words: vec![DiagonalWord::default(); count],
            first,
        };
        let (up, (north, east), (south, west)) = if rising {
            (Direction::NorthEast as usize, sides(4), sides(6))
        } else {
            let ((east, south), (west, north)) = (sides(5), sides(7));
            (Direction::SouthEast as usize, (south, east), (north, west))
        };
        for y in 0..height {
            for x in 0..width {
                let at = corners.at(x, y);
                let (diagonal, place) = this.locate(x as u32, y as u32);
                let index = this.first[diagonal] as usize + place as usize / WORD_BITS;
                let word = &mut this.words[index];
                let shift = place as usize % WORD_BITS;
                let put = |bits: &mut u64, value| *bits |= u64::from(value) << shift;
                put(&mut word.open, corners.steps(at, up));
                put(&mut word.through, corners.is_through(at, rising));
                put(&mut word.sees[0][0], corners.meets(at, east));
                put(&mut word.sees[0][1], corners.meets(at, north));
                put(&mut word.sees[1][0], corners.meets(at, west));
                put(&mut word.sees[1][1], corners.meets(at, south));
            }
        }
        this
    }

    /// The columns that a diagonal crosses.
    fn columns(width: usize, height: usize, diagonal: usize) -> std::ops::Range<usize> {
        diagonal.saturating_sub(height - 1)..diagonal.min(width - 1) + 1
    }

    /// Where each diagonal begins.
    pub(super) fn layout(width: usize, height: usize) -> Vec<u32> {
        let mut first = vec![0];
        let mut total = 0;
        for diagonal in 0..width + height - 1 {
            total += Self::columns(width, height, diagonal).len().div_ceil(WORD_BITS) as u32;
            first.push(total);
        }
        first
    }

    /// The diagonal of a cell, and its place on it.
    #[inline]
    fn locate(&self, x: u32, y: u32) -> (usize, u32) {
        // Falling diagonals are those of the map turned upside down.
        let y = if self.rising { y } else { self.height - 1 - y };
        let diagonal = x + y;
        (diagonal as usize, x - diagonal.saturating_sub(self.height - 1))
    }

    #[inline]
    pub(super) fn place(&self, x: u32, y: u32) -> LinePosition<'_> {
        let (diagonal, at) = self.locate(x, y);
        let (first, end) = (self.first[diagonal] as usize, self.first[diagonal + 1] as usize);
        LinePosition { words: &self.words[first..end], at }
    }
}

impl LinePosition<'_> {
    /// How many cells one can go along the diagonal.
    #[inline]
    pub(super) fn clearance(self, up: bool) -> u32 {
        if up {
            next_set(self.words, self.at, |word| !word.open) - self.at
        } else {
            let wall = last_set(self.words, self.at, |word| !word.open);
            wall.map_or(self.at, |wall| self.at - 1 - wall)
        }
    }

    /// How far the next through cell is, if there is one.
    #[inline]
    pub(super) fn to_through(self, up: bool) -> Option<u32> {
        if up {
            let next = next_set(self.words, self.at + 1, |word| word.through);
            (next < self.words.len() as u32 * WORD_BITS as u32).then(|| next - self.at)
        } else {
            last_set(self.words, self.at, |word| word.through).map(|last| self.at - last)
        }
    }
}

/// The first set bit at or after a place; the end of the line if there is none.
#[inline]
fn next_set<W>(words: &[W], place: u32, bits: impl Fn(&W) -> u64) -> u32 {
    let first = place as usize / WORD_BITS;
    let mut mask = !0 << (place as usize % WORD_BITS);
    for (index, word) in words.iter().enumerate().skip(first) {
        let found = bits(word) & mask;
        if found != 0 {
            return (index * WORD_BITS) as u32 + found.trailing_zeros();
        }
        mask = !0;
    }
    (words.len() * WORD_BITS) as u32
}

/// The last set bit before a place.
#[inline]
fn last_set<W>(words: &[W], place: u32, bits: impl Fn(&W) -> u64) -> Option<u32> {
    let last = place as usize / WORD_BITS;
    let mut mask = (1 << (place as usize % WORD_BITS)) - 1;
    for index in (0..=last.min(words.len().checked_sub(1)?)).rev() {
        let found = bits(&words[index]) & mask;
        if found != 0 {
            return Some((index * WORD_BITS) as u32 + 63 - found.leading_zeros());
        }
        mask = !0;
    }
    None
}

/// Calls `each` with the places of the set bits in a range.
#[inline]
pub(super) fn for_each_set<W>(
    words: &[W],
    range: std::ops::Range<u32>,
    bits: impl Fn(&W) -> u64,
    mut each: impl FnMut(u32),
) {
    let mut at = range.start;
    while at < range.end {
        let index = at as usize / WORD_BITS;
        let begin = (index * WORD_BITS) as u32;
        let mut found = bits(&words[index]) & !0 << (at - begin);
        if range.end - begin < WORD_BITS as u32 {
            found &= (1 << (range.end - begin)) - 1;
        }
        while found != 0 {
            each(begin + found.trailing_zeros());
            found &= found - 1;
        }
        at = begin + WORD_BITS as u32;
    }
}
