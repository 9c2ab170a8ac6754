//! Pathfinding for games and simulations, on maps that change while agents walk on them.
//!
//! A [`PathWorld`] owns a map, takes edits, keeps its planners in step with them, and gives out snapshots that stay as
//! they were. [Requests](Request) are worked on within a [`Budget`], tick by tick. A [`Simulation`] lets agents walk
//! in it.
//!
//! ```
//! use highroad::{CellRect, PathWorld, Terrain};
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
//! # Where things are
//!
//! The root of this crate has the twelve names that a game needs first. None of them is in the prelude of `bevy`,
//! `hecs`, `macroquad` or `glam`. The rest is in modules:
//!
//! | module | what it is for |
//! |---|---|
//! | [`world`] | worlds, kinds of agents, snapshots, rebuilds in the background, coordinates of the game |
//! | [`requests`] | requests, tickets, replies, budgets |
//! | [`simulation`] | agents that walk, and their events |
//! | [`grid`] | cells, terrain, movement, batches of edits, connected parts |
//! | [`graph`] | graphs, batches of edits, all pairs, partitions |
//! | [`planner`] | queries and answers, and the interface of all planners |
//! | [`catalog`] | every planner by its name, with its options |
//! | [`online`], [`hierarchy`], [`index`](mod@index) | the planners |
//! | [`field`] | one search that serves many agents |
//! | [`implicit`], [`puzzle`] | graphs given by closures; the n²−1 puzzle |
//! | [`search`], [`heuristic`], [`space`], [`environment`], [`path`](mod@path), [`saved`] | what planners are made of |
//!
//! # Which planner should I choose?
//!
//! A world without a planner answers by an exact search: right for small maps and few agents. Others are given to
//! [`PathWorld::with_planner`], by their options or by a name of the [`catalog`]. With several, the first that knows the
//! map as it is answers.
//!
//! | your map | size | edits | paths | memory | choose |
//! |---|---|---|---|---|---|
//! | any | up to about 100 × 100 | any number | exact | nothing beside the map | no planner, or `astar` |
//! | cells of equal cost, diagonal steps | up to about 500 × 500 | any number | exact | nothing beside the map | `jps` |
//! | any, many agents | up to 16,384 × 16,384 | many, patched in place | near optimal | a few bytes a cell | `hpa` ([`HpaOptions`](hierarchy::HpaOptions)) |
//! | any, agents that must set off at once | the same | many, patched in place | near optimal | some ten bytes a cell | `pra:k=…` ([`PraOptions`](hierarchy::PraOptions)) |
//! | cells of equal cost, corners not cut | up to a few million cells | rare: rebuilt in the background | exact | tens to hundreds of bytes a cell | `hub-labels` ([`HubOptions`](index::HubOptions)) before `hpa` |
//! | the same, little memory | the same | rare: rebuilt in the background | exact | a few bytes a cell | `subgoal` or `ch` |
//! | many agents with one goal | any | any number | exact | eight bytes a cell while it is in use | nothing: requests to one goal [share a field](PathWorld::share_fields_from) |
//! | a graph, for example roads | up to millions of nodes | rare: rebuilt in the background | exact | tens of bytes an edge | `ch` |
//! | a graph with traffic | up to about 100,000 nodes | many, patched in place | exact if all entrances are kept | tens of bytes an edge | `entrances`, or `astar` where nodes have positions |
//!
//! `highroad bench YOUR.map --planner all` measures time, quality and memory of all of them on a map of your own.

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
