//! What is known of the weights of all edges, kept page by page so that an edit need not look at every edge.

use super::adjacency::{Adjacency, nodes_of, page_of};
use super::{Edge, NegativeEdge};
use crate::environment::NodeId;

/// The open edges that leave the nodes of one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PageTotals {
    weight_max: u32,
    negative: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pages: Vec<PageTotals>,
    /// Pages that have lost an edge of the largest weight.
    stale: Vec<usize>,
}

impl Totals {
    pub(super) fn new(node_count: usize, edges: &[Edge]) -> Self {
        let pages = node_count.checked_sub(1).map_or(0, |last| page_of(NodeId(last as u32)) + 1);
        let mut this = Self { pages: vec![PageTotals::default(); pages], stale: Vec::new() };
        edges.iter().for_each(|edge| this.add(edge.from, edge.weight));
        this
    }

    pub(super) fn add(&mut self, from: NodeId, weight: i32) {
        let page = page_of(from);
        if page >= self.pages.len() {
            self.pages.resize(page + 1, PageTotals::default());
        }
        let totals = &mut self.pages[page];
        totals.weight_max = totals.weight_max.max(weight.unsigned_abs());
        totals.negative += u32::from(weight < 0);
    }

    pub(super) fn take(&mut self, from: NodeId, weight: i32) {
        let page = page_of(from);
        let totals = &mut self.pages[page];
        totals.negative -= u32::from(weight < 0);
        if weight.unsigned_abs() == totals.weight_max {
            self.stale.push(page);
        }
    }

    /// The largest weight, signs apart, after the pages of which it is not known were looked at.
    pub(super) fn weight_max(&mut self, edges: &Adjacency) -> u32 {
        self.stale.sort_unstable();
        self.stale.dedup();
        for page in self.stale.drain(..) {
            let nodes = nodes_of(page, edges.node_count());
            let weights = nodes.flat_map(|node| edges.of(node)).map(|(_, weight)| weight);
            self.pages[page].weight_max = weights.map(i32::unsigned_abs).max().unwrap_or(0);
        }
        self.pages.iter().map(|page| page.weight_max).max().unwrap_or(0)
    }

    /// The first negative edge, numbered by the nodes that edges leave.
    pub(super) fn first_negative(&self, edges: &Adjacency) -> Option<NegativeEdge> {
        let page = self.pages.iter().position(|page| page.negative > 0)?;
        let mut number = edges.edges_before(page);
        for from in nodes_of(page, edges.node_count()) {
            for (to, weight) in edges.of(from) {
                if weight < 0 {
                    return Some(NegativeEdge::new(number, Edge { from, to, weight }));
                }
                number += 1;
            }
        }
        None
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.pages.capacity() * size_of::<PageTotals>()
    }
}
