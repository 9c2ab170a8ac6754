//! Meshes as text: version 2 of the format that Polyanya's authors publish their meshes in.

use super::error::MeshError;
use super::shape::{MeshShape, NONE};
use super::{Mesh, Xy};
use std::fmt::Write;
use thiserror::Error;

/// What is wrong with a text, and where.
///
/// ```
/// use highroad::mesh::{MeshTextError, read_polyanya};
/// let error: MeshTextError = read_polyanya("mesh\n2\n1 x\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 3, column 3: expected the number of polygons, but found 'x'");
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct MeshTextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: MeshTextProblem,
}

/// What can be wrong with a text.
///
/// ```
/// use highroad::mesh::{MeshTextProblem, read_polyanya};
/// let error = read_polyanya("mesh 2 900000000 1").unwrap_err();
/// assert!(matches!(error.problem, MeshTextProblem::TooMany { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshTextProblem {
    /// Another word than the format has there.
    #[error("expected {expected}, but found '{found}'")]
    Unexpected {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The text ends too early.
    #[error("expected {expected}, but the text ends")]
    Ends {
        /// What should be there.
        expected: &'static str,
    },
    /// More than a text of this length can hold.
    #[error("{count} {what} are more than a text of this length can list")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many were announced.
        count: u64,
    },
    /// A polygon beside a vertex that does not have that vertex.
    #[error("vertex {vertex} lists polygon {polygon}, which does not have it as a corner")]
    NotAround {
        /// Which vertex.
        vertex: usize,
        /// What it lists.
        polygon: u32,
    },
    /// The mesh cannot be made.
    #[error(transparent)]
    Mesh(MeshError),
}

/// Where a word begins.
#[derive(Clone, Copy)]
struct Spot {
    line: usize,
    column: usize,
}

impl Spot {
    fn error(self, problem: MeshTextProblem) -> MeshTextError {
        MeshTextError { line: self.line, column: self.column, problem }
    }
}

/// The words of a text, with where they begin.
struct Words<'t> {
    rest: &'t str,
    at: Spot,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<(Spot, &'t str)> {
        let mut characters = self.rest.char_indices();
        let begin = loop {
            match characters.next() {
                Some((index, character)) if !character.is_whitespace() => break index,
                Some((_, '\n')) => self.at = Spot { line: self.at.line + 1, column: 1 },
                Some(_) => self.at.column += 1,
                None => {
                    self.rest = "";
                    return None;
                }
            }
        };
        let word = &self.rest[begin..];
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let spot = self.at;
        self.at.column += word[..end].chars().count();
        self.rest = &word[end..];
        Some((spot, &word[..end]))
    }

    fn expect<T>(
        &mut self,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(Spot, T), MeshTextError> {
        let Some((spot, word)) = self.next() else {
            return Err(self.at.error(MeshTextProblem::Ends { expected }));
        };
        match parse(word) {
            Some(value) => Ok((spot, value)),
            None => {
                let found = word.chars().take(60).collect();
                Err(spot.error(MeshTextProblem::Unexpected { expected, found }))
            }
        }
    }

    /// A number of things, each of which takes at least so many bytes of what is left.
    fn count(
        &mut self,
        expected: &'static str,
        what: &'static str,
        bytes_each: usize,
    ) -> Result<usize, MeshTextError> {
        let (spot, count) = self.expect(expected, |word| word.parse::<u64>().ok())?;
        let most = self.rest.len() / bytes_each + 1;
        match usize::try_from(count) {
            Ok(fits) if fits <= most => Ok(fits),
            _ => Err(spot.error(MeshTextProblem::TooMany { what, count })),
        }
    }

    /// The number of a polygon, or -1.
    fn polygon(&mut self, expected: &'static str) -> Result<(Spot, Option<u32>), MeshTextError> {
        self.expect(expected, |word| match word {
            "-1" => Some(None),
            number => number.parse().ok().filter(|&number| number != NONE).map(Some),
        })
    }
}

