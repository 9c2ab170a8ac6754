//! Kinds of agents, graphs, reachability, and edits that are followed in ticks.

use super::tests::{nth, open_map, spec};
use super::*;
use crate::requests::{Budget, Reply, Request, RequestError};
use highroad_core::graph::{Edge, Graph};
use highroad_core::{
    CATALOG, CellRect, GridSearch, HpaOptions, NodeId, Planner, PraOptions, Spec, Terrain,
};

/// Ground for walkers, water for boats; a bridge of ground joins two banks.
const BANKS: &str = "..WWW..\n..WWW..\n.......\n..WWW..\n";

fn boat() -> Movement {
    let profile = highroad_core::Profile::movingai().without(Terrain::GROUND);
    Movement::new(profile, highroad_core::MovementRule::FourWay, Default::default()).unwrap()
}

#[test]
fn kinds_have_planners_of_their_own_and_follow_one_batch() {
    let mut world = PathWorld::new(BANKS.parse().unwrap())
        .with_planner(HpaOptions::default())
        .with_kind("boat", boat())
        .with_planner(spec("hpa"))
        .with_planner(spec("dijkstra"))
        .build()
        .unwrap();
    let boat = world.kind("boat").unwrap();
    assert_eq!(world.kinds().collect::<Vec<_>>(), [(KindId(0), "default"), (boat, "boat")]);
    assert_eq!((world.planners().count(), world.planners_of(boat).count()), (1, 2));
    assert_eq!(world.kind("tank"), None);
    assert!(world.of(KindId(9)).is_none());

    assert!(world.find_path((0, 0), (6, 0)).unwrap().is_some(), "walkers take the bridge");
    let across = |world: &mut PathWorld| world.of(boat).unwrap().find_path((2, 0), (2, 3)).unwrap();
    assert!(across(&mut world).is_none(), "the bridge is in the way of boats");
    let before = world.snapshot();
    world.edit(|edit| _ = edit.set((3, 2), Terrain::WATER)).unwrap();
    assert_eq!(across(&mut world).unwrap().steps(), 5);
    assert_eq!(world.find_path((0, 2), (6, 2)).unwrap(), None, "the bridge is broken for walkers");
    let planners: Vec<PlannerId> = world.planners_of(boat).chain(world.planners()).collect();
    for planner in planners {
        assert_eq!(world.planner_status(planner), Some(PlannerStatus::Ready));
    }
    assert!(before.of(boat).unwrap().find_path((2, 0), (2, 3)).unwrap().is_none());
    assert!(before.find_path((0, 2), (6, 2)).unwrap().is_some());
    world.undo();
    assert!(across(&mut world).is_none());
}

#[test]
fn requests_name_a_kind_and_a_kind_that_is_not_there_is_an_error() {
    let mut world =
        PathWorld::new(BANKS.parse().unwrap()).with_kind("boat", boat()).build().unwrap();
    let boat = world.kind("boat").unwrap();
    let afloat = world.request(Request::path((2, 0), (4, 1)).with_kind(boat));
    let ashore = world.request(Request::path((0, 0), (1, 1)));
    let range = world.request(Request::range((2, 3), Cost::steps(1)).with_kind(boat));
    let nobody = world.request(Request::path((0, 0), (1, 1)).with_kind(KindId(7)));
    world.tick(Budget::unlimited());
    let Reply::Ready(path) = world.poll(afloat) else { panic!("boats float") };
    assert_eq!(path.steps(), 3);
    assert!(matches!(world.poll(ashore), Reply::Ready(path) if path.steps() == 1));
    assert!(matches!(world.poll(range), Reply::Range(cells) if cells.len() == 2));
    let missing = Reply::Failed(RequestError::NoSuchKind(KindId(7)));
    assert_eq!(world.poll(nobody), missing);
}

