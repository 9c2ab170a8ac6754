//! A* on the subgoal graph.

use super::terminals::{NONE, Terminals};
use super::{SubgoalGraph, serves_subgoals};
use crate::grid::{Cell, Change, Cost, Grid};
use crate::path::Path;
use crate::planner::{
    Answer, CatchUp, Guarantee, Planner, Point, Progress, Query, QueryError, Shape, SketchLayer,
    Task,
};
use crate::search::{
    Begun, BestFirst, GridHeuristic, Heuristic, HeuristicKind, NoTrace, Observer, Outcome, Run,
    Scratch, Settings, Side, TraceEvent, TraceKind, TraceLog, Weight, open_start,
};
use crate::space::{Arrival, NodeId, Space};

/// What a query of a [`SubgoalGraph`] needs of a [`Scratch`].
#[derive(Default)]
pub(crate) struct SubgoalScratch {
    pub(crate) terminals: Terminals,
    /// For each subgoal, the first of its ways to goals; reset by way of `entries`.
    goal_ways: Vec<u32>,
    /// Ways to goals: the subgoal, the goal, the cost, and the next way of the subgoal.
    entries: Vec<(u32, u32, u32, u32)>,
    trail: Vec<NodeId>,
}

impl SubgoalScratch {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.terminals.memory_bytes()
            + self.goal_ways.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<(u32, u32, u32, u32)>()
            + self.trail.capacity() * size_of::<NodeId>()
    }

    /// Makes the ways to goals known to the subgoals they begin at.
    fn file_goal_ways(&mut self, subgoals: usize) {
        for entry in self.entries.drain(..) {
            self.goal_ways[entry.0 as usize] = NONE;
        }
        if self.goal_ways.len() < subgoals {
            self.goal_ways.resize(subgoals, NONE);
        }
        let mut begin = 0;
        for (goal, &end) in (0..).zip(&self.terminals.back_end) {
            for link in &self.terminals.back[begin..end as usize] {
                let first = &mut self.goal_ways[link.subgoal as usize];
                let number = self.entries.len() as u32;
                self.entries.push((link.subgoal, goal, link.cost, *first));
                *first = number;
            }
            begin = end as usize;
        }
    }
}

const SETTINGS: Settings =
    Settings { greedy: false, unit_steps: false, reopen: false, key_shift: 0, keys_exact: true };

/// The graph of one query: subgoals, then starts, then goals.
struct SubgoalSpace<'a> {
    index: &'a SubgoalGraph,
    own: &'a SubgoalScratch,
    starts: usize,
    goals: usize,
    /// Twice the cost of a cell: what the graph's costs are counted in.
    unit: u32,
}

impl SubgoalSpace<'_> {
    fn goal_node(&self, goal: u32) -> NodeId {
        NodeId((self.index.subgoal_count() + self.starts) as u32 + goal)
    }
}

impl Space for SubgoalSpace<'_> {
    fn node_count(&self) -> usize {
        self.index.subgoal_count() + self.starts + self.goals
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let Some(start) = at.node.index().checked_sub(self.index.subgoal_count()) else {
            let mut way = self.own.goal_ways[at.node.index()];
            while let Some(&(_, goal, cost, next)) = self.own.entries.get(way as usize) {
                visit(self.goal_node(goal), cost * self.unit);
                way = next;
            }
            for edge in self.index.edges_of(at.node.index()) {
                visit(NodeId(edge.subgoal), edge.cost * self.unit);
            }
            return;
        };
        let terminals = &self.own.terminals;
        for &(from, goal, cost) in &terminals.direct {
            if from as usize == start {
                visit(self.goal_node(goal), cost as u32 * self.unit);
            }
        }
        let begin = start.checked_sub(1).map_or(0, |before| terminals.onwards_end[before]);
        for link in &terminals.onwards[begin as usize..terminals.onwards_end[start] as usize] {
            visit(NodeId(link.subgoal), link.cost * self.unit);
        }
    }
}

/// Estimates from the cells of nodes.
struct SubgoalHeuristic<'a> {
    subgoals: &'a [Cell],
    starts: &'a [Cell],
    goals: &'a [Cell],
    inner: GridHeuristic<'a>,
}

impl SubgoalHeuristic<'_> {
    #[inline]
    fn cell(&self, node: NodeId) -> Cell {
        cell_of(self.subgoals, self.starts, self.goals, node)
    }
}

