//! A plain Dijkstra that nobody optimises: what every planner is measured against.
//!
//! It shares nothing with the searches of highroad-core. Legal steps and their costs are worked out here from
//! the definitions, cell by cell, out of the map's letters and the profile's answers about them.

use highroad_core::{
    Border, BorderSide, Cell, CellRect, Domain, Footprint, FootprintCost, GridMap, KindId, Link,
    MovementRule, PaidCells, Profile, Slopes, StepCosts,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Everything that decides which steps there are and what they cost.
pub struct Oracle<'a> {
    /// The terrain of each cell, borders and heights.
    pub map: &'a GridMap,
    /// What terrain costs the agent.
    pub profile: &'a Profile,
    /// Which diagonal steps are allowed.
    pub rule: MovementRule,
    /// What a step costs on terrain of cost 1.
    pub steps: StepCosts,
    /// Which cells a step is paid for.
    pub paid: PaidCells,
    /// Which cells the agent covers, and what it pays for them.
    pub footprint: Footprint,
    /// What heights mean to the agent.
    pub slopes: Slopes,
    /// What some cells cost in addition.
    pub surcharges: &'a BTreeMap<Cell, u16>,
}

/// What a way is measured in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The sum of the costs of its steps.
    Cost,
    /// The number of its steps.
    Steps,
}

/// How far it is from the starts to every cell that can be reached.
pub struct Reach {
    distances: HashMap<Cell, u64>,
}

