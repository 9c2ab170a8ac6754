//! What leads a search on a graph: estimates of the cost still to go.

use crate::search::{Heuristic, Weight};
use crate::space::NodeId;

/// Estimates the cost from a node to the nearest goal of one query.
///
/// A search with an admissible guide finds shortest paths; where the guide is admissible but not
/// consistent, nodes are opened again when they get cheaper.
pub trait Guide {
    /// The estimate.
    fn estimate(&self, node: NodeId) -> u64;

    /// Whether it never overestimates.
    fn is_admissible(&self) -> bool;

    /// Whether, besides, it never falls by more than an edge costs.
    fn is_consistent(&self) -> bool;
}

impl<G: Guide + ?Sized> Guide for Box<G> {
    fn estimate(&self, node: NodeId) -> u64 {
        (**self).estimate(node)
    }

    fn is_admissible(&self) -> bool {
        (**self).is_admissible()
    }

    fn is_consistent(&self) -> bool {
        (**self).is_consistent()
    }
}

/// Knows nothing: A* becomes Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGuide;

impl Guide for NoGuide {
    #[inline(always)]
    fn estimate(&self, _node: NodeId) -> u64 {
        0
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// Estimates given by hand, one a node; 0 for nodes beyond the list. Nothing is known of them, so a
/// search with them promises nothing.
///
/// ```
/// use highroad_core::{NodeId, graph::{GivenEstimates, Guide}};
/// let guide = GivenEstimates::new(vec![3, 1, 0]);
/// assert_eq!((guide.estimate(NodeId(0)), guide.is_admissible()), (3, false));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenEstimates(Vec<u64>);

impl GivenEstimates {
    /// Those estimates.
    pub fn new(estimates: Vec<u64>) -> Self {
        Self(estimates)
    }
}

impl Guide for GivenEstimates {
    fn estimate(&self, node: NodeId) -> u64 {
        self.0.get(node.index()).copied().unwrap_or(0)
    }

    fn is_admissible(&self) -> bool {
        false
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

/// A guide with a weight, as the loops ask for it. On a graph without places no node is nearer than
/// another, so remoteness plays no part.
pub(super) struct Weighted<'q, G> {
    pub(super) guide: &'q G,
    pub(super) weight: Weight,
}

impl<G: Guide> Heuristic for Weighted<'_, G> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        let estimate = self.guide.estimate(node);
        if self.weight == Weight::ONE { estimate } else { self.weight.times(estimate) }
    }

    #[inline(always)]
    fn remoteness(&self, _node: NodeId, _estimate: Option<u64>) -> u64 {
        0
    }
}
