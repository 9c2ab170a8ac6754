//! Requests: a queue of questions that is worked off within a budget, tick by tick.
//!
//! The most urgent are worked on first, a few at a time, each on a slice of its search, on as many
//! threads as there are. Which ones, and how far, depends on nothing but the requests, the edits and the
//! budget: counted in expansions, a tick does the same on every machine and any number of threads.
//!
//! An edit in the middle of a search makes it begin again, on the map as it is. One that has had to too
//! often is searched to its end at once, so that a map that never rests cannot keep it from an answer.

mod field;
mod queue;
mod search;
mod shared;
#[cfg(test)]
mod tests;
mod unit;
mod wave;

use crate::living::{Living, LivingField};
use crate::planners::WorldId;
use field::KeptField;
use highroad_core::{Cell, CellRefusal, Cost, FieldMemory, KindId, Path, PathQuery, QueryError};
use queue::{Entry, Turn};
use search::Search;
use std::collections::{BinaryHeap, HashMap};
use thiserror::Error;
use unit::Unit;

pub(crate) use wave::Deadline;

/// Something to be found out, and how urgently. Any [`PathQuery`] is one.
///
/// ```
/// use highroad::{Cell, Cost, Request};
/// let path: Request = Request::path((0, 0), (5, 5)).with_priority(3).with_first_leg(20);
/// let shelter: Request = Request::nearest((0, 0), vec![Cell::new(9, 1), Cell::new(2, 8)]);
/// let range: Request = Request::range((0, 0), Cost::steps(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<P = Cell> {
    pub(crate) wanted: Wanted<P>,
    pub(crate) priority: u8,
    pub(crate) kind: KindId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted<P> {
    Path(PathQuery<P>),
    /// As a path, passing over goals at which none can end.
    Nearest(PathQuery<P>),
    Each {
        start: P,
        goals: Vec<P>,
    },
    Range {
        start: P,
        cost_max: Cost,
    },
}

impl<P: Copy> Request<P> {
    fn new(wanted: Wanted<P>) -> Self {
        Self { wanted, priority: 0, kind: KindId::DEFAULT }
    }

    /// A path from one place to another.
    pub fn path(start: impl Into<P>, goal: impl Into<P>) -> Self {
        PathQuery::new(start, goal).into()
    }

    /// A path to the nearest of some goals. Goals at which no path can end are passed over, as long as there are
    /// others.
    pub fn nearest(start: impl Into<P>, goals: Vec<P>) -> Self {
        Self::new(Wanted::Nearest(PathQuery::among(vec![start.into()], goals)))
    }

    /// A cheapest path to each of some goals, by one search.
    pub fn each(start: impl Into<P>, goals: Vec<P>) -> Self {
        Self::new(Wanted::Each { start: start.into(), goals })
    }

    /// Every place within a cost.
    pub fn range(start: impl Into<P>, cost_max: Cost) -> Self {
        Self::new(Wanted::Range { start: start.into(), cost_max })
    }

    /// For another kind of agent than the default one.
    pub fn with_kind(mut self, kind: KindId) -> Self {
        self.kind = kind;
        self
    }

    /// How urgent it is: the highest first, the oldest among equals. It is 0 unless set.
    pub fn with_priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// Asks for the beginning of a path, of about so many steps, as soon as it is known. See
    /// [`PathQuery::with_first_leg`].
    pub fn with_first_leg(mut self, steps: u32) -> Self {
        self.wanted = match self.wanted {
            Wanted::Path(query) => Wanted::Path(query.with_first_leg(steps)),
            Wanted::Nearest(query) => Wanted::Nearest(query.with_first_leg(steps)),
            other => other,
        };
        self
    }
}

impl<P: Copy> From<PathQuery<P>> for Request<P> {
    fn from(query: PathQuery<P>) -> Self {
        Self::new(Wanted::Path(query))
    }
}

/// A request that was made: what to ask for its reply with. It means nothing to another world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    pub(crate) world: WorldId,
    pub(crate) entry: u32,
    /// Which of all requests: a place is used again, a number is not.
    pub(crate) sequence: u64,
}

/// How a request stands. All but [`Reply::Pending`] and [`Reply::Leg`] are the last word: the ticket is
/// then used up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply<P = Cell, R = CellRefusal> {
    /// Not answered yet.
    Pending,
    /// The beginning of the path: an agent can walk it already. The rest will come. Each leg begins where the one
    /// before has ended, as long as the map stays as it is; after an edit the search begins again from the start.
    Leg(Path<P>),
    /// The path.
    Ready(Path<P>),
    /// There is none. A path to the reachable place nearest to a goal.
    Unreachable(Path<P>),
    /// The query's own limits were used up. A path to the nearest place among those looked at.
    GaveUp(Path<P>),
    /// The path to each of the goals asked for, in their order.
    Each(Vec<Option<Path<P>>>),
    /// The places within the cost asked for: on a grid row by row.
    Range(Vec<(P, Cost)>),
    /// It made no sense.
    Failed(RequestError<R>),
}

