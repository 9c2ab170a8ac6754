//! The exact planners against the oracle, on thousands of small maps of uniform cost: every cost, every
//! step of every path.
//!
//! `HIGHROAD_ROUNDS=20 cargo test -p highroad-core --test exact -- --nocapture` asks twenty times as
//! many queries, and prints how many.

#![allow(clippy::print_stderr)]

mod support;

use highroad_core::{
    Answer, Cell, Footprint, Grid, GridMap, Guarantee, MovementRule, PaidCells, PathQuery, Planner,
    Profile, Progress, Scratch, Spec, StepCosts, Terrain,
};
use highroad_suite::{Random, Rounds, Situation};
use support::{build, usual_specs};

/// A map of one of three kinds: noise, blocks on open ground, or halls with water in them.
fn map(numbers: &mut Random) -> GridMap {
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

fn situation(numbers: &mut Random, map: GridMap, rule: MovementRule) -> Option<Situation> {
    let size = numbers.pick(&[1, 1, 2, 3]);
    let mut situation = Situation {
        map,
        profile: Profile::movingai(),
        rule,
        steps: numbers.pick(&[StepCosts::EXACT, StepCosts::THESIS]),
        paid: PaidCells::Both,
        footprint: Footprint::new(size).expect("a small size"),
        slopes: Default::default(),
        surcharges: Default::default(),
        starts: Vec::new(),
        goals: Vec::new(),
    };
    let cells = situation.map.extent().cells();
    let cells: Vec<Cell> = cells.filter(|&cell| situation.oracle().may_stand(cell)).collect();
    if cells.is_empty() {
        return None;
    }
    situation.starts = vec![numbers.pick(&cells)];
    situation.goals = (0..12).map(|_| numbers.pick(&cells)).collect();
    Some(situation)
}

/// Asks for every goal on its own; returns how many queries that were.
fn check_goals(situation: &Situation, scratch: &mut Scratch) -> u64 {
    let grid = situation.grid();
    let reach = situation.reach();
    let mut asked = 0;
    for spec in usual_specs(&grid) {
        let planner = build(&spec, &grid);
        if planner.guarantee(&grid) != Guarantee::Optimal {
            continue;
        }
        for &goal in &situation.goals {
            let one = Situation { goals: vec![goal], ..situation.clone() };
            let answer = solve(&*planner, &grid, &one.query(), scratch);
            if let Err(problem) = one.check(&grid, &reach, Guarantee::Optimal, &answer) {
                panic!("{spec}: {problem}{one:?}");
            }
            asked += 1;
        }
    }
    asked
}

fn solve(planner: &dyn Planner, grid: &Grid, query: &PathQuery, scratch: &mut Scratch) -> Answer {
    planner.solve(grid, query, scratch).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn exact_planners_agree_with_the_oracle_on_thousands_of_maps() {
    let rounds = Rounds::new(700).times_environment().count();
    let mut scratch = Scratch::new();
    let (mut asked, mut maps) = (0, 0);
    for seed in 0..u64::from(rounds) {
        let mut numbers = Random::new(seed);
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
    assert!(asked > 15 * u64::from(rounds));
}

/// Corridors of one cell, up and down from side to side: the path has half as many cells as the map.
fn serpentine(side: u32) -> Grid {
    let map = GridMap::from_fn(side, side, |Cell { x, y }| {
        let door = if x % 4 == 1 { 0 } else { side - 1 };
        if x % 2 == 1 && y != door { Terrain::WALL } else { Terrain::GROUND }
    });
    Grid::with_defaults(map.unwrap())
}

/// Writing the path is sliced like the search: no slice does much more than it may, however long the path is.
#[test]
fn long_paths_of_exact_planners_are_written_in_slices() {
    const SLICE: u64 = 16;
    let side = 121;
    let grid = serpentine(side);
    for name in ["jps", "subgoal", "ch", "hub-labels"] {
        let planner = name.parse::<Spec>().unwrap().build(&grid).unwrap();
        let (query, mut scratch) = (PathQuery::new((0, 0), (side - 1, side - 1)), Scratch::new());
        let whole = planner.solve(&grid, &query, &mut scratch).unwrap();
        planner.begin(&grid, &query, &mut scratch).unwrap();
        let (mut slices, mut before) = (0, 0);
        let answer = loop {
            let progress = planner.advance(&grid, &mut scratch, SLICE);
            let work = scratch.statistics().work();
            // A leg is as long as the map at most.
            let most = before + SLICE + u64::from(side) / 16 + 1;
            assert!(work <= most, "{name}: {before} to {work}");
            (slices, before) = (slices + 1, work);
            match progress {
                Progress::Done(answer) => break answer,
                Progress::Running => {}
                other => panic!("{name}: {other:?}"),
            }
        };
        assert_eq!(answer, whole, "{name}");
        let steps = answer.path().unwrap().steps() as u64;
        assert!(steps > 7000 && slices > steps / 16 / (2 * SLICE), "{name}: {slices} slices");
    }
}
