//! The tab "Explain": what the path's cost consists of, and what an edit under the pointer would change.

use crate::map::{MapMode, terrain_name};
use crate::shared::draw::style;
use crate::teach::{CostSource, number};
use egui::{RichText, Ui};

/// Shows the tab.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    costs(ui, map);
    ui.add_space(8.0);
    pointed(ui, map);
}

fn costs(ui: &mut Ui, map: &MapMode) {
    ui.strong("This path");
    let Some(costs) = map.path_costs() else {
        ui.weak("There is no path to explain.");
        return;
    };
    let help = "what this kind of ground takes of the cost: each cell counts half of the steps into it and out of it";
    for part in &costs.parts {
        let profile = map.document.grid().movement().profile();
        let (name, item, help) = match part.source {
            CostSource::Terrain(terrain) => {
                let each = profile.cost_of(terrain).filter(|&cost| cost > 1);
                let each = each.map(|cost| format!(" of cost {cost}")).unwrap_or_default();
                (format!("{}{each}", terrain_name(terrain)), "cell", help)
            }
            CostSource::Surcharges => ("surcharges".to_owned(), "cell", help),
            CostSource::Slopes => ("slopes".to_owned(), "step", "what going up and down costs"),
            CostSource::Links => ("links".to_owned(), "link", "ladders, doors, portals"),
        };
        let plural = if part.count == 1 { "" } else { "s" };
        let text = format!("{name}, {} {item}{plural}", part.count);
        style::row(ui, &text, &number(part.cost), help);
    }
    style::row(ui, "together", &number(costs.total), "the cost of the path");
    let steps = format!("{} straight, {} diagonal", costs.straight, costs.diagonal);
    style::row(ui, "steps", &steps, "a diagonal step is longer than a straight one");
    if let Some(optimal) = map.run.outcome.as_ref().and_then(|outcome| outcome.optimal) {
        let unit = map.document.grid().movement().steps().straight_steps(1).0 as f64;
        let best = optimal.0 as f64 / unit;
        if costs.total > best + 1e-6 {
            ui.label(format!(
                "A path of cost {} exists: this one is {} % above it.",
                number(best),
                number((costs.total / best - 1.0) * 100.0)
            ));
        } else {
            ui.label("No path costs less.");
        }
    }
}

fn pointed(ui: &mut Ui, map: &mut MapMode) {
    ui.strong("Under the pointer");
    let what = map.hand.brush.ink.name();
    let unit = map.document.grid().movement().steps().straight_steps(1).0 as f64;
    let total = map.found_path().map(|path| path.cost().0 as f64 / unit);
    let Some(pointed) = map.pointed() else {
        ui.weak("Point at a cell of the map to see what drawing there would change.");
        return;
    };
    ui.label(RichText::new(format!("Cell {}", pointed.cell)).strong());
    ui.label(pointed.effect.text(&what));
    if !pointed.is_on_path {
        ui.label("The path does not lead through this cell.");
        return;
    }
    match (&pointed.other, total) {
        (Some(other), Some(total)) => {
            let cost = other.cost().0 as f64 / unit;
            let above = cost - total;
            ui.label(if above < 0.005 {
                format!(
                    "The path leads through this cell. Without it, another path costs {}: no more.",
                    number(cost)
                )
            } else {
                format!(
                    "The path leads through this cell. The best path without it costs {}, {} more.",
                    number(cost),
                    number(above)
                )
            });
        }
        _ => {
            ui.label("Every path leads through this cell, or it is an end of the path.");
        }
    }
}
