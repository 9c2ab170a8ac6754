//! Fields on graphs: one search from a node, or towards one, from which many questions are answered.
//!
//! Dijkstra's algorithm in slices, in memory of its own. Edges have a direction, so a field leads either away from its
//! nodes or towards them.
//!
//! Invariant: what is *settled* has its final cost. A field holds a snapshot of the graph, and answers for that
//! revision.

use super::FieldMemory;
use crate::environment::{Cost, End, Environment, NodeId, Revision};
use crate::graph::{Graph, GraphRefusal, GraphSpace};
use crate::path::Path;
use crate::planner::{QueryError, check_places};
use crate::search::{Limits, NoHeuristic, NoTrace, Outcome, Run, Workspace};
use crate::space::{Nodes, Reversed};

/// Costs and paths between some nodes and every other node of a graph, as far as it has been worked out.
///
/// ```
/// use highroad::field::GraphField;
/// use highroad::graph::{Edge, Graph};
/// use highroad::Cost;
/// use highroad::environment::NodeId;
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 2), Edge::new(1, 2, 3)])?;
/// let mut field = GraphField::towards(&graph, &[NodeId(2)])?;
/// while field.advance(100) {}
/// assert_eq!(field.cost(NodeId(0)), Some(Cost(5)));
/// assert_eq!(field.path(NodeId(0)).unwrap().nodes(), [0, 1, 2].map(NodeId));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// To settle n nodes takes O((n + their edges) · log n) time. A new field takes memory in proportion to the graph;
/// [`GraphField::using`] and [`GraphField::renew`] use memory again. Methods that begin a field fail with a [`QueryError`] if
/// there is no node to begin at, if one is not a node of the graph, or if an edge of the graph is negative.
pub struct GraphField {
    graph: Graph,
    work: Workspace,
    run: Run,
    towards: bool,
    complete: bool,
}

impl GraphField {
    /// A field of paths from everywhere to the nearest of some goals, with nothing settled yet.
    pub fn towards(graph: &Graph, goals: &[NodeId]) -> Result<Self, QueryError<GraphRefusal>> {
        Self::using(graph, goals, true, u64::MAX, &mut FieldMemory::default())
    }

