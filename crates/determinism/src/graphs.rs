//! Every planner of the catalog on a graph, tables of distances, and parts.

use crate::Part;
use crate::hash::{Hash, Random};
use highroad::catalog::{CATALOG, Spec};
use highroad::environment::NodeId;
use highroad::graph::{AllPairs, AllPairsMethod, Edge, Graph, Partition};
use highroad::planner::{PathQuery, Scratch};

const NODES: u32 = 400;

/// Nodes in a plane, with edges to some others; weights are above the straight line, some by far.
fn graph() -> Option<Graph> {
    let mut random = Random::new(11);
    let mut place = || [random.below(1000) as f64, random.below(1000) as f64, 0.0];
    let positions: Vec<[f64; 3]> = (0..NODES).map(|_| place()).collect();
    let mut edges = Vec::new();
    for from in 0..NODES {
        for _ in 0..4 {
            let to = (from + 1 + random.below(20) as u32) % NODES;
            let weight = 1500 + random.below(3000) as i32;
            edges.extend([Edge::new(from, to, weight), Edge::new(to, from, weight + 5)]);
        }
    }
    Graph::from_edges(NODES as usize, &edges).ok()?.with_positions(positions).ok()
}

/// One part for each planner of the catalog that serves graphs.
pub(crate) fn planners() -> Vec<Part> {
    let Some(graph) = graph() else { return Vec::new() };
    let one = |spec: Spec| {
        let planner = spec.build(&graph).ok()?;
        let mut hash = Hash::default();
        if let Some(bytes) = planner.save(&graph) {
            hash.bytes(&bytes);
        }
        let (mut random, mut scratch) = (Random::new(5), Scratch::new());
        for _ in 0..60 {
            let mut node = || NodeId(random.below(u64::from(NODES)) as u32);
            match planner.solve(&graph, &PathQuery::new(node(), node()), &mut scratch) {
                Ok(answer) => hash.answer(&answer),
                Err(error) => hash.text(&error),
            }
            hash.text(&scratch.statistics());
        }
        Some(hash.part(format!("{spec} on a graph")))
    };
    CATALOG.iter().filter_map(|entry| one(Spec::usual(entry))).collect()
}

/// All pairs by both methods, and a partition.
pub(crate) fn tables() -> Part {
    let mut hash = Hash::default();
    if let Some(graph) = graph() {
        for method in [AllPairsMethod::FloydWarshall, AllPairsMethod::RepeatedDijkstra] {
            if let Ok(table) = AllPairs::find(&graph, method) {
                for number in 0..NODES {
                    let (from, to) = (NodeId(number), NodeId(number * 7 % NODES));
                    hash.text(&(table.cost(from, to), table.path(from, to)));
                }
            }
        }
        hash.text(&Partition::compute(&graph, 32).regions());
    }
    hash.part("all pairs and a partition")
}
