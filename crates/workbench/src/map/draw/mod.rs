//! Drawing of the map mode: the parts of the window that the shell has places for.

mod beside;
pub(crate) mod canvas;
mod compare;
mod cursor;
mod explain;
pub(crate) mod heuristics;
mod inspector;
mod layers;
pub(crate) mod lesson;
mod numbers;
pub(crate) mod panel;
mod planner;
mod result;
mod steps;
mod swatch;
mod tool_icons;
pub(crate) mod tools;
mod walk;

use crate::map::MapMode;
use crate::shared::draw::timeline;
use crate::shared::draw::track::Part;
use crate::teach::{phase_help, phase_name};
use egui::Ui;
use highroad_lab::table::whole;

/// How high the bar at the bottom is.
pub(crate) const BOTTOM_HEIGHT: f32 = 66.0;

/// Shows the bar at the bottom: the timeline and the inspector.
pub(crate) fn bottom(ui: &mut Ui, map: &mut MapMode) {
    ui.add_space(4.0);
    let unit = map.recording_unit();
    let parts = parts(map);
    ui.horizontal(|ui| timeline::show(ui, &mut map.player, &parts, Some(unit), "event"));
    ui.horizontal(|ui| inspector::show(ui, map));
}

/// The parts of the recording, as the timeline shows them. A plain search is one part without a name.
fn parts(map: &MapMode) -> Vec<Part> {
    let Some(replay) = map.player.replay() else { return Vec::new() };
    let phases = replay.phases();
    let part = |number: usize| {
        let events = phases[number].events.clone();
        let name = phase_name(phases, number);
        let (first, last) = (whole(events.start as u64 + 1), whole(events.end as u64));
        let (name, title) = if name == "search" { ("", "") } else { (name, name) };
        let help = format!("{title}: {}", phase_help(phases, number));
        let help = format!(
            "{}\nEvents {first} to {last}. Drag to any event.",
            help.trim_start_matches(": ")
        );
        Part { name: name.to_owned(), help, events }
    };
    let mut parts: Vec<Part> = (0..phases.len()).map(part).collect();
    let (_, length) = map.player.position();
    if length > replay.len() {
        parts.push(Part {
            name: "others go on".to_owned(),
            help: "This planner has ended; those beside it go on.".to_owned(),
            events: replay.len()..length,
        });
    }
    parts
}
