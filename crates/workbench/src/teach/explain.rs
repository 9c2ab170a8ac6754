//! Why a path costs what it costs, which way is best without a cell, and what an edit would change.

use highroad::grid::{Batch, Grid, PaidCells};
use highroad::online::GridSearch;
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad::{Cell, Cost, Path, Terrain};
use std::collections::BTreeMap;

/// What a part of a path's cost is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostSource {
    /// A kind of ground.
    Terrain(Terrain),
    /// What cells cost on top of their ground.
    Surcharges,
    /// Going up and down.
    Slopes,
    /// Ladders, doors, portals.
    Links,
}

/// What one thing takes of a path's cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPart {
    /// What it is for.
    pub source: CostSource,
    /// How many cells of the path are of it; of slopes, how many steps; of links, how many of them.
    pub count: u32,
    /// What it takes of the cost, in straight steps over plain ground.
    pub cost: f64,
}

/// What a path's cost consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCosts {
    /// By kind of ground, the largest first; then surcharges, slopes and links, if there are some.
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

/// A count and a cost, in the engine's numbers.
type Sum = (u32, u64);

/// What the cells and steps of a path take, by what it is for.
#[derive(Default)]
struct Sums {
    terrains: BTreeMap<u8, Sum>,
    surcharges: Sum,
    slopes: Sum,
    links: Sum,
}

impl Sums {
    /// Adds what a cell takes of a step that counts it so often. A large agent pays for the most costly cell under it.
    fn pay(&mut self, grid: &Grid, cell: Cell, times: u64) {
        let Some((terrain, cost, surcharge)) = most_costly(grid, cell) else { return };
        self.terrains.entry(terrain.letter()).or_default().1 += times * cost;
        self.surcharges.1 += times * surcharge;
    }

    /// Adds a step that is no link.
    fn step(&mut self, grid: &Grid, from: Cell, to: Cell) {
        let steps = grid.movement().steps();
        let (dx, dy) = from.offset(to);
        let factor = u64::from(if dx + dy == 2 { steps.diagonal() } else { steps.straight() });
        let cost = |cell: Cell| u64::from(grid.cost_of(cell).unwrap_or(0));
        let level = match grid.movement().paid_cells() {
            PaidCells::Entered => {
                self.pay(grid, to, 2 * factor);
                2 * factor * cost(to)
            }
            _ => {
                [from, to].into_iter().for_each(|cell| self.pay(grid, cell, factor));
                factor * (cost(from) + cost(to))
            }
        };
        let slope = grid.step_cost(from, to).map_or(0, u64::from).saturating_sub(level);
        if slope > 0 {
            self.slopes = (self.slopes.0 + 1, self.slopes.1 + slope);
        }
    }
}

/// The most costly cell under an agent at a cell: its terrain, what that costs, and its surcharge.
fn most_costly(grid: &Grid, cell: Cell) -> Option<(Terrain, u64, u64)> {
    let side = u32::from(grid.movement().footprint().size());
    let covered = (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy)));
    let costs = covered.filter_map(|(dx, dy)| {
        let cell = Cell::new(cell.x.checked_add(dx)?, cell.y.checked_add(dy)?);
        let terrain = grid.map().terrain(cell)?;
        let cost = u64::from(grid.movement().profile().cost_of(terrain).unwrap_or(0));
        Some((terrain, cost, u64::from(grid.surcharge_of(cell).unwrap_or(0))))
    });
    costs.max_by_key(|(_, cost, surcharge)| cost + surcharge)
}

