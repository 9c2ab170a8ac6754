//! The one best-first loop: breadth-first, Dijkstra, A*, weighted A* and greedy search are settings
//! of it.
//!
//! Dijkstra (1959); Hart, Nilsson and Raphael (1968); Pohl (1970) for weights. A node's key is
//! `g + h`, or `h` alone when greedy; breadth-first counts every step as 1.
//!
//! Invariants: an open node is on the open list under its present key. A closed node has been
//! expanded at its present `g`; it opens again only if `reopen` is set and it gets cheaper. With a
//! consistent heuristic that never happens, keys never fall, and every expanded `g` is final.
//!
//! Whole, sliced and traced runs are this same loop: everything that lives longer than a slice is in
//! the [`Run`], the [`NodeTable`] and the open list.

use super::heuristic::Heuristic;
use super::nodes::NodeTable;
use super::open_list::OpenList;
use super::trace::{SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::{Arrival, NodeId, Space};

/// What a search has done so far.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// use highroad::search::Statistics;
/// let grid = Grid::with_defaults("......\n......\n".parse()?);
/// let mut scratch = Scratch::new();
/// let mut expanded = |search: GridSearch| {
///     search.solve(&grid, &PathQuery::new((0, 0), (5, 0)), &mut scratch).map(|_| {
///         let statistics: Statistics = scratch.statistics();
///         statistics.expanded
///     })
/// };
/// assert!(expanded(GridSearch::astar())? < expanded(GridSearch::dijkstra())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Nodes expanded; a reopened node counts each time.
    pub expanded: u64,
    /// Entries put on the open list.
    pub generated: u64,
    /// Nodes opened again after their expansion.
    pub reopened: u64,
    /// Most entries that the open list held at once.
    pub open_max: u64,
    /// Work beside expansions: joining the ends of a query, looking for the nearest place, refining, smoothing and
    /// writing a path. It is counted in units that take about as long as an expansion: 64 cells of a flood over
    /// level ground, four cells of one over terrain of differing cost, eight cells of a path that is smoothed, 16 of
    /// one that is written. Slices and budgets count it, limits of a query do not. It depends a little on how a query
    /// is sliced.
    pub beside: u64,
}

impl Statistics {
    /// All work: expansions, and what is counted beside them.
    pub fn work(&self) -> u64 {
        self.expanded + self.beside
    }
}

/// How far a query may go.
///
/// ```
/// use highroad::planner::PathQuery;
/// use highroad::search::Limits;
/// let query: PathQuery = PathQuery::new((0, 0), (9, 9)).with_limits(Limits::default().with_expansions_max(500));
/// assert_eq!(query.limits().expansions_max, 500);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Nodes that may be expanded.
    pub expansions_max: u64,
    /// Nodes that cost more than this are not looked at, nor those that cost 2⁴⁴ or more. Breadth-first search counts steps here.
    pub cost_max: u64,
}

impl Default for Limits {
    /// No limits.
    fn default() -> Self {
        Self { expansions_max: u64::MAX, cost_max: u64::MAX }
    }
}

impl Limits {
    /// The same limits with at most so many expansions.
    pub fn with_expansions_max(self, expansions_max: u64) -> Self {
        Self { expansions_max, ..self }
    }

    /// The same limits with paths of at most that cost.
    ///
    /// ```
    /// use highroad::Cost;
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{Answer, PathQuery, Planner, Scratch};
    /// use highroad::search::Limits;
    /// let grid = Grid::with_defaults("......\n".parse()?);
    /// let near = Limits::default().with_cost_max(Cost::steps(3).0);
    /// let query = PathQuery::new((0, 0), (5, 0)).with_limits(near);
    /// let answer = GridSearch::astar().solve(&grid, &query, &mut Scratch::new())?;
    /// assert!(matches!(answer, Answer::LimitReached { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_cost_max(self, cost_max: u64) -> Self {
        Self { cost_max, ..self }
    }
}

/// What distinguishes one best-first search from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Order by the estimate alone.
    pub(crate) greedy: bool,
    /// Count every step as 1.
    pub(crate) unit_steps: bool,
    /// Open a closed node again when it gets cheaper.
    pub(crate) reopen: bool,
    /// How many low bits of a key do not count: fewer keys for the open list, which may then take
    /// nodes slightly out of order, unless those bits are always zero.
    pub(crate) key_shift: u32,
    /// Whether they are.
    pub(crate) keys_exact: bool,
}

impl Settings {
    #[inline]
    pub(crate) fn key(&self, g: u64, h: u64) -> u64 {
        (if self.greedy { h } else { g.saturating_add(h) }) >> self.key_shift
    }

    /// The estimate that a key was made of, where the key contains it.
    #[inline]
    fn estimate(&self, key: u64, g: u64) -> Option<u64> {
        (!self.greedy && self.keys_exact).then(|| (key << self.key_shift) - g)
    }
}

/// The expanded node that lies nearest to a goal: by remoteness, then cost, then number.
pub(crate) type Nearest = (u64, u64, NodeId);

/// The state of a run between slices, beside its nodes and its open list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) limits: Limits,
    pub(crate) statistics: Statistics,
    pub(crate) nearest: Nearest,
    /// Whether the cost limit kept anything from being looked at.
    pub(crate) cut_by_cost: bool,
}

