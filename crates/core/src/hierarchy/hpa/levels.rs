//! Levels above the clusters: regions of four by four clusters, of four by four regions, and so on.
//!
//! A region knows its entries, the nodes that a path from outside can come in by, and for each of them
//! what it leads to outside, at the cost of the way through the region:
//!
//! ```text
//!   ┌──┬──┬──┬──┐        e  an entry of the region
//!   │  │  │  ╭──┼─▶ t    t  an entry of the next: one link instead of one for each cluster
//!   ├──┼──┼──│──┤           on the way
//!   e ─┼──┼──╯  │
//!   └──┴──┴──┴──┘
//! ```
//!
//! A search uses the links of the largest region around a node that holds no start and no goal. It came
//! to that node from outside the region: from inside it would have used the region's links, and those
//! all lead out. So the node is an entry, and the region has links for it.
//!
//! A region depends on the links of what it is made of, on nothing else: if those are the same after an
//! edit, so is the region, and the levels above are not looked at.

use super::cluster::Cluster;
use super::layout::{ClusterId, Layout};
use super::links::{Link, Links, filled};
use crate::grid::shared::Table;
use crate::grid::{Cell, CellId, Extent, SizeError};
use crate::hierarchy::local::{pack, unpack};
use crate::search::{BestFirst, Frontier, Limits, NoHeuristic, NoTrace, Run, Settings, open_start};
use crate::space::{Arrival, NodeId, Space};
use std::sync::Arc;

/// How many levels an abstraction has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Levels {
    /// As many as serve a map of that size best: see [`Levels::for_size`].
    #[default]
    Automatic,
    /// So many, from 1 to [`Levels::MAX`].
    Exactly(u8),
}

impl Levels {
    /// The most there can be.
    pub const MAX: u8 = 4;

    /// How many levels a map of that size gets.
    ///
    /// ```
    /// use highroad::grid::Extent;
    /// use highroad::hierarchy::Levels;
    /// let small = Extent::new(512, 512)?;
    /// let large = Extent::new(16_384, 16_384)?;
    /// assert_eq!((Levels::Automatic.for_size(small), Levels::Automatic.for_size(large)), (1, 2));
    /// assert_eq!(Levels::Exactly(3).for_size(small), 3);
    /// # Ok::<(), highroad::grid::SizeError>(())
    /// ```
    pub fn for_size(self, extent: Extent) -> u8 {
        match self {
            Self::Exactly(levels) => levels,
            Self::Automatic if extent.cell_count() <= 4096 * 4096 => 1,
            Self::Automatic => 2,
        }
    }
}

/// Regions are so many of what they are made of across, and down: a power of two.
const FACTOR_BITS: u32 = 2;

/// How many clusters a region of that height has across, as a power of two.
pub(super) fn side_bits(height: u32) -> u32 {
    FACTOR_BITS * height
}

/// What a region knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Region {
    /// In the order of their numbers.
    entries: Box<[NodeId]>,
    /// A row for each entry.
    links: Links,
}

impl Region {
    fn row(&self, entry: NodeId) -> &[Link] {
        self.links.row(self.entries.binary_search(&entry).unwrap_or(usize::MAX))
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.entries.len() * size_of::<NodeId>() + self.links.memory_bytes()
    }
}

/// All regions of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// How many regions there are across and down.
    extent: Extent,
    regions: Table<Region>,
}

impl Level {
    pub(super) fn memory_bytes(&self) -> usize {
        let bytes = |region: &Arc<Region>| size_of::<Arc<Region>>() + 16 + region.memory_bytes();
        self.regions.iter().map(bytes).sum()
    }
}

/// A region's place on its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RegionId {
    /// Clusters are at height 0.
    pub(crate) height: u8,
    pub(crate) place: Cell,
}

impl RegionId {
    /// The region of that height around a cluster.
    #[inline]
    pub(crate) fn around(layout: &Layout, cluster: ClusterId, height: usize) -> Self {
        let place = layout.clusters().cell(CellId(cluster.0));
        let bits = side_bits(height as u32);
        Self { height: height as u8, place: Cell::new(place.x >> bits, place.y >> bits) }
    }

    fn parent(self) -> Self {
        let place = Cell::new(self.place.x >> FACTOR_BITS, self.place.y >> FACTOR_BITS);
        Self { height: self.height + 1, place }
    }

    /// The clusters in it.
    pub(super) fn block(self, layout: &Layout) -> Block {
        let bits = side_bits(self.height.into());
        let origin = Cell::new(self.place.x << bits, self.place.y << bits);
        let clusters = layout.clusters();
        let size = |origin: u32, length: u32| (1 << bits).min(length - origin);
        let (width, height) = (size(origin.x, clusters.width()), size(origin.y, clusters.height()));
        Block { origin, width, height }
    }
}

/// A rectangle of clusters.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) origin: Cell,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Block {
    fn contains(&self, place: Cell) -> bool {
        place.x.wrapping_sub(self.origin.x) < self.width
            && place.y.wrapping_sub(self.origin.y) < self.height
    }

    pub(super) fn places(self) -> impl Iterator<Item = Cell> {
        let Self { origin, width, height } = self;
        (0..height)
            .flat_map(move |y| (0..width).map(move |x| Cell::new(origin.x + x, origin.y + y)))
    }
}

