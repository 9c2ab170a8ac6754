//! The thread that builds planners while the world goes on.

use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{CatchUp, Change, Grid, Planner, Revision, Scratch};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What the worker is to do, on a snapshot of the grid.
pub(super) struct Job {
    pub(super) id: u64,
    pub(super) grid: Grid,
    pub(super) work: Work,
    pub(super) watch: Arc<BuildWatch>,
}

pub(super) enum Work {
    Build(Arc<dyn Recipe>),
    /// Bring a planner up to the job's grid; if it cannot follow, make it anew.
    CatchUp(Arc<dyn Recipe>, Box<dyn Planner>, Vec<Change>),
}

/// What came of it.
pub(super) struct Done {
    pub(super) id: u64,
    /// What the planner describes.
    pub(super) revision: Revision,
    pub(super) result: Result<Box<dyn Planner>, RebuildError>,
    pub(super) took: Duration,
}

/// One thread, begun with its first job and joined when dropped.
#[derive(Default)]
pub(super) struct Worker {
    running: Option<Running>,
}

struct Running {
    jobs: Option<Sender<Job>>,
    /// Never contended: the lock makes the world `Sync`.
    done: Mutex<Receiver<Done>>,
    /// To work here where no thread can be had.
    inline: Sender<Done>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn send(&mut self, job: Job) {
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
    pub(super) fn next_done(&mut self) -> Option<Done> {
        self.receiver()?.try_recv().ok()
    }

    /// Waits for the next job that is done.
    pub(super) fn wait_done(&mut self) -> Option<Done> {
        self.receiver()?.recv().ok()
    }

    fn receiver(&mut self) -> Option<&mut Receiver<Done>> {
        let running = self.running.as_mut()?;
        Some(running.done.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Running {
    fn begin() -> Self {
        let (jobs, todo) = channel::<Job>();
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

impl Drop for Running {
    fn drop(&mut self) {
        // Without a sender the worker's loop ends after the job at hand.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Panics are caught inside; there is nothing to report any more.
            let _ = thread.join();
        }
    }
}

fn perform(job: Job, scratch: &mut Scratch) -> Done {
    let Job { id, grid, work, watch } = job;
    let begun = Instant::now();
    let result = if watch.is_stopped() {
        Err(RebuildError::Stopped)
    } else {
        // What a panic leaves behind is thrown away: the planner, and the scratch memory.
        catch_unwind(AssertUnwindSafe(|| carry_out(&grid, work, &watch, scratch))).unwrap_or_else(
            |panic| {
                *scratch = Scratch::new();
                Err(RebuildError::Panicked(message(&*panic)))
            },
        )
    };
    Done { id, revision: grid.revision(), result, took: begun.elapsed() }
}

fn carry_out(
    grid: &Grid,
    work: Work,
    watch: &BuildWatch,
    scratch: &mut Scratch,
) -> Result<Box<dyn Planner>, RebuildError> {
    let recipe = match work {
        Work::Build(recipe) => recipe,
        Work::CatchUp(recipe, mut planner, changes) => {
            if planner.catch_up(grid, &changes, scratch) == CatchUp::Done {
                return Ok(planner);
            }
            recipe
        }
    };
    recipe.build(grid, watch)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
