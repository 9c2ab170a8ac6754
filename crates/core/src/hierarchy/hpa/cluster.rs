//! One cluster of the abstraction: its transitions, and the costs between them.
//!
//! A cluster depends on its own cells and on the cells that touch its border, on nothing else: it can
//! be built alone, on any thread, and a patched one equals one built afresh.

use super::HpaOptions;
use super::entrances::{Crossing, crossings};
use super::layout::{BorderCell, ClusterId, Layout};
use crate::grid::{Cell, CellEffect, CellRect, DELTAS, Direction, Grid};
use crate::hierarchy::local::{CellBox, Flood, NO_STEP, UNREACHED, pack, row_bits};

/// In the border's index: no node here.
const NO_NODE: u8 = u8::MAX;
/// Floods are not mended after more cells of a cluster have changed.
const MENDED_MAX: u64 = 16;

/// A step out of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// Which of the cluster's nodes it leaves from.
    pub(crate) node: u8,
    pub(crate) direction: Direction,
    /// The number of its entrance among the cluster's; none for a diagonal slip.
    pub(super) entrance: Option<u16>,
    /// Which column or row of the cluster it lies in, counted along the entrance.
    pub(super) place: u8,
    /// What a step from pair to pair along the entrance costs, where it is the same on both sides.
    pub(super) pace: Option<u32>,
    /// What the step costs.
    pub(crate) cost: u32,
    /// The cell it leads to.
    pub(crate) target: BorderCell,
}

/// The abstraction of one cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// Cells with a crossing, in order; by their number in the cluster.
    nodes: Box<[u16]>,
    exits: Box<[Exit]>,
    /// From the number of a border cell to its place in `nodes`.
    border: Box<[u8]>,
    /// Between nodes, row by row, packed.
    costs: Box<[u32]>,
    /// The one cost of all enterable cells, if there is one and floods were needed.
    even_cost: Option<u32>,
    /// Whether costs differed in the flood from each node, so that it can be mended.
    uneven: Box<[bool]>,
    /// For each node, two cells a byte: the direction in which a cell lies nearer to the node. Empty
    /// where every cell is enterable at one cost: there, going diagonally first is right.
    steps: Box<[u8]>,
    /// For each node, which of the cluster's connected parts it lies in.
    parts: Box<[u8]>,
}

/// Buffers for building clusters, one set a thread.
#[derive(Default)]
pub(crate) struct ClusterBuilder {
    pub(super) flood: Flood,
    crossings: Vec<Crossing>,
}

