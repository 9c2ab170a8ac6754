//! The shape of the ground, in a small file beside the map: borders, links, and the name of a file of heights.
//!
//! ```toml
//! heights = "town.map.heights.png"
//!
//! [[borders]]                # the lower borders of the cells from (3, 4) to (9, 4)
//! cells = [3, 4, 9, 4]
//! side = "south"             # or "east"
//! pass = "none"              # or "onwards": right or down alone; or "back"
//!
//! [[links]]
//! from = [1, 0]
//! to = [9, 0]
//! cost = 4756
//! both_ways = true           # left out: one way
//! kind = 1                   # left out: for all kinds of agents
//! ```
//!
//! It is called like the map, with `.ground.toml` behind the name, and [`read_map`](crate::read_map) picks it up. Heights are
//! a picture in shades of grey, of 8 or 16 bits, or a matrix: a row a line, numbers with spaces between them.

mod heights;

use heights::{decode_heights, matrix_of, picture_of};
use highroad_core::{
    Border, BorderSide, Cell, CellRect, Extent, GridMap, KindId, Link, LinkProblem,
};
use serde::Deserialize;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::Spanned;

/// What the name of a map's file is followed by in that of its ground.
const ENDING: &str = ".ground.toml";

/// Rectangles of borders may cover the map so often: right and lower borders once each, and as much again.
pub(crate) const BORDERS_MAX: u64 = 4;

/// The file beside a map that says what shape its ground has.
///
/// ```
/// use highroad_formats::ground_path;
/// use std::path::Path;
/// assert_eq!(ground_path(Path::new("maps/town.map")), Path::new("maps/town.map.ground.toml"));
/// ```
pub fn ground_path(map: &Path) -> PathBuf {
    let mut name = map.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    map.with_file_name(name)
}

/// Where a file about the ground is wrong, and why.
///
/// ```
/// use highroad_formats::{GroundError, decode_ground};
/// let mut map = highroad_formats::map_from_bytes(b"...\n...\n")?;
/// let text = "[[links]]\nfrom = [0, 0]\nto = [7, 0]\ncost = 5\n";
/// let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let error: GroundError = decode_ground(&mut map, text, &nothing).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 1: the link from (0, 0) to (7, 0): (7, 0) lies outside the map");
/// assert_eq!((error.line, error.column), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
#[error("{}line {line}, column {column}: {problem}", self.of_file())]
#[non_exhaustive]
pub struct GroundError {
    /// The file of heights, if that is wrong; else the file itself is.
    pub file: Option<String>,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: GroundProblem,
}

impl GroundError {
    fn of_file(&self) -> String {
        self.file.as_ref().map_or(String::new(), |file| format!("{file}, "))
    }
}

