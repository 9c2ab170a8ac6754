//! Bellman and Ford's algorithm: shortest paths where edges may be negative.
//!
//! Bellman (1958), Ford (1956), Moore (1959). A loop of its own because no order of expansion is right when
//! edges may be negative: every edge is relaxed until nothing changes, at most once a node. Only nodes
//! whose cost has fallen are looked at again (Moore's queue). O(nodes · edges).
//!
//! A negative cycle shows as a cycle of predecessors. They are searched for whenever as many relaxations as
//! there are nodes have gone by, which costs no more than these did (the "amortised search" of Cherkassky
//! and Goldberg, 1999), and the cycle itself is the answer.

use super::{Graph, GraphRefusal};
use crate::environment::{BuildError, Watch};
use crate::space::NodeId;
use std::collections::VecDeque;
use std::convert::Infallible;

const NONE: u32 = u32::MAX;

/// A cycle of edges that cost less than nothing together.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{BellmanFord, Edge, Graph, NegativeCycle, bellman_ford};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 2), Edge::new(1, 0, -3)])?;
/// let BellmanFord::Cycle(cycle) = bellman_ford(&graph, &[NodeId(0)])? else { panic!("-1 once round") };
/// let NegativeCycle { nodes, cost } = cycle;
/// assert_eq!((nodes.len(), cost), (2, -1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeCycle {
    /// Its nodes in order; an edge leads from the last back to the first.
    pub nodes: Vec<NodeId>,
    /// What once round costs: less than 0.
    pub cost: i64,
}

/// Shortest paths from some sources to everywhere, where edges may be negative. A cost is looked up in O(1), a path in
/// O(its nodes). [`bellman_ford`] finds them.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{BellmanFord, Edge, Graph, ShortestPaths, bellman_ford};
/// fn cheapest(paths: &ShortestPaths, nodes: u32) -> Option<NodeId> {
///     (0..nodes).map(NodeId).min_by_key(|&node| paths.cost(node).unwrap_or(i64::MAX))
/// }
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, -6)])?;
/// let BellmanFord::Paths(paths) = bellman_ford(&graph, &[NodeId(0)])? else { panic!("no cycle") };
/// assert_eq!(cheapest(&paths, 3), Some(NodeId(2)));
/// assert_eq!(paths.path_to(NodeId(2)).unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestPaths {
    costs: Vec<i64>,
    parents: Vec<u32>,
}

impl ShortestPaths {
    const FAR: i64 = i64::MAX;

    /// The least cost to a node; `None` where there is no way.
    pub fn cost(&self, node: NodeId) -> Option<i64> {
        self.costs.get(node.index()).copied().filter(|&cost| cost != Self::FAR)
    }

    /// The nodes of a shortest path, from a source; `None` where there is no way. See [`bellman_ford`] for an example.
    pub fn path_to(&self, node: NodeId) -> Option<Vec<NodeId>> {
        self.cost(node)?;
        let mut nodes = vec![node];
        let mut at = node;
        while self.parents[at.index()] != NONE {
            at = NodeId(self.parents[at.index()]);
            nodes.push(at);
        }
        nodes.reverse();
        Some(nodes)
    }
}

/// What Bellman and Ford's algorithm finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BellmanFord {
    /// Shortest paths.
    Paths(ShortestPaths),
    /// A negative cycle that can be reached: no path is shortest.
    Cycle(NegativeCycle),
}

/// Shortest paths from some sources along edges of any sign, or a negative cycle that can be reached from
/// them. O(nodes · edges). Fails if there is no source, or if one is not a node of the graph.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{BellmanFord, Edge, Graph, bellman_ford};
/// let edges = [Edge::new(0, 1, 4), Edge::new(0, 2, 5), Edge::new(2, 1, -3)];
/// let graph = Graph::from_edges(3, &edges)?;
/// let BellmanFord::Paths(paths) = bellman_ford(&graph, &[NodeId(0)])? else { panic!("a cycle") };
/// assert_eq!(paths.cost(NodeId(1)), Some(2));
/// assert_eq!(paths.path_to(NodeId(1)).unwrap(), [NodeId(0), NodeId(2), NodeId(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bellman_ford(graph: &Graph, sources: &[NodeId]) -> Result<BellmanFord, GraphRefusal> {
    check_sources(graph, sources)?;
    Ok(relax_unwatched(graph, sources))
}

