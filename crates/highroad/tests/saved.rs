//! Saved and cloned worlds and simulations go on as the originals do: the same answers and events, at the same ticks,
//! through storms of edits, for every planner of the catalog.

use highroad::catalog::{CATALOG, Spec};
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBatch};
use highroad::grid::{Batch, Grid, KindId, Movement, MovementRule, PaidCells, Profile, StepCosts};
use highroad::hierarchy::{HpaOptions, Levels, PraOptions, Refinement, StartLayer, Transitions};
use highroad::index::HubOptions;
use highroad::online::{GridSearch, JumpPointSearch};
use highroad::planner::{CatalogEntry, GoalRule};
use highroad::requests::Ticket;
use highroad::saved::LoadError;
use highroad::simulation::{AgentEvent, Pace};
use highroad::world::LoadWorldError;
use highroad::{
    AgentPlan, Budget, Cell, CellRect, Cost, GridMap, PathWorld, Reply, Request, Simulation,
    Terrain,
};

/// Numbers that look random and are the same everywhere.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % limit
    }

    fn cell(&mut self, side: u32) -> Cell {
        Cell::new(self.below(side.into()) as u32, self.below(side.into()) as u32)
    }
}

const SIDE: u32 = 40;

fn map(seed: u64) -> GridMap {
    let mut dice = Dice(seed | 1);
    GridMap::from_fn(SIDE, SIDE, |_| match dice.below(10) {
        0..2 => Terrain::WALL,
        2 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    })
    .unwrap()
}

fn tank() -> Movement {
    let profile =
        Profile::movingai().without(Terrain::SWAMP).with_cost(Terrain::GROUND, 2).unwrap();
    Movement::new(profile, MovementRule::FourWay, StepCosts::THESIS).unwrap()
}

/// A world of two kinds of agents with that planner, and HPA* behind it for the time in which it is built.
fn world_with(entry: &'static CatalogEntry, seed: u64) -> PathWorld {
    let spec = Spec::usual(entry);
    let hpa: Spec = "hpa:cluster=8".parse().unwrap();
    let world = PathWorld::new(map(seed)).with_planner(spec.clone()).with_planner(hpa.clone());
    let world = world.with_kind("tank", tank());
    let serves = entry.serves(&Grid::new(map(seed), tank())).is_ok();
    let world = if serves { world.with_planner(spec) } else { world.with_planner(hpa) };
    let mut world = world.with_lockstep(3).with_rest_ticks(seed % 2).build().unwrap();
    world.share_fields_from(4);
    world
}

fn edit(dice: &mut Dice, surcharges: bool) -> Batch {
    let mut batch = Batch::new();
    for _ in 0..=dice.below(4) {
        let cell = dice.cell(SIDE);
        match dice.below(if surcharges { 8 } else { 6 }) {
            0..3 => _ = batch.set(cell, Terrain::WALL),
            3..5 => _ = batch.set(cell, Terrain::GROUND),
            5 => _ = batch.set(cell, Terrain::SWAMP),
            6 => _ = batch.surcharge(CellRect::new(cell, cell), dice.below(5) as u16),
            _ => {
                let amount = dice.below(5) as u16;
                batch.surcharge_for(KindId(1), CellRect::new(cell, cell), amount);
            }
        }
    }
    batch
}

fn request(dice: &mut Dice) -> Request {
    let start = dice.cell(SIDE);
    let kind = KindId(dice.below(2) as u16);
    let request = match dice.below(10) {
        0 => Request::range(start, Cost::steps(dice.below(9) as u32)),
        1 => Request::each(start, (0..3).map(|_| dice.cell(SIDE)).collect()),
        2 => Request::nearest(start, (0..3).map(|_| dice.cell(SIDE)).collect()),
        // Many have one of a few goals, so that they share fields.
        3..6 => Request::path(start, Cell::new(20, dice.below(3) as u32 * 10)),
        6 => Request::path(start, dice.cell(SIDE)).with_first_leg(5),
        _ => Request::path(start, dice.cell(SIDE)),
    };
    request.with_kind(kind).with_priority(dice.below(3) as u8)
}

