//! Crowds: nobody in a wall, hardly anybody overlaps, everybody arrives, the same on any number of threads.

use super::*;
use highroad_core::{Batch, Border, Cell, GridMap, Link, Terrain};

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as u32 % limit
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        f64::from(self.below(1 << 20)) / f64::from(1 << 20)
    }
}

fn middle(cell: Cell) -> [f64; 2] {
    [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5]
}

fn open_grid(width: u32, height: u32) -> Grid {
    Grid::with_defaults(GridMap::filled(width, height, Terrain::GROUND).unwrap())
}

fn random_grid(dice: &mut Dice, walls_percent: u32) -> Grid {
    let terrain = |_| match dice.below(100) {
        number if number < walls_percent => Terrain::WALL,
        number if number > 95 => Terrain::WATER,
        _ => Terrain::GROUND,
    };
    Grid::with_defaults(GridMap::from_fn(24, 18, terrain).unwrap())
}

/// One agent in the middle of each of some cells, sent to the nearest of some goals.
fn crowd_on(grid: &Grid, starts: &[Cell], goals: &[Cell]) -> (Crowd, FlowFields) {
    let (mut crowd, mut fields) = (Crowd::new(CrowdOptions::default()), FlowFields::new(1 << 24));
    let goal = fields.open(grid, goals).unwrap();
    for &start in starts {
        let body = crowd.add(grid, BodyPlan::new(middle(start))).unwrap();
        assert!(crowd.send(body, goal));
    }
    fields.advance(u64::MAX);
    (crowd, fields)
}

fn all_fit(grid: &Grid, crowd: &Crowd) -> bool {
    crowd.bodies().iter().all(|body| fits(grid, body.position(), body.plan().radius))
}

#[test]
fn a_disc_that_fits_slides_only_to_where_it_fits_by_steps_that_are_allowed() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let mut grid = random_grid(&mut dice, seed as u32 % 50);
        if seed % 3 == 0 {
            let mut batch = Batch::new();
            (0..40).for_each(|_| {
                let (x, y) = (dice.below(23), dice.below(18));
                batch.border((x, y), (x + 1, y), Border::Closed);
            });
            grid.apply(&batch).unwrap();
        }
        let radius = 0.05 + dice.share() * 0.45;
        let cells: Vec<Cell> =
            grid.extent().cells().filter(|&cell| fits(&grid, middle(cell), radius)).collect();
        let Some(&start) = cells.first() else { continue };
        let mut at = middle(start);
        let mut moved = 0;
        for step in 0..3000 {
            let to = [at[0] + dice.share() - 0.5, at[1] + dice.share() - 0.5];
            let reached = slide(&grid, at, to, radius);
            assert!(fits(&grid, reached, radius), "seed {seed}, step {step}: {at:?} to {to:?}");
            let [before, after] = [at, reached].map(|at| Cell::new(at[0] as u32, at[1] as u32));
            assert!(before == after || grid.step_cost(before, after).is_some(), "seed {seed}");
            let apart = (reached[0] - at[0]).abs().max((reached[1] - at[1]).abs());
            assert!(apart <= 0.45 + 0.5, "seed {seed}");
            moved += usize::from(reached != at);
            at = reached;
            if step % 100 == 0 {
                at = middle(cells[dice.below(cells.len() as u32) as usize]);
            }
        }
        assert!(moved > 1000, "seed {seed}: {moved}");
    }
}

#[test]
fn whoever_is_aimed_at_is_reached_on_a_straight_line() {
    let (mut straight, mut far) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let grid = random_grid(&mut dice, 5 + seed as u32 % 30);
        let mut goals = grid.extent().cells().filter(|&cell| grid.is_enterable(cell));
        let Some(goal) = goals.next_back() else { continue };
        let mut field = highroad_core::field::FlowField::towards(&grid, &[goal]).unwrap();
        field.finish();
        for cell in grid.extent().cells() {
            let (at, radius) = (middle(cell), 0.4);
            let Aim::Walk { point, .. } = aim(&field, at, radius) else { continue };
            let samples = (0..=200).map(|number| f64::from(number) / 200.0);
            let line = |share: f64| [0, 1].map(|axis| at[axis] + (point[axis] - at[axis]) * share);
            let is_free = samples.map(line).all(|at| fits(&grid, at, radius - 1e-6));
            assert!(is_free, "seed {seed}: {at:?} to {point:?}");
            straight += 1;
            far += usize::from((point[0] - at[0]).hypot(point[1] - at[1]) > 2.5);
        }
    }
    assert!(straight > 2000 && far > 200, "{straight} {far}");
}

