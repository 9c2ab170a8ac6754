//! Agents with bodies: they follow paths and fields, obey orders, walk in groups, and are never in a wall.

use super::*;
use crate::crowd::{BodyPlan, Formation, Shape, fits};
use highroad_core::{Cell, GridMap, HpaOptions, Link, Terrain};

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as u32 % limit
    }
}

fn middle(cell: Cell) -> [f64; 2] {
    [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5]
}

fn open_world(width: u32, height: u32) -> Simulation {
    let map = GridMap::filled(width, height, Terrain::GROUND).unwrap();
    Simulation::new(PathWorld::new(map), Budget::expansions(20_000))
}

fn drawn(drawing: &str) -> Simulation {
    Simulation::new(PathWorld::new(drawing.parse().unwrap()), Budget::expansions(20_000))
}

fn walker(at: (u32, u32), goal: (u32, u32)) -> AgentPlan {
    AgentPlan::of_body(BodyPlan::new(middle(at.into())), goal)
}

/// Lets time pass until everybody rests; fails if somebody never does, or is in a wall.
fn run(simulation: &mut Simulation, ticks_max: u32) -> u32 {
    for tick in 0..ticks_max {
        if simulation.is_at_rest() {
            return tick;
        }
        simulation.tick();
        check_places(simulation);
    }
    let late = simulation.agents().iter().enumerate().filter(|(_, agent)| {
        !matches!(agent.state(), AgentState::Arrived | AgentState::Stopped(_) | AgentState::Removed)
    });
    let late: Vec<_> = late.map(|(number, agent)| (number, agent.at(), agent.state())).collect();
    panic!("never at rest: {late:?}");
}

fn check_places(simulation: &Simulation) {
    for (agent, body) in simulation.owners.iter().zip(simulation.crowd().bodies()) {
        let agent = simulation.agent(*agent).unwrap();
        let grid = simulation.world().environment_of(agent.plan().kind).unwrap();
        let buried = agent.state() == AgentState::Stopped(StopReason::Buried);
        assert!(buried || fits(grid, body.position(), body.plan().radius), "{agent:?} {body:?}");
        assert_eq!(agent.at(), body.cell());
    }
}

fn state(simulation: &Simulation, id: AgentId) -> AgentState {
    simulation.agent(id).unwrap().state()
}

fn kinds(simulation: &mut Simulation) -> Vec<AgentEventKind> {
    simulation.take_events().into_iter().map(|event| event.kind).collect()
}

#[test]
fn a_body_walks_along_its_path_on_a_smoother_way_and_arrives() {
    let mut simulation = drawn("..........\n.########.\n..........\n");
    let id = simulation.add(walker((1, 0), (1, 2)));
    let ticks = run(&mut simulation, 2000);
    assert_eq!(state(&simulation, id), AgentState::Arrived);
    let steps = simulation.agent(id).unwrap().steps();
    assert!(steps >= 4, "{steps}");
    // The way by the left end is about 4 cells long, at 2 cells a second.
    assert!((100..300).contains(&ticks), "{ticks}");
    let [x, y] = simulation.body(id).unwrap().position();
    assert!((x - 1.5).abs() < 0.2 && (y - 2.5).abs() < 0.2, "{x} {y}");
}

