//! What a layer or a mark looks like, in a small box: in the colours that the map is drawn with.

use crate::shared::draw::style;
use egui::{
    Align2, Color32, Painter, Rect, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2,
};
use highroad::Terrain;
use highroad::grid::Palette;
use highroad::planner::{Shape as LayerShape, SketchLayer};
use highroad_pictures::{Colour, Theme, layer_colour};

/// How wide a swatch is.
pub(crate) const WIDTH: f32 = 28.0;
const HEIGHT: f32 = 14.0;

/// What is drawn in the box.
#[derive(Clone, Copy)]
pub(crate) enum Swatch {
    Patch(Color32),
    Line(Color32),
    Lines(Color32),
    Dots(Color32),
    Chain(Color32),
    Box(Color32),
    Groups,
    Ramp,
    /// A colour from its darkest shade to its brightest.
    Shades(Color32),
    Border(Color32),
    Link(Color32),
    Path,
    Ring,
    Start,
    Goal,
    Breakpoint,
    Agent,
}

/// The swatch of a planner's layer.
pub(crate) fn of_layer(theme: Theme, layer: &SketchLayer) -> Swatch {
    let colour = style::colour(layer_colour(theme, layer));
    match layer.shape {
        LayerShape::Regions(_) => Swatch::Groups,
        LayerShape::Rectangles(_) => Swatch::Box(colour),
        LayerShape::Points(_) => Swatch::Dots(colour),
        LayerShape::Chain(_) => Swatch::Chain(colour),
        _ => Swatch::Line(colour),
    }
}

/// Shows a swatch on ground, covering as much as the layer does.
pub(crate) fn show(ui: &mut Ui, theme: Theme, look: Swatch, opacity: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(WIDTH, HEIGHT), Sense::hover());
    let ground = style::colour(theme.terrain(Terrain::GROUND, Palette::Standard));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ground);
    draw(&painter, rect, look, opacity.max(0.15));
    let edge = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().rect_stroke(rect, 3.0, edge, StrokeKind::Inside);
}

fn draw(painter: &Painter, rect: Rect, look: Swatch, opacity: f32) {
    let tint = |colour: Color32| colour.gamma_multiply(opacity);
    let middle = rect.center();
    let line = |colour: Color32, width: f32| {
        painter.hline(rect.x_range(), middle.y, Stroke::new(width, tint(colour)));
    };
    match look {
        Swatch::Patch(colour) => _ = painter.rect_filled(rect, 3.0, tint(colour)),
        Swatch::Line(colour) => line(colour, 1.5),
        Swatch::Lines(colour) => {
            line(colour, 1.0);
            for share in [0.25, 0.5, 0.75] {
                let x = rect.left() + share * rect.width();
                painter.vline(x, rect.y_range(), Stroke::new(1.0, tint(colour)));
            }
        }
        Swatch::Dots(colour) => {
            for share in [0.2, 0.5, 0.8] {
                let at = pos2(rect.left() + share * rect.width(), middle.y);
                painter.circle_filled(at, 2.5, tint(colour));
            }
        }
        Swatch::Chain(colour) => {
            line(colour, 2.5);
            for share in [0.2, 0.8] {
                let at = pos2(rect.left() + share * rect.width(), middle.y);
                painter.circle_filled(at, 3.0, tint(colour));
            }
        }
        Swatch::Box(colour) => {
            let inner = rect.shrink2(vec2(6.0, 2.5));
            painter.rect_stroke(inner, 0.0, Stroke::new(1.5, tint(colour)), StrokeKind::Middle);
        }
        Swatch::Groups => {
            strips(painter, rect, 4, |number| tint(style::colour(Colour::group(number))))
        }
        Swatch::Ramp => {
            strips(painter, rect, 14, |step| tint(style::colour(Colour::ramp(step as f32 / 13.0))));
        }
        Swatch::Shades(colour) => {
            let far = style::ink_on(colour);
            strips(painter, rect, 10, |step| colour.lerp_to_gamma(far, step as f32 * 0.045));
        }
        Swatch::Border(colour) => {
            painter.vline(middle.x, rect.y_range(), Stroke::new(3.0, tint(colour)));
        }
        Swatch::Link(colour) => {
            let at = |x: f32, y: f32| rect.min + vec2(x * rect.width(), y * rect.height());
            let arc = [(0.2, 0.8), (0.32, 0.4), (0.5, 0.25), (0.68, 0.4), (0.8, 0.8)];
            let arc = arc.iter().map(|&(x, y)| at(x, y)).collect();
            painter.add(Shape::line(arc, Stroke::new(2.0, tint(colour))));
            let head = vec![at(0.7, 0.55), at(0.9, 0.5), at(0.8, 0.95)];
            painter.add(Shape::convex_polygon(head, tint(colour), Stroke::NONE));
        }
        Swatch::Path => {
            line(style::colour(Colour::OUTLINE), 6.0);
            line(style::colour(Colour::PATH), 4.0);
        }
        _ => draw_mark(painter, rect, look),
    }
}

