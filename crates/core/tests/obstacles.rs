//! Obstacles on meshes: what searches find round them, against a plain search and against meshes made without obstacles.

use highroad_core::index::{CornerLabels, CornerOptions};
use highroad_core::mesh::{Mesh, MeshBatch, MeshEditError, MeshPoint, Obstacle};
use highroad_core::online::{AnyAngle, Funnel};
use highroad_core::{Answer, Environment, PathQuery, Planner, Scratch};
use highroad_suite::{Random, SquareMesh};
use proptest::prelude::*;

/// Lengths that differ by a smaller part are equal.
const SLACK: f64 = 1e-9;

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

/// The length of the path that a planner finds, after a check of the path.
fn length(planner: &dyn Planner<Mesh>, mesh: &Mesh, query: &PathQuery<MeshPoint>) -> Option<f64> {
    match planner.solve(mesh, query, &mut Scratch::new()).unwrap() {
        Answer::Found(path) => {
            assert_eq!(path.validate(mesh), Ok(()), "{path:?}");
            Some(mesh.length(path.places()))
        }
        Answer::Unreachable { nearest } => {
            assert_eq!(nearest.validate(mesh), Ok(()), "{nearest:?}");
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

/// Random points of a mesh; some of them corners.
fn points(mesh: &Mesh, random: &mut Random, count: usize) -> Vec<MeshPoint> {
    let [least, most] = mesh.bounds();
    let mut points = Vec::new();
    for _ in 0..40 * count {
        let at = if random.below(3) == 0 && mesh.vertex_count() > 0 {
            random.pick(mesh.vertices())
        } else {
            [0, 1].map(|axis| {
                let part = f64::from(random.below(1001)) / 1000.0;
                least[axis] + part * (most[axis] - least[axis])
            })
        };
        let at = point(at[0], at[1]);
        if mesh.check_place(at).is_ok() {
            points.push(at);
        }
        if points.len() == count {
            break;
        }
    }
    points
}

/// What all planners find on a mesh, against a plain search.
fn check_searches(mesh: &Mesh, random: &mut Random) {
    let labels = CornerLabels::build(mesh, CornerOptions::default()).unwrap();
    let ends = points(mesh, random, 8);
    for pair in ends.chunks_exact(2) {
        let query = PathQuery::new(pair[0], pair[1]);
        let plain = mesh.plain_shortest(pair[0], pair[1]);
        for planner in [&AnyAngle as &dyn Planner<Mesh>, &labels] {
            let found = length(planner, mesh, &query);
            assert!(
                agree(found, plain),
                "{} to {}: {found:?}, plainly {plain:?}",
                pair[0],
                pair[1]
            );
        }
        let near = length(&Funnel, mesh, &query);
        assert_eq!(near.is_some(), plain.is_some());
        assert!(near >= plain.map(|plain| plain * (1.0 - SLACK)));
    }
    // Several goals: that of the shortest path is found.
    if let [start, goals @ ..] = &ends[..]
        && !goals.is_empty()
    {
        let query = PathQuery::among(vec![*start], goals.to_vec());
        let plain = goals.iter().filter_map(|&goal| mesh.plain_shortest(*start, goal));
        let plain = plain.min_by(f64::total_cmp);
        let found = length(&AnyAngle, mesh, &query);
        assert!(agree(found, plain), "{start} to {goals:?}: {found:?}, plainly {plain:?}");
    }
}

fn square(x: f64, y: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn obstacles_made_of_cells_are_blocked_cells(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (width, height) = (2 + random.below(7), 2 + random.below(7));
        let cells: Vec<u32> = (0..width * height).map(|_| random.below(8)).collect();
        let cell = |x: u32, y: u32| cells[(y * width + x) as usize];
        // 0: a wall; 1: an obstacle, which may stand on a wall as well.
        let mut mesh = Mesh::from_cells(width, height, |x, y| cell(x, y) != 0).unwrap();
        let blocked = Mesh::from_cells(width, height, |x, y| cell(x, y) > 1).unwrap();
        let is_turned = random.below(2) == 0;
        let mut batch = MeshBatch::new();
        for (number, &kind) in cells.iter().enumerate() {
            if kind == 1 || (kind == 0 && number % 3 == 0) {
                let (x, y) = (number as u32 % width, number as u32 / width);
                let mut outline = square(x.into(), y.into());
                if is_turned {
                    outline.reverse();
                }
                batch.place(number.to_string(), Obstacle::new(outline).unwrap());
            }
        }
        mesh.apply(&batch).unwrap();
        let labels = CornerLabels::build(&mesh, CornerOptions::default()).unwrap();
        for pair in points(&blocked, &mut random, 10).chunks_exact(2) {
            let query = PathQuery::new(pair[0], pair[1]);
            let expected = length(&AnyAngle, &blocked, &query);
            for planner in [&AnyAngle as &dyn Planner<Mesh>, &labels] {
                prop_assert!(agree(length(planner, &mesh, &query), expected), "{query:?}");
            }
            prop_assert_eq!(length(&Funnel, &mesh, &query).is_some(), expected.is_some());
        }
        for at in points(&mesh, &mut random, 20) {
            prop_assert!(blocked.check_place(at).is_ok(), "{}", at);
        }
    }

    #[test]
    fn obstacles_of_any_shape_on_any_mesh_are_walked_round(seed in any::<u64>()) {
        any_shape(seed);
    }
}

fn any_shape(seed: u64) {
    let mut random = Random::new(seed);
    let side = 2 + random.below(4);
    let rows: Vec<String> = (0..side)
        .map(|_| (0..side).map(|_| if random.below(5) == 0 { '#' } else { '.' }).collect())
        .collect();
    let (turn, form) = (random.below(64), random.below(6));
    let Some(ground) = SquareMesh::new(&rows, turn, form, seed) else { return };
    let mut mesh = ground.mesh;
    let mut placed = 0;
    for name in 0..1 + random.below(5) {
        // Corners of the mesh, of other obstacles, points as near to them as rounding, and points between.
        let mut pool: Vec<[f64; 2]> = mesh.vertices().to_vec();
        pool.extend(points(&mesh, &mut random, 6).iter().map(|at| [at.x(), at.y()]));
        let mut corner = |_| {
            let at = random.pick(&pool);
            let other = random.pick(&pool);
            match random.below(4) {
                0 => [0, 1].map(|axis| (at[axis] + other[axis]) / 2.0),
                1 => at.map(|c| f64::from_bits(c.to_bits() + 1)),
                _ => at,
            }
        };
        let outline: Vec<[f64; 2]> = (0..3 + name % 3).map(&mut corner).collect();
        let Ok(obstacle) = Obstacle::new(outline) else { continue };
        // Outlines that lie on each other as near as rounding, many times over, may be refused.
        match mesh.apply(MeshBatch::new().place(name.to_string(), obstacle)) {
            Ok(_) => placed += 1,
            Err(error) => assert!(matches!(error, MeshEditError::NotCut { .. }), "{error}"),
        }
    }
    if placed > 0 {
        check_searches(&mesh, &mut random);
    }
    for (name, obstacle) in mesh.obstacles() {
        // The middle of a triangle lies in it, unless it is as thin as rounding.
        if let [a, b, c] = *obstacle.outline() {
            let middle = [0, 1].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            let size = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            if size > 1e-9 {
                assert!(mesh.check_place(point(middle[0], middle[1])).is_err(), "{}", name);
            }
        }
    }
}

#[test]
fn a_path_knows_what_touches_it() {
    let mut mesh = Mesh::from_cells(9, 9, |_, _| true).unwrap();
    let query = PathQuery::new(point(0.5, 0.5), point(8.5, 8.5));
    let path = AnyAngle.solve(&mesh, &query, &mut Scratch::new()).unwrap().path().unwrap();
    let aside = Obstacle::new(square(0.0, 7.0)).unwrap();
    let changes = mesh.apply(MeshBatch::new().place("aside", aside)).unwrap();
    assert_eq!(mesh.first_touched(path.places(), 0, &changes[0]), None);
    assert_eq!(path.validate(&mesh), Ok(()));
    let across = Obstacle::new(square(4.0, 4.25)).unwrap();
    let changes = mesh.apply(MeshBatch::new().place("across", across)).unwrap();
    assert_eq!(mesh.first_touched(path.places(), 0, &changes[0]), Some(1));
    assert!(path.validate(&mesh).is_err());
    let on_start = Obstacle::new(square(0.0, 0.0)).unwrap();
    let changes = mesh.apply(MeshBatch::new().place("on start", on_start)).unwrap();
    assert_eq!(mesh.first_touched(path.places(), 0, &changes[0]), Some(0));
}