impl ClusterBuilder {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.flood.memory_bytes() + self.crossings.capacity() * size_of::<Crossing>()
    }

    /// Floods a block against the direction of steps, from one of its cells.
    pub(super) fn flood_to(&mut self, grid: &Grid, block: &CellBox, goal: Cell) {
        if let Some(board) = grid.board_of(goal) {
            self.flood.enter(grid, board, block);
            self.flood.run_backwards(grid, block.local(goal));
        }
    }

    /// Floods a block from one of its cells.
    pub(super) fn flood_from(&mut self, grid: &Grid, block: &CellBox, start: Cell) {
        if let Some(board) = grid.board_of(start) {
            self.flood.enter(grid, board, block);
            self.flood.run(grid, block.local(start));
        }
    }

    /// The packed cost between a cell and the one that the block was flooded from.
    pub(super) fn flooded_cost(&self, grid: &Grid, block: &CellBox, cell: Cell, from: Cell) -> u32 {
        let domain = grid.domain_of(cell);
        let joined = domain.is_some() && domain == grid.domain_of(from);
        if joined { self.flood.cost(block.local(cell)) } else { UNREACHED }
    }

    /// Builds a cluster from the cells.
    pub(crate) fn build(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        options: &HpaOptions,
        cluster: ClusterId,
    ) -> Cluster {
        let built = self.build_exits(grid, layout, options, cluster);
        let none = Edits { effects: &[], shaped: grid.is_shaped() };
        self.finish(grid, &layout.block(cluster), built, &Cluster::default(), none)
    }

    /// Builds a cluster again after changes in it or beside it; `None` if it is as it was before.
    pub(super) fn rebuild(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        options: &HpaOptions,
        cluster: ClusterId,
        before: &Cluster,
        edits: Edits<'_>,
    ) -> Option<Cluster> {
        let block = layout.block(cluster);
        let built = self.build_exits(grid, layout, options, cluster);
        let Edits { effects, .. } = edits;
        let matters = |effect: &CellEffect| {
            effect.rect.overlaps(&block.rect()) || edits.tilt(grid, &block, effect)
        };
        let built = if !effects.iter().any(matters) && built.nodes == before.nodes {
            Cluster { exits: built.exits, ..before.clone() }
        } else {
            self.finish(grid, &block, built, before, edits)
        };
        (built != *before).then_some(built)
    }

    /// Measures the ways between a cluster's nodes, but for those that are known from before.
    fn finish(
        &mut self,
        grid: &Grid,
        block: &CellBox,
        mut built: Cluster,
        before: &Cluster,
        edits: Edits<'_>,
    ) -> Cluster {
        if built.nodes.is_empty() {
            return built;
        }
        if is_open(grid, block) {
            built.measure_open(grid, block);
        } else {
            built.measure(grid, block, &mut self.flood, before, edits);
        }
        built.find_parts();
        built
    }

    /// A cluster's nodes and exits, without the costs between them.
    fn build_exits(
        &mut self,
        grid: &Grid,
        layout: &Layout,
        options: &HpaOptions,
        cluster: ClusterId,
    ) -> Cluster {
        let block = layout.block(cluster);
        crossings(grid, layout, &block, options.transitions, &mut self.crossings);
        if self.crossings.is_empty() {
            return Cluster::default();
        }
        let mut nodes: Vec<u16> =
            self.crossings.iter().map(|crossing| block.local(crossing.from) as u16).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut border = vec![NO_NODE; layout.border_room()];
        for (index, &local) in nodes.iter().enumerate() {
            let cell = block.cell(usize::from(local));
            border[layout.border_number(&block, cell) as usize] = index as u8;
        }
        let exits = self.crossings.iter().map(|crossing| {
            let (dx, dy) = crossing.direction.delta();
            let from = crossing.from;
            let to = Cell::new(from.x.wrapping_add_signed(dx), from.y.wrapping_add_signed(dy));
            let target = layout.cluster_of(to);
            Exit {
                node: border[layout.border_number(&block, from) as usize],
                direction: crossing.direction,
                entrance: crossing.entrance,
                place: match dx {
                    0 => from.x - block.origin.x,
                    _ => from.y - block.origin.y,
                } as u8,
                pace: crossing.pace,
                cost: grid.walking_cost(from, to).unwrap_or(UNREACHED),
                target: layout.border_cell(target, &layout.block(target), to),
            }
        });
        let exits = exits.collect();
        Cluster { nodes: nodes.into(), exits, border: border.into(), ..Cluster::default() }
    }
}

/// The one cost of all enterable cells of the block, if there is one.
fn even_cost(grid: &Grid, block: &CellBox) -> Option<u32> {
    grid.uniform_cost().or_else(|| {
        let mut row = [0; 64];
        let row = &mut row[..block.width as usize];
        let mut found = None;
        for y in 0..block.height {
            grid.write_costs(Cell::new(block.origin.x, block.origin.y + y), row);
            for &cost in row.iter().filter(|&&cost| cost > 0) {
                if *found.get_or_insert(cost) != cost {
                    return None;
                }
            }
        }
        found
    })
}

/// Whether every cell of the block can be entered, all at one cost and in one domain: neighbouring cells of level
/// ground cost the same.
fn is_open(grid: &Grid, block: &CellBox) -> bool {
    let Some(board) = grid.board_of(block.origin) else { return false };
    let full = !0u64 >> (64 - block.width);
    (0..block.height).all(|y| row_bits(board, block, y) == full)
        && grid.is_level(block.origin, block.height, |_| full)
}

impl Cluster {
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn exits(&self) -> &[Exit] {
        &self.exits
    }

    /// The cell of a node.
    pub(crate) fn cell(&self, block: &CellBox, node: usize) -> Cell {
        block.cell(usize::from(self.nodes[node]))
    }

    /// The place among the nodes of a border cell, by its number.
    #[inline]
    pub(crate) fn node_at(&self, border_number: usize) -> Option<usize> {
        let index = *self.border.get(border_number)?;
        (index != NO_NODE).then_some(usize::from(index))
    }

    /// The packed costs from one node to all.
    #[inline]
    pub(crate) fn costs_from(&self, node: usize) -> &[u32] {
        &self.costs[node * self.nodes.len()..][..self.nodes.len()]
    }