#[inline]
fn cell_of(subgoals: &[Cell], starts: &[Cell], goals: &[Cell], node: NodeId) -> Cell {
    match subgoals.get(node.index()) {
        Some(&cell) => cell,
        None => {
            let end = node.index() - subgoals.len();
            starts.get(end).copied().unwrap_or_else(|| goals[end - starts.len()])
        }
    }
}

impl Heuristic for SubgoalHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.inner.estimate_from(self.cell(node))
    }

    /// Not asked for: the nearest cell is found by other means.
    fn remoteness(&self, _node: NodeId, _estimate: Option<u64>) -> u64 {
        0
    }
}

/// Tells of cells instead of nodes.
struct CellObserver<'a, O> {
    inner: &'a mut O,
    grid: &'a Grid,
    subgoals: &'a [Cell],
    starts: &'a [Cell],
    goals: &'a [Cell],
}

impl<O: Observer> Observer for CellObserver<'_, O> {
    const ACTIVE: bool = O::ACTIVE;

    fn event(&mut self, event: TraceEvent) {
        let cell = |node| {
            let cell = cell_of(self.subgoals, self.starts, self.goals, node);
            NodeId(self.grid.extent().id_inside(cell).0)
        };
        let (node, parent) = (cell(event.node), cell(event.parent));
        self.inner.event(TraceEvent { node, parent, ..event });
    }
}

impl SubgoalGraph {
    fn heuristic<'a>(
        &'a self,
        grid: &Grid,
        starts: &'a [Cell],
        goals: &'a [Cell],
    ) -> SubgoalHeuristic<'a> {
        let inner = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
        SubgoalHeuristic { subgoals: &self.map.cells, starts, goals, inner }
    }

    fn open_starts(&self, grid: &Grid, scratch: &mut Scratch, run: &mut Run) {
        let Scratch { forward, subgoal, starts, goals, .. } = scratch;
        let count = self.subgoal_count();
        subgoal.file_goal_ways(count);
        forward.nodes.reset(count + starts.len() + goals.len());
        forward.heap.clear();
        for goal in 0..goals.len() {
            forward.nodes.mark_goal(NodeId((count + starts.len() + goal) as u32));
        }
        let heuristic = self.heuristic(grid, starts, goals);
        for start in 0..starts.len() {
            let node = NodeId((count + start) as u32);
            let key = SETTINGS.key(0, heuristic.estimate(node));
            open_start(&mut forward.nodes, &mut forward.heap, run, node, key);
        }
    }

    fn search<O: Observer>(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Scratch { forward, subgoal, starts, goals, begun: Some(begun), .. } = scratch else {
            return Outcome::Exhausted;
        };
        let unit = 2 * grid.uniform_cost().unwrap_or(1);
        let heuristic = self.heuristic(grid, starts, goals);
        let subgoals = &self.map.cells[..];
        let mut observer = CellObserver { inner: observer, grid, subgoals, starts, goals };
        BestFirst {
            space: SubgoalSpace {
                index: self,
                own: subgoal,
                starts: starts.len(),
                goals: goals.len(),
                unit,
            },
            heuristic,
            settings: SETTINGS,
            nodes: &mut forward.nodes,
            open: &mut forward.heap,
            run: &mut begun.run,
        }
        .advance(slice, &mut observer)
    }

    fn resume<O: Observer>(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        if self.grid != grid.edition() || !scratch.runs(self.grid, Task::Index(self.own)) {
            scratch.end();
            return Progress::Stale;
        }
        tell_starts(grid, scratch, observer);
        let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
        let in_sight = scratch.subgoal.terminals.in_sight(&scratch.starts, &scratch.goals);
        let path = if let Some((start, goal, cost)) = in_sight {
            Path::by_legs([start, goal].into_iter(), Cost(cost * unit), grid.revision())
        } else {
            match self.search(grid, scratch, slice, observer) {
                Outcome::Paused => return Progress::Running,
                Outcome::Goal(node) => self.path_to(grid, scratch, node),
                Outcome::Exhausted | Outcome::Limit => {
                    return Progress::Done(limit_reached(grid, scratch));
                }
            }
        };
        Progress::Done(judged(grid, scratch, path))
    }

    fn path_to(&self, grid: &Grid, scratch: &mut Scratch, node: NodeId) -> Path {
        let Scratch { forward, subgoal, starts, goals, .. } = scratch;
        let trail = &mut subgoal.trail;
        trail.clear();
        let mut at = node;
        loop {
            trail.push(at);
            let parent = forward.nodes.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
        let cells = trail.iter().rev().map(|&node| cell_of(&self.map.cells, starts, goals, node));
        Path::by_legs(cells, Cost(forward.nodes.get(node).g), grid.revision())
    }
}

