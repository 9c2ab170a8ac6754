//! Highlands: ground of one kind with heights, and lakes where it is lowest.

use super::noise::{HEIGHTS, Heights, Noise};
use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{Cell, GridMap, Terrain};

/// Goes over the map twice: to know how high the lakes are, then for the cells. Heights rise from the level of the lakes.
pub(super) fn generate(
    extent: Extent,
    (size, roughness): (u32, u32),
    highest: u32,
    lakes_percent: u32,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<GridMap> {
    let mut noise = Noise::new(size, roughness, random);
    let mut row = vec![0; extent.width() as usize];
    let mut heights = Heights::new();
    for y in 0..extent.height() {
        work.row()?;
        noise.row(y, &mut row);
        row.iter().for_each(|&height| heights.count(height));
    }
    let level = heights.below(u64::from(lakes_percent), 100);
    let mut map = GridMap::filled(extent.width(), extent.height(), Terrain::GROUND)
        .map_err(GenerateError::from)?;
    for y in 0..extent.height() {
        work.row()?;
        noise.row(y, &mut row);
        for (x, &height) in (0..).zip(&row) {
            let cell = Cell::new(x, y);
            if height < level {
                map.set(cell, Terrain::WATER);
            } else {
                let above = u64::from(height - level) * u64::from(highest);
                map.set_height(cell, (above / (HEIGHTS as u64 - 1).max(1)) as u16);
            }
        }
    }
    Ok(map)
}
