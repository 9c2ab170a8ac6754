//! `highroad scenario`

use super::{may_write, progress_bar, read_file};
use crate::arguments::ScenarioArguments;
use anyhow::{Result, bail};
use highroad::grid::{MovementRule, StepCosts};
use highroad_lab::files::write_whole;
use highroad_lab::gppc::{DynamicPlan, Patch, make_dynamic};
use highroad_lab::scenario::{Amount, ScenarioPlan, make_scenario};
use highroad_lab::table::whole;
use highroad_lab::workload::{AgentMovement, grid_with};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &ScenarioArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(name) = arguments.map.to_str().and_then(|map| map.strip_prefix("builtin:")) {
        bail!(
            "a scenario lies beside the file of its map; write that first: \
             highroad convert builtin:{name} {name}.map"
        );
    }
    // Before the work, which may take long.
    let ending = if arguments.dynamic { ".dynamic.scen" } else { ".scen" };
    let file = target(arguments, ending);
    may_write(&file, arguments.force)?;
    if arguments.dynamic {
        may_write(&file.with_extension("patch"), arguments.force)?;
    }
    if arguments.dynamic { dynamic(arguments, out) } else { fixed(arguments, out) }
}

/// Where to write: as asked for, or beside the map.
fn target(arguments: &ScenarioArguments, ending: &str) -> PathBuf {
    arguments.out.clone().unwrap_or_else(|| {
        let mut name = arguments.map.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

fn write(file: &Path, text: String) -> Result<()> {
    Ok(write_whole(file, text.as_bytes())?)
}

fn fixed(arguments: &ScenarioArguments, out: &mut dyn Write) -> Result<u8> {
    let map = read_file(&arguments.map)?;
    let grid = grid_with(map, AgentMovement::new(arguments.rule, arguments.steps))?;
    let name = arguments.map.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let amount = match arguments.queries {
        Some(queries) => Amount::Total(queries as usize),
        None => Amount::PerBucket(arguments.per_bucket),
    };
    let buckets = arguments.buckets.clone().unwrap_or(0..=u32::MAX);
    let plan = ScenarioPlan { amount, buckets, seed: arguments.seed };
    let bar = progress_bar(1, &name);
    let scenario = make_scenario(&grid, &name, &plan, |found, wanted| {
        bar.set_length(wanted as u64);
        bar.set_position(found as u64);
    });
    bar.finish_and_clear();
    let (Some(first), Some(last)) = (scenario.queries.first(), scenario.queries.last()) else {
        bail!(
            "{} has no two different cells with a way between them{}",
            arguments.map.display(),
            if arguments.buckets.is_some() { " of a length in these buckets" } else { "" }
        );
    };
    let file = target(arguments, ".scen");
    write(&file, scenario.to_text()?)?;
    writeln!(
        out,
        "{} queries in buckets {} to {}, the longest of length {:.2}, written to {}",
        whole(scenario.queries.len() as u64),
        first.bucket,
        last.bucket,
        scenario.queries.iter().filter_map(|query| query.length).fold(0.0, f64::max),
        file.display()
    )?;
    if file.parent() != arguments.map.parent() {
        writeln!(out, "Put {name} beside it: that is where a scenario's map is looked for.")?;
    }
    Ok(0)
}

fn dynamic(arguments: &ScenarioArguments, out: &mut dyn Write) -> Result<u8> {
    if arguments.rule != MovementRule::default() || arguments.steps != StepCosts::default() {
        bail!(
            "dynamic scenarios have the benchmarks' rules and no others: leave out --rule and --steps"
        );
    }
    let map = read_file(&arguments.map)?;
    let file = target(arguments, ".dynamic.scen");
    let patches_file = file.with_extension("patch");
    let patch_name = patches_file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let states = arguments.changes + 1;
    let plan = DynamicPlan {
        changes: arguments.changes,
        patches: arguments.patches,
        side_max: arguments.side,
        queries: arguments.queries.map_or(arguments.per_bucket, |total| total.div_ceil(states)),
        seed: arguments.seed,
    };
    let total = u64::from(plan.queries) * u64::from(states);
    let bar = progress_bar(total, &patch_name);
    let (scenario, patches) = make_dynamic(&map, &patch_name, plan, || bar.inc(1))?;
    bar.finish_and_clear();
    write(&patches_file, Patch::all_to_text(&patches))?;
    write(&file, scenario.to_text())?;
    writeln!(
        out,
        "{} queries and {} changes, written to {} and {}",
        whole(total),
        whole(u64::from(arguments.changes)),
        file.display(),
        patches_file.display()
    )?;
    Ok(0)
}
