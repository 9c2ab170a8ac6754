//! The arrays of a mesh: half-edges of convex polygons, and what follows from how they are joined.
//!
//! ```text
//!            a <────── c        Polygon a b c, counter-clockwise. Its half-edges lie side by side, each with the place
//!             \   p   ^         where it begins. The half-edge on the other side of an edge is its twin:
//!              \     /          NONE where the mesh ends.
//!               v   /
//!                 b
//! ```
//!
//! What is derived, in O(half-edges):
//! * **Corners.** A path bends only at a vertex round which more than 180° are free. Free ground round a vertex may
//!   consist of several fans of polygons, where obstacles touch at the vertex; a path stays in one of them. So a corner
//!   is noted at each half-edge that begins there, fan by fan. At most one fan of a vertex has more than 180°.
//! * **Parts**: which polygons are connected at all.
//! * **Trees**: polygons that are dead ends, after all dead ends behind them are taken away. A path enters one only if
//!   a goal lies in it.

use super::error::MeshError;
use super::install::Patched;
use super::locate::Locator;
use super::point::{Xy, accepted, is_on_lattice, orient};
use super::split::split_bent;
use std::sync::Arc;

/// No half-edge, polygon or vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// Half-edges at most; the numbers above stand for something else in searches.
pub(super) const HALF_EDGES_MAX: usize = u32::MAX as usize - 16;

/// Diagonals of the mesh are about this many units of cost long: see [`super::Mesh::cost_scale`].
const DIAGONAL_COST: f64 = (1u64 << 33) as f64;

/// One side of an edge, as the polygon on its left has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfEdge {
    /// Where it begins.
    pub(crate) at: Xy,
    /// The vertex there.
    pub(crate) vertex: u32,
    /// The other side; `NONE` where the mesh ends.
    pub(crate) twin: u32,
    pub(crate) polygon: u32,
    pub(super) flags: u32,
}

impl HalfEdge {
    pub(super) const CORNER: u32 = 1;
    pub(super) const TREE_ACROSS: u32 = 2;
    const STRAIGHT: u32 = 4;

    /// Whether a shortest path may bend where it begins.
    #[inline(always)]
    pub(crate) fn is_corner(&self) -> bool {
        self.flags & Self::CORNER != 0
    }

    /// Whether the polygon on its other side is part of a dead end.
    #[inline(always)]
    pub(crate) fn is_tree_across(&self) -> bool {
        self.flags & Self::TREE_ACROSS != 0
    }

