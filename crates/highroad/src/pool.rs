//! Scratch memory for whoever is at work, kept for the next.

use highroad_core::Scratch;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Scratch memory that threads take and give back: as many pieces as ever worked at once.
#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// A piece of memory; it comes back by itself. The lock is held for a push or a pop, never for a
    /// search.
    pub(crate) fn take(&self) -> Pooled<'_> {
        let scratch = self.spare().pop().unwrap_or_default();
        Pooled { pool: self, scratch }
    }

    /// Bytes held by what nobody uses now.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.spare().iter().map(Scratch::memory_bytes).sum()
    }

    fn spare(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        // A push or a pop leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Scratch memory on loan.
pub(crate) struct Pooled<'p> {
    pool: &'p ScratchPool,
    scratch: Scratch,
}

impl Deref for Pooled<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.scratch
    }
}

impl DerefMut for Pooled<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        self.pool.spare().push(std::mem::take(&mut self.scratch));
    }
}
