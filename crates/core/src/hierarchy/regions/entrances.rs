//! A graph of entrances: what "Hierarchical Path-Finding" (2022) and Botea et al. (2004) search first.
//!
//! Its nodes are the ends of edges between regions; its edges are those edges, and the shortest ways within a
//! region between its entrances. Start and goal are joined to the entrances of their regions for a query. A path
//! leaves and enters regions by such edges only, so with all of them kept the answer is shortest; with a few
//! for each pair of regions it is near that, and everything is smaller and faster. Links that a third
//! entrance lies on are left out.

use super::super::part::PartQuery;
use super::super::search::cost_along;
use super::super::{
    Edge, Graph, GraphBuildError, GraphPath, GraphQueryError, GraphScratch, Guide, NonNegative,
    Partition,
};
use super::query::{RegionAnswer, RegionEffort, search};
use crate::graph::NoGuide;
use crate::space::NodeId;

const NONE: u32 = u32::MAX;

/// Regions joined by their entrances.
///
/// ```
/// use highroad_core::NodeId;
/// use highroad_core::graph::{Edge, EntranceGraph, Graph, GraphScratch, NoGuide, Partition};
/// let both_ways = |at| [Edge::new(at, at + 1, 2), Edge::new(at + 1, at, 2)];
/// let edges: Vec<Edge> = (0..99).flat_map(both_ways).collect();
/// let chain = Graph::from_edges(100, &edges)?;
/// let (view, mut scratch) = (chain.non_negative()?, GraphScratch::new());
/// let partition = Partition::compute(&chain, 10);
/// let entrances = EntranceGraph::build(view, partition, None, &mut scratch)?;
/// let answer = entrances.find(view, NodeId(3), NodeId(70), &NoGuide, &mut scratch)?;
/// assert_eq!(answer.path.unwrap().cost, 134);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EntranceGraph {
    partition: Partition,
    /// For each node its number among entrances, or [`NONE`].
    numbers: Vec<u32>,
    /// The node of each entrance, by regions.
    nodes: Vec<NodeId>,
    /// Where the entrances of each region begin, and the end.
    first: Vec<u32>,
    graph: Graph,
}

impl EntranceGraph {
    /// Makes the graph of entrances. `per_pair`: how many edges are kept between two regions, spread over their
    /// border; all of them if not told.
    pub fn build(
        graph: NonNegative<'_>,
        partition: Partition,
        per_pair: Option<usize>,
        scratch: &mut GraphScratch,
    ) -> Result<Self, GraphBuildError> {
        let whole = graph.graph();
        let (count, nodes) = (partition.regions().len(), whole.node_count());
        if count != nodes {
            return Err(GraphBuildError::WrongCount { what: "regions", count, nodes });
        }
        let across = kept_edges(whole, &partition, per_pair);
        let mut this = Self::number(partition, &across)?;
        let number = |node: NodeId| NodeId(this.numbers[node.index()]);
        let mut edges: Vec<Edge> = across
            .iter()
            .map(|edge| Edge { from: number(edge.from), to: number(edge.to), weight: edge.weight })
            .collect();
        for region in 0..this.partition.count() {
            this.link_region(whole, region, &mut edges, scratch);
        }
        this.graph = Graph::from_edges(this.nodes.len(), &edges)?;
        Ok(this)
    }

    /// Numbers the ends of some edges, region by region.
    fn number(partition: Partition, across: &[Edge]) -> Result<Self, GraphBuildError> {
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
        // Replaced once its edges are known.
        let graph = Graph::from_edges(0, &[])?;
        Ok(Self { partition, numbers, nodes, first, graph })
    }

