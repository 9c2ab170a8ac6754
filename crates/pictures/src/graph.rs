//! Pictures of a graph: its nodes and edges, what a search knows of them, and a path.

use crate::canvas::Canvas;
use crate::colour::{Colour, Theme};
use crate::replay::{CellStatus, Replay};
use crate::scene::draw_ends;
use crate::surface::{Spot, Surface, Viewport};
use crate::svg::Svg;
use highroad_core::graph::Graph;
use highroad_core::{Cell, CellId, Extent, NodeId, Point, SIDE_MAX};
use std::collections::HashSet;

/// Pixels: edges, edges of the search tree, the path, the radius of nodes, and the marks at its ends.
const EDGE: f32 = 1.4;
const TREE: f32 = 2.6;
const PATH: f32 = 5.0;
const RADIUS: (f32, f32) = (2.5, 19.0);
const MARK: f32 = 6.0;

/// A node's radius from which its name is written into it, and edges from which weights are left out.
const NAMES_RADIUS_MIN: f32 = 9.0;
const WEIGHTS_MAX: usize = 160;

/// The side of the square that drawings are laid out in.
const SIDE: f32 = 100.0;

/// How a graph is laid out: where its nodes are, and which edges are one line.
///
/// ```
/// use highroad_core::graph::{Edge, Graph};
/// use highroad_pictures::GraphLayout;
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 2), Edge::new(1, 0, 2), Edge::new(1, 2, 5)])?;
/// let layout = GraphLayout::new(&graph);
/// assert_eq!((layout.places().len(), layout.line_count()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphLayout {
    places: Vec<Point>,
    lines: Vec<Line>,
    size: (f32, f32),
}

/// An edge, or two that lead there and back at the same weight.
#[derive(Clone, Copy, Debug)]
struct Line {
    from: NodeId,
    to: NodeId,
    weight: i32,
    /// How it is drawn where another edge leads back.
    ways: Ways,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ways {
    One,
    /// Another edge of another weight leads back, beside this one.
    Beside,
    Both,
}

impl GraphLayout {
    /// A layout by the positions of nodes, the second axis upwards; without positions, nodes are on a circle.
    pub fn new(graph: &Graph) -> Self {
        let (places, size) = match graph.positions() {
            Some(positions) => fitted(positions),
            None => (circle(graph.node_count()), (SIDE, SIDE)),
        };
        let known: HashSet<(u32, u32, i32)> =
            graph.edges().map(|edge| (edge.from.0, edge.to.0, edge.weight)).collect();
        let pairs: HashSet<(u32, u32)> = known.iter().map(|&(from, to, _)| (from, to)).collect();
        let line = |(from, to, weight): (u32, u32, i32)| {
            let ways = match pairs.contains(&(to, from)) {
                _ if from == to => return None,
                true if !known.contains(&(to, from, weight)) => Ways::Beside,
                true if from > to => return None,
                true => Ways::Both,
                false => Ways::One,
            };
            Some(Line { from: NodeId(from), to: NodeId(to), weight, ways })
        };
        let mut lines: Vec<Line> = known.iter().copied().filter_map(line).collect();
        lines.sort_by_key(|line| (line.from, line.to, line.weight));
        Self { places, lines, size }
    }

    /// Where nodes are, the second axis downwards.
    pub fn places(&self) -> &[Point] {
        &self.places
    }

    /// How many lines edges are drawn as.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The viewport that shows the whole layout in a rectangle on the surface, with a margin for marks and names.
    pub fn viewport(&self, corner: Spot, size: (f32, f32)) -> Viewport {
        let size = (size.0.max(1.0), size.1.max(1.0));
        let margin = (size.0.min(size.1) * 0.12).clamp(8.0, 48.0);
        let room = |length: f32| (length - 2.0 * margin).max(1.0);
        let scale = (room(size.0) / self.size.0).min(room(size.1) / self.size.1);
        let origin = |length: f32, side: f32| (side - length / scale) / 2.0;
        let origin = (origin(size.0, self.size.0), origin(size.1, self.size.1));
        Viewport { origin, scale, corner, size }
    }

