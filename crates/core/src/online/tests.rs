//! Searches on random graphs, against Bellman and Ford's algorithm written as plainly as can be.

use super::GraphSearch;
use crate::environment::{Cost, End};
use crate::graph::tests::{graphs, plain_distances, walked};
use crate::graph::{Edge, Graph, GraphBatch};
use crate::heuristic::{Metric, PositionEstimate};
use crate::planner::{
    Answer, CatchUp, Guarantee, PathQuery, Planner, Progress, QueryError, Scratch,
};
use crate::search::{Limits, TieRule, TraceKind, TraceLog, Weight};
use crate::space::NodeId;
use proptest::prelude::*;

/// Checks a planner of graphs for all pairs: paths are found exactly where there are any, can be walked at the cost
/// they claim, and keep the planner's promise.
pub(crate) fn check_all_pairs(
    graph: &Graph,
    planner: &dyn Planner<Graph>,
) -> Result<(), TestCaseError> {
    let guarantee = planner.guarantee(graph);
    let mut scratch = Scratch::new();
    let nodes = || (0..graph.node_count() as u32).map(NodeId);
    for start in nodes() {
        let distances = plain_distances(graph, start);
        for goal in nodes() {
            let answer = planner.solve(graph, &PathQuery::new(start, goal), &mut scratch).unwrap();
            match (answer, distances[goal.index()]) {
                (Answer::Found(path), Some(optimal)) => {
                    prop_assert_eq!((path.start(), path.goal()), (start, goal));
                    prop_assert_eq!(walked(graph, path.nodes()), Some(path.cost().0 as i64));
                    prop_assert_eq!(path.validate(graph), Ok(()));
                    let (cost, optimal) = (path.cost(), Cost(optimal as u64));
                    prop_assert!(guarantee.holds(cost, optimal), "{cost}, {optimal}: {guarantee}");
                }
                (Answer::Unreachable { nearest }, None) => {
                    // Edges may cost nothing.
                    prop_assert_eq!((nearest.start(), nearest.cost()), (start, Cost::ZERO));
                }
                (answer, optimal) => prop_assert!(false, "{answer:?} where {optimal:?} is best"),
            }
        }
    }
    Ok(())
}

