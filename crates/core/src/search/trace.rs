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

/// Receives every event. [`NoTrace`] compiles to nothing.
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

    /// Forgets everything.
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