/// The abstraction as far as it is built: the links of the clusters, and some levels above them.
#[derive(Clone, Copy)]
pub(super) struct Graph<'a> {
    pub(super) layout: &'a Layout,
    pub(super) clusters: &'a Table<Cluster>,
    pub(super) links: &'a Table<Links>,
    pub(super) levels: &'a [Level],
}

impl<'a> Graph<'a> {
    /// What a node leads to in the graph of that height: across its cluster at 0, else across its region.
    #[inline]
    pub(super) fn row(self, height: usize, node: NodeId) -> &'a [Link] {
        let cluster = self.layout.cluster_of_node(node);
        let Some(below) = height.checked_sub(1) else {
            return self.links[cluster.index()].row(self.layout.index_of_node(node));
        };
        let level = &self.levels[below];
        let place = RegionId::around(self.layout, cluster, height).place;
        level.regions[level.extent.id_inside(place).index()].row(node)
    }

    /// Calls `visit` with each entry of a region and what it leads to.
    pub(super) fn visit_region(
        self,
        id: RegionId,
        mut visit: impl FnMut(NodeId, &mut dyn Iterator<Item = &'a Link>),
    ) {
        let level = &self.levels[usize::from(id.height) - 1];
        let region = &level.regions[level.extent.id_inside(id.place).index()];
        for (row, &entry) in region.entries.iter().enumerate() {
            visit(entry, &mut filled(region.links.row(row)));
        }
    }

    /// How many regions there are across and down at a height.
    pub(super) fn regions(self, height: u8) -> Result<Extent, SizeError> {
        let bits = side_bits(height.into());
        let across = |length: u32| u64::from(length.div_ceil(1 << bits));
        let clusters = self.layout.clusters();
        Extent::new(across(clusters.width()), across(clusters.height()))
    }

    /// Builds a region from what lies below it.
    pub(super) fn build_region(self, id: RegionId, memory: &mut RegionMemory) -> Region {
        let block = id.block(self.layout);
        let mut entries = Vec::new();
        for place in block.places() {
            let cluster = self.layout.clusters().id_inside(place).0;
            self.push_entries(ClusterId(cluster), &block, &mut entries);
        }
        let mut rows = Vec::with_capacity(entries.len());
        for &entry in &entries {
            memory.search(self, id, entry);
            rows.push(memory.ways_out());
        }
        let mut links = Links::default();
        links.begin(rows.iter().map(Vec::len).max().unwrap_or(0));
        rows.into_iter().for_each(|row| links.push_row(row.into_iter()));
        links.shrink();
        Region { entries: entries.into(), links }
    }

    /// Pushes the nodes of a cluster that have an exit out of a block, in order.
    fn push_entries(self, cluster: ClusterId, block: &Block, entries: &mut Vec<NodeId>) {
        let exits = self.clusters[cluster.index()].exits();
        let leads_out = |border| {
            let to = self.layout.cluster_of_border(border);
            !block.contains(self.layout.clusters().cell(CellId(to.0)))
        };
        let first = entries.len();
        for exit in exits.iter().filter(|exit| leads_out(exit.target)) {
            entries.push(self.layout.node(cluster, usize::from(exit.node)));
        }
        entries[first..].sort_unstable();
        let mut kept = first;
        for at in first..entries.len() {
            if at == first || entries[at] != entries[kept - 1] {
                entries[kept] = entries[at];
                kept += 1;
            }
        }
        entries.truncate(kept);
    }
}

/// Memory for searches inside a region.
#[derive(Default)]
pub(crate) struct RegionMemory {
    frontier: Frontier,
    /// The links that led out, in the order found; some several times.
    out: Vec<Link>,
    block: Option<Numbers>,
}

/// Numbers for the nodes of a block and of the clusters around it.
#[derive(Clone, Copy)]
struct Numbers {
    block: Block,
    layout: Layout,
}

impl Numbers {
    fn count(&self) -> usize {
        ((self.block.width + 2) * (self.block.height + 2)) as usize * self.layout.border_room()
    }

    fn local(&self, node: NodeId) -> NodeId {
        let cluster = self.layout.cluster_of_node(node);
        let place = self.layout.clusters().cell(CellId(cluster.0));
        let (x, y) = (place.x + 1 - self.block.origin.x, place.y + 1 - self.block.origin.y);
        let number = (y * (self.block.width + 2) + x) as usize;
        NodeId((number * self.layout.border_room() + self.layout.index_of_node(node)) as u32)
    }

    fn global(&self, local: NodeId) -> NodeId {
        let (number, index) =
            (local.0 / self.layout.border_room() as u32, local.index() % self.layout.border_room());
        let across = self.block.width + 2;
        let place = Cell::new(
            number % across + self.block.origin.x - 1,
            number / across + self.block.origin.y - 1,
        );
        self.layout.node(ClusterId(self.layout.clusters().id_inside(place).0), index)
    }
}

