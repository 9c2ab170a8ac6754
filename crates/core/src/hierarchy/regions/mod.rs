//! Regions of a general graph: a route through regions first, then the way through each.
//!
//! After Botea, Müller and Schaeffer (2004) and Buckland (2005): nodes are grouped into regions, regions with
//! an edge between them are joined in a graph of regions, and that is searched first; only the regions on
//! the route are then looked into. Regions may be grouped again, to any number of levels: a route on one
//! level bounds the search on the level below.
//!
//! Where edges go both ways a route can always be walked, since regions hang together. On other graphs the
//! corridor may be a dead end; then the whole graph is searched, so that a path is found exactly when there is
//! one. Paths are near optimal at best: how near depends on the [`ConnectionCost`] and the [`Refinement`].
//!
//! [`EntranceGraph`] is the other way to have regions: its abstract nodes are not regions but the entrances
//! between them, which costs more memory and loses little or nothing.
//!
//! It lives beside the graphs and not among the hierarchies of grids, since those follow edits and this does
//! not.

mod connections;
mod entrances;
mod query;

pub use connections::ConnectionCost;
pub use entrances::EntranceGraph;
pub use query::{RegionAnswer, RegionEffort};

use super::{
    AllPairs, AllPairsError, AllPairsMethod, Edge, Graph, GraphBuildError, GraphScratch,
    NonNegative, Partition,
};
use crate::space::NodeId;
use thiserror::Error;

/// How a route through regions becomes a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refinement {
    /// Leg by leg: from where one stands to the entrance of the next region that is cheapest to reach. What
    /// a traveller does who plans no further than that.
    Legs,
    /// One search that may enter every region on the route.
    #[default]
    Corridor,
}

/// What regions are made of and how they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionOptions {
    /// What it costs to go from one region to a neighbour.
    pub connection: ConnectionCost,
    /// How routes become paths.
    pub refinement: Refinement,
    /// Whether routes on the highest level are looked up in a table of all pairs instead of searched.
    pub table: bool,
    /// How many levels of regions there are: 1 or more.
    pub levels: u32,
    /// How many regions make one of the next level.
    pub regions_grouped: u32,
}

impl Default for RegionOptions {
    fn default() -> Self {
        Self {
            connection: ConnectionCost::AverageMinimum,
            refinement: Refinement::Corridor,
            table: false,
            levels: 1,
            regions_grouped: 12,
        }
    }
}

/// Why regions cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RegionError {
    /// The partition is that of another graph.
    #[error("a partition of {regions} nodes for a graph of {nodes}")]
    WrongPartition {
        /// How many nodes the partition has.
        regions: usize,
        /// How many the graph has.
        nodes: usize,
    },
    /// No level at all, or more than anyone needs.
    #[error("{levels} levels of regions: there may be 1 to {}", Regions::LEVELS_MAX)]
    Levels {
        /// How many were asked for.
        levels: u32,
    },
    /// Costs given by hand that do not fit.
    #[error("a cost from region {from} to region {to} was given, but no edge leads there")]
    NoSuchConnection {
        /// Where from.
        from: u32,
        /// Where to.
        to: u32,
    },
    /// The table of all pairs cannot be made.
    #[error(transparent)]
    Table(#[from] AllPairsError),
    /// The graph of regions cannot be made.
    #[error(transparent)]
    Graph(#[from] GraphBuildError),
}

/// One level: which group each node of the level below is in, and the graph of groups.
struct Level {
    groups: Partition,
    graph: Graph,
}

/// A graph with its regions.
///
/// ```
/// use highroad_core::NodeId;
/// use highroad_core::graph::{Edge, Graph, GraphScratch, Partition, RegionOptions, Regions};
/// let both_ways = |at| [Edge::new(at, at + 1, 1), Edge::new(at + 1, at, 1)];
/// let edges: Vec<Edge> = (0..99).flat_map(both_ways).collect();
/// let chain = Graph::from_edges(100, &edges)?;
/// let view = chain.non_negative()?;
/// let mut scratch = GraphScratch::new();
/// let partition = Partition::compute(&chain, 10);
/// let regions = Regions::build(view, partition, RegionOptions::default(), &mut scratch)?;
/// let answer = regions.find(view, NodeId(3), NodeId(70), &mut scratch)?;
/// assert_eq!(answer.path.unwrap().cost, 67);
/// assert!(answer.effort.nodes_expanded < 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Regions {
    options: RegionOptions,
    levels: Vec<Level>,
    table: Option<AllPairs>,
    node_count: usize,
}

