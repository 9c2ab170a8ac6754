//! Fields on meshes: one search from some points, from which many questions are answered.
//!
//! Dijkstra's algorithm over the corners of the mesh, where shortest paths bend: a settled corner looks around
//! (`mesh/sight.rs`), and every corner that it sees may be reached by way of it. Any other point is answered for by a look
//! from there: its path leads to a corner that it sees, or straight to a point of the field.
//!
//! Ways on a mesh lead in both directions, so that a field towards points is one away from them, with its paths written
//! backwards; links are then used from their ends to where they begin. Where a link comes out is settled like a corner: links are
//! numbered after all vertices.
//!
//! Meshes where areas cost more than other ground are refused: cheapest paths do not bend at corners alone.
//!
//! Invariant: what is *settled* has its final cost. A point is settled once no corner that is still open could lead to a
//! cheaper way. A field holds a snapshot of the mesh, and answers for that revision.
//!
//! **Complexity.** To settle a corner takes time in proportion to the polygons that it sees; to look up a point takes as
//! much.

use super::FieldMemory;
use crate::environment::{Cost, End, Environment, Revision};
use crate::mesh::{Mesh, MeshPoint, MeshRefusal, NONE, Sight, Way, Xy, distance};
use crate::path::Path;
use crate::planner::{QueryError, check_places};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Costs and paths between some points and every other point of a mesh, as far as it has been worked out.
///
/// ```
/// use highroad::field::MeshField;
/// use highroad::mesh::{Mesh, MeshPoint};
/// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
/// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
/// let mut field = MeshField::towards(&mesh, &[MeshPoint::new(4.0, 1.0)?])?;
/// while field.advance(100) {}
/// let path = field.path(MeshPoint::new(0.0, 4.0)?).expect("they are connected");
/// assert_eq!(mesh.length(path.places()), 3.0 + 10f64.sqrt());
/// assert_eq!(path.goal(), MeshPoint::new(4.0, 1.0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Methods that begin a field fail with a [`QueryError`] if there is no point to begin at, if one lies beside the mesh, or if
/// areas of the mesh cost more than other ground.
pub struct MeshField {
    mesh: Mesh,
    sources: Vec<MeshPoint>,
    memory: MeshMemory,
    cost_max: u64,
    towards: bool,
    settled: u64,
}

/// What is known of a vertex of the mesh, or of where a link comes out.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// A half-edge that begins there, in the fan of polygons that paths bend in; `NONE` for links, and where never reached.
    edge: u32,
    cost: u64,
    /// The vertex or link before; `SOURCE` and above: a source.
    before: u32,
    is_settled: bool,
}

const UNKNOWN: Reached = Reached { edge: NONE, cost: u64::MAX, before: NONE, is_settled: false };

/// Numbers of sources begin here.
const SOURCE: u32 = 1 << 31;

/// The memory of a field on a mesh.
#[derive(Default)]
pub(super) struct MeshMemory {
    reached: Vec<Reached>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    sight: Sight,
    polygons: Vec<u32>,
}

impl MeshMemory {
    pub(super) fn bytes(&self) -> usize {
        self.reached.capacity() * size_of::<Reached>()
            + self.open.capacity() * size_of::<Reverse<(u64, u32)>>()
            + self.sight.bytes()
            + self.polygons.capacity() * 4
    }
}

impl MeshField {
    /// A field of paths from everywhere to the nearest of some goals, with nothing settled yet.
    pub fn towards(mesh: &Mesh, goals: &[MeshPoint]) -> Result<Self, QueryError<MeshRefusal>> {
        Self::using(mesh, goals, true, u64::MAX, &mut FieldMemory::default())
    }

