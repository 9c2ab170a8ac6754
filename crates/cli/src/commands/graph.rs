//! `highroad graph`

use super::graph_inputs::{find_node, load_graph, planner_spec};
use crate::graph_arguments::{
    Format, GraphArguments, GraphCommand, PairsMethod, RunArguments, StudyKind,
};
use anyhow::{Context, Result};
use highroad::environment::NodeId;
use highroad::field::FacilityField;
use highroad::graph::{
    AllPairs, AllPairsMethod, BellmanFord, Graph, NegativeCycle, Partition, bellman_ford,
};
use highroad::planner::{PathQuery, Scratch};
use highroad::search::TraceLog;
use highroad_lab::files::write_whole;
use highroad_lab::graphs::{
    RoadRecipe, Stages, StudyRow, TableFormat, all_pairs, estimates_towards, study_heuristics,
    study_regions, to_dimacs,
};
use highroad_lab::table::{Table, bytes, duration, whole};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Nodes of which a whole table is printed.
const PRINTED_MAX: usize = 24;

pub(crate) fn run(arguments: &GraphArguments, out: &mut dyn Write) -> Result<u8> {
    match &arguments.command {
        GraphCommand::Solve { run, nodes } => solve(run, *nodes, out),
        GraphCommand::Trace { run, format } => trace(run, *format, out),
        GraphCommand::AllPairs { graph, method, from, to, one_thread } => {
            let ends = from.as_deref().zip(to.as_deref());
            pairs(&load_graph(graph)?, *method, ends, *one_thread, out)
        }
        GraphCommand::BellmanFord { graph, from, to } => {
            relax(&load_graph(graph)?, from, to.as_deref(), out)
        }
        GraphCommand::Facilities { graph, at, from } => {
            facilities(&load_graph(graph)?, at, from.as_deref(), out)
        }
        GraphCommand::Study { graph, what, region, queries, seed } => {
            study(&load_graph(graph)?, *what, (*region, *queries, *seed), out)
        }
        GraphCommand::Generate { nodes, seed, like, out: file, force } => {
            // The .co goes beside the .gr, so that no file may be called that itself.
            let beside = file.with_extension("co");
            anyhow::ensure!(*file != beside, "{}: a network ends with .gr", file.display());
            super::may_write(file, *force)?;
            super::may_write(&beside, *force)?;
            let recipe = match like {
                Some(like) => recipe_in(like)?,
                None => RoadRecipe { nodes: *nodes, seed: *seed },
            };
            generate(recipe, file, out)
        }
    }
}

/// The recipe that a file says it was made by.
fn recipe_in(file: &Path) -> Result<RoadRecipe> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    RoadRecipe::of(&text).with_context(|| {
        format!("{} does not say how it was made: it has no line 'c made by: …'", file.display())
    })
}

fn generate(recipe: RoadRecipe, file: &Path, out: &mut dyn Write) -> Result<u8> {
    let graph = recipe.generate()?;
    let (edges, places) = to_dimacs(&graph, &recipe.signature());
    write_whole(file, edges.as_bytes())?;
    let beside = file.with_extension("co");
    write_whole(&beside, places.unwrap_or_default().as_bytes())?;
    let (nodes, edges) = (whole(graph.node_count() as u64), whole(graph.edge_count() as u64));
    writeln!(out, "{nodes} nodes and {edges} edges, written to {}", file.display())?;
    Ok(0)
}

fn names(graph: &Graph, nodes: &[NodeId]) -> String {
    nodes.iter().map(|&node| graph.name(node)).collect::<Vec<_>>().join(" ")
}

