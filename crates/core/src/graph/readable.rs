//! Batches of a graph for `serde`: a list of named operations.

use super::edit::Step;
use super::{EdgeChange, GraphBatch};
use crate::environment::{NodeId, Position};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One step of a batch by its name.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Operation {
    SetWeight { from: NodeId, to: NodeId, weight: i32 },
    Close { from: NodeId, to: NodeId },
    Open { from: NodeId, to: NodeId },
    AddEdge { from: NodeId, to: NodeId, weight: i32 },
    RemoveEdge { from: NodeId, to: NodeId },
    AddNode { position: Option<Position> },
    RemoveNode { node: NodeId },
    Undo(EdgeChange),
}

impl Operation {
    fn of(step: &Step) -> Self {
        match *step {
            Step::SetWeight { from, to, weight } => Self::SetWeight { from, to, weight },
            Step::SetClosed { from, to, closed: true } => Self::Close { from, to },
            Step::SetClosed { from, to, closed: false } => Self::Open { from, to },
            Step::AddEdge(edge) => {
                Self::AddEdge { from: edge.from, to: edge.to, weight: edge.weight }
            }
            Step::RemoveEdge { from, to } => Self::RemoveEdge { from, to },
            Step::AddNode(position) => Self::AddNode { position },
            Step::RemoveNode(node) => Self::RemoveNode { node },
            Step::Undo(change) => Self::Undo(change),
        }
    }

    fn step(self) -> Step {
        match self {
            Self::SetWeight { from, to, weight } => Step::SetWeight { from, to, weight },
            Self::Close { from, to } => Step::SetClosed { from, to, closed: true },
            Self::Open { from, to } => Step::SetClosed { from, to, closed: false },
            Self::AddEdge { from, to, weight } => Step::AddEdge(super::Edge { from, to, weight }),
            Self::RemoveEdge { from, to } => Step::RemoveEdge { from, to },
            Self::AddNode { position } => Step::AddNode(position),
            Self::RemoveNode { node } => Step::RemoveNode(node),
            Self::Undo(change) => Step::Undo(change),
        }
    }
}

impl Serialize for GraphBatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps.iter().map(Operation::of))
    }
}

impl<'de> Deserialize<'de> for GraphBatch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let operations = Vec::<Operation>::deserialize(deserializer)?;
        Ok(Self { steps: operations.into_iter().map(Operation::step).collect() })
    }
}