#[test]
fn a_surcharge_for_one_kind_leaves_the_paths_of_others_valid() {
    let map: GridMap = ".....\n.....\n.....\n".parse().unwrap();
    let mut world = PathWorld::new(map)
        .with_planner(spec("hpa"))
        .with_kind("scout", Movement::default())
        .with_planner(spec("hpa"))
        .build()
        .unwrap();
    let scout = world.kind("scout").unwrap();
    let path = world.find_path((0, 1), (4, 1)).unwrap().unwrap();
    world.edit(|edit| _ = edit.surcharge_for(scout, CellRect::new((2, 0), (2, 1)), 50)).unwrap();
    assert!(world.still_valid(&path) && !world.still_valid_for(scout, &path));
    assert_eq!(world.find_path((0, 1), (4, 1)).unwrap().unwrap().cost(), path.cost());
    let around = world.of(scout).unwrap().find_path((0, 1), (4, 1)).unwrap().unwrap();
    assert!(around.places().contains(&Cell::new(2, 2)), "{around:?}");
}

#[test]
fn ids_and_tickets_of_another_world_mean_nothing() {
    let world = |name| PathWorld::new(open_map(4, 4)).with_planner(spec(name)).build().unwrap();
    let (mut own, mut other) = (world("astar"), world("dijkstra"));
    let ticket = other.request(Request::path((0, 0), (3, 3)));
    own.request(Request::path((1, 0), (3, 3)));
    own.tick(Budget::unlimited());
    other.tick(Budget::unlimited());
    assert_eq!(own.poll(ticket), Reply::Failed(RequestError::Unknown));
    assert!(!own.cancel(ticket));
    assert!(matches!(other.poll(ticket), Reply::Ready(_)));
    let foreign = nth(&other, 0);
    assert_eq!((own.planner_name(foreign), own.planner_status(foreign)), (None, None));
    assert!(own.planner(nth(&own, 0)).is_some());
}

#[test]
fn a_large_batch_can_be_undone_and_so_can_those_before_it() {
    // A chessboard: no two cells beside each other change alike, so each is a change of its own.
    let squares = |cell: Cell| [Terrain::GROUND, Terrain::TREES][(cell.x + cell.y) as usize % 2];
    let mut world = PathWorld::new(GridMap::from_fn(300, 300, squares).unwrap());
    let before = world.revision();
    world.edit(|edit| _ = edit.set((5, 5), Terrain::SWAMP)).unwrap();
    world.edit(|edit| _ = edit.fill(CellRect::new((0, 0), (299, 299)), Terrain::WALL)).unwrap();
    assert!(world.changes_since(before).is_none(), "more changes than a journal keeps");
    assert!(world.undo().is_some());
    assert_eq!(world.grid().map().terrain(Cell::new(5, 5)), Some(Terrain::SWAMP));
    assert!(world.undo().is_some());
    assert_eq!(world.grid().map().terrain(Cell::new(5, 5)), Some(Terrain::GROUND));
    assert!(world.undo().is_none());
}

#[test]
fn one_blocked_goal_does_not_keep_others_from_being_nearest() {
    let mut world = PathWorld::new("..#.\n....\n".parse().unwrap());
    let goals = [Cell::new(2, 0), Cell::new(3, 0)];
    let path = world.find_nearest((0, 0), &goals).unwrap().unwrap();
    assert_eq!(path.goal(), Cell::new(3, 0));
    assert!(world.find_nearest((0, 0), &goals[..1]).is_err(), "no goal is left");
    let ticket = world.request(Request::nearest((0, 0), goals.to_vec()));
    world.tick(Budget::unlimited());
    assert!(matches!(world.poll(ticket), Reply::Ready(path) if path.goal() == Cell::new(3, 0)));
}

/// A ring of streets, walked both ways, each of weight 10.
fn ring(nodes: u32) -> Graph {
    let street = |from: u32| {
        let edge = Edge::new(from, (from + 1) % nodes, 10);
        [edge, edge.reversed()]
    };
    let edges: Vec<Edge> = (0..nodes).flat_map(street).collect();
    Graph::from_edges(nodes as usize, &edges).unwrap()
}

