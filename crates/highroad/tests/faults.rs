//! What happens when code that a world calls panics, or the clock jumps. docs/faults.md describes each.

use highroad::environment::Revision;
use highroad::grid::{Change, Grid, KindId};
use highroad::hierarchy::{Hpa, HpaOptions};
use highroad::planner::{
    Algorithm, CatchUp, Guarantee, PathQuery, Planner, Progress, Session, Watch,
};
use highroad::search::SearchObserver;
use highroad::world::{BuildWatch, Clock, PlannerStatus, RebuildError, RebuildEvent, Recipe};
use highroad::{Budget, Cell, GridMap, PathWorld, Reply, Request, Terrain};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where a planner panics.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Starting,
    Running,
    Following,
    Building,
}

/// A planner that only ever panics.
struct Broken(When);

impl Algorithm<Grid> for Broken {
    type Memory = ();

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::None
    }

    fn start(&self, _: &Grid, _: &PathQuery, _: &mut Session<'_, Cell>, _: &mut ()) {
        assert!(self.0 != When::Starting, "as asked");
    }

    fn run<O: SearchObserver>(
        &self,
        _: &Grid,
        _: &mut Session<'_, Cell>,
        _: &mut (),
        _: u64,
        _: &mut O,
    ) -> Progress {
        panic!("as asked")
    }

    fn copy(&self) -> Option<Self> {
        Some(Self(self.0))
    }

    fn follow(&mut self, _: &Grid, _: &[Change], _: &mut ()) -> CatchUp {
        assert!(self.0 != When::Following, "as asked");
        CatchUp::Done
    }
}

/// Makes it. Built again, it panics while it is built if that is when.
struct BrokenRecipe(When, AtomicU64);

impl Recipe for BrokenRecipe {
    fn name(&self) -> String {
        "broken".to_owned()
    }

    fn build(&self, _: &Grid, _: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        let again = self.1.fetch_add(1, Ordering::Relaxed) > 0;
        assert!(self.0 != When::Building || !again, "as asked");
        Ok(Box::new(Broken(self.0)))
    }
}

fn open_map() -> GridMap {
    GridMap::from_fn(40, 40, |_| Terrain::GROUND).unwrap()
}

/// A world with a broken planner before a sound one.
fn world(when: When) -> PathWorld {
    let world = PathWorld::new(open_map()).with_planner(BrokenRecipe(when, AtomicU64::new(0)));
    world.with_planner(HpaOptions::default()).build().unwrap()
}

fn panicked() -> RebuildError {
    RebuildError::Panicked("as asked".to_owned())
}

/// The broken planner is out, that was reported once, and the sound one answers.
fn check_taken_out(world: &mut PathWorld, reports: &[RebuildEvent]) {
    let statuses: Vec<PlannerStatus> =
        world.planners().filter_map(|planner| world.planner_status(planner)).collect();
    assert_eq!(statuses, [PlannerStatus::Idle(panicked()), PlannerStatus::Ready]);
    let events: Vec<RebuildEvent> = world.take_reports().map(|report| report.event).collect();
    assert_eq!(events, reports);
    assert_eq!(world.find_path((0, 0), (39, 39)).unwrap().unwrap().steps(), 39);
    assert_eq!(world.snapshot().find_path((0, 0), (39, 39)).unwrap().unwrap().steps(), 39);
}

#[test]
fn a_planner_that_panics_while_it_answers_requests_is_taken_out_and_all_are_answered() {
    for when in [When::Starting, When::Running] {
        let mut world = world(when);
        // More than are worked on at a time, on several threads.
        let requests = (0..30).map(|x| Request::path((x, 0), (39 - x, 39)));
        let tickets: Vec<_> = requests.map(|request| world.request(request)).collect();
        let report = world.tick(Budget::unlimited());
        assert_eq!((report.answered, report.waiting), (30, 0));
        for ticket in tickets {
            assert!(matches!(world.poll(ticket), Reply::Ready(_)));
        }
        check_taken_out(&mut world, &[RebuildEvent::Failed(panicked())]);
    }
}

