//! What the planner found: four large numbers that are always in the same place, and the rest on a tab.

use crate::map::MapMode;
use crate::shared::draw::figures::{self, Figure, NONE};
use crate::shared::draw::style;
use crate::shared::{Unit, above_optimal, decimal};
use crate::teach::lesson::MeasureName;
use egui::Ui;
use highroad::Path;
use highroad::planner::Answer;
use highroad_lab::table::{bytes, duration, whole};

/// Shows cost, expanded nodes, time and the distance from the optimum.
pub(crate) fn show(ui: &mut Ui, map: &MapMode) {
    figures::show(ui, &figures(map));
}

fn figures(map: &MapMode) -> [Figure; 4] {
    let outcome = map.run.outcome.as_ref();
    let path = outcome.map(|outcome| path_of(&outcome.answer));
    let found = outcome.is_some_and(|outcome| matches!(outcome.answer, Answer::Found(_)));
    let unit = Unit::of(map.document.grid());
    let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    let optimal = outcome.and_then(|outcome| outcome.optimal).filter(|_| found);
    let (cost_name, cost_help) = if path.is_none() || found {
        ("cost", "what the path costs, in straight steps over plain ground")
    } else {
        ("cost, partial", "what the path to the nearest cell that can be reached costs")
    };
    let course = map.teaching.course.as_ref();
    let asked =
        course.is_some_and(|course| course.hides(MeasureName::Expanded, map.planner.entry().name));
    [
        Figure {
            value: text(path.map(|path| unit.text(path.cost().0))),
            name: cost_name,
            help: cost_help,
        },
        Figure {
            value: match asked {
                true => "?".to_owned(),
                false => text(outcome.map(|outcome| whole(outcome.statistics.expanded))),
            },
            name: "expanded",
            help: match asked {
                true => "the lesson asks for it: guess first",
                false => {
                    "nodes taken from the open list: cells, or entrance nodes of an abstraction"
                }
            },
        },
        Figure {
            value: text(outcome.map(|outcome| duration(outcome.solve_us))),
            name: "time",
            help: "how long the answer took, search and path, without recording it",
        },
        Figure {
            value: text(
                path.zip(optimal).map(|(path, optimal)| above_optimal(path.cost().0, optimal.0)),
            ),
            name: "vs. optimal",
            help: "how much more the path costs than the best there is",
        },
    ]
}

fn path_of(answer: &Answer) -> &Path {
    match answer {
        Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path } => path,
    }
}

/// Shows everything else that is known of the answer.
pub(crate) fn show_details(ui: &mut Ui, map: &MapMode) {
    let Some(outcome) = &map.run.outcome else {
        ui.weak("There is no result yet.");
        return;
    };
    let (path, statistics) = (path_of(&outcome.answer), outcome.statistics);
    let rows = [
        ("length", decimal(path.length()), "straight steps count 1, diagonal ones √2"),
        ("steps", whole(path.steps() as u64), "steps from cell to cell"),
        ("opened", whole(statistics.generated), "entries put on the open list"),
        (
            "queue peak",
            whole(statistics.open_max),
            "the most entries that the open list held at once",
        ),
        ("build time", duration(outcome.build_us), "what came before the first query"),
        ("planner memory", bytes(outcome.memory_bytes), "what the planner holds beside the map"),
        (
            "search memory",
            bytes(outcome.scratch_bytes),
            "working memory of the search, kept for the next query",
        ),
    ];
    for (name, value, help) in rows {
        style::row(ui, name, &value, help);
    }
}