#[test]
fn a_crowd_crosses_a_map_without_touching_walls_or_each_other() {
    let mut dice = Dice(5);
    let grid = random_grid(&mut dice, 12);
    let largest = grid.extent().cells().find(|&cell| grid.is_enterable(cell)).unwrap();
    let mut field = highroad_core::field::FlowField::towards(&grid, &[largest]).unwrap();
    field.finish();
    let reached: Vec<Cell> =
        grid.extent().cells().filter(|&cell| field.cost(cell).is_some()).collect();
    assert!(reached.len() > 150, "{}", reached.len());
    let starts: Vec<Cell> = reached.iter().copied().step_by(4).collect();
    let (mut crowd, fields) = crowd_on(&grid, &starts, &[reached[0], reached[reached.len() - 1]]);
    let mut worst = 0.0_f64;
    for _ in 0..3600 {
        worst = worst.max(crowd.tick(&grid, &fields).overlap_max);
        assert!(all_fit(&grid, &crowd));
    }
    assert!(worst <= 0.05 * 0.4, "{worst}");
    let late: Vec<&Body> =
        crowd.bodies().iter().filter(|body| body.state() != BodyState::Arrived).collect();
    assert!(late.is_empty(), "{late:?}");
}

#[test]
fn a_group_with_one_goal_spreads_around_it() {
    let grid = open_grid(40, 40);
    let starts: Vec<Cell> =
        (0..100).map(|number| Cell::new(2 + number % 10, 2 + number / 10)).collect();
    let (mut crowd, fields) = crowd_on(&grid, &starts, &[Cell::new(30, 30)]);
    let mut worst = 0.0_f64;
    let mut ticks = 0;
    while crowd.bodies().iter().any(|body| body.state() != BodyState::Arrived) {
        worst = worst.max(crowd.tick(&grid, &fields).overlap_max);
        ticks += 1;
        assert!(ticks < 60 * 90, "somebody never arrives");
    }
    assert!(worst <= 0.05 * 0.4, "{worst}");
    let far = crowd.bodies().iter().map(|body| {
        let [x, y] = body.position();
        (x - 30.5).hypot(y - 30.5)
    });
    let farthest = far.fold(0.0, f64::max);
    assert!(farthest < 12.0, "100 discs of radius 0.4 have room within 5 cells: {farthest}");
}

#[cfg(feature = "rayon")]
#[test]
fn a_crowd_moves_alike_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let grid = open_grid(60, 60);
            let starts: Vec<Cell> =
                (0..600).map(|number| Cell::new(number * 7 % 60, number / 10)).collect();
            let (mut crowd, fields) = crowd_on(&grid, &starts, &[Cell::new(30, 30)]);
            let reports: Vec<CrowdReport> = (0..240).map(|_| crowd.tick(&grid, &fields)).collect();
            let bits = |body: &Body| {
                let numbers = [body.position(), body.velocity()];
                numbers.map(|pair| pair.map(f64::to_bits))
            };
            let states: Vec<_> = crowd.bodies().iter().map(bits).collect();
            (states, reports, crowd.take_events())
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn somebody_under_a_new_wall_walks_out_of_it() {
    let mut grid = open_grid(12, 5);
    let (mut crowd, mut fields) = crowd_on(&grid, &[Cell::new(3, 2)], &[Cell::new(11, 2)]);
    let changes = grid.apply(Batch::new().set((3, 2), Terrain::WALL)).unwrap();
    fields.follow(&grid, &changes);
    fields.advance(u64::MAX);
    assert_eq!(crowd.tick(&grid, &fields).buried, 1);
    for _ in 0..900 {
        crowd.tick(&grid, &fields);
    }
    assert!(all_fit(&grid, &crowd));
    assert_eq!(crowd.bodies()[0].state(), BodyState::Arrived);
}

