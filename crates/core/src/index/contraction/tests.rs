//! Hierarchies of random graphs against a plain search.

use super::*;
use crate::environment::{Cost, NodeId};
use crate::graph::Graph;
use crate::graph::tests::{graphs, plain_distances};
use crate::index::GraphHierarchy;
use crate::online::tests::check_all_pairs;
use crate::planner::Scratch;
use proptest::prelude::*;

fn edges_of(graph: &Graph) -> Vec<CheckedEdge> {
    CheckedEdge::check(&graph.edges().collect::<Vec<_>>()).unwrap()
}

/// Distances one by one and in tables, in one turn and in many, against plain ones.
fn check_distances(graph: &Graph, hierarchy: &GraphHierarchy) -> Result<(), TestCaseError> {
    let nodes: Vec<NodeId> = (0..graph.node_count() as u32).map(NodeId).collect();
    // Some twice, and in another order.
    let targets: Vec<NodeId> = nodes.iter().rev().chain(&nodes[..1]).copied().collect();
    let mut scratch = Scratch::new();
    let table = hierarchy.distance_table(graph, &nodes, &targets, &mut scratch).unwrap();
    let inner = hierarchy.hierarchy();
    let ranks = |nodes: &[NodeId]| nodes.iter().map(|n| inner.rank_of(n.0)).collect::<Vec<_>>();
    let (mut memory, mut in_turns) = (TableMemory::default(), vec![0; nodes.len() * targets.len()]);
    inner.fill_table_in_turns(&ranks(&nodes), &ranks(&targets), 5, &mut memory, &mut in_turns);
    let mut in_turns = in_turns.into_iter();
    for (row, &from) in nodes.iter().enumerate() {
        let distances = plain_distances(graph, from);
        for (column, &to) in targets.iter().enumerate() {
            let expected = distances[to.index()].map(|cost| Cost(cost as u64));
            prop_assert_eq!(table.cost(row, column), expected);
            prop_assert_eq!(in_turns.next(), Some(expected.map_or(u64::MAX, |cost| cost.0)));
            let single = hierarchy.distance(graph, from, to, &mut scratch).unwrap();
            prop_assert_eq!(single, expected);
        }
    }
    Ok(())
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
        check_distances(&graph, &hierarchy)?;
    }

    /// From a core of all nodes to one of few.
    #[test]
    fn routes_through_a_core_are_shortest(graph in graphs(0..20), degree_max in 0usize..5) {
        let rule = CoreRule { edges_min: 0, degree_max };
        let edges = edges_of(&graph);
        let contracted = contract(graph.node_count(), &edges, rule, &mut Watch::none());
        let hierarchy = ContractionHierarchy::of(contracted.unwrap());
        let hierarchy = GraphHierarchy::of(hierarchy, &graph);
        check_all_pairs(&graph, &hierarchy)?;
        check_distances(&graph, &hierarchy)?;
    }
}

#[test]
fn a_graph_without_separators_keeps_a_core() {
    // Every node has eight edges to nodes all over the graph.
    let nodes = 20_000u32;
    let to = |from: u32, edge: u32| (from * 30_011 + (edge + 1) * 4_057) % nodes;
    let edges: Vec<Edge> = (0..nodes)
        .flat_map(|from| (0..8).map(move |edge| Edge::new(from, to(from, edge), 1 + edge as i32)))
        .collect();
    let hierarchy = ContractionHierarchy::build(nodes as usize, &edges).unwrap();
    assert!((100..nodes as usize).contains(&hierarchy.core_count()), "{}", hierarchy.core_count());
    assert!(hierarchy.edge_count() < 4 * edges.len(), "{}", hierarchy.edge_count());
}

#[test]
fn what_cannot_be_contracted_says_why() {
    let edge = Edge::new;
    let error = |nodes, edges: &[Edge]| match ContractionHierarchy::build(nodes, edges) {
        Err(BuildError::NotServed(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let missing = GraphError::NoSuchNode { edge: 1, from: 0, to: 7, nodes: 2 };
    assert_eq!(error(2, &[edge(0, 1, 1), edge(0, 7, 1)]), missing.to_string());
    let too_many = GraphError::TooManyNodes { nodes: 1 << 25 };
    assert_eq!(error(1 << 25, &[]), too_many.to_string());
    let negative = error(2, &[edge(0, 1, 1), edge(1, 0, -3)]);
    assert_eq!(negative, "edge 1 from 1 to 0 has the negative weight -3");
    let costly = [edge(0, 1, i32::MAX), edge(1, 2, i32::MAX)];
    let many: Vec<_> = (0..600).map(|from| edge(from, from + 1, i32::MAX)).collect();
    assert_eq!(
        error(601, &many),
        GraphError::TooCostly.to_string(),
        "600 such edges make more than 2⁴⁰"
    );
    assert!(ContractionHierarchy::build(3, &costly).is_ok());
}

#[test]
fn an_empty_graph_has_an_empty_hierarchy() {
    let graph = Graph::from_edges(0, &[]).unwrap();
    assert_eq!(GraphHierarchy::build(&graph).unwrap().hierarchy().node_count(), 0);
}
