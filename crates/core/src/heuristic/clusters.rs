//! Estimates from clusters of nodes, precomputed.
//!
//! [`ClusterTable`] keeps the smallest distance between any two nodes of each pair of clusters (the cluster
//! heuristic of game programming). Admissible: a node of cluster *C* and a goal in cluster *D* are one of the
//! pairs that the smallest is taken of. Not consistent: one step into a cluster that comes nearer to the goal
//! *elsewhere* lets the estimate fall by more than the step costs, so a search must open nodes again.
//!
//! [`AbstractDistances`] looks backwards through the clusters first, as Factorio's pathfinder does before it
//! searches tiles. Abstract nodes are crossings from one cluster into another; passing a cluster costs the
//! least way within it between the two crossings, and the last leg the least way to the goal. Admissible: a
//! path is a sequence of crossings, and each part between two of them costs at least that; the part before
//! the first crossing is counted as nothing. Not consistent, for the same reason as above.

use crate::environment::{BuildError, Edition, Watch};
use crate::graph::Partition;
use crate::grid::Grid;
use crate::search::{ESTIMATE_MAX, Heuristic, Limits, NoHeuristic, Run, Workspace};
use crate::space::{Arrival, NodeId, Nodes, Part, Reversed, Space};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const FAR: u64 = u64::MAX;

impl Partition {
    /// The cells of a grid in squares of that side.
    ///
    /// ```
    /// use highroad::graph::Partition;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults(".....\n.....\n.....\n".parse()?);
    /// assert_eq!(Partition::squares(&grid, 2).count(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares(grid: &Grid, side: u32) -> Self {
        let (extent, side) = (grid.extent(), side.max(1));
        let across = extent.width().div_ceil(side);
        let square = extent.cells().map(|cell| cell.y / side * across + cell.x / side);
        Self::of(square.collect()).expect("there are no more squares than cells")
    }
}

/// Smallest distances between clusters.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph, Partition};
/// use highroad::heuristic::ClusterTable;
/// use highroad::search::Heuristic;
/// let graph = Graph::from_edges(4, &[Edge::new(0, 1, 2), Edge::new(1, 2, 7), Edge::new(2, 3, 1)])?;
/// let clusters = Partition::given(&graph, vec![0, 0, 1, 1])?;
/// let table = ClusterTable::new(&graph, clusters)?;
/// assert_eq!(table.heuristic(&[NodeId(3)]).estimate(NodeId(0)), 7);
/// assert_eq!(table.heuristic(&[NodeId(3)]).estimate(NodeId(2)), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClusterTable {
    clusters: Partition,
    /// From each cluster to each.
    distances: Vec<u64>,
    edition: Edition,
}

impl ClusterTable {
    /// The most clusters: the table then takes 128 MB.
    pub const COUNT_MAX: usize = 4096;

    /// One search over everything for each cluster. An error if there are too many clusters, or the partition is
    /// that of something else.
    pub fn new<E: Nodes>(environment: &E, clusters: Partition) -> Result<Self, BuildError> {
        Self::new_watched(environment, clusters, &mut Watch::none())
    }

    /// As [`ClusterTable::new`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::graph::Partition;
    /// use highroad::grid::Grid;
    /// use highroad::heuristic::{AbstractDistances, ClusterTable};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("....\n....\n".parse()?);
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// assert!(ClusterTable::new_watched(&grid, Partition::squares(&grid, 2), &mut Watch::new(&mut stop)).is_err());
    /// let mut go_on = |_done, _of| ControlFlow::Continue(());
    /// let table = AbstractDistances::new_watched(&grid, Partition::squares(&grid, 2), &mut Watch::new(&mut go_on))?;
    /// assert_eq!(table.clusters().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new_watched<E: Nodes>(
        environment: &E,
        clusters: Partition,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let mut space = space_of(environment, &clusters)?;
        let count = clusters.count();
        if count > Self::COUNT_MAX {
            let most = Self::COUNT_MAX;
            return Err(BuildError::NotServed(format!(
                "{count} clusters; at most {most} fit a table"
            )));
        }
        let mut work = Workspace::default();
        let mut distances = vec![FAR; count * count];
        for (from, nodes) in clusters.members().iter().enumerate() {
            watch.report(from as u64, count as u64)?;
            if nodes.is_empty() {
                continue;
            }
            let seeds = nodes.iter().map(|&node| (node, 0));
            let (span, mut run) = (2 * environment.step_max(), Run::new(Limits::default()));
            work.explore(&mut space, span, seeds, &[], NoHeuristic, &mut run);
            for (node, &to) in (0..).zip(clusters.regions()) {
                let known = &mut distances[from * count + to as usize];
                *known = work.cost(NodeId(node)).unwrap_or(run.unreached_cost()).min(*known);
            }
        }
        Ok(Self { clusters, distances, edition: environment.edition() })
    }

    /// Estimates to the nearest of some goals.
    pub fn heuristic<'t>(&'t self, goals: &'t [NodeId]) -> ClusterHeuristic<'t> {
        ClusterHeuristic { table: self, goals }
    }

    /// The clusters.
    pub fn clusters(&self) -> &Partition {
        &self.clusters
    }

    /// Which state of which environment it is of.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.distances.capacity() * 8 + self.clusters.regions().len() * 4
    }
}

