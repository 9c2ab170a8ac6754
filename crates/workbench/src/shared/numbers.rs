//! Numbers as people read them, the same everywhere: thin spaces between thousands, two decimals for costs.

use highroad::grid::Grid;
use highroad_lab::table::{self, whole};
use highroad_pictures::replay::Replay;

/// What costs are counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The engine's whole numbers in a straight step over plain ground.
    per_step: f64,
    /// Whether costs are whole numbers of steps.
    counts_steps: bool,
}

impl Unit {
    /// The unit of costs on a grid.
    pub fn of(grid: &Grid) -> Self {
        let per_step = 2.0 * f64::from(grid.movement().steps().straight());
        Self { per_step, counts_steps: false }
    }

    /// The unit of the values in a recording: some searches count steps, whatever they cost.
    pub fn of_recording(grid: &Grid, replay: &Replay) -> Self {
        let extent = grid.extent();
        let counts_steps = replay.events().iter().take(64).any(|event| {
            let (from, to) = (event.parent.index() as u32, event.node.index() as u32);
            let cell = |number: u32| extent.cell(highroad::grid::CellId(number));
            from != to
                && event.g == 1
                && grid.step_cost(cell(from), cell(to)).is_some_and(|cost| cost > 1)
        });
        if counts_steps { Self { per_step: 1.0, counts_steps } } else { Self::of(grid) }
    }

    /// A cost in this unit.
    pub fn of_cost(self, cost: u64) -> f64 {
        cost as f64 / self.per_step
    }

    /// The engine's number of a cost in this unit.
    pub fn to_cost(self, value: f64) -> u64 {
        (value.max(0.0) * self.per_step).round() as u64
    }

    /// A cost as text.
    pub fn text(self, cost: u64) -> String {
        if self.counts_steps { whole(cost) } else { decimal(self.of_cost(cost)) }
    }

    /// How many decimals costs have.
    pub fn decimals(self) -> usize {
        if self.counts_steps { 0 } else { 2 }
    }
}

/// A number with two decimals.
pub fn decimal(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let hundredths = (value.abs() * 100.0).round() as u64;
    let sign = if value < 0.0 && hundredths > 0 { "−" } else { "" };
    format!("{sign}{}.{:02}", whole(hundredths / 100), hundredths % 100)
}

/// By how much a cost is above the optimum.
pub fn above_optimal(cost: u64, optimal: u64) -> String {
    let excess = cost.saturating_sub(optimal) as f64;
    table::above_optimal(if optimal == 0 { 0.0 } else { excess / optimal as f64 * 100.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_have_two_decimals_and_thin_spaces() {
        assert_eq!(decimal(1204.5), "1\u{2009}204.50");
        assert_eq!(
            (decimal(0.0), decimal(-1.239), decimal(f64::NAN)),
            ("0.00".into(), "−1.24".into(), "–".into())
        );
    }

    #[test]
    fn what_is_nearly_optimal_is_not_called_optimal() {
        assert_eq!(above_optimal(100, 100), "+0 %");
        assert_eq!(above_optimal(1_000_001, 1_000_000), "+<0.01 %");
        assert_eq!(above_optimal(108, 100), "+8.00 %");
    }
}
