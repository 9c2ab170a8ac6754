//! A crowd on a map that changes all the time: thousands of agents, random edits, ticks measured.

use crate::generate::Random;
use crate::storm::random_edit;
use crate::table::{mean, quantile};
use crate::thread_time::timed;
use highroad::crowd::{Body, BodyPlan, CrowdOptions, fits};
use highroad::grid::{Batch, Components, EditError, Grid};
use highroad::simulation::{AgentId, AgentState, Pace, StopReason};
use highroad::world::{BuildWorldError, Recipe};
use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation, Terrain};
use serde::Serialize;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Who walks, what changes, and how much a tick may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdPlan {
    /// How many agents.
    pub agents: u32,
    /// Single cells that change a second.
    pub edits_per_second: u32,
    /// Ticks a second.
    pub ticks_per_second: u32,
    /// Ticks in all.
    pub ticks: u64,
    /// Cells that an agent walks a second.
    pub cells_per_second: u32,
    /// Expansions that the world may make a tick.
    pub budget: u64,
    /// Instead, microseconds that it may take for requests; then what happens depends on the machine.
    pub budget_us: Option<u64>,
    /// Goals in a hundred that lie in other parts of the map, so that no way leads there.
    pub unreachable_percent: u8,
    /// Whether agents look for shorter ways when something opens.
    pub improves: bool,
    /// Ticks after which a planner that was made in the background takes over.
    pub lockstep_ticks: u64,
    /// Where the randomness begins.
    pub seed: u64,
    /// Whether ticks come at their time, as in a game, and not one right after another.
    pub paced: bool,
    /// Whether agents have bodies of radius 0.4, which avoid each other. No edit touches them then.
    pub bodies: bool,
    /// Whether agents follow flow fields.
    pub fields: bool,
    /// How many goals there are; 0 if each agent has a goal of its own each time.
    pub goals: u32,
}

/// What came of it. All but the times is the same on every machine, if the budget is in expansions. Times are processor
/// time where one thread works, and by the clock where several do.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CrowdReport {
    /// Ticks measured.
    pub ticks: u64,
    /// Share of ticks, edits included, that took no longer than a tick lasts, in per cent.
    pub ticks_held_percent: f64,
    /// The longest tick, in microseconds.
    pub tick_max_us: f64,
    /// The 99.9th percentile of a tick's time, in microseconds.
    pub tick_p999_us: f64,
    /// The 99th percentile of a tick's time, in microseconds.
    pub tick_p99_us: f64,
    /// The mean of a tick's time, in microseconds.
    pub tick_mean_us: f64,
    /// The longest edit of a cell, in microseconds.
    pub edit_max_us: f64,
    /// The mean of an edit's time, in microseconds.
    pub edit_mean_us: f64,
    /// Cells changed.
    pub edits: u64,
    /// Paths that agents were given instead of one that was cut or more costly, a second of the simulation.
    pub replans_per_second: f64,
    /// All requests answered, a second of the simulation.
    pub answers_per_second: f64,
    /// Ticks until every agent had its first path.
    pub settled_after_ticks: u64,
    /// The most requests that were left waiting after a tick, once every agent had had its first path.
    pub waiting_max: usize,
    /// Times that an agent reached its goal.
    pub arrivals: u64,
    /// Times that an agent found no way to it.
    pub unreachable: u64,
    /// Agents buried at the end.
    pub buried: u64,
    /// Microseconds of a tick, without edits, for each agent.
    pub agent_tick_us: f64,
    /// How deep two bodies overlapped at most, in per cent of the radius.
    pub overlap_percent: f64,
    /// How often a body was in a wall at the end of a tick.
    pub in_walls: u64,
    /// Bytes held by map, planners, searches and agents after a tenth of the ticks.
    pub memory_bytes_early: usize,
    /// Bytes held by map, planners, searches and agents at the end.
    pub memory_bytes: usize,
    /// The number of lines of the event log.
    pub log_lines: u64,
    /// The hash of the event log: the same log has the same hash.
    pub log_hash: u64,
}

