//! Every precomputed guide on random graphs: is it admissible, as consistent as it says, and is the answer
//! shortest?

use super::*;
use crate::field::FacilityField;
use crate::graph::tests::{graphs, plain_distances};
use crate::graph::{Edge, Graph, Partition};
use crate::grid::{Cell, Grid, GridMap, Movement, MovementRule, Profile, StepCosts, Terrain};
use crate::online::tests::check_all_pairs;
use crate::online::{Estimates, GraphSearch, GridSearch};
use crate::planner::{Answer, Guarantee, PathQuery, Planner, Scratch};
use crate::search::{Heuristic, Workspace};
use crate::space::NodeId;
use proptest::prelude::*;

/// Estimates of all nodes for one goal: are they what they claim?
fn check_claims(graph: &Graph, goal: NodeId, made: &impl Heuristic) -> Result<(), TestCaseError> {
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
    Ok(())
}

fn check_astar(
    graph: &Graph,
    estimates: impl Into<Estimates<PositionEstimate>>,
) -> Result<(), TestCaseError> {
    let search = GraphSearch::astar().with_heuristic(estimates);
    prop_assert_eq!(search.guarantee(graph), Guarantee::Optimal);
    check_all_pairs(graph, &search)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_are_admissible_and_answers_shortest(graph in graphs(0..30), seed in any::<u64>()) {
        let cluster = |node: u64| (seed >> (node % 60)) as u32 % 4;
        let regions: Vec<u32> = (0..graph.node_count() as u64)
            .map(|node| cluster(node).min(graph.node_count() as u32 - 1))
            .collect();
        let clusters = Partition::given(&graph, regions).unwrap();
        let landmarks = Landmarks::choose(&graph, 3).unwrap();
        let table = ClusterTable::new(&graph, clusters.clone()).unwrap();
        let distances = AbstractDistances::new(&graph, clusters).unwrap();
        let (mut work, mut memory) = (Workspace::default(), AbstractMemory::default());
        for goal in (0..graph.node_count() as u32).map(NodeId) {
            check_claims(&graph, goal, &landmarks.heuristic(&[goal]))?;
            check_claims(&graph, goal, &table.heuristic(&[goal]))?;
            distances.prepare(&graph, &[goal], &mut work, &mut memory);
            check_claims(&graph, goal, &distances.heuristic(&memory))?;
            let field = FacilityField::towards(&graph, &[goal]).unwrap();
            check_claims(&graph, goal, &field.estimates().unwrap())?;
        }
        check_astar(&graph, landmarks)?;
        check_astar(&graph, table)?;
        check_astar(&graph, distances)?;
    }

    /// The same tables on grids: admissible for every cell, and A* with them optimal under every rule, on mixed
    /// terrain, for several starts and goals.
    #[test]
    fn tables_of_grids_are_admissible_and_answers_shortest(
        letters in proptest::collection::vec(proptest::sample::select(&b"....S@"[..]), 70),
        rule in proptest::sample::select(&MovementRule::ALL[..]),
        ends in proptest::collection::vec(0usize..70, 4),
        side in 1u32..6,
    ) {
        let map = GridMap::from_fn(10, 7, |cell| {
            Terrain::from_letter(letters[(cell.y * 10 + cell.x) as usize]).unwrap()
        }).unwrap();
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let grid = Grid::new(map, movement);
        let cell = |at: usize| Cell::new((at % 10) as u32, (at / 10) as u32);
        let open: Vec<Cell> = ends.iter().map(|&at| cell(at)).filter(|&c| grid.is_enterable(c)).collect();
        if open.len() < 2 {
            return Ok(());
        }
        let (starts, goals) = open.split_at(open.len() / 2);
        let query = PathQuery::among(starts.to_vec(), goals.to_vec());
        let mut scratch = Scratch::new();
        let optimal = GridSearch::dijkstra().solve(&grid, &query, &mut scratch).unwrap();
        let squares = || Partition::squares(&grid, side);
        let tables: [Estimates<HeuristicKind>; 3] = [
            Landmarks::choose(&grid, 3).unwrap().into(),
            ClusterTable::new(&grid, squares()).unwrap().into(),
            AbstractDistances::new(&grid, squares()).unwrap().into(),
        ];
        for table in tables {
            let search = GridSearch::astar().with_heuristic(table);
            prop_assert_eq!(search.guarantee(&grid), Guarantee::Optimal);
            let answer = search.solve(&grid, &query, &mut scratch).unwrap();
            match (&answer, &optimal) {
                (Answer::Found(found), Answer::Found(best)) => {
                    prop_assert_eq!(found.cost(), best.cost());
                    prop_assert_eq!(found.validate(&grid), Ok(()));
                }
                (Answer::Unreachable { nearest }, Answer::Unreachable { nearest: best }) => {
                    prop_assert_eq!(nearest.goal(), best.goal());
                    prop_assert_eq!(nearest.cost(), best.cost());
                }
                _ => prop_assert!(false, "{answer:?} instead of {optimal:?}"),
            }
        }
    }
}

