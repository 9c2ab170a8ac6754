//! Pictures of maps, searches and paths, as PNG files.

mod canvas;
mod colour;

pub use canvas::{Canvas, PictureError};
pub use colour::Colour;

use highroad::{Cell, Grid, NodeId, Palette, Path, Terrain, TraceEvent, TraceKind};

/// The side that a picture's longer side comes near to, in pixels.
const SIDE_PIXELS: u32 = 1024;

/// How many pixels a cell takes, or how many cells a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    PixelsPerCell(u32),
    CellsPerPixel(u32),
}

impl Scale {
    fn for_side(cells: u32) -> Self {
        if cells <= SIDE_PIXELS {
            Self::PixelsPerCell((SIDE_PIXELS / cells).clamp(1, 32))
        } else {
            Self::CellsPerPixel(cells.div_ceil(2 * SIDE_PIXELS))
        }
    }

    fn pixels(self, cells: u32) -> u32 {
        match self {
            Self::PixelsPerCell(pixels) => cells * pixels,
            Self::CellsPerPixel(count) => cells.div_ceil(count),
        }
    }

    /// The middle of a cell, in pixels.
    fn middle(self, cell: Cell) -> (f32, f32) {
        let along = |cells: u32| match self {
            Self::PixelsPerCell(pixels) => (cells as f32 + 0.5) * pixels as f32,
            Self::CellsPerPixel(count) => (cells as f32 + 0.5) / count as f32,
        };
        (along(cell.x), along(cell.y))
    }
}

/// A map being drawn: terrain first, then what lies on it.
pub struct MapPicture<'g> {
    grid: &'g Grid,
    scale: Scale,
    canvas: Canvas,
}

impl<'g> MapPicture<'g> {
    /// The terrain alone.
    pub fn new(grid: &'g Grid) -> Self {
        let extent = grid.extent();
        let scale = Scale::for_side(extent.width().max(extent.height()));
        let canvas = Canvas::new(scale.pixels(extent.width()), scale.pixels(extent.height()));
        let mut picture = Self { grid, scale, canvas };
        picture.draw_terrain();
        picture
    }

    fn draw_terrain(&mut self) {
        let extent = self.grid.extent();
        let palette = self.grid.map().palette();
        let colour = |x, y| {
            let terrain = self.grid.map().terrain(Cell { x, y });
            terrain.map_or(Colour::WALL, |terrain| terrain_colour(terrain, palette))
        };
        match self.scale {
            Scale::PixelsPerCell(pixels) => {
                for cell in extent.cells() {
                    let colour = colour(cell.x, cell.y);
                    self.canvas.fill_rect(cell.x * pixels, cell.y * pixels, pixels, pixels, colour);
                }
            }
            Scale::CellsPerPixel(count) => {
                for (x, y) in self.canvas.pixels() {
                    let columns = x * count..((x + 1) * count).min(extent.width());
                    let rows = y * count..((y + 1) * count).min(extent.height());
                    let cells =
                        rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
                    self.canvas.set(
                        x,
                        y,
                        Colour::mean(cells.map(|(column, row)| colour(column, row))),
                    );
                }
            }
        }
    }

    /// Colours what a search has opened and expanded, expanded cells by their order.
    pub fn draw_search(&mut self, events: &[TraceEvent]) {
        let expansions = events.iter().filter(|event| event.kind == TraceKind::Expand).count();
        for event in events.iter().filter(|event| event.kind == TraceKind::Open) {
            self.tint(event.node, Colour::OPEN);
        }
        let expanded = events.iter().filter(|event| event.kind == TraceKind::Expand);
        for (order, event) in expanded.enumerate() {
            self.tint(event.node, Colour::ramp(order as f32 / expansions as f32));
        }
    }

    fn tint(&mut self, node: NodeId, colour: Colour) {
        let cell = self.grid.extent().cell(highroad::CellId(node.0));
        match self.scale {
            Scale::PixelsPerCell(pixels) => {
                self.canvas.tint_rect(cell.x * pixels, cell.y * pixels, pixels, pixels, colour);
            }
            Scale::CellsPerPixel(count) => {
                self.canvas.tint_rect(cell.x / count, cell.y / count, 1, 1, colour);
            }
        }
    }

