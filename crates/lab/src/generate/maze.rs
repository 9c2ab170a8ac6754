//! Mazes: a spanning tree of blocks, each as wide as a corridor.
//!
//! ```text
//! ..@..     corridor width 2: a passage takes away the whole wall
//! ..@..     between two blocks, so that corridors are equally wide
//! ..@@@     throughout; the corners where four blocks meet stay
//! .....
//! .....
//! ```

use super::Random;
use super::blocks::Blocks;
use super::passages::{Passages, Side};
use super::walls::Walls;
use super::work::{Made, Work};
use highroad::grid::Extent;

/// Draws the tree, then the braiding.
pub(super) fn generate(
    extent: Extent,
    corridor_width: u32,
    (braid_percent, winding_percent): (u32, u32),
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<Walls> {
    let blocks = Blocks::fitting(extent, corridor_width);
    let (columns, rows) = (blocks.columns, blocks.rows);
    let mut passages = match winding_percent {
        100 => Passages::spanning_tree(columns, rows, random, work)?,
        percent => Passages::branching_tree(columns, rows, percent, random, work)?,
    };
    passages.braid(braid_percent, random);
    let mut walls = blocks.dig(work)?;
    for row in 0..blocks.rows {
        work.row()?;
        for column in 0..blocks.columns {
            let (across, down) = (blocks.across(column), blocks.down(row));
            if passages.is_open(column, row, Side::East) {
                walls.open(across.end..across.end + 1, down.clone());
            }
            if passages.is_open(column, row, Side::South) {
                walls.open(across, down.end..down.end + 1);
            }
        }
    }
    Ok(walls)
}
