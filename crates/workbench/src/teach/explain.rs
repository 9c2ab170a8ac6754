//! Why a path costs what it costs, which way is best without a cell, and what an edit would change.

use highroad::grid::{Batch, Grid, PaidCells};
use highroad::online::GridSearch;
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad::{Cell, Cost, Path, Terrain};
use std::collections::BTreeMap;

/// What one kind of ground takes of a path's cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPart {
    /// The kind of ground; `None` for surcharges.
    pub terrain: Option<Terrain>,
    /// How many cells of the path are of it.
    pub cells: u32,
    /// What it takes of the cost, in straight steps over plain ground.
    pub cost: f64,
}

/// What a path's cost consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCosts {
    /// By kind of ground, the largest first; then surcharges, if there are some.
    pub parts: Vec<CostPart>,
    /// How many straight steps there are.
    pub straight: usize,
    /// How many diagonal steps there are.
    pub diagonal: usize,
    /// The whole, in straight steps over plain ground.
    pub total: f64,
}

/// What a straight step over ground of cost 1 takes.
fn unit(grid: &Grid) -> f64 {
    grid.movement().steps().straight_steps(1).0 as f64
}

/// What a path's cost consists of.
pub fn explain_path(grid: &Grid, path: &Path) -> PathCosts {
    let steps = grid.movement().steps();
    let mut by_terrain: BTreeMap<u8, (u32, u64)> = BTreeMap::new();
    let (mut surcharged, mut surcharges) = (0, 0);
    let mut pay = |cell: Cell, times: u64| {
        let Some(terrain) = grid.map().terrain(cell) else { return };
        let cost = grid.movement().profile().cost_of(terrain).unwrap_or(0);
        by_terrain.entry(terrain.letter()).or_default().1 += times * u64::from(cost);
        surcharges += times * u64::from(grid.surcharge_of(cell).unwrap_or(0));
    };
    for pair in path.cells().windows(2) {
        let (dx, dy) = pair[0].offset(pair[1]);
        let factor = u64::from(if dx + dy == 2 { steps.diagonal() } else { steps.straight() });
        match grid.movement().paid_cells() {
            PaidCells::Entered => pay(pair[1], 2 * factor),
            _ => pair.iter().for_each(|&cell| pay(cell, factor)),
        }
    }
    for &cell in path.cells() {
        if let Some(terrain) = grid.map().terrain(cell) {
            by_terrain.entry(terrain.letter()).or_default().0 += 1;
        }
        surcharged += u32::from(grid.surcharge_of(cell).is_some_and(|amount| amount > 0));
    }
    let unit = unit(grid);
    let part = |(letter, (cells, cost)): (u8, (u32, u64))| CostPart {
        terrain: Terrain::from_letter(letter),
        cells,
        cost: cost as f64 / unit,
    };
    let mut parts: Vec<CostPart> = by_terrain.into_iter().map(part).collect();
    parts.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    if surcharged > 0 {
        parts.push(CostPart { terrain: None, cells: surcharged, cost: surcharges as f64 / unit });
    }
    PathCosts {
        parts,
        straight: path.straight_steps(),
        diagonal: path.diagonal_steps(),
        total: path.cost().0 as f64 / unit,
    }
}

/// The cheapest path that does not enter a cell; `None` if there is none, or if the cell is an end of it.
pub fn best_without(grid: &Grid, (start, goal): (Cell, Cell), cell: Cell) -> Option<Path> {
    if cell == start || cell == goal {
        return None;
    }
    let query = PathQuery::new(start, goal).with_obstacles(vec![cell]);
    let answer = GridSearch::astar().solve(grid, &query, &mut Scratch::new()).ok()?;
    answer.path()
}

/// What an edit would do to the cheapest path.
#[derive(Clone, Debug, PartialEq)]
pub enum EditEffect {
    /// The cell is of that kind already.
    AlreadySo,
    /// The cell is the start or the goal, and could not be entered any more.
    BlocksEnd,
    /// The cheapest path costs as much as before.
    Nothing,
    /// There would be no path any more.
    CutsOff,
    /// There would be a path where there is none.
    Opens {
        /// What it would cost, in straight steps over plain ground.
        cost: f64,
    },
    /// The cheapest path would cost more, or less.
    Changes {
        /// By how much, in straight steps over plain ground; negative if it gets cheaper.
        by: f64,
        /// The cost before.
        before: f64,
    },
}

impl EditEffect {
    /// In a sentence.
    pub fn text(&self, what: &str) -> String {
        let number = super::counting::number;
        match self {
            Self::AlreadySo => format!("This is {what} already."),
            Self::BlocksEnd => "The path begins or ends here.".to_owned(),
            Self::Nothing => format!("With {what} here, the cheapest path would cost the same."),
            Self::CutsOff => format!("With {what} here, no path would be left."),
            Self::Opens { cost } => {
                format!("With {what} here, there would be a path, at cost {}.", number(*cost))
            }
            Self::Changes { by, before } => {
                let (amount, word) = (by.abs(), if *by > 0.0 { "more" } else { "less" });
                let percent = amount / before.max(f64::MIN_POSITIVE) * 100.0;
                format!(
                    "With {what} here, the cheapest path would cost {} {word} ({} %).",
                    number(amount),
                    number(percent)
                )
            }
        }
    }
}

