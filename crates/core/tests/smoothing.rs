//! Smoothing against the oracle: what is seen is exactly what has a way of octile length, and a
//! smoothed path is a path, never more costly.

use highroad_core::{
    Batch, Cell, CellRect, Footprint, Grid, GridMap, GridSearch, MovementRule, PaidCells, Path,
    Planner, Profile, Scratch, Smoother, StepCosts, Terrain, Weight, smooth,
};
use highroad_suite::Situation;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;

/// Sides at which sweeps change words, with the border's bit, and small ones.
fn sides() -> impl Strategy<Value = u32> {
    prop_oneof![1..=20u32, select(vec![61, 62, 63, 64, 65, 126, 127, 128, 129, 150])]
}

/// Uniform maps from one to about 2,400 cells, with walls and water, and an enterable start and goal.
fn situations() -> impl Strategy<Value = Situation> {
    let steps = select(vec![StepCosts::EXACT, StepCosts::THESIS]);
    let walls = select(vec![0, 3, 10, 25, 40]);
    let water = select(vec![0, 0, 5, 30]);
    (sides(), 1..=16u32, any::<bool>(), select(MovementRule::ALL.to_vec()), steps, walls, water)
        .prop_flat_map(|(long, short, turned, rule, steps, walls, water)| {
            let (width, height) = if turned { (short, long) } else { (long, short) };
            let cells = vec(0..100u8, (width * height) as usize);
            let ends = (any::<Index>(), any::<Index>());
            (cells, ends).prop_filter_map("no cell to stand on", move |(kinds, ends)| {
                let letter = |&kind: &u8| match kind {
                    kind if kind < walls => '@',
                    kind if kind < walls + water => 'W',
                    _ => '.',
                };
                let rows = kinds.chunks_exact(width as usize);
                let text: Vec<String> = rows.map(|row| row.iter().map(letter).collect()).collect();
                let map: GridMap = text.join("\n").parse().expect("a drawn map");
                let profile = Profile::movingai();
                let free = |cell: &Cell| map.terrain(*cell).is_some_and(|t| t != Terrain::WALL);
                let places: Vec<Cell> = map.extent().cells().filter(free).collect();
                let place = |index: &Index| places.get(index.index(places.len().max(1))).copied();
                let (starts, goals) = (vec![place(&ends.0)?], vec![place(&ends.1)?]);
                let surcharges = BTreeMap::new();
                let (paid, footprint) = (PaidCells::Both, Footprint::CELL);
                Some(Situation {
                    map,
                    profile,
                    rule,
                    steps,
                    paid,
                    footprint,
                    slopes: Default::default(),
                    surcharges,
                    starts,
                    goals,
                })
            })
        })
}

/// What the straightest conceivable way costs between cells of cost one.
fn straightest(situation: &Situation, from: Cell, to: Cell) -> u64 {
    let (columns, rows) = from.offset(to);
    let (long, short) = (u64::from(columns.max(rows)), u64::from(columns.min(rows)));
    let (straight, diagonal) = (situation.steps.straight(), situation.steps.diagonal());
    if situation.rule.has_diagonals() {
        2 * ((long - short) * u64::from(straight) + short * u64::from(diagonal))
    } else {
        2 * (long + short) * u64::from(straight)
    }
}

/// Paths from the worst to the best.
fn paths(situation: &Situation, grid: &Grid) -> Vec<Path> {
    let weighted = GridSearch::astar().with_weight(Weight::new(3.0).expect("a weight"));
    let searches =
        [GridSearch::depth_first(), GridSearch::greedy(), weighted, GridSearch::dijkstra()];
    let mut scratch = Scratch::new();
    let mut solve = |search: GridSearch| {
        search.solve(grid, &situation.query(), &mut scratch).expect("enterable ends").path()
    };
    searches.into_iter().filter_map(&mut solve).collect()
}

