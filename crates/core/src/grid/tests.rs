use super::*;
use proptest::prelude::*;

fn grid(drawing: &str) -> Grid {
    Grid::with_defaults(drawing.parse().unwrap())
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let mut grid = grid("...\n...\n");
    let snapshot = grid.clone();
    let mut batch = Batch::new();
    batch.set((1, 1), Terrain::WALL);
    grid.apply(&batch).unwrap();
    assert_eq!((snapshot.revision(), grid.revision()), (Revision(0), Revision(1)));
    assert!(snapshot.is_enterable(Cell::new(1, 1)));
    assert!(!grid.is_enterable(Cell::new(1, 1)));
    let step = (Cell::new(0, 0), Cell::new(1, 1));
    assert_eq!(snapshot.step_cost(step.0, step.1), Some(2 * 3363));
    assert_eq!(grid.step_cost(step.0, step.1), None);
}

#[test]
fn a_batch_is_done_whole_or_not_at_all() {
    let mut grid = grid("...\n");
    let mut batch = Batch::new();
    batch.set((0, 0), Terrain::WALL).fill(CellRect::new((2, 0), (4, 0)), Terrain::WALL);
    let (cell, extent) = (Cell::new(3, 0), grid.extent());
    assert_eq!(grid.apply(&batch), Err(EditError::Outside { cell, extent }));
    assert_eq!((grid.map().to_string().as_str(), grid.revision()), ("...\n", Revision(0)));
}

#[test]
fn a_batch_that_changes_nothing_is_no_revision() {
    let mut grid = grid("...\n");
    let mut batch = Batch::new();
    batch.set((0, 0), Terrain::GROUND);
    assert_eq!(grid.apply(&batch).unwrap(), []);
    assert_eq!(grid.revision(), Revision(0));
}

#[test]
fn surcharges_make_cells_costlier_and_vanish_without_a_trace() {
    let mut grid = grid("...\n");
    let (left, middle) = (Cell::new(0, 0), Cell::new(1, 0));
    assert_eq!(grid.uniform_cost(), Some(1));
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new(middle, middle), 9);
    let changes = grid.apply(&batch).unwrap();
    assert_eq!(grid.cost_of(middle), Some(10));
    assert_eq!(grid.step_cost(left, middle), Some(2378 * 11));
    assert_eq!(grid.uniform_cost(), None);
    grid.apply(&Batch::undoing(&changes)).unwrap();
    assert_eq!(grid.step_cost(left, middle), Some(2378 * 2));
    assert_eq!(grid.uniform_cost(), Some(1));
}

/// Walkers, and boats on the same map.
fn two_kinds(drawing: &str) -> [Grid; 2] {
    let walkers = grid(drawing);
    let boat = Profile::movingai().without(Terrain::GROUND).without(Terrain::SWAMP);
    let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT).unwrap();
    let boats = walkers.another_kind(KindId(1), boat);
    [walkers, boats]
}

#[test]
fn kinds_share_cells_and_follow_one_batch() {
    let mut kinds = two_kinds("..WW\n..WW\n");
    let snapshot = kinds.clone();
    let batch = &mut Batch::new();
    batch.set((1, 0), Terrain::WATER).set((3, 1), Terrain::WALL);
    let changes = Grid::apply_to_all(&mut kinds, batch).unwrap();
    assert_eq!(changes.len(), 2);
    for grid in &kinds {
        assert_eq!(grid.revision(), Revision(1));
        let afresh = Grid::new(grid.map().clone(), grid.movement().clone());
        assert_eq!((&grid.boards, &grid.column_boards), (&afresh.boards, &afresh.column_boards));
    }
    assert!(Arc::ptr_eq(&kinds[0].ground, &kinds[1].ground), "one copy of the cells");
    assert!(kinds[1].is_enterable(Cell::new(1, 0)) && !snapshot[1].is_enterable(Cell::new(1, 0)));
    Grid::apply_to_all(&mut kinds, &Batch::undoing(&changes)).unwrap();
    assert_eq!(kinds[0].fingerprint(), snapshot[0].fingerprint());
    assert_eq!(kinds[1].fingerprint(), snapshot[1].fingerprint());
}

