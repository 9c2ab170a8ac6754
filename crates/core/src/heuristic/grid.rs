//! Distances on an open grid.
//!
//! On an open grid the cost between two cells depends only on the larger and the smaller of their
//! column and row distances, so most estimates are `per_max · max + per_min · min`: changing the
//! heuristic changes two numbers, not the loop.
//!
//! | heuristic | per max | per min | admissible and consistent under |
//! |---|---|---|---|
//! | zero | 0 | 0 | every rule |
//! | Manhattan | s | s | four-way; eight-way only if a diagonal costs two straights |
//! | octile | s | d − s | every rule |
//! | Chebyshev | s | 0 | every rule |
//! | Euclidean | √(max² + min²) · s | | four-way; eight-way if d ≥ √2 · s |
//! | Euclidean, rounded up to whole steps | ⌈√(max² + min²)⌉ · s | | four-way; as Manhattan else |
//!
//! Here *s* and *d* are the costs of a straight and a diagonal step between the cheapest cells.

use crate::grid::{Cell, CellId, Extent, Grid, MovementRule, StepCosts};
use crate::search::{Heuristic, Weight};
use crate::space::NodeId;

/// A way to estimate the cost between two cells.
///
/// ```
/// use highroad::grid::{MovementRule, StepCosts};
/// use highroad::heuristic::HeuristicKind;
/// let (rule, steps) = (MovementRule::NeverCutCorners, StepCosts::EXACT);
/// assert!(HeuristicKind::Octile.is_consistent(rule, steps));
/// assert!(HeuristicKind::Manhattan.overestimate(rule, steps) > 1.4, "not for diagonal steps");
/// assert!(HeuristicKind::Manhattan.is_admissible(MovementRule::FourWay, steps));
/// assert_eq!(HeuristicKind::from_name("octile").map(|kind| kind.name()), Some("octile"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeuristicKind {
    /// Nothing: turns A* into Dijkstra's algorithm.
    Zero,
    /// Columns plus rows: exact four-way on an open grid.
    Manhattan,
    /// As many diagonals as fit, then straight: exact eight-way on an open grid.
    #[default]
    Octile,
    /// The larger of columns and rows: exact where diagonals cost as much as straights.
    Chebyshev,
    /// The straight line.
    Euclidean,
    /// The straight line, rounded up to whole straight steps.
    EuclideanRoundedUp,
}

impl HeuristicKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Zero,
        Self::Manhattan,
        Self::Octile,
        Self::Chebyshev,
        Self::Euclidean,
        Self::EuclideanRoundedUp,
    ];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Manhattan => "manhattan",
            Self::Octile => "octile",
            Self::Chebyshev => "chebyshev",
            Self::Euclidean => "euclidean",
            Self::EuclideanRoundedUp => "euclidean-rounded-up",
        }
    }

    /// The heuristic of that name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The largest factor by which it overestimates a cost; 1 if it is admissible.
    pub fn overestimate(self, rule: MovementRule, steps: StepCosts) -> f64 {
        let (s, d) = (f64::from(steps.straight()), f64::from(steps.diagonal()));
        match self {
            Self::Zero | Self::Octile | Self::Chebyshev => 1.0,
            _ if !rule.has_diagonals() => 1.0,
            // Worst along the diagonal; for the rounded line, on its first step.
            Self::Manhattan | Self::EuclideanRoundedUp => 2.0 * s / d,
            Self::Euclidean => (std::f64::consts::SQRT_2 * s / d).max(1.0),
        }
    }

    /// Whether it never overestimates.
    pub fn is_admissible(self, rule: MovementRule, steps: StepCosts) -> bool {
        self.overestimate(rule, steps) <= 1.0
    }

    /// Whether it never falls by more than a step costs, so that no node is reached more cheaply
    /// once it has been expanded. All that are admissible here are consistent as well: each is a
    /// norm that no single step exceeds, and rounding a sum with an integer step keeps the order.
    pub fn is_consistent(self, rule: MovementRule, steps: StepCosts) -> bool {
        self.is_admissible(rule, steps)
    }
}

