//! Scratch memory for whoever is at work, kept for the next.

use highroad_core::{FieldMemory, Scratch};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Scratch memory that threads take and give back: as many pieces as ever worked at once.
#[derive(Default)]
pub(crate) struct ScratchPool {
    scratches: Mutex<Vec<Scratch>>,
    fields: Mutex<Vec<FieldMemory>>,
}

impl ScratchPool {
    /// A piece of memory; it comes back by itself. The lock is held for a push or a pop, never for a
    /// search.
    pub(crate) fn take(&self) -> Pooled<'_> {
        let scratch = self.spare().pop().unwrap_or_default();
        Pooled { pool: self, scratch }
    }

    /// Memory for a field.
    pub(crate) fn take_field(&self) -> FieldMemory {
        self.spare_fields().pop().unwrap_or_default()
    }

    /// Gives the memory of a field back.
    pub(crate) fn give_field(&self, memory: FieldMemory) {
        self.spare_fields().push(memory);
    }

    /// Bytes held by what nobody uses now.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.spare().iter().map(Scratch::memory_bytes).sum::<usize>()
            + self.spare_fields().iter().map(FieldMemory::memory_bytes).sum::<usize>()
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Scratch>> {
        // A push or a pop leaves nothing half done.
        self.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spare_fields(&self) -> MutexGuard<'_, Vec<FieldMemory>> {
        self.fields.lock().unwrap_or_else(PoisonError::into_inner)
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
        // After a panic it may be half changed.
        if !std::thread::panicking() {
            self.pool.spare().push(std::mem::take(&mut self.scratch));
        }
    }
}
