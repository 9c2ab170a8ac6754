//! A layer of the abstraction: nodes, each standing for a few connected nodes of the layer below.
//!
//! ```text
//!   layer 2        P ────────── Q           kin: parent and next sibling of each node below
//!                 / \            \          first_child: where a node's children begin
//!   layer 1      a → b           c          links: neighbours on the same layer
//! ```
//!
//! Children are a chain through their siblings, so that a node can change its parent in place.
//!
//! Nodes are neighbours where steps lead both ways. Where a step cannot be taken back, and where a link of the map leads,
//! nodes are joined one way: lists of their own, which are empty on most maps. Groups are made of neighbours alone. So
//! whoever enters a group can leave it wherever something leads out of it.

use super::links::Links;
use crate::grid::shared::Shared;
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

/// How a node is joined with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// By steps both ways.
    BothWays,
    /// By a step there that cannot be taken back, or by one from there.
    Onwards,
    Back,
    /// By a link of the map that leads there, or by one from there.
    Link,
    LinkBack,
}

impl Joint {
    /// All of them, and those that lead one way.
    pub(super) const ALL: [Self; 5] =
        [Self::BothWays, Self::Onwards, Self::Back, Self::Link, Self::LinkBack];
    pub(super) const WAYS: [Self; 4] = [Self::Onwards, Self::Back, Self::Link, Self::LinkBack];

    /// The same, seen from the other node.
    #[inline]
    pub(super) fn reverse(self) -> Self {
        match self {
            Self::BothWays => Self::BothWays,
            Self::Onwards => Self::Back,
            Self::Back => Self::Onwards,
            Self::Link => Self::LinkBack,
            Self::LinkBack => Self::Link,
        }
    }
}

/// Nodes with neighbours: the cells, or a layer.
pub(super) trait Graph {
    /// The neighbours of a node: steps lead there and back.
    fn visit(&self, node: u32, visit: impl FnMut(u32));
    /// The nodes that a node is joined with in a way.
    fn visit_joined(&self, node: u32, joint: Joint, visit: impl FnMut(u32));
    fn place(&self, node: u32) -> LayerPoint;
    /// Whether nodes may be joined one way.
    fn has_ways(&self) -> bool;

    /// Whether nothing leads from a node or to it.
    fn is_alone(&self, node: u32) -> bool {
        let mut alone = true;
        self.visit(node, |_| alone = false);
        if alone && self.has_ways() {
            for way in Joint::WAYS {
                self.visit_joined(node, way, |_| alone = false);
            }
        }
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
    /// Whether steps may be closed, or cells be joined by links.
    shaped: bool,
    /// What one of a cell's cost is in its toll.
    toll_scale: u32,
}

/// What one of a cell's cost is in tolls of layers. Where agents pay for slopes, these are part of it: finer.
pub(super) fn toll_scale(grid: &Grid) -> u32 {
    if grid.movement().slopes().has_price() { 8 } else { 1 }
}

impl<'g> Cells<'g> {
    pub(super) fn new(grid: &'g Grid) -> Self {
        let width = grid.extent().width() as i32;
        Self {
            grid,
            extent: grid.extent(),
            moves: grid.movement().rule().moves(),
            strides: crate::grid::DELTAS.map(|(dx, dy)| dy * width + dx),
            shaped: grid.is_shaped(),
            toll_scale: toll_scale(grid),
        }
    }

    pub(super) fn cell(&self, node: u32) -> Cell {
        self.extent.cell(CellId(node))
    }

    /// A bit for each direction that one may leave a cell by, and come back.
    #[inline]
    pub(super) fn moves(&self, cell: Cell) -> u8 {
        let moves = self.flat_moves(cell);
        if self.shaped { moves & self.sides(cell, moves)[0] } else { moves }
    }

    /// The same if no step were closed.
    #[inline]
    pub(super) fn flat_moves(&self, cell: Cell) -> u8 {
        self.grid.board_of(cell).map_or(0, |board| self.moves[board.neighbourhood(cell)])
    }

    /// Of some steps from a cell: those that lead both ways, those that lead there alone, and those that lead back alone.
    fn sides(&self, cell: Cell, moves: u8) -> [u8; 3] {
        let here = self.extent.id_inside(cell);
        let mut sides = [0; 3];
        for direction in (0..8u32).filter(|direction| moves >> direction & 1 == 1) {
            let beside = CellId(self.step(here.0, direction));
            let onwards = !self.grid.is_closed(here, direction as usize);
            let back = !self.grid.is_closed(beside, direction as usize ^ 2);
            let side = match (onwards, back) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => continue,
            };
            sides[side] |= 1 << direction;
        }
        sides
    }

    /// What a cell costs on the way over it: with slopes, the mean of those around it, up and down. Of two ways between the
    /// same ends, the one with less up and down costs less, whatever up and down cost; so it counts what both cost together.
    pub(super) fn toll(&self, node: u32) -> u32 {
        let (here, scale) = (CellId(node), self.toll_scale);
        let cost = self.grid.cost_at(here).saturating_mul(scale);
        if scale == 1 || !self.shaped {
            return cost;
        }
        let (mut sum, mut count) = (0u64, 0u64);
        self.visit_moves(node, self.flat_moves(self.cell(node)), |other| {
            let other = CellId(other);
            sum +=
                u64::from(self.grid.slope(here, other)) + u64::from(self.grid.slope(other, here));
            count += 2;
        });
        // A step costs its length times the sum of both cells' costs.
        let per_cost = 2 * u64::from(self.grid.movement().steps().straight()) * count.max(1);
        let slope = (sum * u64::from(scale) + per_cost / 2) / per_cost;
        cost.saturating_add(u32::try_from(slope).unwrap_or(u32::MAX))
    }

