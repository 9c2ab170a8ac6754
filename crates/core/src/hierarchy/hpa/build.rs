//! Building an abstraction in jobs: first the clusters, then each level above them.

use super::cluster::{Cluster, ClusterBuilder};
use super::layout::{ClusterId, Layout};
use super::levels::{Graph, Level, Region, build_row, level_of};
use super::links::Links;
use super::portals::Portals;
use super::reach::Reach;
use super::{Hpa, HpaOptions, HpaOptionsError};
use crate::grid::shared::Table;
use crate::grid::{Edition, Grid};
use std::sync::Arc;

/// A build in progress: stages, each of jobs to run in any order and on any threads.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Hpa, HpaBuild, HpaOptions, HpaPart};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut build: HpaBuild<'_> = Hpa::plan_build(&grid, HpaOptions::default())?;
/// while build.job_count() > 0 {
///     // On as many threads as there are; here on one.
///     let parts: Vec<HpaPart> = (0..build.job_count()).map(|job| build.run(job)).collect();
///     build.join(parts)?;
/// }
/// assert!(build.finish()? == Hpa::build(&grid, HpaOptions::default())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HpaBuild<'g> {
    grid: &'g Grid,
    options: HpaOptions,
    layout: Layout,
    clusters: Table<Cluster>,
    links: Table<Links>,
    levels: Vec<Level>,
}

/// What a job of an [`HpaBuild`] has made.
pub struct HpaPart(Part);

enum Part {
    Nothing,
    Clusters(Vec<Arc<Cluster>>),
    Regions(Vec<Arc<Region>>),
}

impl<'g> HpaBuild<'g> {
    pub(super) fn new(grid: &'g Grid, options: HpaOptions, layout: Layout) -> Self {
        let (clusters, links, levels) = Default::default();
        Self { grid, options, layout, clusters, links, levels }
    }

    fn graph(&self) -> Graph<'_> {
        let Self { layout, clusters, links, levels, .. } = self;
        Graph { layout, clusters, links, levels }
    }

    /// The height of the level to build next: 0 for the clusters.
    fn height(&self) -> u8 {
        if self.clusters.len() == 0 { 0 } else { self.levels.len() as u8 + 1 }
    }

    /// How many jobs the present stage has; none when all is built.
    pub fn job_count(&self) -> usize {
        let height = self.height();
        if height >= self.options.levels.for_size(self.grid.extent()) {
            return 0;
        }
        self.graph().regions(height).map_or(0, |extent| extent.height() as usize)
    }

    /// Runs one job of the present stage, from 0. Past the last there is nothing to do.
    pub fn run(&self, job: usize) -> HpaPart {
        if job >= self.job_count() {
            return HpaPart(Part::Nothing);
        }
        HpaPart(match self.height() {
            0 => Part::Clusters(self.build_clusters(job as u32)),
            height => Part::Regions(build_row(self.graph(), height, job as u32)),
        })
    }

    fn build_clusters(&self, row: u32) -> Vec<Arc<Cluster>> {
        let mut builder = ClusterBuilder::default();
        let across = self.layout.clusters().width();
        let build = |cluster| {
            let cluster = ClusterId(cluster);
            Arc::new(builder.build(self.grid, &self.layout, &self.options, cluster))
        };
        (row * across..(row + 1) * across).map(build).collect()
    }

    /// Ends a stage: takes what its jobs have made, in the order of the jobs. Fails with [`HpaOptionsError::Incomplete`] unless
    /// each job's part is there.
    pub fn join(&mut self, parts: Vec<HpaPart>) -> Result<(), HpaOptionsError> {
        let height = self.height();
        let Ok(extent) = self.graph().regions(height) else {
            return Err(HpaOptionsError::Incomplete);
        };
        let (mut clusters, mut regions) = (Vec::new(), Vec::new());
        for part in parts {
            match part.0 {
                Part::Nothing => {}
                Part::Clusters(mut row) => clusters.append(&mut row),
                Part::Regions(mut row) => regions.append(&mut row),
            }
        }
        let made = if height == 0 { clusters.len() } else { regions.len() };
        if made != extent.cell_count() || (height == 0) != regions.is_empty() {
            return Err(HpaOptionsError::Incomplete);
        }
        if height == 0 {
            let clusters = clusters.into_iter().collect();
            let link = |id| Arc::new(Links::build(&self.layout, &clusters, ClusterId(id)));
            self.links = (0..made as u32).map(link).collect();
            self.clusters = clusters;
        } else {
            self.levels.push(level_of(extent, regions.into_iter().collect()));
        }
        Ok(())
    }

    /// The abstraction. Fails with [`HpaOptionsError::Incomplete`] if jobs have not been run yet.
    pub fn finish(self) -> Result<Hpa, HpaOptionsError> {
        if self.job_count() > 0 {
            return Err(HpaOptionsError::Incomplete);
        }
        let reach = Reach::build(&self.layout, &self.clusters)
            .expect("half of a valid extent is a valid extent");
        let portals = Portals::build(self.grid, &self.layout, &self.clusters);
        Ok(Hpa {
            options: self.options,
            layout: self.layout,
            clusters: self.clusters,
            links: self.links,
            levels: self.levels,
            reach,
            portals,
            movement: self.grid.shared_movement(),
            grid: self.grid.edition(),
            own: Edition::new(),
            pending: Default::default(),
            shaped: self.grid.is_shaped(),
        })
    }
}
