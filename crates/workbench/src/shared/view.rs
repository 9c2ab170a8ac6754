//! Which part of the map is seen.

use highroad::Cell;
use highroad::grid::Extent;
use highroad::planner::Point;
use highroad_pictures::Viewport;

/// Pixels a cell's side may take at the most.
const SCALE_MAX: f32 = 96.0;
/// Empty space around a map that is fitted into the view, as a share of the view.
const MARGIN: f32 = 0.04;

/// How wide the row numbers at the left are, and how high the column numbers above: they cover nothing of a map that is
/// fitted into the view.
const STRIPS: (f32, f32) = (30.0, 18.0);

/// Which part of the map is seen.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// What lies in the middle, in cells.
    pub middle: Point,
    /// Pixels that a cell's side takes.
    pub scale: f32,
    /// Whether the whole map is to be fitted in when its place is known.
    pub fit: bool,
    /// Whether the whole map is fitted in, so that it is fitted again when the place changes.
    is_fitted: bool,
    /// The largest scale.
    scale_max: f32,
    /// The viewport drawn last.
    pub viewport: Viewport,
}

impl Default for View {
    fn default() -> Self {
        Self {
            middle: Point { x: 0.0, y: 0.0 },
            scale: 8.0,
            fit: true,
            is_fitted: false,
            scale_max: SCALE_MAX,
            viewport: Viewport {
                origin: (0.0, 0.0),
                scale: 8.0,
                corner: (0.0, 0.0),
                size: (1.0, 1.0),
            },
        }
    }
}

impl View {
    /// The viewport for a rectangle on the surface.
    pub fn place(&mut self, extent: Extent, corner: (f32, f32), size: (f32, f32)) -> Viewport {
        let most = [extent.width() as f32, extent.height() as f32];
        self.place_between([[0.0; 2], most], SCALE_MAX, corner, size)
    }

    /// As [`View::place`], for whatever lies between two corners, in units of any size.
    pub fn place_within(
        &mut self,
        bounds: [[f32; 2]; 2],
        corner: (f32, f32),
        size: (f32, f32),
    ) -> Viewport {
        /// How much larger things can be made than they are when everything is seen.
        const ZOOM_MAX: f32 = 200.0;
        let [least, most] = bounds;
        let longest = (most[0] - least[0]).max(most[1] - least[1]).max(f32::MIN_POSITIVE);
        let scale_max = ZOOM_MAX * size.0.max(size.1).max(1.0) / longest;
        self.place_between(bounds, scale_max, corner, size)
    }

    fn place_between(
        &mut self,
        [least, most]: [[f32; 2]; 2],
        scale_max: f32,
        corner: (f32, f32),
        size: (f32, f32),
    ) -> Viewport {
        let size = (size.0.max(1.0), size.1.max(1.0));
        self.scale_max = scale_max;
        let sides = [0, 1].map(|axis| (most[axis] - least[axis]).max(f32::MIN_POSITIVE));
        if self.fit || self.is_fitted && self.viewport.size != size {
            self.fit = false;
            self.is_fitted = true;
            let room = |length: f32, strip: f32| {
                (length * (1.0 - 2.0 * MARGIN)).min(length - 2.0 * strip).max(1.0)
            };
            let (across, down) = (room(size.0, STRIPS.0), room(size.1, STRIPS.1));
            self.scale = (across / sides[0]).min(down / sides[1]).min(scale_max / 2.0);
            self.middle = Point { x: least[0] + sides[0] / 2.0, y: least[1] + sides[1] / 2.0 };
        }
        let smallest = (24.0 / sides[0].max(sides[1])).min(scale_max / SCALE_MAX);
        self.scale = self.scale.clamp(smallest, scale_max);
        self.middle.x = self.middle.x.clamp(least[0], most[0]);
        self.middle.y = self.middle.y.clamp(least[1], most[1]);
        let origin =
            (self.middle.x - size.0 / 2.0 / self.scale, self.middle.y - size.1 / 2.0 / self.scale);
        self.viewport = Viewport { origin, scale: self.scale, corner, size };
        self.viewport
    }

