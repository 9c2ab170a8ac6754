//! How a planner is made, so that it can be made again.

use crate::living::Living;
use highroad_core::graph::Graph;
use highroad_core::{
    BuildError, Cataloged, GraphSearch, Grid, GridSearch, Hpa, HpaOptions, HubLabels, HubOptions,
    JumpPointSearch, Planner, Pra, PraOptions, Spec, SpecError, Watch,
};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// Makes a planner for an environment: when a world is built, and again in the background when the planner
/// cannot follow an edit.
///
/// [`HpaOptions`], [`PraOptions`], [`Spec`] (any planner of the catalog by its name), [`GridSearch`] and
/// [`JumpPointSearch`] are recipes.
pub trait Recipe<E: Living = Grid>: Send + Sync {
    /// What reports call it.
    fn name(&self) -> String;

    /// Makes the planner. A long build reports its progress to `watch`, now and then, and stops when that
    /// says so.
    fn build(
        &self,
        environment: &E,
        watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<E>>, RebuildError>;
}

/// Why a planner was not made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// It was no longer wanted.
    #[error("it was stopped")]
    Stopped,
    /// The planner does not serve the map as it is.
    #[error("it does not serve the map: {0}")]
    NotServed(String),
    /// The code that makes it has panicked; the world goes on without it.
    #[error("making it panicked: {0}")]
    Panicked(String),
}

impl From<BuildError> for RebuildError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped => Self::Stopped,
            BuildError::NotServed(reason) => Self::NotServed(reason),
            other => Self::NotServed(other.to_string()),
        }
    }
}

impl From<SpecError> for RebuildError {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Stopped { .. } => Self::Stopped,
            SpecError::NotServed { reason, .. } => Self::NotServed(reason),
            other => Self::NotServed(other.to_string()),
        }
    }
}

/// How far a build is, and whether it is still wanted; shared with the thread that builds.
#[derive(Debug, Default)]
pub struct BuildWatch {
    stopped: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
}

impl BuildWatch {
    /// Notes how much of how much is done, and says whether to go on.
    pub fn report(&self, done: u64, of: u64) -> ControlFlow<()> {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the build is no longer wanted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// How much of how much is done, as last reported.
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed))
    }
}

/// Recipes whose planner can be watched while it is built.
macro_rules! watched_recipes {
    ($($options:ident: $name:literal, $build:expr;)*) => {$(
        impl Recipe for $options {
            fn name(&self) -> String {
                $name.to_owned()
            }

            fn build(
                &self,
                grid: &Grid,
                watch: &BuildWatch,
            ) -> Result<Box<dyn Planner>, RebuildError> {
                let mut report = |done, of| watch.report(done, of);
                Ok(Box::new($build(grid, *self, &mut Watch::new(&mut report))?))
            }
        }
    )*};
}

watched_recipes! {
    HpaOptions: "hpa", Hpa::build_watched;
    PraOptions: "pra", Pra::build_watched;
    HubOptions: "hub-labels", HubLabels::build_watched;
}

impl<E: Living + Cataloged> Recipe<E> for Spec {
    fn name(&self) -> String {
        self.to_string()
    }

    fn build(
        &self,
        environment: &E,
        watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<E>>, RebuildError> {
        let mut report = |done, of| watch.report(done, of);
        Ok(self.build_watched(environment, &mut Watch::new(&mut report))?)
    }
}

impl Recipe for GridSearch {
    fn name(&self) -> String {
        "grid search".to_owned()
    }

    fn build(&self, _grid: &Grid, _watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Ok(Box::new(self.clone()))
    }
}

impl Recipe<Graph> for GraphSearch {
    fn name(&self) -> String {
        "graph search".to_owned()
    }

    fn build(
        &self,
        _graph: &Graph,
        _watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<Graph>>, RebuildError> {
        Ok(Box::new(self.clone()))
    }
}

impl Recipe for JumpPointSearch {
    fn name(&self) -> String {
        "jps".to_owned()
    }

    fn build(&self, grid: &Grid, _watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Self::serves(grid).map_err(RebuildError::NotServed)?;
        Ok(Box::new(*self))
    }
}
