//! What testing has found wrong in the core, one named test each, so that it stays mended.

mod support;

use highroad_core::graph::{Edge, Graph};
use highroad_core::{
    Answer, Batch, CatchUp, Cell, CellRect, CellState, Change, Footprint, GraphSearch, Grid,
    GridMap, GridSearch, HeuristicKind, KindId, Limits, Movement, MovementRule, NodeId, PathQuery,
    Planner, Profile, Progress, Scratch, Side, StepCosts, Terrain, TieRule, TraceEvent, TraceKind,
    TraceLog, Weight,
};
use support::{build, usual_specs};

fn corridor() -> Grid {
    Grid::with_defaults("....\n".parse::<GridMap>().expect("a drawing"))
}

/// Every planner that serves the grid.
fn catalog(grid: &Grid) -> Vec<(&'static str, Box<dyn Planner>)> {
    let specs = usual_specs(grid);
    specs.iter().map(|spec| (spec.entry().name, build(spec, grid))).collect()
}

/// Taking the goal from the open list is no expansion.
#[test]
fn a_limit_of_exactly_the_expansions_needed_is_enough() {
    let grid = corridor();
    let query = PathQuery::new((0, 0), (3, 0));
    let mut scratch = Scratch::new();
    for (name, planner) in catalog(&grid) {
        let free = planner.solve(&grid, &query, &mut scratch).expect("a good query");
        let expansions_max = scratch.statistics().expanded;
        let limits = Limits::default().with_expansions_max(expansions_max);
        let limited = query.clone().with_limits(limits);
        let answer = planner.solve(&grid, &limited, &mut scratch).expect("a good query");
        assert_eq!(answer, free, "{name} expands {expansions_max}");
    }
}

/// From the costly start, the cell beside it is opened across the diagonal and gets cheaper by the
/// straight way; the first entry stays on the open list, with nothing left to expand.
#[test]
fn an_entry_of_a_closed_node_does_not_use_up_a_limit() {
    let mut grid = Grid::with_defaults("..#.\n..#.\n".parse::<GridMap>().expect("a drawing"));
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new((0, 0), (0, 0)), 1000);
    grid.apply(&batch).expect("inside the map");
    let query = PathQuery::new((0, 0), (3, 0));
    let mut scratch = Scratch::new();
    for (name, planner) in catalog(&grid) {
        let free = planner.solve(&grid, &query, &mut scratch).expect("a good query");
        let expansions_max = scratch.statistics().expanded;
        let limits = Limits::default().with_expansions_max(expansions_max);
        let limited = query.clone().with_limits(limits);
        let answer = planner.solve(&grid, &limited, &mut scratch).expect("a good query");
        assert_eq!(answer, free, "{name} expands {expansions_max}");
    }
}

/// A slice before the first expansion reported the starts again.
#[test]
fn slices_of_nothing_tell_the_start_once() {
    let grid = corridor();
    for (name, planner) in catalog(&grid) {
        let (mut scratch, mut log) = (Scratch::new(), TraceLog::default());
        planner.begin(&grid, &PathQuery::new((0, 0), (3, 0)), &mut scratch).expect("a good query");
        for slice in [0, 0, u64::MAX] {
            planner.advance_traced(&grid, &mut scratch, slice, &mut log);
        }
        let forward =
            |event: &&TraceEvent| event.kind == TraceKind::Start && event.side == Side::Forward;
        let starts = log.events().iter().filter(forward);
        assert_eq!(starts.count(), 1, "{name}");
    }
}

/// Cells as costly as terrain can be, a large weight and more than 903 columns: the product wrapped.
#[test]
fn the_largest_weight_times_the_costliest_terrain_fits() {
    let profile = Profile::movingai().with_cost(Terrain::GROUND, u16::MAX).expect("a cost");
    let movement = Movement::new(profile, MovementRule::FourWay, StepCosts::EXACT).expect("fits");
    let map = GridMap::filled(2000, 1, Terrain::GROUND).expect("a size");
    let grid = Grid::new(map, movement);
    let weight = Weight::new(1000.0).expect("a weight");
    for kind in HeuristicKind::ALL {
        let search = GridSearch::astar().with_heuristic(kind).with_weight(weight);
        let answer = search.solve(&grid, &PathQuery::new((0, 0), (1999, 0)), &mut Scratch::new());
        let path = answer.expect("a good query").path();
        assert_eq!(path.map(|path| path.steps()), Some(1999), "{}", kind.name());
    }
}