    /// Makes cells larger or smaller; what lies at the spot stays there.
    pub fn zoom(&mut self, spot: (f32, f32), factor: f32) {
        self.is_fitted = false;
        let before = self.viewport.point(spot);
        self.scale = (self.scale * factor).clamp(self.scale_max * 1e-4, self.scale_max);
        let grown = self.viewport.scale / self.scale;
        self.middle = Point {
            x: before.x + (self.middle.x - before.x) * grown,
            y: before.y + (self.middle.y - before.y) * grown,
        };
        self.viewport.scale = self.scale;
        let size = self.viewport.size;
        self.viewport.origin =
            (self.middle.x - size.0 / 2.0 / self.scale, self.middle.y - size.1 / 2.0 / self.scale);
    }

    /// Makes cells larger or smaller; the middle of the view stays.
    pub fn zoom_middle(&mut self, factor: f32) {
        let Viewport { corner, size, .. } = self.viewport;
        self.zoom((corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0), factor);
    }

    /// Moves the map by some pixels.
    pub fn pan(&mut self, pixels: (f32, f32)) {
        self.is_fitted = false;
        self.middle.x -= pixels.0 / self.scale;
        self.middle.y -= pixels.1 / self.scale;
    }

    /// Brings a cell into the middle if it cannot be seen.
    pub fn reveal(&mut self, cell: Cell) {
        let (x, y) = self.viewport.middle(cell);
        let (left, top) = self.viewport.corner;
        let seen = (left..left + self.viewport.size.0).contains(&x)
            && (top..top + self.viewport.size.1).contains(&y);
        if !seen {
            self.is_fitted = false;
            self.middle = Point::middle_of(cell);
        }
    }

    /// Shows a part of the map: what lies in the middle, and pixels that a cell takes.
    pub fn show_part(&mut self, middle: Point, scale: f32) {
        (self.fit, self.is_fitted) = (false, false);
        (self.middle, self.scale) = (middle, scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_map_is_fitted_again_when_the_window_changes() {
        let extent = Extent::new(200, 100).unwrap();
        let mut view = View::default();
        let wide = view.place(extent, (0.0, 0.0), (800.0, 600.0)).scale;
        let narrow = view.place(extent, (0.0, 0.0), (400.0, 600.0)).scale;
        let leaves_strips = |scale: f32, width: f32| scale * 200.0 <= width - 2.0 * STRIPS.0 + 1e-3;
        assert!(leaves_strips(wide, 800.0) && leaves_strips(narrow, 400.0), "{wide} {narrow}");
        assert!(narrow < wide && narrow > 1.6, "{wide} {narrow}");
        view.zoom((200.0, 300.0), 3.0);
        let zoomed = view.scale;
        view.place(extent, (0.0, 0.0), (800.0, 600.0));
        assert_eq!(view.scale, zoomed, "what was chosen by hand stays");
    }

    #[test]
    fn the_whole_map_fits_and_zooming_keeps_what_is_under_the_pointer() {
        let extent = Extent::new(200, 100).unwrap();
        let mut view = View::default();
        let viewport = view.place(extent, (50.0, 30.0), (800.0, 600.0));
        let (columns, rows) = viewport.seen(extent);
        assert_eq!((columns, rows), (0..200, 0..100));
        let spot = (333.0, 222.0);
        let before = viewport.point(spot);
        view.zoom(spot, 2.5);
        let after = view.place(extent, (50.0, 30.0), (800.0, 600.0)).point(spot);
        assert!((before.x - after.x).abs() < 1e-3 && (before.y - after.y).abs() < 1e-3);
        assert_eq!(view.place(extent, (0.0, 0.0), (400.0, 300.0)).scale, view.scale, "not fitted");
        view.place(extent, (50.0, 30.0), (800.0, 600.0));
        view.pan((80.0, 0.0));
        let moved = view.place(extent, (50.0, 30.0), (800.0, 600.0)).point(spot);
        assert!((after.x - moved.x - 80.0 / view.scale).abs() < 1e-3);
    }
}
