//! A layer of the abstraction: nodes, each standing for a few connected nodes of the layer below.
//!
//! ```text
//!   layer 2        P ────────── Q           kin: parent and next sibling of each node below
//!                 / \            \          first_child: where a node's children begin
//!   layer 1      a → b           c          links: neighbours on the same layer
//! ```
//!
//! Children are a chain through their siblings, so that a node can change its parent in place.

use super::links::Links;
use super::shared::Shared;
use crate::grid::{Cell, CellId, Extent, Grid};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// What lies above a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    pub(super) parent: u32,
    /// The parent's next child.
    pub(super) sibling: u32,
}

impl Kin {
    pub(super) const NOBODY: Self = Self { parent: NONE, sibling: NONE };
}

/// Where a node lies, in quarters of a cell, the average of its children; and what cells cost on the way through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayerPoint {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) toll: u16,
    /// How many children there are, up to what fits.
    pub(super) children: u16,
}

/// Parts of a cell that places are counted in: as many as let the largest map fit 16 bits.
pub(super) const PARTS: u32 = 4;

impl LayerPoint {
    pub(super) fn of_cell(cell: Cell, toll: u32) -> Self {
        let toll = toll.min(u32::from(u16::MAX)) as u16;
        Self { x: (cell.x * PARTS) as u16, y: (cell.y * PARTS) as u16, toll, children: 0 }
    }

    /// The cell that the place falls into.
    pub(super) fn cell(self) -> Cell {
        let round = |at: u16| (u32::from(at) + PARTS / 2) / PARTS;
        Cell::new(round(self.x), round(self.y))
    }

    /// Columns and rows between two places, in parts.
    #[inline(always)]
    pub(super) fn offset(self, other: Self) -> (u32, u32) {
        (u32::from(self.x.abs_diff(other.x)), u32::from(self.y.abs_diff(other.y)))
    }

    /// How far another place is, for choosing the nearest.
    pub(super) fn remoteness(self, other: Self) -> u32 {
        let (dx, dy) = self.offset(other);
        dx.max(dy) * 2 + dx.min(dy)
    }
}

/// Nodes with neighbours: the cells, or a layer.
pub(super) trait Graph {
    fn visit(&self, node: u32, visit: impl FnMut(u32));
    fn place(&self, node: u32) -> LayerPoint;

    fn is_alone(&self, node: u32) -> bool {
        let mut alone = true;
        self.visit(node, |_| alone = false);
        alone
    }
}

/// The cells of a grid, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct Cells<'g> {
    pub(super) grid: &'g Grid,
    pub(super) extent: Extent,
    moves: &'static [u8; 512],
    /// What each of the eight directions adds to a cell's number.
    strides: [i32; 8],
}

impl<'g> Cells<'g> {
    pub(super) fn new(grid: &'g Grid) -> Self {
        let width = grid.extent().width() as i32;
        Self {
            grid,
            extent: grid.extent(),
            moves: grid.movement().rule().moves(),
            strides: crate::grid::DELTAS.map(|(dx, dy)| dy * width + dx),
        }
    }

    pub(super) fn cell(&self, node: u32) -> Cell {
        self.extent.cell(CellId(node))
    }

    /// A bit for each direction that one may leave a cell by.
    #[inline]
    pub(super) fn moves(&self, cell: Cell) -> u8 {
        self.grid.board_of(cell).map_or(0, |board| self.moves[board.neighbourhood(cell)])
    }

    #[inline]
    pub(super) fn step(&self, node: u32, direction: u32) -> u32 {
        node.wrapping_add_signed(self.strides[direction as usize])
    }
}

impl Graph for Cells<'_> {
    #[inline]
    fn visit(&self, node: u32, mut visit: impl FnMut(u32)) {
        let mut moves = self.moves(self.cell(node));
        while moves != 0 {
            visit(self.step(node, moves.trailing_zeros()));
            moves &= moves - 1;
        }
    }

    fn place(&self, node: u32) -> LayerPoint {
        LayerPoint::of_cell(self.cell(node), self.grid.cost_at(CellId(node)))
    }

    fn is_alone(&self, node: u32) -> bool {
        self.moves(self.cell(node)) == 0
    }
}

/// A layer as a graph, while what lies above it changes.
#[derive(Clone, Copy)]
pub(super) struct LayerGraph<'a> {
    pub(super) links: &'a Links,
    pub(super) places: &'a Places,
}

impl Graph for LayerGraph<'_> {
    #[inline]
    fn visit(&self, node: u32, visit: impl FnMut(u32)) {
        self.links.of(node).iter().copied().for_each(visit);
    }

    fn place(&self, node: u32) -> LayerPoint {
        self.places[node as usize]
    }

    fn is_alone(&self, node: u32) -> bool {
        self.links.of(node).is_empty()
    }
}

/// Where nodes lie.
///
/// PERF: pages as large as the layers where searches usually begin, which then look places up in one
/// page, without finding the page first: 5 % fewer instructions a query.
pub(super) type Places = Shared<LayerPoint, 8192>;

#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) places: Places,
    pub(super) first_child: Shared<u32>,
    /// Towards the layer above.
    pub(super) kin: Shared<Kin>,
    pub(super) links: Links,
    /// Numbers that no node has.
    pub(super) vacant: Vec<u32>,
}

/// A group with more children is taken for one where these lie in no order.
const CROSSED_MAX: usize = 8;

