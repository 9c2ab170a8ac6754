//! The common loops on random graphs, against Bellman and Ford's algorithm written as plainly as can be.

use super::*;
use crate::index::RouteScratch;
use crate::search::{Limits, TieRule, Weight};
use proptest::prelude::*;

/// Distances from a node; `None` where there is no way. There must be no negative cycle.
pub(super) fn plain_distances(graph: &Graph, from: NodeId) -> Vec<Option<i64>> {
    let mut distances = vec![None; graph.node_count()];
    distances[from.index()] = Some(0i64);
    for _ in 0..graph.node_count() {
        for edge in graph.edges() {
            let Some(so_far) = distances[edge.from.index()] else { continue };
            let by_it = so_far + i64::from(edge.weight);
            if distances[edge.to.index()].is_none_or(|known| by_it < known) {
                distances[edge.to.index()] = Some(by_it);
            }
        }
    }
    distances
}

/// What walking along some nodes costs, by the cheapest edges; `None` where there is none.
pub(super) fn walked(graph: &Graph, nodes: &[NodeId]) -> Option<i64> {
    nodes
        .windows(2)
        .try_fold(0, |sum, pair| Some(sum + i64::from(graph.outgoing().weight(pair[0], pair[1])?)))
}

/// Random graphs with weights of a range; dense and sparse ones, with parallel edges and loops.
pub(super) fn graphs(weights: std::ops::Range<i32>) -> impl Strategy<Value = Graph> {
    (1usize..24).prop_flat_map(move |nodes| {
        let end = nodes as u32;
        let edge = (0..end, 0..end, weights.clone());
        let edge = edge.prop_map(|(from, to, weight)| Edge::new(from, to, weight));
        let places = proptest::collection::vec((-20i8..20, -20i8..20), nodes);
        (proptest::collection::vec(edge, 0..90), places).prop_map(move |(edges, places)| {
            let place = |&(x, y): &(i8, i8)| [f64::from(x), f64::from(y), 0.0];
            let graph = Graph::from_edges(nodes, &edges).unwrap();
            graph.with_positions(places.iter().map(place).collect()).unwrap()
        })
    })
}

/// Checks a search for all pairs; `bound` says how much dearer than optimal a path may be.
pub(super) fn check_all_pairs<G: Guide>(
    graph: &Graph,
    search: GraphSearch,
    guide: impl Fn(NodeId) -> G,
    bound: Option<u64>,
) -> Result<(), TestCaseError> {
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let nodes = || (0..graph.node_count() as u32).map(NodeId);
    for start in nodes() {
        let distances = plain_distances(graph, start);
        for goal in nodes() {
            let query = GraphQuery::new(start, goal);
            let answer = search.solve(view, &query, &guide(goal), &mut scratch).unwrap();
            let optimal = distances[goal.index()].map(|cost| cost as u64);
            let path = answer.clone().path();
            prop_assert_eq!(path.is_some(), optimal.is_some(), "{:?} {:?}", start, goal);
            let (Some(path), Some(optimal)) = (path, optimal) else {
                prop_assert_eq!(answer, GraphAnswer::Unreachable);
                continue;
            };
            prop_assert_eq!((path.nodes[0], path.nodes.last()), (start, Some(&goal)));
            prop_assert_eq!(walked(graph, &path.nodes), Some(path.cost as i64));
            prop_assert!(path.cost >= optimal);
            if let Some(bound) = bound {
                prop_assert!(path.cost <= bound * optimal, "{} > {}", path.cost, optimal);
            }
        }
    }
    Ok(())
}

