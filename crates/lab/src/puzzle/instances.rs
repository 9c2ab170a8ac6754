//! Lists of instances with their published lengths, such as Korf's hundred.

use highroad::puzzle::{Board, BoardError};
use thiserror::Error;

/// A board and the moves it needs, as published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its number in the list.
    pub number: u32,
    /// The moves of a shortest solution.
    pub moves: u32,
    /// The board.
    pub board: Board,
}

/// What is wrong with a list, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InstanceError {
    /// Not a number, the moves and a board.
    #[error("line {line}: expected a number, the moves and a board, but found '{found}'")]
    Unexpected {
        /// From 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// The board is none.
    #[error("line {line}: {error}")]
    Board {
        /// From 1.
        line: usize,
        /// Why.
        error: BoardError,
    },
}

/// Reads a list: a number, the moves and the tiles row by row in each line; `#` begins a comment.
///
/// ```
/// use highroad_lab::puzzle::read_instances;
/// let list = read_instances("# hard\n1 4  0 2  3 1\n")?;
/// assert_eq!((list[0].moves, list[0].board.side()), (4, 2));
/// assert_eq!(read_instances("1 x").unwrap_err().to_string(),
///     "line 1: expected a number, the moves and a board, but found '1 x'");
/// # Ok::<(), highroad_lab::puzzle::InstanceError>(())
/// ```
pub fn read_instances(text: &str) -> Result<Vec<Instance>, InstanceError> {
    let mut instances = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or("").trim();
        if content.is_empty() {
            continue;
        }
        let mut words = content.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let (Some(first), Some(moves)) = (number(), number()) else {
            let found = content.chars().take(60).collect();
            return Err(InstanceError::Unexpected { line, found });
        };
        let tiles: Vec<&str> = words.collect();
        let board = tiles.join(" ").parse();
        let board = board.map_err(|error| InstanceError::Board { line, error })?;
        instances.push(Instance { number: first, moves, board });
    }
    Ok(instances)
}
