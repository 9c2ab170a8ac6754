//! The panel at the right: planner and result at the top, the mesh, the tools, and what is shown.

use super::Asked;
use crate::mesh::{MeshMode, MeshOutcome, MeshTool};
use crate::shared::draw::figures::{self, Figure, NONE};
use crate::shared::draw::options::{self, capitalised};
use crate::shared::draw::style;
use crate::shared::{PlannerChoice, decimal};
use egui::{Button, ComboBox, RichText, ScrollArea, Ui};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_lab::table::{above_optimal, bytes, duration, whole};

/// Shows the panel. Returns what only the shell can do.
pub(super) fn show(ui: &mut Ui, mode: &mut MeshMode) -> Option<Asked> {
    ui.add_space(8.0);
    planner(ui, mode);
    ui.add_space(8.0);
    figures::show(ui, &figures_of(mode));
    ui.add_space(4.0);
    let mut asked = None;
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        asked = mesh(ui, mode);
        ui.separator();
        tools(ui, mode);
        ui.separator();
        layers(ui, mode);
        ui.separator();
        about(ui, mode);
        ui.add_space(16.0);
    });
    asked
}

fn planner(ui: &mut Ui, mode: &mut MeshMode) {
    let mut chosen = mode.planner().clone();
    let combo = ComboBox::from_id_salt("planner of meshes")
        .width(ui.available_width())
        .selected_text(chosen.entry().title);
    let response = combo.show_ui(ui, |ui| {
        for entry in MeshMode::planners() {
            let serves = entry.serves(mode.mesh());
            let selected = chosen.entry().name == entry.name;
            let button = ui.add_enabled(serves.is_ok(), Button::selectable(selected, entry.title));
            let button = match &serves {
                Ok(()) => button.on_hover_text(entry.summary),
                Err(why) => button.on_disabled_hover_text(format!("not on this mesh: {why}")),
            };
            if button.clicked() && !selected {
                chosen = PlannerChoice::of_entry(entry);
            }
        }
    });
    response.response.accessible_name("Choose a planner").on_hover_text("which planner searches");
    mode.choose_planner(chosen);
}

fn figures_of(mode: &MeshMode) -> [Figure; 4] {
    let outcome = mode.outcome().and_then(|outcome| outcome.as_ref().ok());
    let found = outcome.filter(|outcome| outcome.is_found);
    let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    let above = |outcome: &MeshOutcome| match outcome.shortest {
        0.0 => above_optimal(0.0),
        // What rounding alone makes longer is not longer.
        shortest if outcome.length <= shortest * (1.0 + 1e-12) => above_optimal(0.0),
        shortest => above_optimal((outcome.length / shortest - 1.0) * 100.0),
    };
    [
        Figure {
            value: text(found.map(|outcome| decimal(outcome.length))),
            name: "length",
            help: "how long the path is, in units of the mesh: sides of cells, if it was made of a map",
        },
        Figure {
            value: text(outcome.map(|outcome| whole(outcome.statistics.expanded))),
            name: "expanded",
            help: "polygons, or parts of edges, taken from the open list",
        },
        Figure {
            value: text(outcome.map(|outcome| duration(outcome.solve_us))),
            name: "time",
            help: "how long the answer took, without recording it",
        },
        Figure {
            value: text(found.map(above)),
            name: "vs. optimal",
            help: "how much longer the path is than the shortest there is",
        },
    ]
}

