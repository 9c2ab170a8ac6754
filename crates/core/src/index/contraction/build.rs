//! Contracting a graph: node after node is taken out, and shortcuts keep the distances among those left.
//!
//! Geisberger, Sanders, Schultes and Delling, "Contraction Hierarchies" (2008). The next node is the one
//! that costs least to take out: the edges it adds against those it removes, counted plainly and by how
//! many edges of the graph they stand for, and its height above the nodes contracted before, so that
//! the order spreads over the graph. Edges are counted again when a node
//! comes up (lazily); heights rise at once.
//!
//! A shortcut u → v → w is left out if another way from u to w is as short. That is looked for by a
//! search that gives up after some nodes: then the shortcut is made, which is never wrong, only more.
//!
//! Where a graph has no small separators, the shortcuts among the nodes that are left become more and
//! more. Contraction then stops, and what is left is the *core*: a query moves freely in it (as do those
//! of Bauer et al., "Combining Hierarchical and Goal-Directed Speed-Up Techniques", 2010). So neither
//! memory nor time runs away.

use super::graph::{CheckedEdge, GraphError};
use crate::planner::{BuildError, Watch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes that a search for a witness settles before it gives up.
///
/// PERF: what it misses, [pruning](super::prune) finds at the end. With 30 nodes and 1,500 edges,
/// AcrosstheCape has 86,445 edges after 0.37 s and random512-20-8 a core of 5,617 nodes after 11.2 s; with
/// 15 and 300, 84,813 edges after 0.24 s and a core of 11,089 after 4.5 s; queries differ within the noise.
const WITNESS_SETTLED_MAX: usize = 15;

/// Edges that it looks at. Late in a contraction nodes have hundreds: what matters is near.
const WITNESS_EDGES_MAX: usize = 300;

/// When to leave what is left as a core.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreRule {
    /// So few edges are always contracted.
    pub(super) edges_min: usize,
    /// More edges than this a node, on average, make a core.
    pub(super) degree_max: usize,
}

impl CoreRule {
    /// A core also begins where there would be half as many edges again as the graph began with.
    ///
    /// PERF: only maps with corners all over come to that (`highroad bench MAP --planner ch`, 100 queries).
    /// On random512-10-4, -15-6, -20-8 and -30-0 contraction to the end takes minutes, minutes, minutes and
    /// 4 s; to a core 8.0, 6.9, 8.8 and 2.9 s, with queries of 586, 497, 473 and 91 µs. A core of no
    /// more edges than at first takes 1.9, 2.5, 6.2 and 2.9 s, with queries of 851, 1,070, 437 and 119 µs;
    /// A* on the subgoal graph takes 716, 1,680, 1,880 and 2,220 µs.
    pub(super) const USUAL: Self = Self { edges_min: 100_000, degree_max: 100 };

    fn is_core(self, edges_now: usize, edges_first: usize, nodes_now: usize) -> bool {
        edges_now > self.edges_min
            && (2 * edges_now > 3 * edges_first || edges_now > self.degree_max * nodes_now)
    }
}

/// What a step of height adds to a node's price, against a thousand for as many edges added as
/// removed.
const HEIGHT_PRICE: u64 = 1000;

/// No edge of the graph being contracted.
pub(super) const NONE: u32 = u32::MAX;

/// An edge among the nodes that are left, at both of its ends.
#[derive(Clone, Copy, Debug)]
struct Arc {
    node: u32,
    weight: u32,
    /// How many edges of the graph it stands for.
    hops: u32,
    /// Its number among all edges ever made.
    number: u32,
}

/// An edge of the graph or a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BuiltEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: u32,
    /// The two edges that a shortcut stands for; [`NONE`] for an edge of the graph.
    pub(super) halves: [u32; 2],
}

/// A contracted graph: each node's rank, and all edges that lead up or down the ranks.
pub(super) struct Contracted {
    pub(super) ranks: Vec<u32>,
    /// The ranks from this one on were not contracted; edges between them lead anywhere.
    pub(super) core: u32,
    pub(super) edges: Vec<BuiltEdge>,
}

struct Contraction {
    out: Vec<Vec<Arc>>,
    into: Vec<Vec<Arc>>,
    edges: Vec<BuiltEdge>,
    /// How many edges there are among the nodes that are left.
    edges_now: usize,
    heights: Vec<u32>,
    witness: Witness,
    /// Shortcuts that a node's contraction needs.
    shortcuts: Vec<(Arc, Arc, u32)>,
}

