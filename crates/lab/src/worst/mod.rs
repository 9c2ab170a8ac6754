//! Worst cases: what a planner and the ticks of a world take where things go badly.
//!
//! A cliff is a case that takes many times what the usual case takes. Each row stands for one case, so that a cliff
//! shows as soon as it appears. Times are processor time of the one thread that works ([`crate::thread_time`]).

mod case;

pub use case::{WORST_CASES, WorstCase};

use crate::generate::Random;
use crate::storm::random_edit;
use crate::table::{mean, quantile};
use crate::thread_time::timed;
use case::Pairs;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::{EditError, Grid};
use highroad::planner::{PathQuery, Scratch};
use highroad::requests::Ticket;
use highroad::world::BuildWorldError;
use highroad::{Budget, PathWorld, Reply, Request, Terrain};
use serde::Serialize;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstPlan {
    /// Queries that are measured one by one.
    pub queries: usize,
    /// Requests that wait at a time while ticks are measured.
    pub requests: usize,
    /// Microseconds that a tick may take.
    pub budget_us: u64,
    /// Ticks that are measured, after a quarter as many that are not.
    pub ticks: usize,
    /// Where the randomness begins.
    pub seed: u64,
}

impl Default for WorstPlan {
    fn default() -> Self {
        Self { queries: 100, requests: 400, budget_us: 1000, ticks: 2000, seed: 1 }
    }
}

/// How times are spread, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The mean of the times, in microseconds.
    pub mean_us: f64,
    /// The 99th percentile of the times, in microseconds.
    pub p99_us: f64,
    /// The 99.9th percentile of the times, in microseconds.
    pub p999_us: f64,
    /// The longest time, in microseconds.
    pub max_us: f64,
}

impl Spread {
    /// Of some times.
    pub fn of(mut times_us: Vec<f64>) -> Self {
        if times_us.is_empty() {
            return Self::default();
        }
        times_us.sort_by(f64::total_cmp);
        Self {
            count: times_us.len(),
            mean_us: mean(&times_us),
            p99_us: quantile(&times_us, 0.99),
            p999_us: quantile(&times_us, 0.999),
            max_us: times_us[times_us.len() - 1],
        }
    }
}

/// Planners that are measured unless others are named.
pub const USUAL_PLANNERS: &[&str] = &["hpa", "pra", "jps", "astar", "hub-labels"];

/// Maps that are measured on unless others are named: how each is made, by its name.
pub const USUAL_MAPS: &[(&str, &str)] = &[
    ("caves 512", "caves width=512 height=512 noise=46 steps=5 joined=no seed=1"),
    ("rooms 384", "rooms width=385 height=385 room=15 doors=70 seed=5"),
];

/// What one planner did in one case on one map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstRow {
    /// The map.
    pub map: String,
    /// The planner, as asked for.
    pub planner: String,
    /// The case.
    pub case: &'static str,
    /// Answers to single queries.
    pub answers: Spread,
    /// In cases without a path, answers on the same ground between places that a path joins.
    pub joined: Option<Spread>,
    /// Ticks within the budget of time.
    pub ticks: Spread,
    /// Requests answered a tick.
    pub answered_per_tick: f64,
    /// Edits, in cases that have any.
    pub edits: Spread,
    /// Microseconds that an expansion takes where the budget is in expansions.
    pub expansion_us: f64,
    /// Bytes held by the world in the end.
    pub memory_bytes: usize,
}

impl WorstRow {
    /// How many times as long as in the usual case an answer takes in the mean. In cases without a path that is the usual
    /// case on the same ground, walls of the case included; else the row of the same planner on the same map.
    pub fn ratio(&self, rows: &[Self]) -> Option<f64> {
        if let Some(joined) = self.joined.filter(|joined| joined.mean_us > 0.0) {
            return Some(self.answers.mean_us / joined.mean_us);
        }
        let same = |row: &&Self| (&row.map, &row.planner) == (&self.map, &self.planner);
        let usual =
            rows.iter().filter(same).find(|row| row.case == WorstCase::Usual.name())?.answers;
        (usual.mean_us > 0.0).then(|| self.answers.mean_us / usual.mean_us)
    }
}

