//! The planners of a world: following edits, or made anew in the background.
//!
//! A planner is *ready* exactly when it describes the grid as it is now, so that a stale one is never
//! asked. What a snapshot holds is never changed: a planner that is shared is duplicated first, and where
//! that cannot be done cheaply it is made anew.

mod worker;

use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{CatchUp, Change, Grid, Journal, Planner, Revision, Scratch};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use worker::{Done, Job, Work, Worker};

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
    /// Ticks without an edit before what cannot follow edits is made anew.
    pub(crate) rest_ticks: u64,
}

/// How a planner stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannerStatus {
    /// It knows the map as it is, and answers.
    Ready,
    /// It cannot follow edits, and waits for the map to stand still; others answer.
    Waiting {
        /// Ticks until it is made anew, if no edit comes.
        ticks: u64,
    },
    /// It is being made; others answer.
    Rebuilding {
        /// How much is done,
        done: u64,
        /// of how much; 0 where nothing is known yet.
        of: u64,
    },
    /// It was not made, for that reason; others answer.
    Idle(RebuildError),
}

/// Something that happened to a planner in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RebuildReport {
    /// Which of the world's planners, in the order they were given.
    pub planner: usize,
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
pub enum RebuildEvent {
    /// It is being made from a snapshot.
    Started,
    /// It has caught up and answers from now on.
    Swapped,
    /// It was not made.
    Failed(RebuildError),
}

pub(crate) struct Planners {
    slots: Vec<Slot>,
    worker: Worker,
    following: Following,
    next_job: u64,
    reports: VecDeque<RebuildReport>,
}

struct Slot {
    recipe: Arc<dyn Recipe>,
    name: String,
    /// Whether the planner that is being made may catch up with edits: not if the one before could not.
    follows: bool,
    state: State,
}

enum State {
    Ready(Arc<dyn Planner>),
    /// Until that tick.
    Waiting(u64),
    Rebuilding(Rebuild),
    Idle(RebuildError),
}

struct Rebuild {
    job: u64,
    watch: Arc<BuildWatch>,
    /// The tick at which it takes over, in lockstep.
    due: Option<u64>,
    done: Option<Done>,
}

/// What a planner must know of the world to follow it.
#[derive(Clone, Copy)]
pub(crate) struct Now<'w> {
    pub(crate) grid: &'w Grid,
    pub(crate) journal: &'w Journal<Change>,
    pub(crate) tick: u64,
}

impl Planners {
    pub(crate) fn new(following: Following) -> Self {
        let (slots, reports) = (Vec::new(), VecDeque::new());
        Self { slots, worker: Worker::default(), following, next_job: 0, reports }
    }

    /// Adds a planner that is built already.
    pub(crate) fn add(&mut self, recipe: Arc<dyn Recipe>, planner: Box<dyn Planner>) {
        let (name, state) = (recipe.name(), State::Ready(Arc::from(planner)));
        self.slots.push(Slot { recipe, name, follows: true, state });
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The planner of that number, if it is ready.
    pub(crate) fn get(&self, number: usize) -> Option<&Arc<dyn Planner>> {
        match &self.slots.get(number)?.state {
            State::Ready(planner) => Some(planner),
            _ => None,
        }
    }

    /// Those that are ready, in the order they were given.
    pub(crate) fn ready(&self) -> impl Iterator<Item = &Arc<dyn Planner>> {
        (0..self.slots.len()).filter_map(|number| self.get(number))
    }

    pub(crate) fn status(&self, number: usize, tick: u64) -> Option<PlannerStatus> {
        Some(match &self.slots.get(number)?.state {
            State::Ready(_) => PlannerStatus::Ready,
            State::Waiting(until) => PlannerStatus::Waiting { ticks: until.saturating_sub(tick) },
            State::Rebuilding(rebuild) => {
                let (done, of) = rebuild.watch.progress();
                PlannerStatus::Rebuilding { done, of }
            }
            State::Idle(reason) => PlannerStatus::Idle(reason.clone()),
        })
    }

    pub(crate) fn name(&self, number: usize) -> Option<&str> {
        self.slots.get(number).map(|slot| slot.name.as_str())
    }

    pub(crate) fn take_reports(&mut self) -> impl Iterator<Item = RebuildReport> + '_ {
        self.reports.drain(..)
    }

