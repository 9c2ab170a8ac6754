//! How long edits of a road network, tables of distances and catching up take.
//!
//! `cargo run --release -p highroad-bench --example living_graph -- [NODES]`
#![allow(clippy::print_stdout, reason = "it is what an example does")]

use highroad::environment::NodeId;
use highroad::field::FacilityField;
use highroad::graph::{EdgeChange, Graph, GraphBatch, Partition};
use highroad::hierarchy::EntranceGraph;
use highroad::index::GraphHierarchy;
use highroad::online::GraphSearch;
use highroad::planner::{CatchUp, PathQuery, Planner, Scratch};
use highroad_lab::generate::Random;
use highroad_lab::graphs::RoadRecipe;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args().nth(1).map_or(Ok(100_000), |nodes| nodes.parse())?;
    let mut graph = RoadRecipe { nodes, seed: 1 }.generate()?;
    println!("{nodes} nodes, {} edges", graph.edge_count());
    edits(&mut graph)?;
    entrances(&mut graph)?;
    tables(&graph)
}

/// The least of some runs, in microseconds.
fn least<T>(runs: u32, mut run: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

fn weights(graph: &Graph, random: &mut Random, count: usize) -> GraphBatch {
    let edges: Vec<_> = graph.edges().collect();
    let mut batch = GraphBatch::new();
    for _ in 0..count {
        let edge = edges[random.below(edges.len() as u64) as usize];
        batch.set_weight(edge.from, edge.to, edge.weight + random.below(50) as i32);
    }
    batch
}

fn edits(graph: &mut Graph) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(5);
    println!("clone: {:.1} µs", least(20, || graph.clone()));
    for (name, turned, shared) in [
        ("1,000 weights", false, false),
        ("1,000 weights, edges turned round as well", true, false),
        ("1,000 weights while a clone is held", true, true),
    ] {
        if turned {
            graph.incoming();
        }
        let batches: Vec<_> = (0..20).map(|_| weights(graph, &mut random, 1_000)).collect();
        let mut times = Vec::new();
        for batch in &batches {
            let held = shared.then(|| graph.clone());
            let start = Instant::now();
            let changes = graph.apply(batch)?;
            times.push(start.elapsed().as_secs_f64() * 1e6);
            graph.apply(&GraphBatch::undoing(&changes))?;
            drop(held);
        }
        times.sort_by(f64::total_cmp);
        println!("{name}: {:.0} µs (median of 20)", times[10]);
    }
    let mut one = GraphBatch::new();
    one.add_edge(NodeId(7), NodeId(77), 5);
    let mut changes: Vec<EdgeChange> = Vec::new();
    let mut back_and_forth = || -> Result<(), Box<dyn Error>> {
        changes = graph.apply(&one)?;
        graph.apply(&GraphBatch::undoing(&changes))?;
        Ok(())
    };
    println!("one edge added and taken back: {:.1} µs", least(20, &mut back_and_forth));
    Ok(())
}

fn entrances(graph: &mut Graph) -> Result<(), Box<dyn Error>> {
    let partition = Partition::compute(graph, 100);
    let start = Instant::now();
    let mut planner = EntranceGraph::build(graph, partition, None)?;
    println!("graph of entrances: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut random = Random::new(6);
    let mut scratch = Scratch::new();
    for count in [1, 10, 100, 1_000] {
        let batch = weights(graph, &mut random, count);
        let changes = graph.apply(&batch)?;
        let start = Instant::now();
        assert_eq!(planner.catch_up(graph, &changes, &mut scratch), CatchUp::Done);
        println!("follows {count} weights: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

fn tables(graph: &Graph) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let hierarchy = GraphHierarchy::build(graph)?;
    println!("contraction hierarchy: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    println!("core: {} nodes", hierarchy.hierarchy().core_count());
    let mut random = Random::new(7);
    let mut some = |count: usize| -> Vec<NodeId> {
        (0..count).map(|_| NodeId(random.below(graph.node_count() as u64) as u32)).collect()
    };
    let (from, to) = (some(300), some(2_000));
    let mut scratch = Scratch::new();
    let start = Instant::now();
    let table = hierarchy.distance_table(graph, &from, &to, &mut scratch)?;
    println!("table of 300 × 2,000: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    for (row, &source) in from.iter().take(5).enumerate() {
        for (column, &target) in to.iter().enumerate() {
            let single = hierarchy.distance(graph, source, target, &mut scratch)?;
            assert_eq!(single, table.cost(row, column));
        }
    }
    println!("one distance: {:.1} µs", start.elapsed().as_secs_f64() * 1e6 / 1e4);
    let start = Instant::now();
    for &source in from.iter().take(5) {
        for &target in &to {
            hierarchy.solve(graph, &PathQuery::new(source, target), &mut scratch)?;
        }
    }
    println!("one path: {:.1} µs", start.elapsed().as_secs_f64() * 1e6 / 1e4);
    let start = Instant::now();
    for (row, &source) in from.iter().take(30).enumerate() {
        let field = FacilityField::away_from(graph, &[source])?;
        for (column, &target) in to.iter().enumerate() {
            assert_eq!(field.cost(target), table.cost(row, column).map(|cost| cost.0));
        }
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / 30.0;
    println!("plain Dijkstra from one node: {each:.2} ms, from 300: {:.0} ms", each * 300.0);
    let answer =
        GraphSearch::dijkstra().solve(graph, &PathQuery::new(from[0], to[0]), &mut scratch)?;
    assert_eq!(answer.path().map(|path| path.cost()), table.cost(0, 0));
    Ok(())
}
