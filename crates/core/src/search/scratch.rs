//! The memory that searches run in: owned by the caller, reused from query to query.

use super::best_first::{Run, Statistics};
use super::bidirectional::Meeting;
use super::nearest::Flood;
use super::nodes::NodeTable;
use super::open_list::{BucketQueue, HeapQueue};
use crate::grid::{Cell, CellId, Cost, Edition, Grid};
use crate::hierarchy::{HpaScratch, PraScratch};
use crate::index::{ChScratch, HubScratch, SubgoalScratch};
use crate::path::Path;
use crate::planner::Task;
use crate::space::NodeId;

/// Working memory for queries. Make one a thread and keep it: after the first queries on a map,
/// further ones allocate nothing but the path they return.
#[derive(Default)]
pub struct Scratch {
    pub(crate) forward: Frontier,
    pub(crate) backward: Frontier,
    pub(crate) stack: Vec<NodeId>,
    pub(crate) begun: Option<Begun>,
    pub(crate) meeting: Option<Meeting>,
    pub(crate) starts: Vec<Cell>,
    pub(crate) goals: Vec<Cell>,
    pub(crate) hpa: HpaScratch,
    pub(crate) pra: PraScratch,
    pub(crate) flood: Flood,
    pub(crate) subgoal: SubgoalScratch,
    pub(crate) ch: ChScratch,
    pub(crate) hub: HubScratch,
    statistics: Statistics,
    /// Nodes of a path while it is put together.
    trail: Vec<NodeId>,
}

/// What one search remembers of nodes, and its open list of either kind.
#[derive(Default)]
pub(crate) struct Frontier {
    pub(crate) nodes: NodeTable,
    pub(crate) buckets: BucketQueue,
    pub(crate) heap: HeapQueue,
}

/// A query that has begun and not ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    pub(crate) edition: Edition,
    pub(crate) task: Task,
    pub(crate) run: Run,
    /// Whether observers have been told of the starts.
    pub(crate) starts_told: bool,
}

impl Scratch {
    /// Empty memory; it grows to what queries need.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the latest query did, so far or in all.
    pub fn statistics(&self) -> Statistics {
        self.begun.map_or(self.statistics, |begun| begun.run.statistics)
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let frontier = |frontier: &Frontier| {
            frontier.nodes.memory_bytes()
                + frontier.buckets.memory_bytes()
                + frontier.heap.memory_bytes()
        };
        let lists = (self.stack.capacity() + self.trail.capacity()) * size_of::<NodeId>();
        let places = (self.starts.capacity() + self.goals.capacity()) * size_of::<Cell>();
        let frontiers = frontier(&self.forward) + frontier(&self.backward);
        frontiers
            + lists
            + places
            + self.hpa.memory_bytes()
            + self.pra.memory_bytes()
            + self.flood.memory_bytes()
            + self.subgoal.memory_bytes()
            + self.ch.memory_bytes()
            + self.hub.memory_bytes()
    }

    /// Takes over a query's places.
    pub(crate) fn hold(&mut self, starts: &[Cell], goals: &[Cell]) {
        self.starts.clear();
        self.starts.extend_from_slice(starts);
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.hpa.forget_chains();
        self.pra.forget_trails();
        self.hub.forget();
    }

    /// Whether a query is under way that was begun as that task, on that grid.
    pub(crate) fn runs(&self, edition: Edition, task: Task) -> bool {
        self.begun.is_some_and(|begun| begun.edition == edition && begun.task == task)
    }

    /// Ends the query; its statistics stay.
    pub(crate) fn end(&mut self) {
        self.statistics = self.statistics();
        self.begun = None;
    }

    /// The path to a node the forward search has reached.
    pub(crate) fn path_to(&mut self, grid: &Grid, node: NodeId) -> Path {
        self.trail.clear();
        push_ancestors(&self.forward.nodes, node, &mut self.trail);
        self.trail.reverse();
        self.path_of_trail(grid)
    }

    /// The path from a node the forward search has reached back to its start.
    pub(crate) fn path_from(&mut self, grid: &Grid, node: NodeId) -> Path {
        self.trail.clear();
        push_ancestors(&self.forward.nodes, node, &mut self.trail);
        self.path_of_trail(grid)
    }

    /// The path through a node that both searches have reached.
    pub(crate) fn path_through(&mut self, grid: &Grid, node: NodeId) -> Path {
        self.trail.clear();
        push_ancestors(&self.forward.nodes, node, &mut self.trail);
        self.trail.reverse();
        self.trail.pop();
        push_ancestors(&self.backward.nodes, node, &mut self.trail);
        self.path_of_trail(grid)
    }

    /// The path to a node the forward search has reached, where nodes are joined by legs of diagonal
    /// steps first, then straight ones, on terrain of uniform cost.
    pub(crate) fn path_by_legs_to(&mut self, grid: &Grid, node: NodeId) -> Path {
        self.trail.clear();
        push_ancestors(&self.forward.nodes, node, &mut self.trail);
        self.trail.reverse();
        let extent = grid.extent();
        let turns = self.trail.iter().map(|node| extent.cell(CellId(node.0)));
        let cost = Cost(self.forward.nodes.get(node).g);
        Path::by_legs(turns, cost, grid.revision())
    }

    fn path_of_trail(&self, grid: &Grid) -> Path {
        let extent = grid.extent();
        let cell = |node: &NodeId| extent.cell(CellId(node.0));
        let cells: Vec<Cell> = self.trail.iter().map(cell).collect();
        let cost = grid.cost_along(&cells);
        Path::with_cost(cells, cost, grid.revision())
    }
}

/// Pushes a node, its parent, and so on up to a start.
pub(crate) fn push_ancestors(nodes: &NodeTable, node: NodeId, trail: &mut Vec<NodeId>) {
    let mut at = node;
    loop {
        trail.push(at);
        let parent = nodes.parent(at);
        if parent == at {
            return;
        }
        at = parent;
    }
}
