//! `highroad render`

use super::{load_map, write_picture};
use crate::arguments::RenderArguments;
use anyhow::{Result, bail};
use highroad::grid::{Components, Grid};
use highroad::planner::{Answer, LayerInfo, PathQuery, Scratch, Shape, SketchLayer};
use highroad::search::TraceLog;
use highroad::{Cell, Path};
use highroad_lab::workload::grid_under;
use highroad_pictures::replay::Replay;
use highroad_pictures::{Scene, SceneLayer, Viewport};
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
    let (map, builtin) = load_map(&arguments.map)?;
    let grid = grid_under(map, arguments.rule);
    let own = builtin.map(|map| map.query);
    let from = arguments.from.or(own.map(|query| query.0));
    let to = arguments.to.or(own.map(|query| query.1));
    let query = match (from, to) {
        (Some(from), Some(to)) => Some((from, to)),
        (None, None) => None,
        _ => bail!("say both where the path starts and where it ends: --from X,Y --to X,Y"),
    };
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
    let missing = arguments
        .layers
        .iter()
        .filter(|name| !COMMON.contains(&name.as_str()) && !known.contains(&name.as_str()));
    for name in missing {
        writeln!(out, "there is no layer '{name}' here; there are: {}", {
            let mut all: Vec<&str> = COMMON.iter().chain(&known).copied().collect();
            all.dedup();
            all.join(", ")
        })?;
    }
    Ok(0)
}

/// Layers that every planner has.
const COMMON: [&str; 6] = ["all", "search", "path", "tree", "components", "grid-lines"];

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
    let planner = arguments.planner.build(grid)?;
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
