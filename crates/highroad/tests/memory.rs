//! Memory: what is reported is what is held, caps hold, and a world that lives for hours does not grow.
//!
//! The counting allocator is the one place with `unsafe`: the trait cannot be implemented without it.
//! `HIGHROAD_MEMORY_HOURS=10 cargo test --release -p highroad --test memory -- --nocapture` simulates ten hours at twenty
//! ticks a second, and prints how much is held after each tenth of them.
#![allow(unsafe_code)]

use highroad::catalog::{CATALOG, Spec};
use highroad::cooperative::{Team, TeamMethod, TeamOptions, TeamPlan, TeamSearch, TeamState};
use highroad::field::{Field, FlowFields};
use highroad::grid::{Batch, Grid, KindId, Movement, MovementRule, Profile, StepCosts};
use highroad::hierarchy::{HpaOptions, PraOptions};
use highroad::index::{CornerLabels, CornerOptions, HubLabels, HubOptions};
use highroad::mesh::Mesh;
use highroad::online::GridSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::requests::Ticket;
use highroad::{Budget, Cell, CellRect, Cost, GridMap, PathWorld, Reply, Request, Terrain};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with a tally of what is held now and was held at most.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn took(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call is passed on to `System` unchanged, which keeps the contract; counting touches plain atomics, so it
// never allocates and cannot call back.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller keeps `alloc`'s contract, which is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        took(new_size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above; `block` came from `System`, since all blocks do.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The tally is of the whole process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// What a piece of work returns, with the bytes that are held afterwards, and at most beside those before.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let made = work();
    let (held, most) = (HELD.load(Ordering::Relaxed), MOST.load(Ordering::Relaxed));
    (made, held.saturating_sub(before), most.saturating_sub(before))
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn cell(&mut self, side: u32) -> Cell {
        let mut along = || self.below(u64::from(side)) as u32;
        Cell::new(along(), along())
    }
}

/// Scattered walls: many corners.
fn scattered(side: u32) -> GridMap {
    let mut random = Random(5);
    let wall = |_| if random.below(100) < 20 { Terrain::WALL } else { Terrain::GROUND };
    GridMap::from_fn(side, side, wall).unwrap()
}

#[test]
fn planners_hold_as_much_as_they_report() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let grid = Grid::with_defaults(scattered(192));
    for spec in CATALOG.iter().map(|entry| Spec::usual(entry)) {
        let (planner, held, _) = measured(|| spec.build(&grid));
        let Ok(planner) = planner else { continue };
        let reported = planner.memory_bytes();
        if reported.max(held) < 65_536 {
            continue;
        }
        let ratio = held as f64 / reported as f64;
        assert!((0.9..=1.1).contains(&ratio), "{spec} holds {held} bytes and reports {reported}");
    }
}

#[test]
fn a_cap_on_labels_holds_within_a_tenth() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let grid = Grid::with_defaults(scattered(160));
    let whole = HubLabels::build(&grid, HubOptions::default()).unwrap().memory_bytes();
    for bytes_max in [whole * 2, whole, whole * 3 / 4, whole / 2, whole / 4] {
        let options = HubOptions::default().with_bytes_max(bytes_max);
        let (labels, held, _) = measured(|| HubLabels::build(&grid, options).unwrap());
        match labels.fallback() {
            None => assert!(held as f64 <= bytes_max as f64 * 1.1, "{held} of {bytes_max} bytes"),
            // A hierarchy answers instead, which is not under the cap but smaller than labels.
            Some(_) => assert!(bytes_max <= whole && held < whole, "{held} of {bytes_max} bytes"),
        }
    }
    let least = HubOptions::default().with_bytes_max(whole / 4);
    let labels = HubLabels::build(&grid, least).unwrap();
    assert!(labels.fallback().is_some(), "a quarter of what labels need is too little for them");
}

#[test]
fn a_cap_on_labels_of_corners_holds_within_a_tenth() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let grid = Grid::with_defaults(scattered(40));
    let mesh = Mesh::from_cells(40, 40, |x, y| grid.is_enterable(Cell::new(x, y))).unwrap();
    let whole = CornerLabels::build(&mesh, CornerOptions::default()).unwrap().memory_bytes();
    for bytes_max in [whole * 2, whole, whole / 2, whole / 4] {
        let options = CornerOptions::default().with_bytes_max(bytes_max);
        let (labels, held, _) = measured(|| CornerLabels::build(&mesh, options));
        match labels {
            Ok(_) => assert!(held as f64 <= bytes_max as f64 * 1.1, "{held} of {bytes_max} bytes"),
            Err(_) => {
                assert!(bytes_max <= whole * 11 / 10 && held < 65_536, "{held} bytes are left")
            }
        }
    }
    let least = CornerOptions::default().with_bytes_max(whole / 4);
    assert!(CornerLabels::build(&mesh, least).is_err(), "a quarter of what they need");
}