/// It went on, though [`Planner::begin`] promises to end it.
#[test]
fn a_refused_query_ends_the_one_before() {
    let grid = corridor();
    for (name, planner) in catalog(&grid) {
        let mut scratch = Scratch::new();
        planner.begin(&grid, &PathQuery::new((0, 0), (3, 0)), &mut scratch).expect("a good query");
        planner.begin(&grid, &PathQuery::new((0, 0), (9, 0)), &mut scratch).expect_err("outside");
        assert_eq!(planner.advance(&grid, &mut scratch, 9), Progress::Stale, "{name}");
    }
}

/// Two copies of a grid, each edited once, have the same revision and different cells. The path went
/// through the other copy's wall.
#[test]
fn a_query_begun_on_one_copy_does_not_go_on_on_another() {
    let original = Grid::with_defaults("...\n...\n".parse::<GridMap>().expect("a drawing"));
    let with_wall = |at: (u32, u32)| {
        let mut copy = original.clone();
        let mut batch = Batch::new();
        batch.set(at, Terrain::WALL);
        copy.apply(&batch).expect("inside the map");
        copy
    };
    let (above, below) = (with_wall((1, 0)), with_wall((1, 1)));
    for (name, planner) in catalog(&above) {
        let mut scratch = Scratch::new();
        planner.begin(&above, &PathQuery::new((0, 1), (2, 1)), &mut scratch).expect("a good query");
        planner.advance(&above, &mut scratch, 2);
        match planner.advance(&below, &mut scratch, u64::MAX) {
            Progress::Done(Answer::Found(path)) => {
                assert_eq!(path.validate(&below), Ok(()), "{name}");
            }
            progress => assert_eq!(progress, Progress::Stale, "{name}"),
        }
    }
}

/// A subgoal that no taut path passes has no edges. A start's first link led to such a one, and the
/// start was taken to be cut off.
#[test]
fn a_corner_that_no_path_turns_at_hides_no_path() {
    for drawing in ["...@\n....\n@...\n....\n", ".....\n...@.\n@..@.\n"] {
        let grid = Grid::with_defaults(drawing.parse::<GridMap>().expect("a drawing"));
        let mut scratch = Scratch::new();
        for (name, planner) in catalog(&grid) {
            let free = || grid.extent().cells().filter(|&cell| grid.is_enterable(cell));
            for (start, goal) in free().flat_map(|start| free().map(move |goal| (start, goal))) {
                let answer = planner.solve(&grid, &PathQuery::new(start, goal), &mut scratch);
                let found = matches!(answer, Ok(Answer::Found(_)));
                assert!(found, "{name}, {start} to {goal}: {answer:?}");
            }
        }
    }
}

/// Greedy keys do not depend on the cost so far: a node got cheaper under the same key, and a slice that ended at its
/// older entry put it back behind others.
#[test]
fn a_slice_leaves_the_order_of_ties_by_cost_alone() {
    let edges = [
        Edge::new(0, 1, 9),
        Edge::new(0, 1, 3),
        Edge::new(0, 2, 5),
        Edge::new(1, 3, 1),
        Edge::new(2, 4, 1),
    ];
    let graph = Graph::from_edges(5, &edges).expect("edges join nodes");
    let search = GraphSearch::greedy().with_ties(TieRule::LargerCost);
    let query = PathQuery::new(NodeId(0), NodeId(4));
    let mut scratch = Scratch::new();
    let mut whole = TraceLog::default();
    search.solve_traced(&graph, &query, &mut scratch, &mut whole).expect("a good query");
    let mut sliced = TraceLog::default();
    search.begin(&graph, &query, &mut scratch).expect("a good query");
    while search.advance_traced(&graph, &mut scratch, 1, &mut sliced) == Progress::Running {}
    assert_eq!(sliced.events(), whole.events());
}

/// The queue's span was one more than the queue serves.
#[test]
fn two_levels_of_clusters_serve_step_costs_at_the_edge_of_the_queue() {
    let steps = StepCosts::new(10_000, 13_797).expect("a good pair");
    let movement =
        Movement::new(Profile::movingai(), MovementRule::default(), steps).expect("fits");
    let map = "..@...\n".repeat(3).parse::<GridMap>().expect("a drawing");
    let grid = Grid::new(map, movement);
    let planner = build(&"hpa:levels=2".parse().expect("a spec"), &grid);
    let answer = planner.solve(&grid, &PathQuery::new((0, 0), (5, 0)), &mut Scratch::new());
    assert!(answer.is_ok(), "{answer:?}");
}