#[test]
fn states_say_what_an_agent_waits_for() {
    let mut grid = open_grid(9, 1);
    let (mut crowd, mut fields) = (Crowd::new(CrowdOptions::default()), FlowFields::new(0));
    let body = crowd.add(&grid, BodyPlan::new([0.5, 0.5])).unwrap();
    let state = |crowd: &Crowd| crowd.body(body).unwrap().state();
    assert_eq!(state(&crowd), BodyState::Idle);
    let goal = fields.open(&grid, &[Cell::new(8, 0)]).unwrap();
    crowd.send(body, goal);
    crowd.tick(&grid, &fields);
    assert_eq!(state(&crowd), BodyState::Waiting, "the field is not worked out");
    fields.advance(u64::MAX);
    crowd.tick(&grid, &fields);
    assert_eq!(state(&crowd), BodyState::Walking);
    let changes = grid.apply(Batch::new().set((6, 0), Terrain::WALL)).unwrap();
    fields.follow(&grid, &changes);
    fields.advance(u64::MAX);
    crowd.tick(&grid, &fields);
    assert_eq!(state(&crowd), BodyState::Blocked);
    let changes = grid.apply(Batch::new().set((6, 0), Terrain::GROUND)).unwrap();
    fields.follow(&grid, &changes);
    fields.advance(u64::MAX);
    crowd.tick(&grid, &fields);
    assert_eq!(state(&crowd), BodyState::Walking, "it goes on by itself");
    fields.open(&grid, &[Cell::new(0, 0)]).unwrap();
    crowd.tick(&grid, &fields);
    assert_eq!(state(&crowd), BodyState::Blocked, "its field had to make room");
    assert!(crowd.stop(body) && state(&crowd) == BodyState::Idle);
}

#[test]
fn links_are_taken_where_they_begin() {
    let mut grid = Grid::with_defaults("....#....\n".parse().unwrap());
    grid.apply(Batch::new().open_link(Link::new((2, 0), (6, 0), 10))).unwrap();
    let (mut crowd, fields) = crowd_on(&grid, &[Cell::new(0, 0)], &[Cell::new(8, 0)]);
    for _ in 0..600 {
        crowd.tick(&grid, &fields);
        assert!(all_fit(&grid, &crowd));
    }
    assert_eq!(crowd.bodies()[0].state(), BodyState::Arrived);
    let body = crowd.bodies()[0].id();
    let links = [CrowdEvent::TookLink { body, to: Cell::new(6, 0) }];
    let taken = crowd.take_events().into_iter();
    let taken: Vec<_> =
        taken.filter(|event| matches!(event, CrowdEvent::TookLink { .. })).collect();
    assert_eq!(taken, links);
}

#[test]
fn limits_of_speed_and_turns_hold_and_costly_ground_slows_down() {
    let mut grid = open_grid(30, 3);
    let swamp = highroad_core::CellRect::new((10, 0), (19, 2));
    grid.apply(Batch::new().surcharge(swamp, 3)).unwrap();
    let (mut crowd, mut fields) = (Crowd::new(CrowdOptions::default()), FlowFields::new(1 << 20));
    let plan = BodyPlan::new([0.5, 1.5]).with_acceleration(2.0).with_turn(1.5);
    let body = crowd.add(&grid, plan).unwrap();
    crowd.send(body, fields.open(&grid, &[Cell::new(29, 1)]).unwrap());
    fields.advance(u64::MAX);
    let (mut fastest, mut fastest_on_swamp) = (0.0_f64, 0.0_f64);
    let mut before = *crowd.body(body).unwrap();
    for _ in 0..60 * 40 {
        crowd.tick(&grid, &fields);
        let now = *crowd.body(body).unwrap();
        let change = (now.velocity - before.velocity).length();
        assert!(change <= 4.0 * 2.0 / 60.0 + 1e-6, "{change}");
        let cosine = now.heading.dot(before.heading);
        assert!(cosine >= 0.9996, "a turn of 1.5 radians a second, not {cosine}");
        let speed = now.velocity.length();
        fastest = fastest.max(speed);
        if (12.0..18.0).contains(&now.position.x) {
            fastest_on_swamp = fastest_on_swamp.max(speed);
        }
        before = now;
    }
    assert_eq!(before.state(), BodyState::Arrived);
    assert!(fastest > 1.9 && fastest <= 2.0 + 1e-9, "{fastest}");
    assert!((0.4..0.6).contains(&fastest_on_swamp), "a quarter of 2: {fastest_on_swamp}");
}

