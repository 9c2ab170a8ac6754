//! Navigation meshes: free ground as convex polygons, on which paths run straight from corner to corner.
//!
//! A [`Mesh`] is an environment like [`Grid`](crate::Grid) and [`Graph`](crate::graph::Graph); its places are points.
//! Reading order: `point.rs` has points and the exact decision on which side of a line one lies; `shape.rs` the arrays
//! of a mesh and what follows from them; `locate.rs` finds the polygons at a point, `walk.rs` follows a straight line;
//! `environment.rs` prices paths; `batch.rs` and `edit.rs` have obstacles, areas and links that come and go, `patch.rs` what takes the
//! place of the polygons that they touch, `ways.rs` the links that can be used; `movement.rs` has what a kind of agent may do.
//!
//! **Lengths and costs.** A length is a number of `f64`, and the root and every sum is rounded as IEEE 754 says, in a
//! fixed order: all machines get the same bits. Costs are whole numbers all over the project, so a straight leg costs its
//! length times [`Mesh::cost_scale`], a power of two, rounded to a whole number, and a path costs the sum of its legs.
//! Rounding the legs, not the sum, keeps costs additive: a path may be written and priced in pieces.
//! The scale makes the diagonal of the mesh between 2³² and 2³³ units long, so that a leg is off by less than one part
//! in 2³³ of the diagonal, and a path may be 2,048 diagonals long before it costs 2⁴⁴, the most that queries count.
//!
//! **Signs are exact.** Which side of a line a point lies on is decided exactly, whatever the rounding
//! (`point.rs`). Searches decide nothing by computed points: see [`AnyAngle`](crate::online::AnyAngle).

mod arrangement;
mod batch;
mod compact;
mod edit;
mod environment;
mod error;
mod install;
mod link;
mod locate;
mod movement;
mod nearest;
mod obstacle;
mod outline;
mod patch;
mod plain;
mod point;
mod saved;
pub(crate) mod shape;
mod sight;
mod split;
mod text;
mod triangulate;
mod walk;
mod ways;

pub use batch::{MeshBatch, MeshChange, MeshEditError, MeshItem};
pub use environment::{MeshPathProblem, MeshRefusal};
pub use error::MeshError;
pub use link::{MeshLink, MeshLinkError};
pub use movement::{AreaClass, MeshMovement, MovementError};
pub use obstacle::{Obstacle, ObstacleError};
pub use outline::{Area, AreaError};
pub use point::{CoordinateError, MeshPoint};
pub use text::{MeshTextError, MeshTextProblem, read_polyanya, write_polyanya};

pub(crate) use point::{Xy, distance, orient};
pub(crate) use shape::NONE;
pub(crate) use sight::{Cone, Sight};
pub(crate) use ways::{Way, Ways};

use crate::environment::{Cost, Edition, Revision, StableHash};
use edit::Items;
use shape::MeshShape;
use std::sync::Arc;

/// Free ground as convex polygons that share edges.
///
/// A clone shares the memory. Each polygon has its corners counter-clockwise, where x goes to the right and y upwards;
/// corners of 180° are allowed, and needed where two polygons lie along one edge of another.
///
/// Polygons may overlap if they lie on different layers, such as a bridge and the ground below it. A point is then one
/// of a layer.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshPoint};
/// // Two rooms of 4 × 4 with a door between them that is 2 wide.
/// //    3 ───── 2        7 ───── 6
/// //    │       9 ────── 8       │
/// //    │       10 ──── 11       │
/// //    0 ───── 1        4 ───── 5
/// let vertices = vec![
///     [0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [6.0, 0.0], [10.0, 0.0], [10.0, 4.0], [6.0, 4.0],
///     [6.0, 3.0], [4.0, 3.0], [4.0, 1.0], [6.0, 1.0],
/// ];
/// let rooms = [vec![0, 1, 10, 9, 2, 3], vec![4, 5, 6, 7, 8, 11], vec![10, 11, 8, 9]];
/// let mesh = Mesh::from_polygons(vertices, &rooms)?;
/// assert_eq!((mesh.polygon_count(), mesh.vertex_count()), (3, 12));
/// let [a, b] = [MeshPoint::new(1.0, 0.0)?, MeshPoint::new(4.0, 1.0)?];
/// assert_eq!(mesh.length(&[a, b]), 10f64.sqrt());
/// assert!(mesh.price(&[a, b]).is_ok());
/// assert!(mesh.price(&[a, MeshPoint::new(9.0, 0.0)?]).is_err(), "a wall is between them");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    shape: Arc<MeshShape>,
    /// The shape without obstacles; the same while there are none.
    base: Arc<MeshShape>,
    items: Arc<Items>,
    /// The links that can be used.
    ways: Arc<Ways>,
    movement: Arc<MeshMovement>,
    kind: u16,
    revision: Revision,
    edition: Edition,
}

