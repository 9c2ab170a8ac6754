//! The puzzle mode: tiles that are scrambled, moved by hand, solved by a search, and played back.
//!
//! [`PuzzleMode`] is its state, and `draw` shows it. A solution is played by the player that plays searches.

pub(crate) mod draw;
mod engine;

pub use engine::{PuzzleMethod, PuzzleOutcome};

use crate::seams::Seams;
use crate::shared::job::{Job, JobState};
use crate::shared::{Busy, Player};
use engine::{Solved, Solvers};
use highroad::puzzle::{Board, Move, Puzzle};
use highroad_lab::generate::Random;
use std::time::Duration;

/// Boards that can be undone.
const UNDO_MAX: usize = 1_000;

/// Random moves that scramble a board: from the fewest to the most, beyond which it is any board.
pub const SCRAMBLE_MOVES: std::ops::RangeInclusive<usize> = 2..=80;

/// Moves of a solution that are shown in a second.
const MOVES_PER_SECOND: f64 = 2.0;

/// The state of the puzzle mode.
pub struct PuzzleMode {
    /// The moves of the solution.
    pub player: Player,
    /// How many random moves scramble the board.
    pub scramble_moves: usize,
    puzzle: Puzzle,
    /// The board as somebody has left it; the solution begins there.
    board: Board,
    undone: Vec<Board>,
    done: Vec<Board>,
    method: PuzzleMethod,
    outcome: Option<Result<PuzzleOutcome, String>>,
    solvers: Solvers,
    random: Random,
    job: Option<Job<Solved>>,
    seams: Seams,
}

impl PuzzleMode {
    /// The 8 puzzle, scrambled by a few moves.
    pub fn new(seams: Seams) -> Self {
        let goal = goal(3);
        let mut mode = Self {
            player: Player::default(),
            scramble_moves: 20,
            puzzle: Puzzle::new(goal),
            board: goal,
            undone: Vec::new(),
            done: Vec::new(),
            method: PuzzleMethod::default(),
            outcome: None,
            solvers: Solvers::default(),
            random: Random::new(8),
            job: None,
            seams,
        };
        mode.player.set_speed(MOVES_PER_SECOND);
        mode.scramble();
        mode
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// Columns and rows of the board.
    pub fn side(&self) -> usize {
        usize::from(self.board.side())
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.side() * self.side() - 1
    }

    /// Takes a puzzle of another size, scrambled. There are sizes from 2 to 4.
    pub fn set_side(&mut self, side: usize) {
        if (2..=4).contains(&side) && side != self.side() {
            self.puzzle = Puzzle::new(goal(side));
            self.solvers = Solvers::default();
            self.done.clear();
            self.undone.clear();
            self.board = self.puzzle.goal();
            self.drop_solution();
            self.scramble();
            // The board before was of another size.
            self.done.clear();
        }
    }

    /// The board that is seen: the one of the solution where the player is, or as somebody has left it.
    pub fn shown(&self) -> Board {
        match &self.outcome {
            Some(Ok(outcome)) => {
                let at = self.player.position().0.min(outcome.boards.len() - 1);
                outcome.boards[at]
            }
            _ => self.board,
        }
    }

    /// How it is solved.
    pub fn method(&self) -> PuzzleMethod {
        self.method
    }

    /// Solves in another way. What another method has found is gone.
    pub fn set_method(&mut self, method: PuzzleMethod) {
        if self.method != method {
            self.method = method;
            self.board = self.shown();
            self.drop_solution();
        }
    }

    /// What came of solving, or why nothing did; `None` if nobody has asked, or while it is worked on.
    pub fn outcome(&self) -> Option<&Result<PuzzleOutcome, String>> {
        self.outcome.as_ref()
    }

    fn drop_solution(&mut self) {
        self.outcome = None;
        self.job = None;
        self.player.load(None);
    }

    /// Puts another board in place of the one that is seen.
    fn change(&mut self, board: Board) {
        let before = self.shown();
        self.drop_solution();
        if board != before {
            self.done.push(before);
            if self.done.len() > UNDO_MAX {
                self.done.remove(0);
            }
            self.undone.clear();
        }
        self.board = board;
    }

    /// Makes so many random moves from the goal; with the most of them, it is any board.
    pub fn scramble(&mut self) {
        let (goal, random) = (self.puzzle.goal(), &mut self.random);
        let board = match self.scramble_moves < *SCRAMBLE_MOVES.end() {
            true => goal.scrambled(self.scramble_moves, |bound| random.below(bound)),
            false => goal.shuffled(|bound| random.below(bound)),
        };
        self.change(board);
    }

    /// Puts every tile where it belongs.
    pub fn reset(&mut self) {
        self.change(self.puzzle.goal());
    }

    /// Moves the tile on a cell into the blank beside it; elsewhere nothing happens.
    pub fn push(&mut self, cell: u8) {
        let board = self.shown();
        let beside = |&to: &Move| board.after(to).is_some_and(|after| after.blank() == cell);
        if let Some(after) = Move::ALL.into_iter().find(beside).and_then(|to| board.after(to)) {
            self.change(after);
        }
    }

    /// Whether there is something to undo, and something to redo.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (!self.done.is_empty(), !self.undone.is_empty())
    }

    /// Takes the last change of the board back.
    pub fn undo(&mut self) {
        if let Some(board) = self.done.pop() {
            self.undone.push(self.shown());
            self.drop_solution();
            self.board = board;
        }
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        if let Some(board) = self.undone.pop() {
            self.done.push(self.shown());
            self.drop_solution();
            self.board = board;
        }
    }

    /// Looks for a shortest solution of the board that is seen, on a worker.
    pub fn solve(&mut self) {
        let board = self.shown();
        self.drop_solution();
        self.board = board;
        let (puzzle, method) = (self.puzzle.clone(), self.method);
        let mut solvers = self.solvers.clone();
        self.job = Some(Job::start(&self.seams, "solving the puzzle", move |control| {
            let found = engine::solve(&puzzle, method, board, &mut solvers, &mut || {
                !control.is_cancelled()
            });
            (found, solvers)
        }));
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed: Duration) {
        match self.job.as_ref().map(Job::poll) {
            None | Some(JobState::Running) => {}
            Some(JobState::Lost) => self.job = None,
            Some(JobState::Done((outcome, solvers))) => {
                self.job = None;
                self.solvers = solvers;
                if let Ok(outcome) = &outcome {
                    self.player.load_steps(outcome.boards.len() - 1);
                }
                self.outcome = Some(outcome);
            }
        }
        self.player.advance(elapsed);
    }

    /// Gives up solving. Returns whether there was something to give up.
    pub fn cancel(&mut self) -> bool {
        self.job.take().is_some()
    }

    /// What goes on, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let job = self.job.as_ref()?;
        Some(Busy { what: job.what.clone(), share: None, age: job.age(&self.seams) })
    }
}

fn goal(side: usize) -> Board {
    Board::goal(side).expect("there are boards of 2 to 4 columns")
}
