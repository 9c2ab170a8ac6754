//! What is asked of a planner.

use crate::environment::{End, Environment};
use crate::grid::{Cell, CellRefusal};
use crate::search::Limits;
use thiserror::Error;

/// A path is wanted from one of some starts to one of some goals. `P` is what paths go over: a [`Cell`] by default.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("......\n".parse()?);
/// let doors = vec![Cell::new(0, 0), Cell::new(5, 0)];
/// let query = PathQuery::among(vec![Cell::new(2, 0)], doors);
/// let answer = GridSearch::astar().solve(&grid, &query, &mut Scratch::new())?;
/// assert_eq!(answer.path().unwrap().goal(), Cell::new(0, 0), "the nearer door");
/// let elsewhere = query.with_goals(vec![Cell::new(9, 9)]);
/// assert!(elsewhere.check(&grid).is_err(), "there is no such cell");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PathQuery<P = Cell> {
    starts: Places<P>,
    goals: Places<P>,
    #[cfg_attr(feature = "serde", serde(default))]
    limits: Limits,
    #[cfg_attr(feature = "serde", serde(default))]
    first_leg: Option<u32>,
}

/// Mostly one place, which then takes no memory of its own.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<P>"))]
enum Places<P> {
    One(P),
    Many(Vec<P>),
}

impl<P> Places<P> {
    fn as_slice(&self) -> &[P] {
        match self {
            Self::One(place) => std::slice::from_ref(place),
            Self::Many(places) => places,
        }
    }
}

/// One place alone is the same as a list of it.
impl<P: PartialEq> PartialEq for Places<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<P: Eq> Eq for Places<P> {}

#[cfg(feature = "serde")]
impl<P> From<Vec<P>> for Places<P> {
    fn from(mut places: Vec<P>) -> Self {
        match places.len() {
            1 => places.pop().map_or(Self::Many(Vec::new()), Self::One),
            _ => Self::Many(places),
        }
    }
}

#[cfg(feature = "serde")]
impl<P: serde::Serialize> serde::Serialize for Places<P> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<P: Copy> PathQuery<P> {
    /// A query for a path from one place to another.
    pub fn new(start: impl Into<P>, goal: impl Into<P>) -> Self {
        Self {
            starts: Places::One(start.into()),
            goals: Places::One(goal.into()),
            limits: Limits::default(),
            first_leg: None,
        }
    }

    /// A query for a path from whichever start to whichever goal costs least (or as near to least as the planner
    /// promises).
    pub fn among(starts: Vec<P>, goals: Vec<P>) -> Self {
        Self {
            starts: Places::Many(starts),
            goals: Places::Many(goals),
            limits: Limits::default(),
            first_leg: None,
        }
    }

    /// The same query with limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same query with other goals.
    pub fn with_goals(mut self, goals: Vec<P>) -> Self {
        self.goals = Places::Many(goals);
        self
    }

    /// The same query, answered in two parts where that is quicker: first
    /// [`Progress::Leg`](super::Progress::Leg) with at least so many steps, then the rest. Planners that
    /// refine a coarse path do so; others answer as always, and so does
    /// [`Planner::solve`](super::Planner::solve).
    ///
    /// ```
    /// use highroad::planner::PathQuery;
    /// let query: PathQuery = PathQuery::new((0, 0), (400, 300)).with_first_leg(20);
    /// assert_eq!(query.first_leg(), Some(20));
    /// ```
    pub fn with_first_leg(mut self, steps: u32) -> Self {
        self.first_leg = Some(steps);
        self
    }

    /// How many steps a first leg should have, if one is wanted.
    pub fn first_leg(&self) -> Option<u32> {
        self.first_leg
    }

    /// Where the path may start.
    pub fn starts(&self) -> &[P] {
        self.starts.as_slice()
    }

    /// Where it may end.
    pub fn goals(&self) -> &[P] {
        self.goals.as_slice()
    }

    /// How far the search may go.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Checks that there are starts and goals, and that paths can start and end there; the [`QueryError`] names the first that
    /// is wrong. O(starts + goals).
    pub fn check<E: Environment<Place = P>>(
        &self,
        environment: &E,
    ) -> Result<(), QueryError<E::Refusal>> {
        environment.check().map_err(QueryError::Unsuitable)?;
        check_places(environment, End::Start, self.starts())?;
        check_places(environment, End::Goal, self.goals())
    }
}

pub(crate) fn check_places<E: Environment>(
    environment: &E,
    end: End,
    places: &[E::Place],
) -> Result<(), QueryError<E::Refusal>> {
    if places.is_empty() {
        return Err(QueryError::Missing(end));
    }
    for &place in places {
        environment.check_place(place).map_err(|reason| QueryError::Refused { end, reason })?;
    }
    Ok(())
}

/// Why a query makes no sense in an environment, or to a planner. That there is no path is an answer, not an
/// error. `R` is the environment's reason for refusing a place: a [`CellRefusal`] by default.
///
/// ```
/// use highroad::GridMap;
/// use highroad::planner::QueryError;
/// let map: GridMap = "..#\n".parse()?;
/// let error: QueryError = map.find_path((2, 0), (0, 0)).unwrap_err();
/// assert!(error.to_string().starts_with("the start (2, 0) is blocked"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum QueryError<R = CellRefusal> {
    /// An empty list of starts or of goals.
    #[error("the query has no {0}")]
    Missing(End),
    /// The planner was made for another environment, or for this one before its latest edits.
    #[error("the planner does not know this map as it is now: let it catch up, or build it again")]
    Stale,
    /// A path cannot start or end there.
    #[error("the {end} {reason}")]
    Refused {
        /// Start or goal.
        end: End,
        /// Why not.
        reason: R,
    },
    /// No path can be found in the environment at all.
    #[error("{0}")]
    Unsuitable(R),
}
