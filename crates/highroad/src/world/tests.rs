//! Edits, snapshots, rebuilds, and what a world is asked.

use super::*;
use crate::planners::RebuildEvent;
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use crate::requests::{Budget, Reply, Request};
use highroad_core::{
    CATALOG, CellRect, Change, GridSearch, Guarantee, HpaOptions, HubOptions, Movement, PaidCells,
    Planner, Spec, SubgoalGraph, Terrain,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

pub(super) fn open_map(width: u32, height: u32) -> GridMap {
    GridMap::filled(width, height, Terrain::GROUND).unwrap()
}

pub(super) fn spec(name: &str) -> Spec {
    name.parse().unwrap()
}

/// A planner of the default kind by its number.
pub(super) fn nth(world: &PathWorld, number: usize) -> PlannerId {
    world.planners().nth(number).expect("the world has so many planners")
}

#[test]
fn a_snapshot_answers_for_its_own_revision_from_another_thread() {
    let map: GridMap = "...\n.#.\n...\n".parse().unwrap();
    let grid = Grid::with_defaults(map.clone());
    for entry in CATALOG.iter().filter(|entry| entry.serves(&grid).is_ok()) {
        let world = PathWorld::new(map.clone()).with_planner(Spec::usual(entry));
        let mut world = world.build().unwrap();
        let before = world.snapshot();
        world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL)).unwrap();
        world.edit(|edit| _ = edit.set((1, 2), Terrain::WALL)).unwrap();
        assert_eq!(world.find_path((0, 1), (2, 1)).unwrap(), None);
        let path = std::thread::spawn(move || before.find_path((0, 1), (2, 1)).unwrap());
        let path = path.join().unwrap().expect("the snapshot has two ways round");
        assert_eq!((path.length(), path.revision()), (4.0, Revision(0)), "{}", entry.name);
    }
}

#[test]
fn the_journal_lists_what_came_after_a_revision() {
    let mut world = PathWorld::new("...\n".parse().unwrap());
    let first = world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).unwrap();
    world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).unwrap();
    world.edit(|edit| _ = edit.set((2, 0), Terrain::SWAMP)).unwrap();
    let cells = |since| {
        let changes = world.changes_since(since).unwrap();
        changes.map(|change| change.rect.min().x).collect::<Vec<_>>()
    };
    assert_eq!(cells(Revision(0)), [0, 2]);
    assert_eq!(cells(first), [2]);
    assert_eq!(world.revision(), Revision(2), "an edit without effect is no revision");
}

#[test]
fn an_edit_outside_changes_nothing() {
    let mut world = PathWorld::new("...\n".parse().unwrap());
    let result = world.edit(|edit| {
        edit.set((0, 0), Terrain::WALL).set((3, 0), Terrain::WALL);
    });
    assert!(result.is_err());
    assert_eq!(world.revision(), Revision(0));
    assert_eq!(world.grid().map().to_string(), "...\n");
    assert_eq!(world.undo(), None);
}

#[test]
fn what_was_undone_is_done_again_until_another_edit_comes() {
    let mut world =
        PathWorld::new(open_map(40, 40)).with_planner(HpaOptions::default()).build().unwrap();
    let wall = |world: &mut PathWorld, x: u32| {
        world.edit(|edit| _ = edit.fill(CellRect::new((x, 0), (x, 39)), Terrain::WALL)).unwrap();
        world.grid().map().to_string()
    };
    let blank = world.grid().map().to_string();
    let one = wall(&mut world, 10);
    world.edit(|edit| _ = edit.surcharge(CellRect::new((0, 0), (9, 9)), 4)).unwrap();
    let two = wall(&mut world, 20);
    (0..3).for_each(|_| _ = world.undo());
    assert_eq!((world.grid().map().to_string(), world.can_undo()), (blank.clone(), false));
    let mut loaded: PathWorld = PathWorld::load(&world.save()).unwrap();
    let mut copy = world.clone();
    for world in [&mut world, &mut loaded, &mut copy] {
        assert!(world.redo().is_some());
        assert_eq!(world.grid().map().to_string(), one);
        assert!(world.redo().is_some() && world.redo().is_some() && world.redo().is_none());
        assert_eq!(
            (world.grid().map().to_string(), world.grid().cost_range()),
            (two.clone(), 1..=5)
        );
        assert_eq!(world.find_path((0, 0), (30, 0)).unwrap(), None);
        (0..3).for_each(|_| _ = world.undo());
        assert_eq!(world.grid().map().to_string(), blank);
    }
    wall(&mut world, 30);
    assert!(!world.can_redo() && world.redo().is_none(), "an edit ends what could be done again");
}

