//! Jump point search as a planner: A* over the cells where a path may turn.

use crate::environment::Cost;
use crate::grid::{
    Cell, CellId, DescentMemory, Grid, JumpPoints, NearestMemory, serves_jump_points, with_rule,
};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::planner::{
    Algorithm, Ending, Guarantee, LayerInfo, Memory, PathQuery, Point, Progress, Scratch, Session,
    Shape, SketchLayer, WalkBack, end_with_legs, redirect_if_unreachable, report_start, walk_back,
};
use crate::search::{
    BestFirst, Limits, Outcome, Run, SearchObserver, Settings, Weight, open_start,
};
use crate::space::{NodeId, Nodes};

/// A* over jump points, found while searching: exact on uniform terrain under the rules with
/// diagonal steps, with nothing precomputed but the bits that every [`Grid`] keeps.
///
/// Ties: the smallest key first, the newest entry among equal keys; successors straight before
/// diagonal, in the order of [`Direction::ALL`](crate::Direction::ALL). Where there is no path, the
/// nearest cell becomes the goal: at once if the grid [keeps its connected parts](Grid::keep_connectivity), else a flood
/// finds it and the search begins again.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::JumpPointSearch;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let query = PathQuery::new((0, 0), (3, 2));
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

    /// Whether a grid can be searched by jump points; the error says why not.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::online::JumpPointSearch;
    /// assert!(JumpPointSearch::serves(&Grid::with_defaults("...\n".parse()?)).is_ok());
    /// let weighted = Grid::with_defaults("ABC\n".parse()?);
    /// assert!(JumpPointSearch::serves(&weighted).is_err(), "cells cost 1, 2 and 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn serves(grid: &Grid) -> Result<(), String> {
        serves_jump_points(grid)
    }
}

fn estimates<'q>(grid: &Grid, goals: &'q [Cell]) -> GridHeuristic<'q> {
    GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals)
}

/// What a jump point search needs of a [`Scratch`].
#[derive(Default)]
pub struct JumpMemory {
    /// Whether there is no path, and the cell nearest to a goal is looked for.
    lost: bool,
    /// Whether the cell nearest to a goal has become the goal.
    redirected: bool,
    /// Set once the search is over; and what the path costs.
    walk: Option<WalkBack>,
    cost: Cost,
    nearest: NearestMemory,
    descent: DescentMemory,
}

impl Memory for JumpMemory {
    fn bytes(&self) -> usize {
        self.nearest.memory_bytes() + self.descent.memory_bytes()
    }
}

/// Puts the starts on an empty open list.
fn open_starts(grid: &Grid, session: &mut Session<'_, Cell>) {
    let Session { work, run, starts, goals, .. } = session;
    let forward = &mut work.forward;
    let measure = estimates(grid, goals);
    forward.nodes.reset(grid.extent().cell_count());
    forward.heap.clear();
    goals.iter().for_each(|&goal| forward.nodes.mark_goal(grid.node(goal)));
    run.nearest = Run::new(Limits::default()).nearest;
    for &start in starts.iter() {
        let (node, h) = (grid.node(start), measure.estimate_from(start));
        run.note_nearest(measure.remoteness_of(start), 0, node);
        open_start(&mut forward.nodes, &mut forward.heap, run, node, SETTINGS.key(0, h));
    }
}

fn search<O: SearchObserver>(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    slice: u64,
    observer: &mut O,
) -> Outcome {
    let Some(cost) = grid.uniform_cost() else {
        return Outcome::Exhausted;
    };
    let Session { work, run, starts, goals, .. } = session;
    let heuristic = estimates(grid, goals);
    let (nodes, open) = (&mut work.forward.nodes, &mut work.forward.heap);
    with_rule!(grid.movement().rule(), RULE => {
        let space = JumpPoints::<RULE>::new(grid, cost, starts, goals);
        BestFirst { space, heuristic, settings: SETTINGS, nodes, open, run }.advance(slice, observer)
    })
}

/// Runs of cells in which the nearest one is looked for that count as an expansion.
const RUNS_A_UNIT: u64 = 8;

