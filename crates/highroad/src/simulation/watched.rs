//! Which parts of the map an agent must watch, coarsely: most edits concern hardly anyone.

use highroad_core::{Cell, CellRect, Extent};

/// Tiles across and down the map.
const SIDE: u32 = 16;

/// The map in 16 × 16 tiles, a bit each: those that an agent's way goes through.
///
/// PERF: of ten thousand agents on AcrosstheCape (768 × 768) an edit concerns a dozen; their corridors
/// alone, all over memory, took a third of the time of `highroad simulate AcrosstheCape.map --agents
/// 10000`, these bits take a hundredth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WatchedTiles(pub(super) [u64; 4]);

impl WatchedTiles {
    /// Of whom everything concerns.
    pub(super) const EVERYWHERE: Self = Self([u64::MAX; 4]);

    /// Of a way: its cells, and those that its steps squeeze past.
    pub(super) fn of(extent: Extent, cells: &[Cell]) -> Self {
        let mut watched = Self::default();
        cells.iter().for_each(|&cell| watched.mark(extent, cell));
        for step in cells.windows(2) {
            watched.mark(extent, Cell::new(step[0].x, step[1].y));
            watched.mark(extent, Cell::new(step[1].x, step[0].y));
        }
        watched
    }

    fn mark(&mut self, extent: Extent, cell: Cell) {
        let (word, bit) = tile(extent, cell);
        self.0[word] |= bit;
    }

    pub(super) fn contains(&self, (word, bit): (usize, u64)) -> bool {
        self.0[word] & bit != 0
    }
}

/// The tile of a cell. What lies outside, as an agent's start may, counts as the last.
fn tile(extent: Extent, cell: Cell) -> (usize, u64) {
    tile_at(place(extent, cell))
}

/// The column and the row of a cell's tile.
fn place(extent: Extent, cell: Cell) -> Cell {
    let along = |place: u32, length: u32| (place / length.div_ceil(SIDE)).min(SIDE - 1);
    Cell::new(along(cell.x, extent.width()), along(cell.y, extent.height()))
}

fn tile_at(place: Cell) -> (usize, u64) {
    let number = place.y * SIDE + place.x;
    (number as usize / 64, 1 << (number % 64))
}

/// The tiles that some cells lie in, each once.
pub(super) fn tiles_of(extent: Extent, cells: impl Iterator<Item = CellRect>) -> Vec<(usize, u64)> {
    let places =
        |rect: CellRect| CellRect::new(place(extent, rect.min()), place(extent, rect.max()));
    let mut tiles: Vec<(usize, u64)> =
        cells.flat_map(|rect| places(rect).cells().map(tile_at)).collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watched_tiles_hold_every_cell_of_the_way_and_few_others() {
        for (width, height) in [(1, 1), (7, 300), (768, 768), (17, 16)] {
            let extent = Extent::new(width, height).unwrap();
            let diagonal = (width.min(height)) as u32;
            let cells: Vec<Cell> = (0..diagonal).map(|at| Cell::new(at, at)).collect();
            let tiles = WatchedTiles::of(extent, &cells);
            let watched = |cell: Cell| {
                let cells = [CellRect::from(cell)].into_iter();
                tiles_of(extent, cells).into_iter().any(|tile| tiles.contains(tile))
            };
            for step in cells.windows(2) {
                assert!(watched(step[0]) && watched(step[1]));
                assert!(watched(Cell::new(step[0].x, step[1].y)), "squeezed past");
            }
            if width >= 64 {
                assert!(!watched(Cell::new(0, height as u32 - 1)));
            }
            assert_eq!(tiles_of(extent, std::iter::empty()), []);
        }
    }
}
