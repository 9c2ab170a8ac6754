//! The column of tools at the left.

use super::tool_icons;
use crate::map::{BRUSH_SIZES, MapMode, Tool, brushes, cost_brushes};
use crate::shared::draw::style;
use egui::{Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use highroad::Terrain;
use highroad::grid::Palette;

/// How wide the column is.
pub(crate) const WIDTH: f32 = 100.0;

/// The side of a button.
const CELL: f32 = 25.0;

/// Buttons in a row.
const COLUMNS: usize = 3;

/// Shows the tools, what to draw with, and how large the brush is: in three columns, so that they fit into low windows.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    let scroll = egui::ScrollArea::vertical()
        .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden);
    scroll.show(ui, |ui| {
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (row, tools) in Tool::ALL.chunks(COLUMNS).enumerate() {
            ui.horizontal(|ui| {
                for (column, &tool) in tools.iter().enumerate() {
                    tool_button(ui, map, COLUMNS * row + column + 1, tool);
                }
            });
        }
        ui.separator();
        terrains(ui, map);
        costs(ui, map);
        ui.separator();
        sizes(ui, map);
        ui.add_space(8.0);
    });
}

fn tool_button(ui: &mut Ui, map: &mut MapMode, digit: usize, tool: Tool) {
    let (rect, response) = ui.allocate_exact_size(vec2(CELL, CELL), Sense::click());
    let selected = map.hand.tool == tool;
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, tool.name()));
    let visuals = ui.style().interact_selectable(&response, selected);
    if selected || response.hovered() {
        ui.painter().rect(rect, 6.0, visuals.weak_bg_fill, visuals.bg_stroke, StrokeKind::Inside);
    }
    let square = egui::Rect::from_center_size(rect.center(), vec2(17.0, 17.0));
    tool_icons::draw(ui.painter(), tool, square, ui.visuals().text_color());
    let help = format!("{} ({digit}): {}", tool.name(), tool.help());
    if response.on_hover_text(help).clicked() {
        map.hand.tool = tool;
    }
}

fn terrains(ui: &mut Ui, map: &mut MapMode) {
    let palette = map.document.palette();
    ui.weak("draw");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let is_cost = |terrain: &Terrain| cost_brushes().any(|(_, known)| known == *terrain);
        for (terrain, name) in brushes(palette).into_iter().filter(|(known, _)| !is_cost(known)) {
            terrain_button(ui, map, terrain, palette, &name, "");
        }
    });
}

/// Ground of a cost, on any map that has no water.
fn costs(ui: &mut Ui, map: &mut MapMode) {
    let refusal = map.document.refuses_costs();
    ui.weak("cost");
    let shown = ui.add_enabled_ui(refusal.is_none(), |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            for (cost, terrain) in cost_brushes() {
                let (name, mark) = (format!("ground of cost {cost}"), cost.to_string());
                terrain_button(ui, map, terrain, Palette::Weighted, &name, &mark);
            }
        });
    });
    if let Some(reason) = refusal {
        shown.response.on_hover_text(reason);
    }
}

fn terrain_button(
    ui: &mut Ui,
    map: &mut MapMode,
    terrain: Terrain,
    palette: Palette,
    name: &str,
    mark: &str,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(CELL, 22.0), Sense::click());
    let selected = map.hand.brush.terrain == terrain;
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, enabled, selected, format!("Draw {name}"))
    });
    let fill = style::colour(map.theme.terrain(terrain, palette));
    let edge = if selected {
        Stroke::new(2.5, style::ACCENT)
    } else {
        Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.6))
    };
    ui.painter().rect(rect, 4.0, fill, edge, StrokeKind::Inside);
    let ink = style::ink_on(fill);
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, mark, font, ink);
    if response.on_hover_text(format!("draw {name}")).clicked() {
        map.hand.brush.terrain = terrain;
        if matches!(map.hand.tool, Tool::Hand | Tool::Eraser | Tool::Start | Tool::Goal) {
            map.hand.tool = Tool::Brush;
        }
    }
}

fn sizes(ui: &mut Ui, map: &mut MapMode) {
    ui.weak("size");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for size in BRUSH_SIZES {
            let (rect, response) = ui.allocate_exact_size(vec2(CELL, 22.0), Sense::click());
            let selected = map.hand.brush.size == size;
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
                map.hand.brush.size = size;
            }
        }
    });
}