    pub(crate) fn part(&self, node: usize) -> u8 {
        self.parts[node]
    }

    /// Whether its nodes are the same cells, with the same numbers.
    pub(crate) fn same_nodes(&self, other: &Self) -> bool {
        self.nodes == other.nodes
    }

    /// Parts and nodes: all that reachability beyond the cluster depends on.
    pub(crate) fn same_connections(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.parts == other.parts && self.same_exits(other)
    }

    /// Whether each part that both have nodes of has the same number in both.
    pub(crate) fn same_part_numbers(&self, other: &Self) -> bool {
        let same = |(node, local): (usize, &u16)| {
            let there = other.nodes.binary_search(local);
            there.map_or(true, |there| other.parts[there] == self.parts[node])
        };
        self.part_count() == other.part_count() && self.nodes.iter().enumerate().all(same)
    }

    fn same_exits(&self, other: &Self) -> bool {
        let target = |exit: &Exit| (exit.node, exit.target);
        self.exits.iter().map(target).eq(other.exits.iter().map(target))
    }

    fn measure_open(&mut self, grid: &Grid, block: &CellBox) {
        let count = self.nodes.len();
        let mut costs = Vec::with_capacity(count * count);
        for from in 0..count {
            for to in 0..count {
                costs.push(open_cost(grid, self.cell(block, from), self.cell(block, to)));
            }
        }
        self.costs = costs.into();
    }

    /// Floods the cluster from each node. A flood depends on the cells that it reaches and on those beside
    /// them, where costs differ also beside the cluster: where no change touches these, its outcome is taken over. Where
    /// costs differ, it is mended.
    ///
    /// PERF: 172,000 instructions a random edit on AcrosstheCape instead of 198,000, all in all (callgrind).
    fn measure(
        &mut self,
        grid: &Grid,
        block: &CellBox,
        flood: &mut Flood,
        before: &Self,
        edits: Edits<'_>,
    ) {
        let count = self.nodes.len();
        let table = block.cell_count().div_ceil(2);
        let mut costs = vec![UNREACHED; count * count];
        let mut steps = vec![0u8; table * count];
        let mut uneven = vec![false; count];
        let mut entered = None;
        self.even_cost = even_cost(grid, block);
        let Edits { effects, shaped: was_shaped } = edits;
        let tilted = effects.iter().any(|effect| edits.tilt(grid, block, effect));
        // Where steps lead one way, what is known of one node does not show what leads there from another. Where the last
        // border has just gone, ground may have become level, and floods choose otherwise among equal ways.
        let shaped = grid.is_shaped();
        let comparable = self.even_cost == before.even_cost && !tilted && !was_shaped;
        let whole = block.rect();
        let changed = effects.iter().filter_map(|effect| effect.rect.overlap(&whole));
        // What is left of each change, with the cells around it.
        let near: Vec<CellRect> =
            changed.clone().filter_map(|rect| rect.with_ring().overlap(&whole)).collect();
        let few = changed.clone().map(|rect| rect.cell_count()).sum::<u64>() <= MENDED_MAX;
        let changed = changed.flat_map(|rect| rect.cells()).map(|cell| block.local(cell) as u16);
        let changed: Option<Vec<u16>> = few.then(|| changed.collect());
        let known = |node: u16| {
            let old = before.nodes.binary_search(&node).ok()?;
            (comparable && before.stands(block, old, self.even_cost, &near)).then_some(old)
        };
        let known: Vec<Option<usize>> = self.nodes.iter().map(|&node| known(node)).collect();
        for node in 0..count {
            let rows = &mut steps[node * table..(node + 1) * table];
            if let Some(old) = known[node] {
                rows.copy_from_slice(&before.steps[old * table..(old + 1) * table]);
                uneven[node] = before.uneven[old];
                for (to, known) in known.iter().enumerate() {
                    if let Some(old_to) = *known {
                        costs[node * count + to] = before.costs_from(old)[old_to];
                    }
                }
                continue;
            }
            let source = usize::from(self.nodes[node]);
            let domain = grid.domain_of(block.cell(source));
            if entered != Some(domain) {
                let Some(board) = grid.board_of(block.cell(source)) else { continue };
                flood.enter(grid, board, block);
                entered = Some(domain);
            }
            let old = before.nodes.binary_search(&self.nodes[node]).ok();
            let old = old.filter(|&old| before.uneven.get(old) == Some(&true));
            let mended = old.zip(changed.as_ref()).filter(|(old, changed)| {
                let former = &before.steps[old * table..(old + 1) * table];
                flood.mend(grid, source, former, changed)
            });
            let mut note = |to: usize, cost: u32| {
                costs[to * count + node] = cost;
                if !shaped {
                    // There and back costs the same.
                    costs[node * count + to] = cost;
                }
            };
            if let Some((old, _)) = mended {
                for (to, &local) in self.nodes.iter().enumerate() {
                    let unchanged = || match before.nodes.binary_search(&local) {
                        Ok(to) => before.costs_from(to)[old],
                        Err(_) => {
                            let cell = block.cell(usize::from(local));
                            before.cost_to(grid, block, cell, old).unwrap_or(UNREACHED)
                        }
                    };
                    note(to, flood.mended_cost(usize::from(local)).unwrap_or_else(unchanged));
                }
                flood.take_mended_steps();
            } else {
                flood.run_backwards(grid, source);
                flood.settle_steps(grid);
                for (to, &local) in self.nodes.iter().enumerate() {
                    note(to, flood.cost(usize::from(local)));
                }
            }
            uneven[node] = flood.is_uneven();
            flood.write_steps(rows);
        }
        self.costs = costs.into();
        self.steps = steps.into();
        self.uneven = uneven.into();
    }