/// What is wrong with a file about the ground.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GroundProblem {
    /// It is no such file.
    #[error("{0}")]
    Text(String),
    /// A border lies outside the map, or on its edge.
    #[error("the {side} border of {cell} is not between two cells of the map")]
    Border {
        /// A cell that it was to be of.
        cell: Cell,
        /// Which side.
        side: &'static str,
    },
    /// They cover the map several times.
    #[error("the rectangles of borders up to here cover more cells than the map has borders")]
    Borders,
    /// The map cannot have a link.
    #[error("the link from {} to {}: {problem}", .link.from, .link.to)]
    Link {
        /// Which one.
        link: Link,
        /// Why.
        problem: LinkProblem,
    },
    /// The file of heights cannot be read.
    #[error("cannot read the heights in '{name}': {error}")]
    HeightsFile {
        /// Its name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// It is no picture.
    #[error("the heights in '{name}' are no picture that can be read: {reason}")]
    HeightsPicture {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// It has other columns and rows than the map.
    #[error("heights of {columns} × {rows} cells for a map of {} × {}", .map.width(), .map.height())]
    HeightsSize {
        /// Columns of the heights.
        columns: usize,
        /// Rows of the heights.
        rows: usize,
        /// The map's size.
        map: Extent,
    },
    /// A number of a matrix is none, or too large.
    #[error("'{text}' is no height from 0 to 65535")]
    Height {
        /// What is written there.
        text: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GroundFile {
    heights: Option<Spanned<String>>,
    #[serde(default)]
    borders: Vec<Spanned<BorderEntry>>,
    #[serde(default)]
    links: Vec<Spanned<LinkEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BorderEntry {
    cells: [u32; 4],
    side: Side,
    pass: Pass,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    East,
    South,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pass {
    None,
    Onwards,
    Back,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    from: [u32; 2],
    to: [u32; 2],
    cost: u32,
    #[serde(default)]
    both_ways: bool,
    kind: Option<u16>,
}

/// Gives a map the borders, heights and links of a file's text; `beside` reads the file of heights that it names. If it
/// fails, the map may have some of them.
///
/// ```
/// use highroad_formats::{decode_ground, encode_ground, HeightForm};
/// let mut map = highroad_formats::map_from_bytes(b"...\n...\n")?;
/// let text = "heights = \"h.txt\"\n[[borders]]\ncells = [0, 0, 2, 0]\nside = \"south\"\npass = \"none\"\n";
/// let beside = |_: &str| Ok(b"0 0 0\n7 8 9\n".to_vec());
/// decode_ground(&mut map, text, &beside)?;
/// assert_eq!(map.height((2, 1).into()), Some(9));
/// let written = encode_ground(&map, "town.map", HeightForm::Matrix)?.expect("it has a shape");
/// assert_eq!(written.heights, Some(("town.map.heights.txt".to_owned(), b"0 0 0\n7 8 9\n".to_vec())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decode_ground(
    map: &mut GridMap,
    text: &str,
    beside: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<(), GroundError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let at = |span: Range<usize>, problem| {
        let (line, column) = place(text, span.start);
        GroundError { file: None, line, column, problem }
    };
    let file: GroundFile = toml::from_str(text).map_err(|error| {
        at(error.span().unwrap_or(0..0), GroundProblem::Text(error.message().to_owned()))
    })?;
    if let Some(name) = file.heights {
        let (span, name) = (name.span(), name.into_inner());
        let bytes = beside(&name).map_err(|error| {
            at(span.clone(), GroundProblem::HeightsFile { name: name.clone(), error })
        })?;
        decode_heights(map, &bytes, &name).map_err(|error| match error {
            heights::HeightsError::Whole(problem) => at(span, problem),
            heights::HeightsError::Place { line, column, problem } => {
                GroundError { file: Some(name), line, column, problem }
            }
        })?;
    }
    // Each border can be named once; more is work for nothing.
    let mut left = BORDERS_MAX * map.extent().cell_count() as u64;
    for entry in file.borders {
        let span = entry.span();
        let [x, y, last_x, last_y] = entry.get_ref().cells;
        let count = CellRect::new((x, y), (last_x, last_y)).cell_count();
        left = left.checked_sub(count).ok_or_else(|| at(span.clone(), GroundProblem::Borders))?;
        set_borders(map, &entry.into_inner()).map_err(|problem| at(span, problem))?;
    }
    for entry in file.links {
        let (span, entry) = (entry.span(), entry.into_inner());
        let cell = |[x, y]: [u32; 2]| Cell::new(x, y);
        let link = Link::new(cell(entry.from), cell(entry.to), entry.cost);
        let link = if entry.both_ways { link.with_way_back() } else { link };
        let link = entry.kind.map_or(link, |kind| link.with_kind(KindId(kind)));
        map.add_link(link).map_err(|problem| at(span, GroundProblem::Link { link, problem }))?;
    }
    Ok(())
}

fn set_borders(map: &mut GridMap, entry: &BorderEntry) -> Result<(), GroundProblem> {
    let [x, y, last_x, last_y] = entry.cells;
    let (side, name) = match entry.side {
        Side::East => (BorderSide::East, "east"),
        Side::South => (BorderSide::South, "south"),
    };
    let border = match entry.pass {
        Pass::None => Border::Closed,
        Pass::Onwards => Border::OneWay,
        Pass::Back => Border::OneWayBack,
    };
    let rect = CellRect::new((x, y), (last_x, last_y));
    let is_none = |cell: &Cell| map.border(*cell, side).is_none();
    if let Some(cell) = [rect.max(), rect.min()].into_iter().find(is_none) {
        return Err(GroundProblem::Border { cell, side: name });
    }
    rect.cells().for_each(|cell| map.set_border(cell, side, border));
    Ok(())
}

/// The line and the column, from 1, of a byte of a text.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte.min(text.len())).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// How heights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeightForm {
    /// A PNG of 16 bits in shades of grey.
    #[default]
    Picture,
    /// Rows of numbers.
    Matrix,
}

/// The shape of the ground as the bytes of the file beside the map, and the name and bytes of the file of heights, if there
/// are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedGround {
    /// The file that [`ground_path`] names.
    pub text: String,
    /// The other file.
    pub heights: Option<(String, Vec<u8>)>,
}

/// Writes the shape of a map's ground; `None` if it has none. `name` is the name of the map's file.
pub fn encode_ground(
    map: &GridMap,
    name: &str,
    form: HeightForm,
) -> Result<Option<EncodedGround>, crate::EncodeError> {
    if !map.has_relief() && map.link_list().is_empty() {
        return Ok(None);
    }
    let mut text = format!("# The shape of the ground of {}.\n", name.replace(['\n', '\r'], " "));
    let mut heights = None;
    if let Some(rows) = height_rows(map) {
        let (ending, bytes) = match form {
            HeightForm::Picture => ("png", picture_of(map)?),
            HeightForm::Matrix => ("txt", rows.into_bytes()),
        };
        let name = format!("{name}.heights.{ending}");
        // JSON's strings are TOML's.
        let quoted = serde_json::Value::from(name.as_str());
        writeln!(text, "heights = {quoted}").expect("a string takes all");
        heights = Some((name, bytes));
    }
    for run in border_runs(map) {
        let BorderRun { from, to, pass, .. } = run;
        let side = match run.side {
            BorderSide::East => "east",
            BorderSide::South => "south",
        };
        writeln!(text, "\n[[borders]]\ncells = [{}, {}, {}, {}]", from.x, from.y, to.x, to.y)
            .and_then(|()| writeln!(text, "side = \"{side}\"\npass = \"{pass}\""))
            .expect("a string takes all");
    }
    for link in map.link_list() {
        let Link { from, to, cost, both_ways, kind } = link;
        write!(text, "\n[[links]]\nfrom = [{}, {}]\nto = [{}, {}]\n", from.x, from.y, to.x, to.y)
            .and_then(|()| writeln!(text, "cost = {cost}"))
            .expect("a string takes all");
        if *both_ways {
            text.push_str("both_ways = true\n");
        }
        if let Some(KindId(kind)) = kind {
            writeln!(text, "kind = {kind}").expect("a string takes all");
        }
    }
    Ok(Some(EncodedGround { text, heights }))
}

/// Borders in a line that can be crossed alike.
pub(crate) struct BorderRun {
    pub(crate) side: BorderSide,
    /// Who may pass: none, onwards or back.
    pub(crate) pass: &'static str,
    /// The first and the last cell that they are of.
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

/// The borders of a map that are not open, in runs along them: the right borders down each column, then the lower ones
/// along each row.
pub(crate) fn border_runs(map: &GridMap) -> Vec<BorderRun> {
    let mut runs = Vec::new();
    for side in [BorderSide::East, BorderSide::South] {
        push_border_runs(map, side, &mut runs);
    }
    runs
}

fn push_border_runs(map: &GridMap, side: BorderSide, runs: &mut Vec<BorderRun>) {
    let (across, down) = (map.extent().width(), map.extent().height());
    let (lines, length) = match side {
        BorderSide::East => (across, down),
        BorderSide::South => (down, across),
    };
    let cell = |line: u32, along: u32| match side {
        BorderSide::East => Cell::new(line, along),
        BorderSide::South => Cell::new(along, line),
    };
    for line in 0..lines {
        let border = |along: u32| map.border(cell(line, along), side).unwrap_or_default();
        let mut first = 0;
        while first < length {
            let kind = border(first);
            let past = (first + 1..length).find(|&along| border(along) != kind).unwrap_or(length);
            let pass = match kind {
                Border::Open => None,
                Border::Closed => Some("none"),
                Border::OneWay => Some("onwards"),
                Border::OneWayBack => Some("back"),
            };
            let (from, to) = (cell(line, first), cell(line, past - 1));
            runs.extend(pass.map(|pass| BorderRun { side, pass, from, to }));
            first = past;
        }
    }
}

/// Gives a map heights that are written as rows of numbers; what is wrong, and in which row.
pub(crate) fn read_height_rows(map: &mut GridMap, text: &str) -> Result<(), String> {
    heights::read_matrix(map, text).map_err(|error| match error {
        heights::HeightsError::Whole(problem) => problem.to_string(),
        heights::HeightsError::Place { line, column, problem } => {
            format!("line {line}, column {column}: {problem}")
        }
    })
}

/// The heights of a map as rows of numbers; `None` if all are 0.
pub(crate) fn height_rows(map: &GridMap) -> Option<String> {
    let has_heights =
        map.extent().cells().any(|cell| map.height(cell).is_some_and(|height| height > 0));
    has_heights.then(|| matrix_of(map))
}

#[cfg(test)]
mod tests;
