//! Meshes to measure and verify planners on: from files of meshes, or made of maps.

mod source;
mod verify;

pub use source::{
    Lengths, MeshSource, MeshWorkload, far_apart_points, find_mesh_sources, is_mesh_file,
    mesh_of_grid, read_mesh, seeded_points,
};
pub use verify::verify_mesh;
