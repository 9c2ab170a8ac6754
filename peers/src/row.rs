//! What is reported of a contestant on a map.

use crate::judge::Verdict;
use crate::measure::{Entrant, Trial};
use highroad_lab::table::{mean, quantile};
use serde::Serialize;

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    /// The map.
    pub(crate) map: String,
    /// Library and algorithm.
    pub(crate) contestant: String,
    /// The library's version.
    pub(crate) version: String,
    /// What differs from our rules.
    pub(crate) rules: String,
    /// How many queries were asked.
    pub(crate) queries: usize,
    /// Milliseconds to prepare for the map.
    pub(crate) build_ms: f64,
    /// Microseconds a query: the mean,
    pub(crate) mean_us: f64,
    /// half are below,
    pub(crate) median_us: f64,
    /// and 99 in a hundred.
    pub(crate) p99_us: f64,
    /// By how many per cent paths are longer than the shortest: the mean,
    pub(crate) suboptimality_mean_percent: f64,
    /// and the most.
    pub(crate) suboptimality_max_percent: f64,
    /// Answers that are wrong by the contestant's own rules.
    pub(crate) mismatches: usize,
    /// Paths with a step that our rule forbids.
    pub(crate) illegal: usize,
    /// Mean time, divided by that of the first contestant.
    pub(crate) ratio_mean: f64,
    /// The median, over queries, of the time divided by that of the first contestant.
    pub(crate) ratio_median: f64,
}

/// A row for each contestant; ratios are against the first.
pub(crate) fn rows(map: &str, entrants: &[Entrant<'_>], trials: &[Trial]) -> Vec<Row> {
    let Some(first) = trials.first() else { return Vec::new() };
    let row = |(entrant, trial): (&Entrant<'_>, &Trial)| {
        let times = Times::of(&trial.best_us, &first.best_us);
        let excess = |verdict: &Verdict| verdict.excess_percent;
        let excess: Vec<f64> = trial.verdicts.iter().filter_map(excess).collect();
        Row {
            map: map.to_owned(),
            contestant: entrant.name.clone(),
            version: entrant.version.to_owned(),
            rules: entrant.rules.to_string(),
            queries: trial.verdicts.len(),
            build_ms: entrant.build_ms,
            mean_us: times.mean_us,
            median_us: times.median_us,
            p99_us: times.p99_us,
            suboptimality_mean_percent: mean(&excess),
            suboptimality_max_percent: excess.iter().copied().reduce(f64::max).unwrap_or(0.0),
            mismatches: trial.verdicts.iter().filter(|verdict| verdict.mismatch).count(),
            illegal: trial.verdicts.iter().filter(|verdict| verdict.illegal).count(),
            ratio_mean: times.ratio_mean,
            ratio_median: times.ratio_median,
        }
    };
    entrants.iter().zip(trials).map(row).collect()
}

/// The times of one contestant, alone and beside those of the first.
#[derive(Debug, PartialEq)]
struct Times {
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    ratio_mean: f64,
    ratio_median: f64,
}

/// A clock may count a query of a few instructions as nothing; a ratio needs something.
const TICK_US: f64 = 1e-3;

impl Times {
    /// Both lists have a time for each query, in the same order.
    fn of(best_us: &[f64], first_us: &[f64]) -> Self {
        let ratio = |(us, first): (&f64, &f64)| us.max(TICK_US) / first.max(TICK_US);
        let ratios = sorted(best_us.iter().zip(first_us).map(ratio));
        let times = sorted(best_us.iter().copied());
        Self {
            mean_us: mean(&times),
            median_us: quantile(&times, 0.5),
            p99_us: quantile(&times, 0.99),
            ratio_mean: ratio((&mean(best_us), &mean(first_us))),
            ratio_median: quantile(&ratios, 0.5),
        }
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_means_and_the_median_of_ratios_are_different_things() {
        let (first, other) = ([1.0, 2.0, 100.0], [3.0, 8.0, 50.0]);
        let times = Times::of(&other, &first);
        assert_eq!(times.ratio_mean, 61.0 / 103.0, "one long query decides");
        assert_eq!(times.ratio_median, 3.0, "of 3, 4 and a half");
        assert_eq!((times.median_us, times.p99_us), (8.0, 50.0));
        let own = Times::of(&first, &first);
        assert_eq!((own.ratio_mean, own.ratio_median), (1.0, 1.0));
    }

    #[test]
    fn a_time_of_nothing_gives_a_finite_ratio() {
        let times = Times::of(&[1.0, 0.0], &[0.0, 0.0]);
        assert!(times.ratio_mean.is_finite() && times.ratio_median == 1.0);
    }

    #[test]
    fn quantiles_are_values_of_the_sample() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.99)), (50.0, 99.0));
        assert_eq!((quantile(&[7.0], 0.99), quantile(&[], 0.5)), (7.0, 0.0));
    }
}
