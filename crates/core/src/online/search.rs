//! Searches on the nodes of an environment, with nothing precomputed but perhaps a table of estimates.

use super::estimates::{Distance, Estimates, Prepared};
use crate::environment::Environment;
use crate::grid::DescentMemory;
use crate::heuristic::{HeuristicKind, PositionEstimate};
use crate::planner::{Ending, Memory, Progress, Session, WalkBack, walk_back};
use crate::search::{Method, Outcome, TieRule, Weight};
use crate::space::Nodes;

/// A search on the nodes of an environment: breadth-first, Dijkstra, A*, weighted A*, greedy best-first,
/// depth-first or bidirectional. [`GridSearch`] and [`GraphSearch`] are the two that there are.
///
/// Ties: the smallest key first, the newest entry among equal keys, unless a [`TieRule`] says otherwise;
/// successors in the order of [`Direction::ALL`](crate::Direction::ALL), or in which edges were given.
///
/// A query that explores everything takes O((steps + places) · log places), without the logarithm for breadth-first and
/// depth-first search; more where nodes are opened again, which only inconsistent heuristics cause. Queries fail as [`PathQuery::check`](crate::PathQuery::check) says, or if a table of
/// estimates is of another state of the environment.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::{GridSearch, Search};
/// use highroad::planner::{Guarantee, PathQuery, Planner, Scratch};
/// use highroad::search::{TieRule, Weight};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let query = PathQuery::new((0, 0), (3, 2));
/// let mut scratch = Scratch::new();
/// for (search, guarantee) in [
///     (GridSearch::bidirectional(), Guarantee::Optimal),
///     (GridSearch::astar().with_ties(TieRule::NewestFirst), Guarantee::Optimal),
///     (GridSearch::astar().with_weight(Weight::new(1.5)?).with_reopening(true), Guarantee::Bounded(1.5)),
///     (GridSearch::greedy(), Guarantee::None),
///     (Search::depth_first(), Guarantee::None),
/// ] {
///     assert_eq!(search.guarantee(&grid), guarantee);
///     assert!(search.solve(&grid, &query, &mut scratch)?.path().is_some());
/// }
/// // As few steps as possible, of which a diagonal one costs √2 times a straight one.
/// assert!(matches!(GridSearch::breadth_first().guarantee(&grid), Guarantee::Bounded(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Search<D: Distance> {
    pub(super) method: Method,
    pub(super) ties: TieRule,
    pub(super) estimates: Estimates<D>,
    /// Whether it runs as textbooks have it.
    pub(super) textbook: bool,
}

/// A search on the cells of a [`Grid`](crate::Grid).
pub type GridSearch = Search<HeuristicKind>;

/// A search on the nodes of a [`Graph`](crate::graph::Graph).
pub type GraphSearch = Search<PositionEstimate>;

impl<D: Distance> Search<D> {
    const fn of(method: Method) -> Self {
        let estimates = Estimates::Distance(D::USUAL);
        Self { method, ties: TieRule::NewestFirst, estimates, textbook: false }
    }

    /// Breadth-first search: as few steps as possible.
    pub const fn breadth_first() -> Self {
        let mut method = Method::best_first(false);
        if let Method::BestFirst { unit_steps, .. } = &mut method {
            *unit_steps = true;
        }
        Self::of(method)
    }

    /// Dijkstra's algorithm.
    pub const fn dijkstra() -> Self {
        Self::of(Method::best_first(false))
    }

    /// A*: on a grid with the octile heuristic, which is admissible under every rule; on a graph with none until
    /// one is given.
    pub const fn astar() -> Self {
        Self::of(Method::best_first(true))
    }

    /// Greedy best-first search: always to the node that seems nearest.
    pub const fn greedy() -> Self {
        let mut method = Method::best_first(true);
        if let Method::BestFirst { greedy, .. } = &mut method {
            *greedy = true;
        }
        Self::of(method)
    }

    /// Depth-first search: some path.
    pub const fn depth_first() -> Self {
        Self::of(Method::DepthFirst)
    }

    /// Dijkstra's algorithm from both ends.
    pub const fn bidirectional() -> Self {
        Self::of(Method::Bidirectional)
    }

    /// The same search with another heuristic: a kind of distance, or a table that was made for the environment. Searches that use
    /// none stay as they are.
    pub fn with_heuristic(mut self, estimates: impl Into<Estimates<D>>) -> Self {
        if self.method.is_guided() {
            self.estimates = estimates.into();
        }
        self
    }

    /// The same search with estimates multiplied: weighted A*. Searches that use none stay as they are.
    pub fn with_weight(mut self, factor: Weight) -> Self {
        if let Method::BestFirst { weight, .. } = &mut self.method {
            *weight = factor;
        }
        self
    }

