//! What pictures are drawn on, and where: the same drawing goes onto pixels, into an SVG file or into a
//! window.

use crate::colour::Ink;
use crate::lettering::{letters_height, text_width, write_letters};
use highroad_core::{Cell, Extent, Point};

/// A place on a surface, in pixels from the top left.
pub type Spot = (f32, f32);

/// Something to draw on.
pub trait Surface {
    /// A straight line.
    fn line(&mut self, from: Spot, to: Spot, width: f32, ink: Ink);
    /// A filled rectangle between two corners, the upper left one first.
    fn rectangle(&mut self, min: Spot, max: Spot, ink: Ink);
    /// A filled circle.
    fn disc(&mut self, middle: Spot, radius: f32, ink: Ink);
    /// A filled triangle.
    fn triangle(&mut self, corners: [Spot; 3], ink: Ink);

    /// A filled convex polygon.
    fn polygon(&mut self, corners: &[Spot], ink: Ink) {
        for at in 2..corners.len() {
            self.triangle([corners[0], corners[at - 1], corners[at]], ink);
        }
    }

    /// Lines from spot to spot.
    fn chain(&mut self, spots: &[Spot], width: f32, ink: Ink) {
        for pair in spots.windows(2) {
            self.line(pair[0], pair[1], width, ink);
        }
    }

    /// A line of text with its upper left corner there, in letters that high.
    fn text(&mut self, corner: Spot, height: f32, text: &str, ink: Ink) {
        write_letters(self, corner, height, text, ink);
    }

    /// A line of text around its middle, in letters that high.
    fn label(&mut self, middle: Spot, height: f32, text: &str, ink: Ink) {
        let (width, height) = (text_width(text, height), letters_height(height));
        let corner = (middle.0 - width / 2.0, middle.1 - height / 2.0);
        self.text(corner, height, text, ink);
    }
}

/// Which part of the map is seen, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// What lies at the upper left corner, in cells.
    pub origin: (f32, f32),
    /// Pixels that a cell's side takes.
    pub scale: f32,
    /// Where that corner is on the surface, in pixels.
    pub corner: Spot,
    /// Size on the surface, in pixels.
    pub size: (f32, f32),
}

/// The side that a picture's longer side comes near to, in pixels.
const SIDE_PIXELS: u32 = 1024;

impl Viewport {
    /// The whole map, its longer side about a thousand pixels.
    pub fn whole(extent: Extent) -> Self {
        let side = extent.width().max(extent.height());
        let (scale, pixels): (f32, fn(u32, u32) -> u32) = if side <= SIDE_PIXELS {
            ((SIDE_PIXELS / side).clamp(1, 32) as f32, |cells, step| cells * step)
        } else {
            (side.div_ceil(2 * SIDE_PIXELS) as f32, |cells, step| cells.div_ceil(step))
        };
        let step = scale as u32;
        let size = (pixels(extent.width(), step) as f32, pixels(extent.height(), step) as f32);
        let scale = if side <= SIDE_PIXELS { scale } else { 1.0 / scale };
        Self { origin: (0.0, 0.0), scale, corner: (0.0, 0.0), size }
    }

    /// Everything between two corners, its longer side about a thousand pixels.
    pub fn around([least, most]: [[f64; 2]; 2]) -> Self {
        let [width, height] = [0, 1].map(|axis| (most[axis] - least[axis]).max(0.0));
        let side = width.max(height);
        let scale = if side > 0.0 { f64::from(SIDE_PIXELS) / side } else { 1.0 };
        let pixels = |length: f64| (length * scale).ceil().max(1.0) as f32;
        Self {
            origin: (least[0] as f32, least[1] as f32),
            scale: scale as f32,
            corner: (0.0, 0.0),
            size: (pixels(width), pixels(height)),
        }
    }

    /// The same part of the map at the upper left corner of the surface.
    pub(crate) fn at_corner(&self) -> Self {
        Self { corner: (0.0, 0.0), ..*self }
    }

    /// Where a place on the map is on the surface.
    pub fn spot(&self, point: Point) -> Spot {
        (
            self.corner.0 + (point.x - self.origin.0) * self.scale,
            self.corner.1 + (point.y - self.origin.1) * self.scale,
        )
    }

    /// The middle of a cell on the surface.
    pub fn middle(&self, cell: Cell) -> Spot {
        self.spot(Point::middle_of(cell))
    }

    /// The middle of a square of cells on the surface, by its top left cell and its side.
    pub fn middle_of_square(&self, cell: Cell, side: u8) -> Spot {
        let Point { x, y } = Point::middle_of(cell);
        let more = (f32::from(side) - 1.0) / 2.0;
        self.spot(Point { x: x + more, y: y + more })
    }

    /// The place on the map at a spot.
    pub fn point(&self, spot: Spot) -> Point {
        Point {
            x: self.origin.0 + (spot.0 - self.corner.0) / self.scale,
            y: self.origin.1 + (spot.1 - self.corner.1) / self.scale,
        }
    }

    /// The cell at a spot, if there is one.
    pub fn cell(&self, extent: Extent, spot: Spot) -> Option<Cell> {
        let Point { x, y } = self.point(spot);
        let inside = x >= 0.0 && y >= 0.0;
        inside.then_some(Cell::new(x as u32, y as u32)).filter(|&cell| extent.contains(cell))
    }

    /// The columns and rows of cells that are seen, at least in part.
    pub fn seen(&self, extent: Extent) -> (std::ops::Range<u32>, std::ops::Range<u32>) {
        let range = |low: f32, pixels: f32, side: u32| {
            let end = (low + pixels / self.scale).ceil().clamp(0.0, side as f32) as u32;
            (low.floor().clamp(0.0, side as f32) as u32)..end
        };
        (
            range(self.origin.0, self.size.0, extent.width()),
            range(self.origin.1, self.size.1, extent.height()),
        )
    }

    /// Whether a box around two places can be seen.
    pub(crate) fn shows(&self, a: Point, b: Point) -> bool {
        let (a, b) = (self.spot(a), self.spot(b));
        let (left, top) = self.corner;
        let (right, bottom) = (left + self.size.0, top + self.size.1);
        // A line's width or a disc's radius may reach in from outside.
        let margin = 16.0;
        a.0.max(b.0) >= left - margin
            && a.0.min(b.0) <= right + margin
            && a.1.max(b.1) >= top - margin
            && a.1.min(b.1) <= bottom + margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_turn_back_into_places() {
        let viewport =
            Viewport { origin: (3.5, -2.0), scale: 7.0, corner: (10.0, 20.0), size: (70.0, 35.0) };
        let point = viewport.point(viewport.spot(Point { x: 5.25, y: 1.0 }));
        assert!((point.x - 5.25).abs() < 1e-5 && (point.y - 1.0).abs() < 1e-5);
        let extent = Extent::new(8, 8).unwrap();
        assert_eq!(viewport.seen(extent), (3..8, 0..3));
        assert_eq!(viewport.cell(extent, viewport.middle(Cell::new(4, 0))), Some(Cell::new(4, 0)));
        assert_eq!(viewport.cell(extent, (10.0, 20.0)), None, "above the map");
        assert_eq!(viewport.middle_of_square(Cell::new(4, 0), 3), viewport.middle(Cell::new(5, 1)));
    }

    #[test]
    fn large_maps_shrink_and_small_ones_grow() {
        let size = |width, height| Viewport::whole(Extent::new(width, height).unwrap()).size;
        assert_eq!(size(1, 1), (32.0, 32.0));
        assert_eq!(size(768, 512), (768.0, 512.0));
        assert_eq!(size(5000, 100), (1667.0, 34.0));
    }
}
