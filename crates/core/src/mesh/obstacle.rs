//! Obstacles on a mesh, and batches of edits of them.

use super::point::{CoordinateError, Xy, accepted, orient};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// An obstacle on a mesh: a simple polygon that nobody may enter. Its sides may be walked along.
///
/// ```
/// use highroad::mesh::Obstacle;
/// let crate_of_wood = Obstacle::new(vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]])?;
/// let moved = crate_of_wood.moved_by([3.0, 0.0])?;
/// assert_eq!((moved.outline()[0], moved.layer()), ([4.0, 1.0], 0));
/// assert_eq!(moved.bounds(), [[4.0, 1.0], [5.0, 2.0]]);
/// # Ok::<(), highroad::mesh::ObstacleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Counter-clockwise, without equal neighbours.
    outline: Vec<Xy>,
    layer: u16,
}

/// Why a polygon cannot be an obstacle.
///
/// ```
/// use highroad::mesh::{Obstacle, ObstacleError};
/// let bow = vec![[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]];
/// let error: ObstacleError = Obstacle::new(bow).unwrap_err();
/// assert_eq!(error, ObstacleError::MeetsItself { sides: [0, 2] });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// An outline that surrounds nothing.
    #[error("the outline has {points} different points: it needs at least three")]
    TooFewPoints {
        /// How many it has.
        points: usize,
    },
    /// An outline with more points than are allowed.
    #[error("the outline has {points} points: there may be at most {max}")]
    TooManyPoints {
        /// How many it has.
        points: usize,
        /// How many it may have.
        max: usize,
    },
    /// A coordinate that is not finite, or too large.
    #[error("point {point} of the outline: {error}")]
    Coordinate {
        /// Which point, from 0.
        point: usize,
        /// What is wrong.
        error: CoordinateError,
    },
    /// Two sides that cross or touch, other than neighbours at their common point.
    #[error("sides {} and {} of the outline meet: an obstacle is a simple polygon", .sides[0], .sides[1])]
    MeetsItself {
        /// The two sides: side 0 goes from point 0 to point 1 of the outline, equal neighbours counted once.
        sides: [usize; 2],
    },
}

impl Obstacle {
    /// The most points that an outline may have.
    pub const POINTS_MAX: usize = 1024;

    /// An obstacle on layer 0, with its points in either direction of going round. O(points²). Fails with an
    /// [`ObstacleError`].
    pub fn new(outline: Vec<[f64; 2]>) -> Result<Self, ObstacleError> {
        let (points, max) = (outline.len(), Self::POINTS_MAX);
        if points > max {
            return Err(ObstacleError::TooManyPoints { points, max });
        }
        let mut ring: Vec<Xy> = Vec::with_capacity(points);
        for (point, xy) in outline.iter().enumerate() {
            let known = |axis: usize| {
                accepted(xy[axis]).map_err(|error| ObstacleError::Coordinate { point, error })
            };
            ring.push([known(0)?, known(1)?]);
        }
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() < 3 {
            return Err(ObstacleError::TooFewPoints { points: ring.len() });
        }
        check_simple(&ring)?;
        if is_clockwise(&ring) {
            ring.reverse();
        }
        Ok(Self { outline: ring, layer: 0 })
    }

    /// The same obstacle on another layer.
    ///
    /// ```
    /// use highroad::mesh::Obstacle;
    /// let post = Obstacle::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
    /// assert_eq!(post.on_layer(2).layer(), 2);
    /// # Ok::<(), highroad::mesh::ObstacleError>(())
    /// ```
    pub fn on_layer(self, layer: u16) -> Self {
        Self { layer, ..self }
    }

    /// The same obstacle elsewhere. Coordinates are rounded. Fails with an [`ObstacleError`] if a coordinate becomes too
    /// large, or if rounding makes the outline meet itself.
    pub fn moved_by(&self, by: [f64; 2]) -> Result<Self, ObstacleError> {
        let moved = self.outline.iter().map(|at| [at[0] + by[0], at[1] + by[1]]).collect();
        Ok(Self::new(moved)?.on_layer(self.layer))
    }

    /// Its points, counter-clockwise where x goes to the right and y upwards.
    pub fn outline(&self) -> &[[f64; 2]] {
        &self.outline
    }

    /// The layer that it stands on.
    pub fn layer(&self) -> u16 {
        self.layer
    }

