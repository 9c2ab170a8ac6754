//! Shortest paths between all pairs of nodes, by whichever way suits the graph.

use super::{
    FloydWarshall, Graph, GraphSpace, NegativeCycle, NegativeEdge, NonNegative, TooCostly,
};
use crate::environment::{BuildError, Watch};
use crate::search::Workspace;
use crate::space::NodeId;
use thiserror::Error;

/// How all pairs are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllPairsMethod {
    /// One matrix, O(nodes³) however many edges there are; edges of any sign.
    FloydWarshall,
    /// Dijkstra's algorithm from every node, O(nodes · (edges + nodes · log nodes)); no negative edges.
    RepeatedDijkstra,
}

impl AllPairsMethod {
    /// The one that is quicker: a negative edge or costs that searches cannot count leave no choice, else density
    /// decides.
    ///
    /// ```
    /// use highroad::graph::{AllPairsMethod, Edge, Graph};
    /// let ring: Vec<Edge> = (0..1000).map(|at| Edge::new(at, (at + 1) % 1000, 1)).collect();
    /// let ring = Graph::from_edges(1000, &ring)?;
    /// let method = AllPairsMethod::for_graph(&ring);
    /// assert_eq!((method, method.name()), (AllPairsMethod::RepeatedDijkstra, "dijkstra"));
    /// # Ok::<(), highroad::graph::GraphBuildError>(())
    /// ```
    pub fn for_graph(graph: &Graph) -> Self {
        // PERF: an edge or a third of a node's visit takes a search as long as 85 entries of the matrix take a
        // round (`highroad graph all-pairs roads:2000 --one-thread --method …`, both in one run).
        let nodes = graph.node_count() as u64;
        // A node's own visit weighs about as much as three edges.
        let searched = graph.edge_count() as u64 + 3 * nodes;
        let dense = searched * 85 > nodes * nodes && graph.node_count() <= FloydWarshall::NODES_MAX;
        let costliest = nodes.saturating_mul(u64::from(graph.weight_max()));
        let countable = costliest < 1 << 44 || graph.node_count() > FloydWarshall::NODES_MAX;
        if dense || !countable || graph.non_negative().is_err() {
            Self::FloydWarshall
        } else {
            Self::RepeatedDijkstra
        }
    }

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FloydWarshall => "floyd-warshall",
            Self::RepeatedDijkstra => "dijkstra",
        }
    }
}

