//! Searches on meshes against a plain search over all corners that see each other.

use super::{AnyAngle, Funnel};
use crate::mesh::{Mesh, MeshPoint, read_polyanya};
use crate::planner::{Answer, PathQuery, Planner, Scratch};

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

fn shared(name: &str) -> Option<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    std::fs::read_to_string(folder.join(name)).ok()
}

/// The length of a shortest path.
fn length(mesh: &Mesh, from: MeshPoint, to: MeshPoint, scratch: &mut Scratch) -> Option<f64> {
    let query = PathQuery::new(from, to);
    match AnyAngle.solve(mesh, &query, scratch).unwrap() {
        Answer::Found(path) => {
            assert_eq!(path.validate(mesh), Ok(()), "{from} to {to}: {path:?}");
            assert_eq!((path.start(), path.goal()), (from, to));
            Some(mesh.length(path.places()))
        }
        Answer::Unreachable { nearest } => {
            assert_eq!(nearest.validate(mesh), Ok(()), "{from} to {to}");
            None
        }
        Answer::LimitReached { .. } => panic!("no limit was set"),
    }
}

fn check(mesh: &Mesh, from: MeshPoint, to: MeshPoint, scratch: &mut Scratch) {
    let (found, best) = (length(mesh, from, to, scratch), mesh.plain_shortest(from, to));
    let agree = match (found, best) {
        (Some(found), Some(best)) => (found - best).abs() < 1e-9 * (1.0 + best),
        (found, best) => found == best,
    };
    assert!(agree, "{from} to {to}: {found:?} instead of {best:?}");
    let quick = Funnel.solve(mesh, &PathQuery::new(from, to), &mut Scratch::new()).unwrap();
    assert_eq!(matches!(quick, Answer::Found(_)), best.is_some(), "{from} to {to}");
    if let (Some(path), Some(best)) = (quick.path(), best) {
        assert_eq!(path.validate(mesh), Ok(()), "{from} to {to}: {path:?}");
        assert!(mesh.length(path.places()) >= best * (1.0 - 1e-9), "{from} to {to}");
    }
}

#[test]
fn published_meshes_that_break_careless_code() {
    let names = [
        "bad-ambig",
        "bad-collinear",
        "bad-collinear2-rot0",
        "bad-collinear2-rot45",
        "bad-collinear2-rot90",
        "square",
    ];
    let mut scratch = Scratch::new();
    for name in names {
        let Some(text) = shared(&format!("tests/{name}.mesh")) else { return };
        let mesh = read_polyanya(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let scenario = shared(&format!("tests/{name}.scen")).unwrap();
        for line in scenario.lines().skip(1) {
            let numbers: Vec<f64> =
                line.split_whitespace().skip(2).filter_map(|word| word.parse().ok()).collect();
            let [.., x, y, to_x, to_y, expected] = numbers[..] else { panic!("{line}") };
            let (from, to) = (point(x, y), point(to_x, to_y));
            let [from, to] = [from, to].map(|p| mesh.nearest_point(p).unwrap());
            let found = length(&mesh, from, to, &mut scratch);
            if expected >= 0.0 {
                let found = found.unwrap();
                assert!((found - expected).abs() < 0.03, "{name}: {found} for {line}");
            }
            check(&mesh, from, to, &mut scratch);
        }
    }
}

#[test]
fn all_pairs_of_points_of_published_meshes() {
    let mut scratch = Scratch::new();
    for name in [
        "tests/hard",
        "tests/bad-ambig",
        "tests/bad-collinear",
        "tests/bad-collinear2-rot45",
        "arena-merged",
        "arena",
    ] {
        let Some(text) = shared(&format!("{name}.mesh")) else { return };
        let mesh = read_polyanya(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut points: Vec<MeshPoint> =
            mesh.vertices().iter().map(|&[x, y]| point(x, y)).collect();
        for polygon in 0..mesh.polygon_count() as u32 {
            let corners: Vec<[f64; 2]> =
                mesh.corners(polygon).map(|vertex| mesh.vertices()[vertex as usize]).collect();
            let mean =
                |axis: usize| corners.iter().map(|at| at[axis]).sum::<f64>() / corners.len() as f64;
            points.push(point(mean(0), mean(1)));
            let middle = |axis: usize| (corners[0][axis] + corners[1][axis]) / 2.0;
            points.push(mesh.nearest_point(point(middle(0), middle(1))).unwrap());
        }
        let step = if points.len() > 60 { 991 } else { 1 };
        let pairs = points.iter().flat_map(|&from| points.iter().map(move |&to| (from, to)));
        for (from, to) in pairs.step_by(step) {
            check(&mesh, from, to, &mut scratch);
        }
    }
}

/// The published lengths of an any-angle competition, on the mesh of its map.
#[test]
fn published_any_angle_lengths() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let (Some(map), Some(scenario)) =
        (read("sc1/AcrosstheCape.map"), read("anyangle/AcrosstheCape.any-angle.scen"))
    else {
        return;
    };
    let rows: Vec<&[u8]> = map.lines().skip(4).map(str::as_bytes).collect();
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let is_free = |x: u32, y: u32| matches!(rows[y as usize][x as usize], b'.' | b'G' | b'S');
    let mesh = Mesh::from_cells(width, height, is_free).unwrap();
    let mut scratch = Scratch::new();
    let mut count = 0;
    for line in scenario.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let numbers: Vec<f64> =
            line.split_whitespace().skip(2).filter_map(|word| word.parse().ok()).collect();
        let [.., x, y, to_x, to_y, expected] = numbers[..] else { panic!("{line}") };
        // A corner where two obstacles touch belongs to both sides. An end lies on the side of its own cell.
        let inside = |x: f64, y: f64| {
            let free = |dx: f64, dy: f64| {
                let (x, y) = (x + dx, y + dy);
                x >= 0.0 && y >= 0.0 && is_free(x as u32, y as u32)
            };
            let is_pinch = free(-1.0, -1.0) && !free(-1.0, 0.0) && !free(0.0, -1.0);
            let inset = if is_pinch { 1.0 / 1024.0 / 1024.0 / 64.0 } else { 0.0 };
            point(x + inset, y + inset)
        };
        let found = length(&mesh, inside(x, y), inside(to_x, to_y), &mut scratch);
        let found = found.unwrap_or_else(|| panic!("no path for {line}"));
        assert!((found - expected).abs() < 1e-6, "{found} for {line}");
        count += 1;
    }
    assert_eq!(count, 201);
}