impl Run {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits: Limits { cost_max: limits.cost_max.min(NodeTable::COST_MAX), ..limits },
            statistics: Statistics::default(),
            nearest: (u64::MAX, u64::MAX, NodeId(u32::MAX)),
            cut_by_cost: false,
        }
    }

    #[inline(always)]
    pub(crate) fn note_nearest(&mut self, remoteness: u64, g: u64, node: NodeId) {
        // PERF: mostly the first comparison settles it.
        if remoteness <= self.nearest.0 {
            self.nearest = self.nearest.min((remoteness, g, node));
        }
    }

    #[inline(always)]
    pub(crate) fn note_open(&mut self, open_len: usize) {
        self.statistics.generated += 1;
        self.statistics.open_max = self.statistics.open_max.max(open_len as u64);
    }

    /// How a run ends that has nothing left to expand.
    pub(crate) fn exhausted(&self) -> Outcome {
        if self.cut_by_cost { Outcome::Limit } else { Outcome::Exhausted }
    }

    /// What it costs at least to come to a node that a finished exploration has not reached: infinitely much, or
    /// just more than the limit where that kept something from being looked at.
    pub(crate) fn unreached_cost(&self) -> u64 {
        if self.cut_by_cost { self.limits.cost_max.saturating_add(1) } else { u64::MAX }
    }

    /// The number of expansions at which a slice ends.
    pub(crate) fn slice_end(&self, slice: u64) -> u64 {
        let end = self.statistics.expanded.saturating_add(slice);
        end.min(self.limits.expansions_max)
    }

    /// How a slice ends that has used up its expansions.
    pub(crate) fn paused(&self) -> Outcome {
        if self.statistics.expanded >= self.limits.expansions_max {
            Outcome::Limit
        } else {
            Outcome::Paused
        }
    }
}

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The slice is used up.
    Paused,
    /// This goal is reached.
    Goal(NodeId),
    /// Everything reachable has been expanded.
    Exhausted,
    /// The query's limits are used up.
    Limit,
}

/// Puts a start on an open list, once.
pub(crate) fn open_start(
    nodes: &mut NodeTable,
    open: &mut impl OpenList,
    run: &mut Run,
    node: NodeId,
    key: u64,
) {
    open_start_at(nodes, open, run, node, 0, key);
}

/// Puts a start that costs something already on an open list, unless it is there at no more.
pub(crate) fn open_start_at(
    nodes: &mut NodeTable,
    open: &mut impl OpenList,
    run: &mut Run,
    node: NodeId,
    g: u64,
    key: u64,
) {
    let known = nodes.get(node);
    if !known.is_seen() || g < known.g {
        nodes.open(node, known, g, node);
        open.push_reached(key, g, node);
        run.note_open(open.len());
    }
}

/// A best-first search: what it runs on, and what it remembers.
pub(crate) struct BestFirst<'s, S, H, Q> {
    pub(crate) space: S,
    pub(crate) heuristic: H,
    pub(crate) settings: Settings,
    pub(crate) nodes: &'s mut NodeTable,
    pub(crate) open: &'s mut Q,
    pub(crate) run: &'s mut Run,
}

impl<S: Space, H: Heuristic, Q: OpenList> BestFirst<'_, S, H, Q> {
    /// Goes on for at most `slice` expansions.
    pub(crate) fn advance<O: SearchObserver>(&mut self, slice: u64, observer: &mut O) -> Outcome {
        let end = self.run.slice_end(slice);
        loop {
            let Some((key, node)) = self.open.pop() else {
                return self.run.exhausted();
            };
            let record = self.nodes.get(node);
            if record.is_closed() {
                continue;
            }
            let parent = self.nodes.parent(node);
            let event =
                |kind, h| TraceEvent { kind, node, parent, g: record.g, h, side: Side::Forward };
            if record.is_goal() || self.space.is_goal(node) {
                self.nodes.close(node);
                observer.event(event(TraceKind::Goal, 0));
                return Outcome::Goal(node);
            }
            if self.run.statistics.expanded >= end {
                self.open.put_back(key, node);
                return self.run.paused();
            }
            self.nodes.close(node);
            if O::ACTIVE {
                observer.event(event(TraceKind::Expand, self.heuristic.estimate(node)));
            }
            self.run.statistics.expanded += 1;
            let estimate = self.settings.estimate(key, record.g);
            if let Some(remoteness) = self.heuristic.remoteness(node, estimate) {
                self.run.note_nearest(remoteness, record.g, node);
            }
            self.expand(node, parent, record.g, observer);
        }
    }

    #[inline]
    fn expand<O: SearchObserver>(
        &mut self,
        node: NodeId,
        parent: NodeId,
        g: u64,
        observer: &mut O,
    ) {
        let Self { space, heuristic, settings, nodes, open, run } = self;
        let mut visit = |to: NodeId, step: u32| {
            let to_g = g + if settings.unit_steps { 1 } else { S::price(step) };
            let known = nodes.get(to);
            let mut kind = TraceKind::Open;
            if known.is_seen() {
                if to_g >= known.g {
                    return;
                }
                kind = TraceKind::Improve;
                if known.is_closed() {
                    if !settings.reopen {
                        return;
                    }
                    kind = TraceKind::Reopen;
                    run.statistics.reopened += 1;
                }
            }
            if to_g > run.limits.cost_max {
                run.cut_by_cost = true;
                return;
            }
            nodes.open(to, known, to_g, node);
            let h = heuristic.estimate(to);
            open.push_reached(settings.key(to_g, h), to_g, to);
            run.note_open(open.len());
            if O::ACTIVE {
                observer.event(TraceEvent {
                    kind,
                    node: to,
                    parent: node,
                    g: to_g,
                    h,
                    side: Side::Forward,
                });
            }
        };
        space.expand(Arrival { node, parent }, &mut visit);
    }
}
