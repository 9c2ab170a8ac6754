//! What the shape of the ground takes under a planner that follows edits: agents of several sizes, heights, links.
//!
//! `cargo run --release -p highroad-bench --example ground -- ../shared/maps/sc1/AcrosstheCape.map 300 hpa`
//!
//! Queries and edits are seeded. Times are CPU time of the thread; those of queries are the smaller of two passes. Memory is
//! that of the ground, of each kind's own layers, and of its planner.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result};
use highroad::catalog::Spec;
use highroad::grid::{
    Batch, Border, BorderSide, CellRect, Footprint, Grid, KindId, Link, Movement, Slopes,
};
use highroad::planner::{CatchUp, PathQuery, Planner, Scratch};
use highroad::{Cell, GridMap, Terrain};
use highroad_lab::generate::Random;
use highroad_lab::thread_time::timed;
use highroad_lab::workload::seeded_queries;

const PASSES: usize = 2;
const EDITS: usize = 200;
const LINKS: usize = 200;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("which map?")?;
    let count: usize = arguments.next().map_or(Ok(300), |count| count.parse())?;
    let spec: Spec = arguments.next().as_deref().unwrap_or("hpa").parse()?;
    let map = GridMap::from_movingai(&std::fs::read(path)?)?;
    memory(&spec, &map)?;
    let of_size =
        |size| Ok::<_, anyhow::Error>(Movement::default().with_footprint(Footprint::new(size)?));
    measure(&spec, "size 1", Grid::new(map.clone(), of_size(1)?), count)?;
    measure(&spec, "size 3", Grid::new(map.clone(), of_size(3)?), count)?;
    let slopes = Slopes::new().with_climb_max(6).with_drop_max(9).with_uphill(20).with_downhill(5);
    let hills = Grid::new(raised(&map), Movement::default().with_slopes(slopes)?);
    measure(&spec, "heights", hills, count)?;
    measure(&spec, "200 links", Grid::with_defaults(linked(&map)), count)
}

/// Bytes a cell for one, two and four sizes, each with a planner of its own.
fn memory(spec: &Spec, map: &GridMap) -> Result<()> {
    let cells = map.extent().cell_count() as f64;
    for sizes in [&[1][..], &[1, 3], &[1, 2, 3, 4]] {
        let movement = |size| {
            Ok::<_, anyhow::Error>(Movement::default().with_footprint(Footprint::new(size)?))
        };
        let first = Grid::new(map.clone(), movement(sizes[0])?);
        let mut kinds = Vec::new();
        for (number, &size) in (1..).zip(&sizes[1..]) {
            kinds.push(first.another_kind(KindId(number), movement(size)?));
        }
        kinds.insert(0, first);
        let shared = kinds[0].shared_bytes();
        let own: usize = kinds.iter().map(Grid::own_bytes).sum();
        let mut planners = 0;
        for grid in &kinds {
            planners += spec.build(grid)?.memory_bytes();
        }
        println!(
            "sizes {sizes:?}: {:.2} bytes a cell: ground {:.2}, layers {:.2}, {spec} {:.2}",
            (shared + own + planners) as f64 / cells,
            shared as f64 / cells,
            own as f64 / cells,
            planners as f64 / cells,
        );
    }
    Ok(())
}

/// The map with hills: heights rise towards the middle of squares.
fn raised(map: &GridMap) -> GridMap {
    let mut raised = map.clone();
    for cell in map.extent().cells() {
        let ramp = |at: u32, period: u32| (at % period).min(period - at % period);
        let height = ramp(cell.x, 96).min(ramp(cell.y, 80)) + ramp(cell.x + cell.y, 31) / 2;
        raised.set_height(cell, height as u16);
    }
    raised
}

/// The map with links between random cells that can be walked on.
fn linked(map: &GridMap) -> GridMap {
    let (grid, mut linked, mut random) =
        (Grid::with_defaults(map.clone()), map.clone(), Random::new(7));
    while linked.link_list().len() < LINKS {
        let [from, to] = [free_cell(&grid, &mut random), free_cell(&grid, &mut random)];
        if from != to && grid.domain_of(from) == grid.domain_of(to) {
            let link = Link::new(from, to, 20 * 2 * 2378);
            linked.add_link(link.with_way_back()).ok();
        }
    }
    linked
}

