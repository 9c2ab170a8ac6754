//! Planners: one interface over all ways to find a path, in whatever environment.
//!
//! A [`Planner`] is chosen once a query; inside, everything is static. Its state lives in the
//! caller's [`Scratch`], so one planner serves many threads at once. Whoever writes a planner implements
//! [`Algorithm`], which gets everything else for free.

mod algorithm;
mod alternatives;
mod answer;
mod course;
mod entry;
mod grid;
mod mesh_ends;
mod query;
mod saved;
mod scratch;
mod searchable;
mod sketch;
mod writing;

pub use crate::environment::{BuildError, Watch};
pub use algorithm::{Algorithm, Memory};
pub use alternatives::{AlternativeOptions, alternatives};
pub use answer::Answer;
pub use entry::{
    Builder, CatalogEntry, Cataloged, Loader, Maker, NumberRange, OptionInfo, OptionKind,
    OptionValues,
};
pub use query::{GoalRule, PathQuery, QueryError};
pub use scratch::{Scratch, Session};
pub use searchable::Searchable;
pub use sketch::{LayerInfo, Point, Shape, SketchLayer};

pub(crate) use answer::{answer_within, start_of};
pub(crate) use entry::{boxed, serves_any};
pub(crate) use grid::{
    end_with, end_with_legs, limit_reached, nearest_known, path_of, redirect_if_unreachable,
    report_cells, report_direct, report_joint, report_start, report_starts,
};
pub(crate) use mesh_ends::{
    MeshEnds, add_mesh_point, begin_mesh_path, end_at_mesh_limit, is_longer_than,
};
pub(crate) use query::check_places;
pub(crate) use writing::{Ending, WalkBack, walk_back};

use crate::environment::{Cost, Environment};
use crate::grid::{Cell, Grid};
use crate::path::Path;
use crate::search::TraceLog;
use std::fmt::{self, Display};
use thiserror::Error;

/// What a planner promises of the cost of its paths. All of them find a path exactly when there is
/// one.
///
/// ```
/// use highroad::Cost;
/// use highroad::planner::Guarantee;
/// let promise = Guarantee::Bounded(1.5);
/// assert!(promise.holds(Cost(14), Cost(10)) && !promise.holds(Cost(16), Cost(10)));
/// assert_eq!(promise.to_string(), "at most 1.5000 times the optimum");
/// ```
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

/// Where a sliced query stands.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{PathQuery, Planner, Progress, Scratch};
/// let grid = Grid::with_defaults("......\n......\n".parse()?);
/// let (search, mut scratch) = (GridSearch::dijkstra(), Scratch::new());
/// search.begin(&grid, &PathQuery::new((0, 0), (5, 1)), &mut scratch)?;
/// let answer = loop {
///     match search.advance(&grid, &mut scratch, 4) { // four expansions a frame
///         Progress::Running | Progress::Leg(_) => continue,
///         Progress::Done(answer) => break answer,
///         Progress::Stale => panic!("the grid was edited"),
///     }
/// };
/// assert_eq!(answer.path().unwrap().goal(), (5, 1).into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<P = Cell> {
    /// The slice is used up; advance again.
    Running,
    /// A beginning of the path, if the query [asked](PathQuery::with_first_leg) for it or the planner goes leg
    /// by leg: an agent can walk it already. Advance again for more: each leg begins where the one
    /// before has ended, and the whole path, which comes last, begins with all of them.
    Leg(Path<P>),
    /// The query is answered.
    Done(Answer<P>),
    /// The environment has changed since the query began, or none has begun: begin again.
    Stale,
}

/// What is wrong with what a planner has precomputed: a defect of Highroad, not of its use.
///
/// ```
/// use highroad::Cell;
/// use highroad::planner::Fault;
/// let fault = Fault::new("a link leads nowhere").near(Cell::new(3, 1));
/// assert_eq!(fault.to_string(), "a link leads nowhere, near (3, 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}{}", near.as_ref().map(|place| format!(", near {place}")).unwrap_or_default())]
pub struct Fault {
    problem: String,
    near: Option<String>,
}

impl Fault {
    /// What is wrong.
    pub fn new(problem: &str) -> Self {
        Self { problem: problem.to_owned(), near: None }
    }

    /// The same fault with the place where it was found.
    pub fn near(self, place: impl Display) -> Self {
        Self { near: Some(place.to_string()), ..self }
    }
}

/// Why a planner refuses a map on which a step may cost something else than the step back.
pub(crate) const BOTH_WAYS: &str = "it counts on steps that cost the same both ways, and here they cost what the entered cell costs";

