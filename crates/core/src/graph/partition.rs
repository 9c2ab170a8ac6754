//! Partitions of a graph into regions.
//!
//! Computed ones begin with a recursive bisection by breadth-first order, which keeps the near half in one
//! piece; what it cuts off from the far half goes with the near one. Then larger regions hand over nodes to
//! smaller neighbours, from their common border inwards, together with whatever that would cut off: every
//! hand-over makes the sum of squared sizes smaller, so they end. O(nodes · log regions) and a few passes.
//!
//! Regions are connected when the directions of edges are left aside. Some graphs (a star) have no
//! balanced partition into connected regions; [`Partition::balance`] shows what was reached.

use super::Graph;
use crate::environment::{BuildError, Watch};
use crate::space::NodeId;
use std::collections::VecDeque;
use thiserror::Error;

/// By how much a region may be larger or smaller than the mean before hand-overs stop: well within 20 %.
const SLACK: f64 = 0.12;
const PASSES_MAX: usize = 200;

/// The region of each node; regions are numbered from 0.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph, Partition};
/// let edges: Vec<Edge> = (0..99).map(|at| Edge::new(at, at + 1, 1)).collect();
/// let chain = Graph::from_edges(100, &edges)?;
/// let partition = Partition::compute(&chain, 20);
/// assert_eq!(partition.count(), 5);
/// assert!(partition.is_connected(&chain));
/// let (smallest, largest) = partition.balance();
/// assert!(smallest > 0.8 && largest < 1.2);
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    regions: Vec<u32>,
    sizes: Vec<u32>,
}

/// Why a list of regions is no partition.
///
/// ```
/// use highroad::graph::{Graph, Partition, PartitionError};
/// let graph = Graph::from_edges(3, &[])?;
/// let error = Partition::given(&graph, vec![0, 0]).unwrap_err();
/// assert_eq!(error, PartitionError::WrongCount { regions: 2, nodes: 3 });
/// assert_eq!(error.to_string(), "2 regions for 3 nodes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Not one region for each node.
    #[error("{regions} regions for {nodes} nodes")]
    WrongCount {
        /// How many entries there are.
        regions: usize,
        /// How many there should be.
        nodes: usize,
    },
    /// A region's number is not below the number of nodes.
    #[error("node {} is in region {region}, but {nodes} nodes make at most so many regions", .node.0)]
    NoSuchRegion {
        /// Which node.
        node: NodeId,
        /// Its region.
        region: u32,
        /// How many nodes there are.
        nodes: usize,
    },
}

impl Partition {
    /// A partition given by hand: the region of each node. O(nodes). Fails unless there is one region for each node, with a
    /// number below the number of nodes.
    pub fn given(graph: &Graph, regions: Vec<u32>) -> Result<Self, PartitionError> {
        let nodes = graph.node_count();
        if regions.len() != nodes {
            return Err(PartitionError::WrongCount { regions: regions.len(), nodes });
        }
        if let Some(at) = regions.iter().position(|&region| region as usize >= nodes) {
            let node = NodeId(at as u32);
            return Err(PartitionError::NoSuchRegion { node, region: regions[at], nodes });
        }
        let known = "every region was compared with the number of nodes";
        Ok(Self::of(regions).expect(known))
    }

    /// A partition of the nodes of anything, by the region of each; `None` if a region has too large a number.
    pub(crate) fn of(regions: Vec<u32>) -> Option<Self> {
        let count = regions.iter().max().map_or(0, |&last| last as usize + 1);
        if count > regions.len() {
            return None;
        }
        let mut sizes = vec![0; count];
        regions.iter().for_each(|&region| sizes[region as usize] += 1);
        Some(Self { regions, sizes })
    }

    /// Connected regions of about so many nodes each, but never across parts of the graph that have no edge
    /// between them.
    ///
    /// O(nodes · log regions), and a few passes to make the regions equal in size.
    pub fn compute(graph: &Graph, size: usize) -> Self {
        match Self::compute_watched(graph, size, &mut Watch::none()) {
            Ok(partition) => partition,
            Err(_) => unreachable!("nobody stops what is not watched"),
        }
    }

