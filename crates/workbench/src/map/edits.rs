//! Edits of the map, undo and redo, and what follows a change of cells.

use super::document::Changed;
use super::engine::Detail;
use super::{MapMode, Touched};
use highroad::Cell;
use highroad::grid::Batch;
use std::ops::RangeInclusive;
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
    /// The least and the greatest height: all shades depend on them.
    heights: Option<RangeInclusive<u16>>,
}

/// The box of cells that the latest edit changed.
#[derive(Clone, Copy)]
struct Glow {
    min: Cell,
    max: Cell,
    since: Duration,
}

impl MapMode {
    /// Makes changes to the map, or says why not.
    pub fn edit(&mut self, batch: &Batch) {
        match self.document.edit(batch) {
            Ok(changed) => self.after_change(&changed),
            Err(error) => self.say_error(format!("This cannot be drawn: {error}.")),
        }
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
        self.parts.note_change();
        self.run.note_edit();
        self.want_live();
    }

    fn note_cells(&mut self, cells: &[Cell]) {
        let map = self.document.grid().map();
        let extent = map.extent();
        let heights = map.has_relief().then(|| map.height_range());
        if self.renewal.heights != heights {
            self.renewal.heights = heights.clone();
            self.renewal.touched.everything();
        }
        let Some(&first) = cells.first() else { return };
        let (mut min, mut max) = (first, first);
        for &cell in cells {
            self.renewal.touched.cell(cell);
            if heights.is_some() {
                // The shade of a slope depends on the height of the cell before it.
                let beside = Cell::new(cell.x + 1, cell.y + 1);
                self.renewal.touched.cell(if extent.contains(beside) { beside } else { cell });
            }
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
