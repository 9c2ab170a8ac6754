//! `highroad compare`

use super::mesh::{MeshInput, load_mesh};
use super::{load_map, parse_planners, progress_bar, write_picture};
use crate::arguments::{CompareArguments, CompareFormat, Place, both};
use anyhow::{Context, Result};
use highroad::Cell;
use highroad::catalog::SpecError;
use highroad::grid::Grid;
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::compare::{CompareError, CompareRow, Comparison, far_apart};
use highroad_lab::measurable::Measurable;
use highroad_lab::meshes::far_apart_points;
use highroad_lab::table::{Table, TableFormat, above_optimal, bytes, duration, whole};
use highroad_lab::workload::{AgentMovement, grid_with};
use highroad_pictures::{Backdrop, MeshScene, PathLine, PathsPicture, Scene, Viewport};
use std::io::Write;

pub(crate) fn run(arguments: &CompareArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(input) =
        load_mesh(&arguments.map, arguments.mesh, &arguments.obstacles, &arguments.agent)?
    {
        return run_on_mesh(&input, arguments, out);
    }
    let (map, builtin) = load_map(&arguments.map)?;
    let grid = grid_with(map, AgentMovement::new(arguments.rule, arguments.steps))?;
    let (from, to, whose) = query_of(arguments, &grid, builtin)?;
    let lines = compare(arguments, &grid, (from, to), whose, out)?;
    let scene = Scene { start: Some(from), goal: Some(to), ..Scene::new(&grid) };
    let frame = Viewport::whole(grid.extent());
    draw(arguments, Backdrop::Cells(scene), &lines, &frame, out)?;
    Ok(0)
}

fn run_on_mesh(input: &MeshInput, arguments: &CompareArguments, out: &mut dyn Write) -> Result<u8> {
    let mesh = &input.mesh;
    let (from, to, whose) = match (both(arguments.from, arguments.to)?, input.query) {
        (Some((from, to)), _) => (from.point()?, to.point()?, "as asked for"),
        (None, Some((from, to))) => (from, to, "the map's own query"),
        (None, None) => {
            let (from, to) = far_apart_points(mesh).context("the mesh has no polygons")?;
            (from, to, "far apart (no --from and --to were given)")
        }
    };
    let lines = compare(arguments, mesh, (from, to), whose, out)?;
    let scene = MeshScene { start: Some(from), goal: Some(to), ..MeshScene::new(mesh) };
    draw(arguments, Backdrop::Mesh(scene), &lines, &Viewport::around(mesh.bounds()), out)?;
    Ok(0)
}

/// Asks all planners and prints what each does. Returns the paths found.
fn compare<E: Measurable>(
    arguments: &CompareArguments,
    environment: &E,
    (from, to): (E::Place, E::Place),
    whose: &str,
    out: &mut dyn Write,
) -> Result<Vec<PathLine>>
where
    E::Place: std::fmt::Display,
{
    let planners = parse_planners::<E>(&arguments.planner)?;
    let passes = usize::from(arguments.passes);
    let mut comparison = Comparison::new(environment, (from, to), passes)?;
    let bar = progress_bar(((passes + 1) * planners.specs.len()) as u64, "compare");
    let mut skipped = Vec::new();
    for spec in &planners.specs {
        bar.set_message(spec.to_string());
        match comparison.ask(spec, || bar.inc(1)) {
            Err(CompareError::Spec(error @ SpecError::NotServed { .. }))
                if planners.skip_unserved =>
            {
                skipped.push(error.to_string());
            }
            result => result?,
        }
    }
    bar.finish_and_clear();
    if arguments.format == CompareFormat::Json {
        for row in &comparison.rows {
            writeln!(out, "{}", serde_json::to_string(row)?)?;
        }
    } else {
        if arguments.format == CompareFormat::Text {
            writeln!(out, "{from} to {to} on {}, {whose}", arguments.map)?;
            if !comparison.has_path() {
                writeln!(out, "There is no path between them.")?;
            }
            writeln!(out)?;
        }
        table(&comparison.rows, arguments.format, out)?;
        if arguments.format == CompareFormat::Text && !skipped.is_empty() {
            writeln!(out, "\nLeft out: {}", skipped.join("; "))?;
        }
    }
    Ok(comparison.lines())
}

