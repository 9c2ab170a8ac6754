//! The options of a planner: switches, words and numbers, as the catalog describes them.

use crate::shared::PlannerChoice;
use egui::{ComboBox, DragValue, Ui};
use highroad::planner::{OptionInfo, OptionKind};

/// Shows the options of a planner, each in a row, but for those of these names.
pub(crate) fn show(ui: &mut Ui, chosen: &mut PlannerChoice, hidden: &[&str]) {
    let listed: Vec<(&'static OptionInfo, String)> =
        chosen.options().map(|(option, value)| (option, value.to_owned())).collect();
    for (option, value) in listed.into_iter().filter(|(option, _)| !hidden.contains(&option.name)) {
        ui.horizontal(|ui| {
            let help = format!("{}: {}", capitalised(option.help), option.kind);
            ui.weak(option.name).on_hover_text(&help);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if let Some(new) = option_value(ui, option, &value, &help) {
                    chosen.set(option.name, &new);
                }
            });
        });
    }
}

/// An option's value: a switch, words to choose from, a number, or both.
fn option_value(ui: &mut Ui, option: &OptionInfo, value: &str, help: &str) -> Option<String> {
    if option.kind == OptionKind::Switch {
        let mut on = value == "yes";
        let response = ui.checkbox(&mut on, "").on_hover_text(help);
        let changed = response.accessible_name(format!("Set {}", option.name)).changed();
        return changed.then(|| if on { "yes" } else { "no" }.to_owned());
    }
    let range = option.kind.range();
    let number = value.parse::<f64>().ok();
    let mut new = None;
    if let (Some(range), Some(mut number)) = (range, number) {
        let decimals = if range.is_whole() { 0 } else { 2 };
        let drag = DragValue::new(&mut number).range(range.min..=range.max);
        let drag = drag.speed(range.step / 5.0).max_decimals(decimals);
        let response = ui.add(drag).on_hover_text(help);
        if response.accessible_name(format!("Set {}", option.name)).changed() {
            new = Some(number.to_string());
        }
    }
    let words = option.kind.words();
    if !words.is_empty() {
        let text = if number.is_some() && range.is_some() { "number" } else { value };
        let combo = ComboBox::from_id_salt(option.name).selected_text(text).width(88.0);
        let response = combo.show_ui(ui, |ui| {
            for &word in words {
                if ui.selectable_label(word == value, word).clicked() {
                    new = Some(word.to_owned());
                }
            }
            if let Some(range) = range
                && ui.selectable_label(number.is_some(), "number").clicked()
            {
                let usual = option.default.parse().unwrap_or(range.min.max(1.0));
                new = Some(usual.to_string());
            }
        });
        response.response.accessible_name(format!("Choose {}", option.name)).on_hover_text(help);
    }
    new
}

/// A text whose first letter is a capital.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
