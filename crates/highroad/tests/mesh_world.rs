//! Worlds on meshes: obstacles that come and go while paths are asked for.

use highroad::catalog::Spec;
use highroad::environment::Cost;
use highroad::grid::KindId;
use highroad::mesh::{AreaClass, Mesh, MeshBatch, MeshLink, MeshMovement, MeshPoint, Obstacle};
use highroad::online::AnyAngle;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::world::PlannerStatus;
use highroad::{Budget, PathWorld, Reply, Request};
use highroad_suite::Random;

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

fn block(x: f64, y: f64, width: f64, height: f64) -> Obstacle {
    let (right, top) = (x + width, y + height);
    Obstacle::new(vec![[x, y], [right, y], [right, top], [x, top]]).unwrap()
}

/// A mesh of a few rooms.
fn ground() -> Mesh {
    Mesh::from_cells(16, 12, |x, y| x % 6 != 5 || y % 5 == 2).unwrap()
}

fn random_place(mesh: &Mesh, random: &mut Random) -> MeshPoint {
    loop {
        let at = point(f64::from(random.below(160)) / 10.0, f64::from(random.below(120)) / 10.0);
        if !mesh.polygons_at(at).is_empty() {
            return at;
        }
    }
}

/// A random edit: an obstacle placed, moved or removed.
fn random_edit(world: &mut PathWorld<Mesh>, random: &mut Random) {
    let name = random.below(5).to_string();
    let is_there = world.environment().obstacle(&name).is_some();
    let mut batch = MeshBatch::new();
    match random.below(3) {
        0 if is_there => batch.remove(name),
        1 if is_there => batch.move_by(name, [0.5, -0.25]),
        _ => {
            let mut number = |end: u32| f64::from(random.below(end)) / 4.0;
            batch.place(name, block(number(60), number(44), 0.25 + number(16), 0.25 + number(16)))
        }
    };
    world.apply(&batch).unwrap();
}

/// The cost of a shortest path in a world, found by the exact search alone.
fn cost_between(mesh: &Mesh, from: MeshPoint, to: MeshPoint) -> Option<Cost> {
    let answer = AnyAngle.solve(mesh, &PathQuery::new(from, to), &mut Scratch::new()).unwrap();
    answer.path().map(|path| path.cost())
}

/// Whether costs are those of equally long paths: each leg is rounded to a whole unit.
fn agree(one: Option<Cost>, other: Option<Cost>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.0.abs_diff(other.0) <= 64,
        (one, other) => one == other,
    }
}

#[test]
fn a_world_undoes_and_repeats_edits_to_the_last_bit() {
    let mut world = PathWorld::on(ground());
    let mut random = Random::new(1);
    let mut prints = vec![world.environment().fingerprint()];
    for _ in 0..40 {
        random_edit(&mut world, &mut random);
        prints.push(world.environment().fingerprint());
    }
    for &print in prints.iter().rev().skip(1) {
        world.undo().unwrap();
        assert_eq!(world.environment().fingerprint(), print);
    }
    assert!(!world.can_undo());
    for &print in &prints[1..] {
        world.redo().unwrap();
        assert_eq!(world.environment().fingerprint(), print);
    }
}

#[test]
fn requests_are_answered_for_the_mesh_as_it_is() {
    let mut random = Random::new(2);
    for round in 0..30 {
        let mut world = PathWorld::on(ground());
        world.share_fields_from(3);
        for _ in 0..random.below(6) {
            random_edit(&mut world, &mut random);
        }
        let mesh = world.environment().clone();
        let goal = random_place(&mesh, &mut random);
        let starts: Vec<MeshPoint> = (0..6).map(|_| random_place(&mesh, &mut random)).collect();
        let tickets: Vec<_> =
            starts.iter().map(|&start| world.request(Request::path(start, goal))).collect();
        let each = world.request(Request::each(goal, starts.clone()));
        let mut ticks = 0;
        while world.waiting() > 0 {
            world.tick(Budget::expansions(5));
            ticks += 1;
            assert!(ticks < 10_000, "round {round}");
        }
        let Reply::Each(paths) = world.poll(each) else { panic!("no paths to each") };
        for ((&start, ticket), path) in starts.iter().zip(tickets).zip(paths) {
            let expected = cost_between(&mesh, start, goal);
            let found = match world.poll(ticket) {
                Reply::Ready(path) => {
                    assert_eq!(path.validate(&mesh), Ok(()));
                    assert_eq!((path.start(), path.goal()), (start, goal));
                    Some(path.cost())
                }
                Reply::Unreachable { .. } => None,
                other => panic!("{other:?}"),
            };
            assert!(agree(found, expected), "round {round}: {found:?}, not {expected:?}");
            assert!(agree(path.as_ref().map(|path| path.cost()), expected), "round {round}");
            assert!(path.is_none_or(|path| path.validate(&mesh).is_ok()));
            assert_eq!(world.is_reachable(Default::default(), start, goal), expected.is_some());
        }
    }
}

