//! Watching a build: how far it is, and whether it is still wanted.

use std::ops::ControlFlow;
use thiserror::Error;

/// Why an index was not built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// The grid is of a kind that the index does not serve.
    #[error("the index does not serve this map: {0}")]
    NotServed(String),
    /// Whoever watched the build has stopped it.
    #[error("the build was stopped")]
    Stopped,
    /// Not every job's part was given to the finish, or one was given twice.
    #[error("the parts do not make up the index: give finish() one of each job")]
    Incomplete,
    /// The graph cannot be contracted.
    #[error(transparent)]
    Graph(#[from] crate::index::GraphError),
}

/// Is told how much of how much is done, and says whether to go on.
type Told<'w> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'w;

/// Watches a build.
///
/// ```
/// use highroad_core::{BuildError, Grid, SubgoalGraph, Watch};
/// use std::ops::ControlFlow;
/// let grid = Grid::with_defaults("..\n.#\n..\n".parse()?);
/// let mut stop = |_done, _of| ControlFlow::Break(());
/// let built = SubgoalGraph::build_watched(&grid, &mut Watch::new(&mut stop));
/// assert_eq!(built.err(), Some(BuildError::Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watch<'w>(Option<&'w mut Told<'w>>);

impl<'w> Watch<'w> {
    /// Tells `told` how much of how much is done, now and then; a break stops the build.
    pub fn new(told: &'w mut Told<'w>) -> Self {
        Self(Some(told))
    }

    /// Nobody watches.
    pub fn none() -> Self {
        Self(None)
    }

    pub(crate) fn tell(&mut self, done: u64, of: u64) -> Result<(), BuildError> {
        match self.0.as_mut().map_or(ControlFlow::Continue(()), |told| told(done, of)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BuildError::Stopped),
        }
    }
}