#[test]
fn bodies_of_random_agents_arrive_while_the_map_changes_and_are_never_in_walls() {
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let map = GridMap::from_fn(40, 30, |_| match dice.below(100) {
            number if number < 18 => Terrain::WALL,
            number if number > 90 && seed % 2 == 1 => Terrain::SWAMP,
            _ => Terrain::GROUND,
        });
        let world = PathWorld::new(map.unwrap()).with_planner(HpaOptions::default()).build();
        let mut simulation = Simulation::new(world.unwrap(), Budget::expansions(3000));
        let place = |simulation: &Simulation, dice: &mut Dice| loop {
            let cell = Cell::new(dice.below(40), dice.below(30));
            if simulation.world().grid().is_enterable(cell) {
                return cell;
            }
        };
        let mut starts = std::collections::BTreeSet::new();
        for number in 0..40 {
            let (start, goal) = (place(&simulation, &mut dice), place(&simulation, &mut dice));
            if starts.insert(start) {
                // Who meets somebody in a corridor as wide as itself gives up.
                let plan = AgentPlan::of_body(BodyPlan::new(middle(start)), goal);
                let plan = plan.with_patience(600);
                simulation.add(if number % 3 == 0 { plan.by_field() } else { plan });
            }
        }
        for tick in 0..900 {
            if tick % 10 == 0 {
                let cell = Cell::new(dice.below(40), dice.below(30));
                let is_open = simulation.world().grid().is_enterable(cell);
                let terrain = if is_open { Terrain::WALL } else { Terrain::GROUND };
                simulation.edit(Batch::new().set(cell, terrain)).unwrap();
            }
            simulation.tick();
            check_places(&simulation);
        }
        run(&mut simulation, 60 * 120);
        let arrived =
            simulation.agents().iter().filter(|agent| agent.state() == AgentState::Arrived);
        let arrived = arrived.count();
        assert!(2 * arrived > starts.len(), "seed {seed}: {arrived} of {}", starts.len());
    }
}

#[test]
fn a_clone_and_a_loaded_simulation_go_on_as_the_original() {
    let mut simulation = drawn(
        "....................\n....####............\n....................\n....................\n",
    );
    let group: Vec<AgentId> =
        (0..4).map(|number| simulation.add(walker((number, 2), (number, 2)))).collect();
    let guard = simulation.add(walker((0, 0), (0, 0)));
    simulation.patrol(guard, &[Cell::new(18, 0), Cell::new(0, 0)]);
    simulation.add(walker((10, 3), (1, 3)).by_field());
    simulation.send_group(&group, (17, 2), Formation::new(Shape::Column)).unwrap();
    (0..60).for_each(|_| _ = simulation.tick());
    let mut clone = simulation.clone();
    let mut loaded = Simulation::load(&simulation.save()).unwrap();
    let place = |simulation: &Simulation| -> Vec<[u64; 2]> {
        simulation.crowd().bodies().iter().map(|body| body.position().map(f64::to_bits)).collect()
    };
    for tick in 0..600 {
        for simulation in [&mut simulation, &mut clone, &mut loaded] {
            if tick % 50 == 7 {
                let cell = Cell::new(8 + tick / 50, 1 + tick % 3);
                simulation.edit(Batch::new().set(cell, Terrain::WALL)).unwrap();
            }
            simulation.tick();
        }
        let original = place(&simulation);
        assert!(original == place(&clone) && original == place(&loaded), "tick {tick}");
    }
    let events = simulation.take_events();
    assert!(events == clone.take_events() && events == loaded.take_events());
}

