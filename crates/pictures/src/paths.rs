//! Several paths on one map, each in a colour of its own, with a legend below.

use crate::canvas::{Canvas, PictureError};
use crate::colour::Colour;
use crate::lettering::text_width;
use crate::mesh::MeshScene;
use crate::scene::Scene;
use crate::surface::{Spot, Surface, Viewport};
use crate::svg::Svg;
use highroad_core::Point;

/// A path and what the legend says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PathLine {
    /// The path.
    pub points: Vec<Point>,
    /// Whose it is.
    pub label: String,
}

/// A map with several paths on it, at least one.
///
/// Where paths go the same way they lie on top of each other, each narrower than the one below, so that all
/// of them can be seen. Paths that are much longer than the shortest are thin, and lie below the others.
pub struct PathsPicture<'a> {
    /// The map, and where the paths start and end.
    pub backdrop: Backdrop<'a>,
    /// The paths, the best first.
    pub lines: &'a [PathLine],
}

/// What paths are drawn on.
pub enum Backdrop<'a> {
    /// A map of cells.
    Cells(Scene<'a>),
    /// A mesh.
    Mesh(MeshScene<'a>),
}

/// Colours that can be distinguished by everybody (Okabe and Ito, "Color Universal Design", 2008), the ones that
/// stand out most first. After them they come again, dashed.
pub(crate) const COLOURS: [Colour; 8] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(230, 159, 0),
    Colour(86, 180, 233),
    Colour(240, 228, 66),
    Colour(0, 0, 0),
];

/// Pixels of a line of the legend, of its letters, of the sample beside them, and around.
const LINE: f32 = 22.0;
const LETTER: f32 = 14.0;
const SAMPLE: f32 = 44.0;
const MARGIN: f32 = 10.0;
/// Pixels by which a path is narrower than the one that it lies on.
const NESTED: f32 = 2.5;
/// How wide detours are, and how much they cover: a path through every cell would hide the map.
const DETOUR: (f32, f32) = (1.0, 0.4);
/// Pixels of a dash and of the gap after it.
const DASH: f32 = 12.0;

