//! Regions of a general graph: a route through regions first, then the way through each.
//!
//! After Botea, Müller and Schaeffer (2004) and Buckland (2005): nodes are grouped into regions, regions with
//! an edge between them are joined in a graph of regions, and that is searched first; only the regions on
//! the route are then looked into. Regions may be grouped again, to any number of levels: a route on one
//! level bounds the search on the level below.
//!
//! Where edges go both ways a route can always be walked, since regions hang together. On other graphs the
//! corridor may be a dead end; then the whole graph is searched, so that a path is found exactly when there is
//! one. Paths are near optimal at best: how near depends on the [`ConnectionCost`] and the [`RegionRefinement`].
//!
//! [`EntranceGraph`] is the other way to have regions: its abstract nodes are not regions but the entrances
//! between them, which costs more memory and loses little or nothing.
//!
//! A graph of entrances follows edits: the links of a region are found again only if something within it has changed.
//! [`Regions`] do not follow edits.

mod connections;
mod entrances;
mod entry;
mod patch;
mod query;
mod refine;
mod stage;

pub use connections::ConnectionCost;
pub use entrances::EntranceGraph;

pub(crate) use entry::{ENTRANCES, REGIONS};

use crate::environment::{BuildError, Edition, Environment, NodeId, Watch};
use crate::graph::{
    AllPairs, AllPairsError, AllPairsMethod, Edge, Graph, GraphBuildError, NegativeEdge, Partition,
};
use crate::heuristic::{Metric, PositionEstimate};
use crate::planner::LayerInfo;
use crate::search::Workspace;
use thiserror::Error;

/// What there is to draw of regions.
static LAYERS: [LayerInfo; 2] = [
    LayerInfo::visible("connections", "which regions an edge leads between", 0.5),
    LayerInfo::visible("route", "the regions that the path was looked for in", 0.9),
];

/// How a route through regions becomes a path.
///
/// ```
/// use highroad::hierarchy::{RegionOptions, RegionRefinement};
/// let options = RegionOptions::default().with_refinement(RegionRefinement::Legs).with_regions_grouped(6);
/// assert_eq!((options.refinement, options.regions_grouped), (RegionRefinement::Legs, 6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegionRefinement {
    /// Leg by leg: from where one stands to the entrance of the next region that is cheapest to reach. What
    /// a traveller does that plans no further than that.
    Legs,
    /// One search that may enter every region on the route.
    #[default]
    Corridor,
}

/// What regions are made of and how they are used.
///
/// ```
/// use highroad::hierarchy::{ConnectionCost, RegionOptions};
/// let options = RegionOptions::default().with_connection(ConnectionCost::AverageMinimum).with_levels(2);
/// assert_eq!(options.levels, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionOptions {
    /// What it costs to go from one region to a neighbour.
    pub connection: ConnectionCost,
    /// How routes become paths.
    pub refinement: RegionRefinement,
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
            refinement: RegionRefinement::Corridor,
            table: false,
            levels: 1,
            regions_grouped: 12,
        }
    }
}

impl RegionOptions {
    /// The same options with that cost of going from one region to a neighbour.
    pub fn with_connection(self, connection: ConnectionCost) -> Self {
        Self { connection, ..self }
    }

    /// The same options with routes that become paths in that way.
    pub fn with_refinement(self, refinement: RegionRefinement) -> Self {
        Self { refinement, ..self }
    }

    /// The same options with routes on the highest level looked up in a table of all pairs.
    pub fn with_table(self) -> Self {
        Self { table: true, ..self }
    }

    /// The same options with so many levels of regions.
    pub fn with_levels(self, levels: u32) -> Self {
        Self { levels, ..self }
    }

    /// The same options with so many regions in one of the next level.
    pub fn with_regions_grouped(self, regions_grouped: u32) -> Self {
        Self { regions_grouped, ..self }
    }
}

/// Why regions cannot be made.
///
/// ```
/// use highroad::graph::{Graph, Partition};
/// use highroad::hierarchy::{RegionError, RegionOptions, Regions};
/// let graph = Graph::from_edges(2, &[])?;
/// let options = RegionOptions::default().with_levels(99);
/// let error: RegionError = Regions::build(&graph, Partition::compute(&graph, 1), options).err().unwrap();
/// assert_eq!(error.to_string(), "99 levels of regions: there may be 1 to 16");
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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
    /// Costs along negative edges are not what searches can count.
    #[error(transparent)]
    Negative(#[from] NegativeEdge),
    /// The build was stopped.
    #[error("the build was stopped")]
    Stopped,
}

impl From<RegionError> for BuildError {
    fn from(error: RegionError) -> Self {
        match error {
            RegionError::Stopped => Self::Stopped,
            other => Self::NotServed(other.to_string()),
        }
    }
}

/// One level: which group each node of the level below is in, and the graph of groups.
struct Level {
    groups: Partition,
    graph: Graph,
    /// A node of the graph in each group, which stands for it in traces.
    heads: Vec<NodeId>,
}

impl Level {
    /// `heads`: for each member of a group, a node that stands for it.
    fn new(groups: Partition, graph: Graph, members: impl Iterator<Item = NodeId>) -> Self {
        let mut heads = vec![NodeId(u32::MAX); groups.count()];
        for (node, &group) in members.zip(groups.regions()) {
            let head = &mut heads[group as usize];
            *head = node.min(*head);
        }
        Self { groups, graph, heads }
    }
}

