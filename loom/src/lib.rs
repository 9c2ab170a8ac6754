//! The parts that threads of Highroad share, with the atomics and locks of loom. See README.md.

#![allow(dead_code, reason = "not every test needs everything")]

#[path = "../../crates/highroad/src/outcome.rs"]
mod outcome;
#[path = "../../crates/highroad/src/watch.rs"]
mod watch;

/// In the place of `highroad`'s module of that name.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::sync::PoisonError;
}

#[cfg(test)]
mod tests;