/// A world and who waits for answers of it.
#[derive(Clone)]
struct Driven {
    world: PathWorld,
    tickets: Vec<Ticket>,
    answers: Vec<String>,
}

impl Driven {
    /// One tick of a storm.
    fn tick(&mut self, dice: &mut Dice, surcharges: bool) {
        match dice.below(12) {
            0..3 => _ = self.world.apply(&edit(dice, surcharges)).unwrap(),
            3 => _ = self.world.undo(),
            _ => {}
        }
        for _ in 0..dice.below(4) {
            let ticket = self.world.request(request(dice));
            self.tickets.push(ticket);
        }
        if dice.below(8) == 0 && !self.tickets.is_empty() {
            let cancelled =
                self.tickets.swap_remove(dice.below(self.tickets.len() as u64) as usize);
            self.world.cancel(cancelled);
        }
        let report = self.world.tick(Budget::expansions(40 + dice.below(300)));
        self.answers.push(format!("{report:?}"));
        let Self { world, tickets, answers } = self;
        let polls = dice.below(4) > 0;
        tickets.retain(|&ticket| {
            if !polls {
                return true;
            }
            let reply = world.poll(ticket);
            match reply {
                Reply::Pending => true,
                Reply::Leg(_) => {
                    answers.push(format!("{reply:?}"));
                    true
                }
                _ => {
                    answers.push(format!("{reply:?}"));
                    false
                }
            }
        });
        if dice.below(3) == 0 {
            let (start, goal) = (dice.cell(SIDE), dice.cell(SIDE));
            let kind = KindId(dice.below(2) as u16);
            let path = self.world.of(kind).unwrap().find_path(start, goal);
            self.answers.push(format!("{path:?}"));
            let reachable = self.world.is_reachable(kind, start, goal);
            self.answers.push(format!("{reachable}"));
        }
        let reports = self.world.take_reports();
        let reports = reports.map(|report| format!("{} {:?}", report.name, report.event));
        self.answers.extend(reports);
    }
}

#[test]
fn a_loaded_world_and_a_clone_give_the_next_answers_of_the_original() {
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        for seed in 1..=3 {
            // Some planners serve only ground on which all cells cost the same.
            let surcharges = seed == 3;
            let world = world_with(entry, seed);
            let mut original = Driven { world, tickets: Vec::new(), answers: Vec::new() };
            let mut dice = Dice(seed * 77 + 1);
            for _ in 0..40 + seed * 7 {
                original.tick(&mut dice, surcharges);
            }
            original.answers.clear();
            let bytes = original.world.save();
            let mut loaded = Driven { world: PathWorld::load(&bytes).unwrap(), ..original.clone() };
            let mut clone = original.clone();
            assert_eq!(loaded.world.save(), bytes, "{}: saved again", entry.name);
            while original.answers.len() < 350 {
                let mut same = [dice.clone(), dice.clone()];
                original.tick(&mut dice, surcharges);
                loaded.tick(&mut same[0], surcharges);
                clone.tick(&mut same[1], surcharges);
                let name = entry.name;
                assert_eq!(loaded.answers, original.answers, "{name}, seed {seed}, loaded");
                assert_eq!(clone.answers, original.answers, "{name}, seed {seed}, clone");
            }
        }
    }
}

/// One tick of a storm with agents.
fn tick(simulation: &mut Simulation, dice: &mut Dice) {
    if dice.below(4) == 0 {
        simulation.edit(&edit(dice, true)).unwrap();
    }
    if dice.below(3) == 0 {
        let pace = Pace::new(1 + dice.below(3) as u32, 1 + dice.below(2) as u32);
        let plan = AgentPlan::new(dice.cell(SIDE), dice.cell(SIDE)).with_pace(pace);
        let plan = plan.with_kind(KindId(dice.below(2) as u16));
        let plan = if dice.below(3) == 0 { plan.with_first_leg(6) } else { plan };
        simulation.add(plan);
    }
    simulation.tick();
}

