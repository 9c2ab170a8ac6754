//! Meshes and areas as JSON.
//!
//! | form | what it has |
//! |---|---|
//! | mesh | `vertices`: pairs of numbers; `polygons`: lists of vertices, counter-clockwise; `neighbours` and `layers`, or not |
//! | areas | `areas`: each with `outer`, a list of pairs, and `holes`, a list of such lists, or not |
//! | GeoJSON | `Polygon` and `MultiPolygon`, also inside of features and collections; other shapes are passed over |
//! | Recast | the fields of its polygon mesh: `verts`, `polys`, `nvp`, and `bmin` and `cs` if they are there |
//!
//! Each of them may have `obstacles` and `links` as well (`mesh_items.rs`).

use crate::mesh_items::{read_items, write_items};
use highroad_core::mesh::{
    Area, AreaError, Mesh, MeshEditError, MeshError, MeshLinkError, MovementError, ObstacleError,
};
use serde_json::Value;
use std::fmt::{Display, Write as _};
use thiserror::Error;

/// Why a text in JSON makes no mesh, and where.
///
/// ```
/// use highroad_formats::{MeshJsonError, read_mesh_json};
/// let text = r#"{"vertices": [[0, 0], [1, 0], ["a", 1]], "polygons": [[0, 1, 2]]}"#;
/// let error: MeshJsonError = read_mesh_json(text).unwrap_err();
/// assert_eq!(error.to_string(), "vertices[2]: it must be a pair of numbers");
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshJsonError {
    /// It is no JSON. The message ends with line and column.
    #[error("no JSON: {0}")]
    Json(String),
    /// It is JSON of no form that is known.
    #[error(
        "it has neither vertices and polygons, nor areas, nor verts and polys, and is no GeoJSON"
    )]
    Form,
    /// Something in it is wrong.
    #[error("{place}: {problem}")]
    Value {
        /// Where, as a path from the outside in.
        place: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// An outline that can be no obstacle.
    #[error("{place}: {error}")]
    Obstacle {
        /// Where, as a path from the outside in.
        place: String,
        /// What is wrong.
        error: ObstacleError,
    },
    /// Something that can be no link.
    #[error("{place}: {error}")]
    Link {
        /// Where, as a path from the outside in.
        place: String,
        /// What is wrong.
        error: MeshLinkError,
    },
    /// A number that no class has.
    #[error("{place}: {error}")]
    Class {
        /// Where, as a path from the outside in.
        place: String,
        /// What is wrong.
        error: MovementError,
    },
    /// Obstacles that cannot be placed.
    #[error(transparent)]
    Edit(#[from] MeshEditError),
    /// GeoJSON without a polygon.
    #[error("it has no polygon")]
    Nothing,
    /// The polygons make no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The areas make no mesh.
    #[error(transparent)]
    Area(#[from] AreaError),
}

impl MeshJsonError {
    /// The same, seen from what surrounds the value: a key, or a number in brackets.
    pub(crate) fn inside(mut self, outer: impl Display) -> Self {
        if let Self::Value { place, .. }
        | Self::Obstacle { place, .. }
        | Self::Link { place, .. }
        | Self::Class { place, .. } = &mut self
        {
            let joint = if place.is_empty() || place.starts_with('[') { "" } else { "." };
            *place = format!("{outer}{joint}{place}");
        }
        self
    }
}

/// What is wrong with a value. Those who asked for it say where it is: places are put together for errors alone.
pub(crate) fn wrong<T>(problem: &'static str) -> Result<T, MeshJsonError> {
    Err(MeshJsonError::Value { place: String::new(), problem })
}

pub(crate) const PAIR: &str = "it must be a pair of numbers";
const LIST: &str = "it must be a list";
const NUMBER: &str = "it must be a whole number, not below 0";

/// Reads a mesh: polygons, areas that a mesh is made of, GeoJSON, or the polygon mesh of Recast, whose x and z are taken.
/// Polygons of Recast that lie above each other are on one layer.
///
/// ```
/// use highroad_formats::{read_mesh_json, write_mesh_json};
/// let yard = r#"{"type": "Polygon", "coordinates": [
///     [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]],
///     [[3, 3], [6, 3], [6, 6], [3, 6], [3, 3]]]}"#;
/// let mesh = read_mesh_json(yard)?;
/// assert_eq!((mesh.vertex_count(), mesh.is_connected()), (8, true));
/// assert_eq!(read_mesh_json(&write_mesh_json(&mesh))?.fingerprint(), mesh.fingerprint());
/// # Ok::<(), highroad_formats::MeshJsonError>(())
/// ```
pub fn read_mesh_json(text: &str) -> Result<Mesh, MeshJsonError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json: Value =
        serde_json::from_str(text).map_err(|error| MeshJsonError::Json(error.to_string()))?;
    let mut mesh = read_ground(&json)?;
    read_items(&json, &mut mesh)?;
    Ok(mesh)
}

fn read_ground(json: &Value) -> Result<Mesh, MeshJsonError> {
    let has = |key: &str| json.get(key).is_some();
    if has("vertices") && has("polygons") {
        read_polygons(json)
    } else if has("areas") {
        read_areas(json)
    } else if has("verts") && has("polys") {
        read_recast(json)
    } else if has("type") {
        let mut areas = Vec::new();
        read_geometry(json, &mut areas)?;
        if areas.is_empty() {
            return Err(MeshJsonError::Nothing);
        }
        Ok(Mesh::from_areas(&areas)?)
    } else {
        Err(MeshJsonError::Form)
    }
}

/// Writes a mesh as JSON that [`read_mesh_json`] reads again: vertices, polygons, their neighbours, and layers, obstacles, areas and
/// links if there are any.
pub fn write_mesh_json(mesh: &Mesh) -> String {
    let (ground, items) = (mesh.ground(), write_items(mesh));
    let mesh = if ground.has_closed() { ground.compacted() } else { ground };
    let mesh = &mesh;
    let polygons = 0..mesh.polygon_count() as u32;
    let lines = |items: Vec<String>| items.join(",\n  ");
    let vertices = mesh.vertices().iter().map(|[x, y]| format!("[{x}, {y}]")).collect();
    let numbers = |items: Vec<String>| format!("[{}]", items.join(", "));
    let corners = |polygon| numbers(mesh.corners(polygon).map(|at| at.to_string()).collect());
    let across = |polygon| {
        let name = |other: Option<u32>| other.map_or("null".to_owned(), |other| other.to_string());
        numbers(mesh.neighbours(polygon).map(name).collect())
    };
    let mut text = String::new();
    let _ = write!(
        text,
        "{{\n \"vertices\": [\n  {}],\n \"polygons\": [\n  {}],\n \"neighbours\": [\n  {}]",
        lines(vertices),
        lines(polygons.clone().map(corners).collect()),
        lines(polygons.clone().map(across).collect()),
    );
    if polygons.clone().any(|polygon| mesh.layer(polygon) != 0) {
        let layers = polygons.map(|polygon| mesh.layer(polygon).to_string()).collect();
        let _ = write!(text, ",\n \"layers\": {}", numbers(layers));
    }
    text.push_str(&items);
    text.push_str("\n}\n");
    text
}

/// What a key stands for, read in some way.
pub(crate) fn member<T>(
    json: &Value,
    key: &str,
    read: impl FnOnce(&Value) -> Result<T, MeshJsonError>,
) -> Result<T, MeshJsonError> {
    read(&json[key]).map_err(|error| error.inside(key))
}

/// The same; nothing if the key is not there.
pub(crate) fn member_or_nothing<T: Default>(
    json: &Value,
    key: &str,
    read: impl FnOnce(&Value) -> Result<T, MeshJsonError>,
) -> Result<T, MeshJsonError> {
    if json.get(key).is_none() { Ok(T::default()) } else { member(json, key, read) }
}

/// A list in which every item is read in the same way.
pub(crate) fn list<T>(
    json: &Value,
    mut read: impl FnMut(&Value) -> Result<T, MeshJsonError>,
) -> Result<Vec<T>, MeshJsonError> {
    let Some(items) = json.as_array() else { return wrong(LIST) };
    let read = |(number, item)| {
        read(item).map_err(|error: MeshJsonError| error.inside(format_args!("[{number}]")))
    };
    items.iter().enumerate().map(read).collect()
}

/// A point; a height that follows is passed over.
fn pair(json: &Value) -> Result<[f64; 2], MeshJsonError> {
    let number = |at: usize| json.get(at).and_then(Value::as_f64);
    match (number(0), number(1)) {
        (Some(x), Some(y)) => Ok([x, y]),
        _ => wrong(PAIR),
    }
}

pub(crate) fn points(json: &Value) -> Result<Vec<[f64; 2]>, MeshJsonError> {
    list(json, pair)
}

pub(crate) fn whole(json: &Value) -> Result<u32, MeshJsonError> {
    let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
    number.map_or_else(|| wrong(NUMBER), Ok)
}

fn numbers(json: &Value) -> Result<Vec<u32>, MeshJsonError> {
    list(json, whole)
}

fn read_polygons(json: &Value) -> Result<Mesh, MeshJsonError> {
    let vertices = member(json, "vertices", points)?;
    let polygons = member(json, "polygons", |polygons| list(polygons, numbers))?;
    let layer = |json: &Value| match u16::try_from(whole(json)?) {
        Ok(layer) => Ok(layer),
        Err(_) => wrong("layers are numbers up to 65535"),
    };
    let layers = member_or_nothing(json, "layers", |layers| list(layers, layer))?;
    if json.get("neighbours").is_none() {
        return Ok(Mesh::from_layers(vertices, &polygons, layers)?);
    }
    let neighbour = |json: &Value| if json.is_null() { Ok(None) } else { whole(json).map(Some) };
    let across = |json: &Value| list(json, |json| neighbour(json));
    let neighbours = member(json, "neighbours", |neighbours| list(neighbours, across))?;
    Ok(Mesh::with_neighbours(vertices, &polygons, &neighbours, layers)?)
}

fn read_areas(json: &Value) -> Result<Mesh, MeshJsonError> {
    let area = |json: &Value| {
        let outer = member(json, "outer", points)?;
        let holes = member_or_nothing(json, "holes", |holes| list(holes, points))?;
        Ok(Area { outer, holes })
    };
    Ok(Mesh::from_areas(&member(json, "areas", |areas| list(areas, area))?)?)
}

/// Adds the areas of a shape in GeoJSON, and of those inside of it. Texts are nested less deeply than the stack allows:
/// serde_json has refused others.
fn read_geometry(json: &Value, areas: &mut Vec<Area>) -> Result<(), MeshJsonError> {
    let mut all_of = |key: &str| {
        member(json, key, |shapes| list(shapes, |shape| read_geometry(shape, areas)).map(drop))
    };
    match json["type"].as_str() {
        Some("FeatureCollection") => all_of("features")?,
        Some("GeometryCollection") => all_of("geometries")?,
        // A feature may be nowhere.
        Some("Feature") if json["geometry"].is_null() => {}
        Some("Feature") => member(json, "geometry", |shape| read_geometry(shape, areas))?,
        Some("Polygon") => areas.extend(member(json, "coordinates", area_of_rings)?),
        Some("MultiPolygon") => {
            let polygons = member(json, "coordinates", |polygons| list(polygons, area_of_rings))?;
            areas.extend(polygons.into_iter().flatten());
        }
        // Points and lines have no ground.
        Some("Point" | "MultiPoint" | "LineString" | "MultiLineString") => {}
        _ => return member(json, "type", |_| wrong("it is no type of GeoJSON")),
    }
    Ok(())
}

/// The area of a polygon: its first ring is the outer one, and the last point of each is the first again.
fn area_of_rings(json: &Value) -> Result<Option<Area>, MeshJsonError> {
    let ring = |json: &Value| {
        let mut points = points(json)?;
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        Ok(points)
    };
    let mut rings = list(json, ring)?.into_iter();
    Ok(rings.next().map(|outer| Area { outer, holes: rings.collect() }))
}

/// Recast's number for "none".
const NO_VERTEX: u32 = 0xffff;

fn read_recast(json: &Value) -> Result<Mesh, MeshJsonError> {
    let coordinates = member(json, "verts", |verts| match numbers(verts)? {
        numbers if numbers.len() % 3 == 0 => Ok(numbers),
        _ => wrong("vertices have three coordinates each"),
    })?;
    let number = |json: &Value, usual: f64| json.as_f64().unwrap_or(usual);
    let (size, corner) = (number(&json["cs"], 1.0), &json["bmin"]);
    let (x, z) = (number(&corner[0], 0.0), number(&corner[2], 0.0));
    let vertex = |at: &[u32]| [x + f64::from(at[0]) * size, z + f64::from(at[2]) * size];
    let vertices: Vec<[f64; 2]> = coordinates.chunks_exact(3).map(vertex).collect();
    let most = member(json, "nvp", whole)? as usize;
    let rows = member(json, "polys", |polys| match numbers(polys)? {
        numbers if most >= 3 && numbers.len() % (2 * most) == 0 => Ok(numbers),
        _ => wrong("polygons have nvp vertices and as many neighbours each"),
    })?;
    let polygon = |row: &[u32]| {
        let mut corners: Vec<u32> =
            row[..most].iter().copied().take_while(|&at| at != NO_VERTEX).collect();
        if is_clockwise(&vertices, &corners) {
            corners.reverse();
        }
        corners
    };
    // Room beyond the last polygon is empty.
    let polygons: Vec<Vec<u32>> =
        rows.chunks_exact(2 * most).map(polygon).filter(|corners| !corners.is_empty()).collect();
    Ok(Mesh::from_polygons(vertices, &polygons)?)
}

/// Whether corners go round to the right. Numbers that no vertex has are reported later.
fn is_clockwise(vertices: &[[f64; 2]], corners: &[u32]) -> bool {
    let at = |number: &u32| vertices.get(*number as usize).copied().unwrap_or_default();
    let next = corners.iter().cycle().skip(1);
    let sides = corners.iter().zip(next).map(|(from, to)| (at(from), at(to)));
    sides.map(|(from, to)| from[0] * to[1] - to[0] * from[1]).sum::<f64>() < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn problem(text: &str) -> String {
        read_mesh_json(text).map(|_| String::new()).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn a_mesh_with_a_wall_between_neighbours_and_layers_survives() {
        let vertices = vec![[0.0, 0.0], [1.5, 0.0], [1.5, 1.25], [0.0, 1.0]];
        let polygons = [vec![0, 1, 2], vec![0, 2, 3]];
        for (across, layers) in [(Some(1), vec![0, 0]), (Some(1), vec![0, 7]), (None, Vec::new())] {
            let neighbours = [vec![None, None, across], vec![across.map(|_| 0), None, None]];
            let mesh =
                Mesh::with_neighbours(vertices.clone(), &polygons, &neighbours, layers).unwrap();
            let again = read_mesh_json(&write_mesh_json(&mesh)).unwrap();
            assert_eq!(again.fingerprint(), mesh.fingerprint());
            assert_eq!((again.layer(1), again.is_connected()), (mesh.layer(1), across.is_some()));
        }
    }

    #[test]
    fn obstacles_areas_and_links_survive() {
        let text = r#"{"areas": [{"outer": [[0,0],[9,0],[9,9],[0,9]]}],
            "obstacles": [{"name": "crate", "outline": [[1,1],[2,1],[2,2]]},
                {"name": "pond", "outline": [[4,4],[6,4],[6,6],[4,6]], "class": 2}],
            "links": [{"name": "jump", "from": [0.5, 0.5], "to": [8, 8], "cost": 3.25, "both_ways": true, "class": 7},
                {"name": "gate", "from": [0.5, 8], "to": [8, 0.5], "cost": 1, "closed": true}]}"#;
        let mesh = read_mesh_json(text).unwrap();
        assert_eq!((mesh.obstacles().count(), mesh.links().count()), (2, 2));
        let again = read_mesh_json(&write_mesh_json(&mesh)).unwrap();
        assert_eq!(again.fingerprint(), mesh.fingerprint());
        assert_eq!(again.items().collect::<Vec<_>>(), mesh.items().collect::<Vec<_>>());
        let link = mesh.links().find(|link| link.0 == "jump").unwrap().1;
        assert!(link.leads_back() && link.is_open() && link.length() == 3.25);
    }

    #[test]
    fn errors_of_obstacles_and_links_say_where() {
        let ground = r#""areas": [{"outer": [[0,0],[9,0],[9,9]]}]"#;
        for (items, expected) in [
            (r#""obstacles": 3"#, "obstacles: it must be a list"),
            (
                r#""obstacles": [{"outline": [[0,0],[1,0],[1,1]]}]"#,
                "obstacles[0].name: it must be a text",
            ),
            (
                r#""obstacles": [{"name": "a", "outline": [[0,0],[1,0]]}]"#,
                "obstacles[0].outline: the outline has 2 different points: it needs at least three",
            ),
            (
                r#""obstacles": [{"name": "a", "outline": [[0,0],[1,0],[1,1]], "class": 64}]"#,
                "obstacles[0].class: class 64: classes are numbered from 0 to 63",
            ),
            (
                r#""links": [{"name": "a", "from": [0, 0], "to": [1], "cost": 1}]"#,
                "links[0].to: it must be a pair of numbers",
            ),
            (
                r#""links": [{"name": "a", "from": [0, 0], "to": [0, 0], "cost": 1}]"#,
                "links[0]: it begins and ends at (0, 0)",
            ),
            (
                r#""links": [{"name": "a", "from": [0, 0], "to": [1, 0], "cost": "x"}]"#,
                "links[0].cost: it must be a number",
            ),
            (
                r#""links": [{"name": "a", "from": [0, 0], "to": [1, 0], "cost": 1, "both_ways": 1}]"#,
                "links[0].both_ways: it must be true or false",
            ),
            (
                r#""links": [{"name": "a", "from": [0, 0, 70000], "to": [1, 0], "cost": 1}]"#,
                "links[0].from: layers are numbers up to 65535",
            ),
            (
                r#""obstacles": [{"name": "a", "outline": [[0,0],[1,0],[1,1]]}], "links": [{"name": "a", "from": [0, 0], "to": [1, 0], "cost": 1}]"#,
                "links[0].name: the name is in use already",
            ),
        ] {
            assert_eq!(problem(&format!("{{{ground}, {items}}}")), expected, "{items}");
        }
    }

    #[test]
    fn areas_and_shapes_of_geojson_are_the_same_ground() {
        let areas = r#"{"areas": [{"outer": [[0,0],[4,0],[4,4],[0,4]], "holes": [[[1,1],[2,1],[2,2]]]},
            {"outer": [[6,0],[7,0],[7,1]]}]}"#;
        let shapes = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates": [
                [[[0,0,5],[4,0],[4,4],[0,4],[0,0]], [[1,1],[2,1],[2,2],[1,1]]]]}},
            {"type": "Feature", "geometry": null},
            {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 1]},
                {"type": "Polygon", "coordinates": [[[6,0],[7,0],[7,1],[6,0]]]}]}]}"#;
        let [areas, shapes] = [areas, shapes].map(|text| read_mesh_json(text).unwrap());
        assert_eq!(areas.fingerprint(), shapes.fingerprint());
        assert!(!areas.is_connected());
    }

    #[test]
    fn a_polygon_mesh_of_recast_lies_where_its_bounds_say() {
        // Two triangles, one of them clockwise, with room for four corners and for a third polygon.
        let text = r#"{"nverts": 4, "npolys": 2, "maxpolys": 3, "nvp": 4, "cs": 0.5, "ch": 0.2,
            "bmin": [10, 3, -2], "bmax": [11, 3, -1], "verts": [0,0,0, 2,1,0, 2,9,2, 0,0,2],
            "polys": [0,1,2,65535, 65535,65535,1,65535, 3,2,0,65535, 65535,0,65535,65535,
                65535,65535,65535,65535, 65535,65535,65535,65535]}"#;
        let mesh = read_mesh_json(text).unwrap();
        assert_eq!((mesh.polygon_count(), mesh.is_connected()), (2, true));
        assert_eq!(mesh.bounds(), [[10.0, -2.0], [11.0, -1.0]]);
    }

    #[test]
    fn errors_say_where() {
        for (text, expected) in [
            ("{\"areas\": [", "no JSON: EOF while parsing a list at line 1 column 11"),
            (
                "{}",
                "it has neither vertices and polygons, nor areas, nor verts and polys, and is no GeoJSON",
            ),
            (r#"{"type": "Point", "coordinates": [0, 0]}"#, "it has no polygon"),
            (r#"{"type": "Circle"}"#, "type: it is no type of GeoJSON"),
            (r#"{"vertices": 3, "polygons": []}"#, "vertices: it must be a list"),
            (
                r#"{"vertices": [[0, 0]], "polygons": [[0, -1]]}"#,
                "polygons[0][1]: it must be a whole number, not below 0",
            ),
            (
                r#"{"vertices": [], "polygons": [[0, 1, 2]]}"#,
                "polygon 0 has the vertex 0, but there are 0",
            ),
            (
                r#"{"vertices": [], "polygons": [], "layers": [70000]}"#,
                "layers[0]: layers are numbers up to 65535",
            ),
            (
                r#"{"areas": [{"outer": [[0, 0], [1]]}]}"#,
                "areas[0].outer[1]: it must be a pair of numbers",
            ),
            (
                r#"{"areas": [{"outer": [[0, 0], [1, 1]]}]}"#,
                "outline 0 has 2 different points: it needs at least three",
            ),
            (
                r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": 5}]}"#,
                "features[0].geometry.type: it is no type of GeoJSON",
            ),
            (
                r#"{"verts": [1, 2], "polys": [], "nvp": 6}"#,
                "verts: vertices have three coordinates each",
            ),
            (
                r#"{"verts": [], "polys": [1, 2], "nvp": 6}"#,
                "polys: polygons have nvp vertices and as many neighbours each",
            ),
            (
                r#"{"verts": [], "polys": [], "nvp": 1e300}"#,
                "nvp: it must be a whole number, not below 0",
            ),
        ] {
            assert_eq!(problem(text), expected, "{text}");
        }
        let deep = format!(
            "{}{}",
            "{\"type\": \"Feature\", \"geometry\": ".repeat(5000),
            "}".repeat(5000)
        );
        assert!(problem(&deep).starts_with("no JSON: recursion limit exceeded"));
    }

    proptest! {
        #[test]
        fn any_bytes_in_the_middle_of_a_mesh_are_no_panic(at in 0usize..200, inside in ".{0,12}") {
            let mesh = Mesh::from_cells(3, 3, |x, y| (x, y) != (1, 1)).unwrap();
            let mut text = write_mesh_json(&mesh);
            let mut at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &inside);
            let _ = read_mesh_json(&text);
        }
    }
}
