//! The ends of a query on a mesh: in which polygons they lie, and where it leads if there is no path.

use super::{Answer, Ending, Progress, Session};
use crate::environment::{Cost, Environment};
use crate::mesh::shape::MeshShape;
use crate::mesh::{Mesh, MeshPoint, Xy};
use crate::path::Path;

/// Polygons looked at for the nearest point that count as one unit of work.
const POLYGONS_A_UNIT: u64 = 16;

/// An end in a polygon: which polygon, and which end.
pub(crate) type Placed = (u32, u32);

/// The ends of a query, in the polygons that they lie in.
#[derive(Default)]
pub(crate) struct MeshEnds {
    pub(crate) starts: Vec<Placed>,
    pub(crate) goals: Vec<Placed>,
    /// Whether there is no path, and the goal is the point nearest to one.
    pub(crate) redirected: bool,
    /// Whether orientations of ends, ends of links and vertices are exact as computed.
    pub(crate) exact: bool,
    /// No path that uses a link has less left than this; infinite if there are no links.
    pub(crate) least_by_way: f64,
    found: Vec<u32>,
    /// Parts that can be reached, in increasing order.
    parts: Vec<u32>,
    /// Polygons of trees that a path may enter: those whose number is the stamp.
    entered: Vec<u32>,
    stamp: u32,
}

impl MeshEnds {
    /// Places the ends; where no goal is connected with a start, replaces the goals by the point nearest to one.
    pub(crate) fn place(&mut self, mesh: &Mesh, session: &mut Session<'_, MeshPoint>) {
        let shape = mesh.shape();
        self.redirected = false;
        place_all(shape, session.starts, &mut self.starts, &mut self.found);
        place_all(shape, session.goals, &mut self.goals, &mut self.found);
        let part = |&(polygon, _): &Placed| shape.parts[polygon as usize];
        self.parts.clear();
        self.parts.extend(self.starts.iter().map(part));
        mesh.ways().add_reached_parts(shape, &mut self.parts);
        let is_reached = |wanted: u32| self.parts.binary_search(&wanted).is_ok();
        if !self.goals.iter().any(|goal| is_reached(part(goal))) {
            self.redirected = true;
            let near = |goal: &MeshPoint| {
                let point =
                    shape.nearest_point(*goal, |polygon| is_reached(shape.parts[polygon as usize]));
                point.map(|point| (crate::mesh::distance(point.xy(), goal.xy()), point))
            };
            session.run.statistics.beside +=
                (shape.polygon_count() * session.goals.len()) as u64 / POLYGONS_A_UNIT;
            let nearest = session.goals.iter().filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0));
            let nearest = nearest.map_or(session.starts[0], |(_, point)| point);
            session.goals.clear();
            session.goals.push(nearest);
            place_all(shape, session.goals, &mut self.goals, &mut self.found);
        }
        let ends = session.starts.iter().chain(&*session.goals);
        self.exact = ends.fold(shape.exact, |exact, end| exact && shape.is_exact_with(end.xy()));
        self.least_by_way = f64::INFINITY;
        if mesh.has_links() {
            self.exact &= mesh.ways().exact;
            self.least_by_way = mesh.ways().least_by_way(session.goals);
        }
        self.enter_trees(mesh);
    }

    /// Lets paths enter the trees that ends lie in, on the way in or out: those of the query, and those of links.
    fn enter_trees(&mut self, mesh: &Mesh) {
        let shape = mesh.shape();
        if self.entered.len() < shape.polygon_count() || self.stamp == u32::MAX {
            self.entered.clear();
            self.entered.resize(shape.polygon_count(), 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        let ends = self.starts.iter().chain(&self.goals).map(|placed| placed.0);
        for polygon in ends.chain(mesh.ways().all_polygons()) {
            let mut at = polygon;
            while let Some(entered) = self.entered.get_mut(at as usize)
                && *entered != self.stamp
            {
                *entered = self.stamp;
                at = shape.tree_parent[at as usize];
            }
        }
    }

    /// Whether a path may enter a polygon of a tree.
    #[inline]
    pub(crate) fn may_enter(&self, polygon: u32) -> bool {
        self.entered[polygon as usize] == self.stamp
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.goals.capacity()) * size_of::<Placed>()
            + (self.found.capacity() + self.parts.capacity() + self.entered.capacity()) * 4
    }
}

fn place_all(shape: &MeshShape, ends: &[MeshPoint], into: &mut Vec<Placed>, found: &mut Vec<u32>) {
    into.clear();
    for (number, &end) in (0..).zip(ends) {
        found.clear();
        shape.add_polygons_from(end, found);
        into.extend(found.iter().map(|&polygon| (polygon, number)));
    }
}

/// Adds a point to a path, unless the path ends there.
pub(crate) fn add_mesh_point(points: &mut Vec<MeshPoint>, at: Xy, layer: u16) {
    let point = MeshPoint::known(at, layer);
    if points.last().is_none_or(|last| last.xy() != at) {
        points.push(point);
    }
}

/// Ends a query that was stopped by a limit with the path over the places noted so far, given from the start on: as far
/// as it may cost.
pub(crate) fn end_at_mesh_limit(
    mesh: &Mesh,
    session: &mut Session<'_, MeshPoint>,
) -> Answer<MeshPoint> {
    let cost_max = session.run.limits.cost_max;
    let places = &mut session.writing.places;
    while places.len() > 1 && mesh.known_price(places).0 > cost_max {
        places.pop();
    }
    let cost = mesh.known_price(places);
    let places = places.clone();
    Answer::LimitReached { nearest: Path::vouched(places, cost, mesh.revision()) }
}

/// Begins to write down the path that was found, which leads to the nearest point if there is none to a goal.
pub(crate) fn begin_mesh_path(
    session: &mut Session<'_, MeshPoint>,
    redirected: bool,
) -> Progress<MeshPoint> {
    let cost_max = session.run.limits.cost_max;
    let ending = if redirected { Ending::Nearest } else { Ending::Path { cost_max } };
    session.writing.begin(ending, false);
    Progress::Running
}

/// Whether a length is more than a limit of cost allows, whatever the rounding of its legs.
pub(crate) fn is_longer_than(mesh_scale: f64, length: f64, cost_max: u64) -> bool {
    let cost = length * mesh_scale;
    cost > Cost(cost_max).0 as f64 * (1.0 + 1e-9) + 1024.0
}
