//! The planners of a world: following edits, or built again in the background.
//!
//! A planner is *ready* exactly when it describes the environment as it is now, so that a stale one is never
//! asked. What a snapshot holds is never changed: a planner that is shared is duplicated first, and where
//! that cannot be done cheaply it is built again.

mod worker;

use crate::living::Living;
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{CatchUp, Journal, KindId, Planner, Revision, Scratch};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use worker::{Done, Job, Work, Worker};

/// What planners may do at once when an edit is made, in expansions: HPA* rebuilds about a dozen clusters. What is
/// left continues in ticks.
const AT_ONCE: u64 = 2048;
/// Changes that a planner which cannot stop half-way follows at once; more are followed in the background.
const AT_ONCE_CHANGES_MAX: usize = 64;
/// Expansions between two looks at the clock while planners catch up.
const CATCH_UP_SLICE: u64 = 64;
/// Changed cells that a rebuilt planner catches up with on the world's own thread before it takes over.
const LAST_CELLS_MAX: usize = 4096;
/// Reports that nobody has taken; the oldest are forgotten beyond that.
const REPORTS_MAX: usize = 1024;

/// When planners that were made in the background take over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Following {
    /// A batch of more changed cells is not patched, but followed in the background.
    pub(crate) patch_cells_max: usize,
    /// Ticks after which a rebuild takes over, waited for if late; `None`: as soon as it is ready.
    pub(crate) lockstep_ticks: Option<u64>,
    /// Ticks without an edit before what cannot follow edits is rebuilt.
    pub(crate) rest_ticks: u64,
}

/// Which world: it distinguishes ids of one from ids of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WorldId(u64);

impl WorldId {
    /// One that no other world of this process has.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A planner of a world. Ids of one world mean nothing to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlannerId {
    world: WorldId,
    number: u32,
}

/// How a planner stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannerStatus {
    /// It knows the map as it is, and answers.
    Ready,
    /// It follows an edit, in [ticks](crate::PathWorld::tick) or when it is asked next; others answer.
    CatchingUp,
    /// It cannot follow edits, and waits for the map to stand still; others answer.
    Waiting {
        /// Ticks until it is rebuilt, if no edit comes.
        ticks: u64,
    },
    /// It is being made; others answer.
    Rebuilding {
        /// How much is done.
        done: u64,
        /// How much there is to do; 0 where nothing is known yet.
        of: u64,
    },
    /// It was not made, for that reason; others answer.
    Idle(RebuildError),
}

/// Something that happened to a planner in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RebuildReport {
    /// Which of the world's planners.
    pub planner: PlannerId,
    /// The kind of agent that it serves.
    pub kind: KindId,
    /// Its name.
    pub name: String,
    /// What happened.
    pub event: RebuildEvent,
    /// The revision that was begun with, or taken over at.
    pub revision: Revision,
    /// How long the worker has taken, by the clock; zero when it begins.
    pub took: Duration,
}

/// What happens to a planner in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RebuildEvent {
    /// It is being made from a snapshot.
    Started,
    /// It has caught up and answers from now on.
    Swapped,
    /// It was not made.
    Failed(RebuildError),
}

pub(crate) struct Planners<E: Living> {
    world: WorldId,
    slots: Vec<Slot<E>>,
    worker: Worker<E>,
    following: Following,
    next_job: u64,
    reports: VecDeque<RebuildReport>,
}

struct Slot<E: Living> {
    kind: KindId,
    recipe: Arc<dyn Recipe<E>>,
    name: String,
    /// Whether the planner that is being made may catch up with edits: not if the one before could not.
    follows: bool,
    state: State<E>,
}

impl<E: Living> Slot<E> {
    /// Takes note of how far a planner that is ready, or catches up, has followed.
    fn settle(&mut self, followed: CatchUp) {
        let idle = State::Idle(RebuildError::Stopped);
        self.state = match (std::mem::replace(&mut self.state, idle), followed) {
            (State::Ready(planner) | State::CatchingUp(planner), CatchUp::Done) => {
                State::Ready(planner)
            }
            (State::Ready(planner) | State::CatchingUp(planner), CatchUp::Unfinished) => {
                State::CatchingUp(planner)
            }
            (state, _) => state,
        };
    }
}