fn by(graph: &Graph, metric: Metric) -> GraphSearch {
    GraphSearch::astar().with_heuristic(PositionEstimate::of(graph, metric).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exact_searches_find_shortest_paths(graph in graphs(0..30)) {
        let exact = [GraphSearch::dijkstra(), GraphSearch::bidirectional(), GraphSearch::astar()];
        let metrics = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];
        for search in exact.into_iter().chain(metrics.map(|metric| by(&graph, metric))) {
            for ties in TieRule::ALL {
                let search = search.clone().with_ties(ties);
                prop_assert_eq!(search.guarantee(&graph), Guarantee::Optimal);
                check_all_pairs(&graph, &search)?;
            }
        }
    }

    /// Estimates that were proven for a graph are not trusted after an edit, until the search has followed it.
    #[test]
    fn guided_searches_follow_edits(graph in graphs(5..30), cheap in 0i32..5) {
        let mut graph = graph;
        let mut search = by(&graph, Metric::Euclidean);
        let Some(edge) = graph.edges().next() else { return Ok(()) };
        let changes = graph.apply(GraphBatch::new().set_weight(edge.from, edge.to, cheap)).unwrap();
        let mut scratch = Scratch::new();
        let stale = search.solve(&graph, &PathQuery::new(edge.from, edge.to), &mut scratch);
        prop_assert_eq!(stale.err(), Some(QueryError::Stale));
        prop_assert_eq!(search.catch_up(&graph, &changes, &mut scratch), CatchUp::Done);
        check_all_pairs(&graph, &search)?;
    }

    #[test]
    fn large_weights_leave_the_ring_and_paths_stay_shortest(graph in graphs(0..i32::MAX)) {
        check_all_pairs(&graph, &GraphSearch::dijkstra())?;
        check_all_pairs(&graph, &GraphSearch::bidirectional())?;
        check_all_pairs(&graph, &by(&graph, Metric::Euclidean))?;
    }

    #[test]
    fn other_searches_find_some_path_within_their_bound(graph in graphs(0..30)) {
        let estimate = PositionEstimate::of(&graph, Metric::Euclidean).unwrap();
        check_all_pairs(&graph, &GraphSearch::greedy().with_heuristic(estimate))?;
        check_all_pairs(&graph, &GraphSearch::depth_first())?;
        let weighted = by(&graph, Metric::Euclidean).with_weight(Weight::new(3.0).unwrap());
        prop_assert_eq!(weighted.guarantee(&graph), Guarantee::Bounded(3.0));
        check_all_pairs(&graph, &weighted)?;
    }

    /// However a query is run, its answer is the same: whole, in slices, watched.
    #[test]
    fn slices_and_observers_change_nothing(graph in graphs(0..30), slice in 1u64..5) {
        let searches = [
            GraphSearch::breadth_first(),
            GraphSearch::dijkstra(),
            by(&graph, Metric::Euclidean),
            GraphSearch::bidirectional(),
            GraphSearch::depth_first(),
        ];
        let nodes = || (0..graph.node_count() as u32).map(NodeId);
        for search in searches {
            let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
            for goal in nodes() {
                let query = PathQuery::new(NodeId(0), goal);
                let whole = search.solve(&graph, &query, &mut scratch).unwrap();
                search.begin(&graph, &query, &mut other).unwrap();
                let mut log = TraceLog::default();
                let sliced = loop {
                    match search.advance_traced(&graph, &mut other, slice, &mut log) {
                        Progress::Running => {}
                        Progress::Done(answer) => break answer,
                        stuck => prop_assert!(false, "{stuck:?}"),
                    }
                };
                prop_assert_eq!(&sliced, &whole);
                prop_assert_eq!(other.statistics(), scratch.statistics());
                let expanded = log.events().iter().filter(|event| event.kind == TraceKind::Expand);
                prop_assert_eq!(expanded.count() as u64, scratch.statistics().expanded);
            }
        }
    }

    #[test]
    fn breadth_first_search_takes_the_fewest_edges(graph in graphs(0..30)) {
        let alike: Vec<Edge> = graph.edges().map(|edge| Edge { weight: 1, ..edge }).collect();
        let alike = Graph::from_edges(graph.node_count(), &alike).unwrap();
        let hops = plain_distances(&alike, NodeId(0));
        let mut scratch = Scratch::new();
        for goal in (0..graph.node_count() as u32).map(NodeId) {
            let query = PathQuery::new(NodeId(0), goal);
            let answer = GraphSearch::breadth_first().solve(&graph, &query, &mut scratch).unwrap();
            prop_assert_eq!(answer.path().map(|path| path.steps() as i64), hops[goal.index()]);
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
        let query = PathQuery::among(starts, goals);
        let mut scratch = Scratch::new();
        let astar = by(&graph, Metric::Euclidean);
        for search in [GraphSearch::dijkstra(), GraphSearch::bidirectional(), astar] {
            let answer = search.solve(&graph, &query, &mut scratch).unwrap();
            prop_assert_eq!(answer.path().map(|path| path.cost().0 as i64), best);
        }
    }
}

#[test]
fn queries_that_make_no_sense_say_why() {
    let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)]).unwrap();
    let mut scratch = Scratch::new();
    let mut ask = |query| GraphSearch::dijkstra().solve(&graph, &query, &mut scratch);
    let none = PathQuery::among(vec![], vec![NodeId(0)]);
    assert_eq!(ask(none), Err(QueryError::Missing(End::Start)));
    let refused = ask(PathQuery::new(NodeId(0), NodeId(9))).unwrap_err();
    assert_eq!(refused.to_string(), "the goal 9 is no node of the graph, which has 2");
    let limits = Limits { cost_max: 0, ..Limits::default() };
    let short = ask(PathQuery::new(NodeId(0), NodeId(1)).with_limits(limits)).unwrap();
    assert!(matches!(short, Answer::LimitReached { .. }));
    let negative = Graph::from_edges(2, &[Edge::new(0, 1, -1)]).unwrap();
    let refused = GraphSearch::dijkstra().solve(
        &negative,
        &PathQuery::new(NodeId(0), NodeId(1)),
        &mut Scratch::new(),
    );
    let expected = "edge 0 from 0 to 1 has the negative weight -1";
    assert_eq!(refused.unwrap_err().to_string(), expected);
}