/// Why a case could not be measured.
#[derive(Debug, Error)]
pub enum WorstError {
    /// The planner does not serve the map, or its options are wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The world cannot be made.
    #[error(transparent)]
    World(#[from] BuildWorldError),
    /// The case's edit does not fit the map.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// No thread could be begun.
    #[error("no thread to measure on: {0}")]
    Thread(#[from] rayon::ThreadPoolBuildError),
}

/// Measures one planner in one case. `None` if the map has nothing that the case needs: two places to go between.
pub fn measure_worst(
    name: &str,
    grid: &Grid,
    spec: &Spec,
    case: WorstCase,
    plan: WorstPlan,
) -> Result<Option<WorstRow>, WorstError> {
    let mut random = Random::new(plan.seed);
    let grid = case.ground(grid, &mut random)?;
    let Some(pairs) = Pairs::of(&grid, case) else { return Ok(None) };
    // One thread of a pool of its own: there, a tick works on the thread that asks for it.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let answers = measure_answers(&grid, spec, &pairs, plan, &mut random)?;
        let joined = match case.has_paths() {
            true => None,
            false => Pairs::of(&grid, WorstCase::Usual),
        };
        let joined = joined.map(|pairs| measure_answers(&grid, spec, &pairs, plan, &mut random));
        let joined = joined.transpose()?;
        let world = PathWorld::on(grid).with_planner(spec.clone()).build()?;
        let mut load = Load::new(world, case, pairs, plan, random);
        let quarter = plan.ticks / 4;
        load.tick_times(quarter)?;
        let (ticks, edits, answered) = load.tick_times(plan.ticks)?;
        let expansion_us = load.time_an_expansion(quarter)?;
        Ok(Some(WorstRow {
            map: name.to_owned(),
            planner: spec.to_string(),
            case: case.name(),
            answers,
            joined,
            ticks: Spread::of(ticks),
            answered_per_tick: answered as f64 / plan.ticks.max(1) as f64,
            edits: Spread::of(edits),
            expansion_us,
            memory_bytes: load.world.memory_bytes(),
        }))
    })
}

/// Time after which no further query is asked: of a slow planner on a large map, a few will do.
const ANSWERS_MAX: Duration = Duration::from_secs(4);

fn measure_answers(
    grid: &Grid,
    spec: &Spec,
    pairs: &Pairs,
    plan: WorstPlan,
    random: &mut Random,
) -> Result<Spread, WorstError> {
    let planner = spec.build(grid)?;
    let mut scratch = Scratch::new();
    let begun = Instant::now();
    let mut times = Vec::with_capacity(plan.queries);
    for _ in 0..plan.queries {
        let (start, goal) = pairs.draw(grid, random);
        let query = PathQuery::new(start, goal);
        // The first time it is not measured.
        drop(planner.solve(grid, &query, &mut scratch));
        let (answer, took_us) = timed(|| planner.solve(grid, &query, &mut scratch));
        drop(std::hint::black_box(answer));
        times.push(took_us);
        if begun.elapsed() > ANSWERS_MAX {
            break;
        }
    }
    Ok(Spread::of(times))
}

/// A world whose queue of requests never gets shorter.
struct Load {
    world: PathWorld,
    case: WorstCase,
    pairs: Pairs,
    plan: WorstPlan,
    random: Random,
    terrains: Vec<Terrain>,
    waiting: Vec<Ticket>,
}

impl Load {
    fn new(
        world: PathWorld,
        case: WorstCase,
        pairs: Pairs,
        plan: WorstPlan,
        random: Random,
    ) -> Self {
        let terrains = world.grid().map().terrains().collect();
        Self { world, case, pairs, plan, random, terrains, waiting: Vec::new() }
    }

    /// Times of ticks and of edits, and how many requests were answered.
    fn tick_times(&mut self, ticks: usize) -> Result<(Vec<f64>, Vec<f64>, u64), WorstError> {
        let mut times = Vec::with_capacity(ticks);
        let (mut edits, mut answered) = (Vec::new(), 0);
        for _ in 0..ticks {
            edits.extend(self.edit()?);
            self.fill_queue();
            let budget = Budget::micros(self.plan.budget_us);
            let (report, took_us) = timed(|| self.world.tick(budget));
            times.push(took_us);
            answered += report.answered;
            self.take_answers();
        }
        Ok((times, edits, answered))
    }

