//! Labels, tables and turning points against plain searches.

use super::*;
use crate::grid::{Cell, CellRefusal, GridMap, Terrain};
use crate::planner::Scratch;
use crate::planner::{Answer, PathQuery, Planner, QueryError};
use crate::{GridSearch, Path};

/// Blocks and noise, of a kind for each seed.
fn grid(seed: u32) -> Grid {
    let (width, height) = (40 + seed % 37, 30 + seed % 23);
    let map = GridMap::from_fn(width, height, |Cell { x, y }| {
        let noise = (x * 31 + y * 17 + x * y * 7 + seed * 101) % 23;
        let block = (x / 5 * 13 + y / 4 * 7 + seed).is_multiple_of(6);
        let wall = if seed.is_multiple_of(2) { noise < 1 + seed % 7 } else { block && noise > 1 };
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    Grid::with_defaults(map.unwrap())
}

fn built(grid: &Grid) -> HubLabels {
    HubLabels::build(grid, HubOptions::default()).unwrap()
}

fn some_cells(grid: &Grid, step: usize) -> Vec<Cell> {
    grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).step_by(step).collect()
}

/// Builds by rounds of jobs, run backwards, as threads might.
fn built_in_rounds(grid: &Grid) -> HubLabels {
    let index = ChIndex::build(grid).unwrap();
    let mut build = HubLabels::plan_build(index, grid, HubOptions::default()).unwrap();
    while build.job_count() > 0 {
        let parts = (0..build.job_count()).rev().map(|job| build.run(job)).collect();
        build.join(parts).unwrap();
    }
    build.finish().unwrap()
}

#[test]
fn labels_are_the_same_however_they_are_built() {
    for seed in 0..12 {
        let grid = grid(seed);
        let (whole, rounds) = (built(&grid), built_in_rounds(&grid));
        let (Answers::Labels(whole), Answers::Labels(rounds)) = (&whole.answers, &rounds.answers)
        else {
            panic!("there is room for labels");
        };
        assert_eq!(whole.labels, rounds.labels, "map {seed}");
        assert_eq!(whole.reach, rounds.reach, "map {seed}");
    }
}

#[test]
fn a_round_needs_the_part_of_each_job_once() {
    let grid = grid(4);
    let index = ChIndex::build(&grid).unwrap();
    let mut build = HubLabels::plan_build(index, &grid, HubOptions::default()).unwrap();
    assert_eq!(build.join(Vec::new()), Err(BuildError::Incomplete));
    let twice = (0..build.job_count()).map(|_| build.run(0)).collect();
    assert_eq!(build.join(twice), Err(BuildError::Incomplete));
    assert_eq!(build.finish().err(), Some(BuildError::Incomplete));
    let other = ChIndex::build(&self::grid(5)).unwrap();
    let planned = HubLabels::plan_build(other, &grid, HubOptions::default());
    assert!(matches!(planned.err(), Some(BuildError::NotServed(_))));
}

#[test]
fn a_build_that_is_not_wanted_any_more_stops_at_every_stage() {
    let grid = grid(7);
    let mut shown = 0;
    let mut count = |_, _| {
        shown += 1;
        std::ops::ControlFlow::Continue(())
    };
    let options = HubOptions::default();
    HubLabels::build_watched(&grid, options, &mut Watch::new(&mut count)).unwrap();
    for allowed in 0..shown {
        let mut left = allowed;
        let mut stop = |_, _| {
            left -= 1;
            if left < 0 {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        };
        let built = HubLabels::build_watched(&grid, options, &mut Watch::new(&mut stop));
        assert_eq!(built.err(), Some(BuildError::Stopped), "after {allowed} of {shown}");
    }
}

#[test]
fn distances_tables_and_turning_points_agree_with_searches() {
    let mut scratch = Scratch::new();
    let mut unreachable = 0;
    for seed in 0..16 {
        let grid = grid(seed);
        let index = built(&grid);
        let (starts, goals) = (some_cells(&grid, 37), some_cells(&grid, 53));
        let table = index.distance_table(&grid, &starts, &goals, &mut scratch).unwrap();
        for (row, &start) in starts.iter().enumerate() {
            for (column, &goal) in goals.iter().enumerate() {
                let query = PathQuery::new(start, goal);
                let found = match GridSearch::dijkstra().solve(&grid, &query, &mut scratch) {
                    Ok(Answer::Found(path)) => Some(path.cost()),
                    _ => None,
                };
                unreachable += usize::from(found.is_none());
                let place = format!("map {seed}, {start} to {goal}");
                assert_eq!(table.cost(row, column), found, "{place}");
                let distance = index.distance(&grid, start, goal, &mut scratch).unwrap();
                assert_eq!(distance, found, "{place}");
                let turns = index.turning_points(&grid, start, goal, &mut scratch).unwrap();
                let path = index.solve(&grid, &query, &mut scratch).unwrap();
                let path = match path {
                    Answer::Found(path) => Some(path),
                    _ => None,
                };
                let expected = path.as_ref().map(|path| path.turning_points().collect());
                assert_eq!(turns, expected, "{place}");
            }
        }
        assert_eq!(table.cost(starts.len(), 0), None);
        assert_eq!(table.cost(0, goals.len()), None);
    }
    assert!(unreachable > 50, "only {unreachable} pairs are apart");
}

#[test]
fn too_little_memory_is_said_and_answers_stay_exact() {
    let grid = grid(6);
    let labels = built(&grid);
    assert!(labels.fallback().is_none() && labels.remark().is_none());
    assert!(labels.entry_count() > 0 && labels.longest_label() > 0);
    let fallen = HubLabels::build(&grid, HubOptions { bytes_max: 3 << 20 >> 10 }).unwrap();
    let remark = fallen.remark().unwrap();
    assert!(remark.ends_with("so the contraction hierarchy answers"), "{remark}");
    assert_eq!((fallen.entry_count(), fallen.longest_label()), (0, 0));
    let mut scratch = Scratch::new();
    let cells = some_cells(&grid, 61);
    let [table, slow] = [&labels, &fallen]
        .map(|index| index.distance_table(&grid, &cells, &cells, &mut scratch).unwrap());
    assert_eq!(table, slow);
    for pair in cells.windows(2) {
        let turns = |index: &HubLabels, scratch: &mut Scratch| {
            index.turning_points(&grid, pair[0], pair[1], scratch).unwrap().map(|turns| {
                Path::by_legs(turns.into_iter(), crate::Cost(0), grid.revision()).length()
            })
        };
        assert_eq!(turns(&labels, &mut scratch), turns(&fallen, &mut scratch));
    }
}

/// On 289 × 297 cells with 10 % obstacles it took 53 s of labelling to see that labels do not fit.
#[test]
fn labels_that_will_not_fit_are_foreseen() {
    for seed in [3, 6, 10, 12] {
        let grid = grid(seed);
        let labels = built(&grid);
        let Answers::Labels(labelled) = &labels.answers else { panic!("there is room for labels") };
        let plan = |bytes_max| {
            let index = ChIndex::build(&grid).unwrap();
            let mut build = HubLabels::plan_build(index, &grid, HubOptions { bytes_max }).unwrap();
            let trees = (0..build.job_count()).map(|job| build.run(job)).collect();
            build.join(trees).unwrap();
            build
        };
        let small = plan(labelled.labels.memory_bytes() / 2);
        assert_eq!(small.job_count(), 0, "map {seed}: nothing is labelled");
        let remark = small.finish().unwrap().remark();
        assert!(remark.is_some_and(|remark| remark.contains("would take more than")));
        // What just fits is made.
        let mut exact = plan(labelled.labels.memory_bytes() + labelled.reach.memory_bytes());
        while exact.job_count() > 0 {
            let parts = (0..exact.job_count()).map(|job| exact.run(job)).collect();
            exact.join(parts).unwrap();
        }
        assert_eq!(exact.finish().unwrap().fallback(), None, "map {seed}");
    }
}

/// Trees of hubs take up to two words an entry, but one was counted: on 512 × 512 cells with 25 % obstacles it took 28 s of
/// labelling to see that labels do not fit.
#[test]
fn branches_of_trees_that_will_not_fit_are_foreseen() {
    let map = GridMap::from_fn(120, 110, |Cell { x, y }| {
        let scattered = (x * 7919 + y * 104_729 + x * y * 31) % 97;
        if scattered < 24 { Terrain::WALL } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let labels = built(&grid);
    let Answers::Labels(labelled) = &labels.answers else { panic!("there is room for labels") };
    let (own, links) = (labelled.labels.memory_bytes(), labelled.reach.memory_bytes());
    let least = labels.entry_count() * (pruned::ENTRY_BYTES + pruned::WORD_BYTES);
    let bytes_max = own * 7 / 8 + links;
    assert!(least + links < bytes_max, "one word an entry would fit: {least} of {own} bytes");
    let index = ChIndex::build(&grid).unwrap();
    let mut build = HubLabels::plan_build(index, &grid, HubOptions { bytes_max }).unwrap();
    let trees = (0..build.job_count()).map(|job| build.run(job)).collect();
    build.join(trees).unwrap();
    assert_eq!(build.job_count(), 0, "nothing is labelled");
}

/// The links of cells come last, and were not counted: 27 s went by on a map of 512 × 512 with 25 % obstacles.
#[test]
fn links_of_cells_that_will_not_fit_are_foreseen() {
    let block = |at: u32| (40..46).contains(&(at % 100));
    let map = GridMap::from_fn(200, 160, |Cell { x, y }| {
        if block(x) && block(y) { Terrain::WALL } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let labels = built(&grid);
    let Answers::Labels(labelled) = &labels.answers else { panic!("there is room for labels") };
    let (own, links) = (labelled.labels.memory_bytes(), labelled.reach.memory_bytes());
    let foreseen = estimate::link_bytes_least(&labelled.subgoals, &grid);
    assert!(foreseen <= links && foreseen > links * 3 / 4, "{foreseen} of {links} bytes");
    let options = HubOptions { bytes_max: own + links / 2 };
    let mut build = HubLabels::plan_build(ChIndex::build(&grid).unwrap(), &grid, options).unwrap();
    let trees = (0..build.job_count()).map(|job| build.run(job)).collect();
    build.join(trees).unwrap();
    assert_eq!(build.job_count(), 0, "nothing is labelled");
}

#[test]
fn bad_places_and_other_maps_are_refused() {
    let grid = Grid::with_defaults("..#\n...\n".parse().unwrap());
    let index = built(&grid);
    let mut scratch = Scratch::new();
    let (free, wall, outside) = (Cell::new(0, 0), Cell::new(2, 0), Cell::new(3, 0));
    let mut asked = |start, goal| index.distance(&grid, start, goal, &mut scratch).err();
    assert!(matches!(
        asked(wall, free),
        Some(QueryError::Refused { reason: CellRefusal::Blocked { .. }, .. })
    ));
    assert!(matches!(
        asked(free, outside),
        Some(QueryError::Refused { reason: CellRefusal::Outside { .. }, .. })
    ));
    let table = index.distance_table(&grid, &[free], &[], &mut scratch);
    assert!(matches!(table, Err(QueryError::Missing(_))));
    let other = Grid::with_defaults("..#\n...\n".parse().unwrap());
    assert_eq!(index.distance(&other, free, free, &mut scratch), Err(QueryError::Stale));
}

#[test]
fn a_query_shows_the_hubs_that_both_ends_know() {
    let grid = grid(3);
    let index = built(&grid);
    let cells = some_cells(&grid, 1);
    let (start, goal) = (cells[0], cells[cells.len() - 1]);
    let mut scratch = Scratch::new();
    assert!(index.sketch_query(&grid, &scratch).is_empty(), "nothing was asked");
    index.solve(&grid, &PathQuery::new(start, goal), &mut scratch).unwrap();
    let layers = index.sketch_query(&grid, &scratch);
    assert_eq!(layers.len(), 2);
    assert!(layers.iter().all(|layer| !layer.shape.is_empty()));
    assert_eq!(index.sketch(&grid).len(), 6);
    GridSearch::astar().solve(&grid, &PathQuery::new(start, goal), &mut scratch).unwrap();
    assert!(index.sketch_query(&grid, &scratch).is_empty(), "the last query was another's");
}

/// Found by changed bytes whose hash fits again: a parent's word was followed before it was checked.
#[test]
fn a_word_that_leads_before_the_first_tree_is_refused() {
    let index = built(&grid(3));
    let Answers::Labels(labelled) = &index.answers else { panic!("there is room for labels") };
    let Labelled { subgoals, labels, .. } = &**labelled;
    assert!(labels.is_sound(subgoals));
    for at in 0..labels.trees.len().min(2000) {
        let mut changed = labels.clone();
        // Some of these are harmless, such as a flag that a root does not need.
        for word in [labels.trees[at] | 1 << 30, labels.trees[at] & !(1 << 31)] {
            changed.trees[at] = word;
            changed.is_sound(subgoals);
        }
        changed.trees[at] = u32::MAX >> 1;
        assert!(!changed.is_sound(subgoals), "word {at}");
    }
}
