//! Visibility sweeps: to which cells of an octant the shortest conceivable way is open.
//!
//! On uniform terrain no way from an anchor to a cell t rows away and i ≤ t columns aside is cheaper
//! than i diagonal and t − i straight steps, all within one octant. A sweep finds the cells that have
//! such a way, a row at a time and 64 columns an operation:
//!
//! ```text
//!   R₀   @                     R(t+1) = straight | diagonal, where
//!   R₁   o o                     straight = R(t) & free(t+1)
//!   R₂   o # o                   diagonal = straight « 1 & free(t) & free(t+1)
//!   R₃   o # . o               when no corner may be cut: the shifted bits passed the corner
//!   R₄   o o # o o             in the next row, the mask is the one in the row they left
//! ```
//!
//! The words are those of the board, so that nothing has to be aligned; a sweep towards lower columns
//! shifts the other way, and one along the columns reads the transposed board. Without diagonal steps
//! the shortest ways are the staircases of a quadrant: there each row is filled along its free runs.
//!
//! Invariant: bit i of row t is set if and only if a way of octile length (Manhattan length, for
//! four-way movement) leads there from the anchor, as far as the limit on columns goes. A row costs
//! its set words: O(t / 64) at most. All rows are kept, so that a way can be walked back.

use crate::grid::{Board, Cell, Grid, MovementRule, Row};

const WORD_BITS: u32 = 64;

/// PERF: rows swept beyond the one asked for, as paths mostly ask for the next one next.
const ROWS_AHEAD: usize = 7;

/// One of eight: along which axis a sweep goes, which way, and to which side it spreads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Octant {
    /// From column to column; else from row to row.
    along_x: bool,
    /// Towards lower rows.
    backward: bool,
    /// Spreading towards lower columns.
    down: bool,
}

impl Octant {
    pub(super) const COUNT: usize = 8;

    /// The octant in which one cell sees another; on a border between two, either serves.
    #[inline]
    pub(super) fn of(rule: MovementRule, from: Cell, to: Cell) -> Self {
        let (columns, rows) = from.offset(to);
        let (left, above) = (to.x < from.x, to.y < from.y);
        // Four octants make do as quadrants.
        if columns > rows && rule.has_diagonals() {
            Self { along_x: true, backward: left, down: above }
        } else {
            Self { along_x: false, backward: above, down: left }
        }
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.along_x) << 2 | usize::from(self.backward) << 1 | usize::from(self.down)
    }

    /// A cell's padded row and column on the board that the octant reads.
    #[inline]
    fn place(self, cell: Cell) -> (u32, u32) {
        if self.along_x { (cell.x + 1, cell.y + 1) } else { (cell.y + 1, cell.x + 1) }
    }

    fn cell(self, (row, column): (u32, u32)) -> Cell {
        let (row, column) = (row - 1, column - 1);
        if self.along_x { Cell { x: row, y: column } } else { Cell { x: column, y: row } }
    }
}

/// The boards of one domain, and the rule of its steps.
#[derive(Clone, Copy)]
pub(super) struct View<'g> {
    rows: &'g Board,
    columns: &'g Board,
    pub(super) rule: MovementRule,
    /// Where cells differ in cost, the grid and the smallest cost.
    uneven: Option<(&'g Grid, u32)>,
}

impl<'g> View<'g> {
    /// What an agent on that cell sees, whatever cells cost; `None` if no agent may stand there. Where borders or heights
    /// count, over level ground alone.
    pub(super) fn new(grid: &'g Grid, cell: Cell) -> Option<Self> {
        if grid.is_shaped() {
            return Self::level(grid, cell);
        }
        let rows = grid.board_of(cell)?;
        let columns = grid.column_board_of(cell)?;
        Some(Self { rows, columns, rule: grid.movement().rule(), uneven: None })
    }

    /// The same over level ground alone: along such a way all cells cost the same.
    pub(super) fn level(grid: &'g Grid, cell: Cell) -> Option<Self> {
        let (rows, columns) = grid.level_boards_of(cell)?;
        let uneven = (!grid.is_all_level()).then(|| (grid, *grid.cost_range().start()));
        Some(Self { rows, columns, rule: grid.movement().rule(), uneven })
    }

