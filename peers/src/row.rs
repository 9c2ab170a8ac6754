//! What is reported of a contestant on a map.

use crate::edits::EditTrial;
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
    /// That time, divided by that of the first contestant, if that had something to do.
    pub(crate) ratio_build: Option<f64>,
    /// Bytes held after the queries, beside the map, as the allocator counts them.
    pub(crate) memory_bytes: usize,
    /// Microseconds a query: the mean,
    pub(crate) mean_us: f64,
    /// half are below,
    pub(crate) median_us: f64,
    /// and 99 in a hundred.
    pub(crate) p99_us: f64,
    /// How long paths are, in cells (straight steps 1, diagonals √2): the mean over its right answers.
    pub(crate) length_mean: f64,
    /// By how many per cent paths are longer than the shortest by the contestant's own rule: the
    /// mean over its right answers,
    pub(crate) suboptimality_mean_percent: f64,
    /// what 99 in a hundred stay below,
    pub(crate) suboptimality_p99_percent: f64,
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
    /// The same against each of our planners, by its name.
    pub(crate) ratios_median: Vec<(String, f64)>,
    /// What edits cost, where they were measured and the contestant can follow them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) edits: Option<EditRow>,
}

/// The part of a row that is about edits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EditRow {
    /// Microseconds from a changed cell to a contestant that can be asked again: the mean,
    pub(crate) mean_us: f64,
    /// and 99 in a hundred.
    pub(crate) p99_us: f64,
    /// Mean time, divided by that of the first contestant, if that can follow.
    pub(crate) ratio_mean: Option<f64>,
    /// Answers on the edited map that are wrong by the contestant's own rule,
    pub(crate) mismatches: usize,
    /// of that many.
    pub(crate) queries: usize,
}

/// A row for each contestant; ratios are against the first.
pub(crate) fn rows(map: &str, entrants: &[Entrant<'_>], trials: &[Trial]) -> Vec<Row> {
    let (Some(first), Some(first_entrant)) = (trials.first(), entrants.first()) else {
        return Vec::new();
    };
    let row = |(entrant, trial): (&Entrant<'_>, &Trial)| {
        let times = Times::of(&trial.best_us, &first.best_us);
        let excess = |verdict: &Verdict| verdict.excess_percent;
        let excess = sorted(trial.verdicts.iter().filter_map(excess));
        let has_built = first_entrant.build_ms * 1e3 > BUILD_US_MIN;
        Row {
            map: map.to_owned(),
            contestant: entrant.name.clone(),
            version: entrant.version.to_owned(),
            rules: entrant.rules.to_string(),
            queries: trial.verdicts.len(),
            build_ms: entrant.build_ms,
            ratio_build: has_built.then(|| entrant.build_ms / first_entrant.build_ms),
            memory_bytes: trial.memory_bytes,
            mean_us: times.mean_us,
            median_us: times.median_us,
            p99_us: times.p99_us,
            length_mean: mean(
                &trial.verdicts.iter().filter_map(|one| one.length).collect::<Vec<_>>(),
            ),
            suboptimality_mean_percent: mean(&excess),
            suboptimality_p99_percent: quantile(&excess, 0.99),
            suboptimality_max_percent: excess.last().copied().unwrap_or(0.0),
            mismatches: trial.verdicts.iter().filter(|verdict| verdict.mismatch).count(),
            illegal: trial.verdicts.iter().filter(|verdict| verdict.illegal).count(),
            ratio_mean: times.ratio_mean,
            ratio_median: times.ratio_median,
            ratios_median: entrants
                .iter()
                .zip(trials)
                .filter_map(|(ours, theirs)| {
                    let name = ours.name.strip_prefix(OURS)?.to_owned();
                    Some((name, Times::of(&trial.best_us, &theirs.best_us).ratio_median))
                })
                .collect(),
            edits: None,
        }
    };
    entrants.iter().zip(trials).map(row).collect()
}

/// Adds what edits cost to the rows of the same contestants; `None`: it cannot follow.
pub(crate) fn add_edits(rows: &mut [Row], trials: &[Option<EditTrial>]) {
    let first = trials.first().and_then(Option::as_ref);
    for (row, trial) in rows.iter_mut().zip(trials) {
        row.edits = trial.as_ref().map(|trial| {
            let times = Times::of(&trial.best_us, first.map_or(&[], |first| &first.best_us));
            EditRow {
                mean_us: times.mean_us,
                p99_us: times.p99_us,
                ratio_mean: first.map(|_| times.ratio_mean),
                mismatches: trial.mismatches,
                queries: trial.queries,
            }
        });
    }
}

/// What the names of our planners begin with.
pub(crate) const OURS: &str = "highroad ";

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
/// Who takes less has nothing to build.
const BUILD_US_MIN: f64 = 10.0;

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
pub(crate) mod tests {
    use super::*;

    /// A row with some number in every place.
    pub(crate) fn row() -> Row {
        Row {
            map: "map".into(),
            contestant: "library".into(),
            version: "1.2.3".into(),
            rules: "cuts corners".into(),
            queries: 200,
            build_ms: 1.5,
            ratio_build: Some(3.0),
            memory_bytes: 5_000,
            mean_us: 2_345.0,
            median_us: 3.456,
            p99_us: 12.0,
            length_mean: 123.456,
            suboptimality_mean_percent: 0.5,
            suboptimality_p99_percent: 2.0,
            suboptimality_max_percent: 3.0,
            mismatches: 0,
            illegal: 17,
            ratio_mean: 2.0,
            ratio_median: 0.5,
            ratios_median: vec![("hpa".into(), 7.0), ("ch".into(), 70.0)],
            edits: None,
        }
    }

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

    #[test]
    fn edits_are_held_against_the_first_that_is_ours() {
        let trial = |us: f64| {
            let best_us = vec![us, us, 3.0 * us];
            Some(EditTrial { best_us, mismatches: 1, queries: 9 })
        };
        let mut rows = [row(), row(), row()];
        add_edits(&mut rows, &[trial(2.0), None, trial(6.0)]);
        let ratio = |row: &Row| row.edits.as_ref().map(|edits| edits.ratio_mean);
        assert_eq!(rows.each_ref().map(ratio), [Some(Some(1.0)), None, Some(Some(3.0))]);
        let last = rows[2].edits.as_ref().unwrap();
        assert_eq!((last.mean_us, last.p99_us, last.mismatches), (10.0, 18.0, 1));
        add_edits(&mut rows, &[None, trial(2.0), None]);
        assert_eq!(rows.each_ref().map(ratio), [None, Some(None), None]);
    }
}
