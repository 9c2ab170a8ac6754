//! Graphs that are part of the program.

use highroad::graph::Graph;
use highroad_lab::graphs::{RoadRecipe, TeachingFormat, lecture, read_teaching};

/// A graph that is part of the program.
pub struct BuiltinGraph {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub summary: &'static str,
    make: fn() -> Graph,
}

impl BuiltinGraph {
    /// The graph.
    pub fn load(&self) -> Graph {
        (self.make)()
    }

    /// The graph of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTIN_GRAPHS.iter().find(|builtin| builtin.name == name)
    }
}

/// Graphs that are part of the program, the one to begin with first.
pub static BUILTIN_GRAPHS: &[BuiltinGraph] = &[
    BuiltinGraph {
        name: "lecture",
        summary: "ten nodes, with the lecture's tables of Dijkstra's algorithm and A*",
        make: lecture,
    },
    BuiltinGraph {
        name: "one way",
        summary: "edges with a direction, and a detour that is cheaper than the direct way",
        make: || teaching(ONE_WAY),
    },
    BuiltinGraph {
        name: "two towns",
        summary: "two towns that one bridge joins: searches from both ends meet there",
        make: || teaching(TWO_TOWNS),
    },
    BuiltinGraph {
        name: "roads",
        summary: "a network of 300 crossings with quicker main roads",
        make: || roads(300),
    },
];

const ONE_WAY: &str = include_str!("../../graphs/one-way.toml");
const TWO_TOWNS: &str = include_str!("../../graphs/two-towns.toml");

fn teaching(text: &str) -> Graph {
    read_teaching(text, TeachingFormat::Toml).expect("built-in graphs are read by the tests")
}

fn roads(nodes: u32) -> Graph {
    RoadRecipe { nodes, seed: 3 }.generate().expect("so few roads can be made")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{EDGES_MAX, NODES_MAX};

    #[test]
    fn every_built_in_graph_can_be_drawn_and_has_places() {
        for builtin in BUILTIN_GRAPHS {
            let graph = builtin.load();
            assert!((2..=NODES_MAX).contains(&graph.node_count()), "{}", builtin.name);
            assert!(graph.edge_count() <= EDGES_MAX && graph.positions().is_some());
            assert!(BuiltinGraph::find(builtin.name).is_some());
        }
        assert!(BuiltinGraph::find("no such graph").is_none());
    }
}
