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

use super::part::PartQuery;
use super::{Adjacency, Graph, GraphScratch, Guide, NoGuide, NonNegative, Partition};
use crate::space::NodeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const FAR: u64 = u64::MAX;

/// Smallest distances between clusters.
///
/// ```
/// use highroad_core::{NodeId, graph::{ClusterTable, Edge, Graph, GraphScratch, Guide, Partition}};
/// let graph = Graph::from_edges(4, &[Edge::new(0, 1, 2), Edge::new(1, 2, 7), Edge::new(2, 3, 1)])?;
/// let clusters = Partition::given(&graph, vec![0, 0, 1, 1])?;
/// let table = ClusterTable::new(graph.non_negative()?, clusters, &mut GraphScratch::new()).unwrap();
/// assert_eq!(table.guide(&[NodeId(3)]).estimate(NodeId(0)), 7);
/// assert_eq!(table.guide(&[NodeId(3)]).estimate(NodeId(2)), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClusterTable {
    clusters: Partition,
    /// From each cluster to each.
    distances: Vec<u64>,
}

impl ClusterTable {
    /// The most clusters: the table then takes 128 MB.
    pub const COUNT_MAX: usize = 4096;

    /// One search over the whole graph for each cluster; `None` if there are too many, or the partition is
    /// that of another graph.
    pub fn new(
        graph: NonNegative<'_>,
        clusters: Partition,
        scratch: &mut GraphScratch,
    ) -> Option<Self> {
        let count = clusters.count();
        if count > Self::COUNT_MAX || clusters.regions().len() != graph.graph().node_count() {
            return None;
        }
        let mut distances = vec![FAR; count * count];
        for (from, nodes) in clusters.members().iter().enumerate() {
            if nodes.is_empty() {
                continue;
            }
            super::explore_from(graph, graph.graph().outgoing(), nodes, scratch).ok()?;
            for (node, &to) in (0..).zip(clusters.regions()) {
                let known = &mut distances[from * count + to as usize];
                *known = scratch.cost(NodeId(node)).unwrap_or(FAR).min(*known);
            }
        }
        Some(Self { clusters, distances })
    }

    /// Estimates to the nearest of some goals.
    pub fn guide(&self, goals: &[NodeId]) -> ClusterGuide<'_> {
        let known = |goal: &&NodeId| goal.index() < self.clusters.regions().len();
        let goals = goals.iter().filter(known).map(|&goal| self.clusters.region(goal)).collect();
        ClusterGuide { table: self, goals }
    }

    /// The clusters.
    pub fn clusters(&self) -> &Partition {
        &self.clusters
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.distances.capacity() * 8 + self.clusters.regions().len() * 4
    }
}

/// The cluster heuristic for the goals of one query.
#[derive(Clone, Debug)]
pub struct ClusterGuide<'t> {
    table: &'t ClusterTable,
    goals: Vec<u32>,
}

impl Guide for ClusterGuide<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let count = self.table.clusters.count();
        let from = self.table.clusters.region(node) as usize;
        let row = &self.table.distances[from * count..][..count];
        self.goals.iter().map(|&goal| row[goal as usize]).min().unwrap_or(0)
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
/// use highroad_core::NodeId;
/// use highroad_core::graph::{AbstractDistances, Edge, Graph, GraphScratch, Guide, Partition};
/// let edges = [Edge::new(0, 1, 2), Edge::new(1, 2, 7), Edge::new(2, 3, 3), Edge::new(3, 4, 1)];
/// let graph = Graph::from_edges(5, &edges)?;
/// let clusters = Partition::given(&graph, vec![0, 0, 1, 1, 2])?;
/// let mut scratch = GraphScratch::new();
/// let distances = AbstractDistances::new(graph.non_negative()?, clusters, &mut scratch).unwrap();
/// let guide = distances.guide(graph.non_negative()?, NodeId(4), &mut scratch);
/// assert_eq!(guide.estimate(NodeId(0)), 7 + 3 + 1);
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
}

