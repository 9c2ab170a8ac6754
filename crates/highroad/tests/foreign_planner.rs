//! The planner of `examples/foreign_planner.rs`, which is written outside of Highroad, passes what Highroad's own must.

#[path = "../../../examples/foreign_planner.rs"]
mod example;

use example::PlainDijkstra;
use highroad::world::PlannerStatus;
use highroad::{Budget, Cell, PathWorld, Reply, Request, Terrain};
use highroad_suite::{Candidate, Rounds, check_grid};

#[test]
fn it_passes_the_common_suite() {
    let planner = Candidate::new(|_| Some(Box::new(PlainDijkstra)));
    let summary = check_grid(&planner, Rounds::new(200)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.not_served, 0);
}

#[test]
fn a_world_gives_it_budgets_edits_and_snapshots() {
    let map = "........\n........\n........\n".parse().unwrap();
    let mut world = PathWorld::new(map).with_planner(PlainDijkstra).build().unwrap();
    let ticket = world.request(Request::path((0, 1), (7, 1)));
    assert_eq!(world.tick(Budget::expansions(2)).waiting, 1);
    assert_eq!(world.poll(ticket), Reply::Pending);
    let before = world.snapshot();
    for y in 0..3 {
        world.edit(|edit| _ = edit.set((4, y), Terrain::WALL)).unwrap();
        let own = world.planners().next().expect("the world has it");
        assert_eq!(world.planner_status(own), Some(PlannerStatus::Ready), "it follows edits");
    }
    world.tick(Budget::unlimited());
    let Reply::Unreachable(nearest) = world.poll(ticket) else { panic!("there is a wall") };
    assert_eq!(nearest.goal(), Cell::new(3, 1));
    assert_eq!(before.find_path((0, 1), (7, 1)).unwrap().unwrap().length(), 7.0);
}

#[test]
fn the_example_runs() {
    example::main().unwrap();
}
