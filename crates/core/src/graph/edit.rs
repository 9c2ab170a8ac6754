//! Batches of changes of a graph.

use super::{Edge, EdgeChange, Graph};
use crate::environment::{NodeId, Position};
use thiserror::Error;

/// One step of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    SetWeight { from: NodeId, to: NodeId, weight: i32 },
    SetClosed { from: NodeId, to: NodeId, closed: bool },
    AddEdge(Edge),
    RemoveEdge { from: NodeId, to: NodeId },
    AddNode(Option<Position>),
    RemoveNode(NodeId),
    Undo(EdgeChange),
}

/// Changes of a graph to be made together, in their order: one batch, one revision.
///
/// **Parallel edges**: `set_weight`, `close`, `open` and `remove_edge` concern every edge from the one node to the
/// other, open or closed. So a step between two nodes costs afterwards what the batch says, and is impossible after
/// `close`. `add_edge` adds one more beside those that there are. Taking changes back restores each edge by itself.
///
/// **Numbers of nodes** stay what they are. A new node gets the number [`Graph::node_count`], and later steps of the
/// same batch may use it. The number of a removed node stays unused: only taking the removal back brings it back.
///
/// ```
/// use highroad::graph::{Edge, Graph, GraphBatch};
/// use highroad::environment::NodeId;
/// let [a, b, c] = [0, 1, 2].map(NodeId);
/// let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let mut batch = GraphBatch::new();
/// batch.set_weight(a, b, 9).add_node(None).add_edge(b, c, 2).close(a, b);
/// let changes = graph.apply(&batch)?;
/// assert_eq!(graph.edges().collect::<Vec<_>>(), [Edge::new(1, 2, 2)]);
/// assert_eq!(graph.closed_edges().collect::<Vec<_>>(), [Edge::new(0, 1, 9)]);
///
/// graph.apply(&GraphBatch::undoing(&changes))?;
/// assert_eq!(graph.edges().collect::<Vec<_>>(), [Edge::new(0, 1, 7)]);
/// assert_eq!(graph.node_count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphBatch {
    pub(super) steps: Vec<Step>,
}

impl GraphBatch {
    /// No changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, step: Step) -> &mut Self {
        self.steps.push(step);
        self
    }

    /// Makes the edges between two nodes cost that much. Closed ones stay closed.
    pub fn set_weight(&mut self, from: NodeId, to: NodeId, weight: i32) -> &mut Self {
        self.push(Step::SetWeight { from, to, weight })
    }

    /// Closes the edges between two nodes: no path follows them until they are opened. They keep their weights.
    pub fn close(&mut self, from: NodeId, to: NodeId) -> &mut Self {
        self.push(Step::SetClosed { from, to, closed: true })
    }

    /// Opens the closed edges between two nodes, each in its old place and at its weight.
    pub fn open(&mut self, from: NodeId, to: NodeId) -> &mut Self {
        self.push(Step::SetClosed { from, to, closed: false })
    }

    /// Adds an edge, the last of those that leave `from`.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId, weight: i32) -> &mut Self {
        self.push(Step::AddEdge(Edge { from, to, weight }))
    }

    /// Removes the edges between two nodes, closed ones as well.
    pub fn remove_edge(&mut self, from: NodeId, to: NodeId) -> &mut Self {
        self.push(Step::RemoveEdge { from, to })
    }

    /// Adds a node without edges. It needs a position exactly if the graph has positions.
    pub fn add_node(&mut self, position: impl Into<Option<Position>>) -> &mut Self {
        self.push(Step::AddNode(position.into()))
    }

    /// Removes a node with all edges from and to it.
    pub fn remove_node(&mut self, node: NodeId) -> &mut Self {
        self.push(Step::RemoveNode(node))
    }

    /// What takes these changes back, the latest first: edges return to their old places. The graph must be as the
    /// changes left it where they apply; else the batch is refused.
    ///
    /// Taking back that a node was added removes it. If it still has the highest number, the number is free again.
    pub fn undoing(changes: &[EdgeChange]) -> Self {
        Self { steps: changes.iter().rev().map(|&change| Step::Undo(change)).collect() }
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A batch that cannot be applied; nothing of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("step {step} of the batch: {problem}; nothing was changed")]
pub struct GraphEditError {
    /// Which step, from 0.
    pub step: usize,
    /// What is wrong with it.
    pub problem: GraphEditProblem,
}

/// Why a step of a batch cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphEditProblem {
    /// A node that is not there.
    #[error("there is no node {node} among {nodes}")]
    NoSuchNode {
        /// Which node.
        node: NodeId,
        /// How many there are at this step.
        nodes: usize,
    },
    /// A node that was removed.
    #[error("node {node} was removed")]
    Removed {
        /// Which node.
        node: NodeId,
    },
    /// There is no edge between the two nodes, not even a closed one.
    #[error("no edge leads from {from} to {to}")]
    NoSuchEdge {
        /// Where it would begin.
        from: NodeId,
        /// Where it would end.
        to: NodeId,
    },
    /// A new node without a position, where all others have one.
    #[error("a new node needs a position, as all nodes of the graph have one")]
    NoPosition,
    /// A new node with a position, where no other has one.
    #[error("a new node cannot have a position, as no node of the graph has one")]
    UnexpectedPosition,
    /// A position that is no place.
    #[error("the position of a new node is not finite")]
    NotFinite,
    /// More nodes than can be numbered.
    #[error("there may be at most {} nodes, removed ones included", Graph::SIZE_MAX)]
    TooManyNodes,
    /// More edges than can be numbered.
    #[error("there may be at most {} edges, closed ones included", Graph::SIZE_MAX)]
    TooManyEdges,
    /// An edge that is to be taken back is not as the change left it.
    #[error("the edge from {from} to {to} is not as the change to be undone left it")]
    EdgeDiffers {
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// A node that is to be taken back is not as the change left it.
    #[error("node {node} is not as the change to be undone left it")]
    NodeDiffers {
        /// Which node.
        node: NodeId,
    },
}
