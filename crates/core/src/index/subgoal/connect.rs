//! Joining any cell to the subgoals around it.
//!
//! *Onwards* from a cell: every stop that a way of diagonal steps first, then straight ones, comes to
//! before any other, and the first through cell of each diagonal. These are the successors of jump
//! point search, precomputed up to a look at some bits.
//!
//! *Back* from a cell: every subgoal from which such a way leads to it. It has to be walked the other
//! way round: along the four lines up to the last place from which nothing stops one, and from each of
//! its cells against two diagonals.
//!
//! ```text
//!       u₁           to t come: the subgoals on its row, as far as s, a stop for travel to the
//!      ↘             right; u₁ and u₂, first through cells against the diagonals of cells between.
//!   s  · · · · t     What lies beyond s or beyond u₁ comes by way of them.
//!      ↗
//!     u₂
//! ```
//!
//! Invariant: for two cells joined by any path, either the way of diagonal steps first leads from one to
//! the other, or the cheapest sum of a link onwards, edges between subgoals and a link back is the
//! optimal cost. (Jump point search from the first cell finds the second by such a chain: each of
//! its jumps is a link or an edge, cut at the through cells on its diagonal.)

use super::SubgoalMap;
use super::lines::for_each_set;
use crate::grid::{Cell, DELTAS, Direction};
use crate::path::octile_cost;

const NORTH: usize = Direction::North as usize;
const EAST: usize = Direction::East as usize;
const SOUTH: usize = Direction::South as usize;
const WEST: usize = Direction::West as usize;

/// A subgoal, and what the way between it and a cell costs, in steps of cells that cost a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) subgoal: u32,
    pub(crate) cost: u32,
}

/// Diagonals to look along: those of a family.
pub(super) const RISING: u8 = 1;
pub(super) const FALLING: u8 = 2;

impl SubgoalMap {
    /// The links onwards from a cell, along the diagonals of some families; always in the same order.
    pub(super) fn links_onwards(&self, from: Cell, families: u8, mut visit: impl FnMut(Link)) {
        let own = self.diagonals[0].place(from.x, from.y);
        let (word, shift) = (&own.words[own.at as usize / 64], own.at % 64);
        // Of the rising family: east and north up, west and south down.
        let ahead = [(NORTH, 0, 1), (EAST, 0, 0), (SOUTH, 1, 1), (WEST, 1, 0)];
        for (direction, way, board) in ahead {
            if word.sees[way][board] >> shift & 1 == 1 {
                self.link_to_stop(from, 0, direction).into_iter().for_each(&mut visit);
            }
        }
        for (family, diagonals) in self.diagonals.iter().enumerate() {
            if families >> family & 1 == 0 {
                continue;
            }
            for up in [true, false] {
                let place = diagonals.place(from.x, from.y);
                let clear = place.clearance(up);
                let through = place.to_through(up).filter(|&distance| distance <= clear);
                // Beyond a through cell, its own links go on.
                let cells = through.map_or(clear, |distance| distance - 1);
                let (dx, dy) = along(family, up);
                let at = |steps: u32| moved(from, dx, dy, steps);
                let (first, end) = if up {
                    (place.at + 1, place.at + 1 + cells)
                } else {
                    (place.at - cells, place.at)
                };
                let way = usize::from(!up);
                let across = if up { EAST } else { WEST };
                let aside = if dy < 0 { NORTH } else { SOUTH };
                for (board, direction) in [(0, across), (1, aside)] {
                    for_each_set(
                        place.words,
                        first..end,
                        |word| word.sees[way][board],
                        |found| {
                            let steps = found.abs_diff(place.at);
                            self.link_to_stop(at(steps), steps, direction)
                                .into_iter()
                                .for_each(&mut visit);
                        },
                    );
                }
                if let Some(steps) = through
                    && let Some(subgoal) = self.number_of(at(steps))
                {
                    visit(Link { subgoal, cost: steps * self.diagonal });
                }
            }
        }
    }

