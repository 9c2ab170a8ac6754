//! Random graphs, and Bellman and Ford's algorithm written as plainly as can be: what planners of graphs are tested
//! against. And what is no graph.

use super::*;
use proptest::prelude::*;

/// Distances from a node; `None` where there is no way. There must be no negative cycle.
pub(crate) fn plain_distances(graph: &Graph, from: NodeId) -> Vec<Option<i64>> {
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
pub(crate) fn walked(graph: &Graph, nodes: &[NodeId]) -> Option<i64> {
    nodes
        .windows(2)
        .try_fold(0, |sum, pair| Some(sum + i64::from(graph.outgoing().weight(pair[0], pair[1])?)))
}

/// Random graphs with weights of a range; dense and sparse ones, with parallel edges and loops.
pub(crate) fn graphs(weights: std::ops::Range<i32>) -> impl Strategy<Value = Graph> {
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
            "line 1: 9999999999 nodes are more than a text of this length can list",
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