/// What it would change if a cell became another kind of ground.
pub fn effect_of(
    grid: &Grid,
    ends: (Cell, Cell),
    cell: Cell,
    terrain: Terrain,
    scratch: &mut Scratch,
) -> EditEffect {
    if grid.map().terrain(cell) == Some(terrain) {
        return EditEffect::AlreadySo;
    }
    let mut edited = grid.clone();
    let mut batch = Batch::new();
    batch.set(cell, terrain);
    if edited.apply(&batch).is_err() {
        return EditEffect::Nothing;
    }
    if (cell == ends.0 || cell == ends.1) && !edited.is_enterable(cell) {
        return EditEffect::BlocksEnd;
    }
    let mut cost = |grid: &Grid| -> Option<Cost> {
        let query = PathQuery::new(ends.0, ends.1);
        match GridSearch::astar().solve(grid, &query, scratch) {
            Ok(Answer::Found(path)) => Some(path.cost()),
            _ => None,
        }
    };
    let unit = unit(grid);
    let in_steps = |cost: Cost| cost.0 as f64 / unit;
    match (cost(grid), cost(&edited)) {
        (None, None) => EditEffect::Nothing,
        (Some(_), None) => EditEffect::CutsOff,
        (None, Some(after)) => EditEffect::Opens { cost: in_steps(after) },
        (Some(before), Some(after)) if before == after => EditEffect::Nothing,
        (Some(before), Some(after)) => {
            EditEffect::Changes { by: in_steps(after) - in_steps(before), before: in_steps(before) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::CellRect;
    use highroad::grid::{Movement, MovementRule, Profile, StepCosts};

    fn swampy(paid: PaidCells) -> Grid {
        let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
        let movement = Movement::new(profile, MovementRule::FourWay, StepCosts::UNIT).unwrap();
        Grid::new("..SS..\n".parse().unwrap(), movement.with_paid_cells(paid))
    }

    fn path(grid: &Grid, ends: (Cell, Cell)) -> Path {
        let query = PathQuery::new(ends.0, ends.1);
        GridSearch::astar().solve(grid, &query, &mut Scratch::new()).unwrap().path().unwrap()
    }

    #[test]
    fn parts_add_up_to_the_cost() {
        for paid in [PaidCells::Both, PaidCells::Entered] {
            let mut grid = swampy(paid);
            let mut batch = Batch::new();
            batch.surcharge(CellRect::new((4, 0), (4, 0)), 2);
            grid.apply(&batch).unwrap();
            let path = path(&grid, (Cell::new(0, 0), Cell::new(5, 0)));
            let costs = explain_path(&grid, &path);
            let sum: f64 = costs.parts.iter().map(|part| part.cost).sum();
            assert!((sum - costs.total).abs() < 1e-9, "{costs:?}");
            assert_eq!((costs.straight, costs.diagonal), (5, 0));
            assert_eq!(costs.parts[0].terrain, Some(Terrain::SWAMP));
            assert_eq!((costs.parts[0].cells, costs.parts[0].cost), (2, 6.0));
            let surcharges = costs.parts.last().unwrap();
            assert_eq!((surcharges.terrain, surcharges.cells, surcharges.cost), (None, 1, 2.0));
        }
    }

    #[test]
    fn the_best_path_without_a_cell_goes_round_it() {
        let grid = Grid::with_defaults("...\n.#.\n...\n".parse().unwrap());
        let ends = (Cell::new(0, 1), Cell::new(2, 1));
        let usual = path(&grid, ends);
        let avoided = usual.cells()[2];
        let other = best_without(&grid, ends, avoided).unwrap();
        assert!(!other.cells().contains(&avoided));
        assert_eq!(other.cost(), usual.cost(), "the other side is as good");
        assert!(best_without(&grid, ends, ends.0).is_none());
        let narrow = Grid::with_defaults("...\n".parse().unwrap());
        assert!(
            best_without(&narrow, (Cell::new(0, 0), Cell::new(2, 0)), Cell::new(1, 0)).is_none()
        );
    }

    #[test]
    fn edits_are_foreseen() {
        let grid = Grid::with_defaults("....\n.##.\n....\n".parse().unwrap());
        let ends = (Cell::new(0, 0), Cell::new(3, 0));
        let mut scratch = Scratch::new();
        let mut effect =
            |x, y, terrain| effect_of(&grid, ends, Cell::new(x, y), terrain, &mut scratch);
        assert_eq!(effect(1, 2, Terrain::WALL), EditEffect::Nothing);
        assert_eq!(effect(1, 1, Terrain::WALL), EditEffect::AlreadySo);
        assert_eq!(effect(0, 0, Terrain::WALL), EditEffect::BlocksEnd);
        let longer = effect(1, 0, Terrain::WALL);
        assert_eq!(longer, EditEffect::Changes { by: 4.0, before: 3.0 });
        let text = longer.text("a wall");
        assert_eq!(text, "With a wall here, the cheapest path would cost 4 more (133.33 %).");
        let cut = Grid::with_defaults(".#.\n".parse().unwrap());
        let ends = (Cell::new(0, 0), Cell::new(2, 0));
        assert_eq!(
            effect_of(&cut, ends, Cell::new(1, 0), Terrain::GROUND, &mut scratch),
            EditEffect::Opens { cost: 2.0 }
        );
        let open = Grid::with_defaults("...\n".parse().unwrap());
        assert_eq!(
            effect_of(&open, ends, Cell::new(1, 0), Terrain::WALL, &mut scratch),
            EditEffect::CutsOff
        );
    }
}
