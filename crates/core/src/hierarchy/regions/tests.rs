//! Regions on random graphs: a path exactly when there is one, made of edges, at least as costly as the
//! shortest, and on graphs that go both ways without ever falling back.

use super::*;
use crate::graph::GraphBatch;
use crate::graph::tests::graphs;
use crate::online::tests::check_all_pairs;
use crate::planner::{Algorithm, CatchUp, PathQuery, Planner, QueryError, Scratch};
use proptest::prelude::*;

fn options(levels: u32, table: bool, refinement: RegionRefinement) -> [RegionOptions; 3] {
    ConnectionCost::ALL.map(|connection| RegionOptions {
        connection,
        refinement,
        table,
        levels,
        regions_grouped: 2,
    })
}

/// Checks that no pair of nodes that a path joins needs a search of the whole graph.
fn never_falls_back<A: Algorithm<Graph>>(
    graph: &Graph,
    planner: &A,
    fell_back: impl Fn(&A::Memory) -> bool,
) -> Result<(), TestCaseError> {
    let mut scratch = Scratch::new();
    let nodes = || (0..graph.node_count() as u32).map(NodeId);
    for query in nodes().flat_map(|start| nodes().map(move |goal| PathQuery::new(start, goal))) {
        let found = planner.solve(graph, &query, &mut scratch).unwrap().path().is_some();
        prop_assert!(!found || !fell_back(scratch.memory_of(planner)), "{:?}", query);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_path_is_found_exactly_when_there_is_one(graph in graphs(0..30)) {
        for refinement in [RegionRefinement::Legs, RegionRefinement::Corridor] {
            for (levels, table) in [(1, false), (1, true), (3, false), (2, true)] {
                for options in options(levels, table, refinement) {
                    let partition = Partition::compute(&graph, 4);
                    check_all_pairs(&graph, &Regions::build(&graph, partition, options).unwrap())?;
                }
            }
        }
    }

    #[test]
    fn where_edges_go_both_ways_no_corridor_is_a_dead_end(graph in graphs(0..30)) {
        let edges: Vec<Edge> = graph.edges().flat_map(|edge| [edge, edge.reversed()]).collect();
        let graph = Graph::from_edges(graph.node_count(), &edges).unwrap();
        for refinement in [RegionRefinement::Legs, RegionRefinement::Corridor] {
            for (levels, table) in [(1, true), (2, false)] {
                for options in options(levels, table, refinement) {
                    let partition = Partition::compute(&graph, 4);
                    let regions = Regions::build(&graph, partition, options).unwrap();
                    never_falls_back(&graph, &regions, |memory| memory.fell_back())?;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Patched is rebuilt, whatever changes, as long as no node is new.
    #[test]
    fn a_patched_graph_of_entrances_is_a_rebuilt_one(
        graph in graphs(0..30),
        storm in proptest::collection::vec(
            proptest::collection::vec((0u32..4, 0u32..24, 0u32..24, 0i32..30), 1..6), 1..6),
    ) {
        let partition = Partition::compute(&graph, 4);
        for per_pair in [None, Some(1)] {
            let mut graph = graph.clone();
            let mut planner = EntranceGraph::build(&graph, partition.clone(), per_pair).unwrap();
            for steps in &storm {
                let mut changes = Vec::new();
                for &(kind, from, to, weight) in steps {
                    let (from, to, mut batch) = (NodeId(from), NodeId(to), GraphBatch::new());
                    match kind {
                        0 => batch.set_weight(from, to, weight),
                        1 => batch.close(from, to),
                        2 => batch.add_edge(from, to, weight),
                        _ => batch.remove_edge(from, to),
                    };
                    // A step that cannot be done changes nothing.
                    changes.extend(graph.apply(&batch).unwrap_or_default());
                }
                let followed = planner.catch_up(&graph, &changes, &mut Scratch::new());
                prop_assert_eq!(followed, CatchUp::Done);
                let rebuilt = EntranceGraph::build(&graph, partition.clone(), per_pair).unwrap();
                prop_assert_eq!(&planner.nodes, &rebuilt.nodes);
                prop_assert_eq!(&planner.numbers, &rebuilt.numbers);
                prop_assert_eq!(&planner.first, &rebuilt.first);
                prop_assert!(planner.graph.edges().eq(rebuilt.graph.edges()));
                prop_assert_eq!(planner.estimate, rebuilt.estimate);
                check_all_pairs(&graph, &planner)?;
            }
            let changes = graph.apply(GraphBatch::new().add_node([0.0; 3])).unwrap();
            let followed = planner.catch_up(&graph, &changes, &mut Scratch::new());
            prop_assert_eq!(followed, CatchUp::NeedsRebuild);
        }
    }

    #[test]
    fn with_all_entrances_paths_are_shortest_and_with_few_they_are_paths(graph in graphs(0..30)) {
        for per_pair in [None, Some(1), Some(2)] {
            let partition = Partition::compute(&graph, 5);
            let entrances = EntranceGraph::build(&graph, partition, per_pair).unwrap();
            check_all_pairs(&graph, &entrances)?;
            if per_pair.is_none() {
                never_falls_back(&graph, &entrances, |memory| memory.fell_back())?;
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
    let cost = |connection| {
        let (mut work, mut watch) = (Workspace::default(), Watch::none());
        let edges =
            connections::edges(&graph, &partition, connection, &mut work, &mut watch).unwrap();
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
    let route = |costs: &[(u32, u32, u32)]| {
        let partition = Partition::given(&graph, vec![0, 1, 2, 3]).unwrap();
        let (options, watch) = (RegionOptions::default(), &mut Watch::none());
        let regions = Regions::build_watched(&graph, partition, options, costs, watch)?;
        let mut scratch = Scratch::new();
        let query = PathQuery::new(NodeId(0), NodeId(3));
        let path = regions.solve(&graph, &query, &mut scratch).unwrap().path().unwrap();
        Ok(path.nodes().iter().map(|node| node.0).collect::<Vec<_>>())
    };
    assert_eq!(route(&[(0, 1, 9)]), Ok(vec![0, 2, 3]));
    assert_eq!(route(&[(2, 3, 9)]), Ok(vec![0, 1, 3]));
    assert_eq!(route(&[(0, 3, 9)]), Err(RegionError::NoSuchConnection { from: 0, to: 3 }));
}

#[test]
fn what_cannot_be_made_says_why() {
    let (graph, partition) = crossroads();
    let other = Graph::from_edges(2, &[]).unwrap();
    let make = |graph: &Graph, levels| {
        let options = RegionOptions { levels, ..RegionOptions::default() };
        Regions::build(graph, partition.clone(), options).err()
    };
    let wrong = RegionError::WrongPartition { regions: 7, nodes: 2 };
    assert_eq!(make(&other, 1), Some(wrong));
    assert_eq!(make(&graph, 0), Some(RegionError::Levels { levels: 0 }));
    assert_eq!(make(&graph, 3), None);
}

#[test]
fn links_that_could_cost_too_much_are_refused() {
    let edges = [Edge::new(0, 1, i32::MAX), Edge::new(1, 0, 1), Edge::new(1, 2, 1)];
    let graph = Graph::from_edges(3, &edges).unwrap();
    let partition = Partition::given(&graph, vec![0, 0, 1]).unwrap();
    let refused = EntranceGraph::build(&graph, partition, None).err();
    let reason = "a way within region 0 could cost more than 2147483647".to_owned();
    assert_eq!(refused, Some(BuildError::NotServed(reason)));
}

#[test]
fn a_build_can_be_stopped() {
    let (graph, partition) = crossroads();
    let mut stop = |_, _| std::ops::ControlFlow::Break(());
    let mut watch = Watch::new(&mut stop);
    let options = RegionOptions::default();
    let regions = Regions::build_watched(&graph, partition.clone(), options, &[], &mut watch);
    assert_eq!(regions.err(), Some(RegionError::Stopped));
    let entrances = EntranceGraph::build_watched(&graph, partition, None, &mut watch);
    assert_eq!(entrances.err(), Some(BuildError::Stopped));
}

/// Nodes beyond those that it was built for made a query panic.
#[test]
fn a_graph_that_has_grown_is_stale() {
    let (graph, partition) = crossroads();
    let regions = Regions::build(&graph, partition.clone(), RegionOptions::default()).unwrap();
    let entrances = EntranceGraph::build(&graph, partition, None).unwrap();
    let mut larger = graph.clone();
    larger.apply(GraphBatch::new().add_node(None).add_node(None)).unwrap();
    let last = NodeId(larger.node_count() as u32 - 1);
    let query = PathQuery::new(last, NodeId(0));
    for planner in [&regions as &dyn Planner<Graph>, &entrances] {
        assert_eq!(planner.solve(&larger, &query, &mut Scratch::new()), Err(QueryError::Stale));
        assert!(
            planner
                .solve(&graph, &PathQuery::new(NodeId(0), NodeId(1)), &mut Scratch::new())
                .is_ok()
        );
    }
}
