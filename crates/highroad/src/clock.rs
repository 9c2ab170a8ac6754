//! Where worlds take the time from.

use crate::fault::caught;
use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Where a world takes the time from: for budgets in microseconds, and to report how long rebuilds take. Unless another
/// is set by [`PathWorld::with_clock`](crate::PathWorld::with_clock), the system's clock that is never set back.
///
/// A clock of your own is for tests, and for platforms without such a clock, as WebAssembly in a browser. It need not be
/// good: nothing but these two uses depends on it. If it jumps ahead, the tick at hand ends early; if it falls behind
/// the beginning of a tick, that tick ends at once; if it stands still, a tick works until its expansions are used up
/// or nothing is left to do; if it panics, the tick at hand ends at once, and its
/// [`TickReport`](crate::requests::TickReport) says so.
///
/// ```
/// use highroad::{Budget, PathWorld, Request};
/// use highroad::world::Clock;
/// use std::time::Duration;
/// let stopped = Clock::new(|| Duration::ZERO);
/// assert_eq!(stopped.now(), Duration::ZERO);
/// let mut world = PathWorld::new("....\n".parse()?).with_clock(stopped);
/// world.request(Request::path((0, 0), (3, 0)));
/// assert_eq!(world.tick(Budget::micros(1)).answered, 1, "this microsecond does not end");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// A clock by a function that gives the time since some beginning.
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// The time since the clock's beginning.
    pub fn now(self) -> Duration {
        (self.0)()
    }

    /// The time since the clock's beginning; `None` if the clock panicked.
    pub(crate) fn read(self) -> Option<Duration> {
        caught(|| self.now()).ok()
    }

    /// The time since then; zero if the clock was set back or panicked, now or then.
    pub(crate) fn since(self, then: Option<Duration>) -> Duration {
        self.read().zip(then).map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then))
    }
}

impl Default for Clock {
    /// The system's clock that is never set back. In a browser, where there is none, one that stands still.
    fn default() -> Self {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            return Self(|| Duration::ZERO);
        }
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        Self(|| BEGINNING.get_or_init(Instant::now).elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({:?})", self.now())
    }
}
