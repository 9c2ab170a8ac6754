//! Environments: what paths are found in.
//!
//! [`Grid`](crate::Grid), [`Graph`](crate::graph::Graph) and [`Mesh`](crate::mesh::Mesh) are environments.
//! Everything that plans is generic over one: a [`Planner`](crate::Planner) of an environment takes a
//! [`PathQuery`](crate::PathQuery) between its places and answers with a [`Path`](crate::Path) over them.
//!
//! This module is the bottom of the crate: it knows no environment, only what all of them have in common.

mod cost;
mod edition;
mod hash;
mod journal;
mod watch;

pub use cost::Cost;
pub use edition::{Edition, Revision};
pub use journal::Journal;
pub use watch::{BuildError, Watch};

pub(crate) use hash::StableHash;

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;

/// A node of a searched space: of a graph, or a cell of a grid by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index into per-node arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// A point in three dimensions; a plane has z = 0.
///
/// ```
/// use highroad::environment::{Environment, Position};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let middle: Position = [2.5, 0.5, 0.0];
/// assert_eq!(grid.position((2, 0).into()), Some(middle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Position = [f64; 3];

/// Which end of a path is meant.
///
/// ```
/// use highroad::environment::End;
/// use highroad::planner::QueryError;
/// let error: QueryError = QueryError::Missing(End::Goal);
/// assert_eq!(error.to_string(), "the query has no goal");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum End {
    /// Where it starts.
    Start,
    /// Where it ends.
    Goal,
}

impl Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// Where a path breaks the rules of its environment, and how.
///
/// ```
/// use highroad::{Cell, Path};
/// use highroad::environment::PathFault;
/// use highroad::grid::{Grid, PathProblem};
/// let grid = Grid::with_defaults("..#.\n".parse()?);
/// let cells = [(0, 0), (1, 0), (2, 0)].map(Cell::from).to_vec();
/// let fault: PathFault<PathProblem> = Path::new(&grid, cells).unwrap_err();
/// assert_eq!(fault.to_string(), "place 2 of the path: no agent may stand on (2, 0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("place {index} of the path: {problem}")]
pub struct PathFault<R> {
    /// Which place of the path, from 0.
    pub index: usize,
    /// What is wrong there.
    pub problem: R,
}

/// What paths are found in.
///
/// ```
/// use highroad::{Cell, CellRect, Cost, Terrain};
/// use highroad::environment::Environment;
/// use highroad::grid::{Batch, Grid};
/// let mut grid = Grid::with_defaults("...\n.#.\n".parse()?);
/// let way = [(0, 1), (0, 0), (1, 0)].map(Cell::from);
/// assert_eq!(grid.price(&way)?, Cost(2 * 2 * 2378));
/// assert!(grid.check_place(Cell::new(1, 1)).is_err());
///
/// let changes = grid.apply(Batch::new().set((1, 0), Terrain::WALL))?;
/// assert_eq!(grid.first_touched(&way, 0, &changes[0]), Some(2));
/// assert!(grid.price(&way).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Environment: Send + Sync + Sized + 'static {
    /// What paths go over: a cell, a node, a point.
    type Place: Copy + Eq + Hash + Debug + Display + Default + Send + Sync + 'static;
    /// One thing that an edit has changed.
    type Change: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// Why no path can start or end somewhere.
    type Refusal: Error + Clone + PartialEq + Send + Sync + 'static;
    /// What can be wrong with a path.
    type Problem: Error + Clone + PartialEq + Send + Sync + 'static;

    /// How often it has been changed.
    fn revision(&self) -> Revision;

    /// Which state of which environment this is. Two environments with the same edition are equal.
    fn edition(&self) -> Edition;

    /// Whether paths can be found in it at all; if not, why.
    fn check(&self) -> Result<(), Self::Refusal> {
        Ok(())
    }

    /// Whether a path can start or end there; if not, why.
    fn check_place(&self, place: Self::Place) -> Result<(), Self::Refusal>;

    /// What it costs to go from place to place in that order, if every step is allowed.
    fn price(&self, places: &[Self::Place]) -> Result<Cost, PathFault<Self::Problem>>;

    /// The same where every step is known to be allowed: an environment that can find the cost with fewer checks does
    /// so here.
    fn known_price(&self, places: &[Self::Place]) -> Cost {
        self.price(places).unwrap_or(Cost::ZERO)
    }

    /// The problem of a path whose steps are allowed, but cost something else than it claims.
    fn wrong_cost(claimed: Cost, actual: Cost) -> Self::Problem;

    /// The first place of a path, as an index above `from`, the step to which depends on what has changed; or
    /// `from` itself, if no path could start there any more or its own cost has changed. What is not touched can
    /// be walked as before, at the same cost.
    fn first_touched(
        &self,
        places: &[Self::Place],
        from: usize,
        change: &Self::Change,
    ) -> Option<usize>;

    /// Whether somebody at a place covers another: only its own, unless agents are larger than a place.
    fn covers(&self, at: Self::Place, place: Self::Place) -> bool {
        at == place
    }

    /// Where a place lies, for drawing; `None` where that is not known.
    fn position(&self, place: Self::Place) -> Option<Position>;
}
