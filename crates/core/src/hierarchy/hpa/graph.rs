//! The abstract graph as a space: entries into clusters as nodes, with a query's starts and goals.

use super::Hpa;
use super::layout::ClusterId;
use super::levels::RegionId;
use super::links::{Links, NodeSlot, filled};
use crate::grid::{Cell, Grid};
use crate::heuristic::GridHeuristic;
use crate::hierarchy::local::{UNREACHED, unpack};
use crate::search::{Heuristic, SearchObserver, TraceEvent};
use crate::space::{Arrival, NodeId, Space};
use std::sync::atomic::{AtomicU32, Ordering};

/// A start or a goal.
#[derive(Clone, Copy)]
pub(super) struct Terminal {
    pub(super) cell: Cell,
    pub(super) cluster: ClusterId,
    /// Where its costs begin.
    pub(super) first: usize,
}

/// The abstract graph of one query.
pub(super) struct HpaSpace<'a> {
    pub(super) hpa: &'a Hpa,
    pub(super) starts: &'a [Terminal],
    pub(super) goals: &'a [Terminal],
    /// Packed costs between terminals and the nodes of their clusters.
    pub(super) costs: &'a [u32],
    /// Where the search goes on from each start.
    pub(super) start_links: &'a Links,
    pub(super) places: &'a Places,
    /// Costs from each start to each goal in the same cluster, without leaving it.
    pub(super) direct: &'a [u32],
    /// The regions with a start or a goal.
    pub(super) ends: &'a [RegionId],
}

impl Space for HpaSpace<'_> {
    fn node_count(&self) -> usize {
        self.hpa.goal_node(self.starts.len(), self.goals.len()).index()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let layout = &self.hpa.layout;
        let start = at.node.index().checked_sub(layout.node_count());
        let (id, row) = match start {
            Some(start) => (self.starts[start].cluster, start),
            None => (layout.cluster_of_node(at.node), layout.index_of_node(at.node)),
        };
        let goal_links = self.goals.iter().enumerate().filter_map(|(index, goal)| {
            let cost = match start {
                _ if goal.cluster != id => UNREACHED,
                Some(start) => self.direct[start * self.goals.len() + index],
                None => self.costs[goal.first + row],
            };
            let target = self.hpa.goal_node(self.starts.len(), index);
            (cost != UNREACHED).then_some((target, cost))
        });
        let links = match start {
            Some(start) => self.start_links.row(start),
            None => self.hpa.graph().row(self.hpa.height_of(id, self.ends), at.node),
        };
        let links = filled(links).map(|link| {
            self.places.note(link.target, link.place);
            (link.target, link.cost)
        });
        // PERF: one call of `visit`, so that it becomes part of the loop.
        for (target, cost) in goal_links.chain(links) {
            visit(target, cost);
        }
    }

    #[inline(always)]
    fn price(step: u32) -> u64 {
        unpack(step)
    }
}

impl Hpa {
    /// The height whose links lead on from an entry into a cluster: that of the largest region around it
    /// without a start or a goal.
    #[inline]
    pub(super) fn height_of(&self, cluster: ClusterId, ends: &[RegionId]) -> usize {
        let free =
            |&height: &usize| !ends.contains(&RegionId::around(&self.layout, cluster, height));
        (1..=self.levels.len()).rev().find(free).unwrap_or(0)
    }
}

/// Where the nodes lie that a search has seen.
#[derive(Default)]
pub(super) struct Places(Vec<AtomicU32>);

impl Places {
    pub(super) fn make_room(&mut self, node_count: usize) {
        if self.0.len() < node_count {
            self.0.resize_with(node_count, AtomicU32::default);
        }
    }

    /// Written by the space and read by the estimates of the same search, on one thread.
    #[inline]
    pub(super) fn note(&self, node: NodeId, place: NodeSlot) {
        self.0[node.index()].store(place.0, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn cell(&self, node: NodeId) -> Cell {
        NodeSlot(self.0[node.index()].load(Ordering::Relaxed)).cell()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.0.capacity() * size_of::<AtomicU32>()
    }
}

/// Estimates from the cells of abstract nodes.
pub(super) struct HpaHeuristic<'a> {
    pub(super) places: &'a Places,
    pub(super) inner: GridHeuristic<'a>,
}

impl Heuristic for HpaHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.inner.estimate_from(self.places.cell(node))
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// Tells of cells instead of abstract nodes.
pub(super) struct CellObserver<'a, O> {
    pub(super) inner: &'a mut O,
    pub(super) grid: &'a Grid,
    pub(super) places: &'a Places,
}

impl<O: SearchObserver> SearchObserver for CellObserver<'_, O> {
    const ACTIVE: bool = O::ACTIVE;

    fn event(&mut self, event: TraceEvent) {
        let extent = self.grid.extent();
        let cell = |node| NodeId(extent.id_inside(self.places.cell(node)).0);
        let (node, parent) = (cell(event.node), cell(event.parent));
        self.inner.event(TraceEvent { node, parent, ..event });
    }
}
