//! Panics of code that a world calls: caught where others must go on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work. If it panics, the error has its message; whatever the work had in hand must then be thrown away.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