/// What a path's cost consists of.
pub fn explain_path(grid: &Grid, path: &Path) -> PathCosts {
    let mut sums = Sums::default();
    let links: BTreeMap<usize, u64> =
        path.links(grid).map(|(at, link)| (at, u64::from(link.cost))).collect();
    for (at, pair) in path.cells().windows(2).enumerate() {
        match links.get(&at) {
            Some(cost) => sums.links = (sums.links.0 + 1, sums.links.1 + cost),
            None => sums.step(grid, pair[0], pair[1]),
        }
    }
    for (terrain, _, surcharge) in path.cells().iter().filter_map(|&cell| most_costly(grid, cell)) {
        sums.terrains.entry(terrain.letter()).or_default().0 += 1;
        sums.surcharges.0 += u32::from(surcharge > 0);
    }
    let unit = unit(grid);
    let part = |source, (count, cost): Sum| CostPart { source, count, cost: cost as f64 / unit };
    let terrain = |(letter, sum)| {
        Terrain::from_letter(letter).map(|terrain| part(CostSource::Terrain(terrain), sum))
    };
    let mut parts: Vec<CostPart> = sums.terrains.into_iter().filter_map(terrain).collect();
    parts.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let others = [
        (CostSource::Surcharges, sums.surcharges),
        (CostSource::Slopes, sums.slopes),
        (CostSource::Links, sums.links),
    ];
    let others = others.into_iter().filter(|(_, sum)| sum.0 > 0);
    parts.extend(others.map(|(source, sum)| part(source, sum)));
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
    /// The cell is like that already.
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

/// What an edit of a cell would change.
pub fn effect_of(
    grid: &Grid,
    ends: (Cell, Cell),
    cell: Cell,
    edit: &Batch,
    scratch: &mut Scratch,
) -> EditEffect {
    let mut edited = grid.clone();
    match edited.apply(edit) {
        Ok(changes) if changes.is_empty() => return EditEffect::AlreadySo,
        Ok(_) => {}
        Err(_) => return EditEffect::Nothing,
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
    use highroad::grid::{
        Border, Footprint, Link, Movement, MovementRule, Profile, Slopes, StepCosts,
    };

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
            let part = |source, count, cost| CostPart { source, count, cost };
            assert_eq!(costs.parts[0], part(CostSource::Terrain(Terrain::SWAMP), 2, 6.0));
            assert_eq!(costs.parts.last(), Some(&part(CostSource::Surcharges, 1, 2.0)));
        }
    }

    #[test]
    fn slopes_and_links_are_parts_of_the_cost() {
        let steps = StepCosts::new(100, 141).unwrap();
        let movement = Movement::new(Profile::movingai(), MovementRule::FourWay, steps).unwrap();
        let slopes = Slopes::new().with_uphill(50).with_downhill(10);
        let mut grid =
            Grid::new("...#...\n".parse().unwrap(), movement.with_slopes(slopes).unwrap());
        let mut batch = Batch::new();
        batch.height(Cell::new(1, 0).into(), 2).open_link(Link::new((2, 0), (4, 0), 700));
        grid.apply(&batch).unwrap();
        let path = path(&grid, (Cell::new(0, 0), Cell::new(6, 0)));
        let costs = explain_path(&grid, &path);
        let part = |source, count, cost| CostPart { source, count, cost };
        let expected = [
            part(CostSource::Terrain(Terrain::GROUND), 6, 4.0),
            part(CostSource::Slopes, 2, 2.0 * 0.5 + 2.0 * 0.1),
            part(CostSource::Links, 1, 3.5),
        ];
        assert_eq!(costs.parts, expected);
        assert_eq!(costs.total, 4.0 + 1.2 + 3.5);
    }

    #[test]
    fn a_large_agent_pays_for_the_most_costly_cell_under_it() {
        let profile = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
        let movement = Movement::new(profile, MovementRule::FourWay, StepCosts::UNIT).unwrap();
        let movement = movement.with_footprint(Footprint::new(2).unwrap());
        let grid = Grid::new("......\n..S...\n".parse().unwrap(), movement);
        let path = path(&grid, (Cell::new(0, 0), Cell::new(4, 0)));
        let costs = explain_path(&grid, &path);
        let sum: f64 = costs.parts.iter().map(|part| part.cost).sum();
        assert_eq!((sum, costs.parts[0].count), (costs.total, 2), "{costs:?}");
        assert_eq!(costs.parts[0].source, CostSource::Terrain(Terrain::SWAMP));
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
        let mut effect_on = |grid: &Grid, ends: (Cell, Cell), cell: Cell, terrain| {
            effect_of(grid, ends, cell, Batch::new().set(cell, terrain), &mut scratch)
        };
        let mut effect = |x, y, terrain| effect_on(&grid, ends, Cell::new(x, y), terrain);
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
            effect_on(&cut, ends, Cell::new(1, 0), Terrain::GROUND),
            EditEffect::Opens { cost: 2.0 }
        );
        let open = Grid::with_defaults("...\n".parse().unwrap());
        assert_eq!(effect_on(&open, ends, Cell::new(1, 0), Terrain::WALL), EditEffect::CutsOff);
        let (cell, mut batch) = (Cell::new(1, 0), Batch::new());
        batch.height(cell.into(), 0);
        assert_eq!(effect_of(&open, ends, cell, &batch, &mut scratch), EditEffect::AlreadySo);
        batch.border(cell, (2, 0), Border::Closed);
        assert_eq!(effect_of(&open, ends, cell, &batch, &mut scratch), EditEffect::CutsOff);
    }
}
