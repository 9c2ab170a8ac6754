//! `highroad verify`

use super::mesh::{is_on_meshes, refuse_scenario, warn_of_left_out};
use super::{PlannerList, parse_planners, progress_bar, warn_of_palette};
use crate::BAD_NEWS;
use crate::arguments::VerifyArguments;
use anyhow::Result;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::Grid;
use highroad::mesh::Mesh;
use highroad_lab::measurable::Measurable;
use highroad_lab::meshes::{find_mesh_sources, verify_mesh};
use highroad_lab::quality::Quality;
use highroad_lab::table::{Table, whole};
use highroad_lab::verify::{Verification, verify};
use highroad_lab::workload::{Workload, find_sources};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

/// Violations printed for one planner on one map; the rest are counted.
const SHOWN_MAX: usize = 5;

pub(crate) fn run(arguments: &VerifyArguments, out: &mut dyn Write) -> Result<u8> {
    let asked = arguments.work.planner.as_deref();
    if is_on_meshes(arguments.mesh, &arguments.work.paths) {
        let planners = parse_planners::<Mesh>(asked.unwrap_or("any-angle"))?;
        let scenario = arguments.scenario.as_deref();
        let sources = find_mesh_sources(&arguments.work.paths, scenario, arguments.mesh)?;
        let mut totals = Totals::new(&planners, sources.len());
        for source in &sources {
            let work = source.load(arguments.sample)?;
            warn_of_left_out(&work);
            totals.add(&work.workload, out, |spec| verify_mesh(&work, spec, || ()))?;
        }
        return totals.finish(arguments.quality, out);
    }
    refuse_scenario(arguments.scenario.as_deref())?;
    let planners = parse_planners::<Grid>(asked.unwrap_or("astar"))?;
    let sources = find_sources(&arguments.work.paths)?;
    let mut totals = Totals::new(&planners, sources.len());
    for source in &sources {
        let workload = source.load_with(arguments.work.movement.agents(), arguments.sample)?;
        warn_of_palette(&workload.name, workload.environment.map());
        totals.add(&workload, out, |spec| verify(&workload, spec, || ()))?;
    }
    totals.finish(arguments.quality, out)
}

/// What was found on all workloads so far.
struct Totals<'p> {
    planners: &'p PlannerList,
    workloads: usize,
    start: Instant,
    /// For each planner, queries asked and violations found.
    counts: Vec<(u64, u64)>,
    table: Table,
    bar: ProgressBar,
}

impl<'p> Totals<'p> {
    fn new(planners: &'p PlannerList, workloads: usize) -> Self {
        Self {
            planners,
            workloads,
            start: Instant::now(),
            counts: vec![(0, 0); planners.specs.len()],
            table: Table::new(&["map", "planner", "paths", "above shortest", "99 %", "worst"]),
            bar: progress_bar(workloads as u64, "verify"),
        }
    }

    /// Verifies all planners on one workload.
    fn add<E: Measurable>(
        &mut self,
        workload: &Workload<E>,
        out: &mut dyn Write,
        verify: impl Fn(&Spec) -> Result<Verification<E::Place>, SpecError>,
    ) -> Result<()>
    where
        E::Place: Display,
    {
        self.bar.set_message(workload.name.clone());
        for (spec, (asked, violated)) in self.planners.specs.iter().zip(&mut self.counts) {
            let verification = match verify(spec) {
                Err(SpecError::NotServed { .. }) if self.planners.skip_unserved => continue,
                // Among many maps one that a planner does not serve is no reason to stop.
                Err(error @ SpecError::NotServed { .. }) if self.workloads > 1 => {
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
            self.table.row(vec![
                workload.name.clone(),
                spec.to_string(),
                whole(paths),
                format!("{:.3} %", quality.mean_percent),
                format!("{:.2} %", quality.p99_percent),
                format!("{:.2} %", quality.max_percent),
            ]);
        }
        self.bar.inc(1);
        Ok(())
    }

    /// Prints the sums.
    fn finish(self, quality: bool, out: &mut dyn Write) -> Result<u8> {
        self.bar.finish_and_clear();
        if quality {
            self.table.write(out, 2)?;
        }
        for (spec, (asked, violated)) in self.planners.specs.iter().zip(&self.counts) {
            writeln!(out, "{spec}: {} queries, {} violations", whole(*asked), whole(*violated))?;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        writeln!(out, "{} workloads in {seconds:.1} s", self.workloads)?;
        let violated = self.counts.iter().any(|(_, violated)| *violated > 0);
        Ok(if violated { BAD_NEWS } else { 0 })
    }
}
