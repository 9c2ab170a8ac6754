//! A* on the subgoal graph.

use super::SubgoalGraph;
use super::terminals::{NONE, Terminals};
use crate::grid::{Cell, Cost, Edition, Grid};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::planner::{
    Algorithm, Ending, Guarantee, LayerInfo, Memory, PathQuery, Point, Progress, Session, Shape,
    SketchLayer, WalkBack, end_with_legs, limit_reached, report_starts, walk_back,
};
use crate::search::{
    BestFirst, Heuristic, Outcome, SearchObserver, Settings, TraceEvent, Weight, open_start,
};
use crate::space::{Arrival, NodeId, Space};

/// What a query of a [`SubgoalGraph`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct SubgoalMemory {
    terminals: Terminals,
    /// For each subgoal, the first of its ways to goals; reset by way of `entries`.
    goal_ways: Vec<u32>,
    /// Ways to goals: the subgoal, the goal, the cost, and the next way of the subgoal.
    entries: Vec<(u32, u32, u32, u32)>,
    /// Set once the search is over; and what the path costs.
    walk: Option<WalkBack>,
    cost: Cost,
}

impl Memory for SubgoalMemory {
    fn bytes(&self) -> usize {
        self.terminals.memory_bytes()
            + self.goal_ways.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<(u32, u32, u32, u32)>()
    }
}

impl SubgoalMemory {
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
    own: &'a SubgoalMemory,
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

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// Reports cells instead of nodes.
struct CellObserver<'a, O> {
    inner: &'a mut O,
    grid: &'a Grid,
    subgoals: &'a [Cell],
    starts: &'a [Cell],
    goals: &'a [Cell],
}

impl<O: SearchObserver> SearchObserver for CellObserver<'_, O> {
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

    fn open_starts(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut SubgoalMemory) {
        let Session { work, run, starts, goals, .. } = session;
        let forward = &mut work.forward;
        let count = self.subgoal_count();
        own.file_goal_ways(count);
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

    fn search<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &SubgoalMemory,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Session { work, run, starts, goals, .. } = session;
        let (starts, goals) = (&starts[..], &goals[..]);
        let unit = 2 * grid.uniform_cost().unwrap_or(1);
        let heuristic = self.heuristic(grid, starts, goals);
        let subgoals = &self.map.cells[..];
        let mut observer = CellObserver { inner: observer, grid, subgoals, starts, goals };
        BestFirst {
            space: SubgoalSpace {
                index: self,
                own,
                starts: starts.len(),
                goals: goals.len(),
                unit,
            },
            heuristic,
            settings: SETTINGS,
            nodes: &mut work.forward.nodes,
            open: &mut work.forward.heap,
            run,
        }
        .advance(slice, &mut observer)
    }

    /// Goes on walking the path back, until so much work is done. Once it has come to the start, the path is written.
    fn walk_on(
        &self,
        session: &mut Session<'_, Cell>,
        own: &mut SubgoalMemory,
        end: u64,
    ) -> Progress {
        // The ends are taken out for as long as the session is lent.
        let (starts, goals) = (std::mem::take(session.starts), std::mem::take(session.goals));
        let cell = |node| cell_of(&self.map.cells, &starts, &goals, node);
        let ended = walk_back(session, &mut own.walk, end, cell);
        (*session.starts, *session.goals) = (starts, goals);
        match ended {
            Some(ending) => end_with_legs(session, ending, true, own.cost),
            None => Progress::Running,
        }
    }
}

/// What a path of that cost is the answer to; `None` if it costs more than allowed. It leads to the nearest cell if the
/// query was redirected there.
pub(crate) fn ending_for(
    session: &Session<'_, Cell>,
    terminals: &Terminals,
    cost: Cost,
) -> Option<Ending> {
    let cost_max = session.limits().cost_max;
    let found = || Ending::Path { cost_max };
    (cost.0 <= cost_max).then(|| if terminals.redirected { Ending::Nearest } else { found() })
}

/// Ends a query with the path of that cost over the places handed over, where it turns.
pub(crate) fn answer_for(
    grid: &Grid,
    session: &mut Session<'_, Cell>,
    terminals: &Terminals,
    cost: Cost,
) -> Progress {
    match ending_for(session, terminals, cost) {
        Some(ending) => end_with_legs(session, ending, false, cost),
        None => Progress::Done(limit_reached(grid, session)),
    }
}

/// What there is to draw of the graph.
pub(super) static LAYERS: [LayerInfo; 2] = [
    LayerInfo::hidden("edges", "ways between subgoals that a shortest path may take"),
    LayerInfo::hidden("subgoals", "cells at the corners of obstacles, where shortest paths turn"),
];

impl Algorithm<Grid> for SubgoalGraph {
    type Memory = SubgoalMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        grid: &Grid,
        _query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut SubgoalMemory,
    ) {
        own.walk = None;
        own.terminals.join(self, grid, session.starts, session.goals);
        if own.terminals.in_sight(session.starts, session.goals).is_none() {
            self.open_starts(grid, session, own);
        }
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut SubgoalMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let end = session.statistics().work().saturating_add(slice);
        if own.walk.is_some() {
            return self.walk_on(session, own, end);
        }
        report_starts(grid, session, observer);
        let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
        session.writing.places.clear();
        let in_sight = own.terminals.in_sight(session.starts, session.goals);
        if let Some((start, goal, cost)) = in_sight {
            session.writing.places.extend([start, goal]);
            return answer_for(grid, session, &own.terminals, Cost(cost * unit));
        }
        let at = match self.search(grid, session, own, slice, observer) {
            Outcome::Paused => return Progress::Running,
            Outcome::Goal(node) => node,
            Outcome::Exhausted | Outcome::Limit => {
                return Progress::Done(limit_reached(grid, session));
            }
        };
        own.cost = Cost(session.work.forward.nodes.get(at).g);
        let Some(ending) = ending_for(session, &own.terminals, own.cost) else {
            return Progress::Done(limit_reached(grid, session));
        };
        own.walk = Some(WalkBack { at, ending });
        self.walk_on(session, own, end)
    }

    fn held_bytes(&self) -> usize {
        self.map.memory_bytes()
            + self.connectivity.memory_bytes()
            + (self.first_out.capacity() + self.parts.capacity()) * size_of::<u32>()
            + self.edges.capacity() * size_of::<super::Link>()
    }

    fn layers(&self, _grid: &Grid) -> Vec<SketchLayer> {
        let middle = |subgoal: usize| Point::middle_of(self.map.cells[subgoal]);
        let lines = (0..self.subgoal_count()).flat_map(|subgoal| {
            let edges = self.edges_of(subgoal).iter();
            edges.map(move |edge| [middle(subgoal), middle(edge.subgoal as usize)])
        });
        let points = (0..self.subgoal_count()).map(middle).collect();
        vec![
            LAYERS[0].layer(1, Shape::Lines(lines.collect())),
            LAYERS[1].layer(1, Shape::Points(points)),
        ]
    }

    fn to_bytes(&self, _grid: &Grid) -> Option<Vec<u8>> {
        Some(self.save())
    }
}
