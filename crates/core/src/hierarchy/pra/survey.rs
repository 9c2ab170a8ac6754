//! Looking at the cells of a group and of those that touch it: the cheapest ways between them, and how far
//! those are from the straight lines that searches go by.
//!
//! ```text
//!   A A B B B      a flood from the middle cell of A, inside A and the groups that it touches, shows what
//!   A a ╌╌╌ b      ways from a to b and c cost; a search takes them for as long as the straight lines
//!   A ╎ # # B
//!   C c C C #
//! ```

use super::Pra;
use crate::grid::{Cell, CellId, Grid};
use crate::hierarchy::local::{CellBox, Flood, UNREACHED, unpack};
use crate::path::octile_cost_wide;

/// Columns and rows of the largest flood.
const SIDE_MAX: u32 = 64;
/// How many groups of a layer are sampled to assess it.
const SAMPLES: usize = 128;

/// Searches begin on the lowest layer with at most so many nodes, if its paths are straight enough ([`WINDING_MAX`]).
const NODES_MAX: usize = 6_000;
/// Paths between groups may be longer than straight lines by so many thousandths; otherwise searches begin on
/// a lower one, or on the cells. Groups of the first layer are so small that more does little harm.
///
/// Measured on public maps: layer 4 of AcrosstheCape has 2 (paths 0.2 % above optimal), that of 32room_004 22
/// (2.6 %), of 16room_004 129 (3.3 %). Within the limits: layer 2 of 32room_004 has 0 (0.3 %), layer 1 of
/// 8room_004 5 (0.7 %).
const WINDING_MAX: u64 = 4;
const WINDING_MAX_FIRST: u64 = 20;
/// The highest layer on terrain that differs in cost, where straight lines show less: on Map11 paths begun on
/// layers 2, 3 and 4 are 0.4, 0.8 and 1.7 % above optimal.
const WEIGHTED_LAYER_MAX: usize = 3;
/// Terrain counts as one that differs in cost where more than one group in so many has cells of several costs around
/// it: otherwise one costly cell would decide where the searches of the whole map begin.
const UNEVEN_SHARE: usize = 8;
/// The highest layer whose groups fit a flood together with their neighbours.
pub(super) const FLOOD_LAYER_MAX: usize = 4;

/// How ways between groups of a layer compare with straight lines.
pub(super) struct Winding {
    /// By how many thousandths they are longer.
    pub(super) thousandths: u64,
    /// How many groups of the sample have cells of one cost around them, and how many have not.
    even: usize,
    uneven: usize,
}

/// What measuring works with.
#[derive(Default)]
pub(super) struct Survey {
    cells: Vec<Cell>,
    stack: Vec<(usize, u32)>,
}

impl Survey {
    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
            + self.stack.capacity() * size_of::<(usize, u32)>()
    }
}

impl Pra {
    /// The layer where searches should begin.
    pub(super) fn choose_layer(&self, grid: &Grid) -> usize {
        let highest = self.layers.len();
        let few = |layer: &usize| self.node_count(*layer) <= NODES_MAX;
        let by_count = (1..=highest).find(few).unwrap_or(highest);
        let assessed = by_count.min(FLOOD_LAYER_MAX);
        let (mut survey, mut flood) = (Survey::default(), Flood::default());
        let fits = |layer: &usize| {
            let most = if *layer == 1 { WINDING_MAX_FIRST } else { WINDING_MAX };
            // Where there are hardly two ways to anywhere, it does not matter how long they seem.
            if self.is_tree_like(*layer) {
                return true;
            }
            let Winding { thousandths, even, uneven } =
                self.winding(grid, *layer, &mut survey, &mut flood);
            if uneven > even / UNEVEN_SHARE {
                return *layer <= WEIGHTED_LAYER_MAX;
            }
            thousandths <= most
        };
        match (1..=assessed).rev().find(fits) {
            Some(layer) if layer == assessed => by_count,
            found => found.unwrap_or(0),
        }
    }

    /// Whether a layer has few more links than nodes.
    fn is_tree_like(&self, layer: usize) -> bool {
        let layer = &self.layers[layer - 1];
        let links: usize = layer.nodes().map(|node| layer.links.of(node).len()).sum();
        // Each link is counted from both ends.
        links / 2 * 10 <= layer.node_count() * 11
    }

