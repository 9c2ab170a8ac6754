//! The connected parts of the map, found by a job when their layer is shown.

use super::MapMode;
use crate::shared::COMPONENTS;
use crate::shared::job::{Job, JobState};
use highroad::grid::Components;
use highroad::planner::{LayerInfo, Shape};

static LAYER: LayerInfo =
    LayerInfo::hidden(COMPONENTS, "parts of the map without a way between them");

/// The state of the search for connected parts. What it found is a layer.
pub(super) struct Parts {
    pub(super) job: Option<Job<Components>>,
    /// Whether the layer does not describe the map as it is.
    pub(super) is_stale: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self { job: None, is_stale: true }
    }
}

impl MapMode {
    /// Takes the parts that a job has found, and starts a job where the layer is shown and out of date.
    pub(super) fn poll_parts(&mut self) {
        if let Some(job) = &self.parts.job {
            match job.poll() {
                JobState::Running => return,
                JobState::Lost => {}
                JobState::Done(components) => {
                    let numbers = components.numbers().to_vec();
                    self.layers.components = Some(LAYER.layer(0, Shape::Regions(numbers)));
                    self.layers.regions_version += 1;
                }
            }
            self.parts.job = None;
        }
        let wanted =
            self.layers.opacity(COMPONENTS).is_some() && self.hand.pointer.gesture.is_none();
        if wanted && self.parts.is_stale {
            self.parts.is_stale = false;
            let grid = self.document.grid().clone();
            let what = "finding the parts of the map";
            self.parts.job = Some(Job::start(&self.seams, what, move |_| Components::of(&grid)));
        }
    }
}
