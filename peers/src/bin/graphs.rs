//! The program `graphs`: our algorithms on general graphs beside `petgraph`'s and `pathfinding`'s, on the same
//! graphs, in one process. Every answer is compared with theirs.

use anyhow::{Result, ensure};
use clap::Parser;
use highroad::graph::{AllPairsMethod, Edge, Graph};
use highroad::implicit::ImplicitSearch;
use highroad::environment::NodeId;
use highroad::grid::Grid;
use highroad::online::GraphSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad_lab::generate::{Layout, MapRecipe, Random};
use highroad_lab::graphs::{RoadRecipe, all_pairs};
use petgraph::graph::{DiGraph, NodeIndex};
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

/// Measure our algorithms on general graphs beside petgraph and pathfinding.
///
/// Contestants take turns; the smallest time over the passes counts. Ratios are theirs against ours: 3 means
/// that ours is three times as fast.
#[derive(Parser)]
#[command(name = "graphs", version, about, max_term_width = 100)]
struct Arguments {
    /// Nodes of the road-like graph for Dijkstra's algorithm.
    #[arg(long, default_value_t = 1_000_000)]
    road_nodes: u32,
    /// Nodes of the random graph for Floyd and Warshall's algorithm.
    #[arg(long, default_value_t = 2000)]
    matrix_nodes: u32,
    /// Columns and rows of the implicit grid.
    #[arg(long, default_value_t = 512)]
    grid_side: u32,
    /// Measured passes; Floyd and Warshall's algorithm, which takes half a minute elsewhere, has one.
    #[arg(long, default_value_t = 3)]
    passes: u32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    dijkstra(&arguments, &mut out)?;
    implicit(&arguments, &mut out)?;
    matrix(&arguments, &mut out)
}

/// A time in milliseconds, and what came of it.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = Instant::now();
    let made = black_box(work());
    (begun.elapsed().as_secs_f64() * 1e3, made)
}

fn row(out: &mut dyn Write, what: &str, ours: f64, theirs: f64) -> Result<()> {
    writeln!(out, "{what:58} {ours:10.2} ms {theirs:10.2} ms {:7.2}", theirs / ours)?;
    Ok(())
}

fn petgraph_of(graph: &Graph) -> DiGraph<(), u64> {
    let mut theirs = DiGraph::with_capacity(graph.node_count(), graph.edge_count());
    (0..graph.node_count()).for_each(|_| _ = theirs.add_node(()));
    for edge in graph.edges() {
        let weight = u64::from(edge.weight.unsigned_abs());
        theirs.add_edge(NodeIndex::new(edge.from.index()), NodeIndex::new(edge.to.index()), weight);
    }
    theirs
}

/// From one node to everywhere, and to one other node.
fn dijkstra(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let nodes = arguments.road_nodes;
    let roads: Vec<Edge> = RoadRecipe { nodes, seed: 1 }.generate()?.edges().collect();
    // No road leads to the last node, so that a search for it goes everywhere.
    let (graph, island) = (Graph::from_edges(nodes as usize + 1, &roads)?, NodeId(nodes));
    let theirs = petgraph_of(&graph);
    let mut scratch = Scratch::new();
    let search = GraphSearch::dijkstra();
    let (start, goal) = (NodeId(nodes / 3), NodeId(nodes / 2 + nodes / 7));
    for (what, goal) in [("everywhere", None), ("one node", Some(goal))] {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..arguments.passes {
            let query = PathQuery::new(start, goal.unwrap_or(island));
            let (ours, answer) = timed(|| search.solve(&graph, &query, &mut scratch));
            answer?;
            let (peer, costs) = timed(|| {
                let goal = goal.map(|goal| NodeIndex::new(goal.index()));
                let start = NodeIndex::new(start.index());
                petgraph::algo::dijkstra(&theirs, start, goal, |edge| *edge.weight())
            });
            best = [best[0].min(ours), best[1].min(peer)];
            for node in goal.into_iter().chain((0..nodes).step_by(997).map(NodeId)) {
                let known = costs.get(&NodeIndex::new(node.index())).copied();
                let cost = scratch.reached(node).map(|(cost, _)| cost);
                ensure!(
                    (goal.is_some() && goal != Some(node)) || known == cost,
                    "node {node:?}: {known:?} and {cost:?}"
                );
            }
        }
        let what = format!("Dijkstra, {nodes} nodes, to {what}, petgraph");
        row(out, &what, best[0], best[1])?;
    }
    Ok(())
}