    /// Microseconds an expansion, in the mean over some ticks.
    fn time_an_expansion(&mut self, ticks: usize) -> Result<f64, WorstError> {
        let (mut spent_us, mut expansions) = (0.0, 0);
        for _ in 0..ticks {
            self.edit()?;
            self.fill_queue();
            let budget = Budget::expansions(self.plan.budget_us);
            let (report, took_us) = timed(|| self.world.tick(budget));
            spent_us += took_us;
            expansions += report.expansions;
            self.take_answers();
        }
        Ok(spent_us / expansions.max(1) as f64)
    }

    /// Changes a cell, where the case has edits. Returns how long that took.
    fn edit(&mut self) -> Result<Option<f64>, WorstError> {
        if !self.case.edits() {
            return Ok(None);
        }
        let batch = random_edit(self.world.grid(), &self.terrains, &mut self.random);
        let held = self.case.holds_snapshots().then(|| self.world.snapshot());
        let (edited, took_us) = timed(|| self.world.apply(&batch));
        edited?;
        drop(held);
        Ok(Some(took_us))
    }

    fn fill_queue(&mut self) {
        while self.waiting.len() < self.plan.requests {
            let (start, goal) = self.pairs.draw(self.world.grid(), &mut self.random);
            self.waiting.push(self.world.request(Request::path(start, goal)));
        }
    }

    fn take_answers(&mut self) {
        let world = &mut self.world;
        self.waiting.retain(|&ticket| matches!(world.poll(ticket), Reply::Pending | Reply::Leg(_)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_measured_on_a_small_map_of_caves() {
        let recipe: crate::generate::MapRecipe =
            "caves width=70 height=50 noise=45 steps=4 joined=no seed=2".parse().unwrap();
        let grid = Grid::with_defaults(recipe.generate().unwrap());
        let plan = WorstPlan { queries: 5, requests: 30, budget_us: 300, ticks: 12, seed: 3 };
        for spec in ["hpa", "astar"] {
            let spec: Spec = spec.parse().unwrap();
            for &case in WORST_CASES {
                let row = measure_worst("caves", &grid, &spec, case, plan).unwrap();
                let row = row.unwrap_or_else(|| panic!("{} has pairs", case.name()));
                assert_eq!((row.answers.count, row.ticks.count), (5, 12), "{}", case.name());
                assert_eq!(row.edits.count, if case.edits() { 12 } else { 0 });
                assert_eq!(row.joined.is_none(), case.has_paths(), "{}", case.name());
                assert!(row.ticks.p999_us <= row.ticks.max_us && row.expansion_us > 0.0);
            }
        }
    }

    #[test]
    fn rows_are_compared_with_the_usual_case_of_their_planner() {
        let row = |planner: &str, case: WorstCase, mean_us: f64| WorstRow {
            map: "map".into(),
            planner: planner.into(),
            case: case.name(),
            answers: Spread { mean_us, ..Spread::default() },
            joined: None,
            ticks: Spread::default(),
            answered_per_tick: 0.0,
            edits: Spread::default(),
            expansion_us: 0.0,
            memory_bytes: 0,
        };
        let rows = [
            row("astar", WorstCase::Usual, 8.0),
            row("hpa", WorstCase::Usual, 2.0),
            row("hpa", WorstCase::Weighted, 3.0),
            row("jps", WorstCase::Weighted, 3.0),
        ];
        assert_eq!(rows[2].ratio(&rows), Some(1.5));
        assert_eq!(rows[3].ratio(&rows), None, "its usual case was not measured");
        let joined = Some(Spread { mean_us: 0.5, ..Spread::default() });
        let lost = WorstRow { joined, ..row("hpa", WorstCase::Unreachable, 3.0) };
        assert_eq!(lost.ratio(&rows), Some(6.0), "its own ground counts");
    }

    #[test]
    fn a_map_without_two_places_has_no_cases() {
        let grid = Grid::with_defaults("#.#\n".parse().unwrap());
        let spec: Spec = "astar".parse().unwrap();
        let plan = WorstPlan::default();
        let row = measure_worst("nothing", &grid, &spec, WorstCase::Usual, plan).unwrap();
        assert_eq!(row, None);
    }
}
