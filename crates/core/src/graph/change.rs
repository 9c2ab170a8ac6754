//! What an edit has changed in a graph.

use crate::environment::{NodeId, Position};

/// An edge that is there: what it costs, and whether it may be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EdgeState {
    /// What it costs to follow it.
    pub weight: i32,
    /// Whether it is closed: no path follows it until it is opened again.
    pub closed: bool,
}

impl EdgeState {
    /// The weight, if the edge is open.
    pub fn open_weight(self) -> Option<i32> {
        (!self.closed).then_some(self.weight)
    }
}

/// One thing that a [`GraphBatch`](super::GraphBatch) has changed: an edge, or a node without edges.
///
/// Changes are listed in the order in which they were made. Each says enough to take it back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EdgeChange {
    /// An edge came, went, or is in another state.
    Edge {
        /// Where it begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
        /// Which of all edges that leave `from`, closed ones included, at the time of the change, from 0.
        place: u32,
        /// What it was; `None` if it was not there.
        before: Option<EdgeState>,
        /// What it is; `None` if it is not there any more.
        after: Option<EdgeState>,
    },
    /// A node came, without edges.
    NodeAdded {
        /// Its number.
        node: NodeId,
        /// Where it lies, if nodes of the graph have positions.
        position: Option<Position>,
        /// Whether it had been removed, and that was taken back. Else the number is new.
        restored: bool,
    },
    /// A node went, after its edges.
    NodeRemoved {
        /// Its number.
        node: NodeId,
        /// Where it lay, if nodes of the graph have positions.
        position: Option<Position>,
    },
}

impl EdgeChange {
    /// The two ends of an edge that searches see differently: it is open and was not, or the other way round, or
    /// costs something else. `None` for nodes, and for an edge that was and is closed.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, GraphBatch};
    /// use highroad::environment::NodeId;
    /// let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
    /// let closed = graph.apply(GraphBatch::new().close(NodeId(0), NodeId(1)))?;
    /// assert_eq!(closed[0].step(), Some((NodeId(0), NodeId(1))));
    /// let set = graph.apply(GraphBatch::new().set_weight(NodeId(0), NodeId(1), 8))?;
    /// assert_eq!(set[0].step(), None, "it is still closed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&self) -> Option<(NodeId, NodeId)> {
        match *self {
            Self::Edge { from, to, before, after, .. } => {
                let weight = |state: Option<EdgeState>| state.and_then(EdgeState::open_weight);
                (weight(before) != weight(after)).then_some((from, to))
            }
            _ => None,
        }
    }
}
