//! The agent.

use crate::model::{Bench, Gait};
use egui::{Slider, Ui};

/// Shows how the agent fares, and how fast it is.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    let gait = bench.walker.as_ref().map(|walker| walker.gait.clone());
    let word = match gait {
        Some(Gait::Walking) => "Pause walking",
        Some(Gait::Paused) => "Go on",
        Some(_) => "Walk again",
        None => "Walk the path",
    };
    ui.horizontal(|ui| {
        let help = "an agent walks the path; draw a wall in its way and it plans again (P)";
        if ui.button(word).on_hover_text(help).clicked() {
            bench.toggle_walk();
        }
        if bench.walker.is_some()
            && ui.button("Remove").on_hover_text("take the agent off the map").clicked()
        {
            bench.end_walk();
        }
    });
    ui.horizontal(|ui| {
        ui.weak("speed");
        let slider = Slider::new(&mut bench.preferences.walk_speed, 1.0..=200.0)
            .logarithmic(true)
            .max_decimals(0)
            .suffix(" cells/s");
        ui.add(slider).accessible_name("Walking speed");
    });
    let text = match &bench.walker {
        None => "Nobody is walking.".to_owned(),
        Some(walker) => match &walker.gait {
            Gait::Walking => format!("Walking; planned again {}.", times(walker.replans)),
            Gait::Paused => "Waiting.".to_owned(),
            Gait::Planning => "Looking for another way.".to_owned(),
            Gait::Arrived => format!("Arrived; planned again {}.", times(walker.replans)),
            Gait::Stopped(reason) => reason.clone(),
        },
    };
    ui.weak(text);
}

fn times(count: u32) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