impl Regions {
    /// The most levels.
    pub const LEVELS_MAX: u32 = 16;

    /// Makes the regions of a partition into levels of graphs.
    pub fn build(
        graph: NonNegative<'_>,
        partition: Partition,
        options: RegionOptions,
        scratch: &mut GraphScratch,
    ) -> Result<Self, RegionError> {
        Self::build_level(graph, partition, options, None, scratch)
    }

    /// With connection costs of the first level given by hand: from region, to region, cost. Those not
    /// given follow the options.
    pub fn with_costs(
        graph: NonNegative<'_>,
        partition: Partition,
        options: RegionOptions,
        costs: &[(u32, u32, u32)],
        scratch: &mut GraphScratch,
    ) -> Result<Self, RegionError> {
        Self::build_level(graph, partition, options, Some(costs), scratch)
    }

    fn build_level(
        graph: NonNegative<'_>,
        partition: Partition,
        options: RegionOptions,
        given: Option<&[(u32, u32, u32)]>,
        scratch: &mut GraphScratch,
    ) -> Result<Self, RegionError> {
        let node_count = graph.graph().node_count();
        if partition.regions().len() != node_count {
            let regions = partition.regions().len();
            return Err(RegionError::WrongPartition { regions, nodes: node_count });
        }
        if options.levels == 0 || options.levels > Self::LEVELS_MAX {
            return Err(RegionError::Levels { levels: options.levels });
        }
        let mut edges = connections::edges(graph, &partition, options.connection, scratch);
        for &(from, to, cost) in given.unwrap_or_default() {
            let known = |edge: &&mut Edge| (edge.from.0, edge.to.0) == (from, to);
            let Some(edge) = edges.iter_mut().find(known) else {
                return Err(RegionError::NoSuchConnection { from, to });
            };
            edge.weight = i32::try_from(cost).unwrap_or(i32::MAX);
        }
        let above = Graph::from_edges(partition.count(), &edges)?;
        let mut levels = vec![Level { groups: partition, graph: above }];
        for _ in 1..options.levels {
            let Some(below) = levels.last() else { break };
            // A graph of regions has no negative edge: all its weights are sums of such.
            let Ok(view) = below.graph.non_negative() else { break };
            let groups = Partition::compute(&below.graph, options.regions_grouped.max(2) as usize);
            let edges = connections::edges(view, &groups, options.connection, scratch);
            let graph = Graph::from_edges(groups.count(), &edges)?;
            levels.push(Level { groups, graph });
        }
        let highest = &levels[levels.len() - 1].graph;
        let table = match options.table {
            true => Some(AllPairs::find(highest, AllPairsMethod::for_graph(highest))?),
            false => None,
        };
        Ok(Self { options, levels, table, node_count })
    }

    /// The regions of the first level.
    pub fn partition(&self) -> &Partition {
        &self.levels[0].groups
    }

    /// The graph of regions of a level, from 0.
    pub fn graph_of(&self, level: usize) -> Option<&Graph> {
        self.levels.get(level).map(|level| &level.graph)
    }

    /// How many levels of regions there are.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// The nodes of the graph from which an edge leads into another region, or to which one leads: the
    /// entrances and exits.
    pub fn entrances(&self, graph: NonNegative<'_>) -> Vec<NodeId> {
        let mut is_entrance = vec![false; self.node_count];
        for edge in graph.graph().edges() {
            let known = edge.from.index().max(edge.to.index()) < self.node_count;
            if known && self.partition().region(edge.from) != self.partition().region(edge.to) {
                is_entrance[edge.from.index()] = true;
                is_entrance[edge.to.index()] = true;
            }
        }
        let nodes = (0..self.node_count as u32).map(NodeId);
        nodes.filter(|node| is_entrance[node.index()]).collect()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let level = |level: &Level| level.groups.regions().len() * 4 + level.graph.memory_bytes();
        self.levels.iter().map(level).sum::<usize>()
            + self.table.as_ref().map_or(0, AllPairs::memory_bytes)
    }
}

#[cfg(test)]
mod tests;
