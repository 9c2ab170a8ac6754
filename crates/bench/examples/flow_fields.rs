//! What a flow field takes to make and to repair, and whether a repaired one equals a new one.
//!
//! `cargo run --release -p highroad-bench --example flow_fields -- ../shared/maps/sc1/AcrosstheCape.map`
//!
//! Without a file, on an open map of 128 × 128 cells as tower defences have. Single cells open and close at random, and the
//! field is repaired to the end after each. Times are processor time.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result, ensure};
use highroad::field::FlowField;
use highroad::grid::{Batch, Grid};
use highroad::{Cell, GridMap, Terrain};
use highroad_bench::largest_part;
use highroad_lab::generate::Random;
use highroad_lab::thread_time::timed;

const EDITS: usize = 2000;

fn quantiles(name: &str, times_us: &mut [f64]) {
    times_us.sort_by(f64::total_cmp);
    let at = |share: f64| times_us[((times_us.len() - 1) as f64 * share) as usize];
    let mean = times_us.iter().sum::<f64>() / times_us.len() as f64;
    println!(
        "{name:<20} mean {mean:9.1} us   median {:9.1}   p99 {:9.1}   longest {:9.1}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() -> Result<()> {
    let (name, map) = match std::env::args().nth(1) {
        Some(file) => {
            let text = std::fs::read(&file).with_context(|| format!("reading {file}"))?;
            let map = GridMap::from_movingai(&text)?;
            (file, map)
        }
        None => ("128 × 128".to_owned(), GridMap::filled(128, 128, Terrain::GROUND)?),
    };
    let mut grid = Grid::with_defaults(map);
    let cells = largest_part(&grid);
    ensure!(!cells.is_empty(), "the map has no open cell");
    let mut random = Random::new(17);
    let mut cell = || cells[random.below(cells.len() as u64) as usize];
    let goal = [cell()];
    let (field, make_us) = timed(|| {
        let mut field = FlowField::towards(&grid, &goal)?;
        field.finish();
        anyhow::Ok(field)
    });
    let mut field = field?;
    println!(
        "{name}: {} cells reach the goal; made in {:.1} ms, {:.1} MB",
        cells.len(),
        make_us / 1e3,
        field.memory_bytes() as f64 / 1e6
    );
    let (mut closing_us, mut opening_us) = (Vec::new(), Vec::new());
    for _ in 0..EDITS / 2 {
        let at = cell();
        if goal.contains(&at) || !grid.is_enterable(at) {
            continue;
        }
        let before = grid.map().terrain(at).context("inside the map")?;
        for (terrain, times_us) in [(Terrain::WALL, &mut closing_us), (before, &mut opening_us)] {
            // Every third wall stays.
            if terrain == before && at.x % 3 == 0 {
                continue;
            }
            let changes = grid.apply(Batch::new().set(at, terrain))?;
            let ((), us) = timed(|| {
                field.follow(&grid, &changes);
                field.finish();
            });
            times_us.push(us);
        }
    }
    quantiles("repair, a wall", &mut closing_us);
    quantiles("repair, an opening", &mut opening_us);
    let mut fresh = FlowField::towards(&grid, &goal)?;
    fresh.finish();
    let differs =
        |&cell: &Cell| (field.cost(cell), field.flow(cell)) != (fresh.cost(cell), fresh.flow(cell));
    let differing = grid.extent().cells().filter(differs).count();
    ensure!(differing == 0, "{differing} cells differ from a new field");
    let ((), ask_us) = timed(|| {
        for &cell in &cells {
            std::hint::black_box(field.next(cell));
        }
    });
    println!(
        "all cells as in a new field; a question {:.1} ns; {:.1} MB",
        ask_us * 1e3 / cells.len() as f64,
        field.memory_bytes() as f64 / 1e6
    );
    Ok(())
}
