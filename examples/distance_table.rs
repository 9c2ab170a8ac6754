//! Who does what: three hundred workers and three hundred jobs on a map, each worker takes the nearest job that is left.
//! One table of distances by hub labels decides it; then each worker gets its path.
//!
//! `cargo run --release -p highroad --example distance_table [-- MAP]`, with a map in MovingAI's format
//! or without.

#![allow(clippy::print_stdout)]

use highroad::grid::Grid;
use highroad::index::{HubLabels, HubOptions};
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::{Cell, Cost, GridMap, Terrain};
use std::time::Instant;

const WORKERS: usize = 300;

/// Rooms of 32 cells with two doors each.
fn rooms() -> Result<GridMap, Box<dyn std::error::Error>> {
    Ok(GridMap::from_fn(256, 256, |Cell { x, y }| {
        let wall = x % 32 == 31 && y % 32 != 8 || y % 32 == 31 && x % 32 != 20;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    })?)
}

/// Cells that can be entered, spread all over the map.
fn places(grid: &Grid, stride: usize) -> Vec<Cell> {
    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    (0..WORKERS).map(|place| free[place * stride % free.len()]).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = match std::env::args().nth(1) {
        // The name of a test is no map.
        Some(file) if !cfg!(test) => GridMap::from_movingai(&std::fs::read(file)?)?,
        _ => rooms()?,
    };
    let grid = Grid::with_defaults(map);
    let start = Instant::now();
    let index = HubLabels::build(&grid, HubOptions::default())?;
    println!("labels built in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    if let Some(remark) = index.remark() {
        println!("{remark}"); // where labels do not fit, a hierarchy answers more slowly
    }

    let (workers, jobs) = (places(&grid, 7919), places(&grid, 104_729));
    let mut scratch = Scratch::new();
    let start = Instant::now();
    let table = index.distance_table(&grid, &workers, &jobs, &mut scratch)?;
    println!(
        "{WORKERS} × {WORKERS} distances in {:.1} ms, without a single path",
        start.elapsed().as_secs_f64() * 1e3
    );

    // The shortest way of all is taken first, then the shortest that is left, and so on.
    let pairs = (0..WORKERS).flat_map(|worker| (0..WORKERS).map(move |job| (worker, job)));
    let mut ways: Vec<(Cost, usize, usize)> =
        pairs.filter_map(|(worker, job)| Some((table.cost(worker, job)?, worker, job))).collect();
    ways.sort_unstable();
    let (mut is_busy, mut is_taken) = (vec![false; WORKERS], vec![false; WORKERS]);
    let mut shifts = Vec::new();
    for (cost, worker, job) in ways {
        if !is_busy[worker] && !is_taken[job] {
            (is_busy[worker], is_taken[job]) = (true, true);
            shifts.push((cost, worker, job));
        }
    }

    let mut walked = Cost::ZERO;
    for &(cost, worker, job) in &shifts {
        let answer =
            index.solve(&grid, &PathQuery::new(workers[worker], jobs[job]), &mut scratch)?;
        let path = answer.path().ok_or("the table says that there is a path")?;
        assert_eq!(path.cost(), cost, "the table and the path agree");
        walked += path.cost();
    }
    let steps = |cost: Cost| cost.0 as f64 / Cost::steps(1).0 as f64;
    println!("{} workers have a job, {:.0} steps together", shifts.len(), steps(walked));
    if let (Some(first), Some(last)) = (shifts.first(), shifts.last()) {
        println!(
            "the shortest way is {:.1} steps, the longest {:.1}",
            steps(first.0),
            steps(last.0)
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
