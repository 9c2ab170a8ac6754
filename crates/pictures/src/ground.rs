//! The shape of the ground: heights as shading, closed borders as lines, links as arcs, and where agents of which size fit.

use crate::colour::{CLEARANCE, Colour, Theme};
use crate::scene::Scene;
use crate::surface::{Spot, Surface, Viewport};
use highroad_core::{
    Border, BorderSide, Cell, Footprint, Grid, LayerInfo, Point, Shape, SketchLayer,
};

/// How much of black, or in the dark theme of white, the highest ground has. The lowest looks as level ground does, so that
/// drawing a hill changes the look of nothing else.
const TINT: f32 = 0.36;
/// How much a slope that faces the light is brighter than level ground, and one that faces away darker, at most.
const RELIEF: f32 = 0.3;
/// Borders are drawn where at most so many cells are seen.
const CELLS_MAX: u64 = 4_000_000;
/// A cell's side from which borders are bold, in pixels.
const BOLD_SCALE_MIN: f32 = 4.0;
/// A cell's side from which borders that lead one way have an arrow, in pixels.
const ARROW_SCALE_MIN: f32 = 6.0;
/// How many straight pieces an arc has.
const ARC_PIECES: u32 = 16;

/// The edge of the square, up to [`Footprint::SIZE_MAX`], of the largest agent that fits with its top left on each cell, row
/// by row; 0 where none does. Borders and heights play no part.
///
/// ```
/// use highroad_core::Grid;
/// use highroad_pictures::clearance;
/// let grid = Grid::with_defaults("...\n..#\n...\n".parse()?);
/// assert_eq!(clearance(&grid), [2, 1, 1, 2, 1, 0, 1, 1, 1]);
/// # Ok::<(), highroad_core::MapError>(())
/// ```
pub fn clearance(grid: &Grid) -> Vec<u32> {
    let (map, extent) = (grid.map(), grid.extent());
    let profile = grid.movement().profile();
    let domain = |cell: Cell| map.terrain(cell).and_then(|terrain| profile.domain_of(terrain));
    let mut sizes = vec![0; extent.cell_count()];
    let cells: Vec<Cell> = extent.cells().collect();
    for (at, &cell) in cells.iter().enumerate().rev() {
        let own = domain(cell);
        let beside = |dx: u32, dy: u32| {
            let other = Cell::new(cell.x + dx, cell.y + dy);
            match extent.id(other) {
                Some(id) if domain(other) == own => sizes[id.index()],
                _ => 0,
            }
        };
        let size = 1 + beside(1, 0).min(beside(0, 1)).min(beside(1, 1));
        sizes[at] = if own.is_some() { size.min(u32::from(Footprint::SIZE_MAX)) } else { 0 };
    }
    sizes
}

static LAYER: LayerInfo =
    LayerInfo::hidden(CLEARANCE, "the largest agent whose top left fits on each cell");

/// The layer of [`clearance`]: regions by the size that fits, less one.
///
/// ```
/// use highroad_core::{Grid, Shape};
/// use highroad_pictures::clearance_layer;
/// let grid = Grid::with_defaults("..#\n..#\n".parse()?);
/// let Shape::Regions(numbers) = clearance_layer(&grid).shape else { panic!() };
/// assert_eq!(numbers, [1, 0, Shape::NO_REGION, 0, 0, Shape::NO_REGION]);
/// # Ok::<(), highroad_core::MapError>(())
/// ```
pub fn clearance_layer(grid: &Grid) -> SketchLayer {
    let number = |size: u32| size.checked_sub(1).unwrap_or(Shape::NO_REGION);
    LAYER.layer(0, Shape::Regions(clearance(grid).into_iter().map(number).collect()))
}

