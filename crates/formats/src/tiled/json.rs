//! Levels and tilesets as JSON: `.tmj` and `.tsj`, also `.json`.

use super::data::read_gids;
use super::level::{Allowance, Chunk, Layer, Level, Tileset, Value};
use super::objects::Object;
use super::{Beside, TileRule, TiledError, read_beside};
use highroad_core::GridMap;
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Reads a level.
pub(crate) fn read_tmj(
    text: &str,
    rule: &TileRule,
    beside: Beside<'_>,
) -> Result<GridMap, TiledError> {
    let json = parse(text)?;
    let mut level = Level { tile_size: tile_size(&json)?, ..Level::default() };
    level.heights = read_properties(&json).remove("heights").and_then(|heights| match heights {
        Value::Text(rows) => Some(("the level".to_owned(), rows)),
        _ => None,
    });
    for tileset in items(&json["tilesets"]) {
        level.tilesets.push(tileset_of(tileset, beside)?);
    }
    let mut allowance = Allowance::new();
    // Where objects stand in the text is looked for only if one of them says something about the ground.
    let (places, mut objects_before) = (OnceCell::new(), 0);
    // Groups hold layers: a stack instead of recursion, the bottom layer on top of it.
    let mut waiting: Vec<(&Json, bool)> =
        items(&json["layers"]).rev().map(|layer| (layer, true)).collect();
    while let Some((layer, shown)) = waiting.pop() {
        let shown = shown && layer["visible"].as_bool().unwrap_or(true);
        match layer["type"].as_str() {
            Some("tilelayer") => level.layers.push(layer_of(layer, shown, &mut allowance)?),
            Some("objectgroup") if shown => {
                for (number, object) in (objects_before..).zip(items(&layer["objects"])) {
                    let place = || {
                        let places = places.get_or_init(|| places_of_objects(text));
                        places.get(number).map(String::as_str).unwrap_or_default()
                    };
                    level.objects.extend(object_of(layer, object, place)?);
                }
            }
            Some("group") => {
                waiting.extend(items(&layer["layers"]).rev().map(|layer| (layer, shown)));
            }
            _ => {}
        }
        objects_before += items(&layer["objects"]).count();
    }
    level.to_map(rule)
}

/// The size of the tiles of a level, in pixels.
pub(super) fn tile_size(json: &Json) -> Result<(f64, f64), TiledError> {
    if json["layers"].as_array().is_none() {
        return Err(TiledError::new("", "this is no level of Tiled: it has no layers"));
    }
    let orientation = json["orientation"].as_str().unwrap_or("orthogonal");
    if !["orthogonal", "isometric"].contains(&orientation) {
        return Err(TiledError::new("", format!("{orientation} levels have no square cells")));
    }
    let pixels = |name: &str| json[name].as_f64().filter(|&side| side > 0.0).unwrap_or(1.0);
    let height = pixels("tileheight");
    // In isometric levels both axes of objects are counted in the height of tiles.
    let width = if orientation == "isometric" { height } else { pixels("tilewidth") };
    Ok((width, height))
}

/// A level or one of its layers, as far as it takes to find objects in its text.
#[derive(Deserialize)]
struct Outline<'t> {
    #[serde(rename = "type", default)]
    class: String,
    #[serde(borrow, default)]
    layers: Vec<Outline<'t>>,
    #[serde(borrow, default)]
    objects: Vec<&'t RawValue>,
}

/// `line L, column C, ` for each object of a level, in the order of layers; nothing if the text is of another form.
fn places_of_objects(text: &str) -> Vec<String> {
    let Ok(mut outline) = serde_json::from_str::<Outline<'_>>(text) else { return Vec::new() };
    let mut starts = Vec::new();
    let mut waiting = std::mem::take(&mut outline.layers);
    waiting.reverse();
    while let Some(layer) = waiting.pop() {
        starts.extend(layer.objects.iter().map(|object| object.get().as_ptr() as usize));
        if layer.class == "group" {
            waiting.extend(layer.layers.into_iter().rev());
        }
    }
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    // Columns are bytes, as in serde_json's own errors.
    let place = |start: usize| {
        let start = start - text.as_ptr() as usize;
        let line = breaks.partition_point(|&at| at < start);
        let column = start - line.checked_sub(1).map_or(0, |before| breaks[before] + 1);
        format!("line {}, column {}, ", line + 1, column + 1)
    };
    starts.into_iter().map(place).collect()
}

pub(super) fn parse(text: &str) -> Result<Json, TiledError> {
    // serde_json's errors end with line and column.
    serde_json::from_str(text).map_err(|error| TiledError::new("", format!("no JSON: {error}")))
}

pub(super) fn items(json: &Json) -> impl DoubleEndedIterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

