//! Measuring planners on a workload: a row for each. How times are taken: [`crate::measure`].

use crate::generate::Random;
use crate::measurable::Measurable;
use crate::measure::{Probe, Times, exact_answers, queries_of, time_queries};
use crate::quality::Quality;
use crate::table::{mean, quantile};
use crate::verify::check_cost;
use crate::workload::Workload;
use highroad::catalog::{Spec, SpecError};
use highroad::environment::Cost;
use highroad::planner::{CatchUp, PathQuery, Planner, Scratch};
use serde::Serialize;
use std::time::Instant;

/// What one planner did on one map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchRow {
    /// The map.
    pub map: String,
    /// The planner, as asked for.
    pub planner: String,
    /// How many queries were asked.
    pub queries: usize,
    /// Milliseconds to prepare the planner for the map.
    pub build_ms: f64,
    /// Milliseconds to load it from bytes instead, where that was measured and it can be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_ms: Option<f64>,
    /// The size of the saved bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved_bytes: Option<usize>,
    /// The mean of a query's time, in microseconds.
    pub mean_us: f64,
    /// The median of a query's time, in microseconds.
    pub median_us: f64,
    /// The 99th percentile of a query's time, in microseconds.
    pub p99_us: f64,
    /// Nodes expanded a query.
    pub expanded_mean: f64,
    /// By how many per cent paths cost more than the cheapest: the mean over queries with a path.
    pub suboptimality_mean_percent: f64,
    /// By how many per cent paths cost more than the cheapest: the 99th percentile.
    pub suboptimality_p99_percent: f64,
    /// By how many per cent paths cost more than the cheapest: the maximum.
    pub suboptimality_max_percent: f64,
    /// Bytes held by the planner and its scratch memory, beside the map.
    pub memory_bytes: usize,
    /// Answers that are wrong or break the planner's guarantee.
    pub mismatches: usize,
    /// Microseconds to a first leg of that many steps, or to the whole path where there is none: the mean,
    /// where first legs were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_leg_mean_us: Option<f64>,
    /// Microseconds from a changed cell to a planner that can be asked again: the mean, where edits were
    /// measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_mean_us: Option<f64>,
    /// The 99th percentile of the same time, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_p99_us: Option<f64>,
    /// What the planner says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// How to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Measured passes over the queries.
    pub passes: usize,
    /// Steps of first legs, which are measured in as many passes; none if 0.
    pub first_leg: u32,
    /// Cells to change, one by one, after the queries.
    pub edits: usize,
    /// Whether to save and load indexes, too.
    pub saved: bool,
}

impl Effort {
    /// How many steps `asked` will be notified of, for that many queries.
    pub fn steps(&self, queries: usize) -> u64 {
        let passes = self.passes * if self.first_leg > 0 { 2 } else { 1 };
        (queries * (passes + 1) + self.edits) as u64
    }
}

/// The cheapest cost of every query, by an exact search on all cores; `None`: no path.
pub fn optimal_costs<E: Measurable>(workload: &Workload<E>) -> Vec<Option<Cost>> {
    let costs = exact_answers(&workload.environment, &workload.queries, |_| true).into_iter();
    costs.map(|exact| exact.map(|(cost, _)| cost)).collect()
}

/// Runs one planner on a workload, on this thread. `asked` is notified of each query done.
pub fn bench<E: Measurable + Clone>(
    workload: &Workload<E>,
    optimal: &[Option<Cost>],
    spec: &Spec,
    effort: Effort,
    mut asked: impl FnMut(),
) -> Result<BenchRow, SpecError> {
    let grid = &workload.environment;
    let mut probe = Probe::build(grid, spec)?;
    let queries = queries_of(workload);

    let (mut expanded, mut mismatches, mut excess) = (0, 0, Vec::new());
    let guarantee = probe.planner.guarantee(grid);
    for ((query, ask), &optimal) in workload.queries.iter().zip(&queries).zip(optimal) {
        let checked =
            probe.check(ask, |answer| check_cost(grid, query, guarantee, answer, optimal));
        expanded += checked.expanded;
        match checked.excess_percent {
            Ok(percent) => excess.extend(percent),
            Err(_) => mismatches += 1,
        }
        asked();
    }

    let best_us = least_sorted(&probe.time(&queries, effort.passes, &mut asked));
    let Probe { mut planner, mut scratch, build_ms, .. } = probe;
    let first_leg_us = (effort.first_leg > 0).then(|| {
        let leg = |query: PathQuery<E::Place>| query.with_first_leg(effort.first_leg);
        let queries: Vec<PathQuery<E::Place>> = queries.iter().cloned().map(leg).collect();
        let times = time_queries(&queries, effort.passes, &mut asked, |query| {
            if planner.begin(grid, query, &mut scratch).is_ok() {
                drop(std::hint::black_box(planner.advance(grid, &mut scratch, u64::MAX)));
            }
        });
        mean(&least_sorted(&times))
    });
    let quality = Quality::of(excess);
    let memory_bytes = planner.memory_bytes() + scratch.memory_bytes();
    let remark = planner.remark();
    let edit_us = measure_edits(grid, &mut *planner, &mut scratch, effort.edits, asked);
    let (load_ms, saved_bytes) =
        effort.saved.then(|| measure_loading(grid, spec)).flatten().unzip();
    Ok(BenchRow {
        map: workload.name.clone(),
        planner: spec.to_string(),
        queries: queries.len(),
        build_ms,
        load_ms,
        saved_bytes,
        mean_us: mean(&best_us),
        median_us: quantile(&best_us, 0.5),
        p99_us: quantile(&best_us, 0.99),
        expanded_mean: expanded as f64 / queries.len().max(1) as f64,
        suboptimality_mean_percent: quality.mean_percent,
        suboptimality_p99_percent: quality.p99_percent,
        suboptimality_max_percent: quality.max_percent,
        memory_bytes,
        mismatches,
        first_leg_mean_us: first_leg_us,
        edit_mean_us: (!edit_us.is_empty()).then(|| mean(&edit_us)),
        edit_p99_us: (!edit_us.is_empty()).then(|| quantile(&edit_us, 0.99)),
        remark,
    })
}

