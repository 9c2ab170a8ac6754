//! The tree that an exploring search leaves behind.

use crate::grid::{Cell, Cost, Grid};
use crate::path::Path;
use crate::planner::Scratch;
use crate::space::{NodeId, Nodes};

/// Everything a search has reached, each cell with its predecessor. Made by
/// [`GridSearch::explore`](super::GridSearch::explore).
pub struct ShortestPathTree<'a> {
    grid: &'a Grid,
    scratch: &'a mut Scratch,
}

impl<'a> ShortestPathTree<'a> {
    pub(super) fn new(grid: &'a Grid, scratch: &'a mut Scratch) -> Self {
        Self { grid, scratch }
    }

    fn reached(&self, cell: Cell) -> Option<NodeId> {
        let node = self.grid.extent().contains(cell).then(|| self.grid.node(cell))?;
        self.scratch.work.forward.nodes.get(node).is_closed().then_some(node)
    }

    /// The cost from the nearest start, as the search counts it (breadth-first: in steps); `None`
    /// where it has not been.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let node = self.reached(cell)?;
        Some(Cost(self.scratch.work.forward.nodes.get(node).g))
    }

    /// The cell before this one on the way from a start; `None` for a start and where the search
    /// has not been.
    pub fn predecessor(&self, cell: Cell) -> Option<Cell> {
        let node = self.reached(cell)?;
        let parent = self.scratch.work.forward.nodes.parent(node);
        (parent != node).then(|| self.grid.place(parent))
    }

    /// The path from the nearest start; `None` where the search has not been.
    pub fn path_to(&mut self, cell: Cell) -> Option<Path> {
        let node = self.reached(cell)?;
        Some(path_over(self.grid, self.scratch.work.trail_to(node)))
    }
}

/// The path over the cells of some nodes.
pub(crate) fn path_over(grid: &Grid, nodes: &[NodeId]) -> Path {
    let cells: Vec<Cell> = nodes.iter().map(|&node| grid.place(node)).collect();
    let cost = grid.cost_along(&cells);
    Path::vouched(cells, cost, grid.revision())
}
