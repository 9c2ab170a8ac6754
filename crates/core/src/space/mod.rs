//! Spaces: what is searched. A space is a view made for one query; it numbers its nodes and yields
//! the successors of one.

mod graph;
mod grid;
mod jump_points;
mod scan;

pub(crate) use graph::{GraphSpace, PartSpace};
pub(crate) use grid::{GridSpace, Steps, UniformSteps, WeightedSteps};
pub(crate) use jump_points::{JumpPoints, serves_jump_points, with_rule};
pub(crate) use scan::{ALWAYS, AT_MOST_ONE, NEVER_CUT};

/// A node of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index into per-node arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node about to be expanded, and the node it was reached from: itself for a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The node.
    pub node: NodeId,
    /// Where it was reached from.
    pub parent: NodeId,
}

/// What a search runs on.
pub trait Space {
    /// Nodes have numbers below this.
    fn node_count(&self) -> usize;

    /// Calls `visit` with every successor of a node that is worth a look, given where it was reached
    /// from, and the cost of the step to it; always in the same order.
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32));

    /// As [`Space::expand`], along the steps that lead to a node instead of from it. Spaces whose steps
    /// cost the same both ways have nothing to add.
    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.expand(at, visit);
    }

    /// Whether a node is a goal that was not known before the search came to it.
    #[inline(always)]
    fn is_goal(&mut self, _node: NodeId) -> bool {
        false
    }
}
