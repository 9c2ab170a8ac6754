//! Answers against the oracle.

use crate::{build, rounds, situations, usual_specs};
use highroad_core::{
    Answer, Cell, Cost, Grid, GridMap, GridSearch, Guarantee, HeuristicKind, Limits, MovementRule,
    PaidCells, PathQuery, Planner, Profile, QueryError, Scratch, StepCosts, Terrain, Weight,
};
use highroad_suite::{Measure, Random, Situation};
use proptest::prelude::*;
use proptest::sample::select;

proptest! {
    #![proptest_config(rounds(150))]

    /// The bound of a weight holds for any weight, whatever the estimates are rounded to.
    #[test]
    fn any_weight_keeps_its_bound(
        situation in situations(),
        factor in prop_oneof![0.0..1.0f64, 1.0..2.0f64, 2.0..1000.0f64],
        kind in select(HeuristicKind::ALL.to_vec()),
        reopen in any::<Option<bool>>(),
    ) {
        let (grid, reach) = (situation.grid(), situation.reach());
        let search = GridSearch::astar().with_heuristic(kind).with_weight(Weight::new(factor)?);
        let search = reopen.map_or(search.clone(), |wanted| search.with_reopening(wanted));
        let answer = solve(&search, &grid, &situation)?;
        let outcome = situation.check(&grid, &reach, search.guarantee(&grid), &answer);
        outcome.map_err(TestCaseError::fail)?;
    }

    #[test]
    fn breadth_first_search_takes_the_fewest_steps(situation in situations()) {
        let fewest = situation.oracle().reach(&situation.starts, Measure::Steps);
        let answer = solve(&GridSearch::breadth_first(), &situation.grid(), &situation)?;
        let steps = answer.path().map(|path| path.steps() as u64);
        prop_assert_eq!(steps, fewest.to_any(&situation.goals));
    }

    /// Costs, reachability and predecessors of a whole tree, by cost and by steps.
    #[test]
    fn explored_trees_are_the_oracles(situation in situations()) {
        let grid = situation.grid();
        // Without goals, heuristics and the search from the other end play no part.
        let searches = [
            (GridSearch::dijkstra(), Measure::Cost),
            (GridSearch::astar().with_heuristic(HeuristicKind::Manhattan), Measure::Cost),
            (GridSearch::bidirectional(), Measure::Cost),
            (GridSearch::breadth_first(), Measure::Steps),
        ];
        for (search, measure) in searches {
            let reach = situation.oracle().reach(&situation.starts, measure);
            let mut scratch = Scratch::new();
            let mut tree =
                search.explore(&grid, &situation.starts, Limits::default(), &mut scratch)?;
            for cell in grid.extent().cells() {
                let cost = tree.cost(cell);
                prop_assert_eq!(cost, reach.distance(cell).map(Cost), "{}", cell);
                let before = tree.predecessor(cell);
                let is_root = situation.starts.contains(&cell);
                prop_assert_eq!(before.is_some(), cost.is_some() && !is_root, "{}", cell);
                let path = tree.path_to(cell);
                prop_assert_eq!(path.is_some(), cost.is_some(), "{}", cell);
                if let Some(path) = path {
                    situation.check_path(&grid, &path).map_err(TestCaseError::fail)?;
                    prop_assert_eq!(path.goal(), cell);
                    let length =
                        if measure == Measure::Steps { path.steps() as u64 } else { path.cost().0 };
                    prop_assert_eq!(Some(Cost(length)), cost, "{}", cell);
                }
            }
            prop_assert_eq!(tree.cost(Cell::new(grid.extent().width(), 0)), None, "outside");
        }
    }

    /// A grid that was edited in place answers as one that is made from the edited map.
    #[test]
    fn edits_leave_nothing_behind(situation in situations(), seed in any::<u64>()) {
        let (mut grid, mut after) = (situation.grid(), situation.clone());
        let mut random = Random::new(seed);
        for _ in 0..5 {
            grid.apply(&after.random_edits(&mut random))?;
        }
        let reach = after.reach();
        prop_assert_eq!(grid.enterable_count(), after.grid().enterable_count());
        let mut scratch = Scratch::new();
        for spec in usual_specs(&grid) {
            let planner = build(&spec, &grid);
            let answer = planner.solve(&grid, &situation.query(), &mut scratch)?;
            let outcome = after.check(&grid, &reach, planner.guarantee(&grid), &answer);
            prop_assert_eq!(outcome, Ok(()), "{}", spec);
        }
    }
}