    /// Whether its polygon has a corner of 180°.
    #[inline(always)]
    pub(crate) fn is_straight(&self) -> bool {
        self.flags & Self::STRAIGHT != 0
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct MeshShape {
    pub(crate) vertices: Vec<Xy>,
    pub(crate) half_edges: Vec<HalfEdge>,
    /// The first half-edge of each polygon, and where the last one ends.
    pub(crate) first: Vec<u32>,
    /// The layer of each polygon; empty if all are 0.
    pub(crate) layers: Vec<u16>,
    /// Which connected part each polygon belongs to: the number of its first polygon.
    pub(crate) parts: Vec<u32>,
    /// For a polygon of a tree the next one on the way out; `NONE` for others.
    pub(crate) tree_parent: Vec<u32>,
    /// Polygons that nobody may enter, in increasing order.
    pub(crate) closed: Vec<u32>,
    /// What has taken the place of closed polygons (`install.rs`).
    pub(super) patched: Patched,
    /// Of the polygons that were there before any was patched.
    pub(crate) locator: Arc<Locator>,
    /// Whether orientations of vertices are exact as computed.
    pub(crate) exact: bool,
    pub(crate) cost_scale: f64,
}

impl MeshShape {
    /// Polygons with the neighbours that they share an edge with, or that are given, across each edge in the order of
    /// corners.
    pub(crate) fn new(
        mut vertices: Vec<Xy>,
        polygons: &[Vec<u32>],
        neighbours: Option<&[Vec<Option<u32>>]>,
        layers: Vec<u16>,
    ) -> Result<Self, MeshError> {
        let max = HALF_EDGES_MAX;
        let corners = polygons.iter().map(Vec::len).sum::<usize>();
        let count = corners.max(vertices.len());
        if count > max {
            return Err(MeshError::TooMany { what: "corners", count, max });
        }
        for (vertex, xy) in vertices.iter_mut().enumerate() {
            for coordinate in xy {
                let known = accepted(*coordinate)
                    .map_err(|error| MeshError::Coordinate { vertex, coordinate: error.0 })?;
                *coordinate = known;
            }
        }
        check_counts(polygons, neighbours, &layers)?;
        let exact = vertices.iter().flatten().all(|&coordinate| is_on_lattice(coordinate));
        let split = split_bent(exact, &vertices, polygons, neighbours, &layers);
        let mut shape = match &split {
            Some(split) => Self::unjoined(vertices, &split.polygons, split.layers.clone())?,
            None => Self::unjoined(vertices, polygons, layers)?,
        };
        let neighbours = split.as_ref().map_or(neighbours, |split| split.neighbours.as_deref());
        match neighbours {
            Some(neighbours) => shape.join_given(neighbours)?,
            None => shape.join()?,
        }
        shape.derive();
        Ok(shape)
    }

    /// Polygons without neighbours.
    fn unjoined(
        vertices: Vec<Xy>,
        polygons: &[Vec<u32>],
        mut layers: Vec<u16>,
    ) -> Result<Self, MeshError> {
        let count = polygons.iter().map(Vec::len).sum::<usize>();
        if layers.iter().all(|&layer| layer == 0) {
            layers = Vec::new();
        }
        let exact = vertices.iter().flatten().all(|&coordinate| is_on_lattice(coordinate));
        let mut half_edges = Vec::with_capacity(count);
        let mut first = Vec::with_capacity(polygons.len() + 1);
        for (polygon, corners) in polygons.iter().enumerate() {
            first.push(half_edges.len() as u32);
            check_polygon(exact, &vertices, polygon, corners)?;
            half_edges.extend(corners.iter().map(|&vertex| HalfEdge {
                at: vertices[vertex as usize],
                vertex,
                twin: NONE,
                polygon: polygon as u32,
                flags: 0,
            }));
        }
        first.push(half_edges.len() as u32);
        let locator = Locator::new(&half_edges, &first);
        let cost_scale = cost_scale(locator.diagonal());
        let (parts, tree_parent, closed) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            vertices,
            half_edges,
            first,
            layers,
            parts,
            tree_parent,
            closed,
            patched: Patched::default(),
            locator: Arc::new(locator),
            exact,
            cost_scale,
        })
    }

    pub(crate) fn polygon_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The half-edges of a polygon.
    #[inline(always)]
    pub(crate) fn sides(&self, polygon: u32) -> &[HalfEdge] {
        &self.half_edges[self.range(polygon)]
    }

    #[inline(always)]
    pub(crate) fn range(&self, polygon: u32) -> std::ops::Range<usize> {
        let at = polygon as usize;
        self.first[at] as usize..self.first[at + 1] as usize
    }

    /// Takes polygons out of the mesh: nothing is left of them but their numbers.
    pub(crate) fn close(&mut self, polygons: &[u32]) {
        for &polygon in polygons {
            for edge in self.range(polygon) {
                let twin = std::mem::replace(&mut self.half_edges[edge].twin, NONE);
                if let Some(other) = self.half_edges.get_mut(twin as usize) {
                    other.twin = NONE;
                }
            }
        }
        self.closed.extend_from_slice(polygons);
        self.closed.sort_unstable();
        self.closed.dedup();
        self.derive();
    }

    pub(crate) fn is_open(&self, polygon: u32) -> bool {
        self.closed.is_empty() || self.closed.binary_search(&polygon).is_err()
    }

    pub(crate) fn layer(&self, polygon: u32) -> u16 {
        self.layers.get(polygon as usize).copied().unwrap_or(0)
    }