#[test]
fn a_planner_that_panics_while_it_follows_an_edit_is_taken_out_and_the_edit_is_made() {
    let mut world = world(When::Following);
    let reader = world.reader();
    let revision = world.edit(|edit| _ = edit.set((20, 5), Terrain::WALL)).unwrap();
    assert_eq!((revision, world.revision()), (Revision(1), Revision(1)));
    assert_eq!(
        reader.snapshot().of(KindId::DEFAULT).unwrap().environment().revision(),
        revision,
        "readers see the edit"
    );
    check_taken_out(&mut world, &[RebuildEvent::Failed(panicked())]);
    assert!(world.undo().is_some());
}

#[test]
fn a_recipe_that_panics_in_the_background_is_reported_and_the_world_goes_on() {
    let mut world = world(When::Building);
    let broken = world.planners().next().unwrap();
    world.rebuild(broken);
    world.finish_rebuilds();
    check_taken_out(&mut world, &[RebuildEvent::Started, RebuildEvent::Failed(panicked())]);
    // Edits do not bring it back; who asks for it gets it again.
    world.edit(|edit| _ = edit.set((5, 20), Terrain::WALL)).unwrap();
    assert_eq!(world.planner_status(broken), Some(PlannerStatus::Idle(panicked())));
    world.rebuild(broken);
    assert!(matches!(world.planner_status(broken), Some(PlannerStatus::Rebuilding { .. })));
}

#[test]
fn a_panic_in_a_direct_query_comes_to_the_caller_and_leaves_the_world_usable() {
    let mut world = world(When::Running);
    let asked = catch_unwind(AssertUnwindSafe(|| world.find_path((0, 0), (39, 39))));
    assert!(asked.is_err());
    let snapshot = world.snapshot();
    let queries: Vec<PathQuery> = (0..20).map(|x| PathQuery::new((x, 0), (39, 39))).collect();
    assert!(catch_unwind(AssertUnwindSafe(|| snapshot.find_many(&queries))).is_err());
    // Requests notice and take it out; then direct queries work as well.
    world.request(Request::path((0, 0), (39, 39)));
    assert_eq!(world.tick(Budget::unlimited()).answered, 1);
    check_taken_out(&mut world, &[RebuildEvent::Failed(panicked())]);
}

#[test]
fn a_panic_in_the_closure_of_an_edit_changes_nothing() {
    let mut world = PathWorld::new(open_map()).with_planner(HpaOptions::default()).build().unwrap();
    let edited = catch_unwind(AssertUnwindSafe(|| {
        world.edit(|edit| {
            edit.set((3, 3), Terrain::WALL);
            panic!("as asked");
        })
    }));
    assert!(edited.is_err());
    assert_eq!(world.revision(), Revision(0));
    assert_eq!(world.grid().map().terrain(Cell::new(3, 3)), Some(Terrain::GROUND));
    assert_eq!(world.find_path((0, 0), (39, 39)).unwrap().unwrap().steps(), 39);
}

#[test]
fn a_panic_in_the_closure_of_a_load_loads_nothing_and_another_load_works() {
    let bytes =
        PathWorld::new(open_map()).with_planner(HpaOptions::default()).build().unwrap().save();
    let loaded = catch_unwind(|| {
        PathWorld::<Grid>::load_with(&bytes, |_| -> Option<Arc<dyn Recipe>> { panic!("as asked") })
    });
    assert!(loaded.is_err());
    assert!(PathWorld::<Grid>::load(&bytes).is_ok());
}

#[test]
fn a_recipe_or_a_watch_that_panics_leaves_no_half_of_a_world_or_planner() {
    // Built for the first time, it is as if it was built again.
    let recipe = BrokenRecipe(When::Building, AtomicU64::new(1));
    let builder = PathWorld::new(open_map()).with_planner(HpaOptions::default());
    let built = catch_unwind(AssertUnwindSafe(|| builder.with_planner(recipe).build()));
    assert!(built.is_err());
    let grid = Grid::with_defaults(GridMap::from_fn(200, 200, |_| Terrain::GROUND).unwrap());
    let mut reports = 0;
    let mut report = |_, _| {
        reports += 1;
        assert!(reports < 2, "as asked");
        ControlFlow::Continue(())
    };
    let built = catch_unwind(AssertUnwindSafe(|| {
        Hpa::build_watched(&grid, HpaOptions::default(), &mut Watch::new(&mut report))
    }));
    assert!(built.is_err());
    let whole = Hpa::build(&grid, HpaOptions::default()).unwrap();
    assert!(Planner::verify(&whole, &grid).is_ok());
}