#[test]
fn a_range_lists_the_corners_within_a_cost() {
    let mut world = PathWorld::on(ground());
    world.edit(|edit| _ = edit.place("crate", block(1.0, 1.0, 1.0, 1.0))).unwrap();
    let mesh = world.environment().clone();
    let start = point(0.5, 0.5);
    let cost_max = Cost((6.0 * mesh.cost_scale()) as u64);
    let range = world.range(start, cost_max).unwrap();
    assert!(range.iter().any(|&(at, _)| at == point(2.0, 1.0)));
    for (corner, cost) in range {
        assert!(cost <= cost_max);
        assert!(agree(Some(cost), cost_between(&mesh, start, corner)), "{corner}");
    }
}

#[test]
fn paths_that_are_not_touched_stay_valid() {
    let mut random = Random::new(3);
    let mut world = PathWorld::on(ground());
    let (mut touched, mut kept) = (0, 0);
    for _ in 0..60 {
        let mesh = world.environment().clone();
        let ends = [(); 2].map(|()| random_place(&mesh, &mut random));
        let path = world.find_path(ends[0], ends[1]).unwrap();
        random_edit(&mut world, &mut random);
        let Some(path) = path else { continue };
        if world.still_valid(&path) {
            kept += 1;
            assert_eq!(path.validate(world.environment()), Ok(()));
        } else {
            touched += 1;
        }
    }
    assert!(touched > 3 && kept > 3, "{touched} touched, {kept} kept");
}

#[test]
fn labels_of_corners_are_rebuilt_in_the_background() {
    let spec: Spec = "corner-labels".parse().unwrap();
    let mut world = PathWorld::on(ground()).with_planner(spec).build().unwrap();
    let labels = world.planners().next().unwrap();
    let mut random = Random::new(4);
    let [from, to] = [point(0.5, 0.5), point(15.5, 11.5)];
    let free = world.find_path(from, to).unwrap();
    let held = world.snapshot();
    for _ in 0..10 {
        random_edit(&mut world, &mut random);
        let mesh = world.environment().clone();
        let ends = [(); 2].map(|()| random_place(&mesh, &mut random));
        let expected = cost_between(&mesh, ends[0], ends[1]);
        // Before the rebuild the exact search answers, afterwards the labels do.
        for _ in 0..2 {
            let path = world.find_path(ends[0], ends[1]).unwrap();
            assert!(agree(path.map(|path| path.cost()), expected));
            world.rebuild(labels);
            world.finish_rebuilds();
            assert_eq!(world.planner_status(labels), Some(PlannerStatus::Ready));
        }
    }
    assert_eq!(held.find_path(from, to).unwrap(), free, "a snapshot does not change");
}