    /// The half-edge that follows in its polygon.
    #[inline]
    pub(crate) fn next(&self, edge: u32) -> u32 {
        let range = self.range(self.half_edges[edge as usize].polygon);
        if edge as usize + 1 == range.end { range.start as u32 } else { edge + 1 }
    }

    /// The half-edge that comes before it in its polygon.
    #[inline]
    pub(crate) fn before(&self, edge: u32) -> u32 {
        let range = self.range(self.half_edges[edge as usize].polygon);
        if edge as usize == range.start { range.end as u32 - 1 } else { edge - 1 }
    }

    /// The vertices that an edge joins.
    pub(crate) fn ends(&self, edge: u32) -> (u32, u32) {
        let to = self.half_edges[self.next(edge) as usize].vertex;
        (self.half_edges[edge as usize].vertex, to)
    }

    /// Joins half-edges that have the same vertices in opposite order.
    fn join(&mut self) -> Result<(), MeshError> {
        let mut sorted: Vec<(u32, u32, u32)> = (0..self.half_edges.len() as u32)
            .map(|edge| {
                let (from, to) = self.ends(edge);
                (from.min(to), from.max(to), edge)
            })
            .collect();
        sorted.sort_unstable();
        for group in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let &[(.., one), (.., other)] = group else {
                if group.len() == 1 {
                    continue;
                }
                return Err(self.overlap(group[2].2));
            };
            if self.half_edges[one as usize].vertex == self.half_edges[other as usize].vertex {
                return Err(self.overlap(other));
            }
            self.half_edges[one as usize].twin = other;
            self.half_edges[other as usize].twin = one;
        }
        Ok(())
    }

    fn overlap(&self, edge: u32) -> MeshError {
        let (from, to) = self.ends(edge);
        let polygon = self.half_edges[edge as usize].polygon as usize;
        MeshError::EdgeOverlap { polygon, from, to }
    }

    /// Joins all polygons with the neighbours that they name.
    fn join_given(&mut self, neighbours: &[Vec<Option<u32>>]) -> Result<(), MeshError> {
        let mut sorted: Vec<(u32, u32, u32)> = (0..self.half_edges.len() as u32)
            .map(|edge| {
                let (from, to) = self.ends(edge);
                (from, to, edge)
            })
            .collect();
        sorted.sort_unstable();
        for (polygon, list) in neighbours.iter().enumerate() {
            self.join_named(&sorted, polygon, list)?;
        }
        self.check_twins()
    }

    /// Joins a polygon with the neighbours that it names, given all half-edges sorted by their vertices.
    fn join_named(
        &mut self,
        sorted: &[(u32, u32, u32)],
        polygon: usize,
        list: &[Option<u32>],
    ) -> Result<(), MeshError> {
        let range = self.range(polygon as u32);
        for (edge, neighbour) in list.iter().enumerate() {
            let Some(neighbour) = *neighbour else { continue };
            let wrong = MeshError::NotNeighbours { polygon, edge, neighbour: neighbour.into() };
            if neighbour as usize >= self.polygon_count() {
                return Err(wrong);
            }
            let (from, to) = self.ends((range.start + edge) as u32);
            let first = sorted.partition_point(|known| (known.0, known.1) < (to, from));
            let same = sorted[first..].iter().take_while(|known| (known.0, known.1) == (to, from));
            let mut others = same.map(|known| known.2);
            let is_named = |&other: &u32| self.half_edges[other as usize].polygon == neighbour;
            let other = others.find(is_named).ok_or(wrong)?;
            self.half_edges[range.start + edge].twin = other;
        }
        Ok(())
    }

    /// Whether every neighbour that is named names the other as well.
    fn check_twins(&self) -> Result<(), MeshError> {
        for (at, side) in self.half_edges.iter().enumerate() {
            let other = self.half_edges.get(side.twin as usize);
            if other.is_some_and(|other| other.twin as usize != at) {
                let (polygon, neighbour) =
                    (side.polygon as usize, other.map_or(NONE, |o| o.polygon));
                let edge = at - self.first[polygon] as usize;
                return Err(MeshError::NotNeighbours {
                    polygon,
                    edge,
                    neighbour: neighbour.into(),
                });
            }
        }
        Ok(())
    }

    /// Everything that follows from how polygons are joined.
    pub(crate) fn derive(&mut self) {
        for side in &mut self.half_edges {
            side.flags = 0;
        }
        self.mark_corners();
        self.mark_straight();
        self.mark_parts();
        self.mark_trees();
    }

    fn mark_corners(&mut self) {
        for edge in 0..self.half_edges.len() as u32 {
            let HalfEdge { twin, polygon, .. } = self.half_edges[edge as usize];
            if twin != NONE || !self.is_open(polygon) {
                continue;
            }
            self.mark_fan(edge);
        }
    }

    /// Marks the corners of a fan of polygons round a vertex, given the half-edge that begins there with an obstacle on
    /// its right.
    pub(super) fn mark_fan(&mut self, edge: u32) {
        // Counter-clockwise round the vertex, as far as the obstacle on the other side. Round the pole of a spiral ramp there
        // may be more than 360°, so each polygon counts, not only the last: none has more than 180°.
        let [at, to] = [edge, self.next(edge)].map(|edge| self.half_edges[edge as usize].at);
        let mut last = edge;
        let mut is_bend = false;
        loop {
            let incoming = self.before(last);
            let HalfEdge { at: from, twin, .. } = self.half_edges[incoming as usize];
            let side = orient(self.exact, from, at, to);
            let dot = (from[0] - at[0]) * (to[0] - at[0]) + (from[1] - at[1]) * (to[1] - at[1]);
            // On a line: a wall without width ends here, or goes straight on.
            is_bend |= side < 0.0 || (side == 0.0 && dot >= 0.0);
            match twin {
                NONE => break,
                next => last = next,
            }
        }
        let mut around = edge;
        loop {
            let flags = &mut self.half_edges[around as usize].flags;
            *flags = if is_bend { *flags | HalfEdge::CORNER } else { *flags & !HalfEdge::CORNER };
            if around == last {
                break;
            }
            around = self.half_edges[self.before(around) as usize].twin;
        }
    }

    fn mark_straight(&mut self) {
        for polygon in 0..self.polygon_count() as u32 {
            self.mark_straight_polygon(polygon);
        }
    }

    /// Notes whether a polygon has a corner of 180°.
    pub(super) fn mark_straight_polygon(&mut self, polygon: u32) {
        let sides = self.sides(polygon);
        let count = sides.len();
        let is_straight = |at: usize| {
            let [a, b, c] = [at, at + 1, at + 2].map(|at| sides[at % count].at);
            orient(self.exact, a, b, c) == 0.0
        };
        if (0..count).any(is_straight) {
            let range = self.range(polygon);
            for side in &mut self.half_edges[range] {
                side.flags |= HalfEdge::STRAIGHT;
            }
        }
    }

    pub(super) fn mark_parts(&mut self) {
        self.parts = vec![NONE; self.polygon_count()];
        let mut reached = Vec::new();
        for part in 0..self.polygon_count() as u32 {
            if self.parts[part as usize] != NONE {
                continue;
            }
            self.parts[part as usize] = part;
            reached.push(part);
            while let Some(polygon) = reached.pop() {
                for at in self.range(polygon) {
                    let Some(other) = self.across(at as u32) else { continue };
                    if self.parts[other as usize] == NONE {
                        self.parts[other as usize] = part;
                        reached.push(other);
                    }
                }
            }
        }
    }

    /// The polygon on the other side of an edge.
    pub(crate) fn across(&self, edge: u32) -> Option<u32> {
        let twin = self.half_edges[edge as usize].twin;
        self.half_edges.get(twin as usize).map(|other| other.polygon)
    }

    fn mark_trees(&mut self) {
        let count = self.polygon_count();
        self.tree_parent = vec![NONE; count];
        let mut is_tree = vec![false; count];
        let mut exits: Vec<u32> = (0..count as u32)
            .map(|polygon| self.sides(polygon).iter().filter(|s| s.twin != NONE).count() as u32)
            .collect();
        let mut ends: Vec<u32> = (0..count as u32).filter(|&p| exits[p as usize] <= 1).collect();
        while let Some(polygon) = ends.pop() {
            if std::mem::replace(&mut is_tree[polygon as usize], true) {
                continue;
            }
            let mut outwards = self.range(polygon).filter_map(|at| self.across(at as u32));
            let parent = outwards.find(|&other| !is_tree[other as usize]);
            let Some(parent) = parent else { continue };
            self.tree_parent[polygon as usize] = parent;
            exits[parent as usize] -= 1;
            if exits[parent as usize] <= 1 {
                ends.push(parent);
            }
        }
        for edge in 0..self.half_edges.len() as u32 {
            if self.across(edge).is_some_and(|other| is_tree[other as usize]) {
                self.half_edges[edge as usize].flags |= HalfEdge::TREE_ACROSS;
            }
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<Xy>()
            + self.half_edges.capacity() * size_of::<HalfEdge>()
            + (self.first.capacity() + self.parts.capacity() + self.tree_parent.capacity()) * 4
            + self.layers.capacity() * 2
            + self.closed.capacity() * 4
            + self.patched.memory_bytes()
            + self.locator.memory_bytes()
    }
}

