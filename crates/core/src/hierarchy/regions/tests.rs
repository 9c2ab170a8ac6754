//! Regions on random graphs: a path exactly when there is one, made of edges, at least as dear as the
//! shortest, and on graphs that go both ways without ever falling back.

use super::super::tests::{graphs, plain_distances, walked};
use super::*;
use crate::graph::NoGuide;
use proptest::prelude::*;

fn options(levels: u32, table: bool, refinement: Refinement) -> Vec<RegionOptions> {
    ConnectionCost::ALL
        .iter()
        .map(|&connection| RegionOptions {
            connection,
            refinement,
            table,
            levels,
            regions_grouped: 2,
        })
        .collect()
}

fn check(graph: &Graph, options: RegionOptions, two_way: bool) -> Result<(), TestCaseError> {
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let partition = Partition::compute(graph, 4);
    let regions = Regions::build(view, partition, options, &mut scratch).unwrap();
    for start in (0..graph.node_count() as u32).map(NodeId) {
        let distances = plain_distances(graph, start);
        for goal in (0..graph.node_count() as u32).map(NodeId) {
            let answer = regions.find(view, start, goal, &mut scratch).unwrap();
            let cost = answer.path.as_ref().map(|path| path.cost as i64);
            prop_assert_eq!(cost.is_some(), distances[goal.index()].is_some());
            let Some(path) = answer.path else { continue };
            prop_assert!(cost >= distances[goal.index()]);
            prop_assert_eq!((path.nodes[0], path.nodes.last()), (start, Some(&goal)));
            prop_assert_eq!(walked(graph, &path.nodes), cost);
            prop_assert!(!(two_way && answer.effort.fell_back), "{:?}", answer.route);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_path_is_found_exactly_when_there_is_one(graph in graphs(0..30)) {
        for refinement in [Refinement::Legs, Refinement::Corridor] {
            for (levels, table) in [(1, false), (1, true), (3, false), (2, true)] {
                for options in options(levels, table, refinement) {
                    check(&graph, options, false)?;
                }
            }
        }
    }

    #[test]
    fn where_edges_go_both_ways_no_corridor_is_a_dead_end(graph in graphs(0..30)) {
        let edges: Vec<Edge> = graph.edges().flat_map(|edge| [edge, edge.reversed()]).collect();
        let graph = Graph::from_edges(graph.node_count(), &edges).unwrap();
        for refinement in [Refinement::Legs, Refinement::Corridor] {
            for (levels, table) in [(1, true), (2, false)] {
                for options in options(levels, table, refinement) {
                    check(&graph, options, true)?;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_all_entrances_paths_are_shortest_and_with_few_they_are_paths(graph in graphs(0..30)) {
        let view = graph.non_negative().unwrap();
        let mut scratch = GraphScratch::new();
        for per_pair in [None, Some(1), Some(2)] {
            let partition = Partition::compute(&graph, 5);
            let entrances = EntranceGraph::build(view, partition, per_pair, &mut scratch).unwrap();
            for start in (0..graph.node_count() as u32).map(NodeId) {
                let distances = plain_distances(&graph, start);
                for goal in (0..graph.node_count() as u32).map(NodeId) {
                    let guide = NoGuide;
                    let answer = entrances.find(view, start, goal, &guide, &mut scratch).unwrap();
                    let cost = answer.path.as_ref().map(|path| path.cost as i64);
                    let shortest = distances[goal.index()];
                    prop_assert_eq!(cost.is_some(), shortest.is_some());
                    prop_assert!(cost >= shortest);
                    if per_pair.is_none() {
                        prop_assert_eq!(cost, shortest);
                        prop_assert!(cost.is_none() || !answer.effort.fell_back);
                    }
                    let Some(path) = answer.path else { continue };
                    prop_assert_eq!((path.nodes[0], path.nodes.last()), (start, Some(&goal)));
                    prop_assert_eq!(walked(&graph, &path.nodes), cost);
                }
            }
        }
    }
}

/// The lecture's picture of why a connection has no single cost: group C (1) is entered from A (0) far from
/// the way out to D (3), and from B (2) close to it.
fn crossroads() -> (Graph, Partition) {
    let both = |from, to, weight| [Edge::new(from, to, weight), Edge::new(to, from, weight)];
    let edges: Vec<Edge> = [
        both(0, 1, 1), // A to C at node 1
        both(1, 2, 2),
        both(2, 3, 2), // node 3 leads out to D, node 5
        both(3, 5, 1),
        both(3, 4, 1), // node 4 is entered from B, node 6
        both(4, 6, 1),
    ]
    .concat();
    let graph = Graph::from_edges(7, &edges).unwrap();
    let regions = Partition::given(&graph, vec![0, 1, 1, 1, 1, 3, 2]).unwrap();
    (graph, regions)
}

#[test]
fn connection_costs_are_optimistic_pessimistic_or_between() {
    let (graph, partition) = crossroads();
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let mut cost = |connection| {
        let edges = connections::edges(view, &partition, connection, &mut scratch);
        let found = edges.iter().find(|edge| (edge.from.0, edge.to.0) == (1, 3)).copied();
        found.map(|edge| edge.weight)
    };
    assert_eq!(cost(ConnectionCost::Minimum), Some(1));
    // From node 1: 4 and the edge out; from node 4: 1 and the edge out; from node 3 itself: the edge.
    assert_eq!(cost(ConnectionCost::Maximin), Some(5));
    assert_eq!(cost(ConnectionCost::AverageMinimum), Some((5 + 2 + 1) / 3));
}

#[test]
fn costs_given_by_hand_decide_the_route() {
    // Two ways from region 0 to region 3: by 1 or by 2.
    let both = |from, to| [Edge::new(from, to, 1), Edge::new(to, from, 1)];
    let edges = [both(0, 1), both(0, 2), both(1, 3), both(2, 3)].concat();
    let graph = Graph::from_edges(4, &edges).unwrap();
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let mut route = |costs: &[(u32, u32, u32)]| {
        let partition = Partition::given(&graph, vec![0, 1, 2, 3]).unwrap();
        let options = RegionOptions::default();
        let regions = Regions::with_costs(view, partition, options, costs, &mut scratch)?;
        Ok(regions.find(view, NodeId(0), NodeId(3), &mut scratch).unwrap().route)
    };
    assert_eq!(route(&[(0, 1, 9)]), Ok(vec![0, 2, 3]));
    assert_eq!(route(&[(2, 3, 9)]), Ok(vec![0, 1, 3]));
    assert_eq!(route(&[(0, 3, 9)]), Err(RegionError::NoSuchConnection { from: 0, to: 3 }));
}

#[test]
fn what_cannot_be_made_says_why() {
    let (graph, partition) = crossroads();
    let other = Graph::from_edges(2, &[]).unwrap();
    let mut scratch = GraphScratch::new();
    let mut make = |graph: &Graph, levels| {
        let options = RegionOptions { levels, ..RegionOptions::default() };
        let view = graph.non_negative().unwrap();
        Regions::build(view, partition.clone(), options, &mut scratch).err()
    };
    let wrong = RegionError::WrongPartition { regions: 7, nodes: 2 };
    assert_eq!(make(&other, 1), Some(wrong));
    assert_eq!(make(&graph, 0), Some(RegionError::Levels { levels: 0 }));
    assert_eq!(make(&graph, 3), None);
}
