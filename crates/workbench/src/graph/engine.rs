//! A query on a graph, answered and recorded on a worker.

use highroad::catalog::Spec;
use highroad::environment::NodeId;
use highroad::graph::Graph;
use highroad::grid::Extent;
use highroad::online::GraphSearch;
use highroad::planner::{Guarantee, PathQuery, Planner, Scratch, Watch};
use highroad::search::{Statistics, TraceLog};
use highroad_lab::graphs::estimates_towards;
use highroad_pictures::replay::Replay;
use web_time::Instant;

/// The most events that are kept.
const EVENTS_MAX: usize = 200_000;

/// What came of a query on a graph.
pub struct GraphOutcome {
    /// Every node of the path; none if there is none.
    pub path: Vec<NodeId>,
    /// What the path costs; `None` if there is none.
    pub cost: Option<u64>,
    /// What the best path costs.
    pub optimal: Option<u64>,
    /// What the search did.
    pub statistics: Statistics,
    /// How long the answer took, without recording it, in microseconds.
    pub solve_us: f64,
    /// How long it took to prepare the planner, in microseconds.
    pub build_us: f64,
    /// What the planner promises.
    pub guarantee: Guarantee,
    /// What the planner holds.
    pub memory_bytes: usize,
    /// The planner's estimates of the cost from each node to the goal, where it has any.
    pub estimates: Option<Vec<u64>>,
}

/// Answers a query and records it. The error says why there is no answer.
pub(super) fn solve(
    graph: &Graph,
    spec: &Spec,
    ends: (NodeId, NodeId),
    extent: Extent,
    watch: &mut Watch<'_>,
) -> Result<(GraphOutcome, Replay), String> {
    if let Err(negative) = graph.non_negative() {
        return Err(format!(
            "{negative}. The command highroad graph bellman-ford takes such graphs."
        ));
    }
    let begun = Instant::now();
    let planner = spec.build_watched(graph, watch).map_err(|error| error.to_string())?;
    let build_us = begun.elapsed().as_secs_f64() * 1e6;
    let (mut scratch, mut log) = (Scratch::new(), TraceLog::new(EVENTS_MAX));
    let query = PathQuery::new(ends.0, ends.1);
    let refused = |error: highroad::planner::QueryError<_>| error.to_string();
    let answer = planner.solve_traced(graph, &query, &mut scratch, &mut log).map_err(refused)?;
    let begun = Instant::now();
    planner.solve(graph, &query, &mut scratch).map_err(refused)?;
    let solve_us = begun.elapsed().as_secs_f64() * 1e6;
    let statistics = scratch.statistics();
    let best = GraphSearch::dijkstra().solve(graph, &query, &mut scratch).map_err(refused)?;
    let estimates = match spec.entry().traces_places {
        true => estimates_towards(graph, &*planner, ends.1).map_err(refused)?,
        false => None,
    };
    let path = answer.path();
    let outcome = GraphOutcome {
        cost: path.as_ref().map(|path| path.cost().0),
        path: path.map(|path| path.nodes().to_vec()).unwrap_or_default(),
        optimal: best.path().map(|path| path.cost().0),
        statistics,
        solve_us,
        build_us,
        guarantee: planner.guarantee(graph),
        memory_bytes: planner.memory_bytes(),
        estimates,
    };
    Ok((outcome, Replay::new(extent, log)))
}
