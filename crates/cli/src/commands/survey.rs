//! `highroad survey`

use super::{progress_bar, read_file};
use crate::arguments::SurveyArguments;
use anyhow::Result;
use highroad_lab::survey::survey;
use highroad_lab::table::{Table, whole};
use highroad_lab::workload::{find_sources, grid_under};
use std::io::Write;

pub(crate) fn run(arguments: &SurveyArguments, out: &mut dyn Write) -> Result<u8> {
    let mut sources = find_sources(&arguments.paths)?;
    sources.dedup_by(|a, b| a.map == b.map);
    let mut table = Table::new(&[
        "map",
        "size",
        "walkable",
        "parts",
        "largest part",
        "queries",
        "mean length",
        "detour",
        "A* expands",
    ]);
    let bar = progress_bar(sources.len() as u64, "survey");
    for source in &sources {
        let name = source.map.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        bar.set_message(name.to_string());
        let grid = grid_under(read_file(&source.map)?, arguments.rule);
        let row = survey(&name, &grid, arguments.queries as usize, arguments.seed);
        bar.inc(1);
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            continue;
        }
        table.row(vec![
            row.map,
            format!("{} × {}", row.width, row.height),
            format!("{:.1} %", row.walkable_percent),
            whole(row.parts as u64),
            format!("{:.1} %", row.largest_percent),
            whole(row.queries as u64),
            format!("{:.0}", row.length_mean),
            format!("{:.2}", row.detour_mean),
            format!("{:.1} %", row.expanded_percent_mean),
        ]);
    }
    bar.finish_and_clear();
    if !arguments.json {
        table.write(out, 1)?;
    }
    Ok(0)
}
