//! The common loops on an explicit graph: what [`GridSearch`](crate::GridSearch) is on a grid.

use super::guide::Weighted;
use super::{Graph, Guide, NonNegative};
use crate::search::{
    AnyOrderQueue, BestFirst, Bidirectional, DepthFirst, Half, Heuristic, Limits, Meeting, NoTrace,
    NodeTable, Observer, OpenList, Outcome, Run, Settings, Side, Statistics, TieQueue, TieRule,
    TraceEvent, TraceKind, Weight, open_start, push_ancestors,
};
use crate::space::{GraphSpace, NodeId};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    BreadthFirst,
    Dijkstra,
    Astar,
    Greedy,
    DepthFirst,
    Bidirectional,
}

/// A search on a graph: breadth-first, depth-first, Dijkstra, A*, weighted A*, greedy best-first or
/// bidirectional.
///
/// Ties are broken by a [`TieRule`]; successors come in the order in which edges were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphSearch {
    kind: Kind,
    weight: Weight,
    ties: TieRule,
    reopen: Option<bool>,
}

impl GraphSearch {
    const fn of(kind: Kind) -> Self {
        Self { kind, weight: Weight::ONE, ties: TieRule::NewestFirst, reopen: None }
    }

    /// Breadth-first search: as few edges as possible.
    pub const fn breadth_first() -> Self {
        Self::of(Kind::BreadthFirst)
    }

    /// Depth-first search: some path.
    pub const fn depth_first() -> Self {
        Self::of(Kind::DepthFirst)
    }

    /// Dijkstra's algorithm.
    pub const fn dijkstra() -> Self {
        Self::of(Kind::Dijkstra)
    }

    /// A*: the sum of the cost so far and the guide's estimate decides.
    pub const fn astar() -> Self {
        Self::of(Kind::Astar)
    }

    /// Greedy best-first search: the guide's estimate alone decides.
    pub const fn greedy() -> Self {
        Self::of(Kind::Greedy)
    }

    /// Dijkstra's algorithm from both ends.
    pub const fn bidirectional() -> Self {
        Self::of(Kind::Bidirectional)
    }

