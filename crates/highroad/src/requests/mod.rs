//! Requests: a queue of questions that is worked off within a budget, tick by tick.
//!
//! The most urgent are worked on first, [a few at a time](wave), each on a slice of its search, on as many
//! threads as there are. Which ones, and how far, depends on nothing but the requests, the edits and the
//! budget: counted in expansions, a tick does the same on every machine and any number of threads.
//!
//! An edit in the middle of a search makes it begin anew, on the map as it is. One that has had to too
//! often is searched to its end at once, so that a map that never rests cannot keep it from an answer.

mod field;
mod queue;
mod search;
mod shared;
#[cfg(test)]
mod tests;
mod unit;
mod wave;

use field::KeptField;
use highroad_core::{Cell, Cost, Path, Query, QueryError};
use queue::{Entry, Turn};
use search::Search;
use std::collections::{BinaryHeap, HashMap};
use thiserror::Error;
use unit::Unit;

/// Something to be found out, and how urgently. Any [`Query`] is one.
///
/// ```
/// use highroad::{Cell, Cost, Request};
/// let path = Request::path((0, 0), (5, 5)).priority(3).first_leg(20);
/// let shelter = Request::nearest((0, 0), vec![Cell::new(9, 1), Cell::new(2, 8)]);
/// let range = Request::range((0, 0), Cost(5 * 2 * 2378)); // five straight steps on ground
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub(crate) wanted: Wanted,
    pub(crate) priority: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Path(Query),
    Each { start: Cell, goals: Vec<Cell> },
    Range { start: Cell, cost_max: Cost },
}

impl Request {
    /// A path from one cell to another.
    pub fn path(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Query::new(start, goal).into()
    }

    /// A path to the nearest of some goals.
    pub fn nearest(start: impl Into<Cell>, goals: Vec<Cell>) -> Self {
        Query::among(vec![start.into()], goals).into()
    }

    /// A cheapest path to each of some goals, by one search.
    pub fn each(start: impl Into<Cell>, goals: Vec<Cell>) -> Self {
        Self { wanted: Wanted::Each { start: start.into(), goals }, priority: 0 }
    }

    /// Every cell within a cost.
    pub fn range(start: impl Into<Cell>, cost_max: Cost) -> Self {
        Self { wanted: Wanted::Range { start: start.into(), cost_max }, priority: 0 }
    }

    /// How urgent it is: the highest first, the oldest among equals. 0 unless told.
    pub fn priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// Asks for the beginning of a path, of about so many steps, as soon as it is known. See
    /// [`Query::with_first_leg`].
    pub fn first_leg(mut self, steps: u32) -> Self {
        if let Wanted::Path(query) = self.wanted {
            self.wanted = Wanted::Path(query.with_first_leg(steps));
        }
        self
    }
}

impl From<Query> for Request {
    fn from(query: Query) -> Self {
        Self { wanted: Wanted::Path(query), priority: 0 }
    }
}

/// A request that was made: what to ask for its reply with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    pub(crate) entry: u32,
    /// Which of all requests: a place is used again, a number is not.
    pub(crate) sequence: u64,
}

/// How a request stands. All but [`Reply::Pending`] and [`Reply::Leg`] are the last word: the ticket is
/// then used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Not answered yet.
    Pending,
    /// The beginning of the path: an agent can walk it already. The rest will come.
    Leg(Path),
    /// The path.
    Ready(Path),
    /// There is none. A path to the reachable cell nearest to a goal.
    Unreachable(Path),
    /// The query's own limits were used up. A path to the nearest cell among those looked at.
    GaveUp(Path),
    /// The path to each of the goals asked for, in their order.
    Each(Vec<Option<Path>>),
    /// The cells within the cost asked for, row by row.
    Range(Vec<(Cell, Cost)>),
    /// It made no sense.
    Failed(RequestError),
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// The query makes no sense on the map as it was when its turn came.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The ticket was used up, or cancelled, or is of another world.
    #[error("no request waits for this ticket: it was answered or cancelled before")]
    Unknown,
}

/// How much a tick may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub(crate) expansions: u64,
    pub(crate) micros: Option<u64>,
}

impl Budget {
    /// That many microseconds by the clock. What happens then depends on the machine.
    pub const fn micros(micros: u64) -> Self {
        Self { expansions: u64::MAX, micros: Some(micros) }
    }

    /// That many expansions: the same on every machine.
    pub const fn expansions(expansions: u64) -> Self {
        Self { expansions, micros: None }
    }

    /// Until everything is answered.
    pub const fn unlimited() -> Self {
        Self::expansions(u64::MAX)
    }
}

/// What a tick has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickReport {
    /// Expansions made; each search begun counts some on top.
    pub expansions: u64,
    /// Requests answered.
    pub answered: u64,
    /// Requests that wait for the next tick.
    pub waiting: usize,
}

/// All requests of a world.
pub(crate) struct Requests {
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// Turns of requests; what is no longer queued is passed over.
    queue: BinaryHeap<Turn>,
    /// How many requests are queued for each goal that could share a field.
    queued_for: HashMap<Cell, usize>,
    units: Vec<Unit>,
    /// Memory of searches that have ended,
    #[allow(clippy::vec_box)]
    // Boxes go to and fro between units and here without being copied.
    spare: Vec<Box<Search>>,
    /// and fields that later requests may use.
    kept: Vec<KeptField>,
    next_sequence: u64,
    waiting: usize,
    pub(crate) share_min: usize,
}

impl Default for Requests {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            free: Vec::new(),
            queue: BinaryHeap::new(),
            queued_for: HashMap::new(),
            units: Vec::new(),
            spare: Vec::new(),
            kept: Vec::new(),
            next_sequence: 0,
            waiting: 0,
            share_min: 64,
        }
    }
}

impl Requests {
    /// Lets go of fields that an edit has outdated, and of the snapshots that they hold.
    pub(crate) fn forget_fields(&mut self) {
        self.kept.clear();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.units.iter().map(Unit::memory_bytes).sum::<usize>()
            + self.spare.iter().map(|search| search.memory_bytes()).sum::<usize>()
            + self.kept.iter().map(|kept| kept.field.memory_bytes()).sum::<usize>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.queue.capacity() * size_of::<Turn>()
    }
}
