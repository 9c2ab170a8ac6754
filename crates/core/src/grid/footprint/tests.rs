use super::*;
use crate::grid::{
    Batch, CellRect, CellState, Change, Grid, GridMap, KindId, Movement, MovementRule, Profile,
    StepCosts, Terrain,
};

/// Numbers without a pattern, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % end
    }
}

const LETTERS: &[u8] = b"....@SW.";

fn movement(footprint: Footprint) -> Movement {
    let profile = Profile::movingai().with_cost(Terrain::SWAMP, 4).expect("a cost above 0");
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT);
    movement.expect("small costs").with_footprint(footprint)
}

fn footprints() -> impl Iterator<Item = Footprint> {
    let of_size = |size| {
        let footprint = Footprint::new(size).expect("from 1 to 8");
        [footprint, footprint.with_cost(FootprintCost::Mean)]
    };
    (1..=Footprint::SIZE_MAX).flat_map(of_size)
}

/// What an agent finds at a place, by definition.
fn expected(grid: &Grid, place: Cell) -> Option<Footing> {
    let footprint = grid.movement().footprint();
    let reach = u32::from(footprint.size()) - 1;
    let cells = CellRect::new(place, (place.x + reach, place.y + reach)).cells();
    let cells: Option<Vec<Footing>> = cells.map(|cell| grid.ground_footing(cell)).collect();
    let cells = cells?;
    let costs = cells.iter().map(|cell| cell.cost);
    let cost = match footprint.cost() {
        FootprintCost::Max => costs.max()?,
        FootprintCost::Mean => costs.sum::<u32>().div_ceil(cells.len() as u32),
    };
    let domain = cells[0].domain;
    cells.iter().all(|cell| cell.domain == domain).then_some(Footing { domain, cost })
}

fn check(grid: &Grid) {
    let mut costs = Vec::new();
    for place in grid.extent().cells() {
        let footing = grid.footing(place);
        assert_eq!(footing, expected(grid, place), "{place} {:?}", grid.movement().footprint());
        costs.extend(footing.map(|footing| footing.cost));
    }
    assert_eq!(grid.enterable_count() as usize, costs.len());
    if !grid.movement().footprint().is_cell() {
        let range = (costs.iter().min().copied(), costs.iter().max().copied());
        let range = range.0.zip(range.1).unwrap_or((1, 1));
        assert_eq!(grid.cost_range(), range.0..=range.1);
    }
}

/// The cells, surcharges included, of a grid that was never edited.
fn rebuilt(grid: &Grid) -> Grid {
    let mut built = Grid::new(grid.map().clone(), grid.movement().clone());
    let mut batch = Batch::new();
    for cell in grid.extent().cells() {
        let amount = grid.surcharge_of(cell).expect("inside the map");
        batch.surcharge(CellRect::from(cell), amount);
    }
    built.apply(&batch).expect("inside the map");
    built
}

#[test]
fn places_and_their_costs_follow_edits_of_every_size() {
    let mut numbers = Numbers(1);
    for footprint in footprints() {
        for (width, height) in [(1, 1), (9, 3), (23, 17), (70, 9)] {
            let map = GridMap::from_fn(width, height, |_| {
                let letter = LETTERS[numbers.below(LETTERS.len() as u32) as usize];
                let plain = numbers.below(4) > 0;
                Terrain::from_map(if plain { b'.' } else { letter })
            });
            let mut grid = Grid::new(map.expect("small sides"), movement(footprint));
            check(&grid);
            for _ in 0..6 {
                let mut batch = Batch::new();
                for _ in 0..1 + numbers.below(3) {
                    let cell = Cell::new(numbers.below(width), numbers.below(height));
                    let far = Cell::new(numbers.below(width), numbers.below(height));
                    let rect =
                        if numbers.below(8) == 0 { CellRect::new(cell, far) } else { cell.into() };
                    let letter = LETTERS[numbers.below(LETTERS.len() as u32) as usize];
                    match numbers.below(4) {
                        0 => batch.surcharge(rect, numbers.below(3) as u16 * 30_000),
                        1 => batch.surcharge_for(KindId::DEFAULT, rect, numbers.below(9) as u16),
                        _ => batch.fill(rect, Terrain::from_map(letter)),
                    };
                }
                let before = grid.clone();
                let changes = grid.apply(&batch).expect("inside the map");
                check(&grid);
                let built = rebuilt(&grid);
                assert!(grid.extent().cells().all(|at| built.footing(at) == grid.footing(at)));
                assert_eq!(
                    (grid.boards(), grid.cost_range()),
                    (built.boards(), built.cost_range())
                );
                // Exactly what differs, each place once.
                let effects = grid.effects_of(&changes);
                let differ =
                    grid.extent().cells().filter(|&at| before.footing(at) != grid.footing(at));
                assert!(differ.eq(effects.iter().flat_map(|effect| effect.places())));
                for (effect, at) in
                    effects.iter().flat_map(|one| one.places().map(move |at| (one, at)))
                {
                    assert_eq!(effect.before, before.footing(at));
                    assert_eq!(effect.after, grid.footing(at));
                }
            }
        }
    }
}

#[test]
fn a_change_outside_the_map_has_no_effect() {
    let grid = Grid::new("...\n...\n".parse().expect("a drawing"), movement(Footprint::CELL));
    let state = CellState::flat(Terrain::WALL, 0);
    let (rect, link) = (Cell::new(9, 9).into(), None);
    let change = Change { rect, kind: None, before: state, after: state, link };
    assert_eq!(grid.effects_of(&[change]), []);
}

/// The argument of the module's header: a rule on the eroded map is the rule for every cell that the whole square sweeps.
#[test]
fn a_diagonal_step_depends_on_the_two_corner_cells_of_the_square() {
    for size in 2..=4u32 {
        let footprint = Footprint::new(size as u8).expect("a small size");
        for corners in 0..4 {
            let blocked = [Cell::new(size, 0), Cell::new(0, size)];
            let map = GridMap::from_fn(size + 1, size + 1, |cell| {
                let wall = (0..2).any(|at| corners >> at & 1 == 1 && blocked[at] == cell);
                if wall { Terrain::WALL } else { Terrain::GROUND }
            });
            let map = map.expect("small sides");
            for (rule, most) in [
                (MovementRule::NeverCutCorners, 0),
                (MovementRule::AtMostOneObstacle, 1),
                (MovementRule::AlwaysDiagonal, 2),
            ] {
                let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT);
                let movement = movement.expect("small costs").with_footprint(footprint);
                let grid = Grid::new(map.clone(), movement);
                let step = grid.step_cost(Cell::new(0, 0), Cell::new(1, 1));
                assert_eq!(step.is_some(), u32::count_ones(corners) <= most, "{rule:?} {corners}");
            }
        }
    }
}

/// A saved index was refused after loading: the least cost counted, although no place had it.
#[test]
fn a_cost_that_no_place_has_is_not_in_the_range() {
    let map: GridMap = ".@.@.@.@.\n@.@.@.@.@\n".repeat(5).parse().expect("a drawing");
    for footprint in footprints().filter(|footprint| !footprint.is_cell()) {
        let mut grid = Grid::new(map.clone(), movement(footprint));
        assert_eq!(grid.enterable_count(), 0);
        let all = grid.extent().rect();
        grid.apply(Batch::new().fill(all, Terrain::SWAMP)).expect("on the map");
        check(&grid);
        assert_eq!(grid.uniform_cost(), Some(4));
    }
}