/// Contracts a graph of so many nodes.
pub(super) fn contract(
    node_count: usize,
    edges: &[CheckedEdge],
    rule: CoreRule,
    watch: &mut Watch<'_>,
) -> Result<Contracted, BuildError> {
    let mut contraction = Contraction::new(node_count, edges)?;
    let edges_first = contraction.edges_now;
    let mut queue: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::with_capacity(node_count);
    // The price a node was last queued at: other entries of it are old.
    let mut prices = vec![0; node_count];
    for node in 0..node_count as u32 {
        if node % 64 == 0 {
            watch.report(0, node_count as u64)?;
        }
        let price = contraction.price(node);
        prices[node as usize] = price;
        queue.push(Reverse((price, node)));
    }
    let mut ranks = vec![NONE; node_count];
    let mut next_rank = 0;
    let mut neighbours = Vec::new();
    while !rule.is_core(contraction.edges_now, edges_first, node_count - next_rank as usize)
        && let Some(Reverse((price, node))) = queue.pop()
    {
        if ranks[node as usize] != NONE || price != prices[node as usize] {
            continue;
        }
        // The price also makes the list of shortcuts.
        let now = contraction.price(node);
        if now > price && queue.peek().is_some_and(|&Reverse((next, _))| now > next) {
            prices[node as usize] = now;
            queue.push(Reverse((now, node)));
            continue;
        }
        neighbours.clear();
        contraction.take_out(node, &mut neighbours)?;
        ranks[node as usize] = next_rank;
        next_rank += 1;
        if next_rank % 16 == 0 {
            watch.report(u64::from(next_rank), node_count as u64)?;
        }
        // What their shortcuts cost is looked at when they come up; that they stand higher, now.
        for &(neighbour, rise) in &neighbours {
            let price = prices[neighbour as usize] + HEIGHT_PRICE * u64::from(rise);
            prices[neighbour as usize] = price;
            queue.push(Reverse((price, neighbour)));
        }
    }
    let core = next_rank;
    for (rank, number) in ranks.iter_mut().filter(|rank| **rank == NONE).zip(core..) {
        *rank = number;
    }
    Ok(Contracted { ranks, core, edges: contraction.edges })
}

impl Contraction {
    fn new(node_count: usize, edges: &[CheckedEdge]) -> Result<Self, GraphError> {
        if node_count > GraphError::NODES_MAX {
            return Err(GraphError::TooManyNodes { nodes: node_count });
        }
        let mut this = Self {
            out: vec![Vec::new(); node_count],
            into: vec![Vec::new(); node_count],
            edges: Vec::with_capacity(edges.len() * 2),
            edges_now: 0,
            heights: vec![0; node_count],
            witness: Witness::new(node_count),
            shortcuts: Vec::new(),
        };
        for (number, edge) in edges.iter().enumerate() {
            let &CheckedEdge { from, to, weight } = edge;
            if from.max(to) as usize >= node_count {
                return Err(GraphError::NoSuchNode { edge: number, from, to, nodes: node_count });
            }
            if from != to {
                this.add(BuiltEdge { from, to, weight, halves: [NONE; 2] }, 1)?;
            }
        }
        Ok(this)
    }

    /// Adds an edge, or makes the one there is cheaper.
    fn add(&mut self, made: BuiltEdge, hops: u32) -> Result<(), GraphError> {
        let BuiltEdge { from, to, weight, .. } = made;
        if self.edges.len() >= GraphError::EDGES_MAX {
            return Err(GraphError::TooManyEdges);
        }
        let number = self.edges.len() as u32;
        let same = self.out[from as usize].iter_mut().find(|arc| arc.node == to);
        if let Some(arc) = same {
            if arc.weight <= weight {
                return Ok(());
            }
            *arc = Arc { node: to, weight, hops, number };
            let twin = self.into[to as usize].iter_mut().find(|arc| arc.node == from);
            if let Some(twin) = twin {
                *twin = Arc { node: from, weight, hops, number };
            }
        } else {
            self.out[from as usize].push(Arc { node: to, weight, hops, number });
            self.into[to as usize].push(Arc { node: from, weight, hops, number });
            self.edges_now += 1;
        }
        self.edges.push(made);
        Ok(())
    }

    /// What it costs to take a node out now. The shortcuts that it needs are then in the list.
    fn price(&mut self, node: u32) -> u64 {
        self.find_shortcuts(node);
        let (into, out) = (&self.into[node as usize], &self.out[node as usize]);
        let removed = (into.len() + out.len()) as u64;
        let hops = |arcs: &[Arc]| arcs.iter().map(|arc| u64::from(arc.hops)).sum::<u64>();
        let removed_hops = hops(into) + hops(out);
        let added = self.shortcuts.len() as u64;
        let added_hops: u64 =
            self.shortcuts.iter().map(|(a, b, _)| u64::from(a.hops) + u64::from(b.hops)).sum();
        let height = u64::from(self.heights[node as usize]);
        HEIGHT_PRICE * height
            + 1000 * added / removed.max(1)
            + 1000 * added_hops / removed_hops.max(1)
    }

