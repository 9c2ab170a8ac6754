//! Pictures of maps, searches and paths: on pixels, in SVG files, or on any [`Surface`] of one's own.
//!
//! A [`Scene`] is what there is to see, a [`Frame`] which part of it and how large.

mod canvas;
mod colour;
mod lettering;
mod paths;
mod scene;
mod surface;
mod svg;

pub use canvas::{Canvas, PictureError};
pub use colour::{Colour, Ink, Theme};
pub use paths::{PathLine, PathsPicture};
pub use scene::{
    Colouring, GRID_LINES_SCALE_MIN, Scene, SceneAgent, SceneLayer, TREE_SCALE_MIN, place_size,
};
pub use surface::{Frame, Spot, Surface};

#[cfg(test)]
mod tests;
