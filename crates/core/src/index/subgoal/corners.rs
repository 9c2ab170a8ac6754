//! Corners of obstacles, and what each cell meets when one goes on straight from it.
//!
//! A cell is a *subgoal* if one of its four diagonal neighbours is blocked while the two straight
//! neighbours between are free: a shortest path that turns, turns at such a cell.
//!
//! ```text
//!   . # # .        c has a corner at its upper left. Going east or south into it, one may turn
//!   . → c .        round that corner: c is a *stop* for these two directions of travel. Going
//!   . . ↑ .        north or west into it, the obstacle lies ahead or aside: no taut path turns
//!                  at c, and one passes.
//! ```
//!
//! Along a diagonal no taut path turns. A subgoal with a corner beside the diagonal is a *through*
//! cell of it: paths that leave it along that diagonal are kept there, so that a longer run hands over
//! to it.
//!
//! Bits of what lies ahead follow from the neighbour's in one pass over the cells a direction.

use crate::grid::{DELTAS, Direction, Grid};

/// The corners of a cell, and what it meets: bits by direction, as [`Direction`] numbers them.
pub(super) struct Corners {
    width: usize,
    height: usize,
    /// The cell's domain and one, or zero if it is blocked; with a border of zeros.
    domains: Vec<u8>,
    /// Bits 4–7: corners to the diagonal directions.
    corners: Vec<u8>,
    /// Bits 0–3: a stop for that direction of travel lies ahead. Bits 4–7: against that diagonal
    /// direction lies a through cell that leads here.
    meets: Vec<u8>,
}

const fn bit(direction: Direction) -> u8 {
    1 << direction as u8
}

/// For each straight direction of travel, the corners that make a cell a stop.
const STOPS: [u8; 4] = [
    bit(Direction::SouthEast) | bit(Direction::SouthWest),
    bit(Direction::NorthWest) | bit(Direction::SouthWest),
    bit(Direction::NorthEast) | bit(Direction::NorthWest),
    bit(Direction::NorthEast) | bit(Direction::SouthEast),
];

const RISING_THROUGH: u8 = bit(Direction::NorthWest) | bit(Direction::SouthEast);
const FALLING_THROUGH: u8 = bit(Direction::NorthEast) | bit(Direction::SouthWest);

impl Corners {
    pub(super) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.extent().width() as usize, grid.extent().height() as usize);
        let padded = (width + 2) * (height + 2);
        let mut this = Self {
            width,
            height,
            domains: vec![0; padded],
            corners: vec![0; padded],
            meets: vec![0; padded],
        };
        let cells = grid.extent().cells();
        for cell in cells {
            let domain = grid.domain_of(cell).map_or(0, |domain| domain.index() as u8 + 1);
            let at = this.at(cell.x as usize, cell.y as usize);
            this.domains[at] = domain;
        }
        this.find_corners();
        for direction in 0..4 {
            this.look_straight(direction);
        }
        for direction in 4..8 {
            this.look_back(direction);
        }
        this
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> usize {
        (y + 1) * (self.width + 2) + x + 1
    }

    #[inline]
    fn offset(&self, direction: usize) -> isize {
        let (dx, dy) = DELTAS[direction];
        dy as isize * (self.width as isize + 2) + dx as isize
    }

    fn find_corners(&mut self) {
        let offsets: [isize; 8] = std::array::from_fn(|direction| self.offset(direction));
        for y in 0..self.height {
            for at in self.at(0, y)..self.at(self.width, y) {
                let domain = self.domains[at];
                if domain == 0 {
                    continue;
                }
                let same = |direction: usize| {
                    self.domains[at.wrapping_add_signed(offsets[direction])] == domain
                };
                let mut corners = 0;
                for diagonal in 4..8 {
                    let (first, second) = sides(diagonal);
                    if same(first) && same(second) && !same(diagonal) {
                        corners |= 1 << diagonal;
                    }
                }
                self.corners[at] = corners;
            }
        }
    }

    /// Whether the step is allowed, for a direction of either kind.
    #[inline]
    pub(super) fn steps(&self, at: usize, direction: usize) -> bool {
        let domain = self.domains[at];
        let same = |direction: usize| {
            self.domains[at.wrapping_add_signed(self.offset(direction))] == domain
        };
        domain != 0
            && same(direction)
            && (direction < 4 || {
                let (first, second) = sides(direction);
                same(first) && same(second)
            })
    }

    #[inline]
    pub(super) fn is_subgoal(&self, at: usize) -> bool {
        self.corners[at] != 0
    }

    #[inline]
    pub(super) fn is_stop(&self, at: usize, direction: usize) -> bool {
        self.corners[at] & STOPS[direction] != 0
    }

    #[inline]
    pub(super) fn is_through(&self, at: usize, rising: bool) -> bool {
        self.corners[at] & if rising { RISING_THROUGH } else { FALLING_THROUGH } != 0
    }

    /// See [`Corners::meets`].
    #[inline]
    pub(super) fn meets(&self, at: usize, direction: usize) -> bool {
        self.meets[at] >> direction & 1 == 1
    }

    /// From each cell that the next one along `order` has been done before.
    fn for_each_after(&mut self, forward: bool, mut each: impl FnMut(&mut Self, usize)) {
        for row in 0..self.height {
            let y = if forward { row } else { self.height - 1 - row };
            for column in 0..self.width {
                let x = if forward { column } else { self.width - 1 - column };
                let at = self.at(x, y);
                if self.domains[at] != 0 {
                    each(self, at);
                }
            }
        }
    }

    fn look_straight(&mut self, direction: usize) {
        let (dx, dy) = DELTAS[direction];
        let offset = self.offset(direction);
        self.for_each_after(dx + dy < 0, |this, at| {
            let next = at.wrapping_add_signed(offset);
            if this.domains[next] == this.domains[at]
                && (this.is_stop(next, direction) || this.meets(next, direction))
            {
                this.meets[at] |= 1 << direction;
            }
        });
    }

    fn look_back(&mut self, direction: usize) {
        let (dx, dy) = DELTAS[direction];
        let offset = self.offset(direction);
        let rising = dx + dy == 0;
        self.for_each_after(dy > 0, |this, at| {
            let before = at.wrapping_add_signed(-offset);
            if !this.is_through(at, rising)
                && this.steps(before, direction)
                && (this.is_through(before, rising) || this.meets(before, direction))
            {
                this.meets[at] |= 1 << direction;
            }
        });
    }
}

/// The two straight directions beside a diagonal one.
pub(super) const fn sides(diagonal: usize) -> (usize, usize) {
    match diagonal {
        4 => (0, 1),
        5 => (1, 2),
        6 => (2, 3),
        _ => (3, 0),
    }
}
