//! Choosing a planner, its options, and how agents move.

use super::style;
use crate::model::{Bench, MovementChoice, PlannerChoice};
use egui::{Button, ComboBox, DragValue, Ui};
use highroad::catalog::CATALOG;
use highroad::grid::{MovementRule, Palette, StepCosts};
use highroad::planner::{OptionInfo, OptionKind};

/// Shows the planner, what it guarantees, and its options.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    style::head(ui, "Planner");
    let mut chosen = bench.planner.clone();
    let combo = ComboBox::from_id_salt("planner")
        .width(ui.available_width() - 8.0)
        .selected_text(chosen.entry().title);
    let response = combo.show_ui(ui, |ui| {
        let entries = CATALOG.iter().enumerate().filter(|(_, entry)| entry.grid.is_some());
        for (index, entry) in entries {
            let serves = entry.serves(bench.document.grid());
            let selected = chosen.entry().name == entry.name;
            let choice = Button::selectable(selected, entry.title);
            let choice = ui.add_enabled(serves.is_ok(), choice);
            let choice = match &serves {
                Ok(()) => choice.on_hover_text(entry.summary),
                Err(reason) => choice.on_disabled_hover_text(format!("not on this map: {reason}")),
            };
            if choice.clicked() && !selected {
                chosen = PlannerChoice::new(index);
            }
        }
    });
    response.response.accessible_name("Choose a planner");
    ui.label(capitalised(chosen.entry().summary));
    if let Some(outcome) = &bench.outcome {
        style::row(ui, "guarantee", &outcome.guarantee.to_string(), GUARANTEE_HELP);
    } else {
        style::row(ui, "guarantee", "…", GUARANTEE_HELP);
    }
    options(ui, &mut chosen);
    bench.choose_planner(chosen);
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        let run = Button::new("Find a path").shortcut_text("R");
        if ui.add(run).on_hover_text("run the planner again").clicked() {
            bench.run();
        }
        busy(ui, bench);
    });
}

const GUARANTEE_HELP: &str = "what the planner promises of its paths' cost on this map";

/// What goes on, and a way to stop it. It takes its place even when nothing does, so nothing jumps.
fn busy(ui: &mut Ui, bench: &mut Bench) {
    // Short work would only flicker.
    let shown = bench.busy().filter(|busy| busy.age.as_millis() > 150);
    let Some(busy) = shown else { return };
    if ui.button("Cancel").on_hover_text("Esc").clicked() {
        bench.cancel();
    }
    match busy.share {
        Some(share) => {
            let bar = egui::ProgressBar::new(share).desired_height(8.0).desired_width(48.0);
            ui.add(bar).accessible_name("Progress");
        }
        None => _ = ui.add(egui::Spinner::new().size(14.0)),
    }
    ui.weak(format!("{:.1} s", busy.age.as_secs_f32())).on_hover_text(busy.what);
}

fn options(ui: &mut Ui, chosen: &mut PlannerChoice) {
    let listed: Vec<(&'static OptionInfo, String)> =
        chosen.options().map(|(option, value)| (option, value.to_owned())).collect();
    for (option, value) in listed {
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

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Shows how agents move.
pub(super) fn show_movement(ui: &mut Ui, bench: &mut Bench) {
    let mut choice = bench.document.movement;
    rule(ui, &mut choice);
    step_costs(ui, &mut choice);
    if bench.document.palette() == Palette::Standard {
        ui.horizontal(|ui| {
            let help = "what a cell of swamp costs, ground being 1";
            ui.weak("swamp costs").on_hover_text(help);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let drag = DragValue::new(&mut choice.swamp).range(1..=16).speed(0.1);
                ui.add(drag).on_hover_text(help).accessible_name("Set swamp costs");
            });
        });
    }
    bench.choose_movement(choice);
}

fn rule(ui: &mut Ui, choice: &mut MovementChoice) {
    let described = |rule: MovementRule| match rule {
        MovementRule::FourWay => ("four ways", "north, east, south and west only"),
        MovementRule::NeverCutCorners => {
            ("never cut corners", "a diagonal step needs both sides free")
        }
        MovementRule::AtMostOneObstacle => {
            ("cut one corner", "a diagonal step needs one side free")
        }
        MovementRule::AlwaysDiagonal => {
            ("always diagonal", "a diagonal step may slip between two walls")
        }
    };
    ui.horizontal(|ui| {
        let (name, help) = described(choice.rule());
        ui.weak("rule").on_hover_text("which of the eight neighbours a step may lead to");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("rule").selected_text(name).width(150.0);
            let response = combo.show_ui(ui, |ui| {
                for (index, rule) in MovementRule::ALL.into_iter().enumerate() {
                    let (name, help) = described(rule);
                    ui.selectable_value(&mut choice.rule, index, name).on_hover_text(help);
                }
            });
            response.response.accessible_name("Choose rule").on_hover_text(help);
        });
    });
}

fn step_costs(ui: &mut Ui, choice: &mut MovementChoice) {
    let known = [
        ("exact √2", StepCosts::EXACT, "2378 and 3363: orders paths as their real lengths do"),
        ("1 and 1.4", StepCosts::THESIS, "5 and 7"),
        ("all alike", StepCosts::UNIT, "a diagonal step costs as much as a straight one"),
    ];
    let pair = |costs: StepCosts| (costs.straight() as u16, costs.diagonal() as u16);
    let current = known.iter().find(|known| pair(known.1) == (choice.straight, choice.diagonal));
    ui.horizontal(|ui| {
        let help = "what a straight and a diagonal step cost beside each other";
        ui.weak("step costs").on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let name = current.map_or("other", |known| known.0);
            let combo = ComboBox::from_id_salt("step costs").selected_text(name).width(150.0);
            let response = combo.show_ui(ui, |ui| {
                for (name, costs, help) in known {
                    let selected = current.is_some_and(|known| known.0 == name);
                    if ui.selectable_label(selected, name).on_hover_text(help).clicked() {
                        (choice.straight, choice.diagonal) = pair(costs);
                    }
                }
            });
            response.response.accessible_name("Choose step costs").on_hover_text(help);
        });
    });
}
