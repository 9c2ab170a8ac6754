//! `highroad hunt`

use crate::BAD_NEWS;
use crate::arguments::HuntArguments;
use anyhow::{Context, Result};
use highroad_lab::files::write_whole;
use highroad_lab::hunt::{HuntReport, Program, Setting, hunt, run as run_program};
use highroad_lab::report::seconds_since_1970;
use highroad_lab::table::whole;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

pub(crate) fn run(arguments: &HuntArguments, out: &mut dyn Write) -> Result<u8> {
    if !arguments.cases.is_empty() {
        return run_cases(arguments, out);
    }
    let seed = arguments.seed.unwrap_or_else(new_seed);
    writeln!(out, "seeds from {seed} on")?;
    out.flush()?;
    let (begun, limit) = (Instant::now(), Duration::from_secs(arguments.seconds));
    let bar = ProgressBar::new(arguments.programs.unwrap_or(arguments.seconds));
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {msg}").unwrap_or(ProgressStyle::default_bar()),
    );
    // A panic is reported as a find; what the standard library prints of it would hide the report.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let report = hunt(seed, arguments.programs.unwrap_or(u64::MAX), |report| {
        bar.set_message(format!("{} programs", whole(report.programs)));
        let by_time = arguments.programs.is_none();
        bar.set_position(if by_time { begun.elapsed().as_secs() } else { report.programs });
        !by_time || begun.elapsed() < limit
    });
    std::panic::set_hook(hook);
    bar.finish_and_clear();
    print_report(&report, begun.elapsed(), arguments.out.as_deref(), out)
}

/// Another seed at each second, with room for the programs of many hours between two.
fn new_seed() -> u64 {
    seconds_since_1970(SystemTime::now()) * 1_000_000
}

fn print_report(
    report: &HuntReport,
    took: Duration,
    folder: Option<&Path>,
    out: &mut dyn Write,
) -> Result<u8> {
    let seconds = took.as_secs_f64().max(0.001);
    let a_second = |count: u64| whole((count as f64 / seconds) as u64);
    writeln!(
        out,
        "{} programs, {} checks in {seconds:.0} s: {} programs and {} checks a second, {} finds",
        whole(report.programs),
        whole(report.checks),
        a_second(report.programs),
        a_second(report.checks),
        report.finds.len()
    )?;
    for (program, failure) in &report.finds {
        let text = serde_json::to_string(program)?;
        let kind = match program.setting {
            Setting::Grid(_) => "grid",
            Setting::Graph(_) => "graph",
            Setting::Mesh(_) => "mesh",
        };
        writeln!(
            out,
            "\nseed {} ({kind}, {} steps left): {failure}",
            program.seed,
            program.steps.len()
        )?;
        match folder {
            Some(folder) => {
                fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
                let file = folder.join(format!("seed-{}.json", program.seed));
                write_whole(&file, text.as_bytes())?;
                writeln!(out, "  highroad hunt --case {}", file.display())?;
            }
            None => writeln!(out, "  {text}")?,
        }
        writeln!(out, "  highroad hunt --seed {} --programs 1", program.seed)?;
    }
    Ok(if report.finds.is_empty() { 0 } else { BAD_NEWS })
}

fn run_cases(arguments: &HuntArguments, out: &mut dyn Write) -> Result<u8> {
    let mut failed = false;
    for file in &arguments.cases {
        let text = fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
        let program: Program = serde_json::from_str(&text)
            .with_context(|| format!("{} is no program of a hunt", file.display()))?;
        match run_program(&program) {
            Ok(checks) => {
                writeln!(out, "{}: {} checks, nothing wrong", file.display(), whole(checks))?
            }
            Err(failure) => {
                failed = true;
                writeln!(out, "{}: {failure}", file.display())?;
            }
        }
    }
    Ok(if failed { BAD_NEWS } else { 0 })
}
