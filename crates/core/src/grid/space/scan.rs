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
//! The bits of a line and of the two beside it suffice: a few operations on words give the turning points
//! of 64 cells (Harabor and Grastien, "Improving Jump Point Search", 2014).
//!
//! Invariant: a turning point is a cell at which the canonical successors of a straight step are more
//! than the next straight step; a test compares the two over all neighbourhoods.

use crate::grid::{Board, Cursor, MovementRule};

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
    let rows = board.three_rows(line);
    let mut word = (from / WORD_BITS) as usize;
    // Two shifts, as one of 64 would be none.
    let mut after = !0 << (from % WORD_BITS) << 1;
    let (mut above_before, mut below_before) = (0, 0);
    loop {
        let [above, free, below] = rows.words(word);
        let turns = if RULE == NEVER_CUT {
            // The bit of the cell behind moves up; at a seam it is the last of the word before.
            above & !(above << 1 | above_before >> 63) | below & !(below << 1 | below_before >> 63)
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
        (above_before, below_before, after) = (above, below, !0);
        word += 1;
    }
}

#[inline]
fn behind<const RULE: usize>(board: &Board, line: u32, from: u32) -> Met {
    let rows = board.three_rows(line);
    let mut word = (from / WORD_BITS) as usize;
    let mut before = (1 << (from % WORD_BITS)) - 1;
    let (mut above_after, mut below_after) = (0, 0);
    loop {
        let [above, free, below] = rows.words(word);
        let turns = if RULE == NEVER_CUT {
            above & !(above >> 1 | above_after << 63) | below & !(below >> 1 | below_after << 63)
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
        (above_after, below_after, before) = (above, below, !0);
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
/// PERF: at least [`SEEN_MIN`] cells ahead are seen, so that most scans end within them and the branch that
/// asks is well predicted. Jump points on AcrosstheCape (`highroad bench AcrosstheCape.map --planner jps`)
/// took 84 µs a query so; 96 with words that begin at multiples of 64 cells, 97 with words of 128; and 117
/// looking up three words for every cell.
pub(crate) struct Window<'b, const DOWN: bool, const FORWARD: bool> {
    board: &'b Board,
    /// The byte of the line that the words begin with.
    byte: u32,
    /// The cell's bit in the words.
    here: u64,
    /// Above, middle and below.
    words: [u64; 3],
    /// Where the last word comes from: the line below, or above.
    cursor: Cursor<'b>,
}

const SEEN_MIN: u32 = 48;

impl<'b, const DOWN: bool, const FORWARD: bool> Window<'b, DOWN, FORWARD> {
    /// At a line's cell `at`, which will move a line down, or up, and a place forward, or back.
    #[inline(always)]
    pub(crate) fn new(board: &'b Board, line: u32, at: u32) -> Self {
        let place = at + 1;
        // Back from the cell's own byte.
        let byte = if FORWARD { place / 8 } else { (place / 8).saturating_sub(7) };
        let mut cursor = board.cursor(if DOWN { line } else { line + 2 }, byte);
        let first = cursor.bits();
        let (second, third) = (cursor.next_bits(DOWN), cursor.next_bits(DOWN));
        let words = if DOWN { [first, second, third] } else { [third, second, first] };
        Self { board, byte, here: 1 << (place - byte * 8), words, cursor }
    }

    #[inline(always)]
    fn line(&self) -> u32 {
        if DOWN { self.cursor.row() - 2 } else { self.cursor.row() }
    }

    /// The cell's place on the line.
    #[inline(always)]
    fn place(&self) -> u32 {
        self.byte * 8 + self.here.trailing_zeros()
    }

    #[inline(always)]
    pub(crate) fn slide(&mut self) {
        // The bit at which fewer cells than that are seen ahead.
        let turned = if FORWARD { 1 << (WORD_BITS - SEEN_MIN + 1) } else { 1 << (SEEN_MIN - 1) };
        self.here = if FORWARD { self.here << 1 } else { self.here >> 1 };
        if self.here == turned && (FORWARD || self.byte > 0) {
            let line = self.line();
            let line = if DOWN { line + 1 } else { line - 1 };
            *self = Self::new(self.board, line, self.place() - 1);
            return;
        }
        let [above, middle, below] = self.words;
        let next = self.cursor.next_bits(DOWN);
        self.words = if DOWN { [middle, below, next] } else { [next, above, middle] };
    }

    /// Whether the cell is free.
    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.words[1] & self.here != 0
    }

    /// Whether the cell of the next line is free.
    #[inline(always)]
    pub(crate) fn is_next_free(&self) -> bool {
        self.words[if DOWN { 2 } else { 0 }] & self.here != 0
    }

    /// How far ahead on the line lies a turning point, if that is what one meets first.
    #[inline(always)]
    pub(crate) fn to_turn(&self) -> Option<u32> {
        let [above, free, below] = self.words;
        let turns = if FORWARD {
            above & !(above << 1) | below & !(below << 1)
        } else {
            above & !(above >> 1) | below & !(below >> 1)
        };
        let ahead = if FORWARD { (self.here << 1).wrapping_neg() } else { self.here - 1 };
        let (turns, walls) = (turns & free & ahead, !free & ahead);
        if turns | walls == 0 {
            let line = self.line();
            return Self::to_far_turn(self.board, line, self.byte, self.place(), [above, below]);
        }
        if FORWARD {
            // The lowest bit of both.
            let first = (turns | walls) & (turns | walls).wrapping_neg();
            (turns & first != 0).then(|| first.trailing_zeros() - self.here.trailing_zeros())
        } else {
            // Of two numbers without a common bit, the larger one has the highest.
            (turns > walls).then(|| self.here.trailing_zeros() - turns.ilog2())
        }
    }

    /// As [`Window::to_turn`], if the words from a byte on show neither a turning point nor a wall.
    ///
    /// PERF: passed by value, so that a window can live in registers.
    #[inline(never)]
    fn to_far_turn(
        board: &Board,
        line: u32,
        mut byte: u32,
        place: u32,
        [mut above_before, mut below_before]: [u64; 2],
    ) -> Option<u32> {
        loop {
            // Towards the line's begin the last words may overlap those seen before.
            let unseen = if FORWARD || byte >= WORD_BITS / 8 { !0 } else { (1 << (byte * 8)) - 1 };
            byte = if FORWARD { byte + WORD_BITS / 8 } else { byte.saturating_sub(WORD_BITS / 8) };
            let [above, free, below] = board.three_windows(line, byte);
            let turns = if FORWARD {
                above & !(above << 1 | above_before >> 63)
                    | below & !(below << 1 | below_before >> 63)
            } else {
                above & !(above >> 1 | above_before << 63)
                    | below & !(below >> 1 | below_before << 63)
            };
            let stops = (turns | !free) & unseen;
            if stops != 0 {
                let bit = if FORWARD { stops.trailing_zeros() } else { stops.ilog2() };
                return (free >> bit & 1 == 1).then_some((byte * 8 + bit).abs_diff(place));
            }
            (above_before, below_before) = (above, below);
        }
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

    /// Slides over a board to its edge: after each step it sees what a scan from there sees.
    fn check_slides<const DOWN: bool, const FORWARD: bool>(board: &Board, line: u32, at: u32) {
        let mut window = Window::<DOWN, FORWARD>::new(board, line, at);
        let (mut line, mut at) = (line, at);
        loop {
            let met = scan::<NEVER_CUT>(board, line, at, FORWARD);
            assert_eq!(
                window.to_turn(),
                met.turn.then_some(met.distance),
                "line {line}, place {at}"
            );
            let neighbours = board.neighbourhood(Cell::new(at, line));
            assert_eq!(window.is_free(), neighbours >> 4 & 1 == 1);
            assert_eq!(window.is_next_free(), neighbours >> if DOWN { 7 } else { 1 } & 1 == 1);
            // As long as the way is free there is a next line and a next place.
            let beside = neighbours >> if FORWARD { 5 } else { 3 } & 1 == 1;
            if !window.is_next_free() || !beside {
                return;
            }
            line = line.wrapping_add_signed(if DOWN { 1 } else { -1 });
            at = at.wrapping_add_signed(if FORWARD { 1 } else { -1 });
            window.slide();
        }
    }

    #[test]
    fn a_window_that_slides_sees_what_scans_see() {
        let noise = |Cell { x, y }: Cell| (x * 2_654_435 + y * 40_503 + x * y * 977) >> 3;
        for sparse in [7, 90, 4000] {
            // Wide enough for several words, high enough for several bands.
            let map = GridMap::from_fn(300, 420, |cell| {
                if noise(cell) % sparse == 0 { Terrain::WALL } else { Terrain::GROUND }
            });
            let grid = Grid::with_defaults(map.unwrap());
            for cell in grid.extent().cells().step_by(101).filter(|&cell| grid.is_enterable(cell)) {
                for (board, line, at) in [
                    (grid.board_of(cell).unwrap(), cell.y, cell.x),
                    (grid.column_board_of(cell).unwrap(), cell.x, cell.y),
                ] {
                    check_slides::<true, true>(board, line, at);
                    check_slides::<true, false>(board, line, at);
                    check_slides::<false, true>(board, line, at);
                    check_slides::<false, false>(board, line, at);
                }
            }
        }
    }
}