/// Why no crowd can walk there.
#[derive(Debug, Error)]
pub enum CrowdError {
    /// The planner cannot be made.
    #[error(transparent)]
    World(#[from] BuildWorldError),
    /// A random edit lies outside, which would be a defect.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// There is no room for anyone.
    #[error("agents can stand on no cell of the map")]
    NoRoom,
}

/// Places in the largest part of a map, so that most agents can reach most goals.
struct Places {
    cells: Vec<Cell>,
    /// Those of all other parts.
    apart: Vec<Cell>,
    /// The goals, if there are only some.
    goals: Vec<Cell>,
}

impl Places {
    fn new(grid: &Grid) -> Result<Self, CrowdError> {
        let parts = Components::of(grid);
        let largest = (0..parts.count()).max_by_key(|&part| parts.sizes()[part]);
        let largest = largest.ok_or(CrowdError::NoRoom)?;
        let numbers = parts.numbers().iter();
        let cells =
            grid.extent().cells().zip(numbers).map(|(cell, &number)| (cell, number as usize));
        let inside = cells.filter(|&(_, number)| number < parts.count());
        let (cells, apart): (Vec<_>, Vec<_>) = inside.partition(|&(_, number)| number == largest);
        let places = |cells: Vec<(Cell, usize)>| cells.into_iter().map(|(cell, _)| cell).collect();
        Ok(Self { cells: places(cells), apart: places(apart), goals: Vec::new() })
    }

    /// A random one that can be entered now.
    fn draw(&self, grid: &Grid, random: &mut Random) -> Cell {
        let mut draw = || self.cells[random.below(self.cells.len() as u64) as usize];
        let open = (0..1000).map(|_| draw()).find(|&cell| grid.is_enterable(cell));
        open.unwrap_or(self.cells[0])
    }

    /// A random goal: some in a hundred where no way leads, as far as the map has such places.
    fn draw_goal(&self, grid: &Grid, random: &mut Random, unreachable_percent: u8) -> Cell {
        let apart = unreachable_percent > 0
            && !self.apart.is_empty()
            && random.below(100) < u64::from(unreachable_percent);
        if !apart && !self.goals.is_empty() {
            return self.goals[random.below(self.goals.len() as u64) as usize];
        }
        if !apart {
            return self.draw(grid, random);
        }
        let mut draw = || self.apart[random.below(self.apart.len() as u64) as usize];
        let open = (0..1000).map(|_| draw()).find(|&cell| grid.is_enterable(cell));
        open.unwrap_or(self.apart[0])
    }
}

/// What something returns, and the microseconds it takes: of processor time, unless several threads work on it.
fn measured<T>(work: impl FnOnce() -> T) -> (T, f64) {
    if rayon::current_num_threads() == 1 {
        return timed(work);
    }
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed().as_secs_f64() * 1e6)
}