#[test]
fn a_graph_lives_as_a_grid_does() {
    let graph = ring(12);
    let entries = CATALOG.iter().filter(|entry| entry.graph.is_some());
    for entry in entries.filter(|entry| !["bfs", "depth-first", "greedy"].contains(&entry.name)) {
        let world = PathWorld::on(graph.clone()).with_planner(Spec::usual(entry));
        let mut world = world.build().unwrap();
        let (start, goal) = (NodeId(0), NodeId(4));
        let cost = |world: &mut PathWorld<Graph>| {
            let path = world.find_path(start, goal).unwrap().unwrap();
            assert_eq!(path.validate(world.environment()), Ok(()), "{}", entry.name);
            path.cost().0
        };
        assert_eq!(cost(&mut world), 40);
        let before = world.snapshot();
        world.edit(|edit| _ = edit.set_weight(NodeId(1), NodeId(2), 500)).unwrap();
        assert_eq!(cost(&mut world), 80, "{}: the other way round, at once", entry.name);
        world.finish_rebuilds();
        assert_eq!(cost(&mut world), 80, "{}: rebuilt", entry.name);
        world.edit(|edit| _ = edit.close(NodeId(11), NodeId(10))).unwrap();
        let ticket = world.request(Request::path(start, goal));
        world.tick(Budget::expansions(10_000));
        assert!(matches!(world.poll(ticket), Reply::Ready(path) if path.cost().0 == 530));
        assert_eq!(before.find_path(start, goal).unwrap().unwrap().cost().0, 40);
        world.undo();
        world.undo();
        assert_eq!(cost(&mut world), 40);
    }
}

#[test]
fn ranges_shared_fields_and_validity_work_on_graphs() {
    let mut world = PathWorld::on(ring(100));
    let near = world.range(NodeId(0), Cost(20)).unwrap();
    assert_eq!(near.iter().map(|(node, _)| node.0).collect::<Vec<_>>(), [0, 1, 2, 98, 99]);
    let each = world.find_each(NodeId(0), &[NodeId(3), NodeId(200)]).unwrap();
    assert_eq!((each[0].as_ref().unwrap().cost(), &each[1]), (Cost(30), &None));
    let path = world.find_path(NodeId(0), NodeId(10)).unwrap().unwrap();
    let tickets: Vec<_> =
        (0..80).map(|start| world.request(Request::path(NodeId(start), NodeId(50)))).collect();
    world.edit(|edit| _ = edit.set_weight(NodeId(5), NodeId(6), 11)).unwrap();
    assert!(!world.still_valid(&path));
    world.tick(Budget::unlimited());
    for (start, ticket) in (0..).zip(tickets) {
        let Reply::Ready(path) = world.poll(ticket) else { panic!("{start}") };
        assert_eq!((path.start(), path.goal()), (NodeId(start), NodeId(50)));
        assert_eq!(path.validate(world.environment()), Ok(()));
    }
    let missing = world.edit(|edit| _ = edit.close(NodeId(0), NodeId(7)));
    assert!(missing.is_err());
}

#[test]
fn reachability_follows_edits_for_every_kind() {
    let mut world =
        PathWorld::new(BANKS.parse().unwrap()).with_kind("boat", boat()).build().unwrap();
    let boat = world.kind("boat").unwrap();
    assert!(world.is_reachable(KindId::DEFAULT, (0, 0), (6, 0)));
    assert!(!world.is_reachable(boat, (2, 0), (2, 3)) && !world.is_reachable(boat, (0, 0), (1, 0)));
    world.edit(|edit| _ = edit.set((3, 2), Terrain::WATER)).unwrap();
    assert!(!world.is_reachable(KindId::DEFAULT, (0, 0), (6, 0)));
    assert!(world.is_reachable(boat, (2, 0), (2, 3)));
    assert!(!world.is_reachable(KindId(5), (0, 0), (0, 0)));

    let edges = [Edge::new(0, 1, 1), Edge::new(2, 3, 1)];
    let mut world = PathWorld::on(Graph::from_edges(4, &edges).unwrap());
    let mut reaches = |from, to| world.is_reachable(KindId::DEFAULT, NodeId(from), NodeId(to));
    assert!(reaches(0, 1) && !reaches(1, 0) && !reaches(0, 3) && reaches(2, 2) && !reaches(9, 9));
    world.edit(|edit| _ = edit.add_edge(NodeId(1), NodeId(2), 1)).unwrap();
    assert!(world.is_reachable(KindId::DEFAULT, NodeId(0), NodeId(3)));
}

