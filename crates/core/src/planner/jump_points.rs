//! Jump point search as a planner: A* over the cells where a path may turn.

use super::method::Task;
use super::query::node_of;
use super::{
    Answer, CatchUp, Guarantee, Planner, Point, Progress, Query, QueryError, Shape, SketchLayer,
};
use crate::grid::{Cell, CellId, Change, Grid};
use crate::search::{
    Begun, BestFirst, GridHeuristic, Heuristic, HeuristicKind, Limits, NoTrace, Observer, Outcome,
    Run, Scratch, Settings, Side, TraceEvent, TraceKind, TraceLog, Weight, nearest_reachable,
    open_start,
};
use crate::space::{JumpPoints, NodeId, serves_jump_points, with_rule};

/// A* over jump points, found while searching: exact on uniform terrain under the rules with
/// diagonal steps, with nothing precomputed but the bits that every [`Grid`] keeps.
///
/// Ties: the smallest key first, the newest entry among equal keys; successors straight before
/// diagonal, in the order of [`Direction::ALL`](crate::Direction::ALL). Where there is no path, a
/// flood finds the nearest cell, and the search begins again with that for a goal.
///
/// ```
/// use highroad_core::{Grid, JumpPointSearch, Planner, Query, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let query = Query::new((0, 0), (3, 2));
/// let answer = JumpPointSearch::new().solve(&grid, &query, &mut Scratch::new())?;
/// assert_eq!(answer.path().map(|path| path.length()), Some(5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JumpPointSearch(());

const SETTINGS: Settings =
    Settings { greedy: false, unit_steps: false, reopen: false, key_shift: 0, keys_exact: true };

impl JumpPointSearch {
    /// The planner: it holds nothing.
    pub const fn new() -> Self {
        Self(())
    }

    /// Whether a grid can be searched by jump points; if not, why.
    pub fn serves(grid: &Grid) -> Result<(), String> {
        serves_jump_points(grid)
    }
}

fn estimates<'q>(grid: &Grid, goals: &'q [Cell]) -> GridHeuristic<'q> {
    GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals)
}

/// Puts the starts in `scratch` on an empty open list, for the goals in it.
fn open_starts(grid: &Grid, scratch: &mut Scratch, run: &mut Run) {
    let Scratch { forward, starts, goals, .. } = scratch;
    let extent = grid.extent();
    let measure = estimates(grid, goals);
    forward.nodes.reset(extent.cell_count());
    forward.heap.clear();
    goals.iter().for_each(|&goal| forward.nodes.mark_goal(node_of(extent, goal)));
    run.nearest = Run::new(Limits::default()).nearest;
    for &start in &*starts {
        let (node, h) = (node_of(extent, start), measure.estimate_from(start));
        run.note_nearest(measure.remoteness_of(start), 0, node);
        open_start(&mut forward.nodes, &mut forward.heap, run, node, SETTINGS.key(0, h));
    }
}

fn search<O: Observer>(
    grid: &Grid,
    scratch: &mut Scratch,
    slice: u64,
    observer: &mut O,
) -> Outcome {
    let Scratch { forward, begun: Some(begun), starts, goals, .. } = scratch else {
        return Outcome::Exhausted;
    };
    let Some(cost) = grid.uniform_cost() else {
        return Outcome::Exhausted;
    };
    let heuristic = estimates(grid, goals);
    let (nodes, open, run) = (&mut forward.nodes, &mut forward.heap, &mut begun.run);
    with_rule!(grid.movement().rule(), RULE => {
        let space = JumpPoints::<RULE>::new(grid, cost, starts, goals);
        BestFirst { space, heuristic, settings: SETTINGS, nodes, open, run }.advance(slice, observer)
    })
}

