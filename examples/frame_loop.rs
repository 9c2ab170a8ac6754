//! A game loop that gives pathfinding a fixed share of every frame, while the map changes. Units set off as soon as the
//! first steps are known, and go on along the whole path when it is.
//!
//! `cargo run --release -p highroad --example frame_loop`

#![allow(clippy::print_stdout)]

use highroad::hierarchy::HpaOptions;
use highroad::requests::Ticket;
use highroad::{Budget, Cell, CellRect, GridMap, PathWorld, Reply, Request, Terrain};
use std::collections::VecDeque;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = GridMap::from_fn(512, 512, |Cell { x, y }| {
        let wall = x % 32 == 31 && y % 32 != 8 || y % 32 == 31 && x % 32 != 20;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    })?;
    let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;

    // Forty units want to cross the map; the player's own comes first.
    let mut units: Vec<Unit> = (0..40)
        .map(|number| {
            let at = Cell::new(5, 10 + number * 3 % 20);
            let request = Request::path(at, (500, 480)).with_first_leg(16);
            let priority = if number == 0 { 9 } else { 1 };
            let ticket = Some(world.request(request.with_priority(priority)));
            Unit { number, at, ahead: VecDeque::new(), ticket }
        })
        .collect();

    let mut frame = 0;
    while units.iter().any(|unit| unit.ticket.is_some() || !unit.ahead.is_empty()) {
        if frame == 3 {
            // A wall goes up. Searches that are under way notice by themselves; whoever walks already must look.
            world.edit(|edit| _ = edit.fill(CellRect::new((200, 0), (201, 300)), Terrain::WALL))?;
            println!("frame {frame}: a wall goes up");
        }
        // At most 0.2 ms a frame; use Budget::expansions where machines must stay in step.
        world.tick(Budget::micros(200));
        for unit in &mut units {
            unit.take_answer(frame, &mut world);
            unit.walk(frame, &mut world);
        }
        frame += 1;
    }
    println!("all units are there after {frame} frames");
    Ok(())
}

struct Unit {
    number: u32,
    at: Cell,
    /// The cells that it goes to next.
    ahead: VecDeque<Cell>,
    /// What it has asked for.
    ticket: Option<Ticket>,
}

impl Unit {
    fn take_answer(&mut self, frame: u32, world: &mut PathWorld) {
        let Some(ticket) = self.ticket else { return };
        let (path, is_whole) = match world.poll(ticket) {
            Reply::Pending => return,
            Reply::Leg(leg) => (leg, false),
            Reply::Ready(path) | Reply::Unreachable(path) => (path, true),
            other => {
                println!("frame {frame}: unit {} stays where it is: {other:?}", self.number);
                self.ticket = None;
                return;
            }
        };
        if is_whole {
            self.ticket = None;
            println!("frame {frame}: unit {} has its path of {} steps", self.number, path.steps());
        }
        // It may have walked along the first leg meanwhile; the whole path mostly begins with it.
        match path.cells().iter().position(|&cell| cell == self.at) {
            Some(here) => self.ahead = path.cells()[here + 1..].iter().copied().collect(),
            None => self.ask_again(world),
        }
    }

    /// One cell a frame, unless something has been built there.
    fn walk(&mut self, frame: u32, world: &mut PathWorld) {
        let Some(&next) = self.ahead.front() else { return };
        if world.grid().step_cost(self.at, next).is_some() {
            (self.at, _) = (next, self.ahead.pop_front());
        } else {
            println!("frame {frame}: unit {} stands before the wall", self.number);
            self.ask_again(world);
        }
    }

    fn ask_again(&mut self, world: &mut PathWorld) {
        self.ahead.clear();
        let request = Request::path(self.at, (500, 480)).with_priority(5);
        if let Some(old) = self.ticket.replace(world.request(request)) {
            world.cancel(old);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