#[derive(Clone, Copy)]
enum Form {
    Linear { per_max: u64, per_min: u64 },
    Euclidean { straight: f64 },
    RoundedUp { straight: u64 },
}

impl Form {
    /// Costs below 2³³ times distances below 2¹⁵: no product wraps, and floating point holds them
    /// exactly.
    #[inline(always)]
    fn between(self, a: Cell, b: Cell) -> u64 {
        let (dx, dy) = a.offset(b);
        let (max, min) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        let line = || ((max * max + min * min) as f64).sqrt();
        match self {
            Self::Linear { per_max, per_min } => per_max * max + per_min * min,
            // IEEE square roots and products are the same on every machine.
            Self::Euclidean { straight } => (straight * line()) as u64,
            Self::RoundedUp { straight } => straight * line().ceil() as u64,
        }
    }
}

/// A heuristic for the goals of one query on a grid.
pub(crate) struct GridHeuristic<'q> {
    extent: Extent,
    form: Form,
    weight: Weight,
    nearness: Form,
    estimates_are_remoteness: bool,
    goal: Cell,
    /// Goals after the first.
    others: &'q [Cell],
    kind: HeuristicKind,
    rule: MovementRule,
    steps: StepCosts,
    /// No way that uses a link costs less, so that no estimate is higher.
    cap: u64,
}

impl<'q> GridHeuristic<'q> {
    /// Estimates of that kind and weight to the nearest of some goals. With no goals, nothing is
    /// estimated, and every cell is equally near.
    pub(crate) fn new(grid: &Grid, kind: HeuristicKind, weight: Weight, goals: &'q [Cell]) -> Self {
        let steps = grid.movement().steps();
        let cheapest = 2 * u64::from(*grid.cost_range().start());
        let straight = u64::from(steps.straight()) * cheapest;
        let diagonal = u64::from(steps.diagonal()) * cheapest;
        let linear = |per_max, per_min| Form::Linear { per_max, per_min };
        let form = match kind {
            _ if goals.is_empty() => linear(0, 0),
            HeuristicKind::Zero => linear(0, 0),
            HeuristicKind::Manhattan => linear(straight, straight),
            HeuristicKind::Octile => linear(straight, diagonal - straight),
            HeuristicKind::Chebyshev => linear(straight, 0),
            HeuristicKind::Euclidean => Form::Euclidean { straight: straight as f64 },
            HeuristicKind::EuclideanRoundedUp => Form::RoundedUp { straight },
        };
        // Octile distance in the unit of estimates, so that the usual ones are that measure.
        let exact = StepCosts::EXACT;
        let straight = u64::from(exact.straight()) * cheapest;
        let diagonal = u64::from(exact.diagonal()) * cheapest;
        Self {
            extent: grid.extent(),
            form,
            weight,
            nearness: match goals {
                [] => linear(0, 0),
                _ => linear(straight, diagonal - straight),
            },
            estimates_are_remoteness: kind == HeuristicKind::Octile
                && weight == Weight::ONE
                && steps == exact
                && !grid.has_links(),
            goal: goals.first().copied().unwrap_or_default(),
            others: goals.get(1..).unwrap_or_default(),
            kind,
            rule: grid.movement().rule(),
            steps,
            cap: u64::MAX,
        }
        .capped(grid)
    }

    /// Octile distance is wrong where a portal leads to the goal. A way from anywhere that uses links costs at least the
    /// last of them and what is estimated from its end on. The smaller of that and the estimate is admissible, and
    /// consistent where the estimate is: before a link it is at most the link's cost more than behind it.
    fn capped(mut self, grid: &Grid) -> Self {
        let cap = grid.least_by_links(|end| self.to_nearest(self.form, end));
        self.cap = cap.unwrap_or(u64::MAX);
        self
    }

    /// The estimate from a cell.
    #[inline(always)]
    pub(crate) fn estimate_from(&self, cell: Cell) -> u64 {
        let estimate = self.to_nearest(self.form, cell).min(self.cap);
        if self.weight == Weight::ONE { estimate } else { self.weight.times(estimate) }
    }

    /// How far a cell lies from the nearest goal.
    #[inline(always)]
    pub(crate) fn remoteness_of(&self, cell: Cell) -> u64 {
        self.to_nearest(self.nearness, cell)
    }