    /// A field of paths from the nearest of some starts to everywhere, up to a cost.
    ///
    /// ```
    /// use highroad::field::MeshField;
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
    /// let cost_max = (3.5 * mesh.cost_scale()) as u64;
    /// let mut near = MeshField::away_from(&mesh, &[MeshPoint::new(4.0, 1.0)?], cost_max)?;
    /// while near.advance(100) {}
    /// assert!(near.cost(MeshPoint::new(0.6, 1.2)?).is_some(), "round the corner");
    /// assert!(near.cost(MeshPoint::new(0.0, 4.0)?).is_none(), "too far");
    /// assert_eq!(near.corners().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn away_from(
        mesh: &Mesh,
        starts: &[MeshPoint],
        cost_max: u64,
    ) -> Result<Self, QueryError<MeshRefusal>> {
        Self::using(mesh, starts, false, cost_max, &mut FieldMemory::default())
    }

    /// A field towards some points, or away from them, in memory that is there already, which the field takes and
    /// [`MeshField::into_memory`] gives back.
    ///
    /// ```
    /// use highroad::field::{FieldMemory, MeshField};
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let mesh = Mesh::from_cells(3, 3, |x, y| (x, y) != (1, 1))?;
    /// let mut memory = FieldMemory::default();
    /// for x in [0.5, 2.5] {
    ///     let mut field = MeshField::using(&mesh, &[MeshPoint::new(x, 0.0)?], false, u64::MAX, &mut memory)?;
    ///     while field.advance(1) {}
    ///     assert_eq!(field.settled(), 4);
    ///     memory = field.into_memory();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn using(
        mesh: &Mesh,
        points: &[MeshPoint],
        towards: bool,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, QueryError<MeshRefusal>> {
        let (own, sources) = (std::mem::take(&mut memory.mesh), Vec::new());
        let mut field =
            Self { mesh: mesh.clone(), sources, memory: own, cost_max, towards, settled: 0 };
        match field.renew(mesh, points, towards, cost_max) {
            Ok(()) => Ok(field),
            Err(error) => {
                *memory = field.into_memory();
                Err(error)
            }
        }
    }

    /// Its memory, for another field.
    pub fn into_memory(self) -> FieldMemory {
        FieldMemory { mesh: self.memory, ..FieldMemory::default() }
    }

    /// Begins again, on the same mesh after an edit or on another one, in the same memory. Arguments and errors are those of
    /// [`MeshField::using`].
    ///
    /// ```
    /// use highroad::field::MeshField;
    /// use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let [goal, start] = [MeshPoint::new(1.0, 4.0)?, MeshPoint::new(7.0, 4.0)?];
    /// let mut field = MeshField::towards(&mesh, &[goal])?;
    /// let diamond = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0], [2.0, 4.0]])?;
    /// mesh.apply(MeshBatch::new().place("diamond", diamond))?;
    /// field.renew(&mesh, &[goal], true, u64::MAX)?;
    /// while field.advance(100) {}
    /// assert_eq!(field.path(start).expect("there is a way round").places().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(
        &mut self,
        mesh: &Mesh,
        points: &[MeshPoint],
        towards: bool,
        cost_max: u64,
    ) -> Result<(), QueryError<MeshRefusal>> {
        if mesh.has_costs() {
            return Err(QueryError::Unsuitable(MeshRefusal::Costs));
        }
        check_places(mesh, if towards { End::Goal } else { End::Start }, points)?;
        (self.mesh, self.towards, self.cost_max) = (mesh.clone(), towards, cost_max);
        self.sources.clear();
        self.sources.extend_from_slice(points);
        self.settled = 0;
        self.memory.reached.clear();
        let count = mesh.vertex_count() + mesh.ways().list.len();
        self.memory.reached.resize(count, UNKNOWN);
        self.memory.open.clear();
        for (number, source) in (SOURCE..).zip(points) {
            self.memory.polygons.clear();
            mesh.shape().add_polygons_from(*source, &mut self.memory.polygons);
            self.look_from(source.xy(), 0, number);
        }
        Ok(())
    }

    /// Settles up to `slice` more corners, the nearest first. Returns whether there are any left.
    pub fn advance(&mut self, slice: u64) -> bool {
        let end = self.settled.saturating_add(slice);
        while self.settled < end {
            let Some(Reverse((cost, vertex))) = self.memory.open.pop() else { return false };
            let reached = &mut self.memory.reached[vertex as usize];
            if std::mem::replace(&mut reached.is_settled, true) {
                continue;
            }
            self.settled += 1;
            let edge = reached.edge;
            let at = match self.way_of(vertex) {
                Some(way) => {
                    let [_, out] = self.ends_of(way);
                    self.memory.polygons.clear();
                    self.mesh.shape().add_polygons_from(out, &mut self.memory.polygons);
                    out.xy()
                }
                None => {
                    self.note_fan(edge);
                    self.mesh.shape().half_edges[edge as usize].at
                }
            };
            self.look_from(at, cost, vertex);
        }
        !self.is_complete()
    }

    /// The link of a number that is no vertex.
    fn way_of(&self, number: u32) -> Option<u32> {
        number.checked_sub(self.mesh.vertex_count() as u32)
    }

    /// Where a link is entered as the field goes, and where it comes out.
    fn ends_of(&self, way: u32) -> [MeshPoint; 2] {
        let Way { from, to, .. } = self.mesh.ways().list[way as usize];
        if self.towards { [to, from] } else { [from, to] }
    }

    /// Notes the polygons of a fan, given a half-edge that begins at its vertex.
    fn note_fan(&mut self, edge: u32) {
        let shape = self.mesh.shape();
        let polygons = &mut self.memory.polygons;
        polygons.clear();
        let mut at = edge;
        while at != NONE {
            polygons.push(shape.half_edges[at as usize].polygon);
            at = shape.half_edges[shape.before(at) as usize].twin;
        }
        let mut at = shape.half_edges[edge as usize].twin;
        while at != NONE {
            at = shape.next(at);
            polygons.push(shape.half_edges[at as usize].polygon);
            at = shape.half_edges[at as usize].twin;
        }
    }

    /// Opens the corners and links that are seen from a place in the polygons noted, which is reached at a cost.
    fn look_from(&mut self, from: Xy, cost: u64, before: u32) {
        let Self { mesh, memory, cost_max, towards, .. } = self;
        let MeshMemory { reached, open, sight, polygons, .. } = memory;
        let (shape, ways) = (mesh.shape(), mesh.ways());
        let first_way = shape.vertices.len() as u32;
        let cell = std::cell::RefCell::new((reached, open));
        let note = |number: u32, edge: u32, cost: u64| {
            let (reached, open) = &mut *cell.borrow_mut();
            let known = &mut reached[number as usize];
            if cost < known.cost && cost <= *cost_max {
                *known = Reached { edge, cost, before, is_settled: false };
                open.push(Reverse((cost, number)));
            }
        };
        let visit = |edge: u32| {
            let side = &shape.half_edges[edge as usize];
            if side.is_corner() {
                let leg = mesh.leg_cost(distance(from, side.at)).0;
                note(side.vertex, edge, cost + leg);
            }
        };
        let enter_at = |way: u32| {
            let way = &ways.list[way as usize];
            if *towards { way.to.xy() } else { way.from.xy() }
        };
        let note_way = |way: u32| {
            let leg = mesh.leg_cost(distance(from, enter_at(way))).0;
            let through = mesh.leg_cost(ways.list[way as usize].length).0;
            note(first_way + way, NONE, cost + leg + through);
        };
        let entered_in = |polygon: u32, each: &mut dyn FnMut(u32)| match *towards {
            true => ways.ending_in(polygon).for_each(each),
            false => ways.beginning_in(polygon).for_each(each),
        };
        if !ways.is_empty() {
            polygons.iter().for_each(|&polygon| entered_in(polygon, &mut |way| note_way(way)));
        }
        look(shape, sight, from, polygons, visit, |sight, cone| {
            if !ways.is_empty() {
                entered_in(Sight::polygon(shape, cone), &mut |way| {
                    if sight.sees(shape, cone, enter_at(way)) {
                        note_way(way);
                    }
                });
            }
        });
    }

    /// Whether everything is settled: a point without a cost cannot be reached, or not within the limit.
    pub fn is_complete(&self) -> bool {
        self.memory.open.is_empty()
    }

    /// How many corners are settled.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// The revision that it is for.
    pub fn revision(&self) -> Revision {
        self.mesh.revision()
    }

    /// The cost of a settled point.
    pub fn cost(&self, point: MeshPoint) -> Option<Cost> {
        let (mut sight, mut polygons) = (Sight::default(), Vec::new());
        self.best(point, &mut sight, &mut polygons).map(|(cost, _)| Cost(cost))
    }

    /// The cost of a settled point, and the corner or source by way of which it is.
    fn best(
        &self,
        point: MeshPoint,
        sight: &mut Sight,
        polygons: &mut Vec<u32>,
    ) -> Option<(u64, u32)> {
        let (mesh, shape, at) = (&self.mesh, self.mesh.shape(), point.xy());
        polygons.clear();
        shape.add_polygons_from(point, polygons);
        let leg = |to: Xy| mesh.leg_cost(distance(at, to)).0;
        let best = std::cell::Cell::new((u64::MAX, NONE));
        let note = |cost: u64, by: u32| {
            if (cost, by) < best.get() {
                best.set((cost, by));
            }
        };
        let mut placed: Vec<(u32, u32)> = Vec::new();
        for (number, source) in (SOURCE..).zip(&self.sources) {
            let begin = placed.len();
            let mut here = Vec::new();
            shape.add_polygons_from(*source, &mut here);
            placed.extend(here.iter().map(|&polygon| (polygon, number)));
            if placed[begin..].iter().any(|placed| polygons.contains(&placed.0)) {
                note(leg(source.xy()), number);
            }
        }
        for way in 0..mesh.ways().list.len() as u32 {
            let number = shape.vertices.len() as u32 + way;
            if !self.memory.reached[number as usize].is_settled {
                continue;
            }
            let here: Vec<u32> = match self.towards {
                true => mesh.ways().polygons_at_begin(way).collect(),
                false => mesh.ways().polygons_at_end(way).collect(),
            };
            if here.iter().any(|polygon| polygons.contains(polygon)) {
                note(self.cost_from(number) + leg(self.point_of(number)), number);
            }
            placed.extend(here.iter().map(|&polygon| (polygon, number)));
        }
        let visit = |edge: u32| {
            let side = &shape.half_edges[edge as usize];
            let known = self.memory.reached[side.vertex as usize];
            if side.is_corner() && known.is_settled {
                note(known.cost + leg(side.at), side.vertex);
            }
        };
        look(shape, sight, at, polygons, visit, |sight, cone| {
            let polygon = Sight::polygon(shape, cone);
            for &(_, number) in placed.iter().filter(|placed| placed.0 == polygon) {
                let point = self.point_of(number);
                if sight.sees(shape, cone, point) {
                    note(self.cost_from(number) + leg(point), number);
                }
            }
        });
        let (cost, by) = best.get();
        // What is still open is at least as far as the first of it.
        let is_final = self.memory.open.peek().is_none_or(|&Reverse((open, _))| cost <= open);
        (by != NONE && is_final && cost <= self.cost_max).then_some((cost, by))
    }

    /// Where a source lies, or where a link comes out.
    fn point_of(&self, number: u32) -> Xy {
        match number.checked_sub(SOURCE) {
            Some(source) => self.sources[source as usize].xy(),
            None => self.ends_of(number - self.mesh.vertex_count() as u32)[1].xy(),
        }
    }

    /// What it costs from there on.
    fn cost_from(&self, number: u32) -> u64 {
        if number >= SOURCE { 0 } else { self.memory.reached[number as usize].cost }
    }

    /// The path of a settled point: to the nearest goal, or from the nearest start.
    pub fn path(&mut self, point: MeshPoint) -> Option<Path<MeshPoint>> {
        let (mut sight, mut polygons) =
            (std::mem::take(&mut self.memory.sight), std::mem::take(&mut self.memory.polygons));
        let best = self.best(point, &mut sight, &mut polygons);
        (self.memory.sight, self.memory.polygons) = (sight, polygons);
        let (cost, mut by) = best?;
        let mut places = vec![point];
        while by < SOURCE {
            let reached = self.memory.reached[by as usize];
            if let Some(way) = self.way_of(by) {
                let [entered, out] = self.ends_of(way);
                if places.last() != Some(&out) {
                    places.push(out);
                }
                places.push(entered);
                by = reached.before;
                continue;
            }
            let shape = self.mesh.shape();
            let side = &shape.half_edges[reached.edge as usize];
            let corner = MeshPoint::known(side.at, shape.layer(side.polygon));
            if places.last().is_none_or(|last| last.xy() != corner.xy()) {
                places.push(corner);
            }
            by = reached.before;
        }
        let source = self.sources[(by - SOURCE) as usize];
        if places.last().is_none_or(|last| last.xy() != source.xy()) {
            places.push(source);
        }
        if !self.towards {
            places.reverse();
        }
        Some(Path::vouched(places, Cost(cost), self.mesh.revision()))
    }

    /// Every settled corner with its cost, by the number of its vertex.
    pub fn corners(&self) -> impl Iterator<Item = (MeshPoint, Cost)> + '_ {
        (0..self.mesh.vertex_count() as u32).filter_map(|vertex| self.corner(vertex))
    }

    /// The corner at a vertex with its cost, if it is settled.
    ///
    /// ```
    /// use highroad::field::MeshField;
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let mesh = Mesh::from_cells(3, 3, |x, y| (x, y) != (1, 1))?;
    /// let mut field = MeshField::towards(&mesh, &[MeshPoint::new(0.5, 0.5)?])?;
    /// while field.advance(100) {}
    /// let settled = (0..mesh.vertex_count() as u32).filter_map(|vertex| field.corner(vertex)).count();
    /// assert_eq!(settled, 4, "the corners of the wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn corner(&self, vertex: u32) -> Option<(MeshPoint, Cost)> {
        let is_corner = |known: &&Reached| known.is_settled && known.edge != NONE;
        let known = self.memory.reached.get(vertex as usize).filter(is_corner)?;
        let shape = self.mesh.shape();
        let side = &shape.half_edges[known.edge as usize];
        Some((MeshPoint::known(side.at, shape.layer(side.polygon)), Cost(known.cost)))
    }

    /// The mesh that it is of.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Bytes held, beside the snapshot of the mesh.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }
}

/// Looks from a point that lies in some polygons: `visit` gets half-edges that begin at what is seen, `enter` each cone that
/// is followed.
fn look(
    shape: &crate::mesh::shape::MeshShape,
    sight: &mut Sight,
    from: Xy,
    polygons: &[u32],
    mut visit: impl FnMut(u32),
    mut enter: impl FnMut(&Sight, crate::mesh::Cone),
) {
    sight.begin(from, shape.is_exact_with(from));
    for &polygon in polygons {
        sight.look_around(shape, polygon, &mut visit, || 0);
    }
    while let Some(cone) = sight.next() {
        enter(sight, cone);
        sight.follow(shape, cone, &mut visit, || 0);
    }
}
