//! Section 4.3: where the transitions of an entrance are placed.

use super::ThesisError;
use super::figures::MapFigures;
use super::maps::{Asked, MapShelf};
use super::measure::{Search, TrialResult, ask, degradations, mean_of};
use super::sheet::{Entry, Sheet, column};
use crate::table::mean;
use highroad::grid::Grid;
use highroad::planner::Planner;

/// Once by one constant, as elsewhere; once by the thesis's two; once by ours, in clusters of the same size.
pub(super) const PLACEMENTS: [Search; 3] = [
    Search {
        name: "one constant (ends)",
        settings: "",
        spec: "hpa:cluster=10:transitions=ends:levels=1:smooth=no",
    },
    Search {
        name: "two constants (thesis)",
        settings: "",
        spec: "hpa:cluster=10:transitions=thesis:levels=1:smooth=no",
    },
    Search {
        name: "once every 5 cells",
        settings: "",
        spec: "hpa:cluster=10:transitions=5:levels=1:smooth=no",
    },
];

pub(super) fn sheet(
    shelf: &MapShelf,
    wanted: &[&'static MapFigures],
    done: &mut dyn FnMut(&str),
) -> Result<Sheet, ThesisError> {
    let effort = shelf.effort();
    let mut rows = Vec::new();
    for map in shelf.those(wanted) {
        let name = &map.figures.name;
        let Some(Asked { queries, cheapest }) = map.asked(effort)? else { continue };
        let mut ends: Option<Vec<TrialResult>> = None;
        for placement in PLACEMENTS {
            let (planner, _) = placement.build(&map.grid, 1)?;
            let outcomes = ask(&map.grid, &*planner, queries, effort.passes)?;
            let base = ends.get_or_insert_with(|| outcomes.clone());
            let saved: Vec<f64> =
                base.iter().zip(&outcomes).map(|(ends, own)| ends.cost - own.cost).collect();
            let least = saved.iter().copied().fold(f64::INFINITY, f64::min);
            let most = saved.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            // The first is what the others are held against.
            let shown = |text: String| match placement == PLACEMENTS[0] || saved.is_empty() {
                true => Entry::Missing,
                false => Entry::Text(text),
            };
            rows.push(vec![
                name.as_str().into(),
                placement.name.into(),
                Entry::Count(transitions(&*planner, &map.grid) as f64),
                Entry::Cost(mean_of(&outcomes, |one| one.cost)),
                shown(format!("{:+.2}", mean(&saved))),
                shown(format!("{least:+.1} to {most:+.1}")),
                Entry::Percent(mean(&degradations(&outcomes, cheapest))),
                Entry::Count(mean_of(&outcomes, |one| one.expanded)),
                Entry::Ms(mean_of(&outcomes, |one| one.ms)),
            ]);
            done(&format!("4.3 {name} {}", placement.name));
        }
    }
    let mut notes = vec![
        "The thesis has no table here: its text says that placing transitions by two constants, 5 and 7, instead of \
         one made paths cheaper by 0 to 3 points of cost. Saved is what a path costs less than with one constant, the \
         mean and from the least to the most of a query; below 0 it costs more."
            .to_owned(),
        format!(
            "Clusters of 10 × 10, one level, no smoothing; queries and times as in the table of section 4.1. The \
             placements are {}.",
            PLACEMENTS.map(|one| format!("`{}`", one.spec)).join(", ")
        ),
    ];
    notes.extend(shelf.notes(wanted));
    Ok(Sheet {
        section: "4.3",
        title: "placement of transitions in HPA*",
        columns: vec![
            column("map", "map"),
            column("placement", "placement"),
            column("transitions", "transitions"),
            column("cost", "cost"),
            column("saved", "saved_mean"),
            column("from … to", "saved_range"),
            column("degradation", "degradation_mean_percent"),
            column("expanded", "expanded"),
            column("time", "time_ms"),
        ],
        rows,
        notes,
    })
}

/// How many crossings between clusters are used.
fn transitions(planner: &dyn Planner, grid: &Grid) -> usize {
    let layers = planner.sketch(grid);
    let layer = layers.iter().find(|layer| layer.info.name == "transitions" && layer.level == 1);
    layer.map_or(0, |layer| layer.shape.len())
}
