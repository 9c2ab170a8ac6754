//! Buttons with small pictures, drawn with lines so that they are sharp at any size.

use egui::{
    Color32, Painter, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

/// What a player's button does.
#[derive(Clone, Copy)]
pub(crate) enum Sign {
    First,
    Back,
    Play,
    Pause,
    On,
    Last,
}

/// A button with a sign; whether it was clicked.
pub(crate) fn button(ui: &mut Ui, sign: Sign, name: &str, help: &str) -> bool {
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
