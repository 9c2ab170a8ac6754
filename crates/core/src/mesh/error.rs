//! What can be wrong with a mesh.

use thiserror::Error;

/// Why a mesh cannot be made.
///
/// ```
/// use highroad::mesh::{Mesh, MeshError};
/// let corners = vec![[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
/// let error: MeshError = Mesh::from_polygons(corners, &[vec![0, 1, 2, 3]]).unwrap_err();
/// assert_eq!(error, MeshError::NotConvex { polygon: 0, vertex: 2 });
/// assert_eq!(error.polygon(), Some(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// More of something than can be numbered.
    #[error("{count} {what}: there may be at most {max}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// A coordinate that is not finite, or too large.
    #[error(
        "vertex {vertex} has the coordinate {coordinate}: it must be finite, and at most 2⁴⁰ in size"
    )]
    Coordinate {
        /// Which vertex.
        vertex: usize,
        /// What it has.
        coordinate: f64,
    },
    /// A polygon without area.
    #[error("polygon {polygon} has {corners} corners: it needs at least three")]
    TooFewCorners {
        /// Which polygon.
        polygon: usize,
        /// How many it has.
        corners: usize,
    },
    /// A polygon with a vertex that is not there.
    #[error("polygon {polygon} has the vertex {vertex}, but there are {vertices}")]
    NoSuchVertex {
        /// Which polygon.
        polygon: usize,
        /// The vertex.
        vertex: u64,
        /// How many there are.
        vertices: usize,
    },
    /// Two corners of a polygon, one after the other, at the same place.
    #[error("polygon {polygon} has two corners at the same place, at vertex {vertex}")]
    RepeatedCorner {
        /// Which polygon.
        polygon: usize,
        /// The first of the two.
        vertex: u32,
    },
    /// A polygon with a corner that bends inwards, or one given clockwise.
    #[error(
        "polygon {polygon} turns to the right at vertex {vertex}: polygons are convex, with their corners counter-clockwise"
    )]
    NotConvex {
        /// Which polygon.
        polygon: usize,
        /// Where.
        vertex: u32,
    },
    /// All corners of a polygon lie on a line.
    #[error("polygon {polygon} has no area")]
    NoArea {
        /// Which polygon.
        polygon: usize,
    },
    /// A polygon goes round more than once.
    #[error("polygon {polygon} crosses itself")]
    CrossesItself {
        /// Which polygon.
        polygon: usize,
    },
    /// Not one neighbour, or one layer, for each edge or polygon.
    #[error("{count} {what}, where {expected} are expected")]
    WrongCount {
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A neighbour that is not there, or does not have the same edge.
    #[error(
        "polygon {polygon} names {neighbour} as its neighbour across edge {edge}, which does not have that edge"
    )]
    NotNeighbours {
        /// Which polygon.
        polygon: usize,
        /// Which edge, from 0: that which begins at corner 0.
        edge: usize,
        /// What it names.
        neighbour: u64,
    },
    /// Two polygons that lie on the same side of an edge, or three on one edge.
    #[error(
        "polygon {polygon} shares its edge from vertex {from} to vertex {to} with two others, or with one on the same side"
    )]
    EdgeOverlap {
        /// Which polygon.
        polygon: usize,
        /// Where the edge begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
}

impl MeshError {
    /// The polygon that is wrong, if one is.
    pub fn polygon(&self) -> Option<usize> {
        match *self {
            Self::TooMany { .. } | Self::Coordinate { .. } | Self::WrongCount { .. } => None,
            Self::TooFewCorners { polygon, .. }
            | Self::NoSuchVertex { polygon, .. }
            | Self::RepeatedCorner { polygon, .. }
            | Self::NotConvex { polygon, .. }
            | Self::NoArea { polygon }
            | Self::CrossesItself { polygon }
            | Self::NotNeighbours { polygon, .. }
            | Self::EdgeOverlap { polygon, .. } => Some(polygon),
        }
    }
}
