//! Maps out of pictures: dark is wall.

use highroad::{GridMap, SizeError, Terrain};
use std::io::Cursor;
use thiserror::Error;

/// A picture in shades of grey, a pixel a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreyPicture {
    width: u32,
    height: u32,
    /// From 0, black, to 255, white.
    shades: Vec<u8>,
}

/// Why a picture makes no map.
#[derive(Debug, Error)]
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
}

impl GreyPicture {
    /// Reads a PNG file. What is transparent counts as white.
    pub fn from_png(bytes: &[u8]) -> Result<Self, ImportError> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let (width, height) = (reader.info().width, reader.info().height);
        // Before memory is taken for a picture that makes no map.
        highroad::Extent::new(u64::from(width), u64::from(height))?;
        let size = reader.output_buffer_size().ok_or(ImportError::Form)?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels)?;
        let samples = info.color_type.samples();
        let shades: Vec<u8> = pixels
            .chunks_exact(samples)
            .take(width as usize * height as usize)
            .map(|pixel| match *pixel {
                [grey] => grey,
                [grey, alpha] => over_white(grey, alpha),
                [red, green, blue] => luma(red, green, blue),
                [red, green, blue, alpha] => over_white(luma(red, green, blue), alpha),
                _ => 255,
            })
            .collect();
        if shades.len() != width as usize * height as usize {
            return Err(ImportError::Form);
        }
        Ok(Self { width, height, shades })
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The map on which pixels darker than `threshold` are walls.
    pub fn to_map(&self, threshold: u8) -> Result<GridMap, SizeError> {
        GridMap::from_fn(self.width, self.height, |cell| {
            let shade = self.shades[cell.y as usize * self.width as usize + cell.x as usize];
            if shade < threshold { Terrain::WALL } else { Terrain::GROUND }
        })
    }
}

/// How bright a colour looks (ITU-R BT.601).
fn luma(red: u8, green: u8, blue: u8) -> u8 {
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
        let picture = GreyPicture::from_png(&file).unwrap();
        assert_eq!(picture.size(), (3, 2));
        assert_eq!(picture.to_map(128).unwrap().to_string(), "@@.\n@..\n");
        assert_eq!(picture.to_map(0).unwrap().to_string(), "...\n...\n");
        assert_eq!(picture.to_map(255).unwrap().to_string(), "@@.\n@@@\n");
    }

    #[test]
    fn colours_and_transparency_count() {
        let file = png(png::ColorType::Rgba, 2, &[0, 0, 0, 0, 0, 0, 200, 255]);
        let picture = GreyPicture::from_png(&file).unwrap();
        assert_eq!(picture.to_map(128).unwrap().to_string(), ".@\n");
    }

    #[test]
    fn what_is_no_png_is_refused() {
        for bytes in [&b""[..], b"type octile\n", &[0x89, b'P', b'N', b'G', 1, 2, 3]] {
            assert!(matches!(GreyPicture::from_png(bytes), Err(ImportError::Png(_))));
        }
        let whole = png(png::ColorType::Grayscale, 64, &[7; 64 * 64]);
        for cut in [8, 30, 45, whole.len() / 2] {
            assert!(GreyPicture::from_png(&whole[..cut]).is_err(), "{cut}");
        }
    }
}
