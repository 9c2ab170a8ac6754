//! Shortest solutions by iterative deepening.
//!
//! The algorithm is that of [`Deepening`](crate::implicit::Deepening), on boards in one word and with estimates
//! that a move changes in passing: a hundred times as quick, which is what the 15 puzzle asks for. It
//! recurs once a move; no board needs more than 80.

use super::patterns::Known;
use super::{Board, Move, PatternTables, Puzzle, WrongSide};
use std::fmt;

/// What is known of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleAnswer {
    /// A shortest solution.
    Solved(Solution),
    /// The goal cannot be reached: the tiles are in an order of the other parity.
    Unsolvable,
    /// More boards were looked at than allowed, or the caller has stopped the search.
    LimitReached,
}

/// A shortest solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Where it begins.
    pub start: Board,
    /// Where the blank goes.
    pub moves: Vec<Move>,
    /// Boards that were expanded, over all bounds together.
    pub expanded: u64,
}

impl Solution {
    /// Every board on the way, both ends included.
    pub fn boards(&self) -> Vec<Board> {
        let mut boards = vec![self.start];
        for &to in &self.moves {
            let last = boards[boards.len() - 1];
            boards.extend(last.after(to));
        }
        boards
    }
}

impl fmt::Display for Solution {
    /// The moves of the blank, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, to) in self.moves.iter().enumerate() {
            write!(f, "{}{to}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Solves boards of one puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleSolver {
    puzzle: Puzzle,
    estimates: Estimates,
    expansions_max: u64,
}

/// What a solver estimates by.
#[derive(Clone, Debug)]
enum Estimates {
    Manhattan,
    Conflict,
    Patterns(PatternTables),
}

/// Asked now and then whether to go on.
type GoOn<'g> = dyn FnMut() -> bool + 'g;

impl PuzzleSolver {
    /// With the linear conflict as estimate: nothing to prepare.
    pub fn new(puzzle: Puzzle) -> Self {
        Self { puzzle, estimates: Estimates::Conflict, expansions_max: u64::MAX }
    }

    /// With the Manhattan distance as estimate, which expands many times as many boards.
    pub fn with_manhattan(puzzle: Puzzle) -> Self {
        Self { estimates: Estimates::Manhattan, ..Self::new(puzzle) }
    }

    /// With pattern tables, which are made now.
    pub fn with_patterns(puzzle: Puzzle) -> Self {
        let estimates = Estimates::Patterns(PatternTables::new(&puzzle));
        Self { estimates, ..Self::new(puzzle) }
    }

    /// As [`PuzzleSolver::with_patterns`]; `None` if `go_on`, which is asked now and then, says no.
    pub fn with_patterns_while(puzzle: Puzzle, go_on: &mut GoOn<'_>) -> Option<Self> {
        let estimates = Estimates::Patterns(PatternTables::new_while(&puzzle, go_on)?);
        Some(Self { estimates, ..Self::new(puzzle) })
    }

