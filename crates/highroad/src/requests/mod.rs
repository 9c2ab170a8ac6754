//! Requests: a queue of questions that is worked off within a budget, tick by tick.
//!
//! [`PathWorld::request`](crate::PathWorld::request) takes a [`Request`] and returns a [`Ticket`];
//! [`PathWorld::tick`](crate::PathWorld::tick) works on requests within a [`Budget`];
//! [`PathWorld::poll`](crate::PathWorld::poll) returns the [`Reply`] to a ticket.
//!
//! The most urgent are worked on first, a few at a time, each on a slice of its search, on as many
//! threads as there are. Which ones, and how far, depends on nothing but the requests, the edits and the
//! budget: counted in expansions, a tick does the same on every machine and any number of threads.
//!
//! An edit in the middle of a search makes it begin again, on the map as it is. A search that has
//! begun again too often goes on on the map as it was, so that it gets an answer even if the map changes all the time:
//! see [`Reply`].

mod field;
mod held;
mod queue;
mod saved;
mod search;
mod shared;
mod slices;
#[cfg(test)]
mod tests;
mod unit;
mod wave;

use crate::living::Living;
use crate::planners::WorldId;
pub(crate) use saved::Surroundings;
pub(crate) use wave::Deadline;

use field::KeptField;
use held::Held;
use highroad_core::{Cell, CellRefusal, Cost, GoalRule, KindId, Path, PathQuery, QueryError};
use queue::{Entry, Turn};
use search::Search;
use std::collections::{BinaryHeap, HashMap};
use thiserror::Error;
use unit::Unit;

/// Something to be found out, and how urgently. Any [`PathQuery`] is one.
///
/// ```
/// use highroad::{Cell, Cost, Request};
/// let path: Request = Request::path((0, 0), (5, 5)).with_priority(3).with_first_leg(20);
/// let shelter: Request = Request::nearest((0, 0), vec![Cell::new(9, 1), Cell::new(2, 8)]);
/// let range: Request = Request::range((0, 0), Cost::steps(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Request<P = Cell> {
    pub(crate) wanted: Wanted<P>,
    #[cfg_attr(feature = "serde", serde(default))]
    pub(crate) priority: u8,
    #[cfg_attr(feature = "serde", serde(default))]
    pub(crate) kind: KindId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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
    ///
    /// ```
    /// use highroad::{Budget, Cell, PathWorld, Reply, Request};
    /// use highroad::requests::{TickReport, Ticket};
    /// let mut world = PathWorld::new("..#.\n..#.\n".parse()?);
    /// let goals = vec![Cell::new(1, 1), Cell::new(3, 0)];
    /// let ticket: Ticket = world.request(Request::each((0, 0), goals));
    /// let mut reports: Vec<TickReport> = Vec::new();
    /// let paths = loop {
    ///     reports.push(world.tick(Budget::micros(500))); // half a millisecond of each frame
    ///     if let Reply::Each(paths) = world.poll(ticket) { break paths; }
    /// };
    /// assert!(paths[0].is_some() && paths[1].is_none());
    /// assert_eq!(reports.iter().map(|report| report.answered).sum::<u64>(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    pub fn with_first_leg(self, steps: u32) -> Self {
        self.with_query(|query| query.with_first_leg(steps))
    }

    /// With another rule for where a path may end: next to a goal, or as near as possible. Requests for something else
    /// than one path stay as they are. See [`PathQuery::with_goal_rule`].
    ///
    /// ```
    /// use highroad::{Budget, Cell, PathWorld, Reply, Request};
    /// use highroad::planner::GoalRule;
    /// let mut world = PathWorld::new("......\n....#.\n".parse()?);
    /// let attack = Request::path((0, 1), (4, 1)).with_goal_rule(GoalRule::Adjacent);
    /// let ticket = world.request(attack.with_obstacles(vec![Cell::new(3, 1)]));
    /// world.tick(Budget::unlimited());
    /// let Reply::Ready(path) = world.poll(ticket) else { panic!("there is a free cell beside it") };
    /// assert_eq!(path.goal(), Cell::new(3, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_goal_rule(self, rule: GoalRule) -> Self {
        self.with_query(|query| query.with_goal_rule(rule))
    }

    /// With places that count as blocked for this request alone. Requests for something else than one path stay as they
    /// are. See [`PathQuery::with_obstacles`].
    pub fn with_obstacles(self, places: Vec<P>) -> Self {
        self.with_query(|query| query.with_obstacles(places))
    }

    /// With another query, where it is for one path.
    fn with_query(mut self, change: impl FnOnce(PathQuery<P>) -> PathQuery<P>) -> Self {
        self.wanted = match self.wanted {
            Wanted::Path(query) => Wanted::Path(change(query)),
            Wanted::Nearest(query) => Wanted::Nearest(change(query)),
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

/// The receipt for a request: ask for its reply with it. It means nothing to another world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket {
    pub(crate) world: WorldId,
    pub(crate) entry: u32,
    /// Which of all requests: a place is used again, a number is not.
    pub(crate) sequence: u64,
}

/// The state of a request. All but [`Reply::Pending`] and [`Reply::Leg`] are final: the ticket is
/// then used up.
///
/// What a planner promises holds at the [revision of the path](Path::revision). Mostly that is the map as it was in the
/// tick that answered. A search that edits have outdated four times goes on on the map as it was when it began for the
/// fifth time, since a map that changes all the time would otherwise never let it end. Its path is handed out if it can
/// be walked on the map as it is now, and its revision is the older one. If it cannot be walked, the search begins again
/// in the same way, three times at most; then the part of the path that can be walked is handed out as
/// [`Reply::GaveUp`]. Ranges and paths to each of many goals go on on the map as it was after edits have outdated them
/// three times, and are handed out as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "P: serde::Serialize, R: serde::Serialize",
        deserialize = "P: serde::Deserialize<'de>, R: serde::Deserialize<'de>, Path<P>: serde::Deserialize<'de>"
    ))
)]
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
    /// The query's own limits were used up. A path to the nearest place among those looked at. Or edits have shut every
    /// path that was found, time after time: the part of the last one that can be walked.
    GaveUp(Path<P>),
    /// The path to each of the goals asked for, in their order.
    Each(Vec<Option<Path<P>>>),
    /// The places within the cost asked for: on a grid row by row.
    Range(Vec<(P, Cost)>),
    /// It cannot be answered, for that reason.
    Failed(RequestError<R>),
}

