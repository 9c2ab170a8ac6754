//! Work that runs beside the user interface: what it is called, how far it is, and how to stop it.

use crate::seams::Seams;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// What goes on, for the eye.
#[derive(Clone, Debug)]
pub struct Busy {
    /// What is being done.
    pub what: String,
    /// How much of it, from 0 to 1, where that is known.
    pub share: Option<f32>,
    /// For how long.
    pub age: Duration,
}

/// What the worker and the user interface share.
#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    /// What has been done, in whatever the work counts.
    done: AtomicU64,
}

/// The worker's end of a job.
#[derive(Clone)]
pub(crate) struct Control(Arc<Shared>);

impl Control {
    /// Whether the work is no longer wanted.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Whether to go on, as watches of builds ask.
    pub(crate) fn goes_on(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Reports how much is done.
    pub(crate) fn report(&self, done: u64) {
        self.0.done.store(done, Ordering::Relaxed);
    }
}

/// A job under way. Dropping it cancels it.
pub(crate) struct Job<T> {
    /// What it does, for people: "finding a path".
    pub(crate) what: String,
    shared: Arc<Shared>,
    result: Receiver<T>,
    began: Duration,
}

/// What has become of a job.
pub(crate) enum JobState<T> {
    /// It goes on.
    Running,
    /// It is done.
    Done(T),
    /// It ended without a result: it was cancelled, or it broke down.
    Lost,
}

impl<T: Send + 'static> Job<T> {
    /// Starts work on a worker.
    pub(crate) fn start(
        seams: &Seams,
        what: impl Into<String>,
        work: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let (sender, result) = channel();
        let control = Control(Arc::clone(&shared));
        let wake = Arc::clone(&seams.wake);
        let began = seams.clock.now();
        seams.workers.run(Box::new(move || {
            let result = work(&control);
            // Nobody is waiting for the result of a cancelled job.
            _ = sender.send(result);
            wake();
        }));
        Self { what: what.into(), shared, result, began }
    }

    /// Asks it to stop.
    pub(crate) fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// What has become of it.
    pub(crate) fn poll(&self) -> JobState<T> {
        match self.result.try_recv() {
            Ok(result) => JobState::Done(result),
            Err(TryRecvError::Empty) => JobState::Running,
            Err(TryRecvError::Disconnected) => JobState::Lost,
        }
    }

    /// What it says it has done.
    pub(crate) fn done(&self) -> u64 {
        self.shared.done.load(Ordering::Relaxed)
    }

    /// How long it has been running.
    pub(crate) fn age(&self, seams: &Seams) -> Duration {
        seams.clock.now().saturating_sub(self.began)
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}
