//! Pseudocode with the line that the current step is at.

use crate::teach::Pseudocode;
use egui::text::LayoutJob;
use egui::{Label, TextFormat, TextStyle, Ui};
use highroad_pictures::replay::Replay;

/// Room at the left for each space that a line of pseudocode begins with.
const DEPTH_WIDTH: f32 = 4.0;
/// How much further in the second row of a long line begins: more than a line inside of it, so that it does not look like one.
const HANGING: f32 = 28.0;

/// Shows the pseudocode. Places are called `place`.
pub(crate) fn show(ui: &mut Ui, code: &Pseudocode, replay: &Replay, place: &str) {
    let current = code.current(replay);
    egui::Frame::new().fill(ui.visuals().faint_bg_color).inner_margin(6.0).corner_radius(5.0).show(
        ui,
        |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            for (number, line) in code.lines.iter().enumerate() {
                code_line(ui, &line.text.replace("cell", place), current == Some(number));
            }
        },
    );
}

/// Text whose first row begins further to the left than the others.
fn hanging(ui: &Ui, words: &str, is_current: bool) -> LayoutJob {
    let visuals = ui.visuals();
    let colour = if is_current { visuals.strong_text_color() } else { visuals.text_color() };
    let format = TextFormat::simple(TextStyle::Body.resolve(ui.style()), colour);
    let mut job = LayoutJob::default();
    job.append(words, -HANGING, format);
    job
}

/// A line of pseudocode. What it is inside of is shown by room at its left, also where it takes several rows.
fn code_line(ui: &mut Ui, text: &str, is_current: bool) {
    let words = text.trim_start();
    let depth = (text.len() - words.len()) as f32;
    let back = ui.visuals().selection.bg_fill;
    let fill = if is_current { back } else { egui::Color32::TRANSPARENT };
    let frame = egui::Frame::new()
        .fill(fill)
        .corner_radius(4.0)
        .inner_margin(egui::Margin::symmetric(4, 1));
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(depth * DEPTH_WIDTH + HANGING);
            ui.add(Label::new(hanging(ui, words, is_current)).wrap());
        });
    });
}
