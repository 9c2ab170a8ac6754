//! What is seen from a point: cones that spread from polygon to polygon, without a bend.
//!
//! ```text
//!            b                 A cone is an edge that is seen, and the two vertices that limit what is seen of it. Behind
//!     root ──+──── left        the edge lies a polygon: its corners between the rays through the limits are seen, and
//!       \    |                 each of its other edges that reaches between them is seen in part or as a whole.
//!        ────+──── right
//!            a
//! ```
//!
//! All that is decided is the orientation of given points, and so is exact. What lies on a ray itself is seen. A cone
//! without an angle is not followed: where sight continues through it alone, obstacles on both sides touch the line, so
//! that the first of them is a corner on the line, from where the rest is seen.

use super::point::{Xy, orient};
use super::shape::{HalfEdge, MeshShape, NONE};

/// An edge that is seen, from the side of the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    /// The half-edge in the polygon behind.
    edge: u32,
    /// The vertices that limit it, as seen from the root.
    left: u32,
    right: u32,
    /// The number that the caller has given it.
    pub(crate) number: u32,
}

/// A look from a point, to be followed cone by cone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    root: Xy,
    exact: bool,
    cones: Vec<Cone>,
}

impl Sight {
    /// Begins to look from a point; `exact` says that orientations of it and vertices are exact as computed.
    pub(crate) fn begin(&mut self, root: Xy, exact: bool) {
        self.root = root;
        self.exact = exact;
        self.cones.clear();
    }

    /// Looks around in a polygon that the root lies in. Every corner is seen, which `visit` gets as the half-edge that
    /// begins there. `number` numbers the cones that begin.
    pub(crate) fn look_around(
        &mut self,
        shape: &MeshShape,
        polygon: u32,
        mut visit: impl FnMut(u32),
        mut number: impl FnMut() -> u32,
    ) {
        let range = shape.range(polygon);
        for edge in range.clone() {
            visit(edge as u32);
            let next = if edge + 1 == range.end { range.start } else { edge + 1 };
            let (from, to) = (&shape.half_edges[edge], &shape.half_edges[next]);
            if from.twin != NONE && orient(self.exact, self.root, from.at, to.at) > 0.0 {
                let (left, right) = (to.vertex, from.vertex);
                self.cones.push(Cone { edge: from.twin, left, right, number: number() });
            }
        }
    }

    /// The cone that comes next.
    pub(crate) fn next(&mut self) -> Option<Cone> {
        self.cones.pop()
    }

    /// Puts back a cone that was not followed.
    pub(crate) fn put_back(&mut self, cone: Cone) {
        self.cones.push(cone);
    }

    /// How many cones are left.
    pub(crate) fn open_len(&self) -> usize {
        self.cones.len()
    }

    /// The polygon behind the edge of a cone.
    pub(crate) fn polygon(shape: &MeshShape, cone: Cone) -> u32 {
        shape.half_edges[cone.edge as usize].polygon
    }

    /// Whether a point of the polygon behind a cone is seen.
    pub(crate) fn sees(&self, shape: &MeshShape, cone: Cone, point: Xy) -> bool {
        let [left, right] = [cone.left, cone.right].map(|vertex| shape.vertices[vertex as usize]);
        orient(self.exact, self.root, right, point) >= 0.0
            && orient(self.exact, self.root, left, point) <= 0.0
    }

    /// Follows a cone through the polygon behind its edge: `visit` gets the half-edges that begin at corners which are
    /// seen, but for the ends of the edge itself.
    #[inline]
    pub(crate) fn follow(
        &mut self,
        shape: &MeshShape,
        cone: Cone,
        mut visit: impl FnMut(u32),
        mut number: impl FnMut() -> u32,
    ) {
        let Self { root, exact, .. } = *self;
        let Cone { edge, left, right, .. } = cone;
        let [left_at, right_at] = [left, right].map(|vertex| shape.vertices[vertex as usize]);
        let entry = edge as usize;
        let range = shape.range(shape.half_edges[entry].polygon);
        let after = |edge: usize| if edge + 1 == range.end { range.start } else { edge + 1 };
        let of_right = |side: &HalfEdge| match side.vertex == right {
            true => 0.0,
            false => orient(exact, root, right_at, side.at),
        };
        let of_left = |side: &HalfEdge| match side.vertex == left {
            true => 0.0,
            false => orient(exact, root, left_at, side.at),
        };
        let mut at = after(entry);
        let mut from = &shape.half_edges[at];
        // The right end of the entry lies on the right ray, or right of it; its left end likewise.
        let mut from_right = if from.vertex == right { 0.0 } else { -1.0 };
        let mut from_left = -1.0;
        loop {
            let next = after(at);
            let to = &shape.half_edges[next];
            let (to_right, to_left) = if next == entry {
                (1.0, if to.vertex == left { 0.0 } else { 1.0 })
            } else {
                (of_right(to), of_left(to))
            };
            if next != entry && to_right >= 0.0 && to_left <= 0.0 {
                visit(next as u32);
            }
            let is_met = to_right > 0.0 && from_left < 0.0;
            if is_met && from.twin != NONE {
                let new_right =
                    if from_right >= 0.0 { (from.vertex, from.at) } else { (right, right_at) };
                let new_left = if to_left <= 0.0 { (to.vertex, to.at) } else { (left, left_at) };
                if orient(exact, root, new_right.1, new_left.1) > 0.0 {
                    let (left, right) = (new_left.0, new_right.0);
                    self.cones.push(Cone { edge: from.twin, left, right, number: number() });
                }
            }
            // What follows lies left of the cone.
            if next == entry || to_left > 0.0 {
                break;
            }
            (at, from, from_right, from_left) = (next, to, to_right, to_left);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cones.capacity() * size_of::<Cone>()
    }
}