/// The cluster heuristic for the goals of one query.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph, Partition};
/// use highroad::heuristic::{ClusterHeuristic, ClusterTable};
/// use highroad::search::Heuristic;
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let table = ClusterTable::new(&graph, Partition::given(&graph, vec![0, 1])?)?;
/// let goals = [NodeId(1)];
/// let heuristic: ClusterHeuristic<'_> = table.heuristic(&goals);
/// assert!(heuristic.estimate(NodeId(0)) == 7 && heuristic.is_admissible() && !heuristic.is_consistent());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ClusterHeuristic<'t> {
    table: &'t ClusterTable,
    goals: &'t [NodeId],
}

impl Heuristic for ClusterHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let ClusterTable { clusters, distances, .. } = self.table;
        let count = clusters.count();
        let from = clusters.region(node) as usize;
        let row = &distances[from * count..][..count];
        let known = self.goals.iter().filter_map(|goal| clusters.regions().get(goal.index()));
        known.map(|&goal| row[goal as usize]).min().unwrap_or(0).min(ESTIMATE_MAX)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

/// The crossings between clusters, and the least ways between them.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::online::GraphSearch;
/// use highroad::planner::{Answer, PathQuery, Planner, Scratch};
/// use highroad::graph::{Edge, Graph, Partition};
/// use highroad::heuristic::AbstractDistances;
/// let edges = [Edge::new(0, 1, 2), Edge::new(1, 2, 7), Edge::new(2, 3, 3), Edge::new(3, 4, 1)];
/// let graph = Graph::from_edges(5, &edges)?;
/// let clusters = Partition::given(&graph, vec![0, 0, 1, 1, 2])?;
/// let distances = AbstractDistances::new(&graph, clusters)?;
/// let search = GraphSearch::astar().with_heuristic(distances);
/// let answer = search.solve(&graph, &PathQuery::new(NodeId(0), NodeId(4)), &mut Scratch::new())?;
/// assert_eq!(answer.path().unwrap().cost().0, 13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AbstractDistances {
    clusters: Partition,
    crossings: Vec<Crossing>,
    /// For each crossing, the crossings before it, with the least way between the two and that crossing's
    /// own cost. A list of lists: there are few.
    before: Vec<Vec<(u32, u64)>>,
    /// The crossings that enter each cluster.
    entering: Vec<Vec<u32>>,
    edition: Edition,
}

#[derive(Clone, Debug)]
struct Crossing {
    from: u32,
    /// The cheapest edge.
    cost: u64,
    /// Where its edges end.
    heads: Vec<NodeId>,
}

/// What is known of the goals of a query: for each cluster, what is at least to go.
#[derive(Default)]
pub(crate) struct AbstractMemory {
    to_go: Vec<u64>,
    costs: Vec<u64>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl AbstractMemory {
    pub(crate) fn bytes(&self) -> usize {
        (self.to_go.capacity() + self.costs.capacity()) * 8 + self.open.capacity() * 16
    }
}

impl AbstractDistances {
    /// One search within a cluster for each crossing into it. An error if the partition is that of something else.
    pub fn new<E: Nodes>(environment: &E, clusters: Partition) -> Result<Self, BuildError> {
        Self::new_watched(environment, clusters, &mut Watch::none())
    }

