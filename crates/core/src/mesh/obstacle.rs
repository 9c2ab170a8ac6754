//! Obstacles and areas on a mesh.

use super::AreaClass;
use super::point::{CoordinateError, Xy, accepted, orient};
use std::fmt;
use thiserror::Error;

/// An obstacle on a mesh: a simple polygon that nobody may enter. Its sides may be walked along.
///
/// An obstacle of a [class](Obstacle::of_class) is an area: only kinds of agents that the class is forbidden to may not enter it, and
/// to others it costs what their [`MeshMovement`](super::MeshMovement) says.
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
    class: Option<AreaClass>,
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
        Ok(Self { outline: ring, layer: 0, class: None })
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

    /// The same polygon as an area of a class. See [`MeshMovement`](super::MeshMovement) for an example.
    pub fn of_class(self, class: AreaClass) -> Self {
        Self { class: Some(class), ..self }
    }

    /// The class, if it is an area.
    pub fn class(&self) -> Option<AreaClass> {
        self.class
    }

    /// The same obstacle elsewhere. Coordinates are rounded. Fails with an [`ObstacleError`] if a coordinate becomes too
    /// large, or if rounding makes the outline meet itself.
    pub fn moved_by(&self, by: [f64; 2]) -> Result<Self, ObstacleError> {
        let moved = self.outline.iter().map(|at| [at[0] + by[0], at[1] + by[1]]).collect();
        Ok(Self { class: self.class, ..Self::new(moved)?.on_layer(self.layer) })
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

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = self.bounds();
        let ([left, bottom], [right, top]) = (least, most);
        write!(
            f,
            "an obstacle of {} corners between ({left}, {bottom}) and ({right}, {top})",
            self.outline.len()
        )?;
        self.class.map_or(Ok(()), |class| write!(f, ", an area of {class}"))
    }
}
