//! A roguelike: the hero knows only what was seen. Auto-explore goes to the nearest edge of the unknown until nothing is
//! left, then to the stairs; before each turn the game shows where the hero can go with the turn's movement points.
//!
//! `cargo run --release -p highroad --example roguelike`

#![allow(clippy::print_stdout)]

use highroad::field::FlowField;
use highroad::grid::{Movement, MovementRule, PaidCells, Profile, StepCosts};
use highroad::planner::{GoalRule, PathQuery};
use highroad::{Cell, CellRect, GridMap, Path, PathWorld, Terrain};

const DUNGEON: &str = "
    ########################
    #......#########.......#
    #......#########.......#
    #...SS...........SS....#
    #...SS.#########.SS....#
    #......###...###.......#
    ####.#####...######.####
    ####.#####...######.####
    ####...............####.
    #########.####.#########
    #....####.####.........#
    #....................T.#
    #....#########.........#
    ########################
";
/// How far the hero sees, and what a turn's movement pays for: in unit steps.
const SIGHT: u32 = 4;
const POINTS: u32 = 5;

/// Entering swamp costs three points, entering ground one, as on a board.
fn movement() -> Result<Movement, Box<dyn std::error::Error>> {
    let hero = Profile::movingai().with_cost(Terrain::SWAMP, 3)?;
    let movement = Movement::new(hero, MovementRule::NeverCutCorners, StepCosts::UNIT)?;
    Ok(movement.with_paid_cells(PaidCells::Entered))
}

struct Game {
    dungeon: GridMap,
    /// What the hero knows: walls where nothing was seen.
    known: PathWorld,
    seen: Vec<bool>,
    hero: Cell,
}

impl Game {
    fn index(&self, cell: Cell) -> usize {
        (cell.y * self.dungeon.extent().width() + cell.x) as usize
    }

    /// Adds what the hero sees to what is known: one edit.
    fn look(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let Cell { x, y } = self.hero;
        let first = (x.saturating_sub(SIGHT), y.saturating_sub(SIGHT));
        let view = CellRect::new(first, (x + SIGHT, y + SIGHT)).cells();
        let view: Vec<(Cell, Terrain)> =
            view.filter_map(|cell| Some((cell, self.dungeon.terrain(cell)?))).collect();
        for &(cell, _) in &view {
            let index = self.index(cell);
            self.seen[index] = true;
        }
        self.known
            .edit(|edit| view.iter().for_each(|&(cell, terrain)| _ = edit.set(cell, terrain)))?;
        Ok(())
    }

    /// The way to the nearest known cell that an unknown one touches; `None` if there is none any more.
    fn way_to_unknown(&self) -> Option<Path> {
        let is_known = |cell: Cell| self.seen[self.index(cell)];
        let mut ways = FlowField::exploring(self.known.grid(), is_known).ok()?;
        ways.settle(self.hero)?;
        ways.path_from(self.hero)
    }

    /// Walks along a path as far as the movement points of a turn go.
    fn walk(&mut self, path: &[Cell]) -> Result<(), Box<dyn std::error::Error>> {
        let mut points = 2 * POINTS; // Costs are counted in half-units.
        for step in path.windows(2) {
            let cost = self.known.grid().step_cost(step[0], step[1]).unwrap_or(u32::MAX);
            if cost > points {
                break;
            }
            (points, self.hero) = (points - cost, step[1]);
            self.look()?;
        }
        Ok(())
    }

    /// Draws what is known, with `+` where the hero can go in one turn.
    fn draw(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let points = StepCosts::UNIT.straight_steps(POINTS);
        let range = self.known.range(self.hero, points)?;
        let in_range = |cell: Cell| range.iter().any(|&(other, _)| other == cell);
        for (y, row) in (0..).zip(self.known.grid().map().to_string().lines()) {
            let glyph = |(x, letter): (u32, char)| match (Cell::new(x, y), letter) {
                (cell, _) if cell == self.hero => '@',
                (cell, _) if !self.seen[self.index(cell)] => ' ',
                (_, '@') => '#',
                (cell, '.') if in_range(cell) => '+',
                (_, letter) => letter,
            };
            println!("  {}", (0..).zip(row.chars()).map(glyph).collect::<String>());
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dungeon: GridMap = DUNGEON.parse()?;
    let (width, height) = (dungeon.extent().width(), dungeon.extent().height());
    let darkness = GridMap::filled(width, height, Terrain::WALL)?;
    let known = PathWorld::with_movement(darkness, movement()?);
    let seen = vec![false; (width * height) as usize];
    let mut game = Game { dungeon, known, seen, hero: Cell::new(2, 2) };
    game.look()?;
    let mut turns = 0;
    while let Some(path) = game.way_to_unknown() {
        if turns % 10 == 0 {
            println!("turn {turns}, the hero at {}:", game.hero);
            game.draw()?;
        }
        game.walk(path.cells())?;
        turns += 1;
    }
    println!("everything that can be reached was seen after {turns} turns");
    // One cannot stand on the tree of life; next to it will do.
    let tree = PathQuery::new(game.hero, (21, 11)).with_goal_rule(GoalRule::Adjacent);
    let path = game.known.answer(&tree)?.path().ok_or("the tree cannot be reached")?;
    game.hero = path.goal();
    println!("from there {} steps to the tree:", path.steps());
    game.draw()
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
