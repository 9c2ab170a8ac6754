//! Explicit weighted graphs, as they are given.

use crate::planner::BuildError;
use thiserror::Error;

/// A directed edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What it costs to follow it.
    pub weight: u32,
}

/// Why a graph cannot be contracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
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
    /// More edges than the hierarchy can number, with shortcuts.
    #[error("more than {} edges, with shortcuts", GraphError::EDGES_MAX)]
    TooManyEdges,
    /// A way could cost more than can be counted.
    #[error("a way through the graph could cost 2⁴⁰ or more, or a part of it 2³² or more")]
    TooDear,
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
