//! Flow fields against a plain search, and repaired ones against new ones.

use super::*;
use crate::grid::{
    Batch, Border, BorderSide, Footprint, GridMap, Link, Movement, MovementRule, PaidCells,
    Profile, Slopes, StepCosts, Terrain,
};
use proptest::prelude::*;

const WIDTH: u32 = 23;
const HEIGHT: u32 = 17;

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as u32 % limit
    }

    fn cell(&mut self) -> Cell {
        Cell::new(self.below(WIDTH), self.below(HEIGHT))
    }

    fn goals(&mut self, grid: &Grid) -> Vec<(Cell, Cost)> {
        let count = 1 + self.below(4);
        let goal = |_| (self.cell(), Cost(u64::from(self.below(3) * self.below(9000))));
        let goals: Vec<(Cell, Cost)> = (0..count * 3).map(goal).collect();
        goals.into_iter().filter(|(cell, _)| grid.is_enterable(*cell)).collect()
    }
}

/// What each cell costs, found the plain way: over all cells again and again, until nothing changes.
fn plain_costs(grid: &Grid, goals: &[(Cell, Cost)]) -> Vec<Option<Cost>> {
    let mut costs = vec![None; grid.extent().cell_count()];
    let at = |cell: Cell| grid.extent().id_inside(cell).index();
    for &(goal, cost) in goals.iter().filter(|(goal, _)| grid.is_enterable(*goal)) {
        let own: &mut Option<Cost> = &mut costs[at(goal)];
        *own = Some(own.map_or(cost, |own| own.min(cost)));
    }
    loop {
        let mut changed = false;
        for cell in grid.extent().cells() {
            for (to, step) in grid.steps_from(cell) {
                let Some(rest) = costs[at(to)] else { continue };
                let offer = rest + Cost(u64::from(step));
                if costs[at(cell)].is_none_or(|own| offer < own) {
                    costs[at(cell)] = Some(offer);
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

fn random_grid(dice: &mut Dice, variety: u32) -> Grid {
    let density = 5 + dice.below(35);
    let terrain = |_| match dice.below(100) {
        number if number < density => Terrain::WALL,
        number if number > 85 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    };
    let map = GridMap::from_fn(WIDTH, HEIGHT, terrain).unwrap();
    let rules = MovementRule::ALL;
    let rule = rules[dice.below(rules.len() as u32) as usize];
    let profile = match variety {
        0 => Profile::movingai(),
        _ => Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap(),
    };
    let movement = Movement::new(profile, rule, StepCosts::EXACT).unwrap();
    let slopes = Slopes::new().with_climb_max(2).with_drop_max(3).with_uphill(70);
    Grid::new(
        map,
        match variety {
            2 => movement.with_paid_cells(PaidCells::Entered),
            3 => movement.with_slopes(slopes).unwrap(),
            4 => movement.with_footprint(Footprint::new(2).unwrap()),
            _ => movement,
        },
    )
}

fn random_batch(dice: &mut Dice, variety: u32) -> Batch {
    let mut batch = Batch::new();
    for _ in 0..1 + dice.below(3) {
        let from = dice.cell();
        let to = Cell::new(
            (from.x + dice.below(4)).min(WIDTH - 2).max(from.x),
            (from.y + dice.below(4)).min(HEIGHT - 2).max(from.y),
        );
        let rect = CellRect::new(from, to);
        match dice.below(if variety == 3 { 8 } else { 5 }) {
            0 => batch.fill(rect, Terrain::GROUND),
            1 => batch.set(from, Terrain::WALL),
            2 => batch.fill(rect, Terrain::WALL),
            3 => batch.fill(rect, Terrain::SWAMP),
            4 => batch.surcharge(rect, dice.below(4) as u16),
            5 => batch.height(rect, dice.below(5) as u16),
            6 if to.x + 1 < WIDTH => batch.borders(rect, BorderSide::East, Border::Closed),
            _ if to.y + 1 < HEIGHT => batch.borders(rect, BorderSide::South, Border::OneWay),
            _ => &mut batch,
        };
    }
    batch
}

/// A link that can be opened, or nothing.
fn random_link(dice: &mut Dice, grid: &Grid) -> Batch {
    let (from, to, cost) = (dice.cell(), dice.cell(), 1 + dice.below(40_000));
    let mut batch = Batch::new();
    if from != to && grid.is_enterable(from) && grid.is_enterable(to) {
        batch.open_link(Link::new(from, to, cost));
    }
    batch
}

/// Whatever is settled is right; if all is settled, nothing is missing.
fn check(field: &FlowField, goals: &[(Cell, Cost)]) {
    let grid = field.grid();
    let plain = plain_costs(grid, goals);
    for (cell, &expected) in grid.extent().cells().zip(&plain) {
        if field.is_complete() {
            assert_eq!(field.cost(cell), expected, "{cell}");
        }
        let Some(cost) = field.cost(cell) else {
            assert!(matches!(field.flow(cell), Flow::Unsettled | Flow::Unreachable), "{cell}");
            continue;
        };
        assert_eq!(Some(cost), expected, "{cell}");
        match field.flow(cell) {
            Flow::Next(next) => {
                let step = u64::from(grid.step_cost(cell, next).expect("a step or a link"));
                assert_eq!(field.cost(next), Some(Cost(cost.0 - step)), "{cell} to {next}");
            }
            Flow::Arrived => assert!(goals.contains(&(cell, cost)), "{cell}"),
            other => panic!("{cell} has a cost and is {other:?}"),
        }
    }
}

fn check_equal(field: &FlowField, fresh: &FlowField) {
    for cell in field.grid().extent().cells() {
        assert_eq!(field.cost(cell), fresh.cost(cell), "{cell}");
        assert_eq!(field.flow(cell), fresh.flow(cell), "{cell}");
    }
}

fn storm(seed: u64, variety: u32) {
    let mut dice = Dice(seed);
    let mut grid = random_grid(&mut dice, variety);
    let mut goals = dice.goals(&grid);
    if goals.is_empty() {
        return;
    }
    let mut field = FlowField::with_starting_costs(&grid, &goals).unwrap();
    for _ in 0..8 {
        field.advance(u64::from(dice.below(2) * dice.below(400)));
        check(&field, &goals);
        if dice.below(5) == 0 {
            let others = dice.goals(&grid);
            match field.set_goals(&others) {
                Ok(()) => goals = others,
                Err(_) => assert!(others.is_empty()),
            }
        }
        let batch = match dice.below(if variety == 3 { 4 } else { 8 }) {
            0 => random_link(&mut dice, &grid),
            _ => random_batch(&mut dice, variety),
        };
        let changes = grid.apply(&batch).unwrap();
        field.follow(&grid, &changes);
        if dice.below(4) == 0 {
            // What it knows already does no harm.
            field.follow(&grid, &changes);
        }
        check(&field, &goals);
        if dice.below(3) == 0 {
            field.finish();
            check(&field, &goals);
        }
    }
    field.finish();
    check(&field, &goals);
    let open: Vec<(Cell, Cost)> =
        goals.iter().filter(|(cell, _)| grid.is_enterable(*cell)).copied().collect();
    if let Ok(mut fresh) = FlowField::with_starting_costs(&grid, &open) {
        fresh.finish();
        check_equal(&field, &fresh);
        for cell in grid.extent().cells().step_by(7) {
            let Some(path) = field.path_from(cell) else { continue };
            assert_eq!(path.validate(&grid), Ok(()));
            let start = goals.iter().filter(|(goal, _)| *goal == path.goal()).map(|(_, cost)| cost);
            let start = *start.min().expect("it ends at a goal");
            assert_eq!(field.cost(cell), Some(path.cost() + start));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn repaired_fields_equal_new_ones_and_settled_cells_are_right_at_any_time(seed: u64) {
        for variety in 0..5 {
            storm(seed, variety);
        }
    }
}

#[test]
fn many_threads_read_the_same_directions() {
    let mut dice = Dice(3);
    let grid = random_grid(&mut dice, 1);
    let goals = dice.goals(&grid);
    let fields: Vec<FlowField> = (0..2)
        .map(|_| {
            let mut field = FlowField::with_starting_costs(&grid, &goals).unwrap();
            field.finish();
            field
        })
        .collect();
    std::thread::scope(|scope| {
        for offset in 0..4 {
            let (field, grid) = (&fields[0], &grid);
            scope.spawn(move || {
                grid.extent().cells().skip(offset).step_by(2).for_each(|cell| _ = field.flow(cell));
            });
        }
    });
    check_equal(&fields[0], &fields[1]);
}

#[test]
fn goals_are_checked_and_a_blocked_one_waits() {
    let mut grid = Grid::with_defaults("...\n.#.\n...\n".parse().unwrap());
    assert!(FlowField::towards(&grid, &[]).is_err());
    assert!(FlowField::towards(&grid, &[Cell::new(1, 1)]).is_err());
    assert!(FlowField::towards(&grid, &[Cell::new(3, 1)]).is_err());
    let goal = Cell::new(2, 2);
    let mut field = FlowField::towards(&grid, &[goal]).unwrap();
    field.finish();
    assert!(field.set_goals(&[]).is_err() && field.renew(&grid, &[Cell::new(1, 1)]).is_err());
    assert_eq!(field.flow(goal), Flow::Arrived, "as it was");
    let changes = grid.apply(Batch::new().set(goal, Terrain::WALL)).unwrap();
    field.follow(&grid, &changes);
    field.finish();
    assert!(grid.extent().cells().all(|cell| field.flow(cell) == Flow::Unreachable));
    let changes = grid.apply(Batch::new().set(goal, Terrain::GROUND)).unwrap();
    field.follow(&grid, &changes);
    assert_eq!(field.settle(Cell::new(0, 0)), Some(Cost::steps(4)));
    assert_eq!(field.goals().collect::<Vec<_>>(), [(goal, Cost::ZERO)]);
}

#[test]
fn a_grid_of_another_size_begins_again_with_the_goals_inside() {
    let small = Grid::with_defaults("..\n..\n".parse().unwrap());
    let large = Grid::with_defaults("....\n....\n....\n".parse().unwrap());
    let mut field = FlowField::towards(&large, &[Cell::new(3, 2), Cell::new(1, 0)]).unwrap();
    field.follow(&small, &[]);
    field.finish();
    assert_eq!(field.cost(Cell::new(0, 0)), Some(Cost::steps(1)));
    assert_eq!(field.flow(Cell::new(3, 2)), Flow::Unreachable);
}

#[test]
fn whoever_flees_gets_away_from_the_hunters() {
    let grid = Grid::with_defaults("..........\n.########.\n..........\n".parse().unwrap());
    let hunter = Cell::new(0, 1);
    let mut field = FlowField::away_from(&grid, &[hunter], 120).unwrap();
    field.finish();
    let path = field.path_from(Cell::new(1, 0)).unwrap();
    assert_eq!(path.goal(), Cell::new(9, 1), "as far away as possible");
}

#[test]
fn the_field_that_was_asked_for_longest_ago_makes_room() {
    let grid = Grid::with_defaults(GridMap::filled(64, 64, Terrain::GROUND).unwrap());
    let goal = |x: u32| [Cell::new(x, 0)];
    let mut probe = FlowField::towards(&grid, &goal(0)).unwrap();
    probe.finish();
    let mut fields = FlowFields::new(probe.memory_bytes() * 7 / 2);
    let ids: Vec<FlowId> = (0..3)
        .map(|x| {
            let id = fields.open(&grid, &goal(x)).unwrap();
            fields.advance(u64::MAX);
            id
        })
        .collect();
    assert!(fields.get(ids[0]).is_some(), "asked for again");
    assert!(fields.open(&grid, &[]).is_err() && fields.len() == 3, "nothing makes room for that");
    let fourth = fields.open(&grid, &[Cell::new(9, 0), Cell::new(9, 0)]).unwrap();
    assert_eq!((fields.len(), fields.get(ids[1]).is_none()), (3, true));
    assert!(!fields.is_complete());
    let whole = fields.advance(100) + fields.advance(u64::MAX);
    assert!(fields.is_complete() && fields.advance(u64::MAX) == 0 && whole >= 64 * 64);
    assert_eq!(fields.open(&grid, &[Cell::new(9, 0)]).unwrap(), fourth);
    assert!(fields.memory_bytes() <= probe.memory_bytes() * 7 / 2);
    for id in [ids[0], ids[2], fourth] {
        assert!(fields.get(id).is_some_and(|field| field.cost(Cell::new(63, 63)).is_some()));
    }
}