/// A reply of a world of that environment.
pub(crate) type ReplyOf<E> =
    Reply<<E as highroad_core::Environment>::Place, <E as highroad_core::Environment>::Refusal>;

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError<R = CellRefusal> {
    /// The query makes no sense on the map as it was when its turn came.
    #[error("{0}")]
    Query(QueryError<R>),
    /// The world has no such kind of agent.
    #[error("the world has no {0}")]
    NoSuchKind(KindId),
    /// The ticket was used up, or cancelled, or is of another world.
    #[error(
        "no request waits for this ticket: it was answered or cancelled before, or is of another world"
    )]
    Unknown,
}

impl<R> From<QueryError<R>> for RequestError<R> {
    fn from(error: QueryError<R>) -> Self {
        Self::Query(error)
    }
}

/// How much a tick may do.
///
/// A budget in time covers all of [`PathWorld::tick`](crate::PathWorld::tick). Every phase is sliced, and the clock is
/// looked at every few microseconds: catching up with edits, joining the ends of a query, searches, the search for the
/// nearest place where there is no path, refining and smoothing, fields, writing paths. What is done in one piece, and
/// may make a tick late by that much: the list of places of a range, and a request that edits have made begin again
/// seven times, which is then searched to its end so that it has one.
///
/// A request whose search edits have made begin again four times goes on on the map as it was then. What it finds is
/// its answer if it can be walked on the map as it is, at the same cost; but an edit may have opened a cheaper way.
///
/// A budget in expansions counts what each phase does, in units of about as much work, at most about a microsecond: a
/// node that a search expands is one, and so are four cells that a field settles, eight steps of a path that is read off
/// a field, and what [`Statistics::beside`](crate::search::Statistics::beside) lists for queries. Beginning a search
/// counts 16, rebuilding a cluster of HPA* after an edit 128.
///
/// Working memory: eight requests are worked on at a time, each in memory of its own. A search over cells takes up to 24
/// bytes a cell of the map, hierarchies a few hundred bytes a cluster or layer node; besides, up to four fields and the
/// memory of four more are kept, 12 bytes a cell each.
///
/// ```
/// use highroad::{Budget, PathWorld, Request};
/// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?);
/// world.request(Request::path((0, 0), (3, 2)));
/// world.tick(Budget::micros(2000)); // of a frame of 16 milliseconds
/// let report = world.tick(Budget::expansions(2000)); // the same on every machine
/// assert!(report.expansions < 3000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// Half as much; without a limit, the same.
    pub(crate) fn half(self) -> Self {
        let expansions = match self.expansions {
            u64::MAX => u64::MAX,
            expansions => expansions.div_ceil(2),
        };
        Self { expansions, micros: self.micros.map(|micros| micros / 2) }
    }

    /// Until everything is answered.
    pub const fn unlimited() -> Self {
        Self::expansions(u64::MAX)
    }
}

/// What a tick has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TickReport {
    /// Expansions made; each search begun counts some on top.
    pub expansions: u64,
    /// Requests answered.
    pub answered: u64,
    /// Requests that wait for the next tick.
    pub waiting: usize,
}

/// A goal of a kind of agent: what requests must have in common to share a field.
type SharedGoal<E> = (KindId, <E as highroad_core::Environment>::Place);

/// All requests of a world.
pub(crate) struct Requests<E: Living> {
    world: WorldId,
    entries: Vec<Entry<E>>,
    free: Vec<u32>,
    /// Turns of requests; what is no longer queued is passed over.
    queue: BinaryHeap<Turn>,
    /// How many turns in the queue are those of requests that were cancelled.
    cancelled_turns: usize,
    /// How many requests are queued for each goal that could share a field.
    queued_for: HashMap<SharedGoal<E>, usize>,
    units: Vec<Unit<E>>,
    /// Memory of searches that have ended.
    #[allow(clippy::vec_box)]
    // Boxes go to and fro between units and here without being copied.
    spare: Vec<Box<Search<E>>>,
    /// Fields that later requests may use.
    kept: Vec<KeptField<E>>,
    /// Memory of fields that have ended.
    field_memory: Vec<FieldMemory>,
    next_sequence: u64,
    waiting: usize,
    pub(crate) share_min: usize,
}

impl<E: Living> Requests<E> {
    pub(crate) fn new(world: WorldId) -> Self {
        Self {
            world,
            entries: Vec::new(),
            free: Vec::new(),
            queue: BinaryHeap::new(),
            cancelled_turns: 0,
            queued_for: HashMap::new(),
            units: Vec::new(),
            spare: Vec::new(),
            kept: Vec::new(),
            field_memory: Vec::new(),
            next_sequence: 0,
            waiting: 0,
            share_min: 64,
        }
    }

    /// Lets go of fields that an edit has outdated, and of the snapshots that they hold.
    pub(crate) fn forget_fields(&mut self) {
        while let Some(kept) = self.kept.pop() {
            self.keep_memory(kept.field);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.units.iter().map(Unit::memory_bytes).sum::<usize>()
            + self.spare.iter().map(|search| search.memory_bytes()).sum::<usize>()
            + self.kept.iter().map(|kept| kept.field.memory_bytes()).sum::<usize>()
            + self.field_memory.iter().map(FieldMemory::memory_bytes).sum::<usize>()
            + self.entries.capacity() * size_of::<Entry<E>>()
            + self.queue.capacity() * size_of::<Turn>()
    }
}
