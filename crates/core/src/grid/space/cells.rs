//! The cells of a grid as nodes, steps under its movement rule as edges.

use crate::environment::Cost;
use crate::grid::{
    ARRIVAL_AT_START, Board, CanonicalMoves, Cell, CellId, CellRefusal, DELTAS, Extent, Grid,
    PaidCells,
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
    /// The share of a step's cost that the cell decides which it leads to.
    fn entering(&self, to: CellId) -> u32;
    /// The cost of a step from a cell, given that share.
    fn cost_from(&self, entering: u32, from: CellId, diagonal: bool) -> u32;

    /// Whether something closes a step that the neighbourhood allows.
    #[inline(always)]
    fn is_closed(&self, _from: CellId, _direction: usize) -> bool {
        false
    }

    /// Visits the other ends of links from a cell, or to it.
    #[inline(always)]
    fn visit_links(&self, _here: CellId, _backwards: bool, _visit: impl FnMut(CellId, u32)) {}

    /// What a step costs on top of what its cells decide.
    #[inline(always)]
    fn slope(&self, _from: CellId, _to: CellId) -> u32 {
        0
    }
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

    #[inline]
    fn entering(&self, _to: CellId) -> u32 {
        0
    }

    #[inline]
    fn cost_from(&self, _entering: u32, _from: CellId, diagonal: bool) -> u32 {
        if diagonal { self.diagonal } else { self.straight }
    }
}

/// The steps of a [`GridSpace`] where cells cost what their terrain and surcharge say.
pub(crate) struct WeightedSteps<'g> {
    grid: &'g Grid,
    moves: &'static CanonicalMoves,
    canonical: bool,
    /// How often the cells count that a step leaves and enters: 1 and 1, or 0 and 2.
    shares: (u32, u32),
}

impl<'g> WeightedSteps<'g> {
    /// `canonical`: on level ground, leave out steps that a cheapest-first search need not look at.
    pub(crate) fn new(grid: &'g Grid, canonical: bool) -> Self {
        let canonical = canonical && grid.extent().width() >= 3;
        let shares = match grid.movement().paid_cells() {
            PaidCells::Both => (1, 1),
            PaidCells::Entered => (0, 2),
        };
        Self { grid, moves: grid.movement().canonical(), canonical, shares }
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
        self.shares.0 * self.grid.cost_at(from)
    }

    #[inline]
    fn cost(&self, leaving: u32, to: CellId, diagonal: bool) -> u32 {
        let steps = self.grid.movement().steps();
        steps.step(diagonal, leaving + self.shares.1 * self.grid.cost_at(to))
    }

    #[inline]
    fn entering(&self, to: CellId) -> u32 {
        self.shares.1 * self.grid.cost_at(to)
    }

    #[inline]
    fn cost_from(&self, entering: u32, from: CellId, diagonal: bool) -> u32 {
        let steps = self.grid.movement().steps();
        steps.step(diagonal, entering + self.shares.0 * self.grid.cost_at(from))
    }
}

/// The steps of a [`GridSpace`] where borders or heights count as well: right on every grid.
pub struct ShapedSteps<'g> {
    weighted: WeightedSteps<'g>,
}

impl<'g> ShapedSteps<'g> {
    /// `canonical`: on level ground, leave out steps that a cheapest-first search need not look at.
    pub(crate) fn new(grid: &'g Grid, canonical: bool) -> Self {
        Self { weighted: WeightedSteps::new(grid, canonical) }
    }
}

