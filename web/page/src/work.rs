//! Work beside the user interface, on one thread: a piece of work is suspended again and again, so that frames are drawn
//! between its slices.
//!
//! `wasm-opt --asyncify` makes that possible: when [`host::suspend`] says so, every function of the piece of work saves its
//! variables and returns, and when its turn has come it is called again and goes on where it was. Each piece has a stack of
//! its own, which is taken here.

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

/// Memory for the stack of a piece of work, which the host keeps for good. Returns its address.
#[wasm_bindgen]
pub fn take_memory(bytes: usize) -> usize {
    let words = vec![0_u128; bytes.div_ceil(size_of::<u128>())];
    words.leak().as_ptr().addr()
}

/// Pieces of work that are suspended again and again.
pub(crate) struct Suspended;

impl Workers for Suspended {
    fn run(&self, work: Work) {
        hand_over(work);
    }

    fn pause(&self) {
        host::pause();
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
