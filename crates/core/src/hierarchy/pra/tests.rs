use super::patch::Patched;
use super::*;
use crate::grid::{Batch, GridMap, MovementRule, Profile, StepCosts, Terrain};
use crate::search::Scratch;
use crate::{Answer, CatchUp, GridSearch, Limits, Planner, Progress, Query, QueryError};
use proptest::prelude::*;

const TERRAINS: [Terrain; 5] =
    [Terrain::GROUND, Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER];

fn grid(rule: MovementRule, width: u32, height: u32, cells: &[u8], weighted: bool) -> Grid {
    let map = GridMap::from_fn(width, height, |cell| {
        TERRAINS[usize::from(cells[(cell.y * width + cell.x) as usize])]
    });
    let mut profile = Profile::movingai();
    if weighted {
        profile = profile.cost(Terrain::SWAMP, 3).unwrap();
    }
    let movement = Movement::new(profile, rule, StepCosts::EXACT).unwrap();
    Grid::new(map.unwrap(), movement)
}

#[derive(Clone, Debug)]
struct Storm {
    grid: Grid,
    options: PraOptions,
    batches: Vec<Vec<(u32, u32, u8, bool)>>,
}

fn options() -> impl Strategy<Value = PraOptions> {
    let starts = prop_oneof![
        Just(StartLayer::Automatic),
        Just(StartLayer::Half),
        (0u8..6).prop_map(StartLayer::Exactly)
    ];
    let refinements = proptest::sample::select(vec![
        Refinement::Lazy,
        Refinement::Layers,
        Refinement::Thesis,
        Refinement::ThesisGreedy,
    ]);
    let steps = proptest::option::of(1u16..5);
    (starts, 0u8..3, steps, refinements, any::<bool>()).prop_map(
        |(start, margin, steps, refinement, smooth)| PraOptions {
            start,
            margin,
            steps,
            refinement,
            smooth,
        },
    )
}

fn storms() -> impl Strategy<Value = Storm> {
    let rules = proptest::sample::select(&MovementRule::ALL[..]);
    let shape = (rules, options(), 1u32..40, 1u32..40, any::<bool>());
    shape.prop_flat_map(|(rule, options, width, height, weighted)| {
        let cells = proptest::collection::vec(0u8..5, (width * height) as usize);
        let edit = (0..width, 0..height, 0u8..5, proptest::bool::weighted(0.1));
        let batches = proptest::collection::vec(proptest::collection::vec(edit, 1..5), 0..12);
        (cells, batches).prop_map(move |(cells, batches)| Storm {
            grid: grid(rule, width, height, &cells, weighted),
            options,
            batches,
        })
    })
}

fn batch(edits: &[(u32, u32, u8, bool)]) -> Batch {
    let mut batch = Batch::new();
    for &(x, y, kind, surcharged) in edits {
        if surcharged {
            let cell = Cell::new(x, y);
            batch.surcharge(crate::Rect::new(cell, cell), u16::from(kind));
        } else {
            batch.set((x, y), TERRAINS[usize::from(kind)]);
        }
    }
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn after_a_storm_of_edits_every_invariant_holds(storm in storms()) {
        let Storm { mut grid, options, batches } = storm;
        let mut pra = Pra::build(&grid, options).unwrap();
        prop_assert_eq!(pra.verify(&grid), Ok(()), "built on\n{}", grid.map());
        let mut scratch = Scratch::new();
        for edits in batches {
            let before = grid.map().to_string();
            let changes = grid.apply(&batch(&edits)).unwrap();
            prop_assert_eq!(pra.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
            prop_assert_eq!(pra.verify(&grid), Ok(()), "from\n{}to\n{}", before, grid.map());
        }
        let bytes = pra.save(&grid).unwrap();
        prop_assert!(Pra::load(&bytes, &grid, options).unwrap() == pra);
    }

    #[test]
    fn paths_are_found_exactly_when_there_are_any_and_can_be_walked(storm in storms()) {
        let Storm { mut grid, options, batches } = storm;
        let mut pra = Pra::build(&grid, options).unwrap();
        let mut scratch = Scratch::new();
        for edits in batches.iter().take(3) {
            let changes = grid.apply(&batch(edits)).unwrap();
            prop_assert_eq!(pra.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        }
        let cells: Vec<Cell> =
            grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
        for &start in cells.iter().take(3) {
            let mut tree_scratch = Scratch::new();
            let tree = GridSearch::dijkstra()
                .explore(&grid, &[start], Limits::default(), &mut tree_scratch)
                .unwrap();
            for &goal in cells.iter().step_by(7) {
                let answer = pra.solve(&grid, &Query::new(start, goal), &mut scratch).unwrap();
                let path = answer.path();
                prop_assert_eq!(path.is_some(), tree.cost(goal).is_some(), "{} to {}", start, goal);
                prop_assert_eq!(pra.connected(start, goal), path.is_some());
                if let Some(path) = path {
                    prop_assert_eq!(path.validate(&grid), Ok(()));
                    prop_assert_eq!((path.start(), path.goal()), (start, goal));
                }
            }
        }
    }

    /// Legs follow each other, and make up the whole.
    #[test]
    fn legs_follow_each_other_to_the_goal(storm in storms(), first in 1u32..20) {
        let Storm { grid, options, .. } = storm;
        let pra = Pra::build(&grid, options).unwrap();
        let cells: Vec<Cell> =
            grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
        let mut scratch = Scratch::new();
        for goal in cells.iter().rev().take(4) {
            let query = Query::new(cells[0], *goal).with_first_leg(first);
            pra.begin(&grid, &query, &mut scratch).unwrap();
            let mut walked = vec![cells[0]];
            let answer = loop {
                match pra.advance(&grid, &mut scratch, 7) {
                    Progress::Leg(leg) => {
                        prop_assert_eq!(leg.validate(&grid), Ok(()));
                        prop_assert_eq!(leg.start(), walked[walked.len() - 1]);
                        walked.extend_from_slice(&leg.cells()[1..]);
                    }
                    Progress::Done(answer) => break answer,
                    Progress::Running => {}
                    Progress::Stale => prop_assert!(false, "nothing was edited"),
                }
            };
            if let Answer::Found(path) = answer {
                prop_assert_eq!(path.validate(&grid), Ok(()));
                prop_assert_eq!(&path.cells()[..walked.len()], &walked[..]);
            } else {
                prop_assert_eq!(walked.len(), 1, "a leg is a promise");
            }
        }
    }
}