fn check_smoothed(
    situation: &Situation,
    grid: &Grid,
    path: &Path,
    smoother: &mut Smoother,
) -> Result<Path, TestCaseError> {
    let taut = smooth(grid, path, smoother);
    situation.check_path(grid, &taut).map_err(TestCaseError::fail)?;
    prop_assert_eq!((taut.start(), taut.goal()), (path.start(), path.goal()));
    prop_assert!(taut.cost() <= path.cost(), "{} from {}", taut.cost(), path.cost());
    Ok(taut)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_cell_is_seen_exactly_if_a_way_of_octile_length_leads_there(situation in situations()) {
        let (grid, reach) = (situation.grid(), situation.reach());
        let mut smoother = Smoother::new();
        let from = situation.starts[0];
        for to in grid.extent().cells() {
            let expected = reach.distance(to) == Some(straightest(&situation, from, to));
            prop_assert_eq!(smoother.sees(&grid, from, to), expected, "{} to {}", from, to);
        }
    }

    #[test]
    fn smoothed_paths_are_paths_never_costlier_and_settle(situation in situations()) {
        let (grid, reach) = (situation.grid(), situation.reach());
        let mut smoother = Smoother::new();
        for path in paths(&situation, &grid) {
            let taut = check_smoothed(&situation, &grid, &path, &mut smoother)?;
            let fresh = smooth(&grid, &path, &mut Smoother::new());
            prop_assert_eq!(&fresh, &taut, "what was smoothed before leaves no trace");
            let mut settled = taut;
            for _ in 0..3 {
                settled = check_smoothed(&situation, &grid, &settled, &mut smoother)?;
            }
            prop_assert!(Some(settled.cost().0) >= reach.to_any(&situation.goals));
        }
    }

    /// One grid edited, one made afresh: sweeps along rows and along columns agree on both.
    #[test]
    fn edits_reach_the_sweeps(
        situation in situations(),
        edits in vec((any::<Index>(), select(vec![Terrain::GROUND, Terrain::WALL, Terrain::WATER])), 1..40),
    ) {
        let mut grid = situation.grid();
        let mut edited = situation.clone();
        let cells: Vec<Cell> = grid.extent().cells().collect();
        for (index, terrain) in &edits {
            let cell = *index.get(&cells);
            if !situation.starts.contains(&cell) {
                let mut batch = Batch::new();
                batch.set(cell, *terrain);
                grid.apply(&batch).expect("inside");
            }
        }
        edited.map = grid.map().clone();
        let (afresh, mut smoother) = (edited.grid(), Smoother::new());
        for &to in &cells {
            let from = situation.starts[0];
            prop_assert_eq!(smoother.sees(&grid, from, to), smoother.sees(&afresh, from, to));
        }
    }
}

fn path(grid: &Grid, cells: &[(u32, u32)]) -> Path {
    Path::new(grid, cells.iter().map(|&cell| cell.into()).collect()).expect("a path")
}

#[test]
fn a_detour_round_nothing_becomes_one_leg() {
    let grid = Grid::with_defaults("....\n....\n....\n....\n".parse().unwrap());
    let detour = path(&grid, &[(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)]);
    let taut = smooth(&grid, &detour, &mut Smoother::new());
    assert_eq!(taut, path(&grid, &[(0, 0), (1, 1), (2, 2), (3, 3)]));
}

#[test]
fn loops_vanish() {
    let grid = Grid::with_defaults("...\n...\n".parse().unwrap());
    let mut smoother = Smoother::new();
    let round = path(&grid, &[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]);
    assert_eq!(smooth(&grid, &round, &mut smoother), path(&grid, &[(0, 0)]));
    let grid = Grid::with_defaults("..#\n...\n#..\n".parse().unwrap());
    let places =
        [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0, 1), (1, 1), (2, 1), (1, 1), (1, 2), (2, 2)];
    let taut = smooth(&grid, &path(&grid, &places), &mut smoother);
    assert_eq!(taut, path(&grid, &[(0, 0), (1, 1), (2, 2)]));
}

#[test]
fn where_cells_differ_in_cost_the_path_stays() {
    let mut grid = Grid::with_defaults("...\n...\n".parse().unwrap());
    let detour = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)];
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new((1, 0), (1, 0)), 9);
    grid.apply(&batch).unwrap();
    let path = path(&grid, &detour);
    assert_eq!(smooth(&grid, &path, &mut Smoother::new()), path);
}

#[test]
fn a_path_that_an_edit_has_cut_stays() {
    let mut grid = Grid::with_defaults("...\n...\n...\n".parse().unwrap());
    let detour = path(&grid, &[(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]);
    let mut batch = Batch::new();
    batch.set((0, 1), Terrain::WALL);
    grid.apply(&batch).unwrap();
    let taut = smooth(&grid, &detour, &mut Smoother::new());
    assert_eq!(taut, path(&grid, &[(0, 0), (1, 0), (1, 1), (2, 2)]), "it can still be walked");
    let mut batch = Batch::new();
    batch.set((2, 0), Terrain::WALL);
    grid.apply(&batch).unwrap();
    assert_eq!(smooth(&grid, &detour, &mut Smoother::new()), detour);
}

#[test]
fn nothing_is_seen_from_walls_or_outside() {
    let grid = Grid::with_defaults("..#W\n..#W\n".parse().unwrap());
    let mut smoother = Smoother::new();
    let mut sees = |from: (u32, u32), to: (u32, u32)| smoother.sees(&grid, from.into(), to.into());
    assert!(sees((0, 0), (1, 1)) && sees((3, 0), (3, 1)) && sees((1, 1), (1, 1)));
    for (from, to) in [((2, 0), (1, 0)), ((0, 0), (2, 0)), ((1, 0), (3, 0)), ((3, 1), (0, 1))] {
        assert!(!sees(from, to), "{from:?} to {to:?}");
    }
    assert!(!sees((0, 0), (0, 2)) && !sees((0, 2), (0, 0)) && !sees((0, 0), (900, u32::MAX)));
}
