//! From outlines to convex polygons: a constrained Delaunay triangulation (by the crate `spade`), what lies inside of an
//! odd number of outlines, and triangles merged as long as they stay convex.

use super::point::{Xy, orient};
use super::shape::NONE;
use spade::handles::{FixedFaceHandle, InnerTag};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Convex polygons, and the area that they cover.
pub(super) struct Polygons {
    pub(super) vertices: Vec<Xy>,
    pub(super) polygons: Vec<Vec<u32>>,
    pub(super) area: f64,
}

/// Why outlines cannot be triangulated.
pub(super) enum TriangulationError {
    /// A side that another one crosses.
    Crossing(Xy, Xy),
    /// A coordinate that the triangulation does not take.
    Coordinate,
    /// It is no longer wanted.
    Stopped,
}

/// Takes how much of how much is merged, and says whether to go on.
type GoesOn<'g> = dyn FnMut(usize, usize) -> bool + 'g;

/// Edges that are looked at between two reports: about a millisecond of work.
const EDGES_BETWEEN_REPORTS: usize = 1 << 14;

pub(super) type Triangles = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Convex polygons that cover what lies inside of an odd number of rings.
pub(super) fn polygons_of(
    rings: &[Vec<Xy>],
    goes_on: &mut GoesOn<'_>,
) -> Result<Polygons, TriangulationError> {
    let (vertices, sides) = sides_of(rings);
    let points = vertices.iter().map(|&[x, y]| Point2::new(x, y)).collect();
    let mut conflict = None;
    let triangles = Triangles::try_bulk_load_cdt(points, sides, |side| conflict = Some(side))
        .map_err(|_| TriangulationError::Coordinate)?;
    if let Some([from, to]) = conflict {
        return Err(TriangulationError::Crossing(vertices[from], vertices[to]));
    }
    let mut merge = Merge::of(&triangles, &inside(&triangles), |_, _| false);
    let area = merge.area();
    if !merge.merge_all(goes_on) {
        return Err(TriangulationError::Stopped);
    }
    Ok(Polygons { vertices: merge.vertices.clone(), polygons: merge.polygons(), area })
}

/// The different points of all rings, in a fixed order, and the sides between them.
fn sides_of(rings: &[Vec<Xy>]) -> (Vec<Xy>, Vec<[usize; 2]>) {
    let by_place = |a: &Xy, b: &Xy| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
    let mut vertices: Vec<Xy> = rings.iter().flatten().copied().collect();
    vertices.sort_unstable_by(by_place);
    vertices.dedup();
    let number =
        |point: &Xy| vertices.binary_search_by(|known| by_place(known, point)).unwrap_or(0);
    let mut sides = Vec::new();
    for ring in rings {
        let next = |at: usize| &ring[(at + 1) % ring.len()];
        sides.extend((0..ring.len()).map(|at| [number(&ring[at]), number(next(at))]));
    }
    (vertices, sides)
}

/// Which triangles lie inside of an odd number of outlines, by the number of their face: from the outside inwards, each side
/// of an outline leads in or out.
fn inside(triangles: &Triangles) -> Vec<bool> {
    let count = triangles.num_all_faces();
    let (mut known, mut inside) = (vec![false; count], vec![false; count]);
    let mut reached: Vec<FixedFaceHandle<InnerTag>> = Vec::new();
    for edge in triangles.convex_hull() {
        let Some(face) = edge.rev().face().as_inner() else { continue };
        if !std::mem::replace(&mut known[face.fix().index()], true) {
            inside[face.fix().index()] = edge.is_constraint_edge();
            reached.push(face.fix());
        }
    }
    while let Some(face) = reached.pop() {
        for edge in triangles.face(face).adjacent_edges() {
            let Some(other) = edge.rev().face().as_inner() else { continue };
            let number = other.fix().index();
            if !std::mem::replace(&mut known[number], true) {
                inside[number] = inside[face.index()] ^ edge.is_constraint_edge();
                reached.push(other.fix());
            }
        }
    }
    inside
}

/// Polygons as half-edges that are linked, so that an edge between two is taken away in a few steps.
pub(super) struct Merge {
    vertices: Vec<Xy>,
    /// Where each half-edge begins.
    origin: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    /// The other side; `NONE` where it is blocked, or where the edge is taken away.
    twin: Vec<u32>,
    gone: Vec<bool>,
}

