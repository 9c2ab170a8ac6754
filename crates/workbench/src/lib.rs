//! The workbench: load, draw and edit maps, run every planner of the catalog, watch it step by step, see its layers, and
//! let an agent walk; place obstacles on meshes, search graphs, and solve puzzles.
//!
//! [`Shell`](shell::Shell) is the whole state: the modes, files, windows in front. Each mode is a folder with its state and
//! its drawing: [`map`], [`mesh`], [`graph`], [`puzzle`]. [`shared`] is what modes have in common, [`seams`] is where they meet the machine.
//! `run` opens a window; `web/page` shows the same on a page.

pub mod graph;
pub mod map;
pub mod mesh;
#[cfg(not(target_family = "wasm"))]
pub mod native;
pub mod puzzle;
pub mod seams;
pub mod shared;
pub mod shell;
pub mod teach;
#[cfg(not(target_family = "wasm"))]
mod window;

pub use shell::draw::{App, FrameTimes};
#[cfg(not(target_family = "wasm"))]
pub use window::{NoWindow, Start, run};
