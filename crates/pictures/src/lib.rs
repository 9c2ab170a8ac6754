//! Pictures of maps, searches and paths: on pixels, in SVG files, or on any [`Surface`] of one's own.
//!
//! A [`Scene`] is what there is to see, a [`Viewport`] which part of it and how large. A [`Replay`](replay::Replay)
//! is a recorded search that is played forwards and backwards; a scene can show it.
//!
//! ```
//! use highroad_core::{Grid, GridSearch, Planner, PathQuery, Scratch, TraceLog};
//! use highroad_pictures::replay::Replay;
//! use highroad_pictures::{Colouring, Viewport, Scene};
//!
//! let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
//! let mut log = TraceLog::default();
//! let query = PathQuery::new((0, 0), (3, 2));
//! let answer = GridSearch::astar().solve_traced(&grid, &query, &mut Scratch::new(), &mut log)?;
//! let path = answer.path().expect("there is a way round");
//!
//! let mut replay = Replay::new(grid.extent(), log);
//! replay.go_to(replay.len(), |_| ());
//! let scene = Scene {
//!     search: Some((&replay, Colouring::Order, 0.8)),
//!     path: Some((path.cells(), 1.0)),
//!     ..Scene::new(&grid)
//! };
//! let viewport = Viewport::whole(grid.extent());
//! let mut png = Vec::new();
//! scene.to_canvas(&viewport).write_png(&mut png)?;
//! assert!(scene.to_svg(&viewport)?.starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod base64;
mod canvas;
mod colour;
mod crowd;
mod graph;
mod ground;
mod lettering;
mod mesh;
mod paths;
mod phases;
pub mod posthoc;
mod posthoc_read;
pub mod replay;
mod scene;
mod surface;
mod svg;

pub use animation::{Animation, Film};
pub use base64::push_png_url;
pub use canvas::{Canvas, PictureError};
pub use colour::{CLEARANCE, Colour, Ink, Theme, layer_colour, region_colour};
pub use crowd::{CrowdPicture, HeatLayer, PictureBody};
pub use graph::{GraphLayout, GraphScene, extent_of_nodes};
pub use ground::{clearance, clearance_layer, draw_link};
pub use mesh::MeshScene;
pub use paths::{Backdrop, PathLine, PathsPicture};
pub use phases::{Phase, PhaseKind};
pub use scene::{
    Colouring, GRID_LINES_SCALE_MIN, Scene, SceneAgent, SceneLayer, TREE_SCALE_MIN, place_size,
};
pub use surface::{Spot, Surface, Viewport};

#[cfg(test)]
mod tests;
