//! Maps as text: MovingAI's format, byte for byte, and plain drawings.
//!
//! ```text
//! type octile
//! height 2          the header, kept as it was
//! width 3
//! map
//! .@.               rows; each line's end is remembered, LF or CR LF,
//! ...               and whether the last one has any
//! # where from      lines after the rows that begin with # are comments
//! ```
//!
//! Comments come last because programs that read this format take the header by its order and count the
//! rows: what follows is not looked at. (HOG2's `Map::Load`, for one.)

use super::cell::{Extent, SIDE_MAX};
use super::map::GridMap;
use super::terrain::Terrain;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// Why a text is not a map, and where: lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct MapError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Byte in that line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: MapProblem,
}

/// What is wrong with a map's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MapProblem {
    /// A header line is none of `type`, `height`, `width` and `map`.
    #[error("expected a header line: 'type octile', 'height N', 'width N' or 'map'")]
    UnknownHeader,
    /// A header line occurs twice.
    #[error("'{0}' is given a second time")]
    RepeatedHeader(&'static str),
    /// `map` came, or the text ended, before this header line.
    #[error("'{0}' is missing from the header")]
    MissingHeader(&'static str),
    /// The type is not `octile`.
    #[error("only maps of 'type octile' are read")]
    UnknownType,
    /// A side is not a whole number from 1 to [`SIDE_MAX`].
    #[error("a side must be a whole number from 1 to {SIDE_MAX}")]
    BadSide,
    /// The text has fewer bytes left than the header says there are cells.
    #[error("the header claims {width} × {height} cells, and the text ends too soon for that")]
    TooShort {
        /// Columns that the header claims.
        width: u32,
        /// Rows that the header claims.
        height: u32,
    },
    /// A row ends before the map's width.
    #[error("the row ends after {found} of {width} cells")]
    RowTooShort {
        /// Cells in the row.
        found: usize,
        /// Cells a row must have.
        width: u32,
    },
    /// A row goes on past the map's width.
    #[error("the row goes on after {width} cells")]
    RowTooLong {
        /// Cells a row must have.
        width: u32,
    },
    /// A byte that stands for no terrain.
    #[error("'{}' is no terrain; known are . G @ O T S W and A to P", .0.escape_ascii())]
    UnknownLetter(u8),
    /// Something other than blank lines and comments after the last row.
    #[error("text after the last row; a comment there begins with #")]
    TextAfterMap,
    /// A drawing without a single cell.
    #[error("the drawing has no cells")]
    Empty,
    /// A drawing larger than a map may be.
    #[error("more than {SIDE_MAX} cells a side")]
    TooLarge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    Feed,
    ReturnFeed,
    None,
}

/// All of a map's text but the letters.
#[derive(Clone, Debug)]
pub(super) struct TextStyle {
    header: Vec<u8>,
    row_ends: Vec<LineEnd>,
    trailer: Vec<u8>,
}

impl TextStyle {
    pub(super) fn plain(extent: Extent) -> Self {
        let (width, height) = (extent.width(), extent.height());
        let header = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
        Self {
            header: header.into_bytes(),
            row_ends: vec![LineEnd::Feed; height as usize],
            trailer: Vec::new(),
        }
    }
}

impl GridMap {
    /// Reads a map in MovingAI's format.
    ///
    /// ```
    /// use highroad::GridMap;
    /// let text = b"type octile\r\nheight 1\r\nwidth 3\r\nmap\r\n.@T";
    /// let map = GridMap::from_movingai(text)?;
    /// assert_eq!(map.to_movingai(), text);
    ///
    /// let error = GridMap::from_movingai(b"type octile\nheight 1\nwidth 3\nmap\n.?.\n").unwrap_err();
    /// assert_eq!((error.line, error.column), (5, 2));
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn from_movingai(text: &[u8]) -> Result<Self, MapError> {
        let mut lines = Lines::new(text);
        // A byte order mark is part of the header, and kept with it.
        lines.at = text.len() - text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).len();
        let extent = read_header(&mut lines)?;
        let (width, height) = (extent.width(), extent.height());
        let header = text[..lines.at].to_vec();
        // Every cell takes a byte and every row but the last a line end: refuse an empty promise
        // before taking memory for it.
        if lines.text.len() - lines.at < extent.cell_count() + height as usize - 1 {
            return Err(lines.error(0, MapProblem::TooShort { width, height }));
        }
        let mut rows = Vec::with_capacity(height as usize);
        let mut row_ends = Vec::with_capacity(height as usize);
        for _ in 0..height {
            let (row, end) = lines
                .next()
                .ok_or_else(|| lines.error(0, MapProblem::TooShort { width, height }))?;
            check_row(row, width, |at, problem| lines.error(at, problem))?;
            rows.push(row);
            row_ends.push(end);
        }
        let trailer = text[lines.at..].to_vec();
        while let Some((line, _)) = lines.next() {
            if let Some(at) = line.iter().position(|byte| !byte.is_ascii_whitespace())
                && line[at] != b'#'
            {
                return Err(lines.error(at, MapProblem::TextAfterMap));
            }
        }
        let style = TextStyle { header, row_ends, trailer };
        Ok(Self::from_rows(extent, style, |y| rows[y as usize]))
    }

    /// Writes the map in MovingAI's format: the same bytes it was read from, but for changed cells.
    pub fn to_movingai(&self) -> Vec<u8> {
        let style = &*self.style;
        let row_bytes = self.extent().width() as usize + 2;
        let mut text = Vec::with_capacity(
            style.header.len() + row_bytes * style.row_ends.len() + style.trailer.len(),
        );
        text.extend_from_slice(&style.header);
        for (y, end) in (0..).zip(&style.row_ends) {
            self.row_runs(y).for_each(|run| text.extend_from_slice(run));
            text.extend_from_slice(match end {
                LineEnd::Feed => b"\n",
                LineEnd::ReturnFeed => b"\r\n",
                LineEnd::None => b"",
            });
        }
        text.extend_from_slice(&style.trailer);
        text
    }

    /// The comments after the last row, without their `#`. Drawings have none.
    ///
    /// ```
    /// use highroad::GridMap;
    /// let mut map: GridMap = "..\n".parse()?;
    /// map.add_comment("a corridor");
    /// let again = GridMap::from_movingai(&map.to_movingai())?;
    /// assert_eq!(again.comments().collect::<Vec<_>>(), ["a corridor"]);
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn comments(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let lines = self.style.trailer.split(|&byte| byte == b'\n');
        lines.filter_map(|line| {
            let text = line.trim_ascii().strip_prefix(b"#")?;
            Some(String::from_utf8_lossy(text.trim_ascii()))
        })
    }

    /// Adds a comment after the last row: a line of its own for each line of the text.
    pub fn add_comment(&mut self, text: &str) {
        let style = Arc::make_mut(&mut self.style);
        if let Some(end @ LineEnd::None) = style.row_ends.last_mut() {
            *end = LineEnd::Feed;
        }
        if style.trailer.last().is_some_and(|&byte| byte != b'\n') {
            style.trailer.push(b'\n');
        }
        for line in text.lines() {
            style.trailer.extend_from_slice(format!("# {}\n", line.trim()).as_bytes());
        }
    }
}

