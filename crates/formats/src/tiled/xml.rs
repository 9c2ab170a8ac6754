//! Levels and tilesets as XML: `.tmx` and `.tsx`.

use super::data::read_gids;
use super::level::{Allowance, Chunk, Layer, Level, Tileset, Value};
use super::objects::{Object, read_points};
use super::{Beside, TileRule, TiledError, read_beside};
use highroad_core::GridMap;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Reads a level.
pub(crate) fn read_tmx(
    text: &str,
    rule: &TileRule,
    beside: Beside<'_>,
) -> Result<GridMap, TiledError> {
    let document = parse(text)?;
    let map = document.root_element();
    let mut level = Level { tile_size: tile_size(map)?, ..Level::default() };
    level.heights = read_properties(map)?.remove("heights").and_then(|heights| match heights {
        Value::Text(rows) => Some((place_of(map), rows)),
        _ => None,
    });
    for tileset in map.children().filter(|node| node.has_tag_name("tileset")) {
        level.tilesets.push(read_tileset(tileset, beside)?);
    }
    let mut allowance = Allowance::new();
    // Groups hold layers: a stack instead of recursion, the bottom layer on top of it. A group that is hidden hides what
    // is in it.
    let mut waiting: Vec<(Node<'_, '_>, bool)> = vec![(map, true)];
    while let Some((node, shown)) = waiting.pop() {
        let shown = shown && node.attribute("visible") != Some("0");
        if node.has_tag_name("layer") {
            level.layers.push(read_layer(node, shown, &mut allowance)?);
        }
        // Tiles have groups of objects, too.
        let is_layer = |parent: Node<'_, '_>| ["map", "group"].contains(&parent.tag_name().name());
        if shown && node.has_tag_name("objectgroup") && node.parent().is_some_and(is_layer) {
            for object in node.children().filter(|child| child.has_tag_name("object")) {
                level.objects.extend(read_object(object)?);
            }
        }
        waiting.extend(node.children().rev().map(|child| (child, shown)));
    }
    level.to_map(rule)
}

/// The size of the tiles of a level, in pixels.
pub(super) fn tile_size(map: Node<'_, '_>) -> Result<(f64, f64), TiledError> {
    if !map.has_tag_name("map") {
        return Err(error_at(map, "expected a level of Tiled: an element <map>"));
    }
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    if !["orthogonal", "isometric"].contains(&orientation) {
        return Err(error_at(map, format!("{orientation} levels have no square cells")));
    }
    let pixels = |name: &str| map.attribute(name).and_then(|side| side.parse().ok());
    let side = |name: &str| pixels(name).filter(|&side: &f64| side > 0.0).unwrap_or(1.0);
    let height = side("tileheight");
    // In isometric levels both axes of objects are counted in the height of tiles.
    let width = if orientation == "isometric" { height } else { side("tilewidth") };
    Ok((width, height))
}

/// The most attributes of an element. The parser compares each with all others.
const ATTRIBUTES_MAX: usize = 1000;

/// Whether an element has so many attributes that to parse it would take long. An attribute is an equals sign with a quote
/// after it, and no two elements are without a `<` between them.
fn has_many_attributes(text: &str) -> bool {
    let attributes = |element: &str| {
        let values = element.split('=').skip(1).map(str::trim_ascii_start);
        values.filter(|value| value.starts_with(['"', '\''])).count()
    };
    text.split('<').any(|element| attributes(element) > ATTRIBUTES_MAX)
}

pub(super) fn parse(text: &str) -> Result<Document<'_>, TiledError> {
    if has_many_attributes(text) {
        let problem = format!("no level: an element has more than {ATTRIBUTES_MAX} attributes");
        return Err(TiledError::new("", problem));
    }
    // roxmltree's errors end with line and column.
    Document::parse(text).map_err(|error| TiledError::new("", format!("no XML: {error}")))
}

fn error_at(node: Node<'_, '_>, problem: impl Into<String>) -> TiledError {
    TiledError::new(place_of(node), problem)
}

/// The line of an element, and its name if it has one.
fn place_of(node: Node<'_, '_>) -> String {
    let line = node.document().text_pos_at(node.range().start).row;
    let name = match node.attribute("name") {
        Some(name) => format!(", {} '{name}'", node.tag_name().name()),
        None => String::new(),
    };
    format!("line {line}{name}")
}

/// The same with the column.
pub(super) fn place_in_line(node: Node<'_, '_>) -> String {
    let column = node.document().text_pos_at(node.range().start).col;
    let place = place_of(node);
    match place.split_once(',') {
        Some((line, name)) => format!("{line}, column {column},{name}"),
        None => format!("{place}, column {column}"),
    }
}

/// An object that says something about the ground; `None` for others.
fn read_object(node: Node<'_, '_>) -> Result<Option<Object>, TiledError> {
    let class = node.attribute("class").or(node.attribute("type")).unwrap_or_default();
    if !Object::is_of_ground(class) {
        return Ok(None);
    }
    let place = place_in_line(node);
    let error = |problem: &str| TiledError::new(place.clone(), problem);
    let at = |name: &str| node.attribute(name).unwrap_or("0").parse::<f64>().ok();
    let corner = at("x").zip(at("y")).ok_or_else(|| error("its x and y are no numbers"))?;
    let line = node.children().find(|child| child.has_tag_name("polyline"));
    let points = line.and_then(|line| line.attribute("points"));
    let points = points.ok_or_else(|| error("it must be a line: a polyline"))?;
    let points = read_points(points, corner);
    let points = points.ok_or_else(|| error("the points of its line are no pairs of numbers"))?;
    let properties = read_properties(node)?;
    Ok(Some(Object { place, class: class.to_owned(), points, properties }))
}

