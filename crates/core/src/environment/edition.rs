//! What distinguishes one state of an environment from another.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often an environment has been changed. Answers and abstractions remember the revision they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Revision(pub u64);

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "revision {}", self.0)
    }
}

/// Distinguishes environments that differ, whatever their revisions: each one that is made, and each change of one,
/// gets an edition of its own, and a clone keeps it until it is changed. Editions are only ever compared, so that
/// answers do not depend on them.
///
/// ```
/// use highroad::Terrain;
/// use highroad::environment::{Edition, Environment};
/// use highroad::grid::{Batch, Grid};
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let mut other = grid.clone();
/// let edition: Edition = grid.edition();
/// assert_eq!(other.edition(), edition);
/// other.apply(Batch::new().set((1, 0), Terrain::WALL))?;
/// assert_ne!(other.edition(), edition);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition(u64);

impl Edition {
    /// An edition that nothing else in this process has.
    #[allow(clippy::new_without_default, reason = "a default would suggest that all are equal")]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
