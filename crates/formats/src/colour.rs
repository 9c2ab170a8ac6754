//! Terrain as colours in pictures that are maps: a pixel a cell, a colour of its own for every letter.

use highroad_core::{GridMap, Terrain};
use std::io::Write;
use thiserror::Error;

/// The colour of a pixel: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// A picture could not be written.
#[derive(Debug, Error)]
#[error("cannot write the picture: {0}")]
pub struct EncodeError(#[from] png::EncodingError);

/// The most costly and the cheapest of weighted terrain; the letters between lie on a line.
const CHEAP: Rgb = Rgb(250, 230, 200);
const COSTLY: Rgb = Rgb(100, 50, 20);

/// The colour of a terrain in pictures that are read and written as maps.
///
/// | terrain | colour |
/// |---|---|
/// | ground `.` | white `#ffffff` |
/// | wall `@` | black `#000000` |
/// | trees `T` | green `#006400` |
/// | swamp `S` | olive `#808000` |
/// | water `W` | blue `#0000ff` |
/// | `A` to `P` | from light `#fae6c8` to dark brown `#643214` |
pub fn terrain_colour(terrain: Terrain) -> Rgb {
    match terrain.letter() {
        b'.' => Rgb(255, 255, 255),
        b'T' => Rgb(0, 100, 0),
        b'S' => Rgb(128, 128, 0),
        b'W' => Rgb(0, 0, 255),
        letter @ b'A'..=b'P' => {
            let step = i32::from(letter - b'A');
            let mix =
                |a: u8, b: u8| (i32::from(a) + (i32::from(b) - i32::from(a)) * step / 15) as u8;
            Rgb(mix(CHEAP.0, COSTLY.0), mix(CHEAP.1, COSTLY.1), mix(CHEAP.2, COSTLY.2))
        }
        _ => Rgb(0, 0, 0),
    }
}

/// The terrain of a colour, if it is one of these.
pub(crate) fn terrain_of(colour: Rgb) -> Option<Terrain> {
    let terrains = Terrain::LETTERS.iter().filter_map(|&letter| Terrain::from_letter(letter));
    terrains.into_iter().find(|&terrain| terrain_colour(terrain) == colour)
}

/// Writes a map as a PNG picture, a pixel a cell, in the colours of [`terrain_colour`]: nothing is lost.
pub fn write_map_png(map: &GridMap, out: impl Write) -> Result<(), EncodeError> {
    let extent = map.extent();
    let mut encoder = png::Encoder::new(out, extent.width(), extent.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let mut pixels = Vec::with_capacity(extent.cell_count() * 3);
    for cell in extent.cells() {
        let Rgb(red, green, blue) = terrain_colour(map.terrain(cell).unwrap_or(Terrain::WALL));
        pixels.extend([red, green, blue]);
    }
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_a_colour_of_its_own() {
        for &letter in Terrain::LETTERS {
            let terrain = Terrain::from_letter(letter).unwrap();
            assert_eq!(terrain_of(terrain_colour(terrain)), Some(terrain));
        }
        assert_eq!(terrain_of(Rgb(1, 2, 3)), None);
    }
}