/// The properties of an element.
pub(super) fn read_properties(node: Node<'_, '_>) -> Result<BTreeMap<String, Value>, TiledError> {
    let mut properties = BTreeMap::new();
    let inside = node.children().filter(|node| node.has_tag_name("properties"));
    for property in inside.flat_map(|node| node.children()) {
        if let Some(name) = property.attribute("name") {
            properties.insert(name.to_owned(), value_of(property)?);
        }
    }
    Ok(properties)
}

fn number<T: std::str::FromStr>(node: Node<'_, '_>, name: &str) -> Result<T, TiledError> {
    let text = node.attribute(name).ok_or_else(|| error_at(node, format!("it has no {name}")))?;
    text.parse().map_err(|_| error_at(node, format!("its {name} is '{text}', not a whole number")))
}

fn read_layer(
    node: Node<'_, '_>,
    is_visible: bool,
    allowance: &mut Allowance,
) -> Result<Layer, TiledError> {
    let (width, height): (u32, u32) = (number(node, "width")?, number(node, "height")?);
    let data = node.children().find(|node| node.has_tag_name("data"));
    let data = data.ok_or_else(|| error_at(node, "it has no <data>"))?;
    let pieces: Vec<Node<'_, '_>> =
        data.children().filter(|node| node.has_tag_name("chunk")).collect();
    let mut chunks = Vec::new();
    if pieces.is_empty() {
        let cells = allowance.take((width, height));
        let gids = cells.and_then(|cells| gids_of(data, data, cells));
        let chunk = gids.and_then(|gids| Chunk::new((0, 0), (width, height), gids));
        chunks.push(chunk.map_err(|problem| error_at(node, problem))?);
    }
    for piece in pieces {
        let corner = (number(piece, "x")?, number(piece, "y")?);
        let size: (u32, u32) = (number(piece, "width")?, number(piece, "height")?);
        let cells = allowance.take(size);
        let gids = cells.and_then(|cells| gids_of(data, piece, cells));
        let chunk = gids.and_then(|gids| Chunk::new(corner, size, gids));
        chunks.push(chunk.map_err(|problem| error_at(piece, problem))?);
    }
    Ok(Layer { name: node.attribute("name").unwrap_or_default().to_owned(), is_visible, chunks })
}

/// The tiles' numbers in an element whose encoding `data` gives: as text, or an element each.
fn gids_of(data: Node<'_, '_>, node: Node<'_, '_>, cells: u64) -> Result<Vec<u32>, String> {
    match data.attribute("encoding") {
        Some(encoding) => {
            let compression = data.attribute("compression").unwrap_or_default();
            read_gids(node.text().unwrap_or_default(), encoding, compression, cells)
        }
        None => {
            let tiles = node.children().filter(|node| node.has_tag_name("tile"));
            let gid = |tile: Node<'_, '_>| {
                let text = tile.attribute("gid").unwrap_or("0");
                text.parse().map_err(|_| format!("'{text}' is no tile's number"))
            };
            tiles.map(gid).collect()
        }
    }
}

fn read_tileset(node: Node<'_, '_>, beside: Beside<'_>) -> Result<Tileset, TiledError> {
    let first_gid = number(node, "firstgid")?;
    let Some(source) = node.attribute("source") else { return tiles_of(node, first_gid) };
    let place = || error_at(node, "").place;
    let text = read_beside(beside, source, place)?;
    if !text.trim_start().starts_with('<') {
        return super::json::read_tileset(&text, first_gid)
            .map_err(|error| TiledError { place: format!("{source}, {}", error.place), ..error });
    }
    let document = parse(&text);
    let read = document.and_then(|document| tiles_of(document.root_element(), first_gid));
    read.map_err(|error| TiledError { place: format!("{source}, {}", error.place), ..error })
}

/// The tiles of a tileset in XML.
pub(super) fn read_tileset_text(text: &str, first_gid: u32) -> Result<Tileset, TiledError> {
    tiles_of(parse(text)?.root_element(), first_gid)
}

fn tiles_of(node: Node<'_, '_>, first_gid: u32) -> Result<Tileset, TiledError> {
    if !node.has_tag_name("tileset") {
        return Err(error_at(node, "expected an element <tileset>"));
    }
    let mut tiles: BTreeMap<u32, BTreeMap<String, Value>> = BTreeMap::new();
    for tile in node.children().filter(|node| node.has_tag_name("tile")) {
        let mut properties = BTreeMap::new();
        if let Some(class) = tile.attribute("class").or(tile.attribute("type")) {
            properties.insert("class".to_owned(), Value::Text(class.to_owned()));
        }
        properties.append(&mut read_properties(tile)?);
        tiles.insert(number(tile, "id")?, properties);
    }
    let name = node.attribute("name").unwrap_or_default().to_owned();
    // Tilesets of single pictures may leave numbers out, so that there are larger ones than tiles.
    let is_collection = node.descendants().any(|node| {
        node.has_tag_name("image") && node.parent().is_some_and(|tile| tile.has_tag_name("tile"))
    });
    let count = node.attribute("tilecount").and_then(|count| count.parse().ok());
    Ok(Tileset { first_gid, name, count: count.filter(|_| !is_collection), tiles })
}

fn value_of(property: Node<'_, '_>) -> Result<Value, TiledError> {
    let text = property.attribute("value").or(property.text()).unwrap_or_default();
    match property.attribute("type").unwrap_or("string") {
        "bool" => Ok(Value::Truth(text == "true")),
        kind @ ("int" | "float") => match text.parse() {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) => Err(error_at(property, format!("'{text}' is no value of type {kind}"))),
        },
        _ => Ok(Value::Text(text.to_owned())),
    }
}