/// A cluster of 64 columns and rows may have 256 entrances, one more than a byte counts: ground and water by turns
/// all along its four sides, and each cell beyond like its neighbour inside.
#[test]
fn a_cluster_may_have_an_entrance_at_every_border_cell() {
    let map = GridMap::from_fn(192, 192, |Cell { x, y }| {
        let inside = |along: u32| along.clamp(64, 127);
        let is_ringed = (63..=128).contains(&x) && (63..=128).contains(&y);
        let is_edge = [x, y].iter().any(|along| [63, 64, 127, 128].contains(along));
        let is_water = is_ringed && is_edge && (inside(x) + inside(y)) % 2 == 1;
        if is_water { Terrain::WATER } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.expect("a size"));
    let planner = build(&"hpa:cluster=64:transitions=1".parse().expect("a spec"), &grid);
    let answer = planner.solve(&grid, &PathQuery::new((100, 100), (10, 10)), &mut Scratch::new());
    assert!(matches!(answer, Ok(Answer::Found(_))), "{answer:?}");
}

fn surcharge(grid: &mut Grid, cell: (u32, u32), amount: u16) -> Vec<Change> {
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new(cell, cell), amount);
    grid.apply(&batch).expect("inside the map")
}

/// Rooms of 16 columns and rows with doors.
fn rooms() -> GridMap {
    let wall = |cell: Cell| {
        let (x, y) = (cell.x % 16, cell.y % 16);
        (x == 15 && y != (cell.x / 16 * 7 + cell.y / 16 * 3) % 15)
            || (y == 15 && x != (cell.x / 16 * 5 + cell.y / 16 * 11) % 15)
    };
    let letter = |cell| if wall(cell) { Terrain::WALL } else { Terrain::GROUND };
    GridMap::from_fn(128, 128, letter).expect("a size")
}

/// The coarseness of the keys followed from the costliest cell anywhere, however far off: 9.6 times the optimum with a
/// surcharge of 10,000 in a corner. Above 154 HPA* served no map at all, and above 200 PRA*, which began its searches on a
/// coarser layer as soon as any two cells differed in cost.
#[test]
fn a_costly_cell_far_away_makes_no_path_worse() {
    let cases = [("hpa", 0), ("pra", 1), ("pra:refine=layers", 1)];
    for ((name, percent_max), steps) in
        cases.into_iter().flat_map(|case| [StepCosts::EXACT, StepCosts::THESIS].map(|s| (case, s)))
    {
        let movement = Movement::new(Profile::movingai(), MovementRule::default(), steps);
        let mut grid = Grid::new(rooms(), movement.expect("fits"));
        let mut planner = build(&name.parse().expect("a spec"), &grid);
        let mut scratch = Scratch::new();
        let mut total = |planner: &dyn Planner, grid: &Grid| -> u64 {
            let query =
                |n: u32| PathQuery::new((20 + n % 13, 20 + n % 11), (110 - n % 14, 64 + n % 46));
            let cost =
                |n| planner.solve(grid, &query(n), &mut scratch).ok()?.path().map(|p| p.cost().0);
            (0..60).filter_map(cost).sum()
        };
        let plain = total(&*planner, &grid);
        for amount in [50, 154, 155, 10_000, u16::MAX] {
            let changes = surcharge(&mut grid, (0, 0), amount);
            assert_eq!(planner.catch_up(&grid, &changes, &mut Scratch::new()), CatchUp::Done);
            let patched = total(&*planner, &grid);
            let built = total(&*build(&name.parse().expect("a spec"), &grid), &grid);
            let now = patched.max(built);
            assert!(now <= plain + plain * percent_max / 1000, "{name} {amount}: {now}, {plain}");
        }
    }
}

/// Ways through ground of the largest surcharge cost more than 32 bits hold.
#[test]
fn hierarchies_serve_every_surcharge() {
    ["hpa:levels=2", "pra", "pra:refine=layers", "pra:start=0"]
        .iter()
        .for_each(|name| serves(name));
}

fn serves(name: &str) {
    let mut grid = Grid::with_defaults(rooms());
    let mut planner = build(&name.parse().expect("a spec"), &grid);
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new((40, 0), (90, 127)), u16::MAX);
    let changes = grid.apply(&batch).expect("inside the map");
    let mut scratch = Scratch::new();
    assert_eq!(planner.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
    for n in 0..20 {
        let ends = [Cell::new(n, 3 * n), Cell::new(127 - 2 * n, 120 - n)];
        if !ends.iter().all(|&end| grid.is_enterable(end)) {
            continue;
        }
        let query = PathQuery::new(ends[0], ends[1]);
        let cost = |answer: Answer| answer.path().map(|path| path.cost().0);
        let found = cost(planner.solve(&grid, &query, &mut scratch).expect("a good query"));
        let best = GridSearch::astar().solve(&grid, &query, &mut scratch).expect("a good query");
        match (found, cost(best)) {
            (Some(found), Some(best)) => {
                assert!(found <= best + best / 10, "{name}: {found} > {best}");
            }
            (found, best) => assert_eq!(found.is_some(), best.is_some()),
        }
    }
}

