//! Exact indexes: precomputed once, they answer optimally in microseconds.
//!
//! [`SubgoalGraph`] keeps the corners of obstacles and the ways between them; [`ContractionHierarchy`]
//! orders the nodes of any weighted graph so that a query climbs to few of them; [`ChIndex`] puts the
//! two together. They do not follow edits: until it is built anew, an index refuses queries on a grid
//! that it does not describe.

mod ch;
mod contraction;
mod hub;
mod saved;
mod subgoal;
mod watch;

pub use ch::ChIndex;
pub use contraction::{ContractionHierarchy, GraphEdge, GraphError, Route, RouteScratch};
pub use hub::{DistanceTable, HubBuild, HubFallback, HubLabels, HubOptions, HubPart};
pub use saved::LoadError;
pub use subgoal::{SubgoalBuild, SubgoalEdges, SubgoalGraph};
pub use watch::{BuildError, Watch};

pub(crate) use ch::{ChScratch, serves_hierarchy};
pub(crate) use hub::HubScratch;
pub(crate) use saved::{Kind, Reader, Writer};
pub(crate) use subgoal::{SubgoalScratch, serves_subgoals};

#[cfg(test)]
mod tests;
