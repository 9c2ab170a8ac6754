//! Labels as queries read them: flat, and each hub's tree of ways beside them.
//!
//! ```text
//!   label of a node     a number for each of its hubs:   place in the hub's tree │ distance │ hub
//!   trees     of hub 0                 root · a · b · c · (3 back) d · e · …
//! ```
//!
//! From a node's word one gets to the hub word by word: the parent is the word before, or so many words
//! before as the word between says. The child with most below it follows its parent at once, so that a
//! long way is mostly read backwards in one sweep.
//!
//! PERF: an entry takes 8 bytes, in as many bits for each part as the map needs, and a word of a tree 4 to
//! 8. With places in a list of their own random512-30-0 took 325 MB instead of 254.

use super::landmarks::COUNT as LANDMARKS;
use super::neighbours::{Neighbours, Ways};
use super::pruned::{Entry, Settled};
use crate::grid::Cell;
use std::ops::Range;

/// All labels, by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Labels {
    pub(super) nodes: Vec<Node>,
    /// What distances to landmarks are counted in, as a power of two.
    pub(super) landmark_shift: u32,
    /// See [`Layout`]. Sorted by hub within a label.
    pub(super) entries: Vec<u64>,
    pub(super) layout: Layout,
    /// Where each hub's tree begins, and where the last ends.
    pub(super) tree_first: Vec<u32>,
    pub(super) trees: Vec<u32>,
}

/// What a query needs of a node before its label.
///
/// PERF: half a line of cache. In lists of their own, these take three lines of each node at the end of a
/// link, of which a query of AcrosstheCape has forty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Node {
    pub(super) cell: Cell,
    /// How far the landmarks are.
    pub(super) landmarks: [i16; LANDMARKS],
    /// Where its label begins and ends.
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Node {
    /// Nodes of those cells, whose labels begin and end there.
    pub(super) fn all(
        cells: &[Cell],
        landmarks: &[[i16; LANDMARKS]],
        beginnings: &[u32],
    ) -> Vec<Self> {
        let ends = beginnings.windows(2);
        let nodes = cells.iter().zip(landmarks).zip(ends);
        nodes
            .map(|((&cell, &landmarks), ends)| Self {
                cell,
                landmarks,
                first: ends[0],
                end: ends[1],
            })
            .collect()
    }
}

/// How an entry is put together: the hub lowest, its distance, the place in the hub's tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) hub_bits: u32,
    pub(super) distance_bits: u32,
}

impl Layout {
    /// The layout for numbers up to these, if they fit.
    pub(super) fn new(hub_max: u32, distance_max: u32, place_max: u32) -> Option<Self> {
        let bits = |number: u32| u32::BITS - number.leading_zeros();
        let this = Self { hub_bits: bits(hub_max), distance_bits: bits(distance_max) };
        (this.hub_bits + this.distance_bits + bits(place_max) <= u64::BITS).then_some(this)
    }

    pub(super) fn pack(self, entry: Entry, place: u32) -> u64 {
        let place = u64::from(place) << self.distance_bits;
        (place | u64::from(entry.distance)) << self.hub_bits | u64::from(entry.hub)
    }

    #[inline]
    pub(super) fn hub(self, packed: u64) -> u32 {
        (packed & ((1 << self.hub_bits) - 1)) as u32
    }

    #[inline]
    pub(super) fn distance(self, packed: u64) -> u64 {
        packed >> self.hub_bits & ((1 << self.distance_bits) - 1)
    }

    pub(super) fn place(self, packed: u64) -> u32 {
        (packed >> self.hub_bits >> self.distance_bits) as u32
    }
}

/// A word of a tree: a node, and how it is joined to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreeWord(u32);

impl TreeWord {
    const NODE_BITS: u32 = 24;
    /// The hub itself.
    const ROOT: u32 = 1 << 31;
    /// The word before says how far before that the parent is.
    const FAR: u32 = 1 << 30;

    pub(super) fn new(node: u32, ways: Ways, root: bool, far: bool) -> Self {
        let flags = (u32::from(root) * Self::ROOT) | (u32::from(far) * Self::FAR);
        Self(node | u32::from(ways.0) << Self::NODE_BITS | flags)
    }

    pub(super) fn node(self) -> u32 {
        self.0 & ((1 << Self::NODE_BITS) - 1)
    }

    /// From the node to its parent.
    pub(super) fn ways(self) -> Ways {
        Ways((self.0 >> Self::NODE_BITS) as u8 & 3)
    }

    pub(super) fn is_root(self) -> bool {
        self.0 & Self::ROOT != 0
    }

    pub(super) fn is_far(self) -> bool {
        self.0 & Self::FAR != 0
    }
}

impl Labels {
    #[inline]
    pub(super) fn range(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first as usize..node.end as usize
    }

