//! Every board of a small puzzle, with the moves it needs.

use super::{Board, Puzzle};

/// How many moves each solvable board of the 3 or the 8 puzzle needs: one breadth-first search from the goal.
///
/// ```
/// use highroad::puzzle::{Board, Puzzle, Survey};
/// let survey = Survey::of(&Puzzle::new(Board::goal(2)?)).unwrap();
/// assert_eq!((survey.boards().len(), survey.deepest()), (12, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    /// Boards and their moves, by moves.
    boards: Vec<(Board, u8)>,
}

impl Survey {
    /// Surveys a puzzle; `None` for the 15 puzzle, which has ten million million boards.
    pub fn of(puzzle: &Puzzle) -> Option<Self> {
        let goal = puzzle.goal();
        if goal.side() > 3 {
            return None;
        }
        let count: usize = (1..=usize::from(goal.cell_count())).product();
        let mut seen = vec![false; count];
        seen[rank(goal)] = true;
        let mut boards = vec![(goal, 0)];
        let mut next = 0;
        while let Some(&(board, moves)) = boards.get(next) {
            next += 1;
            for (to, _) in board.successors() {
                if !std::mem::replace(&mut seen[rank(to)], true) {
                    boards.push((to, moves + 1));
                }
            }
        }
        Some(Self { boards })
    }

    /// All boards that can be solved, with the moves they need, the easiest first.
    pub fn boards(&self) -> &[(Board, u8)] {
        &self.boards
    }

    /// The moves that the hardest boards need.
    pub fn deepest(&self) -> u8 {
        self.boards.last().map_or(0, |board| board.1)
    }

    /// How many boards need each number of moves.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; usize::from(self.deepest()) + 1];
        self.boards.iter().for_each(|board| counts[usize::from(board.1)] += 1);
        counts
    }
}

/// The place of a board in the order of all orders of its tiles.
fn rank(board: Board) -> usize {
    let count = board.cell_count();
    let mut used = 0u16;
    let mut rank = 0;
    for cell in 0..count {
        let tile = board.tile(cell);
        let smaller_left = u32::from(tile) - (used & ((1 << tile) - 1)).count_ones();
        rank = rank * usize::from(count - cell) + smaller_left as usize;
        used |= 1 << tile;
    }
    rank
}
