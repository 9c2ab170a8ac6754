//! A graph as an environment: which nodes a path may start at, what a path costs, what a change touches.

use super::{EdgeChange, Graph, NegativeEdge};
use crate::environment::{Cost, Edition, Environment, NodeId, PathFault, Position, Revision};
use thiserror::Error;

/// Why no path can be found on a graph, or none from or to a node.
///
/// ```
/// use highroad::environment::{Environment, NodeId};
/// use highroad::graph::{Edge, Graph, GraphRefusal};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let refusal: GraphRefusal = graph.check_place(NodeId(5)).unwrap_err();
/// assert_eq!(refusal.to_string(), "5 is no node of the graph, which has 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum GraphRefusal {
    /// A node that is not there.
    #[error("{node} is no node of the graph, which has {nodes}")]
    NoSuchNode {
        /// Which node.
        node: NodeId,
        /// How many there are.
        nodes: usize,
    },
    /// A node that was removed.
    #[error("{node} was removed from the graph")]
    Removed {
        /// Which node.
        node: NodeId,
    },
    /// There is nowhere to set out from.
    #[error("no source is given")]
    NoSource,
    /// Searches need weights that are not negative.
    #[error(transparent)]
    Negative(NegativeEdge),
    /// A shortest way costs more than searches count.
    #[error(transparent)]
    TooCostly(#[from] TooCostly),
}

/// A shortest way through a graph costs more than searches count.
///
/// ```
/// use highroad::graph::{AllPairsError, TooCostly};
/// assert!(AllPairsError::from(TooCostly).to_string().ends_with("use smaller weights, or floyd-warshall"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a shortest way costs 2⁴⁴ or more, which searches cannot count: use smaller weights")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TooCostly;

/// What is wrong with a path on a graph.
///
/// ```
/// use highroad::Path;
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph, GraphPathProblem};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let fault = Path::new(&graph, vec![NodeId(1), NodeId(0)]).unwrap_err();
/// assert_eq!(fault.problem, GraphPathProblem::NoEdge { from: NodeId(1), to: NodeId(0) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphPathProblem {
    /// It has no nodes.
    #[error("a path has at least one node")]
    Empty,
    /// The graph has no such node.
    #[error("there is no node {0}")]
    NoSuchNode(NodeId),
    /// No edge joins the two nodes.
    #[error("no edge leads from {from} to {to}")]
    NoEdge {
        /// Where the step begins.
        from: NodeId,
        /// Where it would end.
        to: NodeId,
    },
    /// The edges are there, but do not add up to the cost claimed.
    #[error("the edges cost {actual}, not {claimed}")]
    Cost {
        /// What the path says.
        claimed: Cost,
        /// What its edges cost.
        actual: Cost,
    },
}

impl Environment for Graph {
    type Place = NodeId;
    type Change = EdgeChange;
    type Refusal = GraphRefusal;
    type Problem = GraphPathProblem;

    fn revision(&self) -> Revision {
        self.revision
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn check(&self) -> Result<(), GraphRefusal> {
        self.non_negative().map(drop).map_err(GraphRefusal::Negative)
    }

    fn check_place(&self, node: NodeId) -> Result<(), GraphRefusal> {
        let nodes = self.node_count();
        if self.is_node(node) {
            Ok(())
        } else if node.index() < nodes {
            Err(GraphRefusal::Removed { node })
        } else {
            Err(GraphRefusal::NoSuchNode { node, nodes })
        }
    }

    fn known_price(&self, nodes: &[NodeId]) -> Cost {
        crate::space::Nodes::cost_along(self, nodes)
    }

    fn price(&self, nodes: &[NodeId]) -> Result<Cost, PathFault<GraphPathProblem>> {
        let fault = |index, problem| PathFault { index, problem };
        if nodes.is_empty() {
            return Err(fault(0, GraphPathProblem::Empty));
        }
        if let Some(index) = nodes.iter().position(|&node| !self.is_node(node)) {
            return Err(fault(index, GraphPathProblem::NoSuchNode(nodes[index])));
        }
        let mut cost = Cost::ZERO;
        for (index, step) in (1..).zip(nodes.windows(2)) {
            let (from, to) = (step[0], step[1]);
            let weight =
                self.outgoing().weight(from, to).and_then(|weight| u32::try_from(weight).ok());
            let weight =
                weight.ok_or_else(|| fault(index, GraphPathProblem::NoEdge { from, to }))?;
            cost += Cost(u64::from(weight));
        }
        Ok(cost)
    }

    fn wrong_cost(claimed: Cost, actual: Cost) -> GraphPathProblem {
        GraphPathProblem::Cost { claimed, actual }
    }

    fn first_touched(&self, nodes: &[NodeId], from: usize, change: &EdgeChange) -> Option<usize> {
        if let EdgeChange::NodeRemoved { node, .. } = *change {
            return (from..nodes.len()).find(|&at| nodes[at] == node);
        }
        let ends = change.step()?;
        (from + 1..nodes.len()).find(|&at| (nodes[at - 1], nodes[at]) == ends)
    }

    fn position(&self, node: NodeId) -> Option<Position> {
        self.positions()?.get(node.index()).copied()
    }
}