/// Entering costs: HPA* serves the map while all cells cost the same; after a surcharge an exact search answers, and
/// fields that requests share lead the right way.
#[test]
fn where_the_entered_cell_pays_a_world_falls_back_on_an_exact_search() {
    use highroad_core::{MovementRule, PaidCells, Profile, StepCosts};
    let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    let map = GridMap::filled(40, 20, Terrain::GROUND).unwrap();
    let world = PathWorld::with_movement(map.clone(), movement.clone());
    let mut world = world.with_planner(HpaOptions::default()).build().unwrap();
    let hpa = world.planners().next().unwrap();
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
    world.edit(|edit| _ = edit.surcharge(CellRect::new((20, 0), (22, 18)), 7)).unwrap();
    world.finish_rebuilds();
    assert_ne!(world.planner_status(hpa), Some(PlannerStatus::Ready), "it cannot serve this map");
    world.share_fields_from(2);
    let goal = Cell::new(21, 10);
    let starts: Vec<Cell> = (0..20).map(|y| Cell::new(y * 2, y)).collect();
    let tickets: Vec<_> =
        starts.iter().map(|&start| world.request(Request::path(start, goal))).collect();
    world.tick(Budget::unlimited());
    let mut scratch = Scratch::new();
    for (&start, ticket) in starts.iter().zip(tickets) {
        let Reply::Ready(path) = world.poll(ticket) else { panic!("{start}") };
        let query = PathQuery::new(start, goal);
        let best = GridSearch::dijkstra().solve(world.grid(), &query, &mut scratch).unwrap();
        assert_eq!(Some(path.cost()), best.path().map(|path| path.cost()), "{start}");
        assert_eq!(path.validate(world.grid()), Ok(()));
    }
    let mut uneven = map;
    uneven.set(Cell::new(3, 3), Terrain::SWAMP);
    let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 4).unwrap();
    let movement = Movement::new(swampy, MovementRule::default(), StepCosts::EXACT).unwrap();
    let movement = movement.with_paid_cells(PaidCells::Entered);
    let refused = PathWorld::with_movement(uneven, movement).with_planner(HpaOptions::default());
    let reason = refused.build().err().expect("it counts on costs both ways").to_string();
    assert!(reason.contains("cost the same both ways"), "{reason}");
}

/// With a hierarchy, by a request, and in slices: obstacles of one query are respected, and others do not see them.
#[test]
fn requests_with_obstacles_and_blocked_goals_are_answered_for_themselves() {
    use highroad_core::GoalRule;
    let map = GridMap::filled(64, 32, Terrain::GROUND).unwrap();
    let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build().unwrap();
    world.share_fields_from(2);
    let wall: Vec<Cell> = (0..31).map(|y| Cell::new(30, y)).collect();
    let goal = Cell::new(60, 3);
    let plain = world.request(Request::path((2, 3), goal));
    let around = world.request(Request::path((2, 3), goal).with_obstacles(wall.clone()));
    let taken = Request::path((2, 3), goal).with_obstacles(vec![goal]);
    let refused = world.request(taken.clone());
    let beside = world.request(taken.clone().with_goal_rule(GoalRule::Adjacent));
    let near = world.request(taken.with_goal_rule(GoalRule::Nearest));
    while world.waiting() > 0 {
        world.tick(Budget::expansions(50));
    }
    let Reply::Ready(straight) = world.poll(plain) else { panic!("nothing is in the way") };
    assert_eq!(straight.length(), 58.0);
    let Reply::Ready(detour) = world.poll(around) else { panic!("there is a gap") };
    assert!(detour.cells().iter().all(|cell| !wall.contains(cell)));
    assert!(detour.cells().contains(&Cell::new(30, 31)));
    assert!(matches!(world.poll(refused), Reply::Failed(_)));
    let Reply::Ready(path) = world.poll(beside) else { panic!("one can stand beside it") };
    let (columns, rows) = path.goal().offset(goal);
    assert_eq!(columns.max(rows), 1);
    let Reply::Unreachable(path) = world.poll(near) else { panic!("somebody stands there") };
    let (columns, rows) = path.goal().offset(goal);
    assert_eq!(columns + rows, 1, "one of the four nearest");
}

