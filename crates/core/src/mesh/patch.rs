//! What takes the place of the polygons that obstacles touch.
//!
//! ```text
//!     +-------+-------+        Polygons that an obstacle touches are closed, and a patch takes their place: a constrained
//!     |  1 +--|--+    |        Delaunay triangulation of their common outline and of the obstacles, merged into convex
//!     |    |##|##| 2  |        polygons. Where the outline borders on a polygon that stays, the patch has that very edge,
//!     |    +--|--+    |        a portal, so that nothing else changes.
//!     +-------+-------+
//! ```
//!
//! Why not tiles, as other engines have them: a tile is made again as a whole, however small the obstacle, and its
//! borders cut polygons that a path crosses, so that all searches slow down. A patch is as large as the polygons that the
//! obstacle touches, and goes when the obstacle goes.
//!
//! **One form.** Obstacles that touch a common polygon share a patch. A patch follows from its closed polygons and its obstacles
//! alone, so that a mesh follows from the set of its obstacles, in whatever order they came (`edit.rs`).
//!
//! **Exactness.** What is closed is decided exactly: polygons that have a point in common with an obstacle. So obstacles meet
//! walls and each other, never a portal. Where they cross, the point is rounded, and all that borders on it shares the
//! rounded point (`arrangement.rs`): there are no gaps and no overlaps, but an outline may be off by about a unit in the last
//! place. If rounding moves an outline across a portal, the polygon behind is closed as well.
//!
//! **Areas** cut the ground like obstacles, but can be crossed. A polygon lies in an area as a whole, or beside it.
//!
//! **What is free** is known by counting: each outline is a closed line through edges of the triangulation. To cross it
//! changes by one how often one is inside, so that counts are right however rounding has bent it.

use super::arrangement::{Piece, Points, cut_all};
use super::obstacle::Obstacle;
use super::point::{Xy, is_on_lattice};
use super::shape::{MeshShape, NONE};
use super::triangulate::{Merge, Triangles};
use spade::{Point2, Triangulation};
use std::sync::Arc;

/// Polygons that take the place of others. Numbers of half-edges and polygons count within the patch.
#[derive(Debug)]
pub(super) struct Patch {
    /// The obstacles and areas, in the order of their names.
    pub(super) obstacles: Vec<Arc<Obstacle>>,
    /// The polygons whose place it takes, in increasing order.
    pub(super) closed: Vec<u32>,
    pub(super) layer: u16,
    /// Where its vertices lie, and which vertex of the mesh each is; `NONE` for a new one.
    pub(super) vertices: Vec<(Xy, u32)>,
    /// The first half-edge of each polygon, and where the last ends.
    pub(super) first: Vec<u32>,
    /// For each half-edge the vertex where it begins, and the other side.
    pub(super) edges: Vec<(u32, u32)>,
    /// Half-edges on portals, each with the half-edge of the closed polygon that was there.
    pub(super) portals: Vec<(u32, u32)>,
    /// For each polygon, the first one that it is connected with inside of the patch.
    pub(super) parts: Vec<u32>,
    /// For each polygon, a closed one that was connected with it; `NONE` if no portal leads to it.
    pub(super) homes: Vec<u32>,
    /// Whether portals that were connected inside of what is closed are so no longer.
    pub(super) divides: bool,
    /// What a unit of length costs in each polygon; empty if it is 1 in all of them.
    pub(super) factors: Vec<f64>,
    /// Whether orientations of its vertices are exact as computed.
    pub(super) exact: bool,
}

/// What an obstacle or an area does to the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effect {
    /// Nobody enters it.
    Solid,
    /// A unit of length costs so much. Where several areas overlap, the largest counts.
    Factor(f64),
}

/// Why there is no patch.
pub(super) enum Uncut {
    /// These polygons have to be closed as well.
    Portals(Vec<u32>),
    /// Two vertices at one place.
    EqualVertices([u32; 2]),
    /// Outlines cross, whatever is done.
    Crossing,
}

/// What a piece of an outline is part of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outline {
    /// Of the closed polygons, where the mesh ends.
    Wall,
    /// Of the closed polygons, towards a polygon that stays; the half-edge of the closed polygon.
    Portal(u32),
    Obstacle,
    /// Of an area: polygons end there, but it can be crossed.
    Area,
}

