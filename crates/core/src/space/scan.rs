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
    let mut word = (from / WORD_BITS) as usize;
    // Two shifts, as one of 64 would be none.
    let mut after = !0 << (from % WORD_BITS) << 1;
    let (mut above_before, mut below_before) = (0, 0);
    loop {
        let [above, free, below] = board.three_words(line, word);
        let turns = if RULE == NEVER_CUT {
            // The bit of the cell behind moves up; at a seam it is the last of the word before.
            above & !(above << 1 | above_before >> 63) | below & !(below << 1 | below_before >> 63)
        } else {
            let [above_next, free_next, below_next] = board.three_words(line, word + 1);
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
        (above_before, below_before, after) = (above, below, !0);
        word += 1;
    }
}

#[inline]
fn behind<const RULE: usize>(board: &Board, line: u32, from: u32) -> Met {
    let mut word = (from / WORD_BITS) as usize;
    let mut before = (1 << (from % WORD_BITS)) - 1;
    let (mut above_after, mut below_after) = (0, 0);
    loop {
        let [above, free, below] = board.three_words(line, word);
        let turns = if RULE == NEVER_CUT {
            above & !(above >> 1 | above_after << 63) | below & !(below >> 1 | below_after << 63)
        } else {
            // The first word begins with the border: there is nothing to turn to.
            let [above_next, free_next, below_next] =
                if word > 0 { board.three_words(line, word - 1) } else { [0; 3] };
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
        (above_after, below_after, before) = (above, below, !0);
        // The border of zeros has stopped every scan before the first word's begin.
        word -= 1;
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