#[test]
fn a_cap_on_shared_fields_holds_within_a_tenth() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let mut grid = Grid::with_defaults(scattered(160));
    let mut random = Random(7);
    let bytes_max = 1 << 20;
    let (fields, held, most) = measured(|| {
        let mut fields = FlowFields::new(bytes_max);
        for _ in 0..40 {
            let goal = random.cell(160);
            if grid.is_enterable(goal) {
                fields.open(&grid, &[goal]).unwrap();
            }
            fields.advance(40_000);
            let changes = grid.apply(Batch::new().set(random.cell(160), Terrain::GROUND)).unwrap();
            fields.follow(&grid, &changes);
        }
        fields
    });
    assert!(fields.len() > 1, "{} of them share it", fields.len());
    assert!(held as f64 <= bytes_max as f64 * 1.1, "{held} of {bytes_max} bytes");
    assert!(most as f64 <= bytes_max as f64 * 1.1, "{most} of {bytes_max} bytes on the way");
}

#[test]
fn a_cap_on_plans_for_teams_holds_within_a_tenth() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let four_way = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT);
    let grid = Grid::new(scattered(48), four_way.unwrap());
    let mut field = Field::around(&grid, &[Cell::new(24, 24)]).unwrap();
    field.finish();
    let mut free: Vec<Cell> =
        grid.extent().cells().filter(|&cell| field.cost(cell).is_some()).collect();
    let mut random = Random(3);
    for last in (1..free.len()).rev() {
        free.swap(last, random.below(last as u64 + 1) as usize);
    }
    let ends: Vec<_> = free.iter().zip(&free[500..]).take(500).map(|(a, b)| (*a, *b)).collect();
    let team = Team::new(&grid, &ends).unwrap();
    let methods =
        [TeamMethod::Lacam, TeamMethod::Pibt, TeamMethod::Cooperative, TeamMethod::Windowed];
    let bytes_of = |plan: &TeamPlan| {
        let cells = |agent| plan.path(agent).map_or(0, <[Cell]>::len) * size_of::<Cell>();
        (0..plan.len()).map(|agent| cells(agent) + size_of::<Vec<Cell>>()).sum::<usize>()
    };
    for method in methods {
        let mut ended_early = false;
        for bytes_max in [1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22] {
            let options = TeamOptions::default().with_method(method).with_memory_max(bytes_max);
            let mut search = None;
            let (plan_bytes, held, _) = measured(|| {
                let mut made = TeamSearch::new(&team, options);
                for _ in 0..50 {
                    made.advance(2000);
                }
                let plan_bytes = made.plan().map_or(0, bytes_of);
                ended_early |= made.memory_bytes() == 0 && made.state() != TeamState::Best;
                search = Some(made);
                plan_bytes
            });
            let own = held.saturating_sub(plan_bytes);
            let least = bytes_max as f64 * 1.1 + 16_384.0;
            assert!(own as f64 <= least, "{method:?} holds {own} of {bytes_max} bytes");
        }
        assert!(ended_early, "{method:?} is never stopped by its cap");
    }
}

/// One tick of a game: edits, requests, snapshots, queries, undos.
fn live(world: &mut PathWorld, random: &mut Random, side: u32, waiting: &mut Vec<Ticket>) {
    let mut batch = Batch::new();
    let (from, terrain) = (random.cell(side), random.below(2));
    let to = Cell::new((from.x + 19).min(side - 1), (from.y + 9).min(side - 1));
    let terrain = if terrain == 0 { Terrain::WALL } else { Terrain::GROUND };
    // Cells that do not touch are changes of their own, so that journal and history are full before anything is compared.
    for (x, y) in (from.y..=to.y).flat_map(|y| (from.x..=to.x).map(move |x| (x, y))) {
        if (x + y).is_multiple_of(2) {
            batch.set(Cell::new(x, y), terrain);
        }
    }
    batch.surcharge(CellRect::new(from, from), random.below(3) as u16);
    world.apply(&batch).unwrap();
    if random.below(50) == 0 {
        world.undo();
    }
    for _ in 0..2 {
        let request = Request::path(random.cell(side), random.cell(side));
        waiting.push(world.request(request));
    }
    if random.below(20) == 0 {
        // Somebody looks for a moment, and asks for other things.
        let snapshot = world.snapshot();
        drop(snapshot.find_path(random.cell(side), random.cell(side)));
        drop(world.find_each(random.cell(side), &[random.cell(side), random.cell(side)]));
        drop(world.range(random.cell(side), Cost(40_000)));
        world.is_reachable(KindId::DEFAULT, random.cell(side), random.cell(side));
    }
    world.tick(Budget::expansions(3000));
    waiting.retain(|&ticket| world.poll(ticket) == Reply::Pending);
    // Those who wait for long give up.
    while waiting.len() > 100 {
        world.cancel(waiting.remove(0));
    }
    world.take_reports().for_each(drop);
}

