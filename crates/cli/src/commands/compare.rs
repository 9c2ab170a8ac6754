//! `highroad compare`

use super::{load_map, parse_planners, progress_bar, write_picture};
use crate::arguments::{CompareArguments, CompareFormat};
use anyhow::{Context, Result, bail};
use highroad::Cell;
use highroad::catalog::SpecError;
use highroad::grid::Grid;
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::compare::{CompareError, CompareRow, Comparison, far_apart};
use highroad_lab::table::{Table, TableFormat, bytes, duration, whole};
use highroad_lab::workload::grid_with;
use highroad_pictures::{PathsPicture, Scene, Viewport};
use std::io::Write;

pub(crate) fn run(arguments: &CompareArguments, out: &mut dyn Write) -> Result<u8> {
    let planners = parse_planners(&arguments.planner)?;
    let (map, builtin) = load_map(&arguments.map)?;
    let grid = grid_with(map, arguments.rule, arguments.steps)?;
    let (from, to, whose) = query_of(arguments, &grid, builtin)?;
    let passes = usize::from(arguments.passes);
    let mut comparison = Comparison::new(&grid, (from, to), passes)?;
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
    if let Some(file) = &arguments.picture {
        let lines = comparison.lines();
        let scene = Scene { start: Some(from), goal: Some(to), ..Scene::new(&grid) };
        let picture = PathsPicture { scene, lines: &lines };
        let frame = Viewport::whole(grid.extent());
        write_picture(file, || picture.to_canvas(&frame), || picture.to_svg(&frame))?;
        if arguments.format == CompareFormat::Text {
            let count = lines.len();
            let paths = if count == 1 { "path" } else { "different paths" };
            writeln!(out, "\n{count} {paths}, drawn in {}", file.display())?;
        }
    }
    Ok(0)
}

/// The query, and how it was come by.
fn query_of(
    arguments: &CompareArguments,
    grid: &Grid,
    builtin: Option<&BuiltinMap>,
) -> Result<(Cell, Cell, &'static str)> {
    match (arguments.from, arguments.to, builtin) {
        (Some(from), Some(to), _) => Ok((from, to, "as asked for")),
        (None, None, Some(builtin)) => {
            Ok((builtin.query.0, builtin.query.1, "the map's own query"))
        }
        (None, None, None) => {
            let pair = far_apart(grid, 1).context("no cell of the map can be entered")?;
            Ok((pair.0, pair.1, "about as far apart as can be (no --from and --to were given)"))
        }
        _ => bail!("say both where the path starts and where it ends: --from X,Y --to X,Y"),
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
            "above optimal",
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
    let percent = |above: f64| if plain { above.to_string() } else { format!("{above:.3} %") };
    vec![
        row.planner.clone(),
        row.guarantee.clone(),
        row.length.map_or_else(none, |length| {
            if plain { length.to_string() } else { format!("{length:.4}") }
        }),
        some(row.cost),
        row.above_optimal_percent.map(percent).unwrap_or_default(),
        some(row.steps.map(|steps| steps as u64)),
        some(row.turns.map(|turns| turns as u64)),
        count(row.expanded),
        if plain { row.query_us.to_string() } else { duration(row.query_us) },
        if plain { row.build_ms.to_string() } else { duration(row.build_ms * 1e3) },
        if plain { row.memory_bytes.to_string() } else { bytes(row.memory_bytes) },
    ]
}