    /// Whether the flood from a node is the same after changes in the block, given with the cells around them.
    fn stands(&self, block: &CellBox, node: usize, even: Option<u32>, near: &[CellRect]) -> bool {
        let reached = |cells: &CellRect| cells.cells().any(|cell| self.reaches(block, cell, node));
        // Where costs differ, a flood depends on them all.
        near.is_empty() || (even.is_some() && !near.iter().any(reached))
    }

    /// Numbers the connected parts in the order of their first nodes.
    fn find_parts(&mut self) {
        let mut parts: Vec<u8> = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in 0..self.nodes.len() {
            let joined = |other: &usize| {
                self.costs_from(*other)[node] != UNREACHED
                    || self.costs_from(node)[*other] != UNREACHED
            };
            let first = (0..node).find(joined);
            let part = first.map_or(count, |other| parts[other]);
            count += u8::from(first.is_none());
            // Where steps lead one way, a node can join parts that knew nothing of each other.
            for other in (0..node).filter(joined) {
                let (kept, gone) = (part.min(parts[other]), part.max(parts[other]));
                if kept != gone {
                    parts.iter_mut().filter(|at| **at == gone).for_each(|at| *at = kept);
                }
            }
            parts.push(first.map_or(part, |other| parts[other]));
        }
        renumber(&mut parts);
        self.parts = parts.into();
    }

    pub(crate) fn part_count(&self) -> usize {
        self.parts.iter().max().map_or(0, |&last| usize::from(last) + 1)
    }

    /// Whether every cell can be entered at one cost, so that no tables are kept.
    pub(super) fn is_open(&self) -> bool {
        self.steps.is_empty()
    }

    /// The direction from a cell of the cluster towards a node; `None` at the node itself, and where
    /// no way leads to it.
    fn step(&self, block: &CellBox, local: usize, node: usize) -> Option<u8> {
        let table = block.cell_count().div_ceil(2);
        let (place, shift) = if local < table { (local, 0) } else { (local - table, 4) };
        let step = self.steps[node * table + place] >> shift & 15;
        (step != NO_STEP).then_some(step)
    }

    /// Whether a way inside the cluster leads from a cell to a node.
    pub(crate) fn reaches(&self, block: &CellBox, cell: Cell, node: usize) -> bool {
        let local = block.local(cell);
        self.is_open()
            || local == usize::from(self.nodes[node])
            || self.step(block, local, node).is_some()
    }

    /// Calls `visit` with each cell on the cheapest way inside the cluster from a cell to a node,
    /// the first one left out.
    pub(crate) fn walk(
        &self,
        grid: &Grid,
        block: &CellBox,
        from: Cell,
        node: usize,
        mut visit: impl FnMut(Cell, u8),
    ) {
        let goal = self.cell(block, node);
        let mut at = from;
        while at != goal {
            let direction = if self.is_open() {
                open_direction(grid, at, goal)
            } else {
                let Some(step) = self.step(block, block.local(at), node) else { return };
                step
            };
            let (dx, dy) = DELTAS[usize::from(direction) & 7];
            at = Cell::new(at.x.wrapping_add_signed(dx), at.y.wrapping_add_signed(dy));
            visit(at, direction);
        }
    }

