//! One hash over a fixed program of work: paths, statistics, events, indexes and files.
//!
//! The same on one and on many threads, in debug and in release builds, on 64-bit processors and on WebAssembly, whose
//! `usize` has 32 bits. `.ci/determinism` compares them. The program depends on no file, clock or source of chance.
//!
//! ```
//! use highroad_determinism::{Part, fixed_work, total};
//! let work: Vec<Part> = fixed_work();
//! assert!(work.iter().any(|part| part.name == "events of agents"));
//! assert_eq!(total(&work), total(&fixed_work()));
//! ```

mod files;
mod graphs;
mod grids;
mod hash;
mod worlds;

use hash::Hash;

/// One part of the work, and the hash of all that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What was done.
    pub name: String,
    /// How many things were hashed.
    pub items: u64,
    /// Their hash.
    pub hash: u64,
}

/// Does the work, some seconds of it, and returns the hash of each part.
pub fn fixed_work() -> Vec<Part> {
    let mut parts = grids::planners();
    parts.extend(graphs::planners());
    parts.extend([graphs::tables(), worlds::requests(), worlds::agents(), worlds::saved()]);
    parts.push(worlds::crowd());
    parts.push(worlds::bodies());
    parts.push(files::maps_part());
    parts
}

/// One hash over all parts.
pub fn total(parts: &[Part]) -> u64 {
    let mut hash = Hash::default();
    for part in parts {
        hash.bytes(part.name.as_bytes());
        hash.word(part.hash);
    }
    hash.value()
}