    fn visit_moves(&self, node: u32, mut moves: u8, mut visit: impl FnMut(u32)) {
        while moves != 0 {
            visit(self.step(node, moves.trailing_zeros()));
            moves &= moves - 1;
        }
    }

    #[inline]
    pub(super) fn step(&self, node: u32, direction: u32) -> u32 {
        node.wrapping_add_signed(self.strides[direction as usize])
    }
}

impl Graph for Cells<'_> {
    #[inline]
    fn visit(&self, node: u32, visit: impl FnMut(u32)) {
        self.visit_moves(node, self.moves(self.cell(node)), visit);
    }

    fn visit_joined(&self, node: u32, joint: Joint, mut visit: impl FnMut(u32)) {
        let cell = self.cell(node);
        match joint {
            Joint::BothWays => self.visit(node, visit),
            Joint::Onwards | Joint::Back => {
                let [_, onwards, back] = self.sides(cell, self.flat_moves(cell));
                let moves = if joint == Joint::Onwards { onwards } else { back };
                self.visit_moves(node, moves, visit);
            }
            Joint::Link | Joint::LinkBack => {
                let backwards = joint == Joint::LinkBack;
                self.grid.visit_links(CellId(node), backwards, |other, _| visit(other.0));
            }
        }
    }

    fn place(&self, node: u32) -> LayerPoint {
        LayerPoint::of_cell(self.cell(node), self.toll(node))
    }

    fn has_ways(&self) -> bool {
        self.shaped
    }
}

/// A layer as a graph, while what lies above it changes.
#[derive(Clone, Copy)]
pub(super) struct LayerGraph<'a> {
    pub(super) links: &'a Links,
    pub(super) places: &'a Places,
    pub(super) ways: &'a Ways,
}

impl Graph for LayerGraph<'_> {
    #[inline]
    fn visit(&self, node: u32, visit: impl FnMut(u32)) {
        self.links.of(node).iter().copied().for_each(visit);
    }

    fn visit_joined(&self, node: u32, joint: Joint, visit: impl FnMut(u32)) {
        let list = match self.ways.of(joint) {
            Some(way) => way.get(node),
            None => self.links.of(node),
        };
        list.iter().copied().for_each(visit);
    }

    fn place(&self, node: u32) -> LayerPoint {
        self.places[node as usize]
    }

    fn has_ways(&self) -> bool {
        !self.ways.is_empty()
    }
}

/// Which nodes of a layer are joined one way: a list for each of [`Joint::WAYS`].
#[derive(Clone, Debug, Default)]
pub(super) struct Ways([Links; 4]);

impl Ways {
    /// The lists of a way; `None` for steps both ways.
    #[inline]
    pub(super) fn of(&self, joint: Joint) -> Option<&Links> {
        let [onwards, back, links, links_back] = &self.0;
        match joint {
            Joint::BothWays => None,
            Joint::Onwards => Some(onwards),
            Joint::Back => Some(back),
            Joint::Link => Some(links),
            Joint::LinkBack => Some(links_back),
        }
    }

    /// Whether no two nodes are joined one way.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|links| links.count() == 0)
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
    pub(super) ways: Ways,
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
        LayerGraph { links: &self.links, places: &self.places, ways: &self.ways }
    }

    /// The nodes that a node is joined with in a way.
    #[inline]
    pub(super) fn joined(&self, joint: Joint, node: u32) -> &[u32] {
        match self.ways.of(joint) {
            Some(way) => way.get(node),
            None => self.links.of(node),
        }
    }

    /// The lists of a joint.
    #[inline]
    pub(super) fn lists_mut(&mut self, joint: Joint) -> &mut Links {
        match joint {
            Joint::BothWays => &mut self.links,
            Joint::Onwards => &mut self.ways.0[0],
            Joint::Back => &mut self.ways.0[1],
            Joint::Link => &mut self.ways.0[2],
            Joint::LinkBack => &mut self.ways.0[3],
        }
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

    /// Puts children under a node without any, in their order.
    ///
    /// PERF: every write asks whether its page is shared.
    pub(super) fn adopt_all(&mut self, kin: &mut Shared<Kin>, node: u32, children: &[u32]) {
        let mut first = NONE;
        for &child in children.iter().rev() {
            kin[child as usize] = Kin { parent: node, sibling: first };
            first = child;
        }
        self.first_child[node as usize] = first;
        self.places[node as usize].children = children.len() as u16;
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
            + self.ways.0.iter().map(Links::memory_bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four cells, row by row, that cost so much.
    struct Block([u16; 4]);

    impl Graph for Block {
        fn visit(&self, _node: u32, _visit: impl FnMut(u32)) {}

        fn visit_joined(&self, _node: u32, _joint: Joint, _visit: impl FnMut(u32)) {}

        fn has_ways(&self) -> bool {
            false
        }

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
