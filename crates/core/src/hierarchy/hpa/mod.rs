//! Hierarchical pathfinding A*: clusters, transitions between them, and a search over those.
//!
//! Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding" (2004); Harvanová's thesis
//! (2017). A map is cut into square clusters. Where two of them touch, transitions lead across; inside
//! each, the exact costs between its transitions are known. A query searches the transitions only, then
//! fills in the cells, and smooths the path.
//!
//! Where borders or heights count, steps may lead one way: tables then show ways *to* transitions, those from the last
//! one to a goal are found by a flood of its cluster, and only a search can say whether there is a path. A link is a
//! transition between the clusters where it begins and ends (`portals.rs`).
//!
//! Where this deviates: start and goal are joined to the graph by walking precomputed step tables, not
//! by a search; a search state is an *entry* into a cluster, so that crossing it and stepping into the
//! next is one edge; levels are regions of four by four of what lies below, and a search picks the largest
//! one that it can cross; ends close together are joined without transitions; smoothing pulls paths taut where
//! ground is level, by sweeps that show exactly which octile-shortest ways are open, and looks for cheaper ways in
//! blocks around the places where terrain changes. It makes paths cheaper, not cheapest: one that leads past the
//! wrong side of an obstacle stays there. Costs inside clusters and along links are packed, so that terrain of any
//! cost is served.
//!
//! Invariant: a cluster depends only on its cells and on those that touch it, links on clusters, regions
//! on links, so that a patched abstraction equals one built afresh. A path is found exactly when there is
//! one.

mod build;
mod cluster;
mod entrances;
mod entry;
mod graph;
mod layout;
mod levels;
mod links;
mod patch;
mod portals;
mod query;
mod reach;
mod refine;
mod sketch;
#[cfg(test)]
mod tests;
mod verify;

pub use build::{HpaBuild, HpaPart};
pub use entrances::Transitions;
pub use levels::Levels;

pub(crate) use entry::ENTRY;

use crate::environment::BuildError;
use crate::grid::shared::Table;
use crate::grid::{Edition, Grid, Movement, PaidCells};
use crate::planner::BOTH_WAYS;
use cluster::Cluster;
use layout::{ClusterId, Layout};
use levels::{Graph, Level};
use links::Links;
use portals::Portals;
use reach::Reach;
use std::sync::Arc;
use thiserror::Error;

/// What can be chosen about an [`Hpa`].
///
/// ```
/// use highroad::hierarchy::{HpaOptions, Levels};
/// let options = HpaOptions::default().with_cluster_side(16).with_levels(Levels::Exactly(2));
/// assert_eq!(options.cluster_side, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HpaOptions {
    /// Columns and rows of a cluster, from 4 to 64.
    pub cluster_side: u32,
    /// Where transitions are placed.
    pub transitions: Transitions,
    /// How many levels there are.
    pub levels: Levels,
    /// Whether paths are smoothed.
    pub smooth: bool,
    /// Whether ends that lie close together are joined without the abstraction.
    pub direct: bool,
}

impl Default for HpaOptions {
    fn default() -> Self {
        Self {
            cluster_side: 32,
            transitions: Transitions::default(),
            levels: Levels::default(),
            smooth: true,
            direct: true,
        }
    }
}

impl HpaOptions {
    /// The same options with clusters of so many columns and rows.
    pub fn with_cluster_side(self, cluster_side: u32) -> Self {
        Self { cluster_side, ..self }
    }

    /// The same options with transitions placed in that way.
    pub fn with_transitions(self, transitions: Transitions) -> Self {
        Self { transitions, ..self }
    }

    /// The same options with so many levels.
    pub fn with_levels(self, levels: Levels) -> Self {
        Self { levels, ..self }
    }

    /// The same options, without smoothing of paths: faster, and paths are longer.
    pub fn without_smoothing(self) -> Self {
        Self { smooth: false, ..self }
    }

    /// The same options, without a look at ends that lie close together: every query goes through the abstraction, as in
    /// textbooks. Short paths are then longer.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::hierarchy::{Hpa, HpaOptions};
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let grid = Grid::with_defaults("........\n........\n".parse()?);
    /// let options = HpaOptions::default().with_cluster_side(4);
    /// let (query, mut scratch) = (PathQuery::new((0, 0), (7, 0)), Scratch::new());
    /// Hpa::build(&grid, options)?.solve(&grid, &query, &mut scratch)?;
    /// assert_eq!(scratch.statistics().expanded, 0, "the goal is in sight");
    /// Hpa::build(&grid, options.without_direct_ways())?.solve(&grid, &query, &mut scratch)?;
    /// assert!(scratch.statistics().expanded > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_direct_ways(self) -> Self {
        Self { direct: false, ..self }
    }
}