fn mesh(ui: &mut Ui, mode: &mut MeshMode) -> Option<Asked> {
    let (mut chosen, mut asked) = (None, None);
    ui.horizontal(|ui| {
        ui.weak("mesh").on_hover_text("meshes of built-in maps; File, Open takes others");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = ComboBox::from_id_salt("mesh").selected_text(&mode.name).width(150.0);
            let response = combo.show_ui(ui, |ui| {
                for builtin in BUILTIN_MAPS {
                    let is_open = mode.name == builtin.name;
                    let label = ui.selectable_label(is_open, builtin.name);
                    if label.on_hover_text(builtin.summary).clicked() && !is_open {
                        chosen = Some(builtin);
                    }
                }
            });
            response.response.accessible_name("Choose a mesh");
        });
    });
    if let Some(builtin) = chosen
        && let Err(reason) = mode.take_builtin(builtin)
    {
        mode.refuse(reason);
    }
    let button =
        ui.button("Mesh of the map").on_hover_text("of the map that is open in the map mode");
    if button.clicked() {
        asked = Some(Asked::MeshOfMap);
    }
    let (polygons, vertices) = (mode.mesh().polygon_count(), mode.mesh().vertex_count());
    style::row(ui, "polygons", &whole(polygons as u64), "convex pieces of free ground");
    style::row(ui, "vertices", &whole(vertices as u64), "corners of polygons");
    style::row(ui, "memory", &bytes(mode.mesh().memory_bytes()), "what the mesh takes");
    asked
}

fn tools(ui: &mut Ui, mode: &mut MeshMode) {
    ui.strong("Obstacles");
    ui.horizontal_wrapped(|ui| {
        for tool in MeshTool::ALL {
            let label = ui.selectable_label(mode.tool == tool, tool.name());
            if label.on_hover_text(tool.help()).clicked() {
                mode.tool = tool;
            }
        }
    });
    ui.label(RichText::new(capitalised(mode.tool.help())).weak());
    let count = mode.mesh().obstacles().count();
    ui.horizontal(|ui| {
        ui.weak(match count {
            0 => "no obstacles".to_owned(),
            1 => "1 obstacle".to_owned(),
            count => format!("{count} obstacles"),
        });
        let button = ui.add_enabled(count > 0, Button::new("Remove all").small());
        if button.on_hover_text("in one step, which can be undone").clicked() {
            mode.remove_all();
        }
    });
    if let Some(reason) = mode.refusal() {
        ui.label(RichText::new(reason).color(ui.visuals().warn_fg_color));
    }
}

fn layers(ui: &mut Ui, mode: &mut MeshMode) {
    ui.strong("Shown");
    let layers = &mut mode.layers;
    for (value, name, help) in [
        (&mut layers.edges, "edges", "edges between polygons"),
        (&mut layers.search, "search", "what the search has looked at, step by step"),
        (&mut layers.corridor, "corridor", "polygons that the path passes"),
        (
            &mut layers.funnel,
            "crossed edges",
            "edges that the path crosses: the funnel pulls it through them",
        ),
    ] {
        ui.checkbox(value, name).on_hover_text(help);
    }
}

fn about(ui: &mut Ui, mode: &mut MeshMode) {
    let mut chosen = mode.planner().clone();
    ui.label(capitalised(chosen.entry().summary));
    match mode.outcome() {
        Some(Ok(outcome)) => {
            if !outcome.is_found {
                let text = "No path leads to the goal: this one leads as near to it as possible.";
                ui.label(RichText::new(text).color(ui.visuals().warn_fg_color));
            }
            let guarantee = outcome.guarantee.to_string();
            style::row(
                ui,
                "guarantee",
                &guarantee,
                "what the planner promises of its paths' length",
            );
            let build = duration(outcome.build_us);
            style::row(ui, "build time", &build, "what came before the first query");
            let memory = bytes(outcome.memory_bytes);
            style::row(ui, "planner memory", &memory, "what the planner holds beside the mesh");
        }
        Some(Err(reason)) => {
            _ = ui.label(RichText::new(reason).color(ui.visuals().warn_fg_color));
        }
        None => {}
    }
    if chosen.options().next().is_some() {
        egui::CollapsingHeader::new("Options")
            .id_salt("options of meshes")
            .show(ui, |ui| options::show(ui, &mut chosen, &[]));
        mode.choose_planner(chosen);
    }
}
