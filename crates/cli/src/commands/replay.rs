//! `highroad replay`

use super::{parse_planners, progress_bar};
use crate::BAD_NEWS;
use crate::arguments::ReplayArguments;
use anyhow::Result;
use highroad_lab::gppc::{DynamicReplay, ReplayError, replay};
use highroad_lab::table::{Table, duration, whole};
use std::io::Write;

/// Mismatches printed for one planner; the rest are counted.
const SHOWN_MAX: usize = 5;

pub(crate) fn run(arguments: &ReplayArguments, out: &mut dyn Write) -> Result<u8> {
    let planners = parse_planners::<highroad::grid::Grid>(&arguments.planner)?;
    let scenario = DynamicReplay::load(&arguments.scenario)?;
    let mut table = Table::new(&[
        "scenario",
        "planner",
        "edits",
        "queries",
        "edit",
        "edit p99",
        "query",
        "query p99",
        "above optimal",
        "mismatches",
    ]);
    let mut mismatches = 0;
    for spec in &planners.specs {
        let bar = progress_bar(scenario.query_count() as u64, &format!("{} {spec}", scenario.name));
        let (row, wrong) = match replay(&scenario, spec, arguments.wait, || bar.inc(1)) {
            Err(ReplayError::World(_)) if planners.skip_unserved => continue,
            row => row?,
        };
        bar.finish_and_clear();
        mismatches += row.mismatches;
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            out.flush()?;
            continue;
        }
        for wrong in wrong.iter().take(SHOWN_MAX) {
            writeln!(out, "{}, {spec}, {wrong}", row.scenario)?;
        }
        table.row(vec![
            row.scenario,
            row.planner,
            whole(row.edits as u64),
            whole(row.queries as u64),
            duration(row.edit_mean_us),
            duration(row.edit_p99_us),
            duration(row.query_mean_us),
            duration(row.query_p99_us),
            format!("{:.3} %", row.suboptimality_mean_percent),
            whole(row.mismatches as u64),
        ]);
    }
    if !arguments.json {
        table.write(out, 2)?;
    }
    Ok(if mismatches > 0 { BAD_NEWS } else { 0 })
}