fn solve(search: &GridSearch, grid: &Grid, situation: &Situation) -> Result<Answer, QueryError> {
    search.solve(grid, &situation.query(), &mut Scratch::new())
}

/// Eight-way, Manhattan's estimates are too high and inconsistent: cells are expanded before they are
/// at their cheapest. Opening them again keeps the bound; on this map it also finds a better path
/// than not doing so, and both miss the optimum.
#[test]
fn an_estimate_that_is_too_high_reopens_and_keeps_its_bound() {
    let map = "
        .........
        @.@.@....
        @.@......
        ..@.@@...
        ...@@@..@
        @...@...@
        ....@.@@.
        @.......@
        ....@..@.
    ";
    let grid = Grid::with_defaults(map.parse().expect("a drawing"));
    let query = PathQuery::new((2, 0), (7, 7));
    let mut scratch = Scratch::new();
    let mut cost = |search: GridSearch| {
        let answer = search.solve(&grid, &query, &mut scratch).expect("a good query");
        let path = answer.path().expect("there is a way");
        (path.cost(), scratch.statistics().reopened)
    };
    let (best, never) = cost(GridSearch::astar());
    assert_eq!((best, never), (Cost(61_012), 0), "octile estimates are consistent");
    let manhattan = GridSearch::astar().with_heuristic(HeuristicKind::Manhattan);
    let (reopening, times) = cost(manhattan.clone());
    let (closing, never) = cost(manhattan.clone().with_reopening(false));
    assert!(times > 0 && never == 0);
    assert!(best < reopening && reopening < closing, "{best} {reopening} {closing}");
    let promise = manhattan.guarantee(&grid);
    assert_eq!(promise, Guarantee::Bounded(2.0 * 2378.0 / 3363.0));
    assert!(promise.holds(reopening, best));
    assert_eq!(manhattan.with_reopening(false).guarantee(&grid), Guarantee::None);
}

/// Large enough that cells, surcharges and bits lie in several pages and bands: the seams are where
/// a search would go wrong.
#[test]
fn large_maps_have_no_seams() {
    for (width, height) in [(3, 1300), (300, 150), (1100, 40)] {
        let map = GridMap::from_fn(width, height, |Cell { x, y }| {
            // Every third column is a fence with a gap every 13 rows.
            let wall = x % 3 == 1 && (x * 5 + y * 7) % 13 != 0;
            if wall { Terrain::WALL } else { Terrain::GROUND }
        });
        let mut situation = Situation {
            map: map.expect("the sides are allowed"),
            profile: Profile::movingai(),
            rule: MovementRule::AlwaysDiagonal,
            steps: StepCosts::EXACT,
            paid: PaidCells::Both,
            footprint: Default::default(),
            slopes: Default::default(),
            surcharges: Default::default(),
            starts: vec![Cell::new(0, 0)],
            goals: Vec::new(),
        };
        let cells = situation.map.extent().cells();
        situation.surcharges = cells.filter(|cell| cell.x % 7 == 3).zip((1..30).cycle()).collect();
        let (grid, reach) = (situation.grid(), situation.reach());
        let farthest = grid.extent().cells().max_by_key(|&cell| reach.distance(cell));
        situation.goals.extend(farthest);
        let reached = grid.extent().cells().filter(|&cell| reach.distance(cell).is_some()).count();
        assert!(reached * 2 > grid.extent().cell_count(), "too little of the map is open");
        for spec in usual_specs(&grid) {
            let planner = build(&spec, &grid);
            let answer = planner.solve(&grid, &situation.query(), &mut Scratch::new());
            let answer = answer.expect("a good query");
            let outcome = situation.check(&grid, &reach, planner.guarantee(&grid), &answer);
            outcome.unwrap_or_else(|problem| panic!("{spec} on {width} × {height}: {problem}"));
        }
    }
}
