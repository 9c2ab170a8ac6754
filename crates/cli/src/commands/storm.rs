//! `highroad storm`

use super::{parse_planners, progress_bar, warn_of_palette};
use crate::BAD_NEWS;
use crate::arguments::StormArguments;
use anyhow::Result;
use highroad::catalog::SpecError;
use highroad::grid::Grid;
use highroad_lab::storm::{StormPlan, storm};
use highroad_lab::table::{Table, duration, whole};
use highroad_lab::workload::{Sample, find_sources};
use std::io::Write;

/// Faults printed for one planner on one map; the rest are counted.
const SHOWN_MAX: usize = 5;

pub(crate) fn run(arguments: &StormArguments, out: &mut dyn Write) -> Result<u8> {
    let planners = parse_planners::<Grid>(arguments.work.planner.as_deref().unwrap_or("astar"))?;
    let plan = StormPlan {
        edits: arguments.edits as usize,
        checkpoints: usize::from(arguments.checkpoints),
        queries: usize::from(arguments.queries),
        seed: arguments.seed,
    };
    let mut table = Table::new(&[
        "map",
        "planner",
        "edits",
        "rebuilds",
        "edit",
        "edit p99",
        "above optimal",
        "made afresh",
        "faults",
    ]);
    let mut faults = 0;
    let mut sources = find_sources(&arguments.work.paths)?;
    sources.dedup_by(|a, b| a.map == b.map);
    for source in sources {
        let workload = source.load_with(arguments.work.movement.agents(), Sample::Spread(1))?;
        warn_of_palette(&workload.name, workload.environment.map());
        for spec in &planners.specs {
            let bar = progress_bar(plan.edits as u64, &format!("{} {spec}", workload.name));
            let row = match storm(&workload.name, &workload.environment, spec, plan, || bar.inc(1))
            {
                Err(SpecError::NotServed { .. }) if planners.skip_unserved => continue,
                row => row?,
            };
            bar.finish_and_clear();
            faults += row.faults.len();
            if arguments.json {
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
                out.flush()?;
                continue;
            }
            for fault in row.faults.iter().take(SHOWN_MAX) {
                writeln!(out, "{}, {spec}, {fault}", row.map)?;
            }
            table.row(vec![
                row.map,
                row.planner,
                whole(row.edits as u64),
                whole(row.rebuilds as u64),
                duration(row.edit_mean_us),
                duration(row.edit_p99_us),
                format!("{:.3} %", row.patched_mean_percent),
                format!("{:.3} %", row.afresh_mean_percent),
                whole(row.faults.len() as u64),
            ]);
        }
    }
    if !arguments.json {
        table.write(out, 2)?;
    }
    Ok(if faults > 0 { BAD_NEWS } else { 0 })
}