#[test]
fn a_surcharge_may_be_for_one_kind_alone() {
    let mut kinds = two_kinds("W...\n");
    let (cell, water) = (Cell::new(1, 0), Cell::new(0, 0));
    let everywhere = CellRect::new((0, 0), (3, 0));
    let batch = &mut Batch::new();
    batch.surcharge(everywhere, 5).surcharge_for(KindId(0), everywhere, 65_533);
    let changes = Grid::apply_to_all(&mut kinds, batch).unwrap();
    assert_eq!(kinds[0].surcharge_of(cell), Some(u16::MAX), "both together, up to 65,535");
    assert_eq!((kinds[0].cost_of(cell), kinds[1].cost_of(water)), (Some(65_536), Some(6)));
    let own = changes.last().unwrap();
    assert!(kinds[0].is_concerned_by(own) && !kinds[1].is_concerned_by(own));
    Grid::apply_to_all(&mut kinds, &Batch::undoing(&changes)).unwrap();
    assert_eq!((kinds[0].uniform_cost(), kinds[1].uniform_cost()), (Some(1), Some(1)));
    let missing = Batch::new().surcharge_for(KindId(2), everywhere, 1).clone();
    let refused = Grid::apply_to_all(&mut kinds, &missing);
    assert_eq!(refused, Err(EditError::NoSuchKind { kind: KindId(2) }));
}

#[test]
fn a_kind_that_comes_later_pays_what_is_there_already() {
    let mut walkers = grid("..#.\n");
    let rect = CellRect::new((1, 0), (2, 0));
    walkers.apply(Batch::new().surcharge(rect, 40)).unwrap();
    assert_eq!(walkers.cost_range(), 1..=41);
    let others = walkers.another_kind(KindId(1), Movement::default());
    assert_eq!(others.cost_range(), 1..=41);
    let mut kinds = [walkers, others];
    Grid::apply_to_all(&mut kinds, Batch::new().set((1, 0), Terrain::WALL)).unwrap();
    assert_eq!(kinds.map(|grid| grid.uniform_cost()), [Some(1); 2], "walls cost nothing");
}

#[test]
fn the_largest_surcharge_counts_only_as_long_as_it_is_there() {
    let mut grid = grid("....\n");
    let one = |x| CellRect::new((x, 0), (x, 0));
    grid.apply(Batch::new().surcharge(one(0), 900).surcharge(one(1), 7)).unwrap();
    assert_eq!(grid.cost_range(), 1..=901);
    grid.apply(Batch::new().surcharge(one(0), 0)).unwrap();
    assert_eq!(grid.cost_range(), 1..=8);
}

#[test]
fn swamp_joins_ground_and_water_joins_only_water() {
    let grid = grid(".SW\n.SW\n");
    let cell = Cell::new;
    assert!(grid.step_cost(cell(0, 0), cell(1, 1)).is_some());
    assert!(grid.step_cost(cell(1, 0), cell(2, 0)).is_none());
    assert!(grid.step_cost(cell(2, 0), cell(2, 1)).is_some());
    assert_eq!(grid.domain_of(cell(2, 0)), Some(Domain::WATER));
}

proptest! {
    #[test]
    fn after_any_edits_the_bits_equal_those_of_a_grid_made_afresh(
        edits in proptest::collection::vec((0u32..20, 0u32..9, 0usize..5), 0..60)
    ) {
        let terrains = [Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER, Terrain::TREES];
        let map = GridMap::filled(20, 9, Terrain::GROUND).unwrap();
        let mut grid = Grid::with_defaults(map);
        let mut changes = Vec::new();
        for (x, y, kind) in edits {
            let mut batch = Batch::new();
            batch.set((x, y), terrains[kind]);
            changes.extend(grid.apply(&batch).unwrap());
        }
        let afresh = Grid::with_defaults(grid.map().clone());
        prop_assert_eq!(&grid.boards, &afresh.boards);
        prop_assert_eq!(&grid.column_boards, &afresh.column_boards);
        prop_assert_eq!(grid.enterable_count(), afresh.enterable_count());
        grid.apply(&Batch::undoing(&changes)).unwrap();
        prop_assert_eq!(grid.enterable_count(), 180);
    }
}

