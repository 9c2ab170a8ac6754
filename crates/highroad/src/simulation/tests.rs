use super::*;
use highroad_core::{
    Cell, CellRect, Footprint, GridMap, HpaOptions, Movement, PraOptions, Terrain,
};

fn simulation(drawing: &str, plan: AgentPlan) -> Simulation {
    let world = PathWorld::new(drawing.parse().unwrap());
    let mut simulation = Simulation::new(world, Budget::unlimited());
    simulation.add(plan);
    simulation
}

fn lines(simulation: &mut Simulation) -> Vec<String> {
    simulation.take_events().iter().map(ToString::to_string).collect()
}

fn fill(simulation: &mut Simulation, from: (u32, u32), to: (u32, u32), terrain: Terrain) {
    let mut batch = Batch::new();
    batch.fill(CellRect::new(from, to), terrain);
    simulation.edit(&batch).unwrap();
}

fn run(simulation: &mut Simulation) {
    for _ in 0..10_000 {
        if simulation.is_at_rest() {
            return;
        }
        simulation.tick();
    }
    panic!("never at rest");
}

#[test]
fn an_agent_walks_at_its_pace_and_diagonals_take_longer() {
    let drawing = "............\n............\n............\n";
    let plan = AgentPlan::new((0, 0), (10, 0));
    let mut straight = simulation(drawing, plan.with_pace(Pace::new(1, 5)));
    run(&mut straight);
    assert_eq!(straight.ticks(), 50);
    let mut quick = simulation(drawing, plan.with_pace(Pace::new(3, 1)));
    run(&mut quick);
    assert_eq!(quick.ticks(), 4);
    let mut diagonal =
        simulation(drawing, AgentPlan::new((0, 0), (2, 2)).with_pace(Pace::new(1, 100)));
    run(&mut diagonal);
    assert_eq!(diagonal.ticks(), 283, "two times √2, in hundredths, rounded up");
    assert_eq!(lines(&mut diagonal)[2], "283 agent 0 arrives at (2, 2) after 2 steps");
}

#[test]
fn an_agent_already_there_arrives_at_once() {
    let mut here = simulation("...\n", AgentPlan::new((1, 0), (1, 0)));
    run(&mut here);
    assert_eq!((here.ticks(), here.agents()[0].state()), (1, AgentState::Arrived));
}

#[test]
fn ends_that_make_no_sense_are_told() {
    let mut outside = simulation("...\n", AgentPlan::new((1, 0), (9, 9)));
    run(&mut outside);
    assert_eq!(lines(&mut outside)[1], "1 agent 0 stops at (1, 0): its goal is blocked");
    let mut buried = simulation("#..\n", AgentPlan::new((0, 0), (2, 0)));
    run(&mut buried);
    assert_eq!(lines(&mut buried)[1], "1 agent 0 is buried at (0, 0)");
    let mut nowhere = simulation("...\n", AgentPlan::new((9, 9), (2, 0)));
    run(&mut nowhere);
    assert_eq!(lines(&mut nowhere)[1], "1 agent 0 is buried at (9, 9)");
    fill(&mut buried, (0, 0), (0, 0), Terrain::GROUND);
    run(&mut buried);
    assert_eq!(buried.agents()[0].state(), AgentState::Arrived);
}

