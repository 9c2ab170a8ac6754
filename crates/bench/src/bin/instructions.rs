//! `instructions`: how many instructions the hot loops take, and what has changed.
//!
//! Each loop is run by this very program under valgrind's callgrind, once with one round and once with three; half of
//! the difference is a round, so that whatever comes before is left out. No time is measured: the numbers are the same
//! on a busy machine. They depend on the compiler and on the release profile.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use highroad_bench::baseline::{Baseline, Change};
use highroad_bench::{Scale, loops};
use highroad_lab::table::{Table, whole};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Count the instructions of the hot loops, and show what changed since the baseline.
///
/// Ends with exit code 1 if a loop takes more than it did, beyond the tolerance.
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run --release -p highroad-bench --bin instructions
  cargo run --release -p highroad-bench --bin instructions -- 'query hpa' edit
  cargo run --release -p highroad-bench --bin instructions -- --bless
  cargo run --release -p highroad-bench --bin instructions -- --ci --tolerance 2

It needs valgrind (apt install valgrind).")]
struct Arguments {
    /// Only loops whose name contains one of these.
    filter: Vec<String>,
    /// Write what was counted as the new baseline.
    #[arg(long)]
    bless: bool,
    /// What may differ, in per cent.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    tolerance: f64,
    /// Count only if the baseline holds here, by this compiler and on this family of processors; else say why not, and
    /// end well. What is new is no error, and what is gone is one.
    #[arg(long, conflicts_with = "bless")]
    ci: bool,
    /// The baseline's file.
    #[arg(long, value_name = "FILE", default_value_os_t = usual_baseline())]
    baseline: PathBuf,
    /// Run one loop, for valgrind.
    #[arg(long, hide = true, requires = "rounds")]
    run: Option<String>,
    /// So many times.
    #[arg(long, hide = true)]
    rounds: Option<u32>,
}

/// Rounds of the two runs whose difference counts.
const ROUNDS: [u32; 2] = [1, 3];
/// What it ends with when a loop got more costly, and when nothing could be counted.
const COSTLIER: u8 = 1;
const FAILURE: u8 = 2;

fn usual_baseline() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match (&arguments.run, arguments.rounds) {
        (Some(name), Some(rounds)) => run(name, rounds),
        _ => count_all(&arguments, &mut io::stdout().lock()),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Nothing is left to do if even that cannot be written.
            let _ = writeln!(io::stderr(), "instructions: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

/// What valgrind sees.
fn run(name: &str, rounds: u32) -> Result<u8> {
    let loops = loops(Scale::SMALL, |other| other == name);
    let one = loops.first().with_context(|| format!("there is no loop '{name}'"))?;
    let mut round = one.prepare();
    (0..rounds).for_each(|_| round());
    Ok(0)
}

fn count_all(arguments: &Arguments, out: &mut dyn Write) -> Result<u8> {
    ensure!(
        !cfg!(debug_assertions),
        "without --release the numbers say nothing: cargo run --release -p highroad-bench --bin instructions"
    );
    check_valgrind()?;
    if arguments.ci
        && let Some(reason) = not_comparable(&arguments.baseline)?
    {
        writeln!(out, "Nothing is counted: {reason}.")?;
        return Ok(0);
    }
    let wanted = |name: &str| {
        arguments.filter.is_empty() || arguments.filter.iter().any(|part| name.contains(part))
    };
    let loops = loops(Scale::SMALL, wanted);
    ensure!(!loops.is_empty(), "no loop is called so");
    let style = ProgressStyle::with_template("{msg:24} {wide_bar} {pos}/{len} {eta:>5}")?;
    let bar = ProgressBar::new(loops.len() as u64).with_style(style);
    let names: Vec<(String, u64)> =
        loops.iter().map(|one| (one.name.clone(), one.operations)).collect();
    // Each is a process of its own, so that they may run side by side.
    let counted = names.into_par_iter().map(|(name, operations)| {
        bar.set_message(name.clone());
        let [few, many] = ROUNDS.map(|rounds| count(&name, rounds));
        bar.inc(1);
        let rounds = u64::from(ROUNDS[1] - ROUNDS[0]);
        Ok((name, many?.saturating_sub(few?) / (rounds * operations)))
    });
    let now = Baseline(counted.collect::<Result<_>>()?);
    bar.finish_and_clear();
    let before = read(&arguments.baseline)?;
    let partial = !arguments.filter.is_empty();
    let changes = before.changes(&now, arguments.tolerance, partial);
    print_result(&now, &changes, arguments.tolerance, out)?;
    if arguments.bless {
        let mut blessed = if partial { before } else { Baseline::default() };
        blessed.0.extend(now.0);
        fs::write(&arguments.baseline, blessed.to_text(&comment()))
            .with_context(|| format!("cannot write {}", arguments.baseline.display()))?;
        writeln!(out, "\nThe baseline is written.")?;
        return Ok(0);
    }
    let is_wrong = |change: &Change| match change {
        Change::Changed(before, now) => now > before,
        Change::Gone(_) => arguments.ci,
        Change::New(_) => false,
    };
    let costlier = changes.iter().any(|(_, change)| is_wrong(change));
    if costlier && arguments.ci {
        writeln!(
            out,
            "\nThis takes more than the baseline says. If it should, commit the new numbers: cargo run --release \
             -p highroad-bench --bin instructions -- --bless"
        )?;
    }
    Ok(if costlier { COSTLIER } else { 0 })
}

/// Why the numbers of a baseline say nothing here, if they do not.
fn not_comparable(path: &Path) -> Result<Option<String>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let comment = text.lines().take_while(|line| line.starts_with('#')).last();
    let counted = comment.unwrap_or_default().trim_start_matches('#').trim();
    let here = circumstances();
    Ok((counted != here).then(|| {
        format!("the baseline was counted with {counted}, and this is {here}, so that they cannot be compared")
    }))
}

fn check_valgrind() -> Result<()> {
    match Command::new("valgrind").arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => bail!("valgrind does not run: {}", output.status),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "valgrind is not installed, so nothing can be counted; on Debian and Ubuntu: apt install valgrind"
        ),
        Err(error) => Err(error).context("valgrind does not start"),
    }
}

