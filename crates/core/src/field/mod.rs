//! Fields: one search from some places that answers many questions.
//!
//! A [`Field`] is of a grid and grows as far as it is asked to: many agents with one goal, one agent with many
//! goals, the range of a movement. A [`GraphField`] and a [`MeshField`] do the same on graphs and meshes. A
//! [`FacilityField`] is of any graph, whole, and knows of each node which facility is nearest and where to go next. A
//! [`FlowField`] is of a grid and of ways to goals; it follows edits, and [`FlowFields`] keeps as many as memory allows.

mod facilities;
mod flow;
mod graph;
mod grid;
mod mesh;

pub use facilities::FacilityField;
pub use flow::{Flow, FlowField, FlowFields, FlowId};
pub use graph::GraphField;
pub use grid::{Field, FieldMemory};
pub use mesh::MeshField;