/// Why all pairs cannot be found.
///
/// ```
/// use highroad::graph::{AllPairs, AllPairsError, AllPairsMethod, Edge, Graph};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 2), Edge::new(1, 0, -3)])?;
/// let error: AllPairsError = AllPairs::find(&graph, AllPairsMethod::FloydWarshall).err().unwrap();
/// assert!(error.to_string().ends_with(" costs -1 once round"));
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AllPairsError {
    /// The table would take too much memory.
    #[error("a table of all pairs of {nodes} nodes: there may be at most {nodes_max}")]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
        /// How many there may be.
        nodes_max: usize,
    },
    /// Repeated searches cannot take negative edges.
    #[error(transparent)]
    NegativeEdge(#[from] NegativeEdge),
    /// Repeated searches cannot count that far; the matrix can.
    #[error("{0}, or floyd-warshall")]
    TooCostly(#[from] TooCostly),
    /// No path is shortest.
    #[error("a cycle of {} nodes through {} costs {} once round", .0.nodes.len(), .0.nodes[0].0, .0.cost)]
    NegativeCycle(NegativeCycle),
    /// The watch has stopped it.
    #[error("the table was stopped")]
    Stopped,
}

impl From<BuildError> for AllPairsError {
    /// Watches give no other error than that they stop something.
    fn from(_: BuildError) -> Self {
        Self::Stopped
    }
}

/// Shortest paths between all pairs of nodes.
///
/// A cost is looked up in O(1), a path in O(its nodes). The table takes 8 to 16 bytes a pair, and serves at most
/// [`AllPairs::NODES_MAX`] nodes.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{AllPairs, AllPairsMethod, Edge, Graph};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, 1)])?;
/// let table = AllPairs::find(&graph, AllPairsMethod::for_graph(&graph))?;
/// assert_eq!(table.cost(NodeId(0), NodeId(2)), Some(5));
/// assert_eq!(table.path(NodeId(0), NodeId(2)).unwrap().len(), 3);
/// assert_eq!(table.cost(NodeId(2), NodeId(0)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// On several threads the caller runs the jobs: the rounds of a [`FloydWarshall`], or a row of repeated searches for
/// each node.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{AllPairs, AllPairsMethod, Edge, FloydWarshall, Graph, TreeRow};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, 1)])?;
/// AllPairs::check_size(&graph)?;
/// let view = graph.non_negative()?;
/// let rows: Vec<TreeRow> = (0..3).map(|node| AllPairs::row(view, NodeId(node))).collect();
/// let by_rows = AllPairs::of_rows(rows)?;
/// assert_eq!(by_rows.method(), AllPairsMethod::RepeatedDijkstra);
///
/// let mut run = FloydWarshall::new(&graph)?;
/// run.run();
/// let by_matrix = AllPairs::of_matrix(&graph, run)?;
/// assert_eq!(by_matrix.cost(NodeId(0), NodeId(2)), by_rows.cost(NodeId(0), NodeId(2)));
/// assert!(by_matrix.memory_bytes() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AllPairs(Table);

enum Table {
    Matrix(FloydWarshall),
    Trees { nodes: usize, rows: Vec<Vec<(u64, u32)>> },
}

/// What a search from one node has found: for each node its cost, and the node before it. A job of [`AllPairs`] makes it.
pub struct TreeRow(Result<Vec<(u64, u32)>, TooCostly>);

const FAR: u64 = u64::MAX;

impl AllPairs {
    /// The most nodes: the table then takes four gigabytes.
    pub const NODES_MAX: usize = 1 << 14;

    /// Finds all pairs on one thread, in the time that [`AllPairsMethod`] states. Fails if there are too many nodes, if a
    /// cycle costs less than nothing, or, with repeated searches, if an edge is negative or a way costs 2⁴⁴ or more.
    pub fn find(graph: &Graph, method: AllPairsMethod) -> Result<Self, AllPairsError> {
        Self::find_watched(graph, method, &mut Watch::none())
    }

    /// As [`AllPairs::find`], with progress. Fails with [`AllPairsError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::graph::{AllPairs, AllPairsError, AllPairsMethod, Edge, Graph};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 2)])?;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let method = AllPairsMethod::RepeatedDijkstra;
    /// let stopped = AllPairs::find_watched(&graph, method, &mut Watch::new(&mut stop));
    /// assert_eq!(stopped.err(), Some(AllPairsError::Stopped));
    /// # Ok::<(), highroad::graph::GraphBuildError>(())
    /// ```
    pub fn find_watched(
        graph: &Graph,
        method: AllPairsMethod,
        watch: &mut Watch<'_>,
    ) -> Result<Self, AllPairsError> {
        match method {
            AllPairsMethod::FloydWarshall => {
                let mut run = FloydWarshall::new(graph)?;
                run.run_watched(watch)?;
                Self::of_matrix(graph, run)
            }
            AllPairsMethod::RepeatedDijkstra => {
                Self::check_size(graph)?;
                let view = graph.non_negative()?;
                let nodes = graph.node_count() as u32;
                let mut rows = Vec::with_capacity(graph.node_count());
                for from in 0..nodes {
                    watch.report(u64::from(from), u64::from(nodes))?;
                    rows.push(Self::row(view, NodeId(from)));
                }
                Self::of_rows(rows)
            }
        }
    }

    /// Checks that a table of this graph is not too large; fails with [`AllPairsError::TooManyNodes`].
    pub fn check_size(graph: &Graph) -> Result<(), AllPairsError> {
        let (nodes, nodes_max) = (graph.node_count(), Self::NODES_MAX);
        if nodes > nodes_max {
            return Err(AllPairsError::TooManyNodes { nodes, nodes_max });
        }
        Ok(())
    }

    /// The table of a finished run. Fails with the [negative cycle](AllPairsError::NegativeCycle) that ended it, if one did.
    pub fn of_matrix(graph: &Graph, run: FloydWarshall) -> Result<Self, AllPairsError> {
        match run.cycle(graph) {
            Some(cycle) => Err(AllPairsError::NegativeCycle(cycle)),
            None => Ok(Self(Table::Matrix(run))),
        }
    }

    /// One job of repeated searches: from one node to everywhere.
    pub fn row(graph: NonNegative<'_>, from: NodeId) -> TreeRow {
        let mut work = Workspace::default();
        // A node that is not there reaches nothing.
        if from.index() < graph.graph().node_count() {
            let explored = graph.explore(GraphSpace::along(graph), &[from], &mut work);
            if let Err(beyond) = explored {
                return TreeRow(Err(beyond));
            }
        }
        let nodes = (0..graph.graph().node_count() as u32).map(NodeId);
        let of = |node| match work.cost(node) {
            Some(cost) => (cost, work.parent(node).unwrap_or(node).0),
            None => (FAR, node.0),
        };
        TreeRow(Ok(nodes.map(of).collect()))
    }

    /// The table of the rows of all nodes, in their order. Fails with [`AllPairsError::TooCostly`] if a way costs more than
    /// searches count.
    pub fn of_rows(rows: impl IntoIterator<Item = TreeRow>) -> Result<Self, AllPairsError> {
        let rows: Vec<_> = rows.into_iter().map(|row| row.0).collect::<Result<_, TooCostly>>()?;
        Ok(Self(Table::Trees { nodes: rows.len(), rows }))
    }

    /// How it was found.
    pub fn method(&self) -> AllPairsMethod {
        match self.0 {
            Table::Matrix(_) => AllPairsMethod::FloydWarshall,
            Table::Trees { .. } => AllPairsMethod::RepeatedDijkstra,
        }
    }

    /// The least cost between two nodes; `None` where there is no way, or no such node.
    pub fn cost(&self, from: NodeId, to: NodeId) -> Option<i64> {
        match &self.0 {
            Table::Matrix(run) => run.cost(from, to),
            Table::Trees { rows, .. } => {
                let cost = rows.get(from.index())?.get(to.index())?.0;
                (cost != FAR).then_some(cost as i64)
            }
        }
    }

    /// The nodes of a shortest path.
    pub fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        match &self.0 {
            Table::Matrix(run) => run.path(from, to),
            Table::Trees { nodes, rows } => {
                self.cost(from, to)?;
                let row = &rows[from.index()];
                let mut path = vec![to];
                let mut at = to.0;
                while at != from.0 && path.len() <= *nodes {
                    at = row[at as usize].1;
                    path.push(NodeId(at));
                }
                path.reverse();
                Some(path)
            }
        }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        match &self.0 {
            Table::Matrix(run) => run.memory_bytes(),
            Table::Trees { rows, .. } => {
                rows.iter().map(|row| row.capacity() * size_of::<(u64, u32)>()).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{graphs, plain_distances, walked};
    use super::*;
    use crate::graph::Edge;
    use proptest::prelude::*;

    fn check(graph: &Graph, method: AllPairsMethod) -> Result<(), TestCaseError> {
        let cycle = super::super::negative_cycle(graph);
        let table = match AllPairs::find(graph, method) {
            Ok(table) => table,
            Err(AllPairsError::NegativeCycle(found)) => {
                prop_assert!(found.cost < 0 && cycle.is_some());
                return Ok(());
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        prop_assert_eq!(&cycle, &None);
        for from in (0..graph.node_count() as u32).map(NodeId) {
            let distances = plain_distances(graph, from);
            for to in (0..graph.node_count() as u32).map(NodeId) {
                prop_assert_eq!(table.cost(from, to), distances[to.index()]);
                let Some(path) = table.path(from, to) else { continue };
                prop_assert_eq!((path[0], path.last()), (from, Some(&to)));
                prop_assert_eq!(walked(graph, &path), table.cost(from, to));
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 700, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_matrix_is_right_whatever_the_signs(graph in graphs(-4..30)) {
            check(&graph, AllPairsMethod::FloydWarshall)?;
        }

        #[test]
        fn wide_numbers_are_right(graph in graphs(-4000..i32::MAX)) {
            check(&graph, AllPairsMethod::FloydWarshall)?;
        }

        #[test]
        fn repeated_searches_are_right(graph in graphs(0..30)) {
            check(&graph, AllPairsMethod::RepeatedDijkstra)?;
            check(&graph, AllPairsMethod::FloydWarshall)?;
        }

        #[test]
        fn many_negative_cycles_never_wrap(graph in graphs(-30..2)) {
            check(&graph, AllPairsMethod::FloydWarshall)?;
        }
    }

    /// A graph of several tiles, from a seed.
    fn large(nodes: u32, edges: usize, weights: std::ops::Range<i32>, seed: u64) -> Graph {
        let mut state = seed;
        let mut draw = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let width = (weights.end - weights.start) as u64;
        let edges: Vec<Edge> = (0..edges)
            .map(|_| {
                let (from, to) = (draw(u64::from(nodes)) as u32, draw(u64::from(nodes)) as u32);
                Edge::new(from, to, weights.start + draw(width) as i32)
            })
            .collect();
        Graph::from_edges(nodes as usize, &edges).unwrap()
    }

    #[test]
    fn several_tiles_give_what_repeated_searches_give() {
        for (nodes, edges) in [(64, 500), (65, 400), (200, 700), (130, 5000)] {
            let graph = large(nodes, edges, 0..1000, 7);
            let matrix = AllPairs::find(&graph, AllPairsMethod::FloydWarshall).unwrap();
            let trees = AllPairs::find(&graph, AllPairsMethod::RepeatedDijkstra).unwrap();
            for from in (0..nodes).map(NodeId) {
                for to in (0..nodes).map(NodeId) {
                    assert_eq!(matrix.cost(from, to), trees.cost(from, to));
                    let path = matrix.path(from, to);
                    assert_eq!(
                        path.as_ref().and_then(|path| walked(&graph, path)),
                        matrix.cost(from, to)
                    );
                }
            }
        }
    }

    #[test]
    fn negative_cycles_across_tiles_are_found() {
        let mut found = 0;
        for seed in 0..40 {
            let graph = large(200, 420, -40..100, seed);
            let expected = super::super::negative_cycle(&graph).is_some();
            let table = AllPairs::find(&graph, AllPairsMethod::FloydWarshall);
            assert_eq!(matches!(table, Err(AllPairsError::NegativeCycle(_))), expected);
            found += u32::from(expected);
        }
        assert!((1..40).contains(&found), "{found} of 40 have a cycle: choose other weights");
    }

    #[test]
    fn density_and_sign_decide() {
        use AllPairsMethod::{FloydWarshall, RepeatedDijkstra};
        assert_eq!(AllPairsMethod::for_graph(&large(2000, 6000, 0..9, 1)), RepeatedDijkstra);
        assert_eq!(AllPairsMethod::for_graph(&large(500, 50_000, 0..9, 1)), FloydWarshall);
        assert_eq!(AllPairsMethod::for_graph(&large(2000, 6000, -1..9, 1)), FloydWarshall);
        let beyond = Graph::from_edges(20_000, &[]).unwrap();
        let error = AllPairs::find(&beyond, FloydWarshall).err();
        assert_eq!(error, Some(AllPairsError::TooManyNodes { nodes: 20_000, nodes_max: 16_384 }));
    }
}
