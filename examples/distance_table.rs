//! Who is nearest to what: a table of distances between a thousand workers and a thousand places, by
//! hub labels, without a single path.
//!
//! `cargo run --release -p highroad --example distance_table [-- MAP]`, with a map in MovingAI's format
//! or without.

#![allow(clippy::print_stdout)]

use highroad::grid::Grid;
use highroad::index::{HubLabels, HubOptions};
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::{Cell, GridMap, Terrain};
use std::time::{Duration, Instant};

const PLACES: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = match std::env::args().nth(1) {
        Some(file) => GridMap::from_movingai(&std::fs::read(file)?)?,
        None => GridMap::from_fn(512, 512, |Cell { x, y }| {
            let wall = x % 32 == 31 && y % 32 != 8 || y % 32 == 31 && x % 32 != 20;
            if wall { Terrain::WALL } else { Terrain::GROUND }
        })?,
    };
    let grid = Grid::with_defaults(map);
    let start = Instant::now();
    let index = HubLabels::build(&grid, HubOptions::default())?;
    println!("built in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    if let Some(remark) = index.remark() {
        println!("{remark}");
    }

    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    // Spread all over the map, and neither list in the order of the other.
    let some = |stride: usize| -> Vec<Cell> {
        (0..PLACES).map(|place| free[place * stride % free.len()]).collect()
    };
    let (workers, places) = (some(7919), some(104_729));

    let mut scratch = Scratch::new();
    let start = Instant::now();
    let table = index.distance_table(&grid, &workers, &places, &mut scratch)?;
    let took = start.elapsed();
    let costs = || (0..PLACES).flat_map(|row| (0..PLACES).map(move |column| (row, column)));
    let reached = costs().filter(|&(row, column)| table.cost(row, column).is_some()).count();
    println!(
        "{PLACES} × {PLACES} distances in {:.0} ms, {reached} with a path",
        took.as_secs_f64() * 1e3
    );

    // The same for single pairs: with and without the path.
    let joined = (0..PLACES).filter(|&pair| table.cost(pair, pair).is_some());
    let pairs: Vec<(Cell, Cell)> = joined.map(|pair| (workers[pair], places[pair])).collect();
    let mut least = |ask: &mut dyn FnMut(Cell, Cell, &mut Scratch)| -> f64 {
        let mut best = vec![Duration::MAX; pairs.len()];
        for _ in 0..3 {
            for (&(from, to), best) in pairs.iter().zip(&mut best) {
                let start = Instant::now();
                ask(from, to, &mut scratch);
                *best = start.elapsed().min(*best);
            }
        }
        best.iter().sum::<Duration>().as_secs_f64() * 1e6 / pairs.len() as f64
    };
    let path = least(&mut |from, to, scratch| {
        _ = std::hint::black_box(index.solve(&grid, &PathQuery::new(from, to), scratch));
    });
    let turns = least(&mut |from, to, scratch| {
        _ = std::hint::black_box(index.turning_points(&grid, from, to, scratch));
    });
    let distance = least(&mut |from, to, scratch| {
        _ = std::hint::black_box(index.distance(&grid, from, to, scratch));
    });
    println!(
        "a path {path:.2} µs, its turning points {turns:.2} µs, its cost alone {distance:.2} µs"
    );
    for (row, &worker) in workers.iter().enumerate().take(3) {
        let nearest =
            (0..PLACES).filter_map(|column| Some((table.cost(row, column)?, column))).min();
        if let Some((cost, column)) = nearest {
            println!(
                "the place nearest to {worker} is {}, at a cost of {}",
                places[column], cost.0
            );
        }
    }
    Ok(())
}