/// Draws the paths, if a picture is asked for.
fn draw(
    arguments: &CompareArguments,
    backdrop: Backdrop<'_>,
    lines: &[PathLine],
    frame: &Viewport,
    out: &mut dyn Write,
) -> Result<()> {
    let Some(file) = &arguments.picture else { return Ok(()) };
    let picture = PathsPicture { backdrop, lines };
    write_picture(file, || picture.to_canvas(frame), || picture.to_svg(frame))?;
    if arguments.format == CompareFormat::Text {
        let count = lines.len();
        let paths = if count == 1 { "path" } else { "different paths" };
        writeln!(out, "\n{count} {paths}, drawn in {}", file.display())?;
    }
    Ok(())
}

/// The query, and how it was come by.
fn query_of(
    arguments: &CompareArguments,
    grid: &Grid,
    builtin: Option<&BuiltinMap>,
) -> Result<(Cell, Cell, &'static str)> {
    let [from, to] = [arguments.from, arguments.to].map(|place| place.map(Place::cell).transpose());
    match (both(from?, to?)?, builtin) {
        (Some((from, to)), _) => Ok((from, to, "as asked for")),
        (None, Some(builtin)) => Ok((builtin.query.0, builtin.query.1, "the map's own query")),
        (None, None) => {
            let pair = far_apart(grid, 1).context("no cell of the map can be entered")?;
            Ok((pair.0, pair.1, "about as far apart as can be (no --from and --to were given)"))
        }
    }
}

fn table(rows: &[CompareRow], format: CompareFormat, out: &mut dyn Write) -> Result<()> {
    // Tables that programs read have plain numbers, and units in their heads.
    let plain = format == CompareFormat::Csv;
    let mut table = Table::new(&if plain {
        [
            "planner",
            "guarantee",
            "length",
            "cost",
            "above_optimal_percent",
            "steps",
            "turns",
            "expanded",
            "query_us",
            "build_ms",
            "memory_bytes",
        ]
    } else {
        [
            "planner",
            "guarantee",
            "length",
            "cost",
            "vs. optimal",
            "steps",
            "turns",
            "expanded",
            "query",
            "build",
            "memory",
        ]
    });
    for row in rows {
        table.row(cells(row, plain));
    }
    let format = match format {
        CompareFormat::Markdown => TableFormat::Markdown,
        CompareFormat::Csv => TableFormat::Csv,
        CompareFormat::Text | CompareFormat::Json => TableFormat::Text,
    };
    Ok(table.write_as(format, out, 2)?)
}

fn cells(row: &CompareRow, plain: bool) -> Vec<String> {
    let none = || if plain { String::new() } else { "no path".to_owned() };
    let count = |number: u64| if plain { number.to_string() } else { whole(number) };
    let some = |number: Option<u64>| number.map(count).unwrap_or_default();
    let percent = |above: f64| if plain { above.to_string() } else { above_optimal(above) };
    vec![
        row.planner.clone(),
        row.guarantee.clone(),
        row.length.map_or_else(none, |length| {
            if plain { length.to_string() } else { format!("{length:.4}") }
        }),
        row.cost
            .map(|cost| if plain { cost.to_string() } else { format!("{cost:.2}") })
            .unwrap_or_default(),
        row.above_optimal_percent.map(percent).unwrap_or_default(),
        some(row.steps.map(|steps| steps as u64)),
        some(row.turns.map(|turns| turns as u64)),
        count(row.expanded),
        if plain { row.query_us.to_string() } else { duration(row.query_us) },
        if plain { row.build_ms.to_string() } else { duration(row.build_ms * 1e3) },
        if plain { row.memory_bytes.to_string() } else { bytes(row.memory_bytes) },
    ]
}
