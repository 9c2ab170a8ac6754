//! A level as both file formats describe it, and the map that it makes.

use super::objects::{Object, add_ground};
use super::{TileRule, TiledError};
use highroad_core::{Cell, Extent, GridMap, SIDE_MAX, Terrain};
use std::collections::{BTreeMap, HashMap};

/// Layers and the tiles that they are made of.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// From the bottom to the top.
    pub(super) layers: Vec<Layer>,
    pub(super) tilesets: Vec<Tileset>,
    /// Pixels of a tile, for objects.
    pub(super) tile_size: (f64, f64),
    pub(super) objects: Vec<Object>,
    /// The property of that name, and where it stands.
    pub(super) heights: Option<(String, String)>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) is_visible: bool,
    /// One for the whole layer, or many where the level is endless.
    pub(super) chunks: Vec<Chunk>,
}

/// A rectangle of tiles, by their numbers; 0 is none.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) corner: (i64, i64),
    pub(super) size: (u32, u32),
    pub(super) gids: Vec<u32>,
}

/// Tiles from a number on, with their properties.
#[derive(Debug)]
pub(super) struct Tileset {
    pub(super) first_gid: u32,
    pub(super) name: String,
    /// How many tiles, if it is said.
    pub(super) count: Option<u32>,
    pub(super) tiles: BTreeMap<u32, BTreeMap<String, Value>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Truth(bool),
    Number(f64),
    Text(String),
}

/// How many tiles a level may still have: a packed level of a few megabytes can claim any number.
pub(super) struct Allowance(u64);

impl Allowance {
    /// As many as the largest map has cells, in all layers together.
    pub(super) const TILES_MAX: u64 = SIDE_MAX as u64 * SIDE_MAX as u64;

    pub(super) fn new() -> Self {
        Self(Self::TILES_MAX)
    }

    /// Takes the tiles of a rectangle, before there is memory for them; returns how many they are.
    pub(super) fn take(&mut self, (width, height): (u32, u32)) -> Result<u64, String> {
        let cells = u64::from(width) * u64::from(height);
        self.0 = self.0.checked_sub(cells).ok_or_else(|| {
            let most = Self::TILES_MAX;
            format!(
                "with its {width} × {height} tiles the level has more than {most} in all layers"
            )
        })?;
        Ok(cells)
    }
}

/// The bits of a tile's number that show how it is turned.
const TURNS: u32 = 0xf000_0000;

impl Level {
    /// The map that it makes.
    pub(super) fn to_map(&self, rule: &TileRule) -> Result<GridMap, TiledError> {
        let layers = self.layers_for(rule)?;
        let (corner, extent) = bounds(&layers)?;
        let property = self.property_for(rule)?;
        let mut reader = Reader::new(self, property);
        let mut letters = vec![None; extent.cell_count()];
        let mut heights = Heights::of(self);
        // Upper layers come later, and go over what lies below.
        for layer in layers {
            for chunk in &layer.chunks {
                let width = (chunk.size.0 as usize).max(1);
                for (row, gids) in chunk.gids.chunks(width).enumerate() {
                    let y = (chunk.corner.1 - corner.1) as usize + row;
                    let x = (chunk.corner.0 - corner.0) as usize;
                    let start = y * extent.width() as usize + x;
                    heights.lay(start, gids);
                    for (column, (slot, &gid)) in letters[start..].iter_mut().zip(gids).enumerate()
                    {
                        reader.lay(slot, gid & !TURNS).map_err(|problem| {
                            let (name, tile) = (&layer.name, gid & !TURNS);
                            let at = format!("column {}, row {y}", x + column);
                            TiledError::new(format!("layer '{name}', {at}, tile {tile}"), problem)
                        })?;
                    }
                }
            }
        }
        let empty = rule.empty.unwrap_or(reader.empty());
        let mut letters = letters.into_iter();
        let map = GridMap::from_fn(extent.width(), extent.height(), |_| {
            letters.next().flatten().map_or(empty, |found: Found| found.terrain)
        });
        let mut map = map.map_err(|error| TiledError::new("", error.to_string()))?;
        for (at, height) in std::mem::take(&mut heights.found) {
            let (x, y) = (at as u32 % extent.width(), at as u32 / extent.width());
            let height = height.map_err(|value| {
                let place = format!("column {x}, row {y}");
                TiledError::new(
                    place,
                    format!("its height is {value}, not a whole number to 65535"),
                )
            })?;
            map.set_height(Cell::new(x, y), height);
        }
        add_ground(self, corner, &mut map)?;
        Ok(map)
    }

