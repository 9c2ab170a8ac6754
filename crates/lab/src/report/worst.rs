//! The worst path of a planner, drawn beside an optimal one.

use super::html::escape;
use super::unit::{QueryRecord, Unit, Worst};
use highroad::Cell;
use highroad::grid::{Grid, Palette};
use highroad_pictures::push_png_url;
use std::fmt::Write;

/// Pixels along the longer side of a picture, at the most.
const PIXELS_MAX: u32 = 360;
/// A picture shows at least so many cells across.
const CELLS_MIN: u32 = 24;

/// The part of a map that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Crop {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Crop {
    /// What is around some cells, with a margin: a square, as far as the map has room for it.
    fn around(cells: impl Iterator<Item = (u32, u32)>, size: (u32, u32)) -> Self {
        let (mut min, mut max) = ((u32::MAX, u32::MAX), (0, 0));
        for (x, y) in cells {
            min = (min.0.min(x), min.1.min(y));
            max = (max.0.max(x), max.1.max(y));
        }
        let longer = (max.0.saturating_sub(min.0)).max(max.1.saturating_sub(min.1)) + 1;
        let wanted = (longer + 2 * (longer / 12 + 2)).max(CELLS_MIN);
        let side = |min: u32, max: u32, size: u32| {
            let length = wanted.min(size);
            let middle = min / 2 + max / 2 + (min % 2 + max % 2) / 2;
            (middle.saturating_sub(length / 2).min(size - length), length)
        };
        let (left, width) = side(min.0, max.0, size.0);
        let (top, height) = side(min.1, max.1, size.1);
        Self { left, top, width, height }
    }
}

/// Draws the worst query of a unit on its map. `None` if nothing was worse than the best, or the picture cannot
/// be made.
pub(super) fn draw(unit: &Unit, grid: &Grid) -> Option<String> {
    let measured = unit.measured()?;
    let worst = measured.worst.as_ref()?;
    let record = measured.queries.get(worst.query)?;
    let ends = [record.start, record.goal].into_iter();
    let cells = worst.found.iter().chain(&worst.optimal).copied().chain(ends);
    let crop = Crop::around(cells, unit.size);
    let mut text = String::new();
    _ = write!(
        text,
        r#"<svg class="map" viewBox="0 0 {} {}" role="img" aria-label="the worst path">"#,
        crop.width, crop.height
    );
    _ = write!(
        text,
        r#"<image width="{}" height="{}" preserveAspectRatio="none" href=""#,
        crop.width, crop.height
    );
    push_png_url(&mut text, &terrain_png(grid, crop)?);
    text.push_str("\"/>");
    push_paths(&mut text, worst, record, crop);
    text.push_str("</svg>");
    Some(text)
}

fn push_paths(text: &mut String, worst: &Worst, record: &QueryRecord, crop: Crop) {
    let middle = |(x, y): (u32, u32)| {
        let from = |at: u32, low: u32| f64::from(at) - f64::from(low) + 0.5;
        (from(x, crop.left), from(y, crop.top))
    };
    let points = |cells: &[(u32, u32)]| {
        let spots = cells.iter().map(|&cell| middle(cell));
        spots.map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
    };
    let shown = |length: Option<f64>| length.map_or(String::new(), |length| format!("{length:.1}"));
    _ = write!(
        text,
        r#"<polyline class="found" points="{}"><title>found: length {}</title></polyline>"#,
        points(&worst.found),
        shown(record.length)
    );
    _ = write!(
        text,
        r#"<polyline class="optimal" points="{}"><title>optimal: length {}</title></polyline>"#,
        points(&worst.optimal),
        shown(record.shortest)
    );
    let radius = f64::from(crop.width.max(crop.height)) / 60.0;
    for (class, cell, name) in [("start", record.start, "start"), ("goal", record.goal, "goal")] {
        let (x, y) = middle(cell);
        let shown = escape(&format!("{name} {}, {}", cell.0, cell.1));
        _ = write!(
            text,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius:.2}"><title>{shown}</title></circle>"#
        );
    }
}

/// The terrain as pixels that are clear where ground is, so that the page shines through: one a cell, or one for
/// some cells.
fn terrain_png(grid: &Grid, crop: Crop) -> Option<Vec<u8>> {
    let step = crop.width.max(crop.height).div_ceil(PIXELS_MAX).max(1);
    let (width, height) = (crop.width.div_ceil(step), crop.height.div_ceil(step));
    let palette = grid.map().palette();
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut count) = ([0u32; 4], 0);
            for cell_y in 0..step {
                for cell_x in 0..step {
                    let cell = Cell::new(
                        crop.left + (x * step + cell_x).min(crop.width - 1),
                        crop.top + (y * step + cell_y).min(crop.height - 1),
                    );
                    let [red, green, blue, cover] = colour(grid, palette, cell).map(u32::from);
                    let shares = [red * cover, green * cover, blue * cover, cover];
                    for (sum, share) in sum.iter_mut().zip(shares) {
                        *sum += share;
                    }
                    count += 1;
                }
            }
            let cover = sum[3];
            let mixed = |part: u32| part.checked_div(cover).unwrap_or(0) as u8;
            pixels.extend([mixed(sum[0]), mixed(sum[1]), mixed(sum[2]), (cover / count) as u8]);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Red, green, blue, and how much it covers.
fn colour(grid: &Grid, palette: Palette, cell: Cell) -> [u8; 4] {
    if !grid.is_enterable(cell) {
        return [112, 119, 132, 255];
    }
    let letter = grid.map().terrain(cell).map_or(b'.', |terrain| terrain.letter());
    match (letter, palette) {
        (b'A'..=b'P', Palette::Weighted) => [150, 106, 52, (letter - b'A') * 12],
        (b'S', _) => [140, 165, 84, 120],
        (b'W', _) => [80, 150, 210, 120],
        _ => [0, 0, 0, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crops_stay_inside_the_map_and_hold_the_path() {
        let crop = Crop::around([(0, 90), (99, 99)].into_iter(), (100, 100));
        assert_eq!((crop.left, crop.width), (0, 100));
        assert!(crop.top <= 90 && crop.top + crop.height == 100, "{crop:?}");
        let crop = Crop::around([(50, 50)].into_iter(), (1000, 1000));
        assert!(crop.width >= CELLS_MIN && crop.left <= 50 && crop.left + crop.width > 50);
        let tiny = Crop::around([(0, 0)].into_iter(), (1, 1));
        assert_eq!(tiny, Crop { left: 0, top: 0, width: 1, height: 1 });
    }

    #[test]
    fn terrain_becomes_a_png_of_few_pixels() {
        let map = highroad::GridMap::filled(900, 500, highroad::Terrain::WALL).unwrap();
        let grid = Grid::with_defaults(map);
        let crop = Crop { left: 0, top: 0, width: 900, height: 500 };
        let bytes = terrain_png(&grid, crop).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
        assert_eq!(&bytes[16..24], &[0, 0, 1, 44, 0, 0, 0, 167], "300 × 167");
    }
}
