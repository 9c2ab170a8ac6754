//! The panel at the right: planner, movement, result, layers, walk.

use super::{layers, planner, result, walk};
use crate::model::Bench;
use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

/// Shows the panel.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.add_space(4.0);
        planner::show(ui, bench);
        ui.separator();
        result::show(ui, bench);
        section(ui, "Layers", true, |ui| layers::show(ui, bench));
        section(ui, "Walk", true, |ui| walk::show(ui, bench));
        section(ui, "Movement", false, |ui| planner::show_movement(ui, bench));
        ui.add_space(16.0);
    });
}

fn section(ui: &mut Ui, name: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    ui.separator();
    CollapsingHeader::new(RichText::new(name).strong())
        .id_salt(name)
        .default_open(open)
        .show_unindented(ui, contents);
}
