//! Situations of any environment: how a planner is made and asked in many of them.

use crate::candidate::Candidate;
use crate::outcome::{Failures, Rounds, Summary, Tally};
use crate::random::Random;
use highroad_core::{Environment, PathQuery, Planner, Scratch};

/// An environment with a question about it.
pub(crate) trait Posed<E: Environment> {
    /// A random one, on an environment of at most that size.
    fn random(random: &mut Random, size_max: u32) -> Self;

    /// The environment.
    fn environment(&self) -> &E;

    /// Makes every check of a planner.
    fn check(
        &self,
        candidate: &Candidate<'_, E>,
        planner: &dyn Planner<E>,
        random: &mut Random,
        scratch: &mut Scratch,
        tally: &mut Tally,
    );
}

/// Tests a planner in random situations, wherever it serves.
pub(crate) fn check_random<E: Environment, S: Posed<E>>(
    candidate: &Candidate<'_, E>,
    rounds: Rounds,
    size_max: u32,
) -> Result<Summary, Failures> {
    let (mut tally, mut scratch) = (Tally::default(), Scratch::new());
    tally.check_rounds(rounds, size_max, |random, size_max, tally| {
        let situation = S::random(random, size_max);
        match candidate.make(situation.environment()) {
            Some(planner) => {
                tally.summary.served += 1;
                situation.check(candidate, &*planner, random, &mut scratch, tally);
            }
            None => tally.summary.not_served += 1,
        }
    });
    tally.finish()
}

/// The query between some places. One start and one goal take the form that holds no lists.
pub fn query_between<P: Copy>(starts: &[P], goals: &[P]) -> PathQuery<P> {
    match (starts, goals) {
        (&[start], &[goal]) => PathQuery::new(start, goal),
        (starts, goals) => PathQuery::among(starts.to_vec(), goals.to_vec()),
    }
}
