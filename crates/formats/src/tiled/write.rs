//! Maps as levels: a layer of tiles, a tileset of plain colours in which every letter is a tile, and the shape of the ground
//! as objects and a property.

use super::objects::{layer_in_json, layer_in_xml};
use crate::colour::{EncodeError, Rgb, terrain_colour};
use crate::ground::height_rows;
use highroad_core::{Cell, GridMap, Terrain};
use std::fmt::Write;

/// Pixels of a tile's side.
const TILE_PIXELS: u32 = 16;
const LETTERS: &[u8] = Terrain::LETTERS;

/// A tile's number: letters in their order, from 1.
fn gid(map: &GridMap, x: u32, y: u32) -> usize {
    let letter = map.terrain(Cell::new(x, y)).unwrap_or(Terrain::WALL).letter();
    1 + LETTERS.iter().position(|&known| known == letter).unwrap_or(0)
}

/// The numbers of all tiles, separated by commas, a line a row.
fn rows(map: &GridMap) -> String {
    let extent = map.extent();
    let mut text = String::with_capacity(extent.cell_count() * 3);
    for y in 0..extent.height() {
        for x in 0..extent.width() {
            let last = x + 1 == extent.width() && y + 1 == extent.height();
            _ = write!(text, "{}{}", gid(map, x, y), if last { "" } else { "," });
        }
        text.push('\n');
    }
    text
}

/// A map as a level in XML, with its tiles in a picture of that name.
pub(crate) fn to_tmx(map: &GridMap, picture: &str) -> String {
    let (width, height) = (map.extent().width(), map.extent().height());
    let (count, pixels) = (LETTERS.len(), LETTERS.len() as u32 * TILE_PIXELS);
    let size = format!("tilewidth=\"{TILE_PIXELS}\" tileheight=\"{TILE_PIXELS}\"");
    let picture = picture.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let heights = height_rows(map).map_or(String::new(), |rows| {
        format!(" <properties>\n  <property name=\"heights\">\n{rows}</property>\n </properties>\n")
    });
    let mut text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" renderorder="right-down" width="{width}" height="{height}" {size} infinite="0">
{heights} <tileset firstgid="1" name="terrain" {size} tilecount="{count}" columns="{count}">
  <image source="{picture}" width="{pixels}" height="{TILE_PIXELS}"/>
"#
    );
    for (number, &letter) in LETTERS.iter().enumerate() {
        let letter = char::from(letter);
        _ = writeln!(
            text,
            r#"  <tile id="{number}"><properties><property name="terrain" value="{letter}"/></properties></tile>"#
        );
    }
    _ = write!(
        text,
        r#" </tileset>
 <layer id="1" name="terrain" width="{width}" height="{height}">
  <data encoding="csv">
{}</data>
 </layer>
{}</map>
"#,
        rows(map),
        layer_in_xml(map, TILE_PIXELS)
    );
    text
}

/// A map as a level in JSON, with its tiles in a picture of that name.
pub(crate) fn to_tmj(map: &GridMap, picture: &str) -> String {
    let (width, height) = (map.extent().width(), map.extent().height());
    let (count, pixels) = (LETTERS.len(), LETTERS.len() as u32 * TILE_PIXELS);
    let tiles: Vec<String> = LETTERS
        .iter()
        .enumerate()
        .map(|(number, &letter)| {
            let letter = char::from(letter);
            format!(
                r#"  {{"id": {number}, "properties": [{{"name": "terrain", "type": "string", "value": "{letter}"}}]}}"#
            )
        })
        .collect();
    let picture = serde_json::Value::from(picture);
    let heights = height_rows(map).map_or(String::new(), |rows| {
        let rows = serde_json::Value::from(rows);
        format!(
            " \"properties\": [{{\"name\": \"heights\", \"type\": \"string\", \"value\": {rows}}}],\n"
        )
    });
    format!(
        r#"{{"type": "map", "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down",
 "width": {width}, "height": {height}, "tilewidth": {TILE_PIXELS}, "tileheight": {TILE_PIXELS}, "infinite": false,
{heights} "tilesets": [{{"firstgid": 1, "name": "terrain", "tilewidth": {TILE_PIXELS}, "tileheight": {TILE_PIXELS},
  "tilecount": {count}, "columns": {count}, "margin": 0, "spacing": 0,
  "image": {picture}, "imagewidth": {pixels}, "imageheight": {TILE_PIXELS}, "tiles": [
{}]}}],
 "layers": [{{"type": "tilelayer", "id": 1, "name": "terrain", "x": 0, "y": 0, "opacity": 1, "visible": true,
  "width": {width}, "height": {height}, "data": [
{}]}}{}]}}
"#,
        tiles.join(",\n"),
        rows(map),
        layer_in_json(map, TILE_PIXELS)
    )
}

/// The picture of the tiles, one beside the other.
pub(crate) fn tiles_png() -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    let mut encoder =
        png::Encoder::new(&mut bytes, LETTERS.len() as u32 * TILE_PIXELS, TILE_PIXELS);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let mut row = Vec::new();
    for &letter in LETTERS {
        let terrain = Terrain::from_letter(letter).unwrap_or(Terrain::WALL);
        let Rgb(red, green, blue) = terrain_colour(terrain);
        row.extend([red, green, blue].repeat(TILE_PIXELS as usize));
    }
    writer.write_image_data(&row.repeat(TILE_PIXELS as usize))?;
    writer.finish()?;
    Ok(bytes)
}
