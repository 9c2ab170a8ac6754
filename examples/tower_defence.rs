//! A tower defence: enemies walk from the gate to the castle by one field that all of them share; a wall may be built only
//! where it leaves a way open.
//!
//! `cargo run --release -p highroad --example tower_defence`

#![allow(clippy::print_stdout)]

use highroad::field::{FlowFields, FlowId};
use highroad::grid::{Batch, KindId};
use highroad::{Cell, Cost, GridMap, PathWorld, Terrain};

const GATE: Cell = Cell::new(0, 5);
const CASTLE: Cell = Cell::new(23, 5);
const TICKS: u32 = 80;

struct Game {
    world: PathWorld,
    /// Ways from everywhere to the castle, for all enemies at once.
    fields: FlowFields,
    castle: FlowId,
    enemies: Vec<Cell>,
}

impl Game {
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let world = PathWorld::new(GridMap::filled(24, 11, Terrain::GROUND)?);
        let mut fields = FlowFields::new(1 << 20);
        let castle = fields.open(world.grid(), &[CASTLE])?;
        Ok(Self { world, fields, castle, enemies: Vec::new() })
    }

    /// Builds a wall, unless it would close the last way: from the gate, or for an enemy that is on its way, also one that stands
    /// there. Returns whether it was built.
    fn build(&mut self, cell: Cell) -> Result<bool, Box<dyn std::error::Error>> {
        let mut wall = Batch::new();
        wall.set(cell, Terrain::WALL);
        let walkers = [GATE].iter().chain(&self.enemies);
        let pairs: Vec<(Cell, Cell)> = walkers.map(|&from| (from, CASTLE)).collect();
        let blocks = self.world.would_block(KindId::DEFAULT, &wall, &pairs)?;
        if !blocks {
            self.world.apply(&wall)?;
        }
        Ok(!blocks)
    }

    /// Every enemy goes one step along the field; who is at the castle is gone. Returns how many got there.
    fn tick(&mut self) -> usize {
        self.world.update_fields(KindId::DEFAULT, &mut self.fields);
        self.fields.advance(1000); // what walls have changed is repaired
        if let Some(ways) = self.fields.get(self.castle) {
            self.enemies.iter_mut().for_each(|enemy| *enemy = ways.next(*enemy).unwrap_or(*enemy));
        }
        let before = self.enemies.len();
        self.enemies.retain(|&enemy| enemy != CASTLE);
        before - self.enemies.len()
    }

    /// How long the way from the gate is now, in steps on level ground.
    fn way(&self) -> f64 {
        let cost = self.fields.get(self.castle).and_then(|ways| ways.cost(GATE));
        cost.map_or(f64::INFINITY, |cost| cost.0 as f64 / Cost::steps(1).0 as f64)
    }

    fn draw(&self) {
        for (y, row) in (0..).zip(self.world.grid().map().to_string().lines()) {
            let glyph = |(x, letter): (u32, char)| match Cell::new(x, y) {
                GATE => 'G',
                CASTLE => 'C',
                cell if self.enemies.contains(&cell) => 'e',
                _ if letter == '@' => '#',
                _ => '.',
            };
            println!("  {}", (0..).zip(row.chars()).map(glyph).collect::<String>());
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new()?;
    // The player builds three walls across the field and would like to leave no gap at all.
    let column = |x: u32| (0..11).map(move |y| Cell::new(x, y));
    let mut wanted: Vec<Cell> = column(6).chain(column(12).rev()).chain(column(18)).collect();
    wanted.reverse();
    let (mut refused, mut arrived) = (Vec::new(), 0);
    for tick in 0..TICKS {
        if tick % 4 == 0 && tick < 40 {
            game.enemies.push(GATE);
        }
        for _ in 0..2 {
            if let Some(cell) = wanted.pop()
                && !game.build(cell)?
            {
                refused.push(cell);
            }
        }
        arrived += game.tick();
        if tick % 16 == 8 {
            println!(
                "tick {tick}: {} enemies, {arrived} got through; the way from the gate is {:.1} steps",
                game.enemies.len(),
                game.way()
            );
            game.draw();
        }
    }
    let refused: Vec<String> = refused.iter().map(Cell::to_string).collect();
    println!(
        "no wall at {}: it would have closed the way, or somebody stood there",
        refused.join(", ")
    );
    assert!(!refused.is_empty() && game.way() > 23.0);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
