//! Questions as queries, and their answers compared with the model.

use super::model::{Model, Place};
use super::program::{EndRule, Question};
use super::world::{Asked, AskedOf, Checked};
use highroad::Path;
use highroad::environment::{Cost, Environment};
use highroad::planner::{
    AlternativeOptions, Answer, GoalRule, Guarantee, PathQuery, Planner, Progress, QueryError,
    Scratch,
};
use highroad::search::Limits;
use highroad_suite::query_between;

impl From<EndRule> for GoalRule {
    fn from(rule: EndRule) -> Self {
        match rule {
            EndRule::Exact => Self::Exact,
            EndRule::Adjacent => Self::Adjacent,
            EndRule::Nearest => Self::Nearest,
        }
    }
}

fn places<M: Model>(model: &M, numbers: &[u32]) -> Vec<Place<M>> {
    numbers.iter().map(|&number| model.place(number)).collect()
}

/// A question as a query.
pub(super) fn query<M: Model>(
    model: &M,
    question: &Question,
    expansions: Option<u64>,
) -> PathQuery<Place<M>> {
    let query = query_between(&places(model, &question.starts), &places(model, &question.goals));
    let query = query.with_goal_rule(question.rule.into());
    let query = query.with_obstacles(places(model, &question.obstacles));
    match expansions {
        Some(most) => query.with_limits(Limits::default().with_expansions_max(most)),
        None => query,
    }
}

/// The model for one question: its obstacles are blocked, except those that the agent covers where it starts.
pub(super) fn around_obstacles<M: Model>(model: &M, question: &Question) -> M {
    let starts = places(model, &question.starts);
    let mut obstacles = places(model, &question.obstacles);
    if question.kind < model.kinds() {
        let covered = |place| starts.iter().any(|&start| model.covers(question.kind, start, place));
        obstacles.retain(|&place| !covered(place));
    }
    model.without(&obstacles)
}

/// Where a path may end by its rule; `None` if the question must be refused.
fn ends<M: Model>(here: &M, question: &Question) -> Option<Vec<Place<M>>> {
    let goals = places(here, &question.goals);
    let stands = |&place: &Place<M>| here.may_stand(question.kind, place);
    if question.rule != EndRule::Exact && !goals.iter().all(|&goal| here.exists(goal)) {
        return None;
    }
    match question.rule {
        EndRule::Exact => goals.iter().all(stands).then_some(goals),
        EndRule::Adjacent => {
            let beside = |&goal: &Place<M>| here.beside(question.kind, goal);
            let all: Vec<_> = goals.iter().flat_map(beside).collect();
            (!all.is_empty()).then_some(all)
        }
        EndRule::Nearest => Some(goals.into_iter().filter(stands).collect()),
    }
}

/// Solves a query in slices.
pub(super) fn sliced<E: Environment>(
    planner: &dyn Planner<E>,
    environment: &E,
    query: &PathQuery<E::Place>,
    scratch: &mut Scratch,
    mut slice: impl FnMut() -> u64,
) -> Result<Asked<E, Answer<E::Place>>, String> {
    if let Err(error) = planner.begin(environment, query, scratch) {
        return Ok(Err(error));
    }
    for turn in 0..1_000_000 {
        // Slices of no expansions may not go on for ever.
        let slice = if turn % 16 == 15 { 50 } else { slice() };
        match planner.advance(environment, scratch, slice) {
            Progress::Running | Progress::Leg(_) => {}
            Progress::Done(answer) => return Ok(Ok(answer)),
            Progress::Stale => return Err("a query is stale without an edit".to_owned()),
        }
    }
    Err("a query in slices does not end".to_owned())
}