    fn find_shortcuts(&mut self, node: u32) {
        self.shortcuts.clear();
        let Self { out, into, witness, shortcuts, .. } = self;
        let leaving = &out[node as usize];
        let Some(cost_max) = leaving.iter().map(|arc| arc.weight).max() else { return };
        for &first in &into[node as usize] {
            let limit = u64::from(first.weight) + u64::from(cost_max);
            if leaving.iter().all(|second| second.node == first.node) {
                continue;
            }
            witness.search(out, first.node, node, limit, leaving);
            for &second in leaving {
                let through = u64::from(first.weight) + u64::from(second.weight);
                if second.node != first.node && witness.distance(second.node) > through {
                    // Checked by whoever adds it.
                    let weight = u32::try_from(through).unwrap_or(u32::MAX);
                    shortcuts.push((first, second, weight));
                }
            }
        }
    }

    /// Contracts a node by the shortcuts in the list. Returns the neighbours that now stand higher, and
    /// by how much.
    fn take_out(&mut self, node: u32, neighbours: &mut Vec<(u32, u32)>) -> Result<(), GraphError> {
        let shortcuts = std::mem::take(&mut self.shortcuts);
        for &(first, second, weight) in &shortcuts {
            if weight == u32::MAX {
                return Err(GraphError::TooCostly);
            }
            let halves = [first.number, second.number];
            let made = BuiltEdge { from: first.node, to: second.node, weight, halves };
            self.add(made, first.hops.saturating_add(second.hops))?;
        }
        self.shortcuts = shortcuts;
        let height = self.heights[node as usize] + 1;
        self.edges_now -= self.out[node as usize].len() + self.into[node as usize].len();
        let Self { out, into, heights, .. } = self;
        let mut raise = |neighbour: u32| {
            let known = &mut heights[neighbour as usize];
            if *known < height {
                neighbours.push((neighbour, height - *known));
                *known = height;
            }
        };
        for arc in std::mem::take(&mut out[node as usize]) {
            into[arc.node as usize].retain(|twin| twin.node != node);
            raise(arc.node);
        }
        for arc in std::mem::take(&mut into[node as usize]) {
            out[arc.node as usize].retain(|twin| twin.node != node);
            raise(arc.node);
        }
        Ok(())
    }
}

/// A search that looks for ways past a node.
struct Witness {
    distances: Vec<u64>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// Which nodes are looked for.
    wanted: Vec<bool>,
}

const FAR: u64 = u64::MAX;

impl Witness {
    fn new(node_count: usize) -> Self {
        Self {
            distances: vec![FAR; node_count],
            touched: Vec::new(),
            open: BinaryHeap::new(),
            wanted: vec![false; node_count],
        }
    }

    fn distance(&self, node: u32) -> u64 {
        self.distances[node as usize]
    }

    /// Distances from a node past another, as far as a limit, until the targets are settled, or too
    /// many others.
    fn search(&mut self, out: &[Vec<Arc>], from: u32, past: u32, limit: u64, targets: &[Arc]) {
        for node in self.touched.drain(..) {
            self.distances[node as usize] = FAR;
        }
        self.open.clear();
        let mut missing = targets.len();
        targets.iter().for_each(|target| self.wanted[target.node as usize] = true);
        self.reach(from, 0);
        let (mut settled, mut looked_at) = (0, 0);
        while let Some(Reverse((distance, node))) = self.open.pop() {
            if distance > self.distances[node as usize] {
                continue;
            }
            if self.wanted[node as usize] {
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
            settled += 1;
            looked_at += out[node as usize].len();
            if settled > WITNESS_SETTLED_MAX || looked_at > WITNESS_EDGES_MAX && settled > 1 {
                break;
            }
            for arc in &out[node as usize] {
                let to = distance + u64::from(arc.weight);
                if arc.node != past && to <= limit && to < self.distances[arc.node as usize] {
                    self.reach(arc.node, to);
                }
            }
        }
        targets.iter().for_each(|target| self.wanted[target.node as usize] = false);
    }

    fn reach(&mut self, node: u32, distance: u64) {
        if self.distances[node as usize] == FAR {
            self.touched.push(node);
        }
        self.distances[node as usize] = distance;
        self.open.push(Reverse((distance, node)));
    }
}
