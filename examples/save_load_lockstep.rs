//! A game in lockstep: machines send each other what players build, as JSON, and simulate the rest by themselves. One
//! machine goes ahead and rolls back when a message comes late; one saves its game, leaves and comes back. All of them
//! end with the same checksum.
//!
//! `cargo run --release -p highroad --features serde --example save_load_lockstep`

#![allow(clippy::print_stdout)]

use highroad::grid::Batch;
use highroad::hierarchy::{HpaOptions, PraOptions};
use highroad::{AgentPlan, Budget, Cell, CellRect, GridMap, PathWorld, Simulation, Terrain};
use std::collections::VecDeque;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Ticks that the game lasts, and ticks by which messages may be late.
const TICKS: u64 = 200;
const LATE: u64 = 4;

/// The game as every machine begins it.
fn new_game() -> Result<Simulation, Box<dyn Error>> {
    let map = GridMap::from_fn(96, 96, |Cell { x, y }| {
        let wall = x % 16 == 15 && y % 16 != 7 || y % 16 == 15 && x % 16 != 3;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    })?;
    let world = PathWorld::new(map)
        .with_planner(PraOptions::default())
        .with_planner(HpaOptions::default())
        .with_lockstep(10) // planners take over at the same tick everywhere
        .build()?;
    // A budget in expansions, never in microseconds: it is the same on every machine.
    let mut game = Simulation::new(world, Budget::expansions(500));
    for unit in 0..40 {
        game.add(AgentPlan::new((unit % 10, unit / 10), (90 - unit % 7, 80 + unit % 9)));
    }
    Ok(game)
}

/// What the host's player builds at a tick, as it goes over the network.
fn message(tick: u64) -> Result<Option<String>, serde_json::Error> {
    let mut batch = Batch::new();
    match tick {
        20 => _ = batch.fill(CellRect::new((40, 0), (40, 60)), Terrain::WALL),
        50 => _ = batch.set((40, 30), Terrain::GROUND).set((3, 47), Terrain::WALL),
        90 => _ = batch.surcharge(CellRect::new((64, 48), (80, 64)), 3),
        _ => return Ok(None),
    }
    serde_json::to_string(&batch).map(Some)
}

/// One tick of a machine that knows what was built at it.
fn step(game: &mut Simulation, message: Option<&str>) -> Result<(), Box<dyn Error>> {
    if let Some(text) = message {
        let batch: Batch = serde_json::from_str(text)?;
        game.edit(&batch)?;
    }
    game.tick();
    Ok(())
}

/// What machines compare now and then, to notice that they are no longer in step.
fn checksum(game: &Simulation) -> u64 {
    let mut hasher = DefaultHasher::new();
    (game.ticks(), game.world().revision(), game.world().grid().fingerprint()).hash(&mut hasher);
    game.agents().iter().for_each(|agent| (agent.at(), agent.ahead()).hash(&mut hasher));
    game.events().iter().for_each(|event| event.to_string().hash(&mut hasher));
    hasher.finish()
}

/// The host simply plays.
fn host() -> Result<u64, Box<dyn Error>> {
    let mut game = new_game()?;
    for tick in 0..TICKS {
        step(&mut game, message(tick)?.as_deref())?;
    }
    Ok(checksum(&game))
}

/// A guest hears what was built four ticks later. It goes on as if nothing had been, keeps a clone of each tick that
/// it may be wrong about, and when it was wrong returns to that tick and repeats the others.
fn guest_that_rolls_back() -> Result<u64, Box<dyn Error>> {
    let mut game = new_game()?;
    let mut past: VecDeque<Simulation> = VecDeque::new();
    for now in 0..TICKS + LATE {
        if now < TICKS {
            past.push_back(game.clone());
            step(&mut game, None)?;
        }
        let Some(then) = now.checked_sub(LATE) else { continue };
        let Some(before) = past.pop_front() else { break };
        if let Some(text) = message(then)? {
            println!("tick {now}: back to {then}: {text}");
            game = before;
            step(&mut game, Some(&text))?;
            for again in &mut past {
                *again = game.clone();
                step(&mut game, None)?;
            }
        }
    }
    Ok(checksum(&game))
}

/// Another guest leaves in the middle of everything, and goes on from its save file.
fn guest_that_saves() -> Result<u64, Box<dyn Error>> {
    let mut game = new_game()?;
    for tick in 0..TICKS {
        step(&mut game, message(tick)?.as_deref())?;
        if tick == 53 {
            let file: Vec<u8> = game.save();
            println!("tick {tick}: saved {} bytes", file.len());
            game = Simulation::load(&file)?;
        }
    }
    Ok(checksum(&game))
}

fn main() -> Result<(), Box<dyn Error>> {
    let sums = [host()?, guest_that_rolls_back()?, guest_that_saves()?];
    println!("checksums: {sums:x?}");
    if sums.iter().any(|&sum| sum != sums[0]) {
        return Err("the machines are no longer in step".into());
    }
    Ok(())
}

#[test]
fn all_machines_end_with_the_same_checksum() {
    main().unwrap();
}