    /// The label of a node as it is kept.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[u64] {
        &self.entries[self.range(node)]
    }

    /// The label of a node.
    pub(super) fn entries_of(&self, node: u32) -> impl Iterator<Item = Entry> + '_ {
        self.of(node).iter().map(|&packed| self.entry(packed))
    }

    pub(super) fn entry(&self, packed: u64) -> Entry {
        let Self { layout, .. } = self;
        Entry { hub: layout.hub(packed), distance: layout.distance(packed) as u32 }
    }

    /// Where an entry's node is among all trees.
    pub(super) fn place(&self, packed: u64) -> u32 {
        self.tree_first[self.layout.hub(packed) as usize] + self.layout.place(packed)
    }

    /// The word at a place of a tree, and the place of its parent.
    #[inline]
    pub(super) fn step(&self, place: u32) -> (TreeWord, u32) {
        let word = TreeWord(self.trees[place as usize]);
        let parent = if word.is_root() {
            place
        } else if word.is_far() {
            place - 1 - self.trees[place as usize - 1]
        } else {
            place - 1
        };
        (word, parent)
    }

    /// As [`Labels::step`], for words that may be wrong; a parent comes before its child.
    pub(super) fn checked_step(&self, place: u32) -> Option<(TreeWord, u32)> {
        let word = TreeWord(*self.trees.get(place as usize)?);
        if word.is_root() {
            return Some((word, place));
        }
        let before = place.checked_sub(1)?;
        let parent =
            if word.is_far() { before.checked_sub(self.trees[before as usize])? } else { before };
        (parent < place).then_some((word, parent))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.tree_first.capacity() + self.trees.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<u64>()
    }
}

/// What a tree is written with, to be used again.
#[derive(Default)]
pub(super) struct TreeWriter {
    /// By node: where it is in the list that is being written.
    at: Vec<u32>,
    below: Vec<u32>,
    /// For each, its first child, and the next child of its parent; the heaviest first.
    first_child: Vec<u32>,
    next_child: Vec<u32>,
    by_weight: Vec<u32>,
    stack: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl TreeWriter {
    pub(super) fn new(node_count: usize) -> Self {
        Self { at: vec![NONE; node_count], ..Self::default() }
    }

    /// Gives nodes of a tree the furthest parent that an edge leads to, so that ways have few legs.
    pub(super) fn straighten(&mut self, tree: &mut [Settled], edges: &Neighbours) {
        for (at, settled) in (0..).zip(&*tree) {
            self.at[settled.node as usize] = at;
        }
        for at in 1..tree.len() {
            let settled = tree[at];
            let far = |parent: Settled| (parent.distance, parent.node);
            let mut best = tree[self.at[settled.parent as usize] as usize];
            for edge in edges.of(settled.node) {
                // What is left of another tree names another node.
                let place = self.at[edge.node as usize] as usize;
                let Some(&parent) = tree.get(place).filter(|parent| parent.node == edge.node)
                else {
                    continue;
                };
                if parent.distance + edge.cost == settled.distance && far(parent) < far(best) {
                    best = parent;
                    tree[at] = Settled { parent: edge.node, ways: edge.ways, ..settled };
                }
            }
        }
    }

    /// Adds the tree of a hub, whose nodes come by distance, to the words; returns each node's position.
    pub(super) fn write(
        &mut self,
        tree: &[Settled],
        words: &mut Vec<u32>,
        mut placed: impl FnMut(Settled, u32),
    ) {
        let count = tree.len();
        for (at, settled) in (0..).zip(tree) {
            self.at[settled.node as usize] = at;
        }
        self.below.clear();
        self.below.resize(count, 1);
        for (at, settled) in tree.iter().enumerate().skip(1).rev() {
            self.below[self.at[settled.parent as usize] as usize] += self.below[at];
        }
        self.list_children(tree);
        // Each is put off with where its parent's word is; the last put off comes first.
        self.stack.clear();
        self.stack.extend([0, 0]);
        while let (Some(parent), Some(at)) = (self.stack.pop(), self.stack.pop()) {
            let settled = tree[at as usize];
            let here = words.len() as u32;
            let far = at != 0 && parent + 1 != here;
            if far {
                words.push(here - parent);
            }
            let place = words.len() as u32;
            words.push(TreeWord::new(settled.node, settled.ways, at == 0, far).0);
            placed(settled, place);
            let mut child = self.first_child[at as usize];
            while child != NONE {
                self.stack.extend([child, place]);
                child = self.next_child[child as usize];
            }
        }
    }

    /// Lists children such that the lightest come first: the heaviest is put off last.
    fn list_children(&mut self, tree: &[Settled]) {
        let Self { at, below, first_child, next_child, by_weight, .. } = self;
        for list in [&mut *first_child, &mut *next_child] {
            list.clear();
            list.resize(tree.len(), NONE);
        }
        by_weight.clear();
        by_weight.extend(1..tree.len() as u32);
        by_weight.sort_by_key(|&child| (std::cmp::Reverse(below[child as usize]), child));
        for &child in &*by_weight {
            let parent = at[tree[child as usize].parent as usize] as usize;
            next_child[child as usize] = first_child[parent];
            first_child[parent] = child;
        }
    }
}
