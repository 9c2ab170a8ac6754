//! The panel at the right, which all modes have.

use egui::{Panel, Ui};

/// How wide it is at first and in a narrow window, and how far it can be drawn.
const WIDTH: f32 = 320.0;
const WIDTH_NARROW: f32 = 252.0;
const WIDTHS: std::ops::RangeInclusive<f32> = 288.0..=480.0;

/// Shows the panel of a mode; in a narrow window it is narrow, and stays as it is.
pub(crate) fn show(ui: &mut Ui, mode: &str, is_narrow: bool, add: impl FnOnce(&mut Ui)) {
    let panel = match is_narrow {
        true => {
            Panel::right(format!("narrow {mode} panel")).resizable(false).exact_size(WIDTH_NARROW)
        }
        false => Panel::right(format!("{mode} panel"))
            .resizable(true)
            .default_size(WIDTH)
            .size_range(WIDTHS),
    };
    panel.show(ui, |ui| {
        // A panel ends where its content does: what is beside it would cover the left edge of narrower content.
        ui.take_available_width();
        add(ui);
    });
}
