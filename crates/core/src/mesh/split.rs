//! Polygons that rounding has bent inwards a little, split into convex ones.
//!
//! A mesh that was turned or scaled has corners of 180° that are no longer exactly straight. What is decided here is
//! exact, so such a polygon would be refused; instead it is cut into triangles, some of them very thin. Its
//! outline stays as it is.

use super::error::MeshError;
use super::point::{Xy, distance, orient};
use super::shape::check_polygon;
use std::collections::BTreeMap;

/// How far a corner may be bent inwards, as a part of the distance between its neighbours.
const BENT_MAX: f64 = 1e-9;

/// Corners of a polygon that is split: cutting takes time in proportion to their cube.
const CORNERS_MAX: usize = 64;

/// The neighbours of polygons, edge by edge.
pub(crate) type Neighbours = Vec<Vec<Option<u32>>>;

/// Polygons of which all are convex, with their neighbours, if they were given, and their layers.
pub(crate) struct Convex {
    pub(crate) polygons: Vec<Vec<u32>>,
    pub(crate) neighbours: Option<Neighbours>,
    pub(crate) layers: Vec<u16>,
}

/// Splits what is bent a little; `None` if nothing is. New polygons get the numbers after all others. Polygons that are
/// bent more stay as they are.
pub(crate) fn split_bent(
    exact: bool,
    vertices: &[Xy],
    polygons: &[Vec<u32>],
    neighbours: Option<&[Vec<Option<u32>>]>,
    layers: &[u16],
) -> Option<Convex> {
    let mut pieces: Vec<(usize, Vec<[u32; 3]>)> = Vec::new();
    for (polygon, corners) in polygons.iter().enumerate() {
        let checked = check_polygon(exact, vertices, polygon, corners);
        if matches!(checked, Err(MeshError::NotConvex { .. }))
            && corners.len() <= CORNERS_MAX
            && is_bent_little(exact, vertices, corners)
            && let Some(triangles) = triangles(exact, vertices, corners)
        {
            pieces.push((polygon, triangles));
        }
    }
    if pieces.is_empty() {
        return None;
    }
    let mut convex = Convex {
        polygons: polygons.to_vec(),
        neighbours: neighbours.map(<[_]>::to_vec),
        layers: layers.to_vec(),
    };
    // Which piece of which polygon has an edge.
    let mut owners: BTreeMap<(u32, u32, u32), u32> = BTreeMap::new();
    for (polygon, triangles) in &pieces {
        for (number, triangle) in triangles.iter().enumerate() {
            let piece = if number == 0 { *polygon } else { convex.polygons.len() } as u32;
            if number == 0 {
                convex.polygons[*polygon] = triangle.to_vec();
            } else {
                convex.polygons.push(triangle.to_vec());
                convex.layers.extend(layers.get(*polygon));
            }
            for corner in 0..3 {
                let edge = (triangle[corner], triangle[(corner + 1) % 3]);
                owners.insert((*polygon as u32, edge.0, edge.1), piece);
            }
        }
    }
    if let (Some(new), Some(old)) = (&mut convex.neighbours, neighbours) {
        new.resize(convex.polygons.len(), Vec::new());
        for (polygon, triangles) in &pieces {
            join_pieces(
                *polygon as u32,
                triangles,
                &polygons[*polygon],
                &old[*polygon],
                &owners,
                new,
            );
        }
        let edges = |corners: &[u32], at: usize| (corners[at], corners[(at + 1) % corners.len()]);
        for (corners, list) in convex.polygons.iter().zip(new) {
            for (at, neighbour) in list.iter_mut().enumerate() {
                let (from, to) = edges(corners, at);
                if let Some(split) = *neighbour
                    && let Some(&piece) = owners.get(&(split, to, from))
                {
                    *neighbour = Some(piece);
                }
            }
        }
    }
    Some(convex)
}

/// Gives the pieces of a polygon its neighbours, and each other.
fn join_pieces(
    polygon: u32,
    triangles: &[[u32; 3]],
    corners: &[u32],
    old: &[Option<u32>],
    owners: &BTreeMap<(u32, u32, u32), u32>,
    new: &mut [Vec<Option<u32>>],
) {
    let mut outline: BTreeMap<(u32, u32), Option<u32>> = BTreeMap::new();
    for (at, neighbour) in old.iter().enumerate().take(corners.len()) {
        outline.insert((corners[at], corners[(at + 1) % corners.len()]), *neighbour);
    }
    for triangle in triangles {
        let edges = [0, 1, 2].map(|at| (triangle[at], triangle[(at + 1) % 3]));
        let piece = owners[&(polygon, edges[0].0, edges[0].1)];
        let across = |edge: &(u32, u32)| match outline.get(edge) {
            Some(neighbour) => *neighbour,
            // Still by the number of the whole: the caller finds the piece.
            None => Some(polygon),
        };
        new[piece as usize] = edges.iter().map(across).collect();
    }
}

fn is_bent_little(exact: bool, vertices: &[Xy], corners: &[u32]) -> bool {
    let at = |corner: usize| vertices[corners[corner % corners.len()] as usize];
    (0..corners.len()).all(|corner| {
        let [a, b, c] = [at(corner), at(corner + 1), at(corner + 2)];
        let side = orient(exact, a, b, c);
        side >= 0.0 || -side <= BENT_MAX * distance(a, c) * distance(a, c)
    })
}

/// A simple polygon as triangles, by cutting off corners in which no other lies. `None` if it is not simple.
fn triangles(exact: bool, vertices: &[Xy], corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    let mut left = corners.to_vec();
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    while left.len() > 3 {
        let count = left.len();
        let corner = |at: usize| left[at % count];
        let is_ear = |&at: &usize| {
            let ear = [at, at + 1, at + 2].map(|at| vertices[corner(at) as usize]);
            let side = |from: usize, to: usize, p: Xy| orient(exact, ear[from], ear[to], p);
            let others = (at + 3..at + count).map(|at| vertices[corner(at) as usize]);
            side(0, 1, ear[2]) > 0.0
                && others
                    .into_iter()
                    .all(|p| side(0, 1, p) < 0.0 || side(1, 2, p) < 0.0 || side(2, 0, p) < 0.0)
        };
        let ear = (0..count).find(is_ear)?;
        triangles.push([ear, ear + 1, ear + 2].map(corner));
        left.remove((ear + 1) % count);
    }
    let last: [u32; 3] = left.try_into().ok()?;
    let [a, b, c] = last.map(|vertex| vertices[vertex as usize]);
    triangles.push(last);
    (orient(exact, a, b, c) > 0.0).then_some(triangles)
}
