//! Layers that are worked out from the map by a job when they are shown: its connected parts, and room for agents.

use super::MapMode;
use crate::shared::COMPONENTS;
use crate::shared::job::{Job, JobState};
use highroad::grid::{Components, Grid};
use highroad::planner::{LayerInfo, Shape, SketchLayer};
use highroad_pictures::{CLEARANCE, clearance_layer};

static PARTS: LayerInfo =
    LayerInfo::hidden(COMPONENTS, "parts of the map without a way between them");

/// What works a layer out.
type Make = fn(&Grid) -> SketchLayer;

/// The layers, each with what works it out and what that is called.
const LAYERS: [(&str, Make, &str); 2] = [
    (COMPONENTS, parts_of, "finding the parts of the map"),
    (CLEARANCE, clearance_layer, "finding room for agents"),
];

fn parts_of(grid: &Grid) -> SketchLayer {
    PARTS.layer(0, Shape::Regions(Components::of(grid).numbers().to_vec()))
}

/// The state of the work on each layer.
pub(super) struct Parts([Part; LAYERS.len()]);

struct Part {
    job: Option<Job<SketchLayer>>,
    /// Whether the layer does not describe the map as it is.
    is_stale: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Part { job: None, is_stale: true }))
    }
}

impl Parts {
    /// The map has changed.
    pub(super) fn note_change(&mut self) {
        self.0.iter_mut().for_each(|part| part.is_stale = true);
    }

    /// What is being worked on.
    pub(super) fn job(&self) -> Option<&Job<SketchLayer>> {
        self.0.iter().find_map(|part| part.job.as_ref())
    }

    /// Gives the work up.
    pub(super) fn cancel(&mut self) {
        self.0.iter_mut().for_each(|part| part.job = None);
    }
}

impl MapMode {
    /// Takes the layers that jobs have made, and starts jobs for those that are shown and out of date.
    pub(super) fn poll_parts(&mut self) {
        let is_quiet = self.hand.pointer.gesture.is_none();
        for (part, (name, make, what)) in self.parts.0.iter_mut().zip(LAYERS) {
            if let Some(job) = &part.job {
                match job.poll() {
                    JobState::Running => continue,
                    JobState::Lost => {}
                    JobState::Done(layer) => {
                        self.layers.of_map.insert(name, layer);
                        self.layers.regions_version += 1;
                    }
                }
                part.job = None;
            }
            let wanted = is_quiet && self.layers.opacity(name).is_some();
            if wanted && part.is_stale {
                part.is_stale = false;
                let grid = self.document.grid().clone();
                part.job = Some(Job::start(&self.seams, what, move |_| make(&grid)));
            }
        }
    }
}