/// What cells of a group cost on the way through it, where its children differ: whoever crosses it goes by way of the
/// cheapest two of them that lie in that direction, and the costlier of the two directions counts.
///
/// ```text
///   1 9      Left to right costs 5 either way, top to bottom 1: it counts as 5, as part of a wall of nines does.
///   1 9
///
///   1 9      A gap in the wall, or a single costly cell that one walks around: it counts as 1. By the average of all
///   1 1      cells, gaps of walls would be lost on higher layers.
/// ```
fn crossing_toll(below: &impl Graph, children: impl Iterator<Item = u32>) -> Option<u16> {
    let (mut places, mut count) = ([LayerPoint::default(); CROSSED_MAX], 0);
    for child in children {
        *places.get_mut(count)? = below.place(child);
        count += 1;
    }
    let places = &places[..count];
    let [mut aside, mut ahead] = [None::<u16>; 2];
    for (index, a) in places.iter().enumerate() {
        for b in &places[index + 1..] {
            let (dx, dy) = a.offset(*b);
            let toll = (u32::from(a.toll) + u32::from(b.toll)).div_ceil(2) as u16;
            for (lies_so, least) in [(dx >= dy, &mut aside), (dy >= dx, &mut ahead)] {
                if lies_so {
                    *least = Some(least.map_or(toll, |least| least.min(toll)));
                }
            }
        }
    }
    aside.max(ahead)
}

impl Layer {
    /// How many nodes there are.
    pub(super) fn node_count(&self) -> usize {
        self.places.len() - self.vacant.len()
    }

    /// Numbers of nodes are below this.
    pub(super) fn capacity(&self) -> usize {
        self.places.len()
    }

    pub(super) fn is_node(&self, node: u32) -> bool {
        self.first_child[node as usize] != NONE
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.places.len() as u32).filter(|&node| self.is_node(node))
    }

    pub(super) fn graph(&self) -> LayerGraph<'_> {
        LayerGraph { links: &self.links, places: &self.places }
    }

    /// A new node without children.
    pub(super) fn add(&mut self) -> u32 {
        if let Some(node) = self.vacant.pop() {
            return node;
        }
        let node = self.places.len() as u32;
        self.places.push(LayerPoint::default());
        self.first_child.push(NONE);
        self.kin.push(Kin::NOBODY);
        self.links.grow(self.places.len());
        node
    }

    /// The children of a node; `kin` is of the layer below.
    pub(super) fn children<'a>(
        &self,
        kin: &'a Shared<Kin>,
        node: u32,
    ) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let some = |child: u32| (child != NONE).then_some(child);
        let first = some(self.first_child[node as usize]);
        std::iter::successors(first, move |&child| some(kin[child as usize].sibling))
    }

    /// Puts a child first under a node.
    pub(super) fn adopt(&mut self, kin: &mut Shared<Kin>, node: u32, child: u32) {
        kin[child as usize] = Kin { parent: node, sibling: self.first_child[node as usize] };
        self.first_child[node as usize] = child;
        let children = &mut self.places[node as usize].children;
        *children = children.saturating_add(1);
    }

    /// Takes a child from its parent.
    pub(super) fn release(&mut self, kin: &mut Shared<Kin>, child: u32) {
        let Kin { parent, sibling } = std::mem::replace(&mut kin[child as usize], Kin::NOBODY);
        if self.first_child[parent as usize] == child {
            self.first_child[parent as usize] = sibling;
        } else {
            let before =
                self.children(kin, parent).find(|&other| kin[other as usize].sibling == child);
            if let Some(before) = before {
                kin[before as usize].sibling = sibling;
            }
        }
        self.places[parent as usize].children =
            self.children(kin, parent).count().min(usize::from(u16::MAX)) as u16;
    }

    /// Where a node lies by where its children do.
    pub(super) fn average(&self, below: &impl Graph, kin: &Shared<Kin>, node: u32) -> LayerPoint {
        let (mut x, mut y, mut toll, mut count) = (0u64, 0u64, 0u64, 0u64);
        let (mut first, mut even) = (None, true);
        for child in self.children(kin, node) {
            let place = below.place(child);
            x += u64::from(place.x);
            y += u64::from(place.y);
            toll += u64::from(place.toll);
            count += 1;
            even &= *first.get_or_insert(place.toll) == place.toll;
        }
        let mean = |sum: u64| ((sum + count / 2) / count.max(1)) as u16;
        let children = count.min(u64::from(u16::MAX)) as u16;
        let mut point = LayerPoint { x: mean(x), y: mean(y), toll: mean(toll), children };
        if !even && let Some(toll) = crossing_toll(below, self.children(kin, node)) {
            point.toll = toll;
        }
        point
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.places.memory_bytes()
            + self.first_child.memory_bytes()
            + self.kin.memory_bytes()
            + self.vacant.capacity() * 4
            + self.links.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four cells, row by row, that cost so much.
    struct Block([u16; 4]);

    impl Graph for Block {
        fn visit(&self, _node: u32, _visit: impl FnMut(u32)) {}

        fn place(&self, node: u32) -> LayerPoint {
            let toll = u32::from(self.0[node as usize]);
            LayerPoint::of_cell(Cell::new(node % 2, node / 2), toll)
        }
    }

    #[test]
    fn a_costly_cell_counts_where_no_way_leads_around_it() {
        let toll = |costs| crossing_toll(&Block(costs), 0..4);
        assert_eq!(toll([1, 9, 1, 9]), Some(5), "a wall from top to bottom");
        assert_eq!(toll([9, 9, 1, 1]), Some(5), "a wall from left to right");
        assert_eq!(toll([1, 9, 1, 1]), Some(1), "a gap in it, or a single cell");
        assert_eq!(toll([9, 9, 9, 9]), Some(9));
        assert_eq!(
            crossing_toll(&Block([1, 9, 0, 0]), 0..2),
            Some(5),
            "there is one direction alone"
        );
        assert_eq!(crossing_toll(&Block([1; 4]), (0..4).cycle().take(9)), None, "too many");
    }
}