    /// The corners of the smallest rectangle that holds it: the least coordinates, and the largest ones.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let first = self.outline[0];
        self.outline.iter().fold([first, first], |[least, most], at| {
            [0, 1].map(|end| {
                [0, 1].map(|axis| match end {
                    0 => least[axis].min(at[axis]),
                    _ => most[axis].max(at[axis]),
                })
            })
        })
    }

    /// Its sides, each with where it begins and ends.
    pub(crate) fn sides(&self) -> impl Iterator<Item = [Xy; 2]> + '_ {
        let count = self.outline.len();
        (0..count).map(move |at| [self.outline[at], self.outline[(at + 1) % count]])
    }

    /// Whether a point lies in it or on its outline. Exact.
    pub(crate) fn covers(&self, point: Xy) -> bool {
        !super::outline::is_outside(&self.outline, point)
    }

    /// Whether a straight line meets it, or comes so near that rounding may have made the difference.
    pub(crate) fn is_met_by(&self, from: Xy, to: Xy) -> bool {
        let [least, most] = self.bounds();
        let size =
            [least, most, from, to].iter().flatten().fold(0.0f64, |size, c| size.max(c.abs()));
        let slack = size * NEAR;
        let is_apart = (0..2).any(|axis| {
            from[axis].max(to[axis]) < least[axis] - slack
                || from[axis].min(to[axis]) > most[axis] + slack
        });
        !is_apart
            && (self.covers(from) || self.sides().any(|side| are_near([from, to], side, slack)))
    }
}

/// Two lines at most so far apart, as a part of the largest coordinate, count as touching for paths that may be touched.
const NEAR: f64 = 1.0 / (1u64 << 26) as f64;

/// Whether two straight lines meet, or an end of one is at most so far from the other.
fn are_near(one: [Xy; 2], other: [Xy; 2], slack: f64) -> bool {
    let near = |point: Xy, [a, b]: [Xy; 2]| {
        super::distance(point, super::point::nearest_on_segment(a, b, point)) <= slack
    };
    do_meet(one, other)
        || one.iter().any(|&end| near(end, other))
        || other.iter().any(|&end| near(end, one))
}

/// Whether two straight lines, ends included, have a point in common. Exact.
pub(super) fn do_meet([p, q]: [Xy; 2], [u, v]: [Xy; 2]) -> bool {
    for axis in 0..2 {
        let apart = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d);
        if apart(p[axis], q[axis], u[axis], v[axis]) || apart(u[axis], v[axis], p[axis], q[axis]) {
            return false;
        }
    }
    let are_split = |a: Xy, b: Xy, c: Xy, d: Xy| {
        let [left, right] = [orient(false, a, b, c), orient(false, a, b, d)];
        !((left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0))
    };
    are_split(p, q, u, v) && are_split(u, v, p, q)
}

fn check_simple(ring: &[Xy]) -> Result<(), ObstacleError> {
    let count = ring.len();
    let side = |at: usize| [ring[at], ring[(at + 1) % count]];
    for one in 0..count {
        for other in one + 1..count {
            // Neighbours share a point. They meet elsewhere only if the second goes back along the first.
            let shared = match (other == one + 1, (other + 1) % count == one) {
                (true, _) => Some((one, other)),
                (_, true) => Some((other, one)),
                _ => None,
            };
            let do_meet = match shared {
                None => do_meet(side(one), side(other)),
                Some((before, after)) => {
                    let ([a, b], [_, c]) = (side(before), side(after));
                    let ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
                    orient(false, a, b, c) == 0.0 && ahead < 0.0
                }
            };
            if do_meet {
                return Err(ObstacleError::MeetsItself { sides: [one, other] });
            }
        }
    }
    Ok(())
}

/// Which way a simple ring goes round. Exact: at its lowest point it bends as it goes round.
fn is_clockwise(ring: &[Xy]) -> bool {
    let count = ring.len();
    let lowest = (0..count)
        .min_by(|&a, &b| ring[a][0].total_cmp(&ring[b][0]).then(ring[a][1].total_cmp(&ring[b][1])));
    let at = lowest.unwrap_or(0);
    let [before, here, after] = [at + count - 1, at, at + 1].map(|at| ring[at % count]);
    orient(false, before, here, after) < 0.0
}

/// One step of a batch.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Place(Arc<Obstacle>),
    MoveBy([f64; 2]),
    Remove,
}

/// Edits of a mesh to be made together, in their order: one batch, one revision.
///
/// An obstacle has a name. To place one under a name that is in use replaces the obstacle that had it.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let wall = Obstacle::new(vec![[3.0, 1.0], [4.0, 1.0], [4.0, 7.0], [3.0, 7.0]])?;
/// let mut batch = MeshBatch::new();
/// batch.place("wall", wall);
/// let changes = mesh.apply(&batch)?;
/// let middle = MeshPoint::new(3.5, 4.0)?;
/// assert!(mesh.check_place(middle).is_err());
///
/// let mut batch = MeshBatch::new();
/// batch.move_by("wall", [2.0, 0.0]);
/// mesh.apply(&batch)?;
/// assert!(mesh.check_place(middle).is_ok());
///
/// mesh.apply(MeshBatch::new().remove("wall"))?;
/// assert_eq!(mesh.obstacles().count(), 0);
/// mesh.apply(&MeshBatch::undoing(&changes)).expect_err("it is gone already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshBatch {
    pub(super) steps: Vec<(Arc<str>, Step)>,
}

