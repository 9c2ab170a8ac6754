//! Agents in continuous space on a map, and where many of them go.

use crate::canvas::Canvas;
use crate::colour::{Colour, Ink};
use crate::paths::COLOURS;
use crate::scene::Scene;
use crate::surface::{Spot, Surface, Viewport};
use highroad_core::{Cell, Point};

/// An agent with a size and a heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureBody {
    /// Its middle.
    pub at: Point,
    /// Its radius, in cells.
    pub radius: f32,
    /// Where it looks, of length one.
    pub heading: (f32, f32),
    /// The number of its colour; agents with the same number look the same.
    pub colour: usize,
}

/// Numbers of cells as a heat map, and directions as lines.
#[derive(Clone, Copy)]
pub struct HeatLayer<'a> {
    /// For each cell, row by row, how much there is of something, from 0 to 1. Where there is nothing the map is seen.
    pub shares: &'a [f32],
    /// For each cell where the line goes that is drawn from its middle, in cells; none of them or one for each cell.
    pub arrows: &'a [(f32, f32)],
}

/// A map with agents in continuous space and a heat map.
///
/// ```
/// use highroad_core::{Grid, Point};
/// use highroad_pictures::{CrowdPicture, HeatLayer, PictureBody, Scene, Viewport};
/// let grid = Grid::with_defaults("...\n...\n".parse()?);
/// let shares = [0.0, 0.5, 1.0, 0.0, 0.0, 0.0];
/// let body = PictureBody { at: Point { x: 1.5, y: 0.5 }, radius: 0.4, heading: (1.0, 0.0), colour: 0 };
/// let picture = CrowdPicture {
///     scene: Scene::new(&grid),
///     heat: Some(HeatLayer { shares: &shares, arrows: &[] }),
///     bodies: &[body],
/// };
/// let canvas = picture.to_canvas(&Viewport::whole(grid.extent()));
/// assert_eq!((canvas.width(), canvas.height()), (96, 64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CrowdPicture<'a> {
    /// The map, and what else is on it.
    pub scene: Scene<'a>,
    /// What lies over the cells.
    pub heat: Option<HeatLayer<'a>>,
    /// The agents.
    pub bodies: &'a [PictureBody],
}

/// How much heat covers the map.
const HEAT: f32 = 0.85;
/// Pixels of a body's radius from which its heading is drawn.
const HEADING_MIN: f32 = 3.0;

impl CrowdPicture<'_> {
    /// The picture as pixels.
    pub fn to_canvas(&self, viewport: &Viewport) -> Canvas {
        let viewport = viewport.at_corner();
        let mut canvas = self.scene.to_canvas(&viewport);
        if let Some(heat) = &self.heat {
            self.draw_heat(heat, &viewport, &mut canvas);
        }
        self.bodies.iter().for_each(|body| draw_body(body, &viewport, &mut canvas));
        canvas
    }

    fn draw_heat(&self, heat: &HeatLayer<'_>, viewport: &Viewport, canvas: &mut Canvas) {
        let cells = || self.scene.grid.extent().cells();
        for (cell, &share) in cells().zip(heat.shares).filter(|(_, share)| **share > 0.0) {
            let least = viewport.spot(Point { x: cell.x as f32, y: cell.y as f32 });
            // At least a pixel, so that a busy cell of a large map is not lost.
            let side = viewport.scale.max(1.0);
            canvas.rectangle(least, (least.0 + side, least.1 + side), Colour::ramp(share).at(HEAT));
        }
        let is_arrow = |arrow: &(Cell, &(f32, f32))| *arrow.1 != (0.0, 0.0);
        for (cell, &(x, y)) in cells().zip(heat.arrows).filter(is_arrow) {
            let Point { x: left, y: top } = Point::middle_of(cell);
            let (from, to) = (
                viewport.spot(Point { x: left, y: top }),
                viewport.spot(Point { x: left + x, y: top + y }),
            );
            draw_arrow(from, to, viewport.scale, canvas);
        }
    }
}

fn draw_arrow(from: Spot, to: Spot, scale: f32, canvas: &mut Canvas) {
    let ink = Colour::OUTLINE.at(0.9);
    let width = (scale * 0.08).max(1.0);
    canvas.line(from, to, width, ink);
    canvas.disc(from, width, ink);
}

fn draw_body(body: &PictureBody, viewport: &Viewport, canvas: &mut Canvas) {
    let (middle, radius) = (viewport.spot(body.at), (body.radius * viewport.scale).max(0.7));
    let colour = COLOURS[body.colour % COLOURS.len()];
    if radius < HEADING_MIN {
        canvas.disc(middle, radius, colour.at(1.0));
        return;
    }
    canvas.disc(middle, radius, Colour::OUTLINE.at(1.0));
    canvas.disc(middle, radius - 1.0, colour.at(1.0));
    let front = (middle.0 + body.heading.0 * radius, middle.1 + body.heading.1 * radius);
    let white: Ink = Colour(255, 255, 255).at(1.0);
    canvas.line(middle, front, (radius * 0.25).max(1.0), white);
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::Grid;

    #[test]
    fn bodies_cover_heat_and_heat_covers_ground() {
        let grid = Grid::with_defaults("....\n....\n".parse().unwrap());
        let mut shares = [0.0; 8];
        (shares[1], shares[2]) = (1.0, 0.2);
        let arrows = [(0.0, 0.0); 8];
        let at = Point { x: 2.5, y: 0.5 };
        let body = PictureBody { at, radius: 0.4, heading: (0.0, -1.0), colour: 3 };
        let heat = Some(HeatLayer { shares: &shares, arrows: &arrows });
        let scene = Scene { grid_lines: false, ..Scene::new(&grid) };
        let picture = CrowdPicture { scene, heat, bodies: &[body] };
        let canvas = picture.to_canvas(&Viewport::whole(grid.extent()));
        assert_eq!(canvas.get(16, 16), Colour::GROUND);
        assert_ne!(canvas.get(48, 16), Colour::GROUND);
        assert_eq!(canvas.get(80, 20), COLOURS[3]);
    }
}