/// A reply of a world of that environment.
pub(crate) type ReplyOf<E> =
    Reply<<E as highroad_core::Environment>::Place, <E as highroad_core::Environment>::Refusal>;

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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
    /// The search for it has panicked, and no other planner was left. (A planner of the world that panics is taken out,
    /// and the request begins again with the next.)
    #[error("the search has panicked")]
    Panicked,
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
/// nearest place where there is no path, refining and smoothing, fields, the list of a range, writing paths. What is done
/// in one piece, and may make a tick late by that much: the turns of a path of `ch` and `hub-labels`, some nanoseconds each.
///
/// A budget in expansions counts what each phase does, in units of about as much work, at most about a microsecond: a
/// node that a search expands is one, and so are four cells that a field settles, eight steps of a path that is read off
/// a field, 64 places that are looked at for the list of a range, and what
/// [`Statistics::beside`](crate::search::Statistics::beside) lists for queries. Beginning a search counts 16, rebuilding a
/// cluster of HPA* after an edit 128, patching a cell of PRA* 8.
///
/// Working memory: eight requests are worked on at a time, each in memory of its own. A search over cells takes up to 24
/// bytes a cell of the map, hierarchies a few hundred bytes a cluster or layer node; besides, up to four fields are
/// kept, 12 bytes a cell each. A request that goes on on the map as it was (see [`Reply`]) keeps, of that map and of its
/// planner, what edits have changed since.
///
/// ```
/// use highroad::{Budget, PathWorld, Request};
/// let mut world = PathWorld::new("......\n......\n".parse()?);
/// world.request(Request::path((0, 0), (5, 1)));
/// world.tick(Budget::expansions(0));
/// assert_eq!(world.waiting(), 1, "nothing may be done");
/// world.tick(Budget::unlimited());
/// assert_eq!(world.waiting(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Budget {
    pub(crate) expansions: u64,
    pub(crate) micros: Option<u64>,
}

impl Budget {
    /// A budget of that many microseconds by the clock. How far requests get then depends on the machine.
    pub const fn micros(micros: u64) -> Self {
        Self { expansions: u64::MAX, micros: Some(micros) }
    }

    /// A budget of that many expansions, the steps of a search: the same on every machine.
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

    /// No limit: the tick works until everything is answered.
    pub const fn unlimited() -> Self {
        Self::expansions(u64::MAX)
    }
}

/// What a tick has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickReport {
    /// Expansions made; each search begun counts some on top.
    pub expansions: u64,
    /// Requests answered.
    pub answered: u64,
    /// Requests that wait for the next tick.
    pub waiting: usize,
    /// Whether the world's [`Clock`](crate::world::Clock) panicked. The tick then ended at once; what waits goes on as
    /// soon as the clock works again, or with a budget in expansions.
    pub clock_panicked: bool,
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
    /// What searches have held of older worlds, to be freed when there is time.
    retired: Vec<Box<Held<E>>>,
    /// Fields that later requests may use.
    kept: Vec<KeptField<E>>,
    next_sequence: u64,
    waiting: usize,
    pub(crate) share_min: usize,
}

/// A clone goes on where the original stands: what is being searched for is searched for again, as far as it had
/// come, when its turn comes. Working memory is not copied.
impl<E: Living> Clone for Requests<E> {
    fn clone(&self) -> Self {
        let kept = |kept: &KeptField<E>| KeptField { goal: kept.goal, work: kept.work.copy() };
        Self {
            world: self.world,
            entries: self.entries.clone(),
            free: self.free.clone(),
            queue: self.queue.clone(),
            cancelled_turns: self.cancelled_turns,
            queued_for: self.queued_for.clone(),
            units: self.units.iter().map(Unit::copy).collect(),
            spare: Vec::new(),
            retired: Vec::new(),
            kept: self.kept.iter().map(kept).collect(),
            next_sequence: self.next_sequence,
            waiting: self.waiting,
            share_min: self.share_min,
        }
    }
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
            retired: Vec::new(),
            kept: Vec::new(),
            next_sequence: 0,
            waiting: 0,
            share_min: 64,
        }
    }

    /// Lets go of fields that an edit has outdated, and of the snapshots that they hold.
    pub(crate) fn forget_fields(&mut self) {
        self.kept.clear();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.units.iter().map(Unit::memory_bytes).sum::<usize>()
            + self.spare.iter().map(|search| search.memory_bytes()).sum::<usize>()
            + self.kept.iter().map(|kept| kept.work.memory_bytes()).sum::<usize>()
            + self.entries.capacity() * size_of::<Entry<E>>()
            + self.queue.capacity() * size_of::<Turn>()
    }
}
