//! What the planners of grids have in common: how a query begins for observers, and how it ends.

use super::{Answer, Ending, Progress, Session, start_of};
use crate::grid::{Cell, Grid};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::path::Path;
use crate::search::{SearchObserver, Side, TraceEvent, TraceKind, Weight};
use crate::space::NodeId;

/// The answer to a query whose limits are used up.
pub(crate) fn limit_reached(grid: &Grid, session: &Session<'_, Cell>) -> Answer {
    Answer::LimitReached { nearest: start_of(grid, session) }
}

/// Reports all starts to an observer, once a query.
pub(crate) fn report_starts<O: SearchObserver>(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    observer: &mut O,
) {
    if session.first_report() && O::ACTIVE {
        for &start in &*session.starts {
            report_start(grid, start, session.goals, observer);
        }
    }
}

/// Reports to an observer where a search begins.
pub(crate) fn report_start<O: SearchObserver>(
    grid: &Grid,
    start: Cell,
    goals: &[Cell],
    observer: &mut O,
) {
    let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
    let node = NodeId(grid.extent().id_inside(start).0);
    let (kind, side, h) = (TraceKind::Start, Side::Forward, measure.estimate_from(start));
    observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
}

/// A path over cells, each step of which is known to be allowed.
pub(crate) fn path_of(grid: &Grid, cells: &[Cell]) -> Path {
    Path::vouched(cells.to_vec(), grid.cost_along(cells), grid.revision())
}

/// Ends a query with the path over some cells, which slices go on to write.
pub(crate) fn end_with(
    session: &mut Session<'_, Cell>,
    cells: &[Cell],
    cost_max: u64,
    redirected: bool,
) -> Progress {
    session.writing.places.clear();
    session.writing.places.extend_from_slice(cells);
    let ending = if redirected { Ending::Nearest } else { Ending::Path { cost_max } };
    session.writing.begin(ending, false);
    Progress::Running
}