impl Oracle<'_> {
    /// How far every cell is from the nearest of some starts.
    pub fn reach(&self, starts: &[Cell], measure: Measure) -> Reach {
        let mut distances: HashMap<Cell, u64> = HashMap::new();
        let mut open = BinaryHeap::new();
        for &start in starts {
            open.push(Reverse((0, start)));
        }
        while let Some(Reverse((distance, cell))) = open.pop() {
            if distances.contains_key(&cell) {
                continue;
            }
            distances.insert(cell, distance);
            for (neighbour, cost) in self.neighbours(cell) {
                let step = if measure == Measure::Steps { 1 } else { cost };
                open.push(Reverse((distance + step, neighbour)));
            }
        }
        Reach { distances }
    }

    /// What it costs to walk those cells in order; `None` if a step is not allowed.
    pub fn walk(&self, cells: &[Cell]) -> Option<u64> {
        self.domain(*cells.first()?)?;
        cells.windows(2).try_fold(0, |sum, step| {
            let there = self.neighbours(step[0]).into_iter().filter(|to| to.0 == step[1]);
            Some(sum + there.map(|(_, cost)| cost).min()?)
        })
    }

    fn neighbours(&self, from: Cell) -> Vec<(Cell, u64)> {
        let mut found = Vec::new();
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dx, dy) != (0, 0)
                    && let Some(step) = self.step(from, dx, dy)
                {
                    found.push(step);
                }
            }
        }
        // The agent of a situation is of the kind that needs no name.
        let for_all = |link: &&Link| link.kind.is_none_or(|kind| kind == KindId::DEFAULT);
        for link in self.map.link_list().iter().filter(for_all) {
            let joins =
                self.domain(link.from).is_some() && self.domain(link.from) == self.domain(link.to);
            if joins && link.from == from {
                found.push((link.to, u64::from(link.cost)));
            }
            if joins && link.both_ways && link.to == from {
                found.push((link.from, u64::from(link.cost)));
            }
        }
        found
    }

    /// Where a step leads and what it costs, if it is allowed.
    fn step(&self, from: Cell, dx: i64, dy: i64) -> Option<(Cell, u64)> {
        let to = moved(from, dx, dy)?;
        let home = self.domain(from)?;
        let joins = |cell: Option<Cell>| cell.and_then(|cell| self.domain(cell)) == Some(home);
        if !joins(Some(to)) {
            return None;
        }
        let sum = match self.paid {
            PaidCells::Entered => 2 * self.cell_cost(to)?,
            _ => self.cell_cost(from)? + self.cell_cost(to)?,
        };
        let slope = self.slope(from, to);
        if dx == 0 || dy == 0 {
            let open =
                self.gets_across(from, dx, dy, |cell, dx, dy| self.crosses(cell, dx, dy, true));
            return open.then(|| (to, u64::from(self.steps.straight()) * sum + slope));
        }
        // The two cells that a diagonal step squeezes past.
        let sides = [joins(moved(from, dx, 0)), joins(moved(from, 0, dy))];
        let allowed = match self.rule {
            MovementRule::FourWay => false,
            MovementRule::NeverCutCorners => sides[0] && sides[1],
            MovementRule::AtMostOneObstacle => sides[0] || sides[1],
            MovementRule::AlwaysDiagonal => true,
        };
        let open = allowed && self.gets_past(from, dx, dy, sides);
        open.then(|| (to, u64::from(self.steps.diagonal()) * sum + slope))
    }

    /// Whether borders and heights let a diagonal step pass, beside which the agent fits at those sides.
    fn gets_past(&self, from: Cell, dx: i64, dy: i64, fits: [bool; 2]) -> bool {
        // Who may step past blocked corners may step past high ones.
        let heights = self.rule != MovementRule::AlwaysDiagonal;
        let crosses = |cell, dx, dy| self.crosses(cell, dx, dy, heights);
        let round = |(first_dx, first_dy): (i64, i64), (then_dx, then_dy): (i64, i64)| {
            let corner = moved(from, first_dx, first_dy);
            self.gets_across(from, first_dx, first_dy, crosses)
                && corner.is_some_and(|corner| self.gets_across(corner, then_dx, then_dy, crosses))
        };
        let ways = [round((dx, 0), (0, dy)), round((0, dy), (dx, 0))];
        let open = match self.rule {
            MovementRule::FourWay => false,
            MovementRule::NeverCutCorners => ways[0] && ways[1],
            MovementRule::AtMostOneObstacle => (0..2).any(|way| ways[way] && fits[way]),
            MovementRule::AlwaysDiagonal => ways[0] || ways[1],
        };
        let climbs = |&cell: &Cell| moved(cell, dx, dy).is_some_and(|to| self.climbs(cell, to));
        let whole =
            |to: Cell| !self.is_divided(to, |cell, dx, dy| self.crosses(cell, dx, dy, true));
        open && moved(from, dx, dy).is_some_and(whole) && self.covered(from).iter().all(climbs)
    }

    /// Whether all cells of the agent get across when it makes a straight step, and no wall is under it then.
    fn gets_across(
        &self,
        from: Cell,
        dx: i64,
        dy: i64,
        crosses: impl Fn(Cell, i64, i64) -> bool,
    ) -> bool {
        let Some(to) = moved(from, dx, dy) else { return false };
        self.covered(from).into_iter().all(|cell| crosses(cell, dx, dy))
            && !self.is_divided(to, crosses)
    }

    /// Whether something that cannot be crossed either way runs under an agent at a cell.
    fn is_divided(&self, at: Cell, crosses: impl Fn(Cell, i64, i64) -> bool) -> bool {
        let covered = self.covered(at);
        covered.iter().any(|&cell| {
            [(1, 0), (0, 1)].into_iter().any(|(dx, dy)| {
                let beside = moved(cell, dx, dy).filter(|beside| covered.contains(beside));
                beside.is_some_and(|beside| !crosses(cell, dx, dy) && !crosses(beside, -dx, -dy))
            })
        })
    }

    /// Whether one cell lets pass to a neighbour in its row or column; if not asked otherwise, whatever their heights.
    fn crosses(&self, from: Cell, dx: i64, dy: i64, heights: bool) -> bool {
        let Some(to) = moved(from, dx, dy) else { return false };
        let (named, onwards) = if dx + dy > 0 { (from, true) } else { (to, false) };
        let side = if dx != 0 { BorderSide::East } else { BorderSide::South };
        let open = match self.map.border(named, side) {
            Some(Border::Open) => true,
            Some(Border::OneWay) => onwards,
            Some(Border::OneWayBack) => !onwards,
            Some(Border::Closed) | None => false,
        };
        open && (!heights || self.climbs(from, to))
    }

    /// Whether the difference in height between two cells is within limits; it counts where both can be entered.
    fn climbs(&self, from: Cell, to: Cell) -> bool {
        let enterable =
            |cell| self.map.terrain(cell).and_then(|at| self.profile.cost_of(at)).is_some();
        let height = |cell| self.map.height(cell).map_or(0, i64::from);
        let rise = height(to) - height(from);
        let (climb, drop) = (self.slopes.climb_max().into(), i64::from(self.slopes.drop_max()));
        !enterable(from) || !enterable(to) || (rise <= climb && -rise <= drop)
    }

    /// What a step costs for the height: that of the covered cell that costs most.
    fn slope(&self, from: Cell, to: Cell) -> u64 {
        let height = |cell| self.map.height(cell).map_or(0, i64::from);
        let price = |(from, to): (Cell, Cell)| {
            let rise = height(to) - height(from);
            let factor = if rise > 0 { self.slopes.uphill() } else { self.slopes.downhill() };
            let straight = 2 * u64::from(self.steps.straight());
            rise.unsigned_abs() * u64::from(factor) * straight / 100
        };
        let pairs = self.covered(from).into_iter().zip(self.covered(to));
        pairs.map(price).max().unwrap_or(0)
    }

    /// Whether an agent can stand at a cell.
    pub fn may_stand(&self, cell: Cell) -> bool {
        self.domain(cell).is_some()
    }

    /// The cells that an agent covers, also outside the map.
    fn covered(&self, cell: Cell) -> Vec<Cell> {
        let reach = u32::from(self.footprint.size()) - 1;
        CellRect::new(cell, (cell.x + reach, cell.y + reach)).cells().collect()
    }

    /// The one domain that all covered cells lie in.
    fn domain(&self, cell: Cell) -> Option<Domain> {
        let domain = |cell: Cell| self.profile.domain_of(self.map.terrain(cell)?);
        let home = domain(cell)?;
        self.covered(cell).into_iter().all(|at| domain(at) == Some(home)).then_some(home)
    }

    /// What all covered cells cost, by the footprint's rule.
    fn cell_cost(&self, cell: Cell) -> Option<u64> {
        let mut costs = Vec::new();
        for at in self.covered(cell) {
            let terrain = self.profile.cost_of(self.map.terrain(at)?)?;
            let surcharge = self.surcharges.get(&at).copied().unwrap_or(0);
            costs.push(u64::from(terrain) + u64::from(surcharge));
        }
        match self.footprint.cost() {
            FootprintCost::Mean => Some(costs.iter().sum::<u64>().div_ceil(costs.len() as u64)),
            _ => costs.into_iter().max(),
        }
    }
}