/// What is known of an edge of the triangulation that lies on outlines.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// Its vertices, the smaller number first.
    ends: (u32, u32),
    /// How much more often one is inside of the closed polygons, and of obstacles, on its left than on its right.
    gain: (i32, i32),
    is_wall: bool,
    is_area: bool,
    /// The half-edge that was there, if it is a portal.
    portal: u32,
}

impl Patch {
    /// The patch for some closed polygons, given in increasing order, all on one layer.
    pub(super) fn of(
        base: &MeshShape,
        closed: Vec<u32>,
        obstacles: Vec<Arc<Obstacle>>,
        effect: impl Fn(&Obstacle) -> Effect,
    ) -> Result<Self, Uncut> {
        let mut points = Points::default();
        let mut owners = Vec::new();
        let mut pieces = outline_of(base, &closed, &mut points, &mut owners)?;
        for obstacle in &obstacles {
            let is_solid = effect(obstacle) == Effect::Solid;
            let tag = if is_solid { Outline::Obstacle } else { Outline::Area };
            for side in obstacle.sides() {
                pieces.push(Piece { ends: side.map(|end| points.number(end)), tag });
            }
        }
        if base.has_costs() {
            add_borders(base, &closed, &mut points, &mut owners, &mut pieces)?;
        }
        if !cut_all(&mut points, &mut pieces, tidy) {
            return Err(Uncut::Crossing);
        }
        owners.resize(points.at.len(), NONE);
        check_portals(base, &pieces, &owners)?;
        let sides = Sides::of(&pieces);
        let triangles = triangulate(&points, &sides)?;
        let is_passable =
            |from, to| sides.find(from, to).is_none_or(|side| !side.is_wall && side.portal == NONE);
        let is_open = |from, to| {
            is_passable(from, to) && sides.find(from, to).is_none_or(|side| !side.is_area)
        };
        let mut merge = Merge::of(&triangles, &free_faces(&triangles, &sides), is_open);
        merge.merge_all(&mut |_, _| true);
        let layer = closed.first().map_or(0, |&polygon| base.layer(polygon));
        let mut patch = Self {
            obstacles,
            closed,
            layer,
            vertices: Vec::new(),
            first: Vec::new(),
            edges: Vec::new(),
            portals: Vec::new(),
            parts: Vec::new(),
            homes: Vec::new(),
            divides: false,
            factors: Vec::new(),
            exact: true,
        };
        patch.take_polygons(&merge.polygons(), &points, &owners);
        patch.join(&sides, is_passable);
        patch.find_factors(base, effect);
        patch.connect(base);
        Ok(patch)
    }

    pub(super) fn polygon_count(&self) -> usize {
        self.first.len() - 1
    }

    /// Takes over polygons, with the vertices that they need. Until they are joined, the vertices of half-edges are numbers
    /// of points.
    fn take_polygons(&mut self, polygons: &[Vec<u32>], points: &Points, owners: &[u32]) {
        self.first.push(0);
        for corners in polygons {
            self.edges.extend(corners.iter().map(|&point| (point, NONE)));
            self.first.push(self.edges.len() as u32);
        }
        for (&at, &owner) in points.at.iter().zip(owners) {
            self.vertices.push((at, owner));
        }
    }

    /// The polygon of a half-edge.
    fn polygon_of(&self, edge: u32) -> u32 {
        self.first.partition_point(|&first| first <= edge) as u32 - 1
    }