#[test]
fn a_planner_is_added_and_replaced_while_requests_wait() {
    let mut world = PathWorld::new(open_map(60, 60));
    let ticket = world.request(Request::path((0, 0), (59, 59)));
    let id = world.add_planner(KindId::DEFAULT, HpaOptions::default()).unwrap();
    assert_eq!(world.add_planner(KindId(9), HpaOptions::default()), None);
    world.edit(|edit| _ = edit.set((30, 30), Terrain::WALL)).unwrap();
    world.finish_rebuilds();
    assert_eq!(world.planner_status(id), Some(PlannerStatus::Ready));
    world.planner(id).unwrap().verify(world.grid()).unwrap();
    world.tick(Budget::expansions(1));
    assert!(world.replace_planner(id, "ch".parse::<Spec>().unwrap()));
    world.tick(Budget::unlimited());
    assert!(matches!(world.poll(ticket), Reply::Ready(_)));
    world.finish_rebuilds();
    assert_eq!(
        (world.planner_name(id), world.guarantee(id)),
        (Some("ch"), Some(Guarantee::Optimal))
    );
    let other = PathWorld::new(open_map(4, 4));
    assert!(!PathWorld::new(open_map(4, 4)).replace_planner(id, HpaOptions::default()));
    assert!(other.shared_planner(id).is_none());
}

#[test]
fn batches_are_undone_one_after_another_and_planners_follow() {
    let mut world =
        PathWorld::new(open_map(70, 70)).with_planner(HpaOptions::default()).build().unwrap();
    let blank = world.grid().map().to_string();
    world.edit(|edit| _ = edit.fill(CellRect::new((0, 30), (69, 30)), Terrain::WALL)).unwrap();
    let walled = world.grid().map().to_string();
    world.edit(|edit| _ = edit.surcharge(CellRect::new((0, 0), (9, 9)), 4)).unwrap();
    assert_eq!(world.find_path((0, 0), (69, 69)).unwrap(), None);
    assert_eq!(world.undo(), Some(Revision(3)));
    assert_eq!(world.grid().map().to_string(), walled);
    assert_eq!(world.grid().uniform_cost(), Some(1));
    assert_eq!(world.undo(), Some(Revision(4)));
    assert_eq!(world.grid().map().to_string(), blank);
    assert_eq!(world.undo(), None, "what was undone is not done again");
    assert!(world.find_path((0, 0), (69, 69)).unwrap().is_some());
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
}

#[test]
fn a_path_is_valid_until_its_corridor_is_touched() {
    let mut world = PathWorld::new(open_map(20, 20));
    let path = world.find_path((0, 0), (10, 10)).unwrap().unwrap();
    let mut valid_after = |cell: (u32, u32), terrain| {
        world.edit(|edit| _ = edit.set(cell, terrain)).unwrap();
        world.still_valid(&path)
    };
    assert!(valid_after((15, 15), Terrain::WALL));
    assert!(valid_after((7, 5), Terrain::WALL));
    assert!(!valid_after((6, 5), Terrain::WALL), "a diagonal step squeezes past");
    assert!(valid_after((6, 5), Terrain::GROUND), "as good as before");
    assert!(!valid_after((5, 5), Terrain::WALL));
    assert!(valid_after((5, 5), Terrain::GROUND));
    world.edit(|edit| _ = edit.surcharge(CellRect::new((3, 3), (3, 3)), 1)).unwrap();
    assert!(!world.still_valid(&path), "it costs more than it claims");
    let changes: Vec<Change> = world.changes_since(Revision(6)).unwrap().copied().collect();
    assert!(world.affected(&path, &changes));
}

#[test]
fn a_path_older_than_the_journal_is_walked_through() {
    let mut world = PathWorld::new(open_map(300, 300));
    let path = world.find_path((0, 299), (299, 299)).unwrap().unwrap();
    // One by one, so that they are not one change.
    let cells = CellRect::new((0, 0), (299, 250)).cells();
    world.edit(|edit| cells.for_each(|cell| _ = edit.set(cell, Terrain::WALL))).unwrap();
    assert!(world.changes_since(path.revision()).is_none(), "more changes than it keeps");
    assert!(world.still_valid(&path));
    world.edit(|edit| _ = edit.set((9, 299), Terrain::WALL)).unwrap();
    assert!(!world.still_valid(&path));
}

