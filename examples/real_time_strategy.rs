//! Three kinds of units on one map: soldiers wade through swamp and march in formation, tanks keep to firm ground, boats stay on
//! water. All have bodies that avoid each other; the map changes while they drive, and pathfinding has a fixed budget a frame.
//!
//! `cargo run --release -p highroad --example real_time_strategy`

#![allow(clippy::print_stdout)]

use highroad::crowd::{BodyPlan, Formation, Shape};
use highroad::grid::{Batch, KindId, Movement, MovementRule, Profile, StepCosts};
use highroad::hierarchy::HpaOptions;
use highroad::simulation::{AgentEventKind, AgentId, AgentState};
use highroad::{AgentPlan, Budget, Cell, CellRect, GridMap, PathWorld, Simulation, Terrain};

const FRAMES: u32 = 60 * 120;

/// A river from north to south with two bridges, and a swamp on the way to the northern one.
fn country() -> Result<GridMap, Box<dyn std::error::Error>> {
    Ok(GridMap::from_fn(96, 64, |Cell { x, y }| match (x, y) {
        (44..=51, 12..=13 | 50..=51) => Terrain::GROUND,
        (44..=51, _) => Terrain::WATER,
        (20..=40, 4..=24) => Terrain::SWAMP,
        _ if x % 16 == 8 && y % 16 == 8 => Terrain::TREES,
        _ => Terrain::GROUND,
    })?)
}

fn world() -> Result<PathWorld, Box<dyn std::error::Error>> {
    let soldier = Profile::movingai().without(Terrain::WATER).with_cost(Terrain::SWAMP, 3)?;
    let tank = Profile::movingai().without(Terrain::WATER).without(Terrain::SWAMP);
    let boat = Profile::movingai().without(Terrain::GROUND).without(Terrain::SWAMP);
    let moves = |profile| Movement::new(profile, MovementRule::NeverCutCorners, StepCosts::EXACT);
    Ok(PathWorld::with_movement(country()?, moves(soldier)?)
        .with_planner(HpaOptions::default())
        .with_kind("tank", moves(tank)?)
        .with_planner(HpaOptions::default())
        .with_kind("boat", moves(boat)?)
        .build()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The same on every machine: at most so many expansions a frame.
    let mut game = Simulation::new(world()?, Budget::expansions(500));
    let kinds: Vec<KindId> = game.world().kinds().map(|(kind, _)| kind).collect();
    let mut unit = |kind: KindId, at: (u32, u32), goal: (u32, u32), speed: f64| {
        let body = BodyPlan::new([f64::from(at.0) + 0.5, f64::from(at.1) + 0.5]).with_kind(kind);
        game.add(AgentPlan::of_body(body.with_speed(speed), goal))
    };
    let soldiers: Vec<AgentId> =
        (0..6).map(|i| unit(kinds[0], (2, 10 + i), (2, 10), 3.0)).collect();
    (0..3).for_each(|i| _ = unit(kinds[1], (4, 30 + 2 * i), (86 + 2 * i, 20), 5.0));
    unit(kinds[2], (46, 2), (48, 11), 2.0);
    unit(kinds[2], (46, 20), (48, 48), 2.0);
    game.send_group(&soldiers, (86, 12), Formation::new(Shape::Wedge).with_spacing(1.5))?;

    for frame in 0..FRAMES {
        if frame == 300 {
            println!("the northern bridge is blown up");
            let bridge = CellRect::new((44, 12), (51, 13));
            game.edit(Batch::new().fill(bridge, Terrain::WATER))?;
        }
        game.tick();
        for event in game.take_events() {
            // Everything that happens to somebody is an event; these are worth a line.
            if !matches!(event.kind, AgentEventKind::Asked { .. } | AgentEventKind::Costlier { .. })
            {
                println!("frame {event}");
            }
        }
        if game.is_at_rest() {
            println!("all units are where they can be after {frame} frames");
            break;
        }
    }
    let arrived = game.agents().iter().filter(|agent| agent.state() == AgentState::Arrived).count();
    assert_eq!(arrived, game.agents().len(), "somebody is still on the way");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
