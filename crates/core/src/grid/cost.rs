//! Integer costs.
//!
//! A step between cells of cost *a* and *b* costs `straight · (a + b)` or `diagonal · (a + b)`: the
//! mean of the two cells' costs in half-units, so it stays an integer.
//!
//! A step fits `u32` (checked when a [`Movement`](super::Movement) is made). A path has at most
//! 2³² − 1 steps, so its cost fits `u64`: sums of steps never wrap, whatever the map.

use crate::environment::Cost;
use thiserror::Error;

/// What a straight and a diagonal step cost beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepCosts {
    straight: u16,
    diagonal: u16,
}

/// A pair of step costs that breaks `0 < straight ≤ diagonal ≤ 2 · straight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "step costs {straight}/{diagonal}: need 0 < straight ≤ diagonal ≤ 2 × straight, \
     or a diagonal step is costlier than the two straight ones it replaces"
)]
pub struct StepCostsError {
    /// The straight cost asked for.
    pub straight: u16,
    /// The diagonal cost asked for.
    pub diagonal: u16,
}

impl StepCosts {
    /// 2378/3363, a continued-fraction convergent of √2: on uniform terrain it orders paths exactly
    /// as their real lengths do, up to 2,377 diagonals of difference.
    pub const EXACT: Self = Self { straight: 2378, diagonal: 3363 };
    /// 5/7: the 1 and 1.4 of Harvanová's thesis (2017).
    pub const THESIS: Self = Self { straight: 5, diagonal: 7 };
    /// Each step costs the same.
    pub const UNIT: Self = Self { straight: 1, diagonal: 1 };

    /// A pair of one's own, with `0 < straight ≤ diagonal ≤ 2 · straight`.
    pub const fn new(straight: u16, diagonal: u16) -> Result<Self, StepCostsError> {
        if straight == 0 || diagonal < straight || diagonal as u32 > 2 * straight as u32 {
            return Err(StepCostsError { straight, diagonal });
        }
        Ok(Self { straight, diagonal })
    }

    /// The factor of a straight step.
    pub const fn straight(self) -> u32 {
        self.straight as u32
    }

    /// The factor of a diagonal step.
    pub const fn diagonal(self) -> u32 {
        self.diagonal as u32
    }

    /// The cost of a step between cells whose costs add up to `sum`, which a
    /// [`Movement`](super::Movement) has checked to fit.
    #[inline]
    pub(crate) const fn step(self, diagonal: bool, sum: u32) -> u32 {
        sum * if diagonal { self.diagonal as u32 } else { self.straight as u32 }
    }
}

impl StepCosts {
    /// What so many straight steps cost over cells of cost 1.
    pub const fn straight_steps(self, steps: u32) -> Cost {
        Cost(2 * self.straight as u64 * steps as u64)
    }
}

impl Cost {
    /// What so many straight steps cost over cells of cost 1, by the usual step costs ([`StepCosts::EXACT`]). With other
    /// step costs, see [`StepCosts::straight_steps`].
    ///
    /// ```
    /// use highroad::Cost;
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let grid = Grid::with_defaults("......\n".parse()?);
    /// let answer = GridSearch::astar().solve(&grid, &PathQuery::new((0, 0), (5, 0)), &mut Scratch::new())?;
    /// assert_eq!(answer.path().unwrap().cost(), Cost::steps(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn steps(steps: u32) -> Self {
        StepCosts::EXACT.straight_steps(steps)
    }
}

impl Default for StepCosts {
    fn default() -> Self {
        Self::EXACT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_out_of_order_is_refused() {
        assert!(StepCosts::new(0, 0).is_err());
        assert!(StepCosts::new(5, 4).is_err());
        assert!(StepCosts::new(5, 11).is_err());
        assert_eq!(StepCosts::new(5, 7), Ok(StepCosts::THESIS));
        assert!(StepCosts::new(u16::MAX, u16::MAX).is_ok());
    }

    /// The claim in the doc of `EXACT`: a·s + b·d orders as a + b√2 while |b − b′| ≤ 2377.
    #[test]
    fn exact_costs_order_lengths_as_the_real_numbers_do() {
        let (s, d) = (2378i64, 3363i64);
        for diagonals in 1..=2377i64 {
            // The number of straight steps whose length is nearest to that many diagonals.
            let real = diagonals as f64 * std::f64::consts::SQRT_2;
            for straights in [real.floor() as i64, real.ceil() as i64] {
                let by_cost = (diagonals * d).cmp(&(straights * s));
                let by_length = (2 * diagonals * diagonals).cmp(&(straights * straights));
                assert_eq!(by_cost, by_length, "{diagonals} diagonals, {straights} straights");
            }
        }
    }
}