/// Why an [`Hpa`] cannot be built.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Hpa, HpaOptions, HpaOptionsError};
/// let grid = Grid::with_defaults("....\n".parse()?);
/// let error: HpaOptionsError = Hpa::build(&grid, HpaOptions::default().with_cluster_side(2)).unwrap_err();
/// assert_eq!(error.to_string(), "clusters of 2 cells a side: it must be from 4 to 64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HpaOptionsError {
    /// A cluster's side is out of range.
    #[error("clusters of {0} cells a side: it must be from 4 to 64")]
    ClusterSide(u32),
    /// There are too few levels, or too many.
    #[error("{0} levels: it must be from 1 to {max}", max = Levels::MAX)]
    Levels(u8),
    /// Not every job's part was given to [`HpaBuild::join`], or one was given twice.
    #[error("the parts do not make up the map: give join() one of each job, in their order")]
    Incomplete,
    /// A step may cost something else than the step back.
    #[error("{}", BOTH_WAYS)]
    OneWayCosts,
}

impl From<HpaOptionsError> for BuildError {
    fn from(error: HpaOptionsError) -> Self {
        Self::NotServed(error.to_string())
    }
}

/// HPA*: a grid cut into square clusters, joined by transitions at their borders, as a planner. Near optimal, and it follows
/// edits: a cluster that has changed is built again, the others stay.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Hpa, HpaOptions};
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let hpa = Hpa::build(&grid, HpaOptions::default())?;
/// let path = hpa.solve(&grid, &PathQuery::new((0, 0), (3, 2)), &mut Scratch::new())?.path();
/// assert_eq!(path.unwrap().length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hpa {
    options: HpaOptions,
    layout: Layout,
    clusters: Table<Cluster>,
    links: Table<Links>,
    levels: Vec<Level>,
    reach: Reach,
    portals: Portals,
    movement: Arc<Movement>,
    /// The grid that it describes.
    grid: Edition,
    /// Its own: a query begun on one does not go on on another.
    own: Edition,
    pending: patch::Pending,
    /// Whether borders, heights or links count in the grid that it describes, or in one that it is being brought to.
    shaped: bool,
}

impl Hpa {
    /// Builds the abstraction on this thread. [`Hpa::plan_build`] does so on several. O(cells), for a given side of clusters.
    /// Fails with an [`HpaOptionsError`] if an option is out of range.
    pub fn build(grid: &Grid, options: HpaOptions) -> Result<Self, HpaOptionsError> {
        let mut build = Self::plan_build(grid, options)?;
        while build.job_count() > 0 {
            let parts = (0..build.job_count()).map(|job| build.run(job)).collect();
            build.join(parts)?;
        }
        build.finish()
    }

    /// Splits the build into stages of jobs that do not depend on each other. Fails with an [`HpaOptionsError`] if an option
    /// is out of range.
    pub fn plan_build(grid: &Grid, options: HpaOptions) -> Result<HpaBuild<'_>, HpaOptionsError> {
        if !(4..=64).contains(&options.cluster_side) {
            return Err(HpaOptionsError::ClusterSide(options.cluster_side));
        }
        if !serves(grid) {
            return Err(HpaOptionsError::OneWayCosts);
        }
        let levels = options.levels.for_size(grid.extent());
        if !(1..=Levels::MAX).contains(&levels) {
            return Err(HpaOptionsError::Levels(levels));
        }
        let layout = Layout::new(grid.extent(), options.cluster_side)
            .map_err(|_| HpaOptionsError::ClusterSide(options.cluster_side))?;
        Ok(HpaBuild::new(grid, options, layout))
    }

    /// What it was built with.
    pub fn options(&self) -> HpaOptions {
        self.options
    }

    /// Bytes held.
    fn abstraction_bytes(&self) -> usize {
        let cluster =
            |cluster: &Arc<Cluster>| size_of::<Arc<Cluster>>() + 16 + cluster.memory_bytes();
        let links = |links: &Arc<Links>| size_of::<Arc<Links>>() + 16 + links.memory_bytes();
        self.clusters.iter().map(cluster).sum::<usize>()
            + self.links.iter().map(links).sum::<usize>()
            + self.levels.iter().map(Level::memory_bytes).sum::<usize>()
            + self.reach.memory_bytes()
            + self.portals.memory_bytes()
    }

    fn cluster(&self, id: ClusterId) -> &Cluster {
        &self.clusters[id.index()]
    }

    fn graph(&self) -> Graph<'_> {
        Graph {
            layout: &self.layout,
            clusters: &self.clusters,
            links: &self.links,
            levels: &self.levels,
        }
    }
}

/// Whether what cells cost does not depend on the direction of a step; borders, heights and links may.
fn serves(grid: &Grid) -> bool {
    let costs = grid.cost_range();
    grid.movement().paid_cells() == PaidCells::Both || costs.start() == costs.end()
}

impl PartialEq for Hpa {
    /// Whether they describe the same cells in the same way, however they came about.
    fn eq(&self, other: &Self) -> bool {
        self.options == other.options
            && self.layout == other.layout
            && self.clusters == other.clusters
            && self.links == other.links
            && self.levels == other.levels
            && self.reach == other.reach
            && self.portals == other.portals
    }
}
