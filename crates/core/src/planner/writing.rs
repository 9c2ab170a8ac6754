//! Writing the answer: the path as a list of places with its cost, slice by slice.
//!
//! A path may have as many places as the map has cells, so that even copying it takes longer than a slice. A planner
//! hands over the places as it has them, or those where the path turns; they are written out when it has returned.

use super::{Answer, Progress, Session, answer_within};
use crate::environment::{Cost, Environment};
use crate::path::Path;
use crate::search::Run;
use crate::space::NodeId;

/// Places that are written for each unit of work.
const PLACES_A_UNIT: u64 = 16;

/// What a path that is written is the answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The query, if it costs no more than this.
    Path { cost_max: u64 },
    /// The query has no path; this leads to the nearest place.
    Nearest,
    /// The query's limits were used up; this leads to the nearest place among those looked at.
    Limit,
}

/// Writes the ways between places where a path turns, until so many places are written.
pub(crate) type JoinLegs<P> = fn(&mut Legs<'_, P>, most: usize);

/// A path that is written from the places where it turns.
pub(crate) struct Legs<'w, P> {
    /// Where it turns, its ends included: from the start or from the goal on.
    pub(crate) turns: &'w [P],
    pub(crate) backwards: bool,
    /// How many ways are written.
    pub(crate) joined: &'w mut usize,
    pub(crate) written: &'w mut Vec<P>,
}

/// A path that is being written.
pub(crate) struct Writing<P> {
    /// Its places, from the start or from the goal on; or those where it turns.
    pub(crate) places: Vec<P>,
    backwards: bool,
    ending: Option<Ending>,
    written: Vec<P>,
    cost: u64,
    /// If only the turns are given, how the ways between them are written, and how many are.
    join: Option<JoinLegs<P>>,
    joined: usize,
}

impl<P> Default for Writing<P> {
    fn default() -> Self {
        let (places, written) = (Vec::new(), Vec::new());
        Self { places, backwards: false, ending: None, written, cost: 0, join: None, joined: 0 }
    }
}

impl<P> Writing<P> {
    pub(super) fn memory_bytes(&self) -> usize {
        (self.places.capacity() + self.written.capacity()) * size_of::<P>()
    }

    /// Ends a query with the path over its places, given from the start on, or `backwards`.
    pub(crate) fn begin(&mut self, ending: Ending, backwards: bool) {
        self.ending = Some(ending);
        self.backwards = backwards;
        self.cost = 0;
        self.join = None;
        // The path is the caller's, who gets it with no more memory than it needs.
        self.written = Vec::with_capacity(self.places.len());
    }

    /// Ends a query with the path that turns at its places, given from the start on, or `backwards`, and costs so much.
    pub(crate) fn begin_legs(
        &mut self,
        ending: Ending,
        backwards: bool,
        cost: Cost,
        join: JoinLegs<P>,
    ) {
        self.ending = Some(ending);
        self.backwards = backwards;
        self.cost = cost.0;
        self.join = Some(join);
        self.joined = 0;
        self.written = Vec::new();
    }

    pub(super) fn is_begun(&self) -> bool {
        self.ending.is_some()
    }

    pub(super) fn forget(&mut self) {
        self.ending = None;
        self.written = Vec::new();
    }
}

impl<P: Copy + PartialEq> Writing<P> {
    /// Goes on until so much work has been done; the answer, once all is written.
    pub(super) fn go_on<E: Environment<Place = P>>(
        &mut self,
        environment: &E,
        end: u64,
        run: &mut Run,
    ) -> Progress<P> {
        let Some(ending) = self.ending else { return Progress::Stale };
        let left = end.saturating_sub(run.statistics.work());
        let done = self.written.len();
        let most = usize::try_from(left.saturating_mul(PLACES_A_UNIT)).unwrap_or(usize::MAX);
        let is_whole = match self.join {
            Some(join) => self.join_until(join, done.saturating_add(most)),
            None => self.copy_until(environment, done.saturating_add(most)),
        };
        run.statistics.beside += (self.written.len() - done) as u64 / PLACES_A_UNIT;
        if !is_whole {
            return Progress::Running;
        }
        self.ending = None;
        let written = std::mem::take(&mut self.written);
        let path = Path::vouched(written, Cost(self.cost), environment.revision());
        Progress::Done(match ending {
            Ending::Path { cost_max } => answer_within(path, cost_max, false),
            Ending::Nearest => Answer::Unreachable { nearest: path },
            Ending::Limit => Answer::LimitReached { nearest: path },
        })
    }

    /// Copies places until there are so many. Returns whether all are there.
    fn copy_until<E: Environment<Place = P>>(&mut self, environment: &E, until: usize) -> bool {
        let done = self.written.len();
        let until = until.min(self.places.len());
        if self.backwards {
            let count = self.places.len();
            self.written.extend(self.places[count - until..count - done].iter().rev());
        } else {
            self.written.extend_from_slice(&self.places[done..until]);
        }
        // From the last place that was written before: each step counts once.
        self.cost += environment.known_price(&self.written[done.saturating_sub(1)..until]).0;
        until == self.places.len()
    }

    /// Writes ways between turns until there are so many places. Returns whether all are there.
    fn join_until(&mut self, join: JoinLegs<P>, until: usize) -> bool {
        let Self { places: turns, backwards, joined, written, .. } = self;
        join(&mut Legs { turns, backwards: *backwards, joined, written }, until);
        *joined + 1 >= turns.len()
    }
}

/// Nodes of a path that are walked back for each unit of work.
const NODES_A_UNIT: u64 = 4;

/// A path that is being walked back from its last node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkBack {
    pub(crate) at: NodeId,
    pub(crate) ending: Ending,
}

/// Goes on walking a path back, until so much work is done. Returns how it ends once all its places are known.
pub(crate) fn walk_back<P>(
    session: &mut Session<'_, P>,
    walk: &mut Option<WalkBack>,
    end: u64,
    place_of: impl Fn(NodeId) -> P,
) -> Option<Ending> {
    let WalkBack { at, ending } = walk.as_mut()?;
    let Session { work, writing, run, .. } = session;
    let left = end.saturating_sub(run.statistics.work());
    let most = left.saturating_mul(NODES_A_UNIT);
    let (mut walked, mut ended) = (0, None);
    while walked < most {
        walked += 1;
        writing.places.push(place_of(*at));
        let parent = work.forward.nodes.parent(*at);
        if parent == *at {
            ended = Some(*ending);
            break;
        }
        *at = parent;
    }
    run.statistics.beside += walked / NODES_A_UNIT;
    if ended.is_some() {
        *walk = None;
    }
    ended
}