    /// The same search with nodes opened again, or not, when they get cheaper after their expansion. Unless set, a
    /// search does so where its heuristic is inconsistent, since its promise depends on it.
    pub fn with_reopening(mut self, wanted: bool) -> Self {
        if let Method::BestFirst { reopen, .. } = &mut self.method {
            *reopen = Some(wanted);
        }
        self
    }

    /// The same search with another rule for ties. Depth-first and bidirectional search keep their own.
    pub fn with_ties(mut self, ties: TieRule) -> Self {
        self.ties = ties;
        self
    }

    /// The same search as textbooks have it, for lessons and comparisons: it looks at all neighbours of a node, where it
    /// would leave out those that another of several equal paths leads to, and keeps open nodes in a binary heap, or in a
    /// plain queue if it is breadth-first. It finds paths of the same cost, and takes longer.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let grid = Grid::with_defaults("......\n......\n......\n".parse()?);
    /// let (query, mut scratch) = (PathQuery::new((0, 1), (5, 1)), Scratch::new());
    /// let mut generated = |search: GridSearch| {
    ///     search.solve(&grid, &query, &mut scratch).map(|_| scratch.statistics().generated)
    /// };
    /// let dijkstra = GridSearch::dijkstra;
    /// assert!(generated(dijkstra().as_in_textbooks())? >= generated(dijkstra())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_in_textbooks(mut self) -> Self {
        self.textbook = true;
        self
    }

    /// The rule for ties that counts: a breadth-first search of the textbook has a plain queue.
    pub(super) fn tie_rule(&self) -> TieRule {
        match self.method {
            Method::BestFirst { unit_steps: true, .. } if self.textbook => TieRule::OldestFirst,
            _ => self.ties,
        }
    }

    /// Whether a table of estimates, if it uses one, is of that environment.
    pub(super) fn knows<E: Environment>(&self, environment: &E) -> bool {
        self.estimates.edition().is_none_or(|edition| edition == environment.edition())
    }
}

/// What a search needs of a [`Scratch`](crate::Scratch).
pub struct SearchMemory<D: Distance> {
    /// The search that has begun: another of the same type does not take over.
    pub(super) search: Search<D>,
    pub(super) prepared: Prepared,
    /// Set once the search is over.
    pub(super) walk: Option<WalkBack>,
    /// Whether the goal is not one that was asked for, but the place nearest to it.
    pub(super) redirected: bool,
    pub(super) descent: DescentMemory,
}

impl<D: Distance> Default for SearchMemory<D> {
    fn default() -> Self {
        Self {
            search: Search::dijkstra(),
            prepared: Prepared::default(),
            walk: None,
            redirected: false,
            descent: DescentMemory::default(),
        }
    }
}

impl<D: Distance> Memory for SearchMemory<D> {
    fn bytes(&self) -> usize {
        self.prepared.bytes() + self.descent.memory_bytes()
    }
}

/// How a query stands after a slice of its search.
pub(super) fn progress_of<E: Nodes>(
    environment: &E,
    session: &mut Session<'_, E::Place>,
    method: Method,
    outcome: Outcome,
    redirected: bool,
    walk: &mut Option<WalkBack>,
) -> Progress<E::Place> {
    let nearest = session.run.nearest.2;
    let found = if redirected { Ending::Nearest } else { FOUND };
    let (at, ending) = match outcome {
        Outcome::Paused => return Progress::Running,
        Outcome::Goal(node) if method == Method::Bidirectional => {
            let trail = session.work.trail_through(node);
            session.writing.places.clear();
            session.writing.places.extend(trail.iter().map(|&node| environment.place(node)));
            session.writing.begin(found, false);
            return Progress::Running;
        }
        Outcome::Goal(node) => (node, found),
        Outcome::Exhausted => (nearest, Ending::Nearest),
        Outcome::Limit => (nearest, Ending::Limit),
    };
    session.writing.places.clear();
    *walk = Some(WalkBack { at, ending });
    Progress::Running
}

/// The search itself has seen to limits.
const FOUND: Ending = Ending::Path { cost_max: u64::MAX };

/// Goes on walking a path back, until so much work is done. Once it has come to the start, the path is written.
pub(super) fn walk_on<E: Nodes>(
    environment: &E,
    session: &mut Session<'_, E::Place>,
    walk: &mut Option<WalkBack>,
    end: u64,
) {
    if let Some(ending) = walk_back(session, walk, end, |node| environment.place(node)) {
        session.writing.begin(ending, true);
    }
}
