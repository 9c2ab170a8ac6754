//! The cells of a grid as nodes, steps under its movement rule as edges.

use crate::environment::Cost;
use crate::grid::{
    ARRIVAL_AT_START, Board, CanonicalMoves, Cell, CellId, CellRefusal, DELTAS, Extent, Grid,
};
use crate::space::{Arrival, NodeId, Nodes, Space};

/// Which steps one looks at, and what they cost. Chosen once a query, so that uniform maps never
/// look at a cell's letter.
pub trait Steps {
    /// The directions to look at from a cell with that neighbourhood, reached by that arrival. `even` says whether
    /// all cells of the neighbourhood are known to cost the same.
    fn moves(&self, arrival: usize, neighbourhood: usize, even: impl FnOnce() -> bool) -> u8;
    /// The share of a step's cost that the cell one leaves decides.
    fn leaving(&self, from: CellId) -> u32;
    /// The cost of a step, given that share.
    fn cost(&self, leaving: u32, to: CellId, diagonal: bool) -> u32;
}

/// Every enterable cell costs the same.
pub(crate) struct UniformSteps {
    moves: &'static CanonicalMoves,
    straight: u32,
    diagonal: u32,
    canonical: bool,
}

impl UniformSteps {
    /// Steps between cells of that cost. `canonical`: leave out those that a cheapest-first search
    /// need not look at.
    pub(crate) fn new(grid: &Grid, cell_cost: u32, canonical: bool) -> Self {
        let steps = grid.movement().steps();
        Self {
            moves: grid.movement().canonical(),
            straight: steps.step(false, 2 * cell_cost),
            diagonal: steps.step(true, 2 * cell_cost),
            // In fewer than three columns the difference of two cells' numbers does not show the
            // direction between them.
            canonical: canonical && grid.extent().width() >= 3,
        }
    }
}

impl Steps for UniformSteps {
    #[inline]
    fn moves(&self, arrival: usize, neighbourhood: usize, _even: impl FnOnce() -> bool) -> u8 {
        let arrival = if self.canonical { arrival } else { ARRIVAL_AT_START };
        self.moves[arrival & 15][neighbourhood & 511]
    }

    #[inline]
    fn leaving(&self, _from: CellId) -> u32 {
        0
    }

    #[inline]
    fn cost(&self, _leaving: u32, _to: CellId, diagonal: bool) -> u32 {
        if diagonal { self.diagonal } else { self.straight }
    }
}

/// Cells cost what their terrain and surcharge say.
pub struct WeightedSteps<'g> {
    grid: &'g Grid,
    moves: &'static CanonicalMoves,
    canonical: bool,
}

impl<'g> WeightedSteps<'g> {
    /// `canonical`: on level ground, leave out steps that a cheapest-first search need not look at.
    pub(crate) fn new(grid: &'g Grid, canonical: bool) -> Self {
        let canonical = canonical && grid.extent().width() >= 3;
        Self { grid, moves: grid.movement().canonical(), canonical }
    }
}

impl Steps for WeightedSteps<'_> {
    #[inline]
    fn moves(&self, arrival: usize, neighbourhood: usize, even: impl FnOnce() -> bool) -> u8 {
        let arrival = if self.canonical && even() { arrival } else { ARRIVAL_AT_START };
        self.moves[arrival & 15][neighbourhood & 511]
    }

    #[inline]
    fn leaving(&self, from: CellId) -> u32 {
        self.grid.cost_at(from)
    }

    #[inline]
    fn cost(&self, leaving: u32, to: CellId, diagonal: bool) -> u32 {
        let steps = self.grid.movement().steps();
        steps.step(diagonal, leaving + self.grid.cost_at(to))
    }
}

/// A grid as a [`Space`]; a node's number is its cell's.
pub struct GridSpace<'g, S> {
    grid: &'g Grid,
    extent: Extent,
    /// The bits of the one domain that all starts lie in; without it, each cell's is looked up.
    board: Option<&'g Board>,
    /// The level ground of that domain, where not all is.
    level: Option<&'g Board>,
    /// What each direction adds to a cell's number.
    offsets: [i32; 8],
    steps: S,
}

impl<'g, S: Steps> GridSpace<'g, S> {
    pub(crate) fn new(grid: &'g Grid, starts: &[Cell], steps: S) -> Self {
        let extent = grid.extent();
        let domain = |cell: &Cell| grid.domain_of(*cell);
        let shared = starts.iter().all(|start| domain(start) == domain(&starts[0]));
        let width = extent.width() as i32;
        Self {
            grid,
            extent,
            board: starts.first().filter(|_| shared).and_then(|&start| grid.board_of(start)),
            level: starts.first().filter(|_| shared).and_then(|&start| grid.level_board_of(start)),
            offsets: DELTAS.map(|(dx, dy)| dy * width + dx),
            steps,
        }
    }

    /// Which of the nine arrivals led to a node: see the canonical successors.
    #[inline]
    fn arrival(&self, at: Arrival) -> usize {
        let width = self.extent.width() as i32;
        let difference = at.node.0.wrapping_sub(at.parent.0) as i32;
        let dy = i32::from(difference > 1) - i32::from(difference < -1);
        let dx = difference - dy * width;
        (dx + 1 + 3 * (dy + 1)) as usize & 15
    }
}

impl<S: Steps> Space for GridSpace<'_, S> {
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
        let around = board.neighbourhood(cell);
        let even = || self.level.is_some_and(|level| level.neighbourhood(cell) == around);
        let mut moves = self.steps.moves(self.arrival(at), around, even);
        let leaving = self.steps.leaving(from);
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let to = from.0.wrapping_add_signed(self.offsets[direction & 7]);
            visit(NodeId(to), self.steps.cost(leaving, CellId(to), direction >= 4));
        }
    }
}

impl Nodes for Grid {
    type Space<'e> = GridSpace<'e, WeightedSteps<'e>>;

    const SYMMETRIC: bool = true;

    fn space(&self) -> Result<Self::Space<'_>, CellRefusal> {
        Ok(GridSpace::new(self, &[], WeightedSteps::new(self, false)))
    }

    fn node_count(&self) -> usize {
        self.extent().cell_count()
    }

    #[inline]
    fn node(&self, cell: Cell) -> NodeId {
        NodeId(self.extent().id_inside(cell).0)
    }

    #[inline]
    fn place(&self, node: NodeId) -> Cell {
        self.extent().cell(CellId(node.0))
    }

    fn step_max(&self) -> u64 {
        let diagonal = u64::from(self.movement().steps().diagonal());
        diagonal * 2 * u64::from(*self.cost_range().end())
    }

    fn cost_along(&self, cells: &[Cell]) -> Cost {
        Grid::cost_along(self, cells)
    }
}
