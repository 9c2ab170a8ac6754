//! Points on a mesh, and the exact decision on which side of a line a point lies.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use thiserror::Error;

/// Two coordinates.
pub(crate) type Xy = [f64; 2];

/// A place on a [`Mesh`](super::Mesh): a point, on a layer where layers overlap.
///
/// Coordinates are finite and at most 2⁴⁰ in size, and those smaller than 2⁻¹⁰⁰ count as 0. Within these limits the
/// sign of an orientation is exact.
///
/// ```
/// use highroad::mesh::MeshPoint;
/// let point = MeshPoint::new(1.5, -2.0)?;
/// assert_eq!((point.x(), point.y(), point.layer()), (1.5, -2.0, 0));
/// assert_eq!(point.on_layer(1).to_string(), "(1.5, -2) on layer 1");
/// assert!(MeshPoint::new(f64::NAN, 0.0).is_err());
/// # Ok::<(), highroad::mesh::CoordinateError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshPoint {
    x: f64,
    y: f64,
    layer: u16,
}

/// A number that cannot be a coordinate.
///
/// ```
/// use highroad::mesh::{CoordinateError, MeshPoint};
/// let error: CoordinateError = MeshPoint::new(0.0, f64::INFINITY).unwrap_err();
/// assert_eq!(error.to_string(), "a coordinate is inf: it must be finite, and at most 2⁴⁰ in size");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a coordinate is {0}: it must be finite, and at most 2⁴⁰ in size")]
pub struct CoordinateError(pub f64);

impl MeshPoint {
    /// Coordinates are at most this large.
    pub const COORDINATE_MAX: f64 = (1u64 << 40) as f64;

    /// The point on layer 0. Fails with a [`CoordinateError`] if a coordinate is not finite or too large.
    pub fn new(x: f64, y: f64) -> Result<Self, CoordinateError> {
        let [x, y] = [accepted(x)?, accepted(y)?];
        Ok(Self { x, y, layer: 0 })
    }

    /// The same point on another layer.
    pub const fn on_layer(self, layer: u16) -> Self {
        Self { layer, ..self }
    }

    /// From the left.
    pub const fn x(self) -> f64 {
        self.x
    }

    /// From the top, or from the bottom, as the mesh has it.
    pub const fn y(self) -> f64 {
        self.y
    }

    /// Which of several layers that overlap.
    pub const fn layer(self) -> u16 {
        self.layer
    }

    pub(crate) const fn xy(self) -> Xy {
        [self.x, self.y]
    }

    /// A point of coordinates that were accepted before.
    pub(crate) const fn known(xy: Xy, layer: u16) -> Self {
        Self { x: xy[0], y: xy[1], layer }
    }
}

/// A coordinate as it is kept: never a negative zero, so that equal ones have equal bits, and never so small that
/// products underflow.
pub(crate) fn accepted(coordinate: f64) -> Result<f64, CoordinateError> {
    const SMALLEST: f64 = 1.0 / (1u128 << 100) as f64;
    let size = coordinate.abs();
    if size.is_nan() || size > MeshPoint::COORDINATE_MAX {
        return Err(CoordinateError(coordinate));
    }
    Ok(if size < SMALLEST { 0.0 } else { coordinate })
}

impl PartialEq for MeshPoint {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for MeshPoint {}

impl PartialOrd for MeshPoint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MeshPoint {
    fn cmp(&self, other: &Self) -> Ordering {
        let layers = self.layer.cmp(&other.layer);
        layers.then(self.x.total_cmp(&other.x)).then(self.y.total_cmp(&other.y))
    }
}

impl Hash for MeshPoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.x.to_bits(), self.y.to_bits(), self.layer).hash(state);
    }
}

impl fmt::Display for MeshPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)?;
        if self.layer == 0 { Ok(()) } else { write!(f, " on layer {}", self.layer) }
    }
}

