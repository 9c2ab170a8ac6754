//! A crowd with flow fields and avoidance on a map that changes.
//!
//! `cargo run --release -p highroad-bench --example crowd -- ../shared/maps/sc1/AcrosstheCape.map [agents] [seconds] [goals]`
//!
//! Agents of radius 0.4 walk to one of some goals, and to another one when they have arrived. A hundred times a second a cell
//! opens or closes, never one that an agent touches or that is a goal. A tick is the edits, 10,000 looks at cells for the
//! fields, and the crowd; times are by the clock.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result, ensure};
use highroad::crowd::{BodyId, BodyPlan, BodyState, Crowd, CrowdEvent, CrowdOptions, fits};
use highroad::field::{FlowFields, FlowId};
use highroad::grid::{Batch, KindId};
use highroad::{Cell, GridMap, PathWorld, Terrain};
use highroad_bench::largest_part;
use highroad_lab::generate::Random;
use std::collections::HashSet;
use std::time::Instant;

const TICKS_PER_SECOND: u64 = 60;
const EDITS_PER_SECOND: u64 = 100;
const LOOKS_PER_TICK: u64 = 10_000;
const MEMORY: usize = 256 << 20;

struct Run {
    world: PathWorld,
    fields: FlowFields,
    goals: Vec<[Cell; 1]>,
    crowd: Crowd,
    cells: Vec<Cell>,
    random: Random,
    built: Vec<Cell>,
}

impl Run {
    fn new(map: GridMap, agents: usize, goals: usize) -> Result<Self> {
        let world = PathWorld::new(map);
        let cells = largest_part(world.grid());
        ensure!(!cells.is_empty(), "the map has no open cell");
        let mut run = Self {
            world,
            fields: FlowFields::new(MEMORY),
            goals: Vec::new(),
            crowd: Crowd::new(CrowdOptions::default()),
            cells,
            random: Random::new(17),
            built: Vec::new(),
        };
        run.goals = (0..goals).map(|_| [run.cell()]).collect();
        let mut taken = HashSet::new();
        while run.crowd.bodies().len() < agents {
            let cell = run.cell();
            if taken.insert(cell) {
                let middle = [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5];
                let body = run.crowd.add(run.world.grid(), BodyPlan::new(middle))?;
                run.send(body)?;
            }
        }
        Ok(run)
    }

    fn cell(&mut self) -> Cell {
        self.cells[self.random.below(self.cells.len() as u64) as usize]
    }

    fn send(&mut self, body: BodyId) -> Result<()> {
        let goal = self.goals[self.random.below(self.goals.len() as u64) as usize];
        let field: FlowId = self.fields.open(self.world.grid(), &goal)?;
        self.crowd.send(body, field);
        Ok(())
    }

    /// Opens or closes a cell that nobody touches.
    fn edit(&mut self) -> Result<()> {
        let mut batch = Batch::new();
        if self.built.len() > 2000 {
            let at = self.random.below(self.built.len() as u64) as usize;
            batch.set(self.built.swap_remove(at), Terrain::GROUND);
        } else {
            let cell = self.cell();
            let near = |position: [f64; 2]| {
                let apart = |at: f64, cell: u32| (at - f64::from(cell) - 0.5).abs();
                apart(position[0], cell.x) < 1.0 && apart(position[1], cell.y) < 1.0
            };
            let touched = self.crowd.bodies().iter().any(|body| near(body.position()));
            if touched || self.goals.contains(&[cell]) || !self.world.grid().is_enterable(cell) {
                return Ok(());
            }
            self.built.push(cell);
            batch.set(cell, Terrain::WALL);
        }
        self.world.apply(&batch)?;
        self.world.update_fields(KindId::DEFAULT, &mut self.fields);
        Ok(())
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("give the file of a map")?;
    let mut number = |usual: usize| arguments.next().map_or(Ok(usual), |text| text.parse());
    let (agents, seconds, goals) = (number(10_000)?, number(60)?, number(8)?);
    let text = std::fs::read(&file).with_context(|| format!("reading {file}"))?;
    let mut run = Run::new(GridMap::from_movingai(&text)?, agents, goals)?;
    let begun = Instant::now();
    while run.fields.advance(u64::MAX) > 0 {}
    println!(
        "{file}: {agents} agents, {goals} goals; fields made in {:.0} ms, {:.0} MB",
        begun.elapsed().as_secs_f64() * 1e3,
        run.fields.memory_bytes() as f64 / 1e6
    );
    let (mut times_ms, mut crowd_ms) = (Vec::new(), 0.0);
    let (mut overlaps, mut walls, mut arrivals, mut edits) = (Vec::new(), 0, 0_u64, 0);
    let mut memory = [0; 2];
    for tick in 0..seconds as u64 * TICKS_PER_SECOND {
        let begun = Instant::now();
        while edits * TICKS_PER_SECOND < tick * EDITS_PER_SECOND {
            run.edit()?;
            edits += 1;
        }
        run.fields.advance(LOOKS_PER_TICK);
        let crowd_begun = Instant::now();
        let report = run.crowd.tick(run.world.grid(), &run.fields);
        crowd_ms += crowd_begun.elapsed().as_secs_f64() * 1e3;
        times_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        overlaps.push(report.overlap_max);
        for event in run.crowd.take_events() {
            if let CrowdEvent::Changed { body, state: BodyState::Arrived } = event {
                arrivals += 1;
                run.send(body)?;
            }
        }
        let grid = run.world.grid();
        let inside = |body: &&highroad::crowd::Body| !fits(grid, body.position(), 0.4);
        walls += run.crowd.bodies().iter().filter(inside).count();
        memory[usize::from(tick > 600)] = run.fields.memory_bytes();
    }
    let ticks = times_ms.len() as f64;
    let held = times_ms.iter().filter(|&&time| time <= 1e3 / TICKS_PER_SECOND as f64).count();
    times_ms.sort_by(f64::total_cmp);
    let at = |share: f64| times_ms[((ticks - 1.0) * share) as usize];
    println!(
        "{ticks} ticks: {:.2} % within 16.7 ms; mean {:.2} ms, p99 {:.2}, p99.9 {:.2}, longest {:.2}",
        100.0 * held as f64 / ticks,
        times_ms.iter().sum::<f64>() / ticks,
        at(0.99),
        at(0.999),
        at(1.0)
    );
    println!(
        "the crowd alone {:.3} us for each agent and tick; {arrivals} arrivals; {edits} edits",
        crowd_ms * 1e3 / ticks / agents as f64
    );
    overlaps.sort_by(f64::total_cmp);
    let overlap = |share: f64| overlaps[((ticks - 1.0) * share) as usize] / 0.4 * 100.0;
    println!(
        "largest overlap of a tick, in per cent of the radius: median {:.2}, p99 {:.2}, largest {:.2}; \
         {walls} times somebody in a wall; fields {:.0} and {:.0} MB",
        overlap(0.5),
        overlap(0.99),
        overlap(1.0),
        memory[0] as f64 / 1e6,
        memory[1] as f64 / 1e6
    );
    Ok(())
}
