use super::cluster::ClusterBuilder;
use super::*;
use crate::grid::{Batch, Cell, GridMap, Movement, MovementRule, Profile, StepCosts, Terrain};
use crate::hierarchy::storms::{Storm, batch, grid, storms};
use crate::planner::Scratch;
use crate::{Answer, CatchUp, GridSearch, Limits, PathQuery, Planner, Progress, QueryError};
use proptest::prelude::*;

fn policies() -> impl Strategy<Value = Transitions> {
    prop_oneof![
        Just(Transitions::Ends),
        Just(Transitions::Thesis),
        (1u8..9).prop_map(Transitions::Every)
    ]
}

fn all_options() -> impl Strategy<Value = HpaOptions> {
    (policies(), 4u32..12, 1u8..4).prop_map(|(transitions, cluster_side, levels)| HpaOptions {
        cluster_side,
        transitions,
        levels: Levels::Exactly(levels),
        smooth: true,
        direct: true,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn after_a_storm_of_edits_it_equals_one_built_afresh(storm in storms(all_options())) {
        let Storm { mut grid, options, batches } = storm;
        let mut hpa = Hpa::build(&grid, options).unwrap();
        let mut scratch = Scratch::new();
        for edits in batches {
            let changes = grid.apply(&batch(&edits)).unwrap();
            prop_assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
            let afresh = Hpa::build(&grid, options).unwrap();
            prop_assert!(hpa == afresh, "patched and built differ on\n{}", grid.map());
            prop_assert_eq!(hpa.verify(&grid), Ok(()), "on\n{}", grid.map());
        }
    }

    #[test]
    fn two_cells_are_connected_exactly_when_a_search_says_so(storm in storms(all_options())) {
        let Storm { grid, options, .. } = storm;
        let hpa = Hpa::build(&grid, options).unwrap();
        let cells: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
        let mut scratch = Scratch::new();
        for &start in cells.iter().take(3) {
            let mut tree_scratch = Scratch::new();
            let tree = GridSearch::dijkstra()
                .explore(&grid, &[start], Limits::default(), &mut tree_scratch)
                .unwrap();
            for &goal in cells.iter().step_by(7) {
                let query = PathQuery::new(start, goal);
                let path = hpa.solve(&grid, &query, &mut scratch).unwrap().path();
                prop_assert_eq!(path.is_some(), tree.cost(goal).is_some(), "{} to {}", start, goal);
            }
        }
    }
}

#[test]
fn a_table_does_not_depend_on_the_flood_before() {
    let drawing = "........\n.#...#..\n........\n........\n";
    let grid = Grid::with_defaults(drawing.parse().unwrap());
    let options = HpaOptions { cluster_side: 4, ..HpaOptions::default() };
    let layout = Layout::new(grid.extent(), 4).unwrap();
    let mut builder = ClusterBuilder::default();
    let mut first = || builder.build(&grid, &layout, &options, ClusterId(0));
    assert_eq!(first(), first());
}

#[test]
fn any_order_of_jobs_builds_the_same() {
    let map = GridMap::from_fn(70, 50, |cell| {
        if (cell.x * 7 + cell.y * 11) % 13 == 0 { Terrain::WALL } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let options =
        HpaOptions { cluster_side: 8, levels: Levels::Exactly(3), ..HpaOptions::default() };
    let mut build = Hpa::plan_build(&grid, options).unwrap();
    let mut stages = 0;
    while build.job_count() > 0 {
        let jobs = (0..build.job_count()).rev();
        let mut parts: Vec<HpaPart> = jobs.map(|job| build.run(job)).collect();
        parts.reverse();
        build.join(parts).unwrap();
        stages += 1;
    }
    assert_eq!(stages, 3);
    assert!(build.finish().unwrap() == Hpa::build(&grid, options).unwrap());
    let mut build = Hpa::plan_build(&grid, options).unwrap();
    assert_eq!(build.join(Vec::new()), Err(HpaOptionsError::Incomplete));
    assert_eq!(build.finish().err(), Some(HpaOptionsError::Incomplete));
}

#[test]
fn an_abstraction_does_not_follow_a_grid_it_cannot_know() {
    let small = Grid::with_defaults("......\n......\n".parse().unwrap());
    let large = Grid::with_defaults(GridMap::filled(99, 99, Terrain::GROUND).unwrap());
    let mut hpa = Hpa::build(&small, HpaOptions::default()).unwrap();
    let mut scratch = Scratch::new();
    assert_eq!(hpa.catch_up(&large, &[], &mut scratch), CatchUp::NeedsRebuild);
    let query = PathQuery::new((98, 98), (0, 0));
    assert_eq!(hpa.solve(&large, &query, &mut scratch), Err(QueryError::Stale));
}

/// Ways inside clusters cost more than half a word holds.
#[test]
fn terrain_of_any_cost_is_served() {
    let mut drawing = ".".repeat(60);
    drawing.replace_range(20..21, "S");
    let map: GridMap = format!("{drawing}\n{}\n", ".".repeat(60)).parse().unwrap();
    let profile = Profile::movingai().with_cost(Terrain::GROUND, 30_000).unwrap();
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT).unwrap();
    for cluster_side in [4, 32, 64] {
        for levels in [Levels::Automatic, Levels::Exactly(3)] {
            let options = HpaOptions { cluster_side, levels, ..HpaOptions::default() };
            let grid = Grid::new(map.clone(), movement.clone());
            let hpa = Hpa::build(&grid, options).unwrap();
            let query = PathQuery::new((0, 1), (59, 0));
            let mut scratch = Scratch::new();
            let answer = hpa.solve(&grid, &query, &mut scratch).unwrap();
            let optimal = GridSearch::astar().solve(&grid, &query, &mut scratch).unwrap();
            let cost = |answer: Answer| answer.path().map(|path| path.cost());
            assert_eq!(cost(answer), cost(optimal), "{options:?}");
        }
    }
}

#[test]
fn starts_far_apart_share_a_queue() {
    let map = GridMap::from_fn(1000, 8, |cell| {
        let pocket_wall = cell.x == 2 && cell.y < 3 || cell.y == 2 && cell.x < 3;
        if pocket_wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let options = HpaOptions { cluster_side: 4, ..HpaOptions::default() };
    let hpa = Hpa::build(&grid, options).unwrap();
    let query = PathQuery::among(vec![Cell::new(0, 0), Cell::new(950, 0)], vec![Cell::new(4, 4)]);
    let path = hpa.solve(&grid, &query, &mut Scratch::new()).unwrap().path().unwrap();
    assert_eq!((path.start(), path.validate(&grid)), (Cell::new(950, 0), Ok(())));
}

#[test]
fn an_abstraction_of_another_grid_does_not_answer() {
    let mut grid = Grid::with_defaults("......\n......\n".parse().unwrap());
    let hpa = Hpa::build(&grid, HpaOptions::default()).unwrap();
    let mut batch = Batch::new();
    batch.set((3, 0), Terrain::WALL);
    grid.apply(&batch).unwrap();
    let mut scratch = Scratch::new();
    let query = PathQuery::new((0, 0), (5, 1));
    assert_eq!(hpa.solve(&grid, &query, &mut scratch), Err(QueryError::Stale));
    assert_eq!(hpa.advance(&grid, &mut scratch, u64::MAX), Progress::Stale);
    // Begun before the edit, advanced after it.
    let before = Grid::with_defaults("......\n......\n".parse().unwrap());
    let mut after = before.clone();
    let hpa = Hpa::build(&before, HpaOptions::default()).unwrap();
    hpa.begin(&before, &query, &mut scratch).unwrap();
    after.apply(&batch).unwrap();
    assert_eq!(hpa.advance(&after, &mut scratch, u64::MAX), Progress::Stale);
}

/// Walls with gaps, large enough for several regions.
fn walled() -> Grid {
    let map = GridMap::from_fn(160, 120, |cell| {
        let wall = cell.x % 11 == 5 && cell.y % 37 != cell.x % 31;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    Grid::with_defaults(map.unwrap())
}

fn options(cluster_side: u32, levels: u8) -> HpaOptions {
    HpaOptions { cluster_side, levels: Levels::Exactly(levels), ..HpaOptions::default() }
}

#[test]
fn a_first_leg_is_the_beginning_of_the_whole_path() {
    let grid = walled();
    for levels in 1..=3 {
        let hpa = Hpa::build(&grid, options(8, levels)).unwrap();
        let mut scratch = Scratch::new();
        let query = PathQuery::new((1, 1), (157, 110)).with_first_leg(20);
        hpa.begin(&grid, &query, &mut scratch).unwrap();
        let Progress::Leg(leg) = hpa.advance(&grid, &mut scratch, u64::MAX) else {
            panic!("a leg was asked for")
        };
        assert!(leg.cells().len() > 20 && leg.validate(&grid).is_ok());
        let Progress::Done(crate::Answer::Found(path)) = hpa.advance(&grid, &mut scratch, u64::MAX)
        else {
            panic!("there is a path")
        };
        assert!(path.validate(&grid).is_ok() && path.cells().len() > leg.cells().len());
        assert_eq!(path.cells()[..leg.cells().len()], *leg.cells());
        let whole = hpa.solve(&grid, &query, &mut scratch).unwrap().path().unwrap();
        assert_eq!(whole.goal(), path.goal());
    }
}

#[test]
fn levels_leave_the_cost_of_abstract_paths_as_it_is() {
    let grid = walled();
    let raw = |levels| HpaOptions { smooth: false, ..options(8, levels) };
    let planners = [1, 2, 3].map(|levels| Hpa::build(&grid, raw(levels)).unwrap());
    let mut scratch = Scratch::new();
    for goal in [(157, 110), (90, 3), (12, 119), (80, 60)] {
        let query = PathQuery::new((1, 1), goal);
        let cost = |hpa: &Hpa, scratch: &mut Scratch| {
            hpa.solve(&grid, &query, scratch).unwrap().path().unwrap().cost()
        };
        let costs = [0, 1, 2].map(|at| cost(&planners[at], &mut scratch));
        assert!(costs[0] == costs[1] && costs[1] == costs[2], "{goal:?}: {costs:?}");
    }
}

#[test]
fn a_sketch_shows_every_level_and_the_abstract_path() {
    let grid = walled();
    let hpa = Hpa::build(&grid, options(8, 2)).unwrap();
    let layers = hpa.sketch(&grid);
    let names: Vec<(&str, u32)> =
        layers.iter().map(|layer| (layer.info.name, layer.level)).collect();
    let (first, second) = (["clusters", "entrances", "transitions", "abstract edges"], 2);
    let expected = first.map(|name| (name, 1)).into_iter();
    let above = ["clusters", "transitions", "abstract edges"].map(|name| (name, second));
    assert_eq!(names, expected.chain(above).collect::<Vec<_>>());
    assert_eq!(layers[0].shape.len(), 20 * 15);
    assert_eq!(layers[4].shape.len(), 5 * 4);
    assert!(layers.iter().all(|layer| !layer.shape.is_empty()));
    let mut scratch = Scratch::new();
    let (start, goal) = (Cell::new(1, 1), Cell::new(157, 110));
    hpa.solve(&grid, &PathQuery::new(start, goal), &mut scratch).unwrap();
    let chains = hpa.sketch_query(&grid, &scratch);
    assert_eq!(chains.iter().map(|layer| layer.level).collect::<Vec<_>>(), [1, 2]);
    for layer in chains {
        let crate::Shape::Chain(points) = layer.shape else { panic!("a path is a chain") };
        let ends = [start, goal].map(crate::Point::middle_of);
        assert_eq!((points[0], points[points.len() - 1]), (ends[0], ends[1]));
    }
    GridSearch::astar().solve(&grid, &PathQuery::new(start, goal), &mut scratch).unwrap();
    assert_eq!(hpa.sketch_query(&grid, &scratch), [], "that query was not its own");
}

#[test]
fn what_an_edit_has_made_stale_is_told_by_verify() {
    let mut grid = walled();
    let mut hpa = Hpa::build(&grid, options(16, 2)).unwrap();
    assert_eq!(hpa.verify(&grid), Ok(()));
    let mut batch = Batch::new();
    batch.set((20, 20), Terrain::WALL);
    let changes = grid.apply(&batch).unwrap();
    assert!(hpa.verify(&grid).unwrap_err().to_string().contains("another edition"));
    // An abstraction that was not notified of a change does not match the cells.
    hpa.grid = grid.edition();
    assert!(hpa.verify(&grid).is_err());
    let mut scratch = Scratch::new();
    assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
    assert_eq!(hpa.verify(&grid), Ok(()));
}

/// Shifted by a power of two rounded down, the span of this map's keys was too wide for the buckets.
#[test]
fn the_keys_of_several_levels_fit_the_buckets() {
    let cells: Vec<u8> = (0..19).map(|y| if y == 7 { 2 } else { 0 }).collect();
    let grid = grid(MovementRule::FourWay, 1, 19, &cells, false);
    let hpa = Hpa::build(&grid, options(4, 3)).unwrap();
    let query = PathQuery::new((0, 8), (0, 18));
    let path = hpa.solve(&grid, &query, &mut Scratch::new()).unwrap().path().unwrap();
    assert_eq!(path.cells().len(), 11);
    let query = PathQuery::among(vec![Cell::new(0, 8), Cell::new(0, 0)], vec![Cell::new(0, 18)]);
    assert!(hpa.solve(&grid, &query, &mut Scratch::new()).unwrap().path().is_some());
}

/// The new water was the second part of its cluster, as its old one had been: the block around looked the same,
/// and those above kept joining what was no longer there.
#[test]
fn parts_with_new_numbers_are_joined_again_up_to_the_whole_map() {
    let mut rows = vec![".".repeat(35); 12];
    rows[5].replace_range(17..18, "@");
    rows[5].replace_range(23..25, "WW");
    rows[6].replace_range(17..19, "WW");
    let movement = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::EXACT);
    let mut grid = Grid::new((rows.join("\n") + "\n").parse().unwrap(), movement.unwrap());
    let options = HpaOptions { transitions: Transitions::Ends, ..options(6, 2) };
    let mut hpa = Hpa::build(&grid, options).unwrap();
    let mut batch = Batch::new();
    batch.set((17, 5), Terrain::WATER);
    let changes = grid.apply(&batch).unwrap();
    assert_eq!(hpa.catch_up(&grid, &changes, &mut Scratch::new()), CatchUp::Done);
    assert!(hpa == Hpa::build(&grid, options).unwrap());
}
