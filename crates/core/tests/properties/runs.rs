//! Planners that share their scratch memory. The common suite tests each on its own.

use crate::{build, rounds, situations, usual_specs};
use highroad_core::Scratch;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(rounds(100))]

    /// One scratch for all maps and planners in turn answers as a new one each time.
    #[test]
    fn memory_that_others_have_used_is_as_good_as_fresh(all in vec(situations(), 2..4)) {
        let mut used = Scratch::new();
        for situation in all.iter().chain(&all) {
            let (grid, query) = (situation.grid(), situation.query());
            for spec in usual_specs(&grid) {
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
}
