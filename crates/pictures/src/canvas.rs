//! A rectangle of pixels, and shapes on it.

use crate::colour::{Colour, Ink};
use crate::surface::{Spot, Surface, Viewport};
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
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { width, height, rgb: vec![0; width as usize * height as usize * 3] }
    }

    /// What is drawn in a viewport, which is moved to the upper left corner.
    pub(crate) fn drawn(viewport: &Viewport, draw: impl FnOnce(&Viewport, &mut Self)) -> Self {
        let viewport = viewport.at_corner();
        let mut canvas = Self::new(viewport.size.0 as u32, viewport.size.1 as u32);
        draw(&viewport, &mut canvas);
        canvas
    }

    /// Pixels a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green and blue of each pixel, row by row.
    pub(crate) fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    fn index(&self, x: u32, y: u32) -> usize {
        (y as usize * self.width as usize + x as usize) * 3
    }

    /// The colour of a pixel.
    pub fn get(&self, x: u32, y: u32) -> Colour {
        let at = self.index(x, y);
        Colour(self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
    }

    pub(crate) fn set(&mut self, x: u32, y: u32, colour: Colour) {
        let at = self.index(x, y);
        self.rgb[at..at + 3].copy_from_slice(&[colour.0, colour.1, colour.2]);
    }

    /// Makes a row look like the one above it.
    pub(crate) fn repeat_row(&mut self, y: u32) {
        let (from, to) = (self.index(0, y - 1), self.index(0, y));
        self.rgb.copy_within(from..to, to);
    }

    /// Puts another canvas onto the upper left corner; what does not fit is cut off.
    pub(crate) fn put(&mut self, other: &Self) {
        for y in 0..other.height.min(self.height) {
            for x in 0..other.width.min(self.width) {
                self.set(x, y, other.get(x, y));
            }
        }
    }

    /// Colours pixels in a box by how much of each is covered, given its middle: from 0 to 1.
    fn cover(&mut self, (min, max): (Spot, Spot), ink: Ink, covered: impl Fn(f32, f32) -> f32) {
        let span = |low: f32, high: f32, pixels: u32| {
            let first = (low - 1.0).max(0.0) as u32;
            first..((high + 1.0).ceil().max(0.0) as u32).min(pixels)
        };
        let columns = span(min.0, max.0, self.width);
        for y in span(min.1, max.1, self.height) {
            for x in columns.clone() {
                let share = covered(x as f32 + 0.5, y as f32 + 0.5).clamp(0.0, 1.0) * ink.opacity;
                if share > 0.0 {
                    self.set(x, y, self.get(x, y).blend(ink.colour, share));
                }
            }
        }
    }

    /// The part of a box of that many pixels that lies on the canvas.
    fn clipped(&self, min: Spot, max: Spot) -> (Spot, Spot) {
        let (width, height) = (self.width as f32, self.height as f32);
        let clip = |spot: Spot| (spot.0.clamp(0.0, width), spot.1.clamp(0.0, height));
        (clip(min), clip(max))
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

impl Surface for Canvas {
    /// A line with round ends.
    fn line(&mut self, from: Spot, to: Spot, width: f32, ink: Ink) {
        let reach = width / 2.0;
        let min = (from.0.min(to.0) - reach, from.1.min(to.1) - reach);
        let max = (from.0.max(to.0) + reach, from.1.max(to.1) + reach);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length_squared = (dx * dx + dy * dy).max(f32::EPSILON);
        self.cover(self.clipped(min, max), ink, |x, y| {
            let along = ((x - from.0) * dx + (y - from.1) * dy) / length_squared;
            let along = along.clamp(0.0, 1.0);
            reach + 0.5 - (x - from.0 - along * dx).hypot(y - from.1 - along * dy)
        });
    }

    fn rectangle(&mut self, min: Spot, max: Spot, ink: Ink) {
        let within = |at: f32, low: f32, high: f32| (at - low + 0.5).min(high - at + 0.5).min(1.0);
        self.cover(self.clipped(min, max), ink, |x, y| {
            within(x, min.0, max.0).max(0.0) * within(y, min.1, max.1).max(0.0)
        });
    }

    fn disc(&mut self, middle: Spot, radius: f32, ink: Ink) {
        self.line(middle, middle, 2.0 * radius, ink);
    }

    fn triangle(&mut self, corners: [Spot; 3], ink: Ink) {
        self.polygon(&corners, ink);
    }

    fn polygon(&mut self, corners: &[Spot], ink: Ink) {
        let low = |at: fn(&Spot) -> f32| corners.iter().map(at).fold(f32::INFINITY, f32::min);
        let high = |at: fn(&Spot) -> f32| corners.iter().map(at).fold(f32::NEG_INFINITY, f32::max);
        let next = |at: usize| corners[(at + 1) % corners.len()];
        let area = |(at, from): (usize, &Spot)| from.0 * next(at).1 - from.1 * next(at).0;
        let turn: f32 = corners.iter().enumerate().map(area).sum();
        // How far a place lies inside of an edge.
        let inside = move |from: Spot, to: Spot, x: f32, y: f32| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let cross = dx * (y - from.1) - dy * (x - from.0);
            cross * turn.signum() / dx.hypot(dy).max(f32::EPSILON)
        };
        let (min, max) = ((low(|at| at.0), low(|at| at.1)), (high(|at| at.0), high(|at| at.1)));
        let sides = || corners.iter().enumerate().map(|(at, &from)| (from, next(at)));
        self.cover(self.clipped(min, max), ink, |x, y| {
            let depths = sides().filter(|(from, to)| from != to);
            0.5 + depths.map(|(from, to)| inside(from, to, x, y)).fold(f32::INFINITY, f32::min)
        });
    }
}