    /// Follows a batch that has led to the grid as it is now.
    pub(crate) fn follow(&mut self, now: Now<'_>, changes: &[Change], scratch: &mut Scratch) {
        let patch_cells_max = self.following.patch_cells_max;
        for number in 0..self.slots.len() {
            let slot = &mut self.slots[number];
            let again = match &mut slot.state {
                State::Ready(planner) => {
                    let small = changes.len() <= patch_cells_max;
                    let followed = small && catch_up(planner, now.grid, changes, scratch);
                    slot.follows = followed || !small;
                    !followed
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

    /// Puts off making a planner until the map has stood still.
    fn wait(&mut self, number: usize, now: Now<'_>) {
        let slot = &mut self.slots[number];
        if let State::Rebuilding(rebuild) = &slot.state {
            rebuild.watch.stop();
        }
        slot.state = State::Waiting(now.tick.saturating_add(self.following.rest_ticks));
    }

    /// Begins to make planners for which the map has stood still long enough, or all that wait for it.
    fn begin_waiting(&mut self, now: Now<'_>, all: bool) {
        for number in 0..self.slots.len() {
            if let State::Waiting(until) = self.slots[number].state
                && (all || until <= now.tick)
            {
                self.begin(number, now);
            }
        }
    }

    /// Begins to make a planner from a snapshot, whatever it was doing.
    pub(crate) fn begin(&mut self, number: usize, now: Now<'_>) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        let work = Work::Build(Arc::clone(&slot.recipe));
        self.hand_over(number, work, now);
        self.report(number, RebuildEvent::Started, now.grid.revision(), Duration::ZERO);
    }

    fn hand_over(&mut self, number: usize, work: Work, now: Now<'_>) {
        let slot = &mut self.slots[number];
        if let State::Rebuilding(rebuild) = &slot.state {
            rebuild.watch.stop();
        }
        self.next_job += 1;
        let (job, watch) = (self.next_job, Arc::new(BuildWatch::default()));
        let due = self.following.lockstep_ticks.map(|ticks| now.tick.saturating_add(ticks));
        slot.state = State::Rebuilding(Rebuild { job, watch: Arc::clone(&watch), due, done: None });
        self.worker.send(Job { id: job, grid: now.grid.clone(), work, watch });
    }

    /// Gives up making a planner. Returns whether it was being made, or waited to be.
    pub(crate) fn stop(&mut self, number: usize, revision: Revision) -> bool {
        let Some(slot) = self.slots.get_mut(number) else { return false };
        match &slot.state {
            State::Rebuilding(rebuild) => rebuild.watch.stop(),
            State::Waiting(_) => {}
            State::Ready(_) | State::Idle(_) => return false,
        }
        slot.state = State::Idle(RebuildError::Stopped);
        self.report(number, RebuildEvent::Failed(RebuildError::Stopped), revision, Duration::ZERO);
        true
    }

    /// Lets planners take over that are ready and due. Returns whether any did.
    pub(crate) fn collect(&mut self, now: Now<'_>, scratch: &mut Scratch) -> bool {
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
    pub(crate) fn finish(&mut self, now: Now<'_>, scratch: &mut Scratch) {
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

    fn note(&mut self, done: Done) {
        let wanted = |slot: &&mut Slot| match &slot.state {
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
    fn settle(&mut self, number: usize, now: Now<'_>, scratch: &mut Scratch) -> bool {
        let in_lockstep = self.following.lockstep_ticks.is_some();
        let slot = &mut self.slots[number];
        let State::Rebuilding(rebuild) = &mut slot.state else { return false };
        let Some(Done { revision, result, took, .. }) = rebuild.done.take() else { return false };
        let mut planner = match result {
            Ok(planner) => planner,
            Err(reason) => {
                slot.state = State::Idle(reason.clone());
                self.report(number, RebuildEvent::Failed(reason), now.grid.revision(), took);
                return false;
            }
        };
        if revision != now.grid.revision() {
            let missed: Option<Vec<Change>> =
                now.journal.since(revision).map(|changes| changes.copied().collect());
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
            if planner.catch_up(now.grid, &missed, scratch) == CatchUp::NeedsRebuild {
                slot.follows = false;
                self.begin(number, now);
                return false;
            }
        }
        let slot = &mut self.slots[number];
        slot.state = State::Ready(Arc::from(planner));
        slot.follows = true;
        self.report(number, RebuildEvent::Swapped, now.grid.revision(), took);
        true
    }

    fn report(&mut self, planner: usize, event: RebuildEvent, revision: Revision, took: Duration) {
        if self.reports.len() == REPORTS_MAX {
            self.reports.pop_front();
        }
        let name = self.slots[planner].name.clone();
        self.reports.push_back(RebuildReport { planner, name, event, revision, took });
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ready().map(|planner| planner.memory_bytes()).sum()
    }
}

impl Drop for Planners {
    fn drop(&mut self) {
        // So that the worker, which is joined next, has no reason to go on.
        for slot in &self.slots {
            if let State::Rebuilding(rebuild) = &slot.state {
                rebuild.watch.stop();
            }
        }
    }
}

/// Lets a planner follow an edit, or a duplicate of it where snapshots hold it. Returns whether it could.
fn catch_up(
    planner: &mut Arc<dyn Planner>,
    grid: &Grid,
    changes: &[Change],
    scratch: &mut Scratch,
) -> bool {
    if Arc::get_mut(planner).is_none() {
        let Some(duplicate) = planner.duplicate() else { return false };
        *planner = Arc::from(duplicate);
    }
    let own = Arc::get_mut(planner);
    own.is_some_and(|planner| planner.catch_up(grid, changes, scratch) == CatchUp::Done)
}
