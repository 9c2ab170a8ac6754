//! The crate `grid_pathfinding`: jump point search on a grid, behind a test of connected components.
//!
//! It looks only at the cell that a step enters: diagonals go round corners and between two walls,
//! and cost 99 to a straight 70. Its paths are therefore held against the shortest under that rule.
//! The grid is filled as the library's own benchmarks do it, all at once.

use super::{Peer, PeerPlanner, Rules, locked_version};
use ::grid_pathfinding::PathingGrid;
use anyhow::Result;
use grid_util::{Point, ValueGrid};
use highroad::Cell;
use highroad::grid::{Grid, MovementRule};

/// `PathingGrid::get_path_single_goal`.
pub(crate) struct JumpPointSearch;

impl Peer for JumpPointSearch {
    fn name(&self) -> String {
        "grid_pathfinding".to_owned()
    }

    fn version(&self) -> &'static str {
        locked_version("grid_pathfinding")
    }

    fn rules(&self) -> Rules {
        Rules { movement: MovementRule::AlwaysDiagonal, note: "cuts corners" }
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let extent = grid.extent();
        let (width, height) = (extent.width() as usize, extent.height() as usize);
        let mut pathing = PathingGrid::new(width, height, false);
        pathing.improved_pruning = IMPROVED_PRUNING;
        for cell in extent.cells().filter(|&cell| !grid.is_enterable(cell)) {
            pathing.grid.set(cell.x as i32, cell.y as i32, true);
        }
        pathing.initialize();
        pathing.generate_components();
        Ok(Box::new(Pathing(pathing)))
    }
}

/// The library's default is `true`; without, as in its benchmarks, it is several times as fast.
const IMPROVED_PRUNING: bool = false;

struct Pathing(PathingGrid);

impl PeerPlanner for Pathing {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let point = |cell: Cell| Point::new(cell.x as i32, cell.y as i32);
        let path = self.0.get_path_single_goal(point(start), point(goal), false)?;
        Some(path.into_iter().map(|at| Cell::new(at.x as u32, at.y as u32)).collect())
    }

    /// The components are brought up to date at once. Left out of date, queries stay right, but those
    /// between parts that a wall has since divided search the whole part.
    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        self.0.set(cell.x as i32, cell.y as i32, !free);
        self.0.update();
        true
    }
}
