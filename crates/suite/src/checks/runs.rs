//! However a query is run, its answer is the same: whole or in slices, traced or not, in fresh memory or in used.

use super::{Question, path_of, same};
use highroad_core::{Answer, Environment, Limits, Path, PathQuery, Progress, Scratch, TraceLog};

/// Slices of any size give the same answer, statistics and trace.
pub(super) fn slices<E: Environment>(
    question: &Question<'_, E>,
    slices: &[u64],
) -> Result<(), String> {
    let mut scratch = Scratch::new();
    let mut whole_log = TraceLog::default();
    let whole = question
        .planner
        .solve_traced(question.environment, &question.query, &mut scratch, &mut whole_log)
        .map_err(|error| error.to_string())?;
    // Where a slice ends in the middle of a piece, work beside expansions is rounded otherwise.
    let searched = |scratch: &Scratch| {
        let mut statistics = scratch.statistics();
        statistics.beside = 0;
        statistics
    };
    let whole = (whole, searched(&scratch));
    let sliced = in_slices(question, &question.query, &mut scratch, slices, None)?;
    same("in slices", &(sliced, searched(&scratch)), &whole)?;
    let mut log = TraceLog::default();
    let traced = in_slices(question, &question.query, &mut scratch, slices, Some(&mut log))?;
    same("traced in slices", &(traced, searched(&scratch)), &whole)?;
    if log.events() != whole_log.events() {
        let (given, expected) = (log.events().len(), whole_log.events().len());
        return Err(format!("the trace in slices, of {given} events, differs: {expected} events"));
    }
    Ok(())
}

/// A query that asks for a first leg gets a good answer.
pub(super) fn first_leg<E: Environment>(
    question: &Question<'_, E>,
    steps: u32,
) -> Result<(), String> {
    let query = question.query.clone().with_first_leg(steps);
    let mut scratch = Scratch::new();
    (question.right)(&in_slices(question, &query, &mut scratch, &[7], None)?)?;
    // At a limit as well, what is left of the path begins with the legs that were reported.
    let half = Limits::default().with_expansions_max(scratch.statistics().expanded / 2);
    let limited = question.query.clone().with_first_leg(steps).with_limits(half);
    let answer = in_slices(question, &limited, &mut scratch, &[1, 3], None)?;
    (question.check_path)(path_of(&answer))
}

/// Runs a query in slices of those sizes, over and over. Legs on the way must be the beginning of the answer.
fn in_slices<E: Environment>(
    question: &Question<'_, E>,
    query: &PathQuery<E::Place>,
    scratch: &mut Scratch,
    slices: &[u64],
    mut log: Option<&mut TraceLog>,
) -> Result<Answer<E::Place>, String> {
    let &Question { planner, environment, .. } = question;
    planner.begin(environment, query, scratch).map_err(|error| error.to_string())?;
    let mut legs: Vec<Path<E::Place>> = Vec::new();
    for &slice in slices.iter().cycle() {
        let before = scratch.statistics();
        let progress = match &mut log {
            Some(log) => planner.advance_traced(environment, scratch, slice, log),
            None => planner.advance(environment, scratch, slice),
        };
        let expanded = scratch.statistics().expanded - before.expanded;
        // What is no expansion uses up a slice as well.
        let work = scratch.statistics().work() - before.work();
        match progress {
            Progress::Done(answer) if expanded <= slice => {
                check_legs(&legs, path_of(&answer))?;
                return Ok(answer);
            }
            Progress::Running if expanded <= slice && work >= slice => {}
            Progress::Leg(leg) if expanded <= slice => {
                leg.validate(environment).map_err(|fault| format!("a leg: {fault}"))?;
                legs.push(leg);
            }
            other => {
                let text =
                    format!("{other:?} after {expanded} of {slice} expansions, {work} in all");
                return Err(text);
            }
        }
    }
    Err("there are no slices".to_owned())
}

/// Each leg begins where the one before has ended, and the whole path begins with all of them.
fn check_legs<P: Copy + PartialEq>(legs: &[Path<P>], whole: &Path<P>) -> Result<(), String> {
    let mut at = 0;
    for (number, leg) in (1..).zip(legs) {
        let end = at + leg.steps();
        if whole.places().get(at..=end) != Some(leg.places()) {
            return Err(format!("leg {number} is no part of the path"));
        }
        at = end;
    }
    Ok(())
}

/// Scratch memory that other queries have used gives the same answer as fresh memory. Leaves a query unfinished in it,
/// as when an agent changes its mind.
pub(super) fn used_scratch<E: Environment>(
    question: &Question<'_, E>,
    used: &mut Scratch,
) -> Result<(), String> {
    let fresh = question.solve(&mut Scratch::new())?;
    same("in used memory", &question.solve(used)?, &fresh)?;
    let begun = question.planner.begin(question.environment, &question.query, used);
    begun.map_err(|error| error.to_string())?;
    question.planner.advance(question.environment, used, 3);
    Ok(())
}

/// Without a query, and after one that is answered or refused, there is nothing to advance.
pub(super) fn nothing_to_advance<E: Environment>(question: &Question<'_, E>) -> Result<(), String> {
    let &Question { planner, environment, .. } = question;
    let mut scratch = Scratch::new();
    let without = planner.advance(environment, &mut scratch, 9);
    same("without a query", &without, &Progress::Stale)?;
    question.solve(&mut scratch)?;
    let mut log = TraceLog::default();
    let answered = planner.advance_traced(environment, &mut scratch, 9, &mut log);
    same("after the answer", &answered, &Progress::Stale)?;
    same("events after the answer", &log.events().len(), &0)?;
    let begun = planner.begin(environment, &question.query, &mut scratch);
    begun.map_err(|error| error.to_string())?;
    let no_goal = PathQuery::among(question.query.starts().to_vec(), Vec::new());
    if planner.begin(environment, &no_goal, &mut scratch).is_ok() {
        return Err("a query without goals is not refused".to_owned());
    }
    let refused = planner.advance(environment, &mut scratch, 9);
    same("after a refused query", &refused, &Progress::Stale)
}