/// An object that says something about the ground; `None` for others.
fn object_of<'p>(
    layer: &Json,
    json: &Json,
    place: impl FnOnce() -> &'p str,
) -> Result<Option<Object>, TiledError> {
    let class = json["class"].as_str().or(json["type"].as_str()).unwrap_or_default();
    if !Object::is_of_ground(class) {
        return Ok(None);
    }
    let layer = layer["name"].as_str().unwrap_or_default();
    let place = format!("{}layer '{layer}', object {}", place(), json["id"]);
    let number = |json: &Json| json.as_f64().unwrap_or(0.0);
    let (x, y) = (number(&json["x"]), number(&json["y"]));
    let point = |point: &Json| (x + number(&point["x"]), y + number(&point["y"]));
    let points: Vec<(f64, f64)> = items(&json["polyline"]).map(point).collect();
    if points.is_empty() {
        return Err(TiledError::new(place, "it must be a line: a polyline"));
    }
    let properties = read_properties(json);
    Ok(Some(Object { place, class: class.to_owned(), points, properties }))
}

pub(super) fn read_properties(json: &Json) -> BTreeMap<String, Value> {
    let mut properties = BTreeMap::new();
    for property in items(&json["properties"]) {
        let value = match &property["value"] {
            Json::Bool(truth) => Value::Truth(*truth),
            Json::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Value::Text(text.clone()),
            _ => continue,
        };
        properties.insert(property["name"].as_str().unwrap_or_default().to_owned(), value);
    }
    properties
}

fn layer_of(json: &Json, is_visible: bool, allowance: &mut Allowance) -> Result<Layer, TiledError> {
    let name = json["name"].as_str().unwrap_or_default().to_owned();
    let error = |problem: String| TiledError::new(format!("layer '{name}'"), problem);
    let mut chunks = Vec::new();
    let pieces = json["chunks"].as_array();
    let whole = std::slice::from_ref(json);
    for piece in pieces.map_or(whole, Vec::as_slice) {
        let at = |key: &str| piece[key].as_i64().unwrap_or(0);
        let corner = if pieces.is_some() { (at("x"), at("y")) } else { (0, 0) };
        let side = |key: &str| {
            let side = piece[key].as_u64().and_then(|side| u32::try_from(side).ok());
            side.ok_or_else(|| error(format!("its {key} is missing, or no whole number")))
        };
        let size = (side("width")?, side("height")?);
        let cells = allowance.take(size);
        let gids = cells.and_then(|cells| gids_of(json, &piece["data"], cells));
        let chunk = gids.and_then(|gids| Chunk::new(corner, size, gids));
        chunks.push(chunk.map_err(error)?);
    }
    Ok(Layer { name: name.clone(), is_visible, chunks })
}

fn gids_of(layer: &Json, data: &Json, cells: u64) -> Result<Vec<u32>, String> {
    match data {
        Json::Array(numbers) => {
            let gid = |number: &Json| {
                let gid = number.as_u64().and_then(|gid| u32::try_from(gid).ok());
                gid.ok_or_else(|| format!("{number} is no tile's number"))
            };
            numbers.iter().map(gid).collect()
        }
        Json::String(text) => {
            let encoding = layer["encoding"].as_str().unwrap_or("base64");
            read_gids(text, encoding, layer["compression"].as_str().unwrap_or_default(), cells)
        }
        _ => Err("it has no data".to_owned()),
    }
}

fn tileset_of(json: &Json, beside: Beside<'_>) -> Result<Tileset, TiledError> {
    let first_gid = json["firstgid"].as_u64().and_then(|gid| u32::try_from(gid).ok());
    let first_gid = first_gid.ok_or_else(|| TiledError::new("a tileset", "it has no firstgid"))?;
    let Some(source) = json["source"].as_str() else { return tiles_of(json, first_gid) };
    let text = read_beside(beside, source, String::new)?;
    let read = match text.trim_start().starts_with('<') {
        true => super::xml::read_tileset_text(&text, first_gid),
        false => read_tileset(&text, first_gid),
    };
    read.map_err(|error| TiledError { place: format!("{source}, {}", error.place), ..error })
}

/// The tiles of a tileset in JSON.
pub(super) fn read_tileset(text: &str, first_gid: u32) -> Result<Tileset, TiledError> {
    tiles_of(&parse(text)?, first_gid)
}

fn tiles_of(json: &Json, first_gid: u32) -> Result<Tileset, TiledError> {
    let name = json["name"].as_str().unwrap_or_default().to_owned();
    let mut tiles: BTreeMap<u32, BTreeMap<String, Value>> = BTreeMap::new();
    let mut is_collection = false;
    for tile in items(&json["tiles"]) {
        let id = tile["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let id = id.ok_or_else(|| {
            TiledError::new(format!("tileset '{name}'"), "a tile has no number (id)")
        })?;
        is_collection |= tile["image"].is_string();
        let mut properties = BTreeMap::new();
        if let Some(class) = tile["class"].as_str().or(tile["type"].as_str()) {
            properties.insert("class".to_owned(), Value::Text(class.to_owned()));
        }
        properties.append(&mut read_properties(tile));
        tiles.insert(id, properties);
    }
    let count = json["tilecount"].as_u64().and_then(|count| u32::try_from(count).ok());
    Ok(Tileset { first_gid, name, count: count.filter(|_| !is_collection), tiles })
}
