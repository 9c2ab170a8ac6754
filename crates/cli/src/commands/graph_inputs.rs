//! Graphs, their nodes and their planners by their names on the command line.

use crate::graph_arguments::RunArguments;
use anyhow::{Context, Result, bail};
use highroad::catalog::Spec;
use highroad::environment::NodeId;
use highroad::graph::Graph;
use highroad::grid::Grid;
use highroad_lab::graphs::{RoadRecipe, graph_of_grid, lecture, read_graph};
use std::path::Path;

/// A graph by its name: built in, made on the spot, the cells of a map, or a file.
pub(super) fn load_graph(name: &str) -> Result<Graph> {
    if let Some(builtin) = name.strip_prefix("builtin:") {
        return match builtin {
            "lecture" => Ok(lecture()),
            _ => bail!("there is no built-in graph '{builtin}'; there is: lecture"),
        };
    }
    if let Some(recipe) = name.strip_prefix("roads:") {
        let (nodes, seed) = recipe.split_once(':').unwrap_or((recipe, "1"));
        let recipe = nodes.parse().ok().zip(seed.parse().ok());
        let (nodes, seed) =
            recipe.with_context(|| format!("'{name}': write roads:NODES or roads:NODES:SEED"))?;
        return Ok(RoadRecipe { nodes, seed }.generate()?);
    }
    if let Some(map) = name.strip_prefix("map:") {
        let (map, _) = super::load_map(map)?;
        return Ok(graph_of_grid(&Grid::with_defaults(map))?.0);
    }
    Ok(read_graph(Path::new(name))?)
}

/// A node by its name or number.
pub(super) fn find_node(graph: &Graph, name: &str) -> Result<NodeId> {
    graph.find(name).with_context(|| {
        let last = graph.node_count().checked_sub(1).map(|last| graph.name(NodeId(last as u32)));
        match last {
            Some(last) => {
                format!(
                    "there is no node '{name}': they go from {} to {last}",
                    graph.name(NodeId(0))
                )
            }
            None => format!("there is no node '{name}': the graph is empty"),
        }
    })
}

/// What `--search` asks for, with what other arguments set of its options.
pub(super) fn planner_spec(run: &RunArguments) -> Result<Spec> {
    let plain: Spec = run.search.parse()?;
    let shorthands = [
        ("heuristic", run.heuristic.as_deref(), &["heuristic"][..]),
        ("weight", run.weight.as_deref(), &["weight", "scale"]),
        ("ties", run.ties.as_deref(), &["ties"]),
        ("region", run.region.as_deref(), &["size", "cluster"]),
        ("connection", run.connection.as_deref(), &["connection"]),
    ];
    let mut text = run.search.clone();
    for (argument, value, options) in shorthands {
        let Some(value) = value else { continue };
        let known = options.iter().find_map(|name| plain.entry().option(name));
        let option = known.with_context(|| missing_option(&plain, argument, options))?;
        // What `--heuristic none` means is called zero in the catalog.
        let value = if value == "none" && option.kind.takes("zero") { "zero" } else { value };
        text += &format!(":{}={value}", option.name);
    }
    Ok(text.parse()?)
}

fn missing_option(spec: &Spec, argument: &str, options: &[&str]) -> String {
    let known: Vec<&str> = spec.entry().options.iter().map(|option| option.name).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!(
        "--{argument} sets the option {}, which {} does not have; its options: {known}",
        options.join(" or "),
        spec.entry().name
    )
}
