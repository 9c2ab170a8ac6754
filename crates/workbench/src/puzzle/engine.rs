//! Solving a puzzle on a worker.

use highroad::implicit::{ImplicitOutcome, ImplicitSearch};
use highroad::puzzle::{Board, Puzzle, PuzzleAnswer, PuzzleSolver};
use highroad::search::Limits;
use std::sync::Arc;
use web_time::Instant;

/// Boards that A* expands at the most: it keeps all of them.
const EXPANSIONS_MAX: u64 = 1_000_000;

/// How a puzzle is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PuzzleMethod {
    /// Breadth-first search.
    BreadthFirst,
    /// A* with the sum of the tiles' distances.
    #[default]
    AStar,
    /// Iterative deepening with the same estimate.
    Deepening,
    /// Iterative deepening; tiles that are in each other's way count for more.
    Conflict,
    /// Iterative deepening with tables of patterns.
    Patterns,
}

impl PuzzleMethod {
    /// All of them, the plainest first.
    pub const ALL: [Self; 5] =
        [Self::BreadthFirst, Self::AStar, Self::Deepening, Self::Conflict, Self::Patterns];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::BreadthFirst => "Breadth-first search",
            Self::AStar => "A*, tile distances",
            Self::Deepening => "IDA*, tile distances",
            Self::Conflict => "IDA*, linear conflict",
            Self::Patterns => "IDA*, pattern tables",
        }
    }

    /// What it does.
    pub fn summary(self) -> &'static str {
        match self {
            Self::BreadthFirst => {
                "Looks at all boards one move away, then two, and so on. Keeps all of them."
            }
            Self::AStar => {
                "Takes the board with the smallest f = moves so far + h. h is the sum of the distances of all tiles \
                 from their places. Keeps every board that it has seen."
            }
            Self::Deepening => {
                "Goes deep first, and turns back where f is above a bound; then the bound grows by two. Keeps \
                 nothing but the way it is on, and sees boards again and again."
            }
            Self::Conflict => {
                "As before; two tiles in their row or column that have to pass each other add two moves to h."
            }
            Self::Patterns => {
                "As before; h comes from tables of groups of tiles, which are worked out once, before the first board."
            }
        }
    }

    /// Whether the board's distances are what it estimates by.
    pub fn is_guided(self) -> bool {
        self != Self::BreadthFirst
    }
}

/// A shortest solution.
pub struct PuzzleOutcome {
    /// Every board on the way, both ends included.
    pub boards: Vec<Board>,
    /// Boards that were expanded.
    pub expanded: u64,
    /// How long it took, in microseconds, without making tables.
    pub solve_us: f64,
}

/// Solvers that take long to make, kept from one board to the next.
#[derive(Clone, Default)]
pub(super) struct Solvers {
    patterns: Option<Arc<PuzzleSolver>>,
}

pub(super) type Solved = (Result<PuzzleOutcome, String>, Solvers);

/// Looks for a shortest solution. The error says why there is none.
pub(super) fn solve(
    puzzle: &Puzzle,
    method: PuzzleMethod,
    board: Board,
    solvers: &mut Solvers,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<PuzzleOutcome, String> {
    if !puzzle.is_solvable(board) {
        return Err(
            "This board cannot be solved: two tiles would have to change places.".to_owned()
        );
    }
    let solver = match method {
        PuzzleMethod::BreadthFirst | PuzzleMethod::AStar => {
            return search(puzzle, method, board);
        }
        PuzzleMethod::Deepening => PuzzleSolver::with_manhattan(puzzle.clone()).into(),
        PuzzleMethod::Conflict => PuzzleSolver::new(puzzle.clone()).into(),
        PuzzleMethod::Patterns => match &solvers.patterns {
            Some(solver) => Arc::clone(solver),
            None => {
                let made = PuzzleSolver::with_patterns_while(puzzle.clone(), go_on);
                let made: Arc<PuzzleSolver> = made.ok_or("Stopped.")?.into();
                Arc::clone(solvers.patterns.insert(made))
            }
        },
    };
    let begun = Instant::now();
    let answer = solver.solve_while(board, go_on).map_err(|error| error.to_string())?;
    let solve_us = begun.elapsed().as_secs_f64() * 1e6;
    match answer {
        PuzzleAnswer::Solved(solution) => {
            Ok(PuzzleOutcome { boards: solution.boards(), expanded: solution.expanded, solve_us })
        }
        PuzzleAnswer::Unsolvable => Err("This board cannot be solved.".to_owned()),
        PuzzleAnswer::LimitReached => Err("Stopped.".to_owned()),
    }
}

/// Best-first search over boards, which keeps all that it has seen.
fn search(puzzle: &Puzzle, method: PuzzleMethod, board: Board) -> Result<PuzzleOutcome, String> {
    let search = match method.is_guided() {
        true => ImplicitSearch::astar(),
        false => ImplicitSearch::breadth_first(),
    };
    let search = search.with_limits(Limits::default().with_expansions_max(EXPANSIONS_MAX));
    let begun = Instant::now();
    let answer = search.solve(
        &board,
        |board| board.successors(),
        |&board| u64::from(puzzle.manhattan(board)),
        |&board| board == puzzle.goal(),
    );
    let solve_us = begun.elapsed().as_secs_f64() * 1e6;
    let expanded = answer.statistics.expanded;
    match answer.outcome {
        ImplicitOutcome::Found(path) => {
            Ok(PuzzleOutcome { boards: path.states, expanded, solve_us })
        }
        ImplicitOutcome::Unreachable => Err("This board cannot be solved.".to_owned()),
        _ => Err(format!(
            "{} has looked at a million boards and keeps all of them: that is enough. Iterative deepening keeps \
             none, and pattern tables need far fewer.",
            method.title()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_finds_a_shortest_solution() {
        let puzzle = Puzzle::new(Board::goal(3).unwrap());
        let board: Board = "1 2 3  4 0 6  7 5 8".parse().unwrap();
        let mut solvers = Solvers::default();
        for method in PuzzleMethod::ALL {
            let found = solve(&puzzle, method, board, &mut solvers, &mut || true).unwrap();
            assert_eq!((found.boards[0], found.boards.len()), (board, 3), "{method:?}");
            assert_eq!(found.boards[2], puzzle.goal());
        }
        assert!(solvers.patterns.is_some(), "tables are kept");
    }

    #[test]
    fn what_cannot_be_solved_is_said() {
        let puzzle = Puzzle::new(Board::goal(3).unwrap());
        let board: Board = "2 1 3  4 5 6  7 8 0".parse().unwrap();
        let mut solvers = Solvers::default();
        for method in PuzzleMethod::ALL {
            let found = solve(&puzzle, method, board, &mut solvers, &mut || true);
            assert!(found.err().unwrap().starts_with("This board cannot be solved"));
        }
        let stopped = solve(
            &puzzle,
            PuzzleMethod::Patterns,
            puzzle.goal(),
            &mut Solvers::default(),
            &mut || false,
        );
        assert_eq!(stopped.err().as_deref(), Some("Stopped."));
    }
}
