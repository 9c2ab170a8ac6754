//! Everything that can be seen of a map, drawn onto any surface.

use crate::canvas::{Canvas, PictureError};
use crate::colour::{Colour, Theme, layer_colour, region_colour};
use crate::ground::arc;
use crate::replay::{CellStatus, Replay};
use crate::surface::{Spot, Surface, Viewport};
use crate::svg::Svg;
use highroad_core::{Cell, Grid, Palette, Point, Shape, SketchLayer};

/// What the colours of expanded cells show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Colouring {
    /// When they were expanded.
    #[default]
    Order,
    /// What it costs to get there.
    Cost,
    /// How often the search came by.
    Visits,
}

impl Colouring {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Order, Self::Cost, Self::Visits];

    /// What a switch calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order of expansion",
            Self::Cost => "cost so far",
            Self::Visits => "heat: how often visited",
        }
    }

    /// The colour of a cell in a search; `None` where it has not been.
    pub fn of(self, replay: &Replay, cell: Cell) -> Option<Colour> {
        let closed = match replay.status(cell) {
            CellStatus::Untouched => return None,
            CellStatus::Open => false,
            CellStatus::Closed => true,
        };
        let share = match self {
            Self::Order => replay.order_share(cell),
            Self::Cost => replay.cost_share(cell),
            Self::Visits => return replay.visit_share(cell).map(Colour::ramp),
        };
        Some(if closed { Colour::ramp(share.unwrap_or(1.0)) } else { Colour::OPEN })
    }
}

/// A layer of an abstraction, and how much of it is shown.
#[derive(Clone, Copy)]
pub struct SceneLayer<'a> {
    /// What is drawn.
    pub layer: &'a SketchLayer,
    /// How much it covers.
    pub opacity: f32,
    /// How many of its things: the first ones.
    pub shown: usize,
}

/// An agent on its way.
#[derive(Clone, Copy)]
pub struct SceneAgent<'a> {
    /// Where it is.
    pub at: Point,
    /// Where it has been.
    pub trail: &'a [Point],
}

