//! Following large edits in slices.
//!
//! Cells that have changed are noted, and patched a few at a time: each few go up through all layers, from the grid as
//! it is then. In between the layers above the cells agree with each other, and groups of cells differ from the grid only
//! beside cells that wait for their turn. A later edit adds its cells. When none is left, it is decided again where
//! searches begin, if enough has changed. Until then the abstraction describes no grid, and answers nothing.
//!
//! What comes of it depends on the cells and on when they were noted, not on the slices: which cells are patched together
//! follows from what waits alone.

use super::patch::PatchMemory;
use super::survey::Assessment;
use super::{Pra, check_costs};
use crate::grid::{Cell, CellEffect, CellRect, Change, Edition, Grid};
use std::sync::Arc;

/// After this share of cells has changed, it is decided again where searches should begin.
const JUDGE_SHARE: usize = 128;
/// From this share of changed cells on, rebuilding is cheaper.
const REBUILD_SHARE: usize = 16;
/// Columns and rows of cells that are patched together.
const BLOCK: (u32, u32) = (4, 2);
/// What it counts to patch a cell: some microseconds.
const PATCHING: u64 = 8;

/// Cells that an edit has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangedCells {
    pub(super) rect: CellRect,
    pub(super) what: CellChange,
}

/// What an edit has changed about cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellChange {
    /// Whether agents can stand there, or in which domain.
    Footing,
    /// What they cost, and nothing else.
    Cost,
    /// Steps or links from or to them, and nothing else.
    Steps,
}

impl CellChange {
    /// All of them, in the order of the numbers that they are saved as.
    pub(super) const ALL: [Self; 3] = [Self::Footing, Self::Cost, Self::Steps];

    fn of(effect: &CellEffect) -> Self {
        match effect.steps_alone {
            true => Self::Steps,
            false if effect.is_cost_alone() => Self::Cost,
            false => Self::Footing,
        }
    }
}

/// What is left to be done to keep up with edits.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// The grid after the latest edit that was noted; `None` if nothing is left.
    pub(super) grid: Option<Edition>,
    /// Cells that have changed; the last come first.
    pub(super) cells: Vec<ChangedCells>,
    /// How far it is decided where searches begin.
    pub(super) assessment: Option<Assessment>,
}

impl Pending {
    /// Moves the next few cells to a list. Returns how many they are.
    fn take_chunk(&mut self, chunk: &mut Vec<ChangedCells>) -> u64 {
        let most = u64::from(BLOCK.0 * BLOCK.1);
        let mut count = 0;
        chunk.clear();
        while let Some(next) = self.cells.pop() {
            let (min, max) = (next.rect.min(), next.rect.max());
            if next.rect.cell_count() > most {
                // A block of its corner, and what is beside and below it.
                let with =
                    |min: Cell, max: Cell| ChangedCells { rect: CellRect::new(min, max), ..next };
                let end = Cell::new(max.x.min(min.x + BLOCK.0 - 1), max.y.min(min.y + BLOCK.1 - 1));
                if end.y < max.y {
                    self.cells.push(with(Cell::new(min.x, end.y + 1), max));
                }
                if end.x < max.x {
                    self.cells.push(with(Cell::new(end.x + 1, min.y), Cell::new(max.x, end.y)));
                }
                self.cells.push(with(min, end));
                continue;
            }
            if count + next.rect.cell_count() > most {
                self.cells.push(next);
                break;
            }
            count += next.rect.cell_count();
            chunk.push(next);
        }
        count
    }

    fn cell_count(&self) -> usize {
        self.cells.iter().map(|changed| changed.rect.cell_count()).sum::<u64>() as usize
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.cells.capacity() * size_of::<ChangedCells>()
    }
}

impl Pra {
    /// Notes what differs from the grid that it describes, beside what was noted before. Returns whether it can
    /// follow: not if the grid cannot be the one it knew, or the changes cannot be its own; then nothing was done.
    pub(super) fn note_changes(&mut self, grid: &Grid, changes: &[Change]) -> bool {
        let movement = grid.shared_movement();
        let same_agents = Arc::ptr_eq(&self.movement, &movement) || self.movement == movement;
        let known = [Some(self.grid), self.pending.grid].contains(&Some(grid.edition()));
        let unexplained = changes.is_empty() && !known;
        if unexplained || !same_agents || self.extent != grid.extent() || check_costs(grid).is_err()
        {
            return false;
        }
        // Cells outside the map cannot have changed.
        if changes.iter().any(|change| !self.extent.contains(change.rect.max())) {
            return false;
        }
        let before = self.pending.cells.len();
        let effects = grid.effects_of(changes);
        self.pending.cells.extend(
            effects
                .iter()
                .map(|effect| ChangedCells { rect: effect.rect, what: CellChange::of(effect) }),
        );
        let noted = &self.pending.cells[before..];
        self.wear += noted.iter().map(|changed| changed.rect.cell_count()).sum::<u64>() as usize;
        self.pending.grid = Some(grid.edition());
        true
    }

    /// Patches what was noted, as far as `left` goes: what remains of it when this returns. Returns whether it describes
    /// the grid.
    pub(super) fn patch_on(
        &mut self,
        grid: &Grid,
        memory: &mut PatchMemory,
        left: &mut u64,
    ) -> bool {
        let mut chunk = std::mem::take(&mut memory.chunk);
        while !self.pending.cells.is_empty() && *left > 0 {
            let count = self.pending.take_chunk(&mut chunk);
            *left = left.saturating_sub(count * PATCHING);
            self.patch_cells(grid, &chunk, memory);
        }
        memory.chunk = chunk;
        self.pending.cells.is_empty() && self.end_patch(grid, memory, left)
    }

    /// As [`Pra::patch_on`], all at once. Returns whether it was rebuilt, as that is cheaper.
    pub(super) fn patch_at_once(&mut self, grid: &Grid, memory: &mut PatchMemory) -> bool {
        if self.pending.cell_count() > self.cells.len() / REBUILD_SHARE + 64
            && let Ok(rebuilt) = Self::build(grid, self.options)
        {
            *self = rebuilt;
            return true;
        }
        let mut cells = std::mem::take(&mut self.pending.cells);
        self.patch_cells(grid, &cells, memory);
        cells.clear();
        self.pending.cells = cells;
        self.end_patch(grid, memory, &mut { u64::MAX });
        false
    }

    /// Decides where searches begin, if enough has changed. Returns whether it describes the grid.
    fn end_patch(&mut self, grid: &Grid, memory: &mut PatchMemory, left: &mut u64) -> bool {
        if self.wear > self.cells.len() / JUDGE_SHARE + 64 {
            let mut assessment =
                self.pending.assessment.take().unwrap_or_else(|| self.begin_assessment());
            let PatchMemory { survey, flood, .. } = memory;
            match self.assess_on(grid, &mut assessment, survey, flood, left) {
                Some(layer) => self.usual_layer = layer,
                None => {
                    self.pending.assessment = Some(assessment);
                    return false;
                }
            }
            self.wear = 0;
        }
        self.pending.grid = None;
        self.grid = grid.edition();
        self.own = Edition::new();
        true
    }
}
