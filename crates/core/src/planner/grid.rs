//! What the planners of grids have in common: how a query begins for observers, and how it ends.

use crate::grid::{Cell, Grid};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::path::Path;
use super::{Answer, Session};
use crate::search::{Observer, Side, TraceEvent, TraceKind, Weight};
use crate::space::NodeId;

/// The answer that a path is, which leads to the nearest cell if the query was redirected there, unless it costs
/// more than allowed.
pub(crate) fn judge(path: Path, cost_max: u64, redirected: bool) -> Answer {
    if redirected {
        return Answer::Unreachable { nearest: path };
    }
    if path.cost().0 > cost_max {
        let start = Path::vouched(vec![path.start()], Default::default(), path.revision());
        return Answer::LimitReached { nearest: start };
    }
    Answer::Found(path)
}

/// The answer to a query whose limits are used up.
pub(crate) fn limit_reached(grid: &Grid, session: &Session<'_, Cell>) -> Answer {
    Answer::LimitReached { nearest: path_of(grid, &session.starts[..1]) }
}

/// Reports all starts to an observer, once a query.
pub(crate) fn report_starts<O: Observer>(
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
pub(crate) fn report_start<O: Observer>(
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
