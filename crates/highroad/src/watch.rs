//! What a thread that builds something shares with whoever waits for it. `loom/` tries every order of its loads and stores.

use crate::sync::{AtomicBool, AtomicU64, Ordering};
use std::ops::ControlFlow;

/// The progress of a build, and whether its result is still wanted; shared with the thread that builds.
///
/// ```
/// use highroad::world::BuildWatch;
/// let watch = BuildWatch::default();
/// assert!(watch.report(3, 10).is_continue(), "the world still wants the planner");
/// assert_eq!(watch.progress(), (3, 10));
/// ```
#[derive(Debug, Default)]
pub struct BuildWatch {
    stopped: AtomicBool,
    /// What is done in the upper half, of how much in the lower: in one word, so that nobody sees what is done of one
    /// report with the whole of another.
    progress: AtomicU64,
}

impl BuildWatch {
    /// Notes that `done` of `of` units of work are done, and returns whether to go on: a break means that the build
    /// is no longer wanted.
    pub fn report(&self, done: u64, of: u64) -> ControlFlow<()> {
        // Numbers of more than 32 bits are kept to their upper bits: the share is what counts.
        let shift = 32_u32.saturating_sub(done.max(of).leading_zeros());
        self.progress.store((done >> shift) << 32 | of >> shift, Ordering::Relaxed);
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the build is no longer wanted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Stops the build when it reports next: what [`BuildWatch::report`] says from now on. From any thread.
    ///
    /// ```
    /// use highroad::world::BuildWatch;
    /// let watch = BuildWatch::default();
    /// watch.stop();
    /// assert!(watch.is_stopped() && watch.report(1, 10).is_break());
    /// ```
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// How much of how much is done, as last reported. Numbers from 2³² on are both divided by the same power of two.
    pub fn progress(&self) -> (u64, u64) {
        let progress = self.progress.load(Ordering::Relaxed);
        (progress >> 32, progress & u64::from(u32::MAX))
    }
}
