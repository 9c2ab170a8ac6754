//! The crate `fast_paths`: a contraction hierarchy of any graph.
//!
//! Every cell with a step out of it becomes a node, every step an edge, prepared with the library's
//! defaults. Grids have so many paths of one length that contraction finds few witnesses and adds
//! many shortcuts: expect a long preparation. There is no way to change a prepared graph.

use super::{Peer, PeerPlanner, Rules, locked_version};
use ::fast_paths::{FastGraph, InputGraph, PathCalculator, create_calculator, prepare};
use anyhow::{Result, ensure};
use highroad::Cell;
use highroad::grid::Grid;

/// The costs that our planners count in by default.
const STRAIGHT: usize = 2378;
const DIAGONAL: usize = 3363;

/// Half of the eight directions; the edges are made for both ways.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const NO_NODE: usize = usize::MAX;

/// `fast_paths::prepare` and a `PathCalculator`.
pub(crate) struct ContractionHierarchy;

impl Peer for ContractionHierarchy {
    fn name(&self) -> String {
        "fast_paths".to_owned()
    }

    fn version(&self) -> &'static str {
        locked_version("fast_paths")
    }

    fn rules(&self) -> Rules {
        Rules::SAME
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let mut nodes = Nodes::none(grid);
        let mut input = InputGraph::new();
        for cell in grid.extent().cells() {
            for (to, weight) in steps(grid, cell) {
                input.add_edge_bidir(nodes.of(cell), nodes.of(to), weight);
            }
        }
        ensure!(!nodes.cells.is_empty(), "there are no steps on the map");
        input.freeze();
        let graph = prepare(&input);
        let calculator = create_calculator(&graph);
        Ok(Box::new(Hierarchy { nodes, graph, calculator }))
    }
}

/// The steps from a cell in half of the directions, with their costs.
fn steps(grid: &Grid, cell: Cell) -> impl Iterator<Item = (Cell, usize)> {
    let is_free =
        |x: i32, y: i32| x >= 0 && y >= 0 && grid.is_enterable(Cell::new(x as u32, y as u32));
    STEPS.into_iter().filter_map(move |(dx, dy)| {
        let (x, y) = (cell.x as i32, cell.y as i32);
        let ends_free = is_free(x, y) && is_free(x + dx, y + dy);
        let corners_free = is_free(x + dx, y) && is_free(x, y + dy);
        let to = Cell::new((x + dx) as u32, (y + dy) as u32);
        let weight = if dx != 0 && dy != 0 { DIAGONAL } else { STRAIGHT };
        (ends_free && corners_free).then_some((to, weight))
    })
}

/// Which cell is which node. The library counts its nodes by the edges, so cells without any have
/// none.
struct Nodes {
    width: usize,
    node_of: Vec<usize>,
    cells: Vec<Cell>,
}

impl Nodes {
    fn none(grid: &Grid) -> Self {
        let extent = grid.extent();
        let node_of = vec![NO_NODE; extent.cells().count()];
        Self { width: extent.width() as usize, node_of, cells: Vec::new() }
    }

    fn get(&self, cell: Cell) -> usize {
        self.node_of[cell.y as usize * self.width + cell.x as usize]
    }

    /// The node of a cell, which gets one if it has none.
    fn of(&mut self, cell: Cell) -> usize {
        let node = &mut self.node_of[cell.y as usize * self.width + cell.x as usize];
        if *node == NO_NODE {
            *node = self.cells.len();
            self.cells.push(cell);
        }
        *node
    }
}

struct Hierarchy {
    nodes: Nodes,
    graph: FastGraph,
    calculator: PathCalculator,
}

impl PeerPlanner for Hierarchy {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        if start == goal {
            return Some(vec![start]);
        }
        let (from, to) = (self.nodes.get(start), self.nodes.get(goal));
        if from == NO_NODE || to == NO_NODE {
            return None;
        }
        let path = self.calculator.calc_path(&self.graph, from, to)?;
        Some(path.get_nodes().iter().map(|&node| self.nodes.cells[node]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_steps_is_no_node() {
        let grid = Grid::with_defaults("..#\n..#\n##.\n".parse().unwrap());
        let mut planner = ContractionHierarchy.build(&grid).unwrap();
        let (first, last) = (Cell::new(0, 0), Cell::new(2, 2));
        assert_eq!(planner.query(first, last), None);
        assert_eq!(planner.query(last, last), Some(vec![last]));
        assert_eq!(planner.query(first, Cell::new(1, 1)).map(|path| path.len()), Some(2));
        let walls = Grid::with_defaults("##\n".parse().unwrap());
        assert!(ContractionHierarchy.build(&walls).is_err());
    }
}