/// A* with the same closures.
fn implicit(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let layouts = [
        ("caves", Layout::Caves { noise_percent: 46, steps: 5, joined: true }),
        ("obstacles", Layout::Obstacles { blocked_percent: 25, connected: false }),
    ];
    for (name, layout) in layouts {
        let side = arguments.grid_side;
        let map = MapRecipe { width: side, height: side, layout, seed: 1 }.generate()?;
        let grid = Grid::with_defaults(map);
        let free: Vec<bool> = grid.extent().cells().map(|cell| grid.is_enterable(cell)).collect();
        let is_free = |x: i32, y: i32| {
            let inside = x >= 0 && y >= 0 && x < side as i32 && y < side as i32;
            inside && free[(y * side as i32 + x) as usize]
        };
        let steps = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
        let successors = |&(x, y): &(i32, i32)| {
            steps.into_iter().filter_map(move |(dx, dy)| {
                let open = is_free(x + dx, y + dy) && is_free(x + dx, y) && is_free(x, y + dy);
                open.then_some(((x + dx, y + dy), if dx == 0 || dy == 0 { 2378u32 } else { 3363 }))
            })
        };
        let mut random = Random::new(9);
        let (mut ours_ms, mut peer_ms, mut asked) = (0.0, 0.0, 0);
        while asked < 40 {
            let mut draw = || (random.below(side.into()) as i32, random.below(side.into()) as i32);
            let (start, goal) = (draw(), draw());
            if !is_free(start.0, start.1) || !is_free(goal.0, goal.1) {
                continue;
            }
            asked += 1;
            let octile = |&(x, y): &(i32, i32)| {
                let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
                2378 * dx.abs_diff(dy) + 3363 * dx.min(dy)
            };
            let success = |at: &(i32, i32)| *at == goal;
            let mut best = [f64::INFINITY; 2];
            for _ in 0..arguments.passes {
                let (ours, found) = timed(|| {
                    let estimate = |at: &(i32, i32)| u64::from(octile(at));
                    ImplicitSearch::astar().solve(&start, successors, estimate, success).path()
                });
                let (peer, theirs) =
                    timed(|| pathfinding::prelude::astar(&start, successors, octile, success));
                best = [best[0].min(ours), best[1].min(peer)];
                let costs = (found.map(|path| path.cost), theirs.map(|path| u64::from(path.1)));
                ensure!(costs.0 == costs.1, "{start:?} to {goal:?}: {costs:?}");
            }
            (ours_ms, peer_ms) = (ours_ms + best[0], peer_ms + best[1]);
        }
        let what = format!("implicit A*, {name} {side} × {side}, 40 queries, pathfinding");
        row(out, &what, ours_ms, peer_ms)?;
    }
    Ok(())
}

/// All pairs, with paths on our side and without on theirs.
fn matrix(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let nodes = arguments.matrix_nodes;
    let mut random = Random::new(3);
    let mut node = || random.below(nodes.into()) as u32;
    let mut edges: Vec<Edge> = (0..8 * nodes).map(|_| Edge::new(node(), node(), 0)).collect();
    edges.iter_mut().for_each(|edge| edge.weight = 1 + random.below(1000) as i32);
    let graph = Graph::from_edges(nodes as usize, &edges)?;
    let mut theirs = DiGraph::<(), i32>::new();
    (0..nodes).for_each(|_| _ = theirs.add_node(()));
    for edge in &edges {
        theirs.add_edge(
            NodeIndex::new(edge.from.index()),
            NodeIndex::new(edge.to.index()),
            edge.weight,
        );
    }
    let method = AllPairsMethod::FloydWarshall;
    let (one, _) = timed(|| highroad::graph::AllPairs::find(&graph, method));
    let (several, table) = timed(|| all_pairs(&graph, method));
    let (peer, costs) = timed(|| petgraph::algo::floyd_warshall(&theirs, |edge| *edge.weight()));
    let (table, Ok(costs)) = (table?, costs) else { anyhow::bail!("there is no negative cycle") };
    for from in (0..nodes).step_by(7).map(NodeId) {
        for to in (0..nodes).step_by(11).map(NodeId) {
            let known = costs[&(NodeIndex::new(from.index()), NodeIndex::new(to.index()))];
            let known = (known != i32::MAX).then_some(i64::from(known));
            ensure!(known == table.cost(from, to), "{from:?} to {to:?}");
        }
    }
    row(out, &format!("Floyd-Warshall, {nodes} nodes, one thread, petgraph"), one, peer)?;
    row(out, &format!("Floyd-Warshall, {nodes} nodes, all threads, petgraph"), several, peer)
}