    /// Joins half-edges with their other sides, and finds portals; then numbers vertices by what is needed.
    fn join(&mut self, sides: &Sides, is_passable: impl Fn(u32, u32) -> bool) {
        let mut sorted: Vec<(u32, u32, u32)> = Vec::with_capacity(self.edges.len());
        for range in self.first.windows(2) {
            let (begin, end) = (range[0], range[1]);
            for edge in begin..end {
                let next = if edge + 1 == end { begin } else { edge + 1 };
                let [from, to] = [edge, next].map(|edge| self.edges[edge as usize].0);
                sorted.push((from.min(to), from.max(to), edge));
                let is_portal = |side: &&Side| side.portal != NONE;
                // The free side of a portal is the left one, where one is inside of what was closed once more.
                if let Some(side) = sides.find(from, to).filter(is_portal)
                    && (side.gain.0 > 0) == (from < to)
                {
                    self.portals.push((edge, side.portal));
                }
            }
        }
        sorted.sort_unstable();
        for pair in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let &[(from, to, one), (_, _, other)] = pair
                && is_passable(from, to)
            {
                self.edges[one as usize].1 = other;
                self.edges[other as usize].1 = one;
            }
        }
        let mut numbers = vec![NONE; self.vertices.len()];
        let mut used = Vec::new();
        for (vertex, _) in &mut self.edges {
            let number = &mut numbers[*vertex as usize];
            if *number == NONE {
                *number = used.len() as u32;
                used.push(self.vertices[*vertex as usize]);
            }
            *vertex = *number;
        }
        self.vertices = used;
        self.exact = self.vertices.iter().flat_map(|vertex| vertex.0).all(is_on_lattice);
    }

    /// Finds out what the ground costs in each polygon: its middle lies in the same areas as all of it.
    fn find_factors(&mut self, base: &MeshShape, effect: impl Fn(&Obstacle) -> Effect) {
        let areas: Vec<(&Obstacle, f64)> = self
            .obstacles
            .iter()
            .filter_map(|obstacle| match effect(obstacle) {
                Effect::Solid => None,
                Effect::Factor(factor) => Some((&**obstacle, factor)),
            })
            .collect();
        if areas.is_empty() && !base.has_costs() {
            return;
        }
        let factor = |range: &[u32]| {
            let corners = &self.edges[range[0] as usize..range[1] as usize];
            let sum = corners.iter().fold([0.0; 2], |sum: Xy, &(vertex, _)| {
                let at = self.vertices[vertex as usize].0;
                [sum[0] + at[0], sum[1] + at[1]]
            });
            let middle = sum.map(|sum| sum / corners.len() as f64);
            let before = self.closed.iter().filter(|&&polygon| base.contains(polygon, middle));
            let before = before.map(|&polygon| base.factor(polygon));
            let now = areas.iter().filter(|area| area.0.covers(middle)).map(|area| area.1);
            before.chain(now).fold(1.0, f64::max)
        };
        let factors: Vec<f64> = self.first.windows(2).map(factor).collect();
        if factors.iter().any(|&factor| factor != 1.0) {
            self.factors = factors;
        }
    }

    /// Finds out what is connected inside of the patch, and what was before.
    fn connect(&mut self, base: &MeshShape) {
        let count = self.polygon_count() as u32;
        let mut together = Together::new(count as usize);
        for edge in 0..self.edges.len() as u32 {
            let twin = self.edges[edge as usize].1;
            if twin != NONE {
                together.join(self.polygon_of(edge), self.polygon_of(twin));
            }
        }
        self.parts = (0..count).map(|polygon| together.first(polygon)).collect();
        let mut before = Together::new(self.closed.len());
        let place = |polygon: u32| self.closed.binary_search(&polygon).ok().map(|at| at as u32);
        let mut portal_count = 0;
        for (one, &polygon) in (0u32..).zip(&self.closed) {
            for other in base.range(polygon).filter_map(|edge| base.across(edge as u32)) {
                match place(other) {
                    Some(other) => before.join(one, other),
                    None => portal_count += 1,
                }
            }
        }
        let mut homes = vec![NONE; count as usize];
        let mut part_of = vec![NONE; self.closed.len()];
        self.divides = self.portals.len() != portal_count;
        for &(edge, portal) in &self.portals {
            let home = base.half_edges[portal as usize].polygon;
            let part = self.parts[self.polygon_of(edge) as usize];
            let known = &mut part_of[before.first(place(home).unwrap_or(0)) as usize];
            self.divides |= *known != NONE && *known != part;
            *known = part;
            let known = &mut homes[part as usize];
            *known = home.min(*known);
        }
        self.homes = self.parts.iter().map(|&part| homes[part as usize]).collect();
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<(Xy, u32)>()
            + (self.edges.capacity() + self.portals.capacity()) * 8
            + (self.first.capacity() + self.parts.capacity() + self.homes.capacity()) * 4
            + self.closed.capacity() * 4
            + self.factors.capacity() * size_of::<f64>()
    }
}

