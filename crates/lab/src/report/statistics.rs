//! Many numbers summed up in few. In sums over several maps every map counts the same, whatever the number of
//! its queries: so a planner that had time for fewer of them on some map is not favoured by that.

use super::unit::{QueryRecord, Unit};
use crate::table::mean;

/// Values, each with how much it counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Rising.
    values: Vec<(f64, f64)>,
}

impl Sample {
    /// Of values and their weights, in any order.
    pub fn new(mut values: Vec<(f64, f64)>) -> Self {
        values.retain(|(value, weight)| value.is_finite() && *weight > 0.0);
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { values }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn weight(&self) -> f64 {
        self.values.iter().map(|(_, weight)| weight).sum()
    }

    /// The weighted mean; 0 of nothing.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.values.iter().map(|(value, weight)| value * weight).sum();
        if self.is_empty() { 0.0 } else { sum / self.weight() }
    }

    /// The smallest value that is not below that share of the weight; 0 of nothing.
    pub fn quantile(&self, share: f64) -> f64 {
        // Sums of weights are rounded; a share that is met but for that counts as met.
        let enough = share * self.weight() * (1.0 - 1e-12);
        let mut sum = 0.0;
        for &(value, weight) in &self.values {
            sum += weight;
            if sum >= enough {
                return value;
            }
        }
        self.max()
    }

    /// The largest; 0 of nothing.
    pub fn max(&self) -> f64 {
        self.values.last().map_or(0.0, |(value, _)| *value)
    }

    /// What share of the weight has values from one up to, and without, another.
    pub fn share(&self, from: f64, to: f64) -> f64 {
        let inside = self.values.iter().filter(|(value, _)| (from..to).contains(value));
        let sum: f64 = inside.map(|(_, weight)| weight).sum();
        if self.is_empty() { 0.0 } else { sum / self.weight() }
    }
}

/// One planner on some maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The planner, as asked for.
    pub planner: String,
    /// Whether it promises the optimum on all of these maps.
    pub exact: bool,
    /// What it promises, in words.
    pub promise: String,
    /// On how many maps it was measured.
    pub maps: usize,
    /// On how many of them with fewer queries than wanted.
    pub cut_maps: usize,
    /// How many queries were asked.
    pub queries: usize,
    /// The smallest time of each query, in microseconds.
    pub time_us: Sample,
    /// By how many per cent the slowest pass of each query was above the quickest.
    pub spread_percent: Sample,
    /// Nodes expanded by each query.
    pub expanded: Sample,
    /// By how many per cent each path was more costly than the cheapest.
    pub excess_percent: Sample,
    /// How many times as fast as the planner of comparison it answered each query.
    pub speedup: Sample,
    /// Milliseconds to build, a map: the mean.
    pub build_ms_mean: f64,
    /// Milliseconds to build, a map: the maximum.
    pub build_ms_max: f64,
    /// Bytes beside the map, index and scratch memory, a map: the mean.
    pub memory_bytes_mean: f64,
    /// Bytes beside the map, index and scratch memory, a map: the maximum.
    pub memory_bytes_max: usize,
    /// Bytes of the index for each cell of a map: the mean.
    pub index_bytes_a_cell: f64,
    /// Answers that are wrong or break the planner's promise.
    pub violations: usize,
}

