//! Rooms with doors.

use super::Random;
use super::blocks::Blocks;
use super::passages::{Passages, Side};
use super::walls::Walls;
use super::work::{Made, Work};
use highroad::grid::Extent;
use std::ops::Range;

/// Draws a tree of rooms, then the doors beyond the tree, then where in its wall each door is.
pub(super) fn generate(
    extent: Extent,
    room_side: u32,
    doors_percent: u32,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<Walls> {
    let blocks = Blocks::covering(extent, room_side);
    let mut passages = Passages::spanning_tree(blocks.columns, blocks.rows, random, work)?;
    add_doors(&mut passages, &blocks, doors_percent, random);
    let mut walls = blocks.dig(work)?;
    for row in 0..blocks.rows {
        work.row()?;
        for column in 0..blocks.columns {
            let (across, down) = (blocks.across(column), blocks.down(row));
            if passages.is_open(column, row, Side::East) {
                let door = draw_door(down.clone(), random);
                walls.open(across.end..across.end + 1, door);
            }
            if passages.is_open(column, row, Side::South) {
                let door = draw_door(across, random);
                walls.open(door, down.end..down.end + 1);
            }
        }
    }
    Ok(walls)
}

/// Adds doors to those of the tree, which join all rooms, until the expected share is as asked.
///
/// With w walls between rooms of which t are open in the tree, opening each of the others with
/// probability (w·share − t) / (w − t) gives w·share doors on average.
fn add_doors(passages: &mut Passages, blocks: &Blocks, doors_percent: u32, random: &mut Random) {
    let (columns, rows) = (u64::from(blocks.columns), u64::from(blocks.rows));
    let wall_count = (columns - 1) * rows + columns * (rows - 1);
    let tree_count = columns * rows - 1;
    let wanted = (u64::from(doors_percent) * wall_count).saturating_sub(100 * tree_count);
    let out_of = 100 * (wall_count - tree_count);
    for row in 0..blocks.rows {
        for column in 0..blocks.columns {
            for side in [Side::East, Side::South] {
                if passages.is_closed(column, row, side) && random.chance(wanted, out_of) {
                    passages.open(column, row, side);
                }
            }
        }
    }
}

/// One of the cells along a wall.
fn draw_door(wall: Range<u32>, random: &mut Random) -> Range<u32> {
    let door = wall.start + random.below(u64::from(wall.end - wall.start)) as u32;
    door..door + 1
}
