//! A roguelike: the hero knows only what was seen. Auto-explore goes to the nearest edge of the unknown until nothing is
//! left, then to the stairs; before each turn the game shows where the hero can go with the turn's movement points.
//!
//! `cargo run --release -p highroad --example roguelike`

#![allow(clippy::print_stdout)]

use highroad::grid::{Grid, Movement, MovementRule, PaidCells, Profile, StepCosts};
use highroad::planner::GoalRule;
use highroad::planner::PathQuery;
use highroad::{Cell, CellRect, GridMap, PathWorld, Terrain};

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
    let hero = Profile::movingai().cost(Terrain::SWAMP, 3)?;
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
        let extent = self.dungeon.extent();
        let corner =
            Cell::new((x + SIGHT).min(extent.width() - 1), (y + SIGHT).min(extent.height() - 1));
        let view = CellRect::new((x.saturating_sub(SIGHT), y.saturating_sub(SIGHT)), corner);
        let news: Vec<Cell> = view.cells().filter(|&cell| !self.seen[self.index(cell)]).collect();
        for &cell in &news {
            let index = self.index(cell);
            self.seen[index] = true;
        }
        let dungeon = &self.dungeon;
        self.known.edit(|edit| {
            for &cell in &news {
                edit.set(cell, dungeon.terrain(cell).unwrap_or(Terrain::WALL));
            }
        })?;
        Ok(())
    }

    /// Known cells that an unknown one touches: where there may be more.
    fn edges(&self) -> Vec<Cell> {
        let grid: &Grid = self.known.grid();
        let touches = |cell: &Cell| {
            let around = CellRect::new(
                (cell.x.saturating_sub(1), cell.y.saturating_sub(1)),
                (cell.x + 1, cell.y + 1),
            );
            let unknown = |at: Cell| grid.extent().contains(at) && !self.seen[self.index(at)];
            around.cells().any(unknown)
        };
        grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).filter(touches).collect()
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

    fn draw(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let points = StepCosts::UNIT.straight_steps(POINTS);
        let range: Vec<Cell> =
            self.known.range(self.hero, points)?.into_iter().map(|(cell, _)| cell).collect();
        let drawing = self.known.grid().map().to_string();
        for (y, row) in (0..).zip(drawing.lines()) {
            let glyph = |(x, letter): (u32, char)| match Cell::new(x, y) {
                cell if cell == self.hero => '@',
                cell if !self.seen[self.index(cell)] => ' ',
                cell if range.contains(&cell) => {
                    if letter == 'S' {
                        'S'
                    } else {
                        '+'
                    }
                }
                _ if letter == '@' => '#',
                _ => letter,
            };
            println!("  {}", (0..).zip(row.chars()).map(glyph).collect::<String>());
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dungeon: GridMap = DUNGEON.parse()?;
    let (width, height) = (dungeon.extent().width(), dungeon.extent().height());
    let known =
        PathWorld::with_movement(GridMap::filled(width, height, Terrain::WALL)?, movement()?);
    let seen = vec![false; (width * height) as usize];
    let mut game = Game { dungeon, known, seen, hero: Cell::new(2, 2) };
    game.look()?;
    let mut turns = 0;
    // To the nearest edge of the unknown, as long as one can be reached.
    while let Some(path) = {
        let edges = game.edges();
        if edges.is_empty() { None } else { game.known.find_nearest(game.hero, &edges)? }
    } {
        if turns % 10 == 0 {
            println!("turn {turns}, the hero at {}:", game.hero);
            game.draw()?;
        }
        game.walk(path.cells())?;
        turns += 1;
    }
    println!("everything that can be reached was seen after {turns} turns");
    // The tree of life cannot be stood on; next to it will do.
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
