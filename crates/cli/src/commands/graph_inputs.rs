//! Graphs, their nodes and their planners by their names on the command line.

use crate::graph_arguments::RunArguments;
use anyhow::{Context, Result, bail};
use highroad::field::FacilityField;
use highroad::graph::Graph;
use highroad::{GraphSearch, Grid, NodeId, OptionValues, Planner, Spec, TieRule, Weight};
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

/// The value of `--heuristic` that stands for the true costs to go. They are those of one goal, so that no planner of
/// the catalog can have them as an option.
const TRUE_COSTS: &str = "true";

/// What `--search` asks for, with what other arguments set of its options.
pub(super) fn planner_spec(run: &RunArguments) -> Result<Spec> {
    let plain: Spec = run.search.parse()?;
    let shorthands = [
        (
            "heuristic",
            run.heuristic.as_deref().filter(|&word| word != TRUE_COSTS),
            &["heuristic"][..],
        ),
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

/// The planner that was asked for, built for a graph.
pub(super) fn build_planner(
    run: &RunArguments,
    spec: &Spec,
    graph: &Graph,
    goal: NodeId,
) -> Result<Box<dyn Planner<Graph>>> {
    if run.heuristic.as_deref() != Some(TRUE_COSTS) {
        return Ok(spec.build(graph)?);
    }
    let field = FacilityField::towards(graph, &[goal])?;
    let exact = field.estimates().context("the field leads away from the goal")?;
    let search = estimating_search(spec)?;
    Ok(Box::new(search.with_heuristic(exact)))
}

/// The search that a planner of the catalog is, to be given estimates that the catalog does not have.
fn estimating_search(spec: &Spec) -> Result<GraphSearch> {
    let search = match spec.entry().name {
        "astar" | "weighted-astar" => GraphSearch::astar(),
        "greedy" => GraphSearch::greedy(),
        name => bail!(
            "--heuristic {TRUE_COSTS} is for astar, weighted-astar and greedy, not for {name}"
        ),
    };
    let values = spec.values();
    if values.iter().any(|(option, value)| option.name == "heuristic" && value != option.default) {
        bail!("the option 'heuristic' is given twice");
    }
    let weight = ["weight", "scale"].into_iter().find(|name| values.has(name));
    let weight = weight.and_then(|name| values.number(name)).unwrap_or(1.0);
    let search = search.with_weight(Weight::new(weight)?);
    let ties = values.choice("ties", &TieRule::ALL).unwrap_or_default();
    Ok(with_reopening(search, values).with_ties(ties))
}

fn with_reopening(search: GraphSearch, values: &OptionValues) -> GraphSearch {
    match values.choice("reopen", &[None, Some(true), Some(false)]).flatten() {
        Some(wanted) => search.with_reopening(wanted),
        None => search,
    }
}