fn draw_mark(painter: &Painter, rect: Rect, look: Swatch) {
    let middle = rect.center();
    let outline = Stroke::new(1.0, style::colour(Colour::OUTLINE));
    match look {
        Swatch::Ring => {
            let inner = Rect::from_center_size(middle, vec2(10.0, 10.0));
            painter.rect_stroke(
                inner,
                0.0,
                Stroke::new(4.0, style::colour(Colour::OUTLINE)),
                StrokeKind::Middle,
            );
            painter.rect_stroke(inner, 0.0, Stroke::new(2.0, Color32::WHITE), StrokeKind::Middle);
        }
        Swatch::Start => _ = painter.circle(middle, 5.0, style::colour(Colour::START), outline),
        Swatch::Goal => {
            let (x, top, bottom) = (middle.x - 4.0, rect.top() + 1.5, rect.bottom() - 1.5);
            let cloth = vec![pos2(x, top), pos2(x + 11.0, top + 3.5), pos2(x, top + 7.0)];
            painter.add(Shape::convex_polygon(cloth, style::colour(Colour::GOAL), Stroke::NONE));
            painter.vline(x, top..=bottom, Stroke::new(2.0, style::colour(Colour::OUTLINE)));
        }
        Swatch::Breakpoint => {
            let stroke = Stroke::new(1.5, Color32::WHITE);
            painter.circle(middle, 4.0, style::BREAKPOINT, stroke);
        }
        _ => {
            painter.hline(
                rect.left()..=middle.x,
                middle.y,
                Stroke::new(3.0, style::colour(Colour::TRAIL)),
            );
            painter.circle(middle, 5.0, style::colour(Colour::AGENT), outline);
        }
    }
}

fn strips(painter: &Painter, rect: Rect, count: u32, colour: impl Fn(u32) -> Color32) {
    let width = rect.width() / count as f32;
    for number in 0..count {
        let corner = pos2(rect.left() + width * number as f32, rect.top());
        painter.rect_filled(
            Rect::from_min_size(corner, vec2(width + 0.5, rect.height())),
            0.0,
            colour(number),
        );
    }
}

/// Shows the ramp in the width that is left, with a number at each end.
pub(crate) fn scale(ui: &mut Ui, low: &str, high: &str) {
    let font = TextStyle::Body.resolve(ui.style());
    let size = vec2(ui.available_width() - 8.0, HEIGHT + font.size + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let label = format!("scale from {low} to {high}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &label));
    let bar = Rect::from_min_size(rect.min, vec2(rect.width(), 8.0));
    strips(ui.painter(), bar, 48, |step| style::colour(Colour::ramp(step as f32 / 47.0)));
    let colour = ui.visuals().weak_text_color();
    let below = bar.bottom() + 2.0;
    ui.painter().text(pos2(rect.left(), below), Align2::LEFT_TOP, low, font.clone(), colour);
    ui.painter().text(pos2(rect.right(), below), Align2::RIGHT_TOP, high, font, colour);
}
