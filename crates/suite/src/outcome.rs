//! How long a test goes on, and what comes of it.

use crate::random::Random;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many random situations a planner is tested in. The same number gives the same situations on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    pub(crate) count: u32,
    pub(crate) seed: u64,
}

impl Rounds {
    /// So many situations.
    pub const fn new(count: u32) -> Self {
        Self { count, seed: 0 }
    }

    /// The same number of other situations.
    pub const fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same, times the environment variable `HIGHROAD_ROUNDS`, for a long hunt.
    ///
    /// # Panics
    /// If the variable is no whole number.
    pub fn times_environment(self) -> Self {
        let factor = std::env::var("HIGHROAD_ROUNDS")
            .map_or(1, |text| text.parse::<u32>().expect("HIGHROAD_ROUNDS is a whole number"));
        Self { count: self.count.saturating_mul(factor), ..self }
    }

    /// How many situations.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Seeds of the situations, each with the largest side of its map. They begin small, so that the first failure is
    /// likely to be a small one.
    fn seeds(self, side_max: u32) -> impl Iterator<Item = (u64, u32)> {
        let growing = (self.count / 4).max(1);
        (0..self.count).map(move |round| {
            let side = 2 + (u64::from(side_max) * u64::from(round) / u64::from(growing)) as u32;
            (self.seed.wrapping_mul(0x1_0000_0001).wrapping_add(round.into()), side.min(side_max))
        })
    }
}

/// What a planner has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases and random situations that the planner serves.
    pub served: u64,
    /// Those that it does not serve.
    pub not_served: u64,
    /// Checks made, all of them passed.
    pub checks: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { served, not_served, checks } = self;
        write!(f, "{checks} checks in {served} situations; {not_served} were not served")
    }
}

/// A check that a planner has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What was checked.
    pub check: &'static str,
    /// What is wrong.
    pub problem: String,
    /// Where, close to the format of the case files.
    pub situation: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, problem, situation } = self;
        write!(f, "{check}: {problem}\n{situation}")
    }
}

/// The first failures of a planner, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failures(pub Vec<Failure>);

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|failure| writeln!(f, "{failure}"))
    }
}

impl std::error::Error for Failures {}

/// Failures after which a test ends.
const FAILURES_MAX: usize = 5;

/// Counts checks and collects failures.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) summary: Summary,
    failures: Vec<Failure>,
}

impl Tally {
    /// Makes a check. A panic is a failure as well: it is reported with the situation that has caused it.
    pub(crate) fn check(
        &mut self,
        check: &'static str,
        situation: &dyn fmt::Debug,
        make: impl FnOnce() -> Result<(), String>,
    ) {
        self.summary.checks += 1;
        let outcome =
            catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| Err(said(&*panic)));
        if let Err(problem) = outcome {
            let situation = format!("{situation:?}");
            self.failures.push(Failure { check, problem, situation });
        }
    }

    /// Makes checks in so many random situations, or until enough has failed. `check` makes a situation with sides of at
    /// most the given length.
    pub(crate) fn check_rounds(
        &mut self,
        rounds: Rounds,
        side_max: u32,
        mut check: impl FnMut(&mut Random, u32, &mut Self),
    ) {
        for (seed, side_max) in rounds.seeds(side_max) {
            if self.failures.len() >= FAILURES_MAX {
                break;
            }
            check(&mut Random::new(seed), side_max, self);
        }
    }

    /// The result. A planner that serves nothing has passed nothing.
    pub(crate) fn finish(mut self) -> Result<Summary, Failures> {
        if self.summary.served == 0 {
            let problem = "the planner serves none of the situations".to_owned();
            self.failures.push(Failure { check: "service", problem, situation: String::new() });
        }
        if self.failures.is_empty() { Ok(self.summary) } else { Err(Failures(self.failures)) }
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("it panicked: {}", text.unwrap_or("without a message"))
}
