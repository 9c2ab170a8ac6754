//! Checking an answer: whether there should be one, whether its steps are allowed, how long it is.

use crate::contestants::Rules;
use highroad::{Cell, Cost, Grid, Path};
use highroad_lab::workload::WorkQuery;

/// What is to be said of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// By how many per cent the path is longer than the shortest under our rule, where both exist.
    /// Below zero if it took steps that our rule forbids.
    pub(crate) excess_percent: Option<f64>,
    /// The path has a step that our rule forbids.
    pub(crate) illegal: bool,
    /// The answer is wrong, by the contestant's own rules: no path where there is one, a path where
    /// there is none or that leads elsewhere, or a forbidden step if the rules are the same.
    pub(crate) mismatch: bool,
}

/// Checks an answer against the cost of the shortest path; `None`: there is none.
///
/// A path that exists by other rules only has an illegal step, and is not a mismatch.
pub(crate) fn judge(
    grid: &Grid,
    rules: Rules,
    query: &WorkQuery,
    answer: Option<Vec<Cell>>,
    optimal: Option<Cost>,
) -> Verdict {
    let Some(cells) = answer else {
        return Verdict { mismatch: optimal.is_some(), ..Verdict::default() };
    };
    let elsewhere = cells.first() != Some(&query.start) || cells.last() != Some(&query.goal);
    let excess_percent = optimal.map(|optimal| match optimal {
        Cost::ZERO => 0.0,
        optimal => (length(grid, &cells).0 as f64 / optimal.0 as f64 - 1.0) * 100.0,
    });
    let illegal = Path::new(grid, cells).is_err();
    let impossible = optimal.is_none() && !illegal;
    let mismatch = elsewhere || impossible || (illegal && rules == Rules::Same);
    Verdict { excess_percent, illegal, mismatch }
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

    const OTHER: Rules = Rules::Other("cuts corners");

    fn judge_on(drawing: &str, rules: Rules, answer: Option<&[(u32, u32)]>) -> Verdict {
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let cell = |&place: &(u32, u32)| Cell::from(place);
        let query = WorkQuery { start: Cell::new(0, 0), goal: Cell::new(1, 1), published: None };
        let workload = highroad_lab::workload::Workload {
            name: String::new(),
            grid: grid.clone(),
            queries: vec![query],
        };
        let optimal = highroad_lab::bench::optimal_costs(&workload)[0];
        judge(&grid, rules, &query, answer.map(|cells| cells.iter().map(cell).collect()), optimal)
    }

    #[test]
    fn a_right_answer_is_neither_illegal_nor_a_mismatch() {
        let diagonal = judge_on("..\n..\n", Rules::Same, Some(&[(0, 0), (1, 1)]));
        assert_eq!(diagonal, Verdict { excess_percent: Some(0.0), ..Verdict::default() });
        let round = judge_on("..\n..\n", Rules::Same, Some(&[(0, 0), (1, 0), (1, 1)]));
        let percent = (2f64.sqrt() - 1.0) * 100.0;
        assert!((round.excess_percent.unwrap() - percent).abs() < 1e-4, "{round:?}");
        assert!(!round.illegal && !round.mismatch);
        assert_eq!(judge_on(".#\n#.\n", Rules::Same, None), Verdict::default());
    }

    #[test]
    fn a_missing_path_is_a_mismatch_by_any_rules() {
        for rules in [Rules::Same, OTHER] {
            let verdict = judge_on("..\n..\n", rules, None);
            assert_eq!(verdict, Verdict { mismatch: true, ..Verdict::default() });
        }
    }

    #[test]
    fn a_cut_corner_is_a_mismatch_only_for_those_who_claim_our_rules() {
        let cut: &[(u32, u32)] = &[(0, 0), (1, 1)];
        let verdict = judge_on(".#\n..\n", OTHER, Some(cut));
        assert!(verdict.illegal && !verdict.mismatch);
        assert!(verdict.excess_percent.unwrap() < -29.0, "shorter than our rule allows");
        let verdict = judge_on(".#\n..\n", Rules::Same, Some(cut));
        assert!(verdict.illegal && verdict.mismatch);
        let slipped = judge_on(".#\n#.\n", OTHER, Some(cut));
        assert_eq!(slipped, Verdict { illegal: true, ..Verdict::default() });
    }

    #[test]
    fn a_path_to_elsewhere_is_a_mismatch_by_any_rules() {
        let empty: &[(u32, u32)] = &[];
        for answer in [empty, &[(0, 0)], &[(1, 1), (0, 0)]] {
            assert!(judge_on("..\n..\n", OTHER, Some(answer)).mismatch, "{answer:?}");
        }
    }
}
