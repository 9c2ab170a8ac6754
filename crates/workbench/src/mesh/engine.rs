//! A query on a mesh, answered and recorded on a worker.

use highroad::catalog::Spec;
use highroad::environment::{Edition, Environment};
use highroad::mesh::{Mesh, MeshPoint};
use highroad::online::AnyAngle;
use highroad::planner::{
    Answer, Guarantee, PathQuery, Planner, QueryError, Scratch, SketchLayer, Watch,
};
use highroad::search::{Statistics, TraceLog};
use highroad_pictures::extent_of_nodes;
use highroad_pictures::replay::Replay;
use std::sync::Arc;
use web_time::Instant;

/// The most events that are kept.
const EVENTS_MAX: usize = 200_000;

/// What came of a query on a mesh.
pub struct MeshOutcome {
    /// Where the path turns; to the nearest point that can be reached, if there is no path to the goal.
    pub path: Vec<MeshPoint>,
    /// Whether it leads to the goal.
    pub is_found: bool,
    /// How long it is.
    pub length: f64,
    /// How long the shortest path is.
    pub shortest: f64,
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
    /// What the search has looked at.
    pub layers: Vec<SketchLayer>,
}

/// A planner that was made for a mesh as it was, kept for the next query.
pub(super) struct Prepared {
    edition: Edition,
    spec: String,
    planner: Arc<dyn Planner<Mesh>>,
    build_us: f64,
}

/// An answer with its recording, and the planner that gave it.
pub(super) struct Solved {
    pub(super) outcome: MeshOutcome,
    pub(super) replay: Replay,
    pub(super) prepared: Prepared,
}

/// Answers a query and records it. The error says why there is no answer.
pub(super) fn solve(
    mesh: &Mesh,
    spec: &Spec,
    [start, goal]: [MeshPoint; 2],
    prepared: Option<Prepared>,
    watch: &mut Watch<'_>,
) -> Result<Solved, String> {
    let prepared = match prepared {
        Some(known) if known.edition == mesh.edition() && known.spec == spec.to_string() => known,
        _ => prepare(mesh, spec, watch)?,
    };
    let planner = &prepared.planner;
    let (mut scratch, mut log) = (Scratch::new(), TraceLog::new(EVENTS_MAX));
    let query = PathQuery::new(start, goal);
    let refused = |error: QueryError<_>| error.to_string();
    planner.solve_traced(mesh, &query, &mut scratch, &mut log).map_err(refused)?;
    let begun = Instant::now();
    let answer = planner.solve(mesh, &query, &mut scratch).map_err(refused)?;
    let solve_us = begun.elapsed().as_secs_f64() * 1e6;
    let (statistics, layers) = (scratch.statistics(), planner.sketch_query(mesh, &scratch));
    let best = AnyAngle.solve(mesh, &query, &mut scratch).map_err(refused)?;
    let (path, is_found) = points(answer);
    let outcome = MeshOutcome {
        length: mesh.length(&path),
        shortest: mesh.length(&points(best).0),
        path,
        is_found,
        statistics,
        solve_us,
        build_us: prepared.build_us,
        guarantee: planner.guarantee(mesh),
        memory_bytes: planner.memory_bytes(),
        layers,
    };
    let nodes = log.events().iter().map(|event| event.node.0.max(event.parent.0) as usize + 1);
    let extent =
        extent_of_nodes(nodes.max().unwrap_or(1)).ok_or("The search is too large to record.")?;
    Ok(Solved { outcome, replay: Replay::new(extent, log), prepared })
}

fn prepare(mesh: &Mesh, spec: &Spec, watch: &mut Watch<'_>) -> Result<Prepared, String> {
    let begun = Instant::now();
    let planner = Arc::from(spec.build_watched(mesh, watch).map_err(|error| error.to_string())?);
    let build_us = begun.elapsed().as_secs_f64() * 1e6;
    Ok(Prepared { edition: mesh.edition(), spec: spec.to_string(), planner, build_us })
}

/// The turning points of an answer, and whether they lead to the goal.
fn points(answer: Answer<MeshPoint>) -> (Vec<MeshPoint>, bool) {
    match answer {
        Answer::Found(path) => (path.places().to_vec(), true),
        Answer::Unreachable { nearest } | Answer::LimitReached { nearest } => {
            (nearest.places().to_vec(), false)
        }
    }
}
