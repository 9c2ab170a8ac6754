//! Checking planners: against published lengths, against an exact search, and against their own
//! promise.

use crate::measurable::Measurable;
use crate::measure::Asked;
use crate::quality::excess_percent;
use crate::workload::{Published, WorkQuery, Workload};
use highroad::catalog::{Spec, SpecError};
use highroad::environment::Cost;
use highroad::grid::Grid;
use highroad::planner::{Answer, Guarantee, PathQuery, Scratch};
use highroad::{Cell, Path};
use rayon::prelude::*;
use std::fmt;

/// An answer that is wrong, or that breaks what its planner promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation<P = Cell> {
    /// The map.
    pub map: String,
    /// The planner, as asked for.
    pub planner: String,
    /// Where the path should start.
    pub start: P,
    /// Where it should end.
    pub goal: P,
    /// What is wrong.
    pub problem: String,
}

impl<P: fmt::Display> fmt::Display for Violation<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, planner, start, goal, problem } = self;
        write!(f, "{map}, {planner}, {start} to {goal}: {problem}")
    }
}

/// What a check of one planner on one workload found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification<P = Cell> {
    /// In the order of the queries.
    pub violations: Vec<Violation<P>>,
    /// For each path found, by how many per cent it is more costly than the cheapest.
    pub excess_percent: Vec<f64>,
}

/// Asks every query of a workload.
/// `asked` is notified of each query done, from several threads.
pub fn verify(
    workload: &Workload,
    spec: &Spec,
    asked: impl Fn() + Sync,
) -> Result<Verification, SpecError> {
    // Where nothing is published, the planner is held against another exact one.
    let reference = workload.environment.reference(Some(spec));
    verify_by(workload, spec, asked, |query, guarantee, answer, scratch| {
        let grid = &workload.environment;
        check_answer(grid, query, guarantee, answer, || {
            let ask = PathQuery::new(query.start, query.goal);
            grid.optimal_cost(&*reference, &ask, scratch)
        })
    })
}

/// Asks every query of a workload, on all cores, and has each answer checked: by how many per cent it is more costly
/// than the cheapest, or what is wrong.
pub(crate) fn verify_by<E: Measurable>(
    workload: &Workload<E>,
    spec: &Spec,
    asked: impl Fn() + Sync,
    check: impl Fn(
        &WorkQuery<E::Place>,
        Guarantee,
        Asked<E>,
        &mut Scratch,
    ) -> Result<Option<f64>, String>
    + Sync,
) -> Result<Verification<E::Place>, SpecError> {
    let planner = spec.build(&workload.environment)?;
    let guarantee = planner.guarantee(&workload.environment);
    let ask = |scratch: &mut Scratch, query: &WorkQuery<E::Place>| {
        let ask = PathQuery::new(query.start, query.goal);
        let answer = planner.solve(&workload.environment, &ask, scratch);
        let checked = check(query, guarantee, answer, scratch);
        asked();
        checked.map_err(|problem| Violation {
            map: workload.name.clone(),
            planner: spec.to_string(),
            start: query.start,
            goal: query.goal,
            problem,
        })
    };
    let checked: Vec<Result<Option<f64>, Violation<E::Place>>> =
        workload.queries.par_iter().map_init(Scratch::new, ask).collect();
    let mut verification = Verification { violations: Vec::new(), excess_percent: Vec::new() };
    for checked in checked {
        match checked {
            Ok(excess) => verification.excess_percent.extend(excess),
            Err(violation) => verification.violations.push(violation),
        }
    }
    Ok(verification)
}

/// Checks an answer against the published length where there is one, else against the exact cost. Returns by
/// how many per cent the path is more costly than the cheapest.
pub fn check_answer(
    grid: &Grid,
    query: &WorkQuery,
    guarantee: Guarantee,
    answer: Asked<Grid>,
    optimal: impl FnOnce() -> Option<Cost>,
) -> Result<Option<f64>, String> {
    match query.published {
        Some(published) => check_published(grid, query, guarantee, answer, published),
        None => check_cost(grid, query, guarantee, answer, optimal()),
    }
}

/// Checks an answer against the exact cost; `None`: there is no path. Returns by how many per cent the
/// path is more costly.
pub fn check_cost<E: Measurable>(
    grid: &E,
    query: &WorkQuery<E::Place>,
    guarantee: Guarantee,
    answer: Asked<E>,
    optimal: Option<Cost>,
) -> Result<Option<f64>, String> {
    match (checked_path(grid, query, answer)?, optimal) {
        (None, None) => Ok(None),
        (Some(_), None) => Err("found a path where there is none".into()),
        (None, Some(_)) => Err("found no path where there is one".into()),
        (Some(path), Some(optimal)) if E::keeps(guarantee, path.cost(), optimal) => {
            Ok(Some(excess_percent(path.cost().0 as f64, optimal.0 as f64)))
        }
        (Some(path), Some(optimal)) => {
            Err(format!("cost {}, optimal {optimal}, promised: {guarantee}", path.cost()))
        }
    }
}

