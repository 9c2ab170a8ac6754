//! Links as transitions: where one begins a cluster is left, and where it ends another is entered.
//!
//! Clusters and what joins them know nothing of links. For each cluster where any begins or ends, the costs of ways inside
//! it are kept beside it:
//!
//! ```text
//!   ┌────────────┐          from its nodes to b, where a link begins: a way there and the link are one edge;
//!   e ──╮   ╭─── x          from o, where a link ends, to its nodes: o is an entry, as nodes are;
//!   │   b   o    │          from o to b: one link after another.
//!   └────────────┘
//! ```
//!
//! Entries at the ends of links have numbers after those of all nodes. Regions with links are treated as those with a start
//! or a goal: searches go through their clusters.

use super::Hpa;
use super::cluster::{Cluster, ClusterBuilder};
use super::layout::{ClusterId, Layout};
use super::levels::RegionId;
use crate::grid::shared::Table;
use crate::grid::{Cell, Grid};
use crate::hierarchy::local::{CellBox, UNREACHED, pack, unpack};
use std::sync::Arc;

/// One way of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The number of the cell where it begins, among those of the cluster.
    pub(super) begin: u16,
    /// The cell where it ends.
    pub(super) end: Cell,
    pub(super) cost: u32,
}

/// The links that begin or end in a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ends {
    /// The cells where any begins, and those where any ends, in order.
    begins: Vec<Cell>,
    ends: Vec<Cell>,
    /// The links that begin here.
    ways: Vec<Way>,
}

/// What is known of the links of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gates {
    ends: Ends,
    node_count: usize,
    /// Packed costs to each cell where a link begins: from the nodes, then from the cells where links end.
    to_begins: Box<[u32]>,
    /// Packed costs from each cell where a link ends to the nodes.
    from_ends: Box<[u32]>,
}

impl Gates {
    /// The cells where links begin.
    pub(super) fn begins(&self) -> &[Cell] {
        &self.ends.begins
    }

    /// The cells where links end.
    pub(super) fn ends(&self) -> &[Cell] {
        &self.ends.ends
    }

    pub(super) fn ways(&self) -> &[Way] {
        &self.ends.ways
    }

    /// The packed cost to where a link begins from an entry: a node, or after those a cell where a link ends.
    #[inline]
    pub(super) fn cost_to_begin(&self, begin: u16, entry: usize) -> u32 {
        let width = self.node_count + self.ends.ends.len();
        self.to_begins[usize::from(begin) * width + entry]
    }

    /// The packed costs from where a link ends to the nodes.
    pub(super) fn costs_from_end(&self, end: usize) -> &[u32] {
        &self.from_ends[end * self.node_count..][..self.node_count]
    }

    /// Measures the ways inside the cluster.
    fn measure(
        ends: Ends,
        grid: &Grid,
        block: &CellBox,
        cluster: &Cluster,
        builder: &mut ClusterBuilder,
    ) -> Self {
        let node_count = cluster.node_count();
        let nodes: Vec<Cell> = (0..node_count).map(|node| cluster.cell(block, node)).collect();
        let mut to_begins = Vec::with_capacity(ends.begins.len() * (node_count + ends.ends.len()));
        for &begin in &ends.begins {
            builder.flood_to(grid, block, begin);
            let from = nodes.iter().chain(&ends.ends);
            to_begins.extend(from.map(|&from| builder.flooded_cost(grid, block, from, begin)));
        }
        let mut from_ends = Vec::with_capacity(ends.ends.len() * node_count);
        for &end in &ends.ends {
            let cost = |node| cluster.cost_to(grid, block, end, node).unwrap_or(UNREACHED);
            let same_domain = |node: usize| grid.domain_of(nodes[node]) == grid.domain_of(end);
            from_ends.extend((0..node_count).map(|node| match same_domain(node) {
                true => cost(node),
                false => UNREACHED,
            }));
        }
        Self { ends, node_count, to_begins: to_begins.into(), from_ends: from_ends.into() }
    }

    fn memory_bytes(&self) -> usize {
        let Ends { begins, ends, ways } = &self.ends;
        size_of::<Self>()
            + (begins.capacity() + ends.capacity()) * size_of::<Cell>()
            + ways.capacity() * size_of::<Way>()
            + (self.to_begins.len() + self.from_ends.len()) * size_of::<u32>()
    }
}

/// The links of one cluster in the abstract graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Portal {
    pub(super) id: ClusterId,
    pub(super) gates: Arc<Gates>,
    /// The number among all entries of the first one here.
    pub(super) first_entry: u32,
    /// The number of the entry that each link leads to.
    pub(super) targets: Box<[u32]>,
}

/// All links that agents can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Portals {
    /// The clusters where any begins or ends, in order.
    clusters: Vec<Portal>,
    entry_count: u32,
}

impl Portals {
    /// Measures the links of a grid for the first time.
    pub(super) fn build(grid: &Grid, layout: &Layout, clusters: &Table<Cluster>) -> Self {
        let mut portals = Self::default();
        if grid.has_links() {
            let mut builder = ClusterBuilder::default();
            for id in portals.list(grid, layout, &[]) {
                portals.measure(grid, layout, clusters, &mut builder, id);
            }
            portals.number(layout);
        }
        portals
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clusters.is_empty()
    }

    /// How many entries there are at the ends of links.
    pub(super) fn entry_count(&self) -> usize {
        self.entry_count as usize
    }

    /// The links of a cluster.
    #[inline]
    pub(super) fn of(&self, id: ClusterId) -> Option<&Portal> {
        let at = self.clusters.binary_search_by_key(&id, |portal| portal.id).ok()?;
        Some(&self.clusters[at])
    }

