//! Tables of distances.

use crate::environment::Cost;
use crate::planner::QueryError;
use thiserror::Error;

/// Costs from some places to others.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::index::{HubLabels, HubOptions};
/// use highroad::planner::Scratch;
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let index = HubLabels::build(&grid, HubOptions::default())?;
/// let (from, to) = ([Cell::new(0, 0)], [Cell::new(3, 0), Cell::new(3, 2)]);
/// let table = index.distance_table(&grid, &from, &to, &mut Scratch::new())?;
/// let step = 2 * u64::from(grid.movement().steps().straight());
/// assert_eq!(table.cost(0, 0).map(|cost| cost.0), Some(3 * step));
/// assert_eq!(table.cost(0, 1).map(|cost| cost.0), Some(5 * step));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceTable {
    columns: usize,
    /// Row by row; [`DistanceTable::NO_PATH`] where there is none.
    costs: Vec<u64>,
}

impl DistanceTable {
    pub(super) const NO_PATH: u64 = u64::MAX;

    /// The most costs that a table of a graph holds: two gigabytes of them.
    pub const COSTS_MAX: usize = 1 << 28;

    pub(super) fn of(columns: usize, costs: Vec<u64>) -> Self {
        Self { columns, costs }
    }

    /// What the cheapest path costs from a start to a goal, by their places in the lists; `None` if there
    /// is no path, or no such place.
    pub fn cost(&self, start: usize, goal: usize) -> Option<Cost> {
        if goal >= self.columns {
            return None;
        }
        let cost = *self.costs.get(start.checked_mul(self.columns)?.checked_add(goal)?)?;
        (cost != Self::NO_PATH).then_some(Cost(cost))
    }
}

/// Why a table of distances cannot be made. `R` is the environment's reason for refusing a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError<R> {
    /// A place is refused, there is none, or the index does not describe the environment as it is.
    #[error(transparent)]
    Query(#[from] QueryError<R>),
    /// More costs than a table may hold.
    #[error("{starts} × {goals} costs: a table may hold {}", DistanceTable::COSTS_MAX)]
    TooLarge {
        /// How many starts there are.
        starts: usize,
        /// How many goals there are.
        goals: usize,
    },
}
