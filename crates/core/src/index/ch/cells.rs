//! The cells of a map as a graph, where terrain differs in cost or corners may be cut.

use crate::grid::{Cell, Connectivity, Direction, Grid};
use crate::index::contraction::CheckedEdge;
use crate::index::subgoal::{Ground, Link};

/// Every enterable cell is a node; a step is an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellGraph {
    width: u32,
    /// For each cell its node, or [`CellGraph::NO_NODE`].
    nodes: Vec<u32>,
    cells: Vec<Cell>,
    /// For each node the smallest one that a path joins it with.
    parts: Vec<u32>,
}

impl CellGraph {
    const NO_NODE: u32 = u32::MAX;

    /// PERF: on open ground every cell has eight neighbours, and shortcuts multiply: 16,000 cells with a
    /// tenth blocked (`highroad generate obstacles --blocked 10 --width 134 --height 134`) took 42 s on a
    /// busy machine under the rule always-diagonal, 1.2 s four-way.
    pub(super) const CELLS_MAX: u32 = 4096;

    pub(super) fn new(grid: &Grid) -> (Self, Vec<CheckedEdge>) {
        let extent = grid.extent();
        let mut nodes = vec![Self::NO_NODE; extent.cell_count()];
        let mut cells = Vec::new();
        for cell in extent.cells().filter(|&cell| grid.is_enterable(cell)) {
            nodes[extent.id_inside(cell).index()] = cells.len() as u32;
            cells.push(cell);
        }
        let mut edges = Vec::new();
        for (from, &cell) in (0..).zip(&cells) {
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let to = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                if let (Some(id), Some(weight)) = (extent.id(to), grid.step_cost(cell, to)) {
                    edges.push(CheckedEdge { from, to: nodes[id.index()], weight });
                }
            }
        }
        let parts = parts_of(cells.len(), &edges);
        (Self { width: extent.width(), nodes, cells, parts }, edges)
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn node(&self, cell: Cell) -> u32 {
        self.nodes[(cell.y * self.width + cell.x) as usize]
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.nodes.capacity() + self.parts.capacity()) * size_of::<u32>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}

impl Ground for CellGraph {
    /// Where terrain differs, the straight way need not be the cheapest.
    fn direct_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        (from == to).then_some(0)
    }

    fn links_onwards(&self, from: Cell, mut visit: impl FnMut(Link)) {
        visit(Link { subgoal: self.node(from), cost: 0 });
    }

    fn links_back(&self, to: Cell, mut visit: impl FnMut(Link)) {
        visit(Link { subgoal: self.node(to), cost: 0 });
    }

    fn part_of(&self, node: u32) -> u32 {
        self.parts[node as usize]
    }

    /// There are so few cells that a flood is as good.
    fn connectivity(&self) -> Option<&Connectivity> {
        None
    }
}

/// Steps lead both ways: a flood from each node that none has come to yet.
fn parts_of(node_count: usize, edges: &[CheckedEdge]) -> Vec<u32> {
    let mut first = vec![0; node_count + 1];
    edges.iter().for_each(|edge| first[edge.from as usize + 1] += 1);
    for node in 0..node_count {
        first[node + 1] += first[node];
    }
    let mut parts = vec![u32::MAX; node_count];
    let mut stack = Vec::new();
    for part in 0..node_count as u32 {
        stack.push(part);
        while let Some(node) = stack.pop() {
            if parts[node as usize] == u32::MAX {
                parts[node as usize] = part;
                // Edges were listed node by node.
                let range = first[node as usize] as usize..first[node as usize + 1] as usize;
                stack.extend(edges[range].iter().map(|edge| edge.to));
            }
        }
    }
    parts
}
