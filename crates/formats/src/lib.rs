//! Map files for Highroad: MovingAI's format, drawings, PNG pictures, and levels of Tiled.
//!
//! | format | ending | what a cell is |
//! |---|---|---|
//! | MovingAI | `.map` | a letter, after a header |
//! | drawing | `.txt` | a letter; `#` is a wall as well |
//! | picture | `.png` | a pixel: see [`terrain_colour`] |
//! | Tiled | `.tmx`, `.tmj`, `.json` | what a property of its tile says: see [`TileRule`] |
//!
//! A file is read by what is in it, and a `.map` or what looks like nothing by its name; it is written by its
//! name's ending. Borders, heights and links lie in a file beside it: see [`decode_ground`]. Levels of Tiled hold them as
//! objects and properties: see [`TileRule`].
//!
//! ```
//! use highroad_formats::{MapFormat, encode_map, map_from_bytes, read_map};
//!
//! // From bytes: a file that is part of the program, or out of an archive.
//! let map = map_from_bytes(b"type octile\nheight 2\nwidth 4\nmap\n..T.\n.@@.\n")?;
//! assert_eq!(map.to_string(), "..T.\n.@@.\n");
//!
//! // From a path: here a level of Tiled, which is written first.
//! let path = std::env::temp_dir().join(format!("highroad-{}.tmx", std::process::id()));
//! std::fs::write(&path, encode_map(&map, MapFormat::Tmx, "level")?.bytes)?;
//! assert_eq!(read_map(&path)?, map);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Navigation meshes are read from JSON by [`read_mesh_json`]: also GeoJSON, and the polygon meshes of Recast; and from polygons that
//! are drawn in a level of Tiled by [`read_tiled_mesh`].
//!
//! [`decode_map`] reads bytes with everything that can be said about them: the file's name, [`ReadOptions`], and
//! where other files are found. Maps are those of `highroad-core`, which `highroad` re-exports.

mod base64;
mod colour;
mod file;
mod ground;
mod mesh;
mod mesh_items;
mod picture;
mod tiled;

pub use colour::{EncodeError, Rgb, terrain_colour, write_map_png};
pub use file::{ReadError, file_below, read_map, read_map_with};
pub use ground::{
    EncodedGround, GroundError, GroundProblem, HeightForm, decode_ground, encode_ground,
    ground_path,
};
pub use mesh::{MeshJsonError, read_mesh_json, write_mesh_json};
pub use picture::{ImportError, Picture};
pub use tiled::{TileRule, TiledError, read_tiled_mesh};

use highroad_core::{GridMap, MapError, SizeError, Terrain};
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A kind of map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFormat {
    /// MovingAI's format.
    MovingAi,
    /// Rows of letters.
    Drawing,
    /// A picture, a pixel a cell.
    Png,
    /// A level of Tiled as XML.
    Tmx,
    /// A level of Tiled as JSON.
    Tmj,
}

impl MapFormat {
    /// Every format with the ending that is usual for it.
    pub const ENDINGS: [(&'static str, Self); 6] = [
        ("map", Self::MovingAi),
        ("txt", Self::Drawing),
        ("png", Self::Png),
        ("tmx", Self::Tmx),
        ("tmj", Self::Tmj),
        ("json", Self::Tmj),
    ];

    /// The format that a file's name ends with.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }

    /// Whether files of the format hold borders, heights and links themselves; for others they lie in a file
    /// [beside](ground_path).
    ///
    /// ```
    /// use highroad_formats::MapFormat;
    /// assert!(MapFormat::Tmx.holds_ground() && !MapFormat::MovingAi.holds_ground());
    /// ```
    pub fn holds_ground(self) -> bool {
        matches!(self, Self::Tmx | Self::Tmj)
    }

    /// The format of some bytes, judged by their beginning: anything else is a drawing.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let begins = |start: &[u8]| text.starts_with(start);
        match () {
            () if bytes.starts_with(b"\x89PNG") => Self::Png,
            () if begins(b"<") => Self::Tmx,
            () if begins(b"{") => Self::Tmj,
            () if [&b"type"[..], b"height", b"width"].into_iter().any(begins) => Self::MovingAi,
            () => Self::Drawing,
        }
    }
}

/// What a file does not say of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// How tiles of a level become terrain.
    pub tiles: TileRule,
    /// Pixels darker than this are walls, whatever their colour.
    pub threshold: Option<u8>,
    /// What colours mean beside those that are known.
    pub colours: Vec<(Rgb, Terrain)>,
    /// The folder below which files lie that a level refers to, if not below the level's own.
    pub folder: Option<PathBuf>,
}

impl ReadOptions {
    /// The same options with tiles of a level read in that way.
    pub fn with_tiles(mut self, tiles: TileRule) -> Self {
        self.tiles = tiles;
        self
    }

    /// The same options, where pixels darker than `threshold` are walls, if it is given.
    pub fn with_threshold(mut self, threshold: Option<u8>) -> Self {
        self.threshold = threshold;
        self
    }

