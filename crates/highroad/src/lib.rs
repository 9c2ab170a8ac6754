//! Pathfinding for games and simulations, on maps that change while agents walk on them.
//!
//! This crate is what a game depends on; it re-exports all of [`highroad_core`]. A [`World`] owns a
//! map, takes edits, keeps its planners in step with them, and gives out snapshots that stay as they
//! were. [Requests](Request) are worked on within a [`Budget`], tick by tick. A [`Simulation`] lets agents
//! walk in it.
//!
//! ```
//! use highroad::{Rect, Terrain, World};
//!
//! let mut world = World::new("........\n........\n........\n".parse()?);
//! let path = world.find_path((0, 1), (7, 1))?.expect("nothing is in the way");
//! assert_eq!(path.length(), 7.0);
//!
//! world.edit(|edit| {
//!     edit.fill(Rect::new((4, 0), (4, 1)), Terrain::WALL);
//! })?;
//! let detour = world.find_path((0, 1), (7, 1))?.expect("one can go round");
//! assert!(detour.length() > path.length());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod field_paths;
mod frame;
mod living;
mod planners;
mod pool;
mod recipe;
mod requests;
mod simulation;
mod world;

pub use frame::{Frame, FrameError};
pub use highroad_core::*;
pub use living::{GridField, Living, LivingField, LivingParts};
pub use planners::{PlannerId, PlannerStatus, RebuildEvent, RebuildReport};
pub use recipe::{BuildWatch, RebuildError, Recipe};
pub use requests::{Budget, Reply, Request, RequestError, TickReport, Ticket};
pub use simulation::{
    Agent, AgentId, AgentPlan, AgentState, Event, EventKind, Pace, Simulation, StopReason,
};
pub use world::{BuildWorldError, KindView, Reader, Snapshot, World, WorldBuilder};

/// The README's example, kept true by the doc tests.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;