#[derive(Clone, Debug)]
struct Crossing {
    from: u32,
    /// The cheapest edge.
    cost: u64,
    /// Where its edges end.
    heads: Vec<NodeId>,
}

impl AbstractDistances {
    /// One search within a cluster for each crossing into it; `None` if the partition is that of another
    /// graph.
    pub fn new(
        graph: NonNegative<'_>,
        clusters: Partition,
        scratch: &mut GraphScratch,
    ) -> Option<Self> {
        let graph = graph.graph();
        if clusters.regions().len() != graph.node_count() {
            return None;
        }
        let mut edges: Vec<(u32, u32, NodeId, NodeId, u64)> = graph
            .edges()
            .map(|edge| {
                let ends = (clusters.region(edge.from), clusters.region(edge.to));
                (ends.0, ends.1, edge.from, edge.to, u64::from(edge.weight.unsigned_abs()))
            })
            .filter(|edge| edge.0 != edge.1)
            .collect();
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
        let mut before = vec![Vec::new(); crossings.len()];
        for (cluster, list) in (0..).zip(&entering) {
            for &number in list {
                let crossing: &Crossing = &crossings[number as usize];
                flood_cluster(
                    graph,
                    graph.outgoing(),
                    &clusters,
                    cluster,
                    &crossing.heads,
                    scratch,
                );
                for (next, tails) in &leaving[cluster as usize] {
                    let least = tails.iter().filter_map(|&tail| scratch.cost(tail)).min();
                    if let Some(least) = least {
                        before[*next as usize].push((number, least));
                    }
                }
            }
        }
        Some(Self { clusters, crossings, before, entering })
    }

    /// Looks backwards from a goal: what each cluster is at least away from it.
    pub fn guide(
        &self,
        graph: NonNegative<'_>,
        goal: NodeId,
        scratch: &mut GraphScratch,
    ) -> AbstractGuide<'_> {
        let mut to_go = vec![FAR; self.clusters.count()];
        let graph = graph.graph();
        let Some(&home) = self.clusters.regions().get(goal.index()) else {
            return AbstractGuide {
                clusters: &self.clusters,
                to_go: vec![0; self.clusters.count()],
            };
        };
        flood_cluster(graph, graph.incoming(), &self.clusters, home, &[goal], scratch);
        // Costs of crossings and all that follows, until the goal.
        let mut costs = vec![FAR; self.crossings.len()];
        let mut open = BinaryHeap::new();
        for &number in &self.entering[home as usize] {
            let crossing = &self.crossings[number as usize];
            let last_leg = crossing.heads.iter().filter_map(|&head| scratch.cost(head)).min();
            if let Some(last_leg) = last_leg {
                costs[number as usize] = crossing.cost + last_leg;
                open.push(Reverse((crossing.cost + last_leg, number)));
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
        to_go[home as usize] = 0;
        AbstractGuide { clusters: &self.clusters, to_go }
    }
}

/// Costs from some nodes within one cluster.
fn flood_cluster(
    graph: &Graph,
    edges: &Adjacency,
    clusters: &Partition,
    cluster: u32,
    from: &[NodeId],
    scratch: &mut GraphScratch,
) {
    let seeds: Vec<(NodeId, u64)> = from.iter().map(|&node| (node, 0)).collect();
    let may_enter = |node: NodeId| clusters.region(node) == cluster;
    let (weight_max, guide) = (graph.weight_max(), &NoGuide);
    PartQuery { edges, weight_max, seeds: &seeds, goals: &[], guide, may_enter }.run(scratch);
}

/// The abstract-distance heuristic for the goal of one query.
#[derive(Clone, Debug)]
pub struct AbstractGuide<'a> {
    clusters: &'a Partition,
    to_go: Vec<u64>,
}

impl Guide for AbstractGuide<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.to_go[self.clusters.region(node) as usize]
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
