//! Work beside the user interface, on one thread: pieces of work wait for their turn, and one at a time is run between two
//! frames, to its end.

use crate::host;
use highroad::world::{Background, Clock as WorldClock};
use highroad_workbench::seams::{Clock, Workers};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use wasm_bindgen::prelude::*;

type Work = Box<dyn FnOnce() + Send>;

static WAITING: Mutex<VecDeque<Work>> = Mutex::new(VecDeque::new());

fn waiting() -> MutexGuard<'static, VecDeque<Work>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hand_over(work: Work) {
    waiting().push_back(work);
    host::begin();
}

/// Runs the next piece of work that waits. Called by the host alone.
#[wasm_bindgen]
pub fn run_next() {
    let work = waiting().pop_front();
    if let Some(work) = work {
        work();
    }
}

/// Pieces of work that are run between frames.
pub(crate) struct BetweenFrames;

impl Workers for BetweenFrames {
    fn run(&self, work: Work) {
        hand_over(work);
    }
}

/// Where worlds build planners.
pub(crate) fn background() -> Background {
    Background::new(hand_over)
}

/// The time since the page was opened.
pub(crate) fn now() -> Duration {
    Duration::try_from_secs_f64(host::now_ms() / 1e3).unwrap_or_default()
}

/// The browser's steady clock.
pub(crate) struct BrowserClock;

impl Clock for BrowserClock {
    fn now(&self) -> Duration {
        now()
    }
}

/// The same clock for worlds.
pub(crate) fn world_clock() -> WorldClock {
    WorldClock::new(now)
}

/// Asks for another frame.
pub(crate) fn wake_by(context: egui::Context) -> Arc<dyn Fn() + Send + Sync> {
    Arc::new(move || context.request_repaint())
}
