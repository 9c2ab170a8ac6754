//! The abstract graph as a space: entries into clusters as nodes, with a query's starts and goals.

use super::Hpa;
use super::layout::ClusterId;
use super::levels::RegionId;
use super::links::{Links, NodeSlot, filled, target};
use super::portals::with_link;
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

/// The same where agents can use links.
pub(super) struct Linked<'a>(pub(super) HpaSpace<'a>);

/// Where a search of an abstract graph with links stands.
#[derive(Clone, Copy)]
enum Standing {
    /// By its number among the nodes of its cluster.
    Node(usize),
    /// Where a link ends, by its number in its cluster.
    LinkEnd(usize),
    Start(usize),
}

impl Linked<'_> {
    /// What a node of the search is, and its cluster.
    fn standing(&self, node: NodeId) -> (ClusterId, Standing) {
        let hpa = self.0.hpa;
        let layout = &hpa.layout;
        if let Some(start) = node.index().checked_sub(hpa.first_end()) {
            return (self.0.starts[start].cluster, Standing::Start(start));
        }
        match node.index().checked_sub(layout.node_count()) {
            Some(entry) => {
                let (portal, end) = hpa.portals.entry(entry);
                (portal.id, Standing::LinkEnd(end))
            }
            None => (layout.cluster_of_node(node), Standing::Node(layout.index_of_node(node))),
        }
    }

    /// Calls `visit` with the goals in the cluster.
    fn visit_goals(&self, id: ClusterId, at: Standing, visit: &mut impl FnMut(NodeId, u32)) {
        let HpaSpace { hpa, starts, goals, costs, direct, .. } = &self.0;
        for (index, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.cluster == id) {
            let cost = match at {
                Standing::Start(start) => direct[start * goals.len() + index],
                Standing::Node(node) => costs[goal.first + node],
                Standing::LinkEnd(end) => costs[goal.first + hpa.cluster(id).node_count() + end],
            };
            if cost != UNREACHED {
                visit(hpa.goal_node(starts.len(), index), cost);
            }
        }
    }

    /// Calls `visit` with the ends of the links that begin in the cluster.
    fn visit_links(&self, id: ClusterId, at: Standing, visit: &mut impl FnMut(NodeId, u32)) {
        let HpaSpace { hpa, starts, costs, places, .. } = &self.0;
        let Some(portal) = hpa.portals.of(id) else { return };
        let nodes = hpa.cluster(id).node_count();
        for (way, &target) in portal.gates.ways().iter().zip(&portal.targets) {
            let cost = match at {
                Standing::Start(start) => {
                    costs[starts[start].first + nodes + usize::from(way.begin)]
                }
                Standing::Node(node) => portal.gates.cost_to_begin(way.begin, node),
                Standing::LinkEnd(end) => portal.gates.cost_to_begin(way.begin, nodes + end),
            };
            if cost != UNREACHED {
                let target = NodeId((hpa.layout.node_count() + target as usize) as u32);
                places.note(target, NodeSlot::of(way.end));
                visit(target, with_link(cost, way));
            }
        }
    }
}

impl Space for Linked<'_> {
    fn node_count(&self) -> usize {
        self.0.node_count()
    }

    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let (id, standing) = self.standing(at.node);
        self.visit_goals(id, standing, visit);
        self.visit_links(id, standing, visit);
        let HpaSpace { hpa, start_links, places, ends, .. } = &self.0;
        let row = match standing {
            Standing::Start(start) => start_links.row(start),
            Standing::Node(_) => hpa.graph().row(hpa.height_of(id, ends), at.node),
            Standing::LinkEnd(end) => {
                let Some(portal) = hpa.portals.of(id) else { return };
                let costs = portal.gates.costs_from_end(end);
                for exit in hpa.cluster(id).exits() {
                    let cost = costs[usize::from(exit.node)];
                    if cost == UNREACHED || exit.cost == UNREACHED {
                        continue;
                    }
                    if let Some(link) = target(&hpa.layout, &hpa.clusters, exit, cost) {
                        places.note(link.target, link.place);
                        visit(link.target, link.cost);
                    }
                }
                return;
            }
        };
        for link in filled(row) {
            places.note(link.target, link.place);
            visit(link.target, link.cost);
        }
    }

    #[inline(always)]
    fn price(step: u32) -> u64 {
        unpack(step)
    }
}

impl Hpa {
    /// The height whose links lead on from an entry into a cluster: that of the largest region around it
    /// without a start, a goal or a link.
    #[inline]
    pub(super) fn height_of(&self, cluster: ClusterId, ends: &[RegionId]) -> usize {
        let free =
            |&height: &usize| !is_among(ends, &RegionId::around(&self.layout, cluster, height));
        (1..=self.levels.len()).rev().find(free).unwrap_or(0)
    }
}

/// Whether a region is one of a sorted list.
#[inline]
pub(super) fn is_among(regions: &[RegionId], region: &RegionId) -> bool {
    // Few, unless there are links.
    if regions.len() <= 16 {
        regions.contains(region)
    } else {
        regions.binary_search(region).is_ok()
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

/// Reports cells instead of abstract nodes.
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
