//! Paths: what a search returns.

mod corridor;
mod legs;
mod smooth;
mod sweep;
mod validate;

pub use corridor::Corridor;
pub use smooth::{Smoother, smooth};
pub use validate::{PathFault, PathProblem};

use crate::grid::{Cell, Cost, Direction, Grid, Revision};
use legs::{leg_steps, push_leg};

pub(crate) use legs::{octile_cost, octile_cost_wide};

/// A path over a grid, from its start to its goal, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    cells: Vec<Cell>,
    cost: Cost,
    diagonal_steps: u32,
    revision: Revision,
}

impl Path {
    /// The path over those cells, if each step of it is allowed on the grid.
    pub fn new(grid: &Grid, cells: Vec<Cell>) -> Result<Self, PathFault> {
        let cost = validate::walk(grid, &cells)?;
        Ok(Self::with_cost(cells, cost, grid.revision()))
    }

    /// A path whose steps and cost a search vouches for.
    pub(crate) fn with_cost(cells: Vec<Cell>, cost: Cost, revision: Revision) -> Self {
        let is_diagonal = |step: &&[Cell]| step[0].x != step[1].x && step[0].y != step[1].y;
        let diagonal_steps = cells.windows(2).filter(is_diagonal).count() as u32;
        Self { cells, cost, diagonal_steps, revision }
    }

    /// A path through those cells in order, at least one, by legs of diagonal steps first, then
    /// straight ones; a search vouches for steps and cost.
    pub(crate) fn by_legs(
        turns: impl Iterator<Item = Cell> + Clone,
        cost: Cost,
        revision: Revision,
    ) -> Self {
        let legs = || turns.clone().zip(turns.clone().skip(1));
        let (mut steps, mut diagonal_steps) = (0, 0);
        for (from, to) in legs() {
            let (columns, rows) = from.offset(to);
            steps += leg_steps(from, to) as usize;
            diagonal_steps += columns.min(rows);
        }
        let mut cells = Vec::with_capacity(steps + 1);
        cells.extend(turns.clone().take(1));
        for (from, to) in legs() {
            push_leg(from, to, &mut cells);
        }
        Self { cells, cost, diagonal_steps, revision }
    }

    /// Every cell, in order. Iterates both ways, as slices do.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The first cell.
    pub fn start(&self) -> Cell {
        self.cells[0]
    }

    /// The last cell.
    pub fn goal(&self) -> Cell {
        self.cells[self.cells.len() - 1]
    }

    /// Number of steps: one less than cells.
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    /// Number of straight steps.
    pub fn straight_steps(&self) -> usize {
        self.steps() - self.diagonal_steps()
    }

    /// Number of diagonal steps.
    pub fn diagonal_steps(&self) -> usize {
        self.diagonal_steps as usize
    }

    /// The sum of its steps' costs.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Its length with straight steps of 1 and diagonals of √2, whatever the terrain costs.
    pub fn length(&self) -> f64 {
        self.straight_steps() as f64 + self.diagonal_steps() as f64 * std::f64::consts::SQRT_2
    }

    /// The revision of the grid it was found on.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The cells where it changes direction, with its start and its goal.
    pub fn turning_points(&self) -> impl DoubleEndedIterator<Item = Cell> + '_ {
        let last = self.cells.len() - 1;
        let turns = move |&at: &usize| {
            at == 0 || at == last || {
                let before = Direction::between(self.cells[at - 1], self.cells[at]);
                before != Direction::between(self.cells[at], self.cells[at + 1])
            }
        };
        (0..=last).filter(turns).map(|at| self.cells[at])
    }

    /// Checks every step against a grid: its map, its rule and its profile; and the cost.
    pub fn validate(&self, grid: &Grid) -> Result<(), PathFault> {
        let cost = validate::walk(grid, &self.cells)?;
        if cost != self.cost {
            return Err(PathFault {
                index: self.steps(),
                problem: PathProblem::Cost { claimed: self.cost, actual: cost },
            });
        }
        Ok(())
    }
}

impl<'p> IntoIterator for &'p Path {
    type Item = Cell;
    type IntoIter = std::iter::Copied<std::slice::Iter<'p, Cell>>;

    fn into_iter(self) -> Self::IntoIter {
        self.cells.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, Terrain};

    fn cells(places: &[(u32, u32)]) -> Vec<Cell> {
        places.iter().map(|&place| place.into()).collect()
    }

    #[test]
    fn a_path_knows_its_turns_its_length_and_its_cost() {
        let grid = Grid::with_defaults("......\n......\n......\n".parse().unwrap());
        let path =
            Path::new(&grid, cells(&[(0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (5, 1)])).unwrap();
        let turns: Vec<Cell> = path.turning_points().collect();
        assert_eq!(turns, cells(&[(0, 0), (2, 2), (4, 2), (5, 1)]));
        let backwards: Vec<Cell> = path.turning_points().rev().collect();
        assert_eq!(backwards, cells(&[(5, 1), (4, 2), (2, 2), (0, 0)]));
        assert_eq!((path.straight_steps(), path.diagonal_steps()), (2, 3));
        assert_eq!(path.cost(), Cost(2 * 2 * 2378 + 3 * 2 * 3363));
        assert!((path.length() - (2.0 + 3.0 * 2f64.sqrt())).abs() < 1e-12);
        assert_eq!((&path).into_iter().next_back(), Some(path.goal()));
        let standing = Path::new(&grid, cells(&[(2, 2)])).unwrap();
        assert_eq!((standing.cost(), standing.turning_points().count()), (Cost::ZERO, 1));
    }

    #[test]
    fn each_kind_of_bad_step_is_named_with_its_place() {
        let mut grid = Grid::with_defaults(".#W\n..W\n...\n".parse().unwrap());
        let fault = |places: &[(u32, u32)]| {
            let fault = Path::new(&grid, cells(places)).unwrap_err();
            (fault.index, fault.problem)
        };
        let cell = Cell::new;
        assert_eq!(fault(&[]), (0, PathProblem::Empty));
        assert_eq!(fault(&[(0, 0), (9, 0)]), (1, PathProblem::NotEnterable(cell(9, 0))));
        assert_eq!(fault(&[(0, 0), (1, 0)]), (1, PathProblem::NotEnterable(cell(1, 0))));
        let step = |from, to| PathProblem::Step { from, to };
        assert_eq!(fault(&[(0, 0), (0, 1), (0, 1)]), (2, step(cell(0, 1), cell(0, 1))));
        assert_eq!(fault(&[(0, 0), (0, 2)]), (1, step(cell(0, 0), cell(0, 2))));
        assert_eq!(fault(&[(0, 0), (1, 1)]), (1, step(cell(0, 0), cell(1, 1))), "cuts a corner");
        assert_eq!(fault(&[(1, 1), (2, 1)]), (1, step(cell(1, 1), cell(2, 1))), "into water");
        let path = Path::new(&grid, cells(&[(0, 0), (0, 1), (1, 1)])).unwrap();
        assert_eq!(path.validate(&grid), Ok(()));
        let mut batch = Batch::new();
        batch.set((0, 1), Terrain::WALL);
        grid.apply(&batch).unwrap();
        assert!(path.validate(&grid).is_err());
    }
}
