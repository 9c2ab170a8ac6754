//! Landmarks: estimates by the triangle inequality (ALT).
//!
//! Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory" (2005). Distances to
//! and from a few landmarks *L* are known for every node. From a node *u* to a goal *t*
//!
//! ```text
//! d(u, t) ≥ d(L, t) − d(L, u)      since d(L, t) ≤ d(L, u) + d(u, t)
//! d(u, t) ≥ d(u, L) − d(t, L)      since d(u, L) ≤ d(u, t) + d(t, L)
//! ```
//!
//! so the largest of these is admissible. Each is consistent, being the distance of a fixed node but for a
//! constant, and so are the largest of several and, over several goals, the smallest. Where a landmark tells
//! that there is no way at all, the estimate is beyond all bounds, which is no less true.

use super::{GraphScratch, Guide, NonNegative, explore_from};
use crate::space::NodeId;

const FAR: u64 = u64::MAX;

/// Distances between every node and a few landmarks.
///
/// ```
/// use highroad_core::{NodeId, graph::{Edge, Graph, GraphScratch, Guide, Landmarks}};
/// let edges = [Edge::new(0, 1, 3), Edge::new(1, 2, 4), Edge::new(2, 0, 5)];
/// let graph = Graph::from_edges(3, &edges)?;
/// let landmarks = Landmarks::choose(graph.non_negative()?, 2, &mut GraphScratch::new());
/// assert_eq!(landmarks.guide(&[NodeId(2)]).estimate(NodeId(0)), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    nodes: Vec<NodeId>,
    node_count: usize,
    /// For each node, for each landmark: the distance from it, and the distance to it.
    distances: Vec<[u64; 2]>,
}

impl Landmarks {
    /// The most landmarks.
    pub const COUNT_MAX: usize = 64;

    /// Chooses so many landmarks, each as far as can be from those before it; fewer, if there are fewer
    /// nodes. Two searches over the whole graph for each.
    pub fn choose(graph: NonNegative<'_>, count: usize, scratch: &mut GraphScratch) -> Self {
        let node_count = graph.graph().node_count();
        let count = count.min(Self::COUNT_MAX).min(node_count);
        let mut this =
            Self { nodes: Vec::new(), node_count, distances: vec![[FAR; 2]; node_count * count] };
        // How far each node lies from the nearest landmark; where no way is known, farthest of all.
        let mut nearest = vec![FAR; node_count];
        let all = || (0..node_count as u32).map(NodeId);
        let mut next = NodeId(0);
        if count > 0 {
            // The node farthest from the first is a better beginning than the first.
            let _ = explore_from(graph, graph.graph().outgoing(), &[next], scratch);
            next = all().max_by_key(|&node| scratch.cost(node).unwrap_or(0)).unwrap_or(next);
        }
        for slot in 0..count {
            this.nodes.push(next);
            let sides = [graph.graph().outgoing(), graph.graph().incoming()];
            for (side, edges) in sides.into_iter().enumerate() {
                let _ = explore_from(graph, edges, &[next], scratch);
                for node in all() {
                    let cost = scratch.cost(node).unwrap_or(FAR);
                    this.distances[node.index() * count + slot][side] = cost;
                    nearest[node.index()] = nearest[node.index()].min(cost);
                }
            }
            next = all().max_by_key(|node| nearest[node.index()]).unwrap_or(next);
        }
        this
    }

    /// The landmarks.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Estimates to the nearest of some goals.
    pub fn guide(&self, goals: &[NodeId]) -> LandmarkGuide<'_> {
        let known = |goal: &&NodeId| goal.index() < self.node_count;
        LandmarkGuide { landmarks: self, goals: goals.iter().filter(known).copied().collect() }
    }

    fn of(&self, node: NodeId) -> &[[u64; 2]] {
        let count = self.nodes.len();
        self.distances.get(node.index() * count..(node.index() + 1) * count).unwrap_or_default()
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.distances.capacity() * size_of::<[u64; 2]>()
    }
}

/// Estimates by landmarks for the goals of one query.
#[derive(Clone, Debug)]
pub struct LandmarkGuide<'l> {
    landmarks: &'l Landmarks,
    goals: Vec<NodeId>,
}

impl LandmarkGuide<'_> {
    fn to(&self, node: NodeId, goal: NodeId) -> u64 {
        let pairs = self.landmarks.of(node).iter().zip(self.landmarks.of(goal));
        let bound = |([from, to], [goal_from, goal_to]): (&[u64; 2], &[u64; 2])| {
            let by_start = if *from == FAR { 0 } else { goal_from.saturating_sub(*from) };
            let by_end = if *goal_to == FAR { 0 } else { to.saturating_sub(*goal_to) };
            // A finite distance taken from none at all means: no way.
            let start_bars = *from != FAR && *goal_from == FAR;
            let end_bars = *goal_to != FAR && *to == FAR;
            if start_bars || end_bars { FAR } else { by_start.max(by_end) }
        };
        pairs.map(bound).max().unwrap_or(0)
    }
}

impl Guide for LandmarkGuide<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.goals.iter().map(|&goal| self.to(node, goal)).min().unwrap_or(0)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