impl FromStr for GridMap {
    type Err = MapError;

    /// Reads a drawing: rows of terrain letters, with `#` as another way to write a wall. Blank
    /// lines above and below are passed over, and so is white space around a row.
    fn from_str(drawing: &str) -> Result<Self, MapError> {
        let error = |line, column, problem| MapError { line, column, problem };
        let drawing = drawing.strip_prefix('\u{feff}').unwrap_or(drawing);
        let mut rows: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        for (number, line) in (1..).zip(drawing.lines()) {
            let indent = line.len() - line.trim_start().len();
            let row = line.trim().replace('#', "@").into_bytes();
            rows.push((number, indent, row));
        }
        let filled = |row: &(usize, usize, Vec<u8>)| !row.2.is_empty();
        let first = rows.iter().position(filled);
        let last = rows.iter().rposition(filled);
        let (Some(first), Some(last)) = (first, last) else {
            return Err(error(1, 1, MapProblem::Empty));
        };
        let rows = &rows[first..=last];
        let extent = Extent::new(rows[0].2.len() as u64, rows.len() as u64)
            .map_err(|_| error(rows[0].0, 1, MapProblem::TooLarge))?;
        for (number, indent, row) in rows {
            check_row(row, extent.width(), |at, problem| error(*number, indent + at + 1, problem))?;
        }
        let style = TextStyle::plain(extent);
        Ok(Self::from_rows(extent, style, |y| &rows[y as usize].2))
    }
}

