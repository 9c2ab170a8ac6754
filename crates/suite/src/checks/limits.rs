//! Limits of expansions and of cost.

use super::{Question, same};
use highroad_core::{Answer, Environment, Guarantee, Limits, Scratch};

/// Below what a query needs it ends at the limit; from there on the limit plays no part. `percent` of what is needed is
/// tried, beside exactly what is needed.
pub(super) fn expansion_limit<E: Environment>(
    question: &Question<'_, E>,
    percent: u64,
) -> Result<(), String> {
    let limited = |expansions_max| {
        let limits = Limits::default().with_expansions_max(expansions_max);
        question.ask(&question.query.clone().with_limits(limits), &mut Scratch::new())
    };
    let free = question.solve(&mut Scratch::new())?;
    let needed = free.1.expanded;
    let allowed = needed * percent / 100;
    let (answer, statistics) = limited(allowed)?;
    if allowed < needed {
        same("expansions at the limit", &statistics.expanded, &allowed)?;
        let Answer::LimitReached { nearest } = answer else {
            return Err(format!("{answer:?} at a limit of {allowed}, where {needed} are needed"));
        };
        (question.check_path)(&nearest)?;
    }
    for enough in [needed, needed.max(allowed)] {
        same("with enough expansions", &limited(enough)?, &free)?;
    }
    Ok(())
}

/// The path found costs no more than allowed, and a planner that promises the optimum finds it if it costs no more.
/// That no path exists is said only where that is so.
pub(super) fn cost_limit<E: Environment>(
    question: &Question<'_, E>,
    allowed: u64,
) -> Result<(), String> {
    let limits = Limits::default().with_cost_max(allowed);
    let query = question.query.clone().with_limits(limits);
    let (answer, _) = question.ask(&query, &mut Scratch::new())?;
    let best = question.best;
    let exact = question.planner.guarantee(question.environment) == Guarantee::Optimal;
    let affordable = best.is_some_and(|best| best + question.slack <= allowed);
    match answer {
        Answer::Found(path) => {
            (question.check_path)(&path)?;
            let cost = path.cost().0;
            let apart = best.map_or(u64::MAX, |best| cost.abs_diff(best));
            let is_cheaper = Some(cost) < best && apart > question.slack;
            if cost > allowed || is_cheaper || (exact && apart > question.slack) {
                return Err(format!("found at {cost}, {best:?} is best, {allowed} is allowed"));
            }
        }
        Answer::Unreachable { nearest } if best.is_none() => (question.check_path)(&nearest)?,
        Answer::LimitReached { nearest } if !(exact && affordable) => {
            (question.check_path)(&nearest)?;
            if nearest.cost().0 > allowed {
                let cost = nearest.cost();
                return Err(format!("the way to the nearest place costs {cost} of {allowed}"));
            }
        }
        answer => return Err(format!("{answer:?}, {best:?} is best, {allowed} is allowed")),
    }
    Ok(())
}