/// A graph with its regions.
///
/// ```
/// use highroad::graph::{Edge, Graph, Partition};
/// use highroad::hierarchy::{RegionOptions, Regions};
/// use highroad::environment::NodeId;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let both_ways = |at| [Edge::new(at, at + 1, 1), Edge::new(at + 1, at, 1)];
/// let edges: Vec<Edge> = (0..99).flat_map(both_ways).collect();
/// let chain = Graph::from_edges(100, &edges)?;
/// let regions = Regions::build(&chain, Partition::compute(&chain, 10), RegionOptions::default())?;
/// let mut scratch = Scratch::new();
/// let answer = regions.solve(&chain, &PathQuery::new(NodeId(3), NodeId(70)), &mut scratch)?;
/// assert_eq!(answer.path().unwrap().cost().0, 67);
/// assert!(scratch.statistics().expanded < 90);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Regions {
    options: RegionOptions,
    levels: Vec<Level>,
    table: Option<AllPairs>,
    /// How the search among nodes is guided.
    estimate: PositionEstimate,
    graph: Edition,
    own: Edition,
}

impl Regions {
    /// The most levels.
    pub const LEVELS_MAX: u32 = 16;

    /// Makes the regions of a partition into levels of graphs. Fails with a [`RegionError`] if the partition is of another
    /// graph, if an edge is negative, if there are too many levels, or if the table cannot be made.
    pub fn build(
        graph: &Graph,
        partition: Partition,
        options: RegionOptions,
    ) -> Result<Self, RegionError> {
        Self::build_watched(graph, partition, options, &[], &mut Watch::none())
    }

    /// As [`Regions::build`], with progress. Fails with [`RegionError::Stopped`] when the watch stops it. `costs` are connection
    /// costs of the first level given by hand: from region, to region, cost. Those not given follow the options.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, Partition};
    /// use highroad::hierarchy::{RegionOptions, Regions};
    /// use highroad::planner::Watch;
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)])?;
    /// let regions = Partition::given(&graph, vec![0, 1])?;
    /// let toll = [(0, 1, 50)]; // from region 0 to region 1
    /// let regions = Regions::build_watched(&graph, regions, RegionOptions::default(), &toll, &mut Watch::none())?;
    /// assert_eq!(regions.graph_of(0).unwrap().edges().next(), Some(Edge::new(0, 1, 50)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(
        graph: &Graph,
        partition: Partition,
        options: RegionOptions,
        costs: &[(u32, u32, u32)],
        watch: &mut Watch<'_>,
    ) -> Result<Self, RegionError> {
        let (regions, nodes) = (partition.regions().len(), graph.node_count());
        if regions != nodes {
            return Err(RegionError::WrongPartition { regions, nodes });
        }
        if options.levels == 0 || options.levels > Self::LEVELS_MAX {
            return Err(RegionError::Levels { levels: options.levels });
        }
        graph.non_negative()?;
        let mut work = Workspace::default();
        let mut edges =
            connections::edges(graph, &partition, options.connection, &mut work, watch)?;
        for &(from, to, cost) in costs {
            let known = |edge: &&mut Edge| (edge.from.0, edge.to.0) == (from, to);
            let Some(edge) = edges.iter_mut().find(known) else {
                return Err(RegionError::NoSuchConnection { from, to });
            };
            edge.weight = i32::try_from(cost).unwrap_or(i32::MAX);
        }
        let above = Graph::from_edges(partition.count(), &edges)?;
        let mut levels = vec![Level::new(partition, above, (0..nodes as u32).map(NodeId))];
        for _ in 1..options.levels {
            let below = &levels[levels.len() - 1];
            let size = options.regions_grouped.max(2) as usize;
            let groups = Partition::compute_watched(&below.graph, size, watch);
            let groups = groups.map_err(|_| RegionError::Stopped)?;
            let edges =
                connections::edges(&below.graph, &groups, options.connection, &mut work, watch)?;
            let graph = Graph::from_edges(groups.count(), &edges)?;
            let level = Level::new(groups, graph, below.heads.iter().copied());
            levels.push(level);
        }
        let highest = &levels[levels.len() - 1].graph;
        let table = match options.table {
            true => {
                let method = AllPairsMethod::for_graph(highest);
                match AllPairs::find_watched(highest, method, watch) {
                    Err(AllPairsError::Stopped) => return Err(RegionError::Stopped),
                    table => Some(table?),
                }
            }
            false => None,
        };
        let estimate = PositionEstimate::of(graph, Metric::Euclidean).unwrap_or_default();
        let (graph, own) = (graph.edition(), Edition::new());
        Ok(Self { options, levels, table, estimate, graph, own })
    }

    /// The regions of the first level.
    pub fn partition(&self) -> &Partition {
        &self.levels[0].groups
    }

    /// The graph of regions of a level, from 0.
    ///
    /// `None` if there is no such level.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, Partition};
    /// use highroad::hierarchy::{RegionOptions, Regions};
    /// let graph = Graph::from_edges(4, &[Edge::new(0, 1, 1), Edge::new(1, 2, 1), Edge::new(2, 3, 1)])?;
    /// let partition = Partition::given(&graph, vec![0, 0, 1, 1])?;
    /// let regions = Regions::build(&graph, partition, RegionOptions::default())?;
    /// let of_regions = regions.graph_of(0).expect("there is one level");
    /// assert_eq!((of_regions.node_count(), of_regions.edge_count()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn graph_of(&self, level: usize) -> Option<&Graph> {
        self.levels.get(level).map(|level| &level.graph)
    }

    /// How many levels of regions there are.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }
}

#[cfg(test)]
mod tests;