    /// How ways between groups of a layer compare with straight lines, in the mean of a sample. Only groups where one can
    /// choose count: along a corridor there is one way, however long; and only those among cells of one cost.
    pub(super) fn winding(
        &self,
        grid: &Grid,
        layer: usize,
        survey: &mut Survey,
        flood: &mut Flood,
    ) -> Winding {
        let nodes = &self.layers[layer - 1];
        let stride = nodes.node_count().div_ceil(SAMPLES).max(1);
        let (mut straight, mut walked) = (0, 0);
        let (mut even, mut uneven) = (0, 0);
        let uniform = grid.uniform_cost();
        for node in nodes.nodes().step_by(stride) {
            let neighbours = nodes.links.of(node);
            if neighbours.len() < 3 {
                continue;
            }
            let from = self.cell_in(layer, node);
            let block = self.flood_around(grid, layer, node, (from, None), survey, flood);
            let cost = uniform.or_else(|| grid.cost_of(from));
            if uniform.is_none() && survey.cells.iter().any(|&cell| grid.cost_of(cell) != cost) {
                uneven += 1;
                continue;
            }
            even += 1;
            for &other in neighbours {
                let end = self.cell_in(layer, other);
                let least = self.octile(grid, cost.unwrap_or(1), from, end);
                let way = block.map_or(UNREACHED, |(block, _)| flood.cost(block.local(end)));
                straight += least;
                walked += if way == UNREACHED { 2 * least } else { unpack(way) };
            }
        }
        let longer: u64 = walked.saturating_sub(straight);
        let thousandths = (longer * 1000).checked_div(straight).unwrap_or(0);
        Winding { thousandths, even, uneven }
    }

    /// Floods a group and its neighbours from a cell of the group, as far as another one if that is given; returns the
    /// block that they lie in and what that counts, or `None` if the block is too large.
    pub(super) fn flood_around(
        &self,
        grid: &Grid,
        layer: usize,
        node: u32,
        (from, to): (Cell, Option<Cell>),
        survey: &mut Survey,
        flood: &mut Flood,
    ) -> Option<(CellBox, u64)> {
        let Survey { cells, stack } = survey;
        cells.clear();
        self.push_cells(layer, node, stack, cells);
        let neighbours = self.layers[layer - 1].links.of(node);
        neighbours.iter().for_each(|&other| self.push_cells(layer, other, stack, cells));
        let block = block_of(cells);
        if block.width > SIDE_MAX || block.height > SIDE_MAX {
            return None;
        }
        let mut rows = [0u64; SIDE_MAX as usize];
        for cell in &*cells {
            rows[(cell.y - block.origin.y) as usize] |= 1 << (cell.x - block.origin.x);
        }
        flood.enter_rows(grid, &block, |y| rows[y as usize]);
        let expanded = match to.filter(|&to| block.contains(to)) {
            Some(to) => flood.run_to(grid, block.local(from), block.local(to), u64::MAX).into(),
            None => {
                flood.run(grid, block.local(from));
                cells.len() as u64
            }
        };
        let per_unit = if grid.is_all_level() { 64 } else { 4 };
        Some((block, 1 + block.cell_count() as u64 / 64 + expanded / per_unit))
    }

    /// Adds the cells of a node.
    fn push_cells(
        &self,
        layer: usize,
        node: u32,
        stack: &mut Vec<(usize, u32)>,
        cells: &mut Vec<Cell>,
    ) {
        stack.push((layer, node));
        while let Some((layer, node)) = stack.pop() {
            if layer == 1 {
                let children = self.children(1, node);
                cells.extend(children.map(|child| self.extent.cell(CellId(child))));
            } else {
                stack.extend(self.children(layer, node).map(|child| (layer - 1, child)));
            }
        }
    }

    /// What a way between two cells costs at least where all cells have that cost.
    fn octile(&self, grid: &Grid, cost: u32, from: Cell, to: Cell) -> u64 {
        let both = 2 * u64::from(cost);
        let steps = grid.movement().steps();
        let straight = u64::from(steps.straight());
        let diagonal = match grid.movement().rule().has_diagonals() {
            true => u64::from(steps.diagonal()),
            false => 2 * straight,
        };
        octile_cost_wide(from, to, straight * both, diagonal * both)
    }
}

/// The smallest block around cells.
fn block_of(cells: &[Cell]) -> CellBox {
    let first = cells.first().copied().unwrap_or_default();
    let (min, max) = cells.iter().fold((first, first), |(min, max), cell| {
        (
            Cell::new(min.x.min(cell.x), min.y.min(cell.y)),
            Cell::new(max.x.max(cell.x), max.y.max(cell.y)),
        )
    });
    CellBox { origin: min, width: max.x - min.x + 1, height: max.y - min.y + 1 }
}