    /// Gives up after so many boards.
    pub fn with_limit(self, expansions_max: u64) -> Self {
        Self { expansions_max, ..self }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The pattern tables, if it has them.
    pub fn tables(&self) -> Option<&PatternTables> {
        match &self.estimates {
            Estimates::Patterns(tables) => Some(tables),
            Estimates::Manhattan | Estimates::Conflict => None,
        }
    }

    /// A shortest solution of a board.
    pub fn solve(&self, board: Board) -> Result<PuzzleAnswer, WrongSide> {
        self.solve_while(board, &mut || true)
    }

    /// As [`PuzzleSolver::solve`], until `go_on`, which is asked every 65,536 boards, says no: then the limit is
    /// reached.
    pub fn solve_while(
        &self,
        board: Board,
        go_on: &mut GoOn<'_>,
    ) -> Result<PuzzleAnswer, WrongSide> {
        self.puzzle.check(board)?;
        if !self.puzzle.is_solvable(board) {
            return Ok(PuzzleAnswer::Unsolvable);
        }
        Ok(match &self.estimates {
            Estimates::Manhattan => self.deepen(board, &ByManhattan(&self.puzzle), go_on),
            Estimates::Conflict => self.deepen(board, &ByConflict(&self.puzzle), go_on),
            Estimates::Patterns(tables) => self.deepen(board, &ByPatterns(tables), go_on),
        })
    }

    fn deepen<E: Estimate>(
        &self,
        board: Board,
        estimate: &E,
        go_on: &mut GoOn<'_>,
    ) -> PuzzleAnswer {
        let known = estimate.of(board);
        let mut bound = estimate.moves(known);
        let mut descent = Descent {
            estimate,
            goal: self.puzzle.goal(),
            moves: Vec::new(),
            expanded: 0,
            expansions_max: self.expansions_max,
            go_on,
        };
        loop {
            let place = HeapEntry { board, blank: board.blank(), known, g: 0 };
            match descent.descend(place, None, bound) {
                End::Found => break,
                // The blank changes the colour of its cell with every move: bounds grow by two.
                End::Exceeded => bound += 2,
                End::Limit => return PuzzleAnswer::LimitReached,
            }
        }
        descent.moves.reverse();
        let Descent { moves, expanded, .. } = descent;
        PuzzleAnswer::Solved(Solution { start: board, moves, expanded })
    }
}

/// Estimates that follow moves.
trait Estimate {
    type Known: Copy;
    fn of(&self, board: Board) -> Self::Known;
    fn moves(&self, known: Self::Known) -> u8;
    /// After a tile has moved; `board` is then.
    fn moved(&self, known: Self::Known, board: Board, tile: u8, from: u8, to: u8) -> Self::Known;
}

struct ByPatterns<'p>(&'p PatternTables);

impl Estimate for ByPatterns<'_> {
    type Known = Known;
    fn of(&self, board: Board) -> Known {
        self.0.known(board)
    }
    #[inline]
    fn moves(&self, known: Known) -> u8 {
        known.estimate()
    }
    #[inline]
    fn moved(&self, known: Known, _board: Board, tile: u8, from: u8, to: u8) -> Known {
        self.0.moved(known, tile, from, to)
    }
}

struct ByManhattan<'p>(&'p Puzzle);

impl Estimate for ByManhattan<'_> {
    type Known = u8;
    fn of(&self, board: Board) -> u8 {
        self.0.manhattan(board)
    }
    #[inline]
    fn moves(&self, known: u8) -> u8 {
        known
    }
    #[inline]
    fn moved(&self, known: u8, board: Board, tile: u8, from: u8, to: u8) -> u8 {
        let home = self.0.home(tile);
        known + board.distance(to, home) - board.distance(from, home)
    }
}

struct ByConflict<'p>(&'p Puzzle);

impl Estimate for ByConflict<'_> {
    type Known = u8;
    fn of(&self, board: Board) -> u8 {
        self.0.linear_conflict(board)
    }
    fn moves(&self, known: u8) -> u8 {
        known
    }
    fn moved(&self, _known: u8, board: Board, _tile: u8, _from: u8, _to: u8) -> u8 {
        self.0.linear_conflict(board)
    }
}

/// A board on the way.
#[derive(Clone, Copy)]
struct HeapEntry<K> {
    board: Board,
    blank: u8,
    known: K,
    g: u8,
}

enum End {
    Found,
    Exceeded,
    Limit,
}

struct Descent<'e, 'g, E> {
    estimate: &'e E,
    goal: Board,
    /// The moves of the solution, the last first.
    moves: Vec<Move>,
    expanded: u64,
    expansions_max: u64,
    go_on: &'e mut GoOn<'g>,
}

/// How many boards lie between two questions whether to go on.
const ASK_EVERY: u64 = 1 << 16;

impl<E: Estimate> Descent<'_, '_, E> {
    fn descend(&mut self, at: HeapEntry<E::Known>, last: Option<Move>, bound: u8) -> End {
        if at.board == self.goal {
            return End::Found;
        }
        if self.expanded >= self.expansions_max {
            return End::Limit;
        }
        self.expanded += 1;
        if self.expanded.is_multiple_of(ASK_EVERY) && !(self.go_on)() {
            return End::Limit;
        }
        for to in Move::ALL {
            if last == Some(to.opposite()) {
                continue;
            }
            let Some(cell) = at.board.target(at.blank, to) else { continue };
            let (tile, board) = (at.board.tile(cell), at.board.exchanged(at.blank, cell));
            let known = self.estimate.moved(at.known, board, tile, cell, at.blank);
            if at.g + 1 + self.estimate.moves(known) > bound {
                continue;
            }
            let next = HeapEntry { board, blank: cell, known, g: at.g + 1 };
            match self.descend(next, Some(to), bound) {
                End::Exceeded => {}
                end => {
                    self.moves.push(to);
                    return end;
                }
            }
        }
        End::Exceeded
    }
}