impl MeshBatch {
    /// A batch without edits yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, name: impl Into<Arc<str>>, step: Step) -> &mut Self {
        self.steps.push((name.into(), step));
        self
    }

    /// Places an obstacle under a name, in place of the one that has the name.
    pub fn place(&mut self, name: impl Into<Arc<str>>, obstacle: Obstacle) -> &mut Self {
        self.push(name, Step::Place(Arc::new(obstacle)))
    }

    /// Moves an obstacle.
    pub fn move_by(&mut self, name: impl Into<Arc<str>>, by: [f64; 2]) -> &mut Self {
        self.push(name, Step::MoveBy(by))
    }

    /// Removes an obstacle.
    pub fn remove(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.push(name, Step::Remove)
    }

    /// What takes changes back.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let before = mesh.fingerprint();
    /// let wall = Obstacle::new(vec![[3.0, 1.0], [4.0, 1.0], [4.0, 7.0]])?;
    /// let changes = mesh.apply(MeshBatch::new().place("wall", wall))?;
    /// assert_ne!(mesh.fingerprint(), before);
    /// mesh.apply(&MeshBatch::undoing(&changes))?;
    /// assert_eq!(mesh.fingerprint(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undoing(changes: &[MeshChange]) -> Self {
        let undo = |change: &MeshChange| {
            let step = match &change.before {
                Some(obstacle) => Step::Place(obstacle.clone()),
                None => Step::Remove,
            };
            (change.name.clone(), step)
        };
        Self { steps: changes.iter().rev().map(undo).collect() }
    }
}

/// An obstacle that an edit has placed, replaced or removed.
///
/// A path is touched if it comes to where the obstacle was or is.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshBatch, MeshChange, MeshPoint, Obstacle};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let wall = Obstacle::new(vec![[3.0, 0.0], [5.0, 0.0], [5.0, 4.0], [3.0, 4.0]])?;
/// let changes: Vec<MeshChange> = mesh.apply(MeshBatch::new().place("wall", wall))?;
/// let way = [MeshPoint::new(0.0, 0.0)?, MeshPoint::new(8.0, 4.0)?, MeshPoint::new(8.0, 8.0)?];
/// assert_eq!(mesh.first_touched(&way, 0, &changes[0]), Some(1));
/// assert_eq!(mesh.first_touched(&way, 1, &changes[0]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshChange {
    /// Its name.
    pub name: Arc<str>,
    /// What had the name before.
    pub before: Option<Arc<Obstacle>>,
    /// What has it now.
    pub after: Option<Arc<Obstacle>>,
}

impl MeshChange {
    /// Whether a straight line comes to where the obstacle was or is. A line that only just misses it may count.
    pub(super) fn is_met(&self, from: Xy, to: Xy) -> bool {
        [&self.before, &self.after]
            .into_iter()
            .flatten()
            .any(|obstacle| obstacle.is_met_by(from, to))
    }
}

/// Why a batch of edits of a mesh cannot be made.
///
/// ```
/// use highroad::mesh::{Mesh, MeshBatch, MeshEditError};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let error: MeshEditError = mesh.apply(MeshBatch::new().remove("wall")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no obstacle \"wall\"");
/// # Ok::<(), highroad::mesh::AreaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshEditError {
    /// No obstacle has that name.
    #[error("there is no obstacle {name:?}")]
    NoSuchObstacle {
        /// The name.
        name: Arc<str>,
    },
    /// An obstacle cannot be moved like that.
    #[error("obstacle {name:?} cannot be moved there: {error}")]
    Moved {
        /// Its name.
        name: Arc<str>,
        /// What is wrong.
        error: ObstacleError,
    },
    /// Two vertices of the mesh at one place of one layer, beside an obstacle: the ground around it cannot be cut.
    #[error("vertices {} and {} lie at the same place beside obstacle {name:?}", .vertices[0], .vertices[1])]
    EqualVertices {
        /// The name of an obstacle beside them.
        name: Arc<str>,
        /// Their numbers.
        vertices: [u32; 2],
    },
    /// Outlines that lie so near to each other that they still cross after many rounds of rounding, or polygons of one
    /// layer that overlap.
    #[error(
        "the ground around obstacle {name:?} cannot be cut: outlines there cross within rounding, or polygons overlap"
    )]
    NotCut {
        /// The name of an obstacle there.
        name: Arc<str>,
    },
    /// The mesh would have more corners than can be numbered.
    #[error("the mesh would have {count} corners: there may be at most {max}")]
    TooManyCorners {
        /// How many it would have.
        count: usize,
        /// How many it may have.
        max: usize,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = self.bounds();
        let ([left, bottom], [right, top]) = (least, most);
        write!(
            f,
            "an obstacle of {} corners between ({left}, {bottom}) and ({right}, {top})",
            self.outline.len()
        )
    }
}