fn free_cell(grid: &Grid, random: &mut Random) -> Cell {
    loop {
        let x = random.below(grid.extent().width().into()) as u32;
        let cell = Cell::new(x, random.below(grid.extent().height().into()) as u32);
        if grid.is_enterable(cell) {
            return cell;
        }
    }
}

fn measure(spec: &Spec, what: &str, grid: Grid, count: usize) -> Result<()> {
    let mut scratch = Scratch::new();
    let queries: Vec<PathQuery> = seeded_queries(&grid, count, 1)
        .iter()
        .map(|query| PathQuery::new(query.start, query.goal))
        .collect();
    let exact: Spec = "astar".parse()?;
    let exact = exact.build(&grid)?;
    let (built, build_us) = timed(|| spec.build(&grid));
    let mut planner = built?;
    let (mut time_us, mut exact_us, mut above, mut worst) = (0.0, 0.0, 0.0, 0.0f64);
    let (mut found, mut by_links) = (0, 0);
    for query in &queries {
        let mut best = f64::INFINITY;
        let mut path = None;
        for _ in 0..PASSES {
            let (answer, took_us) = timed(|| planner.solve(&grid, query, &mut scratch));
            best = best.min(took_us);
            path = answer?.path();
        }
        let (answer, took_us) = timed(|| exact.solve(&grid, query, &mut scratch));
        let least = answer?.path();
        time_us += best;
        exact_us += took_us;
        anyhow::ensure!(least.is_some() == path.is_some(), "both find a path, or none");
        let Some((path, least)) = path.zip(least) else { continue };
        found += 1;
        by_links += u32::from(path.links(&grid).next().is_some());
        let more = (path.cost().0 - least.cost().0) as f64 / least.cost().0.max(1) as f64 * 100.0;
        above += more;
        worst = worst.max(more);
    }
    let count = queries.len() as f64;
    println!(
        "{what}: build {:.2} s, {:.2} MB; query {:.0} µs (A* {:.0}), {:.3} % above optimal, at most {worst:.2} %; \
         {found} of {count} have a path, {by_links} by links",
        build_us / 1e6,
        planner.memory_bytes() as f64 / 1e6,
        time_us / count,
        exact_us / count,
        above / f64::from(found.max(1)),
    );
    edit(grid, planner.as_mut(), &mut scratch)
}

/// Edits of every kind that the planner follows, each taken back.
fn edit(mut grid: Grid, planner: &mut dyn Planner, scratch: &mut Scratch) -> Result<()> {
    let mut random = Random::new(1);
    for (kind, what) in ["wall", "height", "border", "link"].into_iter().enumerate() {
        let mut times = Vec::new();
        while times.len() < EDITS {
            let cell = free_cell(&grid, &mut random);
            let mut batch = Batch::new();
            match kind {
                0 => _ = batch.set(cell, Terrain::WALL),
                1 => _ = batch.height(CellRect::from(cell), 1 + random.below(4) as u16),
                2 if grid.map().border(cell, BorderSide::East).is_none() => continue,
                2 => _ = batch.borders(CellRect::from(cell), BorderSide::East, Border::Closed),
                _ => {
                    let to = free_cell(&grid, &mut random);
                    if to == cell || grid.domain_of(to) != grid.domain_of(cell) {
                        continue;
                    }
                    batch.open_link(Link::new(cell, to, 20 * 2 * 2378));
                }
            }
            let mut undo = Vec::new();
            for back in [false, true] {
                let made = if back { Batch::undoing(&undo) } else { batch.clone() };
                let (caught, took_us) = timed(|| {
                    undo = grid.apply(&made)?;
                    Ok::<_, anyhow::Error>(planner.catch_up(&grid, &undo, scratch))
                });
                anyhow::ensure!(caught? == CatchUp::Done, "it follows a {what}");
                times.push(took_us);
            }
        }
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let [median, most] = [2, 1].map(|part| times[(times.len() - 1) / part]);
        println!("    edit of a {what}: mean {mean:.0} µs, median {median:.0}, longest {most:.0}");
    }
    planner.verify(&grid).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    println!("    what was patched is right");
    Ok(())
}
