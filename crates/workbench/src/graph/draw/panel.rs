//! The panel at the right: graph, planner and result at the top, and what the current step does.

use crate::graph::{BUILTIN_GRAPHS, GraphMode, GraphOutcome};
use crate::shared::draw::figures::{self, Figure, NONE};
use crate::shared::draw::options::{self, capitalised};
use crate::shared::draw::{code, style};
use crate::shared::{PlannerChoice, above_optimal};
use crate::teach::pseudocode;
use egui::{Button, ComboBox, RichText, ScrollArea, Ui};
use highroad::environment::NodeId;
use highroad_lab::table::{bytes, duration, whole};
use std::sync::Arc;

/// Shows the panel.
pub(super) fn show(ui: &mut Ui, mode: &mut GraphMode) {
    ui.add_space(8.0);
    planner(ui, mode);
    ui.add_space(8.0);
    figures::show(ui, &figures_of(mode));
    ui.add_space(4.0);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        graph(ui, mode);
        ends(ui, mode);
        ui.separator();
        about(ui, mode);
        ui.separator();
        steps(ui, mode);
        ui.add_space(16.0);
    });
}

fn planner(ui: &mut Ui, mode: &mut GraphMode) {
    let mut chosen = mode.planner().clone();
    let combo = ComboBox::from_id_salt("planner of graphs")
        .width(ui.available_width())
        .height(480.0)
        .selected_text(chosen.entry().title);
    let response = combo.show_ui(ui, |ui| {
        for entry in GraphMode::planners() {
            let serves = entry.serves(mode.graph());
            let selected = chosen.entry().name == entry.name;
            let button = ui.add_enabled(serves.is_ok(), Button::selectable(selected, entry.title));
            let button = match &serves {
                Ok(()) => button.on_hover_text(entry.summary),
                Err(why) => button.on_disabled_hover_text(format!("not on this graph: {why}")),
            };
            if button.clicked() && !selected {
                chosen = PlannerChoice::of(entry.name).unwrap_or_default();
            }
        }
    });
    response.response.accessible_name("Choose a planner").on_hover_text("which planner searches");
    mode.choose_planner(chosen);
}

fn figures_of(mode: &GraphMode) -> [Figure; 4] {
    let outcome = mode.outcome().and_then(|outcome| outcome.as_ref().ok());
    let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    let above = |outcome: &GraphOutcome| Some(above_optimal(outcome.cost?, outcome.optimal?));
    [
        Figure {
            value: text(outcome.and_then(|outcome| outcome.cost).map(whole)),
            name: "cost",
            help: "the sum of the weights along the path",
        },
        Figure {
            value: text(outcome.map(|outcome| whole(outcome.statistics.expanded))),
            name: "expanded",
            help: "nodes taken from the open list",
        },
        Figure {
            value: text(outcome.map(|outcome| duration(outcome.solve_us))),
            name: "time",
            help: "how long the answer took, without recording it",
        },
        Figure {
            value: text(outcome.and_then(above)),
            name: "vs. optimal",
            help: "how much more the path costs than the best there is",
        },
    ]
}

fn graph(ui: &mut Ui, mode: &mut GraphMode) {
    let mut chosen = None;
    row(ui, "graph", "graphs that are part of the program; File, Open takes others", |ui| {
        let combo = ComboBox::from_id_salt("graph").selected_text(&mode.name).width(150.0);
        let response = combo.show_ui(ui, |ui| {
            for builtin in BUILTIN_GRAPHS {
                let is_open = mode.name == builtin.name;
                let label = ui.selectable_label(is_open, builtin.name);
                if label.on_hover_text(builtin.summary).clicked() && !is_open {
                    chosen = Some(builtin);
                }
            }
        });
        response.response.accessible_name("Choose a graph");
    });
    if let Some(builtin) = chosen {
        // Built-in graphs are small enough: the tests look.
        _ = mode.take(builtin.name, Arc::new(builtin.load()));
    }
}

fn ends(ui: &mut Ui, mode: &mut GraphMode) {
    let (mut start, mut goal) = mode.ends();
    let ends = [
        ("from", "Choose the start", "where the path starts; or click a node", &mut start),
        (
            "to",
            "Choose the goal",
            "where it ends; or click a node with the right button",
            &mut goal,
        ),
    ];
    for (name, label, help, end) in ends {
        row(ui, name, help, |ui| {
            let selected = mode.graph().name(*end);
            let combo = ComboBox::from_id_salt(label).selected_text(selected).width(150.0);
            let response = combo.show_ui(ui, |ui| {
                for node in (0..mode.graph().node_count() as u32).map(NodeId) {
                    ui.selectable_value(end, node, mode.graph().name(node));
                }
            });
            response.response.accessible_name(label);
        });
    }
    mode.set_ends((start, goal));
}

fn row(ui: &mut Ui, name: &str, help: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.weak(name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), content);
    });
}

fn about(ui: &mut Ui, mode: &mut GraphMode) {
    let mut chosen = mode.planner().clone();
    ui.label(capitalised(chosen.entry().summary));
    match mode.outcome() {
        Some(Ok(outcome)) => {
            let guarantee = outcome.guarantee.to_string();
            style::row(ui, "guarantee", &guarantee, "what the planner promises of its paths' cost");
            let build = duration(outcome.build_us);
            style::row(ui, "build time", &build, "what came before the first query");
            let memory = bytes(outcome.memory_bytes);
            style::row(ui, "planner memory", &memory, "what the planner holds beside the graph");
        }
        Some(Err(reason)) => {
            _ = ui.label(RichText::new(reason).color(ui.visuals().warn_fg_color));
        }
        None => {}
    }
    let changed = chosen.options().filter(|(option, value)| option.default != *value).count();
    let title = match changed {
        0 => "Options".to_owned(),
        count => format!("Options, {count} changed"),
    };
    egui::CollapsingHeader::new(title)
        .id_salt("options of graphs")
        .show(ui, |ui| options::show(ui, &mut chosen, &[]));
    mode.choose_planner(chosen);
}

fn steps(ui: &mut Ui, mode: &mut GraphMode) {
    let Some(sentence) = mode.sentence() else {
        ui.weak("This planner records no steps.");
        return;
    };
    ui.label(RichText::new(sentence).strong());
    ui.horizontal(|ui| {
        if ui.small_button("Step back").on_hover_text("to the step before ( , )").clicked() {
            mode.go_step(false);
        }
        if ui.small_button("Next step").on_hover_text("to the end of the next step ( . )").clicked()
        {
            mode.go_step(true);
        }
    });
    ui.add_space(4.0);
    let name = mode.planner().entry().name;
    if let (Some(text), Some(replay)) = (pseudocode(name), mode.player.replay()) {
        code::show(ui, text, replay, "node");
    }
}
