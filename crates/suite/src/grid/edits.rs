//! Edits: queries become stale, planners follow or ask to be built again, copies leave the original alone.

use super::verify;
use crate::candidate::Candidate;
use crate::checks::same;
use crate::outcome::Tally;
use crate::random::Random;
use crate::situation::Situation;
use highroad_core::{
    Batch, CatchUp, CellRect, Change, Grid, Planner, Progress, QueryError, Scratch,
};

/// How many batches of edits follow each other.
const BATCHES: usize = 3;

/// A query goes on after an edit that changes nothing, and is stale after one that changes something.
pub(super) fn check_stale(
    planner: &dyn Planner,
    grid: &Grid,
    situation: &Situation,
    slice: u64,
) -> Result<(), String> {
    let (mut grid, mut scratch) = (grid.clone(), Scratch::new());
    let expected = planner.solve(&grid, &situation.query(), &mut scratch);
    let expected = expected.map_err(|error| error.to_string())?;
    let mut begun = begin(planner, &grid, situation, slice, &mut scratch)?;
    let start = situation.starts[0];
    let mut nothing = Batch::new();
    nothing.set(start, situation.map.terrain(start).expect("starts lie inside the map"));
    apply(&nothing, &mut grid);
    while matches!(begun, Progress::Running | Progress::Leg(_)) {
        begun = planner.advance(&grid, &mut scratch, u64::MAX);
    }
    same("after an edit that changes nothing", &begun, &Progress::Done(expected))?;
    begin(planner, &grid, situation, slice, &mut scratch)?;
    surcharge_start(situation, &mut grid);
    for _ in 0..2 {
        let progress = planner.advance(&grid, &mut scratch, 10);
        same("after an edit", &progress, &Progress::Stale)?;
    }
    Ok(())
}

/// Begins the query, and makes its first slice.
fn begin(
    planner: &dyn Planner,
    grid: &Grid,
    situation: &Situation,
    slice: u64,
    scratch: &mut Scratch,
) -> Result<Progress, String> {
    planner.begin(grid, &situation.query(), scratch).map_err(|error| error.to_string())?;
    Ok(planner.advance(grid, scratch, slice))
}

fn apply(batch: &Batch, grid: &mut Grid) -> Vec<Change> {
    grid.apply(batch).expect("the edits lie inside the map")
}

/// Makes the first start cost something else.
fn surcharge_start(situation: &Situation, grid: &mut Grid) {
    let cell = situation.starts[0];
    let amount = situation.surcharges.get(&cell).map_or(1, |amount| amount ^ 1);
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new(cell, cell), amount);
    assert!(!apply(&batch, grid).is_empty(), "the surcharge was another one");
}

/// Random batches of edits, one after the other.
pub(super) fn check_edits(
    candidate: &Candidate<'_, Grid>,
    situation: &Situation,
    random: &mut Random,
    scratch: &mut Scratch,
    tally: &mut Tally,
) {
    let mut grid = situation.grid();
    let Some(mut planner) = candidate.make(&grid) else { return };
    let mut after = situation.clone();
    for _ in 0..BATCHES {
        let before = (grid.clone(), after.clone());
        let changes = apply(&after.random_edits(random), &mut grid);
        let copy = planner.duplicate();
        let original = copy.map(|copy| std::mem::replace(&mut planner, copy));
        let mut followed = false;
        tally.check("an edit", &after, || {
            followed = follow(&mut *planner, &grid, &changes, &after, scratch)?;
            Ok(())
        });
        if let Some(original) = original {
            tally.check("the original of a copy", &before.1, || {
                check_right(&*original, &before.0, &before.1, scratch)?;
                check_outdated(&*original, &grid, &after, scratch)
            });
        }
        if !followed {
            let Some(rebuilt) = candidate.make(&grid) else { return };
            planner = rebuilt;
            tally.check("built again", &after, || check_right(&*planner, &grid, &after, scratch));
        }
    }
}

/// Lets a planner follow an edit; whether it could. If it could not, it must refuse queries.
fn follow(
    planner: &mut dyn Planner,
    grid: &Grid,
    changes: &[Change],
    after: &Situation,
    scratch: &mut Scratch,
) -> Result<bool, String> {
    match planner.catch_up(grid, changes, scratch) {
        CatchUp::Done => {
            check_right(planner, grid, after, scratch)?;
            Ok(true)
        }
        CatchUp::Unfinished => Err("it was to catch up at once, and has not".to_owned()),
        CatchUp::NeedsRebuild => match planner.solve(grid, &after.query(), scratch) {
            Err(QueryError::Stale) => Ok(false),
            answer => Err(format!("it must be built again, but answers {answer:?}")),
        },
    }
}

/// A planner that has not caught up with an edit refuses queries, or answers correctly because it precomputes nothing.
fn check_outdated(
    planner: &dyn Planner,
    grid: &Grid,
    after: &Situation,
    scratch: &mut Scratch,
) -> Result<(), String> {
    match planner.solve(grid, &after.query(), scratch) {
        Err(QueryError::Stale) => Ok(()),
        _ => check_right(planner, grid, after, scratch),
    }
}

/// The invariants and the answer are right.
fn check_right(
    planner: &dyn Planner,
    grid: &Grid,
    situation: &Situation,
    scratch: &mut Scratch,
) -> Result<(), String> {
    verify(planner, grid)?;
    let answer = planner.solve(grid, &situation.query(), scratch);
    let answer = answer.map_err(|error| format!("it is refused: {error}"))?;
    situation.check(grid, &situation.reach(), planner.guarantee(grid), &answer)
}
