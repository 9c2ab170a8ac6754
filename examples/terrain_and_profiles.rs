//! One map, three kinds of agents: a walker, a horse that shuns swamp, and a boat.
//!
//! `cargo run --release -p highroad --example terrain_and_profiles`

#![allow(clippy::print_stdout)]

use highroad::{
    Cost, GridMap, Movement, MovementRule, Path, Profile, Rect, StepCosts, Terrain, World,
};

fn told(path: Option<Path>) -> String {
    path.map_or("no way".to_owned(), |path| format!("{} steps, cost {}", path.steps(), path.cost()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map: GridMap = "
        ..............
        ..SSSSSSSSSS..
        ..SSSSSSSSSS..
        WWWWWWW.WWWWWW
        WWWWWWW.WWWWWW
        ..............
    "
    .parse()?;

    let walker = Profile::movingai().forbid(Terrain::WATER);
    let horse = walker.clone().cost(Terrain::SWAMP, 5)?;
    let boat = Profile::movingai().forbid(Terrain::GROUND).forbid(Terrain::SWAMP);
    let world = |profile: Profile| -> Result<World, Box<dyn std::error::Error>> {
        let movement = Movement::new(profile, MovementRule::NeverCutCorners, StepCosts::EXACT)?;
        Ok(World::with_movement(map.clone(), movement))
    };

    let mut walking = world(walker)?;
    println!("walker  {}", told(walking.find_path((0, 0), (13, 5))?));
    println!("horse   {}", told(world(horse)?.find_path((0, 0), (13, 5))?));
    println!("boat    {}", told(world(boat)?.find_path((0, 3), (13, 4))?));

    // Bandits at the ford: passable still, but dear. Then how far a walker gets with five steps.
    walking.edit(|edit| _ = edit.surcharge(Rect::new((7, 3), (7, 4)), 20))?;
    println!("bandits {}", told(walking.find_path((0, 0), (13, 5))?));
    let five_steps = Cost(5 * 2 * u64::from(StepCosts::EXACT.straight()));
    let range = walking.snapshot().range((7, 5), five_steps)?;
    println!("{} cells are within five steps of the ford's end", range.len());
    Ok(())
}
