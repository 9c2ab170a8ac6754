//! Grids and graphs as environments that can be searched at once, as they are or changed for one query.

use super::map_path::online_search;
use super::search::GraphSearch;
use crate::environment::{Environment, NodeId};
use crate::graph::{Graph, GraphRefusal};
use crate::grid::{Cell, CellRefusal, Grid};
use crate::planner::{Planner, Searchable};

impl Searchable for Grid {
    /// A* over jump points where the grid allows it, else A* over cells.
    fn exact_search(&self) -> &'static dyn Planner {
        online_search(self)
    }

    fn excluding(&self, cells: &[Cell]) -> Self {
        self.without(cells)
    }

    fn discouraging(&self, way: &[Cell], margin: u32) -> Self {
        Self::discouraging(self, way, margin)
    }

    fn around(&self, way: &[Cell], margin: u32) -> Vec<Cell> {
        Self::around(self, way, margin)
    }

    fn check_exists(&self, cell: Cell) -> Result<(), CellRefusal> {
        let extent = self.extent();
        if extent.contains(cell) { Ok(()) } else { Err(CellRefusal::Outside { cell, extent }) }
    }

    fn add_beside(&self, cell: Cell, into: &mut Vec<Cell>) {
        into.extend(self.beside(cell));
    }

    fn nearest_places(&self, starts: &[Cell], goals: &[Cell], reachable: bool) -> Vec<Cell> {
        self.nearest_cells(starts, goals, reachable)
    }
}

impl Searchable for Graph {
    fn exact_search(&self) -> &'static dyn Planner<Self> {
        static DIJKSTRA: GraphSearch = GraphSearch::dijkstra();
        &DIJKSTRA
    }

    fn excluding(&self, nodes: &[NodeId]) -> Self {
        self.without(nodes)
    }

    /// Only the edges along the way: nothing says which others lie near it.
    fn discouraging(&self, way: &[NodeId], _margin: u32) -> Self {
        Self::discouraging(self, way)
    }

    fn around(&self, way: &[NodeId], _margin: u32) -> Vec<NodeId> {
        let mut nodes = way.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn check_exists(&self, node: NodeId) -> Result<(), GraphRefusal> {
        let nodes = self.node_count();
        if node.index() < nodes { Ok(()) } else { Err(GraphRefusal::NoSuchNode { node, nodes }) }
    }

    /// The nodes that an edge leads to it from.
    fn add_beside(&self, node: NodeId, into: &mut Vec<NodeId>) {
        let before = self.incoming().of(node).map(|(from, _)| from);
        into.extend(before.filter(|&from| from != node && self.check_place(from).is_ok()));
    }

    /// Nothing says which node is nearer: the first start.
    fn nearest_places(&self, starts: &[NodeId], _: &[NodeId], _: bool) -> Vec<NodeId> {
        starts.iter().copied().take(1).collect()
    }
}
