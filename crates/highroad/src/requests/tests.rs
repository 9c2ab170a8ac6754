use super::*;
use crate::world::PathWorld;
use highroad_core::{
    Batch, CellRect, CellRefusal, Grid, GridMap, GridSearch, HpaOptions, Planner, Scratch, Terrain,
};

/// Rooms of nine by nine with a door in each wall.
fn rooms(width: u32, height: u32) -> GridMap {
    let map = GridMap::from_fn(width, height, |cell| {
        let wall = cell.x % 10 == 9 && cell.y % 10 != 4 || cell.y % 10 == 9 && cell.x % 10 != 6;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    map.unwrap()
}

fn optimal(grid: &Grid, start: (u32, u32), goal: (u32, u32)) -> Cost {
    let query = PathQuery::new(start, goal);
    GridSearch::astar().solve(grid, &query, &mut Scratch::new()).unwrap().path().unwrap().cost()
}

fn ready(reply: Reply) -> Path {
    match reply {
        Reply::Ready(path) => path,
        other => panic!("not ready: {other:?}"),
    }
}

/// Ticks until that request is answered; how many it took.
fn ticks_until(world: &mut PathWorld, ticket: Ticket, budget: Budget) -> (u64, Reply) {
    for ticks in 1..100_000 {
        world.tick(budget);
        match world.poll(ticket) {
            Reply::Pending | Reply::Leg(_) => {}
            reply => return (ticks, reply),
        }
    }
    panic!("never answered");
}

#[test]
fn the_urgent_come_first_then_the_oldest() {
    let mut world = PathWorld::new(rooms(60, 60));
    let calm: Vec<Ticket> =
        (0..20).map(|_| world.request(Request::path((0, 0), (58, 58)))).collect();
    world.tick(Budget::expansions(40));
    let urgent = world.request(Request::path((1, 1), (58, 57)).with_priority(9));
    let (_, reply) = ticks_until(&mut world, urgent, Budget::expansions(100));
    assert_eq!(ready(reply).cost(), optimal(world.grid(), (1, 1), (58, 57)));
    assert!(
        calm.iter().all(|&ticket| world.poll(ticket) == Reply::Pending),
        "it overtook them all"
    );
    let mut answered = Vec::new();
    while world.waiting() > 0 {
        world.tick(Budget::expansions(100));
        for (number, &ticket) in calm.iter().enumerate() {
            if matches!(world.poll(ticket), Reply::Ready(_)) {
                answered.push(number);
            }
        }
    }
    assert_eq!(answered, (0..20).collect::<Vec<_>>());
}

#[test]
fn a_budget_of_expansions_is_kept_and_slicing_does_not_change_answers() {
    let queries: Vec<PathQuery> =
        (0..30).map(|at| PathQuery::new((at % 7, at % 5), (50 + at % 8, 50 + at % 6))).collect();
    let run = |budget: Budget| {
        let mut world =
            PathWorld::new(rooms(60, 60)).with_planner(HpaOptions::default()).build().unwrap();
        let tickets: Vec<Ticket> = queries.iter().map(|q| world.request(q.clone())).collect();
        let mut ticks = 0;
        while world.waiting() > 0 {
            let report = world.tick(budget);
            // Eight searches at a time, each of which may begin, and fill in some hundred cells.
            assert!(report.expansions <= budget.expansions.saturating_add(8 * 99), "{report:?}");
            ticks += 1;
        }
        (tickets.into_iter().map(|ticket| world.poll(ticket)).collect::<Vec<_>>(), ticks)
    };
    let (at_once, one) = run(Budget::unlimited());
    let (sliced, many) = run(Budget::expansions(50));
    assert_eq!(at_once, sliced);
    assert!(one == 1 && many > 5, "{one} and {many} ticks");
    assert_eq!(run(Budget::micros(100_000)).0, at_once);
}

#[test]
fn an_edit_in_the_middle_is_answered_by_a_fresh_search() {
    for hierarchy in [false, true] {
        let mut world = PathWorld::new(rooms(60, 60));
        if hierarchy {
            world = world.with_planner(HpaOptions::default().with_cluster_side(5)).build().unwrap();
        }
        let ticket = world.request(Request::path((0, 0), (58, 58)));
        world.tick(Budget::expansions(20));
        assert_eq!(world.poll(ticket), Reply::Pending);
        world
            .edit(|edit| _ = edit.set((16, 9), Terrain::WALL).set((9, 14), Terrain::WALL))
            .unwrap();
        let (_, reply) = ticks_until(&mut world, ticket, Budget::expansions(50));
        let path = ready(reply);
        assert_eq!(path.revision(), world.revision());
        assert_eq!(path.validate(world.grid()), Ok(()));
    }
}

/// Makes an edit before each of up to 300 ticks. Returns the grids of all revisions, what was answered,
/// and the most that a tick has done.
fn restless(
    mut world: PathWorld,
    request: Request,
    mut edit: impl FnMut(u32, &mut Batch),
) -> (Vec<Grid>, Reply, u64) {
    let mut grids = vec![world.grid().clone()];
    let ticket = world.request(request);
    let mut most = 0;
    for tick in 0..300 {
        world.edit(|batch| edit(tick, batch)).unwrap();
        grids.push(world.grid().clone());
        most = most.max(world.tick(Budget::expansions(30)).expansions);
        let reply = world.poll(ticket);
        if reply != Reply::Pending {
            return (grids, reply, most);
        }
    }
    panic!("it is never answered");
}

fn middle_comes_and_goes(tick: u32, batch: &mut Batch) {
    let terrain = if tick.is_multiple_of(2) { Terrain::WALL } else { Terrain::GROUND };
    batch.set((50, 50), terrain);
}

#[test]
fn a_map_that_never_rests_does_not_keep_requests_from_an_answer() {
    let world = || PathWorld::new(rooms(100, 100));
    let request = Request::path((0, 0), (98, 98));
    let (grids, reply, most) = restless(world(), request, middle_comes_and_goes);
    let path = ready(reply);
    let then = &grids[path.revision().0 as usize];
    assert!(then.revision() < grids[grids.len() - 1].revision(), "it took several ticks");
    assert_eq!(path.cost(), optimal(then, (0, 0), (98, 98)), "it is optimal at its revision");
    assert_eq!(path.validate(&grids[grids.len() - 1]), Ok(()), "and can be walked now");
    assert!(most < 100, "no tick searches to the end: {most}");

    let goals = vec![Cell::new(98, 98), Cell::new(50, 50), Cell::new(98, 0)];
    let (grids, reply, most) =
        restless(world(), Request::each((0, 0), goals), middle_comes_and_goes);
    let Reply::Each(paths) = reply else { panic!("{reply:?}") };
    let path = paths[0].as_ref().unwrap();
    let then = &grids[path.revision().0 as usize];
    assert_eq!(path.cost(), optimal(then, (0, 0), (98, 98)));
    assert_eq!(paths[1].is_some(), then.is_enterable(Cell::new(50, 50)));
    assert!(most < 100, "{most}");

    let range = Request::range((0, 0), Cost(u64::MAX));
    let (grids, reply, _) = restless(world(), range, middle_comes_and_goes);
    let Reply::Range(cells) = reply else { panic!("{reply:?}") };
    let counts = |grid: &Grid| grid.enterable_count() == cells.len() as u32;
    assert!(grids.iter().any(counts));
}

/// Every answer is outdated when it comes: the one gap in a wall is somewhere else before each tick.
#[test]
fn a_way_that_is_always_shut_ends_with_the_part_that_can_be_walked() {
    let map = GridMap::filled(60, 60, Terrain::GROUND).unwrap();
    let shut = |tick: u32, batch: &mut Batch| {
        batch.fill(CellRect::new((30, 0), (30, 59)), Terrain::WALL);
        batch.set((30, tick * 7 % 60), Terrain::GROUND);
        // Terrain that differs is searched cell by cell.
        batch.surcharge(CellRect::new((59, 59), (59, 59)), 3);
    };
    let request = Request::path((0, 30), (59, 30));
    let (grids, reply, most) = restless(PathWorld::new(map), request, shut);
    let now = &grids[grids.len() - 1];
    let Reply::GaveUp(path) = reply else { panic!("{reply:?}") };
    assert_eq!((path.revision(), path.validate(now)), (now.revision(), Ok(())));
    assert!(path.start() == Cell::new(0, 30) && path.steps() > 10, "{path:?}");
    assert!(most < 200, "{most}");
}

#[test]
fn paths_read_off_a_field_use_up_the_budget() {
    let mut world = PathWorld::new(rooms(100, 100));
    world.share_fields_from(4);
    let tickets: Vec<Ticket> =
        (0..40).map(|at| world.request(Request::path((at / 5, at % 5), (98, 98)))).collect();
    let mut ticks = 0;
    while world.waiting() > 0 {
        let report = world.tick(Budget::expansions(50));
        assert!(report.expansions <= 50 + 60, "one path of up to two hundred steps: {report:?}");
        ticks += 1;
    }
    assert!(ticks > 10, "{ticks}");
    for (at, ticket) in (0..).zip(tickets) {
        let path = ready(world.poll(ticket));
        assert_eq!(path.cost(), optimal(world.grid(), (at / 5, at % 5), (98, 98)));
    }
}

#[test]
fn first_legs_come_before_the_whole() {
    let map = rooms(400, 400);
    let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build().unwrap();
    let ticket = world.request(Request::path((0, 0), (398, 398)).with_first_leg(20));
    let leg = loop {
        world.tick(Budget::expansions(1));
        match world.poll(ticket) {
            Reply::Pending => {}
            Reply::Leg(leg) => break leg,
            other => panic!("no leg before {other:?}"),
        }
    };
    assert!(leg.steps() >= 20);
    let (_, reply) = ticks_until(&mut world, ticket, Budget::unlimited());
    let path = ready(reply);
    assert!(path.cells().starts_with(leg.cells()) && path.steps() > leg.steps());
}

#[test]
fn what_cannot_be_reached_names_the_nearest_and_what_makes_no_sense_fails() {
    let mut world = PathWorld::new("...#.\n...#.\n".parse().unwrap());
    let unreachable = world.request(Request::path((0, 0), (4, 1)));
    let blocked = world.request(Request::path((3, 0), (0, 0)));
    let outside = world.request(Request::each((9, 9), vec![Cell::new(0, 0)]));
    world.tick(Budget::unlimited());
    let Reply::Unreachable(nearest) = world.poll(unreachable) else { panic!("there is a wall") };
    assert_eq!(nearest.goal(), Cell::new(2, 1));
    assert!(matches!(
        world.poll(blocked),
        Reply::Failed(RequestError::Query(QueryError::Refused {
            reason: CellRefusal::Blocked { .. },
            ..
        }))
    ));
    assert!(matches!(
        world.poll(outside),
        Reply::Failed(RequestError::Query(QueryError::Refused {
            reason: CellRefusal::Outside { .. },
            ..
        }))
    ));
    assert_eq!(world.poll(blocked), Reply::Failed(RequestError::Unknown), "used up");
}

#[test]
fn cancelled_requests_are_forgotten_wherever_they_stand() {
    let mut world = PathWorld::new(rooms(60, 60));
    world.share_fields_from(5);
    let alone: Vec<Ticket> =
        (0..4).map(|at| world.request(Request::path((0, 0), (58, 50 + at)))).collect();
    let sharing: Vec<Ticket> =
        (0..6).map(|at| world.request(Request::path((at, 0), (58, 58)))).collect();
    world.tick(Budget::expansions(100));
    assert_eq!(world.waiting(), 10);
    assert!(world.cancel(alone[0]) && world.cancel(sharing[2]));
    let queued = world.request(Request::path((0, 0), (1, 1)));
    assert!(world.cancel(queued) && !world.cancel(queued));
    assert_eq!(world.waiting(), 8);
    // Its place is used again, by another number.
    let next = world.request(Request::path((0, 0), (2, 2)));
    assert_eq!(world.poll(queued), Reply::Failed(RequestError::Unknown));
    world.tick(Budget::unlimited());
    assert_eq!(ready(world.poll(next)).steps(), 2);
    assert_eq!(world.poll(alone[0]), Reply::Failed(RequestError::Unknown));
    assert!(!world.cancel(alone[1]), "answered already");
    assert_eq!(world.poll(alone[1]), Reply::Failed(RequestError::Unknown), "and now gone");
    assert!(
        sharing
            .iter()
            .enumerate()
            .all(|(at, &ticket)| { matches!(world.poll(ticket), Reply::Ready(_)) == (at != 2) })
    );
}

#[test]
fn requests_with_the_same_goal_share_one_exact_field() {
    let count = 100;
    let starts: Vec<(u32, u32)> = (0..count).map(|at| (at % 9, at / 12)).collect();
    let run = |share_min| {
        let mut world = PathWorld::new(rooms(90, 90));
        world.share_fields_from(share_min);
        let tickets: Vec<Ticket> =
            starts.iter().map(|&start| world.request(Request::path(start, (88, 88)))).collect();
        let expansions = world.tick(Budget::unlimited()).expansions;
        for (ticket, &start) in tickets.iter().zip(&starts) {
            let path = ready(world.poll(*ticket));
            assert_eq!(path.cost(), optimal(world.grid(), start, (88, 88)));
            assert_eq!((path.start(), path.goal()), (start.into(), (88, 88).into()));
        }
        // One more for the same goal: the field is still there.
        let late = world.request(Request::path((0, 8), (88, 88)));
        let more = world.tick(Budget::unlimited()).expansions;
        assert!(matches!(world.poll(late), Reply::Ready(_)));
        (expansions, more)
    };
    let (shared, late_shared) = run(64);
    let (single, late_single) = run(1000);
    assert!(shared * 4 < single, "{shared} against {single} expansions");
    assert!(late_shared * 5 < late_single, "{late_shared} against {late_single} expansions");
}

#[test]
fn a_shared_field_follows_an_edit_and_leaves_out_what_it_cannot_reach() {
    let mut world = PathWorld::new(rooms(60, 60));
    world.share_fields_from(4);
    let mut tickets: Vec<Ticket> =
        (0..5).map(|at| world.request(Request::path((at, 0), (58, 58)))).collect();
    world.tick(Budget::expansions(50));
    // A cell shut in, and the start of another request buried.
    world
        .edit(|edit| {
            edit.fill(CellRect::new((20, 20), (22, 22)), Terrain::WALL)
                .set((21, 21), Terrain::GROUND);
            edit.set((4, 0), Terrain::WALL);
        })
        .unwrap();
    tickets.push(world.request(Request::path((21, 21), (58, 58))));
    world.tick(Budget::unlimited());
    let replies: Vec<Reply> = tickets.iter().map(|&ticket| world.poll(ticket)).collect();
    for (at, reply) in replies[..4].iter().enumerate() {
        let path = ready(reply.clone());
        assert_eq!(path.cost(), optimal(world.grid(), (at as u32, 0), (58, 58)));
    }
    assert!(matches!(replies[4], Reply::Failed(_)), "{:?}", replies[4]);
    assert!(matches!(&replies[5], Reply::Unreachable(path) if path.steps() == 0));
}

#[test]
fn ranges_and_paths_to_each_goal_come_in_slices() {
    let mut world = PathWorld::new(rooms(60, 60));
    let straight = u64::from(world.grid().step_cost(Cell::new(0, 0), Cell::new(1, 0)).unwrap());
    let range = world.request(Request::range((5, 5), Cost(30 * straight)));
    let goals: Vec<Cell> = [(58, 58), (0, 58), (9, 9)].map(Cell::from).to_vec();
    let each = world.request(Request::each((0, 0), goals.clone()));
    let nearest = world.request(Request::nearest((0, 0), goals[..2].to_vec()));
    let (ticks, reply) = ticks_until(&mut world, range, Budget::expansions(20));
    assert!(ticks > 1);
    let Reply::Range(cells) = reply else { panic!("{reply:?}") };
    assert_eq!(cells, world.snapshot().range((5, 5), Cost(30 * straight)).unwrap());
    let (_, reply) = ticks_until(&mut world, each, Budget::expansions(20));
    let Reply::Each(paths) = reply else { panic!("{reply:?}") };
    assert_eq!(paths[0].as_ref().map(Path::cost), Some(optimal(world.grid(), (0, 0), (58, 58))));
    assert_eq!(paths[2], None, "a wall");
    let (_, reply) = ticks_until(&mut world, nearest, Budget::unlimited());
    assert_eq!(ready(reply).goal(), Cell::new(0, 58));
}

/// The list of a range takes as long as its search, and is sliced as well; a copy of the world lists the same at the
/// same tick.
#[test]
fn the_list_of_a_large_range_comes_in_slices() {
    let mut world = PathWorld::new(rooms(300, 300));
    let straight = u64::from(world.grid().step_cost(Cell::new(0, 0), Cell::new(1, 0)).unwrap());
    let cost = Cost(140 * straight);
    let range = world.request(Request::range((150, 150), cost));
    let expected = world.snapshot().range((150, 150), cost).unwrap();
    let budget = Budget::expansions(100);
    let (all, _) = ticks_until(&mut world.clone(), range, budget);
    // 281 × 281 cells are looked at, 6400 a tick: five ticks before the end the list is begun, but not whole.
    for _ in 5..all {
        let report = world.tick(budget);
        assert!(report.expansions <= 200, "{report:?}");
        assert_eq!(world.poll(range), Reply::Pending);
    }
    let mut copies = [world.clone(), PathWorld::load(&world.save()).unwrap()];
    let report = world.tick(budget);
    let (ticks, reply) = ticks_until(&mut world, range, budget);
    assert_eq!((ticks, &reply), (4, &Reply::Range(expected)));
    for copy in &mut copies {
        assert_eq!(copy.tick(budget), report, "what the original did is not counted again");
        assert_eq!(ticks_until(copy, range, budget), (ticks, reply.clone()));
    }
}

/// To free it took longer on large maps than a tick may exceed its budget by, and came at the end of one.
#[test]
fn what_a_search_has_held_is_freed_when_there_is_time() {
    let mut world =
        PathWorld::new(rooms(80, 80)).with_planner(HpaOptions::default()).build().unwrap();
    let ticket = world.request(Request::path((0, 0), (78, 78)));
    // Edits make it begin again, and at last hold the world as it was.
    for walls in [Terrain::WALL, Terrain::GROUND].into_iter().cycle().take(6) {
        world.edit(|edit| _ = edit.set((0, 78), walls)).unwrap();
        world.tick(Budget::expansions(20));
        assert_eq!(world.poll(ticket), Reply::Pending);
    }
    // One expansion at a time, so that nothing is left of the budget of the tick that answers it.
    for _ in 0..10_000 {
        world.tick(Budget::expansions(1));
        if !matches!(world.poll(ticket), Reply::Pending) {
            break;
        }
    }
    let waits = |world: &PathWorld| world.requests().retired.len();
    assert_eq!(waits(&world), 1);
    world.tick(Budget::expansions(0));
    assert_eq!(waits(&world), 1, "there was no time");
    world.tick(Budget::expansions(1));
    assert_eq!(waits(&world), 0);
}

/// Many requests share a field that an edit outdates while more urgent ones are worked on: nothing may be answered from
/// the map as it was.
#[test]
fn a_field_that_an_edit_has_outdated_answers_nothing() {
    let mut world = PathWorld::new(GridMap::filled(60, 60, Terrain::GROUND).unwrap());
    let goal = (55, 30);
    let shared: Vec<Ticket> =
        (0..64).map(|row| world.request(Request::path((0, row % 60), goal))).collect();
    let many = world.request(Request::each((0, 5), vec![Cell::new(3, 5), Cell::new(50, 5)]));
    world.tick(Budget::expansions(600));
    // Between what the fields have settled and their sources.
    world
        .edit(|edit| {
            edit.fill(CellRect::new((52, 0), (52, 58)), Terrain::WALL);
            edit.fill(CellRect::new((2, 0), (2, 58)), Terrain::WALL);
        })
        .unwrap();
    let urgent = world.request(Request::path((3, 0), (20, 59)).with_priority(9));
    let late = world.request(Request::path((50, 30), goal));
    world.tick(Budget::expansions(20));
    let check = |world: &PathWorld, reply: Reply| {
        let paths = match reply {
            Reply::Ready(path) | Reply::Unreachable(path) => vec![path],
            Reply::Each(paths) => paths.into_iter().flatten().collect(),
            Reply::Pending => Vec::new(),
            other => panic!("{other:?}"),
        };
        for path in paths {
            assert_eq!(path.validate(world.grid()), Ok(()), "{path:?}");
        }
    };
    for _ in 0..2 {
        for &ticket in shared.iter().chain([&many, &urgent, &late]) {
            let reply = world.poll(ticket);
            if reply != Reply::Failed(RequestError::Unknown) {
                check(&world, reply);
            }
        }
        world.tick(Budget::unlimited());
    }
}

/// A leg replaced the one before it that nobody had taken yet, and so began where no agent stood.
#[test]
fn legs_that_nobody_has_taken_are_joined() {
    let begin = || {
        let spec: highroad_core::Spec = "pra:k=2".parse().unwrap();
        let mut world = PathWorld::new(rooms(80, 80)).with_planner(spec).build().unwrap();
        let ticket = world.request(Request::path((0, 0), (78, 78)));
        (world, ticket)
    };
    // One asks after every tick and notes after how many there was a leg.
    let (mut asking, ticket) = begin();
    let mut legs: Vec<(usize, Path)> = Vec::new();
    let whole = (1..)
        .find_map(|tick| {
            asking.tick(Budget::expansions(20));
            match asking.poll(ticket) {
                Reply::Pending => None,
                Reply::Leg(leg) => {
                    assert_eq!(leg.validate(asking.grid()), Ok(()));
                    legs.push((tick, leg));
                    None
                }
                reply => Some(ready(reply)),
            }
        })
        .unwrap();
    assert!(legs.len() > 2, "{} legs show nothing", legs.len());
    let mut walked = vec![whole.start()];
    for (_, leg) in &legs {
        assert_eq!(
            Some(&leg.start()),
            walked.last(),
            "a leg begins where the one before has ended"
        );
        walked.extend(&leg.cells()[1..]);
    }
    assert_eq!(whole.cells()[..walked.len()], walked);
    // The other asks after the last of them for the first time, and gets all in one.
    let (mut waiting, ticket) = begin();
    (0..legs[legs.len() - 1].0).for_each(|_| _ = waiting.tick(Budget::expansions(20)));
    let Reply::Leg(joined) = waiting.poll(ticket) else { panic!("legs were found") };
    assert_eq!(joined.cells(), walked);
    assert_eq!(joined.validate(waiting.grid()), Ok(()));
}

#[test]
fn cancelled_requests_leave_nothing_behind() {
    let mut world = PathWorld::new(rooms(20, 20));
    // It stays at the top of the queue, and those below it are cancelled.
    world.request(Request::path((0, 0), (18, 18)).with_priority(9));
    let before = world.memory_bytes();
    for _ in 0..20_000 {
        let ticket = world.request(Request::path((0, 0), (18, 18)));
        assert!(world.cancel(ticket));
        let now = world.memory_bytes();
        assert!(now <= before + 100_000, "{now} and {before}");
    }
    assert_eq!(world.waiting(), 1);
}

/// The same rooms in maps of different sizes: what is asked for lies near, or in another part of the map.
#[test]
fn work_grows_with_the_result_and_not_with_the_map() {
    let work = |side: u32, request: &dyn Fn(Cell) -> Request| {
        let map = GridMap::from_fn(side, side, |cell| {
            // A chamber without a door.
            let ring = (20..=24).contains(&cell.x) && (20..=24).contains(&cell.y);
            let inside = (21..=23).contains(&cell.x) && (21..=23).contains(&cell.y);
            if ring && !inside { Terrain::WALL } else { Terrain::GROUND }
        });
        let mut world = PathWorld::new(map.unwrap());
        world.request(request(Cell::new(30, 30)));
        let report = world.tick(Budget::unlimited());
        assert_eq!(report.answered, 1);
        report.expansions
    };
    let near = Cell::new(33, 36);
    let chamber = Cell::new(22, 22);
    let requests: [(&str, &dyn Fn(Cell) -> Request); 5] = [
        ("range", &|start| Request::range(start, Cost::steps(5))),
        ("each", &|start| Request::each(start, vec![near, Cell::new(28, 30)])),
        ("each out of reach", &|start| Request::each(start, vec![near, chamber])),
        ("path out of reach", &|start| Request::path(start, chamber)),
        ("nearest", &|start| Request::nearest(start, vec![chamber, near])),
    ];
    for (what, request) in requests {
        let (small, large) = (work(64, request), work(1024, request));
        assert!(
            large <= small + small / 4 + 8,
            "{what}: {small} on a small map, {large} on a large one"
        );
    }
}