enum State<E: Living> {
    Ready(Arc<dyn Planner<E>>),
    /// It has not followed an edit to the end. Nobody else holds it.
    CatchingUp(Arc<dyn Planner<E>>),
    /// Until that tick.
    Waiting(u64),
    Rebuilding(Rebuild<E>),
    Idle(RebuildError),
}

struct Rebuild<E: Living> {
    job: u64,
    watch: Arc<BuildWatch>,
    /// The tick at which it takes over, in lockstep.
    due: Option<u64>,
    done: Option<Done<E>>,
}

/// What a planner must know of the world to follow it.
pub(crate) struct Now<'w, E: Living> {
    /// The environment of each kind of agent.
    pub(crate) kinds: &'w [E],
    pub(crate) journal: &'w Journal<E::Change>,
    pub(crate) tick: u64,
}

impl<E: Living> Clone for Now<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Living> Copy for Now<'_, E> {}

impl<'w, E: Living> Now<'w, E> {
    fn revision(&self) -> Revision {
        self.kinds[0].revision()
    }

    fn environment(&self, kind: KindId) -> &'w E {
        &self.kinds[kind.index()]
    }
}

impl<E: Living> Planners<E> {
    pub(crate) fn new(world: WorldId, following: Following) -> Self {
        let (slots, reports) = (Vec::new(), VecDeque::new());
        Self { world, slots, worker: Worker::default(), following, next_job: 0, reports }
    }

    /// Adds a planner that is built already.
    pub(crate) fn add(
        &mut self,
        kind: KindId,
        recipe: Arc<dyn Recipe<E>>,
        planner: Box<dyn Planner<E>>,
    ) {
        let (name, state) = (recipe.name(), State::Ready(Arc::from(planner)));
        self.slots.push(Slot { kind, recipe, name, follows: true, state });
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The planners of a kind, in the order they were given.
    pub(crate) fn ids(&self, kind: KindId) -> impl Iterator<Item = PlannerId> + '_ {
        let own = (0u32..).zip(&self.slots).filter(move |(_, slot)| slot.kind == kind);
        own.map(|(number, _)| PlannerId { world: self.world, number })
    }

    /// The number of a planner of this world.
    pub(crate) fn number(&self, id: PlannerId) -> Option<usize> {
        let number = id.number as usize;
        (id.world == self.world && number < self.slots.len()).then_some(number)
    }

    /// The planner of that number, if it is ready and serves that kind.
    pub(crate) fn get(&self, number: usize, kind: KindId) -> Option<&Arc<dyn Planner<E>>> {
        match self.slots.get(number)? {
            Slot { kind: own, state: State::Ready(planner), .. } if *own == kind => Some(planner),
            _ => None,
        }
    }

    /// The kind that a planner serves.
    pub(crate) fn kind(&self, number: usize) -> KindId {
        self.slots[number].kind
    }

    /// Those of a kind that are ready, in the order they were given.
    pub(crate) fn ready(&self, kind: KindId) -> impl Iterator<Item = &Arc<dyn Planner<E>>> {
        (0..self.slots.len()).filter_map(move |number| self.get(number, kind))
    }

    pub(crate) fn status(&self, id: PlannerId, tick: u64) -> Option<PlannerStatus> {
        Some(match &self.slots[self.number(id)?].state {
            State::Ready(_) => PlannerStatus::Ready,
            State::CatchingUp(_) => PlannerStatus::CatchingUp,
            State::Waiting(until) => PlannerStatus::Waiting { ticks: until.saturating_sub(tick) },
            State::Rebuilding(rebuild) => {
                let (done, of) = rebuild.watch.progress();
                PlannerStatus::Rebuilding { done, of }
            }
            State::Idle(reason) => PlannerStatus::Idle(reason.clone()),
        })
    }