fn euclidean<'g>(graph: &'g Graph) -> impl Fn(NodeId) -> PositionGuide<'g> {
    move |goal| PositionGuide::new(graph, Metric::Euclidean, &[goal]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_searches_find_shortest_paths(graph in graphs(0..30)) {
        check_all_pairs(&graph, GraphSearch::dijkstra(), |_| NoGuide, Some(1))?;
        check_all_pairs(&graph, GraphSearch::bidirectional(), |_| NoGuide, Some(1))?;
        check_all_pairs(&graph, GraphSearch::astar(), euclidean(&graph), Some(1))?;
        for metric in [Metric::Manhattan, Metric::Chebyshev] {
            let guide = |goal| PositionGuide::new(&graph, metric, &[goal]).unwrap();
            check_all_pairs(&graph, GraphSearch::astar(), guide, Some(1))?;
        }
        for ties in TieRule::ALL {
            check_all_pairs(&graph, GraphSearch::dijkstra().with_ties(ties), |_| NoGuide, Some(1))?;
            let astar = GraphSearch::astar().with_ties(ties);
            check_all_pairs(&graph, astar, euclidean(&graph), Some(1))?;
        }
    }

    #[test]
    fn large_weights_leave_the_ring_and_paths_stay_shortest(graph in graphs(0..i32::MAX)) {
        check_all_pairs(&graph, GraphSearch::dijkstra(), |_| NoGuide, Some(1))?;
        check_all_pairs(&graph, GraphSearch::bidirectional(), |_| NoGuide, Some(1))?;
        check_all_pairs(&graph, GraphSearch::astar(), euclidean(&graph), Some(1))?;
    }

    #[test]
    fn other_searches_find_some_path_within_their_bound(graph in graphs(0..30)) {
        check_all_pairs(&graph, GraphSearch::greedy(), euclidean(&graph), None)?;
        check_all_pairs(&graph, GraphSearch::depth_first(), |_| NoGuide, None)?;
        let weighted = GraphSearch::astar().with_weight(Weight::new(3.0).unwrap());
        check_all_pairs(&graph, weighted, euclidean(&graph), Some(3))?;
    }

    #[test]
    fn breadth_first_search_takes_the_fewest_edges(graph in graphs(0..30)) {
        let alike: Vec<Edge> = graph.edges().map(|edge| Edge { weight: 1, ..edge }).collect();
        let alike = Graph::from_edges(graph.node_count(), &alike).unwrap();
        let hops = plain_distances(&alike, NodeId(0));
        let mut scratch = GraphScratch::new();
        for goal in (0..graph.node_count() as u32).map(NodeId) {
            let query = GraphQuery::new(NodeId(0), goal);
            let view = graph.non_negative().unwrap();
            let answer = GraphSearch::breadth_first().solve(view, &query, &NoGuide, &mut scratch);
            let edges = answer.unwrap().path().map(|path| path.nodes.len() as i64 - 1);
            prop_assert_eq!(edges, hops[goal.index()]);
        }
    }

    #[test]
    fn contracted_graphs_give_the_same_costs(graph in graphs(0..30)) {
        let hierarchy = graph.non_negative().unwrap().contract().unwrap();
        let mut scratch = RouteScratch::new();
        for start in 0..graph.node_count() as u32 {
            let distances = plain_distances(&graph, NodeId(start));
            for goal in 0..graph.node_count() as u32 {
                let cost = hierarchy.route(start, goal, &mut scratch).map(|route| route.cost as i64);
                prop_assert_eq!(cost, distances[goal as usize]);
            }
        }
    }

    #[test]
    fn several_starts_and_goals_mean_the_cheapest_pair(
        graph in graphs(0..30),
        ends in proptest::collection::vec(any::<proptest::sample::Index>(), 4),
    ) {
        let node = |at: usize| NodeId(ends[at].index(graph.node_count()) as u32);
        let (starts, goals) = (vec![node(0), node(1)], vec![node(2), node(3)]);
        let best = starts.iter().flat_map(|&start| {
            let distances = plain_distances(&graph, start);
            goals.iter().filter_map(move |goal| distances[goal.index()]).collect::<Vec<_>>()
        }).min();
        let query = GraphQuery::among(starts, goals.clone());
        let view = graph.non_negative().unwrap();
        let mut scratch = GraphScratch::new();
        let guide = PositionGuide::new(&graph, Metric::Euclidean, &goals).unwrap();
        for search in [GraphSearch::dijkstra(), GraphSearch::bidirectional(), GraphSearch::astar()] {
            let answer = search.solve(view, &query, &guide, &mut scratch).unwrap();
            prop_assert_eq!(answer.path().map(|path| path.cost as i64), best);
        }
    }
}

