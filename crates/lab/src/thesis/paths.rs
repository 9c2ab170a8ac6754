//! Section 4.1: what paths cost, how long they take to find, and how far they are from the optimum.

use super::ThesisError;
use super::figures::{Figures, MapFigures, PathFigures};
use super::maps::{Asked, MapShelf};
use super::measure::{
    ASTAR, HPA, HPA_OF_THESIS, PRA, PRA_OF_THESIS, Search, ask, degradations, largest, mean_of,
};
use super::sheet::{Entry, Sheet, column};
use super::slips::{degradation_by_costs, slips_of_paths};
use crate::table::mean;

pub(super) const SEARCHES: [Search; 5] = [ASTAR, HPA_OF_THESIS, HPA, PRA_OF_THESIS, PRA];

pub(super) fn sheet(
    shelf: &MapShelf,
    wanted: &[&'static MapFigures],
    done: &mut dyn FnMut(&str),
) -> Result<Sheet, ThesisError> {
    let figures = Figures::get();
    let effort = shelf.effort();
    let mut rows = Vec::new();
    for map in shelf.those(wanted) {
        let name = &map.figures.name;
        let Some(Asked { queries, cheapest }) = map.asked(effort)? else { continue };
        let mut astar_ms = None;
        for search in SEARCHES {
            let (planner, _) = search.build(&map.grid, 1)?;
            let outcomes = ask(&map.grid, &*planner, queries, effort.passes)?;
            let time_ms = mean_of(&outcomes, |one| one.ms);
            let off = degradations(&outcomes, cheapest);
            // The thesis's figures stand beside its own settings.
            let printed = figures.path(name, search.name).filter(|_| search.settings == "thesis");
            let printed_number =
                |value: &dyn Fn(&PathFigures) -> Entry| printed.map_or(Entry::Missing, value);
            rows.push(vec![
                name.as_str().into(),
                search.name.into(),
                search.settings.into(),
                printed_number(&|path| Entry::Cost(path.cost)),
                Entry::Cost(mean_of(&outcomes, |one| one.cost)),
                printed_number(&|path| Entry::Count(f64::from(path.cells))),
                Entry::Count(mean_of(&outcomes, |one| one.cells)),
                printed_number(&|path| Entry::Ms(path.time_ms)),
                Entry::Ms(time_ms),
                printed_number(&|path| {
                    let astar = figures.path(name, ASTAR.name);
                    astar.map_or(Entry::Missing, |astar| Entry::Times(astar.time_ms / path.time_ms))
                }),
                Entry::Times(*astar_ms.get_or_insert(time_ms) / time_ms),
                printed_number(&|path| Entry::Count(f64::from(path.expanded))),
                Entry::Count(mean_of(&outcomes, |one| one.expanded)),
                printed_number(&|path| Entry::Text(format!("{} %", path.degradation))),
                Entry::percent(printed.and_then(|path| degradation_by_costs(figures, path))),
                Entry::Percent(mean(&off)),
                Entry::Percent(largest(&off)),
            ]);
            done(&format!("4.1 {name} {}", search.name));
        }
    }
    let mut notes = vec![format!(
        "The thesis gives one query a map, and not its ends. Ours are the mean over {} random queries a map (seed {}), \
         each with a cheapest path that costs what the thesis's A* found, or as near to it as the map allows. Steps \
         cost 1 and 1.4, diagonals may always be taken (section 2.0.3). Length is in cells, start and goal included.",
        effort.queries, effort.seed
    )];
    notes.push(format!(
        "Settings of the thesis: HPA* is `{}` (3.4: clusters of 10 × 10, one level, its two constants), PRA* is `{}` \
         (3.2.6 and 3.2.7: search begins halfway up, its refinement and smoothing). Settings of ours are the \
         defaults, `{}` and `{}`.",
        HPA_OF_THESIS.spec, PRA_OF_THESIS.spec, HPA.spec, PRA.spec
    ));
    notes.push(format!(
        "A time is that of the whole answer, warm, on one thread: the least of {} passes for each query, then the mean. \
         The thesis's were taken on a laptop with a Core i7-4510U, in C#: what compares is by how much each search is faster than A* beside it (A* ÷ time); our A* is far faster \
         to begin with.",
        effort.passes
    ));
    notes.push(
        "Our A* estimates by the octile distance in the thesis's step costs. Our PRA* folds connected groups of up to \
         four, not only cliques. Ends close together, as on maps of 50 × 50, our HPA* and PRA* join by a flood \
         without any search: nothing is expanded."
            .to_owned(),
    );
    notes.push(
        "Slip: section 3.1.4 swaps D and D2, the prices of a diagonal and of a straight step, in its formula; as \
         printed, the estimate is too high along rows and columns, and A* would not be exact."
            .to_owned(),
    );
    notes.extend(slips_of_paths(figures));
    notes.extend(shelf.notes(wanted));
    Ok(Sheet {
        section: "4.1",
        title: "paths of A*, HPA* and PRA*",
        columns: vec![
            column("map", "map"),
            column("search", "search"),
            column("settings", "settings"),
            column("cost, thesis", "thesis_cost"),
            column("cost", "cost"),
            column("cells, thesis", "thesis_cells"),
            column("cells", "cells"),
            column("time, thesis", "thesis_time_ms"),
            column("time", "time_ms"),
            column("A* ÷ time, thesis", "thesis_speedup"),
            column("A* ÷ time", "speedup"),
            column("expanded, thesis", "thesis_expanded"),
            column("expanded", "expanded"),
            column("degradation, printed", "thesis_degradation_printed"),
            column("by its costs", "thesis_degradation_percent"),
            column("degradation", "degradation_mean_percent"),
            column("worst", "degradation_worst_percent"),
        ],
        rows,
        notes,
    })
}
