//! Pictures as SVG files: the cells as an embedded picture, everything else as shapes.

use crate::base64::push_png_url;
use crate::canvas::{Canvas, PictureError};
use crate::colour::{Colour, Ink};
use crate::surface::{Spot, Surface, Viewport};
use std::fmt::Write;

/// An SVG file being written.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    pub(crate) fn new(width: f32, height: f32) -> Self {
        let mut text = String::new();
        _ = writeln!(
            text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}">"#
        );
        Self { text }
    }

    /// What is drawn in a viewport, which is moved to the upper left corner, as the text of a file.
    pub(crate) fn drawn(viewport: &Viewport, draw: impl FnOnce(&Viewport, &mut Self)) -> String {
        let viewport = viewport.at_corner();
        let mut svg = Self::new(viewport.size.0, viewport.size.1);
        draw(&viewport, &mut svg);
        svg.finish()
    }

    /// Puts pixels onto a rectangle, each as a sharp square.
    pub(crate) fn image(
        &mut self,
        corner: Spot,
        size: (f32, f32),
        pixels: &Canvas,
    ) -> Result<(), PictureError> {
        let mut bytes = Vec::new();
        pixels.write_png(&mut bytes)?;
        _ = write!(
            self.text,
            r#"<image x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}" preserveAspectRatio="none" style="image-rendering:pixelated" href=""#,
            corner.0, corner.1, size.0, size.1
        );
        push_png_url(&mut self.text, &bytes);
        self.text.push_str("\"/>\n");
        Ok(())
    }

    /// Writes a text so far below a spot, with a further attribute.
    fn write(&mut self, spot: Spot, below: f32, height: f32, more: &str, text: &str, ink: Ink) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        _ = writeln!(
            self.text,
            r#"<text x="{:.2}" y="{:.2}" font-family="sans-serif" font-size="{height:.2}"{more} fill="{}" fill-opacity="{:.2}">{text}</text>"#,
            spot.0,
            spot.1 + below,
            colour(ink.colour),
            ink.opacity
        );
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn colour(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Surface for Svg {
    fn line(&mut self, from: Spot, to: Spot, width: f32, ink: Ink) {
        self.chain(&[from, to], width, ink);
    }

    fn chain(&mut self, spots: &[Spot], width: f32, ink: Ink) {
        self.text.push_str("<polyline points=\"");
        for (x, y) in spots {
            _ = write!(self.text, "{x:.2},{y:.2} ");
        }
        _ = writeln!(
            self.text,
            r#"" fill="none" stroke="{}" stroke-width="{width:.2}" stroke-opacity="{:.2}" stroke-linecap="round" stroke-linejoin="round"/>"#,
            colour(ink.colour),
            ink.opacity
        );
    }

    fn rectangle(&mut self, min: Spot, max: Spot, ink: Ink) {
        _ = writeln!(
            self.text,
            r#"<rect x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}" fill="{}" fill-opacity="{:.2}"/>"#,
            min.0,
            min.1,
            max.0 - min.0,
            max.1 - min.1,
            colour(ink.colour),
            ink.opacity
        );
    }

    fn disc(&mut self, middle: Spot, radius: f32, ink: Ink) {
        _ = writeln!(
            self.text,
            r#"<circle cx="{:.2}" cy="{:.2}" r="{radius:.2}" fill="{}" fill-opacity="{:.2}"/>"#,
            middle.0,
            middle.1,
            colour(ink.colour),
            ink.opacity
        );
    }

    fn text(&mut self, corner: Spot, height: f32, text: &str, ink: Ink) {
        // A letter without a tail stands on its line.
        self.write(corner, 0.85 * height, height, "", text, ink);
    }

    fn label(&mut self, middle: Spot, height: f32, text: &str, ink: Ink) {
        self.write(middle, 0.35 * height, height, r#" text-anchor="middle""#, text, ink);
    }

    fn triangle(&mut self, corners: [Spot; 3], ink: Ink) {
        self.polygon(&corners, ink);
    }

    fn polygon(&mut self, corners: &[Spot], ink: Ink) {
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        _ = writeln!(
            self.text,
            r#"<polygon points="{}" fill="{}" fill-opacity="{:.2}"/>"#,
            points.join(" "),
            colour(ink.colour),
            ink.opacity
        );
    }
}