/// On which side of the line from `a` to `b` a point `c` lies: positive on the left, negative on the right, where x
/// goes to the right and y upwards; exactly 0 on the line. The sign is exact.
///
/// PERF: `exact` says that the three points lie on a lattice coarse enough for this very computation to be exact
/// ([`is_on_lattice`]). Collinear points are common on such meshes, and the slow computation is then never needed.
#[inline(always)]
pub(crate) fn orient(exact: bool, a: Xy, b: Xy, c: Xy) -> f64 {
    // The bound of Shewchuk (1997) for this order of operations.
    const BOUND: f64 = (3.0 + 16.0 * f64::EPSILON / 2.0) * f64::EPSILON / 2.0;
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let sign = left - right;
    if sign.abs() > BOUND * (left.abs() + right.abs()) || exact {
        return sign;
    }
    orient_slowly(a, b, c)
}

#[cold]
fn orient_slowly(a: Xy, b: Xy, c: Xy) -> f64 {
    let [a, b, c] = [a, b, c].map(|[x, y]| robust::Coord { x, y });
    robust::orient2d(a, b, c)
}

/// Whether a coordinate is a multiple of 2⁻¹⁰ below 2¹⁵: differences are then integers below 2²⁶ of such units, and
/// differences of their products fit 53 bits.
pub(crate) fn is_on_lattice(coordinate: f64) -> bool {
    coordinate.abs() < 32768.0 && (coordinate * 1024.0).fract() == 0.0
}

pub(crate) fn distance(a: Xy, b: Xy) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

/// The point of the segment from `a` to `b` nearest to `p`, rounded.
pub(crate) fn nearest_on_segment(a: Xy, b: Xy, p: Xy) -> Xy {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let dot = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    if dot <= 0.0 || squared == 0.0 {
        a
    } else if dot >= squared {
        b
    } else {
        let part = dot / squared;
        [a[0] + part * along[0], a[1] + part * along[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_collinear_points_lie_on_the_right_side() {
        // One unit in the last place beside the diagonal: a plain computation gives 0.
        let (a, b) = ([12.0, 12.0], [24.0, 24.0]);
        let beside = [0.5, f64::from_bits(0.5f64.to_bits() + 1)];
        assert!(orient(false, a, b, beside) > 0.0);
        assert!(orient(false, b, a, beside) < 0.0);
        assert_eq!(orient(false, a, b, [0.5, 0.5]), 0.0);
        assert_eq!(
            (a[0] - beside[0]) * (b[1] - beside[1]) - (a[1] - beside[1]) * (b[0] - beside[0]),
            0.0
        );
    }

    #[test]
    fn on_the_lattice_the_plain_computation_is_exact() {
        let step = 1.0 / 1024.0;
        let far = 32768.0 - step;
        for (a, b, c, side) in [
            ([-far, -far], [far, far], [0.0, step], 1.0),
            ([-far, -far], [far, far - step], [far - step, far - step], 1.0),
            ([-far, far], [far, -far], [step, -step], 0.0),
        ] {
            assert!([a, b, c].iter().flatten().all(|&x| is_on_lattice(x)));
            let signs = [true, false].map(|exact| orient(exact, a, b, c));
            assert!(
                signs.iter().all(|sign| sign.partial_cmp(&0.0) == f64::partial_cmp(&side, &0.0))
            );
        }
        assert!(!is_on_lattice(0.1) && !is_on_lattice(32768.0) && is_on_lattice(-0.5));
    }

    #[test]
    fn coordinates_are_finite_not_too_large_and_never_minus_zero() {
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 2.0 * MeshPoint::COORDINATE_MAX]
        {
            assert!(
                MeshPoint::new(bad, 0.0).is_err() && MeshPoint::new(0.0, bad).is_err(),
                "{bad}"
            );
        }
        let zero = MeshPoint::new(0.0, 0.0).unwrap();
        assert_eq!(MeshPoint::new(-0.0, 1e-320).unwrap(), zero);
        assert_ne!(zero.on_layer(1), zero);
    }
}
