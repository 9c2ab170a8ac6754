//! Directions, and which steps a movement rule allows.
//!
//! A rule is data: a table from the nine enterable-or-not bits around a cell to the eight directions
//! one may leave it by. No search has a branch per rule.
//!
//! ```text
//! bits of a neighbourhood     directions
//!     0 1 2                     7 0 4          0–3 straight: north, east, south, west
//!     3 4 5                     3 · 1          4–7 diagonal
//!     6 7 8                     6 2 5
//! ```

use super::cell::Cell;

/// One of the eight steps. The straight ones come first.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Direction;
/// assert_eq!(Direction::between(Cell::new(4, 4), Cell::new(5, 3)), Some(Direction::NorthEast));
/// assert_eq!(Direction::NorthEast.delta(), (1, -1), "rows count from the top");
/// assert!(Direction::NorthEast.is_diagonal());
/// assert_eq!(Direction::between(Cell::new(4, 4), Cell::new(6, 4)), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    East,
    South,
    West,
    NorthEast,
    SouthEast,
    SouthWest,
    NorthWest,
}

impl Direction {
    /// All eight, in the order in which searches try them.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthWest,
    ];

    /// Columns and rows that a step in this direction moves.
    pub const fn delta(self) -> (i32, i32) {
        DELTAS[self as usize]
    }

    /// Whether the step changes both column and row.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The direction from a cell to one of its eight neighbours.
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        // As in the nine bits around a cell: row by row, with the cell itself in the middle.
        const AROUND: [Option<Direction>; 9] = {
            let mut around = [None; 9];
            let mut number = 0;
            while number < 8 {
                let (columns, rows) = DELTAS[number];
                around[((rows + 1) * 3 + columns + 1) as usize] = Some(Direction::ALL[number]);
                number += 1;
            }
            around
        };
        let column = to.x.wrapping_sub(from.x).wrapping_add(1);
        let row = to.y.wrapping_sub(from.y).wrapping_add(1);
        if column > 2 || row > 2 { None } else { AROUND[(row * 3 + column) as usize] }
    }
}

pub(crate) const DELTAS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// Which of the eight neighbours a step may lead to. Other pathfinding libraries use the same names.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
/// for (rule, reaches) in [(MovementRule::NeverCutCorners, false), (MovementRule::AlwaysDiagonal, true)] {
///     let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT)?;
///     let mut world = PathWorld::with_movement(".#\n#.\n".parse()?, movement);
///     assert_eq!(world.find_path((0, 0), (1, 1))?.is_some(), reaches);
/// }
/// assert_eq!(MovementRule::from_name(MovementRule::FourWay.name()), Some(MovementRule::FourWay));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MovementRule {
    /// North, east, south and west only.
    FourWay,
    /// A diagonal step needs both orthogonal neighbours enterable: the rule of MovingAI's
    /// benchmarks and of the grid-based path planning competition.
    #[default]
    NeverCutCorners,
    /// A diagonal step needs one of its two orthogonal neighbours enterable.
    AtMostOneObstacle,
    /// A diagonal step may slip between two obstacles: the rule of Harvanová's thesis (2017).
    AlwaysDiagonal,
}

impl MovementRule {
    /// All four rules.
    pub const ALL: [Self; 4] =
        [Self::FourWay, Self::NeverCutCorners, Self::AtMostOneObstacle, Self::AlwaysDiagonal];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FourWay => "four-way",
            Self::NeverCutCorners => "never-cut-corners",
            Self::AtMostOneObstacle => "at-most-one-obstacle",
            Self::AlwaysDiagonal => "always-diagonal",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Whether diagonal steps exist at all.
    pub const fn has_diagonals(self) -> bool {
        !matches!(self, Self::FourWay)
    }

    /// For each of the 512 neighbourhoods, a bit per direction that may be taken.
    pub(crate) const fn moves(self) -> &'static [u8; 512] {
        match self {
            Self::FourWay => &MOVES[0],
            Self::NeverCutCorners => &MOVES[1],
            Self::AtMostOneObstacle => &MOVES[2],
            Self::AlwaysDiagonal => &MOVES[3],
        }
    }
}

static MOVES: [[u8; 512]; 4] = [
    moves_when_corners_free(usize::MAX),
    moves_when_corners_free(2),
    moves_when_corners_free(1),
    moves_when_corners_free(0),
];

/// The table of the rule that takes a diagonal when at least `needed` of its two corner cells are
/// enterable; more than two means never. A blocked centre has no moves.
const fn moves_when_corners_free(needed: usize) -> [u8; 512] {
    let mut table = [0u8; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = DELTAS[direction];
            let target = free(pattern, dx, dy);
            let corners = free(pattern, dx, 0) as usize + free(pattern, 0, dy) as usize;
            if free(pattern, 0, 0) && target && (direction < 4 || corners >= needed) {
                table[pattern] |= 1 << direction;
            }
            direction += 1;
        }
        pattern += 1;
    }
    table
}

const fn free(pattern: usize, dx: i32, dy: i32) -> bool {
    pattern >> ((dy + 1) * 3 + dx + 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(rule: MovementRule, drawing: [&str; 3]) -> Vec<Direction> {
        let pattern = drawing
            .concat()
            .bytes()
            .enumerate()
            .fold(0, |bits, (i, letter)| bits | usize::from(letter == b'.') << i);
        let mask = rule.moves()[pattern];
        Direction::ALL.into_iter().filter(|&d| mask >> (d as u8) & 1 == 1).collect()
    }

    #[test]
    fn rules_differ_where_corners_are_blocked() {
        use Direction::*;
        let one_corner = [".#.", "...", "..."];
        let both_corners = [".#.", "#..", "..."];
        let straight = vec![East, South, West];
        assert_eq!(moves(MovementRule::FourWay, one_corner), straight);
        assert_eq!(
            moves(MovementRule::NeverCutCorners, one_corner),
            [East, South, West, SouthEast, SouthWest]
        );
        assert_eq!(
            moves(MovementRule::AtMostOneObstacle, one_corner),
            [East, South, West, NorthEast, SouthEast, SouthWest, NorthWest]
        );
        assert_eq!(
            moves(MovementRule::AtMostOneObstacle, both_corners),
            [East, South, NorthEast, SouthEast, SouthWest]
        );
        assert_eq!(
            moves(MovementRule::AlwaysDiagonal, both_corners),
            [East, South, NorthEast, SouthEast, SouthWest, NorthWest]
        );
        assert_eq!(moves(MovementRule::AlwaysDiagonal, ["...", ".#.", "..."]), []);
    }

    #[test]
    fn a_direction_lies_between_neighbours_only() {
        let at = Cell::new(3, 3);
        assert_eq!(Direction::between(at, Cell::new(4, 2)), Some(Direction::NorthEast));
        assert_eq!(Direction::between(at, at), None);
        assert_eq!(Direction::between(at, Cell::new(5, 3)), None);
    }
}
