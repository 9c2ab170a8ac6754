//! Pictures of a mesh: its polygons, what a search has seen, the corridor of a path, and the path.

use crate::canvas::Canvas;
use crate::colour::{Colour, Ink, Theme};
use crate::replay::{CellStatus, Replay};
use crate::scene::{SceneLayer, draw_ends, draw_layer};
use crate::surface::{Spot, Surface, Viewport};
use crate::svg::Svg;
use highroad_core::mesh::{Mesh, MeshPoint};
use highroad_core::{CellId, Point, Terrain};

/// Everything that is to be seen of a mesh.
///
/// ```
/// use highroad_core::mesh::{Mesh, MeshPoint};
/// use highroad_pictures::{MeshScene, Viewport};
/// let mesh = Mesh::from_polygons(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], &[vec![0, 1, 2]])?;
/// let path = [MeshPoint::new(0.5, 0.5)?, MeshPoint::new(2.0, 1.0)?];
/// let scene = MeshScene { path: Some(&path), corridor: true, ..MeshScene::new(&mesh) };
/// let viewport = Viewport::around(mesh.bounds());
/// assert_eq!(scene.to_canvas(&viewport).width(), 1024);
/// assert!(scene.to_svg(&viewport).starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct MeshScene<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Light or dark.
    pub theme: Theme,
    /// Whether the edges between polygons are drawn.
    pub edges: bool,
    /// A recording whose nodes are polygons: those that are open or closed are filled.
    pub search: Option<&'a Replay>,
    /// Layers of a planner, the lowest first.
    pub layers: Vec<SceneLayer<'a>>,
    /// Whether the polygons that the path passes are filled.
    pub corridor: bool,
    /// Whether the edges are drawn that the path crosses: what the funnel algorithm pulls it through.
    pub funnel: bool,
    /// A path.
    pub path: Option<&'a [MeshPoint]>,
    /// Where the path starts.
    pub start: Option<MeshPoint>,
    /// Where it ends.
    pub goal: Option<MeshPoint>,
}

/// Pixels: lines between polygons, walls, edges that a path crosses, the path, the marks at its ends.
const EDGE: f32 = 0.8;
const WALL: f32 = 1.6;
const CROSSED: f32 = 2.2;
const PATH: f32 = 3.5;
const PLACE: f32 = 9.0;

/// Polygons smaller than this on average, in pixels a side, are drawn without the edges between them.
const EDGES_SIDE_MIN: f32 = 4.0;

/// How much the colours of a search cover.
const SEARCHED: f32 = 0.7;

/// How much the colour of an area covers, and how long the strokes of the arrow at the end of a link are, in pixels.
const AREA: f32 = 0.22;
const ARROW: f32 = 9.0;

const AREAS: Colour = Colour(230, 159, 0);
const LINKS: Colour = Colour(204, 121, 167);
const CORRIDOR: Colour = Colour(86, 180, 233);
const CROSSING: Colour = Colour(0, 114, 178);

impl<'a> MeshScene<'a> {
    /// The mesh alone.
    pub fn new(mesh: &'a Mesh) -> Self {
        Self {
            mesh,
            theme: Theme::Light,
            edges: true,
            search: None,
            layers: Vec::new(),
            corridor: false,
            funnel: false,
            path: None,
            start: None,
            goal: None,
        }
    }

    /// The part of the mesh in a viewport, as pixels.
    pub fn to_canvas(&self, viewport: &Viewport) -> Canvas {
        Canvas::drawn(viewport, |viewport, surface| self.draw(viewport, surface))
    }

    /// The part of the mesh in a viewport, as the text of an SVG file.
    pub fn to_svg(&self, viewport: &Viewport) -> String {
        Svg::drawn(viewport, |viewport, surface| self.draw(viewport, surface))
    }

    /// Draws everything.
    pub fn draw(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        self.draw_ground(viewport, surface);
        self.draw_items(viewport, surface);
        if let Some(search) = self.search {
            self.draw_search(viewport, search, surface);
        }
        let corridor = match self.path {
            Some(path) if self.corridor || self.funnel => self.mesh.corridor(path),
            _ => Vec::new(),
        };
        if self.corridor {
            for &polygon in &corridor {
                surface.polygon(&self.outline(viewport, polygon), CORRIDOR.at(0.45));
            }
        }
        for layer in &self.layers {
            draw_layer(self.theme, viewport, layer, surface);
        }
        if self.funnel {
            self.draw_crossed(viewport, &corridor, surface);
        }
        if let Some(path) = self.path {
            let spots: Vec<Spot> = path.iter().map(|&point| spot(viewport, point)).collect();
            surface.chain(&spots, PATH + 2.0, Colour::OUTLINE.at(1.0));
            surface.chain(&spots, PATH, Colour::PATH.at(1.0));
        }
        self.draw_places(viewport, surface);
    }