    /// As [`Partition::compute`], with progress: how many nodes are in their regions, before regions are made equal in
    /// size. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, Partition};
    /// use highroad::planner::{BuildError, Watch};
    /// use std::ops::ControlFlow;
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 7), Edge::new(1, 2, 7)])?;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let stopped = Partition::compute_watched(&graph, 2, &mut Watch::new(&mut stop));
    /// assert_eq!(stopped, Err(BuildError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compute_watched(
        graph: &Graph,
        size: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let size = size.max(1);
        let mut maker = Maker::new(graph, watch);
        for part in maker.parts()? {
            let count = ((part.len() as f64 / size as f64).round() as usize).max(1);
            maker.bisect(part, count)?;
        }
        maker.balance()?;
        let Maker { regions, members, .. } = maker;
        Ok(Self { regions, sizes: members.iter().map(|nodes| nodes.len() as u32).collect() })
    }

    /// How many regions there are.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The region of a node that is there.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn region(&self, node: NodeId) -> u32 {
        self.regions[node.index()]
    }

    /// The region of each node.
    pub fn regions(&self) -> &[u32] {
        &self.regions
    }

    /// How many nodes each region has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The sizes of the smallest and of the largest region, as shares of the mean; 1 and 1 for none.
    pub fn balance(&self) -> (f64, f64) {
        let mean = self.regions.len() as f64 / self.sizes.len().max(1) as f64;
        let share = |size: Option<&u32>| size.map_or(1.0, |&size| f64::from(size) / mean);
        (share(self.sizes.iter().min()), share(self.sizes.iter().max()))
    }

    /// The nodes of each region, in their order. O(nodes).
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Graph, Partition};
    /// let graph = Graph::from_edges(3, &[])?;
    /// let partition = Partition::given(&graph, vec![0, 1, 0])?;
    /// assert_eq!(partition.region(NodeId(1)), 1);
    /// assert_eq!(partition.members(), [vec![NodeId(0), NodeId(2)], vec![NodeId(1)]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn members(&self) -> Vec<Vec<NodeId>> {
        let mut members = vec![Vec::new(); self.count()];
        for (node, &region) in (0..).zip(&self.regions) {
            members[region as usize].push(NodeId(node));
        }
        members
    }

    /// Whether every region hangs together, directions aside.
    pub fn is_connected(&self, graph: &Graph) -> bool {
        if graph.node_count() != self.regions.len() {
            return false;
        }
        let mut watch = Watch::none();
        let mut maker = Maker::new(graph, &mut watch);
        maker.regions.clone_from(&self.regions);
        self.members().iter().zip(0..).all(|(nodes, region)| {
            let inside = |node: NodeId| self.regions[node.index()] == region;
            let flood = nodes.first().map(|&first| maker.flood(&[first], inside));
            flood.is_none_or(|flood| flood.is_ok_and(|reached| reached.len() == nodes.len()))
        })
    }
}

/// What is made, unless the watch stops it.
type Made<T> = Result<T, BuildError>;

/// Nodes that floods enter between two reports.
const NODES_A_REPORT: u64 = 16_384;

/// A partition in the making.
struct Maker<'g, 'w, 'v> {
    graph: &'g Graph,
    watch: &'w mut Watch<'v>,
    /// Nodes that floods have entered, all together.
    entered: u64,
    /// Nodes that are in their regions.
    placed: u64,
    regions: Vec<u32>,
    members: Vec<Vec<NodeId>>,
    /// In which flood a node was last seen.
    seen: Vec<u32>,
    floods: u32,
    /// The last mark given to a set in the making.
    marks: u32,
}

impl<'g, 'w, 'v> Maker<'g, 'w, 'v> {
    const NONE: u32 = u32::MAX;

    fn new(graph: &'g Graph, watch: &'w mut Watch<'v>) -> Self {
        let nodes = graph.node_count();
        Self {
            graph,
            watch,
            entered: 0,
            placed: 0,
            regions: vec![Self::NONE; nodes],
            members: Vec::new(),
            seen: vec![0; nodes],
            floods: 0,
            marks: Graph::SIZE_MAX as u32,
        }
    }