#[test]
fn orders_are_obeyed_and_told() {
    let mut simulation = open_world(20, 6);
    let id = simulation.add(walker((1, 1), (18, 1)));
    (0..60).for_each(|_| _ = simulation.tick());
    simulation.stop(id);
    assert_eq!(state(&simulation, id), AgentState::Stopped(StopReason::Ordered));
    let at = simulation.body(id).unwrap().position();
    (0..60).for_each(|_| _ = simulation.tick());
    let now = simulation.body(id).unwrap().position();
    assert!((now[0] - at[0]).abs() < 0.5 && simulation.is_at_rest());
    simulation.send_via(id, &[Cell::new(5, 4), Cell::new(12, 4), Cell::new(12, 1)]);
    assert_eq!(simulation.agent(id).unwrap().points_left(), [Cell::new(12, 4), Cell::new(12, 1)]);
    run(&mut simulation, 3000);
    assert_eq!(simulation.agent(id).unwrap().at(), Cell::new(12, 1));
    simulation.teleport(id, (3, 3));
    run(&mut simulation, 3000);
    assert_eq!(simulation.agent(id).unwrap().at(), Cell::new(12, 1), "it goes on to its goal");
    let happened = kinds(&mut simulation);
    let count =
        |wanted: fn(&AgentEventKind) -> bool| happened.iter().filter(|kind| wanted(kind)).count();
    assert_eq!(count(|kind| matches!(kind, AgentEventKind::Passed { .. })), 2);
    assert_eq!(count(|kind| matches!(kind, AgentEventKind::Halted { .. })), 1);
    assert_eq!(count(|kind| matches!(kind, AgentEventKind::Teleported { .. })), 1);
    assert_eq!(count(|kind| matches!(kind, AgentEventKind::Arrived { .. })), 2);
    simulation.remove(id);
    assert!(
        simulation.crowd().bodies().is_empty() && state(&simulation, id) == AgentState::Removed
    );
    simulation.send(id, (1, 1));
    assert!(simulation.is_at_rest(), "who is removed is not sent");
    let unfit =
        simulation.add(AgentPlan::of_body(BodyPlan::new([1.5, 1.5]).with_radius(9.0), (5, 5)));
    let outside = simulation.add(AgentPlan::of_body(BodyPlan::new([99.5, f64::NAN]), (5, 5)));
    for id in [unfit, outside] {
        assert_eq!(state(&simulation, id), AgentState::Stopped(StopReason::Unfit));
        simulation.send(id, (1, 1));
    }
    assert!(simulation.is_at_rest());
}

#[test]
fn a_patrol_goes_round_and_passes_points_without_stopping_there() {
    let mut simulation = open_world(16, 8);
    let id = simulation.add(walker((1, 1), (1, 1)));
    let points = [(14, 1), (14, 6), (1, 6), (1, 1)].map(Cell::from);
    simulation.patrol(id, &points);
    let mut slowest = f64::INFINITY;
    for tick in 0..60 * 60 {
        simulation.tick();
        check_places(&simulation);
        let [x, y] = simulation.body(id).unwrap().velocity();
        if tick > 60 {
            slowest = slowest.min(x.hypot(y));
        }
    }
    assert!(slowest > 0.8, "it slowed down to {slowest}");
    let passed = kinds(&mut simulation);
    let passed = passed.iter().filter(|kind| matches!(kind, AgentEventKind::Passed { .. })).count();
    assert!(passed >= 8, "{passed}");
}

#[test]
fn a_link_takes_as_long_as_it_costs_and_is_told() {
    let mut simulation = drawn("....#....\n");
    let straight = 2 * simulation.world().grid().movement().steps().straight();
    // As long as four steps: two seconds.
    simulation.edit(Batch::new().open_link(Link::new((3, 0), (5, 0), 4 * straight))).unwrap();
    let id = simulation.add(walker((0, 0), (8, 0)));
    let stepper = simulation.add(AgentPlan::new((0, 0), (8, 0)));
    let mut crossing = 0;
    for _ in 0..900 {
        simulation.tick();
        check_places(&simulation);
        crossing += u32::from(state(&simulation, id) == AgentState::Crossing);
    }
    assert!((115..=125).contains(&crossing), "{crossing}");
    assert!([id, stepper].map(|id| state(&simulation, id)) == [AgentState::Arrived; 2]);
    let happened = kinds(&mut simulation);
    let links = |kind: &&AgentEventKind| matches!(kind, AgentEventKind::TookLink { to, .. } if *to == Cell::new(5, 0));
    assert_eq!(happened.iter().filter(links).count(), 2);
    let at = AgentEventKind::AtLink { agent: id, at: Cell::new(3, 0) };
    assert!(happened.contains(&at));
}

