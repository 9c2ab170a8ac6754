//! Grids, graphs and meshes as environments that can be searched at once, as they are or changed for one query.

use super::map_path::online_search;
use super::mesh::{AnyAngle, Funnel};
use super::search::GraphSearch;
use crate::environment::{Environment, NodeId};
use crate::graph::{Graph, GraphRefusal};
use crate::grid::{Cell, CellRefusal, Grid};
use crate::mesh::{Mesh, MeshPoint, MeshRefusal};
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

impl Searchable for Mesh {
    /// The any-angle search; where areas cost more than other ground, the funnel, which is near optimal there: no search for
    /// cheapest paths is exact.
    fn exact_search(&self) -> &'static dyn Planner<Self> {
        if self.has_costs() { &Funnel } else { &AnyAngle }
    }

    /// A point has no extent: what is left out are the polygons that it lies in.
    fn excluding(&self, points: &[MeshPoint]) -> Self {
        let polygons: Vec<u32> = points.iter().flat_map(|&point| self.polygons_at(point)).collect();
        self.without(&polygons)
    }

    /// The same mesh: which ground lies near a way is not known.
    fn discouraging(&self, _way: &[MeshPoint], _margin: u32) -> Self {
        self.clone()
    }

    fn around(&self, way: &[MeshPoint], _margin: u32) -> Vec<MeshPoint> {
        let mut points = way.to_vec();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Every point exists, on the mesh or beside it.
    fn check_exists(&self, _point: MeshPoint) -> Result<(), MeshRefusal> {
        Ok(())
    }

    /// The point itself, or that of the mesh nearest to it.
    fn add_beside(&self, point: MeshPoint, into: &mut Vec<MeshPoint>) {
        into.extend(self.nearest_point(point));
    }

    fn nearest_places(
        &self,
        starts: &[MeshPoint],
        goals: &[MeshPoint],
        reachable: bool,
    ) -> Vec<MeshPoint> {
        let mut parts: Vec<u32> = starts
            .iter()
            .flat_map(|&start| self.polygons_at(start))
            .map(|polygon| self.shape().parts[polygon as usize])
            .collect();
        let shape = self.shape();
        self.ways().add_reached_parts(shape, &mut parts);
        let wanted = |polygon: u32| !reachable || parts.contains(&shape.parts[polygon as usize]);
        let near = |goal: &MeshPoint| {
            let point = shape.nearest_point(*goal, wanted)?;
            Some((crate::mesh::distance(point.xy(), goal.xy()), point))
        };
        let nearest = goals.iter().filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, point)| point).or(starts.first().copied()).into_iter().collect()
    }
}
