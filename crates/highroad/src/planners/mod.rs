//! The planners of a world: following edits, or built again in the background.
//!
//! A planner is *ready* exactly when it describes the environment as it is now, so that a stale one is never
//! asked. What a snapshot holds is never changed: a planner that is shared is duplicated first, and where
//! that cannot be done cheaply it is built again.

mod saved;
mod worker;

pub use saved::LoadWorldError;
pub(crate) use saved::{Index, environment_at};

use crate::background::Background;
use crate::clock::Clock;
use crate::fault::caught;
use crate::living::Living;
use crate::recipe::{RebuildError, Recipe};
use highroad_core::{CatchUp, Journal, KindId, Planner, Revision, Scratch};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;
use worker::{Done, Order, Work, Worker};

/// What planners may do at once when an edit is made, in expansions: HPA* rebuilds about a dozen clusters. What is
/// left continues in ticks.
const AT_ONCE: u64 = 2048;
/// Expansions between two looks at the clock while planners catch up.
const CATCH_UP_SLICE: u64 = 64;
/// Changed cells that a rebuilt planner catches up with on the world's own thread before it takes over.
const LAST_CELLS_MAX: u64 = 4096;
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

/// Which world: it distinguishes ids of one from ids of another. A clone and a loaded world have the id of the world
/// that they come from, so that its tickets and planners are theirs as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WorldId(u64);

impl WorldId {
    /// One that no other world has, in this process or another: by chance, 64 bits of it. Ids are only ever compared,
    /// so that answers do not depend on them.
    pub(crate) fn new() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    /// One that the caller has chosen.
    pub(crate) const fn given(number: u64) -> Self {
        Self(number)
    }
}

/// The id of a planner of a world. Ids of one world mean nothing to another.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::hierarchy::HpaOptions;
/// use highroad::world::{PlannerId, PlannerStatus};
/// let world = PathWorld::new("...\n...\n".parse()?).with_planner(HpaOptions::default()).build()?;
/// let hpa: PlannerId = world.planners().next().expect("it has one");
/// assert_eq!(world.planner_name(hpa), Some("hpa"));
/// assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
/// let other = PathWorld::new("...\n...\n".parse()?);
/// assert_eq!(other.planner_status(hpa), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannerId {
    world: WorldId,
    number: u32,
}

/// The state of a planner of a world. See [`PathWorld::planner_status`](crate::PathWorld::planner_status).
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
///
/// ```
/// use highroad::{PathWorld, Terrain};
/// use highroad::index::HubOptions;
/// use highroad::world::{RebuildEvent, RebuildReport};
/// let mut world = PathWorld::new("...\n...\n".parse()?).with_planner(HubOptions::default()).build()?;
/// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?; // labels cannot follow edits
/// world.finish_rebuilds();
/// let reports: Vec<RebuildReport> = world.take_reports().collect();
/// let events: Vec<RebuildEvent> = reports.iter().map(|report| report.event.clone()).collect();
/// assert_eq!(events, [RebuildEvent::Started, RebuildEvent::Swapped]);
/// assert_eq!(reports[1].revision, world.revision());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    clock: Clock,
    /// How many planners have been made in the background.
    swaps: u64,
    reports: VecDeque<RebuildReport>,
}

/// A clone shares the planners, and those that are being built, with their thread: nothing is built twice.
impl<E: Living> Clone for Planners<E> {
    fn clone(&self) -> Self {
        Self {
            world: self.world,
            slots: self.slots.clone(),
            worker: self.worker.clone(),
            following: self.following,
            clock: self.clock,
            swaps: self.swaps,
            reports: self.reports.clone(),
        }
    }
}

impl<E: Living> Clone for Slot<E> {
    fn clone(&self) -> Self {
        Self {
            kind: self.kind,
            recipe: Arc::clone(&self.recipe),
            name: Arc::clone(&self.name),
            follows: self.follows,
            swap: self.swap,
            took: self.took,
            state: match &self.state {
                State::Ready(planner) => State::Ready(Arc::clone(planner)),
                State::CatchingUp(planner) => State::CatchingUp(Arc::clone(planner)),
                State::Waiting(until) => State::Waiting(*until),
                State::Rebuilding(rebuild) => State::Rebuilding(Rebuild {
                    order: Arc::clone(&rebuild.order),
                    due: rebuild.due,
                }),
                State::Idle(reason) => State::Idle(reason.clone()),
            },
        }
    }
}

struct Slot<E: Living> {
    kind: KindId,
    recipe: Arc<dyn Recipe<E>>,
    name: Arc<str>,
    /// Which of all planners that took over it is: 0 for one that was there from the beginning.
    swap: u64,
    /// How long it took to be built in the background, by the clock.
    took: Option<Duration>,
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
    order: Arc<Order<E>>,
    /// The tick at which it takes over, in lockstep.
    due: Option<u64>,
}

