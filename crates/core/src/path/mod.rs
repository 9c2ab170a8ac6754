//! Paths: what a search returns.

mod corridor;
mod legs;
#[cfg(feature = "serde")]
mod readable;
mod saved;
mod smooth;
mod sweep;

pub use corridor::Corridor;
pub use smooth::{Smoother, smooth};

use crate::environment::{Cost, Environment, NodeId, PathFault, Revision};
use crate::grid::{Cell, Direction, Grid, Link};

pub(crate) use legs::{leg_steps, octile_cost, octile_cost_wide, push_leg};

/// A path through an environment, from its start to its goal, both included. `P` is what it goes over: a
/// [`Cell`] of a grid by default, a [`NodeId`] of a graph.
///
/// ```
/// use highroad::{Cell, Cost, Path};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("...\n..#\n".parse()?);
/// let path = Path::new(&grid, [(0, 1), (0, 0), (1, 0), (2, 0)].map(Cell::from).to_vec())?;
/// assert_eq!((path.steps(), path.cost(), path.goal()), (3, Cost::steps(3), Cell::new(2, 0)));
/// assert_eq!(path.turning_points().collect::<Vec<_>>(), [(0, 1), (0, 0), (2, 0)].map(Cell::from));
/// assert_eq!(path.validate(&grid), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<P = Cell> {
    places: Vec<P>,
    cost: Cost,
    revision: Revision,
}

impl<P: Copy> Path<P> {
    /// The path over those places. O(steps). Fails with a [`PathFault`] at the first step that is not allowed, or if there is
    /// no place.
    pub fn new<E: Environment<Place = P>>(
        environment: &E,
        places: Vec<P>,
    ) -> Result<Self, PathFault<E::Problem>> {
        let cost = environment.price(&places)?;
        Ok(Self { places, cost, revision: environment.revision() })
    }

    /// A path whose steps and cost the caller vouches for: for planners, which know both. There must be at least
    /// one place.
    ///
    /// # Panics
    /// If there is no place.
    pub fn vouched(places: Vec<P>, cost: Cost, revision: Revision) -> Self {
        assert!(!places.is_empty(), "a path has at least one place");
        Self { places, cost, revision }
    }

    /// Every place, in order.
    pub fn places(&self) -> &[P] {
        &self.places
    }

    /// The first place.
    pub fn start(&self) -> P {
        self.places[0]
    }

    /// The last place.
    pub fn goal(&self) -> P {
        self.places[self.places.len() - 1]
    }

    /// Number of steps: one less than places.
    pub fn steps(&self) -> usize {
        self.places.len() - 1
    }

    /// The sum of its steps' costs.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The revision of the environment it was found in.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Checks every step, and the cost. O(steps). Fails with a [`PathFault`] at the first thing that is wrong.
    pub fn validate<E: Environment<Place = P>>(
        &self,
        environment: &E,
    ) -> Result<(), PathFault<E::Problem>> {
        let cost = environment.price(&self.places)?;
        if cost != self.cost {
            let problem = E::wrong_cost(self.cost, cost);
            return Err(PathFault { index: self.steps(), problem });
        }
        Ok(())
    }
}

impl Path<NodeId> {
    /// Every node, in order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.places
    }
}

impl Path {
    /// A path through those cells in order, at least one, by legs of diagonal steps first, then
    /// straight ones; a search vouches for steps and cost.
    #[cfg(test)]
    pub(crate) fn by_legs(
        turns: impl Iterator<Item = Cell> + Clone,
        cost: Cost,
        revision: Revision,
    ) -> Self {
        let legs = || turns.clone().zip(turns.clone().skip(1));
        let steps: usize = legs().map(|(from, to)| leg_steps(from, to) as usize).sum();
        let mut cells = Vec::with_capacity(steps + 1);
        cells.extend(turns.clone().take(1));
        for (from, to) in legs() {
            push_leg(from, to, &mut cells);
        }
        Self { places: cells, cost, revision }
    }

    /// Where it uses links, each by the number of the cell that it leaves: there the agent climbs, jumps or opens a door.
    /// A link between neighbours counts if it is cheaper than the step.
    ///
    /// ```
    /// use highroad::GridMap;
    /// use highroad::grid::{Grid, Link};
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let mut map: GridMap = "..#..\n".parse()?;
    /// let ladder = Link::new((1, 0), (3, 0), 4756);
    /// map.add_link(ladder)?;
    /// let grid = Grid::with_defaults(map);
    /// let query = PathQuery::new((0, 0), (4, 0));
    /// let path = GridSearch::astar().solve(&grid, &query, &mut Scratch::new())?.path().unwrap();
    /// assert_eq!(path.links(&grid).collect::<Vec<_>>(), [(1, ladder)], "from the second cell of the path");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn links<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = (usize, Link)> + 'a {
        let steps = self.places.windows(2).enumerate().filter(|_| grid.has_links());
        steps.filter_map(|(at, step)| Some((at, grid.link_between(step[0], step[1])?)))
    }

    /// Every cell, in order. Iterates both ways, as slices do.
    pub fn cells(&self) -> &[Cell] {
        &self.places
    }

    /// Number of straight steps. Counts them: O(steps), as are [`Path::diagonal_steps`] and [`Path::length`].
    pub fn straight_steps(&self) -> usize {
        self.steps() - self.diagonal_steps()
    }

    /// Number of diagonal steps.
    pub fn diagonal_steps(&self) -> usize {
        let is_diagonal = |step: &&[Cell]| step[0].x != step[1].x && step[0].y != step[1].y;
        self.places.windows(2).filter(is_diagonal).count()
    }

    /// Its length with straight steps of 1 and diagonals of √2, whatever the terrain costs.
    pub fn length(&self) -> f64 {
        let diagonal = self.diagonal_steps();
        (self.steps() - diagonal) as f64 + diagonal as f64 * std::f64::consts::SQRT_2
    }

    /// The cells where it changes direction, with its start and its goal. O(steps).
    pub fn turning_points(&self) -> impl DoubleEndedIterator<Item = Cell> + '_ {
        let (cells, last) = (&self.places, self.places.len() - 1);
        let turns = move |&at: &usize| {
            at == 0 || at == last || {
                let before = Direction::between(cells[at - 1], cells[at]);
                before != Direction::between(cells[at], cells[at + 1])
            }
        };
        (0..=last).filter(turns).map(|at| cells[at])
    }
}

impl<'p, P: Copy> IntoIterator for &'p Path<P> {
    type Item = P;
    type IntoIter = std::iter::Copied<std::slice::Iter<'p, P>>;

    fn into_iter(self) -> Self::IntoIter {
        self.places.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, Grid, PathProblem, Terrain};

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