/// The power of two that makes the diagonal about [`DIAGONAL_COST`] units long.
fn cost_scale(diagonal: f64) -> f64 {
    // All bits but the exponent taken away: the same on every machine, which a logarithm need not be.
    let power = f64::from_bits((DIAGONAL_COST / diagonal).to_bits() & 0x7FF0_0000_0000_0000);
    if power.is_finite() { power } else { 1.0 }
}

/// Checks that there is a neighbour for each edge, and a layer for each polygon, if any are given.
fn check_counts(
    polygons: &[Vec<u32>],
    neighbours: Option<&[Vec<Option<u32>>]>,
    layers: &[u16],
) -> Result<(), MeshError> {
    let check = |what, count: usize, expected: usize| match count == expected {
        true => Ok(()),
        false => Err(MeshError::WrongCount { what, count, expected }),
    };
    if !layers.is_empty() {
        check("layers", layers.len(), polygons.len())?;
    }
    if let Some(neighbours) = neighbours {
        check("lists of neighbours", neighbours.len(), polygons.len())?;
        for (corners, list) in polygons.iter().zip(neighbours) {
            check("neighbours of a polygon", list.len(), corners.len())?;
        }
    }
    Ok(())
}

/// Checks that a polygon is convex and goes round once.
pub(super) fn check_polygon(
    exact: bool,
    vertices: &[Xy],
    polygon: usize,
    corners: &[u32],
) -> Result<(), MeshError> {
    let count = corners.len();
    if count < 3 {
        return Err(MeshError::TooFewCorners { polygon, corners: count });
    }
    if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
        let (vertex, vertices) = (vertex.into(), vertices.len());
        return Err(MeshError::NoSuchVertex { polygon, vertex, vertices });
    }
    let at = |corner: usize| vertices[corners[corner % count] as usize];
    let mut has_area = false;
    let mut lowest = 0;
    for corner in 0..count {
        let [a, b, c] = [at(corner), at(corner + 1), at(corner + 2)];
        let vertex = corners[(corner + 1) % count];
        if a == b {
            return Err(MeshError::RepeatedCorner { polygon, vertex: corners[corner] });
        }
        let side = orient(exact, a, b, c);
        if side < 0.0 {
            return Err(MeshError::NotConvex { polygon, vertex });
        }
        has_area |= side > 0.0;
        // Of convex polygons one corner comes before both its neighbours, by x and then by y.
        lowest += usize::from(b < a && b < c);
    }
    if !has_area {
        return Err(MeshError::NoArea { polygon });
    }
    if lowest == 1 { Ok(()) } else { Err(MeshError::CrossesItself { polygon }) }
}