/// A clock that tests set, in microseconds. Tests that use it must not run side by side: there is one.
static MICROS: AtomicU64 = AtomicU64::new(0);
/// What each look at the clock adds; beyond half of all numbers it goes back.
static STEP: AtomicU64 = AtomicU64::new(0);

/// After how many looks it panics.
static PANICS_AT: AtomicU64 = AtomicU64::new(u64::MAX);

fn jumping_clock() -> Clock {
    Clock::new(|| {
        if PANICS_AT.load(Ordering::SeqCst) != u64::MAX {
            let looks = PANICS_AT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |looks| {
                Some(looks.saturating_sub(1))
            });
            assert_ne!(looks, Ok(0), "a clock that panics");
        }
        let step = STEP.load(Ordering::SeqCst);
        Duration::from_micros(MICROS.fetch_add(step, Ordering::SeqCst))
    })
}

fn set_clock(micros: u64, step: u64) {
    MICROS.store(micros, Ordering::SeqCst);
    STEP.store(step, Ordering::SeqCst);
}

#[test]
fn a_clock_that_jumps_or_panics_ends_a_tick_early_and_never_hangs_it() {
    let mut world = PathWorld::new(open_map()).with_clock(jumping_clock());
    let ask = |world: &mut PathWorld| world.request(Request::path((0, 0), (39, 39)));
    // It stands still: all work is done, as if there was time enough.
    set_clock(1_000_000, 0);
    ask(&mut world);
    assert_eq!(world.tick(Budget::micros(10)).answered, 1);
    // It jumps ahead by an hour at each look: the tick ends, and what waits goes on waiting.
    set_clock(1_000_000, 3_600_000_000);
    let ticket = ask(&mut world);
    assert_eq!(world.tick(Budget::micros(10)).answered, 0);
    assert_eq!(world.poll(ticket), Reply::Pending);
    // It goes back by a second at each look: the tick ends as well, instead of going on for ever.
    set_clock(1_000_000_000, 1_000_000u64.wrapping_neg());
    assert_eq!(world.tick(Budget::micros(10)).answered, 0);
    // As soon as it goes right again, everything is answered.
    set_clock(0, 1);
    for _ in 0..1000 {
        world.tick(Budget::micros(200));
    }
    assert!(matches!(world.poll(ticket), Reply::Ready(_)));
    // It panics, at the first look or at a later one: the tick ends in good order and says so, and what waits goes on.
    for looks in [0, 3] {
        let ticket = ask(&mut world);
        set_clock(0, 1);
        PANICS_AT.store(looks, Ordering::SeqCst);
        let report = world.tick(Budget::micros(1_000_000));
        assert!(report.clock_panicked && report.answered == 0);
        assert_eq!(world.poll(ticket), Reply::Pending);
        assert!(!world.tick(Budget::expansions(100_000)).clock_panicked, "nobody looks at it");
        PANICS_AT.store(u64::MAX, Ordering::SeqCst);
        assert!(matches!(world.poll(ticket), Reply::Ready(_)));
        assert!(!world.tick(Budget::micros(1000)).clock_panicked);
    }
    // A rebuild that ends before it began took no time.
    set_clock(1_000_000_000, 1_000_000u64.wrapping_neg());
    let mut world = world.with_planner(HpaOptions::default()).build().unwrap();
    let hpa = world.planners().next().unwrap();
    world.rebuild(hpa);
    world.finish_rebuilds();
    assert!(world.take_reports().all(|report| report.took == Duration::ZERO));
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
    // So did one beside which the clock panics; the thread that builds goes on.
    for _ in 0..2 {
        PANICS_AT.store(0, Ordering::SeqCst);
        world.rebuild(hpa);
        world.finish_rebuilds();
        PANICS_AT.store(u64::MAX, Ordering::SeqCst);
        assert!(world.take_reports().all(|report| report.took == Duration::ZERO));
        assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
    }
}
