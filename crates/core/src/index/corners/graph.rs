//! Corners, and which of them a shortest path may lead between.

use super::too_large;
use crate::mesh::shape::MeshShape;
use crate::mesh::{Mesh, NONE, Sight, Xy, distance, orient};
use crate::planner::{BuildError, Watch};

/// A place where more than 180° are free, so that shortest paths may bend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) at: Xy,
    pub(super) layer: u16,
    /// The walls that meet there end at these points.
    wings: [Xy; 2],
}

impl Corner {
    /// Whether a path that comes straight from a point may bend here: the obstacle lies on one side of the line.
    pub(super) fn is_taut(&self, exact: bool, from: Xy) -> bool {
        let [one, other] = self.wings.map(|wing| orient(exact, from, self.at, wing));
        !((one > 0.0 && other < 0.0) || (one < 0.0 && other > 0.0))
    }
}

/// All corners of a mesh, by the numbers of their vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Corners {
    pub(super) nodes: Vec<Corner>,
    /// For each vertex its corner, or `NONE`. Of the fans of polygons round a vertex at most one has more than 180°.
    of_vertex: Vec<u32>,
}

impl Corners {
    pub(super) fn of(shape: &MeshShape) -> Self {
        let mut of_vertex = vec![NONE; shape.vertices.len()];
        for side in shape.half_edges.iter().filter(|side| side.is_corner()) {
            of_vertex[side.vertex as usize] = 0;
        }
        let mut count = 0;
        for corner in of_vertex.iter_mut().filter(|corner| **corner != NONE) {
            *corner = count;
            count += 1;
        }
        let blank = Corner { at: [0.0; 2], layer: 0, wings: [[0.0; 2]; 2] };
        let mut nodes = vec![blank; count as usize];
        for (edge, side) in (0u32..).zip(&shape.half_edges) {
            if !side.is_corner() {
                continue;
            }
            let node = &mut nodes[of_vertex[side.vertex as usize] as usize];
            node.at = side.at;
            node.layer = shape.layer(side.polygon);
            let before = &shape.half_edges[shape.before(edge) as usize];
            if before.twin == NONE {
                node.wings[0] = before.at;
            }
            if side.twin == NONE {
                node.wings[1] = shape.half_edges[shape.next(edge) as usize].at;
            }
        }
        Self { nodes, of_vertex }
    }

    /// The corner where a half-edge begins, in its fan of polygons.
    #[inline]
    pub(super) fn at(&self, shape: &MeshShape, edge: u32) -> Option<u32> {
        let side = &shape.half_edges[edge as usize];
        side.is_corner().then(|| self.of_vertex[side.vertex as usize])
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Corner>() + self.of_vertex.capacity() * 4
    }
}

/// Which corners a taut line joins, at what cost.
pub(super) struct CornerGraph {
    first: Vec<u32>,
    list: Vec<(u32, u64)>,
}

impl CornerGraph {
    pub(super) fn of(
        mesh: &Mesh,
        corners: &Corners,
        bytes_max: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let shape = mesh.shape();
        let pairs_max = bytes_max / (2 * size_of::<(u32, u64)>());
        let mut pairs = pairs_in_sight(shape, corners, pairs_max, watch)?;
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0u32; corners.nodes.len() + 1];
        for &(one, other) in &pairs {
            first[one as usize + 1] += 1;
            first[other as usize + 1] += 1;
        }
        for at in 1..first.len() {
            first[at] += first[at - 1];
        }
        let mut next = first.clone();
        let mut list = vec![(0, 0); 2 * pairs.len()];
        for &(one, other) in &pairs {
            let [a, b] = [one, other].map(|node| corners.nodes[node as usize].at);
            let cost = leg_between(mesh, a, b);
            for (from, to) in [(one, other), (other, one)] {
                list[next[from as usize] as usize] = (to, cost);
                next[from as usize] += 1;
            }
        }
        Ok(Self { first, list })
    }

    pub(super) fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    #[inline]
    pub(super) fn of_node(&self, node: u32) -> &[(u32, u64)] {
        let node = node as usize;
        &self.list[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// What the leg between two corners costs: never nothing, so that ways never go round in a circle.
pub(super) fn leg_between(mesh: &Mesh, a: Xy, b: Xy) -> u64 {
    mesh.leg_cost(distance(a, b)).0.max(1)
}

/// How many corners are looked from between two reports.
const REPORTED: u32 = 64;

/// Pairs of corners that see each other along a taut line, the smaller number first; some of them twice.
fn pairs_in_sight(
    shape: &MeshShape,
    corners: &Corners,
    pairs_max: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<(u32, u32)>, BuildError> {
    let count = corners.nodes.len() as u32;
    // The half-edges that begin at each corner, in its fan.
    let mut fans: Vec<(u32, u32)> = (0..shape.half_edges.len() as u32)
        .filter_map(|edge| Some((corners.at(shape, edge)?, edge)))
        .collect();
    fans.sort_unstable();
    let mut seen = vec![NONE; count as usize];
    let mut pairs = Vec::new();
    let mut sight = Sight::default();
    for fan in fans.chunk_by(|one, other| one.0 == other.0) {
        let node = fan[0].0;
        if node % REPORTED == 0 {
            watch.report(node.into(), count.into())?;
            if pairs.len() > pairs_max {
                let bytes_max = pairs_max * 2 * size_of::<(u32, u64)>();
                return Err(too_large("the graph of corners", bytes_max));
            }
        }
        let from = &corners.nodes[node as usize];
        let mut visit = |edge: u32| {
            let Some(other) = corners.at(shape, edge) else { return };
            if other == node || std::mem::replace(&mut seen[other as usize], node) == node {
                return;
            }
            let to = &corners.nodes[other as usize];
            if to.is_taut(shape.exact, from.at) && from.is_taut(shape.exact, to.at) {
                pairs.push((node.min(other), node.max(other)));
            }
        };
        sight.begin(from.at, shape.exact);
        for &(_, edge) in fan {
            let polygon = shape.half_edges[edge as usize].polygon;
            sight.look_around(shape, polygon, &mut visit, || 0);
        }
        while let Some(cone) = sight.next() {
            sight.follow(shape, cone, &mut visit, || 0);
        }
    }
    Ok(pairs)
}