#[test]
fn a_saved_world_goes_on_as_the_one_that_was_saved() {
    let mut random = Random::new(5);
    let spec: Spec = "any-angle".parse().unwrap();
    let mut world = PathWorld::on(ground()).with_planner(spec).build().unwrap();
    for _ in 0..6 {
        random_edit(&mut world, &mut random);
    }
    let mesh = world.environment().clone();
    let ends = [(); 2].map(|()| random_place(&mesh, &mut random));
    let ticket = world.request(Request::path(ends[0], ends[1]));
    world.tick(Budget::expansions(2));
    let bytes = world.save();
    let mut loaded: PathWorld<Mesh> = PathWorld::load(&bytes).unwrap();
    assert_eq!(loaded.environment().fingerprint(), mesh.fingerprint());
    assert_eq!(loaded.revision(), world.revision());
    for world in [&mut world, &mut loaded] {
        while world.waiting() > 0 {
            world.tick(Budget::expansions(2));
        }
    }
    assert_eq!(loaded.poll(ticket), world.poll(ticket));
    for world in [&mut world, &mut loaded] {
        while world.undo().is_some() {}
    }
    assert_eq!(loaded.environment().fingerprint(), ground().fingerprint());
    for at in 0..bytes.len().min(4000) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(PathWorld::<Mesh>::load(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn kinds_of_agents_share_areas_and_links_through_edits_undo_and_saving() {
    let [water, jump] = [2, 7].map(|number| AreaClass::new(number).unwrap());
    let spec: Spec = "corner-labels".parse().unwrap();
    let mut world = PathWorld::on(ground())
        .with_planner(spec)
        .with_kind("cart", MeshMovement::default().forbidding(water).forbidding(jump))
        .unwrap()
        .with_kind("swimmer", MeshMovement::default().with_factor(water, 3.0).unwrap())
        .unwrap()
        .build()
        .unwrap();
    let [cart, swimmer] = ["cart", "swimmer"].map(|name| world.kind(name).unwrap());
    let [from, to] = [point(1.0, 1.0), point(4.0, 11.0)];
    let straight = world.find_path(from, to).unwrap().unwrap();
    let link = MeshLink::new(point(1.0, 2.0), point(4.0, 10.5), 1.0).unwrap().of_class(jump);
    world
        .edit(|edit| {
            edit.place("river", block(0.0, 4.0, 5.0, 2.0).of_class(water)).place_link("jump", link);
        })
        .unwrap();
    assert!(!world.still_valid_for(cart, &straight) && !world.still_valid_for(swimmer, &straight));
    assert!(world.still_valid(&straight), "the default kind does not mind water");
    let costs = |world: &mut PathWorld<Mesh>| {
        let scale = world.environment().cost_scale();
        [KindId::DEFAULT, cart, swimmer].map(|kind| {
            let path = world.of(kind).unwrap().find_path(from, to).unwrap();
            path.map(|path| (path.cost().0 as f64 / scale * 100.0).round())
        })
    };
    // By the link, which needs no water; the cart has to go round through the other rooms, if it can.
    let with_link = costs(&mut world);
    assert_eq!((with_link[0], with_link[2]), (Some(250.0), Some(250.0)));
    assert!(with_link[1] > Some(1000.0) || with_link[1].is_none(), "{with_link:?}");
    // Labels do not serve links: the exact search answers as long as there is one.
    world.finish_rebuilds();
    assert_eq!(costs(&mut world), with_link);
    world.edit(|edit| _ = edit.close_link("jump")).unwrap();
    let without = costs(&mut world);
    assert!(without[0] > with_link[0] && without[2] > without[0], "{without:?}");
    let mut loaded: PathWorld<Mesh> = PathWorld::load(&world.save()).unwrap();
    assert_eq!(costs(&mut loaded), without);
    for world in [&mut world, &mut loaded] {
        world.undo().unwrap();
        assert_eq!(costs(world), with_link);
        world.undo().unwrap();
        assert_eq!(world.environment().fingerprint(), ground().fingerprint());
        let same = costs(world);
        assert!(same.iter().all(|cost| *cost == same[0]), "{same:?}");
        for kind in [cart, swimmer] {
            let mesh = world.environment_of(kind).unwrap();
            assert_eq!(mesh.fingerprint(), ground().fingerprint());
        }
    }
    // Requests that share a goal are answered where no field serves, too.
    world.redo().unwrap();
    world.share_fields_from(2);
    let tickets: Vec<_> =
        (0..4).map(|_| world.request(Request::path(from, to).with_kind(swimmer))).collect();
    while world.waiting() > 0 {
        world.tick(Budget::expansions(100));
    }
    for ticket in tickets {
        assert!(matches!(world.poll(ticket), Reply::Ready(_)), "a path was asked for");
    }
}
