//! Labels by pruned searches.
//!
//! Akiba, Iwata and Yoshida, "Fast exact shortest-path distance queries on large networks by pruned
//! landmark labeling" (2013). Hub after hub, in an order of importance, a search spreads from it; where
//! earlier hubs already give a distance as short, it goes no further. What it settles is labelled with
//! the hub.
//!
//! Invariant: a node is labelled with a hub exactly if no earlier hub lies on any shortest way between
//! them. So the labels depend on the order alone, not on how many hubs are searched from at a time: a
//! round of several searches, none of which knows of the others', finds all of these labels and some
//! more, which are taken out when the round is over. And all nodes on shortest ways from a labelled node
//! to the hub are labelled with it, too: the ways back are in the labels themselves.

use super::flat::{Labels, Layout, Node, TreeWriter};
use super::landmarks::Landmarks;
use super::neighbours::{Neighbours, Ways};
use crate::grid::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A hub, by its place in the order, and how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) hub: u32,
    pub(super) distance: u32,
}

/// Distances of labels are below this, so that the sum of four, two labels and two links, is a word.
pub(super) const DISTANCE_END: u32 = 1 << 30;

/// A node that a search from a hub has settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) node: u32,
    pub(super) distance: u32,
    /// The next node on the way to the hub; the hub is its own.
    pub(super) parent: u32,
    /// From the node to its parent.
    pub(super) ways: Ways,
}

pub(super) const FAR: u32 = u32::MAX;

/// What a search needs, to be used again.
pub(super) struct Search {
    reached: Vec<Settled>,
    /// Distances above nodes.
    open: BinaryHeap<Reverse<u64>>,
    touched: Vec<u32>,
    /// How far the hub that is searched from is from earlier ones.
    to_hubs: Vec<u32>,
}

impl Search {
    pub(super) fn new(node_count: usize) -> Self {
        let unknown = Settled { node: 0, distance: FAR, parent: 0, ways: Ways::default() };
        Self {
            reached: vec![unknown; node_count],
            open: BinaryHeap::new(),
            touched: Vec::new(),
            to_hubs: vec![FAR; node_count],
        }
    }

    /// Searches from a node as far as `goes_on` says of nodes that are settled, which are reported in the
    /// order of their distances; `false` if a distance is too long to be noted.
    pub(super) fn spread(
        &mut self,
        graph: &Neighbours,
        from: u32,
        mut goes_on: impl FnMut(Settled) -> bool,
    ) -> bool {
        let Self { reached, open, touched, .. } = self;
        for node in touched.drain(..) {
            reached[node as usize].distance = FAR;
        }
        open.clear();
        let start = Settled { node: from, distance: 0, parent: from, ways: Ways::default() };
        reached[from as usize] = start;
        touched.push(from);
        let key = |distance: u32, node: u32| Reverse(u64::from(distance) << 32 | u64::from(node));
        open.push(key(0, from));
        while let Some(Reverse(least)) = open.pop() {
            let (distance, node) = ((least >> 32) as u32, least as u32);
            let settled = reached[node as usize];
            if settled.distance != distance || !goes_on(settled) {
                continue;
            }
            for neighbour in graph.of(node) {
                let distance = distance + neighbour.cost;
                if distance >= DISTANCE_END {
                    return false;
                }
                let known = reached[neighbour.node as usize];
                let nearer = distance < known.distance;
                // Of ways as short the one by the smallest node, whichever is found first.
                if nearer || distance == known.distance && node < known.parent {
                    if known.distance == FAR {
                        touched.push(neighbour.node);
                    }
                    let ways = neighbour.ways.turned();
                    reached[neighbour.node as usize] =
                        Settled { node: neighbour.node, distance, parent: node, ways };
                    if nearer {
                        open.push(key(distance, neighbour.node));
                    }
                }
            }
        }
        true
    }
}

/// Bytes that an entry of a label takes, and a word of its hub's tree, of which each entry has one or two.
pub(super) const ENTRY_BYTES: usize = size_of::<u64>();
pub(super) const WORD_BYTES: usize = size_of::<u32>();

/// Labels while they grow.
pub(super) struct Growing {
    /// The nodes that are hubs, the most important first.
    order: Vec<u32>,
    labels: Vec<Vec<Entry>>,
    /// Where the nodes of entries are in the hubs' trees.
    places: Vec<Vec<u32>>,
    /// Where each hub's tree begins, and where the last ends.
    tree_first: Vec<u32>,
    trees: Vec<u32>,
    hubs_done: usize,
    entry_count: usize,
    writer: TreeWriter,
    /// How far a hub is from others of its round.
    to_hubs: Vec<u32>,
}

impl Growing {
    pub(super) fn new(order: Vec<u32>) -> Self {
        let count = order.len();
        Self {
            order,
            labels: vec![Vec::new(); count],
            places: vec![Vec::new(); count],
            tree_first: vec![0],
            trees: Vec::new(),
            hubs_done: 0,
            entry_count: 0,
            writer: TreeWriter::new(count),
            to_hubs: vec![FAR; count],
        }
    }

