//! Maps out of pictures: by the colours that stand for terrain, or by brightness.

use crate::DEFLATE_RATIO_MAX;
use crate::colour::{Rgb, terrain_of};
use highroad_core::{Cell, GridMap, SizeError, Terrain};
use std::io::Cursor;
use thiserror::Error;

/// A picture, a pixel a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

/// Why a picture makes no map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file is no PNG, or is damaged.
    #[error("this is no PNG file that can be read: {0}")]
    Png(#[from] png::DecodingError),
    /// It is larger than a map may be, or empty.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Its pixels are in a form that is not known.
    #[error("the picture's pixels are in a form that cannot be read")]
    Form,
    /// A pixel's colour stands for nothing.
    #[error(
        "the pixel in column {}, row {} has the colour {:02x}{:02x}{:02x}, which stands for no terrain, \
         as {count} in all do; known are ffffff ground, 000000 wall, 006400 trees, 808000 swamp, \
         0000ff water, and fae6c8 to 643214 for A to P",
        .at.x, .at.y, .colour.0, .colour.1, .colour.2
    )]
    Colour {
        /// The first such pixel.
        at: Cell,
        /// Its colour.
        colour: Rgb,
        /// How many pixels have colours that stand for nothing.
        count: usize,
    },
}

/// How bright a pixel of a picture in shades of grey must be to be ground.
const THRESHOLD: u8 = 128;

impl Picture {
    /// Reads a PNG file. What is transparent counts as white.
    pub fn from_png(bytes: &[u8]) -> Result<Self, ImportError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width, reader.info().height);
        // Before memory is taken for a picture that makes no map.
        highroad_core::Extent::new(u64::from(width), u64::from(height))?;
        let raw_bytes = (reader.info().raw_row_length() as u64).saturating_mul(u64::from(height));
        if raw_bytes > (bytes.len() as u64).saturating_mul(DEFLATE_RATIO_MAX) {
            return Err(ImportError::Form);
        }
        let size = reader.output_buffer_size().ok_or(ImportError::Form)?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels)?;
        let samples = info.color_type.samples();
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        for pixel in pixels.chunks_exact(samples).take(width as usize * height as usize) {
            rgb.extend(match *pixel {
                [grey] => [grey; 3],
                [grey, alpha] => [over_white(grey, alpha); 3],
                [red, green, blue] => [red, green, blue],
                [red, green, blue, alpha] => {
                    [red, green, blue].map(|channel| over_white(channel, alpha))
                }
                _ => [255; 3],
            });
        }
        if rgb.len() != width as usize * height as usize * 3 {
            return Err(ImportError::Form);
        }
        Ok(Self { width, height, rgb })
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn colour(&self, cell: Cell) -> Rgb {
        let at = (cell.y as usize * self.width as usize + cell.x as usize) * 3;
        Rgb(self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
    }

    /// The map on which pixels darker than `threshold` are walls.
    pub fn to_map(&self, threshold: u8) -> Result<GridMap, SizeError> {
        GridMap::from_fn(self.width, self.height, |cell| {
            let shade = luma(self.colour(cell));
            if shade < threshold { Terrain::WALL } else { Terrain::GROUND }
        })
    }

    /// The map of the colours' terrain ([`terrain_colour`](crate::terrain_colour)), and of `others` beside
    /// them. In a picture in shades of grey, what is darker than the middle is wall.
    pub fn to_terrain(&self, others: &[(Rgb, Terrain)]) -> Result<GridMap, ImportError> {
        let meaning = |colour: Rgb| {
            let other = others.iter().find(|(known, _)| *known == colour);
            other.map(|(_, terrain)| *terrain).or_else(|| terrain_of(colour))
        };
        // Neighbours are mostly of one colour.
        let mut last = (Rgb(0, 0, 0), meaning(Rgb(0, 0, 0)));
        let mut unknown: Option<(Cell, Rgb, usize)> = None;
        let map = GridMap::from_fn(self.width, self.height, |at| {
            let colour = self.colour(at);
            if colour != last.0 {
                last = (colour, meaning(colour));
            }
            last.1.unwrap_or_else(|| {
                unknown.get_or_insert((at, colour, 0)).2 += 1;
                Terrain::WALL
            })
        })?;
        match unknown {
            None => Ok(map),
            Some(_) if self.is_grey() => Ok(self.to_map(THRESHOLD)?),
            Some((at, colour, count)) => Err(ImportError::Colour { at, colour, count }),
        }
    }

    fn is_grey(&self) -> bool {
        self.rgb.chunks_exact(3).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2])
    }
}

/// How bright a colour looks (ITU-R BT.601).
fn luma(Rgb(red, green, blue): Rgb) -> u8 {
    ((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114 + 500) / 1000) as u8
}

fn over_white(shade: u8, alpha: u8) -> u8 {
    let (shade, alpha) = (u32::from(shade), u32::from(alpha));
    ((shade * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(colour: png::ColorType, width: u32, bytes: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let height = bytes.len() as u32 / colour.samples() as u32 / width;
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(colour);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(bytes).unwrap();
        writer.finish().unwrap();
        file
    }

    #[test]
    fn dark_pixels_are_walls_from_the_threshold_down() {
        let file = png(png::ColorType::Grayscale, 3, &[0, 100, 255, 127, 128, 129]);
        let picture = Picture::from_png(&file).unwrap();
        assert_eq!(picture.size(), (3, 2));
        assert_eq!(picture.to_map(128).unwrap().to_string(), "@@.\n@..\n");
        assert_eq!(picture.to_map(0).unwrap().to_string(), "...\n...\n");
        assert_eq!(picture.to_map(255).unwrap().to_string(), "@@.\n@@@\n");
        assert_eq!(picture.to_terrain(&[]).unwrap().to_string(), "@@.\n@..\n", "shades of grey");
    }

    #[test]
    fn colours_and_transparency_count() {
        let file = png(png::ColorType::Rgba, 2, &[0, 0, 0, 0, 0, 0, 200, 255]);
        let picture = Picture::from_png(&file).unwrap();
        assert_eq!(picture.to_map(128).unwrap().to_string(), ".@\n");
    }

    #[test]
    fn a_colour_that_stands_for_nothing_is_named_with_its_place() {
        let pixels = [255, 255, 255, 0, 0, 255, 9, 10, 255, 0, 0, 0, 9, 10, 255, 128, 128, 0];
        let picture = Picture::from_png(&png(png::ColorType::Rgb, 2, &pixels)).unwrap();
        let error = picture.to_terrain(&[]).unwrap_err().to_string();
        assert!(error.starts_with("the pixel in column 0, row 1 has the colour 090aff"), "{error}");
        assert!(error.contains("as 2 in all do"), "{error}");
        let water = [(Rgb(9, 10, 255), Terrain::WATER)];
        assert_eq!(picture.to_terrain(&water).unwrap().to_string(), ".W\nW@\nWS\n");
    }

    #[test]
    fn what_is_no_png_is_refused() {
        for bytes in [&b""[..], b"type octile\n", &[0x89, b'P', b'N', b'G', 1, 2, 3]] {
            assert!(matches!(Picture::from_png(bytes), Err(ImportError::Png(_))));
        }
        let whole = png(png::ColorType::Grayscale, 64, &[7; 64 * 64]);
        for cut in [8, 30, 45, whole.len() / 2] {
            assert!(Picture::from_png(&whole[..cut]).is_err(), "{cut}");
        }
    }
}