#[test]
fn a_large_edit_is_followed_in_ticks_while_others_answer() {
    let mut world = PathWorld::new(open_map(400, 400))
        .with_planner(HpaOptions::default().with_cluster_side(10))
        .build()
        .unwrap();
    let hpa = nth(&world, 0);
    world
        .edit(|edit| {
            (0..40).for_each(|at| {
                _ = edit.fill(CellRect::new((at * 10, 3), (at * 10, 390)), Terrain::WALL)
            });
        })
        .unwrap();
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::CatchingUp));
    assert!(
        world.planner(hpa).is_none()
            && world.snapshot().find_path((1, 1), (399, 399)).unwrap().is_some()
    );
    let ticket = world.request(Request::path((1, 200), (15, 200)));
    let mut ticks = 0;
    while world.planner_status(hpa) == Some(PlannerStatus::CatchingUp) {
        // Another edit on the way marks again what was done.
        if ticks == 5 {
            world.edit(|edit| _ = edit.set((390, 200), Terrain::GROUND)).unwrap();
        }
        let report = world.tick(Budget::expansions(1000));
        assert!(report.expansions < 2500, "{report:?}");
        ticks += 1;
    }
    assert!(ticks > 10, "{ticks}");
    assert!(
        matches!(world.poll(ticket), Reply::Ready(path) if path.validate(world.grid()).is_ok())
    );
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
    let patched = world.planner(hpa).unwrap();
    assert_eq!(patched.verify(world.grid()), Ok(()), "it equals one made afresh");
    // Whoever asks for a path at once has it caught up at once.
    world.undo();
    world.undo();
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::CatchingUp));
    assert!(world.find_path((1, 200), (15, 200)).unwrap().is_some());
    assert_eq!(world.planner_status(hpa), Some(PlannerStatus::Ready));
}

/// PRA* is saved with what is left to do: the loaded world and a clone go on as the original does.
#[test]
fn pra_follows_a_large_edit_in_ticks_and_so_do_copies_of_its_world() {
    let mut world =
        PathWorld::new(open_map(200, 200)).with_planner(PraOptions::default()).build().unwrap();
    let pra = nth(&world, 0);
    let walls = |world: &mut PathWorld, rows: (u32, u32), terrain| {
        let fill = |at: u32| CellRect::new((at * 5, rows.0), (at * 5, rows.1));
        world.edit(|edit| (0..40).for_each(|at| _ = edit.fill(fill(at), terrain))).unwrap();
    };
    walls(&mut world, (3, 60), Terrain::WALL);
    assert_eq!(world.planner_status(pra), Some(PlannerStatus::CatchingUp));
    let asked = world.request(Request::path((1, 50), (199, 50)));
    let goes_on = |world: &mut PathWorld| {
        let mut statuses = Vec::new();
        for tick in 0..60 {
            if tick == 7 {
                walls(world, (50, 70), Terrain::GROUND);
            }
            let report = world.tick(Budget::expansions(1000));
            assert!(report.expansions < 1500, "{report:?}");
            statuses.push(world.planner_status(pra));
        }
        (statuses, world.poll(asked))
    };
    world.tick(Budget::expansions(1000));
    let mut copies = [world.clone(), PathWorld::load(&world.save()).unwrap()];
    let (statuses, reply) = goes_on(&mut world);
    assert_eq!(statuses[8], Some(PlannerStatus::CatchingUp));
    assert_eq!(statuses[59], Some(PlannerStatus::Ready));
    assert!(matches!(&reply, Reply::Ready(path) if path.length() > 198.0), "others answer");
    assert_eq!(world.planner(pra).unwrap().verify(world.grid()), Ok(()));
    for copy in &mut copies {
        assert_eq!(goes_on(copy), (statuses.clone(), reply.clone()));
        for (start, goal) in [((1, 1), (198, 50)), ((7, 20), (150, 190)), ((3, 66), (121, 2))] {
            assert_eq!(copy.find_path(start, goal).unwrap(), world.find_path(start, goal).unwrap());
        }
    }
}
