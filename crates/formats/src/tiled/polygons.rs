//! Polygons and rectangles drawn in a level: the ground of a mesh, and what lies on it.
//!
//! | class of the object | what it is | its properties |
//! |---|---|---|
//! | `ground` | free ground | |
//! | `obstacle` | an obstacle, under its name or its number | `area`: the number of a class; then it is an area of that class |
//!
//! Coordinates of the mesh are those of tiles: the tile in column 3, row 4 is the square from (3, 4) to (4, 5).

use super::level::Value;
use super::objects::read_points;
use super::{TiledError, json, xml};
use highroad_core::mesh::{Area, AreaClass, Mesh, MeshBatch, Obstacle};
use roxmltree::Node;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

const GROUND: &str = "ground";
const OBSTACLE: &str = "obstacle";

/// Something drawn in a level, in tiles.
struct Drawn {
    /// Where it stands in the file.
    place: String,
    is_ground: bool,
    /// Its name, or its number.
    name: String,
    outline: Vec<[f64; 2]>,
    properties: BTreeMap<String, Value>,
}

/// Reads the polygons and rectangles of a level of Tiled, XML or JSON, as a navigation mesh: objects of the class `ground` are free
/// ground, and those of the class `obstacle` obstacles, or areas if they have the number of a class as property `area`. Tiles
/// do not count. Fails with a [`TiledError`] that says where.
///
/// ```
/// use highroad_formats::read_tiled_mesh;
/// let level = r#"<map tilewidth="16" tileheight="16"><objectgroup name="walk">
///   <object id="1" class="ground" x="0" y="0" width="160" height="80"/>
///   <object id="2" name="crate" class="obstacle" x="32" y="16"><polygon points="0,0 16,0 16,16"/></object>
/// </objectgroup></map>"#;
/// let mesh = read_tiled_mesh(level)?;
/// assert_eq!(mesh.bounds(), [[0.0, 0.0], [10.0, 5.0]]);
/// assert!(mesh.obstacle("crate").is_some());
/// # Ok::<(), highroad_formats::TiledError>(())
/// ```
pub fn read_tiled_mesh(text: &str) -> Result<Mesh, TiledError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let drawn = match text.trim_start().starts_with('<') {
        true => drawn_in_xml(text)?,
        false => drawn_in_json(text)?,
    };
    let (ground, others): (Vec<Drawn>, Vec<Drawn>) =
        drawn.into_iter().partition(|drawn| drawn.is_ground);
    if ground.is_empty() {
        return Err(TiledError::new("", "it has no object of the class ground"));
    }
    let area = |drawn: Drawn| Area { outer: drawn.outline, holes: Vec::new() };
    let areas: Vec<Area> = ground.into_iter().map(area).collect();
    let mut mesh = Mesh::from_areas(&areas)
        .map_err(|error| TiledError::new("the ground", error.to_string()))?;
    let mut names = BTreeSet::new();
    let mut batch = MeshBatch::new();
    for drawn in others {
        let error = |problem: String| TiledError::new(drawn.place.clone(), problem);
        if !names.insert(drawn.name.clone()) {
            return Err(error(format!("the name {:?} is in use already", drawn.name)));
        }
        let obstacle = Obstacle::new(drawn.outline).map_err(|wrong| error(wrong.to_string()))?;
        let class = class_of(&drawn.properties).map_err(error)?;
        let obstacle = match class {
            Some(class) => obstacle.of_class(class),
            None => obstacle,
        };
        batch.place(drawn.name, obstacle);
    }
    mesh.apply(&batch).map_err(|error| TiledError::new("", error.to_string()))?;
    Ok(mesh)
}

fn class_of(properties: &BTreeMap<String, Value>) -> Result<Option<AreaClass>, String> {
    let number = match properties.get("area") {
        None => return Ok(None),
        Some(Value::Number(number)) if number.fract() == 0.0 && (0.0..256.0).contains(number) => {
            *number as u8
        }
        Some(value) => {
            return Err(format!("its area is {}, not the number of a class", value.shown()));
        }
    };
    AreaClass::new(number).map(Some).map_err(|error| error.to_string())
}

