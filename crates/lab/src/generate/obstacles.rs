//! Random obstacles: noise and nothing else.

use super::Random;
use super::parts::keep_largest;
use super::walls::Walls;
use super::work::{Made, Work};
use highroad::grid::Extent;

/// One draw a cell, row by row.
pub(super) fn generate(
    extent: Extent,
    blocked_percent: u32,
    connected: bool,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<Walls> {
    let mut walls = Walls::noise(extent, blocked_percent, random, work)?;
    if connected {
        keep_largest(&mut walls, work)?;
    }
    Ok(walls)
}