impl Merge {
    /// Some triangles, given by the numbers of their faces. What is inside on both sides of a constraint is joined only if
    /// the constraint, given by its vertices, is passable.
    pub(super) fn of(
        triangles: &Triangles,
        inside: &[bool],
        is_passable: impl Fn(u32, u32) -> bool,
    ) -> Self {
        let vertices = triangles.vertices().map(|v| [v.position().x, v.position().y]).collect();
        let (mut origin, mut next, mut before) = (Vec::new(), Vec::new(), Vec::new());
        // The half-edge of each directed edge of the triangulation.
        let mut number = vec![NONE; triangles.num_directed_edges()];
        let mut edges = Vec::new();
        for face in triangles.inner_faces().filter(|face| inside[face.fix().index()]) {
            let first = origin.len() as u32;
            for (at, edge) in (0..3).zip(face.adjacent_edges()) {
                number[edge.fix().index()] = first + at;
                let [from, to] = [edge.from(), edge.to()].map(|end| end.fix().index() as u32);
                let is_side = edge.is_constraint_edge() && !is_passable(from, to);
                edges.push((edge.rev().fix().index(), is_side));
                origin.push(from);
                next.push(first + (at + 1) % 3);
                before.push(first + (at + 2) % 3);
            }
        }
        let other = |&(other, is_side): &(usize, bool)| if is_side { NONE } else { number[other] };
        let twin: Vec<u32> = edges.iter().map(other).collect();
        let gone = vec![false; origin.len()];
        Self { vertices, origin, next, before, twin, gone }
    }

    fn at(&self, edge: u32) -> Xy {
        self.vertices[self.origin[edge as usize] as usize]
    }

    /// The area of all triangles; before they are merged.
    fn area(&self) -> f64 {
        let triangle = |first: usize| {
            let [a, b, c] = [0, 1, 2].map(|at| self.at((first + at) as u32));
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
        };
        (0..self.origin.len()).step_by(3).map(triangle).fold(0.0, |sum, area| sum + area)
    }

    /// Takes edges away, the longest first, as long as what lies on both sides together is convex. Returns whether it was
    /// done to the end.
    pub(super) fn merge_all(&mut self, goes_on: &mut GoesOn<'_>) -> bool {
        let length = |edge: u32| {
            let (a, b) = (self.at(edge), self.at(self.next[edge as usize]));
            (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
        };
        let is_between =
            |&edge: &u32| self.twin[edge as usize] != NONE && edge < self.twin[edge as usize];
        let mut edges: Vec<(f64, u32)> = (0..self.origin.len() as u32)
            .filter(is_between)
            .map(|edge| (length(edge), edge))
            .collect();
        edges.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut wanted = true;
        loop {
            let (count, mut looked_at) = (edges.len(), 0);
            edges.retain(|&(_, edge)| {
                if looked_at % EDGES_BETWEEN_REPORTS == 0 {
                    wanted = wanted && goes_on(looked_at, count);
                }
                looked_at += 1;
                !wanted || !self.merge(edge)
            });
            if edges.len() == count || !wanted {
                return wanted;
            }
        }
    }

    /// Takes an edge away, if what lies on both sides is then convex.
    fn merge(&mut self, edge: u32) -> bool {
        let twin = self.twin[edge as usize];
        let is_convex = |one: u32, other: u32| {
            let [from, at] = [self.before[one as usize], one].map(|edge| self.at(edge));
            let to = self.at(self.next[self.next[other as usize] as usize]);
            from != to && orient(false, from, at, to) >= 0.0
        };
        if !is_convex(edge, twin) || !is_convex(twin, edge) {
            return false;
        }
        for (one, other) in [(edge, twin), (twin, edge)] {
            let (before, after) = (self.before[one as usize], self.next[other as usize]);
            self.next[before as usize] = after;
            self.before[after as usize] = before;
            self.gone[one as usize] = true;
        }
        true
    }

    /// The polygons that are left.
    pub(super) fn polygons(&self) -> Vec<Vec<u32>> {
        let mut seen = self.gone.clone();
        let mut polygons = Vec::new();
        for first in 0..self.origin.len() {
            let mut corners = Vec::new();
            let mut edge = first;
            while !std::mem::replace(&mut seen[edge], true) {
                corners.push(self.origin[edge]);
                edge = self.next[edge] as usize;
            }
            if !corners.is_empty() {
                polygons.push(corners);
            }
        }
        polygons
    }
}
