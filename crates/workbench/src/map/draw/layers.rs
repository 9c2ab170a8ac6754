//! What lies over the map: switches, and beside each what it looks like.

use super::swatch::{self, Swatch};
use crate::map::{MapMode, brushes};
use crate::shared::draw::style;
use crate::shared::{COMMON_LAYERS, COMPONENTS, PATH, SEARCH, Switch, TREE, Unit, items};
use egui::{Button, ComboBox, Label, RichText, Slider, Ui};
use highroad::Terrain;
use highroad::grid::{Footprint, Palette};
use highroad_lab::table::whole;
use highroad_pictures::{CLEARANCE, Colour, Colouring};

/// Shows a switch, a swatch and how much it covers for each layer, what the other colours mean, and the replay of the
/// refinement.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    for (name, _, help) in COMMON_LAYERS {
        let look = match name {
            SEARCH => Swatch::Ramp,
            TREE => Swatch::Line(style::colour(map.theme.tree())),
            PATH => Swatch::Path,
            COMPONENTS => Swatch::Groups,
            CLEARANCE => Swatch::Ramp,
            _ => Swatch::Lines(style::colour(map.theme.grid_lines())),
        };
        switch(ui, map, look, name, help);
        if name == SEARCH {
            colouring(ui, map);
        } else if name == CLEARANCE && map.layers.switch(name).on {
            scale_below(ui, "1", &Footprint::SIZE_MAX.to_string());
        }
    }
    planner_layers(ui, map);
    refinement(ui, map);
    marks(ui, map);
    terrain(ui, map);
    ground(ui, map);
}

fn planner_layers(ui: &mut Ui, map: &mut MapMode) {
    let title = map.planner.entry().title;
    let mut found: Vec<(&'static str, Swatch, String)> = Vec::new();
    let (level, level_max) = (map.layers.level(), map.layers.level_max());
    for (_, layer) in map.layers.planner_layers() {
        if found.iter().any(|(name, ..)| *name == layer.info.name) {
            continue;
        }
        let of_level = map.layers.planner_layers().map(|(_, layer)| layer);
        let count = of_level
            .filter(|other| other.info.name == layer.info.name && other.level == level)
            .map(items)
            .sum::<usize>();
        let help = format!("{} ({})", layer.info.help, whole(count as u64));
        found.push((layer.info.name, swatch::of_layer(map.theme, layer), help));
    }
    ui.add_space(8.0);
    if found.is_empty() {
        ui.weak(format!("{title} has no layers of its own."));
        return;
    }
    ui.weak(format!("of {title}"));
    for (name, look, help) in found {
        switch(ui, map, look, name, &help);
    }
    if level_max > 1 {
        ui.horizontal(|ui| {
            ui.weak("level").on_hover_text("the higher, the fewer and larger the parts");
            let mut wanted = level;
            let slider = Slider::new(&mut wanted, 1..=level_max).show_value(false);
            if ui.add(slider).accessible_name("Level").changed() {
                map.layers.set_level(wanted);
            }
            ui.label(format!("{level} of {level_max}"));
        });
    }
}

fn switch(ui: &mut Ui, map: &mut MapMode, look: Swatch, name: &str, help: &str) {
    let Switch { mut on, mut opacity } = map.layers.switch(name);
    ui.horizontal(|ui| {
        swatch::show(ui, map.theme, look, if on { opacity } else { 0.25 });
        ui.checkbox(&mut on, name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().slider_width = 64.0;
            let slider = Slider::new(&mut opacity, 0.0..=1.0).show_value(false);
            let slider = ui.add_enabled(on, slider).accessible_name(format!("{name} opacity"));
            slider.on_hover_text(format!("how much it covers: {:.0} %", opacity * 100.0));
        });
    });
    if (Switch { on, opacity }) != map.layers.switch(name) {
        map.layers.set_switch(name, Switch { on, opacity });
    }
}

/// What the search's colours show, as a scale with numbers.
fn colouring(ui: &mut Ui, map: &mut MapMode) {
    ui.horizontal(|ui| {
        ui.add_space(swatch::WIDTH + 8.0);
        let combo = ComboBox::from_id_salt("colouring")
            .selected_text(map.layers.colouring.name())
            .width(ui.available_width() - 8.0);
        let response = combo.show_ui(ui, |ui| {
            for colouring in Colouring::ALL {
                ui.selectable_value(&mut map.layers.colouring, colouring, colouring.name());
            }
        });
        response
            .response
            .accessible_name("colours")
            .on_hover_text("what the colours of expanded cells show");
    });
    if let Some((low, high)) = scale(map) {
        scale_below(ui, &low, &high);
    }
    if map.layers.colouring != Colouring::Visits {
        legend(
            ui,
            map,
            Swatch::Patch(style::colour(Colour::OPEN)),
            "open: reached, not yet expanded",
        );
    }
    legend(ui, map, Swatch::Ring, "the current cell");
}

