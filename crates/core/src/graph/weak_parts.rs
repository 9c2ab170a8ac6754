//! Which nodes of a graph could reach each other if edges had no direction.

use super::{EdgeChange, Graph};
use crate::space::NodeId;

/// The weakly connected parts of a graph: between nodes of different parts there is no path. Within one there may be
/// none either, since edges have a direction.
///
/// ```
/// use highroad::graph::{Edge, Graph, GraphBatch, WeakParts};
/// use highroad::environment::NodeId;
/// let mut graph = Graph::from_edges(3, &[Edge::new(0, 1, 1)])?;
/// let mut parts = WeakParts::of(&graph);
/// assert!(parts.together(NodeId(0), NodeId(1)) && !parts.together(NodeId(0), NodeId(2)));
/// let changes = graph.apply(GraphBatch::new().add_edge(NodeId(2), NodeId(1), 4))?;
/// parts.follow(&graph, &changes);
/// assert!(parts.together(NodeId(0), NodeId(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakParts {
    /// For each node the smallest one of its part.
    first: Vec<u32>,
}

impl WeakParts {
    /// The parts of a graph, in O(nodes + edges).
    pub fn of(graph: &Graph) -> Self {
        let mut parents: Vec<u32> = (0..graph.node_count() as u32).collect();
        for edge in graph.edges() {
            let (a, b) = (root(&mut parents, edge.from.0), root(&mut parents, edge.to.0));
            parents[a.max(b) as usize] = a.min(b);
        }
        for node in 0..parents.len() as u32 {
            parents[node as usize] = root(&mut parents, node);
        }
        Self { first: parents }
    }

    /// Follows an edit. Other weights change nothing; where edges or nodes come or go, the parts are found again.
    pub fn follow(&mut self, graph: &Graph, changes: &[EdgeChange]) {
        let only_weight = |change: &EdgeChange| match change {
            EdgeChange::Edge { before, after, .. } => {
                let is_open = |state: &Option<super::EdgeState>| {
                    state.is_some_and(|state| state.open_weight().is_some())
                };
                is_open(before) == is_open(after)
            }
            _ => false,
        };
        if !changes.iter().all(only_weight) {
            *self = Self::of(graph);
        }
    }

    /// Whether two nodes are in one part; nodes that do not exist are in none.
    pub fn together(&self, a: NodeId, b: NodeId) -> bool {
        let part = |node: NodeId| self.first.get(node.index());
        part(a).is_some_and(|own| part(b) == Some(own))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.first.capacity() * size_of::<u32>()
    }
}

/// The smallest node of a part, as far as it is known. Halves the way there for the next time.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}