#[test]
fn a_negative_edge_is_refused_by_name() {
    let edges = [Edge::new(0, 1, 3), Edge::new(2, 0, -4), Edge::new(1, 2, -1)];
    let graph = Graph::from_edges(3, &edges).unwrap();
    let refusal = graph.non_negative().err();
    assert_eq!(refusal, Some(NegativeEdge { number: 1, edge: Edge::new(2, 0, -4) }));
}

#[test]
fn what_is_no_graph_says_why() {
    let missing = Graph::from_edges(2, &[Edge::new(0, 1, 1), Edge::new(1, 2, 1)]).err();
    let expected =
        GraphBuildError::NoSuchNode { edge: 1, from: NodeId(1), to: NodeId(2), nodes: 2 };
    assert_eq!(missing, Some(expected));
    let too_many = Graph::from_edges(usize::MAX, &[]).err();
    assert_eq!(too_many, Some(GraphBuildError::TooManyNodes { nodes: usize::MAX }));
    let graph = Graph::from_edges(1, &[]).unwrap();
    assert!(graph.clone().with_names(vec![]).is_err());
    let lost = graph.with_positions(vec![[0.0, f64::NAN, 0.0]]).err();
    assert_eq!(lost, Some(GraphBuildError::NotFinite { node: NodeId(0) }));
}

#[test]
fn queries_that_make_no_sense_say_why() {
    let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)]).unwrap();
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let mut ask = |query| GraphSearch::dijkstra().solve(view, &query, &NoGuide, &mut scratch);
    let none = GraphQuery::among(vec![], vec![NodeId(0)]);
    assert_eq!(ask(none), Err(GraphQueryError::NoStart));
    let beyond = GraphQuery::new(NodeId(0), NodeId(9));
    assert_eq!(ask(beyond), Err(GraphQueryError::NoSuchNode { node: NodeId(9), nodes: 2 }));
    let limits = Limits { cost_max: 0, ..Limits::default() };
    let short = GraphQuery::new(NodeId(0), NodeId(1)).with_limits(limits);
    assert_eq!(ask(short), Ok(GraphAnswer::LimitReached));
}

#[test]
fn texts_that_are_no_graphs_say_where() {
    let edge_lists = [
        ("a b 1 2\n", "line 1: expected from, to and a weight, but found 'a b 1 2'"),
        ("a b\n\na -> 1.5 x\n", "line 3: expected a whole number as weight, but found 'x'"),
        ("a ->\n", "line 1: expected from, to and a weight, but found 'a ->'"),
    ];
    for (text, expected) in edge_lists {
        assert_eq!(read_edge_list(text).unwrap_err().to_string(), expected);
    }
    let dimacs = [
        ("", "line 1: expected p sp NODES EDGES, but found ''"),
        ("p sp 3\n", "line 1: expected p sp NODES EDGES, but found 'p sp 3'"),
        ("p sp 3 2\na 1 2 1\n", "line 2: 2 edges were announced, but there are 1"),
        ("p sp 3 1\na 0 2 1\n", "line 2: node 0 is not among 1 to 3"),
        ("p sp 3 1\nb 1 2 1\n", "line 2: expected a FROM TO WEIGHT, but found 'b 1 2 1'"),
        (
            "p sp 9999999999 0\n",
            "line 1: 9999999999 nodes are more than a text of this length tells of",
        ),
    ];
    for (text, expected) in dimacs {
        assert_eq!(read_dimacs(text).unwrap_err().to_string(), expected);
    }
    let places = [
        ("p aux sp co 2\nv 1 0 0\n", "line 2: 2 places were announced, but there are 1"),
        ("p aux sp co 999999999\n", "line 1: 999999999 places were announced, but there are 0"),
        ("p aux sp co 1\nv 1 0\n", "line 2: expected v NODE X Y, but found 'v 1 0'"),
    ];
    for (text, expected) in places {
        assert_eq!(read_coordinates(text).unwrap_err().to_string(), expected);
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "[a-c0-9 #>\\-\n.]{0,60}", head in 0usize..3) {
        let heads = ["", "p sp 3 2\n", "p aux sp co 2\n"];
        let text = format!("{}{text}", heads[head]);
        let _ = (read_edge_list(&text), read_dimacs(&text), read_coordinates(&text));
    }
}
