//! Every planner of the catalog on grids: answers, statistics, saved indexes, and answers after edits.

use crate::Part;
use crate::hash::{Hash, Random};
use highroad::catalog::{CATALOG, Spec};
use highroad::grid::{Batch, Cell, CellRect, Grid, GridMap, Terrain};
use highroad::planner::{PathQuery, Scratch};

/// The side of each map.
const SIDE: u32 = 72;
const QUERIES: u64 = 24;

/// Rooms with doors, scattered walls, and terrain of several costs.
pub(crate) fn maps() -> [(&'static str, GridMap); 3] {
    let mut random = Random::new(1);
    let rooms = GridMap::from_fn(SIDE, SIDE, |cell| {
        let wall = cell.x % 9 == 8 || cell.y % 9 == 8;
        let door = cell.x % 9 == 3 || cell.y % 9 == 4;
        if wall && !door { Terrain::WALL } else { Terrain::GROUND }
    });
    let scattered = GridMap::from_fn(SIDE, SIDE, |_| match random.below(100) {
        0..=29 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    let mut random = Random::new(2);
    let mixed = GridMap::from_fn(SIDE, SIDE, |_| {
        let letter = b"..ABCP@"[random.below(7) as usize];
        Terrain::from_letter(letter).unwrap_or(Terrain::GROUND)
    });
    let known = "maps of this size are possible";
    let maps = [("rooms", rooms), ("scattered", scattered), ("mixed", mixed)];
    maps.map(|(name, map)| (name, map.expect(known)))
}

pub(crate) fn random_cell(random: &mut Random) -> Cell {
    let mut side = || random.below(u64::from(SIDE)) as u32;
    Cell::new(side(), side())
}

/// A few cells become walls, and a few free.
pub(crate) fn random_edit(random: &mut Random) -> Batch {
    let mut batch = Batch::new();
    for terrain in [Terrain::WALL, Terrain::GROUND, Terrain::WALL] {
        let from = random_cell(random);
        let to = Cell::new((from.x + 2).min(SIDE - 1), from.y);
        batch.fill(CellRect::new(from, to), terrain);
    }
    batch
}

fn ask(spec: &Spec, grid: &Grid, hash: &mut Hash) {
    let planner = match spec.build(grid) {
        Ok(planner) => planner,
        Err(error) => return hash.text(&error.to_string()),
    };
    hash.word(planner.memory_bytes().min(1) as u64);
    if let Some(bytes) = planner.save(grid) {
        hash.bytes(&bytes);
    }
    let (mut random, mut scratch) = (Random::new(7), Scratch::new());
    for number in 0..QUERIES {
        let (start, goal) = (random_cell(&mut random), random_cell(&mut random));
        let obstacles = (0..number % 5).map(|_| random_cell(&mut random)).collect();
        let query = PathQuery::new(start, goal).with_obstacles(obstacles);
        match planner.solve(grid, &query, &mut scratch) {
            Ok(answer) => hash.answer(&answer),
            Err(error) => hash.text(&error),
        }
        hash.text(&scratch.statistics());
    }
}

/// One part for each planner of the catalog.
pub(crate) fn planners() -> Vec<Part> {
    let maps = maps();
    let one = |entry| {
        let (spec, mut hash) = (Spec::usual(entry), Hash::default());
        for (name, map) in &maps {
            hash.bytes(name.as_bytes());
            let mut grid = Grid::with_defaults(map.clone());
            ask(&spec, &grid, &mut hash);
            let mut random = Random::new(3);
            for _ in 0..10 {
                hash.text(&grid.apply(&random_edit(&mut random)).is_ok());
            }
            ask(&spec, &grid, &mut hash);
        }
        hash.part(format!("{} on grids", entry.name))
    };
    CATALOG.iter().map(|entry| one(entry)).collect()
}
