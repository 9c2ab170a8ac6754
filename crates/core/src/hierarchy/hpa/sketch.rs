//! What the abstraction looks like, for drawing.

use super::Hpa;
use super::entrances::entrances;
use super::layout::ClusterId;
use super::levels::RegionId;
use super::query::HpaMemory;
use crate::grid::{Cell, CellRect, Direction, Grid};
use crate::hierarchy::local::UNREACHED;
use crate::planner::{LayerInfo, Point, Shape, SketchLayer};

/// What there is to draw of the abstraction, and of a query.
pub(super) static LAYERS: [LayerInfo; 5] = [
    LayerInfo {
        name: "clusters",
        help: "squares that the map is cut into; above the first level, regions of four by four",
        visible_levels: 1,
        opacity: 0.3,
    },
    LayerInfo::hidden("entrances", "borders that can be crossed"),
    LayerInfo::hidden("transitions", "the crossings that are used, or where regions are entered"),
    LayerInfo::hidden("abstract edges", "ways across clusters or regions, costs known"),
    LayerInfo::visible(
        "abstract path",
        "from transition to transition, before the cells are filled in",
        0.8,
    ),
];
const CLUSTERS: &LayerInfo = &LAYERS[0];
const ENTRANCES: &LayerInfo = &LAYERS[1];
const TRANSITIONS: &LayerInfo = &LAYERS[2];
const EDGES: &LayerInfo = &LAYERS[3];
const ABSTRACT_PATH: &LayerInfo = &LAYERS[4];

impl Hpa {
    pub(super) fn draw(&self, grid: &Grid) -> Vec<SketchLayer> {
        let ids = || (0..self.clusters.len() as u32).map(ClusterId);
        let (mut blocks, mut runs) = (Vec::new(), Vec::new());
        let (mut crossings, mut edges) = (Vec::new(), Vec::new());
        for id in ids() {
            let (cluster, block) = (self.cluster(id), self.layout.block(id));
            let (right, bottom) = (block.width - 1, block.height - 1);
            let corner = Cell::new(block.origin.x + right, block.origin.y + bottom);
            blocks.push(CellRect::new(block.origin, corner));
            // Each entrance once, on the line between its two clusters.
            entrances(grid, &block, |entrance| {
                let (first, length) = (entrance.first, entrance.length as f32);
                let (x, y) = (first.x as f32, first.y as f32);
                match entrance.direction {
                    Direction::South => runs.push(line((x, y + 1.0), (x + length, y + 1.0))),
                    Direction::East => runs.push(line((x + 1.0, y), (x + 1.0, y + length))),
                    _ => {}
                }
            });
            for exit in cluster.exits() {
                let from = cluster.cell(&block, usize::from(exit.node));
                let (dx, dy) = exit.direction.delta();
                if dy > 0 || (dy == 0 && dx > 0) {
                    let to =
                        Cell::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
                    crossings.push([Point::middle_of(from), Point::middle_of(to)]);
                }
            }
            for node in 0..cluster.node_count() {
                let costs = &cluster.costs_from(node)[..node];
                for (other, _) in costs.iter().enumerate().filter(|(_, cost)| **cost != UNREACHED) {
                    let ends = [other, node].map(|node| cluster.cell(&block, node));
                    edges.push(ends.map(Point::middle_of));
                }
            }
        }
        let ends = |from, to| [Point::middle_of(from), Point::middle_of(to)];
        crossings.extend(grid.usable_links().map(|(from, to, _)| ends(from, to)));
        let mut layers = vec![
            CLUSTERS.layer(1, Shape::Rectangles(blocks)),
            ENTRANCES.layer(1, Shape::Lines(runs)),
            TRANSITIONS.layer(1, Shape::Lines(crossings)),
            EDGES.layer(1, Shape::Lines(edges)),
        ];
        for height in 1..=self.levels.len() {
            layers.extend(self.draw_level(grid, height));
        }
        layers
    }

    fn draw_level(&self, grid: &Grid, height: usize) -> [SketchLayer; 3] {
        let level = height as u32 + 1;
        let (mut blocks, mut entries, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        let ids = (0..self.clusters.len() as u32).map(ClusterId);
        let mut ids: Vec<RegionId> =
            ids.map(|id| RegionId::around(&self.layout, id, height)).collect();
        ids.sort_unstable();
        ids.dedup();
        let extent = grid.extent();
        for id in ids {
            let block = id.block(&self.layout);
            let side = self.options.cluster_side;
            let first = Cell::new(block.origin.x * side, block.origin.y * side);
            let last = |origin: u32, size: u32, length: u32| (origin + size * side).min(length) - 1;
            let last = Cell::new(
                last(first.x, block.width, extent.width()),
                last(first.y, block.height, extent.height()),
            );
            blocks.push(CellRect::new(first, last));
            self.graph().visit_region(id, |entry, links| {
                let from = Point::middle_of(self.cell_of_node(entry));
                entries.push(from);
                for link in links {
                    edges.push([from, Point::middle_of(link.place.cell())]);
                }
            });
        }
        [
            CLUSTERS.layer(level, Shape::Rectangles(blocks)),
            TRANSITIONS.layer(level, Shape::Points(entries)),
            EDGES.layer(level, Shape::Lines(edges)),
        ]
    }

    pub(super) fn draw_query(&self, memory: &HpaMemory) -> Vec<SketchLayer> {
        let chains = memory.chains.iter().rev().zip(1..).filter(|(chain, _)| !chain.is_empty());
        let chain = |(cells, level): (&Vec<Cell>, u32)| {
            let points = cells.iter().copied().map(Point::middle_of).collect();
            ABSTRACT_PATH.layer(level, Shape::Chain(points))
        };
        chains.map(chain).collect()
    }
}

fn line(from: (f32, f32), to: (f32, f32)) -> [Point; 2] {
    [from, to].map(|(x, y)| Point { x, y })
}