/// The outline of closed polygons, with free ground on its left. `owners` gets the vertex of each point.
fn outline_of(
    base: &MeshShape,
    closed: &[u32],
    points: &mut Points,
    owners: &mut Vec<u32>,
) -> Result<Vec<Piece<Outline>>, Uncut> {
    let mut pieces = Vec::new();
    for &polygon in closed {
        for edge in base.range(polygon) {
            let tag = match base.across(edge as u32) {
                None => Outline::Wall,
                Some(other) if closed.binary_search(&other).is_ok() => continue,
                Some(_) => Outline::Portal(edge as u32),
            };
            let ends = [edge as u32, base.next(edge as u32)];
            let mut numbers = [0; 2];
            for (number, end) in numbers.iter_mut().zip(ends) {
                let side = &base.half_edges[end as usize];
                *number = points.number(side.at);
                if owners.len() < points.at.len() {
                    owners.push(side.vertex);
                }
                let owner = owners[*number as usize];
                if owner != side.vertex {
                    return Err(Uncut::EqualVertices([owner, side.vertex]));
                }
            }
            pieces.push(Piece { ends: numbers, tag });
        }
    }
    Ok(pieces)
}

/// Adds the edges between closed polygons in which the ground costs differently.
fn add_borders(
    base: &MeshShape,
    closed: &[u32],
    points: &mut Points,
    owners: &mut Vec<u32>,
    pieces: &mut Vec<Piece<Outline>>,
) -> Result<(), Uncut> {
    owners.resize(points.at.len(), NONE);
    for &polygon in closed {
        for edge in base.range(polygon) {
            let Some(other) = base.across(edge as u32) else { continue };
            let is_border = base.factor(other) != base.factor(polygon) && other > polygon;
            if !is_border || closed.binary_search(&other).is_err() {
                continue;
            }
            let ends =
                [edge as u32, base.next(edge as u32)].map(|end| base.half_edges[end as usize]);
            let numbers = ends.map(|side| points.number(side.at));
            owners.resize(points.at.len(), NONE);
            for (number, side) in numbers.into_iter().zip(ends) {
                let owner = &mut owners[number as usize];
                if *owner != NONE && *owner != side.vertex {
                    return Err(Uncut::EqualVertices([*owner, side.vertex]));
                }
                *owner = side.vertex;
            }
            pieces.push(Piece { ends: numbers, tag: Outline::Area });
        }
    }
    Ok(())
}

/// Takes away what says nothing: parts of outlines that lie on each other in opposite directions. Of walls one in either
/// direction stays, since a wall without width is one.
fn tidy(pieces: &mut Vec<Piece<Outline>>) {
    let key = |piece: &Piece<Outline>| {
        let [from, to] = piece.ends;
        let order = match piece.tag {
            Outline::Obstacle => 0,
            Outline::Wall => 1,
            Outline::Area => 2,
            Outline::Portal(edge) => 3 + u64::from(edge),
        };
        (from.min(to), from.max(to), order)
    };
    pieces.sort_by_key(key);
    let mut kept = Vec::with_capacity(pieces.len());
    for group in pieces.chunk_by(|one, other| key(one) == key(other)) {
        let is_forwards = |piece: &&Piece<Outline>| piece.ends[0] < piece.ends[1];
        let forwards = group.iter().filter(is_forwards).count();
        let spare = match group[0].tag {
            Outline::Obstacle => 0,
            Outline::Wall | Outline::Area => 1,
            Outline::Portal(_) => usize::MAX,
        };
        let gone = forwards.min(group.len() - forwards).saturating_sub(spare);
        kept.extend(group.iter().filter(is_forwards).skip(gone));
        kept.extend(group.iter().filter(|piece| !is_forwards(piece)).skip(gone));
    }
    *pieces = kept;
}

/// Fails with the polygons behind portals that were cut.
fn check_portals(base: &MeshShape, pieces: &[Piece<Outline>], owners: &[u32]) -> Result<(), Uncut> {
    let mut beyond: Vec<u32> = pieces
        .iter()
        .filter_map(|piece| {
            let Outline::Portal(edge) = piece.tag else { return None };
            let (from, to) = base.ends(edge);
            let is_whole = piece.ends.map(|end| owners[end as usize]) == [from, to];
            if is_whole { None } else { base.across(edge) }
        })
        .collect();
    if beyond.is_empty() {
        return Ok(());
    }
    beyond.sort_unstable();
    beyond.dedup();
    Err(Uncut::Portals(beyond))
}

