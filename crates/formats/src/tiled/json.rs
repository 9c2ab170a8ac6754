//! Levels and tilesets as JSON: `.tmj` and `.tsj`, also `.json`.

use super::data::read_gids;
use super::level::{Allowance, Chunk, Layer, Level, Tileset, Value};
use super::{Beside, TileRule, TiledError, read_beside};
use highroad_core::GridMap;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Reads a level.
pub(crate) fn read_tmj(
    text: &str,
    rule: &TileRule,
    beside: Beside<'_>,
) -> Result<GridMap, TiledError> {
    let json = parse(text)?;
    if json["layers"].as_array().is_none() {
        return Err(TiledError::new("", "this is no level of Tiled: it has no layers"));
    }
    let orientation = json["orientation"].as_str().unwrap_or("orthogonal");
    if !["orthogonal", "isometric"].contains(&orientation) {
        return Err(TiledError::new("", format!("{orientation} levels have no square cells")));
    }
    let mut level = Level::default();
    for tileset in items(&json["tilesets"]) {
        level.tilesets.push(tileset_of(tileset, beside)?);
    }
    let mut allowance = Allowance::new();
    // Groups hold layers: a stack instead of recursion, the bottom layer on top of it.
    let mut waiting: Vec<(&Json, bool)> =
        items(&json["layers"]).rev().map(|layer| (layer, true)).collect();
    while let Some((layer, shown)) = waiting.pop() {
        let shown = shown && layer["visible"].as_bool().unwrap_or(true);
        match layer["type"].as_str() {
            Some("tilelayer") => level.layers.push(layer_of(layer, shown, &mut allowance)?),
            Some("group") => {
                waiting.extend(items(&layer["layers"]).rev().map(|layer| (layer, shown)));
            }
            _ => {}
        }
    }
    level.to_map(rule)
}

fn parse(text: &str) -> Result<Json, TiledError> {
    // serde_json's errors end with line and column.
    serde_json::from_str(text).map_err(|error| TiledError::new("", format!("no JSON: {error}")))
}

fn items(json: &Json) -> impl DoubleEndedIterator<Item = &Json> {
    json.as_array().into_iter().flatten()
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
        for property in items(&tile["properties"]) {
            let value = match &property["value"] {
                Json::Bool(truth) => Value::Truth(*truth),
                Json::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
                Json::String(text) => Value::Text(text.clone()),
                _ => continue,
            };
            properties.insert(property["name"].as_str().unwrap_or_default().to_owned(), value);
        }
        tiles.insert(id, properties);
    }
    let count = json["tilecount"].as_u64().and_then(|count| u32::try_from(count).ok());
    Ok(Tileset { first_gid, name, count: count.filter(|_| !is_collection), tiles })
}
