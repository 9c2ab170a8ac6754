//! The agent.

use crate::map::MapMode;
use egui::{Slider, Ui};
use highroad::simulation::AgentState;

/// Room for a speed in cells a second.
const NUMBER_WIDTH: f32 = 96.0;

/// Shows the agent's state, and how fast it is.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    let word = match (map.is_walking(), map.walk.is_paused) {
        (true, false) => "Pause walking",
        (true, true) => "Go on",
        (false, _) if map.agent().is_some() => "Walk again",
        (false, _) => "Walk the path",
    };
    ui.horizontal(|ui| {
        let help = "an agent walks the path; draw a wall in its way and it plans again (P)";
        if ui.button(word).on_hover_text(help).clicked() {
            map.toggle_walk();
        }
        let remove = |ui: &mut Ui| ui.button("Remove").on_hover_text("take the agent off the map");
        if map.agent().is_some() && remove(ui).clicked() {
            map.end_walk();
        }
    });
    ui.horizontal(|ui| {
        ui.weak("speed");
        // The number beside it takes about as much as the longest one.
        ui.spacing_mut().slider_width = (ui.available_width() - NUMBER_WIDTH).clamp(40.0, 120.0);
        let slider = Slider::new(&mut map.walk.speed, 1.0..=200.0)
            .logarithmic(true)
            .max_decimals(0)
            .suffix(" cells/s");
        ui.add(slider).accessible_name("Walking speed");
    });
    let text = match map.agent().map(|agent| agent.state()) {
        None => "Nobody is walking.",
        Some(AgentState::Waiting) => "Waiting for its path.",
        Some(AgentState::Walking) if map.walk.is_paused => "Paused.",
        Some(AgentState::Walking) => "Walking.",
        Some(AgentState::Arrived) => "Arrived.",
        Some(_) => map.stop_reason().unwrap_or("Stopped."),
    };
    ui.label(text);
    if let Some(agent) = map.agent() {
        ui.weak(format!("{} steps, {} replans", agent.steps(), map.walk.replans));
    }
}
