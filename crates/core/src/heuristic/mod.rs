//! Heuristics: estimates of the cost still to go, for every environment whose places are nodes.
//!
//! Each one implements [`Heuristic`](crate::search::Heuristic) for the goals of one query, and says in its own header
//! when it is admissible and when it is consistent.
//!
//! | heuristic | needs | admissible | consistent |
//! |---|---|---|---|
//! | [`HeuristicKind`]: distances on an open grid | nothing | by rule and step costs | as far as admissible |
//! | [`PositionEstimate`]: distances between positions | positions of nodes | with the scale of the graph | not claimed |
//! | [`Landmarks`]: triangle inequality | 1 or 2 searches a landmark | always | always |
//! | [`ClusterTable`]: least distances between clusters | a search a cluster | always | no |
//! | [`AbstractDistances`]: a search through clusters first | a search a crossing | always | no |
//! | [`GivenEstimates`]: worked out elsewhere | a number a node | if known to be exact | if known to be exact |
//!
//! Tables are of one edition of an environment: a search with a table refuses any other as stale.

mod clusters;
mod given;
mod grid;
mod landmarks;
mod position;

pub use clusters::{AbstractDistances, ClusterHeuristic, ClusterTable};
pub use given::GivenEstimates;
pub use grid::HeuristicKind;
pub use landmarks::{LandmarkHeuristic, Landmarks};
pub use position::{Metric, PositionEstimate, PositionHeuristic};

pub(crate) use clusters::AbstractMemory;
pub(crate) use grid::GridHeuristic;

#[cfg(test)]
mod tests;
