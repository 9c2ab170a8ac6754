//! Islands: land and water, swamp where it is low and wet, trees.

use super::noise::{HEIGHTS, Heights, Noise};
use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::Extent;
use highroad::{Cell, GridMap, Terrain};

/// The parameters of the layout, named as there.
#[derive(Clone, Copy)]
pub(super) struct Islands {
    pub(super) size: u32,
    pub(super) land_percent: u32,
    pub(super) swamp_percent: u32,
    pub(super) trees_percent: u32,
}

/// Finer lattices over the first: shores with bays, and woods with ragged edges.
const SHORE_OCTAVES: u32 = 5;
const WOOD_OCTAVES: u32 = 3;

/// The three noises of a map, and one row of each.
struct Ground {
    extent: Extent,
    size: u32,
    noises: [Noise; 3],
    rows: [Vec<u32>; 3],
}

impl Ground {
    /// Draws heights first, then what is wet, then where trees grow.
    fn new(extent: Extent, size: u32, random: &mut Random) -> Self {
        let width = extent.width() as usize;
        let noises = [
            Noise::new(size, SHORE_OCTAVES, random),
            Noise::new(size, WOOD_OCTAVES, random),
            Noise::new(size.div_ceil(3), WOOD_OCTAVES, random),
        ];
        Self { extent, size, noises, rows: [(); 3].map(|()| vec![0; width]) }
    }

    fn go_to(&mut self, y: u32) {
        for (noise, row) in self.noises.iter_mut().zip(&mut self.rows) {
            noise.row(y, row);
        }
    }

    /// How high a cell lies. Towards the map's edge everything sinks, so that islands have shores there.
    fn height(&self, Cell { x, y }: Cell) -> u32 {
        let to_edge = |at: u32, side: u32| at.min(side - 1 - at);
        let (width, height) = (self.extent.width(), self.extent.height());
        let shelf = (self.size / 2).min(width / 8).min(height / 8);
        let from_edge = to_edge(x, width).min(to_edge(y, height)).min(shelf);
        let sunk = (shelf - from_edge) * (HEIGHTS as u32 / 2) / shelf.max(1);
        self.rows[0][x as usize].saturating_sub(sunk)
    }

    /// How wet it is: what lies low is wetter.
    fn wetness(&self, cell: Cell) -> u32 {
        (self.rows[1][cell.x as usize] + (HEIGHTS as u32 - 1 - self.height(cell))) / 2
    }

    fn wood(&self, cell: Cell) -> u32 {
        self.rows[2][cell.x as usize]
    }
}

/// Goes over the map three times: to know how high the sea must stand, how wet a swamp must be, and for the
/// cells themselves. Shares come out as asked for, whatever the noise was.
pub(super) fn generate(
    extent: Extent,
    islands: Islands,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<GridMap> {
    let mut ground = Ground::new(extent, islands.size, random);
    let mut heights = Heights::new();
    let row = |y: u32| (0..extent.width()).map(move |x| Cell::new(x, y));
    for y in 0..extent.height() {
        work.row()?;
        ground.go_to(y);
        row(y).for_each(|cell| heights.count(ground.height(cell)));
    }
    let sea = heights.below(u64::from(100 - islands.land_percent), 100);
    let (mut wetness, mut wood) = (Heights::new(), Heights::new());
    for y in 0..extent.height() {
        work.row()?;
        ground.go_to(y);
        for cell in row(y).filter(|&cell| ground.height(cell) >= sea) {
            wetness.count(ground.wetness(cell));
            wood.count(ground.wood(cell));
        }
    }
    let swamp = wetness.below(u64::from(100 - islands.swamp_percent), 100);
    let trees = wood.below(u64::from(100 - islands.trees_percent), 100);
    let mut stopped = Ok(());
    let map = GridMap::from_fn(extent.width(), extent.height(), |cell| {
        if cell.x == 0 && stopped.is_ok() {
            stopped = work.row();
            ground.go_to(cell.y);
        }
        match () {
            () if stopped.is_err() => Terrain::WATER,
            () if ground.height(cell) < sea => Terrain::WATER,
            () if ground.wood(cell) >= trees => Terrain::TREES,
            () if ground.wetness(cell) >= swamp => Terrain::SWAMP,
            () => Terrain::GROUND,
        }
    });
    stopped.and(map.map_err(GenerateError::from))
}