    /// Whether sweeps may begin at a cell.
    #[inline]
    pub(super) fn may_begin(self, anchor: Cell) -> bool {
        self.uneven.is_none() || self.rows.bits_from(anchor) & 1 == 1
    }

    /// Whether no cell is cheaper than this one, so that no way costs less than one along which it sees.
    #[inline]
    pub(super) fn is_cheapest(self, cell: Cell) -> bool {
        self.uneven.is_none_or(|(grid, cheapest)| grid.cost_of(cell) == Some(cheapest))
    }

    /// Whether a stretch of a path costs at least as much as the straightest way between its ends over cells that
    /// cost what the first one does.
    #[inline]
    pub(super) fn gains(self, stretch: &[Cell]) -> bool {
        let Some((grid, _)) = self.uneven else { return true };
        let [first, .., last] = stretch else { return true };
        if self.is_cheapest(*first) {
            return true;
        }
        let (dx, dy) = first.offset(*last);
        let steps = grid.movement().steps();
        let sum = 2 * grid.cost_of(*first).unwrap_or(0);
        let price = |count: u32, diagonal| u64::from(count) * u64::from(steps.step(diagonal, sum));
        let straightest = if self.rule.has_diagonals() {
            price(dx.abs_diff(dy), false) + price(dx.min(dy), true)
        } else {
            price(dx + dy, false)
        };
        // Slopes do not count: the stretch may be turned round, and they only make it cost more.
        straightest <= grid.flat_cost_along(stretch).0
    }
}

/// The reached bits of one row: so many words from `offset` of the sweep's on, the first of which is
/// word `first` of the board's row, the others following outwards.
#[derive(Clone, Copy, Debug)]
struct Span {
    offset: u32,
    first: u16,
    len: u16,
}

/// A sweep of one octant, as far as it has been asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    octant: Octant,
    /// The anchor's padded row and column.
    anchor: (u32, u32),
    /// The outermost word that matters.
    limit: u16,
    spans: Vec<Span>,
    words: Vec<u64>,
    /// Nothing is reached in the row after the last.
    ended: bool,
}

impl Sweep {
    /// Begins again at an enterable anchor. Nothing is asked beyond `outermost`, a cell whose column
    /// (in the octant's terms) no cell asked for exceeds.
    pub(super) fn begin(&mut self, view: View<'_>, octant: Octant, anchor: Cell, outermost: Cell) {
        self.octant = octant;
        self.anchor = octant.place(anchor);
        self.limit = (octant.place(outermost).1 / WORD_BITS) as u16;
        self.ended = false;
        self.spans.clear();
        self.words.clear();
        let (row, column) = self.anchor;
        self.words.push(1 << (column % WORD_BITS));
        self.spans.push(Span { offset: 0, first: (column / WORD_BITS) as u16, len: 1 });
        if !view.rule.has_diagonals() {
            let bits = self.board(view).row(row);
            self.fill_next(bits);
            self.spans.remove(0);
        }
    }

    /// Whether the cell, which lies in the sweep's octant, is seen from the anchor.
    #[inline]
    pub(super) fn sees(&mut self, view: View<'_>, cell: Cell) -> bool {
        let (row, column) = self.octant.place(cell);
        let at = row.abs_diff(self.anchor.0) as usize;
        if at >= self.spans.len() {
            self.advance(view, at + ROWS_AHEAD);
        }
        at < self.spans.len() && self.reached(at, column)
    }

    /// Appends the cells of a way from the anchor, which is left out, to a cell that is seen.
    ///
    /// Back from a cell, a straight step is open exactly where the row before is reached in the same
    /// column; else the cell was reached diagonally or, on a staircase, from within its row.
    pub(super) fn push_way(&self, view: View<'_>, to: Cell, cells: &mut Vec<Cell>) {
        let begin = cells.len();
        let (mut row, mut column) = self.octant.place(to);
        while (row, column) != self.anchor {
            cells.push(self.octant.cell((row, column)));
            let at = row.abs_diff(self.anchor.0) as usize;
            let straight = at > 0 && self.reached(at - 1, column);
            if !straight {
                column = if self.octant.down { column + 1 } else { column - 1 };
            }
            if straight || view.rule.has_diagonals() {
                row = if self.octant.backward { row + 1 } else { row - 1 };
            }
        }
        cells[begin..].reverse();
    }

