//! The crate `petgraph`: algorithms on graphs that one builds.
//!
//! Every cell is a node, every allowed step an edge with its cost, and A* gets the octile distance. An edit removes
//! and adds the edges around the cell.

use super::{Peer, PeerPlanner, Rules, locked_version};
use ::petgraph::algo::astar;
use ::petgraph::graph::{NodeIndex, UnGraph};
use anyhow::Result;
use highroad::Cell;
use highroad::grid::Grid;

/// The costs that our planners count in by default.
const STRAIGHT: u32 = 2378;
const DIAGONAL: u32 = 3363;

/// Half of the eight directions: edges go both ways.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// `petgraph::algo::astar` on a graph of cells.
pub(crate) struct Astar;

impl Peer for Astar {
    fn name(&self) -> String {
        "petgraph astar".to_owned()
    }

    fn version(&self) -> &'static str {
        locked_version("petgraph")
    }

    fn rules(&self) -> Rules {
        Rules::SAME
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let extent = grid.extent();
        let free: Vec<bool> = extent.cells().map(|cell| grid.is_enterable(cell)).collect();
        let (width, height) = (extent.width() as i32, extent.height() as i32);
        let mut graph = UnGraph::with_capacity(free.len(), 4 * free.len());
        (0..free.len()).for_each(|_| _ = graph.add_node(()));
        let mut cells = CellGraph { width, height, free, graph };
        for y in 0..height {
            for x in 0..width {
                for step in STEPS {
                    if let Some((to, weight)) = cells.step((x, y), step) {
                        cells.graph.add_edge(cells.node((x, y)), to, weight);
                    }
                }
            }
        }
        Ok(Box::new(cells))
    }
}

struct CellGraph {
    width: i32,
    height: i32,
    free: Vec<bool>,
    graph: UnGraph<(), u32>,
}

impl CellGraph {
    fn node(&self, (x, y): (i32, i32)) -> NodeIndex {
        NodeIndex::new((y * self.width + x) as usize)
    }

    fn is_free(&self, (x, y): (i32, i32)) -> bool {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        inside && self.free[(y * self.width + x) as usize]
    }

    /// Where a step from a cell leads and what it costs, if it is allowed.
    fn step(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Option<(NodeIndex, u32)> {
        let corners = [(x, y), (x + dx, y), (x, y + dy), (x + dx, y + dy)];
        let weight = if dx != 0 && dy != 0 { DIAGONAL } else { STRAIGHT };
        let allowed = corners.into_iter().all(|corner| self.is_free(corner));
        allowed.then(|| (self.node((x + dx, y + dy)), weight))
    }

    fn cell(&self, node: NodeIndex) -> Cell {
        let (index, width) = (node.index() as u32, self.width as u32);
        Cell::new(index % width, index / width)
    }
}

impl PeerPlanner for CellGraph {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let node = |cell: Cell| self.node((cell.x as i32, cell.y as i32));
        let (from, to) = (node(start), node(goal));
        let octile = |node| {
            let (dx, dy) = self.cell(node).offset(goal);
            let (diagonal, straight) = (dx.min(dy), dx.abs_diff(dy));
            u64::from(diagonal) * u64::from(DIAGONAL) + u64::from(straight) * u64::from(STRAIGHT)
        };
        let price = |edge: ::petgraph::graph::EdgeReference<'_, u32>| u64::from(*edge.weight());
        let (_cost, path) = astar(&self.graph, from, |node| node == to, price, octile)?;
        Some(path.into_iter().map(|node| self.cell(node)).collect())
    }

    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        let (x, y) = (cell.x as i32, cell.y as i32);
        self.free[(y * self.width + x) as usize] = free;
        // Every step that starts, ends or passes there begins in one of these cells.
        for (from_x, from_y) in (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y))) {
            if from_x < 0 || from_y < 0 || from_x >= self.width || from_y >= self.height {
                continue;
            }
            for (dx, dy) in STEPS {
                let (to_x, to_y) = (from_x + dx, from_y + dy);
                if to_x < 0 || to_y < 0 || to_x >= self.width || to_y >= self.height {
                    continue;
                }
                let ends = [self.node((from_x, from_y)), self.node((to_x, to_y))];
                let wanted = self.step((from_x, from_y), (dx, dy));
                match (self.graph.find_edge(ends[0], ends[1]), wanted) {
                    (Some(edge), None) => _ = self.graph.remove_edge(edge),
                    (None, Some((_, weight))) => _ = self.graph.add_edge(ends[0], ends[1], weight),
                    _ => {}
                }
            }
        }
        true
    }
}
