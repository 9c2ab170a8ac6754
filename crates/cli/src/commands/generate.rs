//! `highroad generate`

use super::convert::write_ground;
use super::read_file;
use crate::arguments::{GenerateArguments, MapArguments, MapKind, OutputArguments};
use anyhow::{Context, Result, bail};
use highroad::grid::MovementRule;
use highroad_formats::HeightForm;
use highroad_lab::files::write_whole;
use highroad_lab::generate::{Layout, MapRecipe};
use highroad_lab::workload::grid_under;
use highroad_pictures::{Scene, Viewport};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &GenerateArguments, out: &mut dyn Write) -> Result<u8> {
    let (recipe, output) = recipe_of(&arguments.kind)?;
    if let Some(file) = &output.draw {
        super::check_ending(file, &["png"])?;
    }
    let mut map = recipe.generate()?;
    recipe.sign(&mut map);
    let text = map.to_movingai();
    match &output.out {
        Some(file) => {
            write_whole(file, &text)?;
            writeln!(out, "{recipe}")?;
            let grid = grid_under(map.clone(), MovementRule::default());
            let share = f64::from(grid.enterable_count()) / map.extent().cell_count() as f64;
            writeln!(out, "{:.1} % walkable, written to {}", share * 100.0, file.display())?;
            write_ground(&map, file, HeightForm::Picture, out)?;
        }
        None if map.has_relief() && output.draw.is_none() => {
            bail!("borders and heights lie in files beside the map: say where with --out")
        }
        None => out.write_all(&text)?,
    }
    if let Some(file) = &output.draw {
        let grid = grid_under(map, MovementRule::default());
        let canvas = Scene::new(&grid).to_canvas(&Viewport::whole(grid.extent()));
        let mut bytes = Vec::new();
        canvas.write_png(&mut bytes)?;
        write_whole(file, &bytes)?;
    }
    Ok(0)
}

fn recipe_of(kind: &MapKind) -> Result<(MapRecipe, &OutputArguments)> {
    let (canvas, layout) = match kind {
        MapKind::Recipe { line, output } => return Ok((line.parse()?, output)),
        MapKind::Like { file, output } => return Ok((recipe_in(file)?, output)),
        MapKind::Obstacles { blocked, connected, canvas } => {
            (canvas, Layout::Obstacles { blocked_percent: *blocked, connected: *connected })
        }
        MapKind::Rooms { room, doors, canvas } => {
            (canvas, Layout::Rooms { room_side: *room, doors_percent: *doors })
        }
        MapKind::Maze { corridor, braid, winding, canvas } => {
            let (braid_percent, winding_percent) = (*braid, *winding);
            (canvas, Layout::Maze { corridor_width: *corridor, braid_percent, winding_percent })
        }
        MapKind::Caves { noise, steps, apart, canvas } => {
            let joined = !apart;
            (canvas, Layout::Caves { noise_percent: *noise, steps: *steps, joined })
        }
        MapKind::City { block, street, built, canvas } => {
            (canvas, Layout::City { block: *block, street: *street, built_percent: *built })
        }
        MapKind::Islands { size, land, swamp, trees, canvas } => {
            let (land_percent, swamp_percent, trees_percent) = (*land, *swamp, *trees);
            (canvas, Layout::Islands { size: *size, land_percent, swamp_percent, trees_percent })
        }
        MapKind::Hills { size, roughness, classes, lakes, canvas } => {
            let (roughness, classes, lakes_percent) = (*roughness, *classes, *lakes);
            (canvas, Layout::Hills { size: *size, roughness, classes, lakes_percent })
        }
        MapKind::Highlands { size, roughness, highest, lakes, canvas } => {
            let (roughness, highest, lakes_percent) = (*roughness, *highest, *lakes);
            (canvas, Layout::Highlands { size: *size, roughness, highest, lakes_percent })
        }
        MapKind::Colony { room, doors, canvas } => {
            (canvas, Layout::Colony { room: *room, doors_percent: *doors })
        }
    };
    let MapArguments { width, height, seed, output } = canvas;
    Ok((MapRecipe { width: *width, height: *height, layout, seed: *seed }, output))
}

/// The recipe that a file says it was made by.
fn recipe_in(file: &Path) -> Result<MapRecipe> {
    let map = read_file(file)?;
    let recipe = MapRecipe::of(&map).with_context(|| {
        format!(
            "{} does not say how it was made: no line '# made by: …' follows its rows",
            file.display()
        )
    })?;
    recipe.with_context(|| format!("{}, in the line '# made by: …'", file.display()))
}