/// A planner has panicked while it answered.
pub(crate) struct PlannerFault {
    pub(crate) number: usize,
    /// Which of all planners that took over it was.
    pub(crate) swap: u64,
    pub(crate) message: String,
}

/// What a planner must know of the world to follow it.
pub(crate) struct WorldState<'w, E: Living> {
    /// The environment of each kind of agent.
    pub(crate) kinds: &'w [E],
    pub(crate) journal: &'w Journal<E::Change>,
    pub(crate) tick: u64,
}

impl<E: Living> Clone for WorldState<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Living> Copy for WorldState<'_, E> {}

impl<'w, E: Living> WorldState<'w, E> {
    fn revision(&self) -> Revision {
        self.kinds[0].revision()
    }

    fn environment(&self, kind: KindId) -> &'w E {
        &self.kinds[kind.index()]
    }
}

impl<E: Living> Planners<E> {
    pub(crate) fn new(world: WorldId, following: Following, clock: Clock) -> Self {
        let (slots, reports) = (Vec::new(), VecDeque::new());
        Self { world, slots, worker: Worker::default(), following, clock, swaps: 0, reports }
    }

    /// None yet, with the same clock and background.
    pub(crate) fn without_any(&self, world: WorldId, following: Following) -> Self {
        let mut planners = Self::new(world, following, self.clock);
        planners.set_background(self.worker.background());
        planners
    }

