//! `highroad verify`

use super::{parse_planners, progress_bar};
use crate::BAD_NEWS;
use crate::arguments::VerifyArguments;
use anyhow::Result;
use highroad::catalog::SpecError;
use highroad_lab::quality::Quality;
use highroad_lab::table::{Table, whole};
use highroad_lab::verify::verify;
use highroad_lab::workload::find_sources;
use std::io::Write;
use std::time::Instant;

/// Violations printed for one planner on one map; the rest are counted.
const SHOWN_MAX: usize = 5;

pub(crate) fn run(arguments: &VerifyArguments, out: &mut dyn Write) -> Result<u8> {
    let planners = parse_planners(&arguments.work.planner)?;
    let sources = find_sources(&arguments.work.paths)?;
    let start = Instant::now();
    let mut totals = vec![(0u64, 0u64); planners.specs.len()];
    let mut table = Table::new(&["map", "planner", "paths", "above shortest", "99 %", "worst"]);
    let maps = progress_bar(sources.len() as u64, "verify");
    for source in &sources {
        let workload = source.load_with(
            arguments.work.movement.rule,
            arguments.work.movement.steps,
            arguments.sample,
        )?;
        maps.set_message(workload.name.clone());
        for (spec, (asked, violated)) in planners.specs.iter().zip(&mut totals) {
            let verification = match verify(&workload, spec, || ()) {
                Err(SpecError::NotServed { .. }) if planners.skip_unserved => continue,
                // Among many maps one that a planner does not serve is no reason to stop.
                Err(error @ SpecError::NotServed { .. }) if sources.len() > 1 => {
                    writeln!(out, "{} skipped: {error}", workload.name)?;
                    continue;
                }
                verification => verification?,
            };
            let violations = verification.violations;
            *asked += workload.queries.len() as u64;
            *violated += violations.len() as u64;
            for violation in violations.iter().take(SHOWN_MAX) {
                writeln!(out, "{violation}")?;
            }
            if violations.len() > SHOWN_MAX {
                writeln!(out, "… and {} more like it", violations.len() - SHOWN_MAX)?;
            }
            let paths = verification.excess_percent.len() as u64;
            let quality = Quality::of(verification.excess_percent);
            table.row(vec![
                workload.name.clone(),
                spec.to_string(),
                whole(paths),
                format!("{:.3} %", quality.mean_percent),
                format!("{:.2} %", quality.p99_percent),
                format!("{:.2} %", quality.max_percent),
            ]);
        }
        maps.inc(1);
    }
    maps.finish_and_clear();
    if arguments.quality {
        table.write(out, 2)?;
    }
    for (spec, (asked, violated)) in planners.specs.iter().zip(&totals) {
        writeln!(out, "{spec}: {} queries, {} violations", whole(*asked), whole(*violated))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{} workloads in {seconds:.1} s", sources.len())?;
    let violated = totals.iter().any(|(_, violated)| *violated > 0);
    Ok(if violated { BAD_NEWS } else { 0 })
}