impl Reach {
    /// The distance from the nearest start; `None` where no way leads.
    pub fn distance(&self, cell: Cell) -> Option<u64> {
        self.distances.get(&cell).copied()
    }

    /// The distance to whichever of some goals is nearest by walking.
    pub fn to_any(&self, goals: &[Cell]) -> Option<u64> {
        goals.iter().filter_map(|&goal| self.distance(goal)).min()
    }

    /// How near, as the crow flies, the starts can come to any of some goals.
    pub fn least_remoteness(&self, goals: &[Cell]) -> Option<u64> {
        self.distances.keys().filter_map(|&cell| remoteness(cell, goals)).min()
    }
}

/// The octile distance to the nearest of some goals, with 2378 a straight step and 3363 a diagonal.
pub fn remoteness(cell: Cell, goals: &[Cell]) -> Option<u64> {
    let octile = |goal: &Cell| {
        let (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
        let (long, short) = (columns.max(rows), columns.min(rows));
        2378 * u64::from(long - short) + 3363 * u64::from(short)
    };
    goals.iter().map(octile).min()
}

/// The cell so many columns and rows away, unless that is left of or above the map.
fn moved(cell: Cell, dx: i64, dy: i64) -> Option<Cell> {
    let x = u32::try_from(i64::from(cell.x) + dx).ok()?;
    let y = u32::try_from(i64::from(cell.y) + dy).ok()?;
    Some(Cell { x, y })
}