    /// Builds planners there from now on; `None`: on a thread of its own.
    pub(crate) fn set_background(&mut self, background: Option<Background>) {
        self.worker.set_background(background);
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Adds a planner that is built already.
    pub(crate) fn add(
        &mut self,
        kind: KindId,
        recipe: Arc<dyn Recipe<E>>,
        planner: Box<dyn Planner<E>>,
    ) {
        let (name, state) = (recipe.name().into(), State::Ready(Arc::from(planner)));
        self.slots.push(Slot { kind, recipe, name, swap: 0, took: None, follows: true, state });
    }

    /// Adds a planner that is not built yet. Returns its id.
    pub(crate) fn reserve(&mut self, kind: KindId, recipe: Arc<dyn Recipe<E>>) -> PlannerId {
        let (name, state) = (recipe.name().into(), State::Idle(RebuildError::Stopped));
        self.slots.push(Slot { kind, recipe, name, swap: 0, took: None, follows: true, state });
        PlannerId { world: self.world, number: self.slots.len() as u32 - 1 }
    }

    /// Gives a planner another recipe. The planner that it has is no longer used. Returns whether there is such a one.
    pub(crate) fn replace(&mut self, id: PlannerId, recipe: Arc<dyn Recipe<E>>) -> bool {
        let Some(number) = self.number(id) else { return false };
        let slot = &mut self.slots[number];
        slot.name = recipe.name().into();
        slot.recipe = recipe;
        slot.took = None;
        slot.follows = true;
        slot.state = State::Idle(RebuildError::Stopped);
        true
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

    /// How the planner of that number is built.
    pub(crate) fn recipe(&self, number: usize) -> Option<&Arc<dyn Recipe<E>>> {
        self.slots.get(number).map(|slot| &slot.recipe)
    }

    /// Which of all planners that took over the one of that number is.
    pub(crate) fn swap(&self, number: usize) -> u64 {
        self.slots.get(number).map_or(0, |slot| slot.swap)
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
                let (done, of) = rebuild.order.watch.progress();
                PlannerStatus::Rebuilding { done, of }
            }
            State::Idle(reason) => PlannerStatus::Idle(reason.clone()),
        })
    }

    /// How long a planner took to be built in the background.
    pub(crate) fn took(&self, id: PlannerId) -> Option<Duration> {
        self.slots[self.number(id)?].took
    }

    pub(crate) fn name(&self, id: PlannerId) -> Option<&str> {
        self.number(id).map(|number| &*self.slots[number].name)
    }

    pub(crate) fn take_reports(&mut self) -> impl Iterator<Item = RebuildReport> + '_ {
        self.reports.drain(..)
    }

    /// Follows a batch that has led to the environment as it is now.
    pub(crate) fn follow(
        &mut self,
        now: WorldState<'_, E>,
        changes: &[E::Change],
        scratch: &mut Scratch,
    ) {
        let patch_cells_max = self.following.patch_cells_max;
        for number in 0..self.slots.len() {
            let slot = &mut self.slots[number];
            let again = match &mut slot.state {
                State::Ready(planner) | State::CatchingUp(planner) => {
                    let small = E::changed_places(changes) <= patch_cells_max as u64;
                    let environment = now.environment(slot.kind);
                    let changes = concerning(environment, changes);
                    let followed = match small {
                        true => catch_up(planner, environment, &changes, scratch, &mut { AT_ONCE }),
                        false => Ok(CatchUp::NeedsRebuild),
                    };
                    let followed = match followed {
                        Ok(followed) => followed,
                        Err(reason) => {
                            self.give_up(number, reason, now.revision(), Duration::ZERO);
                            continue;
                        }
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

    /// The first planner that is ready and can follow changes at once which lead to that environment: as it is, and a duplicate that
    /// has followed them. The world's own planners stay as they are.
    pub(crate) fn foresee(
        &self,
        environment: &E,
        changes: &[E::Change],
        scratch: &mut Scratch,
    ) -> Option<[Arc<dyn Planner<E>>; 2]> {
        if E::changed_places(changes) > self.following.patch_cells_max as u64 {
            return None;
        }
        let changes = concerning(environment, changes);
        self.ready(environment.kind()).find_map(|planner| {
            // Shared with the world, so that a duplicate is changed.
            let mut follower = Arc::clone(planner);
            let followed =
                catch_up(&mut follower, environment, &changes, scratch, &mut { u64::MAX });
            matches!(followed, Ok(CatchUp::Done)).then(|| [Arc::clone(planner), follower])
        })
    }

    /// Lets planners go on that have not followed an edit to the end, until `is_over` says so or the slice is used up.
    /// Returns what that took, and whether any became ready.
    pub(crate) fn catch_up(
        &mut self,
        now: WorldState<'_, E>,
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
                let followed = match catch_up(planner, environment, &[], scratch, &mut rest) {
                    Ok(followed) => followed,
                    Err(reason) => {
                        self.give_up(number, reason, now.revision(), Duration::ZERO);
                        break;
                    }
                };
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
    fn wait(&mut self, number: usize, now: WorldState<'_, E>) {
        let slot = &mut self.slots[number];
        slot.state = State::Waiting(now.tick.saturating_add(self.following.rest_ticks));
    }

    /// Begins to make planners for which the map has stood still long enough, or all that wait for it.
    fn begin_waiting(&mut self, now: WorldState<'_, E>, all: bool) {
        for number in 0..self.slots.len() {
            if let State::Waiting(until) = self.slots[number].state
                && (all || until <= now.tick)
            {
                self.begin(number, now);
            }
        }
    }

    /// Begins to make a planner from a snapshot, whatever it was doing.
    pub(crate) fn begin(&mut self, number: usize, now: WorldState<'_, E>) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        let work = Work::Build(Arc::clone(&slot.recipe));
        self.hand_over(number, work, now);
        self.report(number, RebuildEvent::Started, now.revision(), Duration::ZERO);
    }

    fn hand_over(&mut self, number: usize, work: Work<E>, now: WorldState<'_, E>) {
        let slot = &mut self.slots[number];
        let due = self.following.lockstep_ticks.map(|ticks| now.tick.saturating_add(ticks));
        let environment = now.environment(slot.kind).clone();
        // Whatever it was doing is stopped, unless a clone waits for it.
        slot.state = State::Idle(RebuildError::Stopped);
        let order = self.worker.order(environment, now.revision(), work, self.clock);
        slot.state = State::Rebuilding(Rebuild { order, due });
    }

    /// Gives up making a planner. Returns whether it was being made, or waited to be.
    pub(crate) fn stop(&mut self, number: usize, revision: Revision) -> bool {
        let Some(slot) = self.slots.get_mut(number) else { return false };
        if matches!(slot.state, State::Ready(_) | State::CatchingUp(_) | State::Idle(_)) {
            return false;
        }
        self.give_up(number, RebuildError::Stopped, revision, Duration::ZERO);
        true
    }

    /// Takes a planner out, for a reason that is reported.
    fn give_up(&mut self, number: usize, reason: RebuildError, revision: Revision, took: Duration) {
        self.slots[number].state = State::Idle(reason.clone());
        self.report(number, RebuildEvent::Failed(reason), revision, took);
    }

    /// Takes a planner out that has panicked while it answered, unless another has taken over meanwhile.
    pub(crate) fn take_out(&mut self, fault: PlannerFault, revision: Revision) {
        let PlannerFault { number, swap, message } = fault;
        let slot = self.slots.get(number);
        if slot.is_some_and(|slot| slot.swap == swap && matches!(slot.state, State::Ready(_))) {
            self.give_up(number, RebuildError::Panicked(message), revision, Duration::ZERO);
        }
    }

    /// Lets planners take over that are ready and due. Returns whether any did.
    pub(crate) fn collect(&mut self, now: WorldState<'_, E>, scratch: &mut Scratch) -> bool {
        self.begin_waiting(now, false);
        let mut swapped = false;
        for number in 0..self.slots.len() {
            let State::Rebuilding(rebuild) = &self.slots[number].state else { continue };
            if rebuild.due.is_some_and(|due| now.tick < due) {
                continue;
            }
            if rebuild.due.is_some() {
                rebuild.order.wait();
            }
            swapped |= self.settle(number, now, scratch);
        }
        swapped
    }

    /// Waits until nothing is being made any more, nor waits to be.
    pub(crate) fn finish(&mut self, now: WorldState<'_, E>, scratch: &mut Scratch) {
        self.begin_waiting(now, true);
        for number in 0..self.slots.len() {
            while let State::Rebuilding(rebuild) = &self.slots[number].state {
                rebuild.order.wait();
                self.settle(number, now, scratch);
            }
        }
    }

    /// Takes a planner over, if its job is done. Returns whether it answers from now on.
    fn settle(&mut self, number: usize, now: WorldState<'_, E>, scratch: &mut Scratch) -> bool {
        let in_lockstep = self.following.lockstep_ticks.is_some();
        let slot = &mut self.slots[number];
        let State::Rebuilding(rebuild) = &mut slot.state else { return false };
        let revision = rebuild.order.revision;
        let Some(Done { result, took }) = Order::collect(&mut rebuild.order) else { return false };
        let mut planner = match result {
            Ok(planner) => planner,
            Err(reason) => {
                self.give_up(number, reason, now.revision(), took);
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
            if E::changed_places(&missed) > LAST_CELLS_MAX && !in_lockstep {
                let work = Work::CatchUp(Arc::clone(&slot.recipe), planner, missed);
                self.hand_over(number, work, now);
                return false;
            }
            match catch_up(&mut planner, environment, &missed, scratch, &mut { AT_ONCE }) {
                Ok(CatchUp::Done) => {}
                Ok(CatchUp::Unfinished) => caught_up = false,
                Ok(CatchUp::NeedsRebuild) => {
                    slot.follows = false;
                    self.begin(number, now);
                    return false;
                }
                Err(reason) => {
                    self.give_up(number, reason, now.revision(), took);
                    return false;
                }
            }
        }
        let slot = &mut self.slots[number];
        slot.state = if caught_up { State::Ready(planner) } else { State::CatchingUp(planner) };
        slot.follows = true;
        self.swaps += 1;
        slot.swap = self.swaps;
        slot.took = Some(took);
        self.report(number, RebuildEvent::Swapped, now.revision(), took);
        caught_up
    }

    fn report(&mut self, planner: usize, event: RebuildEvent, revision: Revision, took: Duration) {
        if self.reports.len() == REPORTS_MAX {
            self.reports.pop_front();
        }
        let Slot { name, kind, .. } = &self.slots[planner];
        let (name, kind) = (name.to_string(), *kind);
        match &event {
            RebuildEvent::Started => {
                trace_event!(
                    "rebuild started",
                    planner = name,
                    kind = kind.0,
                    revision = revision.0
                );
            }
            RebuildEvent::Swapped => {
                trace_event!(
                    "rebuild swapped",
                    planner = name,
                    kind = kind.0,
                    revision = revision.0
                );
            }
            RebuildEvent::Failed(_reason) => {
                trace_event!(
                    "rebuild failed",
                    planner = name,
                    kind = kind.0,
                    revision = revision.0
                );
            }
        }
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

/// The changes that concern an environment's kind of agent: mostly all of them.
fn concerning<'c, E: Living>(environment: &E, changes: &'c [E::Change]) -> Cow<'c, [E::Change]> {
    let concerns = |change: &&E::Change| environment.is_concerned_by(change);
    if changes.iter().all(|change| concerns(&change)) {
        Cow::Borrowed(changes)
    } else {
        Cow::Owned(changes.iter().filter(concerns).cloned().collect())
    }
}

/// Lets a planner follow an edit, or a duplicate of it where snapshots hold it, as far as `left` goes. If it panics, it
/// may be half changed and must not be used any more.
fn catch_up<E: Living>(
    planner: &mut Arc<dyn Planner<E>>,
    environment: &E,
    changes: &[E::Change],
    scratch: &mut Scratch,
    left: &mut u64,
) -> Result<CatchUp, RebuildError> {
    let followed = caught(|| {
        if Arc::get_mut(planner).is_none() {
            let Some(duplicate) = planner.duplicate() else { return CatchUp::NeedsRebuild };
            *planner = Arc::from(duplicate);
        }
        match Arc::get_mut(planner) {
            Some(planner) => planner.catch_up_on(environment, changes, scratch, left),
            None => CatchUp::NeedsRebuild,
        }
    });
    followed.map_err(|message| {
        *scratch = Scratch::new();
        RebuildError::Panicked(message)
    })
}
