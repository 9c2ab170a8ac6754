//! What queries of hierarchies have in common.

use crate::grid::{Cell, Edition, Grid};
use crate::path::Path;
use crate::planner::{Answer, Task};
use crate::search::{
    GridHeuristic, HeuristicKind, Observer, Scratch, Side, TraceEvent, TraceKind, Weight,
};
use crate::space::NodeId;

/// Whether the query in that memory was begun on this grid by that hierarchy, which describes `known`. If not,
/// the query is ended.
pub(super) fn is_current(
    scratch: &mut Scratch,
    grid: &Grid,
    known: Edition,
    hierarchy: Edition,
) -> bool {
    let current = scratch.begun.as_ref().is_some_and(|begun| {
        begun.edition == grid.edition()
            && begun.edition == known
            && begun.task == Task::Hierarchy(hierarchy)
    });
    if !current {
        scratch.end();
    }
    current
}

/// Ends a query with a path, which leads to the nearest cell if it was redirected there, unless it is dearer
/// than allowed.
pub(super) fn judge(scratch: &mut Scratch, path: Path, cost_max: u64, redirected: bool) -> Answer {
    scratch.end();
    if redirected {
        return Answer::Unreachable { nearest: path };
    }
    if path.cost().0 > cost_max {
        let start = Path::with_cost(vec![path.start()], Default::default(), path.revision());
        return Answer::LimitReached { nearest: start };
    }
    Answer::Found(path)
}

/// Tells an observer of all starts, once a query.
pub(super) fn tell_starts<O: Observer>(grid: &Grid, scratch: &mut Scratch, observer: &mut O) {
    let told = scratch.begun.as_mut().map(|begun| std::mem::replace(&mut begun.starts_told, true));
    if O::ACTIVE && told == Some(false) {
        for &start in &scratch.starts {
            tell_start(grid, start, &scratch.goals, observer);
        }
    }
}

/// Tells an observer where a search begins.
pub(super) fn tell_start<O: Observer>(grid: &Grid, start: Cell, goals: &[Cell], observer: &mut O) {
    let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
    let node = NodeId(grid.extent().id_inside(start).0);
    let (kind, side, h) = (TraceKind::Start, Side::Forward, measure.estimate_from(start));
    observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
}

/// A path over cells, each step of which is known to be allowed.
pub(super) fn path_of(grid: &Grid, cells: &[Cell]) -> Path {
    Path::with_cost(cells.to_vec(), grid.cost_along(cells), grid.revision())
}