/// The corners of an object in tiles, given those in pixels, or the size of a rectangle.
fn outline(
    points: Option<Vec<(f64, f64)>>,
    [x, y, width, height]: [f64; 4],
    tile: (f64, f64),
) -> Option<Vec<[f64; 2]>> {
    let rectangle = || {
        let (right, bottom) = (x + width, y + height);
        (width > 0.0 && height > 0.0)
            .then(|| vec![(x, y), (right, y), (right, bottom), (x, bottom)])
    };
    let points = points.or_else(rectangle)?;
    Some(points.into_iter().map(|(x, y)| [x / tile.0, y / tile.1]).collect())
}

const NO_POLYGON: &str = "it must be a polygon or a rectangle, and not be turned";

fn drawn_in_xml(text: &str) -> Result<Vec<Drawn>, TiledError> {
    let document = xml::parse(text)?;
    let map = document.root_element();
    let tile = xml::tile_size(map)?;
    let is_layer = |parent: Node<'_, '_>| ["map", "group"].contains(&parent.tag_name().name());
    let mut drawn = Vec::new();
    for node in map.descendants().filter(|node| node.has_tag_name("object")) {
        let group = node.parent().and_then(|group| group.parent());
        let class = node.attribute("class").or(node.attribute("type")).unwrap_or_default();
        if ![GROUND, OBSTACLE].contains(&class) || !group.is_some_and(is_layer) {
            continue;
        }
        let place = xml::place_in_line(node);
        let wrong = || TiledError::new(place.clone(), NO_POLYGON);
        let number = |name: &str| match node.attribute(name) {
            None => Ok(0.0),
            Some(text) => text.parse::<f64>().map_err(|_| wrong()),
        };
        let [x, y, width, height, rotation] = ["x", "y", "width", "height", "rotation"].map(number);
        let place_and_size = [x?, y?, width?, height?];
        let polygon = node.children().find(|child| child.has_tag_name("polygon"));
        let points = polygon.map(|polygon| {
            let points = polygon.attribute("points").unwrap_or_default();
            read_points(points, (place_and_size[0], place_and_size[1])).ok_or_else(wrong)
        });
        let is_other = node.children().any(|child| {
            ["ellipse", "point", "polyline", "text"].contains(&child.tag_name().name())
        });
        if rotation? != 0.0 || is_other {
            return Err(wrong());
        }
        let outline = outline(points.transpose()?, place_and_size, tile).ok_or_else(wrong)?;
        let name = node.attribute("name").or(node.attribute("id")).unwrap_or_default().to_owned();
        let properties = xml::read_properties(node)?;
        drawn.push(Drawn { place, is_ground: class == GROUND, name, outline, properties });
    }
    Ok(drawn)
}

