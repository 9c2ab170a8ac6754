//! A graph of entrances: what "Hierarchical Path-Finding" (2022) and Botea et al. (2004) search first.
//!
//! Its nodes are the ends of edges between regions; its edges are those edges, and the shortest ways within a
//! region between its entrances. Start and goal are joined to the entrances of their regions for a query. A path
//! leaves and enters regions by such edges only, so with all of them kept the answer is shortest; with a few
//! for each pair of regions it is near that, and everything is smaller and faster. Links that a third
//! entrance lies on are left out.

use super::stage::{Inside, edges_of, span_of};
use crate::environment::{BuildError, Edition, Environment, NodeId, Revision, Watch};
use crate::graph::{Edge, Graph, GraphBuildError, Partition};
use crate::heuristic::{Metric, PositionEstimate};
use crate::planner::LayerInfo;
use crate::search::{Limits, NoHeuristic, Run, Workspace};

pub(super) const NONE: u32 = u32::MAX;

/// What there is to draw of a graph of entrances.
pub(super) static LAYERS: [LayerInfo; 3] = [
    LayerInfo::visible("entrances", "nodes that an edge joins with another region", 0.7),
    LayerInfo::hidden("links", "ways between entrances, and edges between regions"),
    LayerInfo::visible("stops", "the entrances that the path goes by", 0.9),
];

/// Regions joined by their entrances.
///
/// ```
/// use highroad::graph::{Edge, Graph, Partition};
/// use highroad::hierarchy::EntranceGraph;
/// use highroad::environment::NodeId;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let both_ways = |at| [Edge::new(at, at + 1, 2), Edge::new(at + 1, at, 2)];
/// let edges: Vec<Edge> = (0..99).flat_map(both_ways).collect();
/// let chain = Graph::from_edges(100, &edges)?;
/// let entrances = EntranceGraph::build(&chain, Partition::compute(&chain, 10), None)?;
/// let query = PathQuery::new(NodeId(3), NodeId(70));
/// let answer = entrances.solve(&chain, &query, &mut Scratch::new())?;
/// assert_eq!(answer.path().unwrap().cost().0, 134);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EntranceGraph {
    pub(super) partition: Partition,
    /// For each node its number among entrances, or [`NONE`].
    pub(super) numbers: Vec<u32>,
    /// The node of each entrance, by regions.
    pub(super) nodes: Vec<NodeId>,
    /// Where the entrances of each region begin, and the end.
    pub(super) first: Vec<u32>,
    pub(super) graph: Graph,
    /// How many edges between two regions were kept; `None`: all of them.
    pub(super) per_pair: Option<usize>,
    /// How searches are guided.
    pub(super) estimate: PositionEstimate,
    pub(super) whole: Edition,
    pub(super) revision: Revision,
    pub(super) own: Edition,
}

impl EntranceGraph {
    /// Makes the graph of entrances. `per_pair`: how many edges are kept between two regions, spread over their
    /// border; `None` keeps all of them. One search within its region for each entrance. Fails with
    /// [`BuildError::NotServed`] if the partition is of another graph, or if an edge is negative.
    pub fn build(
        graph: &Graph,
        partition: Partition,
        per_pair: Option<usize>,
    ) -> Result<Self, BuildError> {
        Self::build_watched(graph, partition, per_pair, &mut Watch::none())
    }

