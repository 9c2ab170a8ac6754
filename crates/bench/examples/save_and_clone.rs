//! What saving, loading and cloning a simulation takes, and whether the loaded one and the clone go on as the original.
//!
//! `cargo run --release -p highroad-bench --example save_and_clone -- ../shared/maps/sc1/AcrosstheCape.map`
//!
//! Agents cross the map while single cells change; in the middle of it the simulation is saved, loaded and cloned. Then
//! all three are driven by the same edits for the next 1,000 answers and as many events.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result, ensure};
use highroad::catalog::Spec;
use highroad::grid::{Batch, Grid};
use highroad::simulation::AgentEvent;
use highroad::{AgentPlan, Budget, Cell, GridMap, PathWorld, Simulation, Terrain};
use highroad_bench::largest_part;
use std::time::Instant;

const AGENTS: usize = 1000;
const TICKS_BEFORE: usize = 60;
const ANSWERS: u64 = 1000;

/// Numbers that look random and are the same everywhere.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) as usize % limit
    }
}

/// One tick: ten cells open or close.
fn tick(simulation: &mut Simulation, cells: &[Cell], dice: &mut Dice) -> Result<u64> {
    let mut batch = Batch::new();
    for _ in 0..10 {
        let terrain = if dice.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
        batch.set(cells[dice.below(cells.len())], terrain);
    }
    simulation.edit(&batch)?;
    Ok(simulation.tick().answered)
}

/// The shortest of some runs, in milliseconds, and what the last one made.
fn time<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut made = work();
    for _ in 0..runs {
        let begun = Instant::now();
        made = work();
        best = best.min(begun.elapsed().as_secs_f64() * 1e3);
    }
    (best, made)
}

fn measure(map: &GridMap, planner: &str) -> Result<()> {
    let spec: Spec = planner.parse()?;
    let grid = Grid::with_defaults(map.clone());
    let cells = largest_part(&grid);
    ensure!(!cells.is_empty(), "the map has no open cell");
    let begun = Instant::now();
    let world = PathWorld::new(map.clone()).with_planner(spec).with_lockstep(20).build()?;
    let build_ms = begun.elapsed().as_secs_f64() * 1e3;
    let mut simulation = Simulation::new(world, Budget::expansions(20_000));
    let mut dice = Dice(17);
    for _ in 0..AGENTS {
        let (start, goal) = (cells[dice.below(cells.len())], cells[dice.below(cells.len())]);
        simulation.add(AgentPlan::new(start, goal));
    }
    for _ in 0..TICKS_BEFORE {
        tick(&mut simulation, &cells, &mut dice)?;
    }
    simulation.take_events();
    let waiting = simulation.world().waiting();
    let (save_ms, bytes) = time(5, || simulation.save());
    let (load_ms, loaded) = time(3, || Simulation::load(&bytes));
    let (clone_ms, mut clone) = time(20, || simulation.clone());
    let mut loaded = loaded?;

    let (mut answers, mut events, mut equal) = (0, Vec::<AgentEvent>::new(), true);
    while answers < ANSWERS || (events.len() as u64) < ANSWERS {
        let mut same = [dice.clone(), dice.clone()];
        let answered = tick(&mut simulation, &cells, &mut dice)?;
        let others =
            [tick(&mut loaded, &cells, &mut same[0])?, tick(&mut clone, &cells, &mut same[1])?];
        let next = simulation.take_events();
        equal &= others == [answered; 2];
        equal &= loaded.take_events() == next && clone.take_events() == next;
        answers += answered;
        events.extend(next);
    }
    let same_ways = |other: &Simulation| {
        let ways = simulation.agents().iter().zip(other.agents());
        ways.filter(|(own, other)| own.ahead() == other.ahead()).count()
    };
    let ways = [same_ways(&loaded), same_ways(&clone)];
    println!(
        "{planner:<12} build {build_ms:8.1} ms  save {save_ms:7.2} ms  {:9} bytes  load {load_ms:8.1} ms  \
         clone {clone_ms:7.3} ms  waiting {waiting:4}  answers {answers}  events {}  equal {equal}  ways {ways:?}",
        bytes.len(),
        events.len(),
    );
    ensure!(equal, "{planner}: the loaded simulation or the clone differs");
    Ok(())
}

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("give the file of a map")?;
    let text = std::fs::read(&file).with_context(|| format!("reading {file}"))?;
    let map = GridMap::from_movingai(&text)?;
    println!("{file}: {AGENTS} agents, ten changed cells a tick");
    for planner in ["hpa", "pra"] {
        measure(&map, planner)?;
    }
    Ok(())
}