    /// The cluster of an entry, and its number there.
    #[inline]
    pub(super) fn entry(&self, number: usize) -> (&Portal, usize) {
        let number = number as u32;
        let past = self.clusters.partition_point(|portal| portal.first_entry <= number);
        let portal = &self.clusters[past - 1];
        (portal, (number - portal.first_entry) as usize)
    }

    /// Pushes the regions around links.
    pub(super) fn push_regions(&self, layout: &Layout, levels: usize, regions: &mut Vec<RegionId>) {
        for height in 1..=levels {
            let around = |portal: &Portal| RegionId::around(layout, portal.id, height);
            regions.extend(self.clusters.iter().map(around));
        }
    }

    /// Notes which links begin and end in which clusters. Returns the clusters to be measured: those with other links than
    /// before, and those in the sorted list of others that have changed.
    pub(super) fn list(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        changed: &[ClusterId],
    ) -> Vec<ClusterId> {
        let mut before = std::mem::take(&mut self.clusters).into_iter().peekable();
        let mut measured = Vec::new();
        for (id, ends) in ends_by_cluster(grid, layout) {
            while before.next_if(|portal| portal.id < id).is_some() {}
            let known = before.next_if(|portal| portal.id == id);
            let known = known.filter(|portal| portal.gates.ends == ends);
            if known.is_none() || changed.binary_search(&id).is_ok() {
                measured.push(id);
            }
            self.clusters.push(known.unwrap_or_else(|| {
                let gates = Arc::new(Gates { ends, ..Gates::default() });
                Portal { id, gates, first_entry: 0, targets: Box::default() }
            }));
        }
        measured
    }

    /// Measures the ways to and from the links of a cluster.
    pub(super) fn measure(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        clusters: &Table<Cluster>,
        builder: &mut ClusterBuilder,
        id: ClusterId,
    ) {
        let Ok(at) = self.clusters.binary_search_by_key(&id, |portal| portal.id) else { return };
        let portal = &mut self.clusters[at];
        let (ends, block) = (portal.gates.ends.clone(), layout.block(id));
        let cluster = &clusters[id.index()];
        portal.gates = Arc::new(Gates::measure(ends, grid, &block, cluster, builder));
    }

    /// Numbers the entries, once all is measured.
    pub(super) fn number(&mut self, layout: &Layout) {
        self.entry_count = 0;
        for portal in &mut self.clusters {
            portal.first_entry = self.entry_count;
            self.entry_count += portal.gates.ends().len() as u32;
        }
        let number = |way: &Way| {
            let portal = self.of(layout.cluster_of(way.end));
            // A link begins and ends on the same map: there is one.
            portal.map_or(0, |portal| {
                let at = portal.gates.ends().binary_search(&way.end).unwrap_or(0);
                portal.first_entry + at as u32
            })
        };
        let targets: Vec<Box<[u32]>> = self
            .clusters
            .iter()
            .map(|portal| portal.gates.ways().iter().map(number).collect())
            .collect();
        for (portal, targets) in self.clusters.iter_mut().zip(targets) {
            portal.targets = targets;
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let bytes = |portal: &Portal| {
            size_of::<Portal>() + 16 + portal.gates.memory_bytes() + 4 * portal.targets.len()
        };
        self.clusters.iter().map(bytes).sum()
    }
}

/// The links of each cluster where any begins or ends, in the order of clusters.
fn ends_by_cluster(grid: &Grid, layout: &Layout) -> Vec<(ClusterId, Ends)> {
    let mut ids: Vec<ClusterId> = grid
        .usable_links()
        .flat_map(|(from, to, _)| [from, to])
        .map(|cell| layout.cluster_of(cell))
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let mut found: Vec<(ClusterId, Ends)> = ids.iter().map(|&id| (id, Ends::default())).collect();
    let place = |cell| ids.binary_search(&layout.cluster_of(cell)).unwrap_or(0);
    for (from, to, _) in grid.usable_links() {
        found[place(from)].1.begins.push(from);
        found[place(to)].1.ends.push(to);
    }
    for (_, Ends { begins, ends, .. }) in &mut found {
        for cells in [begins, ends] {
            cells.sort_unstable();
            cells.dedup();
        }
    }
    for (from, end, cost) in grid.usable_links() {
        let Ends { begins, ways, .. } = &mut found[place(from)].1;
        let begin = begins.binary_search(&from).unwrap_or(0) as u16;
        ways.push(Way { begin, end, cost });
    }
    found
}

impl Hpa {
    /// Where the link begins by which a search has come from an entry to the end of a link, at the least cost. `cost_to`
    /// is what it costs to get from the entry to where a link begins in its cluster, packed.
    pub(super) fn link_begin(
        &self,
        cluster: ClusterId,
        end: Cell,
        cost_to: impl Fn(u16) -> u32,
    ) -> Option<Cell> {
        let portal = self.portals.of(cluster)?;
        let ways = portal.gates.ways().iter().filter(|way| way.end == end);
        let reached = ways.filter(|way| cost_to(way.begin) != UNREACHED);
        let best = reached.min_by_key(|way| unpack(cost_to(way.begin)) + u64::from(way.cost))?;
        Some(portal.gates.begins()[usize::from(best.begin)])
    }
}

/// The packed cost of a way to where a link begins, and of the link.
#[inline]
pub(super) fn with_link(cost: u32, way: &Way) -> u32 {
    pack(unpack(cost) + u64::from(way.cost))
}
