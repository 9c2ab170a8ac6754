//! A block of 64 × 64 cells of one domain: its free cells, and which of them are connected inside it.
//!
//! ```text
//!   # . . # .      each row is a word; the runs of free cells in it are numbered, row by row, and each run
//!   # . # # .      knows its part. A cell finds its run by counting the runs that begin before it, so that
//!   . . . # #      nothing has to be kept for single cells.
//! ```
//!
//! Parts that touch the border of the block are *open* and numbered first, in the order in which one meets
//! them along the border. So an edit inside a block that leaves the border connected as it was changes
//! no number of an open part, and nothing outside the block has to know of it.

use crate::grid::Board;

/// Columns and rows of a block, and the logarithm of that.
pub(super) const SIDE: u32 = 64;
pub(super) const SIDE_BITS: u32 = 6;
const LAST: usize = SIDE as usize - 1;

/// The sides of a block that a part touches, a bit a side.
pub(super) const NORTH: u8 = 1;
pub(super) const EAST: u8 = 2;
pub(super) const SOUTH: u8 = 4;
pub(super) const WEST: u8 = 8;

/// The neighbours that a block keeps its edges to, by columns and rows; the others keep theirs to it. The last
/// two matter only where diagonal steps slip between obstacles.
pub(super) const TOWARDS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// A part of a block touches a part of the neighbour in that one of [`TOWARDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) toward: u8,
    pub(super) own: u16,
    pub(super) other: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// The free cells of each row.
    pub(super) rows: [u64; SIDE as usize],
    /// The number of each row's first run.
    first_run: [u16; SIDE as usize],
    /// The part of each run.
    parts: Box<[u16]>,
    /// The sides that each open part touches.
    pub(super) sides: Box<[u8]>,
    pub(super) edges: Box<[Edge]>,
}

impl Leaf {
    /// The block at that column and row of blocks, without edges. `aside`: diagonal steps slip between
    /// obstacles.
    pub(super) fn read(board: &Board, height: u32, (column, row): (u32, u32), aside: bool) -> Self {
        let top = row << SIDE_BITS;
        let mut rows = [0; SIDE as usize];
        for (y, bits) in (top..height).zip(&mut rows) {
            // Rows of a board begin with a cell of border.
            let words = board.row(y + 1);
            *bits =
                words.word(column as usize) >> 1 | words.word_or_zero(column as usize + 1) << 63;
        }
        Self::of(rows, aside)
    }

    fn of(rows: [u64; SIDE as usize], aside: bool) -> Self {
        let mut first_run = [0; SIDE as usize];
        let mut sets: Vec<u16> = Vec::new();
        let (mut above, mut above_first) = (0, 0);
        for (&row, first_run) in rows.iter().zip(&mut first_run) {
            *first_run = sets.len() as u16;
            join_rows(&mut sets, (above, above_first), row, aside);
            (above, above_first) = (row, *first_run);
        }
        let mut leaf = Self {
            rows,
            first_run,
            parts: sets.into(),
            sides: Box::default(),
            edges: Box::default(),
        };
        leaf.number();
        leaf
    }

    /// Turns sets of runs into numbers of parts.
    fn number(&mut self) {
        const UNKNOWN: u16 = u16::MAX;
        let mut sets = std::mem::take(&mut self.parts);
        let mut numbers = vec![UNKNOWN; sets.len()];
        let mut sides: Vec<u8> = Vec::new();
        self.for_each_border_run(|run, side| {
            let root = usize::from(find(&mut sets, run));
            if numbers[root] == UNKNOWN {
                numbers[root] = sides.len() as u16;
                sides.push(0);
            }
            sides[usize::from(numbers[root])] |= side;
        });
        let mut count = sides.len() as u16;
        for run in 0..sets.len() as u16 {
            let root = usize::from(find(&mut sets, run));
            if numbers[root] == UNKNOWN {
                numbers[root] = count;
                count += 1;
            }
            numbers[usize::from(run)] = numbers[root];
        }
        self.parts = numbers.into();
        self.sides = sides.into();
    }

    /// Visits the runs along the border, in an order that depends on the cells there alone.
    fn for_each_border_run(&self, mut visit: impl FnMut(u16, u8)) {
        let row_of = |y: usize| self.runs_of(y);
        row_of(0).for_each(|run| visit(run, NORTH));
        for y in (0..=LAST).filter(|&y| self.rows[y] >> LAST == 1) {
            visit(row_of(y).end - 1, EAST);
        }
        row_of(LAST).for_each(|run| visit(run, SOUTH));
        for y in (0..=LAST).filter(|&y| self.rows[y] & 1 == 1) {
            visit(row_of(y).start, WEST);
        }
    }

    /// The numbers of a row's runs.
    fn runs_of(&self, y: usize) -> std::ops::Range<u16> {
        let first = self.first_run[y];
        first..first + starts(self.rows[y]).count_ones() as u16
    }

    /// The part of a free cell, by column and row in the block.
    #[inline]
    pub(super) fn part_at(&self, x: u32, y: u32) -> Option<u16> {
        let row = self.rows[y as usize];
        if row >> x & 1 == 0 {
            return None;
        }
        let before = starts(row) & (u64::MAX >> (LAST as u32 - x));
        let run = u32::from(self.first_run[y as usize]) + before.count_ones() - 1;
        Some(self.parts[run as usize])
    }

