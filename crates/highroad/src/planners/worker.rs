//! The thread that builds planners while the world goes on.
//!
//! A world and its clones share the thread, and what is being built: an [`Order`] is held by everybody who waits for
//! it, and the build is stopped when nobody does any more.

use super::catch_up;
use crate::background::Background;
use crate::clock::Clock;
use crate::fault::caught;
use crate::living::Living;
use crate::outcome::Outcome;
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{CatchUp, Planner, Revision, Scratch};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// What the worker is to do, on a snapshot of the environment.
pub(super) enum Work<E: Living> {
    Build(Arc<dyn Recipe<E>>),
    /// Bring a planner up to the job's environment; if it cannot follow, build it again.
    CatchUp(Arc<dyn Recipe<E>>, Arc<dyn Planner<E>>, Vec<E::Change>),
}

/// What came of it.
pub(super) struct Done<E: Living> {
    pub(super) result: Result<Arc<dyn Planner<E>>, RebuildError>,
    pub(super) took: Duration,
}

impl<E: Living> Clone for Done<E> {
    fn clone(&self) -> Self {
        Self { result: self.result.clone(), took: self.took }
    }
}

/// A planner that is being built, for everybody who waits for it.
pub(super) struct Order<E: Living> {
    /// What the planner will describe.
    pub(super) revision: Revision,
    pub(super) watch: Arc<BuildWatch>,
    outcome: Arc<Outcome<Done<E>>>,
}

impl<E: Living> Order<E> {
    /// Waits until it is done.
    pub(super) fn wait(&self) {
        self.outcome.wait();
    }

    /// What came of it, if it is done: handed over if nobody else waits for it, else shared.
    pub(super) fn collect(order: &mut Arc<Self>) -> Option<Done<E>> {
        match Arc::get_mut(order) {
            Some(own) => own.outcome.take(),
            None => order.outcome.copied(),
        }
    }
}

impl<E: Living> Drop for Order<E> {
    fn drop(&mut self) {
        self.watch.stop();
    }
}

struct Job<E: Living> {
    environment: E,
    work: Option<Work<E>>,
    watch: Arc<BuildWatch>,
    outcome: Arc<Outcome<Done<E>>>,
    clock: Clock,
}

impl<E: Living> Drop for Job<E> {
    fn drop(&mut self) {
        // Nobody must wait for what will not come.
        self.outcome.set(Done { result: Err(RebuildError::Stopped), took: Duration::ZERO });
    }
}

/// One thread, begun with the first job and joined when the last clone is dropped; or the background that was given.
pub(super) struct Worker<E: Living> {
    running: Arc<Mutex<Option<Running<E>>>>,
    background: Option<Background>,
}

impl<E: Living> Default for Worker<E> {
    fn default() -> Self {
        Self { running: Arc::default(), background: None }
    }
}

impl<E: Living> Clone for Worker<E> {
    fn clone(&self) -> Self {
        Self { running: Arc::clone(&self.running), background: self.background }
    }
}

struct Running<E: Living> {
    jobs: Option<Sender<Job<E>>>,
    thread: Option<JoinHandle<()>>,
}

impl<E: Living> Worker<E> {
    pub(super) fn background(&self) -> Option<Background> {
        self.background
    }

    pub(super) fn set_background(&mut self, background: Option<Background>) {
        self.background = background;
    }

    /// Begins a piece of work on an environment as it was at that revision.
    pub(super) fn order(
        &self,
        environment: E,
        revision: Revision,
        work: Work<E>,
        clock: Clock,
    ) -> Arc<Order<E>> {
        let watch = Arc::new(BuildWatch::default());
        let outcome = Arc::new(Outcome::default());
        let order = Order { revision, watch: Arc::clone(&watch), outcome: Arc::clone(&outcome) };
        self.send(Job { environment, work: Some(work), watch, outcome, clock });
        Arc::new(order)
    }

    fn send(&self, job: Job<E>) {
        if let Some(background) = self.background {
            return background.run(Box::new(move || perform(job, &mut Scratch::new())));
        }
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let running = running.get_or_insert_with(Running::begin);
        let refused = match &running.jobs {
            Some(jobs) => jobs.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        if let Some(job) = refused {
            // No thread could be begun: better late than never.
            perform(job, &mut Scratch::new());
        }
    }
}

impl<E: Living> Running<E> {
    fn begin() -> Self {
        let (jobs, todo) = channel::<Job<E>>();
        let work = move || {
            let mut scratch = Scratch::new();
            todo.into_iter().for_each(|job| perform(job, &mut scratch));
        };
        let thread =
            std::thread::Builder::new().name("highroad rebuild".to_owned()).spawn(work).ok();
        let jobs = thread.is_some().then_some(jobs);
        Self { jobs, thread }
    }
}

impl<E: Living> Drop for Running<E> {
    fn drop(&mut self) {
        // Without a sender the worker's loop ends after the job at hand.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Panics are caught inside; there is nothing to report any more.
            let _ = thread.join();
        }
    }
}

fn perform<E: Living>(mut job: Job<E>, scratch: &mut Scratch) {
    trace_span!("rebuild", revision = job.environment.revision().0);
    let begun = job.clock.read();
    let result = match job.work.take() {
        // What a panic leaves behind is thrown away: the planner, and the scratch memory.
        Some(work) if !job.watch.is_stopped() => {
            caught(|| carry_out(&job.environment, work, &job.watch, scratch)).unwrap_or_else(
                |message| {
                    *scratch = Scratch::new();
                    Err(RebuildError::Panicked(message))
                },
            )
        }
        _ => Err(RebuildError::Stopped),
    };
    job.outcome.set(Done { result, took: job.clock.since(begun) });
}

fn carry_out<E: Living>(
    environment: &E,
    work: Work<E>,
    watch: &BuildWatch,
    scratch: &mut Scratch,
) -> Result<Arc<dyn Planner<E>>, RebuildError> {
    let recipe = match work {
        Work::Build(recipe) => recipe,
        Work::CatchUp(recipe, mut planner, changes) => {
            let all = &mut { u64::MAX };
            if catch_up(&mut planner, environment, &changes, scratch, all)? == CatchUp::Done {
                return Ok(planner);
            }
            recipe
        }
    };
    recipe.build(environment, watch).map(Arc::from)
}