    /// How many hubs have been searched from.
    pub(super) fn hubs_done(&self) -> usize {
        self.hubs_done
    }

    /// The nodes that are hubs, the most important first.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(super) fn hub_count(&self) -> usize {
        self.order.len()
    }

    /// How many entries the label of each node has so far.
    #[cfg(test)]
    pub(super) fn label_lengths(&self) -> impl Iterator<Item = usize> {
        self.labels.iter().map(Vec::len)
    }

    /// How many words the tree of each hub has.
    #[cfg(test)]
    pub(super) fn tree_lengths(&self) -> impl Iterator<Item = usize> {
        self.tree_first.windows(2).map(|ends| (ends[1] - ends[0]) as usize)
    }

    /// Bytes that the labels so far will take.
    pub(super) fn memory_bytes(&self) -> usize {
        self.entry_count * ENTRY_BYTES
            + self.trees.len() * WORD_BYTES
            + self.order.len() * (size_of::<Node>() + size_of::<u32>())
    }

    /// What a hub labels, as far as the labels so far do not cover it; `None` if a distance is too long.
    pub(super) fn search(
        &self,
        graph: &Neighbours,
        hub: usize,
        search: &mut Search,
    ) -> Option<Vec<Settled>> {
        let root = self.order[hub];
        let mut to_hubs = std::mem::take(&mut search.to_hubs);
        for entry in &self.labels[root as usize] {
            to_hubs[entry.hub as usize] = entry.distance;
        }
        let mut found = Vec::new();
        let noted = search.spread(graph, root, |settled| {
            let label = &self.labels[settled.node as usize];
            let covered = is_covered(label, &to_hubs, settled.distance);
            if !covered {
                found.push(settled);
            }
            !covered
        });
        for entry in &self.labels[root as usize] {
            to_hubs[entry.hub as usize] = FAR;
        }
        search.to_hubs = to_hubs;
        noted.then_some(found)
    }

    /// Takes over what the next hubs label, all of one round, less what others of the round cover.
    pub(super) fn add(&mut self, found: impl Iterator<Item = Vec<Settled>>, edges: &Neighbours) {
        let round = self.hubs_done as u32;
        // Labels are sorted by hub.
        let of_round = |label: &[Entry]| label.partition_point(|entry| entry.hub < round);
        for mut tree in found {
            let hub = self.hubs_done as u32;
            let root = &self.labels[self.order[hub as usize] as usize];
            let rivals = of_round(root)..root.len();
            for entry in &root[rivals.clone()] {
                self.to_hubs[entry.hub as usize] = entry.distance;
            }
            if !rivals.is_empty() {
                tree.retain(|settled| {
                    let label = &self.labels[settled.node as usize];
                    !is_covered(&label[of_round(label)..], &self.to_hubs, settled.distance)
                });
            }
            for entry in &root[rivals] {
                self.to_hubs[entry.hub as usize] = FAR;
            }
            let Self { labels, places, writer, trees, .. } = self;
            let begin = trees.len() as u32;
            writer.straighten(&mut tree, edges);
            writer.write(&tree, trees, |settled, place| {
                let node = settled.node as usize;
                labels[node].push(Entry { hub, distance: settled.distance });
                places[node].push(place - begin);
            });
            self.tree_first.push(self.trees.len() as u32);
            self.entry_count += tree.len();
            self.hubs_done += 1;
        }
    }

    /// The labels as queries read them; `None` if their numbers are too large to be kept together.
    pub(super) fn finish(self, cells: &[Cell], landmarks: &Landmarks) -> Option<Labels> {
        let distances = self.labels.iter().flatten().map(|entry| entry.distance);
        let places = self.places.iter().flatten().copied();
        let hub_max = self.order.len().saturating_sub(1) as u32;
        let layout = Layout::new(hub_max, distances.max().unwrap_or(0), places.max().unwrap_or(0))?;
        let (tree_first, mut trees) = (self.tree_first, self.trees);
        trees.shrink_to_fit();
        let mut first = Vec::with_capacity(self.labels.len() + 1);
        let mut entries = Vec::with_capacity(self.entry_count);
        first.push(0);
        for (label, places) in self.labels.into_iter().zip(self.places) {
            entries.extend(
                label.into_iter().zip(places).map(|(entry, place)| layout.pack(entry, place)),
            );
            first.push(entries.len() as u32);
        }
        let nodes = Node::all(cells, &landmarks.distances, &first);
        let landmark_shift = landmarks.shift;
        Some(Labels { nodes, landmark_shift, entries, layout, tree_first, trees })
    }
}

/// Whether hubs give a distance as short.
#[inline]
fn is_covered(label: &[Entry], to_hubs: &[u32], distance: u32) -> bool {
    label.iter().any(|entry| {
        to_hubs[entry.hub as usize].checked_add(entry.distance).is_some_and(|sum| sum <= distance)
    })
}