    /// The first and last columns of the runs of a row that belong to a part.
    pub(super) fn runs_in(&self, y: usize, part: u16) -> impl Iterator<Item = (u32, u32)> + '_ {
        let parts = self.runs_of(y).map(|run| self.parts[usize::from(run)]);
        let own = runs(self.rows[y]).zip(parts).filter(move |&(_, other)| other == part);
        own.map(|(run, _)| (run.trailing_zeros(), LAST as u32 - run.leading_zeros()))
    }

    /// Whether the cells along the border and their parts are the same as in another.
    pub(super) fn has_outline_of(&self, other: &Self) -> bool {
        let same_bits = |y: usize| {
            let ends = if y.is_multiple_of(LAST) { u64::MAX } else { 1 | 1 << LAST };
            (self.rows[y] ^ other.rows[y]) & ends == 0
        };
        if !(0..=LAST).all(same_bits) {
            return false;
        }
        let outline = |leaf: &Self| {
            let mut parts = [u16::MAX; 4 * SIDE as usize];
            let mut at = 0;
            leaf.for_each_border_run(|run, _| {
                parts[at] = leaf.parts[usize::from(run)];
                at += 1;
            });
            parts
        };
        outline(self) == outline(other)
    }

    /// Whether an open part has another number than in an earlier block, seen from any cell of the border
    /// that is free in both.
    pub(super) fn is_renumbered_from(&self, before: &Self) -> bool {
        let differs = |x: u32, y: u32| match (self.part_at(x, y), before.part_at(x, y)) {
            (Some(now), Some(then)) => now != then,
            _ => false,
        };
        let last = LAST as u32;
        let around =
            |at: u32| differs(at, 0) || differs(at, last) || differs(0, at) || differs(last, at);
        self.sides != before.sides || (0..SIDE).any(around)
    }

    /// How its parts touch those of its neighbours: see [`TOWARDS`].
    pub(super) fn find_edges(&self, neighbours: [Option<&Self>; 4], aside: bool) -> Box<[Edge]> {
        let mut edges: Vec<Edge> = Vec::new();
        let mut touch = |toward: u8, own: Option<u16>, other: Option<u16>| {
            if let (Some(own), Some(other)) = (own, other) {
                let edge = Edge { toward, own, other };
                if edges.last() != Some(&edge) {
                    edges.push(edge);
                }
            }
        };
        let (last, reach) = (LAST as u32, u32::from(aside));
        let [right, below, across, back] = neighbours;
        if let Some(right) = right {
            for y in (0..SIDE).filter(|&y| self.rows[y as usize] >> LAST == 1) {
                for beside in y.saturating_sub(reach)..=(y + reach).min(last) {
                    touch(0, self.part_at(last, y), right.part_at(0, beside));
                }
            }
        }
        if let Some(below) = below {
            let widened = |run: u64| if aside { run | run << 1 | run >> 1 } else { run };
            for run in runs(self.rows[LAST]) {
                let own = self.part_at(run.trailing_zeros(), last);
                for met in runs(below.rows[0]).filter(|met| met & widened(run) != 0) {
                    touch(1, own, below.part_at(met.trailing_zeros(), 0));
                }
            }
        }
        if aside {
            touch(2, self.part_at(last, last), across.and_then(|leaf| leaf.part_at(0, 0)));
            touch(3, self.part_at(0, last), back.and_then(|leaf| leaf.part_at(last, 0)));
        }
        edges.sort_unstable();
        edges.dedup();
        edges.into()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.parts.len() * size_of::<u16>()
            + self.sides.len()
            + self.edges.len() * size_of::<Edge>()
    }
}

/// Adds a set for each run of a row, joined with those that it touches in the row above.
fn join_rows(sets: &mut Vec<u16>, (above, above_first): (u64, u16), row: u64, aside: bool) {
    let mut left = above;
    let mut number = above_first;
    for run in runs(row) {
        let own = sets.len() as u16;
        sets.push(own);
        let near = if aside { run | run << 1 | run >> 1 } else { run };
        // The runs above that end before this one touch none of those that follow, either.
        loop {
            let first = lowest_run(left);
            if first == 0 || first.trailing_zeros() > LAST as u32 - near.leading_zeros() {
                break;
            }
            if first & near != 0 {
                let (a, b) = (find(sets, own), find(sets, number));
                sets[usize::from(a.max(b))] = a.min(b);
                let ends_later = first.leading_zeros() <= near.leading_zeros();
                if ends_later {
                    break;
                }
            }
            left &= !first;
            number += 1;
        }
    }
}

/// A bit for the first cell of each run.
#[inline]
fn starts(row: u64) -> u64 {
    row & !(row << 1)
}

/// The first run of a row.
fn lowest_run(row: u64) -> u64 {
    let carried = row.wrapping_add(row & row.wrapping_neg());
    row & !carried
}

/// The runs of a row, each as the bits of its cells.
fn runs(mut row: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let run = lowest_run(row);
        row &= !run;
        (run != 0).then_some(run)
    })
}

/// The smallest member of a set; the way to it gets shorter.
fn find(sets: &mut [u16], mut at: u16) -> u16 {
    while sets[usize::from(at)] != at {
        sets[usize::from(at)] = sets[usize::from(sets[usize::from(at)])];
        at = sets[usize::from(at)];
    }
    at
}
