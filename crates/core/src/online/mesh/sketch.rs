//! What searches on meshes have looked at, for drawing.

use super::any_angle::AnyAngleMemory;
use super::cone::{OPEN, Root, TURN, crossing};
use crate::mesh::shape::MeshShape;
use crate::mesh::{NONE, Xy};
use crate::planner::{LayerInfo, Point, Shape, SketchLayer};

pub(super) static CONES: LayerInfo = LayerInfo::visible(
    "cones",
    "what was seen, from where: a line to each end of a part of an edge",
    0.35,
);
pub(super) static BENDS: LayerInfo =
    LayerInfo::visible("bends", "corners that paths were tried to bend at", 0.8);
pub(super) static STEPS: LayerInfo =
    LayerInfo::visible("steps", "from polygon to polygon, where edges were crossed", 0.6);

/// The cones of a search, in the order in which they were opened, and where paths bent.
pub(super) fn cones(shape: &MeshShape, memory: &AnyAngleMemory) -> Vec<SketchLayer> {
    let point = |at: Xy| Point { x: at[0] as f32, y: at[1] as f32 };
    let mut lines = Vec::new();
    for node in memory.nodes.iter().filter(|node| node.edge != NONE) {
        let root = &memory.roots[node.root as usize];
        let behind = &shape.half_edges[node.edge as usize];
        let (left, right) = (behind.at, shape.half_edges[shape.next(node.edge) as usize].at);
        for (limit, end, other) in [(node.left, left, right), (node.right, right, left)] {
            let at = match ray(shape, memory, limit, root) {
                Some(_) if is_at(shape, limit, end) => end,
                Some(ray) if end == left => crossing(ray, end, other),
                Some(ray) => crossing(ray, other, end),
                None => end,
            };
            lines.push([point(root.at), point(at)]);
        }
    }
    let is_corner = |root: &&Root| (root.vertex as usize) < shape.vertices.len();
    let bends = memory.roots.iter().filter(is_corner);
    let bends = bends.map(|root| point(root.at)).collect();
    vec![CONES.layer(1, Shape::Lines(lines)), BENDS.layer(1, Shape::Points(bends))]
}

fn is_at(shape: &MeshShape, limit: u32, end: Xy) -> bool {
    shape.vertices.get(limit as usize) == Some(&end)
}

/// The ray that limits a cone.
fn ray(shape: &MeshShape, memory: &AnyAngleMemory, limit: u32, root: &Root) -> Option<[Xy; 2]> {
    match limit {
        OPEN => None,
        TURN => Some([memory.roots[root.before as usize].at, root.at]),
        vertex => Some([root.at, shape.vertices[vertex as usize]]),
    }
}
