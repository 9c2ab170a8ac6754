//! What lies over the map: switches, how much each covers, and what a planner has to show.

use highroad::catalog::CATALOG;
use highroad::planner::{LayerInfo, Shape, SketchLayer};
use highroad_pictures::{CLEARANCE, Colouring};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether a layer is shown, and how much it covers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switch {
    /// Whether it is shown.
    pub on: bool,
    /// How much it covers, from 0 to 1.
    pub opacity: f32,
}

/// The layers that every planner has, by name: with what they are at first and a line about them.
pub const COMMON_LAYERS: [(&str, Switch, &str); 6] = [
    (SEARCH, Switch { on: true, opacity: 0.65 }, "open cells light blue, expanded cells by colour"),
    (
        TREE,
        Switch { on: false, opacity: 0.7 },
        "from each cell to the one it was reached from; zoom in to see it",
    ),
    (PATH, Switch { on: true, opacity: 1.0 }, "the path that was found"),
    (COMPONENTS, Switch { on: false, opacity: 0.5 }, "parts of the map without a way between them"),
    (
        CLEARANCE,
        Switch { on: false, opacity: 0.6 },
        "room for agents: the edge of the largest one whose upper left cell can be here",
    ),
    (
        GRID_LINES,
        Switch { on: true, opacity: 1.0 },
        "lines between cells and coordinates, when near",
    ),
];

/// The cells that a search has opened and expanded.
pub const SEARCH: &str = "search";
/// The shortest-path tree.
pub const TREE: &str = "tree";
/// The path.
pub const PATH: &str = "path";
/// Connected parts.
pub const COMPONENTS: &str = "components";
/// Lines between cells.
pub const GRID_LINES: &str = "grid lines";

/// All layers.
#[derive(Default)]
pub struct Layers {
    switches: BTreeMap<String, Switch>,
    /// What the planner has precomputed.
    pub sketch: Vec<SketchLayer>,
    /// What the latest query did on it.
    pub query: Vec<SketchLayer>,
    /// What is worked out from the map alone, by name, where it is known.
    pub of_map: BTreeMap<&'static str, SketchLayer>,
    /// Counts up whenever regions have changed, so that their pictures are rebuilt.
    pub regions_version: u64,
    /// What the colours of the search show.
    pub colouring: Colouring,
    /// The replay from the top layer down.
    pub refinement: RefinementView,
    /// The level of an abstraction that is shown, if there are several.
    level: u32,
}

/// What a planner's layer is known by: name and level.
pub fn key_of(layer: &SketchLayer) -> String {
    format!("{}, level {}", layer.info.name, layer.level)
}

/// The switch that a layer of a planner has at first.
fn usual_switch(info: &LayerInfo) -> Switch {
    Switch { on: info.visible_levels > 0, opacity: info.opacity }
}

impl Layers {
    /// The switch of a layer, by its name: one for all levels.
    pub fn switch(&self, name: &str) -> Switch {
        self.switches.get(name).copied().unwrap_or_else(|| self.usual(name))
    }

    /// The switch that a layer has at first: what the planner that draws it says.
    fn usual(&self, name: &str) -> Switch {
        if let Some((_, switch, _)) = COMMON_LAYERS.iter().find(|(common, ..)| *common == name) {
            return *switch;
        }
        let drawn = self.sketch.iter().chain(&self.query).find(|layer| layer.info.name == name);
        if let Some(layer) = drawn {
            return usual_switch(layer.info);
        }
        // Not drawn now, but some planner draws it.
        let mut listed =
            CATALOG.iter().filter(|entry| entry.grid.is_some()).flat_map(|entry| entry.layers);
        let listed = listed.find(|info| info.name == name);
        listed.map_or(Switch { on: false, opacity: 0.6 }, usual_switch)
    }

    /// The highest level that a planner's layers have.
    pub fn level_max(&self) -> u32 {
        self.sketch.iter().chain(&self.query).map(|layer| layer.level).max().unwrap_or(0)
    }

    /// The level that is shown.
    pub fn level(&self) -> u32 {
        self.level.clamp(1, self.level_max().max(1))
    }

    /// Shows another level.
    pub fn set_level(&mut self, level: u32) {
        self.level = level;
    }

    /// How much a planner's layer covers; `None` if it is switched off, or of another level than the one shown. While
    /// the refinement is replayed, what the query did is shown on all levels.
    pub fn opacity_of(&self, layer: &SketchLayer) -> Option<f32> {
        let is_of_query = || self.query.iter().any(|other| std::ptr::eq(other, layer));
        let is_shown = layer.level == 0
            || layer.level == self.level()
            || self.refinement.shown.is_some() && is_of_query();
        self.opacity(layer.info.name).filter(|_| is_shown)
    }

    /// Sets the switch of a layer.
    pub fn set_switch(&mut self, name: &str, switch: Switch) {
        self.switches.insert(name.to_owned(), switch);
    }

    /// How much a layer covers; `None` if it is switched off.
    pub fn opacity(&self, key: &str) -> Option<f32> {
        let Switch { on, opacity } = self.switch(key);
        (on && opacity > 0.0).then_some(opacity)
    }

    /// The switches that were changed, to be remembered.
    pub fn switches(&self) -> &BTreeMap<String, Switch> {
        &self.switches
    }

