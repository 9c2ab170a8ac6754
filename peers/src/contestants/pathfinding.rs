//! The crate `pathfinding`: searches over whatever a closure calls neighbours.
//!
//! Written as its users write it: positions are nodes, the map is a list of flags, and closures give
//! neighbours and estimates. The neighbours are an iterator, not a list, so that the closure
//! allocates nothing, and costs are `u32` wherever that is enough; the library itself keeps its nodes
//! in a hash map rebuilt for each query.

use super::{Peer, PeerPlanner, Rules, locked_version};
use ::pathfinding::num_traits::Zero;
use ::pathfinding::prelude::astar;
use anyhow::Result;
use highroad::Cell;
use highroad::grid::Grid;

type Position = (i32, i32);

/// The costs that our planners count in by default: 3363 / 2378 is √2 to seven digits.
const STRAIGHT: u32 = 2378;
const DIAGONAL: u32 = 3363;

const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// `pathfinding::directed::astar::astar`.
pub(crate) struct Astar;

impl Peer for Astar {
    fn name(&self) -> String {
        "pathfinding astar".to_owned()
    }

    fn version(&self) -> &'static str {
        locked_version("pathfinding")
    }

    fn rules(&self) -> Rules {
        Rules::SAME
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        Ok(Box::new(FreeCells::of(grid)))
    }
}

/// The map as a list of flags, row by row.
struct FreeCells {
    width: i32,
    height: i32,
    free: Vec<bool>,
}

impl FreeCells {
    fn of(grid: &Grid) -> Self {
        let extent = grid.extent();
        Self {
            width: extent.width() as i32,
            height: extent.height() as i32,
            free: extent.cells().map(|cell| grid.is_enterable(cell)).collect(),
        }
    }

    fn is_free(&self, (x, y): Position) -> bool {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        inside && self.free[(y * self.width + x) as usize]
    }

    /// Whether the longest conceivable path and an estimate on top of it fit.
    fn costs_fit_u32(&self) -> bool {
        let steps = self.free.len() + self.width.max(self.height) as usize;
        u32::try_from(steps).is_ok_and(|steps| steps.checked_mul(DIAGONAL).is_some())
    }

    fn find<C>(&self, start: Position, goal: Position) -> Option<Vec<Position>>
    where
        C: Zero + Ord + Copy + From<u32>,
    {
        let priced = |(next, cost)| (next, C::from(cost));
        let (path, _cost) = astar(
            &start,
            |&at| self.neighbours(at).map(priced),
            |&at| C::from(octile(at, goal)),
            |&at| at == goal,
        )?;
        Some(path)
    }

    fn neighbours(&self, (x, y): Position) -> impl Iterator<Item = (Position, u32)> {
        STEPS.into_iter().filter_map(move |(dx, dy)| {
            let next = (x + dx, y + dy);
            if dx == 0 || dy == 0 {
                return self.is_free(next).then_some((next, STRAIGHT));
            }
            let corners_free = self.is_free((x + dx, y)) && self.is_free((x, y + dy));
            (corners_free && self.is_free(next)).then_some((next, DIAGONAL))
        })
    }
}

/// At most 16,384 diagonals: it fits.
fn octile((x, y): Position, goal: Position) -> u32 {
    let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
    STRAIGHT * dx.abs_diff(dy) + DIAGONAL * dx.min(dy)
}

impl PeerPlanner for FreeCells {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let position = |cell: Cell| (cell.x as i32, cell.y as i32);
        let (start, goal) = (position(start), position(goal));
        let path = match self.costs_fit_u32() {
            true => self.find::<u32>(start, goal),
            false => self.find::<u64>(start, goal),
        };
        Some(path?.into_iter().map(|(x, y)| Cell::new(x as u32, y as u32)).collect())
    }

    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        self.free[cell.y as usize * self.width as usize + cell.x as usize] = free;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::{GridMap, Terrain};

    #[test]
    fn both_kinds_of_costs_give_the_same_answer() {
        let cells = |side| {
            let map = GridMap::filled(side, side, Terrain::GROUND).unwrap();
            FreeCells::of(&Grid::with_defaults(map))
        };
        assert!(cells(1024).costs_fit_u32());
        assert!(!cells(1200).costs_fit_u32());
        let small = cells(9);
        let path = small.find::<u32>((0, 0), (8, 3));
        assert_eq!(path.as_ref().map(Vec::len), Some(9));
        assert_eq!(path, small.find::<u64>((0, 0), (8, 3)));
    }
}