#[test]
fn a_loaded_simulation_and_a_clone_have_the_next_events_of_the_original() {
    for name in ["hpa", "pra", "hub-labels", "astar", "subgoal"] {
        for seed in 1..=2 {
            let world = world_with(highroad::catalog::find(name).unwrap(), seed);
            let mut original = Simulation::new(world, Budget::expansions(150)).with_step_events();
            let mut dice = Dice(seed * 99 + 1);
            for _ in 0..60 {
                tick(&mut original, &mut dice);
            }
            let mut loaded = Simulation::load(&original.save()).unwrap();
            let mut clone = original.clone();
            assert_eq!(loaded.events(), original.events(), "events that were not taken");
            let mut events: Vec<AgentEvent> = Vec::new();
            while events.len() < 1000 {
                let mut same = [dice.clone(), dice.clone()];
                tick(&mut original, &mut dice);
                tick(&mut loaded, &mut same[0]);
                tick(&mut clone, &mut same[1]);
                let next = original.take_events();
                assert_eq!(loaded.take_events(), next, "{name}, seed {seed}, loaded");
                assert_eq!(clone.take_events(), next, "{name}, seed {seed}, clone");
                events.extend(next);
            }
        }
    }
}

#[test]
fn a_clone_that_diverged_and_was_thrown_away_leaves_no_trace() {
    for name in ["hpa", "pra", "hub-labels"] {
        let world = world_with(highroad::catalog::find(name).unwrap(), 5);
        let mut straight = Simulation::new(world.clone(), Budget::expansions(150));
        let mut rolled = Simulation::new(world, Budget::expansions(150));
        let mut dice = Dice(7);
        for round in 0..12 {
            let past = rolled.clone();
            // What another machine predicted wrongly.
            let mut wrong = Dice(round * 31 + 5);
            for _ in 0..9 {
                tick(&mut rolled, &mut wrong);
            }
            rolled = past;
            for _ in 0..10 {
                let mut same = dice.clone();
                tick(&mut straight, &mut dice);
                tick(&mut rolled, &mut same);
            }
            assert_eq!(rolled.events(), straight.events(), "{name}, round {round}");
            let places = |simulation: &Simulation| -> Vec<Cell> {
                simulation.agents().iter().map(|agent| agent.at()).collect()
            };
            assert_eq!(places(&rolled), places(&straight));
        }
    }
}

fn graph(dice: &mut Dice) -> Graph {
    let mut edges = Vec::new();
    for from in 0..120u32 {
        for step in [1, 11] {
            let weight = 1 + dice.below(20) as i32;
            edges.push(Edge::new(from, (from + step) % 120, weight));
            edges.push(Edge::new((from + step) % 120, from, weight));
        }
    }
    Graph::from_edges(120, &edges).unwrap()
}

fn graph_tick(world: &mut PathWorld<Graph>, dice: &mut Dice) -> String {
    let node = |dice: &mut Dice| NodeId(dice.below(120) as u32);
    let edge = |dice: &mut Dice| {
        let from = node(dice);
        (from, NodeId((from.0 + 1) % 120))
    };
    let mut batch = GraphBatch::new();
    for _ in 0..dice.below(3) {
        let (from, to) = edge(dice);
        match dice.below(8) {
            0 => _ = batch.close(from, to),
            1 => _ = batch.open(from, to),
            2 => _ = batch.add_edge(from, node(dice), 1 + dice.below(30) as i32),
            _ => _ = batch.set_weight(from, to, 1 + dice.below(30) as i32),
        }
    }
    let applied = format!("{:?}", world.apply(&batch));
    if dice.below(9) == 0 {
        world.undo();
    }
    let tickets = [0; 3].map(|_| world.request(Request::path(node(dice), node(dice))));
    world.tick(Budget::unlimited());
    format!("{applied} {:?}", tickets.map(|ticket| world.poll(ticket)))
}

#[test]
fn worlds_of_graphs_are_saved_and_cloned_too() {
    for entry in CATALOG.iter().filter(|entry| entry.graph.is_some()) {
        let mut dice = Dice(11);
        let world = PathWorld::on(graph(&mut dice)).with_planner(Spec::usual(entry));
        let mut original = world.with_lockstep(2).build().unwrap();
        (0..30).for_each(|_| _ = graph_tick(&mut original, &mut dice));
        let mut loaded = PathWorld::<Graph>::load(&original.save()).unwrap();
        let mut clone = original.clone();
        for _ in 0..60 {
            let mut same = [dice.clone(), dice.clone()];
            let answers = graph_tick(&mut original, &mut dice);
            assert_eq!(graph_tick(&mut clone, &mut same[1]), answers, "{}, clone", entry.name);
            // Regions are chosen again by a build.
            if !["regions", "entrances"].contains(&entry.name) {
                assert_eq!(graph_tick(&mut loaded, &mut same[0]), answers, "{}", entry.name);
            }
        }
    }
}

