//! Free ground as outlines: areas with holes, and the outlines of the free cells of a map.

use super::point::{CoordinateError, Xy, accepted};
use super::triangulate::{self, TriangulationError};
use super::{Mesh, MeshError};
use crate::environment::Watch;
use thiserror::Error;

/// Free ground inside of an outline, without some holes. Points in either direction of going round; the last is joined
/// to the first.
///
/// ```
/// use highroad::mesh::{Area, Mesh};
/// let square = |from: f64, to: f64| vec![[from, from], [to, from], [to, to], [from, to]];
/// let area = Area { outer: square(0.0, 9.0), holes: vec![square(3.0, 6.0)] };
/// let mesh = Mesh::from_areas(&[area])?;
/// assert_eq!((mesh.vertex_count(), mesh.is_connected()), (8, true));
/// # Ok::<(), highroad::mesh::AreaError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Area {
    /// What surrounds it.
    pub outer: Vec<[f64; 2]>,
    /// What is blocked inside of it.
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// Why areas do not make a mesh.
///
/// ```
/// use highroad::mesh::{Area, AreaError, Mesh};
/// let bow = vec![[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]];
/// let error: AreaError = Mesh::from_areas(&[Area { outer: bow, holes: Vec::new() }]).unwrap_err();
/// assert!(matches!(error, AreaError::Crossing { .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AreaError {
    /// An outline that surrounds nothing.
    #[error("outline {outline} has {points} different points: it needs at least three")]
    TooFewPoints {
        /// Which outline: those of all areas are counted from 0, each outer one before its holes.
        outline: usize,
        /// How many it has.
        points: usize,
    },
    /// A coordinate that is not finite, or too large.
    #[error("outline {outline}, point {point}: {error}")]
    Coordinate {
        /// Which outline.
        outline: usize,
        /// Which of its points, from 0.
        point: usize,
        /// What is wrong.
        error: CoordinateError,
    },
    /// All points on a line.
    #[error("outline {outline} surrounds nothing: all its points lie on a line")]
    NoArea {
        /// Which outline.
        outline: usize,
    },
    /// Outlines, or two parts of one, that cross.
    #[error("outlines cross between ({}, {}) and ({}, {})", .from[0], .from[1], .to[0], .to[1])]
    Crossing {
        /// Where the side begins that is crossed.
        from: [f64; 2],
        /// Where it ends.
        to: [f64; 2],
    },
    /// A hole that does not lie in its area.
    #[error("outline {outline} is a hole, but does not lie inside of its area")]
    HoleOutside {
        /// Which outline.
        outline: usize,
    },
    /// Areas, or holes, that lie on each other, or share a part of a side.
    #[error(
        "outlines overlap: they surround {expected} together, but what lies inside of them is {found}"
    )]
    Overlap {
        /// The sum of the areas without their holes.
        expected: f64,
        /// What is surrounded by an odd number of outlines.
        found: f64,
    },
    /// The mesh cannot be made.
    #[error(transparent)]
    Mesh(MeshError),
    /// The watch has stopped it.
    #[error("it was stopped")]
    Stopped,
}

impl Mesh {
    /// The mesh of some areas, which may touch, but neither cross nor overlap: triangles of a constrained Delaunay
    /// triangulation, merged into convex polygons. O(points · log points) on usual input. Fails with an [`AreaError`].
    pub fn from_areas(areas: &[Area]) -> Result<Self, AreaError> {
        Self::from_areas_watched(areas, &mut Watch::none())
    }

    /// As [`Mesh::from_areas`], with progress. Fails with [`AreaError::Stopped`] when the watch stops it. The triangulation is
    /// one piece.
    ///
    /// ```
    /// use highroad::mesh::{Area, AreaError, Mesh};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// let areas = [Area { outer: square, holes: Vec::new() }];
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let made = Mesh::from_areas_watched(&areas, &mut Watch::new(&mut stop));
    /// assert_eq!(made.err(), Some(AreaError::Stopped));
    /// ```
    pub fn from_areas_watched(areas: &[Area], watch: &mut Watch<'_>) -> Result<Self, AreaError> {
        let mut rings: Vec<Vec<Xy>> = Vec::new();
        let mut expected = 0.0;
        for (number, area) in areas.iter().enumerate() {
            report(watch, Stage::Outlines, number, areas.len())?;
            let outer = rings.len();
            rings.push(ring_of(&area.outer, outer)?);
            expected += surrounded(&rings[outer]).abs();
            for hole in &area.holes {
                let outline = rings.len();
                let ring = ring_of(hole, outline)?;
                if ring.iter().any(|&point| is_outside(&rings[outer], point)) {
                    return Err(AreaError::HoleOutside { outline });
                }
                expected -= surrounded(&ring).abs();
                rings.push(ring);
            }
        }
        Self::from_rings(&rings, Some(expected), watch)
    }

