//! Highlands: ground of one kind with heights, and lakes where it is lowest.

use super::noise::{HEIGHTS, Landscape};
use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{GridMap, Terrain};

/// Goes over the map twice: to know how high the lakes are, then for the cells. Heights rise from the level of the lakes.
pub(super) fn generate(
    extent: Extent,
    shape: (u32, u32),
    highest: u32,
    lakes_percent: u32,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<GridMap> {
    let (mut landscape, heights) = Landscape::survey(extent, shape, random, work)?;
    let level = heights.below(u64::from(lakes_percent), 100);
    let mut map = GridMap::filled(extent.width(), extent.height(), Terrain::GROUND)
        .map_err(GenerateError::from)?;
    landscape.visit(work, |cell, height| {
        if height < level {
            map.set(cell, Terrain::WATER);
        } else {
            let above = u64::from(height - level) * u64::from(highest);
            map.set_height(cell, (above / (HEIGHTS as u64 - 1).max(1)) as u16);
        }
    })?;
    Ok(map)
}
