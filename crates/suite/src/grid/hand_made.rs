//! The hand-made cases: what a file expects, of the planner and of the oracle.

use crate::candidate::Candidate;
use crate::cases::{Expected, all_cases};
use crate::outcome::Tally;
use crate::situation::Situation;
use highroad_core::{Answer, Cost, Grid, Guarantee, Planner, Scratch};
use std::fmt;

/// A case under one rule, as failures show it.
struct Named<'a>(&'a str, &'a Situation);

impl fmt::Debug for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}{:?}", self.0, self.1)
    }
}

/// Asks a planner every case, under every rule that the case has an answer for.
pub(super) fn check_cases(
    candidate: &Candidate<'_, Grid>,
    scratch: &mut Scratch,
    tally: &mut Tally,
) {
    for case in &all_cases() {
        for (rule, expected) in &case.expectations {
            let situation = Situation { rule: *rule, ..case.situation.clone() };
            let grid = situation.grid();
            let Some(planner) = candidate.make(&grid) else {
                tally.summary.not_served += 1;
                continue;
            };
            tally.summary.served += 1;
            tally.check("a case", &Named(&case.name, &situation), || {
                check_case(&situation, expected, &*planner, &grid, scratch)
            });
        }
    }
}

fn check_case(
    situation: &Situation,
    expected: &Expected,
    planner: &dyn Planner,
    grid: &Grid,
    scratch: &mut Scratch,
) -> Result<(), String> {
    match (planner.solve(grid, &situation.query(), scratch), expected) {
        (Err(error), Expected::Refused(reason)) if error == *reason => Ok(()),
        (Ok(answer), Expected::Found { .. } | Expected::NoPath { .. }) => {
            let guarantee = planner.guarantee(grid);
            situation.check(grid, &situation.reach(), guarantee, &answer)?;
            check_expected(expected, guarantee, &answer)
        }
        (answer, expected) => Err(format!("{answer:?} instead of {expected:?}")),
    }
}

/// What a file expects, beyond what must be true of every answer.
fn check_expected(
    expected: &Expected,
    guarantee: Guarantee,
    answer: &Answer,
) -> Result<(), String> {
    match (expected, answer) {
        (Expected::Found { length, cost }, Answer::Found(path)) => {
            if guarantee != Guarantee::Optimal {
                return Ok(());
            }
            let (straight, diagonal) = (path.straight_steps(), path.diagonal_steps());
            let measured = straight as f64 + diagonal as f64 * 2f64.sqrt();
            if length.is_some_and(|steps| steps != (straight, diagonal)) {
                return Err(format!("{straight} + {diagonal}√2 is not the length of {expected:?}"));
            }
            if (path.length() - measured).abs() > 1e-9 {
                return Err(format!("claims to be {} long, not {measured}", path.length()));
            }
            match *cost {
                Some(cost) if path.cost() != Cost(cost) => {
                    Err(format!("costs {}, not {cost}", path.cost()))
                }
                _ => Ok(()),
            }
        }
        (Expected::NoPath { nearest }, Answer::Unreachable { nearest: path })
            if nearest.contains(&path.goal()) =>
        {
            Ok(())
        }
        _ => Err(format!("{answer:?} instead of {expected:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Reach;

    /// The oracle is only as good as its agreement with what people have worked out by hand.
    #[test]
    fn the_oracle_agrees_with_every_case() {
        for case in all_cases() {
            for (rule, expected) in &case.expectations {
                let situation = Situation { rule: *rule, ..case.situation.clone() };
                let outcome = check_oracle(&situation, expected, &situation.reach());
                assert_eq!(outcome, Ok(()), "case {}{situation:?}", case.name);
            }
        }
    }

    fn check_oracle(situation: &Situation, expected: &Expected, reach: &Reach) -> Result<(), String> {
        let best = reach.to_any(&situation.goals);
        match expected {
            Expected::Found { length, cost } => {
                // On ground of cost 1 throughout, a length has one cost.
                let uniform = situation.grid().uniform_cost() == Some(1);
                let (s, d) = (situation.steps.straight() as usize, situation.steps.diagonal() as usize);
                let by_length = length.filter(|_| uniform).map(|(a, b)| 2 * (a * s + b * d) as u64);
                for given in [by_length, *cost].into_iter().flatten() {
                    if best != Some(given) {
                        return Err(format!("{best:?} where the case expects {given}"));
                    }
                }
                Ok(())
            }
            Expected::NoPath { .. } => best.map_or(Ok(()), |cost| Err(format!("a path of {cost}"))),
            Expected::Refused(_) => Ok(()),
        }
    }
}
