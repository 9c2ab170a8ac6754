//! Small worlds that bytes are the program of.

use crate::Target;
use highroad::grid::{Grid, Movement, MovementRule, Palette, Profile, StepCosts};
use highroad::online::GridSearch;
use highroad::planner::{Answer, PathQuery, Planner, QueryError, Scratch};
use highroad::{Cell, Cost, GridMap, Terrain};
use highroad_lab::hunt::{program_of_bytes, run};
use std::sync::LazyLock;

const WIDTH_MAX: usize = 20;
const CELLS_MAX: usize = 400;
/// Few letters, so that chance makes maps with ways through them.
const LETTERS: &[u8] = b"....@.SWABP@";

pub(crate) const SEARCH: Target = Target {
    name: "search",
    input: "width, movement, start, goal, then the cells of a small map",
    promise: "A*, Dijkstra and bidirectional search agree on the cost, and their paths are allowed",
    run: |bytes| {
        let Some(situation) = Situation::read(bytes) else { return };
        let mut scratch = Scratch::new();
        let mut cost = |planner: GridSearch| situation.cost(&planner, &mut scratch);
        let expected = cost(GridSearch::dijkstra());
        assert_eq!(cost(GridSearch::astar()), expected, "A* and Dijkstra");
        assert_eq!(cost(GridSearch::bidirectional()), expected, "both ways and Dijkstra");
    },
    seeds: || {
        let cells: Vec<u8> = (0..60_u8).map(|cell| cell.wrapping_mul(7)).collect();
        [[9, 0, 0, 255], [7, 5, 40, 200]].map(|head| [&head[..], &cells].concat()).to_vec()
    },
};

pub(crate) const WORLD_PROGRAM: Target = Target {
    name: "world_program",
    input: "what a random program of the hunt is drawn from: a world and steps",
    promise: "everything that the world answers is what a plain model says",
    run: |bytes| {
        let program = program_of_bytes(bytes);
        if let Err(failure) = run(&program) {
            panic!("{failure}\n{program:?}");
        }
    },
    seeds: || {
        let mut state = 1_u64;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (1..=12).map(|length| (0..length * 40).map(|_| byte()).collect()).collect()
    },
};

/// A grid and where to go on it.
struct Situation {
    grid: Grid,
    start: Cell,
    goal: Cell,
}

impl Situation {
    /// `None` where there are too few bytes for a cell.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (&[width, movement, start, goal], cells) = bytes.split_first_chunk()?;
        let width = 1 + usize::from(width) % WIDTH_MAX;
        let rows = cells[..cells.len().min(CELLS_MAX)].chunks_exact(width);
        let height = rows.len();
        let letter = |cell: Cell| {
            let byte = cells[cell.y as usize * width + cell.x as usize];
            LETTERS[usize::from(byte) % LETTERS.len()]
        };
        let map = GridMap::from_fn(width as u32, height as u32, |cell| {
            Terrain::from_letter(letter(cell)).expect("a terrain's letter")
        });
        // A byte is a share of the map: 0 its first cell, 255 near its last.
        let cell = |byte: u8| {
            let index = usize::from(byte) * width * height / 256;
            Cell::new((index % width) as u32, (index / width) as u32)
        };
        Some(Self { grid: grid(map.ok()?, movement), start: cell(start), goal: cell(goal) })
    }

    /// The cost that a planner finds, its path being allowed and leading where it should.
    fn cost(
        &self,
        planner: &GridSearch,
        scratch: &mut Scratch,
    ) -> Result<Option<Cost>, QueryError> {
        let answer = planner.solve(&self.grid, &PathQuery::new(self.start, self.goal), scratch)?;
        let (path, goal) = match &answer {
            Answer::Found(path) => (path, self.goal),
            Answer::Unreachable { nearest } => (nearest, nearest.goal()),
            Answer::LimitReached { .. } => panic!("there is no limit"),
        };
        assert_eq!(path.validate(&self.grid), Ok(()));
        assert_eq!((path.start(), path.goal()), (self.start, goal));
        Ok(answer.path().map(|path| path.cost()))
    }
}

/// The map by one of the four rules, three pairs of step costs and two profiles.
fn grid(map: GridMap, movement: u8) -> Grid {
    let weighted = map.palette() == Palette::Weighted && movement % 2 == 1;
    let ways = &MOVEMENTS[usize::from(weighted)];
    let movement = &ways[usize::from(movement / 2) % ways.len()];
    Grid::new(map, movement.clone())
}

/// Every rule with every pair of step costs, for either profile. Kept, as a movement takes longer to
/// make than a path on a small map.
static MOVEMENTS: LazyLock<[Vec<Movement>; 2]> = LazyLock::new(|| {
    [Profile::movingai(), Profile::weighted()].map(|profile| {
        let mut movements = Vec::new();
        for rule in MovementRule::ALL {
            for steps in [StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT] {
                let movement = Movement::new(profile.clone(), rule, steps);
                movements.push(movement.expect("costs are small"));
            }
        }
        movements
    })
});
