//! Meshes on the command line: which argument is one, and what `solve` and `render` do on them.

use super::render::print_missing;
use super::solve::print_effort;
use super::{load_map, write_picture};
use crate::arguments::{MeshAgentArguments, RenderArguments, SolveArguments, both};
use anyhow::{Context, Result, ensure};
use highroad::catalog::Spec;
use highroad::grid::MovementRule;
use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
use highroad::planner::{Answer, PathQuery, Scratch, SketchLayer};
use highroad::search::Limits;
use highroad::{Cell, Path};
use highroad_lab::meshes::{MeshWorkload, is_mesh_file, mesh_of_grid, read_mesh};
use highroad_lab::table::{duration, whole};
use highroad_lab::workload::grid_under;
use highroad_pictures::{MeshScene, SceneLayer, Viewport};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// A mesh that was read or made.
pub(super) struct MeshInput {
    pub(super) mesh: Mesh,
    /// The query that a built-in map brings.
    pub(super) query: Option<(MeshPoint, MeshPoint)>,
    /// Microseconds to read or to make it.
    load_us: f64,
}

/// The mesh that is asked for, with obstacles on it, for an agent; `None` if it is a map of cells.
pub(super) fn load_mesh(
    name: &str,
    of_map: bool,
    obstacles: &[Obstacle],
    agent: &MeshAgentArguments,
) -> Result<Option<MeshInput>> {
    let mut input = read_or_make(name, of_map)?;
    match &mut input {
        Some(input) => {
            let mut batch = MeshBatch::new();
            for (number, obstacle) in obstacles.iter().enumerate() {
                batch.place(format!("obstacle {}", number + 1), obstacle.clone());
            }
            input.mesh.apply(&batch)?;
            if agent.are_given() {
                input.mesh = input.mesh.another_kind(0, agent.movement()?)?;
            }
        }
        None => {
            ensure!(obstacles.is_empty(), "--obstacle is for meshes: add --mesh");
            ensure!(!agent.are_given(), "--forbid and --factor are for meshes: add --mesh");
        }
    }
    Ok(input)
}

fn read_or_make(name: &str, of_map: bool) -> Result<Option<MeshInput>> {
    let file = std::path::Path::new(name);
    let is_file = !name.starts_with("builtin:") && is_mesh_file(file);
    if !is_file && !of_map {
        return Ok(None);
    }
    if is_file {
        let start = Instant::now();
        let mesh = read_mesh(file)?;
        let load_us = start.elapsed().as_secs_f64() * 1e6;
        return Ok(Some(MeshInput { mesh, query: None, load_us }));
    }
    let (map, builtin) = load_map(name)?;
    let start = Instant::now();
    let grid = grid_under(map, MovementRule::default());
    let mesh = mesh_of_grid(&grid).map_err(|reason| anyhow::anyhow!("{name}: {reason}"))?;
    let load_us = start.elapsed().as_secs_f64() * 1e6;
    let middle = |cell: Cell| MeshPoint::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
    let query = match builtin {
        Some(builtin) => Some((middle(builtin.query.0)?, middle(builtin.query.1)?)),
        None => None,
    };
    Ok(Some(MeshInput { mesh, query, load_us }))
}

/// The planner that is asked for, or the usual one.
fn planner_of(asked: Option<&Spec>, mesh: &Mesh) -> Result<Spec> {
    Ok(match asked {
        Some(spec) => spec.clone(),
        None if mesh.has_costs() => "funnel".parse()?,
        None => "any-angle".parse()?,
    })
}

pub(super) fn solve_on(
    input: &MeshInput,
    arguments: &SolveArguments,
    out: &mut dyn Write,
) -> Result<u8> {
    let mesh = &input.mesh;
    let ends = match both(arguments.from, arguments.to)? {
        Some((from, to)) => Some((from.point()?, to.point()?)),
        None => input.query,
    };
    let (from, to) = ends.context("say where the path starts and ends: --from X,Y --to X,Y")?;
    let expansions_max = arguments.expansions_max.unwrap_or(u64::MAX);
    let limits = Limits::default().with_expansions_max(expansions_max);
    let query = PathQuery::new(from, to).with_limits(limits);
    // Before the build, which may take long.
    query.check(mesh)?;
    let spec = planner_of(arguments.planner.as_ref(), mesh)?;
    let build_start = Instant::now();
    let planner = spec.build(mesh)?;
    let build_us = build_start.elapsed().as_secs_f64() * 1e6;
    let mut scratch = Scratch::new();
    // The first query pays for fresh memory; the second shows what queries cost.
    planner.solve(mesh, &query, &mut scratch)?;
    let start = Instant::now();
    let answer = planner.solve(mesh, &query, &mut scratch)?;
    let us = start.elapsed().as_secs_f64() * 1e6;

    writeln!(out, "{} on a mesh, {}", spec.entry().title, arguments.map)?;
    let (polygons, vertices) = (mesh.polygon_count() as u64, mesh.vertex_count() as u64);
    let made = if is_mesh_file(arguments.map.as_ref()) { "read" } else { "made" };
    writeln!(
        out,
        "  mesh         {} polygons, {} vertices, {made} in {}",
        whole(polygons),
        whole(vertices),
        duration(input.load_us)
    )?;
    let path = print_result(mesh, &answer, arguments.cells, out)?;
    print_effort(mesh, &*planner, scratch.statistics(), (us, build_us), out)?;
    if let Some(file) = &arguments.draw {
        let layers = planner.sketch_query(mesh, &scratch);
        let scene = MeshScene {
            layers: layers.iter().map(shown_whole).collect(),
            corridor: true,
            path: Some(path.places()),
            start: Some(from),
            goal: Some(to),
            ..MeshScene::new(mesh)
        };
        let frame = Viewport::around(mesh.bounds());
        write_picture(file, || scene.to_canvas(&frame), || Ok(scene.to_svg(&frame)))?;
        writeln!(out, "  picture      {}", file.display())?;
    }
    Ok(0)
}