/// The instructions of a whole run of this program.
fn count(name: &str, rounds: u32) -> Result<u64> {
    let rounds = rounds.to_string();
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--run", name, "--rounds", &rounds])
        // One thread of rayon's, so that no two of them wait for each other.
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .context("valgrind does not start")?;
    let shown = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "'{name}' fails under valgrind:\n{shown}");
    let collected = shown.lines().find_map(|line| line.split_once("Collected :"));
    let number = collected.and_then(|(_, number)| number.trim().parse().ok());
    number.with_context(|| format!("valgrind does not show what it counted:\n{shown}"))
}

fn read(path: &Path) -> Result<Baseline> {
    match fs::read_to_string(path) {
        Ok(text) => Baseline::parse(&text).with_context(|| path.display().to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Baseline::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn print_result(
    now: &Baseline,
    changes: &[(String, Change)],
    tolerance: f64,
    out: &mut dyn Write,
) -> Result<()> {
    let mut table = Table::new(&["loop", "instructions", "before", "change"]);
    let find = |name: &str| changes.iter().find(|(changed, _)| changed == name);
    for (name, &instructions) in &now.0 {
        let (before, change) = match find(name) {
            None => (String::new(), String::new()),
            Some((_, Change::Changed(before, _))) => {
                let percent = Change::Changed(*before, instructions).percent();
                (whole(*before), format!("{:+.1} %", percent.unwrap_or_default()))
            }
            Some(_) => (String::new(), "new".to_owned()),
        };
        table.row(vec![name.clone(), whole(instructions), before, change]);
    }
    for (name, change) in changes {
        if let Change::Gone(before) = change {
            table.row(vec![name.clone(), String::new(), whole(*before), "gone".to_owned()]);
        }
    }
    table.write(out, 1)?;
    match changes.len() {
        0 => writeln!(out, "\nNothing differs from the baseline by more than {tolerance} %.")?,
        count => writeln!(out, "\n{count} differ from the baseline by more than {tolerance} %.")?,
    }
    Ok(())
}

/// What stands above the numbers.
fn comment() -> String {
    format!(
        "Instructions an operation (query, edit, build, tick), counted by callgrind on caves of {side} × {side} cells.\n\
         cargo run --release -p highroad-bench --bin instructions -- --bless\n\
         {circumstances}",
        side = Scale::SMALL.side,
        circumstances = circumstances(),
    )
}

/// What the numbers depend on: the compiler, and the family of processors.
fn circumstances() -> String {
    let rustc = Command::new("rustc").arg("--version").output();
    let compiler = rustc.ok().filter(|output| output.status.success());
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!(
        "{compiler}, {arch}",
        compiler = compiler.as_deref().unwrap_or("an unknown compiler"),
        arch = std::env::consts::ARCH,
    )
}
