//! The exact planners against the oracle, on thousands of small maps of uniform cost: every cost, every
//! step of every path.
//!
//! `HIGHROAD_ROUNDS=20 cargo test -p highroad-core --test exact -- --nocapture` asks twenty times as
//! many queries, and tells how many.

#![allow(clippy::print_stderr)]

mod support;

use highroad_core::{
    Answer, Cell, Grid, GridMap, Guarantee, MovementRule, Planner, Profile, Query, Scratch,
    StepCosts, Terrain,
};
use support::{Situation, spec};

const EXACT: [&str; 4] = ["jps", "subgoal", "ch", "hub-labels"];

/// Splitmix64: numbers that are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(end)) as u32
    }
}

/// A map of one of three kinds: noise, blocks on open ground, or halls with water in them.
fn map(numbers: &mut Numbers) -> GridMap {
    let side = if numbers.below(16) == 0 { 150 } else { 24 };
    let (width, height) = (1 + numbers.below(side), 1 + numbers.below(side.min(60)));
    let kind = numbers.below(3);
    let percent = [3, 10, 20, 35, 50][numbers.below(5) as usize];
    let mut map = GridMap::from_fn(width, height, |_| {
        let draw = numbers.below(100);
        match kind {
            0 if draw < percent => Terrain::WALL,
            2 if draw < 4 => Terrain::WATER,
            _ => Terrain::GROUND,
        }
    })
    .expect("the sides are small");
    for _ in 0..if kind == 0 { 0 } else { 1 + width * height / 60 } {
        let (left, top) = (numbers.below(width), numbers.below(height));
        let (across, down) = (1 + numbers.below(7), 1 + numbers.below(5));
        for y in top..(top + down).min(height) {
            for x in left..(left + across).min(width) {
                map.set(Cell::new(x, y), Terrain::WALL);
            }
        }
    }
    map
}

fn situation(numbers: &mut Numbers, map: GridMap, rule: MovementRule) -> Option<Situation> {
    let profile = Profile::movingai();
    let free = |cell: &Cell| map.terrain(*cell).is_some_and(|at| profile.cost_of(at).is_some());
    let cells: Vec<Cell> = map.extent().cells().filter(free).collect();
    if cells.is_empty() {
        return None;
    }
    let mut pick = |count: u32| -> Vec<Cell> {
        (0..count).map(|_| cells[numbers.below(cells.len() as u32) as usize]).collect()
    };
    let (starts, goals) = (pick(1), pick(12));
    let steps = [StepCosts::EXACT, StepCosts::THESIS][numbers.below(2) as usize];
    Some(Situation { map, profile, rule, steps, surcharges: Default::default(), starts, goals })
}

/// Asks for every goal on its own; returns how many queries that were.
fn check_goals(situation: &Situation, scratch: &mut Scratch) -> u64 {
    let grid = situation.grid();
    let reach = situation.reach();
    let mut asked = 0;
    for name in EXACT {
        let spec = spec(name);
        if spec.entry().serves(&grid).is_err() {
            continue;
        }
        let planner = spec.build(&grid).unwrap_or_else(|error| panic!("{name}: {error}"));
        for &goal in &situation.goals {
            let one = Situation { goals: vec![goal], ..situation.clone() };
            let answer = solve(&*planner, &grid, &one.query(), scratch);
            if let Err(problem) = one.check(&grid, &reach, Guarantee::Optimal, &answer) {
                panic!("{name}: {problem}{one:?}");
            }
            asked += 1;
        }
    }
    asked
}

fn solve(planner: &dyn Planner, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Answer {
    planner.solve(grid, query, scratch).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn exact_planners_agree_with_the_oracle_on_thousands_of_maps() {
    let factor = std::env::var("HIGHROAD_ROUNDS")
        .map_or(1, |text| text.parse::<u64>().expect("HIGHROAD_ROUNDS is a whole number"));
    let mut scratch = Scratch::new();
    let (mut asked, mut maps) = (0, 0);
    for seed in 0..700 * factor {
        let mut numbers = Numbers(seed);
        let drawn = map(&mut numbers);
        // Corners that are not cut have the most to get wrong.
        let rule = match numbers.below(4) {
            0 => MovementRule::AtMostOneObstacle,
            1 => MovementRule::AlwaysDiagonal,
            _ => MovementRule::NeverCutCorners,
        };
        if let Some(situation) = situation(&mut numbers, drawn, rule) {
            asked += check_goals(&situation, &mut scratch);
            maps += 1;
        }
    }
    eprintln!("{asked} queries on {maps} maps");
    assert!(asked > 10_000 * factor);
}