/// The edges of outlines, by their vertices.
struct Sides(Vec<Side>);

impl Sides {
    fn of(pieces: &[Piece<Outline>]) -> Self {
        let mut sides: Vec<Side> = Vec::with_capacity(pieces.len());
        sides.extend(pieces.iter().map(|piece| {
            let [from, to] = piece.ends;
            let sign = if from < to { 1 } else { -1 };
            let (gain, portal) = match piece.tag {
                Outline::Wall => ((sign, 0), NONE),
                Outline::Portal(edge) => ((sign, 0), edge),
                Outline::Obstacle => ((0, sign), NONE),
                Outline::Area => ((0, 0), NONE),
            };
            let ends = (from.min(to), from.max(to));
            let is_wall = piece.tag == Outline::Wall;
            Side { ends, gain, is_wall, is_area: piece.tag == Outline::Area, portal }
        }));
        sides.sort_unstable_by_key(|side| (side.ends, side.portal));
        sides.dedup_by(|later, kept| {
            let is_same = later.ends == kept.ends;
            if is_same {
                kept.gain = (kept.gain.0 + later.gain.0, kept.gain.1 + later.gain.1);
                kept.is_wall |= later.is_wall;
                kept.is_area |= later.is_area;
                kept.portal = kept.portal.min(later.portal);
            }
            is_same
        });
        Self(sides)
    }

    fn find(&self, from: u32, to: u32) -> Option<&Side> {
        let ends = (from.min(to), from.max(to));
        self.0.binary_search_by_key(&ends, |side| side.ends).ok().map(|at| &self.0[at])
    }

    /// What one gains by going from the right of a line between two points to its left.
    fn gain(&self, from: u32, to: u32) -> (i32, i32) {
        match self.find(from, to) {
            None => (0, 0),
            Some(side) if from < to => side.gain,
            Some(side) => (-side.gain.0, -side.gain.1),
        }
    }
}

fn triangulate(points: &Points, sides: &Sides) -> Result<Triangles, Uncut> {
    let vertices = points.at.iter().map(|&[x, y]| Point2::new(x, y)).collect();
    let edges = sides.0.iter().map(|side| [side.ends.0 as usize, side.ends.1 as usize]).collect();
    let mut is_crossed = false;
    let triangles = Triangles::try_bulk_load_cdt(vertices, edges, |_| is_crossed = true);
    match triangles {
        Ok(triangles) if !is_crossed && triangles.num_vertices() == points.at.len() => {
            Ok(triangles)
        }
        _ => Err(Uncut::Crossing),
    }
}

/// Which faces lie inside of the closed polygons and outside of obstacles, by their numbers.
fn free_faces(triangles: &Triangles, sides: &Sides) -> Vec<bool> {
    let mut counts: Vec<Option<(i32, i32)>> = vec![None; triangles.num_all_faces()];
    counts[triangles.outer_face().fix().index()] = Some((0, 0));
    let mut reached = Vec::new();
    let mut cross = |edge: spade::handles::DirectedEdgeHandle<'_, _, _, _, _>,
                     reached: &mut Vec<_>| {
        let Some((closed, blocked)) = counts[edge.face().fix().index()] else { return };
        let Some(other) = edge.rev().face().as_inner() else { return };
        let count = &mut counts[other.fix().index()];
        if count.is_none() {
            let [from, to] = [edge.from(), edge.to()].map(|end| end.fix().index() as u32);
            let gain = sides.gain(from, to);
            *count = Some((closed - gain.0, blocked - gain.1));
            reached.push(other.fix());
        }
    };
    triangles.convex_hull().for_each(|edge| cross(edge, &mut reached));
    while let Some(face) = reached.pop() {
        for edge in triangles.face(face).adjacent_edges() {
            cross(edge, &mut reached);
        }
    }
    counts
        .iter()
        .map(|count| count.is_some_and(|(closed, blocked)| closed > 0 && blocked == 0))
        .collect()
}

/// Numbers that are put together.
pub(super) struct Together(Vec<u32>);

impl Together {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The least number that is together with one.
    pub(super) fn first(&mut self, of: u32) -> u32 {
        let mut at = of;
        while self.0[at as usize] != at {
            let above = self.0[at as usize];
            self.0[at as usize] = self.0[above as usize];
            at = above;
        }
        at
    }

    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
