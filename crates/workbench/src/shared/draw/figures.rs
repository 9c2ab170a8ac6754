//! Four large numbers that are always in the same place, whatever finds the path.

use egui::{Align2, Rect, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

/// Stands where there is no number.
pub(crate) const NONE: &str = "–";

/// A number, what it is, and what that means.
pub(crate) struct Figure {
    pub(crate) value: String,
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
}

/// Shows the numbers, two in a row.
pub(crate) fn show(ui: &mut Ui, figures: &[Figure; 4]) {
    let width = ui.available_width() / 2.0;
    for pair in figures.chunks(2) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for figure in pair {
                draw(ui, width, figure);
            }
        });
    }
}

fn draw(ui: &mut Ui, width: f32, figure: &Figure) {
    let (large, small) =
        (TextStyle::Heading.resolve(ui.style()), TextStyle::Body.resolve(ui.style()));
    let height = large.size + small.size + 8.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let label = format!("{}: {}", figure.name, figure.value);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &label));
    let painter = ui.painter_at(Rect::from_min_size(rect.min, vec2(width - 4.0, height)));
    let (strong, weak) = (ui.visuals().strong_text_color(), ui.visuals().weak_text_color());
    painter.text(rect.min, Align2::LEFT_TOP, &figure.value, large.clone(), strong);
    let below = pos2(rect.left(), rect.top() + large.size + 4.0);
    painter.text(below, Align2::LEFT_TOP, figure.name, small, weak);
    response.on_hover_text(figure.help);
}
