//! `highroad convert`

use super::load_map_with;
use crate::arguments::ConvertArguments;
use anyhow::{Context, Result};
use highroad::GridMap;
use highroad::grid::MovementRule;
use highroad_formats::{
    EncodedGround, HeightForm, MapFormat, ReadOptions, TileRule, encode_ground, encode_map,
    ground_path,
};
use highroad_lab::files::write_whole;
use highroad_lab::table::whole;
use highroad_lab::workload::grid_under;
use std::io::Write;
use std::path::Path;

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
    write_whole(&arguments.output, &encoded.bytes)?;
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
        write_whole(&beside, bytes)?;
        writeln!(out, "The colours of its tiles are in {}.", beside.display())?;
    }
    let form = if arguments.matrix { HeightForm::Matrix } else { HeightForm::Picture };
    write_ground(&map, &arguments.output, form, out)?;
    let grid = grid_under(map, MovementRule::default());
    if grid.enterable_count() == 0 {
        writeln!(out, "Nobody can walk on it: every cell is a wall or trees.")?;
    }
    Ok(0)
}

/// Writes the shape of a map's ground beside its file, if it has any. Else a file that is there is about a map that was
/// written over, and goes with it.
pub(super) fn write_ground(
    map: &GridMap,
    file: &Path,
    form: HeightForm,
    out: &mut dyn Write,
) -> Result<()> {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let path = ground_path(file);
    let holds_ground = MapFormat::of_path(file).is_some_and(MapFormat::holds_ground);
    let ground = encode_ground(map, &name, form)?.filter(|_| !holds_ground);
    let Some(EncodedGround { text, heights }) = ground else {
        if path.is_file() {
            std::fs::remove_file(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
            writeln!(out, "{} was about the map before, and is removed.", path.display())?;
        }
        return Ok(());
    };
    write_whole(&path, text.as_bytes())?;
    writeln!(out, "Its borders, heights and links are in {}.", path.display())?;
    if let Some((name, bytes)) = heights {
        write_whole(&file.with_file_name(name), &bytes)?;
    }
    Ok(())
}