impl Mesh {
    fn of(shape: MeshShape) -> Self {
        Self::with_revision(shape, Revision(0))
    }

    fn with_revision(shape: MeshShape, revision: Revision) -> Self {
        let shape = Arc::new(shape);
        let base = shape.clone();
        let (items, ways, movement) = (Arc::default(), Arc::default(), Arc::default());
        let edition = Edition::new();
        Self { shape, base, items, ways, movement, kind: 0, revision, edition }
    }

    /// The mesh of those polygons, each a list of numbers of vertices. Polygons that share an edge, with the same two
    /// vertices, are neighbours. O(corners · log corners). Fails with a [`MeshError`].
    pub fn from_polygons(
        vertices: Vec<[f64; 2]>,
        polygons: &[Vec<u32>],
    ) -> Result<Self, MeshError> {
        Self::from_layers(vertices, polygons, Vec::new())
    }

    /// The same with a layer for each polygon; an empty list: all on layer 0. Polygons of different layers that share an
    /// edge are neighbours as well: there a ramp begins. Fails with a [`MeshError`].
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// // A bridge, on layer 1, over a road.
    /// let vertices = vec![
    ///     [0.0, 4.0], [9.0, 4.0], [9.0, 5.0], [0.0, 5.0], [4.0, 0.0], [5.0, 0.0], [5.0, 9.0], [4.0, 9.0],
    /// ];
    /// let mesh = Mesh::from_layers(vertices, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7]], vec![0, 1])?;
    /// let middle = MeshPoint::new(4.5, 4.5)?;
    /// assert_eq!(mesh.polygons_at(middle), [0]);
    /// assert_eq!(mesh.polygons_at(middle.on_layer(1)), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_layers(
        vertices: Vec<[f64; 2]>,
        polygons: &[Vec<u32>],
        layers: Vec<u16>,
    ) -> Result<Self, MeshError> {
        MeshShape::new(vertices, polygons, None, layers).map(Self::of)
    }

    /// The mesh of those polygons with the neighbours given: for each polygon one for each edge, the first being that from
    /// corner 0 to corner 1. An edge without a neighbour is a wall, even where two polygons share it. Fails with a
    /// [`MeshError`], also if a neighbour does not have the same edge.
    ///
    /// ```
    /// use highroad::mesh::Mesh;
    /// let vertices = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// let polygons = [vec![0, 1, 2], vec![0, 2, 3]];
    /// let joined = [vec![None, None, Some(1)], vec![Some(0), None, None]];
    /// assert!(Mesh::with_neighbours(vertices.clone(), &polygons, &joined, Vec::new())?.is_connected());
    /// let wall = [vec![None; 3], vec![None; 3]];
    /// assert!(!Mesh::with_neighbours(vertices, &polygons, &wall, Vec::new())?.is_connected());
    /// # Ok::<(), highroad::mesh::MeshError>(())
    /// ```
    pub fn with_neighbours(
        vertices: Vec<[f64; 2]>,
        polygons: &[Vec<u32>],
        neighbours: &[Vec<Option<u32>>],
        layers: Vec<u16>,
    ) -> Result<Self, MeshError> {
        MeshShape::new(vertices, polygons, Some(neighbours), layers).map(Self::of)
    }

    pub(crate) fn shape(&self) -> &MeshShape {
        &self.shape
    }

    pub(crate) fn ways(&self) -> &Ways {
        &self.ways
    }

    /// How the kind of agent moves that it is for.
    pub fn movement(&self) -> &MeshMovement {
        &self.movement
    }

    /// The number of the kind of agent that it is for.
    pub fn kind(&self) -> u16 {
        self.kind
    }

    /// Whether there is a link that this kind of agent can use.
    pub fn has_links(&self) -> bool {
        !self.ways.is_empty()
    }

    /// Whether ground costs this kind of agent more in some places than in others.
    ///
    /// ```
    /// use highroad::mesh::{AreaClass, Mesh, MeshBatch, MeshMovement, Obstacle};
    /// let swamp = AreaClass::new(5)?;
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let area = Obstacle::new(vec![[2.0, 2.0], [6.0, 2.0], [6.0, 6.0]])?.of_class(swamp);
    /// mesh.apply(MeshBatch::new().place("swamp", area))?;
    /// assert!(!mesh.has_costs());
    /// assert!(mesh.another_kind(1, MeshMovement::default().with_factor(swamp, 3.0)?)?.has_costs());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_costs(&self) -> bool {
        self.shape.has_costs()
    }

    /// Whether a change means something to the kind of agent that it is for.
    ///
    /// ```
    /// use highroad::mesh::{AreaClass, Mesh, MeshBatch, MeshMovement, Obstacle};
    /// let water = AreaClass::new(2)?;
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let cart = mesh.another_kind(1, MeshMovement::default().forbidding(water))?;
    /// let pond = Obstacle::new(vec![[2.0, 2.0], [6.0, 2.0], [6.0, 6.0]])?.of_class(water);
    /// let changes = mesh.apply(MeshBatch::new().place("pond", pond))?;
    /// assert!(cart.is_concerned_by(&changes[0]) && !mesh.is_concerned_by(&changes[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_concerned_by(&self, change: &MeshChange) -> bool {
        change.items().any(|item| self.is_concerned_by_item(item))
    }

    /// A copy of the same revision that lacks some polygons. Numbers that no polygon has are passed over. Obstacles and areas stay
    /// where they are, but belong to the ground of the copy; links can be used where their ends still lie on it. O(corners).
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let vertices = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2], vec![0, 2, 3]])?;
    /// let point = MeshPoint::new(0.2, 0.8)?;
    /// assert_eq!(mesh.polygons_at(point), [1]);
    /// assert!(mesh.without(&[1]).polygons_at(point).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(&self, polygons: &[u32]) -> Self {
        let mut shape = (*self.shape).clone();
        let known: Vec<u32> =
            polygons.iter().copied().filter(|&at| (at as usize) < shape.polygon_count()).collect();
        shape.close(&known);
        let copy = Self::with_revision(shape, self.revision);
        let ways = Ways::of(&copy.shape, self.links().map(|link| link.1), &self.movement);
        Self { ways: Arc::new(ways), movement: self.movement.clone(), kind: self.kind, ..copy }
    }

    /// How many numbers of polygons there are. Some polygons may be closed: see [`Mesh::is_open`].
    pub fn polygon_count(&self) -> usize {
        self.shape.polygon_count()
    }

    /// Whether a polygon is part of the mesh. One that is not was left out, or others have taken its place because of an
    /// obstacle; it keeps its number.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// assert_eq!((mesh.polygon_count(), mesh.is_open(0)), (1, true));
    /// let post = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0]])?;
    /// mesh.apply(MeshBatch::new().place("post", post))?;
    /// assert!(!mesh.is_open(0) && mesh.is_open(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_open(&self, polygon: u32) -> bool {
        self.shape.is_open(polygon)
    }

    /// Whether any polygon is closed.
    pub fn has_closed(&self) -> bool {
        !self.shape.closed.is_empty()
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.shape.vertices.len()
    }

    /// Where the vertices lie, by their numbers.
    pub fn vertices(&self) -> &[[f64; 2]] {
        &self.shape.vertices
    }

    /// The corners of a polygon, counter-clockwise: numbers of vertices.
    ///
    /// ```
    /// use highroad::mesh::Mesh;
    /// let vertices = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2], vec![0, 2, 3]])?;
    /// assert_eq!(mesh.corners(1).collect::<Vec<_>>(), [0, 2, 3]);
    /// assert_eq!(mesh.neighbours(1).collect::<Vec<_>>(), [Some(0), None, None]);
    /// assert_eq!((mesh.layer(1), mesh.bounds()), (0, [[0.0, 0.0], [1.0, 1.0]]));
    /// # Ok::<(), highroad::mesh::MeshError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such polygon.
    pub fn corners(&self, polygon: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.shape.sides(polygon).iter().map(|side| side.vertex)
    }

    /// The neighbours of a polygon across each of its edges, the first being that from corner 0 to corner 1.
    ///
    /// # Panics
    /// If there is no such polygon.
    pub fn neighbours(&self, polygon: u32) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.shape.range(polygon).map(|edge| self.shape.across(edge as u32))
    }

    /// The layer of a polygon.
    pub fn layer(&self, polygon: u32) -> u16 {
        self.shape.layer(polygon)
    }

    /// Which connected part a polygon belongs to: the number of one of the part's polygons, which may be closed.
    ///
    /// # Panics
    /// If there is no such polygon.
    pub fn part(&self, polygon: u32) -> u32 {
        self.shape.parts[polygon as usize]
    }

    /// The polygons that a path passes, in the order in which it does, for drawing: those that a leg has more than
    /// a point in common with, as far as rounding can say.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
    /// let [a, b, c] = [(3.0, 0.5), (1.0, 1.0), (0.5, 3.0)].map(|(x, y)| MeshPoint::new(x, y));
    /// assert_eq!(mesh.corridor(&[a?, b?, c?]), [0, 1]);
    /// assert_eq!(mesh.part(1), 0, "they are connected");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn corridor(&self, points: &[MeshPoint]) -> Vec<u32> {
        if !self.has_links() {
            return self.shape.corridor(points);
        }
        // From link to link.
        let mut passed = Vec::new();
        let mut begin = 0;
        for at in 1..=points.len() {
            let is_end =
                at == points.len() || self.ways.length(points[at - 1], points[at]).is_some();
            if is_end {
                for polygon in self.shape.corridor(&points[begin..at]) {
                    if !passed.contains(&polygon) {
                        passed.push(polygon);
                    }
                }
                begin = at;
            }
        }
        passed
    }

    /// Whether paths lead from every polygon to every other, without links.
    pub fn is_connected(&self) -> bool {
        let mut open = (0..self.polygon_count() as u32).filter(|&polygon| self.is_open(polygon));
        let first = open.next().map_or(0, |polygon| self.part(polygon));
        open.all(|polygon| self.part(polygon) == first)
    }

    /// Whether a path leads from one point to another: false if one of them lies beside the mesh. Takes two look-ups, and no
    /// search.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let mesh = Mesh::from_cells(3, 1, |x, _| x != 1)?;
    /// let [a, b, c] = [0.2, 0.8, 2.5].map(|x| MeshPoint::new(x, 0.5));
    /// let (a, b, c) = (a?, b?, c?);
    /// assert!(mesh.is_reachable(a, b) && !mesh.is_reachable(a, c));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_reachable(&self, from: MeshPoint, to: MeshPoint) -> bool {
        let polygons = |point: MeshPoint| {
            let mut found = Vec::new();
            self.shape.add_polygons_from(point, &mut found);
            found
        };
        let (here, there) = (polygons(from), polygons(to));
        let mut parts: Vec<u32> = here.iter().map(|&polygon| self.part(polygon)).collect();
        self.ways.add_reached_parts(&self.shape, &mut parts);
        there.iter().any(|&polygon| parts.binary_search(&self.part(polygon)).is_ok())
    }

    /// The polygons at a point, on its layer, in increasing order: several on an edge or a vertex, none outside of the
    /// mesh. Decided exactly.
    pub fn polygons_at(&self, point: MeshPoint) -> Vec<u32> {
        let mut found = Vec::new();
        self.shape.add_polygons_at(point, &mut found);
        found
    }

    /// The corners of the smallest rectangle that holds the mesh: the least coordinates, and the largest ones.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        self.shape.locator.bounds()
    }

    /// The length of a line from point to point, whether or not it can be walked.
    pub fn length(&self, points: &[MeshPoint]) -> f64 {
        points.windows(2).fold(0.0, |sum, leg| sum + distance(leg[0].xy(), leg[1].xy()))
    }

    /// Units of cost for each unit of length: a power of two.
    pub fn cost_scale(&self) -> f64 {
        self.shape.cost_scale
    }

    /// What a straight leg of some length costs.
    pub(crate) fn leg_cost(&self, length: f64) -> Cost {
        Cost((length * self.shape.cost_scale).round() as u64)
    }

    /// A hash of polygons and their neighbours, what they cost, and links that can be used: these decide which paths there are and what they cost. The same on every
    /// machine. O(corners).
    ///
    /// ```
    /// use highroad::mesh::Mesh;
    /// let triangle = |x| Mesh::from_polygons(vec![[0.0, 0.0], [x, 0.0], [0.0, 1.0]], &[vec![0, 1, 2]]);
    /// assert_eq!(triangle(1.0)?.fingerprint(), triangle(1.0)?.fingerprint());
    /// assert_ne!(triangle(1.0)?.fingerprint(), triangle(2.0)?.fingerprint());
    /// # Ok::<(), highroad::mesh::MeshError>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        for side in &self.shape.half_edges {
            hash.mix(side.at[0].to_bits());
            hash.mix(side.at[1].to_bits());
            hash.mix(u64::from(side.polygon) << 32 | u64::from(side.twin));
        }
        self.shape.layers.iter().for_each(|&layer| hash.mix(layer.into()));
        self.shape.closed.iter().for_each(|&polygon| hash.mix(polygon.into()));
        if self.shape.has_costs() {
            let polygons = 0..self.polygon_count() as u32;
            polygons.for_each(|polygon| hash.mix(self.shape.factor(polygon).to_bits()));
        }
        for way in &self.ways.list {
            for end in [way.from, way.to] {
                [end.x(), end.y()].iter().for_each(|at| hash.mix(at.to_bits()));
                hash.mix(end.layer().into());
            }
            hash.mix(way.length.to_bits());
        }
        hash.value()
    }

    /// Bytes held, shared with clones.
    pub fn memory_bytes(&self) -> usize {
        let base = if Arc::ptr_eq(&self.shape, &self.base) { 0 } else { self.base.memory_bytes() };
        self.shape.memory_bytes() + base + self.items.memory_bytes() + self.ways.memory_bytes()
    }
}

#[cfg(test)]
pub(crate) mod tests;
