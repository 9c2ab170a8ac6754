//! Loops on a map of caves.

use crate::{HotLoop, Round, Scale};
use highroad::catalog::{CATALOG, Spec};
use highroad::field::Field;
use highroad::grid::{Batch, Change, Grid};
use highroad::hierarchy::HpaOptions;
use highroad::path::{Corridor, Smoother, smooth};
use highroad::planner::{CatalogEntry, PathQuery, Planner, Scratch};
use highroad::requests::Ticket;
use highroad::simulation::Pace;
use highroad::{AgentPlan, Budget, Cell, GridMap, Path, PathWorld, Simulation, Terrain};
use highroad_lab::generate::{Layout, MapRecipe, Random};
use highroad_lab::workload::seeded_queries;
use highroad_lab::worst::WorstCase;
use std::hint::black_box;
use std::rc::Rc;

/// Queries a round.
const QUERIES: usize = 20;
/// Cells that become another terrain and back, a round.
const EDITS: usize = 20;
/// Agents of the crowd, and how many ticks they walk.
const AGENTS: usize = 50;
const TICKS: u64 = 60;

/// The map and what is asked on it.
struct Ground {
    grid: Grid,
    queries: Vec<PathQuery>,
}

impl Ground {
    /// Caves of that side, all connected, and seeded queries.
    fn of(side: u32) -> Self {
        let layout = Layout::Caves { noise_percent: 46, steps: 5, joined: true };
        let recipe = MapRecipe { width: side, height: side, layout, seed: 1 };
        let grid = Grid::with_defaults(recipe.generate().expect("the recipe is sound"));
        let queries = seeded_queries(&grid, QUERIES, 1);
        let queries = queries.iter().map(|query| PathQuery::new(query.start, query.goal)).collect();
        Self { grid, queries }
    }

    /// The map and queries of a worst case.
    fn worst(&self, case: WorstCase) -> Self {
        let prepared = case.queries(&self.grid, QUERIES, 1).expect("the edit lies on the map");
        let (grid, queries) = prepared.expect("caves have room");
        Self { grid, queries }
    }

    fn planner(&self, entry: &CatalogEntry) -> Box<dyn Planner> {
        let spec: Spec = entry.name.parse().expect("it comes from the catalog");
        spec.build(&self.grid).expect("every planner serves caves")
    }

    fn paths(&self, planner: &str) -> Vec<Path> {
        let entry = CATALOG.iter().find(|entry| entry.name == planner);
        let planner = self.planner(entry.expect("it is in the catalog"));
        let mut scratch = Scratch::new();
        let solve = |query: &PathQuery| planner.solve(&self.grid, query, &mut scratch).ok()?.path();
        self.queries.iter().filter_map(solve).collect()
    }

    /// Batches that each turn a random cell over, and those that turn it back.
    fn edits(&self) -> Vec<[Batch; 2]> {
        let mut random = Random::new(1);
        let extent = self.grid.extent();
        let mut cell = || {
            let x = random.below(extent.width().into()) as u32;
            Cell::new(x, random.below(extent.height().into()) as u32)
        };
        let turn = |cell: Cell| {
            let free = self.grid.is_enterable(cell);
            [!free, free].map(|free| {
                let mut batch = Batch::new();
                batch.set(cell, if free { Terrain::GROUND } else { Terrain::WALL });
                batch
            })
        };
        (0..EDITS / 2).map(|_| turn(cell())).collect()
    }
}

