//! Costs of paths.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// The cost of a path: on a grid in half-units of its [`StepCosts`](crate::StepCosts), on a graph the sum of weights, on a mesh
/// the length times [`Mesh::cost_scale`](crate::mesh::Mesh::cost_scale).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(pub u64);

impl Cost {
    /// No cost at all.
    pub const ZERO: Self = Self(0);
    /// Larger than the cost of any path.
    pub const INFINITE: Self = Self(u64::MAX);
}

impl Add for Cost {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Cost {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
