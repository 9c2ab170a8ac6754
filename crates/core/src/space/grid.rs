//! The cells of a grid as nodes, steps under its movement rule as edges.

use super::{Arrival, NodeId, Space};
use crate::grid::{Board, Cell, CellId, DELTAS, Extent, Grid};

/// What a step costs. Chosen once a query, so that uniform maps never look at a cell's letter.
pub(crate) trait Pricing {
    /// The share of a step that the cell one leaves decides.
    fn leaving(&self, from: CellId) -> u32;
    /// The cost of a step, given that share.
    fn step(&self, leaving: u32, to: CellId, diagonal: bool) -> u32;
}

/// Every enterable cell costs the same.
pub(crate) struct UniformPrice {
    straight: u32,
    diagonal: u32,
}

impl UniformPrice {
    pub(crate) fn new(grid: &Grid, cell_cost: u32) -> Self {
        let steps = grid.movement().steps();
        Self {
            straight: steps.step(false, 2 * cell_cost),
            diagonal: steps.step(true, 2 * cell_cost),
        }
    }
}

impl Pricing for UniformPrice {
    #[inline]
    fn leaving(&self, _from: CellId) -> u32 {
        0
    }

    #[inline]
    fn step(&self, _leaving: u32, _to: CellId, diagonal: bool) -> u32 {
        if diagonal { self.diagonal } else { self.straight }
    }
}

/// Cells cost what their terrain and surcharge say.
pub(crate) struct WeightedPrice<'g>(pub(crate) &'g Grid);

impl Pricing for WeightedPrice<'_> {
    #[inline]
    fn leaving(&self, from: CellId) -> u32 {
        self.0.cost_at(from)
    }

    #[inline]
    fn step(&self, leaving: u32, to: CellId, diagonal: bool) -> u32 {
        let steps = self.0.movement().steps();
        steps.step(diagonal, leaving + self.0.cost_at(to))
    }
}

/// A grid as a [`Space`]; a node's number is its cell's.
pub(crate) struct GridSpace<'g, P> {
    grid: &'g Grid,
    extent: Extent,
    /// The bits of the one domain that all starts lie in; without it, each cell's is looked up.
    board: Option<&'g Board>,
    moves: &'static [u8; 512],
    /// What each direction adds to a cell's number.
    offsets: [i32; 8],
    price: P,
}

impl<'g, P: Pricing> GridSpace<'g, P> {
    pub(crate) fn new(grid: &'g Grid, starts: &[Cell], price: P) -> Self {
        let extent = grid.extent();
        let domain = |cell: &Cell| grid.domain_of(*cell);
        let shared = starts.iter().all(|start| domain(start) == domain(&starts[0]));
        let width = extent.width() as i32;
        Self {
            grid,
            extent,
            board: starts.first().filter(|_| shared).and_then(|&start| grid.board_of(start)),
            moves: grid.movement().rule().moves(),
            offsets: DELTAS.map(|(dx, dy)| dy * width + dx),
            price,
        }
    }
}

impl<P: Pricing> Space for GridSpace<'_, P> {
    fn node_count(&self) -> usize {
        self.extent.cell_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let from = CellId(at.node.0);
        let cell = self.extent.cell(from);
        let Some(board) = self.board.or_else(|| self.grid.board_of(cell)) else {
            return;
        };
        let mut moves = self.moves[board.neighbourhood(cell)];
        let leaving = self.price.leaving(from);
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let to = from.0.wrapping_add_signed(self.offsets[direction & 7]);
            visit(NodeId(to), self.price.step(leaving, CellId(to), direction >= 4));
        }
    }
}
