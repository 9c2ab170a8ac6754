//! The thread that builds planners while the world goes on.

use crate::living::Living;
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{CatchUp, Planner, Revision, Scratch};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What the worker is to do, on a snapshot of the environment.
pub(super) struct Job<E: Living> {
    pub(super) id: u64,
    pub(super) environment: E,
    pub(super) work: Work<E>,
    pub(super) watch: Arc<BuildWatch>,
}

pub(super) enum Work<E: Living> {
    Build(Arc<dyn Recipe<E>>),
    /// Bring a planner up to the job's environment; if it cannot follow, build it again.
    CatchUp(Arc<dyn Recipe<E>>, Box<dyn Planner<E>>, Vec<E::Change>),
}

/// What came of it.
pub(super) struct Done<E: Living> {
    pub(super) id: u64,
    /// What the planner describes.
    pub(super) revision: Revision,
    pub(super) result: Result<Box<dyn Planner<E>>, RebuildError>,
    pub(super) took: Duration,
}

/// One thread, begun with its first job and joined when dropped.
pub(super) struct Worker<E: Living> {
    running: Option<Running<E>>,
}

impl<E: Living> Default for Worker<E> {
    fn default() -> Self {
        Self { running: None }
    }
}

struct Running<E: Living> {
    jobs: Option<Sender<Job<E>>>,
    /// Never contended: the lock makes the world `Sync`.
    done: Mutex<Receiver<Done<E>>>,
    /// To work here where no thread can be had.
    inline: Sender<Done<E>>,
    thread: Option<JoinHandle<()>>,
}

impl<E: Living> Worker<E> {
    pub(super) fn send(&mut self, job: Job<E>) {
        let running = self.running.get_or_insert_with(Running::begin);
        let refused = match &running.jobs {
            Some(jobs) => jobs.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        if let Some(job) = refused {
            // No thread could be begun: better late than never.
            let _ = running.inline.send(perform(job, &mut Scratch::new()));
        }
    }

    /// What has been done since the last look.
    pub(super) fn next_done(&mut self) -> Option<Done<E>> {
        self.receiver()?.try_recv().ok()
    }

    /// Waits for the next job that is done.
    pub(super) fn wait_done(&mut self) -> Option<Done<E>> {
        self.receiver()?.recv().ok()
    }

    fn receiver(&mut self) -> Option<&mut Receiver<Done<E>>> {
        let running = self.running.as_mut()?;
        Some(running.done.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<E: Living> Running<E> {
    fn begin() -> Self {
        let (jobs, todo) = channel::<Job<E>>();
        let (report, done) = channel();
        let inline = report.clone();
        let work = move || {
            let mut scratch = Scratch::new();
            for job in todo {
                if report.send(perform(job, &mut scratch)).is_err() {
                    return;
                }
            }
        };
        let thread =
            std::thread::Builder::new().name("highroad rebuild".to_owned()).spawn(work).ok();
        let jobs = thread.is_some().then_some(jobs);
        Self { jobs, done: Mutex::new(done), inline, thread }
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

fn perform<E: Living>(job: Job<E>, scratch: &mut Scratch) -> Done<E> {
    let Job { id, environment, work, watch } = job;
    let begun = Instant::now();
    let result = if watch.is_stopped() {
        Err(RebuildError::Stopped)
    } else {
        // What a panic leaves behind is thrown away: the planner, and the scratch memory.
        catch_unwind(AssertUnwindSafe(|| carry_out(&environment, work, &watch, scratch)))
            .unwrap_or_else(|panic| {
                *scratch = Scratch::new();
                Err(RebuildError::Panicked(message(&*panic)))
            })
    };
    Done { id, revision: environment.revision(), result, took: begun.elapsed() }
}

fn carry_out<E: Living>(
    environment: &E,
    work: Work<E>,
    watch: &BuildWatch,
    scratch: &mut Scratch,
) -> Result<Box<dyn Planner<E>>, RebuildError> {
    let recipe = match work {
        Work::Build(recipe) => recipe,
        Work::CatchUp(recipe, mut planner, changes) => {
            if planner.catch_up(environment, &changes, scratch) == CatchUp::Done {
                return Ok(planner);
            }
            recipe
        }
    };
    recipe.build(environment, watch)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