    /// The layers to read, from the bottom to the top.
    fn layers_for(&self, rule: &TileRule) -> Result<Vec<&Layer>, TiledError> {
        let names = || {
            let names: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let layers: Vec<&Layer> = match &rule.layer {
            Some(name) => self.layers.iter().filter(|layer| layer.name == *name).collect(),
            None => self.layers.iter().filter(|layer| layer.is_visible).collect(),
        };
        match (&rule.layer, layers.is_empty()) {
            (Some(name), true) => Err(TiledError::new(
                "",
                format!("there is no layer of tiles '{name}'; there are: {}", names()),
            )),
            (None, true) => Err(TiledError::new(
                "",
                format!("there is no visible layer of tiles; in all there are: {}", names()),
            )),
            _ => Ok(layers),
        }
    }

    /// The property to go by.
    fn property_for(&self, rule: &TileRule) -> Result<String, TiledError> {
        let properties = || {
            let tiles = self.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
            tiles.flat_map(|properties| properties.keys().map(String::as_str))
        };
        let known = |name: &str| properties().any(|property| property == name);
        let found = match &rule.property {
            Some(name) => known(name).then(|| name.clone()),
            None => {
                TileRule::PROPERTIES.iter().find(|name| known(name)).map(|&name| name.to_owned())
            }
        };
        found.ok_or_else(|| {
            let mut names: Vec<&str> = properties().collect();
            names.sort_unstable();
            names.dedup();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let wanted = match &rule.property {
                Some(name) => format!("a property '{name}'"),
                None => format!("one of the properties {}", TileRule::PROPERTIES.join(", ")),
            };
            TiledError::new("", format!("no tile has {wanted}; tiles have: {names}"))
        })
    }
}

/// The upper left corner of what layers cover, and how large that is.
fn bounds(layers: &[&Layer]) -> Result<((i64, i64), Extent), TiledError> {
    let chunks = || layers.iter().flat_map(|layer| &layer.chunks);
    let left = chunks().map(|chunk| chunk.corner.0).min().unwrap_or(0);
    let top = chunks().map(|chunk| chunk.corner.1).min().unwrap_or(0);
    let right = chunks().map(|chunk| chunk.corner.0 + i64::from(chunk.size.0)).max().unwrap_or(0);
    let bottom = chunks().map(|chunk| chunk.corner.1 + i64::from(chunk.size.1)).max().unwrap_or(0);
    let extent = Extent::new((right - left) as u64, (bottom - top) as u64);
    let extent = extent.map_err(|error| TiledError::new("", error.to_string()))?;
    Ok(((left, top), extent))
}

/// The heights that tiles have by their property `height`.
struct Heights {
    /// By the tiles' numbers; what is no height is kept as it is shown.
    known: HashMap<u32, Result<u16, String>>,
    /// By the numbers of cells. Upper layers come later.
    found: BTreeMap<usize, Result<u16, String>>,
}

impl Heights {
    fn of(level: &Level) -> Self {
        let mut known = HashMap::new();
        for tileset in &level.tilesets {
            for (&number, properties) in &tileset.tiles {
                let Some(value) = properties.get("height") else { continue };
                let height = match value {
                    Value::Number(height) if height.fract() == 0.0 => {
                        (0.0..65_536.0).contains(height).then_some(*height as u16)
                    }
                    _ => None,
                };
                let height = height.ok_or_else(|| value.shown());
                known.insert(tileset.first_gid.saturating_add(number), height);
            }
        }
        Self { known, found: BTreeMap::new() }
    }

    /// Lays a row of tiles, from a cell on.
    fn lay(&mut self, start: usize, gids: &[u32]) {
        if self.known.is_empty() {
            return;
        }
        for (at, gid) in (start..).zip(gids) {
            if let Some(height) = self.known.get(&(gid & !TURNS)) {
                self.found.insert(at, height.clone());
            }
        }
    }
}

/// What a cell is so far.
#[derive(Clone, Copy)]
struct Found {
    terrain: Terrain,
    /// Whether its tile says so, or it is only what a tile without the property counts as.
    is_shown: bool,
}

/// Turns tiles into terrain, each number once.
struct Reader<'l> {
    /// In the order of their first numbers.
    tilesets: Vec<&'l Tileset>,
    property: String,
    is_blocking: bool,
    /// Whether the property is true or false wherever it is.
    is_truth: bool,
    known: HashMap<u32, Found>,
}

