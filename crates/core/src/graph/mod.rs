//! Explicit graphs: directed, weighted, compact; and the classic algorithms on them.
//!
//! A [`Graph`] is an environment like a grid: [`GraphSearch`](crate::GraphSearch), contraction hierarchies and region
//! hierarchies are its planners. [`NonNegative`] is the view that Dijkstra's family asks for.
//!
//! Beside the common interface are what is no query for a path: Bellman–Ford takes negative weights and answers
//! for all nodes at once, or with a negative cycle; Floyd–Warshall and [`AllPairs`] answer for all pairs.
//!
//! ```
//! use highroad::graph::{Edge, Graph};
//! use highroad::environment::NodeId;
//! use highroad::online::GraphSearch;
//! use highroad::planner::{PathQuery, Planner, Scratch};
//!
//! let edges = [Edge::new(0, 1, 2), Edge::new(1, 2, 2), Edge::new(0, 2, 5)];
//! let graph = Graph::from_edges(3, &edges)?;
//! let query = PathQuery::new(NodeId(0), NodeId(2));
//! let answer = GraphSearch::dijkstra().solve(&graph, &query, &mut Scratch::new())?;
//! assert_eq!(answer.path().unwrap().cost().0, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjacency;
mod all_pairs;
mod apply;
mod bellman_ford;
mod change;
mod edit;
mod environment;
mod floyd_warshall;
mod partition;
#[cfg(feature = "serde")]
mod readable;
mod saved;
mod space;
mod text;
mod totals;
mod variation;
mod weak_parts;

pub use crate::environment::Position;
pub use adjacency::Adjacency;
pub use all_pairs::{AllPairs, AllPairsError, AllPairsMethod, TreeRow};
pub use bellman_ford::{
    BellmanFord, NegativeCycle, ShortestPaths, bellman_ford, bellman_ford_watched, negative_cycle,
    negative_cycle_watched,
};
pub use change::{EdgeChange, EdgeState};
pub use edit::{GraphBatch, GraphEditError, GraphEditProblem};
pub use environment::{GraphPathProblem, GraphRefusal, TooCostly};
pub use floyd_warshall::{FloydWarshall, Round, Tile};
pub use partition::{Partition, PartitionError};
pub use space::GraphSpace;
pub use text::{GraphTextError, GraphTextProblem, read_coordinates, read_dimacs, read_edge_list};
pub use weak_parts::WeakParts;

use crate::environment::{Edition, NodeId, Revision, StableHash};
use std::sync::{Arc, OnceLock};
use thiserror::Error;
use totals::Totals;

/// A directed edge.
///
/// ```
/// use highroad::graph::Edge;
/// let street = Edge::new(0, 1, 7);
/// assert_eq!(street.reversed(), Edge::new(1, 0, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// What it costs to follow it. May be negative: see [`Graph::non_negative`].
    pub weight: i32,
}

impl Edge {
    /// An edge between two nodes by their numbers.
    pub const fn new(from: u32, to: u32, weight: i32) -> Self {
        Self { from: NodeId(from), to: NodeId(to), weight }
    }

    /// The same edge the other way round.
    pub const fn reversed(self) -> Self {
        Self { from: self.to, to: self.from, weight: self.weight }
    }
}

/// A directed, weighted graph. Edges leave a node in the order in which they were given; parallel edges
/// and edges from a node to itself are allowed. [`Graph::apply`] changes it. Clones are cheap: they share what neither
/// of them changes.
///
/// ```
/// use highroad::graph::{Edge, Graph};
/// use highroad::environment::NodeId;
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 7), Edge::new(0, 2, -1)])?;
/// let to: Vec<_> = graph.outgoing().of(NodeId(0)).collect();
/// assert_eq!(to, [(NodeId(1), 7), (NodeId(2), -1)]);
/// let refusal = graph.non_negative().err().unwrap();
/// assert_eq!(refusal.to_string(), "edge 1 from 0 to 2 has the negative weight -1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    outgoing: Adjacency,
    /// Edges by where they lead to; made when first needed, for all clones that are equal.
    incoming: Arc<OnceLock<Adjacency>>,
    positions: Option<Arc<Vec<Position>>>,
    /// Empty, or one name a node. An empty name is none.
    names: Arc<Vec<String>>,
    totals: Totals,
    negative: Option<NegativeEdge>,
    weight_max: u32,
    revision: Revision,
    edition: Edition,
}

impl Graph {
    /// The most nodes, and the most edges, that a graph may have.
    pub const SIZE_MAX: usize = 1 << 30;

