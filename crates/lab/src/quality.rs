//! By how much paths cost more than the cheapest.

use crate::table::{mean, quantile};

/// By how many per cent one cost is above the cheapest; rounding of published lengths aside.
pub fn excess_percent(cost: f64, optimal: f64) -> f64 {
    if optimal > 0.0 { (cost / optimal - 1.0).max(0.0) * 100.0 } else { 0.0 }
}

/// Over many paths, by how many per cent they cost more than the cheapest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// The mean excess, in per cent.
    pub mean_percent: f64,
    /// The 99th percentile of the excess, in per cent.
    pub p99_percent: f64,
    /// The largest excess, in per cent.
    pub max_percent: f64,
}

impl Quality {
    /// Sums up what [`excess_percent`] said of each path.
    pub fn of(mut excess: Vec<f64>) -> Self {
        excess.sort_by(f64::total_cmp);
        Self {
            mean_percent: mean(&excess),
            p99_percent: quantile(&excess, 0.99),
            max_percent: excess.last().copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_is_told_in_per_cent_above_the_cheapest() {
        assert_eq!(excess_percent(3.0, 2.0), 50.0);
        assert_eq!((excess_percent(1.999, 2.0), excess_percent(0.0, 0.0)), (0.0, 0.0));
        let quality = Quality::of(vec![0.0, 4.0, 2.0]);
        assert_eq!((quality.mean_percent, quality.max_percent), (2.0, 4.0));
        assert_eq!(Quality::of(Vec::new()), Quality::default());
    }
}