/// What a text lists.
#[derive(Default)]
struct Listed {
    vertices: Vec<Xy>,
    /// Each polygon that a vertex lists: where, which vertex, which polygon.
    around: Vec<(Spot, u32, u32)>,
    vertex_spots: Vec<Spot>,
    polygons: Vec<Vec<u32>>,
    neighbours: Vec<Vec<Option<u32>>>,
    polygon_spots: Vec<Spot>,
}

/// Reads a mesh in version 2 of Polyanya's format: the word `mesh`, the number 2, how many vertices and polygons there
/// are; for each vertex `x y n` and the n polygons around it, -1 for an obstacle; for each polygon `n`, its n corners
/// counter-clockwise, and the n polygons beyond its edges, -1 for none, the first beyond the edge from the last corner
/// to the first. Any white space separates.
///
/// O(bytes). Fails with a [`MeshTextError`] that names line and column. The polygons around a vertex follow
/// from the rest: they must have the vertex, but their order is not looked at.
///
/// ```
/// use highroad::mesh::{read_polyanya, write_polyanya};
/// let text = "mesh\n2\n4 2\n0 0 3 0 1 -1\n1 0 2 0 -1\n1 1 3 1 0 -1\n0 1 2 1 -1\n3 0 1 2 1 -1 -1\n3 0 2 3 -1 0 -1\n";
/// let mesh = read_polyanya(text)?;
/// assert_eq!((mesh.polygon_count(), mesh.vertex_count()), (2, 4));
/// assert_eq!(mesh.neighbours(0).collect::<Vec<_>>(), [None, None, Some(1)]);
/// assert_eq!(read_polyanya(&write_polyanya(&mesh))?.fingerprint(), mesh.fingerprint());
/// # Ok::<(), highroad::mesh::MeshTextError>(())
/// ```
pub fn read_polyanya(text: &str) -> Result<Mesh, MeshTextError> {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut words = Words { rest, at: Spot { line: 1, column: 1 } };
    words.expect("the word 'mesh'", |word| (word == "mesh").then_some(()))?;
    words.expect("the version, which must be 2", |word| (word == "2").then_some(()))?;
    let vertices = words.count("the number of vertices", "vertices", 6)?;
    let polygons = words.count("the number of polygons", "polygons", 14)?;
    let mut listed = Listed::default();
    for vertex in 0..vertices {
        read_vertex(&mut words, vertex as u32, &mut listed)?;
    }
    for _ in 0..polygons {
        read_polygon(&mut words, &mut listed)?;
    }
    if let Some((spot, word)) = words.next() {
        let found = word.chars().take(60).collect();
        return Err(spot.error(MeshTextProblem::Unexpected { expected: "the end", found }));
    }
    let Listed { vertices, around, vertex_spots, polygons, neighbours, polygon_spots } = listed;
    let mut corners: Vec<(u32, u32)> = Vec::new();
    for (polygon, list) in (0..).zip(&polygons) {
        corners.extend(list.iter().map(|&vertex| (polygon, vertex)));
    }
    corners.sort_unstable();
    for (spot, vertex, polygon) in around {
        if corners.binary_search(&(polygon, vertex)).is_err() {
            let vertex = vertex as usize;
            return Err(spot.error(MeshTextProblem::NotAround { vertex, polygon }));
        }
    }
    MeshShape::new(vertices, &polygons, Some(&neighbours), Vec::new()).map(Mesh::of).map_err(
        |error| {
            let spot = match error {
                MeshError::Coordinate { vertex, .. } => vertex_spots.get(vertex),
                _ => error.polygon().and_then(|polygon| polygon_spots.get(polygon)),
            };
            spot.copied().unwrap_or(Spot { line: 1, column: 1 }).error(MeshTextProblem::Mesh(error))
        },
    )
}

