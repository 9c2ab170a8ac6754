//! Meshes: their text, and searches on meshes of any polygons.

use crate::{Target, texts};
use highroad::index::{CornerLabels, CornerOptions};
use highroad::mesh::{Area, Mesh, MeshBatch, MeshPoint, Obstacle, read_polyanya, write_polyanya};
use highroad::online::{AnyAngle, Funnel};
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad_formats::{read_mesh_json, read_tiled_mesh, write_mesh_json};

/// Meshes up to which everything is tried.
const VERTICES_MAX: usize = 64;

/// The most outlines of a mesh that bytes are the points of, and the most points of each. The plain search looks from every
/// corner to every other, along all polygons between them: few corners make many executions.
const OUTLINES_MAX: usize = 4;
const POINTS_MAX: usize = 7;

/// Pairs of points between which paths are looked for.
const QUERIES: usize = 3;

/// By how much lengths may differ: each leg of a path is rounded.
const TOLERANCE: f64 = 1e-6;

pub(crate) const MESH: Target = Target {
    name: "mesh",
    input: "a mesh in Polyanya's format",
    promise: "refused, or written and read again it is the same; small ones are searched alike by all planners",
    run: |bytes| {
        let Ok(mesh) = read_polyanya(std::str::from_utf8(bytes).unwrap_or_default()) else {
            return;
        };
        let again = read_polyanya(&write_polyanya(&mesh)).expect("what was written is read");
        assert_eq!(again.fingerprint(), mesh.fingerprint());
        if mesh.vertex_count() <= VERTICES_MAX && mesh.polygon_count() > 0 {
            check_searches(&mesh, bytes);
        }
    },
    seeds: || {
        texts(&[
            "mesh\n2\n4 1\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\n4 0 1 2 3 -1 -1 -1 -1\n",
            "mesh\n2\n6 2\n0 0 2 0 1\n4 0 1 0\n4 1 1 0\n1 1 2 0 1\n1 4 1 1\n0 4 1 1\n\
             4 0 1 2 3 1 -1 -1 -1\n4 0 3 4 5 -1 0 -1 -1\n",
        ])
    },
};

pub(crate) const MESH_JSON: Target = Target {
    name: "mesh_json",
    input: "a mesh, areas, GeoJSON or a polygon mesh of Recast, in JSON",
    promise: "refused, or written and read again it is the same",
    run: |bytes| {
        let Ok(mesh) = read_mesh_json(std::str::from_utf8(bytes).unwrap_or_default()) else {
            return;
        };
        let again = read_mesh_json(&write_mesh_json(&mesh)).expect("what was written is read");
        assert_eq!(again.fingerprint(), mesh.fingerprint());
    },
    seeds: || {
        texts(&[
            r#"{"vertices":[[0,0],[1,0],[1,1],[0,1]],"polygons":[[0,1,2],[0,2,3]],"layers":[0,1]}"#,
            r#"{"areas":[{"outer":[[0,0],[9,0],[9,9],[0,9]],"holes":[[[3,3],[6,3],[6,6]]]}]}"#,
            r#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}"#,
            r#"{"areas":[{"outer":[[0,0],[9,0],[9,9],[0,9]]}],"obstacles":[{"name":"a","outline":[[3,3],[6,3],[6,6]],"class":1}],"links":[{"name":"b","from":[1,1],"to":[8,8,0],"cost":2,"both_ways":true}]}"#,
            r#"{"nvp":3,"verts":[0,0,0,2,0,0,2,0,2],"polys":[0,2,1,65535,65535,65535],"cs":0.5}"#,
        ])
    },
};

pub(crate) const TILED_MESH: Target = Target {
    name: "tiled_mesh",
    input: "a level of Tiled with polygons, XML or JSON",
    promise: "refused, or a mesh that is written as JSON and read again is the same",
    run: |bytes| {
        let Ok(mesh) = read_tiled_mesh(std::str::from_utf8(bytes).unwrap_or_default()) else {
            return;
        };
        let again = read_mesh_json(&write_mesh_json(&mesh)).expect("what was written is read");
        assert_eq!(again.items().len(), mesh.items().len());
    },
    seeds: || {
        texts(&[
            r#"<map tilewidth="8" tileheight="8"><objectgroup><object id="1" class="ground" x="0" y="0" width="80" height="32"/><object id="2" class="obstacle" x="8" y="8"><polygon points="0,0 8,0 8,8"/></object></objectgroup></map>"#,
            r#"{"tilewidth":8,"tileheight":8,"layers":[{"objects":[{"id":1,"type":"ground","x":0,"y":0,"polygon":[{"x":0,"y":0},{"x":9,"y":0},{"x":9,"y":9}]}]}]}"#,
        ])
    },
};

