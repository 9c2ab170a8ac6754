//! A rectangle of pixels, and shapes on it.

use super::colour::Colour;
use std::io::Write;
use thiserror::Error;

/// Pixels in rows from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

/// A picture could not be written.
#[derive(Debug, Error)]
#[error("cannot write the picture: {0}")]
pub struct PictureError(#[from] png::EncodingError);

impl Canvas {
    pub(super) fn new(width: u32, height: u32) -> Self {
        Self { width, height, rgb: vec![0; width as usize * height as usize * 3] }
    }

    /// Pixels a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The places of all pixels.
    pub(super) fn pixels(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn index(&self, x: u32, y: u32) -> usize {
        (y as usize * self.width as usize + x as usize) * 3
    }

    /// The colour of a pixel.
    pub fn get(&self, x: u32, y: u32) -> Colour {
        let at = self.index(x, y);
        Colour(self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
    }

    pub(super) fn set(&mut self, x: u32, y: u32, colour: Colour) {
        let at = self.index(x, y);
        self.rgb[at..at + 3].copy_from_slice(&[colour.0, colour.1, colour.2]);
    }

    pub(super) fn fill_rect(&mut self, x: u32, y: u32, width: u32, height: u32, colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                self.set(column, row, colour);
            }
        }
    }

    /// As [`Canvas::fill_rect`], letting a fifth of what was there shine through.
    pub(super) fn tint_rect(&mut self, x: u32, y: u32, width: u32, height: u32, colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                let mixed = self.get(column, row).blend(colour, 0.8);
                self.set(column, row, mixed);
            }
        }
    }

    /// Colours every pixel near a box for which `inside` holds, given its middle.
    fn fill_where(
        &mut self,
        (left, top, right, bottom): (f32, f32, f32, f32),
        colour: Colour,
        inside: impl Fn(f32, f32) -> bool,
    ) {
        let columns = left.max(0.0) as u32..(right.ceil().max(0.0) as u32 + 1).min(self.width);
        let rows = top.max(0.0) as u32..(bottom.ceil().max(0.0) as u32 + 1).min(self.height);
        for y in rows {
            for x in columns.clone() {
                if inside(x as f32 + 0.5, y as f32 + 0.5) {
                    self.set(x, y, colour);
                }
            }
        }
    }

    /// A line with round ends.
    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, colour: Colour) {
        let reach = width / 2.0;
        let bounds = (
            from.0.min(to.0) - reach,
            from.1.min(to.1) - reach,
            from.0.max(to.0) + reach,
            from.1.max(to.1) + reach,
        );
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length_squared = (dx * dx + dy * dy).max(f32::EPSILON);
        self.fill_where(bounds, colour, |x, y| {
            let along = ((x - from.0) * dx + (y - from.1) * dy) / length_squared;
            let along = along.clamp(0.0, 1.0);
            (x - from.0 - along * dx).hypot(y - from.1 - along * dy) <= reach
        });
    }

    pub(super) fn disc(&mut self, middle: (f32, f32), radius: f32, colour: Colour) {
        self.line(middle, middle, 2.0 * radius, colour);
    }

    /// A flag on a pole whose foot stands at `foot`.
    pub(super) fn flag(&mut self, foot: (f32, f32), size: f32, colour: Colour) {
        let top = (foot.0, foot.1 - 2.2 * size);
        for (grown, colour) in [(1.5, Colour::OUTLINE), (0.0, colour)] {
            let (height, depth) = (1.3 * size, 1.5 * size);
            let bounds =
                (top.0 - grown, top.1 - grown, top.0 + depth + grown, top.1 + height + grown);
            self.fill_where(bounds, colour, |x, y| {
                // A triangle that points away from the pole.
                let along = (x - top.0) / depth;
                let off_middle = (y - top.1 - height / 2.0).abs();
                x >= top.0 - grown && off_middle <= height / 2.0 * (1.0 - along) + grown
            });
        }
        self.line(foot, top, (size / 3.0).max(1.5), Colour::OUTLINE);
        self.disc(foot, (size / 3.0).max(1.5), colour);
    }

    /// Writes the picture as a PNG file.
    pub fn write_png(&self, out: impl Write) -> Result<(), PictureError> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(())
    }
}