    /// A graph whose nodes are numbered from 0. O(nodes + edges). Fails if an edge begins or ends at a node that is not there,
    /// or if there are more than [`Graph::SIZE_MAX`] nodes or edges.
    pub fn from_edges(node_count: usize, edges: &[Edge]) -> Result<Self, GraphBuildError> {
        if node_count > Self::SIZE_MAX {
            return Err(GraphBuildError::TooManyNodes { nodes: node_count });
        }
        if edges.len() > Self::SIZE_MAX {
            return Err(GraphBuildError::TooManyEdges { edges: edges.len() });
        }
        for (number, edge) in edges.iter().enumerate() {
            if edge.from.index() >= node_count || edge.to.index() >= node_count {
                return Err(GraphBuildError::NoSuchNode {
                    edge: number,
                    from: edge.from,
                    to: edge.to,
                    nodes: node_count,
                });
            }
        }
        let negative = edges.iter().position(|edge| edge.weight < 0);
        Ok(Self {
            outgoing: Adjacency::new(node_count, edges.iter().copied()),
            incoming: Arc::default(),
            positions: None,
            names: Arc::default(),
            totals: Totals::new(node_count, edges),
            negative: negative.map(|number| NegativeEdge::new(number, edges[number])),
            weight_max: edges.iter().map(|edge| edge.weight.unsigned_abs()).max().unwrap_or(0),
            revision: Revision::default(),
            edition: Edition::new(),
        })
    }

    /// The same graph with a place for each node. Fails unless there is one for each, with finite numbers.
    pub fn with_positions(mut self, positions: Vec<Position>) -> Result<Self, GraphBuildError> {
        let (count, nodes) = (positions.len(), self.node_count());
        if count != nodes {
            return Err(GraphBuildError::WrongCount { what: "positions", count, nodes });
        }
        let lost = |place: &Position| !place.iter().all(|number| number.is_finite());
        if let Some(node) = positions.iter().position(lost) {
            return Err(GraphBuildError::NotFinite { node: NodeId(node as u32) });
        }
        self.positions = Some(Arc::new(positions));
        self.edition = Edition::new();
        Ok(self)
    }

    /// The same graph with a name for each node; an empty name is none. Fails unless there is one for each.
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
    /// let graph = graph.with_names(vec!["Ulm".to_owned(), String::new()])?;
    /// assert_eq!((graph.find("Ulm"), graph.name(NodeId(1))), (Some(NodeId(0)), "1".to_owned()));
    /// assert!(graph.is_node(NodeId(1)) && !graph.is_node(NodeId(2)));
    /// # Ok::<(), highroad::graph::GraphBuildError>(())
    /// ```
    pub fn with_names(mut self, names: Vec<String>) -> Result<Self, GraphBuildError> {
        let (count, nodes) = (names.len(), self.node_count());
        if count != nodes {
            return Err(GraphBuildError::WrongCount { what: "names", count, nodes });
        }
        self.names = Arc::new(names);
        Ok(self)
    }

    /// How many nodes there are, removed ones included: nodes are numbered below this.
    pub fn node_count(&self) -> usize {
        self.outgoing.node_count()
    }

    /// Whether there is such a node, and it was not removed.
    pub fn is_node(&self, node: NodeId) -> bool {
        node.index() < self.node_count() && !self.outgoing.is_removed(node)
    }

    /// How many edges there are, without closed ones.
    pub fn edge_count(&self) -> usize {
        self.outgoing.edge_count()
    }

