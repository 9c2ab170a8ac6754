//! Random obstacles: noise and nothing else.

use super::Random;
use highroad::{Extent, GridMap, SizeError, Terrain};

/// One draw a cell, row by row.
pub(super) fn generate(
    extent: Extent,
    blocked_percent: u32,
    random: &mut Random,
) -> Result<GridMap, SizeError> {
    GridMap::from_fn(extent.width(), extent.height(), |_| {
        let blocked = random.chance(u64::from(blocked_percent), 100);
        if blocked { Terrain::WALL } else { Terrain::GROUND }
    })
}