/// A surcharge on a wall counted, and so did the largest until the last one was taken back.
#[test]
fn surcharges_count_where_agents_pay_them() {
    let mut grid = Grid::with_defaults("..#\n...\n".parse::<GridMap>().expect("a drawing"));
    surcharge(&mut grid, (2, 0), 900);
    assert_eq!(grid.uniform_cost(), Some(1));
    surcharge(&mut grid, (0, 0), 500);
    surcharge(&mut grid, (1, 1), 20);
    assert_eq!(*grid.cost_range().end(), 501);
    surcharge(&mut grid, (0, 0), 0);
    assert_eq!(*grid.cost_range().end(), 21);
    let mut batch = Batch::new();
    batch.set((2, 0), Terrain::GROUND);
    batch.set((1, 1), Terrain::WALL);
    grid.apply(&batch).expect("inside the map");
    assert_eq!(*grid.cost_range().end(), 901);
}

/// Changes that cannot have happened, and changes that were left out, made HPA* panic.
#[test]
fn wrong_changes_make_no_planner_panic() {
    let state = CellState::flat(Terrain::GROUND, 0);
    let outside = |x, y| Change {
        rect: Cell::new(x, y).into(),
        kind: None,
        before: state,
        after: state,
        link: None,
    };
    for at in [(128, 5), (5, 128), (u32::MAX, 0), (u32::MAX, u32::MAX), (4000, 4000)] {
        let grid = Grid::with_defaults(rooms());
        for name in ["hpa", "pra"] {
            let mut planner = build(&name.parse().expect("a spec"), &grid);
            let result = planner.catch_up(&grid, &[outside(at.0, at.1)], &mut Scratch::new());
            assert_eq!(result, CatchUp::NeedsRebuild, "{name} {at:?}");
        }
    }
    let mut grid = Grid::with_defaults(rooms());
    let mut planner = build(&"hpa:cluster=8:levels=2".parse().expect("a spec"), &grid);
    let mut scratch = Scratch::new();
    for n in 0..40u32 {
        let (x, y) = (n * 37 % 120, n * 53 % 120);
        let mut batch = Batch::new();
        batch.fill(
            CellRect::new((x, y), (x + 7, y + 7)),
            [Terrain::WALL, Terrain::GROUND][n as usize % 2],
        );
        let changes = grid.apply(&batch).expect("inside the map");
        // Half of what has changed.
        let alone = |change: &Change, cell: Cell| Change { rect: cell.into(), ..*change };
        let cells =
            changes.iter().flat_map(|change| change.cells().map(|cell| alone(change, cell)));
        let cells: Vec<Change> = cells.collect();
        planner.catch_up(&grid, &cells[cells.len() / 2..], &mut scratch);
        let _ = planner.solve(&grid, &PathQuery::new((x, y), (127 - x, 127 - y)), &mut scratch);
    }
}

