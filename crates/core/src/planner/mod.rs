//! Planners: one interface over all ways to find a path on a grid.
//!
//! A [`Planner`] is chosen once a query; inside, everything is static. Its state lives in the
//! caller's [`Scratch`], so one planner serves many threads at once.

mod catalog;
mod grid_search;
mod jump_points;
mod map_path;
mod method;
mod query;
mod sketch;
mod tree;

pub use catalog::{CATALOG, CatalogEntry, OptionHelp, Spec, SpecError};
pub use grid_search::GridSearch;
pub use jump_points::JumpPointSearch;
pub use map_path::online_search;
pub use query::{Place, Query, QueryError};
pub use sketch::{Point, Shape, SketchLayer};
pub use tree::ShortestPathTree;

pub(crate) use method::Task;
pub(crate) use query::check_places;

use crate::grid::{Cell, Change, Cost, Grid};
use crate::path::Path;
use crate::search::{Scratch, TraceLog};
use std::fmt;
use thiserror::Error;

/// What a planner promises of the cost of its paths. All of them find a path exactly when there is
/// one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guarantee {
    /// No path is cheaper.
    Optimal,
    /// No path costs less than the answer divided by this factor.
    Bounded(f64),
    /// Close to optimal by measurement, without a proof.
    NearOptimal,
    /// Nothing is promised.
    None,
}

impl Guarantee {
    /// Whether an answer of that cost keeps the promise, given the optimal cost.
    pub fn holds(self, cost: Cost, optimal: Cost) -> bool {
        match self {
            Self::Optimal => cost == optimal,
            // Costs are below 2⁵³ wherever a factor matters; a half-unit of slack for rounding.
            Self::Bounded(factor) => {
                cost >= optimal && cost.0 as f64 <= optimal.0 as f64 * factor + 0.5
            }
            Self::NearOptimal | Self::None => cost >= optimal,
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Bounded(factor) => write!(f, "at most {factor:.4} times the optimum"),
            Self::NearOptimal => f.write_str("near optimal"),
            Self::None => f.write_str("any path"),
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A path from a start to a goal.
    Found(Path),
    /// There is no path to any goal.
    Unreachable {
        /// A path to the reachable cell nearest to a goal as the crow flies (octile distance).
        nearest: Path,
    },
    /// The query's limits were used up first.
    LimitReached {
        /// A path to the cell nearest to a goal among those looked at.
        nearest: Path,
    },
}

impl Answer {
    /// The path to a goal, if one was found.
    pub fn path(self) -> Option<Path> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// Where a sliced query stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The slice is used up; advance again.
    Running,
    /// A beginning of the path, if the query [asked](Query::with_first_leg) for it or the planner goes leg
    /// by leg: an agent can walk it already. Advance again for more: each leg begins where the one
    /// before has ended, and the whole path, which comes last, begins with all of them.
    Leg(Path),
    /// The query is answered.
    Done(Answer),
    /// The grid has changed since the query began, or none has begun: begin again.
    Stale,
}

/// What is wrong with what a planner has precomputed: a defect of Highroad, not of its use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}{}", near.map(|cell| format!(", near {cell}")).unwrap_or_default())]
pub struct Fault {
    problem: String,
    near: Option<Cell>,
}

impl Fault {
    pub(crate) fn new(problem: &str) -> Self {
        Self { problem: problem.to_owned(), near: None }
    }

    pub(crate) fn near(self, cell: Cell) -> Self {
        Self { near: Some(cell), ..self }
    }
}

/// How a planner has taken an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchUp {
    /// It describes the grid as it is now.
    Done,
    /// It cannot follow; until it is made anew, it refuses queries as [`QueryError::Stale`].
    NeedsRebuild,
}

/// Finds paths on a grid.
///
/// ```
/// use highroad_core::{Answer, Cell, Grid, GridSearch, Planner, Query, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut scratch = Scratch::new();
/// let query = Query::new((0, 0), (3, 2));
/// let answer = GridSearch::astar().solve(&grid, &query, &mut scratch)?;
/// let Answer::Found(path) = answer else { panic!("no path") };
/// assert_eq!(path.length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: Send + Sync {
    /// What it promises on that grid.
    fn guarantee(&self, grid: &Grid) -> Guarantee;

    /// Begins a query, ending the one before. [`Planner::advance`] goes on with it.
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError>;

    /// Goes on with the query for at most `slice` expansions. However a query is sliced, its answer
    /// is the same.
    fn advance(&self, grid: &Grid, scratch: &mut Scratch, slice: u64) -> Progress;

    /// As [`Planner::advance`], with every event written to a log. The answer is the same.
    fn advance_traced(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress;

    /// Follows an edit. `changes` are all that lie between the grid it knew and `grid` as it is now.
    /// Planners that precompute nothing have nothing to do.
    fn catch_up(&mut self, _grid: &Grid, _changes: &[Change], _scratch: &mut Scratch) -> CatchUp {
        CatchUp::Done
    }

    /// Another of the same, to follow edits while this one stays with whoever reads it: what a snapshot
    /// costs when the map changes. `None` if it is not cheaper than to make it anew.
    fn duplicate(&self) -> Option<Box<dyn Planner>> {
        None
    }

    /// Bytes that the planner holds beside the grid and the scratch memory.
    fn memory_bytes(&self) -> usize {
        0
    }

    /// What whoever chose it should know of it: that it falls back on another method, and why.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Checks every invariant of what it has precomputed, as slowly as it takes. For tests.
    fn verify(&self, _grid: &Grid) -> Result<(), Fault> {
        Ok(())
    }

    /// What it has precomputed, for drawing: the finest level first, each from the ground up. Planners
    /// without an abstraction have nothing to show.
    fn sketch(&self, _grid: &Grid) -> Vec<SketchLayer> {
        Vec::new()
    }

    /// What the last query in that scratch memory did on the abstraction, for drawing: its abstract
    /// path, the corridor that it refined.
    fn sketch_query(&self, _grid: &Grid, _scratch: &Scratch) -> Vec<SketchLayer> {
        Vec::new()
    }

    /// Answers a query in one go.
    fn solve(
        &self,
        grid: &Grid,
        query: &Query,
        scratch: &mut Scratch,
    ) -> Result<Answer, QueryError> {
        self.begin(grid, query, scratch)?;
        Ok(finish(|| self.advance(grid, scratch, u64::MAX)))
    }

    /// As [`Planner::solve`], with every event written to a log.
    fn solve_traced(
        &self,
        grid: &Grid,
        query: &Query,
        scratch: &mut Scratch,
        log: &mut TraceLog,
    ) -> Result<Answer, QueryError> {
        self.begin(grid, query, scratch)?;
        Ok(finish(|| self.advance_traced(grid, scratch, u64::MAX, log)))
    }
}

fn finish(mut advance: impl FnMut() -> Progress) -> Answer {
    loop {
        match advance() {
            Progress::Running | Progress::Leg(_) => {}
            Progress::Done(answer) => return answer,
            Progress::Stale => unreachable!("the grid is borrowed since the query began"),
        }
    }
}
