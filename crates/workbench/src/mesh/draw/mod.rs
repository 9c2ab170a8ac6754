//! Drawing of the mesh mode: the mesh, the panel and the timeline.

mod canvas;
mod panel;

use crate::mesh::MeshMode;
use crate::shared::draw::{side_panel, timeline};
use egui::Ui;

/// How high the bar at the bottom is.
const BOTTOM_HEIGHT: f32 = 66.0;

/// Below this width, the panel is narrow.
const WIDE: f32 = 900.0;

/// What the panel asks of the shell.
pub(crate) enum Asked {
    /// The mesh of the map of the map mode.
    MeshOfMap,
}

/// Shows the mode. Returns what only the shell can do.
pub(crate) fn show(ui: &mut Ui, mode: &mut MeshMode, shows_panels: bool) -> Option<Asked> {
    egui::Panel::bottom("mesh bottom").resizable(false).exact_size(BOTTOM_HEIGHT).show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal(|ui| timeline::show(ui, &mut mode.player, &[], None, "event"));
        canvas::inspector(ui, mode);
    });
    let is_narrow = ui.available_width() < WIDE;
    let mut asked = None;
    if shows_panels {
        side_panel::show(ui, "mesh", is_narrow, |ui| asked = panel::show(ui, mode));
    }
    egui::CentralPanel::no_frame().show(ui, |ui| canvas::show(ui, mode));
    asked
}
