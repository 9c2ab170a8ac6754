//! Boards in one word: four bits a cell, so that up to sixteen tiles fit. (Three bits would not do even for
//! nine: there 8 and 0 look alike.)

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A square board of tiles and one blank, which is tile 0. Cells are numbered row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    tiles: u64,
    side: u8,
}

/// Where the blank goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl Move {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// The move that takes this one back.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
            Self::Down => "down",
        })
    }
}

/// Why some tiles are no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A side that is not served.
    #[error("a board of {0} × {0} cells: sides are from 2 to 4")]
    Side(usize),
    /// Not the square of a side.
    #[error("{0} tiles make no square board: there must be 4, 9 or 16")]
    Count(usize),
    /// Not a number.
    #[error("tile {at} is '{text}', which is no number from 0 to {largest}")]
    Tile {
        /// Which one, from 1.
        at: usize,
        /// What is there.
        text: String,
        /// The largest tile of such a board.
        largest: usize,
    },
    /// A tile that is there twice.
    #[error("tile {at} is {tile} again")]
    Twice {
        /// Which one, from 1.
        at: usize,
        /// Its number.
        tile: u8,
    },
}

impl Board {
    /// A board of tiles row by row; 0 is the blank.
    pub fn new(tiles: &[u8]) -> Result<Self, BoardError> {
        let side = match tiles.len() {
            4 => 2,
            9 => 3,
            16 => 4,
            count => return Err(BoardError::Count(count)),
        };
        let (mut packed, mut seen) = (0, 0u16);
        for (at, &tile) in tiles.iter().enumerate() {
            if usize::from(tile) >= tiles.len() {
                let (text, largest) = (tile.to_string(), tiles.len() - 1);
                return Err(BoardError::Tile { at: at + 1, text, largest });
            }
            if seen & 1 << tile != 0 {
                return Err(BoardError::Twice { at: at + 1, tile });
            }
            seen |= 1 << tile;
            packed |= u64::from(tile) << (4 * at);
        }
        Ok(Self { tiles: packed, side })
    }

    /// The usual goal: tiles in order, the blank in the last cell.
    pub fn goal(side: usize) -> Result<Self, BoardError> {
        Self::in_order(side, false)
    }

    /// The goal of Korf's instances: the blank in the first cell, then tiles in order.
    pub fn goal_blank_first(side: usize) -> Result<Self, BoardError> {
        Self::in_order(side, true)
    }

    fn in_order(side: usize, blank_first: bool) -> Result<Self, BoardError> {
        if !(2..=4).contains(&side) {
            return Err(BoardError::Side(side));
        }
        let count = (side * side) as u8;
        let tile = |cell: u8| if blank_first { cell } else { (cell + 1) % count };
        Self::new(&(0..count).map(tile).collect::<Vec<u8>>())
    }

    /// Columns, and rows.
    pub const fn side(self) -> u8 {
        self.side
    }

    /// Cells, and tiles with the blank.
    pub const fn cell_count(self) -> u8 {
        self.side * self.side
    }

    /// The tile in a cell.
    #[inline]
    pub const fn tile(self, cell: u8) -> u8 {
        (self.tiles >> (4 * (cell & 15)) & 15) as u8
    }

    /// The tiles row by row.
    pub fn tiles(self) -> Vec<u8> {
        (0..self.cell_count()).map(|cell| self.tile(cell)).collect()
    }

    /// The cell of the blank.
    pub fn blank(self) -> u8 {
        (0..self.cell_count()).find(|&cell| self.tile(cell) == 0).unwrap_or(0)
    }

    /// Columns and rows between two cells.
    #[inline]
    pub(crate) const fn distance(self, a: u8, b: u8) -> u8 {
        let side = self.side;
        (a % side).abs_diff(b % side) + (a / side).abs_diff(b / side)
    }

