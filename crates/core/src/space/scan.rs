//! Looking along a row or a column, 64 cells at a time: where does one meet a turning point or a wall?
//!
//! ```text
//!   . . # # . .      moving east along the middle row with no corner to be cut, c is a turning
//!   x → → → c .      point: the cell above it is free, the one behind that is not, so that no
//!   . . . . . .      shorter way leads up past the wall
//!
//!   . . # # . .      where corners may be cut, one turns a cell earlier: the cell above c is
//!   x → → c . .      blocked, and the one after that is free
//! ```
//!
//! The bits of a line and of the two beside it tell: a few operations on words give the turning points
//! of 64 cells (Harabor and Grastien, "Improving Jump Point Search", 2014).
//!
//! Invariant: a turning point is a cell at which the canonical successors of a straight step are more
//! than the next straight step; a test compares the two over all neighbourhoods.

use crate::grid::{Board, MovementRule};

const WORD_BITS: u32 = 64;

/// What a look along a line meets first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    /// How many cells away.
    pub(crate) distance: u32,
    /// A turning point; else a wall.
    pub(crate) turn: bool,
}

/// Along a board's line `line`, from its cell `at` towards higher cells or lower ones.
///
/// PERF: the rule is a constant to the compiler, so that each has a loop without branches on it.
#[inline]
pub(crate) fn scan<const RULE: usize>(board: &Board, line: u32, at: u32, forward: bool) -> Met {
    // Padded, the cell is one further.
    if forward { ahead::<RULE>(board, line, at + 1) } else { behind::<RULE>(board, line, at + 1) }
}

pub(crate) const NEVER_CUT: usize = MovementRule::NeverCutCorners as usize;
pub(crate) const AT_MOST_ONE: usize = MovementRule::AtMostOneObstacle as usize;
pub(crate) const ALWAYS: usize = MovementRule::AlwaysDiagonal as usize;

#[inline]
fn ahead<const RULE: usize>(board: &Board, line: u32, from: u32) -> Met {
    // Two shifts, as one of 64 would be none.
    let after = !0 << (from % WORD_BITS) << 1;
    ahead_from::<RULE>(board, line, from, from / WORD_BITS, after, [0; 2])
}

/// From a word on, of the cells `after`, with the words above and below of the one before.
#[inline]
fn ahead_from<const RULE: usize>(
    board: &Board,
    line: u32,
    from: u32,
    word: u32,
    mut after: u64,
    mut beside_before: [u64; 2],
) -> Met {
    let rows = board.three_rows(line);
    let mut word = word as usize;
    loop {
        let [above, free, below] = rows.words(word);
        let turns = if RULE == NEVER_CUT {
            // The bit of the cell behind moves up; at a seam it is the last of the word before.
            above & !(above << 1 | beside_before[0] >> 63)
                | below & !(below << 1 | beside_before[1] >> 63)
        } else {
            let [above_next, free_next, below_next] = rows.words(word + 1);
            let turns =
                !above & (above >> 1 | above_next << 63) | !below & (below >> 1 | below_next << 63);
            if RULE == AT_MOST_ONE { turns & (free >> 1 | free_next << 63) } else { turns }
        };
        let stops = (turns | !free) & after;
        if stops != 0 {
            let bit = stops.trailing_zeros();
            let distance = word as u32 * WORD_BITS + bit - from;
            return Met { distance, turn: free >> bit & 1 == 1 };
        }
        (beside_before, after) = ([above, below], !0);
        word += 1;
    }
}

#[inline]
fn behind<const RULE: usize>(board: &Board, line: u32, from: u32) -> Met {
    let before = (1 << (from % WORD_BITS)) - 1;
    behind_from::<RULE>(board, line, from, from / WORD_BITS, before, [0; 2])
}