/// As [`bellman_ford`], watched: it reports how many nodes it has looked at of the most that it may have to, nodes ·
/// nodes. `None` if it was stopped. Fails as [`bellman_ford`] does.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{BellmanFord, Edge, Graph, bellman_ford_watched};
/// use highroad::planner::Watch;
/// use std::ops::ControlFlow;
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, -4)])?;
/// let found = bellman_ford_watched(&graph, &[NodeId(0)], &mut Watch::none())?;
/// assert!(matches!(found, Some(BellmanFord::Paths(paths)) if paths.cost(NodeId(1)) == Some(-4)));
/// let mut stop = |_done, _of| ControlFlow::Break(());
/// assert_eq!(bellman_ford_watched(&graph, &[NodeId(0)], &mut Watch::new(&mut stop))?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bellman_ford_watched(
    graph: &Graph,
    sources: &[NodeId],
    watch: &mut Watch<'_>,
) -> Result<Option<BellmanFord>, GraphRefusal> {
    check_sources(graph, sources)?;
    Ok(relax_watched(graph, sources, watch).ok())
}

fn check_sources(graph: &Graph, sources: &[NodeId]) -> Result<(), GraphRefusal> {
    let node_count = graph.node_count();
    if sources.is_empty() {
        return Err(GraphRefusal::NoSource);
    }
    match sources.iter().find(|source| source.index() >= node_count) {
        Some(&node) => Err(GraphRefusal::NoSuchNode { node, nodes: node_count }),
        None => Ok(()),
    }
}

/// A negative cycle anywhere in the graph; `None` if there is none. O(nodes · edges).
///
/// ```
/// use highroad::graph::{Edge, Graph, negative_cycle};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 1), Edge::new(1, 2, -3), Edge::new(2, 1, 2)])?;
/// assert_eq!(negative_cycle(&graph).unwrap().cost, -1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn negative_cycle(graph: &Graph) -> Option<NegativeCycle> {
    cycle_found(relax_unwatched(graph, &everywhere(graph)))
}

/// As [`negative_cycle`], watched as [`bellman_ford_watched`] is. Fails with [`BuildError::Stopped`] if it was stopped.
///
/// ```
/// use highroad::graph::{Edge, Graph, negative_cycle_watched};
/// use highroad::planner::{BuildError, Watch};
/// use std::ops::ControlFlow;
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1), Edge::new(1, 0, -3)])?;
/// assert_eq!(negative_cycle_watched(&graph, &mut Watch::none())?.unwrap().cost, -2);
/// let mut stop = |_done, _of| ControlFlow::Break(());
/// assert_eq!(negative_cycle_watched(&graph, &mut Watch::new(&mut stop)), Err(BuildError::Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn negative_cycle_watched(
    graph: &Graph,
    watch: &mut Watch<'_>,
) -> Result<Option<NegativeCycle>, BuildError> {
    relax_watched(graph, &everywhere(graph), watch).map(cycle_found)
}

fn everywhere(graph: &Graph) -> Vec<NodeId> {
    (0..graph.node_count() as u32).map(NodeId).collect()
}

fn cycle_found(found: BellmanFord) -> Option<NegativeCycle> {
    match found {
        BellmanFord::Cycle(cycle) => Some(cycle),
        BellmanFord::Paths(_) => None,
    }
}

