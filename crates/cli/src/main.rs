//! The program `highroad`: arguments and printing; everything else is in the libraries.

mod arguments;
mod commands;
mod graph_arguments;

use arguments::{Arguments, Command, OpenArguments};
use clap::Parser;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// What a command ends with when all went well but the answer is bad news: a violation found.
pub(crate) const BAD_NEWS: u8 = 1;
/// What it ends with when it could not be carried out.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = match &arguments.command {
        None => commands::open::run(&OpenArguments::default(), &mut out),
        Some(Command::Open(arguments)) => commands::open::run(arguments, &mut out),
        Some(Command::Render(arguments)) => commands::render::run(arguments, &mut out),
        Some(Command::Solve(arguments)) => commands::solve::run(arguments, &mut out),
        Some(Command::Compare(arguments)) => commands::compare::run(arguments, &mut out),
        Some(Command::Bench(arguments)) => commands::bench::run(arguments, &mut out),
        Some(Command::Report(arguments)) => commands::report::run(arguments, &mut out),
        Some(Command::Storm(arguments)) => commands::storm::run(arguments, &mut out),
        Some(Command::Hunt(arguments)) => commands::hunt::run(arguments, &mut out),
        Some(Command::Replay(arguments)) => commands::replay::run(arguments, &mut out),
        Some(Command::Simulate(arguments)) => commands::simulate::run(arguments, &mut out),
        Some(Command::Mapf(arguments)) => commands::mapf::run(arguments, &mut out),
        Some(Command::Verify(arguments)) => commands::verify::run(arguments, &mut out),
        Some(Command::Planners) => commands::planners::run(&mut out),
        Some(Command::Generate(arguments)) => commands::generate::run(arguments, &mut out),
        Some(Command::Scenario(arguments)) => commands::scenario::run(arguments, &mut out),
        Some(Command::Survey(arguments)) => commands::survey::run(arguments, &mut out),
        Some(Command::Convert(arguments)) => commands::convert::run(arguments, &mut out),
        Some(Command::Completions(arguments)) => commands::completions::run(arguments, &mut out),
        Some(Command::Graph(arguments)) => commands::graph::run(arguments, &mut out),
        Some(Command::Puzzle(arguments)) => commands::puzzle::run(arguments, &mut out),
        Some(Command::Thesis(arguments)) => commands::thesis::run(arguments, &mut out),
    };
    let result = result.and_then(|code| Ok(out.flush().map(|()| code)?));
    match result {
        Ok(code) => ExitCode::from(code),
        // Whoever read our output has had enough: `highroad planners | head -1`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if even that cannot be written.
            let _ = writeln!(io::stderr(), "highroad: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}