    /// As [`AbstractDistances::new`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    pub fn new_watched<E: Nodes>(
        environment: &E,
        clusters: Partition,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let mut space = space_of(environment, &clusters)?;
        let mut edges: Vec<(u32, u32, NodeId, NodeId, u64)> = Vec::new();
        for node in (0..environment.node_count() as u32).map(NodeId) {
            let from = clusters.region(node);
            space.expand(Arrival { node, parent: node }, &mut |to, cost| {
                if clusters.region(to) != from {
                    edges.push((from, clusters.region(to), node, to, u64::from(cost)));
                }
            });
        }
        edges.sort_unstable();
        let mut crossings = Vec::new();
        let mut leaving: Vec<Vec<(u32, Vec<NodeId>)>> = vec![Vec::new(); clusters.count()];
        let mut entering = vec![Vec::new(); clusters.count()];
        for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let number = crossings.len() as u32;
            let (from, to) = (same[0].0, same[0].1);
            crossings.push(Crossing {
                from,
                cost: same.iter().map(|edge| edge.4).min().unwrap_or(0),
                heads: same.iter().map(|edge| edge.3).collect(),
            });
            leaving[from as usize].push((number, same.iter().map(|edge| edge.2).collect()));
            entering[to as usize].push(number);
        }
        let (span, mut work) = (2 * environment.step_max(), Workspace::default());
        let mut before = vec![Vec::new(); crossings.len()];
        for (cluster, list) in (0..).zip(&entering) {
            watch.report(u64::from(cluster), entering.len() as u64)?;
            for &number in list {
                let crossing: &Crossing = &crossings[number as usize];
                let unreached =
                    flood_cluster(&mut space, span, &clusters, cluster, &crossing.heads, &mut work);
                for (next, tails) in &leaving[cluster as usize] {
                    let costs = tails.iter().map(|&tail| work.cost(tail).unwrap_or(unreached));
                    if let Some(least) = costs.min().filter(|&least| least != FAR) {
                        before[*next as usize].push((number, least));
                    }
                }
            }
        }
        let edition = environment.edition();
        Ok(Self { clusters, crossings, before, entering, edition })
    }

    /// Looks backwards from some goals: what each cluster is at least away from the nearest.
    pub(crate) fn prepare<E: Nodes>(
        &self,
        environment: &E,
        goals: &[NodeId],
        work: &mut Workspace,
        memory: &mut AbstractMemory,
    ) {
        let AbstractMemory { to_go, costs, open } = memory;
        to_go.clear();
        let known = |goal: &&NodeId| goal.index() < self.clusters.regions().len();
        let Ok(mut space) = environment.space() else {
            return;
        };
        if !goals.iter().all(|goal| known(&goal)) {
            return;
        }
        to_go.resize(self.clusters.count(), FAR);
        costs.clear();
        costs.resize(self.crossings.len(), FAR);
        open.clear();
        for goal in goals {
            let home = self.clusters.region(*goal);
            let (backwards, from) = (Reversed(&mut space), std::slice::from_ref(goal));
            let span = 2 * environment.step_max();
            let unreached = flood_cluster(backwards, span, &self.clusters, home, from, work);
            for &number in &self.entering[home as usize] {
                let crossing = &self.crossings[number as usize];
                let legs = crossing.heads.iter().map(|&head| work.cost(head).unwrap_or(unreached));
                let cost = crossing.cost.saturating_add(legs.min().unwrap_or(FAR));
                if cost < costs[number as usize] {
                    costs[number as usize] = cost;
                    open.push(Reverse((cost, number)));
                }
            }
        }
        while let Some(Reverse((cost, number))) = open.pop() {
            if cost > costs[number as usize] {
                continue;
            }
            let crossing = &self.crossings[number as usize];
            let known = &mut to_go[crossing.from as usize];
            *known = cost.min(*known);
            for &(before, between) in &self.before[number as usize] {
                let by_it = cost + between + self.crossings[before as usize].cost;
                if by_it < costs[before as usize] {
                    costs[before as usize] = by_it;
                    open.push(Reverse((by_it, before)));
                }
            }
        }
        for goal in goals {
            to_go[self.clusters.region(*goal) as usize] = 0;
        }
    }

    /// Estimates for the goals that the memory was prepared for.
    pub(crate) fn heuristic<'a>(&'a self, memory: &'a AbstractMemory) -> AbstractHeuristic<'a> {
        AbstractHeuristic { clusters: &self.clusters, to_go: &memory.to_go }
    }

    /// The clusters.
    pub fn clusters(&self) -> &Partition {
        &self.clusters
    }

    /// Which state of which environment they are of.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let heads = self.crossings.iter().map(|crossing| crossing.heads.len() * 4 + 40);
        let before = self.before.iter().map(|list| list.capacity() * 16 + 24);
        heads.chain(before).sum::<usize>() + self.clusters.regions().len() * 4
    }
}

/// The space of an environment, if the clusters are of that environment.
fn space_of<'e, E: Nodes>(
    environment: &'e E,
    clusters: &Partition,
) -> Result<E::Space<'e>, BuildError> {
    let (regions, nodes) = (clusters.regions().len(), environment.node_count());
    if regions != nodes {
        return Err(BuildError::NotServed(format!("a partition of {regions} nodes for {nodes}")));
    }
    environment.space().map_err(|refusal| BuildError::NotServed(refusal.to_string()))
}

/// Costs from some nodes within one cluster; returns what it costs at least to come to those that were not
/// reached.
fn flood_cluster(
    space: impl Space,
    span: u64,
    clusters: &Partition,
    cluster: u32,
    from: &[NodeId],
    work: &mut Workspace,
) -> u64 {
    let part = Part::of(space, |node: NodeId| clusters.region(node) == cluster);
    let seeds = from.iter().map(|&node| (node, 0));
    let mut run = Run::new(Limits::default());
    work.explore(part, span, seeds, &[], NoHeuristic, &mut run);
    run.unreached_cost()
}

/// The abstract-distance heuristic for the goals of one query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AbstractHeuristic<'a> {
    clusters: &'a Partition,
    to_go: &'a [u64],
}

impl Heuristic for AbstractHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let to_go = self.to_go.get(self.clusters.region(node) as usize).copied();
        to_go.unwrap_or(0).min(ESTIMATE_MAX)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
