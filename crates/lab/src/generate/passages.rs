//! Which neighbouring blocks are joined.

use super::Random;
use super::work::{Made, Work};

/// Where a neighbour lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    East,
    South,
    West,
    North,
}

impl Side {
    /// In the order in which sides are drawn: part of what a seed means.
    const ALL: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    const fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::North => Self::South,
        }
    }

    /// One of a set of sides, each equally likely; `None` of an empty set. A single side needs no
    /// random number and takes none.
    #[inline]
    fn draw(mut sides: u8, random: &mut Random) -> Option<Self> {
        let count = sides.count_ones();
        if count > 1 {
            for _ in 0..random.below(u64::from(count)) {
                sides &= sides.wrapping_sub(1);
            }
        }
        Self::ALL.get(sides.trailing_zeros() as usize).copied()
    }
}

/// The graph of blocks: one byte a block.
#[derive(Clone, Debug)]
pub(super) struct Passages {
    columns: u32,
    rows: u32,
    /// Row by row, with a frame of edges around, so that every block has four neighbours. A block
    /// has the sides on which it is open (lowest four bits) and the number of the side from which
    /// the walk first entered it (next two).
    blocks: Vec<u8>,
}

const OPEN_MASK: u8 = 0b1111;
const ENTERED_SHIFT: u32 = 4;
const ENTERED_MASK: u8 = 0b11;
/// What a block of the frame is.
const EDGE: u8 = 1 << 6;

impl Passages {
    /// A random spanning tree: all blocks are joined, and there is one way between any two.
    ///
    /// A random depth-first walk, known as the recursive backtracker: it goes on to a random
    /// neighbour that it has not entered yet and returns when there is none, which makes long
    /// winding ways with few branches. It is no uniform choice among all trees. The way back is
    /// kept in the blocks themselves, so there is neither recursion nor a stack. Time and memory are
    /// linear.
    pub(super) fn spanning_tree(
        columns: u32,
        rows: u32,
        random: &mut Random,
        work: &mut Work<'_, '_>,
    ) -> Made<Self> {
        let mut tree = Self::shut(columns, rows);
        let column = random.below(u64::from(columns)) as u32;
        let row = random.below(u64::from(rows)) as u32;
        let start = tree.index(column, row);
        let mut at = start;
        loop {
            work.piece()?;
            let unentered = tree.sides_where(at, |neighbour| neighbour == 0);
            if let Some(side) = Side::draw(unentered, random) {
                tree.join(at, side);
                at = tree.beyond(at, side);
                tree.blocks[at] |= (side.opposite() as u8) << ENTERED_SHIFT;
            } else if at == start {
                return Ok(tree);
            } else {
                let entered = tree.blocks[at] >> ENTERED_SHIFT & ENTERED_MASK;
                at = tree.beyond(at, Side::ALL[usize::from(entered)]);
            }
        }
    }

    /// A random spanning tree that branches: with that probability it grows from where it grew last, and
    /// else from any block that may still have room beside it. (The "growing tree" of Buck, "Mazes for
    /// Programmers", 2015.) Blocks to grow from are in a list, at most one entry a block.
    pub(super) fn branching_tree(
        columns: u32,
        rows: u32,
        winding_percent: u32,
        random: &mut Random,
        work: &mut Work<'_, '_>,
    ) -> Made<Self> {
        let mut tree = Self::shut(columns, rows);
        let column = random.below(u64::from(columns)) as u32;
        let row = random.below(u64::from(rows)) as u32;
        let mut growing = vec![tree.index(column, row) as u32];
        while let Some(last) = growing.len().checked_sub(1) {
            work.piece()?;
            let goes_on = random.chance(u64::from(winding_percent), 100);
            let from = if goes_on { last } else { random.below(last as u64 + 1) as usize };
            let at = growing[from] as usize;
            match Side::draw(tree.sides_where(at, |neighbour| neighbour == 0), random) {
                Some(side) => {
                    tree.join(at, side);
                    growing.push(tree.beyond(at, side) as u32);
                }
                None => {
                    growing.swap_remove(from);
                }
            }
        }
        Ok(tree)
    }

    /// Opens a second way out of dead ends, row by row, each with that probability; a dead end that
    /// another has broken into is none any more.
    pub(super) fn braid(&mut self, percent: u32, random: &mut Random) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let at = self.index(column, row);
                let open = self.blocks[at] & OPEN_MASK;
                if open.count_ones() == 1 && random.chance(u64::from(percent), 100) {
                    let inside = self.sides_where(at, |neighbour| neighbour != EDGE);
                    if let Some(side) = Side::draw(inside & !open, random) {
                        self.join(at, side);
                    }
                }
            }
        }
    }

    /// Whether a block and its neighbour on that side are joined.
    #[inline]
    pub(super) fn is_open(&self, column: u32, row: u32, side: Side) -> bool {
        self.blocks[self.index(column, row)] & side.bit() != 0
    }

    /// Whether a block has a neighbour on that side and is not joined to it.
    pub(super) fn is_closed(&self, column: u32, row: u32, side: Side) -> bool {
        let neighbour = self.beyond(self.index(column, row), side);
        !self.is_open(column, row, side) && self.blocks[neighbour] != EDGE
    }

    /// Joins a block to its neighbour on a side that is closed.
    pub(super) fn open(&mut self, column: u32, row: u32, side: Side) {
        self.join(self.index(column, row), side);
    }

    /// Blocks without any passage, in their frame.
    fn shut(columns: u32, rows: u32) -> Self {
        let (width, height) = (columns as usize + 2, rows as usize + 2);
        let mut blocks = vec![0; width * height];
        blocks[..width].fill(EDGE);
        blocks[width * (height - 1)..].fill(EDGE);
        for row in blocks.chunks_exact_mut(width) {
            row[0] = EDGE;
            row[width - 1] = EDGE;
        }
        Self { columns, rows, blocks }
    }

    #[inline]
    fn join(&mut self, at: usize, side: Side) {
        let neighbour = self.beyond(at, side);
        self.blocks[at] |= side.bit();
        self.blocks[neighbour] |= side.opposite().bit();
    }

    /// The sides of a block, as bits, on which the neighbour is of some kind.
    ///
    /// PERF: without branches, which a random walk would make the processor guess wrong.
    #[inline]
    fn sides_where(&self, at: usize, kind: impl Fn(u8) -> bool) -> u8 {
        let bit = |side: Side| u8::from(kind(self.blocks[self.beyond(at, side)])) << side as u8;
        bit(Side::East) | bit(Side::South) | bit(Side::West) | bit(Side::North)
    }

    /// The neighbour on that side of a block that is not of the frame.
    #[inline]
    fn beyond(&self, at: usize, side: Side) -> usize {
        let width = self.columns as usize + 2;
        match side {
            Side::East => at + 1,
            Side::South => at + width,
            Side::West => at - 1,
            Side::North => at - width,
        }
    }

    #[inline]
    fn index(&self, column: u32, row: u32) -> usize {
        (row as usize + 1) * (self.columns as usize + 2) + column as usize + 1
    }
}
