//! Hierarchical pathfinding A*: clusters, transitions between them, and a search over those.
//!
//! Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding" (2004); Harvanová's thesis
//! (2017). A map is cut into square clusters. Where two of them touch, transitions lead across; inside
//! each, the exact costs between its transitions are known. A query searches the transitions only, then
//! fills in the cells, and smooths the path.
//!
//! Where this deviates: start and goal are joined to the graph by walking precomputed step tables, not
//! by a search; a search state is an *entry* into a cluster, so that crossing it and stepping into the
//! next is one edge; smoothing is exact along octile-shortest ways.
//!
//! Invariant: a cluster depends only on its cells and on those that touch it, so that a patched
//! abstraction equals one built afresh. A path is found exactly when there is one.

mod cluster;
mod entrances;
mod flood;
mod graph;
mod layout;
mod links;
mod near;
mod patch;
mod query;
mod reach;
mod refine;
#[cfg(test)]
mod tests;
mod tighten;

pub use entrances::Transitions;

pub(crate) use query::HpaScratch;

use crate::grid::{Edition, Grid, Movement};
use cluster::{Cluster, ClusterBuilder};
use layout::{ClusterId, Layout};
use links::Links;
use reach::Reach;
use std::sync::Arc;
use thiserror::Error;

/// What can be chosen about the abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HpaOptions {
    /// Columns and rows of a cluster, from 4 to 64.
    pub cluster_side: u32,
    /// Where transitions are placed.
    pub transitions: Transitions,
    /// Whether paths are smoothed.
    pub smooth: bool,
}

impl Default for HpaOptions {
    fn default() -> Self {
        Self { cluster_side: 32, transitions: Transitions::default(), smooth: true }
    }
}

/// Why no abstraction can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HpaOptionsError {
    /// A cluster's side is out of range.
    #[error("clusters of {0} cells a side: it must be from 4 to 64")]
    ClusterSide(u32),
    /// A way inside a cluster could cost more than can be counted.
    #[error("terrain so dear that a way through a cluster could cost more than {}", u32::MAX)]
    TooDear,
    /// Not every job's row was given to [`HpaBuild::finish`], or one was given twice.
    #[error("the rows do not make up the map: give finish() one of each job")]
    Incomplete,
}

/// The abstraction of a grid, and a planner on it.
#[derive(Clone, Debug)]
pub struct Hpa {
    options: HpaOptions,
    layout: Layout,
    clusters: Vec<Arc<Cluster>>,
    links: Vec<Arc<Links>>,
    reach: Reach,
    movement: Arc<Movement>,
    /// The grid that it describes.
    grid: Edition,
    /// Its own: a query begun on one does not go on on another.
    own: Edition,
}

impl Hpa {
    /// Builds the abstraction on this thread. [`Hpa::plan_build`] does so on several.
    pub fn build(grid: &Grid, options: HpaOptions) -> Result<Self, HpaOptionsError> {
        let build = Self::plan_build(grid, options)?;
        let rows = (0..build.job_count()).map(|job| build.run(job)).collect();
        build.finish(rows)
    }

    /// Splits the build into jobs that do not depend on each other.
    pub fn plan_build(grid: &Grid, options: HpaOptions) -> Result<HpaBuild<'_>, HpaOptionsError> {
        if !(4..=64).contains(&options.cluster_side) {
            return Err(HpaOptionsError::ClusterSide(options.cluster_side));
        }
        if !costs_fit(grid, options.cluster_side) {
            return Err(HpaOptionsError::TooDear);
        }
        let layout = Layout::new(grid.extent(), options.cluster_side)
            .map_err(|_| HpaOptionsError::ClusterSide(options.cluster_side))?;
        Ok(HpaBuild { grid, options, layout })
    }

    /// What it was built with.
    pub fn options(&self) -> HpaOptions {
        self.options
    }

    /// Bytes held.
    fn held_bytes(&self) -> usize {
        let cluster =
            |cluster: &Arc<Cluster>| size_of::<Arc<Cluster>>() + 16 + cluster.memory_bytes();
        let links = |links: &Arc<Links>| size_of::<Arc<Links>>() + 16 + links.memory_bytes();
        self.clusters.iter().map(cluster).sum::<usize>()
            + self.links.iter().map(links).sum::<usize>()
            + self.reach.memory_bytes()
    }

    fn cluster(&self, id: ClusterId) -> &Cluster {
        &self.clusters[id.index()]
    }
}

impl PartialEq for Hpa {
    /// Whether they describe the same cells in the same way, however they came about.
    fn eq(&self, other: &Self) -> bool {
        self.options == other.options
            && self.layout == other.layout
            && self.clusters == other.clusters
            && self.links == other.links
            && self.reach == other.reach
    }
}

/// Whether the dearest way inside a cluster fits the integers it is counted in.
fn costs_fit(grid: &Grid, side: u32) -> bool {
    let diagonal = u64::from(grid.movement().steps().diagonal());
    let step = diagonal * 2 * u64::from(*grid.cost_range().end());
    // Smoothing looks at frames of its own.
    let side = side.max(tighten::SIDE);
    step * u64::from(side * side) < u64::from(u32::MAX)
}

/// A build in progress: jobs to run in any order, on any threads, then [`HpaBuild::finish`].
pub struct HpaBuild<'g> {
    grid: &'g Grid,
    options: HpaOptions,
    layout: Layout,
}

/// What a job of a build has made.
pub struct ClusterRow(Vec<Arc<Cluster>>);

impl HpaBuild<'_> {
    /// How many jobs there are.
    pub fn job_count(&self) -> usize {
        self.layout.clusters().height() as usize
    }

    /// Runs one job, from 0: a row of clusters. Past the last there is nothing to do.
    pub fn run(&self, job: usize) -> ClusterRow {
        let across = self.layout.clusters().width();
        if job >= self.job_count() {
            return ClusterRow(Vec::new());
        }
        let mut builder = ClusterBuilder::default();
        let first = job as u32 * across;
        let build = |cluster| {
            let cluster = ClusterId(cluster);
            Arc::new(builder.build(self.grid, &self.layout, &self.options, cluster))
        };
        ClusterRow((first..first + across).map(build).collect())
    }

    /// Puts the rows together, in the order of the jobs; an error if some are missing.
    pub fn finish(self, rows: Vec<ClusterRow>) -> Result<Hpa, HpaOptionsError> {
        let clusters: Vec<Arc<Cluster>> = rows.into_iter().flat_map(|row| row.0).collect();
        if clusters.len() != self.layout.clusters().cell_count() {
            return Err(HpaOptionsError::Incomplete);
        }
        let reach = Reach::build(&self.layout, &clusters)
            .expect("half of a valid extent is a valid extent");
        let link = |id| Arc::new(Links::build(&self.layout, &clusters, ClusterId(id)));
        let links = (0..clusters.len() as u32).map(link).collect();
        Ok(Hpa {
            options: self.options,
            layout: self.layout,
            clusters,
            links,
            reach,
            movement: self.grid.shared_movement(),
            grid: self.grid.edition(),
            own: Edition::next(),
        })
    }
}
