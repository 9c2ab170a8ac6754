//! How long it takes to know what a building would do, and whether that is what happens.
//!
//! `cargo run --release -p highroad-bench --example what_if -- ../shared/maps/sc1/AcrosstheCape.map`
//!
//! Buildings of random sizes are thought of, at random places and on the way of a pair, and asked about: would it cut a way
//! (`would_block`), and how much longer would it get (`what_if`)? Each is then really built, compared and taken back. Times are
//! processor time.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result, ensure};
use highroad::grid::{Batch, KindId};
use highroad::hierarchy::HpaOptions;
use highroad::{Cell, CellRect, Cost, GridMap, PathWorld, Terrain};
use highroad_bench::largest_part;
use highroad_lab::generate::Random;
use highroad_lab::thread_time::timed;

const BUILDINGS: usize = 2000;

/// A building around a cell, as far as it lies inside the map.
fn building(map: &GridMap, at: Cell, width: u32, height: u32) -> Batch {
    let last = Cell::new(map.extent().width() - 1, map.extent().height() - 1);
    let to = Cell::new((at.x + width).min(last.x), (at.y + height).min(last.y));
    let mut batch = Batch::new();
    batch.fill(CellRect::new(at, to), Terrain::WALL);
    batch
}

fn report(name: &str, times_us: &mut [f64]) {
    times_us.sort_by(f64::total_cmp);
    let at = |share: f64| times_us[((times_us.len() - 1) as f64 * share) as usize];
    let mean = times_us.iter().sum::<f64>() / times_us.len() as f64;
    println!(
        "{name:<24} mean {mean:8.1} us   median {:8.1}   p99 {:8.1}   longest {:8.1}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("give the file of a map")?;
    let text = std::fs::read(&file).with_context(|| format!("reading {file}"))?;
    let map = GridMap::from_movingai(&text)?;
    let mut world = PathWorld::new(map.clone()).with_planner(HpaOptions::default()).build()?;
    let cells = largest_part(world.grid());
    ensure!(!cells.is_empty(), "the map has no open cell");
    let mut random = Random::new(17);
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    let (mut blocking_us, mut what_if_us, mut edit_us) = (Vec::new(), Vec::new(), Vec::new());
    let (mut cut, mut longer) = (0, 0);
    for number in 0..BUILDINGS {
        let pair = (cells[below(cells.len())], cells[below(cells.len())]);
        let path = world.find_path(pair.0, pair.1)?.context("both lie in one part")?;
        let at = match number % 2 {
            0 => path.cells()[below(path.cells().len())],
            _ => cells[below(cells.len())],
        };
        let batch = building(&map, at, below(6) as u32, below(6) as u32);
        let pairs = [pair];
        let (blocks, us) = timed(|| world.would_block(KindId::DEFAULT, &batch, &pairs));
        blocking_us.push(us);
        let (ways, us) = timed(|| world.what_if(KindId::DEFAULT, &batch, &pairs));
        what_if_us.push(us);
        let (blocks, ways) = (blocks?, ways?);

        let (revision, us) = timed(|| world.apply(&batch));
        edit_us.push(us);
        revision?;
        let really: Option<Cost> =
            world.find_path(pair.0, pair.1).ok().flatten().map(|path| path.cost());
        ensure!(ways[0].after == really, "{batch:?}: {:?}, really {really:?}", ways[0]);
        ensure!(blocks == really.is_none(), "{batch:?}: {blocks}, really {really:?}");
        cut += usize::from(blocks);
        longer += usize::from(ways[0].added_cost() > Some(0));
        world.undo();
    }
    println!(
        "{file}, hpa, {BUILDINGS} buildings: {cut} cut a way, {longer} make it longer; all as foreseen"
    );
    report("would_block, one pair", &mut blocking_us);
    report("what_if, one pair", &mut what_if_us);
    report("edit, for comparison", &mut edit_us);
    Ok(())
}