#[test]
fn an_index_that_cannot_follow_is_rebuilt_while_an_exact_search_answers() {
    let mut world = PathWorld::new(open_map(64, 64)).with_planner(spec("ch")).build().unwrap();
    world.edit(|edit| _ = edit.fill(CellRect::new((30, 0), (30, 60)), Terrain::WALL)).unwrap();
    assert!(matches!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Rebuilding { .. })));
    let (start, goal) = ((0, 0), (63, 0));
    let query = PathQuery::new(start, goal);
    let exact = GridSearch::astar().solve(world.grid(), &query, &mut Scratch::new()).unwrap();
    let exact = exact.path().unwrap().cost();
    assert_eq!(world.snapshot().find_path(start, goal).unwrap().unwrap().cost(), exact);
    assert_eq!(world.find_path(start, goal).unwrap().unwrap().cost(), exact);
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
    assert_eq!(world.find_path(start, goal).unwrap().unwrap().cost(), exact);
    let events: Vec<RebuildEvent> = world.take_reports().map(|report| report.event).collect();
    assert_eq!(events, [RebuildEvent::Started, RebuildEvent::Swapped]);
    assert!(world.memory_bytes() > 0);
}

#[test]
fn labels_are_rebuilt_when_the_map_has_stood_still() {
    let mut world = PathWorld::new(open_map(64, 64))
        .with_planner(HubOptions::default())
        .with_planner(HpaOptions::default())
        .with_rest_ticks(3)
        .build()
        .unwrap();
    let budget = crate::Budget::expansions(100);
    for column in 10..14 {
        world.edit(|edit| _ = edit.set((column, 5), Terrain::WALL)).unwrap();
        world.tick(budget);
        world.tick(budget);
        assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Waiting { ticks: 1 }));
        assert_eq!(world.planner_status(nth(&world, 1)), Some(PlannerStatus::Ready));
    }
    assert_eq!(world.take_reports().count(), 0, "nothing was begun while edits came");
    world.tick(budget);
    assert!(!matches!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Waiting { .. })));
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
    let events: Vec<RebuildEvent> = world.take_reports().map(|report| report.event).collect();
    assert_eq!(events, [RebuildEvent::Started, RebuildEvent::Swapped]);
    // An agent that waits can be released, or begin at once.
    world.edit(|edit| _ = edit.set((20, 5), Terrain::WALL)).unwrap();
    assert!(world.stop_rebuild(nth(&world, 0)) && !world.stop_rebuild(nth(&world, 0)));
    world.rebuild(nth(&world, 0));
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
}

/// A recipe whose build waits for orders.
struct OrderedRecipe {
    orders: Mutex<Receiver<Order>>,
    built: Arc<AtomicUsize>,
    inner: Spec,
}

enum Order {
    Build,
    Panic,
    WaitForStop,
}

fn ordered(inner: &str) -> (OrderedRecipe, Sender<Order>, Arc<AtomicUsize>) {
    let (orders, receiver) = channel();
    let built = Arc::new(AtomicUsize::new(0));
    let recipe = OrderedRecipe {
        orders: Mutex::new(receiver),
        built: Arc::clone(&built),
        inner: spec(inner),
    };
    (recipe, orders, built)
}

impl Recipe for OrderedRecipe {
    fn name(&self) -> String {
        "reported".to_owned()
    }

    fn build(&self, grid: &Grid, watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        let order = self.orders.lock().unwrap_or_else(|error| error.into_inner()).recv();
        self.built.fetch_add(1, Ordering::SeqCst);
        match order {
            Ok(Order::Panic) => panic!("as asked"),
            Ok(Order::WaitForStop) => {
                while watch.report(1, 2).is_continue() {
                    std::thread::yield_now();
                }
                Err(RebuildError::Stopped)
            }
            Ok(Order::Build) | Err(_) => Recipe::build(&self.inner, grid, watch),
        }
    }
}

fn ordered_world(inner: &str, size: u32) -> (PathWorld, Sender<Order>, Arc<AtomicUsize>) {
    let (recipe, orders, built) = ordered(inner);
    orders.send(Order::Build).unwrap();
    // Everything is followed in the background, the thesis's way.
    let world = PathWorld::new(open_map(size, size))
        .with_planner(recipe)
        .with_patch_limit(0)
        .build()
        .unwrap();
    (world, orders, built)
}

