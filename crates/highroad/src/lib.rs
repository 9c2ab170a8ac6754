//! Pathfinding for games and simulations, on maps that change while agents walk on them.
//!
//! This crate is what a game depends on; it re-exports all of [`highroad_core`]. A [`PathWorld`] owns a
//! map, takes edits, keeps its planners in step with them, and gives out snapshots that stay as they
//! were. [Requests](Request) are worked on within a [`Budget`], tick by tick. A [`Simulation`] lets agents
//! walk in it.
//!
//! ```
//! use highroad::{CellRect, Terrain, PathWorld};
//!
//! let mut world = PathWorld::new("........\n........\n........\n".parse()?);
//! let path = world.find_path((0, 1), (7, 1))?.expect("nothing is in the way");
//! assert_eq!(path.length(), 7.0);
//!
//! world.edit(|edit| {
//!     edit.fill(CellRect::new((4, 0), (4, 1)), Terrain::WALL);
//! })?;
//! let detour = world.find_path((0, 1), (7, 1))?.expect("one can go round");
//! assert!(detour.length() > path.length());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coordinates;
mod field_paths;
mod living;
mod planners;
mod pool;
mod recipe;
pub mod requests;
pub mod simulation;
pub mod world;

#[doc(inline)]
pub use highroad_core::{
    catalog, environment, field, graph, grid, heuristic, hierarchy, implicit, index, online, path,
    planner, puzzle, saved, search, space,
};

pub use environment::Cost;
pub use grid::{Cell, CellRect, GridMap, Terrain};
pub use path::Path;
pub use requests::{Budget, Reply, Request};
pub use simulation::{AgentPlan, Simulation};
pub use world::PathWorld;

/// The README's example, kept true by the doc tests.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;
