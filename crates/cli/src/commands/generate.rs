//! `highroad generate`

use crate::arguments::{GenerateArguments, MapArguments, MapKind, OutputArguments};
use anyhow::{Context, Result};
use highroad::Grid;
use highroad_lab::generate::{Layout, MapRecipe};
use highroad_lab::picture::{Frame, Scene};
use std::fs::File;
use std::io::{BufWriter, Write};

pub(crate) fn run(arguments: &GenerateArguments, out: &mut dyn Write) -> Result<u8> {
    let (recipe, output) = recipe_of(&arguments.kind)?;
    let map = recipe.generate()?;
    let text = map.to_movingai();
    match &output.out {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("{}", file.display()))?;
            writeln!(out, "{recipe}")?;
            let grid = Grid::with_defaults(map.clone());
            let share = f64::from(grid.enterable_count()) / map.extent().cell_count() as f64;
            writeln!(out, "{:.1} % walkable, written to {}", share * 100.0, file.display())?;
        }
        None => out.write_all(&text)?,
    }
    if let Some(file) = &output.draw {
        let picture = File::create(file).with_context(|| format!("{}", file.display()))?;
        let grid = Grid::with_defaults(map);
        let canvas = Scene::new(&grid).to_canvas(&Frame::whole(grid.extent()));
        canvas.write_png(BufWriter::new(picture))?;
    }
    Ok(0)
}

fn recipe_of(kind: &MapKind) -> Result<(MapRecipe, &OutputArguments)> {
    let (canvas, layout) = match kind {
        MapKind::Recipe { line, output } => return Ok((line.parse()?, output)),
        MapKind::Obstacles { blocked, canvas } => {
            (canvas, Layout::Obstacles { blocked_percent: *blocked })
        }
        MapKind::Rooms { room, doors, canvas } => {
            (canvas, Layout::Rooms { room_side: *room, doors_percent: *doors })
        }
        MapKind::Maze { corridor, braid, canvas } => {
            (canvas, Layout::Maze { corridor_width: *corridor, braid_percent: *braid })
        }
        MapKind::Caves { noise, steps, apart, canvas } => {
            let joined = !apart;
            (canvas, Layout::Caves { noise_percent: *noise, steps: *steps, joined })
        }
    };
    let MapArguments { width, height, seed, output } = canvas;
    Ok((MapRecipe { width: *width, height: *height, layout, seed: *seed }, output))
}
