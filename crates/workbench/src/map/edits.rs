//! Edits of the map, undo and redo, and what follows a change of cells.

use super::document::Changed;
use super::engine::Detail;
use super::{MapMode, Touched};
use highroad::Cell;
use highroad::grid::Batch;
use std::time::Duration;

/// How long changed cells glow.
const GLOW_TIME: Duration = Duration::from_millis(450);

/// What has changed in the cells' looks.
#[derive(Default)]
pub struct Renewal {
    /// Cells whose terrain looks different.
    pub touched: Touched,
    /// Cells changed lately, which glow for a moment.
    glow: Option<Glow>,
}

/// The box of cells that the latest edit changed.
#[derive(Clone, Copy)]
struct Glow {
    min: Cell,
    max: Cell,
    since: Duration,
}

impl MapMode {
    /// Makes changes to the map.
    pub fn edit(&mut self, batch: &Batch) {
        let changed = self.document.edit(batch);
        self.after_change(&changed);
    }

    /// Takes the latest step back: an edit, a move of start or goal, another movement.
    pub fn undo(&mut self) {
        let reverted = self.document.undo();
        self.after_revert(&reverted);
    }

    /// Makes what was undone last again.
    pub fn redo(&mut self) {
        let reverted = self.document.redo();
        self.after_revert(&reverted);
    }

    fn after_revert(&mut self, reverted: &super::document::Reverted) {
        if reverted.is_movement {
            self.after_movement();
            return;
        }
        self.after_change(&reverted.changed);
        self.redirect_agent();
        self.want(Detail::Everything);
    }

    fn after_change(&mut self, changed: &Changed) {
        match changed {
            Changed::Nothing => return,
            Changed::Everything => self.renewal.touched.everything(),
            Changed::Cells(cells) => self.note_cells(cells),
        }
        self.parts.is_stale = true;
        self.run.note_edit();
        self.want_live();
    }

    fn note_cells(&mut self, cells: &[Cell]) {
        let Some(&first) = cells.first() else { return };
        let (mut min, mut max) = (first, first);
        for &cell in cells {
            self.renewal.touched.cell(cell);
            min = Cell::new(min.x.min(cell.x), min.y.min(cell.y));
            max = Cell::new(max.x.max(cell.x), max.y.max(cell.y));
        }
        self.renewal.glow = Some(Glow { min, max, since: self.seams.clock.now() });
    }

    /// The box of cells that changed a moment ago, and how strongly it still glows.
    pub fn glow(&self) -> Option<(Cell, Cell, f32)> {
        let Glow { min, max, since } = self.renewal.glow?;
        let age = self.seams.clock.now().saturating_sub(since);
        (age < GLOW_TIME).then(|| (min, max, 1.0 - age.as_secs_f32() / GLOW_TIME.as_secs_f32()))
    }
}