fn relax_unwatched(graph: &Graph, sources: &[NodeId]) -> BellmanFord {
    match relax_all(graph, sources, || Ok::<(), Infallible>(())) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

fn relax_watched(
    graph: &Graph,
    sources: &[NodeId],
    watch: &mut Watch<'_>,
) -> Result<BellmanFord, BuildError> {
    /// Nodes between two reports: far less than a millisecond.
    const NODES: u64 = 4096;
    let (mut looked_at, of) = (0u64, (graph.node_count() as u64).pow(2));
    watch.report(0, of)?;
    relax_all(graph, sources, || {
        looked_at += 1;
        if looked_at % NODES == 0 { watch.report(looked_at.min(of), of) } else { Ok(()) }
    })
}

/// Relaxes edges until nothing changes. `goes_on` is asked before each node; its error ends everything.
///
/// PERF: a closure that never fails costs nothing, so that whoever does not watch pays nothing.
fn relax_all<E>(
    graph: &Graph,
    sources: &[NodeId],
    mut goes_on: impl FnMut() -> Result<(), E>,
) -> Result<BellmanFord, E> {
    let node_count = graph.node_count();
    let mut paths = ShortestPaths {
        costs: vec![ShortestPaths::FAR; node_count],
        parents: vec![NONE; node_count],
    };
    let mut waiting = vec![false; node_count];
    let mut queue = VecDeque::new();
    for &source in sources {
        paths.costs[source.index()] = 0;
        if !std::mem::replace(&mut waiting[source.index()], true) {
            queue.push_back(source);
        }
    }
    // As many relaxations as there are nodes are left until the next look for a cycle.
    let mut left = node_count;
    while let Some(node) = queue.pop_front() {
        goes_on()?;
        waiting[node.index()] = false;
        // Weights fit 32 bits and, until a cycle is found, predecessors form a tree: sums cannot wrap.
        let cost = paths.costs[node.index()];
        for (to, weight) in graph.outgoing().of(node) {
            let by_it = cost + i64::from(weight);
            let known = &mut paths.costs[to.index()];
            if by_it >= *known {
                continue;
            }
            *known = by_it;
            paths.parents[to.index()] = node.0;
            left -= 1;
            if left == 0 {
                left = node_count;
                if let Some(cycle) = cycle_of(graph, &paths.parents) {
                    return Ok(BellmanFord::Cycle(cycle));
                }
            }
            if !std::mem::replace(&mut waiting[to.index()], true) {
                queue.push_back(to);
            }
        }
    }
    Ok(BellmanFord::Paths(paths))
}

/// A cycle of predecessors, which is always negative.
fn cycle_of(graph: &Graph, parents: &[u32]) -> Option<NegativeCycle> {
    // In which walk a node was seen; 0: in none.
    let mut seen = vec![0u32; parents.len()];
    for first in 0..parents.len() as u32 {
        let walk = first + 1;
        let mut at = first;
        while at != NONE && seen[at as usize] == 0 {
            seen[at as usize] = walk;
            at = parents[at as usize];
        }
        if at == NONE || seen[at as usize] != walk {
            continue;
        }
        let mut nodes = vec![NodeId(at)];
        let mut before = parents[at as usize];
        while before != at {
            nodes.push(NodeId(before));
            before = parents[before as usize];
        }
        nodes.reverse();
        let next = nodes.iter().skip(1).chain(nodes.first());
        let weight = |(&from, &to)| graph.outgoing().weight(from, to).map_or(0, i64::from);
        let cost = nodes.iter().zip(next).map(weight).sum();
        return Some(NegativeCycle { nodes, cost });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::{graphs, plain_distances, walked};
    use super::*;
    use crate::graph::Edge;
    use proptest::prelude::*;

    /// Whether some node can reach itself for less than nothing: by repeated relaxation of everything.
    fn has_negative_cycle(graph: &Graph) -> bool {
        let mut costs = vec![0i64; graph.node_count()];
        let mut changed = true;
        for _ in 0..=graph.node_count() {
            changed = false;
            for edge in graph.edges() {
                let by_it = costs[edge.from.index()] + i64::from(edge.weight);
                if by_it < costs[edge.to.index()] {
                    costs[edge.to.index()] = by_it;
                    changed = true;
                }
            }
        }
        changed
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn paths_are_shortest_or_there_is_a_negative_cycle(graph in graphs(-6..30)) {
            let cyclic = has_negative_cycle(&graph);
            prop_assert_eq!(negative_cycle(&graph).is_some(), cyclic);
            for source in (0..graph.node_count() as u32).map(NodeId) {
                match bellman_ford(&graph, &[source]).unwrap() {
                    BellmanFord::Cycle(cycle) => {
                        prop_assert!(cycle.cost < 0);
                        let mut round = cycle.nodes.clone();
                        round.push(round[0]);
                        prop_assert_eq!(walked(&graph, &round), Some(cycle.cost));
                    }
                    BellmanFord::Paths(paths) => {
                        // The cycle, if there is one, cannot be reached from here.
                        let distances = plain_distances(&graph, source);
                        for node in (0..graph.node_count() as u32).map(NodeId) {
                            prop_assert_eq!(paths.cost(node), distances[node.index()]);
                            let Some(path) = paths.path_to(node) else { continue };
                            prop_assert_eq!((path[0], path.last()), (source, Some(&node)));
                            prop_assert_eq!(walked(&graph, &path), paths.cost(node));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_loop_of_less_than_nothing_is_a_cycle_of_one_node() {
        let graph = Graph::from_edges(2, &[Edge::new(0, 1, 5), Edge::new(1, 1, -2)]).unwrap();
        let found = bellman_ford(&graph, &[NodeId(0)]).unwrap();
        let cycle = NegativeCycle { nodes: vec![NodeId(1)], cost: -2 };
        assert_eq!(found, BellmanFord::Cycle(cycle));
    }

    #[test]
    fn sources_that_are_not_there_are_refused() {
        let graph = Graph::from_edges(1, &[]).unwrap();
        assert_eq!(bellman_ford(&graph, &[]), Err(GraphRefusal::NoSource));
        let beyond = GraphRefusal::NoSuchNode { node: NodeId(4), nodes: 1 };
        assert_eq!(bellman_ford(&graph, &[NodeId(4)]), Err(beyond));
    }
}
