//! Contraction hierarchies: an order of the nodes of a graph in which shortest paths go up, then down.
//!
//! Geisberger, Sanders, Schultes and Delling, "Contraction Hierarchies" (2008). [Building](build) adds
//! shortcuts; a [query](query) searches from both ends along edges that lead upwards only, and so looks
//! at a few hundred nodes of however many there are; shortcuts are then replaced by what they stand
//! for.
//!
//! Nodes are renumbered by rank, so that the ones that every query visits lie together. A node's edges up
//! and the edges that come down to it lie side by side: a search needs the ones, its check for detours
//! (stalling) the others.
//!
//! Some graphs cannot be contracted to the end within reason: their highest ranks are then a *core*, an
//! ordinary graph of few nodes, the edges of which are listed at both of their ends.

mod build;
mod graph;
mod prune;
mod query;
mod save;
mod table;

pub(crate) use graph::CheckedEdge;
pub use graph::GraphError;
pub(crate) use query::{ClimbMemory, Climbed, Reached};
pub(crate) use table::TableMemory;

use crate::graph::Edge;
use crate::planner::{BuildError, Watch};
use build::{Contracted, CoreRule, NONE, contract};
use std::ops::Range;

/// Costs of ways are below this, so that a key of the open list holds one beside a rank.
const COST_END: u64 = 1 << 40;

/// An edge to a node of higher rank, or from one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct UpEdge {
    /// The other end, by rank.
    rank: u32,
    weight: u32,
}

/// What an edge stands for: in a flagged word and another the ranks it joins, if it is one of the graph;
/// else the numbers of the two edges that the shortcut is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unpacked([u32; 2]);

const EDGE_FLAG: u32 = 1 << 31;

enum Parts {
    Edge { from: u32, to: u32 },
    Shortcut([u32; 2]),
}

impl Unpacked {
    #[inline]
    fn parts(self) -> Parts {
        let Self([first, second]) = self;
        if first & EDGE_FLAG == 0 {
            Parts::Shortcut([first, second])
        } else {
            Parts::Edge { from: first & !EDGE_FLAG, to: second }
        }
    }
}

/// A contraction hierarchy of a weighted graph. [`GraphHierarchy`](super::GraphHierarchy) finds paths with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractionHierarchy {
    /// Each node's rank, and the node of each rank.
    ranks: Vec<u32>,
    nodes: Vec<u32>,
    /// The ranks from this one on are the core: their edges lead anywhere in it.
    core: u32,
    /// For each rank, where its edges up begin, and where those that come down to it begin; and the
    /// end.
    first: Vec<u32>,
    edges: Vec<UpEdge>,
    /// For each of these, its number among what can be unpacked.
    numbers: Vec<u32>,
    unpacked: Vec<Unpacked>,
}

impl ContractionHierarchy {
    /// Contracts a graph whose nodes are numbered from 0. Of parallel edges the cheapest counts; edges
    /// from a node to itself do not. No weight may be negative.
    ///
    /// ```
    /// use highroad::index::ContractionHierarchy;
    /// use highroad::graph::Edge;
    /// let edges = [Edge::new(0, 1, 4), Edge::new(1, 0, 4)];
    /// assert_eq!(ContractionHierarchy::build(2, &edges)?.node_count(), 2);
    /// let error = ContractionHierarchy::build(2, &[Edge::new(0, 1, -4)]).unwrap_err();
    /// assert!(error.to_string().ends_with("edge 0 from 0 to 1 has the negative weight -4"));
    /// # Ok::<(), highroad::planner::BuildError>(())
    /// ```
    pub fn build(node_count: usize, edges: &[Edge]) -> Result<Self, BuildError> {
        Self::build_watched(node_count, edges, &mut Watch::none())
    }

    /// As [`ContractionHierarchy::build`], with progress, and stopping when the watch says so.
    pub fn build_watched(
        node_count: usize,
        edges: &[Edge],
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let edges = &CheckedEdge::check(edges)?;
        // A shortest way leaves no node twice.
        let mut cost_max = vec![0; node_count.min(GraphError::NODES_MAX)];
        for edge in edges {
            if let Some(known) = cost_max.get_mut(edge.from as usize) {
                *known = edge.weight.max(*known);
            }
        }
        if cost_max.iter().map(|&weight| u64::from(weight)).sum::<u64>() >= COST_END {
            return Err(GraphError::TooCostly.into());
        }
        Self::build_bounded(node_count, edges, watch)
    }

