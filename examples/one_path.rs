//! One path on a map, as cells and as points in a game's own space.
//!
//! `cargo run --release -p highroad --example one_path`

#![allow(clippy::print_stdout)]

use highroad::world::Coordinates;
use highroad::{GridMap, PathWorld};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map: GridMap = "
        ............
        ....####....
        .......#....
        .......#....
        ....####....
        ............
    "
    .parse()?;

    // The shortest form: nothing is kept.
    let path = map.find_path((1, 3), (10, 3))?.ok_or("no path")?;
    println!("{} steps, length {:.2}", path.steps(), path.length());

    // A world whose first cell has its corner at (-6, -3), and whose cells are half a metre wide.
    let mut world = PathWorld::new(map).with_coordinates(Coordinates::new([-6.0, -3.0], 0.5)?);
    let start = world.cell_at([-5.3, -1.4]).ok_or("outside the map")?;
    let goal = world.cell_at([-0.6, -1.4]).ok_or("outside the map")?;
    let path = world.find_path(start, goal)?.ok_or("no path")?;
    for [x, y] in world.coordinates().points_of(&path) {
        println!("  turn at ({x:.2}, {y:.2})");
    }
    Ok(())
}
