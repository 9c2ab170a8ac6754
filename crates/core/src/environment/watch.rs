//! Watching a build: how far it is, and whether it is still wanted.

use std::ops::ControlFlow;
use thiserror::Error;

/// Why a planner was not built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The environment is of a kind that the planner does not serve.
    #[error("it does not serve this environment: {0}")]
    NotServed(String),
    /// The watch has stopped the build.
    #[error("the build was stopped")]
    Stopped,
    /// Not every job's part was given to the finish, or one was given twice.
    #[error("the parts do not make up the whole: give one of each job, in their order")]
    Incomplete,
}

/// Takes how much of how much is done, and says whether to go on.
type Report<'w> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'w;

/// Watches a build.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::SubgoalGraph;
/// use highroad::planner::{BuildError, Watch};
/// use std::ops::ControlFlow;
/// let grid = Grid::with_defaults("..\n.#\n..\n".parse()?);
/// let mut stop = |_done, _of| ControlFlow::Break(());
/// let built = SubgoalGraph::build_watched(&grid, &mut Watch::new(&mut stop));
/// assert_eq!(built.err(), Some(BuildError::Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Watch<'w>(Option<&'w mut Report<'w>>);

impl<'w> Watch<'w> {
    /// Calls `report` with how much of how much is done, now and then; a break stops the build.
    pub fn new(report: &'w mut Report<'w>) -> Self {
        Self(Some(report))
    }

    /// Nobody watches.
    pub fn none() -> Self {
        Self(None)
    }

    /// Reports how much of how much is done; an error if the build is to stop.
    pub fn report(&mut self, done: u64, of: u64) -> Result<(), BuildError> {
        match self.0.as_mut().map_or(ControlFlow::Continue(()), |report| report(done, of)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BuildError::Stopped),
        }
    }
}