/// Everything that is to be seen of a map.
#[derive(Clone)]
pub struct Scene<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// How its letters are read.
    pub palette: Palette,
    /// Light or dark.
    pub theme: Theme,
    /// A search, its colours, and how much they cover.
    pub search: Option<(&'a Replay, Colouring, f32)>,
    /// How much of the shortest-path tree is to be seen.
    pub tree: Option<f32>,
    /// Layers of abstractions, the lowest first.
    pub layers: Vec<SceneLayer<'a>>,
    /// A path, and how much it covers.
    pub path: Option<(&'a [Cell], f32)>,
    /// Whether the path does not lead to the goal: it is drawn in dashes.
    pub path_is_partial: bool,
    /// Where paths start.
    pub start: Option<Cell>,
    /// Where they end.
    pub goal: Option<Cell>,
    /// Agents that walk.
    pub agents: Vec<SceneAgent<'a>>,
    /// Whether lines separate the cells, where there is room.
    pub grid_lines: bool,
}

/// A cell's side from which lines between cells are drawn, in pixels.
pub const GRID_LINES_SCALE_MIN: f32 = 10.0;
/// A cell's side from which the tree is drawn, in pixels.
pub const TREE_SCALE_MIN: f32 = 4.0;

impl<'a> Scene<'a> {
    /// The map alone.
    pub fn new(grid: &'a Grid) -> Self {
        Self {
            grid,
            palette: grid.map().palette(),
            theme: Theme::Light,
            search: None,
            tree: None,
            layers: Vec::new(),
            path: None,
            path_is_partial: false,
            start: None,
            goal: None,
            agents: Vec::new(),
            grid_lines: false,
        }
    }

    /// The colour of a cell's terrain, shaded by its height.
    pub fn terrain_colour(&self, cell: Cell) -> Colour {
        let terrain = self.grid.map().terrain(cell);
        let colour = |terrain| self.theme.terrain(terrain, self.palette);
        terrain.map_or(self.theme.beyond(), |terrain| self.shaded(cell, colour(terrain)))
    }

    /// The colour of a cell with the regions and the search that lie on it.
    pub fn cell_colour(&self, cell: Cell) -> Colour {
        let mut colour = self.terrain_colour(cell);
        let Some(id) = self.grid.extent().id(cell) else { return colour };
        for layer in &self.layers {
            if let Shape::Regions(numbers) = &layer.layer.shape
                && let Some(&number) = numbers.get(id.index())
                && number != Shape::NO_REGION
                && layer.shown > 0
            {
                let region = region_colour(layer.layer.info.name, number);
                colour = colour.blend(region, layer.opacity);
            }
        }
        if let Some((replay, colouring, opacity)) = self.search
            && let Some(on_top) = colouring.of(replay, cell)
        {
            colour = colour.blend(on_top, opacity);
        }
        colour
    }

    /// How many cells an agent covers on each side.
    pub(crate) fn side(&self) -> u8 {
        self.grid.movement().footprint().size()
    }

    /// The middle of an agent on the surface that stands at a cell: of the square that it covers.
    pub fn middle(&self, viewport: &Viewport, cell: Cell) -> Spot {
        viewport.middle_of_square(cell, self.side())
    }

    /// Draws everything but the cells themselves.
    pub fn draw_shapes(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        if self.grid_lines && viewport.scale >= GRID_LINES_SCALE_MIN {
            self.draw_grid_lines(viewport, surface);
        }
        if let Some(opacity) = self.tree
            && viewport.scale >= TREE_SCALE_MIN
        {
            self.draw_tree(viewport, opacity, surface);
        }
        for layer in &self.layers {
            draw_layer(self.theme, viewport, layer, surface);
        }
        self.draw_ground(viewport, surface);
        if let Some((cells, opacity)) = self.path {
            self.draw_path(viewport, cells, opacity, surface);
        }
        self.draw_current(viewport, surface);
        self.draw_agents(viewport, surface);
        self.draw_places(viewport, surface);
    }

    fn draw_grid_lines(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let (columns, rows) = viewport.seen(self.grid.extent());
        let spot = |x: u32, y: u32| viewport.spot(Point { x: x as f32, y: y as f32 });
        let ink = self.theme.grid_lines().at(0.35);
        for x in columns.start..=columns.end {
            surface.line(spot(x, rows.start), spot(x, rows.end), 1.0, ink);
        }
        for y in rows.start..=rows.end {
            surface.line(spot(columns.start, y), spot(columns.end, y), 1.0, ink);
        }
    }

    fn draw_tree(&self, viewport: &Viewport, opacity: f32, surface: &mut dyn Surface) {
        let Some((replay, ..)) = self.search else { return };
        let (columns, rows) = viewport.seen(self.grid.extent());
        let width = (viewport.scale * 0.08).clamp(1.0, 2.5);
        let ink = self.theme.tree().at(opacity);
        for y in rows {
            for x in columns.clone() {
                let cell = Cell::new(x, y);
                if let Some(parent) = replay.parent(cell) {
                    surface.line(viewport.middle(cell), viewport.middle(parent), width, ink);
                }
            }
        }
    }

    fn draw_current(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let Some((_, cell)) = self
            .search
            .and_then(|(replay, ..)| replay.current().filter(|_| replay.position() < replay.len()))
        else {
            return;
        };
        let reach = (viewport.scale * 0.5).max(4.0);
        let (x, y) = viewport.middle(cell);
        let (min, max) = ((x - reach, y - reach), (x + reach, y + reach));
        draw_box(min, max, 4.0, Colour::OUTLINE.at(1.0), surface);
        draw_box(min, max, 2.0, Colour(255, 255, 255).at(1.0), surface);
    }

    fn draw_agents(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let width = (viewport.scale * 0.18).clamp(1.5, 5.0);
        let more = (f32::from(self.side()) - 1.0) / 2.0;
        let spot = |point: Point| viewport.spot(Point { x: point.x + more, y: point.y + more });
        for agent in &self.agents {
            let spots: Vec<Spot> = agent.trail.iter().map(|&point| spot(point)).collect();
            surface.chain(&spots, width, Colour::TRAIL.at(0.9));
        }
        // One agent is to be found at a glance; many shall not hide the map.
        let least = if self.agents.len() > 1 { 2.5 } else { 5.0 };
        let side = f32::from(self.side());
        let size = (viewport.scale * 0.38 * side).clamp(least, 16.0 * side);
        for agent in &self.agents {
            surface.disc(spot(agent.at), size + 1.5, Colour::OUTLINE.at(1.0));
            surface.disc(spot(agent.at), size, Colour::AGENT.at(1.0));
        }
    }

    pub(crate) fn draw_places(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let spot = |cell: Cell| self.middle(viewport, cell);
        let size = place_size(viewport.scale);
        for (cell, colour) in [(self.start, Colour::START), (self.goal, Colour::GOAL)] {
            if let Some(cell) = cell.filter(|_| self.side() > 1) {
                self.draw_square(viewport, cell, colour, surface);
            }
        }
        draw_ends(self.theme, [self.start.map(spot), self.goal.map(spot)], size, surface);
    }

    /// The cells that a large agent covers at a place.
    fn draw_square(
        &self,
        viewport: &Viewport,
        cell: Cell,
        colour: Colour,
        surface: &mut dyn Surface,
    ) {
        let (x, y) = viewport.middle(cell);
        let half = viewport.scale / 2.0;
        let side = viewport.scale * f32::from(self.side());
        let (min, max) = ((x - half, y - half), (x - half + side, y - half + side));
        draw_box(min, max, 4.0, self.theme.halo().at(0.8), surface);
        draw_box(min, max, 2.0, colour.at(1.0), surface);
    }

    fn draw_path(
        &self,
        viewport: &Viewport,
        cells: &[Cell],
        opacity: f32,
        surface: &mut dyn Surface,
    ) {
        let middle = |cell: Cell| self.middle(viewport, cell);
        if self.side() > 1 {
            // What the agent covers on its way.
            let spots: Vec<Spot> = turns(cells).map(middle).collect();
            let width = viewport.scale * f32::from(self.side());
            surface.chain(&spots, width, Colour::PATH.at(0.25 * opacity));
        }
        let width = (viewport.scale * 0.3).clamp(2.0, 8.0);
        let inks = [(width + 2.0, Colour::OUTLINE.at(opacity)), (width, Colour::PATH.at(opacity))];
        if self.path_is_partial {
            // Dashes of cells, as long as they are wide on small scales.
            let dash = ((2.0 * width / viewport.scale).ceil() as usize).max(1);
            for (width, ink) in inks {
                for part in cells.chunks(2 * dash) {
                    let spots: Vec<Spot> =
                        part.iter().take(dash + 1).map(|&cell| middle(cell)).collect();
                    surface.chain(&spots, width, ink);
                }
            }
            return;
        }
        let spots = self.path_spots(viewport, cells);
        for (width, ink) in inks {
            surface.chain(&spots, width, ink);
        }
    }

    /// The spots that a path leads over: where it turns, and along the arcs of links.
    fn path_spots(&self, viewport: &Viewport, cells: &[Cell]) -> Vec<Spot> {
        let middle = |cell: Cell| self.middle(viewport, cell);
        let is_step = |from: &Cell, to: &Cell| {
            let (dx, dy) = from.offset(*to);
            dx.max(dy) <= 1
        };
        let mut spots: Vec<Spot> = Vec::new();
        for walked in cells.chunk_by(is_step) {
            let first = middle(walked[0]);
            if let Some(&last) = spots.last() {
                spots.extend(arc(last, first));
            }
            spots.extend(turns(walked).map(middle));
        }
        spots
    }

    /// The part of the map in a viewport, as pixels.
    pub fn to_canvas(&self, viewport: &Viewport) -> Canvas {
        let mut canvas = self.cells_canvas(viewport);
        self.draw_shapes(&viewport.at_corner(), &mut canvas);
        canvas
    }

    /// The cells in a viewport, a pixel being the mean of what it covers.
    pub(crate) fn cells_canvas(&self, viewport: &Viewport) -> Canvas {
        let (width, height) = (viewport.size.0 as u32, viewport.size.1 as u32);
        let mut canvas = Canvas::new(width, height);
        let extent = self.grid.extent();
        let span = |origin: f32, pixel: u32, side: u32| {
            let from = origin + pixel as f32 / viewport.scale;
            if viewport.scale >= 1.0 {
                let at = (from + 0.5 / viewport.scale).floor();
                return if (0.0..side as f32).contains(&at) {
                    at as u32..at as u32 + 1
                } else {
                    0..0
                };
            }
            let to = (origin + (pixel + 1) as f32 / viewport.scale).clamp(0.0, side as f32);
            from.round().max(0.0) as u32..to.round() as u32
        };
        let mut above = None;
        for y in 0..height {
            let rows = span(viewport.origin.1, y, extent.height());
            // PERF: cells are many pixels high; their rows look alike.
            if above.as_ref() == Some(&rows) {
                canvas.repeat_row(y);
                continue;
            }
            above = Some(rows.clone());
            for x in 0..width {
                let columns = span(viewport.origin.0, x, extent.width());
                let colour = if rows.is_empty() || columns.is_empty() {
                    self.theme.beyond()
                } else {
                    let cells = rows
                        .clone()
                        .flat_map(|row| columns.clone().map(move |column| Cell::new(column, row)));
                    Colour::mean(cells.map(|cell| self.cell_colour(cell)))
                };
                canvas.set(x, y, colour);
            }
        }
        canvas
    }

    /// The part of the map in a viewport, as the text of an SVG file.
    pub fn to_svg(&self, viewport: &Viewport) -> Result<String, PictureError> {
        let viewport = viewport.at_corner();
        let mut svg = Svg::new(viewport.size.0, viewport.size.1);
        let beyond = self.theme.beyond().at(1.0);
        svg.rectangle((0.0, 0.0), viewport.size, beyond);
        let (columns, rows) = viewport.seen(self.grid.extent());
        if !columns.is_empty() && !rows.is_empty() && viewport.scale >= 1.0 {
            // One pixel a cell is enough: they are drawn as sharp squares.
            let size = (columns.len() as f32, rows.len() as f32);
            let origin = (columns.start as f32, rows.start as f32);
            let cells = Viewport { origin, scale: 1.0, corner: (0.0, 0.0), size };
            let corner = viewport.spot(Point { x: origin.0, y: origin.1 });
            let seen = (size.0 * viewport.scale, size.1 * viewport.scale);
            svg.image(corner, seen, &self.cells_canvas(&cells))?;
        } else {
            svg.image((0.0, 0.0), viewport.size, &self.cells_canvas(&viewport))?;
        }
        self.draw_shapes(&viewport, &mut svg);
        Ok(svg.finish())
    }
}

/// Draws a layer, but for regions, which are part of the cells' colours.
pub(crate) fn draw_layer(
    theme: Theme,
    viewport: &Viewport,
    layer: &SceneLayer<'_>,
    surface: &mut dyn Surface,
) {
    let SceneLayer { layer: sketch, opacity, shown } = *layer;
    let ink = layer_colour(theme, sketch).at(opacity);
    let weight = 1.0 + 0.5 * sketch.level.saturating_sub(1).min(4) as f32;
    match &sketch.shape {
        Shape::Rectangles(rectangles) => {
            for rectangle in rectangles.iter().take(shown) {
                let (min, max) = (rectangle.min(), rectangle.max());
                let low = Point { x: min.x as f32, y: min.y as f32 };
                let high = Point { x: max.x as f32 + 1.0, y: max.y as f32 + 1.0 };
                if viewport.shows(low, high) {
                    draw_box(viewport.spot(low), viewport.spot(high), weight, ink, surface);
                }
            }
        }
        Shape::Lines(lines) => {
            let ends = |line: &[Point; 2]| viewport.shows(line[0], line[1]);
            let stride = stride(lines[..shown.min(lines.len())].iter().filter(|line| ends(line)));
            for &[from, to] in lines.iter().take(shown).step_by(stride) {
                let (a, b) = (viewport.spot(from), viewport.spot(to));
                let long_enough = (a.0 - b.0).abs() + (a.1 - b.1).abs() > 0.7;
                if viewport.shows(from, to) && long_enough {
                    surface.line(a, b, weight, ink);
                }
            }
        }
        Shape::Points(points) => {
            let radius = (viewport.scale * 0.25).clamp(1.2, 5.0) * (0.8 + 0.2 * weight);
            let seen = |point: &&Point| viewport.shows(**point, **point);
            let stride = stride(points[..shown.min(points.len())].iter().filter(seen));
            for &point in points.iter().take(shown).step_by(stride) {
                if viewport.shows(point, point) {
                    surface.disc(viewport.spot(point), radius, ink);
                }
            }
        }
        Shape::Chain(points) => {
            let shown = &points[..shown.min(points.len())];
            let spots: Vec<Spot> = shown.iter().map(|&point| viewport.spot(point)).collect();
            surface.chain(&spots, weight + 2.0, ink);
            for &spot in &spots {
                surface.disc(spot, weight + 2.0, ink);
            }
        }
        _ => {}
    }
}

/// The radius of the mark at a path's end.
pub fn place_size(scale: f32) -> f32 {
    (scale * 0.45).clamp(7.0, 18.0)
}

fn draw_box(min: Spot, max: Spot, width: f32, ink: crate::Ink, surface: &mut dyn Surface) {
    let corners = [min, (max.0, min.1), max, (min.0, max.1), min];
    surface.chain(&corners, width, ink);
}

/// Lines or points of a layer that are drawn at the most; of more, every second, third and so on.
const DENSE: usize = 5000;

/// Of how many things that are seen one is drawn, so that a map that is seen from afar is not covered by them.
fn stride<T>(seen: impl Iterator<Item = T>) -> usize {
    seen.count().div_ceil(DENSE).max(1)
}

/// The cells where a path changes direction, and its ends.
fn turns(cells: &[Cell]) -> impl Iterator<Item = Cell> + '_ {
    let towards = |from: Cell, to: Cell| {
        (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y))
    };
    let is_turn = move |&at: &usize| match (at.checked_sub(1), cells.get(at + 1)) {
        (Some(before), Some(&after)) => {
            towards(cells[before], cells[at]) != towards(cells[at], after)
        }
        _ => true,
    };
    (0..cells.len()).filter(is_turn).map(|at| cells[at])
}