/// Compares an answer with the model. Returns how many things were compared.
pub(super) fn check<M: Model>(
    model: &M,
    question: &Question,
    answer: AskedOf<M, Answer<Place<M>>>,
    guarantees: &[Guarantee],
    limited: bool,
) -> Checked {
    if question.kind >= model.kinds() {
        return Ok(0);
    }
    let starts = places(model, &question.starts);
    let here = around_obstacles(model, question);
    let stands = starts.iter().all(|&start| here.may_stand(question.kind, start));
    let ends = if stands { ends(&here, question) } else { None };
    let (answer, ends) = match (answer, ends) {
        (Ok(_), None) => return Err("an answer, though an end is blocked".to_owned()),
        (Ok(answer), Some(ends)) => (answer, ends),
        (Err(QueryError::Refused { .. } | QueryError::NothingBeside), None) => return Ok(1),
        (Err(error), _) => return Err(format!("refused: {error}")),
    };
    let distances = here.distances(question.kind, &starts);
    let cheapest =
        |places: &[Place<M>]| places.iter().filter_map(|place| distances.get(place)).min().copied();
    let best = cheapest(&ends);
    let walked = |path: &Path<Place<M>>| {
        let cost = here.walk(question.kind, path.places());
        if cost != Some(path.cost().0) {
            return Err(format!("a path of cost {}, the model says {cost:?}", path.cost()));
        }
        match starts.contains(&path.start()) {
            true => Ok(()),
            false => Err(format!("the path starts at {}", path.start())),
        }
    };
    let as_promised = |cost: Cost, best: u64| {
        let kept = |guarantee: &Guarantee| guarantee.holds(cost, Cost(best));
        match cost.0 == best || cost.0 > best && guarantees.iter().any(kept) {
            true => Ok(()),
            false => Err(format!("cost {cost} where {best} is best")),
        }
    };
    match (answer, best) {
        (Answer::Found(path), Some(best)) => {
            walked(&path)?;
            if !ends.contains(&path.goal()) {
                return Err(format!("the path ends at {}", path.goal()));
            }
            as_promised(path.cost(), best)?;
            Ok(3)
        }
        (Answer::Unreachable { nearest }, None) => {
            walked(&nearest)?;
            let is_near = question.rule == EndRule::Nearest;
            let goals = if is_near { places(model, &question.goals) } else { ends };
            let found = here.remoteness(nearest.goal(), &goals);
            let remoteness = |&at: &Place<M>| here.remoteness(at, &goals);
            let least = distances.keys().filter_map(remoteness).min();
            if found != least {
                return Err(format!("the nearest is {found:?} away, another {least:?}"));
            }
            if is_near {
                let mut equal: Vec<_> = distances.keys().copied().collect();
                equal.retain(|at| remoteness(at) == least);
                as_promised(nearest.cost(), cheapest(&equal).unwrap_or(0))?;
            }
            Ok(2 + u64::from(is_near))
        }
        (Answer::LimitReached { nearest }, _) if limited => walked(&nearest).map(|()| 1),
        (answer, best) => Err(format!("the model says {best:?}, the answer is {answer:?}")),
    }
}

/// Compares alternative paths with the model.
pub(super) fn check_alternatives<M: Model>(
    model: &M,
    question: &Question,
    options: AlternativeOptions,
    found: AskedOf<M, Vec<Path<Place<M>>>>,
) -> Checked {
    let (start, goal) = (model.place(question.starts[0]), model.place(question.goals[0]));
    let allowed = [start, goal].iter().all(|&place| model.may_stand(question.kind, place));
    let paths = match found {
        Ok(paths) if allowed => paths,
        Err(QueryError::Refused { .. }) if !allowed => return Ok(1),
        found => return Err(format!("alternatives where an end is blocked or not: {found:?}")),
    };
    let best = model.distances(question.kind, &[start]).get(&goal).copied();
    let first = paths.first().map(|path| path.cost().0);
    if first != best.filter(|_| options.count > 0) || paths.len() > options.count as usize {
        return Err(format!(
            "{} alternatives, the first costs {first:?}, not {best:?}",
            paths.len()
        ));
    }
    let most = best.unwrap_or(0) as u128 * (100 + u128::from(options.costlier_percent_max)) / 100;
    for (number, path) in paths.iter().enumerate() {
        let cost = model.walk(question.kind, path.places());
        if cost != Some(path.cost().0) || (path.start(), path.goal()) != (start, goal) {
            return Err(format!("alternative {number}: cost {}, not {cost:?}", path.cost()));
        }
        if u128::from(path.cost().0) > most {
            return Err(format!("alternative {number} costs {}, {most} at most", path.cost()));
        }
        for other in &paths[..number] {
            if shared_percent(model, path, other, options.margin)
                .is_none_or(|shared| shared > f64::from(options.shared_percent_max))
            {
                return Err(format!("alternative {number} is too much like another"));
            }
        }
    }
    Ok(1 + paths.len() as u64)
}

/// How many in a hundred places of a path, those near its ends left out, lie near another; `None` if no place is left.
fn shared_percent<M: Model>(
    model: &M,
    path: &Path<Place<M>>,
    other: &Path<Place<M>>,
    margin: u32,
) -> Option<f64> {
    let near = |place: Place<M>, to: &[Place<M>]| {
        to.iter().any(|&other| model.is_near(place, other, margin))
    };
    let ends = [path.start(), path.goal()];
    let mut inner = path.places().to_vec();
    inner.retain(|&place| !near(place, &ends));
    let shared = inner.iter().filter(|&&place| near(place, other.places())).count();
    (!inner.is_empty()).then(|| shared as f64 * 100.0 / inner.len() as f64)
}
