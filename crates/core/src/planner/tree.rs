//! The tree that an exploring search leaves behind.

use super::query::node_of;
use crate::grid::{Cell, Cost, Grid};
use crate::path::Path;
use crate::search::Scratch;
use crate::space::NodeId;

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
        let extent = self.grid.extent();
        let node = extent.contains(cell).then(|| node_of(extent, cell))?;
        self.scratch.forward.nodes.get(node).is_closed().then_some(node)
    }

    /// The cost from the nearest start, as the search counts it (breadth-first: in steps); `None`
    /// where it has not been.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let node = self.reached(cell)?;
        Some(Cost(self.scratch.forward.nodes.get(node).g))
    }

    /// The cell before this one on the way from a start; `None` for a start and where the search
    /// has not been.
    pub fn predecessor(&self, cell: Cell) -> Option<Cell> {
        let node = self.reached(cell)?;
        let parent = self.scratch.forward.nodes.parent(node);
        let cell = self.grid.extent().cell(crate::grid::CellId(parent.0));
        (parent != node).then_some(cell)
    }

    /// The path from the nearest start; `None` where the search has not been.
    pub fn path_to(&mut self, cell: Cell) -> Option<Path> {
        let node = self.reached(cell)?;
        Some(self.scratch.path_to(self.grid, node))
    }
}
