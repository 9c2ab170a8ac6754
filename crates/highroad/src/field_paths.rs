//! Queries with many goals: paths read off one field, and goals that are passed over.

use crate::living::{Living, LivingField};
use highroad_core::{GoalRule, Path, PathQuery};

/// Places between two looks at whether a goal is settled.
const SLICE: u64 = 4096;

/// Whether it is known without a search that no path leads to a goal.
pub(crate) fn is_out_of_reach<E: Living>(environment: &E, start: E::Place, goal: E::Place) -> bool {
    environment.check_place(goal).is_err()
        || environment.knows_reachable(start, goal) == Some(false)
}

/// The path from the start of a field to each goal. The search goes on until it has reached all that can be reached, as
/// far as that is known, or no place is left.
pub(crate) fn paths_to_each<E: Living>(
    environment: &E,
    field: &mut E::Field,
    start: E::Place,
    goals: &[E::Place],
) -> Vec<Option<Path<E::Place>>> {
    let path = |&goal: &E::Place| {
        if is_out_of_reach(environment, start, goal) {
            return None;
        }
        while field.cost(goal).is_none() && field.advance(SLICE) {}
        field.path(goal)
    };
    goals.iter().map(path).collect()
}

/// A query less the goals at which no path can end, as long as others are left; as it is if its own rule says what
/// blocked goals mean.
pub(crate) fn open_goals<E: Living>(
    environment: &E,
    query: PathQuery<E::Place>,
) -> PathQuery<E::Place> {
    if query.goal_rule() != GoalRule::Exact {
        return query;
    }
    let is_open = |goal: &&E::Place| environment.check_place(**goal).is_ok();
    let open: Vec<E::Place> = query.goals().iter().filter(is_open).copied().collect();
    if open.is_empty() || open.len() == query.goals().len() {
        query
    } else {
        query.with_goals(open)
    }
}
