//! The nodes of an explicit graph, its edges as steps.

use super::{Adjacency, Graph, GraphRefusal, NonNegative, TooCostly};
use crate::environment::Cost;
use crate::search::{Limits, NoHeuristic, Run, Workspace};
use crate::space::{Arrival, NodeId, Nodes, Space};

/// A graph without negative edges as a [`Space`]: its nodes, and its edges as steps. From
/// [`Nodes::space`].
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph, GraphSpace};
/// use highroad::space::{Arrival, Nodes, Space};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 7), Edge::new(0, 2, 1)])?;
/// let mut space: GraphSpace<'_> = graph.space()?;
/// let mut steps = Vec::new();
/// let at = Arrival { node: NodeId(0), parent: NodeId(0) };
/// space.expand(at, &mut |to, cost| steps.push((to, cost)));
/// assert_eq!(steps, [(NodeId(1), 7), (NodeId(2), 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GraphSpace<'g> {
    forward: &'g Adjacency,
    /// Where the search from the goals goes; made when it is needed.
    backward: Option<&'g Adjacency>,
}

impl<'g> GraphSpace<'g> {
    /// Along the edges.
    pub(crate) fn along(graph: NonNegative<'g>) -> Self {
        Self { forward: graph.graph().outgoing(), backward: None }
    }

    /// Along the edges, and against them for a search from the goals.
    pub(crate) fn both_ways(graph: NonNegative<'g>) -> Self {
        Self { forward: graph.graph().outgoing(), backward: Some(graph.graph().incoming()) }
    }
}

impl NonNegative<'_> {
    /// Dijkstra's algorithm from some nodes to everywhere in a space of the graph; an error if some ways cost more
    /// than can be counted.
    pub(crate) fn explore(
        self,
        space: impl Space,
        from: &[NodeId],
        work: &mut Workspace,
    ) -> Result<(), TooCostly> {
        let (seeds, span) = (from.iter().map(|&node| (node, 0)), 2 * self.graph().step_max());
        let mut run = Run::new(Limits::default());
        work.explore(space, span, seeds, &[], NoHeuristic, &mut run);
        if run.cut_by_cost { Err(TooCostly) } else { Ok(()) }
    }
}

#[inline(always)]
fn steps(edges: &Adjacency, node: NodeId, visit: &mut impl FnMut(NodeId, u32)) {
    for (to, weight) in edges.of(node) {
        // The view has checked that no weight is negative.
        visit(to, weight as u32);
    }
}

impl Space for GraphSpace<'_> {
    fn node_count(&self) -> usize {
        self.forward.node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        steps(self.forward, at.node, visit);
    }

    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        steps(self.backward.unwrap_or(self.forward), at.node, visit);
    }
}

impl Nodes for Graph {
    type Space<'e> = GraphSpace<'e>;

    fn is_symmetric(&self) -> bool {
        false
    }

    fn space(&self) -> Result<GraphSpace<'_>, GraphRefusal> {
        let graph = self.non_negative().map_err(GraphRefusal::Negative)?;
        Ok(GraphSpace::both_ways(graph))
    }

    fn node_count(&self) -> usize {
        Graph::node_count(self)
    }

    fn node(&self, place: NodeId) -> NodeId {
        place
    }

    fn place(&self, node: NodeId) -> NodeId {
        node
    }

    fn step_max(&self) -> u64 {
        u64::from(self.weight_max())
    }

    fn cost_along(&self, nodes: &[NodeId]) -> Cost {
        let step = |pair: &[NodeId]| self.outgoing().weight(pair[0], pair[1]).unwrap_or(0);
        Cost(nodes.windows(2).map(|pair| u64::from(step(pair).unsigned_abs())).sum())
    }
}