    /// Neighbours, directions aside.
    fn neighbours(&self, node: NodeId) -> impl Iterator<Item = NodeId> + 'g {
        let (out, into) = (self.graph.outgoing(), self.graph.incoming());
        out.slice(node).iter().chain(into.slice(node)).map(|edge| edge.0)
    }

    /// What can be reached from some nodes within a set, in breadth-first order.
    fn flood(&mut self, from: &[NodeId], inside: impl Fn(NodeId) -> bool) -> Made<Vec<NodeId>> {
        self.floods += 1;
        let mut order = Vec::new();
        let mut queue = VecDeque::new();
        for &node in from {
            if std::mem::replace(&mut self.seen[node.index()], self.floods) != self.floods {
                queue.push_back(node);
            }
        }
        while let Some(node) = queue.pop_front() {
            order.push(node);
            for to in self.neighbours(node) {
                if inside(to) && self.seen[to.index()] != self.floods {
                    self.seen[to.index()] = self.floods;
                    queue.push_back(to);
                }
            }
            if self.entered.is_multiple_of(NODES_A_REPORT) {
                self.watch.report(self.placed, self.regions.len() as u64)?;
            }
            self.entered += 1;
        }
        Ok(order)
    }

    /// The connected parts of the graph.
    fn parts(&mut self) -> Made<Vec<Vec<NodeId>>> {
        let mut parts = Vec::new();
        let mut taken = vec![false; self.graph.node_count()];
        for first in (0..self.graph.node_count() as u32).map(NodeId) {
            if !taken[first.index()] {
                let part = self.flood(&[first], |_| true)?;
                part.iter().for_each(|node| taken[node.index()] = true);
                parts.push(part);
            }
        }
        Ok(parts)
    }

    /// Cuts a connected set of nodes into so many regions.
    fn bisect(&mut self, part: Vec<NodeId>, count: usize) -> Made<()> {
        let mut open = vec![(part, count)];
        while let Some((nodes, count)) = open.pop() {
            let last = count <= 1 || nodes.len() < 2;
            // Every set in the making has a mark of its own, beyond the numbers of regions.
            self.marks += u32::from(!last);
            let region = if last { self.members.len() as u32 } else { self.marks };
            nodes.iter().for_each(|node| self.regions[node.index()] = region);
            if last {
                self.placed += nodes.len() as u64;
                self.members.push(nodes);
                continue;
            }
            let (near, far) = self.halve(&nodes, region, count / 2, count)?;
            let near_count = (near.len() as f64 / nodes.len() as f64 * count as f64).round();
            let near_count = (near_count as usize).clamp(1, count - 1);
            open.push((near, near_count));
            if !far.is_empty() {
                open.push((far, count - near_count));
            }
        }
        Ok(())
    }

    /// Two connected parts of a region, the first of about `share / whole` of it.
    fn halve(
        &mut self,
        nodes: &[NodeId],
        region: u32,
        share: usize,
        whole: usize,
    ) -> Made<(Vec<NodeId>, Vec<NodeId>)> {
        let first = nodes[0];
        let far_end = self.flood_region(&[first], region)?.last().copied().unwrap_or(first);
        let order = self.flood_region(&[far_end], region)?;
        let cut = (order.len() * share / whole).clamp(1, order.len() - 1);
        let (near, rest) = order.split_at(cut);
        let (kept, cut_off) = self.largest_piece(near, rest, region)?;
        let mut near = near.to_vec();
        near.extend(cut_off);
        Ok((near, kept))
    }

    fn flood_region(&mut self, from: &[NodeId], region: u32) -> Made<Vec<NodeId>> {
        let regions = std::mem::take(&mut self.regions);
        let order = self.flood(from, |node| regions[node.index()] == region);
        self.regions = regions;
        order
    }

    /// Of what is left of a region when some nodes are taken out: the largest piece, and all others.
    fn largest_piece(
        &mut self,
        taken: &[NodeId],
        rest: &[NodeId],
        region: u32,
    ) -> Made<(Vec<NodeId>, Vec<NodeId>)> {
        taken.iter().for_each(|node| self.regions[node.index()] = Self::NONE);
        let mut kept = Vec::new();
        let mut others = Vec::new();
        for &first in rest {
            if self.regions[first.index()] != region {
                continue;
            }
            let mut piece = self.flood_region(&[first], region)?;
            // Marked as seen; the caller gives numbers again.
            piece.iter().for_each(|node| self.regions[node.index()] = Self::NONE);
            if piece.len() > kept.len() {
                std::mem::swap(&mut piece, &mut kept);
            }
            others.append(&mut piece);
        }
        for node in taken.iter().chain(&kept).chain(&others) {
            self.regions[node.index()] = region;
        }
        Ok((kept, others))
    }

    /// Lets larger regions hand over nodes to smaller neighbours until all are of about the same size.
    fn balance(&mut self) -> Made<()> {
        let count = self.members.len();
        let mean = self.regions.len() as f64 / count.max(1) as f64;
        let (low, high) = (mean * (1.0 - SLACK), mean * (1.0 + SLACK));
        for _ in 0..PASSES_MAX {
            let mut order: Vec<u32> = (0..count as u32).collect();
            order.sort_by_key(|&region| std::cmp::Reverse(self.members[region as usize].len()));
            let mut changed = false;
            for region in order {
                let size = self.members[region as usize].len() as f64;
                if size > high {
                    changed |= self.hand_over(region, true)?;
                } else if size < low {
                    changed |= self.hand_over(region, false)?;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Hands over nodes between a region and its neighbours, the most different first; whether it could.
    fn hand_over(&mut self, region: u32, gives: bool) -> Made<bool> {
        let mut others: Vec<u32> = self.members[region as usize]
            .iter()
            .flat_map(|&node| self.neighbours(node).map(|to| self.regions[to.index()]))
            .filter(|&other| other != region)
            .collect();
        others.sort_unstable();
        others.dedup();
        others.sort_by_key(|&other| {
            let size = self.members[other as usize].len() as i64;
            if gives { size } else { -size }
        });
        for other in others {
            let (from, to) = if gives { (region, other) } else { (other, region) };
            if self.transfer(from, to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves nodes from a region to a smaller neighbour, from their border inwards.
    fn transfer(&mut self, from: u32, to: u32) -> Made<bool> {
        let size = |region: u32, this: &Self| this.members[region as usize].len();
        let gap = size(from, self).saturating_sub(size(to, self));
        let at_border =
            |&&node: &&NodeId| self.neighbours(node).any(|next| self.regions[next.index()] == to);
        let border: Vec<NodeId> =
            self.members[from as usize].iter().filter(at_border).copied().collect();
        let order = self.flood_region(&border, from)?;
        let mut wanted = (gap / 2).min(order.len().saturating_sub(1));
        while wanted > 0 {
            let (taken, rest) = order.split_at(wanted);
            let (kept, cut_off) = self.largest_piece(taken, rest, from)?;
            let moved = taken.len() + cut_off.len();
            if moved < gap && !kept.is_empty() {
                for &node in taken.iter().chain(&cut_off) {
                    self.regions[node.index()] = to;
                    self.members[to as usize].push(node);
                }
                self.members[from as usize] = kept;
                return Ok(true);
            }
            wanted /= 2;
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edge;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn regions_hang_together_and_cover_everything(
            nodes in 1u32..120,
            ends in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..260),
            size in 1usize..40,
        ) {
            let edges: Vec<Edge> =
                ends.iter().map(|(from, to)| Edge::new(from % nodes, to % nodes, 1)).collect();
            let graph = Graph::from_edges(nodes as usize, &edges).unwrap();
            let partition = Partition::compute(&graph, size);
            prop_assert!(partition.is_connected(&graph));
            prop_assert!(partition.regions().iter().all(|&region| (region as usize) < partition.count()));
            prop_assert_eq!(partition.sizes().iter().sum::<u32>(), nodes);
            prop_assert!(partition.sizes().iter().all(|&size| size > 0));
            prop_assert_eq!(Partition::given(&graph, partition.regions().to_vec()), Ok(partition));
        }
    }

    /// A lattice with holes, which hangs together.
    fn lattice(side: u32) -> Graph {
        let mut edges = Vec::new();
        for y in 0..side {
            for x in 0..side {
                let at = y * side + x;
                if x + 1 < side && (y % 3 == 0 || (x * 7 + y * 5) % 4 == 0) {
                    edges.push(Edge::new(at, at + 1, 1));
                }
                if y + 1 < side {
                    edges.push(Edge::new(at + side, at, 1));
                }
            }
        }
        Graph::from_edges((side * side) as usize, &edges).unwrap()
    }

    #[test]
    fn lattices_are_cut_into_regions_within_a_fifth_of_each_other() {
        for (side, size) in [(30, 45), (60, 100), (60, 900), (100, 250)] {
            let graph = lattice(side);
            let partition = Partition::compute(&graph, size);
            let (smallest, largest) = partition.balance();
            assert!(partition.is_connected(&graph));
            assert!(smallest >= 0.8 && largest <= 1.2, "{side} {size}: {smallest} {largest}");
        }
    }

    #[test]
    fn lists_that_are_no_partition_say_why() {
        let graph = Graph::from_edges(2, &[]).unwrap();
        let short = Partition::given(&graph, vec![0]);
        assert_eq!(short, Err(PartitionError::WrongCount { regions: 1, nodes: 2 }));
        let odd = Partition::given(&graph, vec![0, 7]);
        let error = PartitionError::NoSuchRegion { node: NodeId(1), region: 7, nodes: 2 };
        assert_eq!(odd, Err(error));
        let empty = Graph::from_edges(0, &[]).unwrap();
        assert_eq!(Partition::compute(&empty, 5).count(), 0);
    }
}
