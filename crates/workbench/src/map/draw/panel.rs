//! The panel at the right: planner and result stay at the top, everything else is on tabs.

use super::{compare, explain, layers, planner, result, steps, walk};
use crate::map::{MapMode, Tab};
use egui::{ScrollArea, Ui};

/// Below this height, little more than the numbers is fixed.
const LOW: f32 = 400.0;

/// Shows the panel.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    ui.add_space(8.0);
    planner::show(ui, map);
    ui.add_space(8.0);
    result::show(ui, map);
    ui.add_space(4.0);
    // In a low window, what the planner is and its options scroll with the tab.
    let is_low = ui.available_height() < LOW;
    if !is_low {
        planner::show_about(ui, map);
        ui.add_space(4.0);
    }
    tabs(ui, map);
    ui.separator();
    let scroll = ScrollArea::vertical().id_salt(map.tab.name()).auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        if is_low {
            planner::show_about(ui, map);
            ui.separator();
        }
        match map.tab {
            Tab::Layers => layers::show(ui, map),
            Tab::Steps => steps::show(ui, map),
            Tab::Explain => explain::show(ui, map),
            Tab::Details => result::show_details(ui, map),
            Tab::Compare => compare::show(ui, map),
            Tab::Agent => walk::show(ui, map),
            Tab::Movement => planner::show_movement(ui, map),
        }
        ui.add_space(16.0);
    });
}

fn tabs(ui: &mut Ui, map: &mut MapMode) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding.x = 6.0;
        for tab in Tab::ALL {
            if ui.selectable_label(map.tab == tab, tab.name()).on_hover_text(tab.help()).clicked() {
                map.tab = tab;
            }
        }
    });
}