#[test]
fn tickets_of_the_original_are_valid_in_clones_and_loaded_worlds_and_nowhere_else() {
    let mut world = PathWorld::new(map(1));
    let ticket = world.request(Request::range((0, 0), Cost::steps(3)));
    let (mut clone, mut loaded) = (world.clone(), PathWorld::load(&world.save()).unwrap());
    let mut other = PathWorld::new(map(1));
    other.request(Request::range((0, 0), Cost::steps(3)));
    let mut replies = [&mut world, &mut clone, &mut loaded, &mut other].map(|world| {
        world.tick(Budget::unlimited());
        world.poll(ticket)
    });
    assert!(matches!(replies[3], Reply::Failed(_)));
    replies[3] = replies[0].clone();
    assert!(replies.iter().all(|reply| *reply == replies[0]));
}

#[test]
fn a_planner_that_is_being_built_takes_over_at_the_same_tick_in_a_clone_and_after_loading() {
    let spec: Spec = "hub-labels".parse().unwrap();
    let world = PathWorld::new(map(2)).with_planner(spec).with_lockstep(5).build();
    let mut world = world.unwrap();
    world.edit(|edit| _ = edit.set((3, 3), Terrain::WALL)).unwrap();
    world.tick(Budget::unlimited());
    let (mut clone, mut loaded) = (world.clone(), PathWorld::load(&world.save()).unwrap());
    // The original gives it up; the others do not.
    let planner = world.planners().next().unwrap();
    assert!(world.stop_rebuild(planner));
    for tick in 2..=5 {
        for world in [&mut clone, &mut loaded] {
            world.tick(Budget::unlimited());
            assert_eq!(world.guarantee(planner).is_some(), tick == 5, "tick {tick}");
        }
    }
    assert!(world.guarantee(planner).is_none());
}

#[test]
fn planners_given_by_their_options_are_the_same_after_loading() {
    let hpa = HpaOptions::default().with_cluster_side(7).with_transitions(Transitions::Ends);
    let hpa = hpa.with_levels(Levels::Exactly(2)).without_smoothing();
    let pra = PraOptions::default().with_start(StartLayer::Half).with_margin(1).with_steps(9);
    let pra = pra.with_refinement(Refinement::Layers).without_smoothing();
    let worlds = [
        PathWorld::new(map(8)).with_planner(hpa),
        PathWorld::new(map(8)).with_planner(pra),
        PathWorld::new(map(8)).with_planner(HubOptions::default()),
        PathWorld::new(map(8)).with_planner(GridSearch::breadth_first()),
        PathWorld::new(map(8)).with_planner(JumpPointSearch::new()),
    ];
    for world in worlds {
        let mut world = world.build().unwrap();
        let mut dice = Dice(4);
        let mut loaded = PathWorld::load(&world.save()).unwrap();
        let name = |world: &PathWorld| {
            let planner = world.planners().next().unwrap();
            world.planner_name(planner).unwrap().to_owned()
        };
        assert_eq!(name(&loaded), name(&world));
        for _ in 0..100 {
            let (start, goal) = (dice.cell(SIDE), dice.cell(SIDE));
            assert_eq!(loaded.find_path(start, goal), world.find_path(start, goal));
        }
    }
}

