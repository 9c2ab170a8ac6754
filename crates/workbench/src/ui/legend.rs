//! What the colours mean.

use super::style;
use crate::model::{Bench, PATH, SEARCH};
use egui::{Align2, Color32, FontId, Rect, Sense, Ui, pos2, vec2};
use highroad_pictures::{Colour, Colouring};

const ROW: f32 = 18.0;
const WIDTH: f32 = 176.0;

/// A patch of colour, a ramp or a line, and a word.
enum Entry {
    Patch(Color32, String),
    Ramp(&'static str),
    Line(Color32, String),
}

/// Shows the legend in the lower right corner of the map.
pub(super) fn show(ui: &mut Ui, rect: Rect, bench: &Bench) {
    let entries = entries(bench);
    if entries.is_empty() || rect.width() < 3.0 * WIDTH {
        return;
    }
    let size = vec2(WIDTH, 12.0 + ROW * entries.len() as f32);
    let area = Rect::from_min_size(rect.max - size - vec2(12.0, 12.0), size);
    let response = ui.interact(area, egui::Id::unique("legend"), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "Legend"));
    let painter = ui.painter();
    let back = ui.visuals().window_fill.gamma_multiply(0.92);
    painter.rect_filled(area, 6.0, back);
    let font = FontId::proportional(11.5);
    let text_colour = ui.visuals().text_color();
    for (index, entry) in entries.iter().enumerate() {
        let middle = area.top() + 6.0 + ROW * (index as f32 + 0.5);
        let left = area.left() + 10.0;
        let patch = Rect::from_center_size(pos2(left + 10.0, middle), vec2(20.0, 10.0));
        let name = match entry {
            Entry::Patch(colour, name) => {
                painter.rect_filled(patch, 2.0, *colour);
                name.as_str()
            }
            Entry::Line(colour, name) => {
                let stroke = egui::Stroke::new(3.0, *colour);
                painter.hline(patch.x_range(), middle, stroke);
                name.as_str()
            }
            Entry::Ramp(name) => {
                for step in 0..10 {
                    let colour = style::colour(Colour::ramp(step as f32 / 9.0));
                    let corner = pos2(patch.left() + 2.0 * step as f32, patch.top());
                    painter.rect_filled(Rect::from_min_size(corner, vec2(2.0, 10.0)), 0.0, colour);
                }
                name
            }
        };
        let at = pos2(left + 28.0, middle);
        painter.text(at, Align2::LEFT_CENTER, name, font.clone(), text_colour);
    }
}

fn entries(bench: &Bench) -> Vec<Entry> {
    let mut entries = Vec::new();
    let scene = bench.scene();
    if let Some((_, colouring, _)) = scene.search.filter(|_| bench.layers.opacity(SEARCH).is_some())
    {
        if colouring != Colouring::Visits {
            entries.push(Entry::Patch(style::colour(Colour::OPEN), "open".to_owned()));
        }
        entries.push(Entry::Ramp(match colouring {
            Colouring::Order => "expanded, first to last",
            Colouring::Cost => "cost so far, low to high",
            Colouring::Visits => "visited, seldom to often",
        }));
    }
    if bench.layers.opacity(PATH).is_some() && !bench.path_cells().is_empty() {
        entries.push(Entry::Line(style::colour(Colour::PATH), "path".to_owned()));
    }
    let violet = style::colour(bench.preferences.theme.abstraction());
    for layer in &scene.layers {
        let name = match layer.layer.level {
            0 => layer.layer.info.name.to_owned(),
            level => format!("{}, level {level}", layer.layer.info.name),
        };
        let shade = violet.gamma_multiply(layer.opacity.max(0.25));
        match layer.layer.shape {
            highroad::planner::Shape::Regions(_) => {
                entries.push(Entry::Patch(style::colour(Colour::group(0)), name));
            }
            _ => entries.push(Entry::Line(shade, name)),
        }
    }
    if bench.walker.is_some() {
        entries.push(Entry::Line(style::colour(Colour::TRAIL), "the agent's trail".to_owned()));
    }
    entries
}
