//! The scene: everything that is drawn, in the window and in exported pictures.

use super::{Bench, COMPONENTS, GRID_LINES, PATH, SEARCH, TREE};
use highroad_pictures::{Scene, SceneAgent, SceneLayer};

impl Bench {
    /// Everything that is to be seen.
    pub fn scene(&self) -> Scene<'_> {
        let layers = &self.layers;
        let stages = self.stages();
        let mut shown: Vec<SceneLayer<'_>> = Vec::new();
        let components = layers.components.iter().map(|layer| (COMPONENTS.to_owned(), layer));
        for (key, layer) in components.chain(layers.planner_layers()) {
            if let Some(opacity) = layers.opacity(&key) {
                let part = self.refinement.shown_of(&stages, &key);
                shown.push(SceneLayer { layer, opacity, shown: part });
            }
        }
        let search = self.player.replay().zip(layers.opacity(SEARCH));
        let path = self.path_cells();
        let path = &path[..self.refinement.shown_of(&stages, PATH).min(path.len())];
        let agent = self.walker.as_ref();
        Scene {
            grid: self.document.grid(),
            palette: self.document.palette(),
            theme: self.preferences.theme,
            search: search.map(|(replay, opacity)| (replay, self.colouring, opacity)),
            tree: layers.opacity(TREE),
            layers: shown,
            path: layers.opacity(PATH).map(|opacity| (path, opacity)),
            start: Some(self.document.start),
            goal: Some(self.document.goal),
            agent: agent.map(|walker| SceneAgent { at: walker.at, trail: &walker.trail }),
            grid_lines: layers.opacity(GRID_LINES).is_some(),
        }
    }
}