fn solve(run: &RunArguments, all_nodes: bool, out: &mut dyn Write) -> Result<u8> {
    let graph = load_graph(&run.graph)?;
    graph.non_negative()?;
    let ends = (find_node(&graph, &run.from)?, find_node(&graph, &run.to)?);
    let spec = planner_spec(run)?;
    let begun = Instant::now();
    let planner = spec.build(&graph)?;
    let prepared = begun.elapsed();
    let (query, mut scratch) = (PathQuery::new(ends.0, ends.1), Scratch::new());
    let begun = Instant::now();
    let answer = planner.solve(&graph, &query, &mut scratch)?;
    let took = begun.elapsed();
    let counts = (graph.node_count() as u64, graph.edge_count() as u64);
    writeln!(out, "graph        {} nodes, {} edges", whole(counts.0), whole(counts.1))?;
    writeln!(out, "prepared in  {}", duration(prepared.as_secs_f64() * 1e6))?;
    writeln!(out, "answered in  {}", duration(took.as_secs_f64() * 1e6))?;
    writeln!(out, "expanded     {} nodes", whole(scratch.statistics().expanded))?;
    match answer.path() {
        None => writeln!(out, "no path")?,
        Some(path) => {
            let nodes = path.nodes();
            writeln!(out, "cost         {}", path.cost().0)?;
            writeln!(out, "path         {} nodes", whole(nodes.len() as u64))?;
            if all_nodes || nodes.len() <= PRINTED_MAX {
                writeln!(out, "nodes        {}", names(&graph, nodes))?;
            }
        }
    }
    Ok(0)
}

fn trace(run: &RunArguments, format: Format, out: &mut dyn Write) -> Result<u8> {
    let graph = load_graph(&run.graph)?;
    graph.non_negative()?;
    anyhow::ensure!(
        graph.node_count() <= 200,
        "a table of {} nodes is too wide: at most 200",
        graph.node_count()
    );
    let spec = planner_spec(run)?;
    anyhow::ensure!(
        spec.entry().traces_places,
        "this search has no stages to print: choose another --search"
    );
    let ends = (find_node(&graph, &run.from)?, find_node(&graph, &run.to)?);
    let planner = spec.build(&graph)?;
    let mut log = TraceLog::default();
    let query = PathQuery::new(ends.0, ends.1);
    let answer = planner.solve_traced(&graph, &query, &mut Scratch::new(), &mut log)?;
    let estimates = estimates_towards(&graph, &*planner, ends.1)?;
    let stages = Stages::new(&graph, log.events(), estimates.as_deref());
    let format = match format {
        Format::Text => TableFormat::Text,
        Format::Markdown => TableFormat::Markdown,
        Format::Csv => TableFormat::Csv,
    };
    stages.write(format, out)?;
    if format == TableFormat::Text {
        match answer.path() {
            Some(path) => {
                let (nodes, cost) = (names(&graph, path.nodes()), path.cost().0);
                writeln!(out, "\n{nodes} at a cost of {cost}")?
            }
            None => writeln!(out, "\nno path")?,
        }
    }
    Ok(0)
}

fn pairs(
    graph: &Graph,
    method: PairsMethod,
    ends: Option<(&str, &str)>,
    one_thread: bool,
    out: &mut dyn Write,
) -> Result<u8> {
    let (method, why) = match method {
        PairsMethod::FloydWarshall => (AllPairsMethod::FloydWarshall, "as asked"),
        PairsMethod::Dijkstra => (AllPairsMethod::RepeatedDijkstra, "as asked"),
        PairsMethod::Auto => {
            let why = match graph.non_negative() {
                Err(_) => "there are negative edges",
                Ok(_) => "by density",
            };
            (AllPairsMethod::for_graph(graph), why)
        }
    };
    let begun = Instant::now();
    let table = if one_thread { AllPairs::find(graph, method)? } else { all_pairs(graph, method)? };
    let took = duration(begun.elapsed().as_secs_f64() * 1e6);
    writeln!(out, "method       {} ({why})", method.name())?;
    writeln!(out, "found in     {took}, {}", bytes(table.memory_bytes()))?;
    if let Some((from, to)) = ends {
        let (from, to) = (find_node(graph, from)?, find_node(graph, to)?);
        match (table.cost(from, to), table.path(from, to)) {
            (Some(cost), Some(path)) => {
                writeln!(out, "cost         {cost}\nnodes        {}", names(graph, &path))?;
            }
            _ => writeln!(out, "no path")?,
        }
        return Ok(0);
    }
    if graph.node_count() > PRINTED_MAX {
        return Ok(0);
    }
    let nodes = || (0..graph.node_count() as u32).map(NodeId);
    let heads: Vec<String> = nodes().map(|node| graph.name(node)).collect();
    let mut heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    heads.insert(0, "from");
    let mut printed = Table::new(&heads);
    for from in nodes() {
        let mut row = vec![graph.name(from)];
        row.extend(nodes().map(|to| {
            table.cost(from, to).map_or_else(|| "–".to_owned(), |cost| cost.to_string())
        }));
        printed.row(row);
    }
    printed.write(out, 1)?;
    Ok(0)
}

