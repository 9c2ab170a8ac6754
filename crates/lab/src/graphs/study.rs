//! The question that "Hierarchical Path-Finding" (2022) ends with: is it worth its complexity? Dijkstra, A* and
//! regions on one graph, and every heuristic on a map.

use crate::generate::Random;
use highroad::catalog::{Spec, SpecError};
use highroad::environment::NodeId;
use highroad::field::FacilityField;
use highroad::graph::{Graph, NegativeEdge};
use highroad::online::GraphSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use std::hint::black_box;
use std::time::{Duration, Instant};
use thiserror::Error;

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

/// Why a graph cannot be studied.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StudyError {
    /// Searches need weights that are not negative.
    #[error(transparent)]
    Negative(#[from] NegativeEdge),
    /// A planner cannot have such an option, such as regions of no nodes.
    #[error(transparent)]
    Planner(#[from] SpecError),
}

const PASSES: usize = 3;

/// A planner of the catalog, and what its row is called.
struct Contestant {
    name: String,
    spec: String,
}

impl Contestant {
    fn new(name: impl Into<String>, spec: impl Into<String>) -> Self {
        Self { name: name.into(), spec: spec.into() }
    }
}

/// What an answer cost, and how many nodes were expanded and reopened for it.
#[derive(Clone, Copy)]
struct Effort {
    cost: u64,
    expanded: u64,
    reopened: u64,
}

/// Queries between random nodes that have a way, and their costs.
struct Queries(Vec<(PathQuery<NodeId>, u64)>);

impl Queries {
    fn draw(graph: &Graph, count: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = graph.node_count() as u64;
        let mut scratch = Scratch::new();
        let mut queries = Vec::new();
        for _ in 0..10 * count {
            if queries.len() == count || nodes == 0 {
                break;
            }
            let ends = (NodeId(random.below(nodes) as u32), NodeId(random.below(nodes) as u32));
            let query = PathQuery::new(ends.0, ends.1);
            let answer = ask(graph, &GraphSearch::dijkstra(), &query, &mut scratch);
            if let Some(Effort { cost, .. }) = answer.filter(|effort| effort.cost > 0) {
                queries.push((query, cost));
            }
        }
        Self(queries)
    }

    /// Measures one way.
    fn measure(
        &self,
        name: &str,
        (build, memory_bytes): (Duration, usize),
        mut answer: impl FnMut(&PathQuery<NodeId>) -> Option<Effort>,
    ) -> StudyRow {
        let mut times = vec![f64::INFINITY; self.0.len()];
        let (mut expanded, mut reopened, mut above, mut worst) = (0u64, 0u64, 0.0, 0.0f64);
        for pass in 0..PASSES {
            for ((query, optimal), time) in self.0.iter().zip(&mut times) {
                let begun = Instant::now();
                let found = black_box(answer(query));
                *time = time.min(begun.elapsed().as_secs_f64() * 1e6);
                if pass > 0 {
                    continue;
                }
                let none = Effort { cost: u64::MAX, expanded: 0, reopened: 0 };
                let effort = found.unwrap_or(none);
                let percent = (effort.cost as f64 / *optimal as f64 - 1.0) * 100.0;
                (expanded, reopened) = (expanded + effort.expanded, reopened + effort.reopened);
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

    /// Measures planners of the catalog; those that do not serve the graph are left out.
    fn measure_all(
        &self,
        graph: &Graph,
        contestants: &[Contestant],
    ) -> Result<Vec<StudyRow>, StudyError> {
        let mut scratch = Scratch::new();
        let mut rows = Vec::new();
        for Contestant { name, spec } in contestants {
            let spec: Spec = spec.parse()?;
            let begun = Instant::now();
            let planner = match spec.build(graph) {
                Ok(planner) => planner,
                Err(SpecError::NotServed { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            let build = (begun.elapsed(), planner.memory_bytes());
            rows.push(
                self.measure(name, build, |query| ask(graph, &*planner, query, &mut scratch)),
            );
        }
        Ok(rows)
    }
}

fn ask(
    graph: &Graph,
    planner: &dyn Planner<Graph>,
    query: &PathQuery<NodeId>,
    scratch: &mut Scratch,
) -> Option<Effort> {
    let path = planner.solve(graph, query, scratch).ok()?.path()?;
    let statistics = scratch.statistics();
    let (expanded, reopened) = (statistics.expanded, statistics.reopened);
    Some(Effort { cost: path.cost().0, expanded, reopened })
}

/// Dijkstra, A*, landmarks and searches by regions of about `region_size` nodes: with each connection cost, by
/// legs and by corridor, with the table and without, on one level and on two; and by entrances, few and all.
pub fn study_regions(
    graph: &Graph,
    region_size: usize,
    queries: usize,
    seed: u64,
) -> Result<Vec<StudyRow>, StudyError> {
    graph.non_negative()?;
    let mut contestants = searches();
    for border in ["1", "3", "all"] {
        let spec = format!("entrances:size={region_size}:border={border}");
        contestants.push(Contestant::new(format!("entrances, {border} a border"), spec));
    }
    let mut regions = |connection: &str, refine: &str, table: &str, levels: u32| {
        let spec = format!(
            "regions:size={region_size}:connection={connection}:refine={refine}:table={table}:levels={levels}"
        );
        let name = format!(
            "regions, {connection}, by {refine}, table {}{}",
            if table == "yes" { "on" } else { "off" },
            if levels > 1 { ", two levels" } else { "" },
        );
        contestants.push(Contestant::new(name, spec));
    };
    for connection in ["minimum", "maximin", "average"] {
        for refine in ["legs", "corridor"] {
            for table in ["no", "yes"] {
                regions(connection, refine, table, 1);
            }
        }
    }
    regions("average", "corridor", "no", 2);
    Queries::draw(graph, queries, seed).measure_all(graph, &contestants)
}

/// Searches without regions.
fn searches() -> Vec<Contestant> {
    vec![
        Contestant::new("Dijkstra", "dijkstra"),
        Contestant::new("bidirectional", "bidirectional"),
        Contestant::new("A*, Euclid", "astar:heuristic=euclidean"),
        Contestant::new("A*, 8 landmarks", "astar:heuristic=landmarks:landmarks=8"),
    ]
}

/// Every heuristic on one graph, with clusters of about `cluster_size` nodes: none, Euclid, landmarks, the cluster
/// heuristic, abstract distances, the true costs.
pub fn study_heuristics(
    graph: &Graph,
    cluster_size: usize,
    queries: usize,
    seed: u64,
) -> Result<Vec<StudyRow>, StudyError> {
    graph.non_negative()?;
    let mut contestants = searches();
    for (name, heuristic) in [("A*, clusters", "clusters"), ("A*, abstract distances", "abstract")]
    {
        let spec = format!("astar:heuristic={heuristic}:cluster={cluster_size}");
        contestants.push(Contestant::new(name, spec));
    }
    let drawn = Queries::draw(graph, queries, seed);
    let mut rows = drawn.measure_all(graph, &contestants)?;
    let (name, nothing) = ("A*, true costs (a field for each query)", (Duration::ZERO, 0));
    let mut scratch = Scratch::new();
    rows.push(drawn.measure(name, nothing, |query| {
        let exact = FacilityField::towards(graph, query.goals()).ok()?.estimates()?;
        ask(graph, &GraphSearch::astar().with_heuristic(exact), query, &mut scratch)
    }));
    Ok(rows)
}