/// Where no way leads to the goal, every table says so of all cells that are searched. The nearest of them must be
/// reached as cheaply as by Dijkstra's algorithm all the same: here around the swamp, not through it.
#[test]
fn where_no_way_leads_the_nearest_place_is_as_cheap_as_it_gets() {
    let map: GridMap = ".S...@.\n.S.S.@.\n...S.@.\n".parse().unwrap();
    let profile = Profile::movingai().with_cost(Terrain::from_letter(b'S').unwrap(), 9).unwrap();
    let movement = Movement::new(profile, MovementRule::default(), StepCosts::EXACT).unwrap();
    let grid = Grid::new(map, movement);
    let query = PathQuery::new((0, 0), (6, 1));
    let mut scratch = Scratch::new();
    let squares = || Partition::squares(&grid, 2);
    let unreachable = |search: GridSearch, scratch: &mut Scratch| match search
        .solve(&grid, &query, scratch)
        .unwrap()
    {
        Answer::Unreachable { nearest } => (nearest.goal(), nearest.cost()),
        other => panic!("{other:?}"),
    };
    let best = unreachable(GridSearch::dijkstra(), &mut scratch);
    let tables: [Estimates<HeuristicKind>; 3] = [
        Landmarks::choose(&grid, 3).unwrap().into(),
        ClusterTable::new(&grid, squares()).unwrap().into(),
        AbstractDistances::new(&grid, squares()).unwrap().into(),
    ];
    for table in tables {
        assert_eq!(unreachable(GridSearch::astar().with_heuristic(table), &mut scratch), best);
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
    let table = ClusterTable::new(&graph, clusters).unwrap();
    let goals = [NodeId(4)];
    let heuristic = table.heuristic(&goals);
    let estimates: Vec<u64> = (0..5).map(|node| heuristic.estimate(NodeId(node))).collect();
    assert_eq!(estimates, [11, 11, 1, 1, 0]);
    assert!(
        estimates[1] > 1 + estimates[2],
        "the step from a to b costs 1, the estimate falls by 10"
    );
    let query = PathQuery::new(NodeId(0), NodeId(4));
    let mut scratch = Scratch::new();
    let astar = GraphSearch::astar().with_heuristic(table);
    let cost = |search: GraphSearch, scratch: &mut Scratch| {
        search.solve(&graph, &query, scratch).unwrap().path().unwrap().cost().0
    };
    // b is taken at 4 before a is looked at, and closed at too high a cost.
    assert_eq!(cost(astar.clone().with_reopening(false), &mut scratch), 14);
    assert_eq!(cost(astar, &mut scratch), 12);
    assert!(scratch.statistics().reopened > 0);
}

#[test]
fn a_table_of_another_grid_is_stale() {
    let grid = |text: &str| Grid::with_defaults(text.parse().unwrap());
    let (one, other) = (grid("....\n....\n"), grid("....\n....\n"));
    let search = GridSearch::astar().with_heuristic(Landmarks::choose(&one, 2).unwrap());
    let query = PathQuery::new((0, 0), (3, 1));
    assert!(search.solve(&one, &query, &mut Scratch::new()).is_ok());
    let refused = search.solve(&other, &query, &mut Scratch::new());
    assert_eq!(refused, Err(crate::QueryError::Stale));
}

/// A chain from node 0 to node 8193 that costs nearly 2⁴⁴, as much as searches count, and behind it a way of 100
/// and one of 6 by way of node 8194 to node 8195.
fn long_chain() -> Graph {
    let mut edges: Vec<Edge> = (0..8192).map(|at| Edge::new(at, at + 1, i32::MAX)).collect();
    edges.push(Edge::new(8192, 8193, 8190));
    edges.push(Edge::new(8193, 8194, 1));
    edges.push(Edge::new(8194, 8195, 5));
    edges.push(Edge::new(8193, 8195, 100));
    Graph::from_edges(8196, &edges).unwrap()
}

#[test]
fn estimates_stay_admissible_where_distances_are_too_large_to_count() {
    let graph = long_chain();
    let halves = (0..8196).map(|node| u32::from(node >= 8194) + u32::from(node == 8195)).collect();
    let clusters = Partition::given(&graph, halves).unwrap();
    let estimates: [Estimates<PositionEstimate>; 3] = [
        Landmarks::choose(&graph, 2).unwrap().into(),
        ClusterTable::new(&graph, clusters.clone()).unwrap().into(),
        AbstractDistances::new(&graph, clusters).unwrap().into(),
    ];
    let query = PathQuery::new(NodeId(8193), NodeId(8195));
    for made in estimates {
        let search = GraphSearch::astar().with_heuristic(made);
        let answer = search.solve(&graph, &query, &mut Scratch::new()).unwrap();
        assert_eq!(answer.path().unwrap().cost().0, 6);
    }
}

#[test]
fn ways_that_cost_too_much_are_an_error_or_a_limit_and_never_no_way() {
    use crate::graph::{AllPairs, AllPairsError, AllPairsMethod, GraphRefusal, TooCostly};
    use crate::planner::QueryError;
    let graph = long_chain();
    let query = PathQuery::new(NodeId(0), NodeId(8195));
    let landmarks = Landmarks::choose(&graph, 2).unwrap();
    for search in [
        GraphSearch::dijkstra(),
        GraphSearch::bidirectional(),
        GraphSearch::depth_first(),
        GraphSearch::astar().with_heuristic(landmarks),
    ] {
        let answer = search.solve(&graph, &query, &mut Scratch::new()).unwrap();
        assert!(matches!(answer, Answer::LimitReached { .. }), "{answer:?}");
    }
    let refused = Err(QueryError::Unsuitable(GraphRefusal::TooCostly(TooCostly)));
    assert_eq!(FacilityField::towards(&graph, &[NodeId(8195)]), refused);
    assert_eq!(FacilityField::away_from(&graph, &[NodeId(0)]), refused);
    let error = AllPairs::find(&graph, AllPairsMethod::RepeatedDijkstra).err();
    assert_eq!(error, Some(AllPairsError::TooCostly(TooCostly)));
    assert_eq!(AllPairsMethod::for_graph(&graph), AllPairsMethod::FloydWarshall);
}