    /// Draws a path, a round start and a flag at its goal.
    pub fn draw_path(&mut self, path: &Path) {
        let cell_pixels = match self.scale {
            Scale::PixelsPerCell(pixels) => pixels as f32,
            Scale::CellsPerPixel(_) => 1.0,
        };
        let width = (cell_pixels * 0.3).max(2.0);
        let turns: Vec<(f32, f32)> =
            path.turning_points().map(|cell| self.scale.middle(cell)).collect();
        for (thickness, colour) in [(width + 2.0, Colour::OUTLINE), (width, Colour::PATH)] {
            for leg in turns.windows(2) {
                self.canvas.line(leg[0], leg[1], thickness, colour);
            }
        }
        let size = (cell_pixels * 0.45).max(5.0);
        self.canvas.disc(self.scale.middle(path.start()), size + 1.5, Colour::OUTLINE);
        self.canvas.disc(self.scale.middle(path.start()), size, Colour::START);
        self.canvas.flag(self.scale.middle(path.goal()), size, Colour::GOAL);
    }

    /// The finished picture.
    pub fn finish(self) -> Canvas {
        self.canvas
    }
}

fn terrain_colour(terrain: Terrain, palette: Palette) -> Colour {
    match (terrain.letter(), palette) {
        (letter @ b'A'..=b'P', Palette::Weighted) => {
            Colour::ground(f32::from(letter - b'A') / 15.0)
        }
        (b'.' | b'G', _) => Colour::GROUND,
        (b'S', _) => Colour::SWAMP,
        (b'W', _) => Colour::WATER,
        (b'T', _) => Colour::TREES,
        _ => Colour::WALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::{GridMap, GridSearch, Planner, Query, Scratch, TraceLog};

    fn search_picture(drawing: &str, query: Query) -> Canvas {
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let mut log = TraceLog::default();
        let answer =
            GridSearch::astar().solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let mut picture = MapPicture::new(&grid);
        picture.draw_search(log.events());
        picture.draw_path(&answer.path().unwrap());
        picture.finish()
    }

    #[test]
    fn walls_ground_and_the_path_have_their_colours() {
        let canvas = search_picture("....\n.##.\n....\n", Query::new((0, 0), (3, 2)));
        assert_eq!((canvas.width(), canvas.height()), (4 * 32, 3 * 32));
        assert_eq!(canvas.get(48, 48), Colour::WALL);
        let row: Vec<Colour> = (0..canvas.width()).map(|x| canvas.get(x, 16)).collect();
        let column: Vec<Colour> = (0..canvas.height()).map(|y| canvas.get(16, y)).collect();
        assert!(row.contains(&Colour::START) && column.contains(&Colour::START));
        assert!(row.contains(&Colour::PATH) != column.contains(&Colour::PATH));
    }

    #[test]
    fn large_maps_shrink_and_small_ones_grow() {
        let size = |width, height| {
            let map = GridMap::filled(width, height, Terrain::GROUND).unwrap();
            let canvas = MapPicture::new(&Grid::with_defaults(map)).finish();
            (canvas.width(), canvas.height())
        };
        assert_eq!(size(1, 1), (32, 32));
        assert_eq!(size(768, 512), (768, 512));
        assert_eq!(size(5000, 100), (1667, 34));
    }

    #[test]
    fn a_png_decodes_to_the_same_pixels() {
        let canvas = search_picture("......\n......\n", Query::new((0, 0), (5, 1)));
        let mut bytes = Vec::new();
        canvas.write_png(&mut bytes).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (canvas.width(), canvas.height()));
        let Colour(red, green, blue) = canvas.get(40, 16);
        let at = (16 * info.width as usize + 40) * 3;
        assert_eq!(pixels[at..at + 3], [red, green, blue]);
    }
}
