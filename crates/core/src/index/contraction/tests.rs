//! Random graphs against a plain search.

use super::*;
use proptest::prelude::*;

fn plain_distances(node_count: usize, edges: &[GraphEdge], from: u32) -> Vec<u64> {
    // Bellman and Ford's algorithm: as plain as can be.
    let mut distances = vec![u64::MAX; node_count];
    distances[from as usize] = 0;
    for _ in 0..node_count {
        for edge in edges {
            let by_it = distances[edge.from as usize].saturating_add(u64::from(edge.weight));
            distances[edge.to as usize] = distances[edge.to as usize].min(by_it);
        }
    }
    distances
}

fn graphs() -> impl Strategy<Value = (usize, Vec<GraphEdge>)> {
    (1usize..30).prop_flat_map(|nodes| {
        let end = nodes as u32;
        let edge = (0..end, 0..end, 0u32..20);
        let edge = edge.prop_map(|(from, to, weight)| GraphEdge { from, to, weight });
        (Just(nodes), proptest::collection::vec(edge, 0..120))
    })
}

fn check_routes(
    hierarchy: &ContractionHierarchy,
    nodes: usize,
    edges: &[GraphEdge],
) -> Result<(), TestCaseError> {
    let mut scratch = RouteScratch::new();
    for from in 0..nodes as u32 {
        let distances = plain_distances(nodes, edges, from);
        for to in 0..nodes as u32 {
            let route = hierarchy.route(from, to, &mut scratch);
            let expected = Some(distances[to as usize]).filter(|&far| far != u64::MAX);
            prop_assert_eq!(route.as_ref().map(|route| route.cost), expected);
            let Some(route) = route else { continue };
            prop_assert_eq!((route.nodes.first(), route.nodes.last()), (Some(&from), Some(&to)));
            let walked: u64 = route
                .nodes
                .windows(2)
                .map(|step| {
                    let along = |edge: &&GraphEdge| (edge.from, edge.to) == (step[0], step[1]);
                    let weights = edges.iter().filter(along).map(|edge| u64::from(edge.weight));
                    weights.min().expect("an edge of the graph")
                })
                .sum();
            prop_assert_eq!(walked, route.cost);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn routes_are_shortest_and_made_of_edges((nodes, edges) in graphs()) {
        let hierarchy = ContractionHierarchy::build(nodes, &edges).unwrap();
        prop_assert_eq!(hierarchy.core_count(), 0);
        check_routes(&hierarchy, nodes, &edges)?;
    }

    /// From a core of all nodes to one of few.
    #[test]
    fn routes_through_a_core_are_shortest((nodes, edges) in graphs(), degree_max in 0usize..5) {
        let rule = CoreRule { edges_min: 0, degree_max };
        let hierarchy = contract(nodes, &edges, rule, &mut Watch::none());
        check_routes(&ContractionHierarchy::of(hierarchy.unwrap()), nodes, &edges)?;
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
        Err(BuildError::Graph(error)) => error,
        other => panic!("{other:?}"),
    };
    let missing = GraphError::NoSuchNode { edge: 1, from: 0, to: 7, nodes: 2 };
    assert_eq!(error(2, &[edge(0, 1, 1), edge(0, 7, 1)]), missing);
    assert_eq!(error(1 << 25, &[]), GraphError::TooManyNodes { nodes: 1 << 25 });
    let dear = [edge(0, 1, u32::MAX), edge(1, 2, u32::MAX)];
    let many: Vec<_> = (0..300).map(|from| edge(from, from + 1, u32::MAX)).collect();
    assert_eq!(error(301, &many), GraphError::TooDear, "300 such edges make more than 2⁴⁰");
    assert!(ContractionHierarchy::build(3, &dear).is_ok());
}

#[test]
fn an_empty_graph_has_no_routes() {
    let hierarchy = ContractionHierarchy::build(0, &[]).unwrap();
    assert_eq!(hierarchy.route(0, 0, &mut RouteScratch::new()), None);
}
