//! Building labels, in rounds of jobs that do not depend on each other.

use super::landmarks::Landmarks;
use super::neighbours::Neighbours;
use super::order::{Tree, order, tree_from};
use super::pruned::{Growing, Search, Settled};
use super::reach::Reach;
use super::{Answers, HubFallback, HubLabels, HubOptions, Labelled, Labels, estimate};
use crate::grid::Grid;
use crate::index::ch::ChIndex;
use crate::index::subgoal::SubgoalGraph;
use crate::planner::{BuildError, Watch};
use std::ops::Range;

/// How many trees of shortest ways stand for all: more where there are more nodes, as far as there is memory
/// for them (24 bytes a node and tree while the order is made).
///
/// PERF: random512-30-0 has some 80,000 nodes. With 16 trees its labels take 515 MB, with 64 254, with 256 150,
/// and the build is faster for it; AcrosstheCape has 6,379, and with 512 trees instead of 64 its labels are a
/// fifth shorter, but the order takes ten times as long.
fn sample_size(node_count: usize) -> usize {
    let wanted = (node_count / 256).clamp(64, 512);
    let affordable = (SAMPLE_NODES_MAX / node_count.max(1)).max(16);
    wanted.min(affordable).min(node_count)
}

/// Nodes of all trees of the sample.
const SAMPLE_NODES_MAX: usize = 1 << 24;

/// Nodes that lie on fewer ways than this share of a tree, on average, are ordered by the hierarchy.
const WAYS_PER_TREE: u64 = 2;

/// Hubs of a round, at most; and jobs that they are split into.
const ROUND_HUBS: usize = 4096;
const ROUND_JOBS: usize = 16;

/// A build in progress: rounds of jobs to run in any order, on any threads, each ended by
/// [`HubBuild::join`]; then [`HubBuild::finish`]. The labels are the same however it is done.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::{ChIndex, HubBuild, HubLabels, HubOptions, HubPart};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut build: HubBuild<'_> = HubLabels::plan_build(ChIndex::build(&grid)?, &grid, HubOptions::default())?;
/// while build.job_count() > 0 {
///     let parts: Vec<HubPart> = (0..build.job_count()).map(|job| build.run(job)).collect();
///     build.join(parts)?;
/// }
/// let labels = build.finish()?;
/// assert_eq!(labels.fallback(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HubBuild<'g> {
    grid: &'g Grid,
    options: HubOptions,
    index: ChIndex,
    /// What is searched.
    graph: Neighbours,
    /// Longer edges, which ways are put together of.
    edges: Neighbours,
    landmarks: Landmarks,
    stage: Stage,
}

enum Stage {
    Sampling { roots: Vec<u32> },
    Labelling(Box<Growing>),
    Reaching(Labels),
    Over(Labels, Reach),
    Fallen(HubFallback),
}

/// What a job of a [`HubBuild`] has made.
pub struct HubPart {
    job: usize,
    made: PartResult,
}

enum PartResult {
    Trees(Option<Vec<Tree>>),
    Found(Option<Vec<Vec<Settled>>>),
    Reach(Reach),
    Nothing,
}

impl HubLabels {
    /// As [`HubLabels::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    pub fn build_watched(
        grid: &Grid,
        options: HubOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let subgoals = SubgoalGraph::build_watched(grid, watch)?;
        let index = ChIndex::contract(subgoals, grid, watch)?;
        let mut build = Self::plan_build(index, grid, options)?;
        let mut search = Search::new(build.graph.node_count());
        while build.job_count() > 0 {
            // Hub after hub, nothing is found that has to be taken out again.
            let stage = std::mem::replace(&mut build.stage, Stage::Fallen(HubFallback::Distance));
            build.stage = match stage {
                Stage::Labelling(growing) => {
                    let hub = growing.hubs_done();
                    if hub % 64 == 0 {
                        watch.report(hub as u64, growing.hub_count() as u64)?;
                    }
                    let found = growing.search(&build.graph, hub, &mut search);
                    build.labelled(growing, found.map(|found| vec![found]))
                }
                stage => stage,
            };
            if matches!(build.stage, Stage::Labelling(_)) {
                continue;
            }
            let jobs = build.job_count();
            let mut parts = Vec::with_capacity(jobs);
            for job in 0..jobs {
                watch.report(job as u64, jobs as u64)?;
                parts.push(build.run(job));
            }
            build.join(parts)?;
        }
        build.finish()
    }

    /// Splits the rest of a build into rounds of jobs, once there is a hierarchy that orders the subgoals
    /// of the grid and answers where there can be no labels. Fails with [`BuildError::NotServed`] if the hierarchy is of
    /// another grid, or the grid cannot have labels. See [`HubBuild`] for an example.
    pub fn plan_build(
        index: ChIndex,
        grid: &Grid,
        options: HubOptions,
    ) -> Result<HubBuild<'_>, BuildError> {
        let Some(subgoals) = index.subgoals_of(grid) else {
            let reason = "the hierarchy is not one of this map's subgoals".to_owned();
            return Err(BuildError::NotServed(reason));
        };
        let graph = Neighbours::new(subgoals, true).thinned();
        let edges = Neighbours::new(subgoals, false);
        let roots = roots(graph.node_count());
        let inside = index.hierarchy().nodes_by_rank().last().copied();
        let landmarks = Landmarks::new(&graph, inside, &mut Search::new(graph.node_count()));
        let (landmarks, stage) = match landmarks {
            Some(landmarks) => (landmarks, Stage::Sampling { roots }),
            None => (Landmarks::default(), Stage::Fallen(HubFallback::Distance)),
        };
        Ok(HubBuild { grid, options, index, graph, edges, landmarks, stage })
    }
}