/// How a planner has taken an edit.
///
/// ```
/// use highroad::Terrain;
/// use highroad::grid::{Batch, Grid};
/// use highroad::hierarchy::{Hpa, HpaOptions};
/// use highroad::index::SubgoalGraph;
/// use highroad::planner::{CatchUp, Planner, Scratch};
/// let mut grid = Grid::with_defaults("....\n....\n".parse()?);
/// let mut hpa = Hpa::build(&grid, HpaOptions::default())?;
/// let mut subgoals = SubgoalGraph::build(&grid)?;
/// let changes = grid.apply(Batch::new().set((1, 0), Terrain::WALL))?;
/// let mut scratch = Scratch::new();
/// assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
/// assert_eq!(subgoals.catch_up(&grid, &changes, &mut scratch), CatchUp::NeedsRebuild);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchUp {
    /// It describes the environment as it is now.
    Done,
    /// It has not come to the end; until it does, it refuses queries as [`QueryError::Stale`].
    Unfinished,
    /// It cannot follow; until it is built again, it refuses queries as [`QueryError::Stale`].
    NeedsRebuild,
}

/// Finds paths in an environment: in a [`Grid`] by default.
///
/// To write one, implement [`Algorithm`].
///
/// Queries fail with a [`QueryError`]: if there is no start or no goal, if a path cannot start or end there, or, as
/// [`QueryError::Stale`], if the planner does not know the environment as it is now.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{Answer, PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut scratch = Scratch::new();
/// let query = PathQuery::new((0, 0), (3, 2));
/// let answer = GridSearch::astar().solve(&grid, &query, &mut scratch)?;
/// let Answer::Found(path) = answer else { panic!("no path") };
/// assert_eq!(path.length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner<E: Environment = Grid>: Send + Sync {
    /// What it promises in that environment.
    fn guarantee(&self, environment: &E) -> Guarantee;

    /// Begins a query, ending the one before. [`Planner::advance`] goes on with it. Whoever implements this trait without
    /// [`Algorithm`] has to respect [`PathQuery::obstacles`] and [`PathQuery::goal_rule`] as well.
    fn begin(
        &self,
        environment: &E,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
    ) -> Result<(), QueryError<E::Refusal>>;

    /// Goes on with the query for at most `slice` expansions, or other work that takes about as long (see
    /// [`Statistics::beside`](crate::search::Statistics::beside)): the ends of the query, refinement, smoothing and
    /// the writing of the path are sliced as well. However a query is sliced, its answer is the same.
    fn advance(&self, environment: &E, scratch: &mut Scratch, slice: u64) -> Progress<E::Place>;

    /// As [`Planner::advance`], with every event written to a log. The answer is the same.
    fn advance_traced(
        &self,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress<E::Place>;

    /// Follows an edit. `changes` are all that lie between the environment it knew and `environment` as it is now.
    fn catch_up(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        scratch: &mut Scratch,
    ) -> CatchUp;

    /// As [`Planner::catch_up`], for about `left` expansions: what remains of them when this returns. `changes` are
    /// those since the call before, and none if that was [`CatchUp::Unfinished`] and nothing has changed since. A
    /// planner that cannot stop half-way does all at once.
    fn catch_up_on(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        scratch: &mut Scratch,
        left: &mut u64,
    ) -> CatchUp;

    /// Another of the same, to follow edits while this one stays with whoever reads it: what a snapshot
    /// costs when the map changes. `None` if it is not cheaper than to build it again.
    fn duplicate(&self) -> Option<Box<dyn Planner<E>>>;

    /// Bytes that the planner holds beside the environment and the scratch memory.
    fn memory_bytes(&self) -> usize;

    /// What a user who chose it should know of it: that it falls back on another method, and why.
    fn remark(&self) -> Option<String>;

    /// Checks every invariant of what it has precomputed, as slowly as it takes. For tests.
    fn verify(&self, environment: &E) -> Result<(), Fault>;

    /// What it has precomputed, for drawing: the finest level first, each from the ground up. Planners
    /// without an abstraction have nothing to show.
    fn sketch(&self, environment: &E) -> Vec<SketchLayer>;

    /// What the last query in that scratch memory did on the abstraction, for drawing: its abstract
    /// path, the corridor that it refined.
    fn sketch_query(&self, environment: &E, scratch: &Scratch) -> Vec<SketchLayer>;

    /// What it has precomputed for that environment as bytes, to be loaded again by the catalog; `None` if it cannot
    /// be saved, or describes another environment. A planner that is saved before it has followed an edit to the end
    /// goes on with that after loading.
    fn save(&self, environment: &E) -> Option<Vec<u8>>;

    /// Answers a query in one go.
    fn solve(
        &self,
        environment: &E,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
    ) -> Result<Answer<E::Place>, QueryError<E::Refusal>> {
        self.begin(environment, query, scratch)?;
        Ok(finish(|| self.advance(environment, scratch, u64::MAX)))
    }

    /// As [`Planner::solve`], with every event written to a log.
    fn solve_traced(
        &self,
        environment: &E,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
        log: &mut TraceLog,
    ) -> Result<Answer<E::Place>, QueryError<E::Refusal>> {
        self.begin(environment, query, scratch)?;
        Ok(finish(|| self.advance_traced(environment, scratch, u64::MAX, log)))
    }
}

fn finish<P>(mut advance: impl FnMut() -> Progress<P>) -> Answer<P> {
    loop {
        match advance() {
            Progress::Running | Progress::Leg(_) => {}
            Progress::Done(answer) => return answer,
            Progress::Stale => unreachable!("the environment is borrowed since the query began"),
        }
    }
}
