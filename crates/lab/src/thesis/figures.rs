//! The thesis's figures, as it prints them.

use highroad::Cell;
use serde::Deserialize;
use std::sync::LazyLock;

/// Every figure that the tables are held against.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Its maps, and what it took to build on them: section 4.2.
    #[serde(rename = "map")]
    pub maps: Vec<MapFigures>,
    /// Its paths: section 4.1.
    #[serde(rename = "path")]
    pub paths: Vec<PathFigures>,
    /// Its changing maps: section 4.4.
    #[serde(rename = "change")]
    pub changes: Vec<ChangeFigures>,
}

/// A map of section 4.2.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFigures {
    /// What it is called.
    pub name: String,
    /// Columns and rows, as printed.
    pub size: [u32; 2],
    /// The share of cells that can be entered, in per cent, as printed.
    pub free_percent: f64,
    /// Milliseconds to build PRA*.
    pub pra_build_ms: f64,
    /// Milliseconds to build HPA*.
    pub hpa_build_ms: f64,
    /// Where a folder of MovingAI's maps has it, if it is one of them.
    pub file: Option<String>,
    /// Else how one like it is made: layout and parameters of a recipe, without size and seed.
    pub layout: Option<String>,
}

/// A line of section 4.1.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathFigures {
    /// The map.
    pub map: String,
    /// A*, HPA* or PRA*.
    pub search: String,
    /// What the path costs, with steps of 1 and 1.4.
    pub cost: f64,
    /// How many cells it has.
    pub cells: u32,
    /// Milliseconds to find it.
    pub time_ms: f64,
    /// Nodes expanded.
    pub expanded: u32,
    /// By how many per cent it costs more than the cheapest, as printed: the digits say how exactly.
    pub degradation: String,
}

/// A case of section 4.4; start, goal and change are ours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeFigures {
    /// What changes.
    pub name: String,
    /// The map.
    pub map: String,
    /// Milliseconds to rebuild the hierarchy in the background.
    pub rebuild_ms: f64,
    /// Steps that the agent took on its old path meanwhile.
    pub steps: u32,
    /// Milliseconds to find the new path.
    pub replan_ms: f64,
    start: [u32; 2],
    goal: [u32; 2],
    /// The agent's steps before the change.
    pub after_step: usize,
    from: [u32; 2],
    to: [u32; 2],
    /// What the cells become.
    pub terrain: char,
}

impl ChangeFigures {
    /// Where the agent starts, and where it wants to go.
    pub fn ends(&self) -> [Cell; 2] {
        [self.start, self.goal].map(|[x, y]| Cell::new(x, y))
    }

    /// Two corners of what changes.
    pub fn corners(&self) -> [Cell; 2] {
        [self.from, self.to].map(|[x, y]| Cell::new(x, y))
    }
}

static FIGURES: LazyLock<Figures> = LazyLock::new(|| {
    toml::from_str(include_str!("../../thesis/figures.toml")).expect("the figures are well formed")
});

impl Figures {
    /// The figures.
    pub fn get() -> &'static Self {
        &FIGURES
    }

    /// The map of that name.
    pub fn map(&self, name: &str) -> Option<&MapFigures> {
        self.maps.iter().find(|map| map.name == name)
    }

    /// The line of a map and a search.
    pub fn path(&self, map: &str, search: &str) -> Option<&PathFigures> {
        self.paths.iter().find(|path| path.map == map && path.search == search)
    }

    /// The maps of section 4.1, in its order.
    pub fn path_maps(&self) -> impl Iterator<Item = &MapFigures> {
        let first = self.paths.iter().filter(|path| path.search == "A*");
        first.filter_map(|path| self.map(&path.map))
    }
}