    /// The radius of nodes on the surface.
    fn radius(&self, viewport: &Viewport) -> f32 {
        let area = self.size.0 * self.size.1 * viewport.scale * viewport.scale;
        let spacing = (area / self.places.len().max(1) as f32).sqrt();
        (spacing * 0.17).clamp(RADIUS.0, RADIUS.1)
    }

    /// The node at a spot, if there is one.
    pub fn node_at(&self, viewport: &Viewport, spot: Spot) -> Option<NodeId> {
        let reach = self.radius(viewport).max(6.0) + 3.0;
        let distance = |place: &Point| {
            let (x, y) = viewport.spot(*place);
            (x - spot.0).hypot(y - spot.1)
        };
        let all = self.places.iter().map(distance).enumerate();
        let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= reach).then_some(NodeId(nearest.0 as u32))
    }
}

/// Positions in a box whose longer side is [`SIDE`].
fn fitted(positions: &[highroad_core::graph::Position]) -> (Vec<Point>, (f32, f32)) {
    let bounds = |axis: usize| {
        let values = || positions.iter().map(|position| position[axis]);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (low, high)) = (bounds(0), bounds(1));
    let (width, height) = ((right - left).max(0.0), (high - low).max(0.0));
    let side = width.max(height);
    let unit = if side > 0.0 && side.is_finite() { f64::from(SIDE) / side } else { 1.0 };
    let place = |[x, y, _]: &[f64; 3]| Point {
        x: ((x - left) * unit) as f32,
        y: ((high - y) * unit) as f32,
    };
    // A line of nodes has some width all the same.
    let size = |length: f64| ((length * unit) as f32).max(SIDE / 20.0);
    (positions.iter().map(place).collect(), (size(width), size(height)))
}

fn circle(count: usize) -> Vec<Point> {
    let half = SIDE / 2.0;
    let place = |number: usize| {
        let angle = std::f32::consts::TAU * number as f32 / count.max(1) as f32;
        Point { x: half - half * angle.cos(), y: half - half * angle.sin() }
    };
    (0..count).map(place).collect()
}

/// Cells that stand for the nodes of a graph in a [`Replay`]; `None` for a graph without nodes, or one with too many.
///
/// ```
/// let extent = highroad_pictures::extent_of_nodes(10).expect("there are nodes");
/// assert!(extent.cell_count() >= 10);
/// ```
pub fn extent_of_nodes(count: usize) -> Option<Extent> {
    let width = (count as u64).min(u64::from(SIDE_MAX));
    Extent::new(width, (count as u64).div_ceil(width.max(1))).ok()
}

/// Everything that is to be seen of a graph.
///
/// ```
/// use highroad_core::graph::{Edge, Graph};
/// use highroad_pictures::{GraphLayout, GraphScene};
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
/// let layout = GraphLayout::new(&graph);
/// let scene = GraphScene::new(&graph, &layout);
/// let viewport = layout.viewport((0.0, 0.0), (200.0, 100.0));
/// assert_eq!(scene.to_canvas(&viewport).width(), 200);
/// assert!(scene.to_svg(&viewport).contains(">7</text>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct GraphScene<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// How it is laid out.
    pub layout: &'a GraphLayout,
    /// Light or dark.
    pub theme: Theme,
    /// A search whose cells are those of [`extent_of_nodes`].
    pub search: Option<&'a Replay>,
    /// The estimates of all nodes, where the search has any.
    pub estimates: Option<&'a [u64]>,
    /// A path.
    pub path: &'a [NodeId],
    /// Where the path starts.
    pub start: Option<NodeId>,
    /// Where it ends.
    pub goal: Option<NodeId>,
}

impl<'a> GraphScene<'a> {
    /// The graph alone.
    pub fn new(graph: &'a Graph, layout: &'a GraphLayout) -> Self {
        Self {
            graph,
            layout,
            theme: Theme::Light,
            search: None,
            estimates: None,
            path: &[],
            start: None,
            goal: None,
        }
    }

    /// The picture as pixels.
    pub fn to_canvas(&self, viewport: &Viewport) -> Canvas {
        Canvas::drawn(viewport, |viewport, surface| self.draw(viewport, surface))
    }

