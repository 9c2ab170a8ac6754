//! Properties on random maps that the common suite does not test, because they are about some planners, about several at
//! once, or about what is no query. Random situations and the oracle are the suite's.
//!
//! What a failing property prints is close to the format of the suite's cases; keep it there.

#[path = "properties/answers.rs"]
mod answers;
#[path = "properties/limits.rs"]
mod limits;
#[path = "properties/runs.rs"]
mod runs;
mod support;

use highroad_suite::{Random, Rounds, Situation};
use proptest::prelude::*;
use support::{build, spec, usual_specs};

/// So many random situations, times `HIGHROAD_ROUNDS` for a long hunt. Findings become cases or named
/// tests, not regression files.
fn rounds(cases: u32) -> ProptestConfig {
    let cases = Rounds::new(cases).times_environment().count();
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A random situation of the suite. One that fails shrinks to a smaller map.
fn situations() -> impl Strategy<Value = Situation> {
    (1..=23u32, any::<u64>())
        .prop_map(|(side_max, seed)| Situation::random(&mut Random::new(seed), side_max))
}
