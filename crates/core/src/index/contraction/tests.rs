//! Hierarchies of random graphs against a plain search.

use super::*;
use crate::graph::Graph;
use crate::graph::tests::graphs;
use crate::index::GraphHierarchy;
use crate::online::tests::check_all_pairs;
use proptest::prelude::*;

fn edges_of(graph: &Graph) -> Vec<GraphEdge> {
    let edges = graph.edges();
    edges
        .map(|edge| GraphEdge { from: edge.from.0, to: edge.to.0, weight: edge.weight as u32 })
        .collect()
}

proptest! {
    #[test]
    fn routes_are_shortest_and_made_of_edges(graph in graphs(0..20)) {
        let hierarchy = GraphHierarchy::build(&graph).unwrap();
        prop_assert_eq!(hierarchy.hierarchy().core_count(), 0);
        check_all_pairs(&graph, &hierarchy)?;
        let loaded = GraphHierarchy::load(&hierarchy.save(), &graph).unwrap();
        prop_assert_eq!(loaded.hierarchy(), hierarchy.hierarchy());
        check_all_pairs(&graph, &loaded)?;
    }

    /// From a core of all nodes to one of few.
    #[test]
    fn routes_through_a_core_are_shortest(graph in graphs(0..20), degree_max in 0usize..5) {
        let rule = CoreRule { edges_min: 0, degree_max };
        let edges = edges_of(&graph);
        let contracted = contract(graph.node_count(), &edges, rule, &mut Watch::none());
        let hierarchy = ContractionHierarchy::of(contracted.unwrap());
        check_all_pairs(&graph, &GraphHierarchy::of(hierarchy, &graph))?;
    }
}

#[test]
fn a_graph_without_separators_keeps_a_core() {
    // Every node has eight edges to nodes all over the graph.
    let nodes = 20_000u32;
    let to = |from: u32, edge: u32| (from * 30_011 + (edge + 1) * 4_057) % nodes;
    let edges: Vec<GraphEdge> = (0..nodes)
        .flat_map(|from| {
            (0..8).map(move |edge| GraphEdge { from, to: to(from, edge), weight: 1 + edge })
        })
        .collect();
    let hierarchy = ContractionHierarchy::build(nodes as usize, &edges).unwrap();
    assert!((100..nodes as usize).contains(&hierarchy.core_count()), "{}", hierarchy.core_count());
    assert!(hierarchy.edge_count() < 4 * edges.len(), "{}", hierarchy.edge_count());
}

#[test]
fn what_cannot_be_contracted_says_why() {
    let edge = |from, to, weight| GraphEdge { from, to, weight };
    let error = |nodes, edges: &[GraphEdge]| match ContractionHierarchy::build(nodes, edges) {
        Err(BuildError::NotServed(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let missing = GraphError::NoSuchNode { edge: 1, from: 0, to: 7, nodes: 2 };
    assert_eq!(error(2, &[edge(0, 1, 1), edge(0, 7, 1)]), missing.to_string());
    let too_many = GraphError::TooManyNodes { nodes: 1 << 25 };
    assert_eq!(error(1 << 25, &[]), too_many.to_string());
    let dear = [edge(0, 1, u32::MAX), edge(1, 2, u32::MAX)];
    let many: Vec<_> = (0..300).map(|from| edge(from, from + 1, u32::MAX)).collect();
    assert_eq!(
        error(301, &many),
        GraphError::TooDear.to_string(),
        "300 such edges make more than 2⁴⁰"
    );
    assert!(ContractionHierarchy::build(3, &dear).is_ok());
}

#[test]
fn an_empty_graph_has_an_empty_hierarchy() {
    let graph = Graph::from_edges(0, &[]).unwrap();
    assert_eq!(GraphHierarchy::build(&graph).unwrap().hierarchy().node_count(), 0);
}
