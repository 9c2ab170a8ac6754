//! `highroad render`

use super::mesh::{load_mesh, render_on};
use super::{load_map, write_picture};
use crate::arguments::{Place, RenderArguments, both};
use anyhow::Result;
use highroad::catalog::Spec;
use highroad::grid::{Components, Grid};
use highroad::planner::{Answer, LayerInfo, PathQuery, Scratch, Shape, SketchLayer};
use highroad::search::TraceLog;
use highroad::{Cell, Path};
use highroad_lab::workload::grid_under;
use highroad_pictures::replay::Replay;
use highroad_pictures::{CLEARANCE, Scene, SceneLayer, Viewport, clearance_layer};
use std::io::Write;

/// Events kept for a picture: some 270 MB at the most.
const DRAWN_EVENTS_MAX: usize = 5_000_000;

/// How much layers cover that lie over the whole map.
const LAYER_OPACITY: f32 = 0.5;

static COMPONENTS: LayerInfo =
    LayerInfo::hidden("components", "parts of the map without a way between them");

/// What was found out for a picture.
#[derive(Default)]
struct Found {
    replay: Option<Replay>,
    path: Option<Path>,
    layers: Vec<SketchLayer>,
}

pub(crate) fn run(arguments: &RenderArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(input) =
        load_mesh(&arguments.map, arguments.mesh, &arguments.obstacles, &arguments.agent)?
    {
        return render_on(&input, arguments, out);
    }
    let (map, builtin) = load_map(&arguments.map)?;
    let grid = grid_under(map, arguments.rule);
    let own = builtin.map(|map| map.query);
    let [from, to] = [arguments.from, arguments.to].map(|place| place.map(Place::cell).transpose());
    let query = both(from?.or(own.map(|query| query.0)), to?.or(own.map(|query| query.1)))?;
    let mut found = find(arguments, &grid, query)?;
    if let Some(replay) = &mut found.replay {
        replay.go_to(arguments.events.unwrap_or(usize::MAX), |_| ());
    }
    let shows = |layer: &str| arguments.layers.iter().any(|name| name == layer || name == "all");
    let whole = replay_is_whole(&found);
    let scene = Scene {
        theme: arguments.theme.0,
        search: found
            .replay
            .as_ref()
            .filter(|_| shows("search"))
            .map(|replay| (replay, arguments.colours.0, 0.8)),
        tree: shows("tree").then_some(0.7),
        layers: found
            .layers
            .iter()
            .filter(|layer| shows(layer.info.name))
            .map(|layer| SceneLayer { layer, opacity: LAYER_OPACITY, shown: usize::MAX })
            .collect(),
        path: found.path.as_ref().filter(|_| shows("path") && whole).map(|p| (p.cells(), 1.0)),
        start: query.map(|query| query.0),
        goal: query.map(|query| query.1),
        grid_lines: shows("grid-lines"),
        ..Scene::new(&grid)
    };
    let frame = Viewport::whole(grid.extent());
    write_picture(&arguments.out, || scene.to_canvas(&frame), || scene.to_svg(&frame))?;
    writeln!(out, "{}", arguments.out.display())?;
    // Levels share their names.
    let mut known: Vec<&str> = Vec::new();
    for layer in &found.layers {
        if !known.contains(&layer.info.name) {
            known.push(layer.info.name);
        }
    }
    print_missing(&arguments.layers, &COMMON, &known, out)?;
    Ok(0)
}

/// Says which layers were asked for that there are not.
pub(super) fn print_missing(
    asked: &[String],
    common: &[&str],
    known: &[&str],
    out: &mut dyn Write,
) -> Result<()> {
    let all: Vec<&str> = common.iter().chain(known).copied().collect();
    for name in asked.iter().filter(|name| !all.contains(&name.as_str())) {
        writeln!(out, "there is no layer '{name}' here; there are: {}", all.join(", "))?;
    }
    Ok(())
}

/// Layers that every planner has.
const COMMON: [&str; 7] = ["all", "search", "path", "tree", "components", CLEARANCE, "grid-lines"];

/// Whether the search has been played to its end, so that the path is known.
fn replay_is_whole(found: &Found) -> bool {
    found.replay.as_ref().is_none_or(|replay| replay.position() == replay.len())
}

/// Runs the planner, and gathers what it has to show.
fn find(arguments: &RenderArguments, grid: &Grid, query: Option<(Cell, Cell)>) -> Result<Found> {
    let mut found = Found::default();
    if arguments.layers.iter().any(|name| name == "components" || name == "all") {
        let shape = Shape::Regions(Components::of(grid).numbers().to_vec());
        found.layers.push(COMPONENTS.layer(0, shape));
    }
    if arguments.layers.iter().any(|name| name == CLEARANCE) {
        found.layers.push(clearance_layer(grid));
    }
    let planner = match &arguments.planner {
        Some(planner) => planner.build(grid)?,
        None => "astar".parse::<Spec>()?.build(grid)?,
    };
    found.layers.extend(planner.sketch(grid));
    let Some((from, to)) = query else { return Ok(found) };
    let mut log = TraceLog::new(DRAWN_EVENTS_MAX);
    let mut scratch = Scratch::new();
    let answer = planner.solve_traced(grid, &PathQuery::new(from, to), &mut scratch, &mut log)?;
    found.layers.extend(planner.sketch_query(grid, &scratch));
    found.replay = Some(Replay::new(grid.extent(), log));
    found.path = Some(match answer {
        Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path } => path,
    });
    Ok(found)
}