impl<'l> Reader<'l> {
    fn new(level: &'l Level, property: String) -> Self {
        let values = level.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        let mut values = values.filter_map(|properties| properties.get(&property));
        let is_truth = values.all(|value| matches!(value, Value::Truth(_)));
        let is_blocking = TileRule::BLOCKING.contains(&property.as_str());
        let mut tilesets: Vec<&Tileset> = level.tilesets.iter().collect();
        tilesets.sort_by_key(|tileset| tileset.first_gid);
        Self { tilesets, property, is_blocking, is_truth, known: HashMap::new() }
    }

    /// What a cell without a tile is.
    fn empty(&self) -> Terrain {
        if self.is_blocking { Terrain::GROUND } else { Terrain::WALL }
    }

    /// Lays a tile onto a cell.
    fn lay(&mut self, slot: &mut Option<Found>, gid: u32) -> Result<(), String> {
        if gid == 0 {
            return Ok(());
        }
        let found = match self.known.get(&gid) {
            Some(&found) => found,
            None => {
                let found = self.read(gid)?;
                self.known.insert(gid, found);
                found
            }
        };
        if found.is_shown || slot.is_none() {
            *slot = Some(found);
        }
        Ok(())
    }

    /// What a tile is.
    fn read(&self, gid: u32) -> Result<Found, String> {
        let before = self.tilesets.partition_point(|tileset| tileset.first_gid <= gid);
        let tileset = self.tilesets[..before]
            .last()
            .filter(|tileset| tileset.count.is_none_or(|count| gid - tileset.first_gid < count));
        let tileset = tileset.ok_or("it belongs to no tileset")?;
        let number = gid - tileset.first_gid;
        let value = tileset.tiles.get(&number).and_then(|all| all.get(&self.property));
        match value {
            Some(value) => {
                let terrain = self.terrain_of(value);
                let terrain = terrain.ok_or_else(|| {
                    let (property, value) = (&self.property, value.shown());
                    format!("its {property} is {value}, which is no terrain: {MEANINGS}")
                })?;
                Ok(Found { terrain, is_shown: true })
            }
            None if self.is_truth => {
                let terrain = if self.is_blocking { Terrain::GROUND } else { Terrain::WALL };
                Ok(Found { terrain, is_shown: false })
            }
            None => Err(format!(
                "it is tile {number} of the tileset '{}', which has no property '{}'",
                tileset.name, self.property
            )),
        }
    }

    fn terrain_of(&self, value: &Value) -> Option<Terrain> {
        match value {
            Value::Truth(truth) if *truth != self.is_blocking => Some(Terrain::GROUND),
            Value::Truth(_) => Some(Terrain::WALL),
            Value::Number(0.0) => Some(Terrain::WALL),
            Value::Number(cost) => {
                let whole = (1..=16u8).find(|&whole| f64::from(whole) == *cost)?;
                Terrain::from_letter(b'A' + whole - 1)
            }
            Value::Text(text) => match text.trim() {
                "#" => Some(Terrain::WALL),
                one if one.len() == 1 => Terrain::from_letter(one.as_bytes()[0]),
                name => match name.to_ascii_lowercase().as_str() {
                    "ground" | "floor" | "true" => Some(Terrain::GROUND),
                    "wall" | "false" => Some(Terrain::WALL),
                    "trees" => Some(Terrain::TREES),
                    "swamp" => Some(Terrain::SWAMP),
                    "water" => Some(Terrain::WATER),
                    _ => None,
                },
            },
        }
    }
}

const MEANINGS: &str = "known are true and false, whole numbers from 0 to 16, the letters . @ T S W and \
                        A to P, and ground, wall, trees, swamp, water";

impl Value {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Truth(truth) => truth.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("'{}'", text.chars().take(40).collect::<String>()),
        }
    }
}

impl Chunk {
    /// The cells of a rectangle, if there are as many tiles as it has.
    pub(super) fn new(
        corner: (i64, i64),
        size: (u32, u32),
        gids: Vec<u32>,
    ) -> Result<Self, String> {
        let cells = u64::from(size.0) * u64::from(size.1);
        if gids.len() as u64 != cells {
            let (width, height) = size;
            return Err(format!(
                "{width} × {height} tiles were announced, but there are {}",
                gids.len()
            ));
        }
        // So that sums of corners and sizes stay in range.
        let near = |at: i64| at.unsigned_abs() < 1 << 40;
        if !near(corner.0) || !near(corner.1) {
            return Err("it lies too far away".to_owned());
        }
        Ok(Self { corner, size, gids })
    }
}
