//! The scene: everything that is drawn, in the window and in exported pictures.

use super::{MapMode, Pane};
use crate::shared::{GRID_LINES, PATH, SEARCH, TREE};
use highroad::Cell;
use highroad::planner::{Answer, SketchLayer};
use highroad_pictures::{Scene, SceneAgent, SceneLayer};

impl MapMode {
    /// Everything that is to be seen on the canvas of a planner beside, with the path as far as it is known.
    pub fn scene_beside<'a>(&'a self, pane: &'a Pane, path: &'a [Cell]) -> Scene<'a> {
        let layers = &self.layers;
        let mut scene = self.scene();
        scene.layers.clear();
        let shown = pane.shown();
        let found = shown.filter(|shown| shown.replay.is_decided());
        let of_query = found.iter().flat_map(|found| &found.outcome.query_layers);
        for layer in shown.iter().flat_map(|shown| &shown.sketch).chain(of_query) {
            if let Some(opacity) = layers.opacity_of(layer) {
                scene.layers.push(SceneLayer { layer, opacity, shown: usize::MAX });
            }
        }
        let search = shown.map(|shown| &shown.replay).zip(layers.opacity(SEARCH));
        scene.search = search.map(|(replay, opacity)| (replay, layers.colouring, opacity));
        scene.path = layers.opacity(PATH).map(|opacity| (path, opacity));
        scene.path_is_partial =
            shown.is_some_and(|shown| !matches!(shown.outcome.answer, Answer::Found(_)));
        scene.agents.clear();
        scene
    }

    /// Whether a layer shows what the query has found, before the recording has found it. While the refinement is
    /// replayed, that replay says what is seen.
    fn is_of_future(&self, layer: &SketchLayer) -> bool {
        let of_query = self.layers.query.iter().any(|other| std::ptr::eq(other, layer));
        let decided = self.player.replay().is_none_or(|replay| replay.is_decided());
        of_query && !decided && self.layers.refinement.shown.is_none()
    }

    /// Everything that is to be seen.
    pub fn scene(&self) -> Scene<'_> {
        let layers = &self.layers;
        let stages = self.stages();
        let mut shown: Vec<SceneLayer<'_>> = Vec::new();
        for (key, layer) in layers.map_layers().chain(layers.planner_layers()) {
            if self.is_of_future(layer) {
                continue;
            }
            if let Some(opacity) = layers.opacity_of(layer) {
                let part = layers.refinement.shown_of(&stages, &key);
                shown.push(SceneLayer { layer, opacity, shown: part });
            }
        }
        let search = self.player.replay().zip(layers.opacity(SEARCH));
        let path = &self.shown_path;
        let path = &path[..layers.refinement.shown_of(&stages, PATH).min(path.len())];
        let trail = self.trail();
        Scene {
            grid: self.document.grid(),
            palette: self.document.palette(),
            theme: self.theme,
            search: search.map(|(replay, opacity)| (replay, layers.colouring, opacity)),
            tree: layers.opacity(TREE),
            layers: shown,
            path: layers.opacity(PATH).map(|opacity| (path, opacity)),
            path_is_partial: self.path_is_partial(),
            start: Some(self.document.start()),
            goal: Some(self.document.goal()),
            agents: trail.last().map(|&at| SceneAgent { at, trail }).into_iter().collect(),
            grid_lines: layers.opacity(GRID_LINES).is_some(),
        }
    }
}
