//! One map, three kinds of agents, each with its own planner; one edit reaches all of them.
//!
//! `cargo run --release -p highroad --example kinds_of_agents`; with a map's file it shows what kinds and sizes cost in memory.

#![allow(clippy::print_stdout)]

use highroad::grid::{Footprint, Grid, KindId, Movement, MovementRule, Profile};
use highroad::hierarchy::HpaOptions;
use highroad::world::WorldBuilder;
use highroad::{CellRect, GridMap, PathWorld, Terrain};

type AnyError = Box<dyn std::error::Error>;

const RIVER: &str =
    "..............\n..SSSSSSSSSS..\nWWWWWWW.WWWWWW\nWWWWWWW.WWWWWW\n..............\n";

fn movement(profile: Profile) -> Result<Movement, AnyError> {
    Ok(Movement::new(profile, MovementRule::NeverCutCorners, Default::default())?)
}

/// Infantry is the default kind; tanks avoid swamp; boats need water.
fn world_with(kinds: usize, map: GridMap) -> Result<PathWorld, AnyError> {
    let infantry = Profile::movingai().without(Terrain::WATER);
    let tank = infantry.clone().with_cost(Terrain::SWAMP, 5)?;
    let boat = Profile::movingai().without(Terrain::GROUND).without(Terrain::SWAMP);
    let world = PathWorld::with_movement(map, movement(infantry)?);
    let mut world = world.with_planner(HpaOptions::default());
    for (name, profile) in [("tank", tank), ("boat", boat)].into_iter().take(kinds - 1) {
        world = world.with_kind(name, movement(profile)?).with_planner(HpaOptions::default());
    }
    Ok(world.build()?)
}

/// What agents of several sizes take, under HPA*: cells are kept once, bits and abstractions for each size.
fn show_memory(sizes: &[u8], map: GridMap) -> Result<(), AnyError> {
    let cells = map.extent().cell_count() as f64;
    let mut builder = WorldBuilder::from(PathWorld::new(map));
    for &size in sizes {
        let movement = Movement::default().with_footprint(Footprint::new(size)?);
        let name = format!("{size} × {size}");
        builder = builder.with_kind(&name, movement).with_planner(HpaOptions::default());
    }
    let world = builder.build()?;
    let shared = world.grid().shared_bytes();
    let (mut grids, mut planners) = (0, 0);
    for (kind, _) in world.kinds().skip(1) {
        grids += world.environment_of(kind).map_or(0, Grid::own_bytes);
        let built = world.planners_of(kind).filter_map(|planner| world.planner(planner));
        planners += built.map(|planner| planner.memory_bytes()).sum::<usize>();
    }
    let [shared, grids, planners] = [shared, grids, planners].map(|bytes| bytes as f64 / cells);
    let all = shared + grids + planners;
    println!(
        "sizes {sizes:?}: {all:.2} bytes a cell: cells {shared:.2}, bits {grids:.2}, HPA* {planners:.2}"
    );
    Ok(())
}

fn show_paths(world: &mut PathWorld) -> Result<(), AnyError> {
    let kinds: Vec<(KindId, String)> = world.kinds().map(|(id, name)| (id, name.into())).collect();
    let ends = [((0, 0), (13, 4)), ((0, 1), (13, 1)), ((0, 2), (13, 3))];
    for ((kind, name), (start, goal)) in kinds.into_iter().zip(ends) {
        match world.of(kind).ok_or("no such kind")?.find_path(start, goal)? {
            Some(path) => println!("{name:8} {} steps, cost {}", path.steps(), path.cost()),
            None => println!("{name:8} no way"),
        }
    }
    Ok(())
}

fn main() -> Result<(), AnyError> {
    if let Some(file) = std::env::args().nth(1) {
        for kinds in 1..=3 {
            let world = world_with(kinds, GridMap::from_movingai(&std::fs::read(&file)?)?)?;
            println!("{kinds} kinds: {:.1} MB", world.memory_bytes() as f64 / 1e6);
        }
        for sizes in [&[1][..], &[1, 3], &[1, 2, 3, 4]] {
            show_memory(sizes, GridMap::from_movingai(&std::fs::read(&file)?)?)?;
        }
        return Ok(());
    }
    let mut world = world_with(3, RIVER.parse()?)?;
    show_paths(&mut world)?;
    println!("The bridge breaks, and mines make the bank costly for tanks alone.");
    let tank = world.kind("tank").ok_or("no such kind")?;
    let mines = CellRect::new((0, 0), (1, 1));
    world.edit(|edit| _ = edit.set((7, 2), Terrain::WATER).surcharge_for(tank, mines, 9))?;
    show_paths(&mut world)
}
