//! Hills: weighted terrain, cheap in the valleys and costly on the ridges.

use super::noise::{Heights, Noise};
use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{Cell, GridMap, Terrain};

/// The letters of weighted terrain, the cheapest first.
const CLASSES: &[u8; 16] = b"ABCDEFGHIJKLMNOP";

/// Goes over the map twice: to know which heights divide the classes, then for the cells. What is cheaper
/// is more common: of four classes the first has 4 parts of 10, the last has 1; lakes come off first, where
/// it is lowest.
pub(super) fn generate(
    extent: Extent,
    (size, roughness): (u32, u32),
    classes: u32,
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
    let (classes, lakes) = (u64::from(classes), u64::from(lakes_percent));
    let parts = classes * (classes + 1) / 2;
    // Where each class ends, the lakes before the first.
    let ends: Vec<u32> = (0..classes)
        .map(|class| {
            let before: u64 = (0..class).map(|lower| classes - lower).sum();
            heights.below(lakes * parts + (100 - lakes) * before, 100 * parts)
        })
        .collect();
    let mut stopped = Ok(());
    let map = GridMap::from_fn(extent.width(), extent.height(), |Cell { x, y }| {
        if x == 0 && stopped.is_ok() {
            stopped = work.row();
            noise.row(y, &mut row);
        }
        if stopped.is_err() {
            return Terrain::WALL;
        }
        let class = ends.partition_point(|&end| end <= row[x as usize]);
        let letter = class.checked_sub(1).and_then(|class| CLASSES.get(class));
        letter.and_then(|&letter| Terrain::from_letter(letter)).unwrap_or(Terrain::WALL)
    });
    stopped.and(map.map_err(GenerateError::from))
}
