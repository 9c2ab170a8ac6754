//! The shape of the ground: heights as shading, closed borders as lines, links as arcs, and where agents of which size fit.

use crate::colour::{Colour, Theme};
use crate::scene::Scene;
use crate::surface::{Spot, Surface, Viewport};
use highroad_core::{Border, BorderSide, Cell, Footprint, Grid, Point};

/// How much darker the lowest ground is than the highest.
const DEPTH: f32 = 0.45;
/// How much a slope that faces the light is brighter than level ground, and one that faces away darker, at most.
const RELIEF: f32 = 0.3;
/// Borders are drawn where at most so many cells are seen.
const CELLS_MAX: u64 = 4_000_000;
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

impl Scene<'_> {
    /// A colour of terrain, darker in valleys and on slopes that face away from the upper left.
    pub(crate) fn shaded(&self, cell: Cell, colour: Colour) -> Colour {
        let map = self.grid.map();
        let range = map.height_range();
        let span = f32::from(range.end() - range.start());
        if span == 0.0 {
            return colour;
        }
        let Some(height) = map.height(cell) else { return colour };
        let beside = Cell::new(cell.x.saturating_sub(1), cell.y.saturating_sub(1));
        let before = map.height(beside).unwrap_or(height);
        let level = f32::from(height - range.start()) / span;
        let slope = (f32::from(height) - f32::from(before)) / span;
        let light = 1.0 - DEPTH * (1.0 - level) + (slope * 6.0).clamp(-1.0, 1.0) * RELIEF;
        match light < 1.0 {
            true => colour.blend(Colour(0, 0, 0), (1.0 - light).min(0.8)),
            false => colour.blend(Colour(255, 255, 255), (light - 1.0).min(0.5)),
        }
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
        let width = (viewport.scale * 0.16).clamp(1.0, 4.0);
        let ink = border_colour(self.theme);
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
        let width = (viewport.scale * 0.16).clamp(1.5, 4.0);
        let head = (viewport.scale * 0.45).clamp(5.0, 14.0);
        for link in self.grid.map().link_list() {
            let ends = [Point::middle_of(link.from), Point::middle_of(link.to)];
            if !viewport.shows(ends[0], ends[1]) {
                continue;
            }
            let [from, to] = [self.middle(viewport, link.from), self.middle(viewport, link.to)];
            let spots = arc(from, to);
            surface.chain(&spots, width + 2.0, self.theme.halo().at(0.8));
            let ink = link_colour(self.theme).at(0.95);
            surface.chain(&spots, width, ink);
            surface.disc(from, width * 1.2, ink);
            let last = spots.len() - 1;
            arrow(spots[last - 2], to, head, ink, surface);
            if link.both_ways {
                arrow(spots[2], from, head, ink, surface);
            }
        }
    }
}

fn border_colour(theme: Theme) -> Colour {
    match theme {
        Theme::Light => Colour(150, 40, 24),
        Theme::Dark => Colour(255, 140, 110),
    }
}

fn link_colour(theme: Theme) -> Colour {
    match theme {
        Theme::Light => Colour(0, 108, 140),
        Theme::Dark => Colour(96, 220, 240),
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
fn arc(from: Spot, to: Spot) -> Vec<Spot> {
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
