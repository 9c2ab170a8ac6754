//! A query, answered and recorded.

use super::on_cells::build_for_cells;
use highroad::catalog::Spec;
use highroad::grid::Grid;
use highroad::planner::{Answer, Guarantee, PathQuery, Scratch, SketchLayer, Watch};
use highroad::search::{Statistics, TraceLog};
use highroad::{Cell, Cost, Path};
use highroad_pictures::replay::Replay;

/// The most events that are kept.
const EVENTS_MAX: usize = 1_000_000;

/// A query, answered and recorded.
pub struct Recording {
    /// The answer.
    pub answer: Answer,
    /// What the search did.
    pub statistics: Statistics,
    /// What the planner promises.
    pub guarantee: Guarantee,
    /// Every event.
    pub replay: Replay,
    /// What the planner has precomputed, for drawing.
    pub layers: Vec<SketchLayer>,
    /// What the query did on the abstraction.
    pub query_layers: Vec<SketchLayer>,
    /// What the planner holds.
    pub memory_bytes: usize,
}

impl Recording {
    /// The cost of the path; `None` if there is none.
    pub fn cost(&self) -> Option<Cost> {
        self.found().map(Path::cost)
    }

    /// The path, if there is one.
    pub fn found(&self) -> Option<&Path> {
        match &self.answer {
            Answer::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The cells of the path; none if there is none.
    pub fn path(&self) -> &[Cell] {
        self.found().map_or(&[], Path::cells)
    }
}

/// Answers a query and records it. Planners that are made for graphs work on the graph of the cells. The error says why
/// there is no answer.
pub fn record(spec: &Spec, grid: &Grid, ends: (Cell, Cell)) -> Result<Recording, String> {
    let planner = build_for_cells(spec, grid, &mut Watch::none())?;
    let (mut scratch, mut log) = (Scratch::new(), TraceLog::new(EVENTS_MAX));
    let query = PathQuery::new(ends.0, ends.1);
    let answer = planner
        .solve_traced(grid, &query, &mut scratch, &mut log)
        .map_err(|error| error.to_string())?;
    let mut replay = Replay::new(grid.extent(), log);
    replay.go_to(usize::MAX, |_| ());
    Ok(Recording {
        answer,
        statistics: scratch.statistics(),
        guarantee: planner.guarantee(grid),
        replay,
        layers: planner.sketch(grid),
        query_layers: planner.sketch_query(grid, &scratch),
        memory_bytes: planner.memory_bytes(),
    })
}