    /// The cell that a move takes the blank to, if there is one.
    #[inline]
    pub(crate) const fn target(self, blank: u8, to: Move) -> Option<u8> {
        let side = self.side;
        match to {
            Move::Up if blank >= side => Some(blank - side),
            Move::Left if !blank.is_multiple_of(side) => Some(blank - 1),
            Move::Right if blank % side + 1 < side => Some(blank + 1),
            Move::Down if blank / side + 1 < side => Some(blank + side),
            _ => None,
        }
    }

    /// The board with the blank and the tile of another cell exchanged.
    #[inline]
    pub(crate) const fn exchanged(self, blank: u8, cell: u8) -> Self {
        let tile = self.tiles >> (4 * cell) & 15;
        Self { tiles: self.tiles ^ tile << (4 * cell) ^ tile << (4 * blank), side: self.side }
    }

    /// The board after a move, if it is possible.
    ///
    /// ```
    /// use highroad::puzzle::{Board, Move};
    /// let board: Board = "1 2  3 0".parse()?;
    /// assert_eq!(board.after(Move::Left).unwrap().to_string(), "1 2\n0 3");
    /// assert_eq!(board.after(Move::Right), None);
    /// # Ok::<(), highroad::puzzle::BoardError>(())
    /// ```
    pub fn after(self, to: Move) -> Option<Self> {
        let blank = self.blank();
        Some(self.exchanged(blank, self.target(blank, to)?))
    }

    /// The boards one move away, each at a cost of 1: what an implicit search asks for.
    pub fn successors(self) -> impl Iterator<Item = (Self, u32)> {
        let blank = self.blank();
        let target = move |to| self.target(blank, to);
        let cells = Move::ALL.into_iter().filter_map(target);
        cells.map(move |cell| (self.exchanged(blank, cell), 1))
    }

    /// The board after so many random moves, none of which takes the one before back. `draw` gives a random
    /// number below a bound.
    pub fn scrambled(self, moves: usize, mut draw: impl FnMut(u64) -> u64) -> Self {
        let (mut board, mut last) = (self, None);
        for _ in 0..moves {
            let blank = board.blank();
            let open =
                |to: &Move| board.target(blank, *to).is_some() && Some(to.opposite()) != last;
            let possible: Vec<Move> = Move::ALL.into_iter().filter(open).collect();
            let to = possible[(draw(possible.len() as u64) as usize).min(possible.len() - 1)];
            board = board.after(to).unwrap_or(board);
            last = Some(to);
        }
        board
    }

    /// Any board that this one can be brought to, each equally likely.
    pub fn shuffled(self, mut draw: impl FnMut(u64) -> u64) -> Self {
        let mut tiles = self.tiles();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, (draw(last as u64 + 1) as usize).min(last));
        }
        let board = Self::new(&tiles).unwrap_or(self);
        if super::Puzzle::new(self).is_solvable(board) {
            return board;
        }
        // Half of all orders cannot be reached; exchanging two tiles leads to the other half.
        let blank = usize::from(board.blank());
        let (a, b) = if blank > 1 { (0, 1) } else { (2, 3) };
        tiles.swap(a, b);
        Self::new(&tiles).unwrap_or(self)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Numbers row by row, between them spaces, commas, slashes or line ends.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let words: Vec<&str> = text
            .split(|letter: char| letter.is_whitespace() || ",;/|".contains(letter))
            .filter(|word| !word.is_empty())
            .collect();
        if ![4, 9, 16].contains(&words.len()) {
            return Err(BoardError::Count(words.len()));
        }
        let parse = |(at, word): (usize, &&str)| {
            let text = word.chars().take(20).collect();
            let largest = words.len() - 1;
            word.parse().map_err(|_| BoardError::Tile { at: at + 1, text, largest })
        };
        Self::new(&words.iter().enumerate().map(parse).collect::<Result<Vec<u8>, _>>()?)
    }
}

impl fmt::Display for Board {
    /// Rows in lines, tiles in columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.side == 4 { 2 } else { 1 };
        for cell in 0..self.cell_count() {
            let column = cell % self.side;
            if column > 0 {
                f.write_str(" ")?;
            } else if cell > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:width$}", self.tile(cell))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board{:?}", self.tiles())
    }
}
