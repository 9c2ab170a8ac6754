//! Rectangles of cells that a flood looks at.

use crate::grid::{Cell, CellRect};

/// A rectangle of cells: those of a cluster, or those around a stretch of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellBox {
    pub(crate) origin: Cell,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl CellBox {
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        cell.x.wrapping_sub(self.origin.x) < self.width
            && cell.y.wrapping_sub(self.origin.y) < self.height
    }

    /// Its cells.
    pub(crate) fn rect(&self) -> CellRect {
        let last = (self.origin.x + self.width - 1, self.origin.y + self.height - 1);
        CellRect::new(self.origin, last)
    }

    /// A cell's number inside the block, row by row.
    pub(crate) fn local(&self, cell: Cell) -> usize {
        ((cell.y - self.origin.y) * self.width + cell.x - self.origin.x) as usize
    }

    pub(crate) fn cell(&self, local: usize) -> Cell {
        let local = local as u32;
        Cell::new(self.origin.x + local % self.width, self.origin.y + local / self.width)
    }

    pub(crate) fn cell_count(&self) -> usize {
        (self.width * self.height) as usize
    }
}