impl Summary {
    /// Sums up the units of one planner; `None` if it was measured on none of the maps. `baseline` gives the
    /// unit of the planner of comparison on the map of a unit.
    pub fn of<'u>(
        units: impl Iterator<Item = &'u Unit>,
        baseline: impl Fn(&Unit) -> Option<&'u Unit>,
    ) -> Option<Self> {
        let units: Vec<&Unit> = units.filter(|unit| unit.measured().is_some()).collect();
        let measured: Vec<_> = units.iter().filter_map(|unit| unit.measured()).collect();
        let first = measured.first()?;
        let each = |value: &dyn Fn(&QueryRecord) -> Option<f64>| {
            let of_unit = |unit: &&Unit| {
                let queries = unit.measured().map_or(&[][..], |measured| &measured.queries);
                weighted(queries.iter().filter_map(value).collect())
            };
            Sample::new(units.iter().flat_map(of_unit).collect())
        };
        let per_map =
            |value: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..units.len()).map(value).collect() };
        let build_ms = per_map(&|map| measured[map].build_ms);
        let memory = per_map(&|map| measured[map].memory_bytes() as f64);
        let a_cell =
            per_map(&|map| measured[map].index_bytes as f64 / units[map].cells().max(1) as f64);
        let speedups = units.iter().flat_map(|unit| weighted(speedups(unit, baseline(unit))));
        let weakest = measured.iter().find(|measured| !measured.exact).unwrap_or(first);
        let cut = units.iter().filter(|unit| unit.is_cut());
        let wrong = measured.iter().flat_map(|measured| &measured.queries);
        Some(Self {
            planner: units[0].planner.clone(),
            exact: weakest.exact,
            promise: weakest.promise.clone(),
            maps: units.len(),
            cut_maps: cut.count(),
            queries: measured.iter().map(|measured| measured.queries.len()).sum(),
            time_us: each(&|query| Some(query.least_us)),
            spread_percent: each(&|query| Some((query.most_us / query.least_us - 1.0) * 100.0)),
            expanded: each(&|query| Some(query.expanded as f64)),
            excess_percent: each(&|query| query.excess_percent),
            speedup: Sample::new(speedups.collect()),
            build_ms_mean: mean(&build_ms),
            build_ms_max: build_ms.iter().copied().fold(0.0, f64::max),
            memory_bytes_mean: mean(&memory),
            memory_bytes_max: memory.iter().copied().fold(0.0, f64::max) as usize,
            index_bytes_a_cell: mean(&a_cell),
            violations: wrong.filter(|query| query.violation.is_some()).count(),
        })
    }
}

/// The values of one map, which together count one.
fn weighted(values: Vec<f64>) -> Vec<(f64, f64)> {
    let weight = 1.0 / values.len().max(1) as f64;
    values.into_iter().map(|value| (value, weight)).collect()
}

/// How many times as fast as another planner one was, query by query, on those that both were asked.
fn speedups(unit: &Unit, baseline: Option<&Unit>) -> Vec<f64> {
    let (Some(ours), Some(theirs)) = (unit.measured(), baseline.and_then(Unit::measured)) else {
        return Vec::new();
    };
    // The order of queries is the same for all planners of a map.
    let pairs = ours.queries.iter().zip(&theirs.queries);
    let both =
        pairs.filter(|(ours, theirs)| (ours.start, ours.goal) == (theirs.start, theirs.goal));
    both.filter(|(ours, _)| ours.least_us > 0.0)
        .map(|(ours, theirs)| theirs.least_us / ours.least_us)
        .collect()
}

/// A power law through some points: y = factor · x^exponent, by least squares on logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// How y grows: 1 is in proportion to x.
    pub exponent: f64,
    /// What y is at x = 1.
    pub factor: f64,
    /// What share of the variation of log y the law accounts for; 1 is all.
    pub r_squared: f64,
    /// Through how many points.
    pub points: usize,
}

impl Fit {
    /// `None` of fewer than two different x, or if a number is not above 0.
    pub fn power_law(points: &[(f64, f64)]) -> Option<Self> {
        if points.iter().any(|&(x, y)| !(x > 0.0 && y > 0.0)) {
            return None;
        }
        let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let mean_of =
            |part: fn(&(f64, f64)) -> f64| mean(&logs.iter().map(part).collect::<Vec<f64>>());
        let (x_mean, y_mean) = (mean_of(|log| log.0), mean_of(|log| log.1));
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            logs.iter().map(|(x, y)| term(x - x_mean, y - y_mean)).sum()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        if xx < 1e-12 {
            return None;
        }
        let exponent = xy / xx;
        // Points on a level line are accounted for wholly.
        let r_squared = if yy < 1e-18 { 1.0 } else { (xy * xy / (xx * yy)).min(1.0) };
        let factor = (y_mean - exponent * x_mean).exp();
        Some(Self { exponent, factor, r_squared, points: points.len() })
    }
}

