//! Pictures drawn into the window.

use super::style;
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2};
use highroad_pictures::{Ink, Spot, Surface};

/// Draws shapes with egui's painter.
pub(crate) struct Painted<'p> {
    pub(crate) painter: &'p Painter,
}

fn position((x, y): Spot) -> Pos2 {
    pos2(x, y)
}

pub(crate) fn tint(ink: Ink) -> Color32 {
    style::colour(ink.colour).gamma_multiply(ink.opacity)
}

impl Surface for Painted<'_> {
    fn line(&mut self, from: Spot, to: Spot, width: f32, ink: Ink) {
        self.painter.line_segment([position(from), position(to)], Stroke::new(width, tint(ink)));
    }

    fn chain(&mut self, spots: &[Spot], width: f32, ink: Ink) {
        let points: Vec<Pos2> = spots.iter().copied().map(position).collect();
        self.painter.add(Shape::line(points, Stroke::new(width, tint(ink))));
    }

    fn rectangle(&mut self, min: Spot, max: Spot, ink: Ink) {
        let rect = Rect::from_min_max(position(min), position(max));
        self.painter.rect_filled(rect, 0.0, tint(ink));
    }

    fn disc(&mut self, middle: Spot, radius: f32, ink: Ink) {
        self.painter.circle_filled(position(middle), radius, tint(ink));
    }

    fn triangle(&mut self, corners: [Spot; 3], ink: Ink) {
        let points = corners.map(position).to_vec();
        self.painter.add(Shape::convex_polygon(points, tint(ink), Stroke::NONE));
    }

    /// Without smooth edges: smoothing the corners of very flat triangles would draw spikes across the whole window, and
    /// polygons of a mesh have such corners.
    fn polygon(&mut self, corners: &[Spot], ink: Ink) {
        let mut mesh = Mesh::default();
        for &corner in corners {
            mesh.colored_vertex(position(corner), tint(ink));
        }
        for at in 2..corners.len() as u32 {
            mesh.add_triangle(0, at - 1, at);
        }
        self.painter.add(mesh);
    }

    fn label(&mut self, middle: Spot, height: f32, text: &str, ink: Ink) {
        let font = FontId::proportional(height);
        self.painter.text(position(middle), Align2::CENTER_CENTER, text, font, tint(ink));
    }
}
