//! Measuring one planner on the queries of one map: what `bench` and `report` have in common.
//!
//! A time is that of the whole answer, search and path as cells, warm: each query is asked once
//! unmeasured, then in several passes over all queries. The smallest time of a query counts; by how much
//! the others exceed it shows how quiet the machine was.

use crate::workload::{WorkQuery, Workload};
use highroad::catalog::{Spec, SpecError};
use highroad::grid::Grid;
use highroad::online::GridSearch;
use highroad::planner::{Answer, PathQuery, Planner, QueryError, Scratch};
use highroad::{Cost, Path};
use rayon::prelude::*;
use std::time::Instant;

/// A planner made for a map, with the memory that its searches run in.
pub struct Probe<'w> {
    /// The map.
    pub grid: &'w Grid,
    /// The planner.
    pub planner: Box<dyn Planner>,
    /// What its searches run in.
    pub scratch: Scratch,
    /// Milliseconds to make it.
    pub build_ms: f64,
}

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

impl<'w> Probe<'w> {
    /// Makes the planner.
    pub fn build(grid: &'w Grid, spec: &Spec) -> Result<Self, SpecError> {
        let start = Instant::now();
        let planner = spec.build(grid)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(Self { grid, planner, scratch: Scratch::new(), build_ms })
    }

    /// Asks a query once, unmeasured, and has the answer checked: by how many per cent it is more costly than the
    /// cheapest, or what is wrong with it.
    pub fn check(
        &mut self,
        query: &PathQuery,
        check: impl FnOnce(Result<Answer, QueryError>) -> Result<Option<f64>, String>,
    ) -> Checked {
        let answer = self.planner.solve(self.grid, query, &mut self.scratch);
        let expanded = self.scratch.statistics().expanded;
        let found = match &answer {
            Ok(Answer::Found(path)) => Some((path.cost(), path.length())),
            _ => None,
        };
        Checked { found, excess_percent: check(answer), expanded }
    }

    /// Asks all queries in some passes. `asked` is notified of each one done.
    pub fn time(
        &mut self,
        queries: &[PathQuery],
        passes: usize,
        asked: impl FnMut(),
    ) -> Vec<Times> {
        let Self { grid, planner, scratch, .. } = self;
        time_queries(queries, passes, asked, |query| {
            drop(std::hint::black_box(planner.solve(grid, query, scratch)));
        })
    }

    /// The path that it finds, if any.
    pub fn path(&mut self, query: &PathQuery) -> Option<Path> {
        self.planner.solve(self.grid, query, &mut self.scratch).ok()?.path()
    }

    /// Bytes held by the planner and its scratch memory, beside the map.
    pub fn memory_bytes(&self) -> usize {
        self.planner.memory_bytes() + self.scratch.memory_bytes()
    }
}

/// How long each query takes, over some passes.
pub fn time_queries(
    queries: &[PathQuery],
    passes: usize,
    mut asked: impl FnMut(),
    mut ask: impl FnMut(&PathQuery),
) -> Vec<Times> {
    let mut times = vec![Times { least_us: f64::INFINITY, most_us: 0.0 }; queries.len()];
    for _ in 0..passes {
        for (query, times) in queries.iter().zip(&mut times) {
            let start = Instant::now();
            ask(query);
            let us = start.elapsed().as_secs_f64() * 1e6;
            times.least_us = times.least_us.min(us);
            times.most_us = times.most_us.max(us);
            asked();
        }
    }
    times
}

/// The queries of a workload, as planners are asked.
pub fn queries_of(workload: &Workload) -> Vec<PathQuery> {
    workload.queries.iter().map(|query| PathQuery::new(query.start, query.goal)).collect()
}

/// Cost and length of a cheapest path for every query that is wanted, by an exact search on all cores;
/// `None`: no path, or not wanted.
pub fn exact_answers(
    workload: &Workload,
    wanted: impl Fn(&WorkQuery) -> bool + Sync,
) -> Vec<Option<(Cost, f64)>> {
    let solve = |scratch: &mut Scratch, query: &WorkQuery| {
        let ask = wanted(query).then(|| PathQuery::new(query.start, query.goal))?;
        let answer = GridSearch::astar().solve(&workload.grid, &ask, scratch);
        answer.ok().and_then(Answer::path).map(|path| (path.cost(), path.length()))
    };
    workload.queries.par_iter().map_init(Scratch::new, solve).collect()
}