    pub(crate) fn name(&self, id: PlannerId) -> Option<&str> {
        self.number(id).map(|number| self.slots[number].name.as_str())
    }

    pub(crate) fn take_reports(&mut self) -> impl Iterator<Item = RebuildReport> + '_ {
        self.reports.drain(..)
    }

    /// Follows a batch that has led to the environment as it is now.
    pub(crate) fn follow(&mut self, now: Now<'_, E>, changes: &[E::Change], scratch: &mut Scratch) {
        let patch_cells_max = self.following.patch_cells_max;
        for number in 0..self.slots.len() {
            let slot = &mut self.slots[number];
            let again = match &mut slot.state {
                State::Ready(planner) | State::CatchingUp(planner) => {
                    let small = changes.len() <= patch_cells_max;
                    let environment = now.environment(slot.kind);
                    let changes = concerning(environment, changes);
                    if small && let Some(planner) = for_background(&**planner, &changes) {
                        let work =
                            Work::CatchUp(Arc::clone(&slot.recipe), planner, changes.into_owned());
                        self.hand_over(number, work, now);
                        continue;
                    }
                    let followed = match small {
                        true => catch_up(planner, environment, &changes, scratch, &mut { AT_ONCE }),
                        false => CatchUp::NeedsRebuild,
                    };
                    slot.settle(followed);
                    slot.follows = followed != CatchUp::NeedsRebuild || !small;
                    followed == CatchUp::NeedsRebuild
                }
                // What cannot follow would be out of date when it is ready.
                State::Rebuilding(_) => !slot.follows,
                State::Waiting(_) => true,
                // Perhaps it serves the map now. After a panic it waits to be asked for.
                State::Idle(reason) => matches!(reason, RebuildError::NotServed(_)),
            };
            if again && !slot.follows && self.following.rest_ticks > 0 {
                self.wait(number, now);
            } else if again {
                self.begin(number, now);
            }
        }
    }

    /// Lets planners go on that have not followed an edit to the end, until `is_over` says so or the slice is used up.
    /// Returns what that took, and whether any became ready.
    pub(crate) fn catch_up(
        &mut self,
        now: Now<'_, E>,
        scratch: &mut Scratch,
        slice: u64,
        is_over: impl Fn() -> bool,
    ) -> (u64, bool) {
        let (mut left, mut any_ready) = (slice, false);
        for number in 0..self.slots.len() {
            let slot = &mut self.slots[number];
            let environment = now.environment(slot.kind);
            while let State::CatchingUp(planner) = &mut slot.state {
                if left == 0 || is_over() {
                    return (slice - left, any_ready);
                }
                let part = left.min(CATCH_UP_SLICE);
                let mut rest = part;
                let followed = catch_up(planner, environment, &[], scratch, &mut rest);
                left -= (part - rest).max(1);
                slot.settle(followed);
                any_ready |= followed == CatchUp::Done;
                if followed == CatchUp::NeedsRebuild {
                    self.begin(number, now);
                    break;
                }
            }
        }
        (slice - left, any_ready)
    }

    /// Puts off making a planner until the map has stood still.
    fn wait(&mut self, number: usize, now: Now<'_, E>) {
        let slot = &mut self.slots[number];
        if let State::Rebuilding(rebuild) = &slot.state {
            rebuild.watch.stop();
        }
        slot.state = State::Waiting(now.tick.saturating_add(self.following.rest_ticks));
    }

    /// Begins to make planners for which the map has stood still long enough, or all that wait for it.
    fn begin_waiting(&mut self, now: Now<'_, E>, all: bool) {
        for number in 0..self.slots.len() {
            if let State::Waiting(until) = self.slots[number].state
                && (all || until <= now.tick)
            {
                self.begin(number, now);
            }
        }
    }

    /// Begins to make a planner from a snapshot, whatever it was doing.
    pub(crate) fn begin(&mut self, number: usize, now: Now<'_, E>) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        let work = Work::Build(Arc::clone(&slot.recipe));
        self.hand_over(number, work, now);
        self.report(number, RebuildEvent::Started, now.revision(), Duration::ZERO);
    }

    fn hand_over(&mut self, number: usize, work: Work<E>, now: Now<'_, E>) {
        let slot = &mut self.slots[number];
        if let State::Rebuilding(rebuild) = &slot.state {
            rebuild.watch.stop();
        }
        self.next_job += 1;
        let (job, watch) = (self.next_job, Arc::new(BuildWatch::default()));
        let due = self.following.lockstep_ticks.map(|ticks| now.tick.saturating_add(ticks));
        slot.state = State::Rebuilding(Rebuild { job, watch: Arc::clone(&watch), due, done: None });
        let environment = now.environment(slot.kind).clone();
        self.worker.send(Job { id: job, environment, work, watch });
    }

    /// Gives up making a planner. Returns whether it was being made, or waited to be.
    pub(crate) fn stop(&mut self, number: usize, revision: Revision) -> bool {
        let Some(slot) = self.slots.get_mut(number) else { return false };
        match &slot.state {
            State::Rebuilding(rebuild) => rebuild.watch.stop(),
            State::Waiting(_) => {}
            State::Ready(_) | State::CatchingUp(_) | State::Idle(_) => return false,
        }
        slot.state = State::Idle(RebuildError::Stopped);
        self.report(number, RebuildEvent::Failed(RebuildError::Stopped), revision, Duration::ZERO);
        true
    }

    /// Lets planners take over that are ready and due. Returns whether any did.
    pub(crate) fn collect(&mut self, now: Now<'_, E>, scratch: &mut Scratch) -> bool {
        self.begin_waiting(now, false);
        while let Some(done) = self.worker.next_done() {
            self.note(done);
        }
        let mut swapped = false;
        for number in 0..self.slots.len() {
            let State::Rebuilding(rebuild) = &self.slots[number].state else { continue };
            if rebuild.due.is_some_and(|due| now.tick < due) {
                continue;
            }
            if rebuild.due.is_some() {
                self.wait_for(number);
            }
            swapped |= self.settle(number, now, scratch);
        }
        swapped
    }

    /// Waits until nothing is being made any more, nor waits to be.
    pub(crate) fn finish(&mut self, now: Now<'_, E>, scratch: &mut Scratch) {
        self.begin_waiting(now, true);
        for number in 0..self.slots.len() {
            while matches!(self.slots[number].state, State::Rebuilding(_)) {
                self.wait_for(number);
                self.settle(number, now, scratch);
            }
        }
    }

    fn wait_for(&mut self, number: usize) {
        while let State::Rebuilding(Rebuild { done: None, .. }) = self.slots[number].state {
            match self.worker.wait_done() {
                Some(done) => self.note(done),
                // Cannot be while a job is out; but waiting for ever would be worse.
                None => self.slots[number].state = State::Idle(RebuildError::Stopped),
            }
        }
    }

    fn note(&mut self, done: Done<E>) {
        let wanted = |slot: &&mut Slot<E>| match &slot.state {
            State::Rebuilding(rebuild) => rebuild.job == done.id,
            _ => false,
        };
        if let Some(Slot { state: State::Rebuilding(rebuild), .. }) =
            self.slots.iter_mut().find(wanted)
        {
            rebuild.done = Some(done);
        }
    }

    /// Takes a planner over, if its job is done. Returns whether it answers from now on.
    fn settle(&mut self, number: usize, now: Now<'_, E>, scratch: &mut Scratch) -> bool {
        let in_lockstep = self.following.lockstep_ticks.is_some();
        let slot = &mut self.slots[number];
        let State::Rebuilding(rebuild) = &mut slot.state else { return false };
        let Some(Done { revision, result, took, .. }) = rebuild.done.take() else { return false };
        let mut planner = match result {
            Ok(planner) => planner,
            Err(reason) => {
                slot.state = State::Idle(reason.clone());
                self.report(number, RebuildEvent::Failed(reason), now.revision(), took);
                return false;
            }
        };
        let environment = now.environment(slot.kind);
        let mut caught_up = true;
        if revision != now.revision() {
            let concerns = |change: &&E::Change| environment.is_concerned_by(change);
            let missed = now.journal.since(revision);
            let missed: Option<Vec<E::Change>> =
                missed.map(|changes| changes.filter(concerns).cloned().collect());
            let Some(missed) = missed else {
                self.begin(number, now);
                return false;
            };
            // In lockstep the tick is fixed, and must not depend on how far the worker came.
            if missed.len() > LAST_CELLS_MAX && !in_lockstep {
                let work = Work::CatchUp(Arc::clone(&slot.recipe), planner, missed);
                self.hand_over(number, work, now);
                return false;
            }
            match planner.catch_up_on(environment, &missed, scratch, &mut { AT_ONCE }) {
                CatchUp::Done => {}
                CatchUp::Unfinished => caught_up = false,
                CatchUp::NeedsRebuild => {
                    slot.follows = false;
                    self.begin(number, now);
                    return false;
                }
            }
        }
        let slot = &mut self.slots[number];
        let planner = Arc::from(planner);
        slot.state = if caught_up { State::Ready(planner) } else { State::CatchingUp(planner) };
        slot.follows = true;
        self.report(number, RebuildEvent::Swapped, now.revision(), took);
        caught_up
    }

    fn report(&mut self, planner: usize, event: RebuildEvent, revision: Revision, took: Duration) {
        if self.reports.len() == REPORTS_MAX {
            self.reports.pop_front();
        }
        let Slot { name, kind, .. } = &self.slots[planner];
        let (name, kind) = (name.clone(), *kind);
        let planner = PlannerId { world: self.world, number: planner as u32 };
        self.reports.push_back(RebuildReport { planner, kind, name, event, revision, took });
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let bytes = |slot: &Slot<E>| match &slot.state {
            State::Ready(planner) | State::CatchingUp(planner) => planner.memory_bytes(),
            _ => 0,
        };
        self.slots.iter().map(bytes).sum()
    }
}

