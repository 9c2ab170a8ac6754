//! Graphs in saved worlds: every edge in its place, closed ones and removed nodes included.

use super::adjacency::Slot;
use super::{Edge, EdgeChange, EdgeState, Graph, GraphRefusal, NegativeEdge, Position, TooCostly};
use crate::environment::{NodeId, Revision};
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum, encoded_struct};
use std::sync::Arc;

encoded_struct!(Edge { from: from, to: to, weight: weight });
encoded_struct!(EdgeState { weight: weight, closed: closed });
encoded_struct!(NegativeEdge { number: number, edge: edge });
encoded_enum!(EdgeChange, "changes" {
    0 => Edge { from: from, to: to, place: place, before: before, after: after },
    1 => NodeAdded { node: node, position: position, restored: restored },
    2 => NodeRemoved { node: node, position: position },
});
encoded_enum!(GraphRefusal, "refusals" {
    0 => NoSuchNode { node: node, nodes: nodes },
    1 => Removed { node: node },
    2 => NoSource {},
    3 => Negative { 0: edge },
    4 => TooCostly { 0: reason },
});

impl Encode for TooCostly {
    fn write(&self, _writer: &mut Writer) {}

    fn read(_reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self)
    }
}

impl Graph {
    /// Writes the graph.
    #[doc(hidden)]
    pub fn write(&self, writer: &mut Writer) {
        let nodes = || (0..self.node_count() as u32).map(NodeId);
        nodes().map(|node| self.outgoing.is_removed(node)).collect::<Vec<bool>>().write(writer);
        let rows = nodes().flat_map(|from| self.outgoing.row(from).map(move |slot| (from, slot)));
        let edges: Vec<(Edge, bool)> = rows
            .map(|(from, Slot { to, weight, closed })| (Edge { from, to, weight }, closed))
            .collect();
        edges.write(writer);
        self.positions.as_deref().cloned().write(writer);
        self.names.to_vec().write(writer);
        self.revision.write(writer);
    }

    /// Reads what [`Graph::write`] has written, in memory in proportion to the bytes.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let removed = Vec::<bool>::read(reader)?;
        let edges = Vec::<(Edge, bool)>::read(reader)?;
        let positions = Option::<Vec<Position>>::read(reader)?;
        let names = Vec::<String>::read(reader)?;
        let revision = Revision::read(reader)?;
        let inside = |node: NodeId| node.index() < removed.len() && !removed[node.index()];
        let sound = edges.is_sorted_by_key(|(edge, _)| edge.from)
            && edges.iter().all(|(edge, _)| inside(edge.from) && inside(edge.to));
        if !sound {
            return Err(reader.malformed("edges"));
        }
        let open: Vec<Edge> =
            edges.iter().filter(|(_, closed)| !closed).map(|&(edge, _)| edge).collect();
        let mut graph =
            Self::from_edges(removed.len(), &open).map_err(|_| reader.malformed("edges"))?;
        let (mut from, mut place) = (NodeId(0), 0);
        for (edge, closed) in edges {
            if edge.from != from {
                (from, place) = (edge.from, 0);
            }
            if closed {
                let slot = Slot { to: edge.to, weight: edge.weight, closed };
                graph.outgoing.insert(from, place, slot);
            }
            place += 1;
        }
        for (node, _) in (0..).map(NodeId).zip(&removed).filter(|(_, removed)| **removed) {
            graph.outgoing.set_removed(node, true);
        }
        if let Some(positions) = positions {
            graph = graph.with_positions(positions).map_err(|_| reader.malformed("positions"))?;
        }
        if !names.is_empty() && names.len() != removed.len() {
            return Err(reader.malformed("names"));
        }
        graph.names = Arc::new(names);
        graph.revision = revision;
        Ok(graph)
    }
}