/// Checks an answer against a published length. Returns by how many per cent the path is longer.
pub(crate) fn check_published(
    grid: &Grid,
    query: &WorkQuery,
    guarantee: Guarantee,
    answer: Asked<Grid>,
    published: Published,
) -> Result<Option<f64>, String> {
    let Published { length, tolerance } = published;
    match (checked_path(grid, query, answer)?, length) {
        (None, None) => Ok(None),
        (Some(_), None) => Err("found a path where the scenario knows none".into()),
        (None, Some(_)) => Err("found no path where the scenario knows one".into()),
        (Some(path), Some(length)) => {
            let longest = match guarantee {
                Guarantee::Optimal => length,
                Guarantee::Bounded(factor) => length * factor,
                Guarantee::NearOptimal | Guarantee::None => f64::INFINITY,
            };
            let found = grid.published_length_of(&path);
            // On mixed terrain paths of one cost can differ in length by what 3363/2378 misses √2 by.
            let tolerance = match grid.uniform_cost() {
                Some(_) => tolerance,
                None => tolerance.max(length * MIXED_TOLERANCE),
            };
            if found >= length - tolerance && found <= longest + tolerance {
                // What rounding may have made is not counted as longer.
                let excess =
                    if found <= length + tolerance { 0.0 } else { excess_percent(found, length) };
                return Ok(Some(excess));
            }
            Err(format!("length {found}, published {length}, promised: {guarantee}"))
        }
    }
}

/// Twice the relative error of the exact step costs' ratio.
const MIXED_TOLERANCE: f64 = 1e-7;

/// The path of an answer, if it is one: from start to goal, each step allowed, the cost right.
pub(crate) fn checked_path<E: Measurable>(
    grid: &E,
    query: &WorkQuery<E::Place>,
    answer: Asked<E>,
) -> Result<Option<Path<E::Place>>, String> {
    let path = match answer.map_err(|error| error.to_string())? {
        Answer::Found(path) => path,
        Answer::Unreachable { .. } => return Ok(None),
        Answer::LimitReached { .. } => return Err("gave up without a limit".into()),
    };
    path.validate(grid).map_err(|fault| fault.to_string())?;
    if (path.start(), path.goal()) != (query.start, query.goal) {
        return Err(format!("the path leads from {} to {}", path.start(), path.goal()));
    }
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(length: Option<f64>) -> Workload {
        let grid = Grid::with_defaults("....\n.##.\n....\n".parse().unwrap());
        let published = Some(Published { length, tolerance: 1e-6 });
        let query = WorkQuery { start: Cell::new(0, 0), goal: Cell::new(3, 2), published };
        Workload { name: "ring".into(), environment: grid, queries: vec![query] }
    }

    fn problems(length: Option<f64>, spec: &str) -> Vec<String> {
        let spec: Spec = spec.parse().unwrap();
        let verification = verify(&workload(length), &spec, || ()).unwrap();
        verification.violations.into_iter().map(|violation| violation.problem).collect()
    }

    #[test]
    fn a_right_answer_passes_and_wrong_ones_are_told_apart() {
        assert!(problems(Some(5.0), "astar").is_empty());
        assert!(problems(None, "astar")[0].contains("the scenario knows none"));
        assert!(problems(Some(4.9), "astar")[0].contains("length 5, published 4.9"));
        assert!(problems(Some(4.9), "greedy").is_empty(), "greedy promises nothing");
        assert!(problems(Some(5.1), "greedy")[0].contains("length 5"), "shorter than optimal");
        assert!(problems(Some(4.0), "weighted-astar:weight=1.5").is_empty());
        assert!(!problems(Some(3.0), "weighted-astar:weight=1.5").is_empty());
    }

    #[test]
    fn without_published_lengths_an_exact_search_is_the_judge() {
        let mut workload = workload(None);
        workload.queries[0].published = None;
        for spec in ["astar", "dijkstra", "depth-first"] {
            let verification = verify(&workload, &spec.parse().unwrap(), || ()).unwrap();
            assert_eq!(verification.violations, []);
            assert_eq!(verification.excess_percent.len(), 1);
        }
        let answer =
            Ok(Answer::Found(Path::new(&workload.environment, vec![Cell::new(0, 0)]).unwrap()));
        let problem = check_cost(
            &workload.environment,
            &workload.queries[0],
            Guarantee::None,
            answer,
            Some(Cost(1)),
        );
        assert_eq!(problem, Err("the path leads from (0, 0) to (0, 0)".into()));
    }
}