/// Lets a crowd walk. `log` hears of each line of the event log.
pub fn crowd(
    grid: Grid,
    planner: impl Recipe + 'static,
    plan: CrowdPlan,
    mut log: impl FnMut(&str),
) -> Result<CrowdReport, CrowdError> {
    let mut places = Places::new(&grid)?;
    let terrains: Vec<Terrain> = grid.map().terrains().collect();
    let world =
        PathWorld::on(grid).with_planner(planner).with_lockstep(plan.lockstep_ticks).build()?;
    let budget = plan.budget_us.map_or(Budget::expansions(plan.budget), Budget::micros);
    let mut simulation = Simulation::new(world, budget);
    let mut random = Random::new(plan.seed);
    let goals = 0..plan.goals;
    places.goals = goals.map(|_| places.draw(simulation.world().grid(), &mut random)).collect();
    let pace = Pace::new(plan.cells_per_second, plan.ticks_per_second);
    let mut options = CrowdOptions::default();
    options.tick_seconds = 1.0 / f64::from(plan.ticks_per_second.max(1));
    simulation = simulation.with_crowd_options(options);
    let mut taken = HashSet::new();
    for _ in 0..plan.agents {
        let mut start = places.draw(simulation.world().grid(), &mut random);
        // Bodies start apart, as long as there is room.
        let mut tries = 0;
        while plan.bodies && !taken.insert(start) && tries < 1000 {
            start = places.draw(simulation.world().grid(), &mut random);
            tries += 1;
        }
        let grid = simulation.world().grid();
        let goal = places.draw_goal(grid, &mut random, plan.unreachable_percent);
        let mut agent = AgentPlan::new(start, goal);
        if plan.bodies {
            let middle = [f64::from(start.x) + 0.5, f64::from(start.y) + 0.5];
            let speed = f64::from(plan.cells_per_second.max(1)).min(100.0);
            agent = AgentPlan::of_body(BodyPlan::new(middle).with_speed(speed), goal);
        }
        agent = agent.with_pace(pace).with_first_leg(FIRST_LEG);
        (agent.improves, agent.by_field) = (plan.improves, plan.fields);
        simulation.add(agent);
    }
    let mut report = CrowdReport { ticks: plan.ticks, ..CrowdReport::default() };
    let mut hash = LOG_HASH;
    let mut times = Vec::with_capacity(plan.ticks as usize);
    let mut answers = 0;
    let held_us = 1e6 / f64::from(plan.ticks_per_second.max(1));
    for tick in 0..plan.ticks {
        let due = |tick: u64| {
            tick * u64::from(plan.edits_per_second) / u64::from(plan.ticks_per_second.max(1))
        };
        let mut took = 0.0;
        for _ in due(tick)..due(tick + 1) {
            let batch = draw_edit(&simulation, &places, &terrains, &mut random);
            let (edited, edit_us) = measured(|| simulation.edit(&batch));
            edited?;
            took += edit_us;
            report.edits += 1;
            report.edit_mean_us += edit_us;
            report.edit_max_us = report.edit_max_us.max(edit_us);
        }
        let (done, tick_us) = measured(|| simulation.tick());
        took += tick_us;
        report.agent_tick_us += tick_us;
        look_at_bodies(&simulation, &mut report);
        if tick == plan.ticks / 10 {
            report.memory_bytes_early = simulation.memory_bytes();
        }
        times.push(took);
        if plan.paced {
            let left = (held_us - took).max(0.0) / 1e6;
            std::thread::sleep(Duration::from_secs_f64(left));
        }
        answers += done.answered;
        if report.settled_after_ticks == 0 && done.waiting == 0 {
            report.settled_after_ticks = tick + 1;
        }
        if report.settled_after_ticks > 0 {
            report.waiting_max = report.waiting_max.max(done.waiting);
        }
        for event in simulation.take_events() {
            let line = event.to_string();
            hash = hash_line(hash, &line);
            report.log_lines += 1;
            log(&line);
        }
        send_on(&mut simulation, &places, &mut random, plan, &mut report);
    }
    let held = times.iter().filter(|&&us| us <= held_us).count();
    report.ticks_held_percent = 100.0 * held as f64 / times.len().max(1) as f64;
    report.tick_mean_us = mean(&times);
    times.sort_by(f64::total_cmp);
    report.tick_p99_us = quantile(&times, 0.99);
    report.tick_p999_us = quantile(&times, 0.999);
    report.edit_mean_us /= report.edits.max(1) as f64;
    report.agent_tick_us /= (plan.ticks.max(1) * u64::from(plan.agents.max(1))) as f64;
    report.tick_max_us = times.last().copied().unwrap_or(0.0);
    let seconds = plan.ticks as f64 / f64::from(plan.ticks_per_second.max(1));
    report.replans_per_second = simulation.replans() as f64 / seconds;
    report.answers_per_second = answers as f64 / seconds;
    let buried = AgentState::Stopped(StopReason::Buried);
    report.buried =
        simulation.agents().iter().filter(|agent| agent.state() == buried).count() as u64;
    report.memory_bytes = simulation.memory_bytes();
    report.log_hash = hash;
    Ok(report)
}

/// A random edit, of a cell that no body touches and that is no goal of many.
fn draw_edit(
    simulation: &Simulation,
    places: &Places,
    terrains: &[Terrain],
    random: &mut Random,
) -> Batch {
    let grid = simulation.world().grid();
    loop {
        // The cell is that of the next edit drawn from the same numbers.
        let mut same = random.clone();
        let batch = random_edit(grid, terrains, random);
        let (width, height) = (grid.extent().width(), grid.extent().height());
        let (x, y) = (same.below(width.into()) as u32, same.below(height.into()) as u32);
        let is_near = |body: &Body| {
            let apart = |at: f64, cell: u32| (at - f64::from(cell) - 0.5).abs();
            let [at_x, at_y] = body.position();
            apart(at_x, x) < 1.0 && apart(at_y, y) < 1.0
        };
        let is_touched = simulation.crowd().bodies().iter().any(is_near);
        if !is_touched && !places.goals.contains(&Cell::new(x, y)) {
            return batch;
        }
    }
}

/// Takes note of bodies that overlap, and of those in walls.
fn look_at_bodies(simulation: &Simulation, report: &mut CrowdReport) {
    let grid = simulation.world().grid();
    let bodies = simulation.crowd().bodies();
    let is_in_wall = |body: &&Body| !fits(grid, body.position(), body.plan().radius);
    report.in_walls += bodies.iter().filter(is_in_wall).count() as u64;
    let radius = bodies.first().map_or(1.0, |body| body.plan().radius);
    let overlap = 100.0 * simulation.crowd().report().overlap_max / radius;
    report.overlap_percent = report.overlap_percent.max(overlap);
}

