//! Heights in a file of their own: a picture in shades of grey, or rows of numbers.

use super::GroundProblem;
use crate::{DEFLATE_RATIO_MAX, EncodeError};
use highroad_core::{Cell, GridMap};
use std::fmt::Write as _;
use std::io::Cursor;

/// What is wrong with a file of heights: as a whole, or at a place.
pub(super) enum HeightsError {
    Whole(GroundProblem),
    Place { line: usize, column: usize, problem: GroundProblem },
}

impl From<GroundProblem> for HeightsError {
    fn from(problem: GroundProblem) -> Self {
        Self::Whole(problem)
    }
}

/// Gives a map the heights of a file.
pub(super) fn decode_heights(
    map: &mut GridMap,
    bytes: &[u8],
    name: &str,
) -> Result<(), HeightsError> {
    if bytes.starts_with(b"\x89PNG") {
        let unreadable = |reason: String| {
            let name = name.to_owned();
            HeightsError::from(GroundProblem::HeightsPicture { name, reason })
        };
        return read_picture(map, bytes, unreadable);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        let reason = "it is neither PNG nor text".to_owned();
        return Err(GroundProblem::HeightsPicture { name: name.to_owned(), reason }.into());
    };
    read_matrix(map, text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn read_picture(
    map: &mut GridMap,
    bytes: &[u8],
    unreadable: impl Fn(String) -> HeightsError,
) -> Result<(), HeightsError> {
    let broken = |error: png::DecodingError| unreadable(error.to_string());
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check_size(map, width, height)?;
    let raw_bytes = (reader.info().raw_row_length() as u64).saturating_mul(height as u64);
    if raw_bytes > (bytes.len() as u64).saturating_mul(DEFLATE_RATIO_MAX) {
        return Err(unreadable("it ends early".to_owned()));
    }
    let size = reader.output_buffer_size();
    let size = size.ok_or_else(|| unreadable("it is too large".to_owned()))?;
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(broken)?;
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    if info.color_type != png::ColorType::Grayscale {
        return Err(unreadable("it must be in shades of grey, without transparency".to_owned()));
    }
    for (at, cell) in map.extent().cells().enumerate() {
        let sample = |at: usize| u16::from(samples.get(at).copied().unwrap_or(0));
        let height = if wide { sample(2 * at) << 8 | sample(2 * at + 1) } else { sample(at) };
        map.set_height(cell, height);
    }
    Ok(())
}

fn check_size(map: &GridMap, columns: usize, rows: usize) -> Result<(), GroundProblem> {
    let extent = map.extent();
    let same = (columns, rows) == (extent.width() as usize, extent.height() as usize);
    same.then_some(()).ok_or(GroundProblem::HeightsSize { columns, rows, map: extent })
}

pub(super) fn read_matrix(map: &mut GridMap, text: &str) -> Result<(), HeightsError> {
    let rows = text.lines().count();
    let extent = map.extent();
    check_size(map, extent.width() as usize, rows)?;
    for (y, line) in text.lines().enumerate() {
        let place = |column, problem| HeightsError::Place { line: y + 1, column, problem };
        let columns = line.split_whitespace().count();
        if let Err(problem) = check_size(map, columns, rows) {
            return Err(place(1, problem));
        }
        for (x, word) in line.split_whitespace().enumerate() {
            let height: u16 = word.parse().map_err(|_| {
                // Words are parts of the line.
                let before = word.as_ptr() as usize - line.as_ptr() as usize;
                let column = line[..before].chars().count() + 1;
                place(column, GroundProblem::Height { text: word.to_owned() })
            })?;
            map.set_height(Cell::new(x as u32, y as u32), height);
        }
    }
    Ok(())
}

fn height(map: &GridMap, cell: Cell) -> u16 {
    map.height(cell).unwrap_or(0)
}

/// The heights of a map as a PNG of 16 bits in shades of grey.
pub(super) fn picture_of(map: &GridMap) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    let extent = map.extent();
    let mut encoder = png::Encoder::new(&mut bytes, extent.width(), extent.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let samples: Vec<u8> =
        extent.cells().flat_map(|cell| height(map, cell).to_be_bytes()).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&samples)?;
    writer.finish()?;
    Ok(bytes)
}

/// The same as rows of numbers.
pub(super) fn matrix_of(map: &GridMap) -> String {
    let mut text = String::new();
    let last = map.extent().width() - 1;
    for cell in map.extent().cells() {
        let end = if cell.x == last { '\n' } else { ' ' };
        write!(text, "{}{end}", height(map, cell)).expect("a string takes all");
    }
    text
}
