//! The column of tools at the left.

use super::tool_icons;
use crate::map::{BRUSH_SIZES, Ink, MapMode, Tool, brushes, cost_brushes};
use crate::shared::draw::style;
use egui::{Align2, Color32, DragValue, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use highroad::Terrain;
use highroad::grid::{Border, Palette};

/// How wide the column is.
pub(crate) const WIDTH: f32 = 132.0;

/// The side of a button.
const CELL: f32 = 25.0;

/// Buttons of tools in a row; of costs there are more, and they are narrower.
const COLUMNS: usize = 4;
const COST_WIDTH: f32 = 19.0;

/// Shows the tools, and what the chosen one draws with.
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
        match map.hand.tool {
            Tool::Border => borders(ui, map),
            Tool::Link => links(ui, map),
            _ => {
                terrains(ui, map);
                costs(ui, map);
                heights(ui, map);
                ui.separator();
                sizes(ui, map);
            }
        }
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
    // The tenth has the digit 0.
    let help = format!("{} ({}): {}", tool.name(), digit % 10, tool.help());
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
            terrain_button(ui, map, (terrain, palette), &name, "");
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
                terrain_button(ui, map, (terrain, Palette::Weighted), &name, &mark);
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
    (terrain, palette): (Terrain, Palette),
    name: &str,
    mark: &str,
) {
    let width = if mark.is_empty() { CELL } else { COST_WIDTH };
    let fill = style::colour(map.theme.terrain(terrain, palette));
    ink_button(ui, map, Ink::Terrain(terrain), (width, fill, name, mark));
}

/// A swatch that chooses what is drawn: its width and colour, what it is called, and what is written on it.
fn ink_button(
    ui: &mut Ui,
    map: &mut MapMode,
    ink: Ink,
    (width, fill, name, mark): (f32, Color32, &str, &str),
) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), Sense::click());
    let selected = map.hand.brush.ink == ink;
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, enabled, selected, format!("Draw {name}"))
    });
    let edge = if selected {
        Stroke::new(2.5, style::ACCENT)
    } else {
        Stroke::new(1.0, ui.visuals().weak_text_color().gamma_multiply(0.6))
    };
    ui.painter().rect(rect, 4.0, fill, edge, StrokeKind::Inside);
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, mark, font, style::ink_on(fill));
    if response.on_hover_text(format!("draw {name}")).clicked() {
        map.hand.brush.ink = ink;
        if matches!(map.hand.tool, Tool::Hand | Tool::Eraser | Tool::Start | Tool::Goal) {
            map.hand.tool = Tool::Brush;
        }
    }
}

/// Heights, with the one that is drawn.
fn heights(ui: &mut Ui, map: &mut MapMode) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let ground = style::colour(map.theme.terrain(Terrain::GROUND, Palette::Standard));
        let name = "heights: what they mean is on the tab Movement";
        let look = (2.0 * CELL + 4.0, ground, "heights", "height");
        let before = map.hand.brush.height;
        ink_button(ui, map, Ink::Height(before), look);
        let drag = DragValue::new(&mut map.hand.brush.height).speed(0.1);
        let drag = ui.add_sized(vec2(ui.available_width(), 22.0), drag).on_hover_text(name);
        if drag.accessible_name("Height to draw").changed() {
            map.hand.brush.ink = Ink::Height(map.hand.brush.height);
        }
    });
}

/// How borders are drawn.
fn borders(ui: &mut Ui, map: &mut MapMode) {
    ui.weak("border");
    let choices = [
        (Border::Closed, "closed", "no step leads across: a thin wall"),
        (Border::OneWay, "one way", ONE_WAY_HELP),
    ];
    for (border, name, help) in choices {
        let choice = ui.selectable_label(map.hand.border == border, name).on_hover_text(help);
        if choice.accessible_name(format!("Border {name}")).clicked() {
            map.hand.border = border;
        }
    }
    ui.add_space(4.0);
    ui.weak("Click on a line between two cells, or drag along the lines. The right button opens.");
}

const ONE_WAY_HELP: &str = "a drop that one can jump down and not climb. A click leads away from the side that it is on; \
                            along a drag it leads from the left of the way to its right.";

/// How links are drawn.
fn links(ui: &mut Ui, map: &mut MapMode) {
    ui.weak("link");
    ui.horizontal(|ui| {
        let help = "what using the link costs, in straight steps over plain ground";
        ui.label("cost").on_hover_text(help);
        let drag = DragValue::new(&mut map.hand.link.cost).range(0.0..=9999.0).speed(0.1);
        let drag = drag.max_decimals(2);
        ui.add(drag).on_hover_text(help).accessible_name("Cost of links");
    });
    let help = "whether the link can be used in both directions";
    ui.checkbox(&mut map.hand.link.both_ways, "both ways").on_hover_text(help);
    ui.add_space(4.0);
    ui.weak("Drag from a cell to a cell. The right button takes the links of a cell away.");
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