    /// The mesh of the free cells of a map, each the square from (x, y) to (x + 1, y + 1). Outlines are traced exactly; a
    /// path does not pass where two blocked cells touch at a corner. O(cells), beside that of [`Mesh::from_areas`].
    /// Fails with a [`MeshError`].
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::mesh::Mesh;
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let extent = grid.extent();
    /// let mesh = Mesh::from_cells(extent.width(), extent.height(), |x, y| grid.is_enterable((x, y).into()))?;
    /// assert_eq!(mesh.vertex_count(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_cells(
        width: u32,
        height: u32,
        is_free: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, AreaError> {
        Self::from_cells_watched(width, height, is_free, &mut Watch::none())
    }

    /// As [`Mesh::from_cells`], with progress. Fails with [`AreaError::Stopped`] when the watch stops it. The triangulation is
    /// one piece.
    ///
    /// ```
    /// use highroad::mesh::{AreaError, Mesh};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let made = Mesh::from_cells_watched(9, 9, |_, _| true, &mut Watch::new(&mut stop));
    /// assert_eq!(made.err(), Some(AreaError::Stopped));
    /// ```
    pub fn from_cells_watched(
        width: u32,
        height: u32,
        is_free: impl Fn(u32, u32) -> bool,
        watch: &mut Watch<'_>,
    ) -> Result<Self, AreaError> {
        Self::from_rings(&trace(width, height, is_free, watch)?, None, watch)
    }

    /// The mesh of what an odd number of rings surrounds; of an area that is known, if one is given.
    fn from_rings(
        rings: &[Vec<Xy>],
        expected: Option<f64>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, AreaError> {
        report(watch, Stage::Triangles, 0, 1)?;
        let mut merged = |done, of| report(watch, Stage::Merging, done, of).is_ok();
        let made = triangulate::polygons_of(rings, &mut merged).map_err(|error| match error {
            TriangulationError::Stopped => AreaError::Stopped,
            TriangulationError::Crossing(from, to) => AreaError::Crossing { from, to },
            TriangulationError::Coordinate => {
                let (outline, point, error) = (0, 0, CoordinateError(f64::NAN));
                AreaError::Coordinate { outline, point, error }
            }
        })?;
        if let Some(expected) = expected
            && (made.area - expected).abs() > 1e-6 * expected.abs()
        {
            return Err(AreaError::Overlap { expected, found: made.area });
        }
        report(watch, Stage::Shape, 0, 1)?;
        Self::from_polygons(made.vertices, &made.polygons).map_err(AreaError::Mesh)
    }
}

/// What is done to make a mesh, in this order; each counts as a quarter.
#[derive(Clone, Copy)]
enum Stage {
    Outlines,
    Triangles,
    Merging,
    Shape,
}

/// Reports how much of a stage is done.
fn report(watch: &mut Watch<'_>, stage: Stage, done: usize, of: usize) -> Result<(), AreaError> {
    let (done, of) = (done as u64, of.max(1) as u64);
    watch.report(stage as u64 * of + done, 4 * of).map_err(|_| AreaError::Stopped)
}

/// The different points of an outline.
fn ring_of(points: &[[f64; 2]], outline: usize) -> Result<Vec<Xy>, AreaError> {
    let mut ring: Vec<Xy> = Vec::with_capacity(points.len());
    for (point, xy) in points.iter().enumerate() {
        let known = |axis: usize| {
            accepted(xy[axis]).map_err(|error| AreaError::Coordinate { outline, point, error })
        };
        ring.push([known(0)?, known(1)?]);
    }
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        return Err(AreaError::TooFewPoints { outline, points: ring.len() });
    }
    if surrounded(&ring) == 0.0 && is_on_a_line(&ring) {
        return Err(AreaError::NoArea { outline });
    }
    Ok(ring)
}

fn is_on_a_line(ring: &[Xy]) -> bool {
    ring.iter().all(|&point| super::orient(false, ring[0], ring[1], point) == 0.0)
}