    /// The subgoals that links onwards pass by: in sight by diagonal steps first, then straight ones,
    /// with no stop and no through cell before them, and none for a path that comes that way.
    ///
    /// With the links onwards, which lead to all others in sight or to what comes before them, these
    /// join any two subgoals that see each other at the cost of the way between.
    pub(crate) fn links_passed(&self, from: Cell, mut visit: impl FnMut(Link)) {
        for direction in [NORTH, EAST, SOUTH, WEST] {
            self.links_passed_along(from, direction, 0, &mut visit);
        }
        for (family, diagonals) in self.diagonals.iter().enumerate() {
            for up in [true, false] {
                let place = diagonals.place(from.x, from.y);
                let clear = place.clearance(up);
                let cells = place.to_through(up).map_or(clear, |steps| clear.min(steps - 1));
                let (dx, dy) = along(family, up);
                for steps in 1..=cells {
                    let at = moved(from, dx, dy, steps);
                    if let Some(subgoal) = self.number_of(at) {
                        visit(Link { subgoal, cost: steps * self.diagonal });
                    }
                    for direction in
                        [if dx > 0 { EAST } else { WEST }, if dy < 0 { NORTH } else { SOUTH }]
                    {
                        self.links_passed_along(at, direction, steps, &mut visit);
                    }
                }
            }
        }
    }

    /// The subgoals that one passes on a line, so many diagonal steps from the start.
    fn links_passed_along(
        &self,
        from: Cell,
        direction: usize,
        diagonals: u32,
        visit: &mut impl FnMut(Link),
    ) {
        let (dx, dy) = DELTAS[direction];
        let (lines, line, place) =
            if dx != 0 { (&self.rows, from.y, from.x) } else { (&self.columns, from.x, from.y) };
        let up = dx + dy > 0;
        let cells = lines.clearance_to_stop(line, place, up);
        let range = if up { place + 1..place + 1 + cells } else { place - cells..place };
        for_each_set(
            lines.line(line),
            range,
            |word| word.subgoals,
            |found| {
                let at = if dx != 0 { Cell::new(found, from.y) } else { Cell::new(from.x, found) };
                let straights = found.abs_diff(place) * self.straight;
                let cost = diagonals * self.diagonal + straights;
                self.number_of(at).into_iter().for_each(|subgoal| visit(Link { subgoal, cost }));
            },
        );
    }

    /// The link to the stop ahead of a cell that is so many diagonal steps from the start.
    #[inline]
    fn link_to_stop(&self, from: Cell, diagonals: u32, direction: usize) -> Option<Link> {
        let (dx, dy) = DELTAS[direction];
        let distance = if dx != 0 {
            self.rows.to_stop(from.y, from.x, dx > 0)
        } else {
            self.columns.to_stop(from.x, from.y, dy > 0)
        };
        let subgoal = self.number_of(moved(from, dx, dy, distance))?;
        Some(Link { subgoal, cost: diagonals * self.diagonal + distance * self.straight })
    }

    /// The links by which a cell is come to; always in the same order.
    pub(super) fn links_back(&self, to: Cell, mut visit: impl FnMut(Link)) {
        if let Some(subgoal) = self.number_of(to) {
            visit(Link { subgoal, cost: 0 });
        }
        for direction in 4..8 {
            self.link_against(to, direction, 0, true, &mut visit);
        }
        for direction in [NORTH, EAST, SOUTH, WEST] {
            self.links_against_line(to, direction, &mut visit);
        }
    }

    /// The links to a cell that end with straight steps in a direction.
    fn links_against_line(&self, to: Cell, direction: usize, visit: &mut impl FnMut(Link)) {
        let (dx, dy) = DELTAS[direction];
        let (lines, line, place) =
            if dx != 0 { (&self.rows, to.y, to.x) } else { (&self.columns, to.x, to.y) };
        // Travel towards higher cells comes from lower ones.
        let up = dx + dy > 0;
        let mut clear = lines.clearance(line, place, !up);
        let words = lines.line(line);
        let stop = lines.nearest_stop_behind(line, place, up);
        clear = clear.min(stop.unwrap_or(clear));
        let range = if up { place - clear..place } else { place + 1..place + 1 + clear };
        let at = |found: u32| if dx != 0 { Cell::new(found, to.y) } else { Cell::new(to.x, found) };
        for_each_set(
            words,
            range.clone(),
            |word| word.subgoals,
            |found| {
                let cost = found.abs_diff(place) * self.straight;
                self.number_of(at(found))
                    .into_iter()
                    .for_each(|subgoal| visit(Link { subgoal, cost }));
            },
        );
        let (first, second) = beside(direction);
        for diagonal in [first, second] {
            for_each_set(
                words,
                range.clone(),
                |word| word.back[diagonal - 4],
                |found| {
                    self.link_against(at(found), diagonal, found.abs_diff(place), false, visit);
                },
            );
        }
    }

