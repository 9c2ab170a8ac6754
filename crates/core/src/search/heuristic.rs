//! Estimates of the cost still to go: what every heuristic is to a search.

use crate::space::NodeId;
use thiserror::Error;

/// Estimates the cost from a node to the nearest goal of one query.
///
/// A search with an admissible heuristic finds shortest paths; where it is admissible but not consistent, nodes
/// are opened again when they get cheaper. Each heuristic argues its case in its own header and is tested for it.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::search::{Heuristic, NoHeuristic};
/// /// Nodes in a row: as many steps as numbers lie between.
/// struct Row { goal: u32 }
/// impl Heuristic for Row {
///     fn estimate(&self, node: NodeId) -> u64 { u64::from(node.0.abs_diff(self.goal)) }
///     fn is_admissible(&self) -> bool { true }
///     fn is_consistent(&self) -> bool { true }
/// }
/// assert!(Row { goal: 7 }.estimate(NodeId(3)) > NoHeuristic.estimate(NodeId(3)));
/// ```
pub trait Heuristic {
    /// The estimate; with it, the key of the open list.
    fn estimate(&self, node: NodeId) -> u64;

    /// How far a node lies from the nearest goal, by a measure that is the same for every
    /// heuristic: it decides which place is nearest when there is no path. `estimate` is the node's, where it is
    /// at hand. `None` where nothing is known of distances: then a start is nearest.
    #[inline(always)]
    fn remoteness(&self, _node: NodeId, _estimate: Option<u64>) -> Option<u64> {
        None
    }

    /// Whether it never overestimates.
    fn is_admissible(&self) -> bool;

    /// Whether, besides, it never falls by more than a step costs, so that no node is reached more cheaply once
    /// it has been expanded.
    fn is_consistent(&self) -> bool;
}

/// The largest estimate of a table: more than any path costs, so that it means "no way leads from here", and little
/// enough that costs and weights can be added and multiplied without an overflow. Where all estimates are this one, a
/// search takes nodes in the order of their costs.
pub(crate) const ESTIMATE_MAX: u64 = 1 << 52;

/// Estimates nothing: A* becomes Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHeuristic;

impl Heuristic for NoHeuristic {
    #[inline(always)]
    fn estimate(&self, _node: NodeId) -> u64 {
        0
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// A heuristic with its estimates multiplied.
pub(crate) struct Weighted<H> {
    pub(crate) inner: H,
    pub(crate) weight: Weight,
}

impl<H: Heuristic> Heuristic for Weighted<H> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        let estimate = self.inner.estimate(node);
        if self.weight == Weight::ONE { estimate } else { self.weight.times(estimate) }
    }

    #[inline(always)]
    fn remoteness(&self, node: NodeId, _estimate: Option<u64>) -> Option<u64> {
        self.inner.remoteness(node, None)
    }

    fn is_admissible(&self) -> bool {
        self.weight <= Weight::ONE && self.inner.is_admissible()
    }

    fn is_consistent(&self) -> bool {
        self.weight <= Weight::ONE && self.inner.is_consistent()
    }
}

/// By how much estimates are multiplied, in 1/65,536: rounded down, so never more than asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(u32);

/// A weight outside 0 to 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a weight of {0}: weights go from 0 to 1000")]
pub struct WeightError(pub f64);

impl Weight {
    /// Estimates as they are.
    pub const ONE: Self = Self(1 << WEIGHT_BITS);

    /// A weight. Fails with a [`WeightError`] unless the factor is from 0 to 1,000.
    pub fn new(factor: f64) -> Result<Self, WeightError> {
        if !(0.0..=1000.0).contains(&factor) {
            return Err(WeightError(factor));
        }
        Ok(Self((factor * f64::from(1 << WEIGHT_BITS)) as u32))
    }

    /// A cost, multiplied and rounded down.
    pub(crate) fn times(self, cost: u64) -> u64 {
        let product = (u128::from(cost) * u128::from(self.0)) >> WEIGHT_BITS;
        u64::try_from(product).unwrap_or(u64::MAX)
    }

    /// An estimate with this weight, as searches count it: rounded down.
    ///
    /// ```
    /// use highroad::search::Weight;
    /// assert_eq!(Weight::new(2.5)?.of(3), 7);
    /// # Ok::<(), highroad::search::WeightError>(())
    /// ```
    pub fn of(self, estimate: u64) -> u64 {
        self.times(estimate)
    }

    /// The weight as a number.
    pub fn factor(self) -> f64 {
        f64::from(self.0) / f64::from(1 << WEIGHT_BITS)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

const WEIGHT_BITS: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_never_rounded_up() {
        for factor in [0.0, 0.1, 1.0, 1.2, 1.5, 7.3, 1000.0] {
            let weight = Weight::new(factor).unwrap();
            assert!(weight.factor() <= factor && weight.factor() > factor - 1e-4);
        }
        assert!(Weight::new(-0.1).is_err() && Weight::new(f64::NAN).is_err());
    }
}