#[test]
fn damaged_and_foreign_bytes_are_refused() {
    let world = world_with(highroad::catalog::find("pra").unwrap(), 1);
    let mut simulation = Simulation::new(world, Budget::expansions(100));
    let mut dice = Dice(3);
    (0..20).for_each(|_| tick(&mut simulation, &mut dice));
    let (bytes, inner) = (simulation.save(), simulation.world().save());
    let refused = |bytes: &[u8]| Simulation::load(bytes).err();
    assert_eq!(refused(b""), Some(LoadWorldError::Bytes(LoadError::NotAnIndex)));
    let other = LoadError::OtherKind { found: 6, expected: 7 };
    assert_eq!(refused(&inner), Some(LoadWorldError::Bytes(other)));
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(refused(&damaged).is_some(), "byte {at}");
        assert!(refused(&bytes[..at]).is_some(), "{at} bytes");
    }
}

/// Makes the hash at the end of saved bytes fit again.
fn rehash(bytes: &mut [u8]) {
    let end = bytes.len() - 8;
    let mut hash = 0x9E37_79B9_7F4A_7C15u64;
    let mut mix = |word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash = mixed ^ mixed >> 32;
    };
    for chunk in bytes[..end - end % 8].chunks(8) {
        mix(u64::from_le_bytes(chunk.try_into().unwrap()));
    }
    let mut last = [0; 8];
    last[..end % 8].copy_from_slice(&bytes[end - end % 8..end]);
    mix(u64::from_le_bytes(last));
    mix(end as u64);
    bytes[end..].copy_from_slice(&hash.to_le_bytes());
}