fn relax(graph: &Graph, from: &str, to: Option<&str>, out: &mut dyn Write) -> Result<u8> {
    let source = find_node(graph, from)?;
    let paths = match bellman_ford(graph, &[source])? {
        BellmanFord::Paths(paths) => paths,
        BellmanFord::Cycle(NegativeCycle { nodes, cost }) => {
            writeln!(out, "a negative cycle can be reached: no path is shortest")?;
            writeln!(out, "once round   {cost}")?;
            writeln!(out, "nodes        {} {}", names(graph, &nodes), graph.name(nodes[0]))?;
            return Ok(crate::BAD_NEWS);
        }
    };
    let listed: Vec<NodeId> = match to {
        Some(to) => vec![find_node(graph, to)?],
        None => (0..graph.node_count() as u32).map(NodeId).collect(),
    };
    let mut table = Table::new(&["to", "path", "cost"]);
    for node in listed {
        let (cost, path) = match (paths.cost(node), paths.path_to(node)) {
            (Some(cost), Some(path)) => (cost.to_string(), names(graph, &path)),
            _ => ("–".to_owned(), "no path".to_owned()),
        };
        table.row(vec![graph.name(node), path, cost]);
    }
    table.write(out, 2)?;
    Ok(0)
}

fn facilities(graph: &Graph, at: &[String], from: Option<&str>, out: &mut dyn Write) -> Result<u8> {
    let places: Vec<NodeId> =
        at.iter().map(|name| find_node(graph, name.trim())).collect::<Result<_>>()?;
    let field = FacilityField::towards(graph, &places)?;
    let listed: Vec<NodeId> = match from {
        Some(from) => vec![find_node(graph, from)?],
        None => (0..graph.node_count() as u32).map(NodeId).collect(),
    };
    let mut table = Table::new(&["from", "facility", "next", "way", "cost"]);
    for node in listed {
        let name =
            |node: Option<NodeId>| node.map_or_else(|| "–".to_owned(), |node| graph.name(node));
        let way = match from {
            Some(_) => {
                field.path(node).map_or_else(|| "no way".to_owned(), |way| names(graph, &way))
            }
            None => field
                .path(node)
                .map_or_else(|| "–".to_owned(), |way| format!("{} steps", way.len() - 1)),
        };
        let cost = field.cost(node).map_or_else(|| "–".to_owned(), |cost| cost.to_string());
        table.row(vec![
            graph.name(node),
            name(field.facility(node)),
            name(field.next(node)),
            way,
            cost,
        ]);
    }
    table.write(out, 4)?;
    Ok(0)
}

fn study(
    graph: &Graph,
    what: StudyKind,
    (region, queries, seed): (usize, usize, u64),
    out: &mut dyn Write,
) -> Result<u8> {
    let partition = Partition::compute(graph, region);
    let (smallest, largest) = partition.balance();
    writeln!(
        out,
        "{} nodes, {} edges; {} regions of {:.2} to {:.2} times their mean size; {queries} queries",
        whole(graph.node_count() as u64),
        whole(graph.edge_count() as u64),
        partition.count(),
        smallest,
        largest
    )?;
    let rows = match what {
        StudyKind::Regions => study_regions(graph, region, queries, seed)?,
        StudyKind::Heuristics => study_heuristics(graph, region, queries, seed)?,
    };
    let heads =
        ["search", "prepared", "memory", "a query", "expanded", "reopened", "above %", "worst %"];
    let mut table = Table::new(&heads);
    for StudyRow {
        name,
        build,
        mean_us,
        expanded,
        above_percent,
        above_percent_max,
        reopened,
        memory_bytes,
    } in rows
    {
        table.row(vec![
            name,
            duration(build.as_secs_f64() * 1e6),
            bytes(memory_bytes),
            duration(mean_us),
            whole(expanded.round() as u64),
            whole(reopened.round() as u64),
            format!("{above_percent:.2}"),
            format!("{above_percent_max:.1}"),
        ]);
    }
    table.write(out, 1)?;
    Ok(0)
}