    /// With estimates multiplied: weighted A*.
    pub const fn with_weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }

    /// With another rule for ties. Depth-first and bidirectional search keep their own.
    pub const fn with_ties(mut self, ties: TieRule) -> Self {
        self.ties = ties;
        self
    }

    /// Whether nodes are opened again when they get cheaper after their expansion. Unless told, A* does
    /// so where its guide is not known to be consistent.
    pub const fn with_reopening(mut self, wanted: bool) -> Self {
        self.reopen = Some(wanted);
        self
    }

    /// Answers a query.
    pub fn solve<G: Guide>(
        &self,
        graph: NonNegative<'_>,
        query: &GraphQuery,
        guide: &G,
        scratch: &mut GraphScratch,
    ) -> Result<GraphAnswer, GraphQueryError> {
        self.solve_watched(graph, query, guide, scratch, &mut NoTrace)
    }

    /// As [`GraphSearch::solve`], with every event told. The answer is the same.
    pub fn solve_watched<G: Guide, O: Observer>(
        &self,
        graph: NonNegative<'_>,
        query: &GraphQuery,
        guide: &G,
        scratch: &mut GraphScratch,
        observer: &mut O,
    ) -> Result<GraphAnswer, GraphQueryError> {
        query.check(graph.graph())?;
        let heuristic = Weighted { guide, weight: self.weight };
        self.begin(graph, query, &heuristic, scratch);
        if O::ACTIVE {
            self.tell_starts(query, &heuristic, observer);
        }
        let outcome = self.run(graph, guide, scratch, observer);
        let GraphScratch { forward, backward, trail, run, .. } = scratch;
        trail.clear();
        Ok(match outcome {
            Outcome::Goal(node) => {
                push_ancestors(forward, node, trail);
                trail.reverse();
                if self.kind == Kind::Bidirectional {
                    trail.pop();
                    push_ancestors(backward, node, trail);
                }
                let nodes = trail.clone();
                GraphAnswer::Found(GraphPath { cost: cost_along(graph.graph(), &nodes), nodes })
            }
            Outcome::Exhausted if run.is_some_and(|run| run.cut_by_cost) => {
                GraphAnswer::LimitReached
            }
            Outcome::Exhausted => GraphAnswer::Unreachable,
            Outcome::Limit | Outcome::Paused => GraphAnswer::LimitReached,
        })
    }

    fn settings(&self, consistent: bool) -> Settings {
        let reopens = self.kind == Kind::Astar;
        Settings {
            greedy: self.kind == Kind::Greedy,
            unit_steps: self.kind == Kind::BreadthFirst,
            reopen: self.reopen.unwrap_or(!consistent) && reopens,
            key_shift: 0,
            // Estimates may be so large that a key is cut off.
            keys_exact: false,
        }
    }

    /// Whether estimates count at all.
    fn is_guided(&self) -> bool {
        matches!(self.kind, Kind::Astar | Kind::Greedy)
    }

    fn begin<H: Heuristic>(
        &self,
        graph: NonNegative<'_>,
        query: &GraphQuery,
        heuristic: &H,
        scratch: &mut GraphScratch,
    ) {
        let node_count = graph.graph().node_count();
        let span = match self.kind {
            Kind::BreadthFirst => 1,
            _ => 2 * u64::from(graph.graph().weight_max()),
        };
        let mut run = Run::new(query.limits);
        let settings = self.settings(true);
        let key = |node| {
            if self.is_guided() { settings.key(0, heuristic.estimate(node)) } else { 0 }
        };
        let GraphScratch { forward, backward, queues, ties, stack, meeting, .. } = scratch;
        forward.reset(node_count);
        queues.iter_mut().for_each(|queue| queue.reset(span));
        ties.reset(self.ties);
        stack.clear();
        *meeting = None;
        if self.kind == Kind::Bidirectional {
            backward.reset(node_count);
            for &goal in &query.goals {
                open_start(backward, &mut queues[1], &mut run, goal, 0);
            }
            let both = query.starts.iter().find(|start| query.goals.contains(start));
            *meeting = both.map(|&node| Meeting { cost: 0, node });
        } else {
            query.goals.iter().for_each(|&goal| forward.mark_goal(goal));
        }
        for &start in &query.starts {
            let known = forward.get(start);
            match self.kind {
                Kind::DepthFirst if !known.is_seen() => {
                    forward.open(start, known, 0, start);
                    run.note_open(stack.len() + 1);
                    stack.push(start);
                }
                Kind::DepthFirst => {}
                _ if self.uses_tie_queue() => {
                    open_start(forward, ties, &mut run, start, key(start));
                }
                _ => open_start(forward, &mut queues[0], &mut run, start, key(start)),
            }
        }
        // The first start is the first to be taken.
        stack.reverse();
        scratch.run = Some(run);
    }

    fn uses_tie_queue(&self) -> bool {
        self.ties != TieRule::NewestFirst && self.kind != Kind::Bidirectional
    }

    fn tell_starts<H: Heuristic, O: Observer>(
        &self,
        query: &GraphQuery,
        heuristic: &H,
        observer: &mut O,
    ) {
        let mut tell = |node: NodeId, side| {
            let h = if self.is_guided() { heuristic.estimate(node) } else { 0 };
            let kind = TraceKind::Start;
            observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
        };
        query.starts.iter().for_each(|&start| tell(start, Side::Forward));
        if self.kind == Kind::Bidirectional {
            query.goals.iter().for_each(|&goal| tell(goal, Side::Backward));
        }
    }

    fn run<G: Guide, O: Observer>(
        &self,
        graph: NonNegative<'_>,
        guide: &G,
        scratch: &mut GraphScratch,
        observer: &mut O,
    ) -> Outcome {
        let GraphScratch { forward, backward, queues, ties, stack, meeting, run, .. } = scratch;
        let Some(run) = run.as_mut() else { return Outcome::Exhausted };
        let unguided = Weighted { guide: &super::NoGuide, weight: Weight::ONE };
        let [first, second] = queues;
        match self.kind {
            Kind::DepthFirst => {
                let space = GraphSpace::along(graph);
                DepthFirst { space, heuristic: unguided, nodes: forward, stack, run }
                    .advance(u64::MAX, observer)
            }
            Kind::Bidirectional => {
                let space = GraphSpace::both_ways(graph);
                let halves =
                    [Half { nodes: forward, open: first }, Half { nodes: backward, open: second }];
                Bidirectional { space, heuristic: unguided, halves, best: meeting, run }
                    .advance(u64::MAX, observer)
            }
            Kind::Astar | Kind::Greedy => {
                let heuristic = Weighted { guide, weight: self.weight };
                let plain = self.weight <= Weight::ONE && guide.is_consistent();
                let settings = self.settings(plain);
                if self.uses_tie_queue() {
                    best_first(graph, heuristic, settings, forward, ties, run, observer)
                } else {
                    best_first(graph, heuristic, settings, forward, first, run, observer)
                }
            }
            Kind::BreadthFirst | Kind::Dijkstra => {
                let settings = self.settings(true);
                if self.uses_tie_queue() {
                    best_first(graph, unguided, settings, forward, ties, run, observer)
                } else {
                    best_first(graph, unguided, settings, forward, first, run, observer)
                }
            }
        }
    }
}