impl Scene<'_> {
    /// A colour of terrain, tinted by its height, and lit from the upper left.
    pub(crate) fn shaded(&self, cell: Cell, colour: Colour) -> Colour {
        let map = self.grid.map();
        let range = map.height_range();
        let span = f32::from(range.end() - range.start());
        if span == 0.0 {
            return colour;
        }
        let (Some(height), Some(terrain)) = (map.height(cell), map.terrain(cell)) else {
            return colour;
        };
        // Nobody stands on a wall: it is as dark as any other.
        if self.grid.movement().profile().domain_of(terrain).is_none() {
            return colour;
        }
        let beside = Cell::new(cell.x.saturating_sub(1), cell.y.saturating_sub(1));
        let before = map.height(beside).unwrap_or(height);
        let level = f32::from(height - range.start()) / span;
        let slope = (f32::from(height) - f32::from(before)) / span;
        let tint = match self.theme {
            Theme::Light => Colour(0, 0, 0),
            Theme::Dark => Colour(255, 255, 255),
        };
        let light = (slope * 6.0).clamp(-1.0, 1.0) * RELIEF;
        let towards = if light < 0.0 { Colour(0, 0, 0) } else { Colour(255, 255, 255) };
        colour.blend(tint, level * TINT).blend(towards, light.abs())
    }

    /// Draws borders that are not open, and links.
    pub(crate) fn draw_ground(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        if self.grid.map().has_relief() {
            self.draw_borders(viewport, surface);
        }
        self.draw_links(viewport, surface);
    }

    fn draw_borders(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let (columns, rows) = viewport.seen(self.grid.extent());
        if columns.len() as u64 * rows.len() as u64 > CELLS_MAX {
            return;
        }
        let least = if viewport.scale < BOLD_SCALE_MIN { 1.0 } else { 2.0 };
        let width = (viewport.scale * 0.16).clamp(least, 4.0);
        let ink = self.theme.border();
        for y in rows {
            for cell in columns.clone().map(|x| Cell::new(x, y)) {
                for side in BorderSide::ALL {
                    let border = self.grid.map().border(cell, side).unwrap_or_default();
                    if border != Border::Open {
                        draw_border(viewport, (cell, side), border, (width, ink), surface);
                    }
                }
            }
        }
    }

    fn draw_links(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        for link in self.grid.map().link_list() {
            let ends = [Point::middle_of(link.from), Point::middle_of(link.to)];
            if !viewport.shows(ends[0], ends[1]) {
                continue;
            }
            let ends = [link.from, link.to].map(|cell| self.middle(viewport, cell));
            draw_link(self.theme, viewport.scale, ends, link.both_ways, surface);
        }
    }
}

/// Draws a link between two spots as an arc with a head at its end, or at both, where cells have sides of that many pixels.
pub fn draw_link(
    theme: Theme,
    scale: f32,
    [from, to]: [Spot; 2],
    both_ways: bool,
    surface: &mut dyn Surface,
) {
    let width = (scale * 0.16).clamp(1.5, 4.0);
    let head = (scale * 0.45).clamp(5.0, 14.0);
    let spots = arc(from, to);
    surface.chain(&spots, width + 2.0, theme.halo().at(0.8));
    let ink = theme.link().at(0.95);
    surface.chain(&spots, width, ink);
    surface.disc(from, width * 1.2, ink);
    let last = spots.len() - 1;
    arrow(spots[last - 2], to, head, ink, surface);
    if both_ways {
        arrow(spots[2], from, head, ink, surface);
    }
}

/// Draws a border as a line; one that leads one way is thinner, with an arrow where it leads.
fn draw_border(
    viewport: &Viewport,
    (cell, side): (Cell, BorderSide),
    border: Border,
    (width, colour): (f32, Colour),
    surface: &mut dyn Surface,
) {
    let at = |x: f32, y: f32| viewport.spot(Point { x: cell.x as f32 + x, y: cell.y as f32 + y });
    let (from, to, middle, across) = match side {
        BorderSide::East => (at(1.0, 0.0), at(1.0, 1.0), at(1.0, 0.5), (1.0, 0.0)),
        BorderSide::South => (at(0.0, 1.0), at(1.0, 1.0), at(0.5, 1.0), (0.0, 1.0)),
    };
    if border == Border::Closed {
        surface.line(from, to, width, colour.at(1.0));
        return;
    }
    surface.line(from, to, (width * 0.5).max(1.0), colour.at(0.9));
    if viewport.scale >= ARROW_SCALE_MIN {
        let reach = viewport.scale * 0.3 * if border == Border::OneWay { 1.0 } else { -1.0 };
        let beyond =
            |share: f32| (middle.0 + across.0 * reach * share, middle.1 + across.1 * reach * share);
        arrow(beyond(-1.0), beyond(1.0), viewport.scale * 0.32, colour.at(1.0), surface);
    }
}

/// A curve from spot to spot that bends to one side, the more the farther they lie apart.
pub(crate) fn arc(from: Spot, to: Spot) -> Vec<Spot> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    // To the left of the way, so that the way there and the way back are two arcs.
    let bend = ((from.0 + to.0) / 2.0 + dy * 0.3, (from.1 + to.1) / 2.0 - dx * 0.3);
    let along = |share: f32| {
        let mix = |a: f32, b: f32, c: f32| {
            let rest = 1.0 - share;
            a * rest * rest + 2.0 * b * share * rest + c * share * share
        };
        (mix(from.0, bend.0, to.0), mix(from.1, bend.1, to.1))
    };
    (0..=ARC_PIECES).map(|piece| along(piece as f32 / ARC_PIECES as f32)).collect()
}

/// The head of an arrow at a spot, as seen from another.
fn arrow(from: Spot, to: Spot, size: f32, ink: crate::Ink, surface: &mut dyn Surface) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(0.001);
    let (dx, dy) = (dx / length * size, dy / length * size);
    let base = (to.0 - dx, to.1 - dy);
    let corner = |share: f32| (base.0 - dy * share, base.1 + dx * share);
    surface.triangle([to, corner(0.5), corner(-0.5)], ink);
}