pub(crate) fn loops(scale: Scale, wanted: &impl Fn(&str) -> bool) -> Vec<HotLoop> {
    let ground = Rc::new(Ground::of(scale.side));
    let mut loops = Vec::new();
    let mut add = |name: String, operations: usize, prepare: fn(&Rc<Ground>) -> Round| {
        let ground = Rc::clone(&ground);
        loops.push(HotLoop::new(name, operations as u64, move || prepare(&ground)));
    };
    add("parse map".into(), 1, parse_map);
    add("field".into(), 1, field);
    add("smooth".into(), QUERIES, smoothing);
    add("corridor".into(), QUERIES, corridors);
    add("crowd".into(), TICKS as usize, crowd);
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        let named = |what: &str| format!("{what} {}", entry.name);
        let share = Rc::clone(&ground);
        let query = move || query(&share, entry);
        loops.push(HotLoop::new(named("query"), QUERIES as u64, query));
        if !wanted(&named("build")) && !wanted(&named("edit")) {
            continue;
        }
        // What holds nothing has nothing to build, and follows edits by doing nothing.
        let planner = ground.planner(entry);
        if planner.memory_bytes() > 0 {
            let share = Rc::clone(&ground);
            loops.push(HotLoop::new(named("build"), 1, move || build(&share, entry)));
            if follows(&ground, planner) {
                let share = Rc::clone(&ground);
                let edit = move || edit(&share, entry);
                loops.push(HotLoop::new(named("edit"), EDITS as u64, edit));
            }
        }
    }
    loops.extend(worst_loops(&ground));
    loops
}

/// Planners whose worst cases are counted, and the cases.
const WORST_PLANNERS: [&str; 3] = ["hpa", "pra", "astar"];
const WORST: [WorstCase; 4] =
    [WorstCase::Unreachable, WorstCase::Divided, WorstCase::Weighted, WorstCase::OneCostlyCell];

/// Queries where things go badly, edits of weighted terrain and while a snapshot is held, and ticks with many requests.
fn worst_loops(ground: &Rc<Ground>) -> Vec<HotLoop> {
    let mut loops = Vec::new();
    for planner in WORST_PLANNERS {
        for case in WORST {
            let share = Rc::clone(ground);
            let round = move || query(&Rc::new(share.worst(case)), entry_of(planner));
            let name = format!("worst {planner} {}", case.name());
            loops.push(HotLoop::new(name, QUERIES as u64, round));
        }
    }
    for planner in ["hpa", "pra"] {
        let share = Rc::clone(ground);
        let weighted = move || edit(&Rc::new(share.worst(WorstCase::Weighted)), entry_of(planner));
        loops.push(HotLoop::new(format!("worst edit {planner} weighted"), EDITS as u64, weighted));
        let share = Rc::clone(ground);
        let held = move || edit_under_snapshot(&share, planner);
        loops.push(HotLoop::new(format!("worst edit {planner} snapshot"), EDITS as u64, held));
    }
    let share = Rc::clone(ground);
    loops.push(HotLoop::new("worst requests crowded", CROWDED as u64, move || crowded(&share)));
    loops
}

fn entry_of(planner: &str) -> &'static CatalogEntry {
    CATALOG.iter().find(|entry| entry.name == planner).expect("it is in the catalog")
}

/// Edits of a world while somebody holds a snapshot of it.
fn edit_under_snapshot(ground: &Rc<Ground>, planner: &str) -> Round {
    let edits = ground.edits();
    let spec: Spec = planner.parse().expect("it comes from the catalog");
    let world = PathWorld::on(ground.grid.clone()).with_planner(spec);
    let mut world = world.build().expect("it serves caves");
    Box::new(move || {
        for batch in edits.iter().flatten() {
            let held = world.snapshot();
            world.apply(batch).expect("the cell lies on the map");
            drop(black_box(held));
        }
    })
}

/// Requests of the crowd that has one of four goals.
const CROWDED: usize = 100;

/// Many requests with few goals, answered in ticks of a fixed budget.
fn crowded(ground: &Rc<Ground>) -> Round {
    let prepared = WorstCase::Crowded.queries(&ground.grid, CROWDED, 1);
    let (grid, queries) = prepared.expect("no edit").expect("caves have room");
    let mut world = PathWorld::on(grid);
    world.share_fields_from(CROWDED / 8);
    Box::new(move || {
        let tickets: Vec<Ticket> =
            queries.iter().map(|query| world.request(query.clone())).collect();
        while world.waiting() > 0 {
            world.tick(Budget::expansions(1000));
        }
        tickets.into_iter().for_each(|ticket| drop(black_box(world.poll(ticket))));
    })
}