/// Where costs differ, a flood of a cluster depends on cells beside the cluster as well: they make its border level
/// ground or not. A patched cluster differed from one built afresh.
#[test]
fn costs_beside_a_cluster_matter_to_its_floods() {
    let map = GridMap::from_fn(30, 26, |cell| {
        let open = (cell.x * 7 + cell.y * 13 + cell.x * cell.y) % 6 > 0;
        if open { Terrain::GROUND } else { Terrain::WALL }
    });
    let mut grid = Grid::with_defaults(map.expect("a small map"));
    let mut planner = build(&"hpa:cluster=4".parse().expect("a spec"), &grid);
    let mut scratch = Scratch::new();
    for n in 0..300u32 {
        let cell = Cell::new(n * 37 % 30, n * 53 % 26);
        let mut batch = Batch::new();
        batch.surcharge(CellRect::new(cell, cell), (n % 5) as u16);
        let changes = grid.apply(&batch).expect("inside the map");
        assert_eq!(planner.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        assert_eq!(planner.verify(&grid), Ok(()), "after {n} edits");
    }
}

/// Indexes listed every pair of a start and a goal that see each other: 9,000 of each left two gigabytes.
#[test]
fn many_starts_and_goals_leave_little_memory() {
    let map = GridMap::filled(60, 60, Terrain::GROUND).expect("a small map");
    let grid = Grid::with_defaults(map);
    let cells: Vec<Cell> = grid.extent().cells().collect();
    let (starts, goals) = (cells[..900].to_vec(), cells[2700..].to_vec());
    let query = PathQuery::among(starts, goals);
    for (name, planner) in catalog(&grid) {
        let mut scratch = Scratch::new();
        let answer = planner.solve(&grid, &query, &mut scratch).expect("a good query");
        assert!(matches!(answer, Answer::Found(_)), "{name}");
        let bytes = scratch.memory_bytes();
        assert!(bytes < 8 << 20, "{name} keeps {bytes} bytes");
    }
}

/// Floods, smoothing, the search for the nearest cell and the writing of paths were done at once, whatever the slice.
#[test]
fn a_slice_is_kept_in_every_phase_and_changes_no_answer() {
    let text: String = (0..160u32)
        .map(|y| {
            let row = (0..200u32).map(|x| {
                let wall = x == 100 || (x * 7 + y * 13 + x * y * 3) % 11 < 3 && x % 9 < 6;
                if wall { '#' } else { '.' }
            });
            row.chain(['\n']).collect::<String>()
        })
        .collect();
    let divided = Grid::with_defaults(text.parse().expect("a drawing"));
    let mut open = divided.clone();
    open.apply(Batch::new().set((100, 80), Terrain::GROUND)).expect("on the map");
    let mut hilly = open.clone();
    let mut batch = Batch::new();
    for (at, corner) in (0..30u32).map(|at| (at, (at * 37 % 180, at * 53 % 140))) {
        let far = (corner.0 + 15, corner.1 + 12);
        batch.surcharge(CellRect::new(corner, far), (at % 7) as u16);
    }
    hilly.apply(&batch).expect("on the map");
    for grid in [divided, open, hilly] {
        let free = |&cell: &Cell| grid.is_enterable(cell);
        let cells: Vec<Cell> = grid.extent().cells().filter(free).collect();
        for name in ["hpa", "pra", "astar", "jps"] {
            let spec: highroad_core::Spec = name.parse().expect("in the catalog");
            let Ok(planner) = spec.build(&grid) else { continue };
            let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
            for at in 0..20 {
                let pick = |step: usize| cells[(at + 1) * step % cells.len()];
                let query = PathQuery::new(pick(7919), pick(104_729));
                let answer = planner.solve(&grid, &query, &mut whole).expect("a good query");
                planner.begin(&grid, &query, &mut sliced).expect("a good query");
                let mut done = 0;
                let in_slices = loop {
                    let progress = planner.advance(&grid, &mut sliced, 16);
                    let work = sliced.statistics().work();
                    // A flood of one block is the largest piece.
                    assert!(work - done <= 16 + 1200, "{name} did {} at once", work - done);
                    done = work;
                    if let Progress::Done(answer) = progress {
                        break answer;
                    }
                };
                assert_eq!(in_slices, answer, "{name} {query:?}");
            }
        }
    }
}

/// Effects of large changes are found rectangle by rectangle where a cell is a place and nobody pays surcharges of their own.
/// Found by a mutant: nothing noticed when only one of the two was asked for.
#[test]
fn large_changes_have_the_effects_that_places_show() {
    let all = CellRect::new((3, 2), (77, 70));
    for (size, own_surcharges) in [(1, false), (2, false), (1, true), (3, true)] {
        let movement = Movement::default().with_footprint(Footprint::new(size).expect("a size"));
        let swampy = |cell: Cell| [Terrain::GROUND, Terrain::TREES][(cell.x / 40) as usize];
        let map = GridMap::from_fn(80, 80, swampy).expect("a size");
        let mut grid = Grid::new(map, movement);
        if own_surcharges {
            let mut batch = Batch::new();
            batch.surcharge_for(KindId::DEFAULT, CellRect::new((10, 10), (30, 30)), 7);
            grid.apply(&batch).expect("inside the map");
        }
        for terrain in [Terrain::WALL, Terrain::GROUND, Terrain::SWAMP] {
            let before: Vec<_> = grid.extent().cells().map(|cell| grid.footing(cell)).collect();
            let changes = grid.apply(Batch::new().fill(all, terrain)).expect("inside the map");
            let mut found = std::collections::BTreeMap::new();
            for effect in grid.effects_of(&changes) {
                for place in effect.places() {
                    assert_eq!(found.insert(place, (effect.before, effect.after)), None, "{place}");
                }
            }
            let now = grid.extent().cells().map(|cell| (cell, grid.footing(cell)));
            let differing = now.zip(before).filter(|((_, now), before)| now != before);
            let expected = differing.map(|((cell, now), before)| (cell, (before, now)));
            assert_eq!(found, expected.collect(), "size {size}, {terrain:?}");
        }
    }
}
