use super::*;
use crate::grid::{
    Batch, Border, BorderSide, EditError, Footprint, GridMap, Movement, Profile, Slopes, StepCosts,
    Terrain,
};

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % limit
    }

    fn cell(&mut self, grid: &Grid) -> Cell {
        Cell::new(self.below(grid.extent().width()), self.below(grid.extent().height()))
    }

    fn batch(&mut self, grid: &Grid) -> Batch {
        let mut batch = Batch::new();
        for _ in 0..1 + self.below(4) {
            let (a, b) = (self.cell(grid), self.cell(grid));
            let b = Cell::new(b.x.clamp(a.x, a.x + 4), b.y.clamp(a.y, a.y + 4));
            let rect = CellRect::new(a, b);
            let side = BorderSide::ALL[self.below(2) as usize];
            match self.below(5) {
                0 => batch.fill(rect, [Terrain::GROUND, Terrain::WALL][self.below(2) as usize]),
                1 => batch.height(rect, [0, 0, 3, 9][self.below(4) as usize]),
                2 => batch.height(a.into(), self.below(12) as u16),
                _ if !grid.extent().contains(side.beyond(b)) => &mut batch,
                3 => batch.borders(rect, side, Border::Open),
                _ => batch.borders(rect, side, Border::ALL[self.below(4) as usize]),
            };
        }
        batch
    }
}

/// Everything that relief decides, cell by cell.
fn shape(grid: &Grid) -> (Vec<(u8, bool)>, u32, bool, bool, bool) {
    let cells = grid.extent().cells().map(|cell| {
        let level = grid.level_bits(cell) & 1 == 1;
        (grid.exits.closed_at(grid.extent().id_inside(cell)), level)
    });
    let exits = &grid.exits;
    (cells.collect(), exits.one_way, exits.is_empty(), grid.is_shaped(), grid.is_all_level())
}

#[test]
fn edits_and_undo_leave_the_steps_that_a_new_grid_has() {
    let mut numbers = Numbers(7);
    let (mut shaped, mut one_way) = (0, 0);
    for round in 0..60 {
        let rule = MovementRule::ALL[round % 4];
        let slopes = Slopes::new().with_climb_max(4).with_drop_max(8);
        let slopes = if round % 3 == 0 { Slopes::new() } else { slopes };
        let slopes = if round % 5 == 0 { slopes.with_uphill(30) } else { slopes };
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let size = Footprint::new([1, 1, 2, 3][round / 4 % 4]).unwrap();
        let movement = movement.with_slopes(slopes).unwrap().with_footprint(size);
        let map = GridMap::filled(3 + numbers.below(30), 3 + numbers.below(20), Terrain::GROUND);
        let mut grid = Grid::new(map.unwrap(), movement.clone());
        let mut done = Vec::new();
        for _ in 0..40 {
            let batch = match numbers.below(4) {
                0 => done
                    .pop()
                    .map_or_else(Batch::new, |changes: Vec<Change>| Batch::undoing(&changes)),
                _ => numbers.batch(&grid),
            };
            let undone = numbers.below(2) == 0;
            let changes = grid.apply(&batch).unwrap();
            if undone {
                done.push(changes);
            }
            let fresh = Grid::new(grid.map().clone(), movement.clone());
            assert_eq!(shape(&grid), shape(&fresh), "round {round}, {rule:?}, {size:?}");
            assert_eq!(grid.fingerprint(), fresh.fingerprint());
            shaped += u32::from(grid.is_shaped());
            one_way += u32::from(!grid.costs_the_same_both_ways());
        }
    }
    assert!(shaped > 1000 && one_way > 500, "{shaped} {one_way}");
}

/// Whoever finds a path that meets no obstacle takes it for the best around them: see `planner/course.rs`.
#[test]
fn a_blocked_cell_opens_no_step() {
    let mut numbers = Numbers(11);
    let (mut open, mut shaped) = (0, 0);
    for round in 0..240 {
        let rule = MovementRule::ALL[round % 4];
        let slopes = Slopes::new().with_climb_max(4).with_drop_max(8);
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let size = Footprint::new([1, 1, 2, 3][round / 4 % 4]).unwrap();
        let movement = movement.with_slopes(slopes).unwrap().with_footprint(size);
        let map = GridMap::filled(3 + numbers.below(9), 3 + numbers.below(9), Terrain::GROUND);
        let mut before = Grid::new(map.unwrap(), movement);
        for _ in 0..6 {
            let batch = numbers.batch(&before);
            before.apply(&batch).unwrap();
        }
        shaped += u32::from(before.is_shaped());
        let mut after = before.clone();
        after.apply(Batch::new().set(numbers.cell(&before), Terrain::WALL)).unwrap();
        for from in after.extent().cells() {
            for (to, cost) in after.steps_from(from) {
                let known = before.step_cost(from, to);
                assert_eq!(known, Some(cost), "round {round}, {rule:?}, {size:?}: {from} to {to}");
                open += 1;
            }
        }
    }
    assert!(open > 10_000 && shaped > 200, "{open} steps, {shaped} grids");
}