impl<E: Living> Drop for Planners<E> {
    fn drop(&mut self) {
        // So that the worker, which is joined next, has no reason to go on.
        for slot in &self.slots {
            if let State::Rebuilding(rebuild) = &slot.state {
                rebuild.watch.stop();
            }
        }
    }
}

/// The changes that concern an environment's kind of agent: mostly all of them.
fn concerning<'c, E: Living>(environment: &E, changes: &'c [E::Change]) -> Cow<'c, [E::Change]> {
    let concerns = |change: &&E::Change| environment.is_concerned_by(change);
    if changes.iter().all(|change| concerns(&change)) {
        Cow::Borrowed(changes)
    } else {
        Cow::Owned(changes.iter().filter(concerns).cloned().collect())
    }
}

/// A duplicate of a planner that follows such an edit in the background: one that holds something and cannot stop
/// half-way, if the edit is large.
fn for_background<E: Living>(
    planner: &dyn Planner<E>,
    changes: &[E::Change],
) -> Option<Box<dyn Planner<E>>> {
    let large = changes.len() > AT_ONCE_CHANGES_MAX && !planner.catches_up_in_slices();
    if large && planner.memory_bytes() > 0 { planner.duplicate() } else { None }
}

/// Lets a planner follow an edit, or a duplicate of it where snapshots hold it, as far as `left` goes.
fn catch_up<E: Living>(
    planner: &mut Arc<dyn Planner<E>>,
    environment: &E,
    changes: &[E::Change],
    scratch: &mut Scratch,
    left: &mut u64,
) -> CatchUp {
    if Arc::get_mut(planner).is_none() {
        let Some(duplicate) = planner.duplicate() else { return CatchUp::NeedsRebuild };
        *planner = Arc::from(duplicate);
    }
    match Arc::get_mut(planner) {
        Some(planner) => planner.catch_up_on(environment, changes, scratch, left),
        None => CatchUp::NeedsRebuild,
    }
}
