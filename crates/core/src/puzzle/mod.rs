//! The n²−1 puzzle: the 3, 8 and 15 puzzle with any goal, as an implicit graph.
//!
//! A [`Board`] is packed into one word; a [`Puzzle`] knows the goal and estimates; [`PatternTables`] estimate
//! far better after a start-up; a [`PuzzleSolver`] finds shortest solutions by iterative deepening.
//!
//! ```
//! use highroad::puzzle::{Board, Puzzle, PuzzleAnswer, PuzzleSolver};
//! let puzzle = Puzzle::new(Board::goal(3)?);
//! let board: Board = "1 2 3  0 4 6  7 5 8".parse()?;
//! let PuzzleAnswer::Solved(solution) = PuzzleSolver::new(puzzle).solve(board)? else { panic!() };
//! assert_eq!(solution.to_string(), "right down right");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod conflict;
mod patterns;
mod solve;
mod survey;

pub use board::{Board, BoardError, Move};
pub use patterns::PatternTables;
pub use solve::{PuzzleAnswer, PuzzleSolver, Solution};
pub use survey::Survey;

use conflict::LineTable;
use thiserror::Error;

/// A puzzle: boards of one size and the goal among them.
#[derive(Clone, Debug)]
pub struct Puzzle {
    goal: Board,
    /// Where each tile belongs; of the blank too.
    homes: [u8; 16],
    lines: LineTable,
}

/// A board that does not belong to a puzzle.
///
/// ```
/// use highroad::puzzle::{Board, Puzzle, WrongSide};
/// let puzzle = Puzzle::new(Board::goal(3)?);
/// let error: WrongSide = puzzle.check(Board::goal(4)?).unwrap_err();
/// assert_eq!(error.to_string(), "a board of 4 × 4 cells for a puzzle of 3 × 3");
/// # Ok::<(), highroad::puzzle::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board of {board} × {board} cells for a puzzle of {goal} × {goal}")]
pub struct WrongSide {
    /// The board's side.
    pub board: u8,
    /// The goal's.
    pub goal: u8,
}

impl Puzzle {
    /// The puzzle with that goal.
    pub fn new(goal: Board) -> Self {
        let mut homes = [0; 16];
        for cell in 0..goal.cell_count() {
            homes[usize::from(goal.tile(cell))] = cell;
        }
        Self { goal, homes, lines: LineTable::new(goal.side()) }
    }

    /// The goal.
    pub fn goal(&self) -> Board {
        self.goal
    }

    /// Where a tile belongs.
    pub(crate) fn home(&self, tile: u8) -> u8 {
        self.homes[usize::from(tile & 15)]
    }

    /// Whether a board can be brought to the goal: a move swaps the blank with a neighbour, which changes the
    /// parity of the order of all tiles and moves the blank by one cell; so both parities must agree.
    ///
    /// ```
    /// use highroad::puzzle::{Board, Puzzle};
    /// let puzzle = Puzzle::new(Board::goal(4)?);
    /// // Sam Loyd's: fourteen and fifteen exchanged.
    /// let loyd: Board = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0".parse()?;
    /// assert!(!puzzle.is_solvable(loyd));
    /// assert!(puzzle.is_solvable(puzzle.goal()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_solvable(&self, board: Board) -> bool {
        if board.side() != self.goal.side() {
            return false;
        }
        let home = |cell: u8| self.home(board.tile(cell));
        let count = board.cell_count();
        let inversions: u32 = (0..count)
            .map(|first| {
                (first + 1..count).filter(|&second| home(second) < home(first)).count() as u32
            })
            .sum();
        let blank = board.distance(board.blank(), self.home(0));
        inversions % 2 == u32::from(blank) % 2
    }

    /// The sum of every tile's distance from home in columns and rows. Admissible and consistent: a move
    /// brings one tile by one cell.
    ///
    /// ```
    /// use highroad::puzzle::{Board, Puzzle};
    /// let puzzle = Puzzle::new(Board::goal(3)?);
    /// assert_eq!(puzzle.manhattan("1 2 3  4 5 6  7 0 8".parse()?), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A board of another size has the estimate 0.
    pub fn manhattan(&self, board: Board) -> u8 {
        if self.check(board).is_err() {
            return 0;
        }
        let cells = (0..board.cell_count()).filter(|&cell| board.tile(cell) != 0);
        cells.map(|cell| board.distance(cell, self.home(board.tile(cell)))).sum()
    }

    /// The Manhattan distance, and two moves for each tile that has to leave its row or its column to let
    /// others of it pass (Hansson, Mayer and Yung, 1992). Admissible: of tiles that belong into the line
    /// they are in, all that cannot stay in order must leave it and come back, which the distances do not
    /// count. Rows and columns do not count the same moves.
    ///
    /// ```
    /// use highroad::puzzle::{Board, Puzzle};
    /// let puzzle = Puzzle::new(Board::goal(3)?);
    /// let board: Board = "2 1 3  4 5 6  7 8 0".parse()?;
    /// assert_eq!((puzzle.manhattan(board), puzzle.linear_conflict(board)), (2, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A board of another size has the estimate 0.
    pub fn linear_conflict(&self, board: Board) -> u8 {
        if self.check(board).is_err() {
            return 0;
        }
        self.manhattan(board) + self.lines.conflicts(board, &self.homes)
    }

    /// Checks that a board has the size of the goal; fails with [`WrongSide`].
    pub fn check(&self, board: Board) -> Result<(), WrongSide> {
        if board.side() != self.goal.side() {
            return Err(WrongSide { board: board.side(), goal: self.goal.side() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