#[test]
fn a_world_does_not_grow_over_hours_of_edits_and_queries() {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let hours: Option<u64> =
        std::env::var("HIGHROAD_MEMORY_HOURS").ok().and_then(|hours| hours.parse().ok());
    // Twenty ticks a second; otherwise two and a half minutes of them.
    let ticks = hours.map_or(3000, |hours| hours * 3600 * 20);
    let (side, mut random) = (96, Random(9));
    let mut world = PathWorld::new(scattered(side))
        .with_planner(HpaOptions::default())
        .with_planner(PraOptions::default())
        .with_lockstep(2)
        .build()
        .unwrap();
    let mut waiting = Vec::new();
    let mut held = Vec::new();
    for tick in 0..ticks {
        live(&mut world, &mut random, side, &mut waiting);
        if (tick + 1).is_multiple_of(ticks / 10) {
            held.push(HELD.load(Ordering::Relaxed));
        }
    }
    #[allow(clippy::print_stdout)]
    {
        println!("{ticks} ticks, bytes held after each tenth: {held:?}");
    }
    // The journal and what can be undone fill up to their limits at first.
    let (early, late) = (held[4..7].iter().max().unwrap(), held[7..].iter().max().unwrap());
    assert!(*late as f64 <= *early as f64 * 1.1, "{held:?}");
}

/// However many requests wait, and whatever they ask for: eight of them are worked on, and four fields are kept.
#[test]
fn requests_take_no_more_than_eight_searches_and_twelve_fields() {
    const REQUESTS: u64 = 600;
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|error| error.into_inner());
    let (side, mut random) = (160, Random(3));
    let grid = Grid::with_defaults(scattered(side));
    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let (scratch, search, _) = measured(|| {
        let mut scratch = Scratch::new();
        for goal in [free[0], free[free.len() / 2], free[free.len() - 1]] {
            let query = PathQuery::new(free[free.len() / 3], goal);
            drop(GridSearch::astar().solve(&grid, &query, &mut scratch));
        }
        scratch
    });
    let (field, field_bytes, _) = measured(|| {
        let mut field = Field::around(&grid, &free[..1]).unwrap();
        field.finish();
        field
    });
    let list = free.len() * size_of::<(Cell, Cost)>();
    drop((scratch, field));

    let mut world = PathWorld::new(scattered(side));
    world.share_fields_from(4);
    let mut one = || free[random.below(free.len() as u64) as usize];
    let mut tickets = Vec::new();
    for number in 0..REQUESTS {
        tickets.push(world.request(match number % 6 {
            0 => Request::range(one(), Cost(u64::MAX)),
            1 => Request::each(one(), vec![one(), one()]),
            2 | 3 => Request::path(one(), free[number as usize % 40 * 100]),
            _ => Request::path(one(), one()),
        }));
    }
    let mut toggle = false;
    let (_, _, most) = measured(|| {
        while !tickets.is_empty() {
            toggle = !toggle;
            let terrain = if toggle { Terrain::WALL } else { Terrain::GROUND };
            world.edit(|edit| _ = edit.set(free[free.len() / 2], terrain)).unwrap();
            world.tick(Budget::expansions(8000));
            tickets.retain(|&ticket| matches!(world.poll(ticket), Reply::Pending | Reply::Leg(_)));
        }
    });
    // Searches and lists that go on whatever edits come hold the map as it was.
    let held = 8 * grid.memory_bytes();
    let cap = 8 * search + 12 * field_bytes + 8 * list + held;
    #[allow(clippy::print_stdout)]
    {
        let cells = (side * side) as usize;
        println!("bytes a cell: search {}, field {}", search / cells, field_bytes / cells);
        println!("list {}, held {}, all {}", list / cells, held / cells, most / cells);
    }
    assert!(most <= cap + cap / 10, "{most} of {cap} bytes");
    assert!(most > search + field_bytes, "{most}: several are worked on");
}
