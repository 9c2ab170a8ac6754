//! The column of tools at the left.

use super::{icons, style};
use crate::model::{BRUSH_SIZES, Bench, Tool, brushes};
use egui::{Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

/// How wide the column is.
pub(super) const WIDTH: f32 = 64.0;

/// Shows the tools, what to draw with, and how large the brush is.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.add_space(8.0);
    ui.vertical_centered(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (index, tool) in Tool::ALL.into_iter().enumerate() {
            tool_button(ui, bench, index + 1, tool);
        }
        ui.add_space(4.0);
        ui.separator();
        terrains(ui, bench);
        ui.separator();
        sizes(ui, bench);
    });
}

fn tool_button(ui: &mut Ui, bench: &mut Bench, digit: usize, tool: Tool) {
    let (rect, response) = ui.allocate_exact_size(vec2(40.0, 34.0), Sense::click());
    let selected = bench.tool == tool;
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, tool.name()));
    let visuals = ui.style().interact_selectable(&response, selected);
    if selected || response.hovered() {
        ui.painter().rect(rect, 6.0, visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    }
    let square = egui::Rect::from_center_size(rect.center(), vec2(18.0, 18.0));
    icons::draw(ui.painter(), tool, square, ui.visuals().text_color());
    let help = format!("{} ({digit}): {}", tool.name(), tool.help());
    if response.on_hover_text(help).clicked() {
        bench.tool = tool;
    }
}

fn terrains(ui: &mut Ui, bench: &mut Bench) {
    let palette = bench.document.palette();
    let theme = bench.preferences.theme;
    ui.small("draw");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (terrain, name) in brushes(palette) {
            let (rect, response) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::click());
            let selected = bench.brush.terrain == terrain;
            response.widget_info(|| {
                WidgetInfo::selected(Role::RadioButton, true, selected, format!("Draw {name}"))
            });
            let fill = style::colour(theme.terrain(terrain, palette));
            let edge = if selected {
                Stroke::new(2.5, style::ACCENT)
            } else {
                Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.6))
            };
            ui.painter().rect(rect, 4.0, fill, edge, StrokeKind::Inside);
            if response.on_hover_text(format!("draw with {name}")).clicked() {
                bench.brush.terrain = terrain;
                if matches!(bench.tool, Tool::Hand | Tool::Eraser | Tool::Start | Tool::Goal) {
                    bench.tool = Tool::Brush;
                }
            }
        }
    });
}

fn sizes(ui: &mut Ui, bench: &mut Bench) {
    ui.small("size");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for size in BRUSH_SIZES {
            let (rect, response) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::click());
            let selected = bench.brush.size == size;
            response.widget_info(|| {
                WidgetInfo::selected(
                    Role::RadioButton,
                    true,
                    selected,
                    format!("Brush size {size}"),
                )
            });
            let visuals = ui.style().interact_selectable(&response, selected);
            if selected || response.hovered() {
                let edge = visuals.bg_stroke;
                ui.painter().rect(rect, 4.0, visuals.weak_bg_fill, edge, StrokeKind::Inside);
            }
            let radius = 1.5 + (size as f32).sqrt() * 1.6;
            ui.painter().circle_filled(rect.center(), radius.min(8.5), ui.visuals().text_color());
            let cells =
                if size == 1 { "1 cell".to_owned() } else { format!("{size} cells across") };
            if response.on_hover_text(format!("brush of {cells} ([ and ])")).clicked() {
                bench.brush.size = size;
            }
        }
    });
}