/// Who may step past blocked corners may step past high ones, too.
#[test]
fn always_diagonal_steps_past_cliffs_as_past_walls() {
    let slopes = Slopes::new().with_climb_max(2);
    let steps = |rule, text: &str, heights: &[(u32, u32)]| {
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let mut grid = Grid::new(text.parse().unwrap(), movement.with_slopes(slopes).unwrap());
        let mut batch = Batch::new();
        heights.iter().for_each(|&cell| _ = batch.height(Cell::from(cell).into(), 9));
        grid.apply(&batch).unwrap();
        grid.step_cost(Cell::new(0, 0), Cell::new(1, 1)).is_some()
    };
    let cliffs = [(1, 0), (0, 1)];
    for (rule, past) in [
        (MovementRule::AlwaysDiagonal, true),
        (MovementRule::AtMostOneObstacle, false),
        (MovementRule::NeverCutCorners, false),
    ] {
        assert_eq!(steps(rule, ".#\n#.\n", &[]), past, "{rule:?} past walls");
        assert_eq!(steps(rule, "..\n..\n", &cliffs), past, "{rule:?} past cliffs");
        assert!(!steps(rule, "..\n..\n", &[(1, 1)]), "{rule:?} up a cliff");
    }
}

#[test]
fn all_edits_taken_back_leave_a_plain_grid() {
    let mut grid = Grid::with_defaults("....\n....\n....\n".parse().unwrap());
    let before = grid.fingerprint();
    let mut batch = Batch::new();
    batch.border((1, 1), (2, 1), Border::OneWay).height(CellRect::new((0, 0), (3, 2)), 9);
    batch.borders(CellRect::new((0, 0), (2, 0)), BorderSide::South, Border::Closed);
    let changes = grid.apply(&batch).unwrap();
    assert!(grid.is_shaped() && grid.map().has_relief() && !grid.costs_the_same_both_ways());
    assert_eq!(grid.uniform_cost(), None);
    grid.apply(&Batch::undoing(&changes)).unwrap();
    assert!(!grid.is_shaped() && !grid.map().has_relief() && grid.is_all_level());
    assert_eq!((grid.uniform_cost(), grid.fingerprint()), (Some(1), before));
}

#[test]
fn borders_that_are_none_are_refused_and_nothing_is_changed() {
    let mut grid = Grid::with_defaults("...\n...\n".parse().unwrap());
    let refused = |grid: &mut Grid, from: (u32, u32), to: (u32, u32)| {
        let mut batch = Batch::new();
        batch.set((0, 0), Terrain::WALL).border(from, to, Border::Closed);
        grid.apply(&batch).unwrap_err()
    };
    let no_border = |from, to| EditError::NoBorder { from, to };
    let (a, b) = (Cell::new(0, 0), Cell::new(1, 1));
    assert_eq!(refused(&mut grid, (0, 0), (1, 1)), no_border(a, b));
    assert_eq!(refused(&mut grid, (0, 0), (0, 0)), no_border(a, a));
    let error = refused(&mut grid, (0, 0), (2, 0));
    assert_eq!(
        error.to_string(),
        "there is no border between (0, 0) and (2, 0): they are not neighbours in a row or column; nothing was changed"
    );
    let extent = grid.extent();
    let outside = |x, y| EditError::Outside { cell: Cell::new(x, y), extent };
    assert_eq!(refused(&mut grid, (2, 0), (3, 0)), outside(3, 0));
    assert_eq!(refused(&mut grid, (1, 2), (1, 1)), outside(1, 2));
    let mut batch = Batch::new();
    batch.height(CellRect::new((0, 0), (7, 0)), 3);
    assert_eq!(grid.apply(&batch), Err(outside(3, 0)));
    assert_eq!(grid.map().to_string(), "...\n...\n");
}

#[test]
fn heights_mean_nothing_to_kinds_without_slopes() {
    let walkers = Grid::with_defaults("...\n".parse().unwrap());
    let climbers = Movement::default().with_slopes(Slopes::new().with_climb_max(2)).unwrap();
    let mut kinds = [walkers.another_kind(crate::KindId(1), climbers), walkers];
    Grid::apply_to_all(&mut kinds, Batch::new().height(Cell::new(1, 0).into(), 5)).unwrap();
    let [climbers, walkers] = &kinds;
    let (low, high) = (Cell::new(0, 0), Cell::new(1, 0));
    assert_eq!((climbers.step_cost(low, high), climbers.step_cost(high, low)), (None, Some(4756)));
    assert!(!walkers.is_shaped());
    assert_eq!(walkers.step_cost(low, high), Some(4756));
}
