//! The model of a graph: rows of edges, and Dijkstra with a heap on them.

use super::model::{Distances, Model};
use super::program::{Edit, GraphSetting};
use highroad::PathWorld;
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBatch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whether a node is there, and its edges: head, weight, whether closed.
type Row = (bool, Vec<(u32, i32, bool)>);

/// A graph: one row a node.
#[derive(Clone)]
pub(super) struct GraphModel {
    rows: Vec<Row>,
    /// Where the nodes of the beginning lie; those that are added later lie at one place.
    positions: Vec<(i32, i32)>,
}

impl GraphModel {
    pub(super) fn new(setting: &GraphSetting) -> Self {
        let mut rows = vec![(true, Vec::new()); setting.nodes as usize];
        for &(from, to, weight) in &setting.edges {
            if to < setting.nodes
                && let Some(row) = rows.get_mut(from as usize)
            {
                row.1.push((to, weight, false));
            }
        }
        Self { rows, positions: setting.positions.clone() }
    }

    pub(super) fn graph(&self) -> Result<Graph, String> {
        let graph = Graph::from_edges(self.rows.len(), &self.edges(false));
        let graph = graph.map_err(|e| e.to_string())?;
        if self.positions.is_empty() {
            return Ok(graph);
        }
        let position = |&(x, y): &(i32, i32)| [f64::from(x), f64::from(y), 0.0];
        let positions = self.positions.iter().map(position).collect();
        graph.with_positions(positions).map_err(|e| e.to_string())
    }

    fn is_node(&self, node: u32) -> bool {
        self.rows.get(node as usize).is_some_and(|row| row.0)
    }

    fn edges(&self, closed: bool) -> Vec<Edge> {
        let row = |(from, row): (u32, &Row)| {
            let edges = row.1.iter().filter(|edge| edge.2 == closed);
            edges.map(|edge| Edge::new(from, edge.0, edge.1)).collect::<Vec<_>>()
        };
        (0..).zip(&self.rows).flat_map(row).collect()
    }

    fn make(&mut self, edit: &Edit) -> bool {
        let (from, to) = match *edit {
            Edit::Weight(from, to, _)
            | Edit::Close(from, to)
            | Edit::Open(from, to)
            | Edit::AddEdge(from, to, _)
            | Edit::RemoveEdge(from, to) => (from, to),
            Edit::RemoveNode(node) => (node, node),
            Edit::AddNode => {
                self.rows.push((true, Vec::new()));
                return true;
            }
            _ => return true,
        };
        if !self.is_node(from) || !self.is_node(to) {
            return false;
        }
        let row = &mut self.rows[from as usize].1;
        let there = row.iter().any(|edge| edge.0 == to);
        let between = row.iter_mut().filter(|edge| edge.0 == to);
        match *edit {
            Edit::Weight(_, _, weight) => between.for_each(|edge| edge.1 = weight),
            Edit::Close(..) => between.for_each(|edge| edge.2 = true),
            Edit::Open(..) => between.for_each(|edge| edge.2 = false),
            Edit::RemoveEdge(..) => row.retain(|edge| edge.0 != to),
            Edit::AddEdge(_, _, weight) => {
                row.push((to, weight, false));
                return true;
            }
            _ => {
                self.rows[from as usize] = (false, Vec::new());
                self.rows.iter_mut().for_each(|row| row.1.retain(|edge| edge.0 != from));
                return true;
            }
        }
        there
    }
}

impl Model for GraphModel {
    type World = Graph;

    fn place(&self, number: u32) -> NodeId {
        NodeId(number)
    }

    fn batch(&self, edits: &[Edit]) -> GraphBatch {
        let mut batch = GraphBatch::new();
        let id = NodeId;
        for edit in edits {
            match *edit {
                Edit::Weight(from, to, weight) => batch.set_weight(id(from), id(to), weight),
                Edit::Close(from, to) => batch.close(id(from), id(to)),
                Edit::Open(from, to) => batch.open(id(from), id(to)),
                Edit::AddEdge(from, to, weight) => batch.add_edge(id(from), id(to), weight),
                Edit::RemoveEdge(from, to) => batch.remove_edge(id(from), id(to)),
                Edit::AddNode => {
                    let placed = !self.positions.is_empty();
                    batch.add_node(placed.then_some([7.0, 7.0, 0.0]))
                }
                Edit::RemoveNode(node) => batch.remove_node(id(node)),
                _ => &mut batch,
            };
        }
        batch
    }

    fn apply(&mut self, edits: &[Edit]) -> bool {
        let mut changed = self.clone();
        let fits = edits.iter().all(|edit| changed.make(edit));
        if fits {
            *self = changed;
        }
        fits
    }

    fn may_stand(&self, _kind: u16, place: NodeId) -> bool {
        self.is_node(place.0)
    }

    fn distances(&self, _kind: u16, starts: &[NodeId]) -> Distances<NodeId> {
        let mut distances = Distances::new();
        let mut open: BinaryHeap<_> = starts.iter().map(|&start| Reverse((0, start))).collect();
        while let Some(Reverse((distance, node))) = open.pop() {
            if distances.contains_key(&node) {
                continue;
            }
            distances.insert(node, distance);
            for &(to, weight, closed) in &self.rows[node.index()].1 {
                if !closed {
                    open.push(Reverse((distance + weight as u64, NodeId(to))));
                }
            }
        }
        distances
    }

    fn walk(&self, _kind: u16, places: &[NodeId]) -> Option<u64> {
        self.rows.get(places.first()?.index()).filter(|row| row.0)?;
        places.windows(2).try_fold(0, |sum, step| {
            let edges = self.rows.get(step[0].index())?.1.iter();
            let open = edges.filter(|edge| edge.0 == step[1].0 && !edge.2);
            Some(sum + open.map(|edge| edge.1 as u64).min()?)
        })
    }

    fn remoteness(&self, _place: NodeId, _goals: &[NodeId]) -> Option<u64> {
        None
    }

    fn exists(&self, place: NodeId) -> bool {
        place.index() < self.rows.len()
    }

    fn without(&self, places: &[NodeId]) -> Self {
        let mut blocked = self.clone();
        for place in places {
            // One that is not there any more cannot be removed, and need not be.
            blocked.make(&Edit::RemoveNode(place.0));
        }
        blocked
    }

    fn covers(&self, _kind: u16, at: NodeId, place: NodeId) -> bool {
        at == place
    }

    fn beside(&self, _kind: u16, place: NodeId) -> Vec<NodeId> {
        let leads = |row: &Row| row.1.iter().any(|edge| edge.0 == place.0 && !edge.2);
        let before = (0..).zip(&self.rows).filter(|(from, row)| *from != place.0 && leads(row));
        before.map(|(from, _)| NodeId(from)).collect()
    }

    fn is_near(&self, one: NodeId, other: NodeId, _margin: u32) -> bool {
        one == other
    }

    fn kinds(&self) -> u16 {
        1
    }

    fn compare(&self, world: &PathWorld<Graph>) -> Result<(), String> {
        let graph = world.environment();
        if !graph.edges().eq(self.edges(false)) || !graph.closed_edges().eq(self.edges(true)) {
            return Err("the edges are not those of the model".to_owned());
        }
        match graph.node_count() == self.rows.len() {
            true => Ok(()),
            false => Err(format!("{} nodes instead of {}", graph.node_count(), self.rows.len())),
        }
    }
}
