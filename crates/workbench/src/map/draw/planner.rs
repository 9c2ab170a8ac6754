//! Choosing a planner, its options, and how agents move.

use crate::map::{MapMode, MovementChoice};
use crate::shared::PlannerChoice;
use crate::shared::draw::options::{self, capitalised};
use crate::shared::draw::style;
use crate::teach::{Textbook, planners_of_cells, serves_cells};
use egui::{Button, ComboBox, DragValue, Ui};
use highroad::grid::{MovementRule, Palette, StepCosts};

/// Shows the choice of a planner, in one row.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    let mut chosen = map.planner.clone();
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let run = Button::new("Find a path");
            if ui.add(run).on_hover_text("run the planner again (R)").clicked() {
                map.find_path();
            }
            choice(ui, map, &mut chosen);
        });
    });
    map.choose_planner(chosen);
}

/// The list of planners: all of them fit into it.
fn choice(ui: &mut Ui, map: &MapMode, chosen: &mut PlannerChoice) {
    let combo = ComboBox::from_id_salt("planner")
        .width(ui.available_width())
        .height(LIST_HEIGHT)
        .truncate()
        .selected_text(chosen.entry().title);
    let response = combo.show_ui(ui, |ui| {
        for entry in planners_of_cells() {
            let serves = serves_cells(entry, map.document.grid());
            let selected = chosen.entry().name == entry.name;
            let choice = Button::selectable(selected, entry.title);
            let choice = ui.add_enabled(serves.is_ok(), choice);
            let choice = match &serves {
                Ok(()) => choice.on_hover_text(entry.summary),
                Err(reason) => choice.on_disabled_hover_text(format!("not on this map: {reason}")),
            };
            if choice.clicked() && !selected {
                *chosen = map.planner_named(entry.name);
            }
        }
    });
    response
        .response
        .accessible_name("Choose a planner")
        .on_hover_text("which planner finds the path");
}

/// From this height on, options of the planner are shown unless somebody folds them.
const ROOMY: f32 = 800.0;

/// Room for all planners of the catalog.
const LIST_HEIGHT: f32 = 640.0;

/// Shows what the planner does and guarantees, and its options.
pub(crate) fn show_about(ui: &mut Ui, map: &mut MapMode) {
    let mut chosen = map.planner.clone();
    let summary = capitalised(chosen.entry().summary);
    // Two lines are kept free, so that the tabs stay where they are for most planners.
    let size = egui::vec2(ui.available_width(), 2.0 * ui.text_style_height(&egui::TextStyle::Body));
    ui.allocate_ui_with_layout(size, egui::Layout::top_down(egui::Align::Min), |ui| {
        ui.set_min_size(size);
        ui.label(summary);
    });
    let guarantee = match &map.run.outcome {
        Some(outcome) => outcome.guarantee.to_string(),
        None => "–".to_owned(),
    };
    style::row(
        ui,
        "guarantee",
        &guarantee,
        "what the planner promises of its paths' cost on this map",
    );
    let task = map.teaching.course.as_ref().and_then(|course| course.step().task.as_ref());
    let asks_for_options = task.is_some_and(|task| !task.check.options.is_empty());
    let is_roomy = ui.available_height() > ROOMY;
    let changed = chosen.options().filter(|(option, value)| option.default != *value).count();
    let title = match changed {
        0 => "Options".to_owned(),
        count => format!("Options, {count} changed"),
    };
    egui::CollapsingHeader::new(title)
        .id_salt(("options", asks_for_options, is_roomy))
        .default_open(asks_for_options || is_roomy)
        // The switch below the options is for the whole plain form.
        .show(ui, |ui| options::show(ui, &mut chosen, &["textbook"]));
    map.choose_planner(chosen);
    textbook(ui, map);
}

/// The switch for the plain form of the planner, and one that shows both forms side by side.
fn textbook(ui: &mut Ui, map: &mut MapMode) {
    let (form, is_on) = map.textbook();
    let mut wanted = is_on;
    match form {
        Textbook::Form(form) => {
            let help = form.differences.join("\n\n");
            ui.horizontal(|ui| {
                let response = ui.checkbox(&mut wanted, "Textbook").on_hover_text(help);
                if response.accessible_name("Textbook mode").changed() {
                    map.set_textbook(wanted);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let both = map.shows_textbook_beside();
                    let help = "the textbook form and the optimised one, side by side on one timeline; the tab Compare \
                                says what differs (T)";
                    if ui.selectable_label(both, "Side by side").on_hover_text(help).clicked() {
                        map.toggle_textbook_beside();
                    }
                });
            });
        }
        Textbook::None(reason) => {
            ui.add_enabled(false, egui::Checkbox::new(&mut wanted, "Textbook"))
                .on_disabled_hover_text(reason);
        }
    }
}

/// Shows how agents move.
pub(crate) fn show_movement(ui: &mut Ui, map: &mut MapMode) {
    let mut choice = map.document.movement();
    rule(ui, &mut choice);
    step_costs(ui, &mut choice);
    size(ui, &mut choice);
    if map.document.palette() == Palette::Standard {
        let help = "what a cell of swamp costs, ground being 1";
        let drag = DragValue::new(&mut choice.swamp).range(1..=16).speed(0.1);
        number_row(ui, "swamp costs", help, drag);
    }
    slopes(ui, map, &mut choice);
    map.choose_movement(choice);
}

/// What heights mean.
fn slopes(ui: &mut Ui, map: &MapMode, choice: &mut MovementChoice) {
    ui.add_space(8.0);
    ui.weak("heights");
    let range = map.document.grid().map().height_range();
    if range.start() == range.end() {
        ui.weak("This map is level. Draw heights with the brush to make hills and cliffs.");
    }
    let slopes = &mut choice.slopes;
    let climb = "the largest rise of a step: a steeper one is a cliff that cannot be climbed";
    let drop = "the largest drop of a step: with more than the climb, cliffs can be jumped down and not climbed";
    let up = "what a unit of height upwards adds to a step, in per cent of a straight step";
    let down = "what a unit of height downwards adds to a step, in per cent of a straight step";
    let rows = [
        ("climb at most", &mut slopes.climb, climb),
        ("drop at most", &mut slopes.drop, drop),
        ("cost of 1 up", &mut slopes.uphill, up),
        ("cost of 1 down", &mut slopes.downhill, down),
    ];
    for (name, value, help) in rows {
        let drag = DragValue::new(value).speed(0.2);
        let is_cost = name.starts_with("cost");
        number_row(ui, name, help, if is_cost { drag.suffix(" %") } else { drag });
    }
}

/// A number that can be set, at the right of its name.
fn number_row(ui: &mut Ui, name: &str, help: &str, drag: DragValue<'_>) {
    ui.horizontal(|ui| {
        ui.weak(name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add(drag).on_hover_text(help).accessible_name(format!("Set {name}"));
        });
    });
}

fn size(ui: &mut Ui, choice: &mut MovementChoice) {
    let help = "how many cells an agent covers on each side: of size 3, it covers 3 × 3 cells and passes only where all \
                of them are free. Searches work on the upper left of these cells.";
    let range = 1..=highroad::grid::Footprint::SIZE_MAX;
    let drag = DragValue::new(&mut choice.size).range(range).speed(0.05);
    number_row(ui, "agent size", help, drag);
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
