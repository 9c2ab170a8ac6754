use super::*;
use crate::grid::{Batch, GridMap, MovementRule, PaidCells, Profile, StepCosts, Terrain};
use crate::hierarchy::storms::{Storm, batch, storms};
use crate::planner::Scratch;
use crate::{Answer, CatchUp, GridSearch, Limits, PathQuery, Planner, Progress, QueryError};
use proptest::prelude::*;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn after_a_storm_of_edits_every_invariant_holds(storm in storms(options())) {
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

    /// However it is sliced, and whether it was saved on the way: edits lead to the same abstraction. Where another edit
    /// comes before one was followed to the end, every invariant holds once both were.
    #[test]
    fn edits_followed_in_slices_go_on_alike_after_saving(
        storm in storms(options()),
        corner in (0u32..20, 0u32..20),
        slice in 1u64..200,
    ) {
        let Storm { mut grid, options, batches } = storm;
        let mut pra = Pra::build(&grid, options).unwrap();
        let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
        for (number, edits) in batches.iter().enumerate() {
            let mut edits = batch(edits);
            let (width, height) = (grid.extent().width(), grid.extent().height());
            let first = Cell::new(corner.0 % width, corner.1 % height);
            let last = Cell::new((first.x + 9).min(width - 1), (first.y + 6).min(height - 1));
            let terrain = [Terrain::WALL, Terrain::GROUND, Terrain::SWAMP][number % 3];
            edits.fill(crate::CellRect::new(first, last), terrain);
            let changes = grid.apply(&edits).unwrap();
            let mut followed = pra.catch_up_on(&grid, &changes, &mut scratch, &mut { slice });
            let mut twin = None;
            while followed == CatchUp::Unfinished && number % 4 != 1 {
                if twin.is_none() {
                    let query = PathQuery::new(first, last);
                    prop_assert_eq!(pra.solve(&grid, &query, &mut scratch), Err(QueryError::Stale));
                    let bytes = pra.save(&grid).unwrap();
                    let loaded = Pra::load(&bytes, &grid, options).unwrap();
                    prop_assert!(loaded == pra);
                    twin = Some(loaded);
                }
                followed = pra.catch_up_on(&grid, &[], &mut scratch, &mut { slice });
            }
            if followed == CatchUp::Done {
                prop_assert_eq!(pra.verify(&grid), Ok(()), "now\n{}", grid.map());
            }
            if let Some(mut twin) = twin {
                while twin.catch_up_on(&grid, &[], &mut other, &mut 1) == CatchUp::Unfinished {}
                prop_assert!(twin == pra);
            }
        }
        prop_assert_eq!(pra.catch_up(&grid, &[], &mut scratch), CatchUp::Done);
        prop_assert_eq!(pra.verify(&grid), Ok(()));
    }

    #[test]
    fn paths_are_found_exactly_when_there_are_any_and_can_be_walked(storm in storms(options())) {
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
                let answer = pra.solve(&grid, &PathQuery::new(start, goal), &mut scratch).unwrap();
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
    fn legs_follow_each_other_to_the_goal(storm in storms(options()), first in 1u32..20) {
        let Storm { grid, options, .. } = storm;
        let pra = Pra::build(&grid, options).unwrap();
        let cells: Vec<Cell> =
            grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
        let mut scratch = Scratch::new();
        for goal in cells.iter().rev().take(4) {
            let query = PathQuery::new(cells[0], *goal).with_first_leg(first);
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

/// How the cells of a drawing are grouped: a letter a group, in the order of their first cells.
fn groups(pra: &Pra) -> String {
    let mut seen = Vec::new();
    let mut drawing = String::new();
    for cell in pra.extent.cells() {
        let parent = pra.cells[pra.extent.id_inside(cell).index()].parent;
        if !seen.contains(&parent) && parent != NONE {
            seen.push(parent);
        }
        let letter = seen.iter().position(|&group| group == parent);
        drawing.push(letter.map_or('@', |at| (b'a' + at as u8) as char));
        if cell.x + 1 == pra.extent.width() {
            drawing.push('\n');
        }
    }
    drawing
}

fn drawn(drawing: &str, rule: MovementRule) -> (Grid, Pra) {
    let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
    let grid = Grid::new(drawing.parse().unwrap(), movement);
    let pra = Pra::build(&grid, PraOptions::default()).unwrap();
    (grid, pra)
}

fn change(grid: &mut Grid, pra: &mut Pra, cell: (u32, u32), terrain: Terrain) {
    let mut batch = Batch::new();
    batch.set(cell, terrain);
    let changes = grid.apply(&batch).unwrap();
    let mut scratch = Scratch::new();
    assert_eq!(pra.catch_up(grid, &changes, &mut scratch), CatchUp::Done);
    assert_eq!(pra.verify(grid), Ok(()));
}

/// What a clique of cells is under each rule.
#[test]
fn cells_are_folded_as_the_rule_allows() {
    let folded = |drawing: &str, rule| groups(&drawn(drawing, rule).1);
    use MovementRule::*;
    let block = "..\n..\n";
    assert_eq!(folded(block, NeverCutCorners), "aa\naa\n");
    assert_eq!(folded(block, AlwaysDiagonal), "aa\naa\n");
    assert_eq!(folded("....\n", FourWay), "aabb\n", "pairs only");
    // The three of an L are one step apart only where corners may be cut; elsewhere a pair and one that
    // joins it.
    assert_eq!(folded(".@\n..\n", AtMostOneObstacle), "a@\naa\n");
    assert_eq!(folded(".@\n@.\n", AlwaysDiagonal), "a@\n@a\n");
    assert_eq!(folded(".@\n@.\n", NeverCutCorners), "@@\n@@\n", "shut in: their own tops");
    assert_eq!(folded("...\n...\n", NeverCutCorners), "aab\naab\n");
    // An orphan joins its only neighbour, however many are there.
    assert_eq!(folded("..@\n...\n", NeverCutCorners), "aa@\naaa\n");
}

/// The cases of the thesis's section 3.3.3.
#[test]
fn an_opened_cell_finds_its_group() {
    let opened = |drawing: &str, cell, rule| {
        let (mut grid, mut pra) = drawn(drawing, rule);
        change(&mut grid, &mut pra, cell, Terrain::GROUND);
        groups(&pra)
    };
    use MovementRule::*;
    let never = NeverCutCorners;
    assert_eq!(opened("..@@\n..@@\n@@@@\n@@@@\n", (3, 3), never), "aa@@\naa@@\n@@@@\n@@@@\n");
    assert_eq!(opened(".@@@\n", (1, 0), never), "aa@@\n", "beside one alone");
    assert_eq!(opened("..@\n.@@\n", (1, 1), never), "aa@\naa@\n", "completes a block");
    assert_eq!(opened("..\n@@\n", (0, 1), AtMostOneObstacle), "aa\na@\n", "a clique of three");
    assert_eq!(opened("..@.\n..@.\n", (2, 0), never), "aabb\naa@b\n", "the smaller of two");
    assert_eq!(opened("..@\n..@\n@@@\n", (2, 0), never), "aaa\naa@\n@@@\n", "an orphan");
}

/// Those of its section 3.3.4, put right where corners may not be cut.
#[test]
fn a_blocked_cell_leaves_its_group() {
    let blocked = |drawing: &str, cell, rule| {
        let (mut grid, mut pra) = drawn(drawing, rule);
        change(&mut grid, &mut pra, cell, Terrain::WALL);
        groups(&pra)
    };
    use MovementRule::*;
    let never = NeverCutCorners;
    assert_eq!(blocked("..\n..\n", (0, 0), never), "@a\naa\n", "no clique, but connected");
    assert_eq!(blocked("@.\n..\n", (1, 1), AlwaysDiagonal), "@a\na@\n");
    assert_eq!(blocked("@.\n..\n", (1, 1), never), "@@\n@@\n", "it falls apart");
    assert_eq!(blocked("..@\n", (0, 0), never), "@@@\n", "one that is left alone is its own top");
    assert_eq!(blocked("...\n", (1, 0), never), "@@@\n");
}

/// Two halves, joined by one door: closing it must take the top apart, opening it must join it again.
#[test]
fn the_last_door_between_two_halves_opens_and_closes() {
    let map = GridMap::from_fn(64, 40, |cell| {
        if cell.x == 31 && cell.y != 17 { Terrain::WALL } else { Terrain::GROUND }
    });
    let mut grid = Grid::with_defaults(map.unwrap());
    let mut pra = Pra::build(&grid, PraOptions::default()).unwrap();
    let layers = pra.layer_count();
    for _ in 0..3 {
        assert!(pra.connected((0, 0), (63, 39)));
        change(&mut grid, &mut pra, (31, 17), Terrain::WALL);
        assert!(!pra.connected((0, 0), (63, 39)) && pra.connected((40, 0), (63, 39)));
        change(&mut grid, &mut pra, (31, 17), Terrain::GROUND);
    }
    assert!(pra.connected((0, 0), (63, 39)));
    assert!(pra.layer_count() <= layers + 1, "the abstraction does not grow by being patched");
}

#[test]
fn an_abstraction_of_another_grid_does_not_answer() {
    let (grid, mut pra) = drawn("......\n......\n", MovementRule::default());
    let other = Grid::with_defaults(GridMap::filled(99, 99, Terrain::GROUND).unwrap());
    let mut scratch = Scratch::new();
    let query = PathQuery::new((0, 0), (5, 1));
    assert_eq!(pra.solve(&other, &query, &mut scratch), Err(QueryError::Stale));
    assert_eq!(pra.catch_up(&other, &[], &mut scratch), CatchUp::NeedsRebuild);
    assert!(pra.verify(&other).is_err() && pra.save(&other).is_err());
    assert!(pra.solve(&grid, &query, &mut scratch).is_ok());
}

/// An edit of a large part of the map rebuilds, as that is cheaper.
#[test]
fn a_large_edit_is_a_rebuild() {
    let mut grid = Grid::with_defaults(GridMap::filled(60, 60, Terrain::GROUND).unwrap());
    let mut pra = Pra::build(&grid, PraOptions::default()).unwrap();
    let mut batch = Batch::new();
    batch.fill(crate::CellRect::new((10, 10), (40, 40)), Terrain::WALL);
    let changes = grid.apply(&batch).unwrap();
    let mut memory = patch::PatchMemory::default();
    assert!(pra.note_changes(&grid, &changes) && pra.patch_at_once(&grid, &mut memory));
    assert!(pra == Pra::build(&grid, PraOptions::default()).unwrap());
}

/// Where all terrain differs in cost, a few groups show it, and nothing has to be flooded: it is decided again after edits.
#[test]
fn where_terrain_differs_everywhere_little_is_looked_at_to_choose_a_layer() {
    let map = GridMap::from_fn(200, 200, |cell| match (cell.x + cell.y) % 2 {
        0 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    });
    let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT).unwrap();
    let grid = Grid::new(map.unwrap(), movement);
    let pra = Pra::build(&grid, PraOptions::default()).unwrap();
    let mut assessment =
        survey::Assessment { layer: 4, first: 4, by_count: 4, ..pra.begin_assessment() };
    let (mut survey, mut flood) = Default::default();
    let mut left = 4000;
    let chosen = pra.assess_on(&grid, &mut assessment, &mut survey, &mut flood, &mut left);
    assert_eq!(chosen, Some(3), "layer 4 is too coarse for such terrain");
    assert!(left > 2000, "{left} of 4000");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let (grid, _) = drawn("..\n", MovementRule::default());
    let build = |options| Pra::build(&grid, options).err();
    let usual = PraOptions::default();
    let margin = PraOptions { margin: 17, ..usual };
    assert_eq!(build(margin), Some(PraOptionsError::Margin(17)));
    assert_eq!(build(PraOptions { steps: Some(0), ..usual }), Some(PraOptionsError::NoSteps));
    let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT).unwrap();
    let movement = movement.with_paid_cells(PaidCells::Entered);
    let one_way = Grid::new(".S\n".parse().unwrap(), movement);
    assert_eq!(Pra::build(&one_way, usual).err(), Some(PraOptionsError::OneWayCosts));
}

#[test]
fn a_sketch_shows_every_layer_and_the_corridor() {
    let map = GridMap::from_fn(160, 120, |cell| {
        let wall = cell.x % 40 == 20 && cell.y % 37 != cell.x % 31;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let options = PraOptions { start: StartLayer::Exactly(4), ..PraOptions::default() };
    let pra = Pra::build(&grid, PraOptions { refinement: Refinement::Layers, ..options }).unwrap();
    let layers = pra.sketch(&grid);
    assert_eq!(layers.len(), 3 * pra.layer_count());
    assert_eq!(layers[0].shape.len(), grid.enterable_count() as usize);
    assert_eq!(layers[4].shape.len(), pra.node_count(2));
    let mut scratch = Scratch::new();
    pra.solve(&grid, &PathQuery::new((1, 1), (157, 110)), &mut scratch).unwrap();
    let shown = pra.sketch_query(&grid, &scratch);
    let names: Vec<(&str, u32)> =
        shown.iter().map(|layer| (layer.info.name, layer.level)).collect();
    let expected = (1..=4).flat_map(|level| [("corridor", level), ("abstract path", level)]);
    assert_eq!(names, expected.collect::<Vec<_>>());
    GridSearch::astar().solve(&grid, &PathQuery::new((1, 1), (9, 9)), &mut scratch).unwrap();
    assert_eq!(pra.sketch_query(&grid, &scratch), [], "that query was not its own");
}

/// Whatever the bytes, loading does not panic, and what it accepts answers.
#[test]
fn damaged_bytes_are_refused() {
    let (grid, pra) = drawn("......\n..##..\n......\n", MovementRule::default());
    let bytes = pra.save(&grid).unwrap();
    let load = |bytes: &[u8]| Pra::load(bytes, &grid, PraOptions::default());
    assert!(load(&bytes).unwrap() == pra);
    for length in 0..bytes.len() {
        assert!(load(&bytes[..length]).is_err());
    }
    let (other, _) = drawn("......\n......\n......\n", MovementRule::default());
    assert!(Pra::load(&bytes, &other, PraOptions::default()).is_err());
    // With the hash put right, so that only the content can be wrong.
    let mut accepted = 0;
    for at in 24..bytes.len() - 8 {
        for value in [0, 1, 7, 255] {
            let mut changed = bytes.clone();
            changed[at] = value;
            let end = changed.len() - 8;
            let mut hash = crate::environment::StableHash::new();
            hash.mix_bytes(&changed[..end]);
            let hash = hash.value().to_le_bytes();
            changed[end..].copy_from_slice(&hash);
            if let Ok(loaded) = load(&changed) {
                accepted += 1;
                assert_eq!(loaded.verify(&grid), Ok(()));
                let query = PathQuery::new((0, 0), (5, 2));
                loaded.solve(&grid, &query, &mut Scratch::new()).unwrap();
            }
        }
    }
    assert!(accepted > 0, "bytes that were right already");
}

/// Whoever made the bytes: every path of what is loaded can be walked and costs what it says, also after edits.
#[test]
fn a_forged_abstraction_returns_no_path_that_cannot_be_walked() {
    let map = GridMap::from_fn(24, 18, |cell| match (cell.x * 13 + cell.y * 7) % 17 {
        0..4 => Terrain::WALL,
        4 | 5 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    });
    let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT).unwrap();
    let grid = Grid::new(map.unwrap(), movement);
    let whole = Pra::build(&grid, PraOptions::default()).unwrap().save(&grid).unwrap();
    let following = saved_on_the_way(&grid);
    let mut seed = 7u64;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % limit
    };
    let (mut accepted, mut scratch) = ([0, 0], Scratch::new());
    for round in 0..9000 {
        let mut forged = if round < 6000 { whole.clone() } else { following.clone() };
        let at = 24 + below(forged.len() - 32);
        forged[at] = if round % 2 == 0 { forged[at] ^ 1 << below(8) } else { below(256) as u8 };
        let end = forged.len() - 8;
        let mut hash = crate::environment::StableHash::new();
        hash.mix_bytes(&forged[..end]);
        forged[end..].copy_from_slice(&hash.value().to_le_bytes());
        let options = PraOptions {
            refinement: [Refinement::Lazy, Refinement::Layers, Refinement::Thesis][round % 3],
            start: [StartLayer::Automatic, StartLayer::Half, StartLayer::Exactly(2)][below(3)],
            ..PraOptions::default()
        };
        let Ok(mut loaded) = Pra::load(&forged, &grid, options) else { continue };
        accepted[round / 6000] += 1;
        Planner::catch_up(&mut loaded, &grid, &[], &mut scratch);
        let mut changed = grid.clone();
        for _ in 0..3 {
            for _ in 0..6 {
                let mut cell = || Cell::new(below(24) as u32, below(18) as u32);
                let query = PathQuery::new(cell(), cell());
                if let Ok(answer) = loaded.solve(&changed, &query, &mut scratch)
                    && let Some(path) = answer.path()
                {
                    assert_eq!(path.validate(&changed), Ok(()), "byte {at}");
                }
            }
            let cell = Cell::new(below(24) as u32, below(18) as u32);
            let changes = changed.apply(Batch::new().set(cell, Terrain::WALL)).unwrap();
            Planner::catch_up(&mut loaded, &changed, &changes, &mut scratch);
        }
    }
    // Nearly all are refused: the structure is checked against the grid.
    assert!(accepted.iter().all(|&accepted| accepted > 0), "{accepted:?} accepted");
}

/// An abstraction that follows an edit which led to a grid, and has not come to the end.
fn saved_on_the_way(grid: &Grid) -> Vec<u8> {
    let mut before = grid.clone();
    let mut batch = Batch::new();
    batch.fill(crate::CellRect::new((3, 3), (12, 9)), Terrain::WALL);
    let there = before.apply(&batch).unwrap();
    let mut pra = Pra::build(&before, PraOptions::default()).unwrap();
    let mut after = before.clone();
    let mut back = Batch::new();
    for change in there.iter().rev() {
        back.fill(change.rect, change.before.terrain);
    }
    let changes = after.apply(&back).unwrap();
    let followed = pra.catch_up_on(&after, &changes, &mut Scratch::new(), &mut { 1 });
    assert_eq!(followed, CatchUp::Unfinished);
    pra.save(&after).unwrap()
}
