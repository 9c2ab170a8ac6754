//! Storms of edits: random cells change, one after another, and now and then everything is checked.

use crate::generate::Random;
use crate::quality::Quality;
use crate::table::{mean, quantile};
use crate::verify::check_cost;
use crate::workload::seeded_queries;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::{Batch, Grid};
use highroad::online::GridSearch;
use highroad::planner::{Answer, CatchUp, PathQuery, Planner, Scratch};
use highroad::{Cell, Terrain};
use serde::Serialize;
use std::time::Instant;

/// One random change: an enterable cell becomes a wall, another ground; on weighted maps a cell becomes
/// another terrain of the map.
pub fn random_edit(grid: &Grid, terrains: &[Terrain], random: &mut Random) -> Batch {
    let extent = grid.extent();
    let x = random.below(u64::from(extent.width())) as u32;
    let y = random.below(u64::from(extent.height())) as u32;
    let cell = Cell::new(x, y);
    let before = grid.map().terrain(cell);
    let others = || terrains.iter().filter(|&&terrain| Some(terrain) != before);
    let terrain = if grid.uniform_cost().is_none() && others().count() > 0 {
        let index = random.below(others().count() as u64) as usize;
        others().nth(index).copied().unwrap_or(Terrain::WALL)
    } else if grid.is_enterable(cell) {
        Terrain::WALL
    } else {
        Terrain::GROUND
    };
    let mut batch = Batch::new();
    batch.set(cell, terrain);
    batch
}

/// How long and how closely watched a storm is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StormPlan {
    /// Cells to change.
    pub edits: usize,
    /// How often everything is checked, evenly spread; the last time at the end.
    pub checkpoints: usize,
    /// Queries held against an exact search at each checkpoint.
    pub queries: usize,
    /// Where the randomness begins.
    pub seed: u64,
}

/// What a planner did in a storm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StormRow {
    /// The map.
    pub map: String,
    /// The planner, as asked for.
    pub planner: String,
    /// Cells changed.
    pub edits: usize,
    /// Times that it could not follow and was rebuilt.
    pub rebuilds: usize,
    /// Microseconds from a changed cell to a planner that can be asked again: the mean.
    pub edit_mean_us: f64,
    /// The 99th percentile of the same time, in microseconds.
    pub edit_p99_us: f64,
    /// By how many per cent its paths cost more than the cheapest, after the storm.
    pub patched_mean_percent: f64,
    /// The same for a planner that was built after the storm.
    pub afresh_mean_percent: f64,
    /// What was wrong at checkpoints.
    pub faults: Vec<String>,
}

/// Runs a storm. `notify` is called after each edit.
pub fn storm(
    name: &str,
    grid: &Grid,
    spec: &Spec,
    plan: StormPlan,
    mut notify: impl FnMut(),
) -> Result<StormRow, SpecError> {
    let mut grid = grid.clone();
    let mut planner = spec.build(&grid)?;
    let mut scratch = Scratch::new();
    let mut random = Random::new(plan.seed);
    let terrains: Vec<Terrain> = grid.map().terrains().collect();
    let (mut rebuilds, mut faults) = (0, Vec::new());
    let mut times = Vec::with_capacity(plan.edits);
    let mut patched = Quality::default();
    let every = plan.edits.div_ceil(plan.checkpoints.max(1)).max(1);
    for edit in 1..=plan.edits {
        let batch = random_edit(&grid, &terrains, &mut random);
        let start = Instant::now();
        // The cell lies on the map, and its terrain is one of the map's.
        let Ok(changes) = grid.apply(&batch) else { continue };
        if planner.catch_up(&grid, &changes, &mut scratch) == CatchUp::NeedsRebuild {
            planner = spec.build(&grid)?;
            rebuilds += 1;
        }
        times.push(start.elapsed().as_secs_f64() * 1e6);
        notify();
        if edit % every == 0 || edit == plan.edits {
            let seed = plan.seed.wrapping_add(edit as u64);
            if let Err(fault) = planner.verify(&grid) {
                faults.push(format!("after {edit} edits: {fault}"));
            }
            let (quality, wrong) = ask(&grid, &*planner, plan.queries, seed, &mut scratch);
            patched = quality;
            faults.extend(wrong.into_iter().map(|wrong| format!("after {edit} edits: {wrong}")));
        }
    }
    let afresh = spec.build(&grid)?;
    let seed = plan.seed.wrapping_add(plan.edits as u64);
    let (afresh, _) = ask(&grid, &*afresh, plan.queries, seed, &mut scratch);
    times.sort_by(f64::total_cmp);
    Ok(StormRow {
        map: name.to_owned(),
        planner: spec.to_string(),
        edits: plan.edits,
        rebuilds,
        edit_mean_us: mean(&times),
        edit_p99_us: quantile(&times, 0.99),
        patched_mean_percent: patched.mean_percent,
        afresh_mean_percent: afresh.mean_percent,
        faults,
    })
}

/// Asks seeded queries and holds the answers against an exact search.
fn ask(
    grid: &Grid,
    planner: &dyn Planner,
    count: usize,
    seed: u64,
    scratch: &mut Scratch,
) -> (Quality, Vec<String>) {
    let (mut excess, mut wrong) = (Vec::new(), Vec::new());
    for query in seeded_queries(grid, count, seed) {
        let ask = PathQuery::new(query.start, query.goal);
        let optimal = GridSearch::astar().solve(grid, &ask, scratch).ok().and_then(Answer::path);
        let answer = planner.solve(grid, &ask, scratch);
        let optimal = optimal.map(|path| path.cost());
        match check_cost(grid, &query, planner.guarantee(grid), answer, optimal) {
            Ok(percent) => excess.extend(percent),
            Err(problem) => wrong.push(format!("{} to {}: {problem}", query.start, query.goal)),
        }
    }
    (Quality::of(excess), wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planner_that_keeps_up_weathers_a_storm_and_a_storm_repeats_itself() {
        let drawing = "................\n.######..######.\n................\n".repeat(9);
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let plan = StormPlan { edits: 300, checkpoints: 3, queries: 10, seed: 5 };
        let mut edits = 0;
        let spec: Spec = "hpa:cluster=6:levels=2".parse().unwrap();
        let row = storm("stripes", &grid, &spec, plan, || edits += 1).unwrap();
        assert_eq!((row.faults.as_slice(), row.rebuilds, edits), (&[][..], 0, 300));
        assert_eq!(row.patched_mean_percent, row.afresh_mean_percent);
        let again = storm("stripes", &grid, &spec, plan, || ()).unwrap();
        assert_eq!(again.patched_mean_percent, row.patched_mean_percent);
    }
}
