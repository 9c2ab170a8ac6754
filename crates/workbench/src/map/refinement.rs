//! The replay of the refinement, from the top layer down to the cells.

use super::{MapMode, RefinementView};
use std::time::Duration;

/// How long the replay of the refinement takes.
const REFINEMENT_SECONDS: f64 = 4.0;

impl MapMode {
    /// The stages that refinement goes through.
    pub fn stages(&self) -> Vec<(String, usize)> {
        RefinementView::stages(&self.layers.query, self.path_cells().len())
    }

    /// Replays the refinement from the top layer down, or pauses that.
    pub fn toggle_refinement(&mut self) {
        let total: usize = self.stages().iter().map(|(_, length)| length).sum();
        let at_end = self.layers.refinement.shown.is_none_or(|shown| shown >= total);
        if at_end {
            self.layers.refinement = RefinementView { shown: Some(0), is_playing: true };
        } else {
            self.layers.refinement.is_playing = !self.layers.refinement.is_playing;
        }
    }

    pub(super) fn advance_refinement(&mut self, elapsed: Duration) {
        let RefinementView { shown: Some(shown), is_playing: true } = self.layers.refinement else {
            return;
        };
        let total: usize = self.stages().iter().map(|(_, length)| length).sum();
        let share = elapsed.as_secs_f64() / REFINEMENT_SECONDS;
        let next = shown + (total as f64 * share).ceil() as usize;
        self.layers.refinement =
            RefinementView { shown: Some(next.min(total)), is_playing: next < total };
    }
}