/// Whoever made the bytes: loading and what follows never panics.
#[test]
fn forged_bytes_make_nothing_panic() {
    const SMALL: u32 = 12;
    let map = GridMap::from_fn(SMALL, SMALL, |cell| match (cell.x * 7 + cell.y * 5) % 11 {
        0..2 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    let world = PathWorld::new(map.unwrap())
        .with_planner("pra".parse::<Spec>().unwrap())
        .with_planner("hub-labels".parse::<Spec>().unwrap())
        .with_kind("tank", tank())
        .with_planner("astar".parse::<Spec>().unwrap())
        .with_lockstep(2);
    let mut world = world.build().unwrap();
    world.share_fields_from(2);
    let mut dice = Dice(21);
    for _ in 0..30 {
        let kind = KindId(dice.below(2) as u16);
        let request = match dice.below(4) {
            0 => Request::range(dice.cell(SMALL), Cost::steps(4)),
            1 => Request::each(dice.cell(SMALL), vec![dice.cell(SMALL); 2]),
            _ => Request::path(dice.cell(SMALL), Cell::new(1, 0)),
        };
        world.request(request.with_kind(kind));
    }
    world.tick(Budget::expansions(60));
    world
        .edit(|edit| {
            _ = edit.set((5, 5), Terrain::WALL).surcharge_for(
                KindId(1),
                CellRect::new((1, 1), (2, 2)),
                3,
            )
        })
        .unwrap();
    world.tick(Budget::expansions(20));
    let mut simulation = Simulation::new(world, Budget::expansions(50));
    for _ in 0..6 {
        simulation.add(AgentPlan::new(dice.cell(SMALL), dice.cell(SMALL)));
        simulation.tick();
    }
    let bytes = simulation.save();
    let world_at = 32;
    let world_end = world_at + u64::from_le_bytes(bytes[24..32].try_into().unwrap()) as usize;
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..4000 {
        let mut forged = bytes.clone();
        for _ in 0..=dice.below(3) {
            let at = world_at + dice.below((forged.len() - world_at - 8) as u64) as usize;
            forged[at] = match dice.below(4) {
                0 => 0,
                1 => 0xFF,
                2 => forged[at].wrapping_add(1),
                _ => dice.below(256) as u8,
            };
        }
        rehash(&mut forged[world_at..world_end]);
        rehash(&mut forged);
        let Ok(mut simulation) = Simulation::load(&forged) else {
            refused += 1;
            continue;
        };
        loaded += 1;
        if round % 2 == 0 {
            simulation
                .edit(Batch::new().set((3, 3), Terrain::WALL).set((5, 5), Terrain::GROUND))
                .ok();
        }
        for _ in 0..6 {
            simulation.tick();
        }
        let mut world = simulation.world().clone();
        world.undo();
        world.tick(Budget::expansions(2000));
        if let Ok(Some(path)) = world.find_path((1, 0), (10, 10)) {
            assert_eq!(path.validate(world.grid()), Ok(()));
        }
        let _ = PathWorld::<Grid>::load(&world.save());
    }
    assert!(loaded > 100 && refused > 100, "{loaded} loaded, {refused} refused");
}

/// Obstacles and rules for goals of requests that wait, and which cells steps are paid for.
#[test]
fn requests_with_obstacles_and_costs_of_entered_cells_are_saved() {
    let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    let mut world = PathWorld::with_movement(map(11), movement);
    world.edit(|edit| _ = edit.surcharge(CellRect::new((5, 5), (30, 9)), 3)).unwrap();
    let grid = world.grid();
    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let rules = [GoalRule::Exact, GoalRule::Adjacent, GoalRule::Nearest];
    let tickets: Vec<Ticket> = (0..30)
        .map(|number| {
            let request = Request::path(free[number * 7], free[free.len() - 1 - number * 11]);
            let obstacles = free.iter().copied().skip(number).step_by(17).collect();
            world.request(request.with_obstacles(obstacles).with_goal_rule(rules[number % 3]))
        })
        .collect();
    world.tick(Budget::expansions(300));
    let mut loaded = PathWorld::load(&world.save()).unwrap();
    assert_eq!(loaded.grid().movement(), world.grid().movement());
    world.tick(Budget::unlimited());
    loaded.tick(Budget::unlimited());
    for ticket in tickets {
        assert_eq!(loaded.poll(ticket), world.poll(ticket));
    }
}

/// Edits before every tick outdate each search, so that searches and fields go on on the map as it was.
#[test]
fn searches_on_the_map_as_it_was_go_on_in_clones_and_after_loading() {
    for planner in ["hpa:cluster=8", "pra", "astar", "dijkstra"] {
        let spec: Spec = planner.parse().unwrap();
        let mut original =
            PathWorld::new(map(5)).with_planner(spec).with_kind("tank", tank()).build().unwrap();
        let mut dice = Dice(77);
        let mut tickets = Vec::new();
        let mut late = 0;
        for round in 0..12 {
            for _ in 0..6 {
                let (start, goals) = (dice.cell(SIDE), (0..4).map(|_| dice.cell(SIDE)).collect());
                tickets.push(original.request(Request::path(start, dice.cell(SIDE))));
                tickets.push(original.request(Request::each(start, goals)));
                let goals = (0..3).map(|_| dice.cell(SIDE)).collect();
                tickets.push(original.request(Request::nearest(dice.cell(SIDE), goals)));
            }
            tickets.push(original.request(Request::range(dice.cell(SIDE), Cost::steps(30))));
            let mut worlds = vec![original.clone()];
            for tick in 0..30 {
                if tick == 8 + round {
                    let loaded: PathWorld = PathWorld::load(&worlds[0].save()).unwrap();
                    worlds.extend([worlds[0].clone(), loaded]);
                }
                // One cell, so that planners follow at once: how far they have come otherwise is not saved.
                let terrain = if dice.below(2) == 0 { Terrain::WALL } else { Terrain::GROUND };
                let mut batch = Batch::new();
                batch.set(dice.cell(SIDE), terrain);
                let mut replies = Vec::new();
                for world in &mut worlds {
                    world.apply(&batch).unwrap();
                    let report = world.tick(Budget::expansions(24));
                    let answers: Vec<Reply> =
                        tickets.iter().map(|&ticket| world.poll(ticket)).collect();
                    replies.push((report, answers));
                }
                let (first, others) = replies.split_first().unwrap();
                for (number, other) in others.iter().enumerate() {
                    assert_eq!(other, first, "{planner}, round {round}, tick {tick}: {number}");
                }
                let revision = worlds[0].revision();
                late += first
                    .1
                    .iter()
                    .filter(
                        |reply| matches!(reply, Reply::Ready(path) if path.revision() < revision),
                    )
                    .count();
                let open = |reply: &Reply| matches!(reply, Reply::Pending | Reply::Leg(_));
                let mut still = first.1.iter().map(open);
                tickets.retain(|_| still.next().unwrap());
            }
            original = worlds.swap_remove(0);
        }
        assert!(late > 0, "{planner}: no search was outdated often enough");
    }
}
