//! Exact indexes: precomputed once, they answer optimally in microseconds.
//!
//! [`SubgoalGraph`] keeps the corners of obstacles and the ways between them; [`ContractionHierarchy`]
//! orders the nodes of any weighted graph so that a query climbs to few of them, which [`GraphHierarchy`] does on a
//! graph; [`ChIndex`] does it on the corners of a grid; [`HubLabels`] looks distances up instead of searching, and so does
//! [`CornerLabels`] on a mesh.
//! A [`DistanceTable`] has the costs between many starts and many goals.
//! They do not follow edits: until it is built again, an index refuses queries on an environment that it does not
//! describe.

mod ch;
mod contraction;
mod corners;
mod hub;
mod subgoal;
mod table;

pub use ch::{ChIndex, GraphHierarchy};
pub use contraction::{ContractionHierarchy, GraphError};
pub use corners::{CornerLabels, CornerOptions};
pub use hub::{HubBuild, HubFallback, HubLabels, HubOptions, HubPart};
pub use subgoal::{SubgoalBuild, SubgoalEdges, SubgoalGraph};
pub use table::{DistanceTable, TableError};

pub(crate) use ch::ENTRY as CH;
pub(crate) use corners::ENTRY as CORNER_LABELS;
pub(crate) use hub::ENTRY as HUB_LABELS;
pub(crate) use subgoal::ENTRY as SUBGOAL;

#[cfg(test)]
mod tests;
