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
use super::layer::Joint;
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

/// How far it is decided where searches should begin: layers are looked at from a coarse one down, until one fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assessment {
    /// The layer that suits by its number of nodes, and the one where looking began.
    pub(super) by_count: usize,
    pub(super) first: usize,
    /// The layer that is looked at, and how many of its samples were; 0 if there is none below.
    pub(super) layer: usize,
    pub(super) sample: usize,
    /// What ways between groups cost by straight lines, and what they do cost.
    pub(super) straight: u64,
    pub(super) walked: u64,
    /// How many groups of the sample have cells of one cost around them, and how many have not.
    pub(super) even: usize,
    pub(super) uneven: usize,
}

impl Assessment {
    fn of(by_count: usize, first: usize, layer: usize) -> Self {
        let (straight, walked, even, uneven) = (0, 0, 0, 0);
        Self { by_count, first, layer, sample: 0, straight, walked, even, uneven }
    }

    /// Whether the layer fits, now that all samples were looked at.
    fn fits(&self) -> bool {
        if self.uneven > self.even / UNEVEN_SHARE {
            return self.layer <= WEIGHTED_LAYER_MAX;
        }
        let longer = self.walked.saturating_sub(self.straight);
        let thousandths = (longer * 1000).checked_div(self.straight).unwrap_or(0);
        thousandths <= if self.layer == 1 { WINDING_MAX_FIRST } else { WINDING_MAX }
    }

    /// The layer where searches should begin, if this one fits.
    fn chosen(&self) -> usize {
        if self.layer == self.first { self.by_count } else { self.layer }
    }
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
        let (mut survey, mut flood) = (Survey::default(), Flood::default());
        let mut assessment = self.begin_assessment();
        let all = &mut { u64::MAX };
        self.assess_on(grid, &mut assessment, &mut survey, &mut flood, all).unwrap_or(0)
    }

    pub(super) fn begin_assessment(&self) -> Assessment {
        let highest = self.layers.len();
        let few = |layer: &usize| self.node_count(*layer) <= NODES_MAX;
        let by_count = (1..=highest).find(few).unwrap_or(highest);
        let first = by_count.min(FLOOD_LAYER_MAX);
        Assessment::of(by_count, first, first)
    }

    /// Goes on deciding where searches should begin, as far as `left` goes; the layer, once it is known.
    ///
    /// Ways between groups of a layer are compared with straight lines, in the mean of a sample. Only groups where one
    /// can choose count: along a corridor there is one way, however long; and only those among cells of one cost.
    pub(super) fn assess_on(
        &self,
        grid: &Grid,
        assessment: &mut Assessment,
        survey: &mut Survey,
        flood: &mut Flood,
        left: &mut u64,
    ) -> Option<usize> {
        if assessment.by_count > self.layers.len() {
            // Edits have left fewer layers.
            *assessment = self.begin_assessment();
        }
        while assessment.layer > 0 {
            let nodes = &self.layers[assessment.layer - 1];
            // Where there are hardly two ways to anywhere, it does not matter how long they seem.
            if assessment.sample == 0 && self.is_tree_like(assessment.layer) {
                return Some(assessment.chosen());
            }
            let stride = nodes.capacity().div_ceil(SAMPLES).max(1);
            while assessment.sample * stride < nodes.capacity() {
                if *left == 0 {
                    return None;
                }
                let first = assessment.sample * stride;
                let mut numbers = first as u32..nodes.capacity().min(first + stride) as u32;
                let node = numbers.find(|&node| nodes.is_node(node));
                let work =
                    node.map_or(1, |node| self.sample(grid, node, assessment, survey, flood));
                assessment.sample += 1;
                *left = left.saturating_sub(work);
                let rest = SAMPLES.saturating_sub(assessment.sample);
                if assessment.uneven > (assessment.even + rest) / UNEVEN_SHARE {
                    // Whatever the other samples say.
                    break;
                }
            }
            if assessment.fits() {
                return Some(assessment.chosen());
            }
            let Assessment { by_count, first, layer, .. } = *assessment;
            *assessment = Assessment::of(by_count, first, layer - 1);
        }
        Some(0)
    }

    /// Whether a layer has few more links than nodes.
    fn is_tree_like(&self, layer: usize) -> bool {
        let layer = &self.layers[layer - 1];
        // Each link is counted from both ends.
        layer.links.count() / 2 * 10 <= layer.node_count() * 11
    }

    /// Adds a group to an assessment. Returns what that counts.
    fn sample(
        &self,
        grid: &Grid,
        node: u32,
        assessment: &mut Assessment,
        survey: &mut Survey,
        flood: &mut Flood,
    ) -> u64 {
        let layer = assessment.layer;
        let neighbours = self.layers[layer - 1].links.of(node);
        if neighbours.len() < 3 {
            return 1;
        }
        let uniform = grid.uniform_cost();
        let from = self.cell_in(layer, node);
        self.gather_around(layer, node, survey);
        let cost = uniform.or_else(|| grid.cost_of(from));
        let looking = 1 + survey.cells.len() as u64 / 64;
        let differs = |cell: &Cell| grid.cost_of(*cell) != cost;
        let slopes = || grid.is_shaped() && grid.slope_max_in(block_of(&survey.cells).rect()) > 0;
        if uniform.is_none() && (survey.cells.iter().any(differs) || slopes()) {
            assessment.uneven += 1;
            return looking;
        }
        assessment.even += 1;
        let block = flood_gathered(grid, (from, None), survey, flood);
        let work = block.map_or(looking, |(_, work)| work);
        for &other in neighbours {
            let end = self.cell_in(layer, other);
            let least = self.octile(grid, cost.unwrap_or(1), from, end);
            let way = block.map_or(UNREACHED, |(block, _)| flood.cost(block.local(end)));
            assessment.straight += least;
            assessment.walked += if way == UNREACHED { 2 * least } else { unpack(way) };
        }
        work
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
        self.gather_around(layer, node, survey);
        flood_gathered(grid, (from, to), survey, flood)
    }

    /// Gathers the cells of a group and its neighbours.
    fn gather_around(&self, layer: usize, node: u32, survey: &mut Survey) {
        let Survey { cells, stack } = survey;
        cells.clear();
        self.push_cells(layer, node, stack, cells);
        let groups = &self.layers[layer - 1];
        let neighbours = groups.links.of(node).iter();
        // Also those that a step leads to or comes from one way; not those behind links, which may be anywhere.
        let onwards = groups.joined(Joint::Onwards, node).iter();
        let around = neighbours.chain(onwards).chain(groups.joined(Joint::Back, node));
        around.for_each(|&other| self.push_cells(layer, other, stack, cells));
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

/// Floods the cells that were gathered, as [`Pra::flood_around`] says.
fn flood_gathered(
    grid: &Grid,
    (from, to): (Cell, Option<Cell>),
    survey: &Survey,
    flood: &mut Flood,
) -> Option<(CellBox, u64)> {
    let cells = &survey.cells[..];
    let block = block_of(cells);
    if block.width > SIDE_MAX || block.height > SIDE_MAX {
        return None;
    }
    let mut rows = [0u64; SIDE_MAX as usize];
    for cell in cells {
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