impl Steps for ShapedSteps<'_> {
    #[inline]
    fn moves(&self, arrival: usize, neighbourhood: usize, even: impl FnOnce() -> bool) -> u8 {
        self.weighted.moves(arrival, neighbourhood, even)
    }

    #[inline]
    fn leaving(&self, from: CellId) -> u32 {
        self.weighted.leaving(from)
    }

    #[inline]
    fn cost(&self, leaving: u32, to: CellId, diagonal: bool) -> u32 {
        self.weighted.cost(leaving, to, diagonal)
    }

    #[inline]
    fn entering(&self, to: CellId) -> u32 {
        self.weighted.entering(to)
    }

    #[inline]
    fn cost_from(&self, entering: u32, from: CellId, diagonal: bool) -> u32 {
        self.weighted.cost_from(entering, from, diagonal)
    }

    #[inline]
    fn is_closed(&self, from: CellId, direction: usize) -> bool {
        self.weighted.grid.is_closed(from, direction)
    }

    #[inline]
    fn visit_links(&self, here: CellId, backwards: bool, visit: impl FnMut(CellId, u32)) {
        self.weighted.grid.visit_links(here, backwards, visit);
    }

    #[inline]
    fn slope(&self, from: CellId, to: CellId) -> u32 {
        self.weighted.grid.slope(from, to)
    }
}

/// A grid as a [`Space`]; a node's number is its cell's. From [`Nodes::space`].
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::{Grid, GridSpace, ShapedSteps};
/// use highroad::space::{Arrival, Nodes, Space};
/// let grid = Grid::with_defaults("..#\n..#\n".parse()?);
/// let mut space: GridSpace<'_, ShapedSteps<'_>> = grid.space()?;
/// let node = grid.node(Cell::new(1, 0));
/// let mut reached = Vec::new();
/// space.expand(Arrival { node, parent: node }, &mut |to, _cost| reached.push(grid.place(to)));
/// assert_eq!(reached, [(1, 1), (0, 0), (0, 1)].map(Cell::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// Visits the cells on the other end of steps from a cell, or to it if `backwards`: by the neighbourhood, a step is allowed
    /// one way exactly when it is the other way. `share` is the part of a step's cost that this cell decides, `cost` makes the whole of it.
    #[inline(always)]
    fn visit(
        &self,
        at: Arrival,
        backwards: bool,
        share: impl Fn(&S, CellId) -> u32,
        cost: impl Fn(&S, u32, CellId, bool) -> u32,
        visit: &mut impl FnMut(NodeId, u32),
    ) {
        let here = CellId(at.node.0);
        let cell = self.extent.cell(here);
        let Some(board) = self.board.or_else(|| self.grid.board_of(cell)) else {
            return;
        };
        let around = board.neighbourhood(cell);
        let even = || self.level.is_some_and(|level| level.neighbourhood(cell) == around);
        let mut moves = self.steps.moves(self.arrival(at), around, even);
        let share = share(&self.steps, here);
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let other = CellId(here.0.wrapping_add_signed(self.offsets[direction & 7]));
            let (from, to, along) =
                if backwards { (other, here, direction ^ 2) } else { (here, other, direction) };
            if self.steps.is_closed(from, along) {
                continue;
            }
            let cost = cost(&self.steps, share, other, direction >= 4);
            visit(NodeId(other.0), cost + self.steps.slope(from, to));
        }
        self.steps.visit_links(here, backwards, |other, cost| visit(NodeId(other.0), cost));
    }
}

impl<S: Steps> Space for GridSpace<'_, S> {
    fn node_count(&self) -> usize {
        self.extent.cell_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.visit(at, false, S::leaving, S::cost, visit);
    }

    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.visit(at, true, S::entering, S::cost_from, visit);
    }
}

impl Nodes for Grid {
    type Space<'e> = GridSpace<'e, ShapedSteps<'e>>;

    fn is_symmetric(&self) -> bool {
        self.costs_the_same_both_ways()
    }

    fn space(&self) -> Result<Self::Space<'_>, CellRefusal> {
        Ok(GridSpace::new(self, &[], ShapedSteps::new(self, false)))
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
        let step = diagonal * 2 * u64::from(*self.cost_range().end()) + self.slope_max();
        step.max(self.link_costs().map_or(0, |costs| u64::from(*costs.end())))
    }

    fn cost_along(&self, cells: &[Cell]) -> Cost {
        Grid::cost_along(self, cells)
    }
}
