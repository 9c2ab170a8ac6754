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
//! | [`simulation`] | agents that walk from cell to cell or with bodies, alone or in groups; their orders and events |
//! | [`crowd`] | bodies that walk in continuous space and avoid each other; formations |
//! | [`grid`] | cells, terrain, movement, batches of edits, connected parts |
//! | [`graph`] | graphs, batches of edits, all pairs, partitions |
//! | [`mesh`] | navigation meshes, points on them, their files |
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

mod background;
mod clock;
mod coordinates;
pub mod crowd;
mod fault;
mod field_paths;
mod living;
mod outcome;
mod planners;
mod pool;
mod recipe;
pub mod requests;
pub mod simulation;
mod sync;
mod watch;
pub mod world;

#[doc(inline)]
pub use highroad_core::{
    catalog, cooperative, environment, field, graph, grid, heuristic, hierarchy, implicit, index,
    mesh, online, path, planner, puzzle, saved, search, space,
};

pub use environment::Cost;
pub use grid::{Cell, CellRect, GridMap, Terrain};
pub use path::Path;
#[doc(inline)]
pub use requests::{Budget, Reply, Request};
#[doc(inline)]
pub use simulation::{AgentPlan, Simulation};
#[doc(inline)]
pub use world::PathWorld;

/// The README's example, kept true by the doc tests.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
pub struct Readme;
