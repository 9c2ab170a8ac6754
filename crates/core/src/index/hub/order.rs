//! The order of hubs: first those that lie on most shortest ways.
//!
//! A sample of trees of shortest ways stands for all of them. The node that most pairs of a root and
//! another node pass comes first; these pairs are struck out, and so on (Delling, Goldberg, Pajor and
//! Werneck, "Robust distance queries on massive networks", 2014). When little is left of the sample it
//! says little, and the ranks of a contraction hierarchy order the rest.

use super::neighbours::Neighbours;
use super::pruned::Search;
use std::collections::BinaryHeap;

/// A tree of shortest ways, by distance from its root: nodes, and where their parents are in the list.
pub(in crate::index) struct Tree {
    nodes: Vec<u32>,
    parents: Vec<u32>,
}

impl Tree {
    /// Of nodes by distance from the root, which is the first, each with the place of its parent.
    pub(in crate::index) fn new(nodes: Vec<u32>, parents: Vec<u32>) -> Self {
        Self { nodes, parents }
    }
}

pub(super) fn tree_from(graph: &Neighbours, root: u32, search: &mut Search) -> Option<Tree> {
    let mut places = vec![0; graph.node_count()];
    let mut tree = Tree { nodes: Vec::new(), parents: Vec::new() };
    let noted = search.spread(graph, root, |settled| {
        places[settled.node as usize] = tree.nodes.len() as u32;
        tree.parents.push(places[settled.parent as usize]);
        tree.nodes.push(settled.node);
        true
    });
    noted.then_some(tree)
}

/// A tree while pairs are struck out.
struct Counted {
    tree: Tree,
    /// How many nodes are left below each, itself included; 0 if it is struck out.
    below: Vec<u32>,
    first_child: Vec<u32>,
    next_child: Vec<u32>,
    /// Where each node is in the list.
    places: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Counted {
    fn new(tree: Tree, node_count: usize) -> Self {
        let count = tree.nodes.len();
        let mut below = vec![1; count];
        let mut first_child = vec![NONE; count];
        let mut next_child = vec![NONE; count];
        for at in (1..count).rev() {
            let parent = tree.parents[at] as usize;
            below[parent] += below[at];
            next_child[at] = first_child[parent];
            first_child[parent] = at as u32;
        }
        let mut places = vec![NONE; node_count];
        for (place, &node) in (0..).zip(&tree.nodes) {
            places[node as usize] = place;
        }
        Self { tree, below, first_child, next_child, places }
    }

    /// Strikes out the pairs that pass a node.
    fn strike(&mut self, node: u32, counts: &mut [u64], stack: &mut Vec<u32>) {
        let place = self.places[node as usize];
        if place == NONE || self.below[place as usize] == 0 {
            return;
        }
        let lost = self.below[place as usize];
        let mut at = place as usize;
        while at != 0 {
            at = self.tree.parents[at] as usize;
            self.below[at] -= lost;
            counts[self.tree.nodes[at] as usize] -= u64::from(lost);
        }
        stack.push(place);
        while let Some(at) = stack.pop() {
            let at = at as usize;
            if self.below[at] == 0 {
                continue;
            }
            counts[self.tree.nodes[at] as usize] -= u64::from(self.below[at]);
            self.below[at] = 0;
            let mut child = self.first_child[at];
            while child != NONE {
                stack.push(child);
                child = self.next_child[child as usize];
            }
        }
    }
}

/// All nodes, the most important first: by the sample, as long as a node lies on so many of its ways,
/// then by rank.
pub(in crate::index) fn order(trees: Vec<Tree>, nodes_by_rank: &[u32], ways_min: u64) -> Vec<u32> {
    let node_count = nodes_by_rank.len();
    let mut counts = vec![0u64; node_count];
    let mut counted: Vec<Counted> =
        trees.into_iter().map(|tree| Counted::new(tree, node_count)).collect();
    for tree in &counted {
        for (&node, &below) in tree.tree.nodes.iter().zip(&tree.below) {
            counts[node as usize] += u64::from(below);
        }
    }
    // Counts only fall: what is queued is the most a node can have.
    let mut queue: BinaryHeap<(u64, u32)> = (0..node_count as u32)
        .map(|node| (counts[node as usize], node))
        .filter(|&(count, _)| count >= ways_min)
        .collect();
    let mut order = Vec::with_capacity(node_count);
    let mut taken = vec![false; node_count];
    let mut stack = Vec::new();
    while let Some((count, node)) = queue.pop() {
        let now = counts[node as usize];
        if now < ways_min {
            continue;
        }
        if now < count {
            queue.push((now, node));
            continue;
        }
        order.push(node);
        taken[node as usize] = true;
        for tree in &mut counted {
            tree.strike(node, &mut counts, &mut stack);
        }
    }
    order.extend(nodes_by_rank.iter().rev().filter(|&&node| !taken[node as usize]));
    order
}
