//! Section 4.4: maps that change while an agent walks.

use super::figures::{ChangeFigures, Figures, MapFigures};
use super::maps::MapShelf;
use super::measure::{HPA, HPA_OF_THESIS, PRA, PRA_OF_THESIS, Search, ask};
use super::queries::straight_step;
use super::sheet::{Entry, Sheet, column};
use super::{Effort, ThesisError};
use highroad::grid::{Batch, Grid};
use highroad::planner::{CatchUp, PathQuery, Planner, Scratch};
use highroad::{CellRect, Path, Terrain};
use std::time::Instant;

pub(super) const SEARCHES: [Search; 4] = [PRA_OF_THESIS, PRA, HPA_OF_THESIS, HPA];
/// What a step takes the thesis's agent.
const STEP_MS: f64 = 500.0;

pub(super) fn sheet(
    shelf: &MapShelf,
    wanted: &[&'static MapFigures],
    done: &mut dyn FnMut(&str),
) -> Result<Sheet, ThesisError> {
    let (effort, maps) = (shelf.effort(), shelf.those(wanted));
    let mut rows = Vec::new();
    for figures in &Figures::get().changes {
        let Some(map) = maps.iter().find(|map| map.figures.name == figures.map) else {
            continue;
        };
        for search in SEARCHES {
            let change = Change::measure(figures, &map.grid, search, effort)?;
            let is_thesis = search == PRA_OF_THESIS;
            let printed = |entry: Entry| if is_thesis { entry } else { Entry::Missing };
            rows.push(vec![
                Entry::Text(format!("{}: {}", figures.map, figures.name)),
                search.name.into(),
                search.settings.into(),
                printed(Entry::Ms(figures.rebuild_ms)),
                Entry::Ms(change.follow_ms),
                Entry::Ms(change.rebuild_ms),
                printed(Entry::Count(f64::from(figures.steps))),
                Entry::Count((change.follow_ms / STEP_MS).floor()),
                printed(Entry::Ms(figures.replan_ms)),
                change.replan_ms.map_or(Entry::Missing, Entry::Ms),
                change.left.map_or_else(|| "cut".into(), Entry::Cost),
                change.new_cost.map_or_else(|| "none".into(), Entry::Cost),
            ]);
            done(&format!("4.4 {} {}", figures.map, search.name));
        }
    }
    let mut notes = vec![
        "The thesis prints neither ends nor the cells that change. Ours: the agent has taken 20 steps when a wall of \
         one column falls across its way, or a corridor opens (`cases/thesis` has both as cases for `highroad \
         simulate`). Its agent takes a step every 500 ms."
            .to_owned(),
        format!(
            "The thesis changes its lowest layer and rebuilds the others in the background. We patch every layer in \
             place: *follows* is the time from the edit to a hierarchy that can be asked again, *rebuilt* what a \
             whole build takes instead; the least of {} each. *Old path* is what is left of it from where the agent \
             stands, unless the change cuts it, *new path* what it has then.",
            effort.passes
        ),
    ];
    notes.extend(shelf.notes(wanted));
    Ok(Sheet {
        section: "4.4",
        title: "maps that change under way",
        columns: vec![
            column("case", "case"),
            column("search", "search"),
            column("settings", "settings"),
            column("rebuilt, thesis", "thesis_rebuild_ms"),
            column("follows", "follow_ms"),
            column("rebuilt", "rebuild_ms"),
            column("steps meanwhile, thesis", "thesis_steps"),
            column("steps", "steps"),
            column("new path found, thesis", "thesis_replan_ms"),
            column("found", "replan_ms"),
            column("old path", "old_cost"),
            column("new path", "new_cost"),
        ],
        rows,
        notes,
    })
}

/// What one planner did in one case.
struct Change {
    follow_ms: f64,
    rebuild_ms: f64,
    replan_ms: Option<f64>,
    /// What is left of the old path costs, unless the change cuts it.
    left: Option<f64>,
    new_cost: Option<f64>,
}

impl Change {
    fn measure(
        figures: &ChangeFigures,
        grid: &Grid,
        search: Search,
        effort: &Effort,
    ) -> Result<Self, ThesisError> {
        let mut grid = grid.clone();
        let (mut planner, _) = search.build(&grid, 1)?;
        let mut scratch = Scratch::new();
        let [start, goal] = figures.ends();
        let answer = planner.solve(&grid, &PathQuery::new(start, goal), &mut scratch)?;
        let old = answer.path().ok_or(ThesisError::NoPath)?;
        let here = old.cells()[figures.after_step.min(old.cells().len() - 1)];

        let batch = batch_of(figures);
        let passes = effort.passes.max(1);
        let mut follow_ms = f64::INFINITY;
        for pass in 1..=passes {
            let (changes, ms) = follow(&mut grid, &mut *planner, &batch, &mut scratch)?;
            follow_ms = follow_ms.min(ms);
            if pass < passes {
                follow(&mut grid, &mut *planner, &Batch::undoing(&changes), &mut scratch)?;
            }
        }
        let (_, rebuild_ms) = search.build(&grid, passes)?;
        let query = PathQuery::new(here, goal);
        let new_path = planner.solve(&grid, &query, &mut scratch)?.path();
        let replan_ms = match new_path {
            Some(_) => Some(ask(&grid, &*planner, &[query], passes)?[0].ms),
            None => None,
        };
        let cost = |path: Path| path.cost().0 as f64 / straight_step(&grid);
        let rest = old.cells().iter().copied().skip_while(|&cell| cell != here).collect();
        Ok(Self {
            follow_ms,
            rebuild_ms,
            replan_ms,
            left: Path::new(&grid, rest).ok().map(cost),
            new_cost: new_path.map(cost),
        })
    }
}

/// Changes the grid and has the planner follow. Returns what changed, and the milliseconds it took.
fn follow(
    grid: &mut Grid,
    planner: &mut dyn Planner,
    batch: &Batch,
    scratch: &mut Scratch,
) -> Result<(Vec<highroad::grid::Change>, f64), ThesisError> {
    let start = Instant::now();
    let changes = grid.apply(batch)?;
    match planner.catch_up(grid, &changes, scratch) {
        CatchUp::Done => Ok((changes, start.elapsed().as_secs_f64() * 1e3)),
        CatchUp::Unfinished | CatchUp::NeedsRebuild => Err(ThesisError::CannotFollow),
    }
}

fn batch_of(figures: &ChangeFigures) -> Batch {
    let [from, to] = figures.corners();
    let terrain = u8::try_from(figures.terrain).ok().and_then(Terrain::from_letter);
    let mut batch = Batch::new();
    batch.fill(CellRect::new(from, to), terrain.unwrap_or(Terrain::WALL));
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use highroad::Cell;
    use std::path::Path as FilePath;

    #[test]
    fn the_changes_are_those_of_the_cases() {
        let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/thesis");
        for (figures, file) in Figures::get().changes.iter().zip(["wall.toml", "corridor.toml"]) {
            let case = Case::load(&folder.join(file)).unwrap();
            let cell = |[x, y]: [u32; 2]| Cell::new(x, y);
            assert_eq!(figures.ends(), [case.agents[0].start, case.agents[0].goal].map(cell));
            let change = &case.changes[0];
            assert_eq!(change.after_step, Some(figures.after_step as u64));
            let fill = change.fill[0];
            assert_eq!(figures.corners(), [fill.from, fill.to.unwrap()].map(cell));
            assert_eq!(fill.terrain, Some(figures.terrain));
            assert_eq!(f64::from(case.agents[0].step_ms), STEP_MS);
        }
    }
}
