//! The hand-made cases: what a file expects, of the planner and of the oracle.

use crate::candidate::Candidate;
use crate::cases::{Expected, all_cases};
use crate::oracle::Reach;
use crate::outcome::Tally;
use crate::situation::Situation;
use highroad_core::{Answer, Cost, Grid, Guarantee, Planner, Scratch};
use std::fmt;
use std::sync::OnceLock;

/// A case under one rule, with what all planners are asked there.
struct Prepared {
    name: String,
    situation: Situation,
    expected: Expected,
    grid: Grid,
    reach: Reach,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}{:?}", self.name, self.situation)
    }
}

/// Every case under every rule that it has an answer for: prepared once, since many planners are asked the same.
fn prepared() -> &'static [Prepared] {
    static PREPARED: OnceLock<Vec<Prepared>> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let mut prepared = Vec::new();
        for case in all_cases() {
            for (rule, expected) in case.expectations {
                let situation = Situation { rule, ..case.situation.clone() };
                let (grid, reach, name) = (situation.grid(), situation.reach(), case.name.clone());
                prepared.push(Prepared { name, situation, expected, grid, reach });
            }
        }
        prepared
    })
}

/// Asks a planner every case, under every rule that the case has an answer for.
pub(super) fn check_cases(
    candidate: &Candidate<'_, Grid>,
    scratch: &mut Scratch,
    tally: &mut Tally,
) {
    for case in prepared() {
        let Some(planner) = candidate.make(&case.grid) else {
            tally.summary.not_served += 1;
            continue;
        };
        tally.summary.served += 1;
        tally.check("a case", case, || check_case(case, &*planner, scratch));
    }
}

fn check_case(case: &Prepared, planner: &dyn Planner, scratch: &mut Scratch) -> Result<(), String> {
    let Prepared { situation, expected, grid, reach, .. } = case;
    match (planner.solve(grid, &situation.query(), scratch), expected) {
        (Err(error), Expected::Refused(reason)) if error == *reason => Ok(()),
        (Ok(answer), Expected::Found { .. } | Expected::NoPath { .. }) => {
            let guarantee = planner.guarantee(grid);
            situation.check(grid, reach, guarantee, &answer)?;
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

    /// The oracle is only as good as its agreement with what people have worked out by hand.
    #[test]
    fn the_oracle_agrees_with_every_case() {
        for case in prepared() {
            let outcome = check_oracle(&case.situation, &case.expected, &case.reach);
            assert_eq!(outcome, Ok(()), "{case:?}");
        }
    }

    fn check_oracle(
        situation: &Situation,
        expected: &Expected,
        reach: &Reach,
    ) -> Result<(), String> {
        let best = reach.to_any(&situation.goals);
        match expected {
            Expected::Found { length, cost } => {
                // On ground of cost 1 throughout, a length has one cost.
                let uniform = situation.grid().uniform_cost() == Some(1);
                let (s, d) =
                    (situation.steps.straight() as usize, situation.steps.diagonal() as usize);
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
