//! Labels of corners against the plain method and the optimal search.

use super::*;
use crate::mesh::{MeshPoint, read_polyanya};
use crate::online::AnyAngle;
use crate::planner::{PathQuery, Planner, Scratch};

fn shared(name: &str) -> Option<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    std::fs::read_to_string(folder.join(name)).ok()
}

/// The vertices of a mesh, and the middle of each polygon.
fn points(mesh: &Mesh) -> Vec<MeshPoint> {
    let point = |at: [f64; 2]| MeshPoint::new(at[0], at[1]).unwrap();
    let mut points: Vec<MeshPoint> = mesh.vertices().iter().map(|&at| point(at)).collect();
    for polygon in 0..mesh.polygon_count() as u32 {
        let corners: Vec<[f64; 2]> =
            mesh.corners(polygon).map(|vertex| mesh.vertices()[vertex as usize]).collect();
        let mean =
            |axis: usize| corners.iter().map(|at| at[axis]).sum::<f64>() / corners.len() as f64;
        points.push(point([mean(0), mean(1)]));
    }
    points
}

#[test]
fn published_meshes_by_labels_and_by_search() {
    let mut scratch = Scratch::new();
    let names = ["tests/hard", "tests/bad-ambig", "tests/bad-collinear", "tests/square"];
    let more = ["tests/bad-collinear2-rot45", "tests/bad-collinear2-rot0", "arena-merged", "arena"];
    for name in names.iter().chain(&more) {
        let Some(text) = shared(&format!("{name}.mesh")) else { return };
        let mesh = read_polyanya(&text).unwrap();
        let labels = CornerLabels::build(&mesh, CornerOptions::default()).unwrap();
        assert_eq!(labels.check(&mesh), Ok(()));
        let points = points(&mesh);
        let step = if points.len() > 60 { 37 } else { 1 };
        let pairs = points.iter().flat_map(|&from| points.iter().map(move |&to| (from, to)));
        for (from, to) in pairs.step_by(step) {
            let query = PathQuery::new(from, to);
            let by_search = AnyAngle.solve(&mesh, &query, &mut scratch).unwrap();
            let by_labels = labels.solve(&mesh, &query, &mut scratch).unwrap();
            let length = |path: &crate::Path<MeshPoint>| mesh.length(path.places());
            match (by_search.path(), by_labels.path()) {
                (Some(search), Some(labels)) => {
                    assert_eq!(labels.validate(&mesh), Ok(()), "{name}: {from} to {to}");
                    let (found, best) = (length(&labels), length(&search));
                    let agree = (found - best).abs() < 1e-7 * (1.0 + best);
                    assert!(agree, "{name}: {from} to {to}: {found} instead of {best}");
                }
                (search, labels) => assert_eq!(search.is_some(), labels.is_some(), "{name}"),
            }
        }
    }
}

#[test]
fn too_little_memory_is_said_and_damaged_bytes_are_refused() {
    let holes = (0..8).flat_map(|x| (0..8).map(move |y| (f64::from(x), f64::from(y))));
    let square = |(x, y): (f64, f64), side: f64| {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    };
    let outer = square((-1.0, -1.0), 10.0);
    let holes = holes.map(|at| square(at, 0.5)).collect();
    let mesh = Mesh::from_areas(&[crate::mesh::Area { outer, holes }]).unwrap();
    let refused = CornerLabels::build(&mesh, CornerOptions::default().with_bytes_max(1 << 12));
    let Err(BuildError::NotServed(reason)) = refused else { panic!("it fits") };
    assert!(reason.contains("would take more than 0 MB"), "{reason}");
    let labels = CornerLabels::build(&mesh, CornerOptions::default()).unwrap();
    let bytes = labels.save();
    let loaded = CornerLabels::load(&bytes, &mesh).unwrap();
    assert_eq!((&loaded.labels, &loaded.corners), (&labels.labels, &labels.corners));
    for at in (0..bytes.len()).step_by(997) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(CornerLabels::load(&damaged, &mesh).is_err(), "byte {at}");
        assert!(CornerLabels::load(&bytes[..at], &mesh).is_err(), "{at} bytes");
    }
}