    /// The picture as the text of an SVG file.
    pub fn to_svg(&self, viewport: &Viewport) -> String {
        Svg::drawn(viewport, |viewport, surface| self.draw(viewport, surface))
    }

    /// Draws everything.
    pub fn draw(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let (corner, size) = (viewport.corner, viewport.size);
        let far = (corner.0 + size.0, corner.1 + size.1);
        surface.rectangle(corner, far, self.paper().at(1.0));
        let radius = self.layout.radius(viewport);
        for line in &self.layout.lines {
            self.draw_line(viewport, line, radius, surface);
        }
        self.draw_path(viewport, surface);
        if self.layout.lines.len() <= WEIGHTS_MAX && radius >= NAMES_RADIUS_MIN {
            for line in &self.layout.lines {
                self.draw_weight(viewport, line, surface);
            }
        }
        for node in (0..self.layout.places.len() as u32).map(NodeId) {
            self.draw_node(viewport, node, radius, surface);
        }
        let beside = |node: Option<NodeId>, side: f32| {
            let (x, y) = self.spot(viewport, node?)?;
            Some((x + side * (radius * 0.75 + 2.0), y - radius * 0.75 - 2.0))
        };
        let ends = [beside(self.start, -1.0), beside(self.goal, 1.0)];
        draw_ends(self.theme, ends, MARK, surface);
    }

    fn paper(&self) -> Colour {
        match self.theme {
            Theme::Light => Colour::GROUND,
            Theme::Dark => self.theme.beyond(),
        }
    }

    fn spot(&self, viewport: &Viewport, node: NodeId) -> Option<Spot> {
        self.layout.places.get(node.index()).map(|&place| viewport.spot(place))
    }

    /// The cell that stands for a node in the replay.
    fn cell(replay: &Replay, node: NodeId) -> Cell {
        replay.extent().cell(CellId(node.0))
    }

    /// The ends of a line, from rim to rim, a little to the right where another leads back beside it.
    fn ends_of(&self, viewport: &Viewport, line: &Line, radius: f32) -> Option<(Spot, Spot)> {
        let (from, to) = (self.spot(viewport, line.from)?, self.spot(viewport, line.to)?);
        let way = (to.0 - from.0, to.1 - from.1);
        let length = way.0.hypot(way.1);
        if length <= 2.0 * radius {
            return None;
        }
        let way = (way.0 / length, way.1 / length);
        let aside = if line.ways == Ways::Beside { 0.4 * radius } else { 0.0 };
        let side = (-way.1 * aside, way.0 * aside);
        let rim = |at: Spot, sign: f32| {
            (at.0 + sign * way.0 * radius + side.0, at.1 + sign * way.1 * radius + side.1)
        };
        Some((rim(from, 1.0), rim(to, -1.0)))
    }

    fn draw_line(&self, viewport: &Viewport, line: &Line, radius: f32, surface: &mut dyn Surface) {
        let Some((from, to)) = self.ends_of(viewport, line, radius) else { return };
        let parent = |node: NodeId| {
            let replay = self.search?;
            replay.parent(Self::cell(replay, node))
        };
        let leads = |from: NodeId, to: NodeId| {
            self.search.is_some_and(|replay| parent(to) == Some(Self::cell(replay, from)))
        };
        let is_tree =
            leads(line.from, line.to) || line.ways == Ways::Both && leads(line.to, line.from);
        let (width, ink) = match is_tree {
            true => (TREE, self.theme.tree().at(0.9)),
            false => (EDGE, self.theme.grid_lines().at(0.8)),
        };
        let width = width.min(radius / 2.0).max(0.8);
        surface.line(from, to, width, ink);
        if line.ways != Ways::Both && radius >= 4.0 {
            surface.triangle(arrow(from, to, (radius * 0.55).max(5.0)), ink);
        }
    }

    fn draw_weight(&self, viewport: &Viewport, line: &Line, surface: &mut dyn Surface) {
        let Some((from, to)) = self.ends_of(viewport, line, 0.0) else { return };
        // Where another edge leads back beside it, its weight is a little off the middle, as the other's is.
        let share = if line.ways == Ways::Beside { 0.58 } else { 0.5 };
        let at = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
        self.draw_label(at, &line.weight.to_string(), 13.0, surface);
    }

