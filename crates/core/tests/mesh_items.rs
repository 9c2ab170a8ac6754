//! Links and areas on meshes: what searches find, against a plain search over corners and ends of links, and against a search over
//! many points of a fine lattice where areas cost more than other ground.

use highroad_core::field::MeshField;
use highroad_core::index::{CornerLabels, CornerOptions};
use highroad_core::mesh::{
    AreaClass, Mesh, MeshBatch, MeshEditError, MeshLink, MeshMovement, MeshPoint, Obstacle,
};
use highroad_core::online::{AnyAngle, Funnel};
use highroad_core::{
    Answer, BuildError, CATALOG, Environment, Guarantee, Limits, Path, PathQuery, Planner, Scratch,
};
use highroad_suite::Random;
use proptest::prelude::*;
use std::collections::BinaryHeap;

/// Lengths that differ by a smaller part are equal.
const SLACK: f64 = 1e-7;

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

fn class(number: u8) -> AreaClass {
    AreaClass::new(number).unwrap()
}

fn block(x: f64, y: f64, width: f64, height: f64) -> Obstacle {
    let (right, top) = (x + width, y + height);
    Obstacle::new(vec![[x, y], [right, y], [right, top], [x, top]]).unwrap()
}

fn cost(mesh: &Mesh, planner: &dyn Planner<Mesh>, from: MeshPoint, to: MeshPoint) -> Option<f64> {
    let path = answer(mesh, planner, from, to)?;
    Some(path.cost().0 as f64 / mesh.cost_scale())
}

/// The path that a planner finds, after a check of the path.
fn answer(
    mesh: &Mesh,
    planner: &dyn Planner<Mesh>,
    from: MeshPoint,
    to: MeshPoint,
) -> Option<Path<MeshPoint>> {
    let query = PathQuery::new(from, to);
    match planner.solve(mesh, &query, &mut Scratch::new()).unwrap() {
        Answer::Found(path) => {
            assert_eq!(path.validate(mesh), Ok(()), "{path:?}");
            assert_eq!((path.start(), path.goal()), (from, to));
            Some(path)
        }
        Answer::Unreachable { nearest } => {
            assert_eq!(nearest.validate(mesh), Ok(()), "{nearest:?}");
            assert!(!mesh.is_reachable(from, to), "{from} to {to}");
            None
        }
        Answer::LimitReached { .. } => panic!("no limit was set"),
    }
}

fn agree(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= SLACK * (1.0 + one),
        (one, other) => one == other,
    }
}

/// A random point of a mesh: a corner now and then, often on an edge of the lattice.
fn random_point(mesh: &Mesh, random: &mut Random) -> Option<MeshPoint> {
    let [least, most] = mesh.bounds();
    (0..60).find_map(|_| {
        let at = if random.below(4) == 0 && mesh.vertex_count() > 0 {
            random.pick(mesh.vertices())
        } else {
            let steps = random.pick(&[4, 1000]);
            [0, 1].map(|axis| {
                let part = f64::from(random.below(steps + 1)) / f64::from(steps);
                least[axis] + part * (most[axis] - least[axis])
            })
        };
        let at = point(at[0], at[1]).on_layer(random.below(2) as u16);
        mesh.check_place(at).is_ok().then_some(at)
    })
}

/// A random mesh, of cells; some of them have a second layer above, which nothing but links leads to.
fn random_mesh(random: &mut Random) -> Mesh {
    let (width, height) = (2 + random.below(6), 2 + random.below(6));
    let free: Vec<bool> = (0..width * height).map(|_| random.below(10) > 3).collect();
    let ground = Mesh::from_cells(width, height, |x, y| free[(y * width + x) as usize]).unwrap();
    if random.below(3) > 0 {
        return ground;
    }
    let mut vertices = ground.vertices().to_vec();
    let first = vertices.len() as u32;
    vertices.extend([[1.0, 1.0], [4.0, 1.0], [4.0, 3.0], [1.0, 3.0]]);
    let mut polygons: Vec<Vec<u32>> = (0..ground.polygon_count() as u32)
        .map(|polygon| ground.corners(polygon).collect())
        .collect();
    polygons.push((first..first + 4).collect());
    let mut layers = vec![0; polygons.len() - 1];
    layers.push(1);
    Mesh::from_layers(vertices, &polygons, layers).unwrap()
}

