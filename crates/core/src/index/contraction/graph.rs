//! The edges of a graph that is to be contracted, and what can be wrong with it.

use crate::graph::{Edge, NegativeEdge};
use crate::planner::BuildError;
use thiserror::Error;

/// A directed edge whose weight is not negative. Costs on grids do not all fit an [`Edge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CheckedEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) weight: u32,
}

impl CheckedEdge {
    /// Some edges, or the first that is negative.
    pub(super) fn check(edges: &[Edge]) -> Result<Vec<Self>, GraphError> {
        let checked = |(number, &edge): (usize, &Edge)| match u32::try_from(edge.weight) {
            Ok(weight) => Ok(Self { from: edge.from.0, to: edge.to.0, weight }),
            Err(_) => Err(GraphError::Negative(NegativeEdge { number, edge })),
        };
        edges.iter().enumerate().map(checked).collect()
    }
}

/// Why a graph cannot be contracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// More nodes than the hierarchy can number.
    #[error("a graph of {nodes} nodes: at most {} can be contracted", GraphError::NODES_MAX)]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },
    /// An edge to or from a node that is not there.
    #[error("edge {edge} leads from {from} to {to}, but there are {nodes} nodes")]
    NoSuchNode {
        /// Which edge, from 0.
        edge: usize,
        /// Where it begins.
        from: u32,
        /// Where it ends.
        to: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Costs along negative edges are not what searches can count.
    #[error(transparent)]
    Negative(NegativeEdge),
    /// More edges than the hierarchy can number, with shortcuts.
    #[error("more than {} edges, with shortcuts", GraphError::EDGES_MAX)]
    TooManyEdges,
    /// A way could cost more than can be counted.
    #[error("a way through the graph could cost 2⁴⁰ or more, or a part of it 2³² or more")]
    TooCostly,
}

impl GraphError {
    /// The most nodes a graph may have.
    pub const NODES_MAX: usize = 1 << 24;

    /// The most edges that a hierarchy may have, with shortcuts.
    pub const EDGES_MAX: usize = (1 << 31) - 1;
}

impl From<GraphError> for BuildError {
    fn from(error: GraphError) -> Self {
        Self::NotServed(error.to_string())
    }
}
