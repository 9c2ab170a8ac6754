//! Where worlds build planners while they go on.

use std::fmt;

/// Where a world builds planners while it goes on. Unless another is set by
/// [`PathWorld::with_background`](crate::PathWorld::with_background), a thread of its own.
///
/// A background of your own is for games with threads of their own, and for platforms without threads, such as
/// WebAssembly in a browser: there the work can be kept until there is time for it, between two frames. Until it has been
/// run, the planner is [`Rebuilding`](crate::world::PlannerStatus::Rebuilding), and others answer. Work that is dropped is
/// a build that was [stopped](crate::world::RebuildError::Stopped).
///
/// Whoever waits for a planner ([`PathWorld::finish_rebuilds`](crate::PathWorld::finish_rebuilds), or a world in
/// [lockstep](crate::world::WorldBuilder::with_lockstep)) waits until the work has been run on another thread.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::grid::KindId;
/// use highroad::hierarchy::HpaOptions;
/// use highroad::world::{Background, PlannerStatus};
/// use std::sync::Mutex;
/// static KEPT: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());
/// let later = Background::new(|work| KEPT.lock().unwrap().push(work));
/// let mut world = PathWorld::new("...\n...\n".parse()?).with_background(later);
/// let hpa = world.add_planner(KindId::DEFAULT, HpaOptions::default()).expect("there is such a kind");
/// assert!(matches!(world.planner_status(hpa), Some(PlannerStatus::Rebuilding { .. })));
///
/// let kept = std::mem::take(&mut *KEPT.lock().unwrap());
/// kept.into_iter().for_each(|work| work()); // when there is time for it
/// world.take_over();
/// assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Background(fn(Box<dyn FnOnce() + Send>));

impl Background {
    /// A background by a function that runs a piece of work, now or later, on whatever thread.
    pub const fn new(run: fn(Box<dyn FnOnce() + Send>)) -> Self {
        Self(run)
    }

    /// Hands over a piece of work.
    pub(crate) fn run(self, work: Box<dyn FnOnce() + Send>) {
        (self.0)(work);
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Background")
    }
}