fn resume<O: Observer>(
    grid: &Grid,
    scratch: &mut Scratch,
    slice: u64,
    observer: &mut O,
) -> Progress {
    let end = scratch.statistics().expanded.saturating_add(slice);
    loop {
        let current = |begun: &Begun| begun.edition == grid.edition();
        let Some(Begun { task: Task::JumpPoints { redirected }, starts_told, .. }) =
            scratch.begun.filter(current)
        else {
            scratch.end();
            return Progress::Stale;
        };
        if O::ACTIVE && !starts_told {
            tell_starts(grid, scratch, observer);
        }
        if let Some(begun) = &mut scratch.begun {
            begun.starts_told = true;
        }
        let left = end - scratch.statistics().expanded;
        let outcome = search(grid, scratch, left, observer);
        let nearest = scratch.begun.map_or(NodeId(0), |begun| begun.run.nearest.2);
        let answer = match outcome {
            Outcome::Paused => return Progress::Running,
            Outcome::Exhausted if !redirected => {
                redirect(grid, scratch);
                continue;
            }
            Outcome::Goal(node) if redirected => {
                Answer::Unreachable { nearest: scratch.path_by_legs_to(grid, node) }
            }
            Outcome::Goal(node) => Answer::Found(scratch.path_by_legs_to(grid, node)),
            Outcome::Exhausted | Outcome::Limit => {
                Answer::LimitReached { nearest: scratch.path_by_legs_to(grid, nearest) }
            }
        };
        scratch.end();
        return Progress::Done(answer);
    }
}

/// There is no path: begins again, to the nearest cell there is one to.
fn redirect(grid: &Grid, scratch: &mut Scratch) {
    let Scratch { starts, goals, flood, .. } = scratch;
    let nearest = nearest_reachable(grid, starts, goals, &estimates(grid, goals), flood);
    goals.clear();
    goals.push(nearest);
    if let Some(mut begun) = scratch.begun {
        open_starts(grid, scratch, &mut begun.run);
        let task = Task::JumpPoints { redirected: true };
        scratch.begun = Some(Begun { task, starts_told: false, ..begun });
    }
}

fn tell_starts<O: Observer>(grid: &Grid, scratch: &Scratch, observer: &mut O) {
    let estimates = estimates(grid, &scratch.goals);
    for &start in &scratch.starts {
        let node = node_of(grid.extent(), start);
        let (kind, side) = (TraceKind::Start, Side::Forward);
        let h = estimates.estimate(node);
        observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
    }
}

impl Planner for JumpPointSearch {
    fn guarantee(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.end();
        if Self::serves(grid).is_err() {
            return Err(QueryError::Stale);
        }
        query.check(grid)?;
        scratch.hold(query.starts(), query.goals());
        let mut run = Run::new(query.limits());
        open_starts(grid, scratch, &mut run);
        let task = Task::JumpPoints { redirected: false };
        scratch.begun = Some(Begun { edition: grid.edition(), task, run, starts_told: false });
        Ok(())
    }

    fn advance(&self, grid: &Grid, scratch: &mut Scratch, slice: u64) -> Progress {
        resume(grid, scratch, slice, &mut NoTrace)
    }

    fn advance_traced(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress {
        resume(grid, scratch, slice, log)
    }

    /// The grid's own bits are all it reads; but an edit may leave cells that differ in cost.
    fn catch_up(&mut self, grid: &Grid, _changes: &[Change], _scratch: &mut Scratch) -> CatchUp {
        match Self::serves(grid) {
            Ok(()) => CatchUp::Done,
            Err(_) => CatchUp::NeedsRebuild,
        }
    }

    fn duplicate(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(*self))
    }

    fn sketch_query(&self, grid: &Grid, scratch: &Scratch) -> Vec<SketchLayer> {
        let extent = grid.extent();
        let nodes = &scratch.forward.nodes;
        if !nodes.holds(extent.cell_count()) {
            return Vec::new();
        }
        let numbers = (0..extent.cell_count() as u32).map(NodeId);
        let expanded = numbers.filter(|&node| nodes.get(node).is_closed());
        let points = expanded.map(|node| Point::middle_of(extent.cell(CellId(node.0))));
        vec![SketchLayer {
            name: "jump points",
            help: "the cells that the search expanded: starts, and places where a path may turn",
            level: 1,
            shape: Shape::Points(points.collect()),
        }]
    }
}