    /// Draws the polygons, what is beside them, and the lines between.
    pub(crate) fn draw_ground(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let palette = highroad_core::Palette::Standard;
        let (free, blocked) = (
            self.theme.terrain(Terrain::GROUND, palette),
            self.theme.terrain(Terrain::WALL, palette),
        );
        let (corner, size) = (viewport.corner, viewport.size);
        surface.rectangle(corner, (corner.0 + size.0, corner.1 + size.1), blocked.at(1.0));
        let count = self.mesh.polygon_count() as u32;
        for polygon in (0..count).filter(|&polygon| self.mesh.is_open(polygon)) {
            let outline = self.outline(viewport, polygon);
            surface.polygon(&outline, free.at(1.0));
            // What two polygons cover half each would shine through: the line between them hides it.
            for (at, neighbour) in self.mesh.neighbours(polygon).enumerate() {
                let (from, to) = (outline[at], outline[(at + 1) % outline.len()]);
                if neighbour.is_some() {
                    surface.line(from, to, 1.0, free.at(1.0));
                }
            }
        }
        let side = (viewport.size.0 * viewport.size.1 / count.max(1) as f32).sqrt();
        for polygon in (0..count).filter(|&polygon| self.mesh.is_open(polygon)) {
            let outline = self.outline(viewport, polygon);
            for (at, neighbour) in self.mesh.neighbours(polygon).enumerate() {
                let (from, to) = (outline[at], outline[(at + 1) % outline.len()]);
                match neighbour {
                    None => {
                        surface.line(from, to, WALL.min(side / 2.0), self.theme.outline().at(0.8))
                    }
                    Some(other) if self.edges && other < polygon && side >= EDGES_SIDE_MIN => {
                        surface.line(from, to, EDGE, self.theme.grid_lines().at(0.6));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// Draws areas, and links with an arrow where they end; links that are closed are pale.
    fn draw_items(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let at = |[x, y]: [f64; 2]| viewport.spot(Point { x: x as f32, y: y as f32 });
        for (_, area) in self.mesh.obstacles().filter(|(_, area)| area.class().is_some()) {
            let outline: Vec<Spot> = area.outline().iter().map(|&corner| at(corner)).collect();
            for (corner, &from) in outline.iter().enumerate() {
                let to = outline[(corner + 1) % outline.len()];
                surface.line(from, to, WALL, AREAS.at(0.9));
            }
            // A surface fills what is convex alone.
            if is_convex(area.outline()) {
                surface.polygon(&outline, AREAS.at(AREA));
            }
        }
        for (_, link) in self.mesh.links() {
            let colour = LINKS.at(if link.is_open() { 0.95 } else { 0.35 });
            let ends = [link.from(), link.to()].map(|end| spot(viewport, end));
            surface.line(ends[0], ends[1], WALL, colour);
            draw_arrow(ends[0], ends[1], colour, surface);
            if link.leads_back() {
                draw_arrow(ends[1], ends[0], colour, surface);
            }
        }
    }

    /// Fills the polygons that a search has opened or closed.
    fn draw_search(&self, viewport: &Viewport, search: &Replay, surface: &mut dyn Surface) {
        let nodes = self.mesh.polygon_count().min(search.extent().cell_count());
        for polygon in (0..nodes as u32).filter(|&polygon| self.mesh.is_open(polygon)) {
            let cell = search.extent().cell(CellId(polygon));
            let colour = match search.status(cell) {
                CellStatus::Untouched => continue,
                CellStatus::Open => Colour::OPEN,
                CellStatus::Closed => Colour::ramp(search.order_share(cell).unwrap_or(1.0)),
            };
            surface.polygon(&self.outline(viewport, polygon), colour.at(SEARCHED));
        }
    }

    /// Draws the edges between polygons of a corridor.
    fn draw_crossed(&self, viewport: &Viewport, corridor: &[u32], surface: &mut dyn Surface) {
        for &polygon in corridor {
            let outline = self.outline(viewport, polygon);
            for (at, neighbour) in self.mesh.neighbours(polygon).enumerate() {
                if neighbour.is_some_and(|other| other < polygon && corridor.contains(&other)) {
                    let (from, to) = (outline[at], outline[(at + 1) % outline.len()]);
                    surface.line(from, to, CROSSED, CROSSING.at(0.9));
                }
            }
        }
    }

    pub(crate) fn draw_places(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let ends = [self.start, self.goal].map(|end| end.map(|point| spot(viewport, point)));
        draw_ends(self.theme, ends, PLACE, surface);
    }

    fn outline(&self, viewport: &Viewport, polygon: u32) -> Vec<Spot> {
        let vertices = self.mesh.vertices();
        let corner = |vertex: u32| {
            let [x, y] = vertices[vertex as usize];
            viewport.spot(Point { x: x as f32, y: y as f32 })
        };
        self.mesh.corners(polygon).map(corner).collect()
    }
}

/// Whether an outline, counter-clockwise, bends to the left alone.
fn is_convex(outline: &[[f64; 2]]) -> bool {
    let count = outline.len();
    (0..count).all(|at| {
        let [a, b, c] = [at, at + 1, at + 2].map(|at| outline[at % count]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) >= 0.0
    })
}

/// The strokes of an arrow at the end of a line.
fn draw_arrow(from: Spot, to: Spot, colour: Ink, surface: &mut dyn Surface) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = (x * x + y * y).sqrt();
    if length < 1.0 {
        return;
    }
    let (x, y) = (x / length * ARROW, y / length * ARROW);
    for side in [0.5, -0.5] {
        let stroke = (to.0 - x - side * y, to.1 - y + side * x);
        surface.line(to, stroke, WALL, colour);
    }
}

fn spot(viewport: &Viewport, point: MeshPoint) -> Spot {
    viewport.spot(Point { x: point.x() as f32, y: point.y() as f32 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::mesh::{AreaClass, MeshBatch, MeshLink, Obstacle};

    /// Two squares of 4 × 4 beside each other, with a wall between their upper halves.
    fn mesh() -> Mesh {
        let vertices = vec![[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [8.0, 4.0], [4.0, 4.0], [0.0, 4.0]];
        Mesh::from_polygons(vertices, &[vec![0, 1, 4, 5], vec![1, 2, 3, 4]]).unwrap()
    }

    #[test]
    fn areas_and_links_are_drawn() {
        let plain = mesh();
        let mut mesh = plain.clone();
        let point = |x, y| MeshPoint::new(x, y).unwrap();
        let link = MeshLink::new(point(5.0, 1.0), point(7.0, 1.0), 1.0).unwrap();
        let pond = Obstacle::new(vec![[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]).unwrap();
        let mut batch = MeshBatch::new();
        batch.place_link("jump", link).place("pond", pond.of_class(AreaClass::new(1).unwrap()));
        mesh.apply(&batch).unwrap();
        let viewport = Viewport::around(mesh.bounds());
        let [before, after] = [&plain, &mesh].map(|mesh| MeshScene::new(mesh).to_canvas(&viewport));
        let differs = |x, y| before.get(x, y) != after.get(x, y);
        assert!(differs(256, 256), "inside of the pond");
        assert!(differs(768, 128), "on the link");
        assert!(!differs(64, 64) && !differs(768, 400), "beside them");
    }

    #[test]
    fn the_corridor_and_the_crossed_edges_are_drawn() {
        let mesh = mesh();
        let point = |x, y| MeshPoint::new(x, y).unwrap();
        let viewport = Viewport::around(mesh.bounds());
        assert_eq!(viewport.size, (1024.0, 512.0));
        let short = [point(1.0, 1.0), point(2.0, 3.0)];
        let long = [point(1.0, 1.0), point(7.0, 1.0)];
        let draw = |path: &[MeshPoint], corridor, funnel| {
            let scene = MeshScene { path: Some(path), corridor, funnel, ..MeshScene::new(&mesh) };
            scene.to_canvas(&viewport)
        };
        let plain = draw(&short, false, false);
        // The left square is passed by both, the right one by the long path alone.
        for (path, right) in [(&short, false), (&long, true)] {
            let picture = draw(path, true, false);
            assert_ne!(picture.get(100, 400), plain.get(100, 400));
            assert_eq!(picture.get(900, 400) != plain.get(900, 400), right);
        }
        let crossed = draw(&long, false, true);
        assert_eq!(crossed.get(512, 400), plain.get(512, 400).blend(CROSSING, 0.9));
        assert_eq!(draw(&short, false, true).get(512, 400), plain.get(512, 400));
    }
}
