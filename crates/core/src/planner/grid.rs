//! What the planners of grids have in common: how a query begins for observers, and how it ends.

use super::writing::Legs;
use super::{Answer, Ending, Progress, Session, start_of};
use crate::grid::{Cell, Connectivity, Cost, DescentMemory, Grid};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::path::{Path, leg_steps, push_leg};
use crate::search::{SearchObserver, Side, TraceEvent, TraceKind, Weight};
use crate::space::NodeId;

/// The answer to a query whose limits are used up.
pub(crate) fn limit_reached(grid: &Grid, session: &Session<'_, Cell>) -> Answer {
    Answer::LimitReached { nearest: start_of(grid, session) }
}

/// The cell nearest to a goal, where the grid keeps its connected parts.
pub(crate) fn nearest_known(
    grid: &Grid,
    starts: &[Cell],
    goals: &[Cell],
    memory: &mut DescentMemory,
) -> Option<Cell> {
    let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
    let remoteness = |cell| measure.remoteness_of(cell);
    exact_parts(grid)?.nearest(starts, goals, remoteness, memory)
}

/// The connected parts that a grid keeps, if they say all: not where borders, heights or links do.
fn exact_parts(grid: &Grid) -> Option<&Connectivity> {
    grid.connectivity().filter(|parts| parts.is_exact())
}

/// Makes the cell nearest to a goal the only one, where the grid knows that there is no path. Returns whether it has.
pub(crate) fn redirect_if_unreachable(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    memory: &mut DescentMemory,
) -> bool {
    let Some(parts) = exact_parts(grid) else { return false };
    if parts.join_any(session.starts, session.goals, memory) {
        return false;
    }
    let Some(nearest) = nearest_known(grid, session.starts, session.goals, memory) else {
        return false;
    };
    session.goals.clear();
    session.goals.push(nearest);
    true
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

/// Reports to an observer that a start or a goal was joined to a place at that cost.
pub(crate) fn report_joint<O: SearchObserver>(
    grid: &Grid,
    (end, side): (Cell, Side),
    to: Cell,
    cost: u64,
    observer: &mut O,
) {
    let node = |cell| NodeId(grid.extent().id_inside(cell).0);
    let (kind, node, parent) = (TraceKind::Join, node(to), node(end));
    observer.event(TraceEvent { kind, node, parent, g: cost, h: 0, side });
}

/// Reports to an observer that cells became part of the path, each after the one before it.
pub(crate) fn report_cells<O: SearchObserver>(
    grid: &Grid,
    kind: TraceKind,
    cells: &[Cell],
    observer: &mut O,
) {
    if !O::ACTIVE {
        return;
    }
    let mut g = 0;
    for pair in cells.windows(2) {
        let [parent, node] = [pair[0], pair[1]].map(|cell| NodeId(grid.extent().id_inside(cell).0));
        g += grid.cost_along(pair).0;
        observer.event(TraceEvent { kind, node, parent, g, h: 0, side: Side::Forward });
    }
}

/// Reports to an observer a path that the two ends alone have decided.
pub(crate) fn report_direct<O: SearchObserver>(grid: &Grid, cells: &[Cell], observer: &mut O) {
    if let ([start, .., goal], true) = (cells, O::ACTIVE) {
        let cost = grid.cost_along(cells).0;
        report_joint(grid, (*start, Side::Forward), *goal, cost, observer);
        report_cells(grid, TraceKind::Refine, cells, observer);
    }
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

/// Ends a query with the path that turns at the places handed over, given from the start on, or `backwards`, by legs of
/// diagonal steps first, then straight ones. Slices go on to write it.
pub(crate) fn end_with_legs(
    session: &mut Session<'_, Cell>,
    ending: Ending,
    backwards: bool,
    cost: Cost,
) -> Progress {
    session.writing.begin_legs(ending, backwards, cost, join_legs);
    Progress::Running
}

fn join_legs(legs: &mut Legs<'_, Cell>, most: usize) {
    let (turns, backwards, mut joined) = (legs.turns, legs.backwards, *legs.joined);
    let written = &mut *legs.written;
    if written.is_empty() {
        let steps = turns.windows(2).map(|leg| leg_steps(leg[0], leg[1]) as usize);
        written.reserve_exact(steps.sum::<usize>() + 1);
        written.extend(if backwards { turns.last() } else { turns.first() });
    }
    while joined + 1 < turns.len() && written.len() < most {
        joined += 1;
        let (from, to) = match backwards {
            true => (turns[turns.len() - joined], turns[turns.len() - joined - 1]),
            false => (turns[joined - 1], turns[joined]),
        };
        push_leg(from, to, written);
    }
    *legs.joined = joined;
}