#[test]
fn a_rebuilt_hierarchy_catches_up_with_edits_made_meanwhile() {
    let (mut world, orders, built) = ordered_world("hpa", 70);
    world.edit(|edit| _ = edit.fill(CellRect::new((20, 0), (20, 60)), Terrain::WALL)).unwrap();
    world.edit(|edit| _ = edit.fill(CellRect::new((40, 9), (40, 69)), Terrain::WALL)).unwrap();
    assert!(matches!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Rebuilding { .. })));
    orders.send(Order::Build).unwrap();
    world.finish_rebuilds();
    assert_eq!(built.load(Ordering::SeqCst), 2, "once at first, once for both edits");
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
    let planner = world.planners.get(0, KindId::DEFAULT).unwrap();
    planner.verify(world.grid()).unwrap();
    assert_eq!(planner.guarantee(world.grid()), Guarantee::NearOptimal);
    assert!(world.find_path((0, 0), (69, 0)).unwrap().is_some());
}

#[test]
fn a_rebuild_far_behind_catches_up_in_the_background_too() {
    let (mut world, orders, _) = ordered_world("hpa", 200);
    world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).unwrap();
    // More cells than the world's own thread is burdened with, fewer than the journal keeps.
    world.edit(|edit| _ = edit.fill(CellRect::new((0, 0), (199, 99)), Terrain::SWAMP)).unwrap();
    orders.send(Order::Build).unwrap();
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
    world.planners.get(0, KindId::DEFAULT).unwrap().verify(world.grid()).unwrap();
}

#[test]
fn a_panic_in_the_worker_is_reported_and_leaves_the_world_usable() {
    let (mut world, orders, _) = ordered_world("hpa", 40);
    world.edit(|edit| _ = edit.set((20, 20), Terrain::WALL)).unwrap();
    orders.send(Order::Panic).unwrap();
    world.finish_rebuilds();
    let panicked = RebuildError::Panicked("as asked".to_owned());
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Idle(panicked.clone())));
    let events: Vec<RebuildEvent> = world.take_reports().map(|report| report.event).collect();
    assert_eq!(events, [RebuildEvent::Started, RebuildEvent::Failed(panicked)]);
    assert!(world.find_path((0, 0), (39, 39)).unwrap().is_some());
    world.edit(|edit| _ = edit.set((21, 20), Terrain::WALL)).unwrap();
    assert!(world.find_path((0, 0), (39, 39)).unwrap().is_some(), "edits go on as well");
    world.rebuild(nth(&world, 0));
    orders.send(Order::Build).unwrap();
    world.finish_rebuilds();
    assert_eq!(
        world.planner_status(nth(&world, 0)),
        Some(PlannerStatus::Ready),
        "the worker lives"
    );
}

#[test]
fn a_rebuild_tells_its_progress_and_can_be_stopped() {
    let (mut world, orders, _) = ordered_world("hpa", 40);
    let other = PathWorld::new(open_map(2, 2)).with_planner(spec("astar")).build().unwrap();
    let foreign = nth(&other, 0);
    world.edit(|edit| _ = edit.set((20, 20), Terrain::WALL)).unwrap();
    assert_eq!(
        world.planner_status(nth(&world, 0)),
        Some(PlannerStatus::Rebuilding { done: 0, of: 0 }),
        "nothing is known yet"
    );
    orders.send(Order::WaitForStop).unwrap();
    while world.planner_status(nth(&world, 0)) != Some(PlannerStatus::Rebuilding { done: 1, of: 2 })
    {
        std::thread::yield_now();
    }
    assert!(
        world.stop_rebuild(nth(&world, 0))
            && !world.stop_rebuild(nth(&world, 0))
            && !world.stop_rebuild(foreign)
    );
    assert_eq!(
        world.planner_status(nth(&world, 0)),
        Some(PlannerStatus::Idle(RebuildError::Stopped))
    );
    assert!(world.find_path((0, 0), (39, 39)).unwrap().is_some());
    world.rebuild(nth(&world, 0));
    orders.send(Order::Build).unwrap();
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
}

#[test]
fn dropping_a_world_stops_and_joins_its_worker() {
    let (mut world, orders, built) = ordered_world("hpa", 40);
    world.edit(|edit| _ = edit.set((20, 20), Terrain::WALL)).unwrap();
    orders.send(Order::WaitForStop).unwrap();
    while built.load(Ordering::SeqCst) < 2 {
        std::thread::yield_now();
    }
    // Returns only since the build was asked to stop; the recipe is gone when the thread is.
    drop(world);
    assert!(orders.send(Order::Build).is_err());
}