/// Draws where a path starts and where it ends.
pub(crate) fn draw_ends(
    theme: Theme,
    [start, goal]: [Option<Spot>; 2],
    size: f32,
    surface: &mut dyn Surface,
) {
    if let Some(start) = start {
        surface.disc(start, size + 3.0, theme.halo().at(1.0));
        surface.disc(start, size + 1.5, theme.outline().at(1.0));
        surface.disc(start, size, Colour::START.at(1.0));
    }
    if let Some(goal) = goal {
        draw_flag(goal, size, theme, surface);
    }
}

/// A flag on a pole that stands at `foot`.
///
/// Around its outline there is a second one of the opposite shade, so that it stands out from walls as well as from ground.
fn draw_flag(foot: Spot, size: f32, theme: Theme, surface: &mut dyn Surface) {
    let (outline, halo) = (theme.outline().at(1.0), theme.halo().at(1.0));
    let pole = (size / 3.0).max(1.5);
    let top = (foot.0, foot.1 - 2.2 * size);
    let (height, depth) = (1.3 * size, 1.5 * size);
    let cloth = |grown: f32| {
        [
            (top.0 - grown * 0.5, top.1 - grown * 1.6),
            (top.0 - grown * 0.5, top.1 + height + grown * 1.6),
            (top.0 + depth + grown * 2.2, top.1 + height / 2.0),
        ]
    };
    surface.triangle(cloth(2.8), halo);
    surface.line(foot, (top.0, top.1 - 1.5), pole + 2.5, halo);
    surface.disc(foot, pole + 3.0, halo);
    surface.triangle(cloth(1.5), outline);
    surface.triangle(cloth(0.0), Colour::GOAL.at(1.0));
    surface.line(foot, top, pole, outline);
    surface.disc(foot, pole + 1.5, outline);
    surface.disc(foot, pole, Colour::GOAL.at(1.0));
}
