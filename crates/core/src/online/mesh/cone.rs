//! What a root sees: a cone between two rays, through an edge.

use crate::mesh::Xy;

/// A cone is not limited on that side: its root lies at that end of the edge.
pub(super) const OPEN: u32 = u32::MAX;

/// A cone is limited by the ray from the root before through its root: a path that came from there and bends less would
/// not bend round the corner at all.
pub(super) const TURN: u32 = u32::MAX - 1;

/// Instead of a limit on the right: the node is no cone, but a link that its root sees the beginning of, which is what `left` says.
pub(super) const WAY: u32 = u32::MAX - 2;

/// Where a path bends, starts, or comes out of a link: what lies ahead is seen from here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) at: Xy,
    /// The length of the path so far.
    pub(super) g: f64,
    /// Its vertex; `OPEN` for a start and for where a link begins. Ends of links are numbered after all vertices.
    pub(super) vertex: u32,
    /// The root before; itself for a start.
    pub(super) before: u32,
    pub(super) layer: u16,
}

/// A node of the search: all paths that bend last at a root and go on through the part of an edge that is seen between
/// two rays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The half-edge, in the polygon that is entered; `NONE`: a goal is reached, which is what `left` says, or it is a link.
    pub(super) edge: u32,
    pub(super) root: u32,
    /// The vertex that limits the cone on the left, as seen from the root; `OPEN` or `TURN`. If it is the left end of the edge, the
    /// cone reaches that end.
    pub(super) left: u32,
    pub(super) right: u32,
}

/// The ray that limits a cone; `None` if nothing does.
pub(super) type Ray = Option<[Xy; 2]>;

/// Where a ray crosses an edge, about: the edge's left end lies on the left of the ray, its right end on the right.
#[inline]
pub(super) fn crossing([from, to]: [Xy; 2], left: Xy, right: Xy) -> Xy {
    let ahead = [to[0] - from[0], to[1] - from[1]];
    let beside = |p: Xy| ahead[0] * (p[1] - from[1]) - ahead[1] * (p[0] - from[0]);
    let (by_left, by_right) = (beside(left), beside(right));
    let part = by_right / (by_right - by_left);
    let part = if part > 0.0 { part.min(1.0) } else { 0.0 };
    [right[0] + part * (left[0] - right[0]), right[1] + part * (left[1] - right[1])]
}

/// The sine of an angle below which the point where a ray crosses an edge is not computed: rounding would move it along
/// the edge.
const ANGLE_MIN: f64 = 1e-5;

/// The same for a bound: `wide`, the end of the edge towards which the ray limits what is seen, where ray and edge are
/// nearly in line.
#[inline]
pub(super) fn crossing_or(wide: Xy, [from, to]: [Xy; 2], left: Xy, right: Xy) -> Xy {
    let size = |a: Xy, b: Xy| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
    let across =
        (to[0] - from[0]) * (left[1] - right[1]) - (to[1] - from[1]) * (left[0] - right[0]);
    if across.abs() <= ANGLE_MIN * size(from, to) * size(left, right) {
        return wide;
    }
    crossing([from, to], left, right)
}

/// A lower bound for the way from a root through a part of an edge to a goal: the length of the shortest line that
/// meets that part, whatever else is in the way. The root lies on the left of the edge, which goes from `ends[0]` to `ends[1]`;
/// a goal on that side is mirrored at the edge. Which side the root is on is not computed: it may lie as near to the edge
/// as rounding.
#[inline]
pub(super) fn way_through(root: Xy, [left, right]: [Xy; 2], ends: [Xy; 2], goal: Xy) -> f64 {
    let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
    let beside = along[0] * (goal[1] - ends[0][1]) - along[1] * (goal[0] - ends[0][0]);
    let goal = if beside > 0.0 {
        let part = 2.0 * beside / (along[0] * along[0] + along[1] * along[1]);
        [goal[0] + part * along[1], goal[1] - part * along[0]]
    } else {
        goal
    };
    let turn =
        |to: Xy| (to[0] - root[0]) * (goal[1] - root[1]) - (to[1] - root[1]) * (goal[0] - root[0]);
    let distance = crate::mesh::distance;
    let by = |end: Xy| distance(root, end) + distance(end, goal);
    let size = |a: Xy, b: Xy| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
    let (by_left, by_right) = (turn(left), turn(right));
    // Where root, edge and goal are nearly in line, the turns have no meaning. The straight line is always a bound.
    let least = ANGLE_MIN * size(root, goal);
    if by_left > least * size(root, left) || -by_right > least * size(root, right) {
        by(left).min(by(right))
    } else {
        distance(root, goal)
    }
}
