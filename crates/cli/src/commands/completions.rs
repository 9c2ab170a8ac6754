//! `highroad completions`

use crate::arguments::{Arguments, CompletionsArguments};
use anyhow::Result;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(arguments: &CompletionsArguments, out: &mut dyn Write) -> Result<u8> {
    // The generator panics where it cannot write, as into a pipe that was closed: memory never fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "highroad", &mut script);
    out.write_all(&script)?;
    Ok(0)
}
