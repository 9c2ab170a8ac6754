//! Limits of expansions and of cost.

use crate::random::situations;
use crate::support::{Measure, Situation, all_specs, plain_specs};
use crate::{blame, build, rounds};
use highroad_core::{
    Answer, Cell, Cost, Grid, GridSearch, Guarantee, Limits, Scratch, Spec, Statistics,
};
use proptest::prelude::*;

fn expansions(expansions_max: u64) -> Limits {
    Limits { expansions_max, ..Limits::default() }
}

fn cost(cost_max: u64) -> Limits {
    Limits { cost_max, ..Limits::default() }
}

fn solve(
    situation: &Situation,
    grid: &Grid,
    spec: &Spec,
    limits: Limits,
) -> Result<(Answer, Statistics), TestCaseError> {
    let mut scratch = Scratch::new();
    let query = situation.query().with_limits(limits);
    let answer = build(spec, grid).solve(grid, &query, &mut scratch)?;
    Ok((answer, scratch.statistics()))
}

proptest! {
    #![proptest_config(rounds(100))]

    /// Below what a search needs it ends at the limit; from there on the limit plays no part.
    #[test]
    fn no_more_is_expanded_than_allowed(situation in situations(), share in 0.0..1.5f64) {
        let grid = situation.grid();
        for spec in plain_specs(&grid) {
            let free = solve(&situation, &grid, &spec, Limits::default())?;
            let needed = free.1.expanded;
            let allowed = (needed as f64 * share) as u64;
            let (answer, told) = solve(&situation, &grid, &spec, expansions(allowed))?;
            if allowed < needed {
                prop_assert_eq!(told.expanded, allowed, "{}", spec);
                let Answer::LimitReached { nearest } = answer else {
                    return Err(TestCaseError::fail(format!("{spec}: {answer:?} at the limit")));
                };
                blame(&spec, situation.check_path(&grid, &nearest))?;
            }
            for enough in [needed, needed.max(allowed)] {
                let limited = solve(&situation, &grid, &spec, expansions(enough))?;
                prop_assert_eq!(&limited, &free, "{}", spec);
            }
        }
    }

    /// The path found costs no more than allowed, and one that promises the optimum finds it if it
    /// costs no more. That no path exists is said only where that is so.
    #[test]
    fn no_path_is_dearer_than_allowed(situation in situations(), share in 0.0..1.2f64) {
        let (grid, reach) = (situation.grid(), situation.reach());
        let best = reach.to_any(&situation.goals);
        let farthest = grid.extent().cells().filter_map(|cell| reach.distance(cell)).max();
        let farthest = farthest.unwrap_or(0);
        let part = (best.unwrap_or(farthest) as f64 * share) as u64;
        let edge = best.unwrap_or(farthest);
        for allowed in [part, edge, edge.saturating_sub(1), farthest] {
            for spec in all_specs(&grid).iter().filter(|spec| spec.entry().name != "bfs") {
                let (answer, _) = solve(&situation, &grid, spec, cost(allowed))?;
                let exact = build(spec, &grid).guarantee(&grid) == Guarantee::Optimal;
                let outcome = check_cost_limit(&situation, &grid, best, allowed, exact, &answer);
                blame(spec, outcome.map_err(|problem| format!("{problem} (at most {allowed})")))?;
            }
        }
    }

    /// Breadth-first search counts steps against the limit of cost.
    #[test]
    fn no_path_has_more_steps_than_allowed(situation in situations(), allowed in 0..40u64) {
        let grid = situation.grid();
        let reach = situation.oracle().reach(&situation.starts, Measure::Steps);
        let fewest = reach.to_any(&situation.goals);
        let spec = crate::support::spec("bfs");
        let (answer, _) = solve(&situation, &grid, &spec, cost(allowed))?;
        match (fewest, answer) {
            (Some(fewest), Answer::Found(path)) => {
                prop_assert_eq!(path.steps() as u64, fewest);
                prop_assert!(fewest <= allowed);
            }
            (Some(fewest), Answer::LimitReached { .. }) => prop_assert!(fewest > allowed),
            (None, Answer::Unreachable { .. } | Answer::LimitReached { .. }) => {}
            (fewest, answer) => prop_assert!(false, "{fewest:?}, but {answer:?}"),
        }
    }

    /// A tree within a cost holds exactly the cells within that cost.
    #[test]
    fn a_limited_tree_ends_at_its_limit(situation in situations(), share in 0.0..1.1f64) {
        let (grid, reach) = (situation.grid(), situation.reach());
        let all: Vec<(Cell, u64)> = grid
            .extent()
            .cells()
            .filter_map(|cell| Some((cell, reach.distance(cell)?)))
            .collect();
        let farthest = all.iter().map(|entry| entry.1).max().unwrap_or(0);
        let allowed = (farthest as f64 * share) as u64;
        let mut scratch = Scratch::new();
        let search = GridSearch::dijkstra();
        let tree = search.explore(&grid, &situation.starts, cost(allowed), &mut scratch)?;
        for &(cell, distance) in &all {
            let expected = (distance <= allowed).then_some(Cost(distance));
            prop_assert_eq!(tree.cost(cell), expected, "{}", cell);
        }
        let within = all.iter().filter(|entry| entry.1 <= allowed).count() as u64;
        prop_assert_eq!(scratch.statistics().expanded, within);
    }
}

fn check_cost_limit(
    situation: &Situation,
    grid: &Grid,
    best: Option<u64>,
    allowed: u64,
    exact: bool,
    answer: &Answer,
) -> Result<(), String> {
    let affordable = best.is_some_and(|best| best <= allowed);
    match answer {
        Answer::Found(path) => {
            situation.check_path(grid, path)?;
            let cost = path.cost().0;
            if cost > allowed || Some(cost) < best || (exact && Some(cost) != best) {
                return Err(format!("found at {cost}, while {best:?} is best"));
            }
        }
        Answer::Unreachable { nearest } if best.is_none() => {
            situation.check_path(grid, nearest)?;
        }
        Answer::LimitReached { nearest } if !(exact && affordable) => {
            situation.check_path(grid, nearest)?;
            if nearest.cost().0 > allowed {
                return Err(format!("the way to the nearest cell costs {}", nearest.cost()));
            }
        }
        answer => return Err(format!("{answer:?}, while {best:?} is best")),
    }
    Ok(())
}