#[test]
fn in_lockstep_a_rebuild_takes_over_at_its_tick_and_not_before() {
    let (recipe, orders, _) = ordered("hpa");
    orders.send(Order::Build).unwrap();
    let builder =
        PathWorld::new(open_map(40, 40)).with_planner(recipe).with_patch_limit(0).with_lockstep(3);
    let mut world = builder.build().unwrap();
    world.tick(crate::Budget::unlimited());
    world.edit(|edit| _ = edit.set((20, 20), Terrain::WALL)).unwrap();
    // Done long before it is due: the worker is asked for the order only once.
    orders.send(Order::Build).unwrap();
    let ready =
        |world: &PathWorld| world.planner_status(nth(world, 0)) == Some(PlannerStatus::Ready);
    for _ in 0..2 {
        world.tick(crate::Budget::unlimited());
        let column = world.ticks() as u32;
        world.edit(|edit| _ = edit.set((column, 3), Terrain::WALL)).unwrap();
        assert!(!ready(&world));
    }
    world.tick(crate::Budget::unlimited());
    assert!(ready(&world), "waited for, and caught up with both edits");
    world.planners.get(0, KindId::DEFAULT).unwrap().verify(world.grid()).unwrap();
}

#[test]
fn a_planner_that_does_not_serve_the_map_says_so_and_comes_back_when_it_does() {
    let map: GridMap = "ABC\n".parse().unwrap();
    let error = PathWorld::new(map).with_planner(spec("jps")).build().err().unwrap();
    assert!(
        error.to_string().starts_with("planner 'jps' of kind 'default': it does not serve"),
        "{error}"
    );
    let mut world = PathWorld::new(open_map(9, 9)).with_planner(spec("jps")).build().unwrap();
    world.edit(|edit| _ = edit.surcharge(CellRect::new((0, 0), (4, 4)), 3)).unwrap();
    world.finish_rebuilds();
    let status = world.planner_status(nth(&world, 0));
    assert!(matches!(status, Some(PlannerStatus::Idle(RebuildError::NotServed(_)))), "{status:?}");
    assert!(world.find_path((0, 0), (8, 8)).unwrap().is_some());
    world.undo();
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
}

#[test]
fn a_shared_planner_is_not_changed_under_a_snapshot() {
    let mut world =
        PathWorld::new(open_map(70, 70)).with_planner(HpaOptions::default()).build().unwrap();
    let held: Vec<Snapshot> = (0..5)
        .map(|row| {
            let view = world.snapshot();
            world
                .edit(|edit| {
                    _ = edit.fill(CellRect::new((0, row * 9), (60, row * 9)), Terrain::WALL)
                })
                .unwrap();
            view
        })
        .collect();
    for view in held.iter().chain([&world.snapshot()]) {
        let [planner] = &view.0.planners[0][..] else { panic!("it follows edits") };
        planner.verify(view).unwrap();
        let path = view.find_path((0, 1), (0, 69)).unwrap().unwrap();
        assert_eq!((path.revision(), path.validate(&**view)), (view.revision(), Ok(())));
    }
}

#[test]
fn readers_see_what_was_published_last() {
    let mut world = PathWorld::new(open_map(9, 9));
    let reader = world.reader();
    let other = reader.clone();
    assert_eq!(reader.snapshot().revision(), Revision(0));
    world.edit(|edit| _ = edit.set((4, 4), Terrain::WALL)).unwrap();
    assert_eq!(other.snapshot().revision(), Revision(1));
    world.undo();
    assert_eq!(reader.snapshot().revision(), Revision(2));
    drop((reader, other));
    world.edit(|edit| _ = edit.set((4, 4), Terrain::WALL)).unwrap();
    assert!(world.published.is_none(), "nobody is left to publish for");
}

#[test]
fn many_answers_come_in_order_and_are_those_of_one() {
    let map = GridMap::from_fn(80, 60, |cell| {
        if cell.x % 11 == 5 && cell.y % 7 != 2 { Terrain::WALL } else { Terrain::GROUND }
    });
    let world = PathWorld::new(map.unwrap()).with_planner(HpaOptions::default()).build().unwrap();
    let view = world.snapshot();
    let queries: Vec<PathQuery> = (0..200)
        .map(|at| PathQuery::new((at % 80, at / 5), (79 - at % 13, 59 - at % 40)))
        .collect();
    let many = view.find_many(&queries);
    for (query, found) in queries.iter().zip(&many) {
        let one = view.answer(query).map(Answer::path);
        assert_eq!(*found, one);
    }
    assert!(many.iter().any(|found| found.is_err()), "some ends are walls");
}