fn best_first<H: Heuristic, Q: OpenList, O: Observer>(
    graph: NonNegative<'_>,
    heuristic: H,
    settings: Settings,
    nodes: &mut NodeTable,
    open: &mut Q,
    run: &mut Run,
    observer: &mut O,
) -> Outcome {
    let space = GraphSpace::along(graph);
    BestFirst { space, heuristic, settings, nodes, open, run }.advance(u64::MAX, observer)
}

/// What the cheapest edges between some nodes cost.
pub(super) fn cost_along(graph: &Graph, nodes: &[NodeId]) -> u64 {
    let step = |pair: &[NodeId]| graph.outgoing().weight(pair[0], pair[1]).unwrap_or(0);
    nodes.windows(2).map(|pair| u64::from(step(pair).unsigned_abs())).sum()
}

/// A path is wanted from one of some starts to one of some goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphQuery {
    pub(super) starts: Vec<NodeId>,
    pub(super) goals: Vec<NodeId>,
    pub(super) limits: Limits,
}

impl GraphQuery {
    /// From one node to another.
    pub fn new(start: NodeId, goal: NodeId) -> Self {
        Self::among(vec![start], vec![goal])
    }

    /// From whichever start to whichever goal costs least. Without goals everything is explored, and the
    /// answer is that none was reached.
    pub fn among(starts: Vec<NodeId>, goals: Vec<NodeId>) -> Self {
        Self { starts, goals, limits: Limits::default() }
    }

    /// The same query with limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    pub(super) fn check(&self, graph: &Graph) -> Result<(), GraphQueryError> {
        if self.starts.is_empty() {
            return Err(GraphQueryError::NoStart);
        }
        let missing = |node: &&NodeId| node.index() >= graph.node_count();
        match self.starts.iter().chain(&self.goals).find(missing) {
            Some(&node) => Err(GraphQueryError::NoSuchNode { node, nodes: graph.node_count() }),
            None => Ok(()),
        }
    }
}

/// Why a query makes no sense on a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GraphQueryError {
    /// An empty list of starts.
    #[error("the query has no start")]
    NoStart,
    /// A node that is not there.
    #[error("there is no node {}: the graph has {nodes}", .node.0)]
    NoSuchNode {
        /// Which node.
        node: NodeId,
        /// How many there are.
        nodes: usize,
    },
}

/// A path through a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPath {
    /// What it costs.
    pub cost: u64,
    /// Every node, both ends included.
    pub nodes: Vec<NodeId>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphAnswer {
    /// A path from a start to a goal.
    Found(GraphPath),
    /// There is no path to any goal.
    Unreachable,
    /// The query's limits were used up first.
    LimitReached,
}

impl GraphAnswer {
    /// The path, if one was found.
    pub fn path(self) -> Option<GraphPath> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// Working memory of searches on graphs. Make one a thread and keep it.
#[derive(Default)]
pub struct GraphScratch {
    pub(super) forward: NodeTable,
    backward: NodeTable,
    pub(super) queues: [AnyOrderQueue; 2],
    ties: TieQueue,
    stack: Vec<NodeId>,
    meeting: Option<Meeting>,
    pub(super) run: Option<Run>,
    trail: Vec<NodeId>,
}

impl GraphScratch {
    /// Empty memory; it grows to what queries need.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the latest query did.
    pub fn statistics(&self) -> Statistics {
        self.run.map(|run| run.statistics).unwrap_or_default()
    }

    /// The cost of a node as the latest search knows it, counted as it counts; `None` where it has not
    /// been.
    pub fn cost(&self, node: NodeId) -> Option<u64> {
        let known = self.forward.get(node);
        known.is_seen().then_some(known.g)
    }

    /// Where the latest search reached a node from; itself for a start; `None` where it has not been.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.forward.get(node).is_seen().then(|| self.forward.parent(node))
    }

    /// The nodes from a start to a node that the latest search has reached.
    pub(super) fn trail_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut trail = Vec::new();
        push_ancestors(&self.forward, node, &mut trail);
        trail.reverse();
        trail
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.forward.memory_bytes()
            + self.backward.memory_bytes()
            + self.queues.iter().map(AnyOrderQueue::memory_bytes).sum::<usize>()
            + self.ties.memory_bytes()
            + (self.stack.capacity() + self.trail.capacity()) * size_of::<NodeId>()
    }
}
