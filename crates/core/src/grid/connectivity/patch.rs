//! Following edits.

use super::leaf::{Leaf, TOWARDS};
use super::{Connectivity, FAN_BITS, Level, Pyramid, moved, slips_aside, split};
use crate::grid::{Board, Cell, CellEffect, CellRect, Change, Extent, Footing, Grid};
use std::sync::Arc;

impl Connectivity {
    /// Follows an edit: `changes` are all that the grid differs by from what this described, in any order.
    ///
    /// Cells that only cost something else now cost nothing here. A grid of another size, profile or rule is
    /// looked at as a whole.
    pub fn follow(&mut self, grid: &Grid, changes: &[Change]) {
        let rule = grid.movement().rule();
        let boards = grid.boards();
        if (self.extent, self.rule, self.domains.len()) != (grid.extent(), rule, boards.len()) {
            *self = Self::of(grid);
            return;
        }
        let effects = grid.effects_of(changes);
        for (domain, (pyramid, board)) in self.domains.iter_mut().zip(boards).enumerate() {
            let differs = |effect: &&CellEffect| {
                let lies_in = |footing: Option<Footing>| {
                    footing.is_some_and(|footing| footing.domain.index() == domain)
                };
                lies_in(effect.before) != lies_in(effect.after)
            };
            let differing = effects.iter().filter(differs).map(|effect| effect.rect);
            pyramid.follow(board, self.extent, differing, slips_aside(rule));
        }
        self.exact = !grid.is_shaped();
        self.linked = grid.has_links();
        self.grid = grid.edition();
    }
}

impl Pyramid {
    /// Follows changes of the bits in some rectangles.
    fn follow(
        &mut self,
        board: &Board,
        cells: Extent,
        differing: impl Iterator<Item = CellRect>,
        aside: bool,
    ) {
        let mut touched: Vec<Cell> = Vec::new();
        for inside in differing.filter_map(|rect| rect.overlap(&cells.rect())) {
            let blocks = CellRect::new(split(inside.min()).0, split(inside.max()).0);
            touched.extend(blocks.cells());
        }
        touched.sort_unstable();
        touched.dedup();
        // Leaves that look different from outside.
        let mut stirred: Vec<Cell> = Vec::new();
        let mut edges_due: Vec<Cell> = Vec::new();
        for place in touched {
            let leaf = Leaf::read(board, cells.height(), (place.x, place.y), aside);
            let (same_outline, renumbered) = self.replace(place, leaf);
            if same_outline {
                continue;
            }
            if renumbered {
                stirred.push(place);
            }
            edges_due.push(place);
            edges_due.extend(TOWARDS.map(|(columns, rows)| moved(place, (-columns, -rows))));
        }
        edges_due.sort_unstable();
        edges_due.dedup();
        edges_due.retain(|&place| self.renew_edges(place, aside));
        stirred.append(&mut edges_due);
        self.rejoin(stirred);
    }

    /// Puts another leaf in place; whether its border looks the same, and if not, whether its parts have other
    /// numbers.
    fn replace(&mut self, place: Cell, mut leaf: Leaf) -> (bool, bool) {
        let slot = &mut self.leaves[self.extent.id_inside(place).index()];
        let same_outline = leaf.has_outline_of(slot);
        let renumbered = !same_outline && leaf.is_renumbered_from(slot);
        leaf.edges = slot.edges.clone();
        match Arc::get_mut(slot) {
            Some(unshared) => *unshared = leaf,
            None => *slot = Arc::new(leaf),
        }
        (same_outline, renumbered)
    }

    /// Joins the blocks above some leaves again.
    fn rejoin(&mut self, mut places: Vec<Cell>) {
        for level in 0..self.levels.len() {
            for place in &mut places {
                *place = Cell::new(place.x >> FAN_BITS, place.y >> FAN_BITS);
            }
            places.sort_unstable();
            places.dedup();
            for &block in &places {
                let joint = self.join(level, block);
                let Level { extent, joints } = &mut self.levels[level];
                let at = extent.id_inside(block).index();
                if *joints[at] != joint {
                    joints[at] = Arc::new(joint);
                }
            }
        }
    }
}
