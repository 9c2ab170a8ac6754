//! Traces: they change nothing, and what they report is possible and agrees with the statistics.

use super::{Question, same};
use highroad_core::{
    Answer, DrawnPath, Environment, NodeId, Path, Scratch, Statistics, TraceEvent, TraceKind,
    TraceLog,
};
use std::collections::HashMap;

/// A traced query gives the same answer and statistics, and its trace is sound. Where the nodes of a trace are
/// abstract, an end of the query or of a link may share its node with another; those are left out.
pub(super) fn trace<E: Environment>(question: &Question<'_, E>) -> Result<(), String> {
    let mut scratch = Scratch::new();
    let silent = question.solve(&mut scratch)?;
    let mut log = TraceLog::default();
    let (planner, query) = (question.planner, &question.query);
    let traced = planner.solve_traced(question.environment, query, &mut scratch, &mut log);
    let traced = (traced.map_err(|error| error.to_string())?, scratch.statistics());
    same("traced", &traced, &silent)?;
    counts_agree(question, log.events(), silent.1)?;
    let mut shared = Vec::new();
    if !question.traces_places {
        // Where there is no path, the goal of a hierarchy is the nearest place.
        let nearest = match &silent.0 {
            Answer::Unreachable { nearest } => Some(nearest.goal()),
            _ => None,
        };
        let ends = query.starts().iter().chain(query.goals()).copied().chain(nearest);
        let ends = ends.chain(question.shared_places.iter().copied());
        shared.extend(ends.map(question.node_of));
    }
    check_order(log.events(), &shared)?;
    match &silent.0 {
        Answer::Found(path) => check_path(question, log.events(), path),
        _ => Ok(()),
    }
}

/// Whether the path that a trace fills in and smooths, if it does, is the one that was found.
fn check_path<E: Environment>(
    question: &Question<'_, E>,
    log: &[TraceEvent],
    path: &Path<E::Place>,
) -> Result<(), String> {
    let mut drawn = DrawnPath::default();
    log.iter().for_each(|event| drawn.take(event));
    let found: Vec<NodeId> = path.places().iter().map(|&place| (question.node_of)(place)).collect();
    if drawn.is_empty() || drawn.nodes().eq(found.iter().copied()) {
        return Ok(());
    }
    let drawn: Vec<NodeId> = drawn.nodes().collect();
    Err(format!("the trace draws {drawn:?}, but the path is {found:?}"))
}

/// Whether a trace has as many events as the statistics say.
fn counts_agree<E: Environment>(
    question: &Question<'_, E>,
    log: &[TraceEvent],
    statistics: Statistics,
) -> Result<(), String> {
    let count =
        |kinds: &[TraceKind]| log.iter().filter(|event| kinds.contains(&event.kind)).count() as u64;
    let (expanded, reopened) = (count(&[TraceKind::Expand]), count(&[TraceKind::Reopen]));
    if (expanded, reopened) != (statistics.expanded, statistics.reopened) {
        return Err(format!("{expanded} expanded and {reopened} reopened, but {statistics:?}"));
    }
    // The starts, and the goals of a search from both ends, are generated without an event of their own, or with one
    // for each mention.
    let pushed = count(&[TraceKind::Open, TraceKind::Improve, TraceKind::Reopen]);
    let (starts, goals) = (question.query.starts().len(), question.query.goals().len() as u64);
    let ends = goals + count(&[TraceKind::Start]).max(starts as u64);
    if !(pushed..=pushed + ends).contains(&statistics.generated) {
        return Err(format!("{pushed} pushed, but {statistics:?}"));
    }
    Ok(())
}

/// Whether a trace is possible: a node is opened before it is improved or reopened, and closed at the cost at which it
/// was opened.
fn check_order(log: &[TraceEvent], shared: &[NodeId]) -> Result<(), String> {
    let mut costs = HashMap::new();
    let mut last = TraceKind::Start;
    for event in log.iter().filter(|event| event.kind.is_of_search()) {
        // Some search several times: layer by layer, or again with the nearest place for a goal.
        if event.kind == TraceKind::Start && last != TraceKind::Start {
            costs.clear();
        }
        last = event.kind;
        if shared.contains(&event.node) {
            continue;
        }
        let key = (event.node, event.side);
        let known: Option<u64> = costs.get(&key).copied();
        match event.kind {
            TraceKind::Open if known.is_some() => return Err(format!("opened twice: {event:?}")),
            TraceKind::Improve | TraceKind::Reopen if known.is_none() => {
                return Err(format!("not opened before: {event:?}"));
            }
            TraceKind::Reopen if known <= Some(event.g) => {
                return Err(format!("reopened without gain: {event:?}"));
            }
            TraceKind::Expand | TraceKind::Goal if known.is_some_and(|g| g != event.g) => {
                return Err(format!("closed at another cost than {known:?}: {event:?}"));
            }
            _ => {}
        }
        costs.insert(key, event.g);
    }
    Ok(())
}
