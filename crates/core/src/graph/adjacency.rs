//! Edges in one array, sorted by the node that they leave: compressed sparse rows.

use super::Edge;
use crate::space::NodeId;

/// The edges that leave each node.
///
/// ```text
/// first   0   2   2   5      where each node's edges begin, and the end
/// heads   1 2 · 0 1 2        where they lead, each beside its weight
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjacency {
    first: Vec<u32>,
    /// PERF: head and weight together: whoever reads the one reads the other.
    edges: Vec<(NodeId, i32)>,
}

impl Adjacency {
    /// Sorts edges whose ends are below `node_count`; those of a node stay in their order.
    pub(super) fn new(node_count: usize, edges: impl Iterator<Item = Edge> + Clone) -> Self {
        let mut first = vec![0u32; node_count + 1];
        let mut count = 0;
        for edge in edges.clone() {
            first[edge.from.index() + 1] += 1;
            count += 1;
        }
        for node in 0..node_count {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut sorted = vec![(NodeId(0), 0); count];
        for edge in edges {
            let slot = &mut next[edge.from.index()];
            sorted[*slot as usize] = (edge.to, edge.weight);
            *slot += 1;
        }
        Self { first, edges: sorted }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a node: where each leads, and its weight. None of a node that is not there.
    #[inline]
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = (NodeId, i32)> + '_ {
        self.slice(node).iter().copied()
    }

    #[inline]
    pub(crate) fn slice(&self, node: NodeId) -> &[(NodeId, i32)] {
        let Some(&[from, to]) = self.first.get(node.index()..node.index() + 2) else {
            return &[];
        };
        &self.edges[from as usize..to as usize]
    }

    /// Every edge, by the node it leaves.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + Clone + '_ {
        (0..self.node_count() as u32).flat_map(move |from| {
            let from = NodeId(from);
            self.slice(from).iter().map(move |&(to, weight)| Edge { from, to, weight })
        })
    }

    /// The cheapest edge between two nodes.
    pub fn weight(&self, from: NodeId, to: NodeId) -> Option<i32> {
        self.of(from).filter(|edge| edge.0 == to).map(|edge| edge.1).min()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.first.capacity() * size_of::<u32>()
            + self.edges.capacity() * size_of::<(NodeId, i32)>()
    }
}