pub(crate) const MESH_SEARCH: Target = Target {
    name: "mesh_search",
    input: "polygons on a small lattice: an outline and holes, a byte a point; after a byte 254, obstacles",
    promise: "refused, or all planners agree with a plain search over corners that see each other",
    run: |bytes| {
        let mut parts = bytes.splitn(2, |&byte| byte == 254).map(outlines);
        let mut ground = parts.next().unwrap_or_default().into_iter();
        let Some(outer) = ground.next() else { return };
        let area = Area { outer, holes: ground.collect() };
        let Ok(mut mesh) = Mesh::from_areas(&[area]) else { return };
        for (number, outline) in parts.next().unwrap_or_default().into_iter().enumerate() {
            let Ok(obstacle) = Obstacle::new(outline) else { continue };
            let mut batch = MeshBatch::new();
            batch.place(number.to_string(), obstacle);
            // Outlines that lie on each other as near as rounding may be refused; then nothing has changed.
            let before = mesh.fingerprint();
            if mesh.apply(&batch).is_err() {
                assert_eq!(mesh.fingerprint(), before);
            }
        }
        // An outline that goes there and back surrounds nothing, and obstacles may cover all.
        if (0..mesh.polygon_count() as u32).any(|polygon| mesh.is_open(polygon)) {
            check_searches(&mesh, bytes);
        }
    },
    seeds: || {
        let outer = [0x00, 0xf0, 0xfe, 0x0e];
        let hole = |at: u8| [at, at + 0x30, at + 0x33, at + 0x03];
        let none: &[u8] = &[255];
        vec![
            outer.to_vec(),
            [&outer[..], none, &hole(0x22), none, &hole(0x66), none, &hole(0x92)].concat(),
            [&outer[..], none, &hole(0x22), &[254], &hole(0x33), none, &hole(0x66)].concat(),
        ]
    },
};

/// Outlines, with a byte 255 between two.
fn outlines(bytes: &[u8]) -> Vec<Vec<[f64; 2]>> {
    let outlines = bytes.split(|&byte| byte == 255).filter(|points| !points.is_empty());
    let corners =
        |points: &[u8]| points.iter().take(POINTS_MAX).map(|&byte| lattice(byte)).collect();
    outlines.take(OUTLINES_MAX).map(corners).collect()
}

/// A point with whole numbers from 0 to 15.
fn lattice(byte: u8) -> [f64; 2] {
    [f64::from(byte >> 4), f64::from(byte & 15)]
}

/// Whether all planners find paths of the same length between some points, and those of a plain search.
fn check_searches(mesh: &Mesh, bytes: &[u8]) {
    let Ok(labels) = CornerLabels::build(mesh, CornerOptions::default()) else { return };
    let mut scratch = Scratch::new();
    let ends = [bytes, &[0, 255]].concat();
    let point = |byte: u8| {
        let [least, most] = mesh.bounds();
        let part = lattice(byte).map(|number| number / 15.0);
        let at = [0, 1].map(|axis| least[axis] + part[axis] * (most[axis] - least[axis]));
        mesh.nearest_point(MeshPoint::new(at[0], at[1]).expect("it lies between points"))
            .expect("there is ground")
    };
    for pair in ends.windows(2).rev().step_by(3).take(QUERIES) {
        let query = PathQuery::new(point(pair[0]), point(pair[1]));
        let mut length = |planner: &dyn Planner<Mesh>| match planner
            .solve(mesh, &query, &mut scratch)
            .expect("both ends lie on the mesh")
        {
            Answer::Found(path) => {
                path.validate(mesh).expect("a path can be walked");
                Some(mesh.length(path.places()))
            }
            Answer::Unreachable { .. } => None,
            Answer::LimitReached { .. } => panic!("there is no limit"),
        };
        let found = [length(&AnyAngle), length(&labels), length(&Funnel)];
        let [best, by_labels, quick] = found;
        let plain = mesh.plain_shortest(query.starts()[0], query.goals()[0]);
        let agree = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => (one - other).abs() <= TOLERANCE * (1.0 + one),
            (one, other) => one == other,
        };
        assert!(agree(best, plain), "{best:?}, plainly {plain:?}: {query:?}");
        assert!(agree(by_labels, plain), "by labels {by_labels:?}, plainly {plain:?}: {query:?}");
        let is_longer =
            quick.zip(plain).is_none_or(|(quick, plain)| quick >= plain * (1.0 - TOLERANCE));
        assert!(quick.is_some() == plain.is_some() && is_longer, "{quick:?}: {query:?}");
    }
}