/// There is no path: looks for the nearest cell there is one to, for a slice. Once it is found, the search begins
/// again. Returns whether it has.
fn redirect(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    own: &mut JumpMemory,
    slice: u64,
) -> bool {
    let (starts, goals) = (&session.starts[..], &session.goals[..]);
    let measure = estimates(grid, goals);
    let rank = |cell: Cell| (measure.remoteness_of(cell), cell.y, cell.x);
    if !own.lost {
        own.nearest.begin(grid);
        own.lost = true;
    }
    let runs = slice.saturating_mul(RUNS_A_UNIT);
    let mut left = runs;
    let nearest = own.nearest.go_on(grid, starts, goals, rank, &mut left);
    session.count_beside((runs - left).div_ceil(RUNS_A_UNIT));
    let Some(nearest) = nearest else { return false };
    session.goals.clear();
    session.goals.push(nearest);
    own.redirected = true;
    open_starts(grid, session);
    *session.starts_reported = false;
    true
}

/// Goes on walking the path back, until so much work is done. Once it has come to the start, the path is written: nodes
/// are joined by legs of diagonal steps first, then straight ones.
fn walk_on(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    own: &mut JumpMemory,
    end: u64,
) -> Progress {
    let JumpMemory { walk, cost, .. } = own;
    match walk_back(session, walk, end, |node| grid.place(node)) {
        Some(ending) => end_with_legs(session, ending, true, *cost),
        None => Progress::Running,
    }
}

/// What there is to draw of a query.
pub(super) static LAYERS: [LayerInfo; 1] = [LayerInfo::hidden(
    "jump points",
    "the cells that the search expanded: starts, and places where a path may turn",
)];

impl Algorithm<Grid> for JumpPointSearch {
    type Memory = JumpMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    /// The grid's own bits are all it reads; but an edit may leave cells that differ in cost.
    fn is_current(&self, grid: &Grid) -> bool {
        Self::serves(grid).is_ok()
    }

    fn start(
        &self,
        grid: &Grid,
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut JumpMemory,
    ) {
        let redirected = query.limits() == Limits::default()
            && redirect_if_unreachable(grid, session, &mut own.descent);
        (own.lost, own.redirected) = (redirected, redirected);
        own.walk = None;
        open_starts(grid, session);
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut JumpMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let end = session.statistics().work().saturating_add(slice);
        if own.walk.is_some() {
            return walk_on(grid, session, own, end);
        }
        loop {
            let left = end.saturating_sub(session.statistics().work());
            if own.lost && !own.redirected {
                if !redirect(grid, session, own, left) {
                    return Progress::Running;
                }
                continue;
            }
            if session.first_report() && O::ACTIVE {
                for &start in session.starts.iter() {
                    report_start(grid, start, session.goals, observer);
                }
            }
            let outcome = search(grid, session, left, observer);
            let nearest = session.run.nearest.2;
            let (at, ending) = match outcome {
                Outcome::Paused => return Progress::Running,
                Outcome::Exhausted if !own.redirected => {
                    let left = end.saturating_sub(session.statistics().work());
                    if !redirect(grid, session, own, left) {
                        return Progress::Running;
                    }
                    continue;
                }
                Outcome::Goal(node) if own.redirected => (node, Ending::Nearest),
                // The search itself has seen to limits.
                Outcome::Goal(node) => (node, Ending::Path { cost_max: u64::MAX }),
                Outcome::Exhausted | Outcome::Limit => (nearest, Ending::Limit),
            };
            own.cost = Cost(session.work.forward.nodes.get(at).g);
            own.walk = Some(WalkBack { at, ending });
            session.writing.places.clear();
            return walk_on(grid, session, own, end);
        }
    }

    fn copy(&self) -> Option<Self> {
        Some(*self)
    }

    fn query_layers(&self, grid: &Grid, _: &JumpMemory, scratch: &Scratch) -> Vec<SketchLayer> {
        let extent = grid.extent();
        let nodes = &scratch.work.forward.nodes;
        if !nodes.holds(extent.cell_count()) {
            return Vec::new();
        }
        let numbers = (0..extent.cell_count() as u32).map(NodeId);
        let expanded = numbers.filter(|&node| nodes.get(node).is_closed());
        let points = expanded.map(|node| Point::middle_of(extent.cell(CellId(node.0))));
        vec![LAYERS[0].layer(1, Shape::Points(points.collect()))]
    }
}
