//! A graph as one query sees it: without some nodes, or with a way made costlier.

use super::{Edition, Graph, GraphBatch};
use crate::environment::NodeId;

impl Graph {
    /// The same graph, at the same revision, without some nodes and the edges at them: junctions that are closed for
    /// one query. Nodes that are not there are passed over.
    ///
    /// Takes O(nodes + edges) if [`Graph::incoming`] was never asked for, else O(nodes / 128) and the part of the edges.
    ///
    /// ```
    /// use highroad::environment::{Environment, NodeId};
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 7), Edge::new(1, 2, 7)])?;
    /// let closed = graph.without(&[NodeId(1)]);
    /// assert_eq!((closed.edge_count(), graph.edge_count()), (0, 2));
    /// assert_eq!(closed.revision(), graph.revision());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(&self, nodes: &[NodeId]) -> Self {
        let mut nodes: Vec<NodeId> =
            nodes.iter().copied().filter(|&node| self.is_node(node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut batch = GraphBatch::new();
        nodes.iter().for_each(|&node| _ = batch.remove_node(node));
        self.varied(&batch)
    }

    /// The same graph, at the same revision, where the edges along a way, and back, cost half as much again.
    pub(crate) fn discouraging(&self, way: &[NodeId]) -> Self {
        let mut batch = GraphBatch::new();
        for step in way.windows(2) {
            for (from, to) in [(step[0], step[1]), (step[1], step[0])] {
                if let Some(weight) = self.outgoing().weight(from, to) {
                    let more = (weight / 2).max(1);
                    batch.set_weight(from, to, weight.saturating_add(more));
                }
            }
        }
        self.varied(&batch)
    }

    /// A changed copy that counts as the same revision.
    fn varied(&self, batch: &GraphBatch) -> Self {
        let mut varied = self.clone();
        // Whatever the batch names is there; else the copy is as the graph.
        drop(varied.apply(batch));
        varied.revision = self.revision;
        varied.edition = Edition::new();
        varied
    }
}
