//! Properties on random maps: mixed terrain, surcharges, several starts and goals, all four rules and
//! all three pairs of step costs, every planner of the catalog, measured against the oracle.
//!
//! What a failing property prints is close to the format of `cases/`; keep it there.

#[path = "properties/answers.rs"]
mod answers;
#[path = "properties/limits.rs"]
mod limits;
#[path = "properties/random.rs"]
mod random;
#[path = "properties/runs.rs"]
mod runs;
mod support;

use highroad_core::{Grid, Planner, Spec};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::TestCaseError;

/// So many random situations, times `HIGHROAD_ROUNDS` for a long hunt. Findings become cases or named
/// tests, not regression files.
fn rounds(cases: u32) -> ProptestConfig {
    let factor = std::env::var("HIGHROAD_ROUNDS")
        .map_or(1, |text| text.parse::<u32>().expect("HIGHROAD_ROUNDS is a whole number"));
    ProptestConfig { cases: cases * factor, failure_persistence: None, ..ProptestConfig::default() }
}

fn build(spec: &Spec, grid: &Grid) -> Box<dyn Planner> {
    spec.build(grid).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// A failure that tells which planner is wrong.
fn blame<T>(spec: &Spec, outcome: Result<T, String>) -> Result<T, TestCaseError> {
    outcome.map_err(|problem| TestCaseError::fail(format!("{spec}: {problem}")))
}