    #[inline]
    fn reached(&self, at: usize, column: u32) -> bool {
        let span = self.spans[at];
        let (word, first) = (column / WORD_BITS, u32::from(span.first));
        let place =
            if self.octant.down { first.wrapping_sub(word) } else { word.wrapping_sub(first) };
        place < u32::from(span.len)
            && self.words[(span.offset + place) as usize] >> (column % WORD_BITS) & 1 == 1
    }

    fn board<'g>(&self, view: View<'g>) -> &'g Board {
        if self.octant.along_x { view.columns } else { view.rows }
    }

    /// Goes on to a row, so many beyond the anchor's, or as far as anything is reached.
    #[inline(never)]
    fn advance(&mut self, view: View<'_>, at: usize) {
        let board = self.board(view);
        match view.rule {
            MovementRule::FourWay => self.advance_quadrant(board, at),
            MovementRule::NeverCutCorners => {
                self.advance_octant(board, at, |_, past, corners| past & corners);
            }
            MovementRule::AtMostOneObstacle => {
                self.advance_octant(board, at, |moved, past, corners| past | moved & corners);
            }
            MovementRule::AlwaysDiagonal => self.advance_octant(board, at, |moved, _, _| moved),
        }
    }

    fn advance_quadrant(&mut self, board: &Board, at: usize) {
        while self.spans.len() <= at && !self.ended {
            let row = self.row_after(self.last_row());
            self.fill_next(board.row(row));
        }
    }

    /// `diagonal` says which diagonal steps may be taken into free cells, from the bits that would
    /// move, those of them that have passed a free corner of the next row, and the free corners of
    /// their own row.
    #[inline]
    fn advance_octant(
        &mut self,
        board: &Board,
        at: usize,
        diagonal: impl Fn(u64, u64, u64) -> u64,
    ) {
        while self.spans.len() <= at && !self.ended {
            self.step_within_word(board, at, &diagonal);
            if self.spans.len() <= at && !self.ended {
                let row = self.last_row();
                self.step(board.row(row), board.row(self.row_after(row)), &diagonal);
            }
        }
    }

    fn last_row(&self) -> u32 {
        let done = self.spans.len() as u32 - 1;
        if self.octant.backward { self.anchor.0 - done } else { self.anchor.0 + done }
    }

    #[inline]
    fn row_after(&self, row: u32) -> u32 {
        if self.octant.backward { row - 1 } else { row + 1 }
    }

    /// What [`Sweep::step`] does, row after row, while all that is reached lies in one word.
    ///
    /// PERF: most rows are such; smoothing takes about a third less time this way.
    #[inline]
    fn step_within_word(
        &mut self,
        board: &Board,
        at: usize,
        diagonal: &impl Fn(u64, u64, u64) -> u64,
    ) {
        let Span { offset, first, len } = self.spans[self.spans.len() - 1];
        if len > 1 {
            return;
        }
        let (down, word) = (self.octant.down, usize::from(first));
        // The bit that would move on to another word; there is none beyond the limit.
        let outermost = if down { 1 } else { 1 << (WORD_BITS - 1) };
        let outermost = if first == self.limit { 0 } else { outermost };
        let mut row = self.last_row();
        let mut reached = self.word(offset, 0);
        let mut corners = board.row(row).word(word);
        while self.spans.len() <= at && reached & outermost == 0 {
            row = self.row_after(row);
            let free = board.row(row).word(word);
            let straight = reached & free;
            let (moved, past) =
                if down { (reached >> 1, straight >> 1) } else { (reached << 1, straight << 1) };
            reached = straight | diagonal(moved, past, corners) & free;
            if reached == 0 {
                self.ended = true;
                return;
            }
            self.spans.push(Span { offset: self.words.len() as u32, first, len: 1 });
            self.words.push(reached);
            corners = free;
        }
    }

    /// The next row by straight and diagonal steps.
    #[inline]
    fn step(&mut self, here: Row<'_>, next: Row<'_>, diagonal: &impl Fn(u64, u64, u64) -> u64) {
        let Span { offset, first, len } = self.spans[self.spans.len() - 1];
        let (offset, begin, down) = (offset as usize, self.words.len(), self.octant.down);
        // What moves over from the word before.
        let (mut moved_in, mut past_in) = (0, 0);
        let mut step_word = |reached: u64, free: u64, corners: u64| {
            let straight = reached & free;
            let (moved, past, moved_out, past_out) = if down {
                (reached >> 1, straight >> 1, reached << 63, straight << 63)
            } else {
                (reached << 1, straight << 1, reached >> 63, straight >> 63)
            };
            let word = straight | diagonal(moved | moved_in, past | past_in, corners) & free;
            (moved_in, past_in) = (moved_out, past_out);
            word
        };
        // One word more than before, if the limit allows; it is zero unless bits move into it.
        let len = usize::from(len);
        let grown = (len + 1).min(usize::from(first.abs_diff(self.limit)) + 1);
        self.words.resize(begin + grown, 0);
        let (before, after) = self.words.split_at_mut(begin);
        let before = before[offset..offset + len].iter().copied().chain([0]);
        let rows = after.iter_mut().zip(before);
        let first_word = usize::from(first);
        if down {
            let range = first_word + 1 - grown..first_word + 1;
            let frees = next.words(range.clone()).rev().zip(here.words(range).rev());
            for ((word, reached), (free, corners)) in rows.zip(frees) {
                *word = step_word(reached, free, corners);
            }
        } else {
            let range = first_word..first_word + grown;
            for ((word, reached), (free, corners)) in
                rows.zip(next.words(range.clone()).zip(here.words(range)))
            {
                *word = step_word(reached, free, corners);
            }
        }
        self.close_row(begin, first);
    }

    #[inline]
    fn word(&self, offset: u32, place: u16) -> u64 {
        self.words[(offset + u32::from(place)) as usize]
    }

    #[inline]
    fn is_beyond_limit(&self, word: u16) -> bool {
        if self.octant.down { word < self.limit } else { word > self.limit }
    }

    /// The next row by straight steps into it and then along its free runs, outwards.
    ///
    /// Adding a reached bit to the run of ones it lies in carries through to the run's end: what
    /// changes is reached (as in Myers's bit-parallel matching of 1999).
    fn fill_next(&mut self, next: Row<'_>) {
        let Span { offset, first, len } = self.spans[self.spans.len() - 1];
        let begin = self.words.len();
        let down = self.octant.down;
        let outwards = |word: u64| if down { word.reverse_bits() } else { word };
        let (mut place, mut carry) = (0, false);
        while place < len || carry {
            let word = if down { first - place } else { first + place };
            if self.is_beyond_limit(word) {
                break;
            }
            let reached = if place < len { self.word(offset, place) } else { 0 };
            let free = outwards(next.word(usize::from(word)));
            let seeds = outwards(reached) & free;
            let (sum, over) = free.overflowing_add(seeds);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            carry = over || over_again;
            self.words.push(outwards((sum ^ free) & free | seeds));
            place += 1;
        }
        self.close_row(begin, first);
    }

    /// Makes a row of the words from `begin` on, less zeros at both ends; ends the sweep if none are
    /// left.
    #[inline]
    fn close_row(&mut self, begin: usize, first: u16) {
        while self.words.len() > begin && self.words[self.words.len() - 1] == 0 {
            self.words.pop();
        }
        let zeros = self.words[begin..].iter().take_while(|&&word| word == 0).count();
        let len = (self.words.len() - begin - zeros) as u16;
        if len == 0 {
            self.ended = true;
            return;
        }
        let inner = zeros as u16;
        let first = if self.octant.down { first - inner } else { first + inner };
        self.spans.push(Span { offset: (begin + zeros) as u32, first, len });
    }

    /// How many words it has gone over.
    pub(super) fn word_count(&self) -> usize {
        self.words.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.spans.capacity() * size_of::<Span>() + self.words.capacity() * size_of::<u64>()
    }
}