impl fmt::Display for GridMap {
    /// Draws the map, a line a row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.extent().height() {
            for run in self.row_runs(y) {
                f.write_str(&String::from_utf8_lossy(run))?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

fn check_row(
    row: &[u8],
    width: u32,
    error: impl Fn(usize, MapProblem) -> MapError,
) -> Result<(), MapError> {
    let inside = &row[..row.len().min(width as usize)];
    if let Some(at) = inside.iter().position(|&letter| !IS_LETTER[usize::from(letter)]) {
        return Err(error(at, MapProblem::UnknownLetter(row[at])));
    }
    let found = row.len();
    if found < width as usize {
        return Err(error(found, MapProblem::RowTooShort { found, width }));
    }
    if found > width as usize {
        return Err(error(width as usize, MapProblem::RowTooLong { width }));
    }
    Ok(())
}

/// PERF: a table, for the check of every byte of a map of 268 million cells.
static IS_LETTER: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < Terrain::LETTERS.len() {
        table[Terrain::LETTERS[i] as usize] = true;
        i += 1;
    }
    table
};

/// Reads the lines up to and with `map`.
fn read_header(lines: &mut Lines<'_>) -> Result<Extent, MapError> {
    let (mut typed, mut height, mut width) = (None, None, None);
    loop {
        let Some((line, _)) = lines.next() else {
            return Err(lines.error(0, MapProblem::MissingHeader("map")));
        };
        let line = line.trim_ascii_end();
        let split = line.iter().position(|&byte| byte == b' ' || byte == b'\t');
        let (key, value) = line.split_at(split.unwrap_or(line.len()));
        let column = line.len() - value.trim_ascii().len();
        let (name, slot) = match key {
            b"map" if value.is_empty() => break,
            b"type" => ("type", &mut typed),
            b"height" => ("height", &mut height),
            b"width" => ("width", &mut width),
            _ => return Err(lines.error(0, MapProblem::UnknownHeader)),
        };
        if slot.is_some() {
            return Err(lines.error(0, MapProblem::RepeatedHeader(name)));
        }
        *slot = Some(if name == "type" {
            if value.trim_ascii() != b"octile" {
                return Err(lines.error(column, MapProblem::UnknownType));
            }
            0
        } else {
            parse_side(value.trim_ascii())
                .ok_or_else(|| lines.error(column, MapProblem::BadSide))?
        });
    }
    let missing = |name| lines.error(0, MapProblem::MissingHeader(name));
    typed.ok_or_else(|| missing("type"))?;
    let height = height.ok_or_else(|| missing("height"))?;
    let width = width.ok_or_else(|| missing("width"))?;
    Extent::new(width, height).map_err(|_| lines.error(0, MapProblem::BadSide))
}

fn parse_side(digits: &[u8]) -> Option<u64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let side: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (1..=u64::from(SIDE_MAX)).contains(&side).then_some(side)
}

/// What some editors begin a text in UTF-8 with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Goes through a text line by line and knows where it is.
struct Lines<'a> {
    text: &'a [u8],
    /// Where the next line begins.
    at: usize,
    /// Number of the line read last.
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 0 }
    }

    /// The next line and its end; `None` after the last.
    fn next(&mut self) -> Option<(&'a [u8], LineEnd)> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        self.line += 1;
        let Some(feed) = rest.iter().position(|&byte| byte == b'\n') else {
            self.at = self.text.len();
            return Some((rest, LineEnd::None));
        };
        self.at += feed + 1;
        Some(match rest[..feed].strip_suffix(b"\r") {
            Some(line) => (line, LineEnd::ReturnFeed),
            None => (&rest[..feed], LineEnd::Feed),
        })
    }

    /// An error at byte `at` of the line read last.
    fn error(&self, at: usize, problem: MapProblem) -> MapError {
        MapError { line: self.line.max(1), column: at + 1, problem }
    }
}

#[cfg(test)]
#[path = "text/tests.rs"]
mod tests;