#[test]
fn who_follows_a_field_waits_until_a_way_opens() {
    let mut simulation = drawn("...#...\n...#...\n");
    let plans = [walker((0, 0), (6, 0)).by_field(), AgentPlan::new((0, 1), (6, 1)).by_field()];
    let ids = plans.map(|plan| simulation.add(plan));
    (0..30).for_each(|_| _ = simulation.tick());
    let stopped = AgentState::Stopped(StopReason::Unreachable);
    assert_eq!(ids.map(|id| state(&simulation, id)), [stopped; 2]);
    assert!(simulation.is_at_rest());
    simulation.edit(Batch::new().set((3, 1), Terrain::GROUND)).unwrap();
    (0..900).for_each(|_| _ = simulation.tick());
    assert_eq!(ids.map(|id| state(&simulation, id)), [AgentState::Arrived; 2]);
    let mut nowhere = drawn("..#\n");
    let id = nowhere.add(walker((0, 0), (2, 0)).by_field());
    assert_eq!(state(&nowhere, id), AgentState::Stopped(StopReason::GoalBlocked));
}

#[test]
fn a_body_under_a_new_wall_walks_out_and_goes_on() {
    let mut simulation = open_world(12, 5);
    let id = simulation.add(walker((1, 2), (10, 2)));
    (0..60).for_each(|_| _ = simulation.tick());
    let at = simulation.agent(id).unwrap().at();
    simulation.edit(Batch::new().set(at, Terrain::WALL)).unwrap();
    run(&mut simulation, 2000);
    assert_eq!(simulation.agent(id).unwrap().at(), Cell::new(10, 2));
    let happened = kinds(&mut simulation);
    assert!(happened.iter().any(|kind| matches!(kind, AgentEventKind::Buried { .. })));
    assert!(happened.iter().any(|kind| matches!(kind, AgentEventKind::Freed { .. })));
}

/// How many ticks apart the first and the last of some agents arrive.
fn spread(simulation: &mut Simulation) -> u64 {
    let events = simulation.take_events().into_iter();
    let arrived = |event: AgentEvent| {
        matches!(event.kind, AgentEventKind::Arrived { .. }).then_some(event.tick)
    };
    let ticks: Vec<u64> = events.filter_map(arrived).collect();
    ticks.iter().max().unwrap() - ticks.iter().min().unwrap()
}

/// Twelve agents of different speeds, all over the western part of a map.
fn scattered(simulation: &mut Simulation) -> Vec<AgentId> {
    (0..12)
        .map(|number| {
            let at = Cell::new(1 + number % 4 * 2, 2 + number / 4 * 4);
            let body = BodyPlan::new(middle(at)).with_speed(1.5 + f64::from(number % 3) * 0.75);
            simulation.add(AgentPlan::of_body(body, at))
        })
        .collect()
}

#[test]
fn a_group_arrives_together_and_keeps_its_formation_where_there_is_room() {
    let mut alone = open_world(70, 16);
    let agents = scattered(&mut alone);
    alone.tick();
    alone.take_events();
    for (number, &id) in agents.iter().enumerate() {
        alone.send(id, (60 + number as u32 % 4, 6 + number as u32 / 4));
    }
    run(&mut alone, 6000);
    let mut simulation = open_world(70, 16);
    let agents = scattered(&mut simulation);
    simulation.tick();
    simulation.take_events();
    let formation = Formation::new(Shape::Block).with_spacing(1.5);
    let id = simulation.send_group(&agents, (61, 8), formation).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..6000 {
        simulation.tick();
        check_places(&simulation);
        let Some(group) = simulation.groups.first() else { break };
        let leader = *simulation.body(group.members[0].agent).unwrap();
        if (30.0..50.0).contains(&leader.position()[0]) {
            for (number, member) in group.members.iter().enumerate() {
                let heading = group.heading.into();
                let place = formation.place(number, 12, leader.position(), heading);
                let [x, y] = simulation.body(member.agent).unwrap().position();
                worst = worst.max((x - place[0]).hypot(y - place[1]));
            }
        }
    }
    assert!(simulation.groups.is_empty() && simulation.is_at_rest());
    assert!(worst < 1.0, "on open ground everybody is at its place: {worst}");
    let arrived = AgentEventKind::GroupArrived { group: id, at: Cell::new(61, 8) };
    assert!(simulation.events().iter().any(|event| event.kind == arrived));
    let (together, apart) = (spread(&mut simulation), spread(&mut alone));
    assert!(together < 180 && 3 * together < apart, "{together} and {apart} ticks");
}

