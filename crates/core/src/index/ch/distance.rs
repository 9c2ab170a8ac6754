//! Distances on a graph without paths: one to one, and many to many.

use super::graph::{GraphHierarchy, GraphHierarchyMemory, NO_ESTIMATES};
use crate::environment::{Cost, End, Environment, NodeId};
use crate::graph::{Graph, GraphRefusal};
use crate::index::{DistanceTable, TableError};
use crate::planner::{QueryError, Scratch, check_places};
use crate::search::{Limits, NoTrace, Run, Side, TraceEvent, TraceKind};

impl GraphHierarchy {
    /// What the cheapest path costs; `None` if there is none. Searches as a query does, a few hundred nodes on a road
    /// network, and puts no path together.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph};
    /// use highroad::index::GraphHierarchy;
    /// use highroad::Cost;
    /// use highroad::environment::NodeId;
    /// use highroad::planner::Scratch;
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 2), Edge::new(1, 2, 2), Edge::new(0, 2, 5)])?;
    /// let hierarchy = GraphHierarchy::build(&graph)?;
    /// let mut scratch = Scratch::new();
    /// assert_eq!(hierarchy.distance(&graph, NodeId(0), NodeId(2), &mut scratch)?, Some(Cost(4)));
    /// assert_eq!(hierarchy.distance(&graph, NodeId(2), NodeId(0), &mut scratch)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails with a [`QueryError`] if a node is not there, or if the graph was edited since the hierarchy was built.
    pub fn distance(
        &self,
        graph: &Graph,
        from: NodeId,
        to: NodeId,
        scratch: &mut Scratch,
    ) -> Result<Option<Cost>, QueryError<GraphRefusal>> {
        let climb = &mut self.check(graph, &[from], &[to], scratch)?.climb;
        climb.begin(self.hierarchy.node_count());
        for (side, node) in [from, to].into_iter().enumerate() {
            climb.seed(side, self.hierarchy.rank_of(node.0), 0, 0, &NO_ESTIMATES);
        }
        let mut run = Run::new(Limits::default());
        let event = |kind: TraceKind, _| TraceEvent {
            kind,
            node: from,
            parent: from,
            g: 0,
            h: 0,
            side: Side::Forward,
        };
        self.hierarchy.climb(climb, &NO_ESTIMATES, &mut run, u64::MAX, event, &mut NoTrace);
        Ok(climb.best().map(Cost))
    }

    /// What the cheapest paths from each node to each of others cost, by buckets: one search up the hierarchy for each
    /// node of either list instead of one for each pair. On a road network that is O(|from| · |to|) with a small
    /// factor, and a search of a few hundred nodes for each of |from| + |to|.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph};
    /// use highroad::index::GraphHierarchy;
    /// use highroad::Cost;
    /// use highroad::environment::NodeId;
    /// use highroad::planner::Scratch;
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 2), Edge::new(1, 2, 2), Edge::new(0, 2, 5)])?;
    /// let hierarchy = GraphHierarchy::build(&graph)?;
    /// let nodes = [0, 1, 2].map(NodeId);
    /// let table = hierarchy.distance_table(&graph, &nodes, &nodes, &mut Scratch::new())?;
    /// assert_eq!((table.cost(0, 2), table.cost(1, 1)), (Some(Cost(4)), Some(Cost(0))));
    /// assert_eq!(table.cost(2, 0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails with a [`TableError`] for the same reasons as [`GraphHierarchy::distance`], and if the table would hold more than
    /// [`DistanceTable::COSTS_MAX`] costs.
    pub fn distance_table(
        &self,
        graph: &Graph,
        from: &[NodeId],
        to: &[NodeId],
        scratch: &mut Scratch,
    ) -> Result<DistanceTable, TableError<GraphRefusal>> {
        let own = self.check(graph, from, to, scratch)?;
        let (starts, goals) = (from.len(), to.len());
        let count = starts.checked_mul(goals).filter(|&count| count <= DistanceTable::COSTS_MAX);
        let count = count.ok_or(TableError::TooLarge { starts, goals })?;
        let ranks = |nodes: &[NodeId]| -> Vec<u32> {
            nodes.iter().map(|node| self.hierarchy.rank_of(node.0)).collect()
        };
        let mut costs = vec![DistanceTable::NO_PATH; count];
        self.hierarchy.fill_table(&ranks(from), &ranks(to), &mut own.table, &mut costs);
        Ok(DistanceTable::of(goals, costs))
    }

    /// Checks the ends of a query, and gives the memory to answer it in.
    fn check<'s>(
        &self,
        graph: &Graph,
        from: &[NodeId],
        to: &[NodeId],
        scratch: &'s mut Scratch,
    ) -> Result<&'s mut GraphHierarchyMemory, QueryError<GraphRefusal>> {
        if self.graph != graph.edition() {
            return Err(QueryError::Stale);
        }
        check_places(graph, End::Start, from)?;
        check_places(graph, End::Goal, to)?;
        Ok(scratch.memory_of(self))
    }
}
