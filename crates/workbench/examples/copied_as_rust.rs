//! What "Copy as Rust" of the workbench gives, but for the line below. A test compares the two.
#![allow(clippy::print_stdout)]

use highroad::catalog::Spec;
use highroad::grid::{
    Border, BorderSide, Footprint, Grid, Link, Movement, MovementRule, Palette, Profile, Slopes,
    StepCosts,
};
use highroad::planner::{Answer, PathQuery, Scratch};
use highroad::{Cell, GridMap, Terrain};

const MAP: &str = "\
........\n\
........\n\
...@@...\n\
........\n\
..SS....\n\
........\n\
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map: GridMap = MAP.parse()?;
    (1..4).for_each(|x| map.set_height(Cell::new(x, 1), 4));
    map.set_border(Cell::new(5, 0), BorderSide::East, Border::Closed);
    map.set_border(Cell::new(5, 1), BorderSide::South, Border::OneWay);
    map.add_link(Link::new((0, 5), (7, 0), 9512).with_way_back())?;
    let profile = Profile::for_palette(Palette::Standard).with_cost(Terrain::SWAMP, 3)?;
    let steps = StepCosts::new(2378, 3363)?;
    let slopes = Slopes::new().with_climb_max(6).with_drop_max(9);
    let slopes = slopes.with_uphill(20).with_downhill(0);
    let movement = Movement::new(profile, MovementRule::NeverCutCorners, steps)?
        .with_footprint(Footprint::new(2)?)
        .with_slopes(slopes)?;
    let grid = Grid::new(map, movement);
    let planner = "astar:textbook=yes".parse::<Spec>()?.build(&grid)?;
    let query = PathQuery::new((0, 0), (6, 4));
    match planner.solve(&grid, &query, &mut Scratch::new())? {
        Answer::Found(path) => println!("{} steps, {:.3} long", path.steps(), path.length()),
        _ => println!("there is no path"),
    }
    Ok(())
}