fn drawn_in_json(text: &str) -> Result<Vec<Drawn>, TiledError> {
    let level = json::parse(text)?;
    let tile = json::tile_size(&level)?;
    let mut drawn = Vec::new();
    // Groups hold layers: a stack instead of recursion.
    let mut waiting: Vec<&Json> = json::items(&level["layers"]).rev().collect();
    while let Some(layer) = waiting.pop() {
        waiting.extend(json::items(&layer["layers"]).rev());
        for object in json::items(&layer["objects"]) {
            let class = object["class"].as_str().or(object["type"].as_str()).unwrap_or_default();
            if ![GROUND, OBSTACLE].contains(&class) {
                continue;
            }
            let in_layer = layer["name"].as_str().unwrap_or_default();
            let place = format!("layer '{in_layer}', object {}", object["id"]);
            let wrong = || TiledError::new(place.clone(), NO_POLYGON);
            let number = |json: &Json| json.as_f64().unwrap_or(0.0);
            let place_and_size = ["x", "y", "width", "height"].map(|key| number(&object[key]));
            let [x, y, ..] = place_and_size;
            let point = |point: &Json| (x + number(&point["x"]), y + number(&point["y"]));
            let points =
                object["polygon"].as_array().map(|points| points.iter().map(point).collect());
            let is_other = ["ellipse", "point", "polyline", "text"]
                .iter()
                .any(|key| !object[key].is_null() && object[key] != Json::Bool(false));
            if number(&object["rotation"]) != 0.0 || is_other {
                return Err(wrong());
            }
            let outline = outline(points, place_and_size, tile).ok_or_else(wrong)?;
            let name = object["name"].as_str().filter(|name| !name.is_empty());
            let name = name.map_or_else(|| object["id"].to_string(), str::to_owned);
            let properties = json::read_properties(object);
            drawn.push(Drawn { place, is_ground: class == GROUND, name, outline, properties });
        }
    }
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECTS: &str = r#"<map tilewidth="10" tileheight="20"><group><objectgroup name="walk">
<object id="1" class="ground" x="0" y="0" width="100" height="100"/>
<object id="2" class="obstacle" x="20" y="20"><polygon points="0,0 20,0 20,40"/></object>
<object id="3" name="pond" type="obstacle" x="60" y="40" width="20" height="20">
<properties><property name="area" type="int" value="2"/></properties></object>
<object id="4" class="border" x="1" y="1"/></objectgroup></group></map>"#;

    #[test]
    fn polygons_in_xml_and_json_are_the_same_mesh() {
        let json = r#"{"tilewidth": 10, "tileheight": 20, "layers": [{"type": "group", "layers": [
            {"type": "objectgroup", "name": "walk", "objects": [
                {"id": 1, "type": "ground", "x": 0, "y": 0, "width": 100, "height": 100},
                {"id": 2, "name": "", "class": "obstacle", "x": 20, "y": 20,
                    "polygon": [{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 20, "y": 40}]},
                {"id": 3, "name": "pond", "class": "obstacle", "x": 60, "y": 40, "width": 20, "height": 20,
                    "properties": [{"name": "area", "type": "int", "value": 2}]}]}]}]}"#;
        let [one, other] = [OBJECTS, json].map(|text| read_tiled_mesh(text).unwrap());
        assert_eq!(one.fingerprint(), other.fingerprint());
        assert_eq!(one.items().collect::<Vec<_>>(), other.items().collect::<Vec<_>>());
        assert_eq!(one.bounds(), [[0.0, 0.0], [10.0, 5.0]]);
        assert_eq!(one.obstacle("2").unwrap().outline(), [[2.0, 1.0], [4.0, 1.0], [4.0, 3.0]]);
        assert_eq!(one.obstacle("pond").unwrap().class().map(AreaClass::number), Some(2));
    }

    #[test]
    fn what_is_no_polygon_is_refused_with_its_place() {
        let level = |object: &str| {
            format!(
                "<map tilewidth=\"10\" tileheight=\"10\"><objectgroup>\n{object}</objectgroup></map>"
            )
        };
        let ground = r#"<object id="1" class="ground" x="0" y="0" width="9" height="9"/>"#;
        for (object, expected) in [
            ("", "it has no object of the class ground"),
            (
                r#"<object id="1" class="ground" x="0" y="0" width="9" height="0"/>"#,
                "line 2, column 1: it must be a polygon or a rectangle, and not be turned",
            ),
            (
                r#"<object id="1" class="ground" x="0" y="0" width="9" height="9" rotation="5"/>"#,
                "line 2, column 1: it must be a polygon or a rectangle, and not be turned",
            ),
            (
                r#"<object id="1" class="ground" x="nan" y="0" width="9" height="9"/>"#,
                "the ground: outline 0, point 0: a coordinate is NaN: it must be finite, and at most 2⁴⁰ in size",
            ),
        ] {
            let error = read_tiled_mesh(&level(object)).unwrap_err();
            assert_eq!(error.to_string(), expected, "{object}");
        }
        let two = r#"<object id="2" name="a" class="obstacle" x="1" y="1" width="1" height="1"/>"#;
        let error = read_tiled_mesh(&level(&format!("{ground}{two}{two}"))).unwrap_err();
        assert!(error.to_string().ends_with("the name \"a\" is in use already"), "{error}");
        let bow = r#"<object id="2" class="obstacle" x="1" y="1"><polygon points="0,0 4,4 4,0 0,4"/></object>"#;
        let error = read_tiled_mesh(&level(&format!("{ground}{bow}"))).unwrap_err();
        assert!(error.to_string().contains("of the outline meet"), "{error}");
        for text in ["", "<", "{", "{}", "<map/>", "[]", "<a/>"] {
            assert!(read_tiled_mesh(text).is_err(), "{text:?}");
        }
    }
}
