//! The program `highroad-peers`: our planners beside other libraries, on the same queries, in one
//! process.
//!
//! Reading order: [`contestants`] is who takes part and how one joins, [`field`] what they are asked,
//! [`measure`] and [`edits`] how they are timed, [`judge`] how their answers are checked, [`row`] what
//! is reported.

mod arguments;
mod contestants;
mod edits;
mod field;
mod judge;
mod measure;
mod row;
mod table;
mod tally;

use anyhow::{Context, Result, ensure};
use arguments::{Arguments, Format};
use clap::Parser;
use contestants::{Ours, Peer, chosen};
use edits::Edits;
use field::Field;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::MovementRule;
use highroad_lab::workload::{Sample, find_sources};
use indicatif::ProgressBar;
use measure::{Entrant, measure};
use row::{Row, add_edits, rows};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Measured passes over all queries; the smallest time of each query counts.
const PASSES: usize = 3;
/// The exit code when nothing could be measured.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = run(&arguments, &mut out).and_then(|()| Ok(out.flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("{error:#}"));
            ExitCode::from(FAILURE)
        }
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let mut contestants: Vec<Box<dyn Peer>> = Vec::new();
    for name in arguments.planner.split(',') {
        match name.trim().parse::<Spec>() {
            Ok(spec) => contestants.push(Box::new(Ours::new(spec))),
            Err(error @ SpecError::UnknownPlanner(_)) => note(&format!("left out: {error}")),
            Err(error) => return Err(error.into()),
        }
    }
    ensure!(!contestants.is_empty(), "none of our planners takes part: ratios need one");
    contestants.extend(chosen(&arguments.peer, &arguments.without)?);
    let sample = Sample::Spread(arguments.queries as usize);
    let mut all_rows = Vec::new();
    for source in find_sources(&arguments.maps)? {
        let workload = source.load(MovementRule::NeverCutCorners, sample)?;
        let name = workload.name.clone();
        let (field, left_out) = match Field::of(workload) {
            Ok(field) => field,
            Err(reason) => {
                note(&format!("{name} is passed over: {reason}"));
                continue;
            }
        };
        if left_out > 0 {
            note(&format!(
                "{name}: {left_out} queries that do not start and end on ground are left out"
            ));
        }
        let map_rows =
            contest(&field, &contestants, arguments.edits as usize).with_context(|| name)?;
        if arguments.json {
            for row in &map_rows {
                writeln!(out, "{}", serde_json::to_string(row)?)?;
            }
            out.flush()?;
        }
        all_rows.extend(map_rows);
    }
    ensure!(!all_rows.is_empty(), "there is no map to measure on");
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let formats = [("peers.md", Format::Markdown), ("peers.csv", Format::Csv)];
        for (name, format) in formats {
            let path = folder.join(name);
            let mut text = Vec::new();
            table::write(&all_rows, format, &mut text)?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(out, "{}", path.display())?;
        }
    } else if !arguments.json {
        table::write(&all_rows, arguments.format, out)?;
    }
    Ok(())
}

/// Everything on one map. The first contestant is ours, and the others are held against it.
fn contest(field: &Field, contestants: &[Box<dyn Peer>], edits: usize) -> Result<Vec<Row>> {
    let steps = contestants.len() * field.0.queries.len() * (PASSES + 1);
    let bar = ProgressBar::new(steps as u64).with_message(field.0.name.clone());
    let mut entrants = Vec::new();
    for contestant in contestants {
        match Entrant::build(&**contestant, field, PASSES) {
            Ok(entrant) => entrants.push(entrant),
            Err(error) if entrants.is_empty() => return Err(error),
            Err(error) => {
                let name = contestant.name();
                note(&format!("{}: {name} does not take part: {error:#}", field.0.name));
            }
        }
    }
    let trials = measure(&mut entrants, field, PASSES, Instant::now, || bar.inc(1));
    let mut rows = rows(&field.0.name, &entrants, &trials);
    if edits > 0 {
        let edits = Edits::draw(field, edits);
        add_edits(&mut rows, &edits.measure(&mut entrants, PASSES, Instant::now));
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

/// A line on standard error. Nothing is left to do if even that cannot be written.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "highroad-peers: {text}");
}