/// Tells of the starts in a scratch memory, once.
pub(crate) fn tell_starts<O: Observer>(grid: &Grid, scratch: &mut Scratch, observer: &mut O) {
    let told = scratch.begun.as_mut().map(|begun| std::mem::replace(&mut begun.starts_told, true));
    if !O::ACTIVE || told != Some(false) {
        return;
    }
    let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, &scratch.goals);
    for &start in &scratch.starts {
        let node = NodeId(grid.extent().id_inside(start).0);
        let (kind, side, h) = (TraceKind::Start, Side::Forward, measure.estimate_from(start));
        observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
    }
}

/// Ends a query whose limits are used up.
pub(crate) fn limit_reached(grid: &Grid, scratch: &mut Scratch) -> Answer {
    let start = scratch.starts[0];
    scratch.end();
    let nearest = Path::by_legs([start].into_iter(), Cost::ZERO, grid.revision());
    Answer::LimitReached { nearest }
}

/// Ends a query with a path, unless that is dearer than allowed.
pub(crate) fn judged(grid: &Grid, scratch: &mut Scratch, path: Path) -> Answer {
    let cost_max = scratch.begun.map_or(u64::MAX, |begun| begun.run.limits.cost_max);
    if path.cost().0 > cost_max {
        return limit_reached(grid, scratch);
    }
    let redirected = scratch.subgoal.terminals.redirected;
    scratch.end();
    if redirected { Answer::Unreachable { nearest: path } } else { Answer::Found(path) }
}

impl Planner for SubgoalGraph {
    fn guarantee(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.end();
        if self.grid != grid.edition() {
            return Err(QueryError::Stale);
        }
        query.check(grid)?;
        scratch.hold(query.starts(), query.goals());
        let Scratch { subgoal, starts, goals, flood, .. } = scratch;
        subgoal.terminals.join(self, grid, starts, goals, flood);
        let mut run = Run::new(query.limits());
        if subgoal.terminals.in_sight(starts, goals).is_none() {
            self.open_starts(grid, scratch, &mut run);
        }
        let task = Task::Index(self.own);
        scratch.begun = Some(Begun { edition: grid.edition(), task, run, starts_told: false });
        Ok(())
    }

    fn advance(&self, grid: &Grid, scratch: &mut Scratch, slice: u64) -> Progress {
        self.resume(grid, scratch, slice, &mut NoTrace)
    }

    fn advance_traced(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress {
        self.resume(grid, scratch, slice, log)
    }

    fn catch_up(&mut self, grid: &Grid, _changes: &[Change], _scratch: &mut Scratch) -> CatchUp {
        if self.grid == grid.edition() { CatchUp::Done } else { CatchUp::NeedsRebuild }
    }

    fn memory_bytes(&self) -> usize {
        self.map.memory_bytes()
            + (self.first_out.capacity() + self.parts.capacity()) * size_of::<u32>()
            + self.edges.capacity() * size_of::<super::Link>()
    }

    fn sketch(&self, grid: &Grid) -> Vec<SketchLayer> {
        if serves_subgoals(grid).is_err() {
            return Vec::new();
        }
        let middle = |subgoal: usize| Point::middle_of(self.map.cells[subgoal]);
        let lines = (0..self.subgoal_count()).flat_map(|subgoal| {
            let edges = self.edges_of(subgoal).iter();
            edges.map(move |edge| [middle(subgoal), middle(edge.subgoal as usize)])
        });
        vec![
            SketchLayer {
                name: "edges",
                help: "ways between subgoals that a shortest path may take",
                level: 1,
                shape: Shape::Lines(lines.collect()),
            },
            SketchLayer {
                name: "subgoals",
                help: "cells at the corners of obstacles, where shortest paths turn",
                level: 1,
                shape: Shape::Points((0..self.subgoal_count()).map(middle).collect()),
            },
        ]
    }
}
