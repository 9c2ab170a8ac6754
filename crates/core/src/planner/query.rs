//! What is asked of a planner.

use crate::environment::{End, Environment};
use crate::grid::{Cell, CellRefusal};
use crate::search::Limits;
use thiserror::Error;

/// A path is wanted from one of some starts to one of some goals. `P` is what paths go over: a [`Cell`] by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathQuery<P = Cell> {
    starts: Places<P>,
    goals: Places<P>,
    limits: Limits,
    first_leg: Option<u32>,
}

/// Mostly one place, which then takes no memory of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl<P: Copy> PathQuery<P> {
    /// From one place to another.
    pub fn new(start: impl Into<P>, goal: impl Into<P>) -> Self {
        Self {
            starts: Places::One(start.into()),
            goals: Places::One(goal.into()),
            limits: Limits::default(),
            first_leg: None,
        }
    }

    /// From whichever start to whichever goal costs least (or as near to least as the planner
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

    /// Checks that there are starts and goals, and that paths can start and end there.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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
