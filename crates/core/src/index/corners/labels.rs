//! Labels of corners: pruned searches, as those of `index/hub/pruned.rs`, with costs of 64 bits.
//!
//! Hub after hub, in an order of importance, a search spreads from it; where earlier hubs already give a distance as
//! short, it goes no further. What it settles is labelled with the hub, and with the next corner on the way to it, which
//! is labelled with that hub as well: so ways are unfolded by following labels. The order is that of `index/hub/order.rs`.
//!
//! Labels of grids are 32 bits wide, are packed with the trees of hubs, and know ways of straight and diagonal steps; what
//! both have in common is the order, and the few lines of a pruned search.

use super::graph::CornerGraph;
use super::too_large;
use crate::index::hub::order::{Tree, order};
use crate::mesh::NONE;
use crate::planner::{BuildError, Watch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A hub of a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) distance: u64,
    /// By its place in the order.
    pub(super) hub: u32,
    /// The next corner on the way to it; of the hub itself, it is the hub.
    pub(super) next: u32,
}

/// The labels of all corners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    /// Where each corner's label begins, and where the last ends.
    pub(super) first: Vec<u32>,
    /// Sorted by hub, label by label.
    pub(super) entries: Vec<Entry>,
}

/// Corners whose shortest ways to all others are looked at for the order.
const SAMPLE: usize = 48;

/// Hubs between two reports.
const REPORTED: usize = 32;

impl Labels {
    pub(super) fn of(
        graph: &CornerGraph,
        bytes_max: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let count = graph.node_count();
        let mut search = Search::new(count);
        let order = order_of(graph, &mut search);
        let mut labels: Vec<Vec<Entry>> = vec![Vec::new(); count];
        let mut to_hubs = vec![u64::MAX; count];
        let mut entry_count = 0;
        for (hub, &root) in order.iter().enumerate() {
            if hub % REPORTED == 0 {
                watch.report(hub as u64, count as u64)?;
                let is_numbered = entry_count < u32::MAX as usize / 2;
                if entry_count * size_of::<Entry>() > bytes_max || !is_numbered {
                    return Err(too_large("labels", bytes_max));
                }
            }
            for entry in &labels[root as usize] {
                to_hubs[entry.hub as usize] = entry.distance;
            }
            let mut found = Vec::new();
            search.spread(graph, root, |node, distance, next| {
                let is_covered = labels[node as usize].iter().any(|entry| {
                    to_hubs[entry.hub as usize].saturating_add(entry.distance) <= distance
                });
                if !is_covered {
                    found.push((node, Entry { distance, hub: hub as u32, next }));
                }
                !is_covered
            });
            for entry in &labels[root as usize] {
                to_hubs[entry.hub as usize] = u64::MAX;
            }
            entry_count += found.len();
            for (node, entry) in found {
                labels[node as usize].push(entry);
            }
        }
        let mut first = Vec::with_capacity(count + 1);
        let mut entries = Vec::with_capacity(entry_count);
        first.push(0);
        for label in labels {
            entries.extend(label);
            first.push(entries.len() as u32);
        }
        Ok(Self { first, entries })
    }

    #[inline]
    pub(super) fn of_node(&self, node: u32) -> &[Entry] {
        let node = node as usize;
        &self.entries[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// A corner's entry of a hub.
    pub(super) fn entry(&self, node: u32, hub: u32) -> Option<Entry> {
        let label = self.of_node(node);
        let at = label.binary_search_by_key(&hub, |entry| entry.hub).ok()?;
        Some(label[at])
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.first.capacity() * 4 + self.entries.capacity() * size_of::<Entry>()
    }
}

/// All corners, those first that lie on most shortest ways of a sample.
fn order_of(graph: &CornerGraph, search: &mut Search) -> Vec<u32> {
    let count = graph.node_count();
    let mut by_degree: Vec<u32> = (0..count as u32).collect();
    by_degree.sort_by_key(|&node| (graph.of_node(node).len(), node));
    let roots = count.min(SAMPLE);
    let trees = (0..roots).map(|root| {
        let (mut nodes, mut parents) = (Vec::new(), Vec::new());
        let mut places = vec![NONE; count];
        search.spread(graph, (root * count / roots) as u32, |node, _, next| {
            places[node as usize] = nodes.len() as u32;
            parents.push(places[next as usize]);
            nodes.push(node);
            true
        });
        Tree::new(nodes, parents)
    });
    order(trees.collect(), &by_degree, 2)
}

/// A search from a corner, in memory that is used again.
struct Search {
    reached: Vec<(u64, u32)>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Search {
    fn new(count: usize) -> Self {
        let (touched, open) = (Vec::new(), BinaryHeap::new());
        Self { reached: vec![(u64::MAX, NONE); count], touched, open }
    }

    /// Settles corners, the nearest first: `goes_on` gets each with its distance and the next corner on the way back,
    /// and says whether to go on from it.
    fn spread(
        &mut self,
        graph: &CornerGraph,
        from: u32,
        mut goes_on: impl FnMut(u32, u64, u32) -> bool,
    ) {
        for node in self.touched.drain(..) {
            self.reached[node as usize] = (u64::MAX, NONE);
        }
        self.open.clear();
        self.reached[from as usize] = (0, from);
        self.touched.push(from);
        self.open.push(Reverse((0, from)));
        while let Some(Reverse((distance, node))) = self.open.pop() {
            let (known, next) = self.reached[node as usize];
            if known != distance || !goes_on(node, distance, next) {
                continue;
            }
            for &(other, cost) in graph.of_node(node) {
                let further = distance + cost;
                let known = &mut self.reached[other as usize];
                if further < known.0 {
                    if known.0 == u64::MAX {
                        self.touched.push(other);
                    }
                    *known = (further, node);
                    self.open.push(Reverse((further, other)));
                }
            }
        }
    }
}