    /// As [`EntranceGraph::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, Partition};
    /// use highroad::hierarchy::EntranceGraph;
    /// use highroad::planner::{BuildError, Watch};
    /// use std::ops::ControlFlow;
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)])?;
    /// let regions = Partition::given(&graph, vec![0, 1])?;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let built = EntranceGraph::build_watched(&graph, regions, None, &mut Watch::new(&mut stop));
    /// assert_eq!(built.err(), Some(BuildError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(
        graph: &Graph,
        partition: Partition,
        per_pair: Option<usize>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        graph.serves_searches().map_err(BuildError::NotServed)?;
        check_partition(graph, &partition)?;
        let across = kept_edges(graph, &partition, per_pair);
        let mut this = Self::number(graph, partition, &across)?;
        this.per_pair = per_pair;
        let mut edges = this.numbered(&across);
        let (mut work, regions) = (Workspace::default(), this.partition.count());
        for region in 0..regions {
            watch.report(region as u64, regions as u64)?;
            this.link_region(graph, region, &mut edges, &mut work);
        }
        this.graph = Graph::from_edges(this.nodes.len(), &edges).map_err(not_served)?;
        Ok(this)
    }

    /// Edges between regions as edges between entrances.
    pub(super) fn numbered(&self, across: &[Edge]) -> Vec<Edge> {
        let number = |node: NodeId| NodeId(self.numbers[node.index()]);
        let edge = |edge: &Edge| Edge { from: number(edge.from), to: number(edge.to), ..*edge };
        across.iter().map(edge).collect()
    }

    /// Numbers the ends of some edges, region by region.
    pub(super) fn number(
        graph: &Graph,
        partition: Partition,
        across: &[Edge],
    ) -> Result<Self, BuildError> {
        let mut nodes: Vec<NodeId> = across.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        nodes.sort_unstable_by_key(|&node| (partition.region(node), node));
        nodes.dedup();
        let mut numbers = vec![NONE; partition.regions().len()];
        let mut first = vec![0; partition.count() + 1];
        for (number, &node) in (0..).zip(&nodes) {
            numbers[node.index()] = number;
            first[partition.region(node) as usize + 1] += 1;
        }
        for region in 1..first.len() {
            first[region] += first[region - 1];
        }
        Ok(Self {
            partition,
            numbers,
            nodes,
            first,
            // Replaced once its edges are known.
            graph: Graph::from_edges(0, &[]).map_err(not_served)?,
            per_pair: None,
            estimate: PositionEstimate::of(graph, Metric::Euclidean).unwrap_or_default(),
            whole: graph.edition(),
            revision: graph.revision(),
            own: Edition::new(),
        })
    }

    /// The shortest ways between the entrances of a region, within it.
    pub(super) fn link_region(
        &self,
        whole: &Graph,
        region: usize,
        edges: &mut Vec<Edge>,
        work: &mut Workspace,
    ) {
        let range = self.first[region]..self.first[region + 1];
        let entrances = &self.nodes[range.start as usize..range.end as usize];
        let count = entrances.len();
        let mut costs = vec![u64::MAX; count * count];
        for (from, &node) in entrances.iter().enumerate() {
            let inside = Inside { space: edges_of(whole), partition: &self.partition };
            let (seeds, mut run) = ([(node, 0)].into_iter(), Run::new(Limits::default()));
            work.explore(inside, span_of(whole), seeds, &[], NoHeuristic, &mut run);
            for (to, &node) in entrances.iter().enumerate() {
                costs[from * count + to] = work.cost(node).unwrap_or(u64::MAX);
            }
        }
        for from in 0..count {
            for to in (0..count).filter(|&to| to != from) {
                let cost = costs[from * count + to];
                // Within bounds by `check_partition`, unless there is no way.
                let Ok(weight) = i32::try_from(cost) else { continue };
                // Both parts must cost something, or two entrances in one place would leave out each other.
                let lies_between = |by: usize| {
                    let (before, after) = (costs[from * count + by], costs[by * count + to]);
                    before > 0 && after > 0 && before.saturating_add(after) == cost
                };
                if !(0..count).filter(|&by| by != from && by != to).any(lies_between) {
                    let number = |at: usize| NodeId(range.start + at as u32);
                    edges.push(Edge { from: number(from), to: number(to), weight });
                }
            }
        }
    }

    /// How many entrances there are.
    pub fn entrance_count(&self) -> usize {
        self.nodes.len()
    }

    /// The graph of entrances.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

pub(super) fn not_served(error: GraphBuildError) -> BuildError {
    BuildError::NotServed(error.to_string())
}

/// Whether a partition is one of the graph, and no way within one of its regions costs more than a link can.
pub(super) fn check_partition(graph: &Graph, partition: &Partition) -> Result<(), BuildError> {
    let (count, nodes) = (partition.regions().len(), graph.node_count());
    if count != nodes {
        let wrong = GraphBuildError::WrongCount { what: "regions", count, nodes };
        return Err(not_served(wrong));
    }
    // A shortest way leaves no node twice.
    let mut costs_max = vec![0u64; partition.count()];
    for node in (0..nodes as u32).map(NodeId) {
        let most = graph.outgoing().of(node).map(|(_, weight)| weight).max().unwrap_or(0);
        costs_max[partition.region(node) as usize] += u64::from(most.unsigned_abs());
    }
    match costs_max.iter().position(|&cost| cost > i32::MAX as u64) {
        None => Ok(()),
        Some(region) => Err(BuildError::NotServed(format!(
            "a way within region {region} could cost more than {}",
            i32::MAX
        ))),
    }
}

/// The edges between regions that are kept. Both directions of a street stay or go together.
pub(super) fn kept_edges(
    whole: &Graph,
    partition: &Partition,
    per_pair: Option<usize>,
) -> Vec<Edge> {
    let key = |edge: &Edge| {
        let regions = [partition.region(edge.from), partition.region(edge.to)];
        let pair = (regions[0].min(regions[1]), regions[0].max(regions[1]));
        (pair, (edge.from.min(edge.to), edge.from.max(edge.to)))
    };
    let differs = |edge: &Edge| partition.region(edge.from) != partition.region(edge.to);
    let mut edges: Vec<Edge> = whole.edges().filter(differs).collect();
    edges.sort_by_key(|edge| (key(edge), edge.from));
    let Some(most) = per_pair else { return edges };
    let mut kept = Vec::new();
    for border in edges.chunk_by(|a, b| key(a).0 == key(b).0) {
        let streets: Vec<&[Edge]> = border.chunk_by(|a, b| key(a).1 == key(b).1).collect();
        let count = most.max(1).min(streets.len());
        // Spread over the border, and the cheapest of each share: there the quick roads are.
        for share in 0..count {
            let range = share * streets.len() / count..(share + 1) * streets.len() / count;
            let weight = |street: &&&[Edge]| street.iter().map(|edge| edge.weight).min();
            kept.extend(streets[range].iter().min_by_key(weight).into_iter().copied().flatten());
        }
    }
    kept
}
