//! Edits of the map, undo and redo, and what follows a change of cells.

use super::engine::Detail;
use super::{Bench, Walker};
use highroad::Cell;
use highroad::grid::{Batch, Change};
use std::time::Duration;

/// How long changed cells glow.
const GLOW_TIME: Duration = Duration::from_millis(450);

/// The box of cells that the latest edit changed.
#[derive(Clone, Copy)]
pub(super) struct Glow {
    min: Cell,
    max: Cell,
    since: Duration,
}

impl Bench {
    /// Makes changes to the map.
    pub fn edit(&mut self, batch: &Batch) {
        let changes = self.document.edit(batch);
        self.after_changes(&changes);
    }

    /// Takes the latest change back.
    pub fn undo(&mut self) {
        let changes = self.document.undo();
        self.after_changes(&changes);
        self.want(Detail::Everything);
    }

    /// Makes what was undone last again.
    pub fn redo(&mut self) {
        let changes = self.document.redo();
        self.after_changes(&changes);
        self.want(Detail::Everything);
    }

    fn after_changes(&mut self, changes: &[Change]) {
        let Some(first) = changes.first() else { return };
        let (mut min, mut max) = (first.cell, first.cell);
        for change in changes {
            self.touched.cell(change.cell);
            min = Cell::new(min.x.min(change.cell.x), min.y.min(change.cell.y));
            max = Cell::new(max.x.max(change.cell.x), max.y.max(change.cell.y));
        }
        self.glow = Some(Glow { min, max, since: self.seams.clock.now() });
        self.solver.note(changes);
        self.parts.is_stale = true;
        if self.walker.as_ref().is_some_and(Walker::is_under_way) {
            self.solver.want_for_agent();
        }
        self.want_live();
    }

    /// The box of cells that changed a moment ago, and how strongly it still glows.
    pub fn glow(&self) -> Option<(Cell, Cell, f32)> {
        let Glow { min, max, since } = self.glow?;
        let age = self.seams.clock.now().saturating_sub(since);
        (age < GLOW_TIME).then(|| (min, max, 1.0 - age.as_secs_f32() / GLOW_TIME.as_secs_f32()))
    }
}