/// Steps of the first legs that a crowd asks for.
const FIRST_LEG: u32 = 16;

/// Gives a new goal to agents that have arrived or cannot arrive.
fn send_on(
    simulation: &mut Simulation,
    places: &Places,
    random: &mut Random,
    plan: CrowdPlan,
    report: &mut CrowdReport,
) {
    for number in 0..simulation.agents().len() {
        let counted = match simulation.agents()[number].state() {
            AgentState::Arrived => &mut report.arrivals,
            AgentState::Stopped(StopReason::Unreachable | StopReason::GoalBlocked) => {
                &mut report.unreachable
            }
            _ => continue,
        };
        *counted += 1;
        let grid = simulation.world().grid();
        let goal = places.draw_goal(grid, random, plan.unreachable_percent);
        simulation.send(AgentId(number as u32), goal);
    }
}

/// Where the hash of a log begins.
const LOG_HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over the line and its end.
fn hash_line(hash: u64, line: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    line.bytes().chain([b'\n']).fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::catalog::Spec;

    fn run(planner: &str) -> (CrowdReport, String) {
        run_with(planner, |plan| plan)
    }

    fn run_with(
        planner: &str,
        change: impl FnOnce(CrowdPlan) -> CrowdPlan,
    ) -> (CrowdReport, String) {
        let recipe: crate::generate::MapRecipe =
            "caves width=120 height=90 noise=45 steps=4 joined=yes seed=2".parse().unwrap();
        let grid = Grid::with_defaults(recipe.generate().unwrap());
        let plan = CrowdPlan {
            agents: 150,
            edits_per_second: 100,
            ticks_per_second: 60,
            ticks: 240,
            cells_per_second: 20,
            budget: 3000,
            budget_us: None,
            unreachable_percent: 5,
            improves: true,
            lockstep_ticks: 12,
            seed: 9,
            paced: false,
            bodies: false,
            fields: false,
            goals: 0,
        };
        let plan = change(plan);
        let spec: Spec = planner.parse().unwrap();
        let mut log = String::new();
        let report = crowd(grid, spec, plan, |line| {
            log.push_str(line);
            log.push('\n');
        });
        (report.unwrap(), log)
    }

    #[test]
    fn a_crowd_walks_replans_and_arrives_the_same_way_every_time() {
        for planner in ["hpa", "subgoal"] {
            let (report, log) = run(planner);
            let (again, same) = run(planner);
            assert!(log == same && report.log_hash == again.log_hash, "{planner}: another log");
            assert_eq!(report.edits, 400);
            assert!(report.arrivals > 20 && report.replans_per_second > 1.0, "{report:?}");
            assert_eq!(report.log_lines as usize, log.lines().count());
            assert!(report.settled_after_ticks > 1, "the budget is small: {report:?}");
        }
    }

    #[test]
    fn bodies_by_fields_and_by_paths_arrive_apart_and_outside_of_walls() {
        for fields in [true, false] {
            let change = |plan| CrowdPlan {
                bodies: true,
                fields,
                goals: 3,
                cells_per_second: 6,
                ticks: 900,
                budget: 20_000,
                ..plan
            };
            let (report, log) = run_with("hpa", change);
            assert!(log == run_with("hpa", change).1, "another log");
            assert!(report.arrivals > if fields { 50 } else { 20 }, "{report:?}");
            assert_eq!(report.in_walls, 0);
            assert!(
                report.overlap_percent < 5.0,
                "in narrow caves, at 6 cells a second: {report:?}"
            );
        }
    }

    #[test]
    fn a_map_without_room_is_refused() {
        let grid = Grid::with_defaults("##\n".parse().unwrap());
        let plan = CrowdPlan {
            agents: 1,
            edits_per_second: 1,
            ticks_per_second: 0,
            ticks: 1,
            cells_per_second: 0,
            budget: 1,
            budget_us: None,
            unreachable_percent: 0,
            improves: false,
            lockstep_ticks: 0,
            seed: 0,
            paced: false,
            bodies: false,
            fields: false,
            goals: 0,
        };
        let spec: Spec = "astar".parse().unwrap();
        assert!(matches!(crowd(grid, spec, plan, |_| ()), Err(CrowdError::NoRoom)));
    }
}