    /// The least remoteness of a cell so many columns or rows away from every goal.
    pub(crate) fn remoteness_at(&self, radius: u32) -> u64 {
        self.nearness.between(Cell::new(0, 0), Cell::new(radius, 0))
    }

    #[inline(always)]
    fn to_nearest(&self, form: Form, cell: Cell) -> u64 {
        let first = form.between(cell, self.goal);
        if self.others.is_empty() {
            return first;
        }
        let others = self.others.iter().map(|&goal| form.between(cell, goal));
        others.fold(first, u64::min)
    }
}

impl Heuristic for GridHeuristic<'_> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        self.estimate_from(self.extent.cell(CellId(node.0)))
    }

    #[inline(always)]
    fn remoteness(&self, node: NodeId, estimate: Option<u64>) -> Option<u64> {
        Some(match estimate {
            Some(estimate) if self.estimates_are_remoteness => estimate,
            _ => self.remoteness_of(self.extent.cell(CellId(node.0))),
        })
    }

    fn is_admissible(&self) -> bool {
        self.weight <= Weight::ONE && self.kind.is_admissible(self.rule, self.steps)
    }

    fn is_consistent(&self) -> bool {
        self.weight <= Weight::ONE && self.kind.is_consistent(self.rule, self.steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{GridMap, Movement, Profile, Terrain};

    const PAIRS: [StepCosts; 3] = [StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT];

    fn open_grid(rule: MovementRule, steps: StepCosts) -> Grid {
        let map = GridMap::filled(64, 64, Terrain::GROUND).unwrap();
        Grid::new(map, Movement::new(Profile::movingai(), rule, steps).unwrap())
    }

    /// The exact cost on an open grid.
    fn true_cost(rule: MovementRule, steps: StepCosts, dx: u64, dy: u64) -> u64 {
        let (s, d) = (2 * u64::from(steps.straight()), 2 * u64::from(steps.diagonal()));
        if rule.has_diagonals() {
            s * (dx.max(dy) - dx.min(dy)) + d * dx.min(dy)
        } else {
            s * (dx + dy)
        }
    }

    #[test]
    fn each_heuristic_is_as_admissible_and_as_consistent_as_it_says() {
        for kind in HeuristicKind::ALL {
            for rule in MovementRule::ALL {
                for steps in PAIRS {
                    check_claims(kind, rule, steps);
                }
            }
        }
    }

    fn check_claims(kind: HeuristicKind, rule: MovementRule, steps: StepCosts) {
        let grid = open_grid(rule, steps);
        let goal = [Cell::new(0, 0)];
        let heuristic = GridHeuristic::new(&grid, kind, Weight::ONE, &goal);
        let estimate = |x: u32, y: u32| heuristic.estimate(NodeId(y * 64 + x));
        let (mut worst, mut consistent) = (0.0f64, true);
        for y in 0..64 {
            for x in 0..64 {
                let cost = true_cost(rule, steps, u64::from(x), u64::from(y));
                if cost > 0 {
                    worst = worst.max(estimate(x, y) as f64 / cost as f64);
                }
                for (nx, ny) in [(x + 1, y), (x, y + 1), (x + 1, y + 1)] {
                    let diagonal = nx > x && ny > y;
                    if nx < 64 && ny < 64 && (!diagonal || rule.has_diagonals()) {
                        let step = true_cost(rule, steps, u64::from(nx - x), u64::from(ny - y));
                        consistent &= estimate(x, y).abs_diff(estimate(nx, ny)) <= step;
                    }
                }
            }
        }
        let claimed = kind.overestimate(rule, steps);
        let named = format!("{} under {} at {steps:?}", kind.name(), rule.name());
        assert!(worst <= claimed + 1e-9, "{named}: {worst} > {claimed}");
        if claimed > 1.0 {
            assert!(worst > 0.99 * claimed, "{named}: claims {claimed}, but {worst} is the worst");
        }
        let claims_consistent = kind.is_consistent(rule, steps);
        assert_eq!(claims_consistent, consistent, "{named}");
    }
}
