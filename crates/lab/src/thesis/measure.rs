//! Asking queries, in the thesis's units.

use super::ThesisError;
use super::queries::straight_step;
use super::slips::degradation_percent;
use crate::table::mean;
use highroad::catalog::Spec;
use highroad::grid::Grid;
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use std::time::Instant;

/// A planner and what it is called in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// As the thesis calls it.
    pub(super) name: &'static str,
    /// Whose settings these are.
    pub(super) settings: &'static str,
    /// The planner with its options.
    pub(super) spec: &'static str,
}

pub(super) const ASTAR: Search = Search { name: "A*", settings: "thesis", spec: "astar" };
pub(super) const HPA_OF_THESIS: Search = Search {
    name: "HPA*",
    settings: "thesis",
    spec: "hpa:cluster=10:transitions=thesis:levels=1:smooth=no",
};
pub(super) const PRA_OF_THESIS: Search =
    Search { name: "PRA*", settings: "thesis", spec: "pra:start=half:refine=thesis:smooth=no" };
pub(super) const HPA: Search = Search { name: "HPA*", settings: "ours", spec: "hpa" };
pub(super) const PRA: Search = Search { name: "PRA*", settings: "ours", spec: "pra" };

impl Search {
    /// The planner for a grid, and the least of some times to build it, in milliseconds.
    pub(super) fn build(
        &self,
        grid: &Grid,
        passes: usize,
    ) -> Result<(Box<dyn Planner>, f64), ThesisError> {
        let spec: Spec = self.spec.parse()?;
        let build = || {
            let start = Instant::now();
            let planner = spec.build(grid)?;
            Ok::<_, ThesisError>((planner, start.elapsed().as_secs_f64() * 1e3))
        };
        let (mut planner, mut least_ms) = build()?;
        for _ in 1..passes {
            drop(planner);
            let ms;
            (planner, ms) = build()?;
            least_ms = least_ms.min(ms);
        }
        Ok((planner, least_ms))
    }
}

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrialResult {
    /// What the path costs, with a straight step as 1.
    pub(super) cost: f64,
    /// How many cells it has, start and goal included.
    pub(super) cells: f64,
    /// Nodes expanded, on all levels.
    pub(super) expanded: f64,
    /// Milliseconds: the least of the passes.
    pub(super) ms: f64,
}

/// Asks every query: once to warm up, then in as many passes. Every one must have a path.
pub(super) fn ask(
    grid: &Grid,
    planner: &dyn Planner,
    queries: &[PathQuery],
    passes: usize,
) -> Result<Vec<TrialResult>, ThesisError> {
    let mut scratch = Scratch::new();
    let mut outcomes = Vec::with_capacity(queries.len());
    for query in queries {
        let answer = planner.solve(grid, query, &mut scratch)?;
        let Answer::Found(path) = answer else { return Err(ThesisError::NoPath) };
        outcomes.push(TrialResult {
            cost: path.cost().0 as f64 / straight_step(grid),
            cells: path.cells().len() as f64,
            expanded: scratch.statistics().expanded as f64,
            ms: f64::INFINITY,
        });
    }
    for _ in 0..passes {
        for (query, outcome) in queries.iter().zip(&mut outcomes) {
            let start = Instant::now();
            let answer = std::hint::black_box(planner.solve(grid, query, &mut scratch));
            outcome.ms = outcome.ms.min(start.elapsed().as_secs_f64() * 1e3);
            drop(answer);
        }
    }
    Ok(outcomes)
}

/// The mean of something over the answers.
pub(super) fn mean_of(outcomes: &[TrialResult], value: impl Fn(&TrialResult) -> f64) -> f64 {
    mean(&outcomes.iter().map(value).collect::<Vec<_>>())
}

/// The degradation of each answer, in per cent.
pub(super) fn degradations(outcomes: &[TrialResult], cheapest: &[TrialResult]) -> Vec<f64> {
    let pairs = outcomes.iter().zip(cheapest);
    pairs.map(|(outcome, best)| degradation_percent(outcome.cost, best.cost)).collect()
}

/// The largest of some values; 0 of nothing.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}
