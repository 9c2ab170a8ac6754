//! Vectors of the plane. Only operations whose every bit IEEE 754 fixes: + − × ÷ and square roots.

use std::ops::{Add, Mul, Neg, Sub};

/// A vector; cells are its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vector {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Vector {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };

    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    #[inline]
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive if the other one lies to the left, with y upwards.
    #[inline]
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub(crate) fn length_squared(self) -> f64 {
        self.dot(self)
    }

    #[inline]
    pub(crate) fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// Of length one in the same direction; `None` if it is too short to have one.
    #[inline]
    pub(crate) fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 1e-9).then(|| self * (1.0 / length))
    }

    /// The same, no longer than that.
    #[inline]
    pub(crate) fn at_most(self, length_max: f64) -> Self {
        let squared = self.length_squared();
        let is_longer = squared > length_max * length_max;
        self * if is_longer { length_max / squared.sqrt() } else { 1.0 }
    }

    /// A quarter turn to the left, with y upwards.
    #[inline]
    pub(crate) fn turned(self) -> Self {
        Self::new(-self.y, self.x)
    }
}

impl From<[f64; 2]> for Vector {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Vector> for [f64; 2] {
    fn from(vector: Vector) -> Self {
        [vector.x, vector.y]
    }
}

impl Add for Vector {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vector {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Vector {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vector {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}
