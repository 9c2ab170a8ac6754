//! The question that "Hierarchical Path-Finding" (2022) ends with: is it worth its complexity? Dijkstra, A* and
//! regions on one graph, and the guides of this crate on a map.

use crate::generate::Random;
use highroad::NodeId;
use highroad::field::FacilityField;
use highroad::graph::{
    AbstractDistances, ClusterTable, ConnectionCost, EntranceGraph, Graph, GraphAnswer, GraphQuery,
    GraphScratch, GraphSearch, Guide, Landmarks, Metric, NegativeEdge, NoGuide, NonNegative,
    Partition, PositionGuide, Refinement, RegionOptions, Regions,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How one way to find paths did on all queries.
#[derive(Clone, Debug)]
pub struct StudyRow {
    /// What was measured.
    pub name: String,
    /// What it took to prepare.
    pub build: Duration,
    /// The mean time of a query, in microseconds: the smallest of the passes each.
    pub mean_us: f64,
    /// Nodes expanded a query, with regions, on average.
    pub expanded: f64,
    /// By how much paths cost more than the shortest, in per cent, on average and at worst.
    pub above_percent: f64,
    /// At worst.
    pub above_percent_max: f64,
    /// Nodes reopened a query, on average.
    pub reopened: f64,
    /// Bytes of what was prepared.
    pub memory_bytes: usize,
}

const PASSES: usize = 3;

/// Queries between random nodes that have a way, and their costs.
struct Queries(Vec<(NodeId, NodeId, u64)>);

impl Queries {
    fn draw(graph: NonNegative<'_>, count: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = graph.graph().node_count() as u64;
        let mut scratch = GraphScratch::new();
        let mut queries = Vec::new();
        for _ in 0..10 * count {
            if queries.len() == count || nodes == 0 {
                break;
            }
            let ends = (NodeId(random.below(nodes) as u32), NodeId(random.below(nodes) as u32));
            let query = GraphQuery::new(ends.0, ends.1);
            let answer = GraphSearch::dijkstra().solve(graph, &query, &NoGuide, &mut scratch);
            if let Ok(GraphAnswer::Found(path)) = answer
                && path.cost > 0
            {
                queries.push((ends.0, ends.1, path.cost));
            }
        }
        Self(queries)
    }

    /// Measures one way: `answer` gives cost, expanded and reopened nodes.
    fn measure(
        &self,
        name: &str,
        (build, memory_bytes): (Duration, usize),
        mut answer: impl FnMut(NodeId, NodeId) -> Option<(u64, u64, u64)>,
    ) -> StudyRow {
        let mut times = vec![f64::INFINITY; self.0.len()];
        let (mut expanded, mut reopened, mut above, mut worst) = (0u64, 0u64, 0.0, 0.0f64);
        for pass in 0..PASSES {
            for (query, time) in self.0.iter().zip(&mut times) {
                let begun = Instant::now();
                let found = black_box(answer(query.0, query.1));
                *time = time.min(begun.elapsed().as_secs_f64() * 1e6);
                if pass > 0 {
                    continue;
                }
                let (cost, nodes, again) = found.unwrap_or((u64::MAX, 0, 0));
                let percent = (cost as f64 / query.2 as f64 - 1.0) * 100.0;
                (expanded, reopened) = (expanded + nodes, reopened + again);
                (above, worst) = (above + percent, worst.max(percent));
            }
        }
        let count = self.0.len().max(1) as f64;
        StudyRow {
            name: name.to_owned(),
            build,
            mean_us: crate::table::mean(&times),
            expanded: expanded as f64 / count,
            above_percent: above / count,
            above_percent_max: worst,
            reopened: reopened as f64 / count,
            memory_bytes,
        }
    }
}

/// One query by a search and a guide.
fn ask<G: Guide>(
    graph: NonNegative<'_>,
    search: GraphSearch,
    (start, goal): (NodeId, NodeId),
    guide: &G,
    scratch: &mut GraphScratch,
) -> Option<(u64, u64, u64)> {
    let query = GraphQuery::new(start, goal);
    let path = search.solve(graph, &query, guide, scratch).ok()?.path()?;
    let statistics = scratch.statistics();
    Some((path.cost, statistics.expanded, statistics.reopened))
}

/// Dijkstra, A*, landmarks and searches by regions of about `region_size` nodes: with each connection cost, by
/// legs and by corridor, with the table and without, on one level and on two; and by entrances, few and all.
pub fn study_regions(
    graph: &Graph,
    region_size: usize,
    queries: usize,
    seed: u64,
) -> Result<Vec<StudyRow>, NegativeEdge> {
    let view = graph.non_negative()?;
    let drawn = Queries::draw(view, queries, seed);
    let mut scratch = GraphScratch::new();
    let mut rows = searches(view, &drawn, &mut scratch);
    let begun = Instant::now();
    let partition = Partition::compute(graph, region_size);
    let cut = begun.elapsed();
    let scale = PositionGuide::scale_of(graph, Metric::Euclidean);
    let mut variants = Vec::new();
    for connection in ConnectionCost::ALL {
        for refinement in [Refinement::Legs, Refinement::Corridor] {
            for table in [false, true] {
                variants.push((connection, refinement, table, 1));
            }
        }
    }
    variants.push((ConnectionCost::AverageMinimum, Refinement::Corridor, false, 2));
    let guide_to = |goal| {
        let metric = Metric::Euclidean;
        let guide = scale
            .and_then(|scale| PositionGuide::with_scale(graph, metric, &[goal], scale))
            .map(PositionGuide::vouched);
        guide.map_or_else(|| Box::new(NoGuide) as Box<dyn Guide>, |guide| Box::new(guide))
    };
    for per_pair in [Some(1), Some(3), None] {
        let begun = Instant::now();
        let built = EntranceGraph::build(view, partition.clone(), per_pair, &mut scratch);
        let Ok(entrances) = built else { continue };
        let build = (cut + begun.elapsed(), entrances.memory_bytes());
        let kept = per_pair.map_or_else(|| "all".to_owned(), |most| most.to_string());
        let name = format!("entrances, {kept} a border");
        rows.push(drawn.measure(&name, build, |start, goal| {
            let answer = entrances.find(view, start, goal, &guide_to(goal), &mut scratch).ok()?;
            let effort = answer.effort;
            Some((answer.path?.cost, effort.nodes_expanded + effort.regions_expanded, 0))
        }));
    }
    for (connection, refinement, table, levels) in variants {
        let options =
            RegionOptions { connection, refinement, table, levels, ..RegionOptions::default() };
        let begun = Instant::now();
        let built = Regions::build(view, partition.clone(), options, &mut scratch);
        let Ok(regions) = built else { continue };
        let build = (cut + begun.elapsed(), regions.memory_bytes());
        let name = format!(
            "regions, {}, {}, table {}{}",
            connection.name(),
            if refinement == Refinement::Legs { "by legs" } else { "by corridor" },
            if table { "on" } else { "off" },
            if levels > 1 { ", two levels" } else { "" },
        );
        rows.push(drawn.measure(&name, build, |start, goal| {
            let guide = guide_to(goal);
            let answer = regions.find_guided(view, start, goal, &guide, &mut scratch).ok()?;
            let effort = answer.effort;
            Some((answer.path?.cost, effort.nodes_expanded + effort.regions_expanded, 0))
        }));
    }
    Ok(rows)
}

/// Searches without regions.
fn searches(view: NonNegative<'_>, drawn: &Queries, scratch: &mut GraphScratch) -> Vec<StudyRow> {
    let graph = view.graph();
    let nothing = (Duration::ZERO, 0);
    let mut rows = vec![drawn.measure("Dijkstra", nothing, |start, goal| {
        ask(view, GraphSearch::dijkstra(), (start, goal), &NoGuide, scratch)
    })];
    rows.push(drawn.measure("bidirectional", nothing, |start, goal| {
        ask(view, GraphSearch::bidirectional(), (start, goal), &NoGuide, scratch)
    }));
    if let Some(scale) = PositionGuide::scale_of(graph, Metric::Euclidean) {
        rows.push(drawn.measure("A*, Euclid", nothing, |start, goal| {
            let guide = PositionGuide::with_scale(graph, Metric::Euclidean, &[goal], scale)?;
            ask(view, GraphSearch::astar(), (start, goal), &guide.vouched(), scratch)
        }));
    }
    let begun = Instant::now();
    let landmarks = Landmarks::choose(view, 8, scratch);
    let build = (begun.elapsed(), landmarks.memory_bytes());
    rows.push(drawn.measure("A*, 8 landmarks", build, |start, goal| {
        ask(view, GraphSearch::astar(), (start, goal), &landmarks.guide(&[goal]), scratch)
    }));
    rows
}

/// Every guide on one graph, with clusters given by a partition: none, Euclid, the cluster heuristic, abstract
/// distances, landmarks, the true costs.
pub fn study_guides(
    graph: &Graph,
    clusters: &Partition,
    queries: usize,
    seed: u64,
) -> Result<Vec<StudyRow>, NegativeEdge> {
    let view = graph.non_negative()?;
    let drawn = Queries::draw(view, queries, seed);
    let mut scratch = GraphScratch::new();
    let mut rows = searches(view, &drawn, &mut scratch);
    let astar = GraphSearch::astar();
    let begun = Instant::now();
    if let Some(table) = ClusterTable::new(view, clusters.clone(), &mut scratch) {
        let build = (begun.elapsed(), table.memory_bytes());
        rows.push(drawn.measure("A*, clusters", build, |start, goal| {
            ask(view, astar, (start, goal), &table.guide(&[goal]), &mut scratch)
        }));
    }
    let begun = Instant::now();
    if let Some(distances) = AbstractDistances::new(view, clusters.clone(), &mut scratch) {
        let build = (begun.elapsed(), 0);
        rows.push(drawn.measure("A*, abstract distances", build, |start, goal| {
            let guide = distances.guide(view, goal, &mut scratch);
            ask(view, astar, (start, goal), &guide, &mut scratch)
        }));
    }
    rows.push(drawn.measure(
        "A*, true costs (field made anew)",
        (Duration::ZERO, 0),
        |start, goal| {
            let field = FacilityField::towards(view, &[goal], &mut scratch).ok()?;
            ask(view, astar, (start, goal), &field.guide()?, &mut scratch)
        },
    ));
    Ok(rows)
}
