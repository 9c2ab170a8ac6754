//! `highroad bench --worst`

use super::super::{load_map, parse_planners, progress_bar, read_file};
use crate::arguments::BenchArguments;
use anyhow::{Context, Result, bail};
use highroad::catalog::SpecError;
use highroad::grid::{Grid, Movement};
use highroad_lab::generate::MapRecipe;
use highroad_lab::table::{Table, bytes, duration, whole};
use highroad_lab::workload::{Sample, find_sources};
use highroad_lab::worst::{
    USUAL_MAPS, USUAL_PLANNERS, WORST_CASES, WorstCase, WorstError, WorstPlan, WorstRow,
    measure_worst,
};
use std::io::Write;
use std::path::PathBuf;

pub(super) fn run(arguments: &BenchArguments, out: &mut dyn Write) -> Result<u8> {
    let usual = USUAL_PLANNERS.join(",");
    let planners = parse_planners::<Grid>(arguments.planner.as_deref().unwrap_or(&usual))?;
    let mut plan = WorstPlan { ticks: arguments.ticks as usize, ..WorstPlan::default() };
    if let Sample::Spread(queries) = arguments.queries {
        plan.queries = queries;
    }
    let wanted = |case: &&WorstCase| {
        arguments.case.as_ref().is_none_or(|name| case.name().contains(name.as_str()))
    };
    let cases: Vec<WorstCase> = WORST_CASES.iter().filter(wanted).copied().collect();
    if cases.is_empty() {
        let known: Vec<&str> = WORST_CASES.iter().map(|case| case.name()).collect();
        bail!("no case has such a name; there are: {}", known.join(", "));
    }
    let mut table = Table::new(&[
        "map",
        "planner",
        "case",
        "answer",
        "to usual",
        "p99",
        "max",
        "tick",
        "p99",
        "p99.9",
        "max",
        "answered",
        "edit",
        "p99",
        "max",
        "expansion",
        "memory",
    ]);
    for (name, grid) in grounds(arguments)? {
        for spec in &planners.specs {
            let bar = progress_bar(cases.len() as u64, &format!("{name} {spec}"));
            let mut rows: Vec<WorstRow> = Vec::new();
            for &case in &cases {
                let row = match measure_worst(&name, &grid, spec, case, plan) {
                    Err(WorstError::Spec(SpecError::NotServed { .. })) => continue,
                    row => row?,
                };
                bar.inc(1);
                let Some(row) = row else { continue };
                if arguments.json {
                    writeln!(out, "{}", serde_json::to_string(&row)?)?;
                    out.flush()?;
                }
                rows.push(row);
            }
            rows.iter().for_each(|row| table.row(cells(row, row.ratio(&rows))));
            bar.finish_and_clear();
        }
    }
    if !arguments.json {
        writeln!(
            out,
            "Processor time. {} requests wait, a tick may take {}.",
            whole(plan.requests as u64),
            duration(plan.budget_us as f64)
        )?;
        table.write(out, 3)?;
    }
    Ok(0)
}

/// The maps by their names.
fn grounds(arguments: &BenchArguments) -> Result<Vec<(String, Grid)>> {
    let mut maps = Vec::new();
    for (name, recipe) in USUAL_MAPS.iter().filter(|_| arguments.paths.is_empty()) {
        let recipe: MapRecipe = recipe.parse()?;
        maps.push(((*name).to_owned(), recipe.generate()?));
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &arguments.paths {
        match path.to_str().filter(|name| name.starts_with("builtin:")) {
            Some(name) => maps.push((name.to_owned(), load_map(name)?.0)),
            None => files.push(path.clone()),
        }
    }
    for source in find_sources(&files)? {
        let name = source.map.file_name().and_then(|name| name.to_str()).unwrap_or("map");
        let map = read_file(&source.map)?;
        maps.push((name.to_owned(), map));
    }
    let mut grounds = Vec::new();
    for (name, map) in maps {
        let profile = Grid::with_defaults(map.clone()).movement().profile().clone();
        let (rule, steps) = (arguments.movement.rule, arguments.movement.steps);
        let movement = Movement::new(profile, rule, steps).with_context(|| name.clone())?;
        grounds.push((name, Grid::new(map, movement)));
    }
    Ok(grounds)
}

fn cells(row: &WorstRow, ratio: Option<f64>) -> Vec<String> {
    let edits = |time: f64| if row.edits.count == 0 { String::new() } else { duration(time) };
    vec![
        row.map.clone(),
        row.planner.clone(),
        row.case.to_owned(),
        duration(row.answers.mean_us),
        ratio.map_or_else(String::new, |ratio| format!("{ratio:.1}")),
        duration(row.answers.p99_us),
        duration(row.answers.max_us),
        duration(row.ticks.mean_us),
        duration(row.ticks.p99_us),
        duration(row.ticks.p999_us),
        duration(row.ticks.max_us),
        format!("{:.2}", row.answered_per_tick),
        edits(row.edits.mean_us),
        edits(row.edits.p99_us),
        edits(row.edits.max_us),
        duration(row.expansion_us),
        bytes(row.memory_bytes),
    ]
}
