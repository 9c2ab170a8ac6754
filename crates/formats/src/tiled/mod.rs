//! Levels of the editor Tiled: layers of tiles, whose properties say what they are made of.
//!
//! Both file formats are read into one model, [`Level`], by `xml.rs` and `json.rs`; `data.rs` reads the
//! tiles' numbers; this file turns the model into a map. (The crate `tiled` reads XML alone, and without the
//! lines that errors are to name.)

mod data;
mod json;
mod level;
mod objects;
mod polygons;
mod write;
mod xml;

pub use polygons::read_tiled_mesh;

pub(super) use json::read_tmj;
pub(super) use write::{tiles_png, to_tmj, to_tmx};
pub(super) use xml::read_tmx;

use highroad_core::Terrain;
use thiserror::Error;

/// How the tiles of a level become terrain.
///
/// Layers are looked through from the top; the first tile that has the property decides:
///
/// * text is a letter of a map file (`.` `@` `T` `S` `W` `A` to `P`), or ground, wall, trees, swamp, water;
/// * a number is what the cell costs, 1 to 16, and 0 is a wall;
/// * true is ground and false is wall, but the other way round for a property called blocked, solid,
///   collides, collision, impassable or wall.
///
/// A tile without the property counts as false; it is an error where other tiles have text or numbers.
///
/// Objects say what shape the ground has. One of the class `border` is a line along the edges of cells: its property `pass`
/// is none, onwards (right or down alone) or back. One of the class `link` is a line from the cell where it begins to the one
/// where it ends, with the properties `cost`, `both_ways` and `kind`. Heights are rows of numbers in the level's property
/// `heights`, or the property `height` of tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileRule {
    /// The layer to read; all visible ones if none is named.
    pub layer: Option<String>,
    /// The property to go by; if none is named, the first of [`TileRule::PROPERTIES`] that a tile has.
    pub property: Option<String>,
    /// What a cell without any tile is; if not said, wall, and ground where tiles show what is blocked.
    pub empty: Option<Terrain>,
}

impl TileRule {
    /// The properties that are looked for. `class` is what Tiled itself calls a tile's class (or type).
    pub const PROPERTIES: [&'static str; 12] = [
        "terrain",
        "walkable",
        "passable",
        "blocked",
        "solid",
        "collides",
        "collision",
        "impassable",
        "wall",
        "cost",
        "weight",
        "class",
    ];

    /// Those that say what cannot be entered.
    const BLOCKING: [&'static str; 6] =
        ["blocked", "solid", "collides", "collision", "impassable", "wall"];
}

/// Why a level makes no map, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}{}{problem}", if place.is_empty() { "" } else { ": " })]
pub struct TiledError {
    /// The line, the layer or the tile; empty if it is the whole.
    pub place: String,
    /// What is wrong.
    pub problem: String,
}

impl TiledError {
    fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

/// Reads a file that a level refers to.
type Beside<'a> = &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>;

/// The text of a tileset in a file of its own. `place` is asked for only if there is an error.
fn read_beside(
    beside: Beside<'_>,
    file: &str,
    place: impl Fn() -> String,
) -> Result<String, TiledError> {
    let unreadable = |why: String| {
        TiledError::new(place(), format!("the tileset '{file}' beside it cannot be read: {why}"))
    };
    let bytes = beside(file).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is no text".to_owned()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