fn shown_whole(layer: &SketchLayer) -> SceneLayer<'_> {
    SceneLayer { layer, opacity: layer.info.opacity, shown: usize::MAX }
}

/// Prints an answer, and returns the path to draw.
fn print_result<'a>(
    mesh: &Mesh,
    answer: &'a Answer<MeshPoint>,
    points: bool,
    out: &mut dyn Write,
) -> Result<&'a Path<MeshPoint>> {
    let path = match answer {
        Answer::Found(path) => {
            writeln!(out, "  path         {} to {}", path.start(), path.goal())?;
            path
        }
        Answer::Unreachable { nearest } => {
            writeln!(out, "  no path; the nearest point one can reach is {}", nearest.goal())?;
            nearest
        }
        Answer::LimitReached { nearest } => {
            writeln!(out, "  gave up; the nearest point looked at is {}", nearest.goal())?;
            nearest
        }
    };
    let legs = path.steps();
    let corridor = mesh.corridor(path.places()).len();
    writeln!(out, "  length       {:.6}", mesh.length(path.places()))?;
    if mesh.has_links() || mesh.has_costs() {
        let cost = path.cost().0 as f64 / mesh.cost_scale();
        writeln!(out, "  cost         {cost:.6}, as a length of ordinary ground")?;
    }
    writeln!(out, "  legs         {legs}, through {corridor} polygons")?;
    if points {
        let points: Vec<String> =
            path.places().iter().map(|point| format!("{},{}", point.x(), point.y())).collect();
        writeln!(out, "  points       {}", points.join(" "))?;
    }
    Ok(path)
}

/// Layers that every picture of a mesh has.
const COMMON: [&str; 5] = ["all", "search", "path", "corridor", "funnel"];

pub(super) fn render_on(
    input: &MeshInput,
    arguments: &RenderArguments,
    out: &mut dyn Write,
) -> Result<u8> {
    let mesh = &input.mesh;
    let ends = match both(arguments.from, arguments.to)? {
        Some((from, to)) => Some((from.point()?, to.point()?)),
        None => input.query,
    };
    let planner = planner_of(arguments.planner.as_ref(), mesh)?.build(mesh)?;
    let mut path = None;
    let mut layers = planner.sketch(mesh);
    let mut of_query = Vec::new();
    if let Some((from, to)) = ends {
        let mut scratch = Scratch::new();
        let answer = planner.solve(mesh, &PathQuery::new(from, to), &mut scratch)?;
        of_query = planner.sketch_query(mesh, &scratch);
        path = Some(match answer {
            Answer::Found(path)
            | Answer::Unreachable { nearest: path }
            | Answer::LimitReached { nearest: path } => path,
        });
    }
    let shows = |layer: &str| arguments.layers.iter().any(|name| name == layer || name == "all");
    let known: Vec<&str> = layers.iter().chain(&of_query).map(|layer| layer.info.name).collect();
    layers.retain(|layer| shows(layer.info.name));
    of_query.retain(|layer| shows(layer.info.name) || shows("search"));
    let shown = arguments.events.unwrap_or(usize::MAX);
    let of_search =
        of_query.iter().map(|layer| SceneLayer { layer, opacity: layer.info.opacity, shown });
    let scene = MeshScene {
        theme: arguments.theme.0,
        layers: layers.iter().map(shown_whole).chain(of_search).collect(),
        corridor: shows("corridor"),
        funnel: shows("funnel"),
        path: path.as_ref().filter(|_| shows("path")).map(|path| path.places()),
        start: ends.map(|ends| ends.0),
        goal: ends.map(|ends| ends.1),
        ..MeshScene::new(mesh)
    };
    let frame = Viewport::around(mesh.bounds());
    write_picture(&arguments.out, || scene.to_canvas(&frame), || Ok(scene.to_svg(&frame)))?;
    writeln!(out, "{}", arguments.out.display())?;
    print_missing(&arguments.layers, &COMMON, &known, out)?;
    Ok(0)
}

/// Whether planners are measured or verified on meshes: if meshes are made of maps, or a file is one of a mesh.
pub(super) fn is_on_meshes(of_maps: bool, paths: &[PathBuf]) -> bool {
    of_maps || paths.iter().any(|path| is_mesh_file(path) || holds_meshes_alone(path))
}

/// Whether a folder has meshes, and no maps beside them.
fn holds_meshes_alone(folder: &std::path::Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_map = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "map");
    files.iter().any(|file| is_mesh_file(file)) && !files.iter().any(is_map)
}

/// A scenario of its own is for meshes: maps of cells have theirs beside them.
pub(super) fn refuse_scenario(scenario: Option<&std::path::Path>) -> Result<()> {
    anyhow::ensure!(
        scenario.is_none(),
        "--scenario is for meshes; of a map of cells, give the scenario instead of the map"
    );
    Ok(())
}

/// Says so if queries of a scenario are not asked.
pub(super) fn warn_of_left_out(work: &MeshWorkload) {
    if work.left_out > 0 {
        let name = &work.workload.name;
        let count = work.left_out;
        let _ = writeln!(
            std::io::stderr(),
            "warning: {name}: {count} queries are left out, since an end lies beside the mesh"
        );
    }
}
