//! Where there is no path: what planners answer on a grid that keeps its connected parts, and what that takes.

mod support;

use highroad_core::{
    Answer, Batch, Border, BorderSide, Cell, CellRect, Connectivity, Grid, GridMap, Link, Movement,
    MovementRule, PathQuery, Profile, Scratch, StepCosts, Terrain,
};
use support::{build, spec, usual_specs};

/// A small generator of numbers, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn cell(&mut self, grid: &Grid) -> Cell {
        loop {
            let (width, height) = (grid.extent().width(), grid.extent().height());
            let cell = Cell::new(self.below(width), self.below(height));
            if grid.is_enterable(cell) {
                return cell;
            }
        }
    }
}

/// How far a cell lies from another as the crow flies, and is compared by.
fn remoteness(from: Cell, to: Cell) -> u64 {
    let (x, y) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
    // Octile distance in steps of 70 and 99.
    70 * x.max(y) + 29 * x.min(y)
}

/// On maps with many small parts every planner gives the same kind of answer, equally near and as cheap, whether the grid
/// keeps its parts or not; also after edits, and around obstacles of a query.
#[test]
fn planners_answer_alike_with_and_without_connected_parts() {
    let mut random = Random(3);
    let mut unreachable = 0;
    for (round, rule) in (0..8).zip(MovementRule::ALL.iter().cycle()) {
        let letters = if round % 2 == 0 { ".#" } else { ".#S" };
        let map = GridMap::from_fn(48, 40, |_| match random.below(10) {
            0..4 => Terrain::WALL,
            4 if letters.len() == 3 => Terrain::SWAMP,
            _ => Terrain::GROUND,
        });
        let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
        let movement = Movement::new(profile, *rule, StepCosts::EXACT).unwrap();
        let mut plain = Grid::new(map.unwrap(), movement);
        let mut keeping = plain.clone();
        keeping.keep_connectivity();
        let mut batch = Batch::new();
        batch.fill(CellRect::new((10, 0), (11, 30)), Terrain::GROUND);
        batch.fill(CellRect::new((30, 5), (30, 39)), Terrain::WALL);
        plain.apply(&batch).unwrap();
        keeping.apply(&batch).unwrap();
        assert_eq!(keeping.connectivity(), Some(&Connectivity::of(&keeping)));
        let mut scratch = Scratch::new();
        for spec in usual_specs(&plain) {
            let (on_plain, on_keeping) = (build(&spec, &plain), build(&spec, &keeping));
            for turn in 0..12 {
                let (start, goal) = (random.cell(&plain), random.cell(&plain));
                let mut query = PathQuery::new(start, goal);
                if turn % 3 == 0 {
                    query = query.with_obstacles((0..40).map(|y| Cell::new(20, y)).collect());
                }
                let answers = [(&plain, &on_plain), (&keeping, &on_keeping)]
                    .map(|(grid, planner)| planner.solve(grid, &query, &mut scratch));
                match answers {
                    [
                        Ok(Answer::Unreachable { nearest: one }),
                        Ok(Answer::Unreachable { nearest: other }),
                    ] => {
                        unreachable += 1;
                        let [a, b] = [&one, &other].map(|path| remoteness(path.goal(), goal));
                        assert_eq!(a, b, "{spec} from {start} to {goal}");
                        assert_eq!(other.validate(&keeping), Ok(()));
                    }
                    [one, other] => assert_eq!(one, other, "{spec} from {start} to {goal}"),
                }
            }
        }
    }
    assert!(unreachable > 200, "{unreachable}");
}

/// Borders divide parts of the terrain, and links join them: what the terrain alone says is then no answer.
#[test]
fn borders_and_links_count_where_a_grid_keeps_its_parts() {
    let map = "..........\n....##....\n..........\n##########\n..........\n";
    let mut grid = Grid::with_defaults(map.parse().unwrap());
    grid.keep_connectivity();
    let mut batch = Batch::new();
    batch.borders(CellRect::new((7, 0), (7, 2)), BorderSide::East, Border::Closed);
    batch.open_link(Link::new((0, 2), (0, 4), 5000));
    grid.apply(&batch).unwrap();
    let mut scratch = Scratch::new();
    for spec in usual_specs(&grid) {
        let planner = build(&spec, &grid);
        let answer = planner.solve(&grid, &PathQuery::new((0, 0), (9, 1)), &mut scratch);
        let Ok(Answer::Unreachable { nearest }) = answer else {
            panic!("{spec}: {answer:?} through a closed border");
        };
        assert_eq!(nearest.goal(), Cell::new(7, 1), "{spec}");
        let answer = planner.solve(&grid, &PathQuery::new((0, 0), (9, 4)), &mut scratch);
        assert!(matches!(answer, Ok(Answer::Found(_))), "{spec}: {answer:?} without the link");
    }
}

/// A chamber without a door in the middle of a large map: no planner looks at the whole map.
#[test]
fn no_path_takes_no_more_work_on_a_larger_map() {
    let work = |name: &str, side: u32| {
        let map = GridMap::from_fn(side, side, |cell| {
            let inside = |low: u32, high: u32| {
                (low..=high).contains(&cell.x) && (low..=high).contains(&cell.y)
            };
            if inside(60, 64) && !inside(61, 63) { Terrain::WALL } else { Terrain::GROUND }
        });
        let mut grid = Grid::with_defaults(map.unwrap());
        grid.keep_connectivity();
        let planner = build(&spec(name), &grid);
        let mut scratch = Scratch::new();
        let answer = planner.solve(&grid, &PathQuery::new((40, 45), (62, 62)), &mut scratch);
        assert!(matches!(answer, Ok(Answer::Unreachable { .. })), "{name}: {answer:?}");
        scratch.statistics().work()
    };
    for name in ["astar", "jps", "hpa", "pra", "subgoal", "ch"] {
        let (small, large) = (work(name, 128), work(name, 1024));
        assert!(large <= 2 * small + 32, "{name}: {small} and {large}");
    }
}
