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
    #[cfg_attr(feature = "serde", serde(default))]
    goal_rule: GoalRule,
    #[cfg_attr(feature = "serde", serde(default = "Vec::new"))]
    obstacles: Vec<P>,
}

/// Where a path may end that was asked for with some goals.
///
/// ```
/// use highroad::{Cell, PathWorld};
/// use highroad::planner::{Answer, GoalRule, PathQuery};
/// let mut world = PathWorld::new("......\n...#..\n......\n".parse()?);
/// let smithy = PathQuery::new((0, 1), (3, 1)); // a wall
/// assert!(world.answer(&smithy).is_err());
///
/// let beside = smithy.clone().with_goal_rule(GoalRule::Adjacent);
/// let path = world.answer(&beside)?.path().expect("one can stand next to it");
/// assert_eq!(path.goal(), Cell::new(2, 1));
///
/// let near = smithy.with_goal_rule(GoalRule::Nearest);
/// let Answer::Unreachable { nearest } = world.answer(&near)? else { panic!("it is a wall") };
/// assert_eq!(nearest.goal(), Cell::new(2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum GoalRule {
    /// At a goal. A goal at which no path can end is an error.
    #[default]
    Exact,
    /// Next to a goal, whether the goal is blocked or not: to use a door, to attack a building. On a grid the eight cells
    /// around a goal are next to it, or four under a rule without diagonals, whether or not a step leads on from there;
    /// on a graph the nodes from which an edge leads to it. The path is as cheap as the planner promises of a path to
    /// the best of them. Where an agent cannot stand next to any goal, the query is
    /// [refused](QueryError::NothingBeside).
    Adjacent,
    /// At a goal or, where none can be reached, as near as possible. A goal that is blocked is no error: it cannot be
    /// reached. The answer is then [`Answer::Unreachable`](super::Answer::Unreachable) with a path to the place nearest
    /// to a goal as the crow flies, on a grid by octile distance; among places that are equally near, to the one that
    /// it costs least to go to, as far as the planner promises that. (Up to 2,377 cells away: beyond, other
    /// cells may be exactly as near.)
    ///
    /// A goal that is blocked costs a second search only where the free cells around it cannot be reached; then, and
    /// where a free goal cannot be reached, a flood of the part of the map that the start lies in comes on top.
    Nearest,
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
            goal_rule: GoalRule::Exact,
            obstacles: Vec::new(),
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
            goal_rule: GoalRule::Exact,
            obstacles: Vec::new(),
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

    /// The same query with another rule for where the path may end.
    pub fn with_goal_rule(mut self, rule: GoalRule) -> Self {
        self.goal_rule = rule;
        self
    }

    /// The same query with places that count as blocked for it alone: other agents that stand in the way. Starts are
    /// never obstacles, so that the list may hold the agent's own place. A goal that is one is as blocked as a wall:
    /// see [`PathQuery::with_goal_rule`]. On a mesh an obstacle blocks the polygons that it lies in, unless a start lies in
    /// one of them.
    ///
    /// A planner that precomputes nothing searches the map with the obstacles. Others find a path on the map without
    /// them; if that passes no obstacle, it is the answer, and as good as the planner promises. If it does, or there is
    /// none, the environment's own exact search answers: the cost is then that of both, and legs come only from the
    /// second. Beside that a copy of the environment is made that shares most memory with it: see
    /// [`Grid::without`](crate::Grid::without) and [`Graph::without`](crate::graph::Graph::without).
    ///
    /// ```
    /// use highroad::{Cell, PathWorld};
    /// use highroad::planner::PathQuery;
    /// let mut world = PathWorld::new(".....\n.....\n".parse()?);
    /// let units = vec![Cell::new(0, 0), Cell::new(2, 0)];
    /// let query = PathQuery::new((0, 0), (4, 0)).with_obstacles(units);
    /// let path = world.answer(&query)?.path().expect("one can go round");
    /// assert!(!path.cells().contains(&Cell::new(2, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_obstacles(mut self, places: Vec<P>) -> Self {
        self.obstacles = places;
        self
    }

    /// Where the path may end, given the goals.
    pub fn goal_rule(&self) -> GoalRule {
        self.goal_rule
    }

    /// Places that count as blocked for this query.
    pub fn obstacles(&self) -> &[P] {
        &self.obstacles
    }

    /// Whether it asks for nothing but a path to a goal: no obstacles of its own, and no other rule for goals.
    pub fn is_plain(&self) -> bool {
        self.goal_rule == GoalRule::Exact && self.obstacles.is_empty()
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

    /// Checks that there are starts and goals, and that paths can start and end there; the [`QueryError`] names the
    /// first that is wrong. Obstacles and other rules for goals are looked at when a planner begins the query.
    /// O(starts + goals).
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
    /// A path is to end next to a goal, and no agent can stand next to any.
    #[error("no agent can stand next to a goal")]
    NothingBeside,
}