    /// The link from the first through cell against a diagonal direction, if it is there.
    #[inline]
    fn link_against(
        &self,
        to: Cell,
        direction: usize,
        straights: u32,
        check: bool,
        visit: &mut impl FnMut(Link),
    ) {
        let family = usize::from(direction % 2 == 1);
        let (dx, dy) = DELTAS[direction];
        if check {
            let word = &self.rows.line(to.y)[to.x as usize / 64];
            if word.back[direction - 4] >> (to.x % 64) & 1 == 0 {
                return;
            }
        }
        // Against the direction: towards low columns if it leads to high ones.
        let place = self.diagonals[family].place(to.x, to.y);
        if let Some(steps) = place.to_through(dx < 0)
            && let Some(subgoal) = self.number_of(moved(to, -dx, -dy, steps))
        {
            visit(Link { subgoal, cost: steps * self.diagonal + straights * self.straight });
        }
    }

    /// What the way between a cell and a subgoal costs.
    #[inline]
    pub(crate) fn way(&self, cell: Cell, subgoal: u32) -> u32 {
        octile_cost(cell, self.cells[subgoal as usize], self.straight, self.diagonal) as u32
    }

    /// What the way of diagonal steps first costs, if it is open.
    pub(crate) fn cost_in_sight(&self, from: Cell, to: Cell) -> Option<u64> {
        self.sees(from, to).then(|| octile_cost(from, to, self.straight, self.diagonal))
    }

    /// Whether the way of diagonal steps first is open from one cell to another.
    pub(crate) fn sees(&self, from: Cell, to: Cell) -> bool {
        let (columns, rows) = from.offset(to);
        let diagonals = columns.min(rows);
        let (right, below) = (to.x > from.x, to.y > from.y);
        if diagonals > 0 {
            let family = usize::from(right == below);
            if self.diagonals[family].place(from.x, from.y).clearance(right) < diagonals {
                return false;
            }
        }
        let (dx, dy) = (if right { 1 } else { -1 }, if below { 1 } else { -1 });
        let turn = moved(from, dx, dy, diagonals);
        let left = columns.max(rows) - diagonals;
        left == 0
            || if columns > rows {
                self.rows.clearance(turn.y, turn.x, right) >= left
            } else {
                self.columns.clearance(turn.x, turn.y, below) >= left
            }
    }
}

/// How far one can go from a cell in each direction, to decide quickly what it sees.
pub(crate) struct Lookout<'a> {
    map: &'a SubgoalMap,
    from: Cell,
    /// Towards high columns and low ones, high rows and low ones.
    straight: [[u32; 2]; 2],
    /// Towards high columns or low ones, then towards high rows or low ones.
    diagonal: [[u32; 2]; 2],
}

impl<'a> Lookout<'a> {
    pub(crate) fn new(map: &'a SubgoalMap, from: Cell) -> Self {
        let (Cell { x, y }, ways) = (from, [true, false]);
        let diagonal = |right: bool, below: bool| {
            map.diagonals[usize::from(right == below)].place(x, y).clearance(right)
        };
        Self {
            map,
            from,
            straight: [
                ways.map(|right| map.rows.clearance(y, x, right)),
                ways.map(|below| map.columns.clearance(x, y, below)),
            ],
            diagonal: ways.map(|right| ways.map(|below| diagonal(right, below))),
        }
    }

    /// Whether a way between is open, by diagonal steps first or by straight ones first.
    pub(crate) fn sees(&self, to: Cell) -> bool {
        let (columns, rows) = self.from.offset(to);
        let diagonals = columns.min(rows);
        let left = columns.max(rows) - diagonals;
        let (right, below) = (to.x > self.from.x, to.y > self.from.y);
        let straight_first = || {
            let axis = usize::from(rows > columns);
            let way = usize::from(!if rows > columns { below } else { right });
            self.straight[axis][way] >= left && self.map.sees(to, self.from)
        };
        let diagonal_first = || {
            self.diagonal[usize::from(!right)][usize::from(!below)] >= diagonals
                && self.map.sees(self.from, to)
        };
        diagonal_first() || straight_first()
    }
}

/// The step along a family of diagonals.
fn along(family: usize, up: bool) -> (i32, i32) {
    let dx = if up { 1 } else { -1 };
    (dx, if family == 0 { -dx } else { dx })
}

/// The two diagonal directions beside a straight one.
fn beside(straight: usize) -> (usize, usize) {
    match straight {
        NORTH => (4, 7),
        EAST => (4, 5),
        SOUTH => (5, 6),
        _ => (6, 7),
    }
}

#[inline]
fn moved(cell: Cell, dx: i32, dy: i32, steps: u32) -> Cell {
    Cell {
        x: cell.x.wrapping_add_signed(dx * steps as i32),
        y: cell.y.wrapping_add_signed(dy * steps as i32),
    }
}