    /// The packed cost of that way; `None` if there is none.
    pub(crate) fn cost_to(
        &self,
        grid: &Grid,
        block: &CellBox,
        from: Cell,
        node: usize,
    ) -> Option<u32> {
        if !self.reaches(block, from, node) {
            return None;
        }
        if self.is_open() {
            return Some(open_cost(grid, from, self.cell(block, node)));
        }
        if let Some(cell_cost) = grid.uniform_cost() {
            let mut counts = [0u64; 2];
            self.walk(grid, block, from, node, |_, direction| {
                counts[usize::from(direction >= 4)] += 1;
            });
            let steps = grid.movement().steps();
            let price = |diagonal| u64::from(steps.step(diagonal, 2 * cell_cost));
            return Some(pack(counts[0] * price(false) + counts[1] * price(true)));
        }
        let (mut cost, mut before) = (0, from);
        // A link between neighbours may cost less than the step.
        let linked = grid.has_links();
        self.walk(grid, block, from, node, |at, _| {
            cost += match linked {
                true => grid.walking_cost(before, at).map_or(0, u64::from),
                false => grid.cost_along(&[before, at]).0,
            };
            before = at;
        });
        Some(pack(cost))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.nodes.len() * size_of::<u16>()
            + self.exits.len() * size_of::<Exit>()
            + self.border.len()
            + self.costs.len() * size_of::<u32>()
            + self.steps.len()
            + self.uneven.len()
            + self.parts.len()
    }
}

/// Numbers parts in the order in which they occur.
fn renumber(parts: &mut [u8]) {
    let mut numbers = [u8::MAX; 256];
    let mut count = 0;
    for part in parts {
        let number = &mut numbers[usize::from(*part)];
        if *number == u8::MAX {
            *number = count;
            count += 1;
        }
        *part = *number;
    }
}

/// What has changed since a cluster was built.
#[derive(Clone, Copy)]
pub(super) struct Edits<'e> {
    pub(super) effects: &'e [CellEffect],
    /// Whether borders, heights or links count, or did before.
    pub(super) shaped: bool,
}

impl Edits<'_> {
    /// Whether a change beside the block may make its border cells level ground, or cells that are not.
    fn tilt(&self, grid: &Grid, block: &CellBox, effect: &CellEffect) -> bool {
        let reach = reach_of(self.shaped, effect);
        let beside = !block.rect().holds(&effect.rect) && reach.overlaps(&block.rect());
        // Where all ground is level now, it was before unless this cell made the difference.
        let differed =
            || effect.before.is_some_and(|before| Some(before.cost) != grid.uniform_cost());
        beside && (!grid.is_all_level() || self.shaped || differed())
    }
}

/// The places whose steps an effect may change, and around which ground may be level now, or no longer. Where borders or
/// heights count, or did before, a cell decides about diagonal steps past it, and these about level ground one place farther.
pub(super) fn reach_of(shaped: bool, effect: &CellEffect) -> CellRect {
    let near = effect.rect.with_ring();
    if shaped { near.with_ring() } else { near }
}

/// The packed cost between two cells with nothing in the way.
fn open_cost(grid: &Grid, a: Cell, b: Cell) -> u32 {
    let (dx, dy) = a.offset(b);
    let steps = grid.movement().steps();
    let sum = 2 * grid.cost_of(a).unwrap_or(0);
    let price = |count: u32, diagonal| u64::from(count) * u64::from(steps.step(diagonal, sum));
    pack(if grid.movement().rule().has_diagonals() {
        let (max, min) = (dx.max(dy), dx.min(dy));
        price(max - min, false) + price(min, true)
    } else {
        price(dx + dy, false)
    })
}

/// The first step between two different cells with nothing in the way: diagonal where it can be.
fn open_direction(grid: &Grid, from: Cell, to: Cell) -> u8 {
    let sign = |a: u32, b: u32| i32::from(b > a) - i32::from(b < a);
    let (mut dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
    if dy != 0 && !grid.movement().rule().has_diagonals() {
        dx = 0;
    }
    DELTAS.iter().position(|&delta| delta == (dx, dy)).unwrap_or(0) as u8
}