/// From a word down, of the cells `before`, with the words above and below of the one after.
#[inline]
fn behind_from<const RULE: usize>(
    board: &Board,
    line: u32,
    from: u32,
    word: u32,
    mut before: u64,
    mut beside_after: [u64; 2],
) -> Met {
    let rows = board.three_rows(line);
    let mut word = word as usize;
    loop {
        let [above, free, below] = rows.words(word);
        let turns = if RULE == NEVER_CUT {
            above & !(above >> 1 | beside_after[0] << 63)
                | below & !(below >> 1 | beside_after[1] << 63)
        } else {
            // The first word begins with the border: there is nothing to turn to.
            let [above_next, free_next, below_next] =
                if word > 0 { rows.words(word - 1) } else { [0; 3] };
            let turns =
                !above & (above << 1 | above_next >> 63) | !below & (below << 1 | below_next >> 63);
            if RULE == AT_MOST_ONE { turns & (free << 1 | free_next >> 63) } else { turns }
        };
        let stops = (turns | !free) & before;
        if stops != 0 {
            let bit = WORD_BITS - 1 - stops.leading_zeros();
            let distance = from - word as u32 * WORD_BITS - bit;
            return Met { distance, turn: free >> bit & 1 == 1 };
        }
        (beside_after, before) = ([above, below], !0);
        // The border of zeros has stopped every scan before the first word's begin.
        word -= 1;
    }
}

/// As [`scan`] where no corner may be cut, if a turning point is what one meets first.
#[inline]
pub(crate) fn to_turn(board: &Board, line: u32, at: u32, forward: bool) -> Option<u32> {
    if forward {
        Window::<true, true>::new(board, line, at).to_turn()
    } else {
        Window::<true, false>::new(board, line, at).to_turn()
    }
}

/// What lies ahead of a cell that moves along a diagonal, where no corner may be cut: bits of its own line
/// and of the two beside it.
///
/// ```text
///   above   . . . . . .      a step down makes the line below the middle one: of three words
///   middle  . x . . . .      only one is new
///   below   . . . . . .
/// ```
///
/// PERF: words begin at any byte, so that at least [`SEEN_MIN`] cells ahead are seen: most scans end within
/// them, and the branch that asks is well predicted. With words at multiples of 64 cells, jump points on
/// AcrosstheCape took 96 µs a query; looking up all three words of every cell, 117.
pub(crate) struct Window<'b, const DOWN: bool, const FORWARD: bool> {
    board: &'b Board,
    line: u32,
    /// The byte of the line that the words begin with.
    byte: u32,
    /// The cell's bit in the words.
    bit: u32,
    /// Above, middle and below.
    words: [u64; 3],
}

const SEEN_MIN: u32 = 48;

impl<'b, const DOWN: bool, const FORWARD: bool> Window<'b, DOWN, FORWARD> {
    /// At a line's cell `at`, which will move a line down, or up, and a place forward, or back.
    #[inline(always)]
    pub(crate) fn new(board: &'b Board, line: u32, at: u32) -> Self {
        let mut this = Self { board, line, byte: 0, bit: at + 1, words: [0; 3] };
        this.look_ahead();
        this
    }

    #[inline(always)]
    fn look_ahead(&mut self) {
        let place = self.byte * 8 + self.bit;
        // Back from the cell's own byte.
        self.byte = if FORWARD { place / 8 } else { (place / 8).saturating_sub(7) };
        self.bit = place - self.byte * 8;
        self.words = self.board.three_windows(self.line, self.byte);
    }

    #[inline(always)]
    pub(crate) fn slide(&mut self) {
        self.line = if DOWN { self.line + 1 } else { self.line - 1 };
        self.bit = if FORWARD { self.bit + 1 } else { self.bit.wrapping_sub(1) };
        let seen = if FORWARD { WORD_BITS - self.bit } else { self.bit };
        if seen < SEEN_MIN && (FORWARD || self.byte > 0) {
            return self.look_ahead();
        }
        let [above, middle, below] = self.words;
        self.words = if DOWN {
            [middle, below, self.board.window(self.line + 2, self.byte)]
        } else {
            [self.board.window(self.line, self.byte), above, middle]
        };
    }