/// The graph one height below a region, as far as it lies inside; what lies outside leads nowhere.
struct Inside<'a> {
    graph: Graph<'a>,
    height: usize,
    numbers: Numbers,
    out: &'a mut Vec<Link>,
}

impl Space for Inside<'_> {
    fn node_count(&self) -> usize {
        self.numbers.count()
    }

    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let node = self.numbers.global(at.node);
        let place_of = |node| {
            let cluster = self.graph.layout.cluster_of_node(node);
            self.graph.layout.clusters().cell(CellId(cluster.0))
        };
        if !self.numbers.block.contains(place_of(node)) {
            return;
        }
        for link in filled(self.graph.row(self.height, node)) {
            if !self.numbers.block.contains(place_of(link.target)) {
                self.out.push(*link);
            }
            visit(self.numbers.local(link.target), link.cost);
        }
    }

    #[inline(always)]
    fn price(step: u32) -> u64 {
        unpack(step)
    }
}

impl RegionMemory {
    /// Searches all of a region from one of its entries.
    fn search(&mut self, graph: Graph<'_>, id: RegionId, from: NodeId) {
        let numbers = Numbers { block: id.block(graph.layout), layout: *graph.layout };
        let Self { frontier, out, block } = self;
        *block = Some(numbers);
        out.clear();
        let mut run = Run::new(Limits::default());
        frontier.nodes.reset(numbers.count());
        // Nodes come a little out of order, and one that gets cheaper is expanded again: only at the end
        // are all costs exact.
        let key_shift = KEY_BITS;
        frontier.any_order.reset(u64::from(u32::MAX) >> key_shift);
        let settings = Settings { reopen: true, key_shift, ..Settings::default() };
        open_start(&mut frontier.nodes, &mut frontier.any_order, &mut run, numbers.local(from), 0);
        let mut search = BestFirst {
            space: Inside { graph, height: usize::from(id.height) - 1, numbers, out },
            heuristic: NoHeuristic,
            settings,
            nodes: &mut frontier.nodes,
            open: &mut frontier.any_order,
            run: &mut run,
        };
        search.advance(u64::MAX, &mut NoTrace);
    }

    /// What the last search found outside, each at its cheapest, in the order of numbers.
    fn ways_out(&mut self) -> Vec<Link> {
        let Some(numbers) = self.block else { return Vec::new() };
        self.out.sort_unstable_by_key(|link| link.target);
        self.out.dedup_by_key(|link| link.target);
        let cost = |link: &Link| self.frontier.nodes.get(numbers.local(link.target)).g;
        let link = |link: &Link| Link { cost: pack(cost(link)), ..*link };
        self.out.iter().map(link).collect()
    }

    /// The nodes between one entry of a region and what it leads to outside, each a link of the height
    /// below apart; the last included, the first left out.
    pub(super) fn unfold(
        &mut self,
        graph: Graph<'_>,
        id: RegionId,
        from: NodeId,
        to: NodeId,
        nodes: &mut Vec<NodeId>,
    ) {
        self.search(graph, id, from);
        let Some(numbers) = self.block else { return };
        let first = nodes.len();
        let mut at = numbers.local(to);
        while at != numbers.local(from) {
            nodes.push(numbers.global(at));
            at = self.frontier.nodes.parent(at);
        }
        nodes[first..].reverse();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.frontier.nodes.memory_bytes()
            + self.frontier.any_order.memory_bytes()
            + self.out.capacity() * size_of::<Link>()
    }
}

/// How many low bits of a cost do not count when a region's nodes are ordered.
const KEY_BITS: u32 = 16;

/// Builds one row of regions of a height, as a job.
pub(super) fn build_row(graph: Graph<'_>, height: u8, row: u32) -> Vec<Arc<Region>> {
    let mut memory = RegionMemory::default();
    let across = graph.regions(height).map_or(0, |extent| extent.width());
    let build = |x| {
        let id = RegionId { height, place: Cell::new(x, row) };
        Arc::new(graph.build_region(id, &mut memory))
    };
    (0..across).map(build).collect()
}

/// A level of regions built row by row.
pub(super) fn level_of(extent: Extent, regions: Table<Region>) -> Level {
    Level { extent, regions }
}

/// Rebuilds the regions around changed clusters, level by level, as far up as anything changes.
pub(super) fn update(
    layout: &Layout,
    clusters: &Table<Cluster>,
    links: &Table<Links>,
    levels: &mut [Level],
    changed: &[ClusterId],
    memory: &mut RegionMemory,
) {
    let mut dirty: Vec<RegionId> =
        changed.iter().map(|&cluster| RegionId::around(layout, cluster, 1)).collect();
    for height in 1..=levels.len() {
        dirty.sort_unstable();
        dirty.dedup();
        let (below, above) = levels.split_at_mut(height - 1);
        let graph = Graph { layout, clusters, links, levels: below };
        let level = &mut above[0];
        dirty.retain(|&id| {
            let built = graph.build_region(id, memory);
            let number = level.extent.id_inside(id.place).index();
            let differs = *level.regions[number] != built;
            if differs {
                level.regions[number] = Arc::new(built);
            }
            differs
        });
        dirty.iter_mut().for_each(|id| *id = id.parent());
    }
}