    fn draw_path(&self, viewport: &Viewport, surface: &mut dyn Surface) {
        let spots: Vec<Spot> =
            self.path.iter().filter_map(|&node| self.spot(viewport, node)).collect();
        surface.chain(&spots, PATH + 2.0, Colour::OUTLINE.at(1.0));
        surface.chain(&spots, PATH, Colour::PATH.at(1.0));
    }

    fn fill(&self, node: NodeId) -> Colour {
        let plain = match self.theme {
            Theme::Light => Colour(255, 255, 255),
            Theme::Dark => Colour(66, 70, 79),
        };
        let Some(replay) = self.search else { return plain };
        let cell = Self::cell(replay, node);
        match replay.status(cell) {
            CellStatus::Untouched => plain,
            CellStatus::Open => Colour::OPEN,
            // A goal is taken, but not expanded: it is the last.
            CellStatus::Closed => Colour::ramp(replay.order_share(cell).unwrap_or(1.0)),
        }
    }

    fn draw_node(&self, viewport: &Viewport, node: NodeId, radius: f32, surface: &mut dyn Surface) {
        let Some(at) = self.spot(viewport, node) else { return };
        let is_current = self.search.and_then(Replay::current).is_some_and(|(e, _)| e.node == node);
        if is_current {
            surface.disc(at, radius + 5.0, Colour::OUTLINE.at(1.0));
            surface.disc(at, radius + 3.5, Colour(255, 255, 255).at(1.0));
        }
        let is_on_path = self.path.contains(&node);
        let rim = if is_on_path { Colour::PATH } else { self.theme.outline() };
        surface.disc(at, radius + 1.2, rim.at(1.0));
        let fill = self.fill(node);
        surface.disc(at, radius - if is_on_path { 1.5 } else { 0.2 }, fill.at(1.0));
        if radius < NAMES_RADIUS_MIN {
            return;
        }
        let height = (radius * 0.95).clamp(9.0, 15.0);
        surface.label(at, height, &self.graph.name(node), fill.ink().at(1.0));
        if let Some(value) = self.value(node) {
            // Edges mostly lead straight down or aside, seldom between the two.
            let wide = 3.6 * value.chars().count() as f32;
            let beside = (at.0 + radius * 0.8 + wide, at.1 + radius * 0.8 + 6.0);
            self.draw_label(beside, &value, 12.0, surface);
        }
    }

    /// Writes a number on paper, so that it can be read over lines.
    fn draw_label(&self, at: Spot, text: &str, height: f32, surface: &mut dyn Surface) {
        let half = (2.0 + 0.3 * height * text.chars().count() as f32, 0.55 * height);
        let (min, max) = ((at.0 - half.0, at.1 - half.1), (at.0 + half.0, at.1 + half.1));
        surface.rectangle(min, max, self.paper().at(0.85));
        surface.label(at, height, text, self.theme.outline().at(0.9));
    }

    /// The cost so far, with the estimate where there is one, as the lecture's table has it.
    fn value(&self, node: NodeId) -> Option<String> {
        let replay = self.search?;
        let event = replay.latest_event(Self::cell(replay, node))?;
        Some(match self.estimates.and_then(|estimates| estimates.get(node.index())) {
            Some(estimate) => format!("{}:{estimate}", event.g),
            None => event.g.to_string(),
        })
    }
}