fn random_link(mesh: &Mesh, random: &mut Random) -> Option<MeshLink> {
    let (from, to) = (random_point(mesh, random)?, random_point(mesh, random)?);
    let link = MeshLink::new(from, to, 0.01 + f64::from(random.below(900)) / 100.0).ok()?;
    Some(if random.below(3) == 0 { link.with_way_back() } else { link })
}

fn check_against_plain(mesh: &Mesh, random: &mut Random) {
    for _ in 0..4 {
        let (Some(from), Some(to)) = (random_point(mesh, random), random_point(mesh, random))
        else {
            return;
        };
        let plain = mesh.plain_shortest(from, to);
        let found = cost(mesh, &AnyAngle, from, to);
        assert!(agree(found, plain), "{from} to {to}: {found:?}, plainly {plain:?}");
        let near = cost(mesh, &Funnel, from, to);
        assert_eq!(near.is_some(), plain.is_some());
        assert!(near >= plain.map(|plain| plain * (1.0 - SLACK) - SLACK), "{near:?} {plain:?}");
        for towards in [false, true] {
            let mut field = match towards {
                true => MeshField::towards(mesh, &[to]).unwrap(),
                false => MeshField::away_from(mesh, &[from], u64::MAX).unwrap(),
            };
            while field.advance(3) {}
            let path = field.path(if towards { from } else { to });
            if let Some(path) = &path {
                assert_eq!(path.validate(mesh), Ok(()), "{path:?}");
                assert_eq!((path.start(), path.goal()), (from, to));
            }
            let of_field = path.map(|path| path.cost().0 as f64 / mesh.cost_scale());
            assert!(
                agree(of_field, plain),
                "field {of_field:?}, plainly {plain:?}: {from} to {to}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn searches_and_fields_use_links_as_a_plain_search_does(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let untouched = random_mesh(&mut random);
        let mut mesh = untouched.clone();
        for number in 0..1 + random.below(5) {
            if let Some(link) = random_link(&mesh, &mut random) {
                mesh.apply(MeshBatch::new().place_link(number.to_string(), link)).unwrap();
            }
            if random.below(3) == 0 {
                let part = |random: &mut Random| f64::from(random.below(24)) / 4.0;
                let post = block(part(&mut random), part(&mut random), 0.5, 0.75);
                mesh.apply(MeshBatch::new().place("post", post)).unwrap();
            }
        }
        check_against_plain(&mesh, &mut random);
        let names: Vec<String> = mesh.items().map(|(name, _)| name.to_owned()).collect();
        let before = mesh.fingerprint();
        for name in &names {
            if mesh.links().any(|link| link.0 == name) {
                let changes = mesh.apply(MeshBatch::new().close_link(name.as_str())).unwrap();
                check_against_plain(&mesh, &mut random);
                mesh.apply(&MeshBatch::undoing(&changes)).unwrap();
                assert_eq!(mesh.fingerprint(), before);
            }
        }
        for name in names {
            mesh.apply(MeshBatch::new().remove(name)).unwrap();
        }
        assert_eq!(mesh.fingerprint(), untouched.fingerprint());
    }

    #[test]
    fn an_area_is_an_obstacle_to_those_that_it_is_forbidden_to(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let ground = random_mesh(&mut random);
        let forbidden = class(random.below(3) as u8);
        let mut kinds = [
            ground.clone(),
            ground.another_kind(1, MeshMovement::default().forbidding(forbidden)).unwrap(),
        ];
        let mut plain = [ground.clone(), ground.clone()];
        for number in 0..1 + random.below(6) {
            let part = |random: &mut Random| f64::from(random.below(20)) / 3.0;
            let (x, y) = (part(&mut random), part(&mut random));
            let area = block(x, y, 0.1 + part(&mut random), 0.1 + part(&mut random));
            let of = random.pick(&[None, Some(class(0)), Some(class(1)), Some(class(2))]);
            let placed = match of {
                Some(of) => area.clone().of_class(of),
                None => area.clone(),
            };
            let name = number.to_string();
            if Mesh::apply_to_all(&mut kinds, MeshBatch::new().place(name.as_str(), placed)).is_err() {
                continue;
            }
            let solid = [of.is_none(), of.is_none_or(|of| of == forbidden)];
            for (mesh, _) in plain.iter_mut().zip(solid).filter(|pair| pair.1) {
                mesh.apply(MeshBatch::new().place(name.as_str(), area.clone())).unwrap();
            }
        }
        for (kind, plain) in kinds.iter().zip(&plain) {
            assert_eq!(kind.fingerprint(), plain.fingerprint());
        }
        assert_eq!(kinds[0].revision(), kinds[1].revision());
        let late = ground.another_kind(2, MeshMovement::default().forbidding(forbidden)).unwrap();
        assert_eq!(late.fingerprint(), ground.fingerprint(), "it has no areas yet");
        let late = kinds[0].another_kind(2, kinds[1].movement().clone()).unwrap();
        assert_eq!(late.fingerprint(), kinds[1].fingerprint());
    }
}

/// What ways through costly areas cost by the funnel, and over a lattice, on a random mesh of 6 × 6 cells.
fn costly_ways(seed: u64) -> Vec<[f64; 2]> {
    let mut random = Random::new(seed);
    let (swamp, mud) = (class(1), class(2));
    let factors = [f64::from(1 + random.below(6)), 1.5];
    let movement = MeshMovement::default()
        .with_factor(swamp, factors[0])
        .unwrap()
        .with_factor(mud, factors[1])
        .unwrap();
    let side = 6;
    let walls: Vec<bool> = (0..side * side).map(|_| random.below(3) == 0).collect();
    // Walls do not touch: the lattice knows nothing of ways that do not lead on where two of them do.
    let is_free = |x: u32, y: u32| x % 2 == 1 || y % 2 == 1 || !walls[(y * side + x) as usize];
    let ground = Mesh::from_cells(side, side, is_free).unwrap();
    let mut mesh = ground.another_kind(0, movement).unwrap();
    let mut areas: Vec<([f64; 4], f64)> = Vec::new();
    for number in 0..1 + random.below(3) {
        let mut whole = |end: u32| f64::from(random.below(end));
        let (x, y, width, height) = (whole(5), whole(5), 1.0 + whole(3), 1.0 + whole(3));
        let which = random.below(2) as usize;
        let area = block(x, y, width, height).of_class([swamp, mud][which]);
        mesh.apply(MeshBatch::new().place(number.to_string(), area)).unwrap();
        areas.push(([x, y, x + width, y + height], factors[which]));
    }
    let mut found = Vec::new();
    for _ in 0..3 {
        let ends = [0, 1].map(|_| random_point(&ground, &mut random).unwrap());
        let [from, to] = ends;
        let funnel = cost(&mesh, &Funnel, from, to);
        let lattice = on_lattice(&ground, &areas, from, to);
        assert_eq!(funnel.is_some(), lattice.is_some(), "{from} to {to}");
        found.extend(funnel.zip(lattice).map(|(funnel, lattice)| [funnel, lattice]));
    }
    found
}

#[test]
#[allow(clippy::print_stdout)]
fn costly_areas_are_crossed_or_passed_by_nearly_as_well_as_can_be() {
    let ways: Vec<[f64; 2]> = (0..200).flat_map(costly_ways).collect();
    let mut above = Vec::new();
    for [funnel, lattice] in ways {
        // Steps of the lattice go in 16 directions: its ways are up to 2.8 % longer than straight ones.
        assert!(funnel >= lattice / 1.06 - 1e-6, "{funnel} where the lattice finds {lattice}");
        if lattice > 1.0 {
            above.push(funnel / lattice);
        }
    }
    above.sort_by(f64::total_cmp);
    let mean = above.iter().sum::<f64>() / above.len() as f64;
    let p95 = above[above.len() * 95 / 100];
    println!(
        "{} ways: mean {mean:.4}, 95 of 100 below {p95:.4}, most {:.4}",
        above.len(),
        above[above.len() - 1]
    );
    assert!(mean < 1.08 && p95 < 1.45, "mean {mean}, 95 of 100 below {p95}");
}

/// What a cheapest way costs over the points of a lattice of quarters, by steps in 16 directions.
fn on_lattice(
    ground: &Mesh,
    areas: &[([f64; 4], f64)],
    from: MeshPoint,
    to: MeshPoint,
) -> Option<f64> {
    const PARTS: i32 = 4;
    let side = 6 * PARTS + 1;
    let place = |at: i32| {
        point(f64::from(at % side) / f64::from(PARTS), f64::from(at / side) / f64::from(PARTS))
    };
    let factor = |p: MeshPoint, q: MeshPoint| {
        // Parts of a step, each in one area or beside it.
        let sample = |part: f64| {
            let at = [p.x() + part * (q.x() - p.x()), p.y() + part * (q.y() - p.y())];
            let covers = |[x, y, right, top]: [f64; 4]| {
                x < at[0] && at[0] < right && y < at[1] && at[1] < top
            };
            areas.iter().filter(|area| covers(area.0)).map(|area| area.1).fold(1.0, f64::max)
        };
        (0..8).map(|part| sample((f64::from(part) + 0.5) / 8.0)).sum::<f64>() / 8.0
    };
    let leg = |p: MeshPoint, q: MeshPoint| {
        ground.price(&[p, q]).ok().map(|_| factor(p, q) * ground.length(&[p, q]))
    };
    let mut best = vec![f64::INFINITY; (side * side) as usize];
    let mut open = BinaryHeap::new();
    let key = |cost: f64| std::cmp::Reverse((cost * 1e9) as u64);
    let mut nearest = f64::INFINITY;
    if let Some(direct) = leg(from, to) {
        nearest = direct;
    }
    for at in 0..side * side {
        if (place(at).x() - from.x()).hypot(place(at).y() - from.y()) <= 1.0
            && let Some(cost) = leg(from, place(at))
        {
            best[at as usize] = cost;
            open.push((key(cost), at));
        }
    }
    while let Some((known, at)) = open.pop() {
        let cost = best[at as usize];
        if known != key(cost) {
            continue;
        }
        if (place(at).x() - to.x()).hypot(place(at).y() - to.y()) <= 1.0
            && let Some(last) = leg(place(at), to)
        {
            nearest = nearest.min(cost + last);
        }
        for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
            let (x, y) = (at % side + dx, at / side + dy);
            let is_direction: bool =
                matches!((i32::abs(dx), i32::abs(dy)), (0, 1) | (1, 0) | (1, 1) | (1, 2) | (2, 1));
            if !is_direction || !(0..side).contains(&x) || !(0..side).contains(&y) {
                continue;
            }
            let other = y * side + x;
            if let Some(step) = leg(place(at), place(other))
                && cost + step < best[other as usize]
            {
                best[other as usize] = cost + step;
                open.push((key(cost + step), other));
            }
        }
    }
    nearest.is_finite().then_some(nearest)
}

#[test]
fn a_lift_leads_straight_up_to_another_layer() {
    let vertices = vec![
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 4.0],
        [0.0, 4.0],
        [2.0, 2.0],
        [6.0, 2.0],
        [6.0, 6.0],
        [2.0, 6.0],
    ];
    let polygons = [vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
    let mut mesh = Mesh::from_layers(vertices, &polygons, vec![0, 1]).unwrap();
    let (below, above) = (point(3.0, 3.0), point(3.0, 3.0).on_layer(1));
    let lift = MeshLink::new(below, above, 5.0).unwrap();
    let (start, goal) = (point(1.0, 3.0), point(5.0, 3.0).on_layer(1));
    assert!(answer(&mesh, &AnyAngle, start, goal).is_none());
    let changes = mesh.apply(MeshBatch::new().place_link("lift", lift)).unwrap();
    for planner in [&AnyAngle as &dyn Planner<Mesh>, &Funnel] {
        let path = answer(&mesh, planner, start, goal).unwrap();
        assert_eq!(path.places(), [start, below, above, goal]);
        assert_eq!(path.cost().0 as f64 / mesh.cost_scale(), 9.0);
        // From where it begins, and to where it ends.
        let path = answer(&mesh, planner, below, above).unwrap();
        assert_eq!(path.places(), [below, above]);
        assert_eq!(mesh.first_touched(path.places(), 0, &changes[0]), Some(1));
        assert!(answer(&mesh, planner, goal, start).is_none(), "it leads one way");
    }
    mesh.apply(MeshBatch::new().place_link("lift", lift.with_way_back())).unwrap();
    assert!(answer(&mesh, &AnyAngle, goal, start).is_some());
    // An obstacle on an end closes it.
    mesh.apply(MeshBatch::new().place("crate", block(2.5, 2.5, 1.0, 1.0).on_layer(1))).unwrap();
    assert!(answer(&mesh, &AnyAngle, start, goal).is_none() && !mesh.has_links());
}

#[test]
fn a_link_leads_out_of_a_dead_end_and_into_one() {
    // Two long dead ends that a link joins: without it, both are trees that nobody enters.
    let mut mesh =
        Mesh::from_cells(9, 5, |x, y| y == 0 || (x == 0 && y < 4) || (x == 8 && y < 4)).unwrap();
    let link = MeshLink::new(point(0.5, 3.5), point(8.5, 3.5), 1.0).unwrap();
    mesh.apply(MeshBatch::new().place_link("bridge", link)).unwrap();
    let (from, to) = (point(0.5, 2.0), point(8.5, 2.0));
    let plain = mesh.plain_shortest(from, to);
    assert!(agree(plain, Some(4.0)));
    assert!(
        agree(cost(&mesh, &AnyAngle, from, to), plain)
            && agree(cost(&mesh, &Funnel, from, to), plain)
    );
    // The way back leads along the corridor.
    let back = cost(&mesh, &AnyAngle, to, from);
    assert!(agree(back, mesh.plain_shortest(to, from)) && back > Some(8.0));
    // A query from elsewhere goes through both dead ends.
    let from = point(1.0, 0.5);
    let through = cost(&mesh, &AnyAngle, from, to);
    assert!(agree(through, mesh.plain_shortest(from, to)) && through < Some(7.0), "{through:?}");
}

#[test]
fn limits_of_cost_hold_for_paths_by_links() {
    let mut mesh = Mesh::from_cells(9, 3, |x, _| x != 4).unwrap();
    let link = MeshLink::new(point(3.0, 1.0), point(6.0, 1.0), 10.0).unwrap();
    mesh.apply(MeshBatch::new().place_link("jump", link)).unwrap();
    let (from, to) = (point(1.0, 1.0), point(8.0, 1.0));
    let best = answer(&mesh, &AnyAngle, from, to).unwrap().cost();
    for planner in [&AnyAngle as &dyn Planner<Mesh>, &Funnel] {
        for (limit, is_found) in [(best.0 + 8, true), (best.0 / 2, false)] {
            let query =
                PathQuery::new(from, to).with_limits(Limits::default().with_cost_max(limit));
            let found = planner.solve(&mesh, &query, &mut Scratch::new()).unwrap();
            match found {
                Answer::Found(path) => assert!(is_found && path.cost().0 <= limit),
                Answer::LimitReached { nearest } => {
                    assert!(!is_found && nearest.cost().0 <= limit);
                    assert_eq!(nearest.validate(&mesh), Ok(()));
                }
                Answer::Unreachable { .. } => panic!("there is a path"),
            }
        }
    }
}

#[test]
fn planners_refuse_meshes_that_they_do_not_serve() {
    let mut mesh = Mesh::from_cells(9, 3, |_, _| true).unwrap();
    let serving = |mesh: &Mesh| -> Vec<&str> {
        let serving =
            CATALOG.iter().filter(|entry| entry.mesh.is_some() && entry.serves(mesh).is_ok());
        serving.map(|entry| entry.name).collect()
    };
    assert_eq!(serving(&mesh), ["any-angle", "funnel", "corner-labels"]);
    let link = MeshLink::new(point(3.0, 1.0), point(6.0, 1.0), 1.0).unwrap();
    mesh.apply(MeshBatch::new().place_link("jump", link)).unwrap();
    assert_eq!(serving(&mesh), ["any-angle", "funnel"]);
    let refused = CornerLabels::build(&mesh, CornerOptions::default()).err();
    assert!(matches!(refused, Some(BuildError::NotServed(_))), "{refused:?}");
    mesh.apply(MeshBatch::new().place("swamp", block(4.0, 0.0, 2.0, 3.0).of_class(class(3))))
        .unwrap();
    assert_eq!(serving(&mesh), ["any-angle", "funnel"], "nobody minds the swamp");
    let minding =
        mesh.another_kind(1, MeshMovement::default().with_factor(class(3), 2.0).unwrap()).unwrap();
    assert_eq!(serving(&minding), ["funnel"]);
    assert_eq!(AnyAngle.guarantee(&minding), Guarantee::None);
    assert!(MeshField::towards(&minding, &[point(1.0, 1.0)]).is_err());
}

#[test]
fn a_path_goes_round_a_costly_area_or_through_it_by_what_it_costs() {
    let swamp = class(1);
    let ground = Mesh::from_cells(12, 9, |_, _| true).unwrap();
    let (from, to) = (point(1.0, 4.5), point(11.0, 4.5));
    let area = block(5.0, 1.0, 2.0, 7.0).of_class(swamp);
    for (factor, expected) in
        [(1.5, 11.0), (2.0, 12.0), (3.0, 2.0 * (16.0f64 + 12.25).sqrt() + 2.0)]
    {
        let movement = MeshMovement::default().with_factor(swamp, factor).unwrap();
        let mut mesh = ground.another_kind(0, movement).unwrap();
        mesh.apply(MeshBatch::new().place("swamp", area.clone())).unwrap();
        let found = cost(&mesh, &Funnel, from, to).unwrap();
        assert!((found - expected).abs() < 1e-6, "factor {factor}: {found}, not {expected}");
        // Along the border the cheaper side counts.
        let along = mesh.price(&[point(5.0, 1.0), point(5.0, 8.0)]).unwrap();
        assert_eq!(along.0 as f64 / mesh.cost_scale(), 7.0);
        let through = mesh.price(&[point(4.0, 4.0), point(8.0, 4.0)]).unwrap();
        assert_eq!(through.0 as f64 / mesh.cost_scale(), 2.0 + 2.0 * factor);
    }
}

#[test]
fn a_slanted_crossing_is_refracted() {
    let swamp = class(1);
    let movement = MeshMovement::default().with_factor(swamp, 2.0).unwrap();
    let mut mesh =
        Mesh::from_cells(20, 20, |_, _| true).unwrap().another_kind(0, movement).unwrap();
    mesh.apply(MeshBatch::new().place("swamp", block(0.0, 10.0, 20.0, 10.0).of_class(swamp)))
        .unwrap();
    let (from, to) = (point(4.0, 4.0), point(12.0, 16.0));
    let at = |x: f64| (x - 4.0).hypot(6.0) + 2.0 * (12.0 - x).hypot(6.0);
    let best =
        (0..80_000).map(|step| at(4.0 + f64::from(step) / 10_000.0)).fold(f64::INFINITY, f64::min);
    let found = cost(&mesh, &Funnel, from, to).unwrap();
    assert!((found - best).abs() < 1e-6, "{found}, not {best}");
}

#[test]
fn a_batch_that_one_kind_cannot_make_is_made_for_none() {
    let ground = Mesh::from_cells(8, 8, |_, _| true).unwrap();
    let mut kinds = [ground.clone(), ground.another_kind(1, MeshMovement::default()).unwrap()];
    let before = kinds.each_ref().map(|mesh| (mesh.fingerprint(), mesh.edition(), mesh.revision()));
    let mut batch = MeshBatch::new();
    batch.place("post", block(1.0, 1.0, 1.0, 1.0)).close_link("post");
    let error = Mesh::apply_to_all(&mut kinds, &batch).unwrap_err();
    assert_eq!(error, MeshEditError::NoSuchLink { name: "post".into() });
    assert_eq!(error.to_string(), "there is no link \"post\"");
    let after = kinds.each_ref().map(|mesh| (mesh.fingerprint(), mesh.edition(), mesh.revision()));
    assert_eq!(before, after);
    assert!(kinds.iter().all(|mesh| mesh.items().len() == 0));
}

#[test]
fn links_of_classes_are_for_those_who_may_use_them() {
    let jump = class(9);
    let ground = Mesh::from_cells(9, 3, |x, _| x != 4).unwrap();
    let movement = MeshMovement::default().forbidding(jump);
    let dear = MeshMovement::default().with_factor(jump, 3.0).unwrap();
    let mut kinds = [
        ground.clone(),
        ground.another_kind(1, movement).unwrap(),
        ground.another_kind(2, dear).unwrap(),
    ];
    let link = MeshLink::new(point(3.0, 1.0), point(6.0, 1.0), 10.0).unwrap().of_class(jump);
    Mesh::apply_to_all(&mut kinds, MeshBatch::new().place_link("jump", link)).unwrap();
    let found =
        kinds.each_ref().map(|mesh| cost(mesh, &AnyAngle, point(3.0, 1.0), point(6.0, 1.0)));
    assert_eq!(found, [Some(10.0), None, Some(30.0)]);
}
