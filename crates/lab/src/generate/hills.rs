//! Hills: weighted terrain, cheap in the valleys and costly on the ridges.

use super::noise::Landscape;
use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{GridMap, Terrain};

/// The letters of weighted terrain, the cheapest first.
const CLASSES: &[u8; 16] = b"ABCDEFGHIJKLMNOP";

/// Goes over the map twice: to know which heights divide the classes, then for the cells. What is cheaper
/// is more common: of four classes the first has 4 parts of 10, the last has 1; lakes come off first, where
/// it is lowest.
pub(super) fn generate(
    extent: Extent,
    shape: (u32, u32),
    classes: u32,
    lakes_percent: u32,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<GridMap> {
    let (mut landscape, heights) = Landscape::survey(extent, shape, random, work)?;
    let (classes, lakes) = (u64::from(classes), u64::from(lakes_percent));
    let parts = classes * (classes + 1) / 2;
    // Where each class ends, the lakes before the first.
    let ends: Vec<u32> = (0..classes)
        .map(|class| {
            let before: u64 = (0..class).map(|lower| classes - lower).sum();
            heights.below(lakes * parts + (100 - lakes) * before, 100 * parts)
        })
        .collect();
    let mut terrains = Vec::with_capacity(extent.cell_count());
    landscape.visit(work, |_, height| {
        let class = ends.partition_point(|&end| end <= height);
        let letter = class.checked_sub(1).and_then(|class| CLASSES.get(class));
        let terrain = letter.and_then(|&letter| Terrain::from_letter(letter));
        terrains.push(terrain.unwrap_or(Terrain::WALL));
    })?;
    let mut terrains = terrains.into_iter();
    let next = |_| terrains.next().unwrap_or(Terrain::WALL);
    GridMap::from_fn(extent.width(), extent.height(), next).map_err(GenerateError::from)
}
