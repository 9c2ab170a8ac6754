//! The tree that an exploring search leaves behind.

use crate::grid::{Cell, CellId, Cost, DELTAS, Grid};
use crate::path::Path;
use crate::planner::Scratch;
use crate::search::NodeTable;
use crate::space::{NodeId, Nodes};

/// Everything a search has reached, each cell with its predecessor. Made by
/// [`GridSearch::explore`](super::GridSearch::explore). A cost is looked up in O(1), a path in O(its cells).
///
/// ```
/// use highroad::{Cell, Cost};
/// use highroad::grid::Grid;
/// use highroad::online::{GridSearch, ShortestPathTree};
/// use highroad::planner::Scratch;
/// use highroad::search::Limits;
/// let grid = Grid::with_defaults("...\n.#.\n".parse()?);
/// let mut scratch = Scratch::new();
/// let mut tree: ShortestPathTree<'_> =
///     GridSearch::dijkstra().explore(&grid, &[Cell::new(0, 0)], Limits::default(), &mut scratch)?;
/// assert_eq!(tree.cost(Cell::new(2, 1)), Some(Cost::steps(3)));
/// assert_eq!(tree.predecessor(Cell::new(2, 1)), Some(Cell::new(2, 0)));
/// assert_eq!(tree.path_to(Cell::new(2, 1)).unwrap().steps(), 3);
/// assert_eq!(tree.cells().count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ShortestPathTree<'a> {
    grid: &'a Grid,
    scratch: &'a mut Scratch,
    starts: Vec<Cell>,
}

impl<'a> ShortestPathTree<'a> {
    pub(super) fn new(grid: &'a Grid, scratch: &'a mut Scratch, starts: Vec<Cell>) -> Self {
        Self { grid, scratch, starts }
    }

    fn reached(&self, cell: Cell) -> Option<NodeId> {
        let node = self.grid.extent().contains(cell).then(|| self.grid.node(cell))?;
        self.scratch.work.forward.nodes.get(node).is_closed().then_some(node)
    }

    /// The cost from the nearest start, as the search counts it (breadth-first: in steps); `None`
    /// where it has not been.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let node = self.reached(cell)?;
        Some(Cost(self.scratch.work.forward.nodes.get(node).g))
    }

    /// The cell before this one on the way from a start; `None` for a start and where the search
    /// has not been.
    pub fn predecessor(&self, cell: Cell) -> Option<Cell> {
        let node = self.reached(cell)?;
        let parent = self.scratch.work.forward.nodes.parent(node);
        (parent != node).then(|| self.grid.place(parent))
    }

    /// The path from the nearest start; `None` where the search has not been.
    pub fn path_to(&mut self, cell: Cell) -> Option<Path> {
        let node = self.reached(cell)?;
        Some(path_over(self.grid, self.scratch.work.trail_to(node)))
    }

    /// Every cell that the search has reached, with its cost, row by row.
    ///
    /// Few cells are found along the tree, O(cells reached), and sorted; many by a look at every cell.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let expanded = self.scratch.statistics().expanded;
        reached_cells(self.grid, &self.scratch.work.forward.nodes, &self.starts, expanded)
    }
}

/// Where more than this share of the cells is reached, every cell is looked at to list them.
const SHARE_LOOKED_AT: u64 = 16;

/// The closed cells of a search from some starts that expanded at most so many, with their costs, row by row.
pub(crate) fn reached_cells<'a>(
    grid: &'a Grid,
    nodes: &'a NodeTable,
    starts: &[Cell],
    expanded: u64,
) -> impl Iterator<Item = (Cell, Cost)> + use<'a> {
    let cell_count = grid.extent().cell_count() as u32;
    let (listed, looked_at) = match expanded < u64::from(cell_count) / SHARE_LOOKED_AT {
        true => (list_tree(grid, nodes, starts), 0),
        false => (Vec::new(), cell_count),
    };
    listed.into_iter().chain((0..looked_at).map(NodeId)).filter_map(|number| {
        let node = nodes.get(number);
        node.is_closed().then(|| (grid.place(number), Cost(node.g)))
    })
}

/// The nodes of the tree below some starts, in order. A node's children are those of the cells around it, and at the
/// other ends of its links, whose parent it is: nothing has to be noted while searching.
fn list_tree(grid: &Grid, nodes: &NodeTable, starts: &[Cell]) -> Vec<NodeId> {
    let extent = grid.extent();
    let is_child =
        |node: NodeId, parent: NodeId| nodes.get(node).is_seen() && nodes.parent(node) == parent;
    let roots = starts.iter().map(|&start| grid.node(start)).filter(|&node| is_child(node, node));
    let mut list: Vec<NodeId> = roots.collect();
    list.sort_unstable();
    list.dedup();
    let mut at = 0;
    let (has_links, mut linked) = (grid.has_links(), Vec::new());
    while let Some(&parent) = list.get(at) {
        let cell = grid.place(parent);
        if has_links {
            for backwards in [false, true] {
                grid.visit_links(CellId(parent.0), backwards, |end, _| linked.push(NodeId(end.0)));
            }
            // A link may also lead to a cell beside this one, and there and back.
            linked.retain(|&end| is_child(end, parent) && !is_beside(cell, grid.place(end)));
            linked.sort_unstable();
            linked.dedup();
            list.append(&mut linked);
        }
        let around = DELTAS.map(|(dx, dy)| {
            Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
        });
        let inside = around.into_iter().filter(|&cell| extent.contains(cell));
        list.extend(inside.map(|cell| grid.node(cell)).filter(|&node| is_child(node, parent)));
        at += 1;
    }
    list.sort_unstable();
    list
}

fn is_beside(cell: Cell, other: Cell) -> bool {
    cell.x.abs_diff(other.x).max(cell.y.abs_diff(other.y)) <= 1
}

/// The path over the cells of some nodes.
pub(crate) fn path_over(grid: &Grid, nodes: &[NodeId]) -> Path {
    let cells: Vec<Cell> = nodes.iter().map(|&node| grid.place(node)).collect();
    let cost = grid.cost_along(&cells);
    Path::vouched(cells, cost, grid.revision())
}
