//! What "Copy as Rust" of the workbench gives, but for the line below. A test compares the two.
#![allow(clippy::print_stdout)]

use highroad::catalog::Spec;
use highroad::grid::{Footprint, Grid, Movement, MovementRule, Palette, Profile, StepCosts};
use highroad::planner::{Answer, PathQuery, Scratch};
use highroad::{GridMap, Terrain};

const MAP: &str = "\
........\n\
........\n\
...@@...\n\
........\n\
..SS....\n\
........\n\
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map: GridMap = MAP.parse()?;
    let profile = Profile::for_palette(Palette::Standard).with_cost(Terrain::SWAMP, 3)?;
    let steps = StepCosts::new(2378, 3363)?;
    let movement = Movement::new(profile, MovementRule::NeverCutCorners, steps)?
        .with_footprint(Footprint::new(2)?);
    let grid = Grid::new(map, movement);
    let planner = "astar:textbook=yes".parse::<Spec>()?.build(&grid)?;
    let query = PathQuery::new((0, 0), (6, 4));
    match planner.solve(&grid, &query, &mut Scratch::new())? {
        Answer::Found(path) => println!("{} steps, {:.3} long", path.steps(), path.length()),
        _ => println!("there is no path"),
    }
    Ok(())
}
