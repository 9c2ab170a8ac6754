//! A plain Dijkstra that nobody optimises: what every planner is measured against.
//!
//! It shares nothing with the searches of highroad-core. Legal steps and their costs are worked out here from
//! the definitions, cell by cell, out of the map's letters and the profile's answers about them.

use highroad_core::{Cell, Domain, GridMap, MovementRule, PaidCells, Profile, StepCosts};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Everything that decides which steps there are and what they cost.
pub struct Oracle<'a> {
    /// The terrain of each cell.
    pub map: &'a GridMap,
    /// What terrain costs the agent.
    pub profile: &'a Profile,
    /// Which diagonal steps are allowed.
    pub rule: MovementRule,
    /// What a step costs on terrain of cost 1.
    pub steps: StepCosts,
    /// Which cells a step is paid for.
    pub paid: PaidCells,
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
            let (_, cost) = self.neighbours(step[0]).into_iter().find(|to| to.0 == step[1])?;
            Some(sum + cost)
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
        if dx == 0 || dy == 0 {
            return Some((to, u64::from(self.steps.straight()) * sum));
        }
        // The two cells that a diagonal step squeezes past.
        let sides = [joins(moved(from, dx, 0)), joins(moved(from, 0, dy))];
        let allowed = match self.rule {
            MovementRule::FourWay => false,
            MovementRule::NeverCutCorners => sides[0] && sides[1],
            MovementRule::AtMostOneObstacle => sides[0] || sides[1],
            MovementRule::AlwaysDiagonal => true,
        };
        allowed.then(|| (to, u64::from(self.steps.diagonal()) * sum))
    }

    fn domain(&self, cell: Cell) -> Option<Domain> {
        self.profile.domain_of(self.map.terrain(cell)?)
    }

    fn cell_cost(&self, cell: Cell) -> Option<u64> {
        let terrain = self.profile.cost_of(self.map.terrain(cell)?)?;
        let surcharge = self.surcharges.get(&cell).copied().unwrap_or(0);
        Some(u64::from(terrain) + u64::from(surcharge))
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
