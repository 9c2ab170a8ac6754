//! Connected parts of a grid: which cells an agent can walk between.

use super::{Cell, CellId, Grid};

/// The number of each cell's part, row by row, counted from 0 in the order of their first cells;
/// [`Components::NONE`] where no agent may stand. Two cells are in one part exactly when there is a
/// path between them; where borders or heights make steps lead one way, if there is one once each step may also be taken
/// back.
///
/// One pass over the map, O(cells), by a flood with its own stack.
///
/// ```
/// use highroad::grid::{Components, Grid};
/// let grid = Grid::with_defaults("..#.\n..#.\n".parse()?);
/// let parts = Components::of(&grid);
/// assert_eq!(parts.count(), 2);
/// assert_eq!(parts.numbers(), [0, 0, Components::NONE, 1, 0, 0, Components::NONE, 1]);
/// # Ok::<(), highroad::grid::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    numbers: Vec<u32>,
    sizes: Vec<u32>,
}

impl Components {
    /// The number of a cell that belongs to no part.
    pub const NONE: u32 = u32::MAX;

    /// The parts of a grid under its movement rule and profile.
    pub fn of(grid: &Grid) -> Self {
        let extent = grid.extent();
        let mut numbers = vec![Self::NONE; extent.cell_count()];
        let mut sizes = Vec::new();
        let mut stack = Vec::new();
        for first in extent.cells() {
            let id = extent.id_inside(first);
            if numbers[id.index()] != Self::NONE || !grid.is_enterable(first) {
                continue;
            }
            let part = sizes.len() as u32;
            numbers[id.index()] = part;
            stack.push(first);
            let mut size = 0;
            while let Some(cell) = stack.pop() {
                size += 1;
                for_each_neighbour(grid, cell, |neighbour| {
                    let CellId(number) = extent.id_inside(neighbour);
                    let slot = &mut numbers[number as usize];
                    if *slot == Self::NONE {
                        *slot = part;
                        stack.push(neighbour);
                    }
                });
            }
            sizes.push(size);
        }
        Self { numbers, sizes }
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The part of each cell, row by row.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Cells of each part.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }
}

/// Calls `visit` with every cell that one step or link leads to or from.
fn for_each_neighbour(grid: &Grid, cell: Cell, mut visit: impl FnMut(Cell)) {
    let Some(board) = grid.board_of(cell) else { return };
    let moves = grid.movement().rule().moves()[board.neighbourhood(cell)];
    for (direction, (dx, dy)) in super::DELTAS.into_iter().enumerate() {
        if moves >> direction & 1 == 0 {
            continue;
        }
        let beside = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
        let [from, to] = [cell, beside].map(|cell| grid.extent().id_inside(cell));
        if !grid.is_closed(from, direction) || !grid.is_closed(to, direction ^ 2) {
            visit(beside);
        }
    }
    for backwards in [false, true] {
        let id = grid.extent().id_inside(cell);
        grid.visit_links(id, backwards, |other, _| visit(grid.extent().cell(other)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Movement, MovementRule, Profile, StepCosts};
    use crate::{Answer, GridSearch, PathQuery, Planner, Scratch};

    fn grid(drawing: &str, rule: MovementRule) -> Grid {
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::default()).unwrap();
        Grid::new(drawing.parse().unwrap(), movement)
    }

    #[test]
    fn parts_are_what_searches_can_reach_under_every_rule() {
        let drawing = "..#.W\n.#..W\n#..#.\nSS#..\n";
        for rule in MovementRule::ALL {
            let grid = grid(drawing, rule);
            let parts = Components::of(&grid);
            let extent = grid.extent();
            let cells: Vec<Cell> = extent.cells().filter(|&c| grid.is_enterable(c)).collect();
            for &from in &cells {
                for &to in &cells {
                    let query = PathQuery::new(from, to);
                    let answer = GridSearch::dijkstra().solve(&grid, &query, &mut Scratch::new());
                    let joined = matches!(answer, Ok(Answer::Found(_)));
                    let number = |cell| parts.numbers()[extent.id(cell).unwrap().index()];
                    assert_eq!(joined, number(from) == number(to), "{from} {to} {rule:?}");
                }
            }
            assert_eq!(parts.sizes().iter().sum::<u32>(), grid.enterable_count());
        }
    }

    #[test]
    fn a_map_of_walls_has_no_parts() {
        let parts = Components::of(&grid("##\n##\n", MovementRule::FourWay));
        assert_eq!((parts.count(), parts.numbers()), (0, &[Components::NONE; 4][..]));
    }
}