    /// Whether the cell is free.
    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.words[1] >> self.bit & 1 == 1
    }

    /// Whether the cell of the next line is free.
    #[inline(always)]
    pub(crate) fn is_next_free(&self) -> bool {
        self.words[if DOWN { 2 } else { 0 }] >> self.bit & 1 == 1
    }

    /// How far ahead on the line lies a turning point, if that is what one meets first.
    #[inline(always)]
    pub(crate) fn to_turn(&self) -> Option<u32> {
        let [above, free, below] = self.words;
        let stops = if FORWARD {
            let turns = above & !(above << 1) | below & !(below << 1);
            (turns | !free) & (!0 << self.bit << 1)
        } else {
            let turns = above & !(above >> 1) | below & !(below >> 1);
            (turns | !free) & ((1 << self.bit) - 1)
        };
        if stops == 0 {
            return self.to_far_turn();
        }
        let first = if FORWARD { stops.trailing_zeros() } else { stops.ilog2() };
        (free >> first & 1 == 1).then_some(first.abs_diff(self.bit))
    }

    /// As [`Window::to_turn`], if the words show neither a turning point nor a wall.
    fn to_far_turn(&self) -> Option<u32> {
        let Self { board, line, byte, bit, words: [above, _, below] } = *self;
        let from = byte * 8 + bit;
        // The first place that has not been seen.
        let met = if FORWARD {
            let place = byte * 8 + WORD_BITS;
            let after = !0 << (place % WORD_BITS);
            ahead_from::<NEVER_CUT>(board, line, from, place / WORD_BITS, after, [above, below])
        } else {
            let place = byte * 8 - 1;
            let before = !0 >> (WORD_BITS - 1 - place % WORD_BITS);
            behind_from::<NEVER_CUT>(board, line, from, place / WORD_BITS, before, [above, below])
        };
        met.turn.then_some(met.distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, GridMap, Movement, Profile, StepCosts, Terrain};
    use crate::{Cell, Direction};

    /// A map with long free rows and seams of words inside them.
    fn grid(rule: MovementRule, width: u32, sparse: u32) -> Grid {
        let map = GridMap::from_fn(width, 9, |Cell { x, y }| {
            let noise = (x * 2_654_435 + y * 40_503 + x * y * 977) >> 3;
            if noise % sparse == 0 { Terrain::WALL } else { Terrain::GROUND }
        });
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT);
        Grid::new(map.unwrap(), movement.unwrap())
    }

    /// Step by step, by the table of canonical successors.
    fn plain(grid: &Grid, from: Cell, direction: Direction) -> Met {
        let (dx, dy) = direction.delta();
        let arrival = (dx + 1 + 3 * (dy + 1)) as usize;
        let mut at = from;
        for distance in 1.. {
            at = Cell::new(at.x.wrapping_add_signed(dx), at.y.wrapping_add_signed(dy));
            if !grid.is_enterable(at) {
                return Met { distance, turn: false };
            }
            let pattern = grid.board_of(at).unwrap().neighbourhood(at);
            let moves = grid.movement().canonical()[arrival][pattern];
            if moves & !(1 << direction as u8) != 0 {
                return Met { distance, turn: true };
            }
        }
        unreachable!("the map has an edge")
    }

    fn check<const RULE: usize>(rule: MovementRule) {
        for (width, sparse) in [(1, 3), (5, 2), (61, 5), (63, 30), (64, 9), (200, 3), (200, 60)] {
            let grid = grid(rule, width, sparse);
            for cell in grid.extent().cells().filter(|&cell| grid.is_enterable(cell)) {
                let (rows, columns) =
                    (grid.board_of(cell).unwrap(), grid.column_board_of(cell).unwrap());
                for (direction, met) in [
                    (Direction::East, scan::<RULE>(rows, cell.y, cell.x, true)),
                    (Direction::West, scan::<RULE>(rows, cell.y, cell.x, false)),
                    (Direction::South, scan::<RULE>(columns, cell.x, cell.y, true)),
                    (Direction::North, scan::<RULE>(columns, cell.x, cell.y, false)),
                ] {
                    let expected = plain(&grid, cell, direction);
                    assert_eq!(met, expected, "{direction:?} of {cell}, {} wide", width);
                }
            }
        }
    }

    #[test]
    fn scans_stop_where_canonical_successors_say() {
        check::<NEVER_CUT>(MovementRule::NeverCutCorners);
        check::<AT_MOST_ONE>(MovementRule::AtMostOneObstacle);
        check::<ALWAYS>(MovementRule::AlwaysDiagonal);
    }
}
