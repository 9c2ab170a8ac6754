//! `highroad convert`

use super::load_map_with;
use crate::arguments::ConvertArguments;
use anyhow::{Context, Result};
use highroad::grid::MovementRule;
use highroad_formats::{MapFormat, ReadOptions, TileRule, encode_map};
use highroad_lab::files::write_whole;
use highroad_lab::table::whole;
use highroad_lab::workload::grid_under;
use std::io::Write;

pub(crate) fn run(arguments: &ConvertArguments, out: &mut dyn Write) -> Result<u8> {
    let format = MapFormat::of_path(&arguments.output).with_context(|| {
        let endings: Vec<String> =
            MapFormat::ENDINGS.iter().map(|(ending, _)| format!(".{ending}")).collect();
        format!(
            "{}: the ending of the name selects the format: one of {}",
            arguments.output.display(),
            endings.join(", ")
        )
    })?;
    let tiles = TileRule {
        layer: arguments.layer.clone(),
        property: arguments.property.clone(),
        empty: arguments.empty,
    };
    let options = ReadOptions::default()
        .with_tiles(tiles)
        .with_threshold(arguments.threshold)
        .with_colours(arguments.colours.clone())
        .with_folder(arguments.project.clone());
    let (map, _) = load_map_with(&arguments.input, &options)?;
    let stem = arguments.output.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let encoded = encode_map(&map, format, &stem)?;
    let write = |file: &std::path::Path, bytes: &[u8]| write_whole(file, bytes);
    write(&arguments.output, &encoded.bytes)?;
    let extent = map.extent();
    let letters: Vec<String> = map
        .terrains()
        .map(|terrain| {
            let letter = char::from(terrain.letter());
            format!("{letter} {}", whole(u64::from(map.count(terrain))))
        })
        .collect();
    writeln!(
        out,
        "{} × {} cells ({}), written to {}",
        extent.width(),
        extent.height(),
        letters.join(", "),
        arguments.output.display()
    )?;
    if let Some((name, bytes)) = &encoded.beside {
        let beside = arguments.output.with_file_name(name);
        write(&beside, bytes)?;
        writeln!(out, "The colours of its tiles are in {}.", beside.display())?;
    }
    let grid = grid_under(map, MovementRule::default());
    if grid.enterable_count() == 0 {
        writeln!(out, "Nobody can walk on it: every cell is a wall or trees.")?;
    }
    Ok(0)
}
