//! Patched meshes against those made at once, array by array.

use super::*;
use crate::mesh::shape::HalfEdge;
use highroad_suite::Random;
use proptest::prelude::*;

fn square(x: f64, y: f64, size: f64) -> Obstacle {
    Obstacle::new(vec![[x, y], [x + size, y], [x + size, y + size], [x, y + size]]).unwrap()
}

/// A random simple polygon: corners that are whole numbers, or any.
fn shape(random: &mut Random, span: u32) -> Option<Obstacle> {
    let unit = random.pick(&[1.0, 0.25, 1.0 / 3.0, 0.1]);
    let count = f64::from(span) / unit;
    let size = 1 + random.below(1 + count as u32 / 2);
    let [x, y] = [0, 1].map(|_| f64::from(random.below(count as u32 + 4)) - 2.0);
    let mut corner = || [x, y].map(|at| unit * (at + f64::from(random.below(size + 1))));
    let outline = (0..3 + size % 5).map(|_| corner()).collect();
    Obstacle::new(outline).ok()
}

/// Everything that is derived from how polygons are joined, but for dead ends: one behind which an obstacle stands has a way
/// round it, but is left where it was entered all the same.
fn check_derived(mesh: &Mesh) {
    let shape = mesh.shape();
    let mut again = shape.clone();
    again.derive();
    for (one, other) in shape.half_edges.iter().zip(&again.half_edges) {
        if shape.is_open(one.polygon) {
            let but_trees = |side: &HalfEdge| HalfEdge { flags: side.flags & !2, ..*side };
            assert_eq!(but_trees(one), but_trees(other));
        }
    }
    let open = || (0..mesh.polygon_count() as u32).filter(|&polygon| mesh.is_open(polygon));
    for one in open() {
        for other in open() {
            let [now, then] = [shape, &again]
                .map(|shape| shape.parts[one as usize] == shape.parts[other as usize]);
            assert_eq!(now, then, "parts of {one} and {other}");
        }
    }
    for (at, side) in shape.half_edges.iter().enumerate() {
        if let Some(other) = shape.half_edges.get(side.twin as usize) {
            assert_eq!(other.twin as usize, at);
            let (from, to) = shape.ends(at as u32);
            assert_eq!(shape.ends(side.twin), (to, from));
            assert!(shape.is_open(side.polygon) && shape.is_open(other.polygon));
        }
    }
}

fn assert_same(one: &Mesh, other: &Mesh) {
    let [a, b] = [one, other].map(Mesh::shape);
    assert_eq!(a.half_edges, b.half_edges);
    assert_eq!((&a.vertices, &a.first, &a.layers), (&b.vertices, &b.first, &b.layers));
    assert_eq!((&a.parts, &a.tree_parent, &a.closed), (&b.parts, &b.tree_parent, &b.closed));
    assert_eq!((a.exact, a.cost_scale), (b.exact, b.cost_scale));
}

proptest! {
    #[test]
    fn what_is_patched_is_what_is_made_at_once(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let size = 3 + random.below(9);
        let walls: Vec<bool> = (0..size * size).map(|_| random.below(5) == 0).collect();
        let untouched = Mesh::from_cells(size, size, |x, y| !walls[(y * size + x) as usize]).unwrap();
        let mut mesh = untouched.clone();
        let mut kept = mesh.clone();
        let mut undo = Vec::new();
        for _ in 0..1 + random.below(11) {
            let mut batch = MeshBatch::new();
            for _ in 0..1 + random.below(3) {
                let name = random.below(6).to_string();
                match (random.below(4), mesh.obstacle(&name)) {
                    (0, Some(_)) => { batch.remove(name); }
                    (1, Some(_)) => { batch.move_by(name, [f64::from(random.below(7)) / 3.0 - 1.0, 0.5]); }
                    _ => {
                        if let Some(obstacle) = shape(&mut random, size) {
                            batch.place(name, obstacle);
                        }
                    }
                }
            }
            if let Ok(changes) = mesh.apply(&batch) {
                undo.push(changes);
            }
            if random.below(3) == 0 {
                // So that its arrays are in use by somebody else.
                kept = mesh.clone();
            }
            check_derived(&mesh);
            let mut at_once = untouched.clone();
            let mut batch = MeshBatch::new();
            let placed: Vec<_> = mesh.obstacles().map(|(name, obstacle)| (name.to_owned(), obstacle.clone())).collect();
            for (name, obstacle) in placed.into_iter().rev() {
                batch.place(name, obstacle);
            }
            at_once.apply(&batch).unwrap();
            assert_same(&mesh, &at_once);
        }
        check_derived(&kept);
        for changes in undo.iter().rev() {
            mesh.apply(&MeshBatch::undoing(changes)).unwrap();
        }
        assert_same(&mesh, &untouched);
    }
}