impl PathsPicture<'_> {
    /// The picture as pixels.
    pub fn to_canvas(&self, viewport: &Viewport) -> Canvas {
        let viewport = Viewport { corner: (0.0, 0.0), ..*viewport };
        let (width, height) = self.size(&viewport);
        let mut canvas = Canvas::new(width as u32, height as u32);
        canvas.rectangle((0.0, 0.0), (width, height), Colour(255, 255, 255).at(1.0));
        match &self.backdrop {
            Backdrop::Cells(scene) => canvas.put(&scene.cells_canvas(&viewport)),
            Backdrop::Mesh(scene) => scene.draw_ground(&viewport, &mut canvas),
        }
        self.draw(&viewport, &mut canvas);
        canvas
    }

    /// The picture as the text of an SVG file.
    pub fn to_svg(&self, viewport: &Viewport) -> Result<String, PictureError> {
        let viewport = Viewport { corner: (0.0, 0.0), ..*viewport };
        let (width, height) = self.size(&viewport);
        let mut svg = Svg::new(width, height);
        svg.rectangle((0.0, 0.0), (width, height), Colour(255, 255, 255).at(1.0));
        match &self.backdrop {
            Backdrop::Cells(scene) => {
                svg.image((0.0, 0.0), viewport.size, &scene.cells_canvas(&viewport))?;
            }
            Backdrop::Mesh(scene) => scene.draw_ground(&viewport, &mut svg),
        }
        self.draw(&viewport, &mut svg);
        Ok(svg.finish())
    }

    fn size(&self, viewport: &Viewport) -> (f32, f32) {
        let labels = self.lines.iter().map(|line| text_width(&line.label, LETTER));
        let legend = labels.fold(0.0, f32::max) + SAMPLE + 3.0 * MARGIN;
        let height = viewport.size.1 + self.lines.len() as f32 * LINE + 2.0 * MARGIN;
        (viewport.size.0.max(legend).ceil(), height.ceil())
    }

    fn draw(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let shortest =
            self.lines.iter().map(|line| length(&line.points)).fold(f32::INFINITY, f32::min);
        let is_detour = |line: &PathLine| length(&line.points) > 1.5 * shortest;
        let nested = self.lines.iter().filter(|line| !is_detour(line)).count();
        let base = (viewport.scale * 0.25).clamp(3.0, 5.0);
        // The path of a large agent is drawn through the middles of its squares.
        let shift = match &self.backdrop {
            Backdrop::Cells(scene) => f32::from(scene.side() - 1) / 2.0,
            Backdrop::Mesh(_) => 0.0,
        };
        let mut order: Vec<usize> = (0..self.lines.len()).rev().collect();
        order.sort_by_key(|&at| !is_detour(&self.lines[at]));
        for at in order {
            let line = &self.lines[at];
            let spots: Vec<Spot> = bends(&line.points)
                .map(|point| viewport.spot(Point { x: point.x + shift, y: point.y + shift }))
                .collect();
            let nested = base + NESTED * at.min(nested) as f32;
            let (width, opacity) = if is_detour(line) { DETOUR } else { (nested, 1.0) };
            draw_line(surface, at, &spots, (width, opacity));
        }
        match &self.backdrop {
            Backdrop::Cells(scene) => scene.draw_places(viewport, surface),
            Backdrop::Mesh(scene) => scene.draw_places(viewport, surface),
        }
        for (at, line) in self.lines.iter().enumerate() {
            let middle = viewport.size.1 + MARGIN + (at as f32 + 0.5) * LINE;
            let sample = [(MARGIN, middle), (MARGIN + SAMPLE, middle)];
            draw_line(surface, at, &sample, (6.0, 1.0));
            let corner = (2.0 * MARGIN + SAMPLE, middle - LETTER / 2.0);
            surface.text(corner, LETTER, &line.label, Colour::OUTLINE.at(1.0));
        }
    }
}

fn length(points: &[Point]) -> f32 {
    points.windows(2).map(|leg| (leg[1].x - leg[0].x).hypot(leg[1].y - leg[0].y)).sum()
}

/// The points where a line changes direction, and its ends.
fn bends(points: &[Point]) -> impl Iterator<Item = Point> + '_ {
    let towards = |from: Point, to: Point| (to.x - from.x, to.y - from.y);
    let is_bend = move |&at: &usize| match (at.checked_sub(1), points.get(at + 1)) {
        (Some(before), Some(&after)) => {
            towards(points[before], points[at]) != towards(points[at], after)
        }
        _ => true,
    };
    (0..points.len()).filter(is_bend).map(|at| points[at])
}

/// Draws the line of a number, with an edge so that it is seen on any ground.
fn draw_line(
    surface: &mut dyn Surface,
    number: usize,
    spots: &[Spot],
    (width, opacity): (f32, f32),
) {
    let ink = COLOURS[number % COLOURS.len()].at(opacity);
    let edge = Colour::OUTLINE.at(opacity * 0.5);
    if number < COLOURS.len() {
        surface.chain(spots, width + 1.0, edge);
        surface.chain(spots, width, ink);
    } else {
        for dash in dashes(spots) {
            surface.line(dash.0, dash.1, width + 1.0, edge);
            surface.line(dash.0, dash.1, width, ink);
        }
    }
}

/// Every other piece of a chain of lines.
fn dashes(spots: &[Spot]) -> Vec<(Spot, Spot)> {
    let mut found = Vec::new();
    for pair in spots.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let pieces = (dx.hypot(dy) / DASH).ceil().max(1.0) as u32;
        let at = |piece: u32| {
            let share = (piece as f32 / pieces as f32).min(1.0);
            (from.0 + dx * share, from.1 + dy * share)
        };
        found.extend((0..pieces).step_by(2).map(|piece| (at(piece), at(piece + 1))));
    }
    found
}
