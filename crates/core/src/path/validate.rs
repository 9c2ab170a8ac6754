//! Checking a path step by step.

use crate::grid::{Cell, Cost, Grid};
use thiserror::Error;

/// Where a path breaks the rules, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cell {index} of the path: {problem}")]
pub struct PathFault {
    /// Which cell of the path, from 0.
    pub index: usize,
    /// What is wrong there.
    pub problem: PathProblem,
}

/// What is wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PathProblem {
    /// It has no cells.
    #[error("a path has at least one cell")]
    Empty,
    /// No agent may stand there.
    #[error("no agent may stand on {0}")]
    NotEnterable(Cell),
    /// The two cells are not neighbours, or the rule or the domains forbid the step.
    #[error("no step leads from {from} to {to}")]
    Step {
        /// Where the step begins.
        from: Cell,
        /// Where it would end.
        to: Cell,
    },
    /// The steps are allowed, but do not add up to the cost claimed.
    #[error("the steps cost {actual}, not {claimed}")]
    Cost {
        /// What the path says.
        claimed: Cost,
        /// What its steps cost.
        actual: Cost,
    },
}

/// The cost of walking those cells in order, if every step is allowed.
pub(super) fn walk(grid: &Grid, cells: &[Cell]) -> Result<Cost, PathFault> {
    let fault = |index, problem| PathFault { index, problem };
    if cells.is_empty() {
        return Err(fault(0, PathProblem::Empty));
    }
    if let Some(index) = cells.iter().position(|&cell| !grid.is_enterable(cell)) {
        return Err(fault(index, PathProblem::NotEnterable(cells[index])));
    }
    let mut cost = Cost::ZERO;
    for (index, step) in (1..).zip(cells.windows(2)) {
        let (from, to) = (step[0], step[1]);
        let price =
            grid.step_cost(from, to).ok_or_else(|| fault(index, PathProblem::Step { from, to }))?;
        cost += Cost(u64::from(price));
    }
    Ok(cost)
}