/// Rounding puts this start on the line between its square and the next, to within a unit in the last place. Its way
/// ahead was once overestimated, and so was cut by a limit that it keeps.
#[test]
fn a_start_as_near_to_an_edge_as_rounding() {
    let at = |x: f64, y: f64| [x * 0.31 - y * 0.17, x * 0.17 + y * 0.31];
    let vertices =
        [(0., 0.), (4., 0.), (8., 0.), (8., 4.), (4., 4.), (0., 4.)].map(|(x, y)| at(x, y));
    let mesh =
        Mesh::from_polygons(vertices.to_vec(), &[vec![0, 1, 4, 5], vec![1, 2, 3, 4]]).unwrap();
    let [start, goal] = [at(4.0, 3.0), at(7.0, 0.0)].map(|[x, y]| point(x, y));
    assert_eq!((mesh.polygons_at(start), mesh.polygons_at(goal)), (vec![0], vec![1]));
    let root = start.xy();
    let sides = mesh.shape().sides(0);
    let (right, left) = (sides[1].at, sides[2].at);
    let bound = super::cone::way_through(root, [left, right], [right, left], goal.xy());
    assert!(bound <= mesh.length(&[start, goal]), "{bound}");
}

/// Found by fuzzing: polygons round a vertex with more than 360° together, as round the pole of a spiral ramp. The vertex was
/// no corner, and searches ended without a path.
#[test]
fn more_than_a_whole_turn_round_a_vertex() {
    let text = "mesh\n2\n6 2\n0 0 2 0 1\n4 0 0\n14  155555555555 0\n1 1 2 0 0\n2 4 1 1\n0 4 1 1\n\
                4 0 1 2 3 1 -1 -1 -1\n4 0 3 4 5 -1 0 -1 -1\n";
    let mesh = read_polyanya(text).unwrap();
    let mut scratch = Scratch::new();
    for to in [point(0.0, 0.0), point(14.0, 155_555_555_555.0), point(1.0, 155_555_555.0)] {
        check(&mesh, point(0.0, 0.0), mesh.nearest_point(to).unwrap(), &mut scratch);
    }

    // Five quarters of a spiral round the pole (0, 0), each on a layer of its own.
    let ring = [[3.0, 0.0], [0.0, 3.0], [-3.0, 0.0], [0.0, -3.0], [3.0, 0.0], [0.0, 3.0]];
    let vertices = [&[[0.0, 0.0]], &ring[..]].concat();
    let quarters: Vec<Vec<u32>> = (1..6).map(|at| vec![0, at, at + 1]).collect();
    let ramp = Mesh::from_layers(vertices, &quarters, (0..5).collect()).unwrap();
    for (from, to) in [(0, 4), (0, 3), (1, 4), (0, 2), (0, 1), (4, 0)] {
        let middle = |layer: u16| {
            let [a, b] = [ring[usize::from(layer)], ring[usize::from(layer) + 1]];
            point((a[0] + b[0]) / 4.0, (a[1] + b[1]) / 4.0).on_layer(layer)
        };
        check(&ramp, middle(from), middle(to), &mut scratch);
    }
}
