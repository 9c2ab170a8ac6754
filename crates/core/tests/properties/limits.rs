//! Limits of cost: of steps, and of trees. The common suite tests all other limits.

use crate::{build, rounds, situations, spec};
use highroad_core::{Answer, Cell, Cost, GridSearch, Limits, Scratch};
use highroad_suite::Measure;
use proptest::prelude::*;

fn cost(cost_max: u64) -> Limits {
    Limits::default().with_cost_max(cost_max)
}

proptest! {
    #![proptest_config(rounds(100))]

    /// Breadth-first search counts steps against the limit of cost.
    #[test]
    fn no_path_has_more_steps_than_allowed(situation in situations(), allowed in 0..40u64) {
        let grid = situation.grid();
        let reach = situation.oracle().reach(&situation.starts, Measure::Steps);
        let fewest = reach.to_any(&situation.goals);
        let query = situation.query().with_limits(cost(allowed));
        let answer = build(&spec("bfs"), &grid).solve(&grid, &query, &mut Scratch::new())?;
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
