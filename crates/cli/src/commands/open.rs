//! `highroad open`, and `highroad` without a command: the workbench, or a tour where there is no display.

use super::tour;
use crate::arguments::OpenArguments;
use anyhow::{Context, Result, bail};
#[cfg(feature = "window")]
use highroad_lab::table::quantile;
#[cfg(feature = "window")]
use highroad_workbench::{FrameTimes, Start};
use std::io::Write;

#[cfg(not(feature = "window"))]
pub(crate) fn run(arguments: &OpenArguments, out: &mut dyn Write) -> Result<u8> {
    check_file(arguments)?;
    if let Some(file) = &arguments.file {
        bail!("cannot open {}: this program was built without the workbench", file.display());
    }
    writeln!(
        out,
        "This program was built without the workbench. Here is a tour in the terminal instead.\n"
    )?;
    tour::run(out)
}

#[cfg(feature = "window")]
pub(crate) fn run(arguments: &OpenArguments, out: &mut dyn Write) -> Result<u8> {
    check_file(arguments)?;
    let start = Start {
        file: arguments.file.clone(),
        planner: arguments.planner.as_ref().map(ToString::to_string),
    };
    match highroad_workbench::run(start) {
        Ok(frames) if arguments.measure => print_result(&frames, out),
        Ok(_) => Ok(0),
        Err(no_window) => {
            if let Some(file) = &arguments.file {
                bail!("cannot open {}: no window: {no_window}", file.display());
            }
            writeln!(out, "No window: {no_window}. Here is a tour in the terminal instead.\n")?;
            tour::run(out)
        }
    }
}

/// Checks that the file to open is there: without a window nobody would see that it is not.
fn check_file(arguments: &OpenArguments) -> Result<()> {
    let Some(file) = &arguments.file else { return Ok(()) };
    // A name of a built-in map, or a link.
    let is_no_file = |name: &str| name.starts_with("builtin:") || name.contains("highroad=");
    if !file.to_str().is_some_and(is_no_file) {
        std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(())
}

/// When the first frame came, and how long frames took.
#[cfg(feature = "window")]
fn print_result(frames: &FrameTimes, out: &mut dyn Write) -> Result<u8> {
    let first = frames.first.unwrap_or_default().as_secs_f64() * 1e3;
    writeln!(out, "first frame after {first:.0} ms; {} frames", frames.count)?;
    // Frames that nobody asked for while nothing moved say nothing.
    let mut gaps: Vec<f64> =
        frames.gaps_ms.iter().map(|&gap| f64::from(gap)).filter(|&gap| gap < 250.0).collect();
    gaps.sort_by(f64::total_cmp);
    if !gaps.is_empty() {
        let (middle, slow) = (quantile(&gaps, 0.5), quantile(&gaps, 0.95));
        writeln!(
            out,
            "between frames: median {middle:.1} ms ({:.0} a second), 95th percentile {slow:.1} ms",
            1e3 / middle
        )?;
    }
    Ok(0)
}
