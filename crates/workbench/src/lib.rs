//! The workbench: load, draw and edit maps, run every planner of the catalog, watch it step by step, see
//! its layers, and let an agent walk.
//!
//! [`model::Bench`] is the application's state and everything that can be done to it; `ui` draws it and
//! turns clicks and keys into its methods; [`seams`] is where both meet the machine. [`run`] opens a
//! window.

pub mod model;
pub mod native;
pub mod seams;
mod start;
mod ui;

pub use start::{NoWindow, Start, run};
pub use ui::{App, FrameTimes};
