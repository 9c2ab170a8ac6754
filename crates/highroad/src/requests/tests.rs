use super::*;
use crate::world::PathWorld;
use highroad_core::{
    CellRect, CellRefusal, Grid, GridMap, GridSearch, HpaOptions, Planner, Scratch, Terrain,
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

#[test]
fn a_map_that_never_rests_does_not_keep_requests_from_an_answer() {
    let mut world = PathWorld::new(rooms(100, 100));
    let path = world.request(Request::path((0, 0), (98, 98)));
    let range = world.request(Request::range((0, 0), Cost(u64::MAX)));
    let mut replies = (None, None);
    for tick in 0..40 {
        let terrain = if tick % 2 == 0 { Terrain::WALL } else { Terrain::GROUND };
        world.edit(|edit| _ = edit.set((50, 50), terrain)).unwrap();
        world.tick(Budget::expansions(30));
        if replies.0.is_none()
            && let Reply::Ready(path) = world.poll(path)
        {
            assert_eq!(path.validate(world.grid()), Ok(()));
            replies.0 = Some(tick);
        }
        if replies.1.is_none()
            && let Reply::Range(cells) = world.poll(range)
        {
            assert_eq!(cells.len() as u32, world.grid().enterable_count());
            replies.1 = Some(tick);
        }
    }
    assert!(replies.0.is_some() && replies.1.is_some(), "{replies:?}");
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

#[test]
fn legs_that_nobody_has_taken_are_joined() {
    let map = rooms(80, 80);
    let spec: highroad_core::Spec = "pra:k=2".parse().unwrap();
    let mut world = PathWorld::new(map).with_planner(spec).build().unwrap();
    let ticket = world.request(Request::path((0, 0), (78, 78)));
    let mut walked: Vec<Cell> = Vec::new();
    let whole = loop {
        // Several legs come before anybody asks.
        for _ in 0..6 {
            world.tick(Budget::expansions(60));
        }
        match world.poll(ticket) {
            Reply::Pending => {}
            Reply::Leg(leg) => {
                assert_eq!(leg.validate(world.grid()), Ok(()));
                if let Some(&last) = walked.last() {
                    assert_eq!(leg.start(), last, "a leg begins where the one before has ended");
                    walked.pop();
                }
                walked.extend(leg.cells());
            }
            reply => break ready(reply),
        }
    };
    assert_eq!(whole.cells()[..walked.len()], walked);
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
