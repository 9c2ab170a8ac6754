//! Ten thousand agents on a map that changes a hundred times a second, at sixty ticks a second.
//!
//! `cargo run --release -p highroad --example ten_thousand_agents`

#![allow(clippy::print_stdout)]

use highroad::grid::Batch;
use highroad::hierarchy::HpaOptions;
use highroad::simulation::{AgentId, AgentState, Pace};
use highroad::{AgentPlan, Budget, Cell, GridMap, PathWorld, Simulation, Terrain};
use std::time::{Duration, Instant};

const SIDE: u32 = 512;
const TICK: Duration = Duration::from_micros(16_667);

/// Numbers that are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    /// A cell that can be entered.
    fn place(&mut self, world: &PathWorld) -> Cell {
        loop {
            let cell = Cell::new(self.below(SIDE), self.below(SIDE));
            if world.grid().is_enterable(cell) {
                return cell;
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = GridMap::from_fn(SIDE, SIDE, |Cell { x, y }| {
        let wall = x % 24 == 23 && y % 24 > 3 || y % 24 == 23 && x % 24 > 3;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    })?;
    let world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;
    // Counted in expansions, a tick does the same on every machine.
    let mut simulation = Simulation::new(world, Budget::expansions(15_000));
    let mut random = Random(1);
    for _ in 0..10_000 {
        let (start, goal) = (random.place(simulation.world()), random.place(simulation.world()));
        // Six cells a second, setting off as soon as the first sixteen steps are known.
        let plan = AgentPlan::new(start, goal).with_pace(Pace::new(6, 60)).with_first_leg(16);
        simulation.add(plan.without_improving());
    }

    let (mut longest, mut held, mut arrivals) = (Duration::ZERO, 0, 0);
    let ticks = 10 * 60;
    for tick in 0..ticks {
        let begun = Instant::now();
        for _ in tick * 100 / 60..(tick + 1) * 100 / 60 {
            let cell = Cell::new(random.below(SIDE), random.below(SIDE));
            let open = simulation.world().grid().is_enterable(cell);
            let mut batch = Batch::new();
            batch.set(cell, if open { Terrain::WALL } else { Terrain::GROUND });
            simulation.edit(&batch)?;
        }
        simulation.tick();
        let took = begun.elapsed();
        longest = longest.max(took);
        held += u32::from(took <= TICK);

        // Agents that have arrived, or cannot arrive, get a new goal.
        for number in 0..simulation.agents().len() {
            let state = simulation.agents()[number].state();
            arrivals += u32::from(state == AgentState::Arrived);
            if matches!(state, AgentState::Arrived | AgentState::Stopped(_)) {
                let goal = random.place(simulation.world());
                simulation.send(AgentId(number as u32), goal);
            }
        }
        simulation.take_events();
    }
    println!("{held} of {ticks} ticks within {TICK:?}, the longest {longest:?}");
    println!("{} ways changed, {arrivals} arrivals", simulation.replans());
    println!("{} MB", simulation.memory_bytes() / 1_000_000);
    Ok(())
}