/// What one terrain or surcharge does to a rectangle.
fn painted(batch: &mut Batch, (corners, paint): (([u32; 2], [u32; 2]), u16)) {
    let ([x, y], [right, bottom]) = corners;
    let rect = CellRect::new((x, y), (right, bottom));
    match paint {
        0 => batch.fill(rect, Terrain::GROUND),
        1 => batch.fill(rect, Terrain::WALL),
        2 => batch.fill(rect, Terrain::SWAMP),
        amount => batch.surcharge(rect, amount - 3),
    };
}

fn states(grid: &Grid) -> Vec<CellState> {
    let state = |cell| {
        let terrain = grid.map().terrain(cell).unwrap();
        CellState::flat(terrain, grid.surcharge_of(cell).unwrap())
    };
    grid.extent().cells().map(state).collect()
}

proptest! {
    /// Cells that change alike are put together; taken apart again, they are what has changed, cell by cell.
    #[test]
    fn changes_describe_every_cell_that_differs_and_can_be_taken_back(
        paints in proptest::collection::vec(
            (([0u32..14, 0u32..9], [0u32..14, 0u32..9]), 0u16..6), 0..12)
    ) {
        let mut grid = Grid::with_defaults(GridMap::filled(14, 9, Terrain::GROUND).unwrap());
        let before = states(&grid);
        let mut model = before.clone();
        let mut batch = Batch::new();
        paints.into_iter().for_each(|paint| painted(&mut batch, paint));
        let changes = grid.apply(&batch).unwrap();
        for change in &changes {
            for cell in change.cells() {
                let state = &mut model[grid.extent().id_inside(cell).index()];
                prop_assert_eq!(*state, change.before, "{:?}", change);
                prop_assert_ne!(change.before, change.after);
                *state = change.after;
            }
        }
        prop_assert_eq!(&model, &states(&grid));
        grid.apply(&Batch::undoing(&changes)).unwrap();
        prop_assert_eq!(states(&grid), before);
    }
}

/// A batch that filled the largest map described each of its cells, and took 8.6 GB.
#[test]
fn a_large_fill_is_few_changes() {
    let map = GridMap::from_fn(500, 400, |cell| match cell.x {
        100..200 if cell.y >= 50 => Terrain::WATER,
        _ => Terrain::GROUND,
    });
    let mut grid = Grid::with_defaults(map.unwrap());
    let before = grid.fingerprint();
    let all = grid.extent().rect();
    let changes = grid.apply(Batch::new().fill(all, Terrain::WALL)).unwrap();
    let rects: Vec<CellRect> = changes.iter().map(|change| change.rect).collect();
    let expected = [
        CellRect::new((0, 0), (499, 49)),
        CellRect::new((0, 50), (99, 399)),
        CellRect::new((100, 50), (199, 399)),
        CellRect::new((200, 50), (499, 399)),
    ];
    assert_eq!(rects, expected);
    let back = grid.apply(&Batch::undoing(&changes)).unwrap();
    assert_eq!((back.len(), grid.fingerprint()), (4, before));
}

/// A grid of the same kind with the same cells, made by one batch of everything that can be read of another.
fn rebuilt(grid: &Grid) -> Grid {
    let mut copy = Grid::new(grid.map().clone(), grid.movement().clone());
    let mut batch = Batch::new();
    for cell in grid.extent().cells() {
        batch.surcharge(cell.into(), grid.surcharge_of(cell).unwrap());
    }
    copy.apply(&batch).unwrap();
    copy
}

/// Surcharges under walls could not be read, and the copy had another fingerprint.
#[test]
fn a_grid_rebuilt_by_what_can_be_read_has_the_same_fingerprint() {
    let mut grid = grid("..#.\n.#W.\n");
    let plain = grid.fingerprint();
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new((1, 0), (2, 1)), 7).surcharge(Cell::new(1, 1).into(), 900);
    grid.apply(&batch).unwrap();
    assert_eq!(grid.surcharge_of(Cell::new(1, 1)), Some(900), "on a wall");
    assert_ne!(grid.fingerprint(), plain);
    assert_eq!(rebuilt(&grid).fingerprint(), grid.fingerprint());
    assert_eq!(grid.surcharge_of(Cell::new(4, 0)), None, "outside");
}