/// The area inside of a ring, negative if it goes round clockwise.
fn surrounded(ring: &[Xy]) -> f64 {
    let origin = ring[0];
    let moved = |point: Xy| [point[0] - origin[0], point[1] - origin[1]];
    let next = |at: usize| moved(ring[(at + 1) % ring.len()]);
    let part = |(at, &point): (usize, &Xy)| {
        let ([x, y], [next_x, next_y]) = (moved(point), next(at));
        x * next_y - y * next_x
    };
    ring.iter().enumerate().map(part).fold(0.0, |sum, part| sum + part) / 2.0
}

/// Whether a point lies outside of a ring, and not on it. Exact.
pub(super) fn is_outside(ring: &[Xy], point: Xy) -> bool {
    let mut inside = false;
    for (at, &from) in ring.iter().enumerate() {
        let to = ring[(at + 1) % ring.len()];
        let (low, high) = if from[1] <= to[1] { (from, to) } else { (to, from) };
        let side = super::orient(false, low, high, point);
        let is_beside = (from[0].min(to[0])..=from[0].max(to[0])).contains(&point[0]);
        if side == 0.0 && (low[1]..=high[1]).contains(&point[1]) && is_beside {
            return false;
        }
        // Half open, so that a ray through a corner counts once.
        inside ^= low[1] <= point[1] && point[1] < high[1] && side > 0.0;
    }
    !inside
}

/// Directions along the sides of cells, counter-clockwise: x + 1, y + 1, x - 1, y - 1.
const STEPS: [(i64, i64); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The outlines of free cells, with what is free on their left. Where two blocked cells touch at a corner, an
/// outline stays with its cell: what is free on both sides is not joined.
fn trace(
    width: u32,
    height: u32,
    is_free: impl Fn(u32, u32) -> bool,
    watch: &mut Watch<'_>,
) -> Result<Vec<Vec<Xy>>, AreaError> {
    let columns = width as usize + 1;
    // For each corner of cells, a bit for each direction in which an outline leaves it.
    let mut leaving = vec![0u8; columns * (height as usize + 1)];
    let free_at = |x: i64, y: i64| {
        let is_inside = (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
        is_inside && is_free(x as u32, y as u32)
    };
    for y in 0..i64::from(height) {
        report(watch, Stage::Outlines, y as usize, 2 * height as usize)?;
        for x in 0..i64::from(width) {
            if !free_at(x, y) {
                continue;
            }
            // Each side begins at the corner before it, and has the cell beyond on its right.
            let sides = [
                (0, x, y, x, y - 1),
                (1, x + 1, y, x + 1, y),
                (2, x + 1, y + 1, x, y + 1),
                (3, x, y + 1, x - 1, y),
            ];
            for (direction, from_x, from_y, beyond_x, beyond_y) in sides {
                if !free_at(beyond_x, beyond_y) {
                    leaving[from_y as usize * columns + from_x as usize] |= 1 << direction;
                }
            }
        }
    }
    let mut rings = Vec::new();
    for start in 0..leaving.len() {
        if start.is_multiple_of(columns) {
            let row = height as usize + start / columns;
            report(watch, Stage::Outlines, row, 2 * height as usize)?;
        }
        while leaving[start] != 0 {
            rings.push(follow(&mut leaving, columns, start));
        }
    }
    Ok(rings)
}

/// Follows one outline and takes it away; the points where it bends.
fn follow(leaving: &mut [u8], columns: usize, start: usize) -> Vec<Xy> {
    let mut ring: Vec<Xy> = Vec::new();
    let place = |at: usize| [(at % columns) as f64, (at / columns) as f64];
    let (mut at, mut direction) = (start, leaving[start].trailing_zeros() as usize);
    loop {
        leaving[at] &= !(1 << direction);
        let (x, y) = STEPS[direction];
        at = (at as i64 + y * columns as i64 + x) as usize;
        // To the left first: round the same cell.
        let turns = [(direction + 1) % 4, direction, (direction + 3) % 4];
        match turns.into_iter().find(|&turn| leaving[at] & 1 << turn != 0) {
            Some(turn) => {
                if turn != direction {
                    ring.push(place(at));
                }
                direction = turn;
            }
            // Back where it began; the first side may go straight on.
            None => break,
        }
    }
    ring.push(place(start));
    let count = ring.len();
    let is_bend = |at: usize| {
        let [a, b, c] = [(at + count - 1) % count, at, (at + 1) % count].map(|at| ring[at]);
        super::orient(true, a, b, c) != 0.0
    };
    (0..count).filter(|&at| is_bend(at)).map(|at| ring[at]).collect()
}