    /// The shortest ways between the entrances of a region, within it.
    fn link_region(
        &self,
        whole: &Graph,
        region: usize,
        edges: &mut Vec<Edge>,
        scratch: &mut GraphScratch,
    ) {
        let range = self.first[region]..self.first[region + 1];
        let entrances = &self.nodes[range.start as usize..range.end as usize];
        let count = entrances.len();
        let mut costs = vec![u64::MAX; count * count];
        for (from, &node) in entrances.iter().enumerate() {
            let query = PartQuery {
                edges: whole.outgoing(),
                weight_max: whole.weight_max(),
                seeds: &[(node, 0)],
                goals: &[],
                guide: &NoGuide,
                may_enter: |node| self.partition.region(node) as usize == region,
            };
            query.run(scratch);
            for (to, &node) in entrances.iter().enumerate() {
                costs[from * count + to] = scratch.cost(node).unwrap_or(u64::MAX);
            }
        }
        for from in 0..count {
            for to in (0..count).filter(|&to| to != from) {
                let cost = costs[from * count + to];
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

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        (2 * self.numbers.len() + self.nodes.len() + self.first.len()) * 4
            + self.graph.memory_bytes()
    }

    /// A path between two nodes: the entrances it goes by first, then the way between each two.
    pub fn find<G: Guide>(
        &self,
        graph: NonNegative<'_>,
        start: NodeId,
        goal: NodeId,
        guide: &G,
        scratch: &mut GraphScratch,
    ) -> Result<RegionAnswer, GraphQueryError> {
        let whole = graph.graph();
        let nodes = whole.node_count().min(self.numbers.len());
        if let Some(node) = [start, goal].into_iter().find(|node| node.index() >= nodes) {
            return Err(GraphQueryError::NoSuchNode { node, nodes });
        }
        let mut effort = RegionEffort::default();
        let home = self.partition.region(start) == self.partition.region(goal);
        let direct =
            if home { self.within(whole, start, goal, &mut effort, scratch) } else { None };
        let direct = direct.map(|nodes| (cost_along(whole, &nodes), nodes));
        let by = self.entrances_between(whole, (start, goal), guide, &mut effort, scratch);
        let trail = match (by, direct) {
            (Some((cost, _)), Some((near, nodes))) if near <= cost => Some(nodes),
            (Some((_, stops)), _) => self.refine(whole, &stops, &mut effort, scratch),
            (None, near) => near.map(|near| near.1),
        };
        // Where entrances were left out, or edges go one way, the graph of entrances may know no way.
        let trail = trail.or_else(|| {
            effort.fell_back = true;
            let trail = search(whole, start, &[goal], guide, |_| true, scratch);
            effort.nodes_expanded += scratch.statistics().expanded;
            trail
        });
        let mut route: Vec<u32> =
            trail.iter().flatten().map(|&node| self.partition.region(node)).collect();
        route.dedup();
        let path = trail.map(|nodes| GraphPath { cost: cost_along(whole, &nodes), nodes });
        Ok(RegionAnswer { path, route, effort })
    }

    /// What each entrance of a region costs from a node, or to it.
    fn joined(
        &self,
        whole: &Graph,
        node: NodeId,
        backwards: bool,
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Vec<(NodeId, u64)> {
        let region = self.partition.region(node);
        let query = PartQuery {
            edges: if backwards { whole.incoming() } else { whole.outgoing() },
            weight_max: whole.weight_max(),
            seeds: &[(node, 0)],
            goals: &[],
            guide: &NoGuide,
            may_enter: |node| self.partition.region(node) == region,
        };
        query.run(scratch);
        effort.nodes_expanded += scratch.statistics().expanded;
        let range = self.first[region as usize]..self.first[region as usize + 1];
        let cost = |number: u32| Some((NodeId(number), scratch.cost(self.nodes[number as usize])?));
        range.filter_map(cost).collect()
    }

    /// The cost of the best way by entrances, and its stops: start, entrances, goal.
    fn entrances_between<G: Guide>(
        &self,
        whole: &Graph,
        (start, goal): (NodeId, NodeId),
        guide: &G,
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Option<(u64, Vec<NodeId>)> {
        let last_steps = self.joined(whole, goal, true, effort, scratch);
        let seeds = self.joined(whole, start, false, effort, scratch);
        // The goal is one node more.
        let end = NodeId(self.nodes.len() as u32);
        let first = last_steps.first().map_or(0, |step| step.0.0);
        let mut costs =
            vec![u32::MAX; last_steps.last().map_or(0, |step| step.0.0 + 1 - first) as usize];
        for (entrance, cost) in &last_steps {
            costs[(entrance.0 - first) as usize] = u32::try_from(*cost).unwrap_or(u32::MAX);
        }
        let last_step = |node: NodeId| {
            let cost = costs.get(node.0.wrapping_sub(first) as usize).copied();
            cost.filter(|&cost| cost != u32::MAX).map(|cost| (end, cost))
        };
        let query = PartQuery {
            edges: self.graph.outgoing(),
            weight_max: self.graph.weight_max().max(whole.weight_max()),
            seeds: &seeds,
            goals: &[],
            guide: &EntranceGuide { guide, nodes: &self.nodes, goal },
            may_enter: |_| true,
        };
        let reached = query.run_until(|node| node == end, last_step, scratch);
        effort.regions_expanded += scratch.statistics().expanded;
        let reached = reached?;
        let cost = scratch.cost(reached)?;
        let mut stops = vec![start];
        let trail = scratch.trail_to(reached);
        stops.extend(trail.iter().filter_map(|at| self.nodes.get(at.index()).copied()));
        stops.push(goal);
        stops.dedup();
        Some((cost, stops))
    }

    /// The way by some stops: within a region, or along an edge between two.
    fn refine(
        &self,
        whole: &Graph,
        stops: &[NodeId],
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Option<Vec<NodeId>> {
        let mut trail = vec![*stops.first()?];
        for pair in stops.windows(2) {
            if self.partition.region(pair[0]) == self.partition.region(pair[1]) {
                let leg = self.within(whole, pair[0], pair[1], effort, scratch)?;
                trail.extend_from_slice(&leg[1..]);
            } else {
                trail.push(pair[1]);
            }
        }
        Some(trail)
    }

    /// The shortest way within the region of two nodes.
    fn within(
        &self,
        whole: &Graph,
        from: NodeId,
        to: NodeId,
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Option<Vec<NodeId>> {
        let region = self.partition.region(from);
        let may_enter = |node| self.partition.region(node) == region;
        let leg = search(whole, from, &[to], &NoGuide, may_enter, scratch);
        effort.nodes_expanded += scratch.statistics().expanded;
        leg
    }
}

/// A guide for nodes as one for entrances.
struct EntranceGuide<'g, G> {
    guide: &'g G,
    nodes: &'g [NodeId],
    goal: NodeId,
}

impl<G: Guide> Guide for EntranceGuide<'_, G> {
    #[inline]
    fn estimate(&self, entrance: NodeId) -> u64 {
        let node = self.nodes.get(entrance.index()).copied().unwrap_or(self.goal);
        self.guide.estimate(node)
    }

    fn is_admissible(&self) -> bool {
        self.guide.is_admissible()
    }

    fn is_consistent(&self) -> bool {
        self.guide.is_consistent()
    }
}

/// The edges between regions that are kept. Both directions of a street stay or go together.
fn kept_edges(whole: &Graph, partition: &Partition, per_pair: Option<usize>) -> Vec<Edge> {
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
