//! What the planner found.

use super::style;
use crate::model::Bench;
use egui::Ui;
use highroad::Path;
use highroad::planner::Answer;
use highroad_lab::table::{bytes, duration, whole};

/// Shows cost, length, time, and what the search did.
pub(super) fn show(ui: &mut Ui, bench: &Bench) {
    style::head(ui, "Result");
    let Some(outcome) = &bench.outcome else {
        let text = if bench.trouble.is_some() { "no path" } else { "…" };
        ui.weak(text);
        // The rows that are missing: the panel below stays where it is.
        for _ in 0..7 {
            ui.weak(" ");
        }
        return;
    };
    let path: &Path = match &outcome.answer {
        Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path } => path,
    };
    let found = matches!(outcome.answer, Answer::Found(_));
    let unit = 2.0 * f64::from(bench.document.grid().movement().steps().straight());
    let cost = path.cost().0 as f64 / unit;
    let cost_help = "what the path costs, in straight steps over plain ground";
    style::row(ui, if found { "cost" } else { "cost so far" }, &format!("{cost:.2}"), cost_help);
    let steps = format!("{:.2} ({} steps)", path.length(), whole(path.steps() as u64));
    style::row(ui, "length", &steps, "straight steps count 1, diagonal ones √2");
    let above = match outcome.optimal {
        Some(optimal) if optimal.0 > 0 => {
            let above = path.cost().0 as f64 / optimal.0 as f64 - 1.0;
            if path.cost() == optimal {
                "none: it is optimal".to_owned()
            } else {
                format!("+{:.2} % above optimal", above * 100.0)
            }
        }
        Some(_) => "none: it is optimal".to_owned(),
        None => "…".to_owned(),
    };
    let above = if found { above } else { "no path to compare".to_owned() };
    style::row(
        ui,
        "degradation",
        &above,
        "how much more costly the path is than the best there is",
    );
    let time_help = "how long the answer took, search and path, without recording it";
    style::row(ui, "time", &duration(outcome.solve_us), time_help);
    let statistics = outcome.statistics;
    let expanded_help = "nodes taken from the open list; of an abstraction, its nodes";
    style::row(ui, "expanded", &whole(statistics.expanded), expanded_help);
    let open =
        format!("{} (at most {} at once)", whole(statistics.generated), whole(statistics.open_max));
    style::row(ui, "opened", &open, "entries put on the open list, and the most it held");
    style::row(ui, "build time", &duration(outcome.build_us), "what came before the first query");
    let memory_help = "what the planner holds beside the map";
    style::row(ui, "memory", &bytes(outcome.memory_bytes), memory_help);
}