/// The roots of the sample, spread over all nodes.
fn roots(node_count: usize) -> Vec<u32> {
    let count = sample_size(node_count);
    (0..count).map(|root| (root * node_count / count) as u32).collect()
}

impl HubBuild<'_> {
    /// How many jobs this round has; 0 when there is no further round.
    pub fn job_count(&self) -> usize {
        match &self.stage {
            Stage::Sampling { roots } => roots.len().clamp(1, ROUND_JOBS),
            Stage::Labelling(growing) => growing.round().len().min(ROUND_JOBS),
            Stage::Reaching(_) => (self.grid.extent().height() as usize).min(ROUND_JOBS),
            Stage::Over(..) | Stage::Fallen(_) => 0,
        }
    }

    /// Runs one job of the round, from 0. Past the last there is nothing to do.
    pub fn run(&self, job: usize) -> HubPart {
        let jobs = self.job_count();
        let nothing = HubPart { job, made: PartResult::Nothing };
        if job >= jobs {
            return nothing;
        }
        let share = |count: usize| job * count / jobs..(job + 1) * count / jobs;
        let mut search = Search::new(self.graph.node_count());
        let made = match &self.stage {
            Stage::Sampling { roots } => {
                let roots = roots[share(roots.len())].iter();
                PartResult::Trees(
                    roots.map(|&root| tree_from(&self.graph, root, &mut search)).collect(),
                )
            }
            Stage::Labelling(growing) => {
                let round = growing.round();
                let hubs = share(round.len());
                let hubs = round.start + hubs.start..round.start + hubs.end;
                let found = hubs.map(|hub| growing.search(&self.graph, hub, &mut search));
                PartResult::Found(found.collect())
            }
            Stage::Reaching(_) => {
                let rows = share(self.grid.extent().height() as usize);
                let rows = rows.start as u32..rows.end as u32;
                match self.index.subgoals_of(self.grid) {
                    Some(subgoals) => PartResult::Reach(Reach::of_rows(subgoals, self.grid, rows)),
                    None => PartResult::Nothing,
                }
            }
            Stage::Over(..) | Stage::Fallen(_) => return nothing,
        };
        HubPart { job, made }
    }

    /// Ends a round by its parts, in whatever order they come. Fails with [`BuildError::Incomplete`] unless each job's part is
    /// there once.
    pub fn join(&mut self, mut parts: Vec<HubPart>) -> Result<(), BuildError> {
        parts.sort_by_key(|part| part.job);
        if !parts.iter().map(|part| part.job).eq(0..self.job_count()) {
            return Err(BuildError::Incomplete);
        }
        let stage = std::mem::replace(&mut self.stage, Stage::Fallen(HubFallback::Distance));
        self.stage = match stage {
            Stage::Sampling { .. } => self.ordered(parts),
            Stage::Labelling(growing) => {
                let found = parts.into_iter().map(|part| match part.made {
                    PartResult::Found(found) => found,
                    _ => None,
                });
                let found: Option<Vec<_>> = found.collect();
                self.labelled(growing, found.map(|found| found.into_iter().flatten().collect()))
            }
            Stage::Reaching(labels) => {
                let mut reach = Reach::empty(self.graph.node_count());
                for part in parts {
                    if let PartResult::Reach(next) = part.made {
                        reach.append(next);
                    }
                }
                reach.shrink();
                match self.over_limit(labels.memory_bytes() + reach.memory_bytes()) {
                    Some(fallback) => Stage::Fallen(fallback),
                    None => Stage::Over(labels, reach),
                }
            }
            over => over,
        };
        Ok(())
    }

    /// What follows when the sample is there.
    fn ordered(&self, parts: Vec<HubPart>) -> Stage {
        let trees = parts.into_iter().map(|part| match part.made {
            PartResult::Trees(trees) => trees,
            _ => None,
        });
        let Some(trees) = trees.collect::<Option<Vec<_>>>() else {
            return Stage::Fallen(HubFallback::Distance);
        };
        let trees: Vec<Tree> = trees.into_iter().flatten().collect();
        let least = WAYS_PER_TREE * trees.len() as u64;
        let order = order(trees, self.index.hierarchy().nodes_by_rank(), least);
        let growing = Box::new(Growing::new(order));
        match self.foreseen(&growing) {
            Some(fallback) => Stage::Fallen(fallback),
            None => self.labelled(growing, Some(Vec::new())),
        }
    }

    /// Whether a sample shows that labels in this order will take too many bytes.
    ///
    /// PERF: on a map of 289 × 297 cells with 10 % obstacles the hierarchy took over after 53 s of labelling; now after
    /// a second.
    fn foreseen(&self, growing: &Growing) -> Option<HubFallback> {
        let (bytes_max, fallback) = self.limit();
        let links = self.index.subgoals_of(self.grid);
        let links = links.map_or(0, |subgoals| estimate::link_bytes_least(subgoals, self.grid));
        if links > bytes_max {
            return Some(fallback);
        }
        let labels_max = bytes_max.saturating_sub(links + growing.memory_bytes());
        let mean_max = labels_max as f64 / growing.hub_count().max(1) as f64;
        let mut search = Search::new(self.graph.node_count());
        let order = growing.order();
        estimate::exceed(&self.graph, &self.edges, order, mean_max, &mut search).then_some(fallback)
    }

    /// What follows when the next hubs have been searched from.
    fn labelled(&self, mut growing: Box<Growing>, found: Option<Vec<Vec<Settled>>>) -> Stage {
        let Some(found) = found else {
            return Stage::Fallen(HubFallback::Distance);
        };
        growing.add(found.into_iter(), &self.edges);
        if let Some(fallback) = self.over_limit(growing.memory_bytes()) {
            return Stage::Fallen(fallback);
        }
        if growing.hubs_done() < growing.hub_count() {
            Stage::Labelling(growing)
        } else {
            let subgoals = self.index.subgoals_of(self.grid);
            let cells = subgoals.map_or(&[][..], |subgoals| &subgoals.map.cells);
            let labels = growing.finish(cells, &self.landmarks);
            labels.map_or(Stage::Fallen(HubFallback::Distance), Stage::Reaching)
        }
    }

    /// Whether so many bytes are too many, or too many to be numbered.
    fn over_limit(&self, bytes: usize) -> Option<HubFallback> {
        let (bytes_max, fallback) = self.limit();
        (bytes > bytes_max).then_some(fallback)
    }

    /// The most bytes that there may be, and what to say if there are more.
    fn limit(&self) -> (usize, HubFallback) {
        let bytes_max = self.options.bytes_max.min(u32::MAX as usize);
        (bytes_max, HubFallback::Memory { bytes_max })
    }

    /// The index. Fails with [`BuildError::Incomplete`] if a round is left.
    pub fn finish(self) -> Result<HubLabels, BuildError> {
        if self.job_count() > 0 {
            return Err(BuildError::Incomplete);
        }
        let answers = match self.stage {
            Stage::Over(labels, reach) => match self.index.into_subgoals() {
                Some(subgoals) => Answers::Labels(Box::new(Labelled { subgoals, labels, reach })),
                None => return Err(BuildError::Incomplete),
            },
            Stage::Fallen(reason) => Answers::Hierarchy { index: Box::new(self.index), reason },
            _ => return Err(BuildError::Incomplete),
        };
        Ok(HubLabels::of(answers, self.grid))
    }
}

impl Growing {
    /// The hubs of the next round: as many as are done already, so that most of what is found stays.
    fn round(&self) -> Range<usize> {
        let begin = self.hubs_done();
        let end = begin + begin.clamp(1, ROUND_HUBS);
        begin..end.min(self.hub_count())
    }
}