#[test]
fn ranges_many_goals_and_each_of_many() {
    let map: GridMap = ".....\n.###.\n.#.#.\n.###.\n.....\n".parse().unwrap();
    let world = PathWorld::new(map);
    let view = world.snapshot();
    let goals: Vec<Cell> = [(4, 4), (4, 0), (2, 2), (9, 9)].map(Cell::from).to_vec();
    let each = view.find_each((0, 0), &goals).unwrap();
    let lengths: Vec<Option<f64>> =
        each.iter().map(|path| path.as_ref().map(Path::length)).collect();
    assert_eq!(lengths, [Some(8.0), Some(4.0), None, None]);
    let nearest = view.find_nearest((0, 0), &goals[..3]).unwrap().unwrap();
    assert_eq!(nearest.goal(), Cell::new(4, 0));
    let two_steps = highroad_core::Cost(2 * 2 * 2378);
    let range = view.range((0, 0), two_steps).unwrap();
    let cells: Vec<Cell> = range.iter().map(|&(cell, _)| cell).collect();
    assert_eq!(cells, [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)].map(Cell::from));
    assert!(view.range((1, 1), two_steps).is_err());
}

#[test]
fn a_world_can_be_shared_and_sent() {
    fn shared<T: Send + Sync>() {}
    shared::<PathWorld>();
    shared::<Snapshot>();
    shared::<Reader>();
    // As a type that a snapshot may hold.
    shared::<SubgoalGraph>();
}

#[test]
fn a_hierarchy_that_could_not_follow_once_follows_again_later() {
    let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    let world = PathWorld::with_movement(open_map(70, 70), movement);
    let mut world = world.with_planner(spec("pra")).build().unwrap();
    // Where cells differ in cost, a step then costs something else than the step back.
    world.edit(|edit| _ = edit.surcharge(CellRect::new((0, 0), (9, 9)), 5)).unwrap();
    world.finish_rebuilds();
    let status = world.planner_status(nth(&world, 0));
    assert!(matches!(status, Some(PlannerStatus::Idle(RebuildError::NotServed(_)))), "{status:?}");
    world.undo();
    world.finish_rebuilds();
    assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready));
    world.edit(|edit| _ = edit.set((5, 5), Terrain::WALL)).unwrap();
    assert_eq!(
        world.planner_status(nth(&world, 0)),
        Some(PlannerStatus::Ready),
        "patched, not built again"
    );
}

const SURCHARGES: [u16; 5] = [154, 155, 201, 10_000, u16::MAX];

#[test]
fn hierarchies_follow_a_surcharge_of_any_size() {
    for (name, surcharge) in
        ["hpa", "pra"].into_iter().flat_map(|name| SURCHARGES.map(|s| (name, s)))
    {
        let mut world = PathWorld::new(open_map(70, 70)).with_planner(spec(name)).build().unwrap();
        world.edit(|edit| _ = edit.surcharge(CellRect::new((30, 0), (30, 68)), surcharge)).unwrap();
        assert_eq!(world.planner_status(nth(&world, 0)), Some(PlannerStatus::Ready), "{name}");
        let query = PathQuery::new((0, 0), (69, 0));
        let best = GridSearch::astar().solve(world.grid(), &query, &mut Scratch::new());
        let best = best.unwrap().path().unwrap().cost();
        let path = world.find_path((0, 0), (69, 0)).unwrap().unwrap();
        // Straight through the wall costs a third more than the way around, by the gap of one cell.
        assert!(path.cost().0 * 20 <= best.0 * 21, "{name} {surcharge}: {path:?}");
    }
}

#[test]
fn an_index_under_a_snapshot_is_begun_again_at_once_when_an_edit_outdates_it() {
    let mut world = PathWorld::new(open_map(40, 40)).with_planner(spec("subgoal")).build().unwrap();
    let view = world.snapshot();
    for column in 0..5 {
        world.edit(|edit| _ = edit.set((column, 7), Terrain::WALL)).unwrap();
    }
    world.finish_rebuilds();
    let events: Vec<RebuildEvent> = world.take_reports().map(|report| report.event).collect();
    assert_eq!(events[..5], vec![RebuildEvent::Started; 5]);
    assert_eq!(events[5..], [RebuildEvent::Swapped], "none waits for one that is useless");
    assert_eq!(view.revision(), Revision(0));
}
