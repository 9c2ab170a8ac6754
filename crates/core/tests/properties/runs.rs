//! However a query is run, its answer is the same: whole or in slices, watched or not, in fresh memory
//! or in used. And a query that has gone stale says so.

use crate::random::situations;
use crate::support::{Situation, plain_specs, spec};
use crate::{blame, build, rounds};
use highroad_core::{
    Answer, Batch, Cell, Grid, GridMap, Planner, Progress, Query, Rect, Scratch, Spec, Statistics,
    Terrain, TraceEvent, TraceKind, TraceLog,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Beside the catalog as it comes: what puts other open lists and reopening to work.
const TURNED: [&str; 4] = [
    "astar:heuristic=manhattan",
    "astar:heuristic=euclidean-rounded-up:scale=3",
    "weighted-astar:weight=3:reopen=yes",
    "greedy:heuristic=euclidean",
];

fn specs(grid: &Grid) -> Vec<Spec> {
    plain_specs(grid).into_iter().chain(TURNED.map(spec)).collect()
}

/// Runs a query in slices of those sizes, over and over.
fn solve_in_slices(
    planner: &dyn Planner,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
    slices: &[u64],
    mut log: Option<&mut TraceLog>,
) -> Result<Answer, String> {
    planner.begin(grid, query, scratch).map_err(|error| error.to_string())?;
    for &slice in slices.iter().cycle() {
        let before = scratch.statistics().expanded;
        let progress = match &mut log {
            Some(log) => planner.advance_traced(grid, scratch, slice, log),
            None => planner.advance(grid, scratch, slice),
        };
        let expanded = scratch.statistics().expanded - before;
        match progress {
            Progress::Done(answer) if expanded <= slice => return Ok(answer),
            Progress::Running if expanded == slice => {}
            other => return Err(format!("{other:?} after {expanded} of {slice} expansions")),
        }
    }
    Err("no slices".to_owned())
}

/// Sizes of slices, not all of them zero.
fn slice_sizes() -> impl Strategy<Value = Vec<u64>> {
    let mixed = vec(select(vec![0u64, 1, 2, 3, 10, 100]), 0..6);
    prop_oneof![Just(Vec::new()), mixed].prop_map(|sizes| [sizes, vec![1]].concat())
}

proptest! {
    #![proptest_config(rounds(100))]

    #[test]
    fn slices_change_nothing(situation in situations(), slices in slice_sizes()) {
        let (grid, query) = (situation.grid(), situation.query());
        for spec in specs(&grid) {
            let planner = build(&spec, &grid);
            let mut scratch = Scratch::new();
            let mut whole_log = TraceLog::default();
            let whole = planner.solve_traced(&grid, &query, &mut scratch, &mut whole_log)?;
            let whole = (whole, scratch.statistics());
            let sliced = solve_in_slices(&*planner, &grid, &query, &mut scratch, &slices, None);
            let sliced = (blame(&spec, sliced)?, scratch.statistics());
            prop_assert_eq!(&sliced, &whole, "{}", spec);
            let mut log = TraceLog::default();
            let traced =
                solve_in_slices(&*planner, &grid, &query, &mut scratch, &slices, Some(&mut log));
            prop_assert_eq!((blame(&spec, traced)?, scratch.statistics()), whole, "{}", spec);
            prop_assert_eq!(log.events(), whole_log.events(), "{}", spec);
        }
    }

    #[test]
    fn watching_changes_nothing_and_misses_nothing(situation in situations()) {
        let (grid, query) = (situation.grid(), situation.query());
        for spec in specs(&grid) {
            let planner = build(&spec, &grid);
            let mut scratch = Scratch::new();
            let silent = (planner.solve(&grid, &query, &mut scratch)?, scratch.statistics());
            let mut log = TraceLog::default();
            let traced = planner.solve_traced(&grid, &query, &mut scratch, &mut log)?;
            prop_assert_eq!(&(traced, scratch.statistics()), &silent, "{}", spec);
            let hierarchical = ["hpa", "pra", "subgoal", "ch", "hub-labels"].contains(&spec.entry().name);
            // Where there is no path, a hierarchy's goal is the nearest cell.
            let nearest = match &silent.0 {
                Answer::Unreachable { nearest } => Some(nearest.goal()),
                _ => None,
            };
            let ends = situation.starts.iter().chain(&situation.goals).copied().chain(nearest);
            let ends: Vec<Cell> = if hierarchical { ends.collect() } else { Vec::new() };
            blame(&spec, check_log(&situation, &grid, log.events(), silent.1, &ends))?;
        }
    }

    /// One scratch for all maps and planners in turn answers as a new one each time.
    #[test]
    fn used_memory_is_as_good_as_fresh(all in vec(situations(), 2..4)) {
        let mut used = Scratch::new();
        for situation in all.iter().chain(&all) {
            let (grid, query) = (situation.grid(), situation.query());
            for spec in specs(&grid) {
                let planner = build(&spec, &grid);
                let mut fresh = Scratch::new();
                let expected = planner.solve(&grid, &query, &mut fresh)?;
                prop_assert_eq!(&planner.solve(&grid, &query, &mut used)?, &expected, "{}", spec);
                prop_assert_eq!(used.statistics(), fresh.statistics(), "{}", spec);
                // Left half-way, as when an agent changes its mind.
                planner.begin(&grid, &query, &mut used)?;
                planner.advance(&grid, &mut used, 3);
            }
        }
    }

    /// An edit ends a query, whenever it comes; beginning again answers on the new map.
    #[test]
    fn an_edit_makes_a_query_stale(situation in situations(), slice in 0..4u64) {
        for spec in specs(&situation.grid()) {
            let mut after = situation.clone();
            let mut grid = situation.grid();
            let planner = build(&spec, &grid);
            let mut scratch = Scratch::new();
            planner.begin(&grid, &situation.query(), &mut scratch)?;
            let done = matches!(planner.advance(&grid, &mut scratch, slice), Progress::Done(_));
            let cell = situation.starts[0];
            let amount = situation.surcharges.get(&cell).map_or(1, |amount| amount / 2 + 1);
            let mut batch = Batch::new();
            batch.surcharge(Rect::new(cell, cell), amount);
            let changed = !grid.apply(&batch)?.is_empty();
            after.surcharges.insert(cell, amount);
            if changed || done {
                for _ in 0..2 {
                    let progress = planner.advance(&grid, &mut scratch, 10);
                    prop_assert_eq!(progress, Progress::Stale, "{}", spec);
                }
            }
            // Made anew, since some planners precompute; some serve uniform terrain only.
            if spec.entry().serves(&grid).is_err() {
                continue;
            }
            let planner = build(&spec, &grid);
            let answer = planner.solve(&grid, &after.query(), &mut scratch)?;
            let guarantee = planner.guarantee(&grid);
            blame(&spec, after.check(&grid, &after.reach(), guarantee, &answer))?;
        }
    }
}

/// Whether a log tells the same as the statistics, and what it tells is possible: a node is opened
/// before it is expanded, from a node that was expanded before, at a cost that never rises.
fn check_log(
    situation: &Situation,
    grid: &Grid,
    log: &[TraceEvent],
    told: Statistics,
    shared_ends: &[Cell],
) -> Result<(), String> {
    let count =
        |kinds: &[TraceKind]| log.iter().filter(|event| kinds.contains(&event.kind)).count() as u64;
    let expanded = count(&[TraceKind::Expand]);
    let reopened = count(&[TraceKind::Reopen]);
    if (expanded, reopened) != (told.expanded, told.reopened) {
        return Err(format!("{expanded} expanded and {reopened} reopened, but {told:?}"));
    }
    // The starts, and the goals of a search from both ends, are generated without an event of
    // their own, or with one for each mention.
    let pushed = count(&[TraceKind::Open, TraceKind::Improve, TraceKind::Reopen]);
    let ends = (situation.starts.len() + situation.goals.len()) as u64;
    let ends = ends.max(count(&[TraceKind::Start]) + situation.goals.len() as u64);
    if !(pushed..=pushed + ends).contains(&told.generated) {
        return Err(format!("{pushed} pushed, but {told:?}"));
    }
    // A hierarchy's nodes are told as cells, and an end may share its cell with a node.
    let ends_apart = |event: &&TraceEvent| {
        let at_end = |cell: &Cell| grid.extent().id(*cell).is_some_and(|id| id.0 == event.node.0);
        !shared_ends.iter().any(at_end)
    };
    let mut costs = std::collections::HashMap::new();
    let mut last = TraceKind::Start;
    for event in log.iter().filter(ends_apart) {
        // Where there is no path, some begin again, with the nearest cell for a goal.
        if event.kind == TraceKind::Start && last != TraceKind::Start {
            costs.clear();
        }
        last = event.kind;
        let key = (event.node, event.side);
        let known: Option<u64> = costs.get(&key).copied();
        match event.kind {
            TraceKind::Open if known.is_some() => return Err(format!("opened twice: {event:?}")),
            TraceKind::Improve | TraceKind::Reopen if known.is_none() => {
                return Err(format!("not opened before: {event:?}"));
            }
            TraceKind::Reopen if known <= Some(event.g) => {
                return Err(format!("reopened without gain: {event:?}"));
            }
            TraceKind::Expand | TraceKind::Goal if known.is_some_and(|g| g != event.g) => {
                return Err(format!("closed at another cost than {known:?}: {event:?}"));
            }
            _ => {}
        }
        costs.insert(key, event.g);
    }
    Ok(())
}

fn small_grid() -> Grid {
    let map: GridMap = ".....\n.###.\n.....\n".parse().expect("a drawing");
    Grid::with_defaults(map)
}

#[test]
fn without_a_query_there_is_nothing_to_advance() {
    let grid = small_grid();
    for spec in specs(&grid) {
        let planner = build(&spec, &grid);
        let mut scratch = Scratch::new();
        assert_eq!(planner.advance(&grid, &mut scratch, 9), Progress::Stale, "{spec}");
        let query = Query::new((0, 0), (4, 2));
        let mut log = TraceLog::default();
        planner.solve(&grid, &query, &mut scratch).expect("a good query");
        let again = planner.advance_traced(&grid, &mut scratch, 9, &mut log);
        assert_eq!((again, log.events()), (Progress::Stale, &[][..]), "{spec}: it is answered");
    }
}

#[test]
fn a_batch_that_changes_nothing_leaves_a_query_alone() {
    let mut grid = small_grid();
    let mut running = 0;
    for spec in specs(&grid) {
        let planner = build(&spec, &grid);
        let mut scratch = Scratch::new();
        planner.begin(&grid, &Query::new((0, 0), (4, 2)), &mut scratch).expect("a good query");
        let mut progress = planner.advance(&grid, &mut scratch, 1);
        let mut batch = Batch::new();
        batch.set((0, 0), Terrain::GROUND).surcharge(Rect::new((1, 0), (4, 0)), 0);
        grid.apply(&batch).expect("inside the map");
        if progress == Progress::Running {
            running += 1;
            progress = planner.advance(&grid, &mut scratch, u64::MAX);
        }
        assert!(matches!(progress, Progress::Done(Answer::Found(_))), "{spec}: {progress:?}");
    }
    assert!(running >= 10, "searches of the grid itself are not done after one expansion");
}