    /// Takes over remembered switches.
    pub fn set_switches(&mut self, switches: BTreeMap<String, Switch>) {
        self.switches = switches;
        self.regions_version += 1;
    }

    /// The planner's layers with their keys: what is precomputed, then what the query did; without
    /// those that have nothing to show.
    pub fn planner_layers(&self) -> impl Iterator<Item = (String, &SketchLayer)> {
        let all = self.sketch.iter().chain(&self.query);
        all.filter(|layer| items(layer) > 0).map(|layer| (key_of(layer), layer))
    }

    /// The layers of the map alone, with their keys.
    pub fn map_layers(&self) -> impl Iterator<Item = (String, &SketchLayer)> {
        self.of_map.iter().map(|(name, layer)| ((*name).to_owned(), layer))
    }

    /// Every layer of regions that is shown: its key and name, the regions, and how much it covers.
    pub fn regions(&self) -> impl Iterator<Item = (String, &'static str, &[u32], f32)> {
        self.map_layers().chain(self.planner_layers()).filter_map(|(key, layer)| {
            match &layer.shape {
                Shape::Regions(numbers) => {
                    let opacity = self.opacity_of(layer)?;
                    Some((key, layer.info.name, numbers.as_slice(), opacity))
                }
                _ => None,
            }
        })
    }
}

/// What is replayed from the top layer down: the query's layers by level, and the cells at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefinementView {
    /// How many things have been shown; `None`: everything is.
    pub shown: Option<usize>,
    /// Whether it goes on by itself.
    pub is_playing: bool,
}

impl RefinementView {
    /// The steps: for each layer of the query from the highest level to the lowest, how many things it
    /// has; then the cells of the path.
    pub fn stages(query: &[SketchLayer], path_cells: usize) -> Vec<(String, usize)> {
        let mut layers: Vec<&SketchLayer> = query.iter().collect();
        layers.sort_by_key(|layer| std::cmp::Reverse(layer.level));
        let mut stages: Vec<(String, usize)> =
            layers.iter().map(|layer| (key_of(layer), items(layer))).collect();
        stages.push((PATH.to_owned(), path_cells));
        stages
    }

    /// How much of a stage is shown.
    pub fn shown_of(&self, stages: &[(String, usize)], key: &str) -> usize {
        let Some(mut shown) = self.shown else { return usize::MAX };
        for (stage, length) in stages {
            if stage == key {
                return shown.min(*length);
            }
            shown = shown.saturating_sub(*length);
        }
        usize::MAX
    }
}

/// How many things a layer shows one by one. Regions appear at once; their cells are not counted, since
/// that would take a look at all of them.
pub fn items(layer: &SketchLayer) -> usize {
    match &layer.shape {
        Shape::Regions(cells) => usize::from(!cells.is_empty()),
        shape => shape.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::Cell;
    use highroad::planner::Point;

    static INFO: LayerInfo = LayerInfo::visible("abstract path", "", 0.8);

    fn chain(level: u32, length: usize) -> SketchLayer {
        let points = vec![Point::middle_of(Cell::new(0, 0)); length];
        INFO.layer(level, Shape::Chain(points))
    }

    #[test]
    fn refinement_goes_from_the_top_layer_down_to_the_cells() {
        let stages = RefinementView::stages(&[chain(1, 5), chain(2, 3)], 20);
        let names: Vec<&str> = stages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["abstract path, level 2", "abstract path, level 1", "path"]);
        let at = |shown| {
            let refinement = RefinementView { shown: Some(shown), is_playing: false };
            [0, 1, 2].map(|stage: usize| refinement.shown_of(&stages, names[stage]))
        };
        assert_eq!(at(0), [0, 0, 0]);
        assert_eq!(at(2), [2, 0, 0]);
        assert_eq!(at(6), [3, 3, 0]);
        assert_eq!(at(28), [3, 5, 20]);
        assert_eq!(RefinementView::default().shown_of(&stages, "path"), usize::MAX);
    }

    #[test]
    fn layers_of_unknown_planners_are_off_and_can_be_switched_on() {
        let mut layers = Layers { sketch: vec![chain(3, 2)], ..Layers::default() };
        assert!(layers.opacity("jump points").is_none());
        assert!(layers.opacity("clusters").is_some());
        layers.set_switch("jump points", Switch { on: true, opacity: 0.5 });
        assert_eq!(layers.opacity("jump points"), Some(0.5));
        assert_eq!(layers.planner_layers().count(), 1);
    }

    #[test]
    fn one_level_is_shown_and_all_of_them_while_the_refinement_is_replayed() {
        let mut layers = Layers { query: vec![chain(1, 5), chain(2, 3)], ..Layers::default() };
        let shown = |layers: &Layers| -> Vec<u32> {
            let shown = layers.query.iter().filter(|layer| layers.opacity_of(layer).is_some());
            shown.map(|layer| layer.level).collect()
        };
        assert_eq!((layers.level_max(), shown(&layers)), (2, vec![1]));
        layers.set_level(2);
        assert_eq!(shown(&layers), [2]);
        layers.set_level(9);
        assert_eq!(shown(&layers), [2], "there are no more");
        layers.refinement.shown = Some(0);
        assert_eq!(shown(&layers), [1, 2]);
    }
}