/// Times of queries gathered by the length of their shortest path: for each bucket with enough of them the
/// geometric middle of its lengths, the median of times, and how many.
pub fn by_length<'u>(units: impl Iterator<Item = &'u Unit>) -> Vec<(f64, f64, usize)> {
    const BUCKETS_A_DOUBLING: f64 = 2.0;
    const ENOUGH: usize = 3;
    let mut buckets: std::collections::BTreeMap<i32, Vec<(f64, f64)>> = Default::default();
    for query in units.filter_map(Unit::measured).flat_map(|measured| &measured.queries) {
        if let Some(length) = query.shortest.filter(|length| *length >= 1.0) {
            let bucket = (length.log2() * BUCKETS_A_DOUBLING).floor() as i32;
            buckets.entry(bucket).or_default().push((query.least_us, 1.0));
        }
    }
    let enough = buckets.into_iter().filter(|(_, times)| times.len() >= ENOUGH);
    enough
        .map(|(bucket, times)| {
            let length = ((f64::from(bucket) + 0.5) / BUCKETS_A_DOUBLING).exp2();
            let count = times.len();
            (length, Sample::new(times).quantile(0.5), count)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::unit;

    #[test]
    fn every_map_counts_the_same() {
        // One query of 100 µs on one map, four of 1 µs on another.
        let units = [unit("a", "astar", &[100.0]), unit("b", "astar", &[1.0; 4])];
        let summary = Summary::of(units.iter(), |_| None).unwrap();
        assert_eq!((summary.maps, summary.queries, summary.cut_maps), (2, 5, 1));
        assert!((summary.time_us.mean() - 50.5).abs() < 1e-9);
        assert_eq!((summary.time_us.quantile(0.5), summary.time_us.quantile(0.51)), (1.0, 100.0));
        assert_eq!(Summary::of([].iter(), |_| None), None);
    }

    #[test]
    fn speed_is_compared_query_by_query_on_those_that_both_were_asked() {
        let ours = unit("a", "hpa", &[1.0, 2.0]);
        let theirs = unit("a", "astar", &[10.0, 40.0, 1000.0, 1.0]);
        let summary = Summary::of([&ours].into_iter(), |_| Some(&theirs)).unwrap();
        assert_eq!((summary.speedup.len(), summary.speedup.mean()), (2, 15.0));
    }

    #[test]
    fn samples_of_nothing_and_of_nonsense_are_harmless() {
        let empty = Sample::new(vec![(f64::NAN, 1.0), (1.0, 0.0)]);
        assert_eq!((empty.mean(), empty.quantile(0.5), empty.max()), (0.0, 0.0, 0.0));
        let sample = Sample::new((1..=100).map(|value| (f64::from(value), 0.1)).collect());
        assert_eq!(
            (sample.quantile(0.99), sample.quantile(0.5), sample.max()),
            (99.0, 50.0, 100.0)
        );
        assert!((sample.share(0.0, 11.0) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> =
            [512.0, 1024.0, 2048.0f64].iter().map(|&x| (x, 3.0 * x.powf(1.25))).collect();
        let fit = Fit::power_law(&points).unwrap();
        assert!((fit.exponent - 1.25).abs() < 1e-9 && (fit.factor - 3.0).abs() < 1e-6);
        assert!((fit.r_squared - 1.0).abs() < 1e-9);
        // By hand: logarithms to base 2 are (0, 0), (1, 2), (2, 2); slope 1, R² = 3/4.
        let fit = Fit::power_law(&[(1.0, 1.0), (2.0, 4.0), (4.0, 4.0)]).unwrap();
        assert!((fit.exponent - 1.0).abs() < 1e-9 && (fit.r_squared - 0.75).abs() < 1e-9);
        let level = Fit::power_law(&[(1.0, 5.0), (2.0, 5.0)]).unwrap();
        assert_eq!((level.exponent, level.r_squared, level.points), (0.0, 1.0, 2));
        assert_eq!(Fit::power_law(&[(2.0, 1.0), (2.0, 3.0)]), None);
        assert_eq!(Fit::power_law(&[(1.0, 0.0), (2.0, 3.0)]), None);
    }

    #[test]
    fn queries_are_gathered_by_length() {
        // Query n of the helper has a path of n + 1.
        let units = [unit("a", "astar", &[1.0, 5.0, 9.0, 7.0, 8.0])];
        let buckets = by_length([&units[0], &units[0], &units[0]].into_iter());
        assert_eq!(buckets.len(), 4, "4 and 5 are in one, below 4 times the root of 2");
        assert_eq!((buckets[1].1, buckets[1].2, buckets[3].2), (5.0, 3, 6));
        assert!(by_length(units.iter()).is_empty(), "too few in each");
    }
}