#[test]
fn a_late_answer_does_not_keep_an_agent_from_walking_what_is_sound() {
    let map = GridMap::from_fn(80, 60, |cell| {
        let wall = cell.x == 60 && (1..59).contains(&cell.y);
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let world = PathWorld::new(map.unwrap())
        .with_planner(highroad_core::GridSearch::dijkstra())
        .build()
        .unwrap();
    // So little a tick that a path takes dozens of them.
    let mut simulation = Simulation::new(world, Budget::expansions(60));
    let id = simulation.add(AgentPlan::new((0, 5), (79, 5)).with_pace(Pace::new(1, 2)));
    while simulation.agent(id).unwrap().state() != AgentState::Walking {
        simulation.tick();
    }
    simulation.take_events();
    fill(&mut simulation, (60, 0), (60, 0), Terrain::WALL);
    assert!(lines(&mut simulation)[1].ends_with("agent 0 is cut off after 59 steps"));
    let mut last = simulation.agent(id).unwrap().at();
    let mut stood = 0;
    while simulation.agent(id).unwrap().state() == AgentState::Walking {
        simulation.tick();
        let at = simulation.agent(id).unwrap().at();
        stood = if at == last { stood + 1 } else { 0 };
        assert!(stood <= 2 || at.x == 59, "it stands at {at}, and could walk on");
        last = at;
    }
    assert_eq!(simulation.agent(id).unwrap().state(), AgentState::Arrived);
    assert_eq!(simulation.replans(), 1);
}

#[test]
fn agents_set_off_on_first_legs() {
    let map = GridMap::from_fn(300, 300, |cell| {
        let wall = cell.x % 30 == 29 && cell.y % 30 != cell.x % 23;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let world = PathWorld::new(map.unwrap()).with_planner(HpaOptions::default()).build().unwrap();
    let mut simulation = Simulation::new(world, Budget::expansions(1));
    let id = simulation.add(AgentPlan::new((0, 0), (298, 298)).with_first_leg(20));
    run(&mut simulation);
    let lines = lines(&mut simulation);
    assert!(lines[1].contains("begins with"), "{lines:?}");
    assert!(lines[2].contains("has a path of"), "{lines:?}");
    assert_eq!(simulation.agent(id).unwrap().state(), AgentState::Arrived);
}

/// PRA*(k) reports a path leg by leg: the agent walks each while the next is worked out.
#[test]
fn agents_walk_leg_after_leg() {
    let map = GridMap::from_fn(300, 300, |cell| {
        let wall = cell.x % 30 == 29 && cell.y % 30 != cell.x % 23;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let options = PraOptions::default().with_steps(2);
    let world = PathWorld::new(map.unwrap()).with_planner(options).build().unwrap();
    let mut simulation = Simulation::new(world, Budget::expansions(1));
    let id = simulation.add(AgentPlan::new((0, 0), (298, 298)).with_first_leg(5));
    run(&mut simulation);
    let lines = lines(&mut simulation);
    assert!(lines[1].contains("begins with"), "{lines:?}");
    assert_eq!(simulation.agent(id).unwrap().state(), AgentState::Arrived);
}

/// A number from a seed, so that the test needs no crate for it.
fn draw(state: &mut u64, below: u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % below) as u32
}

/// Forty agents, an edit a tick, a hierarchy that is rebuilt in the background in lockstep, and a budget
/// that is too small: everything that could go wrong. Returns the log.
fn storm(seed: u64, recipe: HpaOptions) -> String {
    let mut state = seed;
    let map = GridMap::from_fn(96, 80, |_| {
        if draw(&mut state, 100) < 22 { Terrain::WALL } else { Terrain::GROUND }
    });
    let world = PathWorld::new(map.unwrap())
        .with_planner(recipe)
        .with_patch_limit(3)
        .with_lockstep(7)
        .build()
        .unwrap();
    let mut simulation = Simulation::new(world, Budget::expansions(1500)).with_step_events();
    let mut state = seed + 1;
    let mut place = |simulation: &Simulation| loop {
        let cell = Cell::new(draw(&mut state, 96), draw(&mut state, 80));
        if simulation.world().grid().is_enterable(cell) {
            return cell;
        }
    };
    for number in 0..40 {
        let (start, goal) = (place(&simulation), place(&simulation));
        let plan = AgentPlan::new(start, goal).with_pace(Pace::new(1 + number % 3, 2));
        simulation.add(if number % 4 == 0 { plan.with_first_leg(10) } else { plan });
    }
    let mut state = seed + 2;
    let mut before: Vec<Cell> = simulation.agents().iter().map(Agent::at).collect();
    for tick in 0..250 {
        let cells = if tick % 20 == 0 { 30 } else { 1 };
        let mut batch = Batch::new();
        for _ in 0..cells {
            let cell = Cell::new(draw(&mut state, 96), draw(&mut state, 80));
            let open = simulation.world().grid().is_enterable(cell);
            batch.set(cell, if open { Terrain::WALL } else { Terrain::GROUND });
        }
        simulation.edit(&batch).unwrap();
        simulation.tick();
        let grid = simulation.world().grid();
        for (agent, before) in simulation.agents().iter().zip(&mut before) {
            let moved = agent.at() != *before;
            assert!(!moved || grid.is_enterable(agent.at()), "entered a blocked cell");
            let buried = agent.state() == AgentState::Stopped(StopReason::Buried);
            assert_eq!(buried, !grid.is_enterable(agent.at()), "{:?}", agent);
            *before = agent.at();
        }
        for number in 0..40 {
            let id = AgentId(number);
            let state = simulation.agent(id).unwrap().state();
            if state == AgentState::Arrived {
                let goal = place(&simulation);
                simulation.send(id, goal);
            }
        }
    }
    simulation.take_events().iter().map(|event| format!("{event}\n")).collect()
}

#[test]
fn in_a_storm_no_agent_enters_a_wall_and_the_log_is_the_same_every_time() {
    let recipe = HpaOptions::default().with_cluster_side(16);
    for seed in 1..4 {
        let log = storm(seed, recipe);
        assert!(log == storm(seed, recipe), "the same seed, another log");
        for kind in
            ["is cut off", "goes another way", "arrives", "takes over", "takes a cheaper way"]
        {
            assert!(log.contains(kind), "seed {seed}: nothing {kind}");
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_log_does_not_depend_on_the_number_of_threads() {
    let recipe = HpaOptions::default().with_cluster_side(16);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| storm(5, recipe))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(4), "another log on another number of threads");
}

#[test]
fn an_agent_of_three_cells_that_no_longer_fits_is_reported_and_goes_on_when_it_does() {
    let tank = Movement::default().with_footprint(Footprint::new(3).unwrap());
    let map: GridMap = ".........\n".repeat(5).parse().unwrap();
    let world = PathWorld::new(map)
        .with_kind("tank", tank)
        .with_planner(HpaOptions::default())
        .build()
        .unwrap();
    let kind = world.kind("tank").unwrap();
    let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    let tank = simulation.add(AgentPlan::new((0, 0), (6, 0)).with_kind(kind));
    simulation.tick();
    simulation.tick();
    let at = simulation.agent(tank).unwrap().at();
    // Under its last row and column; its own cell stays free.
    let corner = Cell::new(at.x + 2, at.y + 2);
    simulation.edit(Batch::new().set(corner, Terrain::WALL)).unwrap();
    let buried = |event: &AgentEvent| matches!(event.kind, AgentEventKind::Buried { agent, at: where_ } if (agent, where_) == (tank, at));
    assert!(simulation.take_events().iter().any(buried));
    simulation.edit(Batch::new().set(corner, Terrain::GROUND)).unwrap();
    // A wall that its square would meet, though not its own cell: it goes around.
    simulation.edit(Batch::new().set((8, 1), Terrain::WALL)).unwrap();
    simulation.edit(Batch::new().set((5, 0), Terrain::WALL)).unwrap();
    simulation.edit(Batch::new().set((8, 1), Terrain::GROUND)).unwrap();
    for _ in 0..40 {
        simulation.tick();
        let at = simulation.agent(tank).unwrap().at();
        let grid = simulation.world().environment_of(kind).unwrap();
        assert!(grid.is_enterable(at), "{at}");
    }
    assert_eq!(simulation.agent(tank).unwrap().at(), Cell::new(6, 0));
}
