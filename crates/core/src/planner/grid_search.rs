//! Searches on the grid itself, with nothing precomputed: they are right on any map at once.

use super::method::{Method, Task};
use super::query::{check_places, node_of};
use super::{Answer, Guarantee, Place, Planner, Progress, Query, QueryError, ShortestPathTree};
use crate::grid::{Cell, Grid};
use crate::search::{
    Begun, Heuristic, HeuristicKind, Limits, NoTrace, Observer, Outcome, Scratch, Side, TraceEvent,
    TraceKind, TraceLog, Weight,
};

/// A search on the grid itself: breadth-first, Dijkstra, A*, weighted A*, greedy best-first,
/// depth-first or bidirectional.
///
/// Ties: the smallest key first, the newest entry among equal keys; successors in the order of
/// [`Direction::ALL`](crate::Direction::ALL).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSearch {
    method: Method,
}

impl GridSearch {
    const fn best_first(heuristic: HeuristicKind) -> Self {
        Self {
            method: Method::BestFirst {
                heuristic,
                weight: Weight::ONE,
                greedy: false,
                unit_steps: false,
                reopen: None,
            },
        }
    }

    /// Breadth-first search: as few steps as possible.
    pub const fn breadth_first() -> Self {
        let mut search = Self::best_first(HeuristicKind::Zero);
        if let Method::BestFirst { unit_steps, .. } = &mut search.method {
            *unit_steps = true;
        }
        search
    }

    /// Dijkstra's algorithm.
    pub const fn dijkstra() -> Self {
        Self::best_first(HeuristicKind::Zero)
    }

    /// A* with the octile heuristic, which is admissible under every rule.
    pub const fn astar() -> Self {
        Self::best_first(HeuristicKind::Octile)
    }

    /// Greedy best-first search: always to the cell that seems nearest.
    pub const fn greedy() -> Self {
        let mut search = Self::best_first(HeuristicKind::Octile);
        if let Method::BestFirst { greedy, .. } = &mut search.method {
            *greedy = true;
        }
        search
    }

    /// Depth-first search.
    pub const fn depth_first() -> Self {
        Self { method: Method::DepthFirst }
    }

    /// Dijkstra's algorithm from both ends.
    pub const fn bidirectional() -> Self {
        Self { method: Method::Bidirectional }
    }

    /// With another heuristic. Searches that use none stay as they are.
    pub const fn with_heuristic(mut self, kind: HeuristicKind) -> Self {
        if let Method::BestFirst { heuristic, unit_steps: false, .. } = &mut self.method {
            *heuristic = kind;
        }
        self
    }

    /// With estimates multiplied: weighted A*. Searches that use none stay as they are.
    pub const fn with_weight(mut self, factor: Weight) -> Self {
        if let Method::BestFirst { weight, .. } = &mut self.method {
            *weight = factor;
        }
        self
    }

    /// Whether cells are opened again when they get cheaper after their expansion. Unless told, a
    /// search does so where its heuristic is inconsistent, since its promise depends on it.
    pub const fn with_reopening(mut self, wanted: bool) -> Self {
        if let Method::BestFirst { reopen, .. } = &mut self.method {
            *reopen = Some(wanted);
        }
        self
    }

    /// Expands everything within limits of the starts: the whole shortest-path tree, when the search
    /// is Dijkstra's. Heuristics play no part.
    ///
    /// ```
    /// use highroad_core::{Cell, Grid, GridSearch, Limits, Scratch};
    /// let grid = Grid::with_defaults("...\n.#.\n".parse()?);
    /// let mut scratch = Scratch::new();
    /// let search = GridSearch::dijkstra();
    /// let mut tree = search.explore(&grid, &[Cell::new(0, 1)], Limits::default(), &mut scratch)?;
    /// assert_eq!(tree.predecessor(Cell::new(1, 0)), Some(Cell::new(0, 0)));
    /// assert_eq!(tree.path_to(Cell::new(2, 1)).unwrap().length(), 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore<'a>(
        &self,
        grid: &'a Grid,
        starts: &[Cell],
        limits: Limits,
        scratch: &'a mut Scratch,
    ) -> Result<ShortestPathTree<'a>, QueryError> {
        check_places(grid, Place::Start, starts)?;
        self.begin_exploring(grid, starts, limits, scratch);
        while !self.explore_on(grid, u64::MAX, scratch) {}
        Ok(ShortestPathTree::new(grid, scratch))
    }

    /// Sets out to explore from checked starts.
    pub(crate) fn begin_exploring(
        &self,
        grid: &Grid,
        starts: &[Cell],
        limits: Limits,
        scratch: &mut Scratch,
    ) {
        self.method.begin(grid, limits, starts, &[], scratch);
    }

    /// Goes on exploring that grid for at most `slice` expansions. Returns whether it is through.
    pub(crate) fn explore_on(&self, grid: &Grid, slice: u64, scratch: &mut Scratch) -> bool {
        let through = self.method.advance(grid, scratch, slice, &mut NoTrace) != Outcome::Paused;
        if through {
            scratch.end();
        }
        through
    }
}

impl Planner for GridSearch {
    fn guarantee(&self, grid: &Grid) -> Guarantee {
        self.method.guarantee(grid)
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.end();
        query.check(grid)?;
        self.method.begin(grid, query.limits(), query.starts(), query.goals(), scratch);
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

    fn duplicate(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(*self))
    }
}

/// Goes on with the query in `scratch`, by the method it began with.
fn resume<O: Observer>(
    grid: &Grid,
    scratch: &mut Scratch,
    slice: u64,
    observer: &mut O,
) -> Progress {
    let current = |begun: &&mut Begun| begun.edition == grid.edition();
    let Some(begun) = scratch.begun.as_mut().filter(current) else {
        scratch.end();
        return Progress::Stale;
    };
    let Task::Grid(method) = begun.task else {
        scratch.end();
        return Progress::Stale;
    };
    let starts_told = std::mem::replace(&mut begun.starts_told, true);
    let begun = *begun;
    if O::ACTIVE && !starts_told {
        let estimates = method.estimates(grid, &scratch.goals);
        let mut tell = |cell, side| {
            let node = node_of(grid.extent(), cell);
            let (kind, h) = (TraceKind::Start, estimates.estimate(node));
            observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
        };
        scratch.starts.iter().for_each(|&start| tell(start, Side::Forward));
        if method == Method::Bidirectional {
            scratch.goals.iter().for_each(|&goal| tell(goal, Side::Backward));
        }
    }
    let outcome = method.advance(grid, scratch, slice, observer);
    let nearest = scratch.begun.map_or(begun.run.nearest, |begun| begun.run.nearest).2;
    let answer = match outcome {
        Outcome::Paused => return Progress::Running,
        Outcome::Goal(node) if method == Method::Bidirectional => {
            Answer::Found(scratch.path_through(grid, node))
        }
        Outcome::Goal(node) => Answer::Found(scratch.path_to(grid, node)),
        Outcome::Exhausted => Answer::Unreachable { nearest: scratch.path_to(grid, nearest) },
        Outcome::Limit => Answer::LimitReached { nearest: scratch.path_to(grid, nearest) },
    };
    scratch.end();
    Progress::Done(answer)
}
