//! Every precomputed guide on random graphs: is it admissible, as consistent as it says, and is the answer
//! shortest?

use super::super::tests::{check_all_pairs, graphs, plain_distances};
use super::super::{Edge, GraphQuery, GraphSearch, Landmarks};
use super::*;
use crate::field::FacilityField;
use proptest::prelude::*;

/// Estimates of all nodes for all goals.
fn check_guide<G: Guide>(graph: &Graph, guide: impl Fn(NodeId) -> G) -> Result<(), TestCaseError> {
    for goal in (0..graph.node_count() as u32).map(NodeId) {
        let made = guide(goal);
        prop_assert!(made.is_admissible());
        for from in (0..graph.node_count() as u32).map(NodeId) {
            let estimate = made.estimate(from);
            if let Some(true_cost) = plain_distances(graph, from)[goal.index()] {
                prop_assert!(estimate <= true_cost as u64, "{estimate} > {true_cost}");
            }
            if !made.is_consistent() {
                continue;
            }
            for (to, weight) in graph.outgoing().of(from) {
                let beyond = made.estimate(to).saturating_add(weight as u64);
                prop_assert!(estimate <= beyond, "{estimate} > {beyond}");
            }
        }
    }
    check_all_pairs(graph, GraphSearch::astar(), guide, Some(1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn guides_are_admissible_and_answers_shortest(graph in graphs(0..30), seed in any::<u64>()) {
        let view = graph.non_negative().unwrap();
        let mut scratch = GraphScratch::new();
        let landmarks = Landmarks::choose(view, 3, &mut scratch);
        check_guide(&graph, |goal| landmarks.guide(&[goal]))?;
        let cluster = |node: u64| (seed >> (node % 60)) as u32 % 4;
        let regions: Vec<u32> = (0..graph.node_count() as u64)
            .map(|node| cluster(node).min(graph.node_count() as u32 - 1))
            .collect();
        let clusters = Partition::given(&graph, regions).unwrap();
        let table = ClusterTable::new(view, clusters.clone(), &mut scratch).unwrap();
        check_guide(&graph, |goal| table.guide(&[goal]))?;
        let distances = AbstractDistances::new(view, clusters, &mut scratch).unwrap();
        check_guide(&graph, |goal| distances.guide(view, goal, &mut GraphScratch::new()))?;
        let fields: Vec<FacilityField> = (0..graph.node_count() as u32)
            .map(|goal| FacilityField::towards(view, &[NodeId(goal)], &mut scratch).unwrap())
            .collect();
        check_guide(&graph, |goal| fields[goal.index()].guide().unwrap())?;
    }
}

/// ```text
///  C0: s ─1─▶ a ──6──▶ b        b and c make cluster 1, c lies beside the goal t (cluster 2)
///      └──2──▶ b ─9─▶ c ─1─▶ t
/// ```
/// From cluster 0 the goal is at least 12 away, from cluster 1 at least 1: entering it at b, the estimate
/// falls by 11 for a step of 2.
fn trap() -> (Graph, Partition) {
    // s 0, a 1, b 2, c 3, t 4, and x 5 in cluster 1, from where b is reached more cheaply.
    let edges = [
        Edge::new(0, 1, 1),
        Edge::new(0, 2, 4),
        Edge::new(1, 2, 1),
        Edge::new(2, 3, 9),
        Edge::new(3, 4, 1),
    ];
    let graph = Graph::from_edges(5, &edges).unwrap();
    let clusters = Partition::given(&graph, vec![0, 0, 1, 1, 2]).unwrap();
    (graph, clusters)
}

#[test]
fn the_cluster_heuristic_is_not_consistent_and_needs_reopening() {
    let (graph, clusters) = trap();
    let view = graph.non_negative().unwrap();
    let mut scratch = GraphScratch::new();
    let table = ClusterTable::new(view, clusters, &mut scratch).unwrap();
    let guide = table.guide(&[NodeId(4)]);
    let estimates: Vec<u64> = (0..5).map(|node| guide.estimate(NodeId(node))).collect();
    assert_eq!(estimates, [11, 11, 1, 1, 0]);
    assert!(
        estimates[1] > 1 + estimates[2],
        "the step from a to b costs 1, the estimate falls by 10"
    );
    let query = GraphQuery::new(NodeId(0), NodeId(4));
    let cost = |search: GraphSearch, scratch: &mut GraphScratch| {
        search.solve(view, &query, &guide, scratch).unwrap().path().unwrap().cost
    };
    // b is taken at 4 before a is looked at, and closed too dearly.
    assert_eq!(cost(GraphSearch::astar().with_reopening(false), &mut scratch), 14);
    assert_eq!(cost(GraphSearch::astar(), &mut scratch), 12);
    assert!(scratch.statistics().reopened > 0);
}
