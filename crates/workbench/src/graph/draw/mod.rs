//! Drawing of the graph mode: the graph, the table beside it, the panel and the timeline.

mod canvas;
mod panel;
mod table;

use crate::graph::GraphMode;
use crate::shared::draw::{side_panel, timeline};
use egui::Ui;

/// How high the bar at the bottom is.
const BOTTOM_HEIGHT: f32 = 66.0;

/// Below this width, the table is under the drawing instead of beside it.
const WIDE: f32 = 900.0;

/// Shows the mode.
pub(crate) fn show(ui: &mut Ui, mode: &mut GraphMode, shows_panels: bool) {
    egui::Panel::bottom("graph bottom").resizable(false).exact_size(BOTTOM_HEIGHT).show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal(|ui| timeline::show(ui, &mut mode.player, &[], None, "event"));
        canvas::inspector(ui, mode);
    });
    let is_wide = ui.available_width() >= WIDE;
    if shows_panels {
        side_panel::show(ui, "graph", !is_wide, |ui| panel::show(ui, mode));
    }
    let (width, height) = (ui.available_width(), ui.available_height());
    if is_wide {
        egui::Panel::right("stages beside")
            .default_size((80.0 + 36.0 * mode.graph().node_count() as f32).min(width * 0.5))
            .size_range(160.0..=width * 0.7)
            .show(ui, |ui| table::show(ui, mode));
    } else {
        egui::Panel::bottom("stages below")
            .default_size(height * 0.4)
            .size_range(60.0..=height * 0.7)
            .show(ui, |ui| table::show(ui, mode));
    }
    egui::CentralPanel::no_frame().show(ui, |ui| canvas::show(ui, mode));
}
