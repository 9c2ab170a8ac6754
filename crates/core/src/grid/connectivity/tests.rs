use super::*;
use crate::grid::{
    Batch, Components, GridMap, Movement, NearestMemory, Profile, StepCosts, Terrain,
    nearest_reachable,
};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::search::Weight;

/// A small generator of numbers, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn terrain(&mut self, walls_in_16: u32) -> Terrain {
        match self.below(16) {
            kind if kind < walls_in_16 => Terrain::WALL,
            15 => Terrain::WATER,
            _ => Terrain::GROUND,
        }
    }
}

fn random_grid(
    random: &mut Random,
    width: u32,
    height: u32,
    rule: MovementRule,
    walls: u32,
) -> Grid {
    let map = GridMap::from_fn(width, height, |_| random.terrain(walls)).unwrap();
    Grid::new(map, Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap())
}

/// Whether the parts are those of a flood, up to their names.
fn agrees_with_a_flood(parts: &Connectivity, grid: &Grid) {
    let extent = grid.extent();
    let expected = Components::of(grid);
    let mut names = vec![None; expected.count()];
    let mut known = std::collections::BTreeSet::new();
    for cell in extent.cells() {
        let number = expected.numbers()[extent.id_inside(cell).index()];
        let Some(name) = names.get_mut(number as usize) else {
            assert_eq!(parts.part_of(cell), None, "{cell}");
            continue;
        };
        let part = parts.part_of(cell).unwrap();
        if name.is_none() {
            assert!(known.insert(part), "{cell} is in a part of its own");
            *name = Some(part);
        }
        assert_eq!(*name, Some(part), "{cell}");
    }
}

const SIZES: [(u32, u32); 6] = [(1, 1), (64, 64), (65, 63), (130, 70), (300, 5), (200, 270)];

#[test]
fn parts_are_those_of_a_flood_under_every_rule() {
    let mut random = Random(1);
    for rule in MovementRule::ALL {
        for (width, height) in SIZES {
            for walls in [0, 2, 6, 8, 10, 14] {
                let grid = random_grid(&mut random, width, height, rule, walls);
                agrees_with_a_flood(&Connectivity::of(&grid), &grid);
            }
        }
    }
}

#[test]
fn after_a_storm_of_edits_the_parts_equal_those_built_afresh() {
    let mut random = Random(2);
    for rule in MovementRule::ALL {
        for (width, height) in SIZES {
            for walls in [1, 6, 9] {
                let mut grid = random_grid(&mut random, width, height, rule, walls);
                let mut parts = Connectivity::of(&grid);
                for round in 0..40 {
                    let mut batch = Batch::new();
                    for _ in 0..=random.below(4) {
                        let (x, y) = (random.below(width), random.below(height));
                        let mut end = Cell::new(x, y);
                        match random.below(4) {
                            0 => end.x = (x + random.below(70)).min(width - 1),
                            1 => end.y = (y + random.below(70)).min(height - 1),
                            _ => {}
                        }
                        let terrain = random.terrain(8);
                        batch.fill(crate::CellRect::new((x, y), end), terrain);
                    }
                    let (before, snapshot) = (Connectivity::of(&grid), parts.clone());
                    let changes = grid.apply(&batch).unwrap();
                    parts.follow(&grid, &changes);
                    assert!(
                        parts == Connectivity::of(&grid),
                        "{width} × {height} {rule:?} {round}"
                    );
                    assert!(parts.is_current(&grid) && snapshot == before);
                }
                agrees_with_a_flood(&parts, &grid);
            }
        }
    }
}

#[test]
fn a_large_map_has_several_levels() {
    let mut random = Random(3);
    let mut grid = random_grid(&mut random, 1100, 400, MovementRule::NeverCutCorners, 6);
    let mut parts = Connectivity::of(&grid);
    assert_eq!(parts.domains[0].levels.len(), 3);
    agrees_with_a_flood(&parts, &grid);
    for wall in [511, 512, 255, 1024] {
        let mut batch = Batch::new();
        batch.fill(crate::CellRect::new((wall, 0), (wall, 399)), Terrain::WALL);
        let changes = grid.apply(&batch).unwrap();
        parts.follow(&grid, &changes);
        assert!(parts == Connectivity::of(&grid));
        let mut door = Batch::new();
        door.fill(crate::CellRect::new((wall, 200), (wall, 230)), Terrain::GROUND);
        let changes = grid.apply(&door).unwrap();
        parts.follow(&grid, &changes);
        assert!(parts == Connectivity::of(&grid));
    }
    agrees_with_a_flood(&parts, &grid);
}

#[test]
fn the_nearest_cell_is_the_one_that_a_flood_finds() {
    let mut random = Random(4);
    let (mut flood, mut descent) = (NearestMemory::default(), DescentMemory::default());
    for rule in MovementRule::ALL {
        for (width, height) in SIZES.into_iter().chain([(700, 300)]) {
            for walls in [4, 7, 9, 12] {
                let grid = random_grid(&mut random, width, height, rule, walls);
                let parts = Connectivity::of(&grid);
                let mut free: Vec<Cell> =
                    grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
                free.truncate(5000);
                for count in [1, 1, 1, 2, 3] {
                    if free.is_empty() {
                        continue;
                    }
                    let mut pick = || free[random.below(free.len() as u32) as usize];
                    let starts: Vec<Cell> = (0..count).map(|_| pick()).collect();
                    let goals: Vec<Cell> = (0..count).map(|_| pick()).collect();
                    let measure =
                        GridHeuristic::new(&grid, HeuristicKind::Octile, Weight::ONE, &goals);
                    let remoteness = |cell| measure.remoteness_of(cell);
                    let expected =
                        nearest_reachable(&grid, &starts, &goals, remoteness, &mut flood);
                    let found = parts.nearest(&starts, &goals, remoteness, &mut descent);
                    assert_eq!(found, Some(expected), "{starts:?} {goals:?} {rule:?}");
                }
            }
        }
    }
}
