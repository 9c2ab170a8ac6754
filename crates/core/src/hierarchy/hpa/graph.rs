//! The abstract graph as a space: entries into clusters as nodes, with a query's starts and goals.

use super::Hpa;
use super::cluster::Link;
use super::flood::UNREACHED;
use super::layout::{ClusterId, Layout};
use crate::grid::{Cell, Grid};
use crate::search::{GridHeuristic, Heuristic, Observer, TraceEvent};
use crate::space::{Arrival, NodeId, Space};

/// A start or a goal.
#[derive(Clone, Copy)]
pub(super) struct Terminal {
    pub(super) cell: Cell,
    pub(super) cluster: ClusterId,
    /// Where its costs begin,
    pub(super) first: usize,
    /// and where its links do, which only starts have.
    pub(super) first_link: usize,
    pub(super) past_link: usize,
}

/// The abstract graph of one query.
pub(super) struct HpaSpace<'a> {
    pub(super) hpa: &'a Hpa,
    pub(super) starts: &'a [Terminal],
    pub(super) goals: &'a [Terminal],
    /// Costs between terminals and the nodes of their clusters.
    pub(super) costs: &'a [u32],
    /// Where the search goes on from each start.
    pub(super) links: &'a [Link],
    /// Costs from each start to each goal in the same cluster, without leaving it.
    pub(super) direct: &'a [u32],
}

impl Space for HpaSpace<'_> {
    fn node_count(&self) -> usize {
        self.hpa.goal_node(self.starts.len(), self.goals.len()).index()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let layout = &self.hpa.layout;
        let start = at.node.index().checked_sub(layout.node_count());
        let id = match start {
            Some(start) => self.starts[start].cluster,
            None => layout.cluster_of_node(at.node),
        };
        let cluster = self.hpa.cluster(id);
        let node = cluster.node_at(layout.border_number_of_node(at.node));
        let links = match (start, node) {
            (Some(start), _) => {
                let start = &self.starts[start];
                &self.links[start.first_link..start.past_link]
            }
            (None, Some(node)) => cluster.links_from(node),
            (None, None) => return,
        };
        for (index, goal) in self.goals.iter().enumerate() {
            if goal.cluster == id {
                let cost = match (start, node) {
                    (Some(start), _) => self.direct[start * self.goals.len() + index],
                    (None, node) => self.costs[goal.first + node.unwrap_or(0)],
                };
                if cost != UNREACHED {
                    visit(self.hpa.goal_node(self.starts.len(), index), cost);
                }
            }
        }
        for link in links {
            visit(link.target, link.cost);
        }
    }
}

/// Estimates from the cells of abstract nodes.
pub(super) struct HpaHeuristic<'a> {
    pub(super) layout: &'a Layout,
    pub(super) starts: &'a [Terminal],
    pub(super) goals: &'a [Terminal],
    pub(super) inner: GridHeuristic<'a>,
}

impl HpaHeuristic<'_> {
    #[inline]
    fn cell(&self, node: NodeId) -> Cell {
        match node.index().checked_sub(self.layout.node_count()) {
            None => self.layout.cell_of_node(node),
            Some(index) => match self.starts.get(index) {
                Some(start) => start.cell,
                None => self.goals[index - self.starts.len()].cell,
            },
        }
    }
}

impl Heuristic for HpaHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.inner.estimate_from(self.cell(node))
    }

    /// Not asked for: the nearest cell is found by other means.
    fn remoteness(&self, _node: NodeId, _estimate: Option<u64>) -> u64 {
        0
    }
}

/// Tells of cells instead of abstract nodes.
pub(super) struct CellObserver<'a, O> {
    pub(super) inner: &'a mut O,
    pub(super) grid: &'a Grid,
    pub(super) cells: HpaHeuristic<'a>,
}

impl<O: Observer> Observer for CellObserver<'_, O> {
    const ACTIVE: bool = O::ACTIVE;

    fn event(&mut self, event: TraceEvent) {
        let extent = self.grid.extent();
        let cell = |node| NodeId(extent.id_inside(self.cells.cell(node)).0);
        let (node, parent) = (cell(event.node), cell(event.parent));
        self.inner.event(TraceEvent { node, parent, ..event });
    }
}
