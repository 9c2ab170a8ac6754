//! A game loop that gives pathfinding a fixed share of every frame, while the map changes.
//!
//! `cargo run --release -p highroad --example frame_loop`

#![allow(clippy::print_stdout)]

use highroad::hierarchy::HpaOptions;
use highroad::{Budget, Cell, CellRect, GridMap, PathWorld, Reply, Request, Terrain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = GridMap::from_fn(512, 512, |Cell { x, y }| {
        let wall = x % 32 == 31 && y % 32 != 8 || y % 32 == 31 && x % 32 != 20;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    })?;
    let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;

    // Forty units want to cross the map; the player's own first, and at once as far as is known.
    let mut waiting: Vec<_> = (0..40)
        .map(|unit| {
            let request = Request::path((5, 10 + unit * 3 % 20), (500, 480)).with_first_leg(16);
            (unit, world.request(request.with_priority(if unit == 0 { 9 } else { 1 })))
        })
        .collect();

    for frame in 0.. {
        if frame == 3 {
            // A wall goes up. Searches that are under way notice by themselves.
            world.edit(|edit| _ = edit.fill(CellRect::new((200, 0), (201, 300)), Terrain::WALL))?;
        }
        // At most 0.2 ms a frame; use Budget::expansions where machines must stay in step.
        world.tick(Budget::micros(200));
        waiting.retain(|&(unit, ticket)| match world.poll(ticket) {
            Reply::Pending => true,
            Reply::Leg(leg) => {
                println!("frame {frame}: unit {unit} sets off, {} steps known", leg.steps());
                true
            }
            Reply::Ready(path) => {
                println!("frame {frame}: unit {unit} has its path of {} steps", path.steps());
                false
            }
            Reply::Unreachable(nearest) => {
                println!("frame {frame}: unit {unit} can get as near as {}", nearest.goal());
                false
            }
            other => {
                println!("frame {frame}: unit {unit}: {other:?}");
                false
            }
        });
        if waiting.is_empty() {
            break;
        }
    }
    Ok(())
}