/// The smallest time of each query, in microseconds, sorted.
fn least_sorted(times: &[Times]) -> Vec<f64> {
    let mut least_us: Vec<f64> = times.iter().map(|times| times.least_us).collect();
    least_us.sort_by(f64::total_cmp);
    least_us
}

/// Saves an index, and loads it some times: the least milliseconds, and its bytes. `None` if the planner is
/// none that can be saved.
fn measure_loading<E: Measurable>(grid: &E, spec: &Spec) -> Option<(f64, usize)> {
    let bytes = spec.build(grid).ok()?.save(grid)?;
    let mut least_ms = f64::INFINITY;
    for _ in 0..LOADS {
        let start = Instant::now();
        let loaded = std::hint::black_box(spec.load(&bytes, grid)?).ok()?;
        least_ms = least_ms.min(start.elapsed().as_secs_f64() * 1e3);
        drop(loaded);
    }
    Some((least_ms, bytes.len()))
}

const LOADS: usize = 3;

/// Makes random changes, one by one. Returns the times to change the map and to catch up, sorted; it
/// stops at the first edit that the planner cannot follow.
fn measure_edits<E: Measurable + Clone>(
    grid: &E,
    planner: &mut dyn Planner<E>,
    scratch: &mut Scratch,
    edits: usize,
    mut asked: impl FnMut(),
) -> Vec<f64> {
    let mut grid = grid.clone();
    let mut random = Random::new(1);
    let mut times = Vec::with_capacity(edits);
    for _ in 0..edits {
        let Some(change) = grid.random_change(&mut random) else { break };
        let start = Instant::now();
        let Some(changes) = change(&mut grid) else { break };
        if planner.catch_up(&grid, &changes, scratch) == CatchUp::NeedsRebuild {
            break;
        }
        times.push(start.elapsed().as_secs_f64() * 1e6);
        asked();
    }
    times.sort_by(f64::total_cmp);
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::seeded_queries;
    use highroad::catalog::CATALOG;
    use highroad::grid::Grid;
    use highroad::planner::CatalogEntry;

    const EFFORT: Effort = Effort { passes: 1, first_leg: 0, edits: 0, saved: false };

    #[test]
    fn a_row_tells_exact_planners_from_others() {
        let drawing = ".........\n.#######.\n.......#.\n.#######.\n.........\n";
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let queries = seeded_queries(&grid, 30, 3);
        let workload = Workload { name: "trap".into(), environment: grid, queries };
        let optimal = optimal_costs(&workload);
        let run =
            |spec: &str| bench(&workload, &optimal, &spec.parse().unwrap(), EFFORT, || ()).unwrap();
        let (astar, depth_first) = (run("astar"), run("depth-first"));
        assert_eq!((astar.queries, astar.mismatches), (30, 0));
        assert_eq!(astar.suboptimality_max_percent, 0.0);
        assert!(astar.mean_us > 0.0 && astar.p99_us >= astar.median_us);
        assert!(depth_first.suboptimality_mean_percent > 0.0);
        assert_eq!(depth_first.mismatches, 0, "it promises nothing, and breaks nothing");
        // A wrong optimum is noticed: the check is not against itself.
        let wrong: Vec<_> = optimal.iter().map(|cost| cost.map(|cost| Cost(cost.0 + 2))).collect();
        let row = bench(&workload, &wrong, &"astar".parse().unwrap(), EFFORT, || ()).unwrap();
        assert_eq!(row.mismatches, 30);
        let effort = Effort { passes: 1, first_leg: 3, edits: 40, saved: true };
        let row = bench(&workload, &optimal, &"hpa".parse().unwrap(), effort, || ()).unwrap();
        assert!(row.edit_mean_us.is_some() && astar.edit_mean_us.is_none());
        assert!(row.first_leg_mean_us.is_some() && astar.first_leg_mean_us.is_none());
        assert_eq!(row.load_ms, None, "it cannot be saved");
        let loads =
            |entry: &&&CatalogEntry| entry.grid.as_ref().is_some_and(|maker| maker.load.is_some());
        for entry in CATALOG.iter().filter(loads) {
            let row = bench(&workload, &optimal, &Spec::usual(entry), effort, || ()).unwrap();
            assert!(row.load_ms.is_some() && row.saved_bytes > Some(24), "{}", entry.name);
        }
    }
}
