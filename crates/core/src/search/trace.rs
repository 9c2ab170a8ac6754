//! Watching a search: every event, for replay, teaching and tests.

use crate::space::NodeId;

/// What happened to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TraceKind {
    /// It is where the search starts; for a search from the goals, a goal.
    Start,
    /// It was reached for the first time and put on the open list.
    Open,
    /// It was reached more cheaply while open.
    Improve,
    /// It was reached more cheaply after its expansion, and opened again.
    Reopen,
    /// It was taken from the open list, and its successors were looked at.
    Expand,
    /// It was taken from the open list, and it is a goal; or two searches have met there for good.
    Goal,
    /// A start or a goal, the parent, was joined to it at that cost before an abstraction is searched. Where it is itself
    /// the other end, the two lie so close that no abstraction is searched.
    Join,
    /// It became part of the path while cells were filled in; the parent is the cell before it.
    Refine,
    /// It became part of the path when that was smoothed; the parent is the cell before it.
    Smooth,
}

impl TraceKind {
    /// Whether it is an event of a search, with an open list; otherwise of what comes before or after one.
    ///
    /// ```
    /// use highroad::search::TraceKind;
    /// assert!(TraceKind::Expand.is_of_search() && !TraceKind::Refine.is_of_search());
    /// ```
    pub const fn is_of_search(self) -> bool {
        !matches!(self, Self::Join | Self::Refine | Self::Smooth)
    }
}

/// Which of two searches that meet an event belongs to; the forward one where there is only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// From the start.
    #[default]
    Forward,
    /// From the goal.
    Backward,
}

/// One event of a search.
///
/// See [`TraceLog`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TraceEvent {
    /// What happened.
    pub kind: TraceKind,
    /// To which node.
    pub node: NodeId,
    /// Where the node was reached from; itself for a start.
    pub parent: NodeId,
    /// Cost so far, as the search counts it.
    pub g: u64,
    /// Estimated cost to go, with its weight.
    pub h: u64,
    /// By which search.
    pub side: Side,
}

/// Receives every event of a search. [`NoTrace`] compiles to nothing.
///
/// ```
/// use highroad::search::{NoTrace, SearchObserver, TraceEvent, TraceKind};
/// #[derive(Default)]
/// struct Counter(u64);
/// impl SearchObserver for Counter {
///     fn event(&mut self, event: TraceEvent) {
///         self.0 += u64::from(event.kind == TraceKind::Expand);
///     }
/// }
/// assert!(Counter::ACTIVE && !NoTrace::ACTIVE);
/// ```
pub trait SearchObserver {
    /// Whether to look at events at all: lets the loop skip what only an observer would need.
    const ACTIVE: bool = true;
    /// Something happened.
    fn event(&mut self, event: TraceEvent);
}

/// Watches nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl SearchObserver for NoTrace {
    const ACTIVE: bool = false;
    #[inline(always)]
    fn event(&mut self, _event: TraceEvent) {}
}

/// Passes events on with other nodes: for a search on an abstraction, whose nodes stand for nodes of the environment.
pub(crate) struct Relabelled<'o, O, F> {
    pub(crate) observer: &'o mut O,
    pub(crate) label: F,
}

impl<O: SearchObserver, F: Fn(NodeId) -> NodeId> SearchObserver for Relabelled<'_, O, F> {
    const ACTIVE: bool = O::ACTIVE;

    fn event(&mut self, event: TraceEvent) {
        let (node, parent) = ((self.label)(event.node), (self.label)(event.parent));
        self.observer.event(TraceEvent { node, parent, ..event });
    }
}

/// Keeps events, up to a number; counts the rest.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// use highroad::search::{Side, TraceKind, TraceLog};
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let mut log = TraceLog::new(100);
/// GridSearch::astar().solve_traced(&grid, &PathQuery::new((0, 0), (2, 0)), &mut Scratch::new(), &mut log)?;
/// let first = log.events()[0];
/// assert_eq!((first.kind, first.side, first.g), (TraceKind::Start, Side::Forward, 0));
/// assert_eq!((log.events().last().unwrap().kind, log.dropped()), (TraceKind::Goal, 0));
/// log.clear();
/// assert!(log.events().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TraceLog {
    events: Vec<TraceEvent>,
    events_max: usize,
    dropped: u64,
}

impl TraceLog {
    /// A log that keeps at most that many events: the first ones.
    pub fn new(events_max: usize) -> Self {
        Self { events: Vec::new(), events_max, dropped: 0 }
    }

    /// The events kept, in order.
    pub fn events(&self) -> &[TraceEvent] {
        &self.events
    }

    /// How many more there were.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }
}

impl Default for TraceLog {
    /// A million events, 32 MB: the whole of most searches on maps of up to 500 × 500.
    fn default() -> Self {
        Self::new(1_000_000)
    }
}

impl SearchObserver for TraceLog {
    fn event(&mut self, event: TraceEvent) {
        if self.events.len() < self.events_max {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }
}