fn read_vertex(
    words: &mut Words<'_>,
    vertex: u32,
    listed: &mut Listed,
) -> Result<(), MeshTextError> {
    let number = |word: &str| word.parse::<f64>().ok();
    let (spot, x) = words.expect("the x of a vertex", number)?;
    let (_, y) = words.expect("the y of a vertex", number)?;
    listed.vertices.push([x, y]);
    listed.vertex_spots.push(spot);
    for _ in
        0..words.count("how many polygons are around the vertex", "polygons around a vertex", 2)?
    {
        let (spot, polygon) = words.polygon("a polygon around the vertex, or -1")?;
        listed.around.extend(polygon.map(|polygon| (spot, vertex, polygon)));
    }
    Ok(())
}

fn read_polygon(words: &mut Words<'_>, listed: &mut Listed) -> Result<(), MeshTextError> {
    let count = words.count("how many corners the polygon has", "corners", 4)?;
    let mut corners = Vec::with_capacity(count);
    for corner in 0..count {
        let (spot, vertex) = words.expect("a corner of the polygon", |word| word.parse().ok())?;
        if corner == 0 {
            listed.polygon_spots.push(spot);
        }
        corners.push(vertex);
    }
    if count == 0 {
        listed.polygon_spots.push(words.at);
    }
    let mut neighbours = Vec::with_capacity(count);
    for _ in 0..count {
        neighbours.push(words.polygon("a neighbour of the polygon, or -1")?.1);
    }
    // The first lies beyond the edge that ends at the first corner.
    neighbours.rotate_left(count.min(1));
    listed.polygons.push(corners);
    listed.neighbours.push(neighbours);
    Ok(())
}

/// Writes a mesh in version 2 of Polyanya's format: see [`read_polyanya`]. Layers are lost. O(corners).
pub fn write_polyanya(mesh: &Mesh) -> String {
    let compacted = mesh.has_closed().then(|| mesh.compacted());
    let mesh = compacted.as_ref().unwrap_or(mesh);
    let shape = mesh.shape();
    let around = polygons_around(shape);
    let mut text = format!("mesh\n2\n{} {}\n", mesh.vertex_count(), mesh.polygon_count());
    // Writing to a string does not fail.
    for (xy, around) in shape.vertices.iter().zip(&around) {
        let _ = write!(text, "{} {} {}", xy[0], xy[1], around.len());
        for &polygon in around {
            let _ = write!(text, " {}", named(polygon));
        }
        text.push('\n');
    }
    for polygon in 0..shape.polygon_count() as u32 {
        let sides = shape.sides(polygon);
        let _ = write!(text, "{}", sides.len());
        for side in sides {
            let _ = write!(text, " {}", side.vertex);
        }
        for at in shape.range(polygon) {
            let before = shape.before(at as u32);
            let _ = write!(text, " {}", named(shape.across(before).unwrap_or(NONE)));
        }
        text.push('\n');
    }
    text
}

fn named(polygon: u32) -> i64 {
    if polygon == NONE { -1 } else { polygon.into() }
}

/// The polygons around each vertex, counter-clockwise, with `NONE` for each obstacle between.
fn polygons_around(shape: &MeshShape) -> Vec<Vec<u32>> {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); shape.vertices.len()];
    let mut seen = vec![false; shape.half_edges.len()];
    // Fans that begin at an obstacle first, then those that go all the way round.
    for closed in [false, true] {
        for edge in 0..shape.half_edges.len() as u32 {
            let side = shape.half_edges[edge as usize];
            if seen[edge as usize] || (!closed && side.twin != NONE) {
                continue;
            }
            let list = &mut around[side.vertex as usize];
            let mut fan = edge;
            loop {
                seen[fan as usize] = true;
                list.push(shape.half_edges[fan as usize].polygon);
                match shape.half_edges[shape.before(fan) as usize].twin {
                    NONE => {
                        list.push(NONE);
                        break;
                    }
                    next if seen[next as usize] => break,
                    next => fan = next,
                }
            }
        }
    }
    around
}