    /// For a graph no shortest way of which costs 2⁴⁰ or more.
    pub(crate) fn build_bounded(
        node_count: usize,
        edges: &[CheckedEdge],
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        Ok(Self::of(contract(node_count, edges, CoreRule::USUAL, watch)?))
    }

    /// A hierarchy most of which is core, as only large graphs have.
    #[cfg(test)]
    pub(crate) fn build_with_large_core(node_count: usize, edges: &[CheckedEdge]) -> Self {
        let rule = CoreRule { edges_min: 0, degree_max: 3 };
        Self::of(contract(node_count, edges, rule, &mut Watch::none()).unwrap())
    }

    fn of(contracted: Contracted) -> Self {
        let Contracted { ranks, core, edges: made } = contracted;
        let mut nodes = vec![0; ranks.len()];
        for (node, &rank) in (0..).zip(&ranks) {
            nodes[rank as usize] = node;
        }
        // Twice the rank that lists the edge, and one if it comes down to it; the other end; the number.
        let mut filed: Vec<(u32, u32, u32)> = Vec::with_capacity(made.len());
        let mut unpacked = Vec::with_capacity(made.len());
        for (number, edge) in (0..).zip(&made) {
            let (from, to) = (ranks[edge.from as usize], ranks[edge.to as usize]);
            let in_core = from.min(to) >= core;
            if from < to || in_core {
                filed.push((2 * from, to, number));
            }
            if to < from || in_core {
                filed.push((2 * to + 1, from, number));
            }
            let is_edge = edge.halves[0] == NONE;
            unpacked.push(Unpacked(if is_edge { [from | EDGE_FLAG, to] } else { edge.halves }));
        }
        filed.sort_unstable();
        let first = vec![0; 2 * ranks.len() + 1];
        let (edges, numbers) = (Vec::new(), Vec::new());
        let mut this = Self { ranks, nodes, core, first, edges, numbers, unpacked };
        for (index, &(list, rank, number)) in filed.iter().enumerate() {
            // Of parallel edges the last made is the cheapest.
            let last = filed.get(index + 1).is_none_or(|next| (next.0, next.1) != (list, rank));
            if last {
                this.first[list as usize + 1] += 1;
                this.edges.push(UpEdge { rank, weight: made[number as usize].weight });
                this.numbers.push(number);
            }
        }
        for list in 1..this.first.len() {
            this.first[list] += this.first[list - 1];
        }
        this.prune();
        this
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.ranks.len()
    }

    /// How many edges lead up or come down, with shortcuts.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many nodes were left uncontracted, because shortcuts would have become too many: searches
    /// move freely among them. They have the highest ranks.
    pub fn core_count(&self) -> usize {
        self.ranks.len() - self.core as usize
    }

    /// A node's rank: those contracted first have the lowest.
    pub fn rank(&self, node: u32) -> Option<u32> {
        self.ranks.get(node as usize).copied()
    }

    pub(crate) fn rank_of(&self, node: u32) -> u32 {
        self.ranks[node as usize]
    }

    pub(crate) fn nodes_by_rank(&self) -> &[u32] {
        &self.nodes
    }

    /// Where the edges up (0) of a rank lie, or those that come down to it (1).
    #[inline]
    fn range(&self, rank: u32, side: usize) -> Range<usize> {
        let list = 2 * rank as usize + side;
        self.first[list] as usize..self.first[list + 1] as usize
    }

    /// For each node by rank, the ranks that its edges lead up to or come down from.
    pub(crate) fn up_edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.node_count() as u32).flat_map(|rank| {
            let range = self.range(rank, 0).start..self.range(rank, 1).end;
            self.edges[range].iter().map(move |edge| (rank, edge.rank))
        })
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        (self.ranks.capacity()
            + self.nodes.capacity()
            + self.first.capacity()
            + self.numbers.capacity())
            * size_of::<u32>()
            + self.edges.capacity() * size_of::<UpEdge>()
            + self.unpacked.capacity() * size_of::<Unpacked>()
    }
}

#[cfg(test)]
mod tests;
