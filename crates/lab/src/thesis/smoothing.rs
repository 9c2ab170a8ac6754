//! Section 3.2.7: what smoothing gains PRA*.

use super::ThesisError;
use super::figures::MapFigures;
use super::maps::{Asked, MapShelf};
use super::measure::{Search, ask, degradations, mean_of};
use super::sheet::{Entry, Sheet, column};
use crate::table::mean;

/// The thesis's refinement without and with its smoothing, and ours without and with ours.
pub(super) const VARIANTS: [Search; 4] = [
    Search {
        name: "thesis, off",
        settings: "",
        spec: "pra:start=half:refine=thesis-greedy:smooth=no",
    },
    Search { name: "thesis, on", settings: "", spec: "pra:start=half:refine=thesis:smooth=no" },
    Search { name: "ours, off", settings: "", spec: "pra:smooth=no" },
    Search { name: "ours, on", settings: "", spec: "pra" },
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
        let mut row = vec![name.as_str().into()];
        let mut costs = Vec::new();
        for variant in VARIANTS {
            let (planner, _) = variant.build(&map.grid, 1)?;
            let outcomes = ask(&map.grid, &*planner, queries, effort.passes)?;
            row.push(Entry::Percent(mean(&degradations(&outcomes, cheapest))));
            row.push(Entry::Ms(mean_of(&outcomes, |one| one.ms)));
            costs.push(mean_of(&outcomes, |one| one.cost));
            if let [.., off, on] = costs[..]
                && costs.len() % 2 == 0
            {
                row.push(Entry::Percent(gain_percent(off, on)));
            }
            done(&format!("3.2.7 {name} {}", variant.name));
        }
        rows.push(row);
    }
    let mut notes = vec![
        "The thesis says in its text that smoothing made paths 5 to 8 % better, and shows no table. Gain is by how many \
         per cent the mean cost falls."
            .to_owned(),
        format!(
            "Its smoothing enters the next group at the cell with the least estimate instead of the first one: {}. Ours \
             pulls the path taut: {}. Queries and times as in the table of section 4.1.",
            [VARIANTS[0], VARIANTS[1]].map(|one| format!("`{}`", one.spec)).join(" and "),
            [VARIANTS[2], VARIANTS[3]].map(|one| format!("`{}`", one.spec)).join(" and "),
        ),
    ];
    notes.extend(shelf.notes(wanted));
    Ok(Sheet {
        section: "3.2.7",
        title: "smoothing in PRA*, off and on",
        columns: vec![
            column("map", "map"),
            column("thesis's, off", "thesis_off_degradation_percent"),
            column("time", "thesis_off_time_ms"),
            column("on", "thesis_on_degradation_percent"),
            column("time", "thesis_on_time_ms"),
            column("gain (thesis: 5 to 8 %)", "thesis_gain_percent"),
            column("ours, off", "off_degradation_percent"),
            column("time", "off_time_ms"),
            column("on", "on_degradation_percent"),
            column("time", "on_time_ms"),
            column("gain", "gain_percent"),
        ],
        rows,
        notes,
    })
}

/// By how many per cent a cost falls.
pub(super) fn gain_percent(before: f64, after: f64) -> f64 {
    if before > 0.0 { (1.0 - after / before) * 100.0 } else { 0.0 }
}
