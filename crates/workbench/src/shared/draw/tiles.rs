//! The cells as textures: tiles of the map, a pixel a cell, renewed only where cells look different.

use crate::shared::{TILE_SIDE, TileBoxes, Touched};
use egui::{
    Color32, ColorImage, Painter, Rect, TextureFilter, TextureHandle, TextureOptions, pos2,
};
use highroad::Cell;
use highroad::grid::Extent;
use highroad::planner::Point;
use highroad_pictures::Viewport;
use std::collections::BTreeMap;

/// Sharp squares when near, smooth when far.
const OPTIONS: TextureOptions = TextureOptions {
    magnification: TextureFilter::Nearest,
    minification: TextureFilter::Linear,
    wrap_mode: egui::TextureWrapMode::ClampToEdge,
    mipmap_mode: Some(TextureFilter::Linear),
};

/// One layer of the map's picture.
#[derive(Default)]
pub(crate) struct Tiles {
    textures: BTreeMap<(u32, u32), TextureHandle>,
    /// Boxes that wait until their tile is seen.
    waiting: TileBoxes,
    extent: Option<Extent>,
}

impl Tiles {
    /// Takes in what looks different.
    pub(crate) fn note(&mut self, extent: Extent, touched: &mut Touched) {
        let (all, boxes) = touched.take();
        if all || self.extent != Some(extent) {
            self.renew(extent);
            return;
        }
        for (tile, (low, high)) in boxes {
            let (min, max) = self.waiting.entry(tile).or_insert((low, high));
            *min = Cell::new(min.x.min(low.x), min.y.min(low.y));
            *max = Cell::new(max.x.max(high.x), max.y.max(high.y));
        }
    }

    /// Everything looks different.
    pub(crate) fn renew(&mut self, extent: Extent) {
        if self.extent != Some(extent) {
            self.textures.clear();
        }
        self.extent = Some(extent);
        self.waiting = tiles_of(extent).map(|tile| (tile, box_of(extent, tile))).collect();
    }

    /// Draws the tiles that are seen, after renewing what waits on them.
    pub(crate) fn draw(
        &mut self,
        painter: &Painter,
        viewport: &Viewport,
        opacity: f32,
        colour: impl Fn(Cell) -> Color32,
    ) {
        let Some(extent) = self.extent else { return };
        let (columns, rows) = viewport.seen(extent);
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        for row in rows.start / TILE_SIDE..=(rows.end - 1) / TILE_SIDE {
            for column in columns.start / TILE_SIDE..=(columns.end - 1) / TILE_SIDE {
                let tile = (column, row);
                self.refresh(painter, extent, tile, &colour);
                if let Some(texture) = self.textures.get(&tile) {
                    let (min, max) = box_of(extent, tile);
                    let corner = |x: u32, y: u32| {
                        let (x, y) = viewport.spot(Point { x: x as f32, y: y as f32 });
                        pos2(x, y)
                    };
                    let rect =
                        Rect::from_min_max(corner(min.x, min.y), corner(max.x + 1, max.y + 1));
                    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                    painter.image(
                        texture.id(),
                        rect,
                        whole,
                        Color32::WHITE.gamma_multiply(opacity),
                    );
                }
            }
        }
    }

    fn refresh(
        &mut self,
        painter: &Painter,
        extent: Extent,
        tile: (u32, u32),
        colour: &impl Fn(Cell) -> Color32,
    ) {
        let Some((min, max)) = self.waiting.remove(&tile) else { return };
        let (first, last) = box_of(extent, tile);
        let whole = (min, max) == (first, last);
        let known = self.textures.contains_key(&tile);
        let (min, max) = if known { (min, max) } else { (first, last) };
        let size = [(max.x - min.x + 1) as usize, (max.y - min.y + 1) as usize];
        let cells = (min.y..=max.y).flat_map(|y| (min.x..=max.x).map(move |x| Cell::new(x, y)));
        let image = ColorImage::new(size, cells.map(colour).collect());
        match self.textures.get_mut(&tile) {
            Some(texture) if whole => texture.set(image, OPTIONS),
            Some(texture) => {
                let at = [(min.x - first.x) as usize, (min.y - first.y) as usize];
                texture.set_partial(at, image, OPTIONS);
            }
            None => {
                let name = format!("tile {} {}", tile.0, tile.1);
                self.textures.insert(tile, painter.ctx().load_texture(name, image, OPTIONS));
            }
        }
    }
}

fn tiles_of(extent: Extent) -> impl Iterator<Item = (u32, u32)> {
    let columns = extent.width().div_ceil(TILE_SIDE);
    let rows = extent.height().div_ceil(TILE_SIDE);
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// The first and the last cell of a tile.
fn box_of(extent: Extent, (column, row): (u32, u32)) -> (Cell, Cell) {
    let first = Cell::new(column * TILE_SIDE, row * TILE_SIDE);
    let last = |first: u32, side: u32| (first + TILE_SIDE).min(side) - 1;
    (first, Cell::new(last(first.x, extent.width()), last(first.y, extent.height())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_map_and_no_more() {
        let extent = Extent::new(1200, 513).unwrap();
        let boxes: Vec<(Cell, Cell)> = tiles_of(extent).map(|tile| box_of(extent, tile)).collect();
        assert_eq!(boxes.len(), 6);
        let cells: u64 = boxes
            .iter()
            .map(|(min, max)| u64::from(max.x - min.x + 1) * u64::from(max.y - min.y + 1))
            .sum();
        assert_eq!(cells, extent.cell_count() as u64);
        assert_eq!(boxes[5], (Cell::new(1024, 512), Cell::new(1199, 512)));
    }
}
