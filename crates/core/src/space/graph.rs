//! The nodes of an explicit graph, its edges as steps.

use super::{Arrival, NodeId, Space};
use crate::graph::{Adjacency, NonNegative};

/// A graph without negative edges as a [`Space`].
pub(crate) struct GraphSpace<'g> {
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

/// Part of a graph: the edges that lead to nodes a search may enter.
pub(crate) struct PartSpace<'g, F, E, L> {
    pub(crate) edges: &'g Adjacency,
    pub(crate) may_enter: F,
    pub(crate) is_goal: E,
    /// One more step from a node, such as to the goal of a query.
    pub(crate) last_step: L,
}

impl<F, E, L> Space for PartSpace<'_, F, E, L>
where
    F: Fn(NodeId) -> bool,
    E: Fn(NodeId) -> bool,
    L: Fn(NodeId) -> Option<(NodeId, u32)>,
{
    fn node_count(&self) -> usize {
        self.edges.node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        for (to, weight) in self.edges.of(at.node) {
            if (self.may_enter)(to) {
                visit(to, weight as u32);
            }
        }
        if let Some((to, weight)) = (self.last_step)(at.node) {
            visit(to, weight);
        }
    }

    #[inline]
    fn is_goal(&mut self, node: NodeId) -> bool {
        (self.is_goal)(node)
    }
}
