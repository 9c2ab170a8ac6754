//! Measuring one planner on the queries of one map: what `bench` and `report` have in common.
//!
//! A time is that of the whole answer, search and path as cells, warm: each query is asked once
//! unmeasured, then in several passes over all queries. The smallest time of a query counts; by how much
//! the others exceed it shows how quiet the machine was.

use crate::measurable::Measurable;
use crate::workload::{WorkQuery, Workload};
use highroad::Path;
use highroad::catalog::{Spec, SpecError};
use highroad::environment::{Cost, Environment};
use highroad::grid::Grid;
use highroad::planner::{Answer, PathQuery, Planner, QueryError, Scratch, Watch};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::time::Instant;

/// A planner made for a map, with the memory that its searches run in.
pub struct Probe<'w, E: Measurable = Grid> {
    /// The map.
    pub grid: &'w E,
    /// The planner.
    pub planner: Box<dyn Planner<E>>,
    /// What its searches run in.
    pub scratch: Scratch,
    /// Milliseconds to make it.
    pub build_ms: f64,
}

/// What a planner answers, or why it does not.
pub type Asked<E> =
    Result<Answer<<E as Environment>::Place>, QueryError<<E as Environment>::Refusal>>;

/// What a planner said to a query, asked for the first time.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// Cost and length of the path, if one was found.
    pub found: Option<(Cost, f64)>,
    /// By how many per cent the path is more costly than the cheapest, if there is one; or what is wrong with
    /// the answer.
    pub excess_percent: Result<Option<f64>, String>,
    /// Nodes expanded.
    pub expanded: u64,
}

/// How long a query took, in microseconds, over some passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Microseconds in the quickest pass.
    pub least_us: f64,
    /// Microseconds in the slowest pass.
    pub most_us: f64,
}

impl<'w, E: Measurable> Probe<'w, E> {
    /// Makes the planner.
    pub fn build(grid: &'w E, spec: &Spec) -> Result<Self, SpecError> {
        Self::build_watched(grid, spec, &mut Watch::none())
    }

    /// As [`Probe::build`], with progress. Fails with [`SpecError::Stopped`] when the watch stops it.
    pub fn build_watched(
        grid: &'w E,
        spec: &Spec,
        watch: &mut Watch<'_>,
    ) -> Result<Self, SpecError> {
        let start = Instant::now();
        let planner = spec.build_watched(grid, watch)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(Self { grid, planner, scratch: Scratch::new(), build_ms })
    }

    /// Asks a query once, unmeasured, and has the answer checked: by how many per cent it is more costly than the
    /// cheapest, or what is wrong with it.
    pub fn check(
        &mut self,
        query: &PathQuery<E::Place>,
        check: impl FnOnce(Asked<E>) -> Result<Option<f64>, String>,
    ) -> Checked {
        let answer = self.planner.solve(self.grid, query, &mut self.scratch);
        let expanded = self.scratch.statistics().expanded;
        let found = match &answer {
            Ok(Answer::Found(path)) => Some((path.cost(), self.grid.length_of(path))),
            _ => None,
        };
        Checked { found, excess_percent: check(answer), expanded }
    }

    /// Asks all queries in some passes. `asked` is notified of each one done.
    pub fn time(
        &mut self,
        queries: &[PathQuery<E::Place>],
        passes: usize,
        asked: impl FnMut(),
    ) -> Vec<Times> {
        let Self { grid, planner, scratch, .. } = self;
        time_queries(queries, passes, asked, |query| {
            drop(std::hint::black_box(planner.solve(grid, query, scratch)));
        })
    }

    /// As [`Probe::time`]; `None` if `goes_on`, which is asked after each query, says no.
    pub fn time_while(
        &mut self,
        queries: &[PathQuery<E::Place>],
        passes: usize,
        mut goes_on: impl FnMut() -> ControlFlow<()>,
    ) -> Option<Vec<Times>> {
        let Self { grid, planner, scratch, .. } = self;
        let mut times = Times::none(queries.len());
        for _ in 0..passes {
            for (query, times) in queries.iter().zip(&mut times) {
                times.add(|| drop(std::hint::black_box(planner.solve(grid, query, scratch))));
                if goes_on().is_break() {
                    return None;
                }
            }
        }
        Some(times)
    }

    /// The path that it finds, if any.
    pub fn path(&mut self, query: &PathQuery<E::Place>) -> Option<Path<E::Place>> {
        self.planner.solve(self.grid, query, &mut self.scratch).ok()?.path()
    }

    /// Bytes held by the planner and its scratch memory, beside the map.
    pub fn memory_bytes(&self) -> usize {
        self.planner.memory_bytes() + self.scratch.memory_bytes()
    }
}

/// How long each query takes, over some passes.
pub fn time_queries<P>(
    queries: &[PathQuery<P>],
    passes: usize,
    mut asked: impl FnMut(),
    mut ask: impl FnMut(&PathQuery<P>),
) -> Vec<Times> {
    let mut times = Times::none(queries.len());
    for _ in 0..passes {
        for (query, times) in queries.iter().zip(&mut times) {
            times.add(|| ask(query));
            asked();
        }
    }
    times
}

impl Times {
    /// Of queries that were not asked yet.
    fn none(queries: usize) -> Vec<Self> {
        vec![Self { least_us: f64::INFINITY, most_us: 0.0 }; queries]
    }

    /// Asks once more.
    fn add(&mut self, ask: impl FnOnce()) {
        let start = Instant::now();
        ask();
        let us = start.elapsed().as_secs_f64() * 1e6;
        self.least_us = self.least_us.min(us);
        self.most_us = self.most_us.max(us);
    }
}

/// The queries of a workload, as planners are asked.
pub fn queries_of<E: Measurable>(workload: &Workload<E>) -> Vec<PathQuery<E::Place>> {
    workload.queries.iter().map(|query| PathQuery::new(query.start, query.goal)).collect()
}

/// Cost and length of a cheapest path for every query that is wanted, by an exact search on all cores;
/// `None`: no path, or not wanted.
pub fn exact_answers<E: Measurable>(
    environment: &E,
    queries: &[WorkQuery<E::Place>],
    wanted: impl Fn(&WorkQuery<E::Place>) -> bool + Sync,
) -> Vec<Option<(Cost, f64)>> {
    let exact = environment.reference(None);
    let solve = |scratch: &mut Scratch, query: &WorkQuery<E::Place>| {
        let ask = wanted(query).then(|| PathQuery::new(query.start, query.goal))?;
        let path = exact.solve(environment, &ask, scratch).ok().and_then(Answer::path)?;
        Some((path.cost(), environment.length_of(&path)))
    };
    queries.par_iter().map_init(Scratch::new, solve).collect()
}