#[test]
fn an_obstacle_that_covers_all_ground_leaves_nothing_and_takes_nothing_with_it() {
    let mut mesh = Mesh::from_cells(5, 1, |x, _| x != 2).unwrap();
    let before = mesh.clone();
    mesh.apply(MeshBatch::new().place("lid", square(-1.0, -1.0, 9.0))).unwrap();
    assert!((0..mesh.polygon_count() as u32).all(|polygon| !mesh.is_open(polygon)));
    mesh.apply(MeshBatch::new().place("post", square(0.25, 0.25, 0.5))).unwrap();
    mesh.apply(MeshBatch::new().remove("lid")).unwrap();
    check_derived(&mesh);
    mesh.apply(MeshBatch::new().remove("post")).unwrap();
    assert_same(&mesh, &before);
}

#[test]
fn a_batch_that_fails_changes_nothing() {
    let mut mesh = Mesh::from_cells(5, 5, |_, _| true).unwrap();
    mesh.apply(MeshBatch::new().place("post", square(1.0, 1.0, 1.0))).unwrap();
    let before = mesh.clone();
    let mut batch = MeshBatch::new();
    batch.place("crate", square(3.0, 3.0, 1.0)).remove("post").move_by("post", [1.0, 0.0]);
    let error = mesh.apply(&batch).unwrap_err();
    assert_eq!(error, MeshEditError::NoSuchItem { name: "post".into() });
    let mut batch = MeshBatch::new();
    batch.remove("post").place("post", square(0.0, 0.0, 1.0)).move_by("post", [1e15, 0.0]);
    assert!(matches!(mesh.apply(&batch), Err(MeshEditError::Moved { .. })));
    assert_same(&mesh, &before);
    assert_eq!(mesh.obstacle("post"), before.obstacle("post"));
    assert_eq!(crate::Environment::edition(&mesh), crate::Environment::edition(&before));
}

#[test]
fn walls_without_width_stay_where_obstacles_stand_beside_them() {
    let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [8.0, 0.0], [8.0, 4.0]];
    let polygons = [vec![0, 1, 2, 3], vec![1, 4, 5, 2]];
    let wall = [vec![None; 4], vec![None; 4]];
    let mut mesh = Mesh::with_neighbours(vertices, &polygons, &wall, Vec::new()).unwrap();
    mesh.apply(MeshBatch::new().place("crate", square(3.0, 1.0, 2.0))).unwrap();
    check_derived(&mesh);
    assert!(!mesh.is_connected());
}

#[test]
fn an_obstacle_stands_on_its_layer_alone() {
    let vertices = vec![
        [0.0, 4.0],
        [9.0, 4.0],
        [9.0, 5.0],
        [0.0, 5.0],
        [4.0, 0.0],
        [5.0, 0.0],
        [5.0, 9.0],
        [4.0, 9.0],
    ];
    let mut mesh =
        Mesh::from_layers(vertices, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7]], vec![0, 1]).unwrap();
    let crate_of_wood = square(4.25, 4.25, 0.5).on_layer(1);
    mesh.apply(MeshBatch::new().place("crate", crate_of_wood)).unwrap();
    let middle = crate::mesh::MeshPoint::new(4.5, 4.5).unwrap();
    assert_eq!(mesh.polygons_at(middle), [0]);
    assert!(mesh.polygons_at(middle.on_layer(1)).is_empty());
    check_derived(&mesh);
}

#[test]
fn an_obstacle_as_thin_as_rounding_is_cut_as_others_are() {
    let vertices = vec![
        [0.0, 0.0],
        [1.24, 0.68],
        [2.48, 1.36],
        [3.7199999999999998, 2.04],
        [-0.68, 1.24],
        [0.5599999999999999, 1.92],
        [1.7999999999999998, 2.6],
        [3.0399999999999996, 3.2800000000000002],
        [-1.36, 2.48],
        [-0.1200000000000001, 3.16],
        [1.1199999999999999, 3.84],
        [2.3599999999999994, 4.52],
        [-2.04, 3.7199999999999998],
        [-0.8, 4.3999999999999995],
        [0.43999999999999995, 5.08],
        [1.6799999999999997, 5.76],
    ];
    let squares = [
        [1, 2, 6, 5],
        [2, 3, 7, 6],
        [4, 5, 9, 8],
        [6, 7, 11, 10],
        [8, 9, 13, 12],
        [9, 10, 14, 13],
        [10, 11, 15, 14],
    ];
    let outlines: [&[[f64; 2]]; 3] = [
        &[
            [1.4313599999999997, 2.4229200000000004],
            [3.04, 3.2800000000000007],
            [-2.0400000000000005, 3.72],
        ],
        &[
            [2.4800000000000004, 1.3600000000000003],
            [2.3599999999999994, 4.52],
            [-0.8000000000000002, 4.4],
            [0.5599999999999998, 1.92],
        ],
        &[[1.24, 0.68], [-0.8000000000000002, 4.4], [0.21999999999999986, 2.54]],
    ];
    let mut mesh = Mesh::from_polygons(vertices, &squares.map(Vec::from)).unwrap();
    for (name, outline) in outlines.iter().enumerate() {
        let obstacle = Obstacle::new(outline.to_vec()).unwrap();
        mesh.apply(MeshBatch::new().place(name.to_string(), obstacle)).unwrap();
        check_derived(&mesh);
    }
}
