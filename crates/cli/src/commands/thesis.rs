//! `highroad thesis`

use super::progress_bar;
use crate::arguments::{TableFormat, ThesisArguments};
use anyhow::{Context, Result, ensure};
use highroad_lab::files::write_whole;
use highroad_lab::thesis::{Effort, Section, Sheet, measure, shelf, steps};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &ThesisArguments, out: &mut dyn Write) -> Result<u8> {
    let named = arguments.maps.clone();
    if let Some(folder) = &named {
        ensure!(folder.is_dir(), "{} is no folder of maps", folder.display());
    }
    let folder = named.or_else(|| std::env::var_os("HIGHROAD_MAPS").map(PathBuf::from));
    let effort = Effort {
        queries: usize::from(arguments.queries),
        passes: usize::from(arguments.passes),
        seed: arguments.seed,
    };
    let sections = match arguments.sections.as_slice() {
        [] => &Section::ALL,
        some => some,
    };
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let shelf = shelf(sections, folder.as_deref(), effort)?;
    let mut sheets = Vec::new();
    for &section in sections {
        let bar = progress_bar(steps(section, &shelf), section.number());
        bar.tick();
        let sheet = measure(section, &shelf, &mut |what| {
            bar.set_message(what.to_owned());
            bar.inc(1);
        })
        .with_context(|| format!("section {}", section.number()))?;
        bar.finish_and_clear();
        match &arguments.out {
            // Each as soon as it is there, for the whole takes minutes.
            None => print(&sheet, arguments.format, out)?,
            Some(folder) => {
                let name = format!("thesis-{}.csv", section.number());
                write_file(&folder.join(name), out, |file| sheet.write_csv(file))?;
            }
        }
        out.flush()?;
        sheets.push(sheet);
    }
    if let Some(folder) = &arguments.out {
        write_file(&folder.join("thesis.md"), out, |file| {
            writeln!(file, "{PREFACE}")?;
            sheets.iter().try_for_each(|sheet| {
                sheet.write_markdown(file)?;
                writeln!(file)
            })
        })?;
    }
    Ok(0)
}

const PREFACE: &str = "\
# The thesis's tables, with ours beside them

J. Harvanová, \"Hierarchical pathfinding in computer games\", bachelor thesis, Comenius University in Bratislava, 2017.
Made by `highroad thesis`.
";

fn print(sheet: &Sheet, format: TableFormat, out: &mut dyn Write) -> Result<()> {
    match format {
        TableFormat::Text => sheet.write_text(out),
        TableFormat::Markdown => sheet.write_markdown(out),
        TableFormat::Csv => sheet.write_csv(out),
    }?;
    Ok(writeln!(out)?)
}

/// Writes a file, and reports it.
fn write_file(
    path: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
) -> Result<()> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    write_whole(path, &bytes)?;
    Ok(writeln!(out, "{}", path.display())?)
}
