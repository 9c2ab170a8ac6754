//! `cargo bench`: the time of every hot loop, on maps and graphs that are made on the spot.
//!
//! A round is run to warm up, then for a second or so; the least and the median time of an operation are reported. With
//! `--save-baseline NAME` they are kept below the target folder, with `--baseline NAME` compared. Wall time fails
//! nothing.

use anyhow::{Context, Result};
use clap::Parser;
use highroad_bench::baseline::Baseline;
use highroad_bench::{HotLoop, Scale, loops};
use highroad_lab::table::{Table, duration, quantile};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Measure the hot loops.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo bench
  cargo bench -- hpa                       only loops with that in their name
  cargo bench -- --save-baseline before
  cargo bench -- --baseline before         what changed since")]
struct Arguments {
    /// Only loops whose name contains one of these.
    filter: Vec<String>,
    /// Keep the least times under this name.
    #[arg(long, value_name = "NAME")]
    save_baseline: Option<String>,
    /// Compare with times that were kept.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// How long each loop is measured, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    time_ms: u64,
    /// Cargo says so.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Rounds that are measured at least, however long they take, and at most.
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=1000;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let wanted = |name: &str| {
        arguments.filter.is_empty() || arguments.filter.iter().any(|part| name.contains(part))
    };
    let loops = loops(Scale::USUAL, wanted);
    let before = match &arguments.baseline {
        Some(name) => Some(read_baseline(name)?),
        None => None,
    };
    let style = ProgressStyle::with_template("{msg:24} {wide_bar} {pos}/{len} {eta:>5}")?;
    let bar = ProgressBar::new(loops.len() as u64).with_style(style);
    let mut heads = vec!["loop", "operations", "rounds", "least", "median", "90 %"];
    heads.extend(before.is_some().then_some("before"));
    heads.extend(before.is_some().then_some("change"));
    let mut table = Table::new(&heads);
    let mut least = Baseline::default();
    for one in &loops {
        bar.set_message(one.name.clone());
        let times_us = measure(one, Duration::from_millis(arguments.time_ms));
        let us = times_us.first().copied().unwrap_or_default();
        // In picoseconds, which are whole for anything that takes time at all.
        least.0.insert(one.name.clone(), (us * 1e6) as u64);
        let mut row = vec![
            one.name.clone(),
            one.operations.to_string(),
            times_us.len().to_string(),
            duration(us),
            duration(quantile(&times_us, 0.5)),
            duration(quantile(&times_us, 0.9)),
        ];
        if let Some(before) = &before {
            let known = before.0.get(&one.name).map(|&picoseconds| picoseconds as f64 / 1e6);
            row.push(known.map_or_else(|| "–".into(), duration));
            row.push(known.map_or_else(
                || "new".into(),
                |known| format!("{:+.1} %", (us / known.max(1e-6) - 1.0) * 100.0),
            ));
        }
        table.row(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "Time of an operation, on one thread, on caves of {side} × {side} cells; the least, the median and what nine in \
         ten rounds stay below.\n",
        side = Scale::USUAL.side
    )?;
    table.write(&mut out, 1)?;
    if let Some(name) = &arguments.save_baseline {
        let path = baseline_path(name)?;
        fs::write(&path, least.to_text("picoseconds an operation"))
            .with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "\nKept as {name}.")?;
    }
    Ok(())
}

/// The times of an operation in microseconds, a round each, sorted.
fn measure(one: &HotLoop, time: Duration) -> Vec<f64> {
    let mut round = one.prepare();
    round();
    let (begun, mut times_us) = (Instant::now(), Vec::new());
    while times_us.len() < *ROUNDS.start()
        || (begun.elapsed() < time && times_us.len() < *ROUNDS.end())
    {
        let start = Instant::now();
        round();
        times_us.push(start.elapsed().as_secs_f64() * 1e6 / one.operations as f64);
    }
    times_us.sort_by(f64::total_cmp);
    times_us
}

/// A file below the target folder, where this program lies.
fn baseline_path(name: &str) -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(3).context("this program lies in no target folder")?;
    let folder = target.join("highroad-bench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.join(format!("{name}.txt")))
}

fn read_baseline(name: &str) -> Result<Baseline> {
    let path = baseline_path(name)?;
    let text = fs::read_to_string(&path).with_context(|| {
        format!("there is no baseline '{name}': cargo bench -- --save-baseline")
    })?;
    Baseline::parse(&text).with_context(|| path.display().to_string())
}