    /// The same options, where a level may refer to any file below `folder`, if it is given: a project in which tilesets
    /// have a folder beside that of the levels. See [`read_map_with`].
    pub fn with_folder(mut self, folder: Option<PathBuf>) -> Self {
        self.folder = folder;
        self
    }

    /// The same options with meanings of colours beside those that are known.
    pub fn with_colours(mut self, colours: Vec<(Rgb, Terrain)>) -> Self {
        self.colours = colours;
        self
    }
}

/// Why a file is no map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Its text is broken.
    #[error(transparent)]
    Text(#[from] MapError),
    /// A drawing is no text.
    #[error("this is no text, and no other kind of map that is known")]
    Bytes,
    /// A picture cannot be read.
    #[error(transparent)]
    Picture(#[from] ImportError),
    /// A level cannot be read.
    #[error(transparent)]
    Tiled(#[from] TiledError),
}

impl From<SizeError> for FormatError {
    fn from(error: SizeError) -> Self {
        Self::Picture(ImportError::Size(error))
    }
}

/// Reads a map of any format out of bytes that refer to no other file.
pub fn map_from_bytes(bytes: &[u8]) -> Result<GridMap, FormatError> {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    decode_map(bytes, Path::new(""), &ReadOptions::default(), &nothing)
}

/// The most bytes that one byte of deflated data can stand for.
const DEFLATE_RATIO_MAX: u64 = 1032;

/// The most bytes of files that a map refers to, all together. Each counts as at least [`BESIDE_BYTES_MIN`].
const BESIDE_BYTES_MAX: usize = 64 << 20;
const BESIDE_BYTES_MIN: usize = 64 << 10;

/// Reads a map. `name` is its file's, for `.map` files are never anything else; `beside` reads files that
/// it refers to, by their path from its own folder. Such a path can be anything: [`file_below`] checks it. At most 1,024
/// files and 64 MB are read, however often the map names them.
pub fn decode_map(
    bytes: &[u8],
    name: &Path,
    options: &ReadOptions,
    beside: &dyn Fn(&str) -> std::io::Result<Vec<u8>>,
) -> Result<GridMap, FormatError> {
    let format = match (MapFormat::of_path(name), MapFormat::of_bytes(bytes)) {
        (Some(MapFormat::MovingAi), _) => MapFormat::MovingAi,
        // What looks like nothing else is what it is called, so that errors are about that.
        (Some(called), MapFormat::Drawing) => called,
        (_, seen) => seen,
    };
    let left = Cell::new(BESIDE_BYTES_MAX);
    let beside = &|file: &str| {
        let bytes = beside(file)?;
        let rest = left.get().checked_sub(bytes.len().max(BESIDE_BYTES_MIN));
        left.set(rest.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::FileTooLarge,
                "the files beside it are too large or too many",
            )
        })?);
        Ok(bytes)
    };
    // Every reader of text is given it without the byte order mark that some editors write.
    let whole = bytes;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = || std::str::from_utf8(bytes).map_err(|_| FormatError::Bytes);
    match format {
        // A map keeps the mark, as it keeps every other byte of its header.
        MapFormat::MovingAi => Ok(GridMap::from_movingai(whole)?),
        MapFormat::Drawing => Ok(text()?.parse()?),
        MapFormat::Png => {
            let picture = Picture::from_png(bytes)?;
            match options.threshold {
                Some(threshold) => Ok(picture.to_map(threshold)?),
                None => Ok(picture.to_terrain(&options.colours)?),
            }
        }
        MapFormat::Tmx => Ok(tiled::read_tmx(text()?, &options.tiles, beside)?),
        MapFormat::Tmj => Ok(tiled::read_tmj(text()?, &options.tiles, beside)?),
    }
}

/// A map as the bytes of a file, and the file that must lie beside it, if it needs one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedMap {
    /// The file.
    pub bytes: Vec<u8>,
    /// The other file's name and bytes: the picture of a level's tiles.
    pub beside: Option<(String, Vec<u8>)>,
}

/// Writes a map in a format; `stem` is its file's name without the ending. Every letter is kept; only
/// MovingAI's format keeps comments.
pub fn encode_map(map: &GridMap, format: MapFormat, stem: &str) -> Result<EncodedMap, EncodeError> {
    let alone = |bytes| Ok(EncodedMap { bytes, beside: None });
    match format {
        MapFormat::MovingAi => alone(map.to_movingai()),
        MapFormat::Drawing => alone(map.to_string().into_bytes()),
        MapFormat::Png => {
            let mut bytes = Vec::new();
            write_map_png(map, &mut bytes)?;
            alone(bytes)
        }
        MapFormat::Tmx | MapFormat::Tmj => {
            let name = format!("{stem}-tiles.png");
            let text = match format {
                MapFormat::Tmx => tiled::to_tmx(map, &name),
                _ => tiled::to_tmj(map, &name),
            };
            let picture = tiled::tiles_png()?;
            Ok(EncodedMap { bytes: text.into_bytes(), beside: Some((name, picture)) })
        }
    }
}

#[cfg(test)]
mod tests;
