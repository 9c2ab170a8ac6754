//! Three kinds of units on one map: soldiers wade through swamp, tanks keep to firm ground, boats stay on water. The map
//! changes while they drive, and pathfinding has a fixed budget a frame.
//!
//! `cargo run --release -p highroad --example real_time_strategy`

#![allow(clippy::print_stdout)]

use highroad::grid::{KindId, Movement, MovementRule, Profile, StepCosts};
use highroad::hierarchy::HpaOptions;
use highroad::planner::GoalRule;
use highroad::requests::Ticket;
use highroad::{Budget, Cell, CellRect, GridMap, Path, PathWorld, Reply, Request, Terrain};

const FRAMES: u32 = 400;

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

struct Unit {
    name: String,
    kind: KindId,
    at: Cell,
    goal: Cell,
    route: Option<(Path, usize)>,
    asked: Option<Ticket>,
    arrived: bool,
}

impl Unit {
    /// Asks for a path to the goal, or as near to it as possible: another unit may stand there, or water may lie between.
    fn ask(&mut self, world: &mut PathWorld, priority: u8) {
        let request = Request::path(self.at, self.goal).with_kind(self.kind);
        let request = request.with_goal_rule(GoalRule::Nearest).with_priority(priority);
        if let Some(old) = self.asked.replace(world.request(request)) {
            world.cancel(old);
        }
    }

    /// Takes the answer if there is one, and drives one cell.
    fn drive(&mut self, frame: u32, world: &mut PathWorld) {
        if let Some(ticket) = self.asked {
            match world.poll(ticket) {
                Reply::Pending | Reply::Leg(_) => {}
                Reply::Ready(path) => {
                    println!("frame {frame}: {} has {} steps to go", self.name, path.steps());
                    (self.route, self.asked) = (Some((path, 0)), None);
                }
                Reply::Unreachable(path) => {
                    println!("frame {frame}: {} can get as near as {}", self.name, path.goal());
                    (self.route, self.asked) = (Some((path, 0)), None);
                }
                other => {
                    println!("frame {frame}: {} stays where it is: {other:?}", self.name);
                    (self.asked, self.arrived) = (None, true);
                }
            }
        }
        let Some((path, step)) = &mut self.route else { return };
        match path.cells().get(*step + 1) {
            Some(&next) => (self.at, *step) = (next, *step + 1),
            None => {
                println!("frame {frame}: {} has arrived at {}", self.name, self.at);
                (self.route, self.arrived) = (None, true);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let soldier = Profile::movingai().without(Terrain::WATER).with_cost(Terrain::SWAMP, 3)?;
    let tank = Profile::movingai().without(Terrain::WATER).without(Terrain::SWAMP);
    let boat = Profile::movingai().without(Terrain::GROUND).without(Terrain::SWAMP);
    let moves = |profile| Movement::new(profile, MovementRule::NeverCutCorners, StepCosts::EXACT);
    let mut world = PathWorld::with_movement(country()?, moves(soldier)?)
        .with_planner(HpaOptions::default())
        .with_kind("tank", moves(tank)?)
        .with_planner(HpaOptions::default())
        .with_kind("boat", moves(boat)?)
        .build()?;
    let kinds: Vec<KindId> = world.kinds().map(|(kind, _)| kind).collect();

    let unit = |name: &str, kind, at: (u32, u32), goal: (u32, u32)| Unit {
        name: name.to_owned(),
        kind,
        at: at.into(),
        goal: goal.into(),
        route: None,
        asked: None,
        arrived: false,
    };
    let mut units: Vec<Unit> = (0..6)
        .map(|i| unit(&format!("soldier {i}"), kinds[0], (2, 10 + i), (90, 10 + i)))
        .chain(
            (0..3).map(|i| unit(&format!("tank {i}"), kinds[1], (4, 30 + 2 * i), (86 + 2 * i, 20))),
        )
        .chain([
            unit("boat", kinds[2], (46, 2), (48, 11)),
            unit("ferry", kinds[2], (46, 20), (48, 60)),
        ])
        .collect();
    units.iter_mut().for_each(|unit| unit.ask(&mut world, 1));

    for frame in 0..FRAMES {
        if frame == 20 {
            println!("frame {frame}: the northern bridge is blown up");
            world.edit(|edit| _ = edit.fill(CellRect::new((44, 12), (51, 13)), Terrain::WATER))?;
            for unit in &mut units {
                // Whose way does not lead over the bridge drives on.
                let way = unit.route.as_ref().map(|(path, _)| path);
                if way.is_some_and(|path| !world.still_valid_for(unit.kind, path)) {
                    unit.route = None;
                    unit.ask(&mut world, 9);
                }
            }
        }
        // The same on every machine: at most so many expansions a frame.
        world.tick(Budget::expansions(500));
        units
            .iter_mut()
            .filter(|unit| !unit.arrived)
            .for_each(|unit| unit.drive(frame, &mut world));
        if units.iter().all(|unit| unit.arrived) {
            println!("all units are where they can be after {frame} frames");
            break;
        }
    }
    assert!(units.iter().all(|unit| unit.arrived), "somebody is still on the way");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
