//! What threads share is made of these. The crate in `loom/` compiles `watch.rs` and `outcome.rs` with those of loom
//! instead, which tries every order in which threads can meet.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
