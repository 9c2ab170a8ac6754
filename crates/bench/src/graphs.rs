//! Loops on general graphs.

use crate::{HotLoop, Scale};
use highroad::environment::NodeId;
use highroad::graph::{AllPairs, AllPairsMethod, Edge, Graph, bellman_ford};
use highroad::online::GraphSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad_lab::generate::Random;
use highroad_lab::graphs::RoadRecipe;
use std::hint::black_box;

pub(crate) fn loops(scale: Scale) -> Vec<HotLoop> {
    let Scale { road_nodes, matrix_nodes, .. } = scale;
    vec![
        HotLoop::new("graph dijkstra", 1, move || {
            let graph = roads_and_island(road_nodes);
            let mut scratch = Scratch::new();
            // To everywhere: no road leads to the goal.
            let query = PathQuery::new(NodeId(road_nodes / 3), NodeId(road_nodes));
            Box::new(move || {
                drop(black_box(GraphSearch::dijkstra().solve(&graph, &query, &mut scratch)));
            })
        }),
        HotLoop::new("graph bellman-ford", 1, move || {
            let graph = roads(road_nodes / 10);
            Box::new(move || drop(black_box(bellman_ford(&graph, &[NodeId(0)]))))
        }),
        HotLoop::new("graph floyd-warshall", 1, move || {
            let graph = random_graph(matrix_nodes);
            let method = AllPairsMethod::FloydWarshall;
            Box::new(move || drop(black_box(AllPairs::find(&graph, method))))
        }),
    ]
}

fn roads(nodes: u32) -> Graph {
    RoadRecipe { nodes, seed: 1 }.generate().expect("it is not too large")
}

/// Roads, and as the last node one that no road leads to.
fn roads_and_island(nodes: u32) -> Graph {
    let edges: Vec<Edge> = roads(nodes).edges().collect();
    Graph::from_edges(nodes as usize + 1, &edges).expect("the ends are nodes")
}

/// Eight edges a node, to anywhere.
fn random_graph(nodes: u32) -> Graph {
    let mut random = Random::new(3);
    let mut below = |bound: u32| random.below(bound.into()) as u32;
    let edges: Vec<Edge> = (0..8 * nodes)
        .map(|_| Edge::new(below(nodes), below(nodes), 1 + below(1000) as i32))
        .collect();
    Graph::from_edges(nodes as usize, &edges).expect("the ends are nodes")
}
