//! Tests of meshes: what they are made of, bad input, straight lines.

use super::*;
use crate::environment::{Cost, Environment};

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

fn square(from: f64, to: f64) -> Vec<[f64; 2]> {
    vec![[from, from], [to, from], [to, to], [from, to]]
}

#[test]
fn bad_polygons_are_refused_by_name() {
    let corners = || vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [1.0, 1.0], [2.0, 0.0]];
    let error = |polygons: &[Vec<u32>]| Mesh::from_polygons(corners(), polygons).unwrap_err();
    let (polygon, vertex) = (0, 4);
    assert_eq!(error(&[vec![0, 1]]), MeshError::TooFewCorners { polygon, corners: 2 });
    assert_eq!(
        error(&[vec![0, 1, 9]]),
        MeshError::NoSuchVertex { polygon, vertex: 9, vertices: 6 }
    );
    assert_eq!(error(&[vec![0, 1, 1]]), MeshError::RepeatedCorner { polygon, vertex: 1 });
    assert_eq!(error(&[vec![1, 4, 3, 2]]), MeshError::NotConvex { polygon, vertex });
    assert_eq!(error(&[vec![2, 1, 0]]), MeshError::NotConvex { polygon, vertex: 1 });
    assert_eq!(error(&[vec![0, 5, 1]]), MeshError::NoArea { polygon });
    assert_eq!(error(&[vec![0, 1, 2, 3, 0, 1, 2, 3]]), MeshError::CrossesItself { polygon });
    let overlap = MeshError::EdgeOverlap { polygon: 1, from: 0, to: 1 };
    assert_eq!(error(&[vec![0, 1, 2], vec![0, 1, 3]]), overlap);
    for bad in [f64::NAN, f64::INFINITY, 1e13] {
        let made = Mesh::from_polygons(vec![[0.0, 0.0], [1.0, bad], [0.0, 1.0]], &[vec![0, 1, 2]]);
        assert!(matches!(made, Err(MeshError::Coordinate { vertex: 1, .. })), "{bad}");
    }
    let triangles = [vec![0, 1, 2], vec![0, 2, 3]];
    let joined = |lists: [Vec<Option<u32>>; 2]| {
        Mesh::with_neighbours(corners(), &triangles, &lists, Vec::new()).unwrap_err()
    };
    let one_sided = joined([vec![None, None, Some(1)], vec![None; 3]]);
    assert!(matches!(one_sided, MeshError::NotNeighbours { polygon: 0, edge: 2, .. }));
    let wrong_edge = joined([vec![Some(1), None, None], vec![None; 3]]);
    assert_eq!(wrong_edge, MeshError::NotNeighbours { polygon: 0, edge: 0, neighbour: 1 });
    let no_such = joined([vec![Some(7), None, None], vec![None; 3]]);
    assert_eq!(no_such, MeshError::NotNeighbours { polygon: 0, edge: 0, neighbour: 7 });
    assert!(matches!(joined([vec![None; 2], vec![None; 3]]), MeshError::WrongCount { .. }));
}

