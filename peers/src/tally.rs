//! What contestants hold, counted by the allocator, for all libraries alike.
//!
//! Counting is on only while something is built or asked untimed: the rest of the time an allocation costs one more
//! look at a number. The allocator is the one place with `unsafe`: the trait cannot be implemented without it.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

/// The system's allocator, with a tally of the bytes that are held.
struct Tallying;

#[global_allocator]
static ALLOCATOR: Tallying = Tallying;

/// How many want it counted at the moment.
static COUNTING: AtomicUsize = AtomicUsize::new(0);
/// Bytes taken less bytes given back while counting, by all threads.
static HELD: AtomicIsize = AtomicIsize::new(0);

fn count(taken: usize, given_back: usize) {
    if COUNTING.load(Ordering::Relaxed) > 0 {
        // A block is smaller than half of the memory that can be addressed.
        HELD.fetch_add(taken as isize - given_back as isize, Ordering::Relaxed);
    }
}

// SAFETY: every call is passed on to `System` unchanged, which keeps the contract; counting touches two plain
// atomics, so it never allocates and cannot call back.
unsafe impl GlobalAlloc for Tallying {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps `alloc`'s contract, which is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size, layout.size());
        // SAFETY: as above; `block` came from `System`, since all blocks do.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Does some work, and returns by how many bytes what is held has grown, on all threads.
pub(crate) fn tallied<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = HELD.load(Ordering::Relaxed);
    COUNTING.fetch_add(1, Ordering::Relaxed);
    let result = work();
    COUNTING.fetch_sub(1, Ordering::Relaxed);
    (result, HELD.load(Ordering::Relaxed) - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_counts_and_what_is_given_back_does_not() {
        // Other tests run beside this one, so that the block must be larger than what they take.
        const LARGE: usize = 1 << 30;
        let (kept, bytes) = tallied(|| Vec::<u8>::with_capacity(LARGE));
        assert!((bytes - LARGE as isize).unsigned_abs() < LARGE / 4, "{bytes}");
        let (_, bytes) = tallied(|| drop(Vec::<u8>::with_capacity(LARGE)));
        assert!(bytes.unsigned_abs() < LARGE / 4, "{bytes}");
        let (_, bytes) = tallied(|| drop(kept));
        assert!((bytes + LARGE as isize).unsigned_abs() < LARGE / 4, "{bytes}");
    }
}
