//! Switches for what lies over the map.

use crate::model::{Bench, COMMON_LAYERS, SEARCH, Switch, items};
use egui::{Button, ComboBox, Slider, Ui};
use highroad_lab::table::whole;
use highroad_pictures::Colouring;

/// Shows a switch and how much it covers for each layer, and the replay of the refinement.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    for (key, _, help) in COMMON_LAYERS {
        switch(ui, bench, key, key, help);
        if key == SEARCH {
            colouring(ui, bench);
        }
    }
    let found: Vec<(String, &'static str, String)> = bench
        .layers
        .planner_layers()
        .map(|(key, layer)| {
            let count = whole(items(layer) as u64);
            let help = format!("{} ({count})", layer.info.help);
            (key, layer.info.name, help)
        })
        .collect();
    let title = bench.planner.entry().title;
    if found.is_empty() {
        ui.weak(format!("{title} has no layers of its own."));
    } else {
        ui.add_space(4.0);
        ui.weak(format!("of {title}"));
    }
    for (key, _, help) in &found {
        switch(ui, bench, key, key, help);
    }
    refinement(ui, bench);
}

fn switch(ui: &mut Ui, bench: &mut Bench, key: &str, name: &str, help: &str) {
    let Switch { mut on, mut opacity } = bench.layers.switch(key);
    ui.horizontal(|ui| {
        ui.checkbox(&mut on, name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().slider_width = 72.0;
            let slider = Slider::new(&mut opacity, 0.0..=1.0).show_value(false);
            let slider = ui.add_enabled(on, slider).accessible_name(format!("{name} opacity"));
            slider.on_hover_text(format!("how much it covers: {:.0} %", opacity * 100.0));
        });
    });
    if (Switch { on, opacity }) != bench.layers.switch(key) {
        bench.layers.set_switch(key, Switch { on, opacity });
    }
}

fn colouring(ui: &mut Ui, bench: &mut Bench) {
    ui.horizontal(|ui| {
        ui.add_space(22.0);
        ui.weak("colours").on_hover_text("what the colours of expanded cells show");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("colouring")
                .selected_text(bench.colouring.name())
                .width(168.0);
            let response = combo.show_ui(ui, |ui| {
                for colouring in Colouring::ALL {
                    ui.selectable_value(&mut bench.colouring, colouring, colouring.name());
                }
            });
            response.response.accessible_name("colours");
        });
    });
}

/// From the top layer down to the cells.
fn refinement(ui: &mut Ui, bench: &mut Bench) {
    if bench.layers.query.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ui.weak("refinement, from the top layer down");
    let stages = bench.stages();
    let total: usize = stages.iter().map(|(_, length)| length).sum();
    let mut shown = bench.refinement.shown.unwrap_or(total).min(total);
    ui.horizontal(|ui| {
        let word = if bench.refinement.is_playing { "Pause" } else { "Replay" };
        let button = ui.add(Button::new(word)).accessible_name("Replay refinement");
        if button.on_hover_text("layer by layer, from the top to the cells").clicked() {
            bench.toggle_refinement();
        }
        let slider = Slider::new(&mut shown, 0..=total).show_value(false);
        if ui.add(slider).accessible_name("RefinementView").changed() {
            bench.refinement.shown = (shown < total).then_some(shown);
            bench.refinement.is_playing = false;
        }
    });
    let mut left = shown;
    let stage = stages.iter().find(|(_, length)| {
        let here = left < *length;
        left = left.saturating_sub(*length);
        here
    });
    ui.weak(stage.map_or("everything is shown", |(name, _)| name.as_str()));
}