#[test]
fn bad_areas_are_refused_by_name() {
    let error = |outer: Vec<[f64; 2]>, holes: &[Vec<[f64; 2]>]| {
        Mesh::from_areas(&[Area { outer, holes: holes.to_vec() }]).unwrap_err()
    };
    let few = error(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], &[]);
    assert_eq!(few, AreaError::TooFewPoints { outline: 0, points: 2 });
    let line = error(vec![[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]], &[]);
    assert_eq!(line, AreaError::NoArea { outline: 0 });
    let outside = error(square(0.0, 4.0), &[square(5.0, 6.0)]);
    assert_eq!(outside, AreaError::HoleOutside { outline: 1 });
    let crossing = error(square(0.0, 4.0), &[square(1.0, 3.0), square(2.0, 3.5)]);
    assert!(matches!(crossing, AreaError::Crossing { .. }), "{crossing}");
    let on_each_other = error(square(0.0, 4.0), &[square(1.0, 3.0), square(1.0, 3.0)]);
    assert!(matches!(on_each_other, AreaError::Overlap { .. }), "{on_each_other}");
    // There and back along a line surrounds nothing, and does no harm outside.
    let mut spiky = square(0.0, 4.0);
    spiky.splice(2..2, [[4.0, 4.0], [8.0, 8.0]]);
    let mesh = Mesh::from_areas(&[Area { outer: spiky, holes: Vec::new() }]).unwrap();
    assert!(mesh.polygons_at(point(6.0, 6.0)).is_empty() && mesh.polygon_count() == 1);
    for bad in [f64::NAN, f64::NEG_INFINITY] {
        let bad = error(vec![[0.0, 0.0], [1.0, 0.0], [bad, 1.0]], &[]);
        assert!(matches!(bad, AreaError::Coordinate { outline: 0, point: 2, .. }), "{bad}");
    }
    // Points given twice and corners of 180° are no fault.
    let outer =
        vec![[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
    let mesh = Mesh::from_areas(&[Area { outer, holes: vec![square(1.0, 2.0)] }]).unwrap();
    assert!(mesh.is_connected() && mesh.polygons_at(point(1.5, 1.5)).is_empty());
}

#[test]
fn a_text_that_is_wrong_says_where() {
    let error = |text: &str| read_polyanya(text).unwrap_err();
    let spot = |text: &str| (error(text).line, error(text).column);
    assert_eq!(spot("graph"), (1, 1));
    assert_eq!(spot("mesh\n 3"), (2, 2));
    assert_eq!(spot("mesh\n2\n1 1\n0 zero"), (4, 3));
    let triangle = "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n0 1 1 0\n";
    assert!(read_polyanya(&format!("{triangle}3 0 1 2 -1 -1 -1\n")).is_ok());
    assert_eq!(spot(&format!("{triangle}3 0 1 2 -1 -1 -1\n5")), (8, 1));
    assert_eq!(spot(&format!("{triangle}3 0 2 1 -1 -1 -1\n")), (7, 3), "clockwise");
    assert_eq!(spot(&format!("{triangle}3 0 1 2 -1 4 -1\n")), (7, 3), "no such neighbour");
    assert_eq!(spot(&format!("{triangle}3 0 1 2 -1 -1")), (7, 14), "it ends");
    let around = triangle.replace("0 1 1 0", "0 1 1 5");
    assert_eq!(spot(&format!("{around}3 0 1 2 -1 -1 -1\n")), (6, 7), "no such polygon");
    let infinite = triangle.replace("1 0 1 0", "inf 0 1 0");
    assert_eq!(spot(&format!("{infinite}3 0 1 2 -1 -1 -1\n")), (5, 1));
    for count in ["4294967295", "99999999999999999999", "-1"] {
        assert!(read_polyanya(&format!("mesh 2 {count} 1 0 0 1 0")).is_err());
        assert!(read_polyanya(&format!("mesh 2 1 {count} 0 0 1 0")).is_err());
        assert!(read_polyanya(&format!("mesh 2 1 1 0 0 {count} 0")).is_err());
    }
}

/// Every beginning of a good text, and the text with each byte replaced, gives a mesh or an error.
#[test]
fn damaged_texts_do_not_panic() {
    let areas = [Area { outer: square(0.0, 9.0), holes: vec![square(2.0, 4.0), square(4.0, 6.5)] }];
    let text = write_polyanya(&Mesh::from_areas(&areas).unwrap());
    assert_eq!(write_polyanya(&read_polyanya(&text).unwrap()), text);
    for end in 0..text.len() {
        let _ = read_polyanya(&text[..end]);
        for new in ["9", "-", " ", "e"] {
            let damaged = format!("{}{new}{}", &text[..end], &text[end + 1..]);
            if let Ok(mesh) = read_polyanya(&damaged) {
                assert_eq!(
                    write_polyanya(&read_polyanya(&write_polyanya(&mesh)).unwrap()),
                    write_polyanya(&mesh)
                );
            }
        }
    }
}

/// What is at a point by the index is what is there by looking at every polygon.
#[test]
fn the_index_finds_what_a_look_at_everything_finds() {
    let is_free = |x: u32, y: u32| !(x * 7 + y * 13 + x * y).is_multiple_of(5);
    let mesh = Mesh::from_cells(23, 17, is_free).unwrap();
    for y in 0..=17 * 4 {
        for x in 0..=23 * 4 {
            let at = point(f64::from(x) / 4.0, f64::from(y) / 4.0);
            let all = 0..mesh.polygon_count() as u32;
            let expected: Vec<u32> = all.filter(|&p| mesh.shape().contains(p, at.xy())).collect();
            assert_eq!(mesh.polygons_at(at), expected, "{at}");
            if x % 4 != 0 && y % 4 != 0 {
                assert_eq!(!expected.is_empty(), is_free(x / 4, y / 4), "{at}");
            }
        }
    }
}

/// Two obstacles touch at (1, 1): nothing passes there, however it is split into legs.
#[test]
fn nothing_passes_where_two_obstacles_touch() {
    let mesh = Mesh::from_cells(2, 2, |x, y| x == y).unwrap();
    let [a, corner, b] = [point(0.5, 0.5), point(1.0, 1.0), point(1.5, 1.5)];
    assert!(mesh.price(&[a, corner]).is_ok() && mesh.price(&[corner, b]).is_ok());
    assert!(mesh.price(&[a, b]).is_err() && mesh.price(&[a, corner, b]).is_err());
    assert!(!mesh.is_connected());
    assert_eq!(mesh.price(&[a]), Ok(Cost::ZERO));
    assert_eq!(mesh.price(&[]).unwrap_err().problem, MeshPathProblem::Empty);
}

#[test]
fn a_mesh_is_the_same_each_time_it_is_made() {
    let is_free = |x: u32, y: u32| (x * 31 + y * 17) % 7 > 1;
    let make = || Mesh::from_cells(40, 40, is_free).unwrap().fingerprint();
    assert_eq!(make(), make());
}
