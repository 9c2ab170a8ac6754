//! `highroad report`

use super::{parse_planners, progress_bar, warn};
use crate::BAD_NEWS;
use crate::arguments::ReportArguments;
use anyhow::Result;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::{Grid, Movement, PaletteDoubt};
use highroad_lab::generate::MapRecipe;
use highroad_lab::report::{
    Circumstances, Plan, Report, Settings, Store, Subject, Watcher, run as measure,
};
use highroad_lab::table::whole;
use highroad_lab::worst::{
    USUAL_MAPS, USUAL_PLANNERS, WORST_CASES, WorstError, WorstPlan, WorstRow, measure_worst,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::Duration;

pub(crate) fn run(arguments: &ReportArguments, out: &mut dyn Write) -> Result<u8> {
    let planners = parse_planners::<highroad::grid::Grid>(&arguments.planner)?;
    let settings = Settings {
        rule: arguments.rule,
        steps: arguments.steps,
        queries: arguments.queries,
        growth_queries: usize::from(arguments.growth_queries),
        passes: usize::from(arguments.passes),
        seed: arguments.seed,
        unit_seconds: u64::from(arguments.seconds_per_unit),
        build_seconds: u64::from(arguments.build_seconds),
        memory_megabytes: u64::from(arguments.memory),
    };
    let mut subjects = if arguments.maps.is_empty() {
        Subject::own()
    } else {
        Subject::of_files(&arguments.maps)?
    };
    subjects.extend(Subject::growth(&arguments.growth.0, settings.seed));
    let circumstances = Circumstances::here(
        env!("CARGO_PKG_VERSION"),
        env!("HIGHROAD_COMMIT"),
        env!("HIGHROAD_COMPILER"),
        env!("HIGHROAD_PROFILE"),
    );
    let any_build = arguments.any_build;
    let plan = Plan { subjects, specs: planners.specs, settings, circumstances, any_build };
    let store = Store::open(&arguments.out)?;
    let mut bar = Bar { bar: progress_bar(0, "reading maps"), done: 0, missing: 0 };
    bar.bar.enable_steady_tick(Duration::from_millis(200));
    let units = measure(&plan, &store, &mut bar);
    bar.bar.finish_and_clear();
    let units = units?;
    writeln!(
        out,
        "{} units measured, {} taken over from before",
        whole(bar.missing as u64),
        whole(bar.done as u64)
    )?;
    let aside = store.count().saturating_sub(units.len());
    if aside > 0 {
        writeln!(out, "{} units of other settings left aside", whole(aside as u64))?;
    }
    let worst = worst_cases(&plan, arguments.worst)?;
    let report = Report::new(plan, units, command()).with_worst_cases(worst);
    for file in report.write(&arguments.out)? {
        writeln!(out, "{}", file.display())?;
    }
    let violations = report.violations();
    for violation in violations.iter().take(10) {
        writeln!(out, "{violation}")?;
    }
    if violations.is_empty() {
        return Ok(0);
    }
    writeln!(out, "{} answers are wrong or break a promise", whole(violations.len() as u64))?;
    Ok(BAD_NEWS)
}

/// Measures those of the planners that are usually looked at where things go badly.
fn worst_cases(plan: &Plan, ticks: u32) -> Result<Vec<WorstRow>> {
    let (name, recipe) = USUAL_MAPS[0];
    let is_usual = |spec: &&Spec| USUAL_PLANNERS.contains(&spec.entry().name);
    let specs: Vec<&Spec> = plan.specs.iter().filter(is_usual).filter(|_| ticks > 0).collect();
    if specs.is_empty() {
        return Ok(Vec::new());
    }
    let map = recipe.parse::<MapRecipe>()?.generate()?;
    let profile = Grid::with_defaults(map.clone()).movement().profile().clone();
    let grid = Grid::new(map, Movement::new(profile, plan.settings.rule, plan.settings.steps)?);
    let seed = plan.settings.seed;
    let how = WorstPlan { queries: 30, ticks: ticks as usize, seed, ..WorstPlan::default() };
    let bar = progress_bar((specs.len() * WORST_CASES.len()) as u64, "worst cases");
    let mut rows = Vec::new();
    for spec in specs {
        for &case in WORST_CASES {
            match measure_worst(name, &grid, spec, case, how) {
                Err(WorstError::Spec(SpecError::NotServed { .. })) => {}
                row => rows.extend(row?),
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// The command line, to make the report again.
fn command() -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./,:=+".contains(c))
    };
    let words = std::env::args()
        .skip(1)
        .map(|word| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) });
    std::iter::once("highroad".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// One bar for the whole run, with the time that remains.
struct Bar {
    bar: ProgressBar,
    done: usize,
    missing: usize,
}

impl Watcher for Bar {
    fn begins(&mut self, steps: u64, done: usize, missing: usize) {
        (self.done, self.missing) = (done, missing);
        let style =
            ProgressStyle::with_template("{msg:40!} {wide_bar} {percent:>3} %, {eta} remain");
        self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.set_length(steps);
        self.bar.reset_eta();
    }

    fn enters(&mut self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    fn passes(&mut self, steps: u64) {
        self.bar.inc(steps);
    }

    fn warns(&mut self, about: &str, doubt: PaletteDoubt) {
        self.bar.suspend(|| warn(about, doubt));
    }
}
