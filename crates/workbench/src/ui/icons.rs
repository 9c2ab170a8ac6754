//! Small pictures for tools and players, drawn with lines so that they are sharp at any size.

use crate::model::Tool;
use egui::{
    Color32, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

/// Draws a tool's picture into a square.
pub(super) fn draw(painter: &Painter, tool: Tool, square: Rect, colour: Color32) {
    let at = |x: f32, y: f32| -> Pos2 {
        pos2(square.left() + x * square.width(), square.top() + y * square.height())
    };
    let stroke = Stroke::new(1.6, colour);
    let line = |points: Vec<Pos2>| _ = painter.add(Shape::line(points, stroke));
    match tool {
        Tool::Hand => {
            // Four arrows from the middle.
            for (x, y) in [(0.5, 0.08), (0.92, 0.5), (0.5, 0.92), (0.08, 0.5)] {
                line(vec![at(0.5, 0.5), at(x, y)]);
                let (dx, dy) = ((0.5 - x) * 0.3, (0.5 - y) * 0.3);
                line(vec![at(x + dx + dy, y + dy + dx), at(x, y), at(x + dx - dy, y + dy - dx)]);
            }
        }
        Tool::Brush => {
            line(vec![at(0.9, 0.1), at(0.45, 0.55)]);
            painter.circle_filled(at(0.32, 0.68), square.width() * 0.18, colour);
            line(vec![at(0.08, 0.92), at(0.3, 0.72)]);
        }
        Tool::Eraser => {
            let corners = [(0.35, 0.9), (0.08, 0.62), (0.6, 0.1), (0.92, 0.42), (0.44, 0.9)];
            line(corners.iter().map(|&(x, y)| at(x, y)).chain([at(0.35, 0.9)]).collect());
            line(vec![at(0.32, 0.38), at(0.64, 0.7)]);
        }
        Tool::Line => {
            line(vec![at(0.12, 0.88), at(0.88, 0.12)]);
            painter.circle_filled(at(0.12, 0.88), 2.2, colour);
            painter.circle_filled(at(0.88, 0.12), 2.2, colour);
        }
        Tool::Rectangle => {
            let inner = Rect::from_min_max(at(0.1, 0.2), at(0.9, 0.8));
            painter.rect(inner, 1.0, colour.gamma_multiply(0.35), stroke, StrokeKind::Inside);
        }
        Tool::Fill => {
            // A bucket that pours.
            line(
                [(0.2, 0.4), (0.5, 0.1), (0.82, 0.44), (0.42, 0.84), (0.08, 0.5), (0.2, 0.4)]
                    .iter()
                    .map(|&(x, y)| at(x, y))
                    .collect(),
            );
            painter.circle_filled(at(0.86, 0.76), square.width() * 0.1, colour);
        }
        Tool::Start => {
            painter.circle_filled(
                at(0.5, 0.5),
                square.width() * 0.34,
                Color32::from_rgb(30, 160, 90),
            );
            painter.circle_stroke(at(0.5, 0.5), square.width() * 0.36, stroke);
        }
        Tool::Goal => {
            let cloth = vec![at(0.3, 0.08), at(0.9, 0.3), at(0.3, 0.52)];
            painter.add(Shape::convex_polygon(cloth, Color32::from_rgb(225, 60, 80), Stroke::NONE));
            line(vec![at(0.3, 0.06), at(0.3, 0.94)]);
        }
    }
}

/// What a player's button does.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    First,
    Back,
    Play,
    Pause,
    On,
    Last,
}

/// A button with a sign; whether it was clicked.
pub(super) fn button(ui: &mut Ui, sign: Sign, name: &str, help: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(30.0, 24.0), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let visuals = ui.style().interact(&response);
    ui.painter().rect(rect, 5.0, visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    let square = Rect::from_center_size(rect.center(), vec2(12.0, 12.0));
    draw_sign(ui.painter(), sign, square, ui.visuals().text_color());
    response.on_hover_text(help).clicked()
}

fn draw_sign(painter: &Painter, sign: Sign, square: Rect, colour: Color32) {
    let at = |x: f32, y: f32| {
        pos2(square.left() + x * square.width(), square.top() + y * square.height())
    };
    let bar = |x: f32| {
        let rect = Rect::from_min_max(at(x, 0.0), at(x + 0.2, 1.0));
        painter.rect_filled(rect, 0.0, colour);
    };
    // Points from x to the tip, upright between top and bottom.
    let triangle = |x: f32, tip: f32| {
        let corners = vec![at(x, 0.0), at(tip, 0.5), at(x, 1.0)];
        painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
    };
    match sign {
        Sign::First => {
            bar(0.0);
            triangle(1.0, 0.25);
        }
        Sign::Back => {
            bar(0.75);
            triangle(0.65, 0.0);
        }
        Sign::Play => triangle(0.1, 1.0),
        Sign::Pause => {
            bar(0.15);
            bar(0.65);
        }
        Sign::On => {
            bar(0.05);
            triangle(0.35, 1.0);
        }
        Sign::Last => {
            bar(0.8);
            triangle(0.0, 0.75);
        }
    }
}