/// The head of an arrow.
fn arrow(from: Spot, to: Spot, length: f32) -> [Spot; 3] {
    let way = (to.0 - from.0, to.1 - from.1);
    let whole = way.0.hypot(way.1).max(f32::MIN_POSITIVE);
    let (x, y) = (way.0 / whole * length, way.1 / whole * length);
    [to, (to.0 - x - y * 0.45, to.1 - y + x * 0.45), (to.0 - x + y * 0.45, to.1 - y - x * 0.45)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::graph::Edge;
    use highroad_core::{GraphSearch, PathQuery, Planner, Scratch, TraceLog};

    fn graph() -> Graph {
        let edges = [
            Edge::new(0, 1, 2),
            Edge::new(1, 0, 2),
            Edge::new(1, 2, 5),
            Edge::new(2, 1, 6),
            Edge::new(2, 2, 1),
            Edge::new(0, 2, 9),
        ];
        let places = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 5.0, 0.0]];
        Graph::from_edges(3, &edges).unwrap().with_positions(places).unwrap()
    }

    #[test]
    fn edges_there_and_back_of_one_weight_are_one_line() {
        let layout = GraphLayout::new(&graph());
        let ways: Vec<Ways> = layout.lines.iter().map(|line| line.ways).collect();
        assert_eq!(ways, [Ways::Both, Ways::One, Ways::Beside, Ways::Beside]);
    }

    #[test]
    fn nodes_lie_inside_and_are_found_where_they_are_drawn() {
        for graph in [graph(), Graph::from_edges(7, &[]).unwrap()] {
            let layout = GraphLayout::new(&graph);
            let viewport = layout.viewport((30.0, 40.0), (300.0, 200.0));
            for (number, &place) in layout.places().iter().enumerate() {
                let (x, y) = viewport.spot(place);
                assert!((38.0..=322.0).contains(&x) && (48.0..=232.0).contains(&y), "{x} {y}");
                assert_eq!(layout.node_at(&viewport, (x + 2.0, y)), Some(NodeId(number as u32)));
            }
            assert_eq!(layout.node_at(&viewport, (31.0, 41.0)), None);
        }
        // The second axis leads upwards.
        let layout = GraphLayout::new(&graph());
        assert!(layout.places()[2].y < layout.places()[1].y);
    }

    #[test]
    fn a_search_colours_nodes_and_edges_by_what_has_happened() {
        let graph = graph();
        let layout = GraphLayout::new(&graph);
        let mut log = TraceLog::default();
        let query = PathQuery::new(NodeId(0), NodeId(2));
        let search = GraphSearch::dijkstra();
        let answer = search.solve_traced(&graph, &query, &mut Scratch::new(), &mut log).unwrap();
        let path = answer.path().unwrap().nodes().to_vec();
        let mut replay = Replay::new(extent_of_nodes(3).unwrap(), log);
        let fills = |replay: &Replay| {
            let scene = GraphScene { search: Some(replay), ..GraphScene::new(&graph, &layout) };
            [0, 1, 2].map(|node| scene.fill(NodeId(node)))
        };
        assert_eq!(fills(&replay), [Colour(255, 255, 255); 3]);
        replay.go_to(3, |_| ());
        assert!(fills(&replay).contains(&Colour::OPEN));
        replay.go_to(usize::MAX, |_| ());
        assert_eq!(fills(&replay)[2], Colour::ramp(1.0), "the goal is the last");
        let viewport = layout.viewport((0.0, 0.0), (400.0, 240.0));
        let plain = GraphScene::new(&graph, &layout);
        let shown = GraphScene { search: Some(&replay), path: &path, ..plain.clone() };
        let (from, to) = (viewport.spot(layout.places[0]), viewport.spot(layout.places[1]));
        let quarter = |share: f32| {
            ((from.0 + (to.0 - from.0) * share) as u32, (from.1 + (to.1 - from.1) * share) as u32)
        };
        let (x, y) = quarter(0.25);
        assert_eq!(shown.to_canvas(&viewport).get(x, y), Colour::PATH);
        assert_ne!(plain.to_canvas(&viewport).get(x, y), Colour::PATH);
    }

    #[test]
    fn a_graph_without_nodes_is_drawn_as_nothing() {
        let graph = Graph::from_edges(0, &[]).unwrap();
        let layout = GraphLayout::new(&graph);
        let viewport = layout.viewport((0.0, 0.0), (20.0, 20.0));
        assert_eq!(GraphScene::new(&graph, &layout).to_canvas(&viewport).get(3, 3), Colour::GROUND);
        assert!(extent_of_nodes(0).is_none() && layout.node_at(&viewport, (1.0, 1.0)).is_none());
    }
}
