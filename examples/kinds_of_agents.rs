//! One map, three kinds of agents, each with its own planner; one edit reaches all of them.
//!
//! `cargo run --release -p highroad --example kinds_of_agents`, or with a map file in MovingAI's format to see what
//! kinds cost in memory.

#![allow(clippy::print_stdout)]

use highroad::{
    Cost, GridMap, HpaOptions, KindId, Movement, MovementRule, Path, Profile, Rect, Terrain, World,
};

type AnyError = Box<dyn std::error::Error>;

const RIVER: &str =
    "..............\n..SSSSSSSSSS..\nWWWWWWW.WWWWWW\nWWWWWWW.WWWWWW\n..............\n";

fn movement(profile: Profile) -> Result<Movement, AnyError> {
    Ok(Movement::new(profile, MovementRule::NeverCutCorners, Default::default())?)
}

/// Infantry is the default kind; tanks avoid swamp; boats need water.
fn world_with(kinds: usize, map: GridMap) -> Result<World, AnyError> {
    let infantry = Profile::movingai().forbid(Terrain::WATER);
    let tank = infantry.clone().cost(Terrain::SWAMP, 5)?;
    let boat = Profile::movingai().forbid(Terrain::GROUND).forbid(Terrain::SWAMP);
    let mut world =
        World::with_movement(map, movement(infantry)?).with_planner(HpaOptions::default());
    for (name, profile) in [("tank", tank), ("boat", boat)].into_iter().take(kinds - 1) {
        world = world.with_kind(name, movement(profile)?).with_planner(HpaOptions::default());
    }
    Ok(world.build()?)
}

fn main() -> Result<(), AnyError> {
    if let Some(file) = std::env::args().nth(1) {
        for kinds in 1..=3 {
            let world = world_with(kinds, GridMap::from_movingai(&std::fs::read(&file)?)?)?;
            println!("{kinds} kinds: {:.1} MB", world.memory_bytes() as f64 / 1e6);
        }
        return Ok(());
    }
    let mut world = world_with(3, RIVER.parse()?)?;
    let (tank, boat) = (world.kind("tank").expect("added"), world.kind("boat").expect("added"));
    let show = |world: &mut World, kind: KindId, from: (u32, u32), to: (u32, u32)| {
        let found = world.of(kind).expect("added").find_path(from, to);
        let text = |path: Path| format!("{} steps, cost {}", path.steps(), path.cost());
        println!(
            "{:8} {}",
            kind.to_string(),
            found.map_or_else(|e| e.to_string(), |p| p.map_or("no way".into(), text))
        );
    };
    for broken in [false, true] {
        if broken {
            println!("the bridge breaks, and mines make the river bank costly for tanks alone");
            world.edit(|edit| {
                edit.set((7, 2), Terrain::WATER).surcharge_for(tank, Rect::new((0, 0), (1, 1)), 9);
            })?;
        }
        show(&mut world, KindId::DEFAULT, (0, 0), (13, 4));
        show(&mut world, tank, (0, 1), (13, 1));
        show(&mut world, boat, (0, 2), (13, 3));
    }
    println!(
        "{} cells are within five steps of a boat",
        world.of(boat).expect("added").range((7, 2), Cost::steps(5))?.len()
    );
    Ok(())
}
