//! The cell of a part that is nearest to a goal: for queries that have no path.
//!
//! From the block that holds the whole part down to cells, the block nearest to a goal first, and only into
//! blocks that the part reaches. It ends when no block is left that is as near as the best cell: a few blocks
//! a level, wherever the part lies and however large it is.

use super::joint::{CHILDREN, FAN};
use super::leaf::SIDE_BITS;
use super::{ConnectedPart, Connectivity, FAN_BITS, Pyramid};
use crate::grid::{Cell, CellId, CellRect};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of a block; least remoteness first.
type Waiting = Reverse<(u64, ConnectedPart)>;

/// Working memory of [`Connectivity::nearest`].
#[derive(Default)]
pub(crate) struct DescentMemory {
    open: BinaryHeap<Waiting>,
    parts: Vec<ConnectedPart>,
}

impl DescentMemory {
    /// The parts of some cells, each once.
    pub(super) fn parts_of(&mut self, all: &Connectivity, cells: &[Cell]) -> &[ConnectedPart] {
        self.parts.clear();
        for part in cells.iter().filter_map(|&cell| all.part_of(cell)) {
            if !self.parts.contains(&part) {
                self.parts.push(part);
            }
        }
        &self.parts
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.open.capacity() * size_of::<Waiting>()
            + self.parts.capacity() * size_of::<ConnectedPart>()
    }
}

/// The goals, and how far a cell lies from the nearest one: the more columns or rows, the farther.
struct Aim<'a, F> {
    goals: &'a [Cell],
    remoteness: F,
}

impl<F: Fn(Cell) -> u64> Aim<'_, F> {
    /// The least remoteness of a rectangle's cells.
    fn to_rect(&self, rect: CellRect) -> u64 {
        let (min, max) = (rect.min(), rect.max());
        let nearest =
            |goal: &Cell| Cell::new(goal.x.clamp(min.x, max.x), goal.y.clamp(min.y, max.y));
        self.goals.iter().map(|goal| (self.remoteness)(nearest(goal))).min().unwrap_or(0)
    }
}

impl Connectivity {
    /// The cell nearest to a goal (by a measure of remoteness that grows with columns and rows; among equals
    /// the topmost, then the leftmost) that can be reached from a start; `None` if no agent may stand on a
    /// start.
    pub(crate) fn nearest(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        remoteness: impl Fn(Cell) -> u64,
        memory: &mut DescentMemory,
    ) -> Option<Cell> {
        let aim = Aim { goals, remoteness };
        memory.parts_of(self, starts);
        let DescentMemory { open, parts } = memory;
        open.clear();
        open.extend(parts.iter().map(|&part| Reverse((aim.to_rect(self.rect(part)), part))));
        let mut best = None;
        while let Some(Reverse((least, part))) = open.pop() {
            if best.is_some_and(|(remoteness, _, _)| least > remoteness) {
                break;
            }
            let pyramid = &self.domains[usize::from(part.domain)];
            match part.level.checked_sub(1) {
                None => self.look_at_leaf(pyramid, part, &aim, &mut best),
                Some(level) => for_each_child(pyramid, level, part, |child| {
                    let least = aim.to_rect(self.rect(child));
                    if best.is_none_or(|(remoteness, _, _)| least <= remoteness) {
                        open.push(Reverse((least, child)));
                    }
                }),
            }
        }
        best.map(|(_, y, x)| Cell::new(x, y))
    }

    /// The cells that a part's block covers.
    fn rect(&self, part: ConnectedPart) -> CellRect {
        let extent = self.domains[usize::from(part.domain)].extent_at(usize::from(part.level));
        let place = extent.cell(CellId(part.block));
        let bits = SIDE_BITS + FAN_BITS * u32::from(part.level);
        let min = Cell::new(place.x << bits, place.y << bits);
        let last = (1 << bits) - 1;
        let (right, bottom) = (self.extent.width() - 1, self.extent.height() - 1);
        CellRect::new(min, Cell::new((min.x + last).min(right), (min.y + last).min(bottom)))
    }

    /// Compares the cells of a leaf's part with the best so far: remoteness, row, column.
    fn look_at_leaf<F: Fn(Cell) -> u64>(
        &self,
        pyramid: &Pyramid,
        part: ConnectedPart,
        aim: &Aim<'_, F>,
        best: &mut Option<(u64, u32, u32)>,
    ) {
        let leaf = &pyramid.leaves[part.block as usize];
        let rect = self.rect(part);
        for y in rect.min().y..=rect.max().y {
            let row = CellRect::new((rect.min().x, y), (rect.max().x, y));
            if best.is_some_and(|(remoteness, _, _)| aim.to_rect(row) > remoteness) {
                continue;
            }
            let runs = leaf.runs_in((y - rect.min().y) as usize, part.part as u16);
            for (first, last) in runs.map(|(a, b)| (rect.min().x + a, rect.min().x + b)) {
                for goal in aim.goals {
                    let cell = Cell::new(goal.x.clamp(first, last), y);
                    let found = ((aim.remoteness)(cell), y, cell.x);
                    *best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }
}

/// Visits the parts of children that a part of a block consists of. `level` is the block's, counted from the
/// one above leaves.
fn for_each_child(
    pyramid: &Pyramid,
    level: u8,
    part: ConnectedPart,
    mut visit: impl FnMut(ConnectedPart),
) {
    let above = &pyramid.levels[usize::from(level)];
    let below = pyramid.extent_at(usize::from(level));
    let block = above.extent.cell(CellId(part.block));
    let joint = &above.joints[part.block as usize];
    for child in 0..CHILDREN {
        let (first, end) = (joint.first[child], joint.first[child + 1]);
        for (number, joined) in (0..).zip(&joint.joined[first as usize..end as usize]) {
            if *joined == part.part {
                let (x, y) = (child as u32 % FAN, child as u32 / FAN);
                let place = Cell::new((block.x << FAN_BITS) + x, (block.y << FAN_BITS) + y);
                let block = below.id_inside(place).0;
                visit(ConnectedPart { domain: part.domain, level, block, part: number });
            }
        }
    }
}