#[test]
fn who_has_priority_makes_way_less() {
    let grid = open_grid(20, 9);
    let (mut crowd, mut fields) = (Crowd::new(CrowdOptions::default()), FlowFields::new(1 << 20));
    let ends = [Cell::new(1, 4), Cell::new(18, 4)];
    for (number, priority) in [(0, 1), (1, 20)] {
        let plan = BodyPlan::new(middle(ends[number])).with_priority(priority);
        let body = crowd.add(&grid, plan).unwrap();
        crowd.send(body, fields.open(&grid, &[ends[1 - number]]).unwrap());
    }
    fields.advance(u64::MAX);
    let mut aside = [0.0_f64; 2];
    for _ in 0..900 {
        crowd.tick(&grid, &fields);
        for (aside, body) in aside.iter_mut().zip(crowd.bodies()) {
            *aside = aside.max((body.position()[1] - 4.5).abs());
        }
    }
    assert!(crowd.bodies().iter().all(|body| body.state() == BodyState::Arrived));
    assert!(aside[0] > 2.0 * aside[1], "{aside:?}");
}

#[test]
fn plans_are_checked_and_options_are_made_to_make_sense() {
    let grid = open_grid(3, 3);
    let mut crowd = Crowd::new(CrowdOptions {
        tick_seconds: f64::NAN,
        sight: -1.0,
        neighbours_max: 1000,
        ..CrowdOptions::default()
    });
    assert_eq!(crowd.options().tick_seconds, 1e-4);
    assert_eq!((crowd.options().sight, crowd.options().neighbours_max), (2.0, 16));
    let plan = BodyPlan::new([1.5, 1.5]);
    let bad = [
        plan.with_radius(0.6),
        plan.with_radius(f64::NAN),
        plan.with_speed(0.0),
        plan.with_speed(f64::INFINITY),
        plan.with_acceleration(f64::NAN),
        plan.with_turn(-1.0),
        BodyPlan::new([0.1, 1.5]),
        BodyPlan::new([f64::NAN, 1.5]),
        BodyPlan::new([f64::INFINITY, 1.5]),
    ];
    assert!(bad.into_iter().all(|plan| crowd.add(&grid, plan).is_err()));
    let body = crowd.add(&grid, plan).unwrap();
    assert!(matches!(crowd.teleport(&grid, body, [9.0, 9.0]), Err(BodyError::NoRoom { .. })));
    assert_eq!(crowd.teleport(&grid, BodyId(77), [9.0, 9.0]), Ok(false));
    assert!(!crowd.stop(BodyId(77)) && crowd.body(BodyId(77)).is_none());
    // On a smaller grid it stands outside, and walks back.
    assert_eq!(crowd.tick(&open_grid(1, 1), &FlowFields::new(0)).buried, 1);
}

#[test]
fn in_a_jam_two_overlap_by_four_per_cent_of_the_radius_at_most() {
    let terrain = |cell: Cell| match cell.x == 14 && !(7..=8).contains(&cell.y) {
        true => Terrain::WALL,
        false => Terrain::GROUND,
    };
    let grid = Grid::with_defaults(GridMap::from_fn(30, 16, terrain).unwrap());
    let starts: Vec<Cell> =
        (0..150).map(|number| Cell::new(number % 12, 1 + number / 12)).collect();
    let (mut crowd, fields) = crowd_on(&grid, &starts, &[Cell::new(22, 8)]);
    let mut ticks = 0;
    while crowd.bodies().iter().any(|body| body.state() != BodyState::Arrived) {
        let report = crowd.tick(&grid, &fields);
        assert!(report.overlap_max <= 0.0401 * 0.4, "tick {ticks}: {report:?}");
        assert!(all_fit(&grid, &crowd));
        ticks += 1;
        assert!(ticks < 9000, "somebody never arrives: {report:?}");
    }
}
