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
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `rayon` (on by default) | requests and many queries are worked on by all cores |
//! | `serde` | cells, batches, changes, paths, requests, replies, events and ids can be written and read by any format of `serde`; what no constructor makes is refused |
//! | `glam` | cells convert from and to `UVec2` and `IVec2`; `Vec2` and `DVec2` are positions |
//! | `tracing` | spans and events for a profiler |
//!
//! Whole worlds and simulations are saved without any feature: see [`PathWorld::save`] and [`Simulation::save`].
//!
//! With `tracing`, everything is at the level `DEBUG` and of the target `highroad`. Without it, nothing is left of it in
//! the program.
//!
//! | span | fields | covers |
//! |---|---|---|
//! | `build` | `planner`, `kind` | a planner is built with the world |
//! | `edit` | `revision` | a batch is made, and planners follow; its event `edited` has `changes` and `revision` |
//! | `tick` | `tick` | planners take over, requests are worked on; its event `ticked` has `expansions`, `answered` and `waiting` |
//! | `rebuild` | `revision` | a planner is built or brought up to date, on the thread for it |
//! | `agents` | `tick`, `agents` | agents take their answers and walk |
//!
//! The events `rebuild started`, `rebuild swapped` and `rebuild failed` have `planner`, `kind` and `revision`.

#[macro_use]
mod trace;

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