proptest! {
    /// Rectangles are changed run by run, and bits by rectangles or as a whole: the outcome is that of single cells.
    #[test]
    fn rectangles_leave_what_a_grid_made_afresh_has(
        (side, width) in (1u8..4, 3u32..70),
        batches in proptest::collection::vec(
            proptest::collection::vec((0u32..70, 0u32..9, 0u32..70, 0u32..9, 0usize..9), 1..4), 1..6),
    ) {
        let terrains = [Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER, Terrain::TREES];
        let walkers = Grid::with_defaults(GridMap::filled(width, 9, Terrain::GROUND).unwrap());
        let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 4).unwrap();
        let wide = Movement::new(swampy, MovementRule::default(), StepCosts::EXACT).unwrap();
        let wide = wide.with_footprint(Footprint::new(side).unwrap());
        let others = walkers.another_kind(KindId(1), wide);
        let mut kinds = [walkers, others];
        let mut singly = kinds.clone();
        let before = kinds.clone().map(|grid| grid.fingerprint());
        let mut undos = Vec::new();
        for edits in batches {
            let mut batch = Batch::new();
            for (x, y, to_x, to_y, what) in edits {
                let rect = CellRect::new((x % width, y), (to_x % width, to_y));
                match what {
                    0..=4 => batch.fill(rect, terrains[what]),
                    5 => batch.surcharge_for(KindId(1), rect, 30),
                    6 => batch.surcharge_for(KindId(0), rect, 0),
                    amount => batch.surcharge(rect, 9 * (amount as u16 - 7)),
                };
            }
            for edit in &batch.edits {
                for cell in edit.rect.cells() {
                    let mut one = Batch::new();
                    one.edits.push(edit::Edit { rect: cell.into(), ..*edit });
                    Grid::apply_to_all(&mut singly, &one).unwrap();
                }
            }
            undos.push(Grid::apply_to_all(&mut kinds, &batch).unwrap());
            for (grid, singly) in kinds.iter().zip(&singly) {
                prop_assert_eq!(&grid.boards, &singly.boards);
                prop_assert_eq!(&grid.column_boards, &singly.column_boards);
                prop_assert_eq!(&grid.surcharge_counts, &singly.surcharge_counts);
                prop_assert_eq!(grid.cost_range(), singly.cost_range());
                prop_assert_eq!(grid.fingerprint(), singly.fingerprint());
                for cell in grid.extent().cells() {
                    prop_assert_eq!(grid.footing(cell), singly.footing(cell));
                    let level = |grid: &Grid| grid.level_bits(cell) & 1;
                    prop_assert_eq!(level(grid), level(singly), "{}", cell);
                }
            }
        }
        for changes in undos.iter().rev() {
            Grid::apply_to_all(&mut kinds, &Batch::undoing(changes)).unwrap();
        }
        prop_assert_eq!(kinds.map(|grid| grid.fingerprint()), before);
    }
}

#[test]
fn a_path_is_priced_as_the_sum_of_its_steps_or_refused_where_one_is_not_allowed() {
    use crate::environment::Environment;
    let mut grid = grid("..#.\n....\n.#..\n..S.\n");
    let mut batch = Batch::new();
    batch.surcharge(CellRect::from(Cell::new(1, 1)), 4).border((0, 0), (1, 0), Border::Closed);
    let shaped = {
        let mut shaped = grid.clone();
        shaped.apply(&batch).unwrap();
        shaped
    };
    grid.apply(Batch::new().surcharge(CellRect::from(Cell::new(3, 1)), 7)).unwrap();
    for grid in [&grid, &shaped] {
        let near = |from: Cell| {
            let around = (0..5).flat_map(move |y| (0..5).map(move |x| (from.x + x, from.y + y)));
            around.filter_map(|(x, y)| Some(Cell::new(x.checked_sub(2)?, y.checked_sub(2)?)))
        };
        let mut walked = 0;
        for from in grid.extent().cells() {
            for (to, beyond) in near(from).flat_map(|to| near(to).map(move |beyond| (to, beyond))) {
                let steps = [grid.step_cost(from, to), grid.step_cost(to, beyond)];
                let sum = steps[0].zip(steps[1]).map(|(a, b)| Cost(u64::from(a) + u64::from(b)));
                assert_eq!(grid.price(&[from, to, beyond]).ok(), sum, "{from} {to} {beyond}");
                walked += usize::from(sum.is_some());
            }
        }
        assert!(walked > 100, "{walked}");
    }
}