#[test]
fn a_group_passes_a_gap_one_behind_the_other_and_forms_up_again() {
    let map = GridMap::from_fn(60, 16, |cell| {
        let wall = (24..28).contains(&cell.x) && cell.y != 8;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let mut simulation = Simulation::new(PathWorld::new(map.unwrap()), Budget::expansions(20_000));
    let agents = scattered(&mut simulation);
    simulation.tick();
    simulation.take_events();
    simulation.send_group(&agents, (52, 8), Formation::new(Shape::Wedge)).unwrap();
    run(&mut simulation, 9000);
    let states = agents.iter().map(|&id| state(&simulation, id));
    assert!(states.into_iter().all(|state| state == AgentState::Arrived));
    assert!(spread(&mut simulation) < 600);
}

#[test]
fn a_group_survives_members_who_leave_and_stops_where_no_way_leads() {
    let mut simulation = drawn(&"..............#..\n".repeat(6));
    let agents: Vec<AgentId> =
        (0..6).map(|number| simulation.add(walker((1 + number % 3, number / 3), (0, 0)))).collect();
    simulation.send_group(&agents, (12, 3), Formation::default()).unwrap();
    (0..60).for_each(|_| _ = simulation.tick());
    let leader = simulation.groups[0].members[0].agent;
    simulation.remove(leader);
    simulation.send(agents[0], (0, 5));
    run(&mut simulation, 3000);
    assert!(simulation.groups.is_empty());
    let rest = agents.iter().filter(|&&id| id != leader);
    rest.for_each(|&id| assert_eq!(state(&simulation, id), AgentState::Arrived, "{id}"));
    let rest: Vec<AgentId> = agents.iter().copied().filter(|&id| id != leader).collect();
    simulation.send_group(&rest, (15, 3), Formation::default()).unwrap();
    run(&mut simulation, 3000);
    let happened = kinds(&mut simulation);
    assert!(happened.iter().any(|kind| matches!(kind, AgentEventKind::GroupStopped { .. })));
    let bodiless = simulation.add(AgentPlan::new((0, 0), (0, 0)));
    let error = |agents: &[AgentId], simulation: &mut Simulation| {
        simulation.send_group(agents, (0, 0), Formation::default()).unwrap_err()
    };
    assert_eq!(error(&[], &mut simulation), GroupError::Empty);
    assert_eq!(error(&[bodiless], &mut simulation), GroupError::NoBody(bodiless));
    assert_eq!(error(&[leader], &mut simulation), GroupError::NoSuchAgent(leader));
    assert_eq!(error(&[rest[0], rest[0]], &mut simulation), GroupError::Twice(rest[0]));
}

#[cfg(feature = "rayon")]
#[test]
fn bodies_move_alike_on_any_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = open_world(60, 40);
            let agents = scattered(&mut simulation);
            simulation.send_group(&agents, (50, 20), Formation::default()).unwrap();
            for number in 0..150 {
                let plan = walker((10 + number % 30, 15 + number / 30), (30, 5 + number % 2));
                simulation.add(if number % 2 == 0 { plan.by_field() } else { plan });
            }
            (0..400).for_each(|_| _ = simulation.tick());
            let bodies = simulation.crowd().bodies().iter();
            let bits: Vec<_> = bodies.map(|body| body.position().map(f64::to_bits)).collect();
            (bits, simulation.take_events())
        })
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}