    /// Every edge, by the node it leaves, without closed ones.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + Clone + '_ {
        self.outgoing.edges()
    }

    /// Every closed edge, by the node it leaves. See [`GraphBatch::close`].
    pub fn closed_edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.outgoing.closed_edges()
    }

    /// Edges by the node that they leave.
    pub fn outgoing(&self) -> &Adjacency {
        &self.outgoing
    }

    /// Edges by the node that they lead to, turned round. Made when first asked for, in O(nodes + edges); edits keep
    /// it up to date from then on.
    pub fn incoming(&self) -> &Adjacency {
        self.incoming
            .get_or_init(|| Adjacency::new(self.node_count(), self.edges().map(Edge::reversed)))
    }

    /// Where each node lies, if that is known.
    pub fn positions(&self) -> Option<&[Position]> {
        self.positions.as_deref().map(Vec::as_slice)
    }

    /// A node's name; its number where it has none.
    pub fn name(&self, node: NodeId) -> String {
        let name = self.names.get(node.index()).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| node.0.to_string())
    }

    /// The node of that name; or of that number, if that node has no name. O(nodes).
    pub fn find(&self, name: &str) -> Option<NodeId> {
        let nodes = (0..).map(NodeId).zip(self.names.iter());
        let mut by_name = nodes.filter(|(_, known)| !known.is_empty() && *known == name);
        let nameless =
            |node: &NodeId| self.names.get(node.index()).is_none_or(|name| name.is_empty());
        let by_name = by_name.find(|(node, _)| self.is_node(*node)).map(|(node, _)| node);
        let by_number = || name.parse().ok().map(NodeId).filter(nameless);
        by_name.or_else(by_number).filter(|&node| self.is_node(node))
    }

    /// The largest weight, signs apart.
    pub fn weight_max(&self) -> u32 {
        self.weight_max
    }

    /// The weight that all edges have, if they do.
    pub fn uniform_weight(&self) -> Option<i32> {
        let mut weights = self.edges().map(|edge| edge.weight);
        let first = weights.next()?;
        weights.all(|weight| weight == first).then_some(first)
    }

    /// The graph for algorithms that cannot take negative edges. O(1). Fails with the first negative edge that was given.
    pub fn non_negative(&self) -> Result<NonNegative<'_>, NegativeEdge> {
        match self.negative {
            None => Ok(NonNegative(self)),
            Some(edge) => Err(edge),
        }
    }

    /// Whether planners serve it: no edge is negative; if one is, which.
    pub(crate) fn serves_searches(&self) -> Result<(), String> {
        self.non_negative().map(drop).map_err(|edge| edge.to_string())
    }

    /// A hash of the edges, which decide which paths there are and what they cost. Names, positions and revisions
    /// play no part. The same on every machine. O(nodes + edges).
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Edge, Graph, GraphBatch};
    /// let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
    /// let before = graph.fingerprint();
    /// let changes = graph.apply(GraphBatch::new().set_weight(NodeId(0), NodeId(1), 9))?;
    /// assert_ne!(graph.fingerprint(), before);
    /// graph.apply(&GraphBatch::undoing(&changes))?;
    /// assert_eq!(graph.fingerprint(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        hash.mix(self.node_count() as u64);
        for edge in self.edges() {
            hash.mix(u64::from(edge.from.0) << 32 | u64::from(edge.to.0));
            hash.mix(u64::from(edge.weight.cast_unsigned()));
        }
        hash.value()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.outgoing.memory_bytes()
            + self.incoming.get().map_or(0, Adjacency::memory_bytes)
            + self.totals.memory_bytes()
            + self.positions.as_ref().map_or(0, |all| all.capacity() * size_of::<Position>())
            + self.names.iter().map(|name| name.capacity() + size_of::<String>()).sum::<usize>()
    }
}

/// A graph that is known to have no negative edge: what Dijkstra's family takes.
///
/// ```
/// use highroad::graph::{Edge, Graph, NonNegative};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let view: NonNegative<'_> = graph.non_negative()?;
/// assert_eq!(view.graph().edge_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NonNegative<'g>(&'g Graph);

impl<'g> NonNegative<'g> {
    /// The graph.
    pub fn graph(self) -> &'g Graph {
        self.0
    }
}

/// An edge with a negative weight, where none may be.
///
/// ```
/// use highroad::graph::{Edge, Graph, NegativeEdge};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7), Edge::new(1, 0, -2)])?;
/// let negative: NegativeEdge = graph.non_negative().unwrap_err();
/// assert_eq!((negative.number, negative.edge), (1, Edge::new(1, 0, -2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("edge {number} from {} to {} has the negative weight {}", .edge.from.0, .edge.to.0, .edge.weight)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NegativeEdge {
    /// Which edge, as they were given, from 0; after an edit, in the order of [`Graph::edges`].
    pub number: usize,
    /// The edge.
    pub edge: Edge,
}

impl NegativeEdge {
    const fn new(number: usize, edge: Edge) -> Self {
        Self { number, edge }
    }
}

/// Why a graph cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphBuildError {
    /// More nodes than can be numbered.
    #[error("a graph of {nodes} nodes: there may be at most {}", Graph::SIZE_MAX)]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },
    /// More edges than can be numbered.
    #[error("a graph of {edges} edges: there may be at most {}", Graph::SIZE_MAX)]
    TooManyEdges {
        /// How many there are.
        edges: usize,
    },
    /// An edge to or from a node that is not there.
    #[error("edge {edge} leads from {} to {}, but there are {nodes} nodes", .from.0, .to.0)]
    NoSuchNode {
        /// Which edge, from 0.
        edge: usize,
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Not one position, or one name, for each node.
    #[error("{count} {what} for {nodes} nodes")]
    WrongCount {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there should be.
        nodes: usize,
    },
    /// A position that is no place.
    #[error("the position of node {} is not finite", .node.0)]
    NotFinite {
        /// Whose position.
        node: NodeId,
    },
}

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
mod edit_tests;
