//! Squares of ground laid out in columns and rows: what rooms and mazes are built from.

use super::walls::Walls;
use super::work::{Made, Work};
use highroad::grid::Extent;
use std::ops::Range;

/// Blocks `side` cells wide and high, with walls one cell thick between them.
///
/// ```text
/// ...@...@..    side 3: the third column of blocks is cut short, or left as
/// ...@...@..    wall where only whole blocks are wanted
/// ...@...@..
/// @@@@@@@@@@
/// ...@...@..
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    extent: Extent,
    side: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
}

impl Blocks {
    /// As many blocks as it takes to cover the map, the last of each row and column cut short.
    pub(super) fn covering(extent: Extent, side: u32) -> Self {
        let count = |length: u32| length.div_ceil(side + 1);
        Self { extent, side, columns: count(extent.width()), rows: count(extent.height()) }
    }

    /// As many whole blocks as fit, or one that is cut short if none does.
    pub(super) fn fitting(extent: Extent, side: u32) -> Self {
        let count = |length: u32| ((length + 1) / (side + 1)).max(1);
        Self { extent, side, columns: count(extent.width()), rows: count(extent.height()) }
    }

    /// The map's columns that a column of blocks takes.
    pub(super) fn across(&self, column: u32) -> Range<u32> {
        let start = column * (self.side + 1);
        start..(start + self.side).min(self.extent.width())
    }

    /// The map's rows that a row of blocks takes.
    pub(super) fn down(&self, row: u32) -> Range<u32> {
        let start = row * (self.side + 1);
        start..(start + self.side).min(self.extent.height())
    }

    /// The map with every block open and all walls between them closed.
    pub(super) fn dig(&self, work: &mut Work<'_, '_>) -> Made<Walls> {
        let mut walls = Walls::solid(self.extent);
        for row in 0..self.rows {
            work.row()?;
            for column in 0..self.columns {
                walls.open(self.across(column), self.down(row));
            }
        }
        Ok(walls)
    }
}
