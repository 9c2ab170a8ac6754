//! Where one thread leaves what it has made for others. `loom/` tries every order in which they can meet.

use crate::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A result that comes once, from another thread.
pub(crate) struct Outcome<T> {
    result: Mutex<Option<T>>,
    is_there: Condvar,
}

impl<T> Default for Outcome<T> {
    fn default() -> Self {
        Self { result: Mutex::new(None), is_there: Condvar::new() }
    }
}

impl<T> Outcome<T> {
    /// Leaves the result, and wakes whoever waits. A second one is thrown away while the first is there.
    pub(crate) fn set(&self, result: T) {
        self.lock().get_or_insert(result);
        self.is_there.notify_all();
    }

    /// Waits until there is a result.
    pub(crate) fn wait(&self) {
        let mut result = self.lock();
        while result.is_none() {
            result = self.is_there.wait(result).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the result, if it is there.
    pub(crate) fn take(&self) -> Option<T> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        // It is set in one step, which leaves nothing half done.
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Outcome<T> {
    /// A copy of the result, if it is there.
    pub(crate) fn copied(&self) -> Option<T> {
        self.lock().clone()
    }
}
