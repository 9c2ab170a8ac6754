//! What terrain of differing cost takes: queries, how far their paths are above optimal, and edits of single cells.
//!
//! `cargo run --release -p highroad-bench --example weighted_terrain -- ../shared/maps/weighted/Map11.map 60 hpa,pra,astar`
//!
//! Queries are seeded. Times are CPU time of the thread, the smallest of three passes for each query, and those of edits
//! are one pass: half of the edits change the surcharge of a random cell, half put a wall there, and both are taken back.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result};
use highroad::catalog::Spec;
use highroad::grid::{Batch, CellRect, Grid};
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::{Cell, GridMap, Terrain};
use highroad_lab::generate::Random;
use highroad_lab::thread_time::timed;
use highroad_lab::workload::seeded_queries;

const PASSES: usize = 3;
const EDITS: usize = 200;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("which map?")?;
    let count: usize = arguments.next().map_or(Ok(60), |count| count.parse())?;
    let planners = arguments.next().unwrap_or_else(|| "hpa,pra,astar".to_owned());
    let map = GridMap::from_movingai(&std::fs::read(path)?)?;
    let grid = Grid::with_defaults(map);
    let queries = seeded_queries(&grid, count, 1);
    let queries: Vec<PathQuery> =
        queries.iter().map(|query| PathQuery::new(query.start, query.goal)).collect();
    let least = optimal(&grid, &queries)?;
    for planner in planners.split(',') {
        measure(&grid, planner, &queries, &least)?;
    }
    Ok(())
}

/// What the cheapest paths cost.
fn optimal(grid: &Grid, queries: &[PathQuery]) -> Result<Vec<u64>> {
    let (spec, mut scratch): (Spec, _) = ("astar".parse()?, Scratch::new());
    let planner = spec.build(grid)?;
    let cost = |query| {
        let path = planner.solve(grid, query, &mut scratch)?.path();
        Ok(path.context("seeded queries have paths")?.cost().0)
    };
    queries.iter().map(cost).collect()
}

fn measure(grid: &Grid, name: &str, queries: &[PathQuery], least: &[u64]) -> Result<()> {
    let (spec, mut scratch): (Spec, _) = (name.parse()?, Scratch::new());
    let (built, build_us) = timed(|| spec.build(grid));
    let (mut planner, build_s) = (built?, build_us / 1e6);
    let (mut time_us, mut above, mut worst, mut expanded) = (0.0, 0.0, 0.0f64, 0);
    for (query, &least) in queries.iter().zip(least) {
        let mut best = f64::INFINITY;
        let mut cost = 0;
        for _ in 0..PASSES {
            let (answer, took_us) = timed(|| planner.solve(grid, query, &mut scratch));
            best = best.min(took_us);
            cost = answer?.path().context("there is one")?.cost().0;
        }
        time_us += best;
        expanded += scratch.statistics().expanded;
        let more = (cost - least) as f64 / least.max(1) as f64 * 100.0;
        above += more;
        worst = worst.max(more);
    }
    let count = queries.len() as f64;
    println!(
        "{name}: build {build_s:.2} s, query {:.0} µs, {:.0} expanded, {:.3} % above optimal, at most {worst:.2} %",
        time_us / count,
        expanded as f64 / count,
        above / count,
    );
    if planner.memory_bytes() > 0 {
        edit(grid.clone(), planner.as_mut(), &mut scratch)?;
    }
    Ok(())
}

/// Edits that the planner follows.
fn edit(mut grid: Grid, planner: &mut dyn Planner, scratch: &mut Scratch) -> Result<()> {
    let mut random = Random::new(1);
    let extent = grid.extent();
    let mut times: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    while times[1].len() < EDITS {
        let x = random.below(extent.width().into()) as u32;
        let cell = Cell::new(x, random.below(extent.height().into()) as u32);
        if !grid.is_enterable(cell) {
            continue;
        }
        let (terrain, mut batches) = (grid.map().terrain(cell).context("inside")?, Vec::new());
        for amount in [1 + random.below(5) as u16, 0] {
            let mut batch = Batch::new();
            batch.surcharge(CellRect::from(cell), amount);
            batches.push((0, batch));
        }
        for terrain in [Terrain::WALL, terrain] {
            let mut batch = Batch::new();
            batch.set(cell, terrain);
            batches.push((1, batch));
        }
        for (kind, batch) in batches {
            let (changes, took_us) = timed(|| {
                let changes = grid.apply(&batch);
                changes.map(|changes| planner.catch_up(&grid, &changes, scratch))
            });
            changes?;
            times[kind].push(took_us);
        }
    }
    for (times, what) in times.iter_mut().zip(["surcharge", "wall"]) {
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let [median, most] = [2, 1].map(|part| times[(times.len() - 1) / part]);
        println!("    edit of a {what}: mean {mean:.0} µs, median {median:.0}, longest {most:.0}");
    }
    Ok(())
}
