//! The memory that search loops run in: reused from query to query.

use super::any_order::AnyOrderQueue;
use super::bidirectional::Meeting;
use super::nodes::NodeTable;
use super::open_list::{BucketQueue, HeapQueue};
use super::ties::TieQueue;
use crate::space::NodeId;

/// What all searches need: two frontiers, a stack, and room for a path while it is put together.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(crate) forward: Frontier,
    pub(crate) backward: Frontier,
    pub(crate) stack: Vec<NodeId>,
    pub(crate) meeting: Option<Meeting>,
    /// Nodes of a path while it is put together.
    pub(crate) trail: Vec<NodeId>,
}

/// What one search remembers of nodes, and its open list of either kind.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(crate) nodes: NodeTable,
    pub(crate) buckets: BucketQueue,
    pub(crate) heap: HeapQueue,
    pub(crate) any_order: AnyOrderQueue,
    pub(crate) ties: TieQueue,
}

impl Frontier {
    fn memory_bytes(&self) -> usize {
        self.nodes.memory_bytes()
            + self.buckets.memory_bytes()
            + self.heap.memory_bytes()
            + self.any_order.memory_bytes()
            + self.ties.memory_bytes()
    }
}

impl Workspace {
    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        let lists = (self.stack.capacity() + self.trail.capacity()) * size_of::<NodeId>();
        self.forward.memory_bytes() + self.backward.memory_bytes() + lists
    }

    /// The cost of a node as the latest forward search counts it; `None` where it has not been.
    pub(crate) fn cost(&self, node: NodeId) -> Option<u64> {
        let known = self.forward.nodes.get(node);
        known.is_seen().then_some(known.g)
    }

    /// Where the latest forward search reached a node from; itself for a start; `None` where it has not been.
    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let nodes = &self.forward.nodes;
        nodes.get(node).is_seen().then(|| nodes.parent(node))
    }

    /// The nodes from a start to a node that the forward search has reached.
    pub(crate) fn trail_to(&mut self, node: NodeId) -> &[NodeId] {
        self.trail_from(node);
        self.trail.reverse();
        &self.trail
    }

    /// The nodes from a node that the forward search has reached back to its start.
    pub(crate) fn trail_from(&mut self, node: NodeId) -> &[NodeId] {
        self.trail.clear();
        push_ancestors(&self.forward.nodes, node, &mut self.trail);
        &self.trail
    }

    /// The nodes from start to goal through a node that both searches have reached.
    pub(crate) fn trail_through(&mut self, node: NodeId) -> &[NodeId] {
        self.trail_to(node);
        self.trail.pop();
        push_ancestors(&self.backward.nodes, node, &mut self.trail);
        &self.trail
    }
}

/// Pushes a node, its parent, and so on up to a start.
pub(crate) fn push_ancestors(nodes: &NodeTable, node: NodeId, trail: &mut Vec<NodeId>) {
    let mut at = node;
    loop {
        trail.push(at);
        let parent = nodes.parent(at);
        if parent == at {
            return;
        }
        at = parent;
    }
}