/// A scale below a switch.
fn scale_below(ui: &mut Ui, low: &str, high: &str) {
    ui.horizontal(|ui| {
        ui.add_space(swatch::WIDTH + 8.0);
        swatch::scale(ui, low, high);
    });
}

/// The numbers at both ends of the scale.
fn scale(map: &MapMode) -> Option<(String, String)> {
    let replay = map.player.replay()?;
    let unit = Unit::of_recording(map.document.grid(), replay);
    Some(match map.layers.colouring {
        Colouring::Order => ("1".to_owned(), whole(u64::from(replay.expansions()))),
        Colouring::Cost => ("0".to_owned(), unit.text(replay.g_max())),
        Colouring::Visits => ("1".to_owned(), whole(u64::from(replay.visits_max()))),
    })
}

/// A swatch and what it means.
fn legend(ui: &mut Ui, map: &MapMode, look: Swatch, text: &str) {
    ui.horizontal(|ui| {
        swatch::show(ui, map.theme, look, 1.0);
        let text = RichText::new(text).color(ui.visuals().weak_text_color());
        ui.add(Label::new(text).wrap());
    });
}

/// What the marks on the map mean.
fn marks(ui: &mut Ui, map: &MapMode) {
    ui.add_space(8.0);
    ui.weak("marks");
    legend(ui, map, Swatch::Start, "start: drag it");
    legend(ui, map, Swatch::Goal, "goal: drag it");
    if !map.player.breakpoints.is_empty() {
        legend(ui, map, Swatch::Breakpoint, "breakpoint: playing stops here");
    }
    if map.agent().is_some() {
        legend(ui, map, Swatch::Agent, "the agent and its trail");
    }
}

/// What the terrains look like, and what they cost.
fn terrain(ui: &mut Ui, map: &MapMode) {
    ui.add_space(8.0);
    ui.weak("terrain");
    let palette = map.document.palette();
    let profile = map.document.grid().movement().profile();
    for (terrain, name) in brushes(palette) {
        let text = match profile.cost_of(terrain) {
            Some(1) => format!("{name}, costs 1"),
            Some(cost) => format!("{name}, costs {cost}"),
            None => format!("{name}, cannot be entered"),
        };
        legend(ui, map, Swatch::Patch(style::colour(map.theme.terrain(terrain, palette))), &text);
    }
}

/// What the shape of the ground looks like, where there is one.
fn ground(ui: &mut Ui, map: &MapMode) {
    let cells = map.document.grid().map();
    let heights = cells.height_range();
    let colour = |colour| style::colour(colour);
    if heights.end() > heights.start() {
        let shades = Swatch::Shades(colour(map.theme.terrain(Terrain::GROUND, Palette::Standard)));
        let text = format!("heights from {} to {}", heights.start(), heights.end());
        legend(ui, map, shades, &text);
    }
    if cells.has_relief() {
        legend(ui, map, Swatch::Border(colour(map.theme.border())), "closed border, or one way");
    }
    if !cells.link_list().is_empty() {
        legend(ui, map, Swatch::Link(colour(map.theme.link())), "link: a ladder, a door, a portal");
    }
}

/// From the top layer down to the cells.
fn refinement(ui: &mut Ui, map: &mut MapMode) {
    if map.layers.query.is_empty() {
        return;
    }
    ui.add_space(8.0);
    ui.weak("refinement, from the top layer down");
    let stages = map.stages();
    let total: usize = stages.iter().map(|(_, length)| length).sum();
    let mut shown = map.layers.refinement.shown.unwrap_or(total).min(total);
    ui.horizontal(|ui| {
        let word = if map.layers.refinement.is_playing { "Pause" } else { "Replay" };
        let button = ui.add(Button::new(word)).accessible_name("Replay refinement");
        if button.on_hover_text("layer by layer, from the top to the cells").clicked() {
            map.toggle_refinement();
        }
        let slider = Slider::new(&mut shown, 0..=total).show_value(false);
        if ui.add(slider).accessible_name("Refinement").changed() {
            map.layers.refinement.shown = (shown < total).then_some(shown);
            map.layers.refinement.is_playing = false;
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
