//! Which cells look different since they were last drawn, gathered a tile at a time.

use highroad::Cell;
use std::collections::BTreeMap;

/// Columns and rows of a tile of the map's picture.
pub const TILE_SIDE: u32 = 512;

/// For each tile, by column and row, corners of a box of cells in it, both included.
pub type TileBoxes = BTreeMap<(u32, u32), (Cell, Cell)>;

/// Cells that look different.
#[derive(Clone, Debug)]
pub struct Touched {
    /// Whether everything does.
    all: bool,
    /// What holds those cells.
    boxes: TileBoxes,
}

impl Default for Touched {
    fn default() -> Self {
        Self { all: true, boxes: BTreeMap::new() }
    }
}

impl Touched {
    /// Adds a cell.
    pub fn cell(&mut self, cell: Cell) {
        if self.all {
            return;
        }
        let tile = (cell.x / TILE_SIDE, cell.y / TILE_SIDE);
        let (min, max) = self.boxes.entry(tile).or_insert((cell, cell));
        *min = Cell::new(min.x.min(cell.x), min.y.min(cell.y));
        *max = Cell::new(max.x.max(cell.x), max.y.max(cell.y));
    }

    /// Adds everything.
    pub fn everything(&mut self) {
        self.all = true;
        self.boxes.clear();
    }

    /// Whether everything looks different, and else the boxes by their tiles; both are forgotten.
    pub fn take(&mut self) -> (bool, TileBoxes) {
        (std::mem::take(&mut self.all), std::mem::take(&mut self.boxes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_gather_in_boxes_by_tile() {
        let mut touched = Touched::default();
        assert!(touched.take().0, "at first everything is new");
        for (x, y) in [(10, 20), (5, 30), (600, 7)] {
            touched.cell(Cell::new(x, y));
        }
        let (all, boxes) = touched.take();
        assert!(!all);
        assert_eq!(boxes[&(0, 0)], (Cell::new(5, 20), Cell::new(10, 30)));
        assert_eq!(boxes[&(1, 0)], (Cell::new(600, 7), Cell::new(600, 7)));
        assert!(touched.take().1.is_empty());
    }
}
