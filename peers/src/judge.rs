//! Checking an answer: whether there should be one, whether its steps are allowed, how long it is.

use crate::field::Field;
use highroad::{Cell, Cost, Path};
use highroad::grid::{Grid, MovementRule};
use highroad_lab::bench::optimal_costs;
use highroad_lab::workload::{Workload, grid_under};

/// What is to be said of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// By how many per cent the path is longer than the shortest under the contestant's own rule,
    /// where there is a path and it is right.
    pub(crate) excess_percent: Option<f64>,
    /// How long the path is, in cells, where it is right.
    pub(crate) length: Option<f64>,
    /// The path has a step that our rule forbids.
    pub(crate) illegal: bool,
    /// The answer is wrong, by the contestant's own rule: no path where there is one, a path that
    /// leads elsewhere, or a forbidden step.
    pub(crate) mismatch: bool,
}

/// What the answers of those that move by one rule are held against.
pub(crate) struct Yardstick {
    /// The map under that rule.
    grid: Grid,
    /// The cost of the shortest path of each query; `None`: there is none.
    optimal: Vec<Option<Cost>>,
}

impl Yardstick {
    /// Solves every query of a field under a rule.
    pub(crate) fn of(field: &Field, rule: MovementRule) -> Self {
        let Workload { name, grid, queries } = &field.0;
        let grid = grid_under(grid.map().clone(), rule);
        let workload = Workload { name: name.clone(), grid, queries: queries.clone() };
        let optimal = optimal_costs(&workload);
        Self { grid: workload.grid, optimal }
    }

    /// The rule that it is for.
    pub(crate) fn rule(&self) -> MovementRule {
        self.grid.movement().rule()
    }

    /// Checks the answer to the query of that index in the field.
    pub(crate) fn judge(&self, field: &Field, index: usize, answer: Option<Vec<Cell>>) -> Verdict {
        let (query, optimal) = (field.0.queries[index], self.optimal[index]);
        let Some(cells) = answer else {
            return Verdict { mismatch: optimal.is_some(), ..Verdict::default() };
        };
        let elsewhere = cells.first() != Some(&query.start) || cells.last() != Some(&query.goal);
        let length = length(&self.grid, &cells);
        let illegal = Path::new(&field.0.grid, cells.clone()).is_err();
        let mismatch = elsewhere || Path::new(&self.grid, cells).is_err();
        let excess = |optimal: Cost| match optimal {
            Cost::ZERO => 0.0,
            optimal => (length.0 as f64 / optimal.0 as f64 - 1.0) * 100.0,
        };
        let cells = length.0 as f64 / (2.0 * f64::from(self.grid.movement().steps().straight()));
        Verdict {
            excess_percent: optimal.filter(|_| !mismatch).map(excess),
            length: (!mismatch).then_some(cells),
            illegal,
            mismatch,
        }
    }
}

/// The length of a path over ground, allowed or not, in our exact step costs: their diagonal is the
/// √2 of their straight step to seven digits, and an optimal path is above optimal by exactly
/// nothing. A leap between cells that are not neighbours counts as the octile distance.
fn length(grid: &Grid, cells: &[Cell]) -> Cost {
    let steps = grid.movement().steps();
    let step = |step: &[Cell]| {
        let (dx, dy) = step[0].offset(step[1]);
        let (diagonal, straight) = (u64::from(dx.min(dy)), u64::from(dx.abs_diff(dy)));
        // Twice: costs are counted in half-units.
        let sum = diagonal * u64::from(steps.diagonal()) + straight * u64::from(steps.straight());
        Cost(2 * sum)
    };
    cells.windows(2).map(step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_lab::workload::WorkQuery;

    const OURS: MovementRule = MovementRule::NeverCutCorners;
    const CUTTING: MovementRule = MovementRule::AlwaysDiagonal;

    /// Judges an answer to the way from the first cell to the one below and beside it.
    fn judge_on(drawing: &str, rule: MovementRule, answer: Option<&[(u32, u32)]>) -> Verdict {
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let query = WorkQuery { start: Cell::new(0, 0), goal: Cell::new(1, 1), published: None };
        let workload = Workload { name: String::new(), grid, queries: vec![query] };
        let (field, _) = Field::of(workload).unwrap();
        let cell = |&place: &(u32, u32)| Cell::from(place);
        let answer = answer.map(|cells| cells.iter().map(cell).collect());
        Yardstick::of(&field, rule).judge(&field, 0, answer)
    }

    #[test]
    fn a_right_answer_is_neither_illegal_nor_a_mismatch() {
        let diagonal = judge_on("..\n..\n", OURS, Some(&[(0, 0), (1, 1)]));
        assert_eq!((diagonal.excess_percent, diagonal.mismatch), (Some(0.0), false));
        assert!((diagonal.length.unwrap() - 2f64.sqrt()).abs() < 1e-6);
        let round = judge_on("..\n..\n", OURS, Some(&[(0, 0), (1, 0), (1, 1)]));
        let percent = (2f64.sqrt() - 1.0) * 100.0;
        assert!((round.excess_percent.unwrap() - percent).abs() < 1e-4, "{round:?}");
        assert!(!round.illegal && !round.mismatch);
        assert_eq!(judge_on(".#\n#.\n", OURS, None), Verdict::default());
    }

    #[test]
    fn a_missing_path_is_a_mismatch_where_the_own_rule_has_one() {
        let missing = Verdict { mismatch: true, ..Verdict::default() };
        assert_eq!(judge_on("..\n..\n", OURS, None), missing);
        assert_eq!(judge_on(".#\n#.\n", CUTTING, None), missing);
    }

    #[test]
    fn a_cut_corner_is_a_mismatch_only_for_those_who_may_not() {
        let cut: &[(u32, u32)] = &[(0, 0), (1, 1)];
        let length = Some(3363.0 / 2378.0);
        let right = Verdict { excess_percent: Some(0.0), length, illegal: true, mismatch: false };
        let wrong = Verdict { excess_percent: None, length: None, illegal: true, mismatch: true };
        for drawing in [".#\n..\n", ".#\n#.\n"] {
            assert_eq!(judge_on(drawing, CUTTING, Some(cut)), right);
            assert_eq!(judge_on(drawing, OURS, Some(cut)), wrong);
        }
        // Going round where one may cut is longer than need be.
        let round: &[(u32, u32)] = &[(0, 0), (0, 1), (1, 1)];
        let verdict = judge_on(".#\n..\n", CUTTING, Some(round));
        assert!(!verdict.illegal && verdict.excess_percent.unwrap() > 41.0);
        assert_eq!(judge_on(".#\n..\n", OURS, Some(round)).excess_percent, Some(0.0));
    }

    #[test]
    fn a_path_through_a_wall_or_to_elsewhere_is_a_mismatch_by_any_rule() {
        let empty: &[(u32, u32)] = &[];
        for answer in [empty, &[(0, 0)], &[(1, 1), (0, 0)]] {
            assert!(judge_on("..\n..\n", CUTTING, Some(answer)).mismatch, "{answer:?}");
        }
        assert!(judge_on(".#\n..\n", CUTTING, Some(&[(0, 0), (1, 0), (1, 1)])).mismatch);
    }
}