    /// A field of paths from the nearest of some starts to everywhere, up to a cost.
    ///
    /// ```
    /// use highroad::Cost;
    /// use highroad::environment::NodeId;
    /// use highroad::field::GraphField;
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 2), Edge::new(1, 2, 3)])?;
    /// let mut near = GraphField::away_from(&graph, &[NodeId(0)], 4)?;
    /// while near.advance(100) {}
    /// assert_eq!(near.nodes().collect::<Vec<_>>(), [(NodeId(0), Cost(0)), (NodeId(1), Cost(2))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn away_from(
        graph: &Graph,
        starts: &[NodeId],
        cost_max: u64,
    ) -> Result<Self, QueryError<GraphRefusal>> {
        Self::using(graph, starts, false, cost_max, &mut FieldMemory::default())
    }

    /// A field towards some nodes, or away from them, in memory that is there already, which the field takes and
    /// [`GraphField::into_memory`] gives back.
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::field::{FieldMemory, GraphField};
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 2)])?;
    /// let mut memory = FieldMemory::default();
    /// for node in [NodeId(0), NodeId(1)] {
    ///     let mut field = GraphField::using(&graph, &[node], false, u64::MAX, &mut memory)?;
    ///     while field.advance(100) {}
    ///     assert_eq!(field.settled(), if node == NodeId(0) { 2 } else { 1 });
    ///     memory = field.into_memory();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn using(
        graph: &Graph,
        nodes: &[NodeId],
        towards: bool,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, QueryError<GraphRefusal>> {
        let (work, run) = (std::mem::take(&mut memory.work), Run::new(Limits::default()));
        let mut field = Self { graph: graph.clone(), work, run, towards, complete: true };
        match field.renew(graph, nodes, towards, cost_max) {
            Ok(()) => Ok(field),
            Err(error) => {
                *memory = field.into_memory();
                Err(error)
            }
        }
    }

    /// Its memory, for another field.
    pub fn into_memory(self) -> FieldMemory {
        FieldMemory { work: self.work, ..FieldMemory::default() }
    }

    /// Begins again, on the same graph after an edit or on another one, in the same memory. Arguments and errors are those
    /// of [`GraphField::using`].
    ///
    /// ```
    /// use highroad::Cost;
    /// use highroad::environment::NodeId;
    /// use highroad::field::GraphField;
    /// use highroad::graph::{Edge, Graph, GraphBatch};
    /// let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 2)])?;
    /// let mut field = GraphField::towards(&graph, &[NodeId(1)])?;
    /// graph.apply(GraphBatch::new().set_weight(NodeId(0), NodeId(1), 9))?;
    /// field.renew(&graph, &[NodeId(1)], true, u64::MAX)?;
    /// while field.advance(100) {}
    /// assert_eq!(field.cost(NodeId(0)), Some(Cost(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(
        &mut self,
        graph: &Graph,
        nodes: &[NodeId],
        towards: bool,
        cost_max: u64,
    ) -> Result<(), QueryError<GraphRefusal>> {
        graph.check().map_err(QueryError::Unsuitable)?;
        check_places(graph, if towards { End::Goal } else { End::Start }, nodes)?;
        self.run = Run::new(Limits { cost_max, ..Limits::default() });
        let (seeds, span) = (nodes.iter().map(|&node| (node, 0)), 2 * graph.step_max());
        let (count, nowhere) = (graph.node_count(), std::iter::empty());
        self.work.begin_exploring(count, span, seeds, nowhere, &NoHeuristic, &mut self.run);
        (self.graph, self.towards, self.complete) = (graph.clone(), towards, false);
        Ok(())
    }

    /// Settles up to `slice` more nodes, the nearest first. Returns whether there are any left.
    pub fn advance(&mut self, slice: u64) -> bool {
        let Self { graph, work, run, .. } = self;
        if let (false, Ok(view)) = (self.complete, graph.non_negative()) {
            let outcome = if self.towards {
                let space = Reversed(GraphSpace::both_ways(view));
                work.go_on_exploring(space, NoHeuristic, run, slice, &mut NoTrace)
            } else {
                let space = GraphSpace::along(view);
                work.go_on_exploring(space, NoHeuristic, run, slice, &mut NoTrace)
            };
            self.complete = outcome != Outcome::Paused;
        }
        !self.complete
    }

    /// Whether everything is settled: a node without a cost cannot be reached, or not within the limit.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many nodes are settled.
    pub fn settled(&self) -> u64 {
        self.run.statistics.expanded
    }

    /// The revision that it is for.
    pub fn revision(&self) -> Revision {
        self.graph.revision()
    }

    /// The cost of a settled node.
    pub fn cost(&self, node: NodeId) -> Option<Cost> {
        let known = (node.index() < self.graph.node_count())
            .then(|| self.work.forward.nodes.get(node))
            .filter(|known| known.is_closed())?;
        Some(Cost(known.g))
    }

    /// The path of a settled node: to the nearest goal, or from the nearest start.
    pub fn path(&mut self, node: NodeId) -> Option<Path<NodeId>> {
        let cost = self.cost(node)?;
        let towards = self.towards;
        let trail = if towards { self.work.trail_from(node) } else { self.work.trail_to(node) };
        Some(Path::vouched(trail.to_vec(), cost, self.graph.revision()))
    }

    /// The graph that it is of.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Every settled node with its cost, by number.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, Cost)> + '_ {
        let nodes = (0..self.graph.node_count() as u32).map(NodeId);
        nodes.filter_map(|node| Some((node, self.cost(node)?)))
    }

    /// Bytes held, beside the snapshot of the graph.
    pub fn memory_bytes(&self) -> usize {
        self.work.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::{graphs, plain_distances};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_field_agrees_with_plain_distances_both_ways(graph in graphs(0..30), slice in 1u64..5) {
            let nodes = || (0..graph.node_count() as u32).map(NodeId);
            for source in nodes() {
                let mut away = GraphField::away_from(&graph, &[source], u64::MAX).unwrap();
                while away.advance(slice) {}
                for (node, expected) in nodes().zip(plain_distances(&graph, source)) {
                    prop_assert_eq!(away.cost(node).map(|cost| cost.0 as i64), expected);
                    let mut towards = GraphField::towards(&graph, &[node]).unwrap();
                    while towards.advance(u64::MAX) {}
                    prop_assert_eq!(towards.cost(source), away.cost(node));
                    for path in [away.path(node), towards.path(source)].into_iter().flatten() {
                        prop_assert_eq!((path.start(), path.goal()), (source, node));
                        prop_assert_eq!(path.validate(&graph), Ok(()));
                    }
                }
            }
        }
    }
}