/// Whether a planner follows an edit rather than having to be rebuilt.
fn follows(ground: &Ground, mut planner: Box<dyn Planner>) -> bool {
    let [batch, _] = &ground.edits()[0];
    let mut grid = ground.grid.clone();
    let changes = grid.apply(batch).expect("the cell lies on the map");
    planner.catch_up(&grid, &changes, &mut Scratch::new()) == highroad::planner::CatchUp::Done
}

fn query(ground: &Rc<Ground>, entry: &'static CatalogEntry) -> Round {
    let (ground, planner) = (Rc::clone(ground), ground.planner(entry));
    let mut scratch = Scratch::new();
    Box::new(move || {
        for query in &ground.queries {
            drop(black_box(planner.solve(&ground.grid, black_box(query), &mut scratch)));
        }
    })
}

fn build(ground: &Rc<Ground>, entry: &'static CatalogEntry) -> Round {
    let ground = Rc::clone(ground);
    Box::new(move || drop(black_box(ground.planner(entry))))
}

fn edit(ground: &Rc<Ground>, entry: &'static CatalogEntry) -> Round {
    let mut planner = ground.planner(entry);
    let (mut grid, edits, mut scratch) = (ground.grid.clone(), ground.edits(), Scratch::new());
    Box::new(move || {
        for batch in edits.iter().flatten() {
            let changes: Vec<Change> = grid.apply(batch).expect("the cell lies on the map");
            black_box(planner.catch_up(&grid, &changes, &mut scratch));
        }
    })
}

fn parse_map(ground: &Rc<Ground>) -> Round {
    let text = ground.grid.map().to_movingai();
    Box::new(move || drop(black_box(GridMap::from_movingai(black_box(&text)))))
}

fn field(ground: &Rc<Ground>) -> Round {
    let ground = Rc::clone(ground);
    let source = ground.queries[0].starts().first().copied().expect("a query has a start");
    let mut field = Field::around(&ground.grid, &[source]).expect("it can be entered");
    Box::new(move || {
        field.renew(&ground.grid, &[source], u64::MAX).expect("it can be entered");
        field.finish();
        black_box(field.settled());
    })
}

/// Paths that a search over cells finds, pulled taut.
fn smoothing(ground: &Rc<Ground>) -> Round {
    let (ground, paths) = (Rc::clone(ground), ground.paths("greedy"));
    let mut smoother = Smoother::new();
    Box::new(move || {
        for path in &paths {
            drop(black_box(smooth(&ground.grid, black_box(path), &mut smoother)));
        }
    })
}

/// Corridors of paths, and whether edits touch them.
fn corridors(ground: &Rc<Ground>) -> Round {
    let paths = ground.paths("astar");
    let changed: Vec<Cell> =
        ground.queries.iter().flat_map(|query| query.goals().to_vec()).collect();
    let mut corridor = Corridor::of(&[]);
    Box::new(move || {
        for path in &paths {
            corridor.renew(path.cells());
            for &cell in &changed {
                black_box(corridor.first_touched(path.cells(), 0, cell));
            }
        }
    })
}

/// A crowd that is made and walks for a second, with an edit every tenth tick.
fn crowd(ground: &Rc<Ground>) -> Round {
    let ground = Rc::clone(ground);
    let (edits, places) = (ground.edits(), seeded_queries(&ground.grid, AGENTS, 2));
    Box::new(move || {
        let world = PathWorld::on(ground.grid.clone());
        let world = world.with_planner(HpaOptions::default()).build().expect("it serves caves");
        let mut simulation = Simulation::new(world, Budget::expansions(15_000));
        for place in &places {
            let plan = AgentPlan::new(place.start, place.goal).with_pace(Pace::new(6, 60));
            simulation.add(plan);
        }
        for tick in 0..TICKS {
            if let (0, Some(batch)) = (tick % 10, edits.iter().flatten().nth(tick as usize / 10)) {
                simulation.edit(batch).expect("the cell lies on the map");
            }
            simulation.tick();
        }
        black_box(simulation.take_events());
    })
}
