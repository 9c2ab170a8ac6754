//! The thesis's maps: files where they are published, and others like them where they are not.

use super::figures::{Figures, MapFigures};
use super::measure::{ASTAR, TrialResult, ask};
use super::queries::queries_of_cost;
use super::{Effort, ThesisError};
use crate::generate::{MapRecipe, Random};
use crate::workload::{AgentMovement, grid_with};
use highroad::grid::{Grid, MovementRule, StepCosts};
use highroad::planner::PathQuery;
use highroad::{Cell, GridMap, Terrain};
use highroad_formats::read_map;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A map that is there.
pub struct ThesisMap {
    /// What the thesis says of it.
    pub figures: &'static MapFigures,
    /// The map under the thesis's rule, with its step costs.
    pub grid: Grid,
    /// The recipe, if it is not the thesis's own map but one like it.
    pub recipe: Option<MapRecipe>,
    asked: OnceLock<Asked>,
}

/// What is asked on a map, the same in every section.
pub(super) struct Asked {
    pub(super) queries: Vec<PathQuery>,
    /// The cheapest answers.
    pub(super) cheapest: Vec<TrialResult>,
}

/// The maps that are there, and those that are not.
pub struct MapShelf {
    effort: Effort,
    maps: Vec<ThesisMap>,
    missing: Vec<&'static MapFigures>,
}

impl MapShelf {
    /// Reads the published maps from a folder that has them as MovingAI does, by set (`dao/brc101d.map`), or all
    /// beside each other; makes the others by their recipes.
    pub fn fill(
        wanted: &[&'static MapFigures],
        folder: Option<&Path>,
        effort: Effort,
    ) -> Result<Self, ThesisError> {
        let mut shelf = Self { effort, maps: Vec::new(), missing: Vec::new() };
        for &figures in wanted {
            let (map, recipe) = match (&figures.file, &figures.layout) {
                (Some(file), _) => match folder.and_then(|folder| find(folder, file)) {
                    Some(path) => (read_map(&path)?, None),
                    None => {
                        shelf.missing.push(figures);
                        continue;
                    }
                },
                (None, layout) => {
                    let layout = layout.as_deref().unwrap_or_default();
                    let recipe = recipe(figures, layout, effort.seed)?;
                    let mut map = recipe.generate()?;
                    set_free_share(&mut map, figures.free_percent, effort.seed);
                    (map, Some(recipe))
                }
            };
            let grid = grid_with(
                map,
                AgentMovement::new(MovementRule::AlwaysDiagonal, StepCosts::THESIS),
            )?;
            shelf.maps.push(ThesisMap { figures, grid, recipe, asked: OnceLock::new() });
        }
        Ok(shelf)
    }

    /// How much is measured on them.
    pub fn effort(&self) -> &Effort {
        &self.effort
    }

    /// Those of some maps that are there.
    pub fn those(&self, wanted: &[&'static MapFigures]) -> Vec<&ThesisMap> {
        let is_wanted = |map: &&ThesisMap| wanted.iter().any(|one| one.name == map.figures.name);
        self.maps.iter().filter(is_wanted).collect()
    }

    /// What a reader must know of some maps: which are made, and which are missing.
    pub fn notes(&self, wanted: &[&'static MapFigures]) -> Vec<String> {
        let maps = self.those(wanted);
        let made: Vec<String> = maps.iter().filter_map(|map| map.recipe_text()).collect();
        let mut notes = Vec::new();
        if !made.is_empty() {
            notes.push(format!(
                "The thesis's own maps are not published. In their place are maps of the same size, with single cells \
                 turned over until the same share of cells can be entered: {}.",
                made.join("; ")
            ));
        }
        let missing: Vec<&str> = wanted
            .iter()
            .filter(|one| self.missing.iter().any(|map| map.name == one.name))
            .map(|one| one.name.as_str())
            .collect();
        if !missing.is_empty() {
            notes.push(format!(
                "Left out, since the maps are not there: {}. MovingAI publishes them; `--maps` says in which folder \
                 they lie.",
                missing.join(", ")
            ));
        }
        notes
    }
}

impl ThesisMap {
    /// The share of cells that can be entered, in per cent.
    pub fn free_percent(&self) -> f64 {
        let extent = self.grid.extent();
        let cells = f64::from(extent.width()) * f64::from(extent.height());
        f64::from(self.grid.enterable_count()) / cells * 100.0
    }

    /// The queries of a map of section 4.1, with paths as costly as the thesis's, and the cheapest answers; `None` where
    /// it prints no path. Drawn once.
    pub(super) fn asked(&self, effort: &Effort) -> Result<Option<&Asked>, ThesisError> {
        let Some(wanted) = Figures::get().path(&self.figures.name, ASTAR.name) else {
            return Ok(None);
        };
        if self.asked.get().is_none() {
            let queries = queries_of_cost(&self.grid, wanted.cost, effort.queries, effort.seed);
            let (exact, _) = ASTAR.build(&self.grid, 1)?;
            let cheapest = ask(&self.grid, &*exact, &queries, 0)?;
            return Ok(Some(self.asked.get_or_init(|| Asked { queries, cheapest })));
        }
        Ok(self.asked.get())
    }

    fn recipe_text(&self) -> Option<String> {
        Some(format!("{} is `{}`", self.figures.name, self.recipe?))
    }
}

fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    let alone = Path::new(file).file_name().unwrap_or_default();
    [folder.join(file), folder.join(alone)].into_iter().find(|path| path.exists())
}

fn recipe(figures: &MapFigures, layout: &str, seed: u64) -> Result<MapRecipe, ThesisError> {
    let [width, height] = figures.size;
    Ok(format!("{layout} width={width} height={height} seed={seed}").parse()?)
}

/// Turns cells over until that share of them, in per cent, is free. Cells beside two or more of the other kind go
/// first, so that what is there grows or shrinks and the look of the map stays.
fn set_free_share(map: &mut GridMap, percent: f64, seed: u64) {
    let extent = map.extent();
    let cells: Vec<Cell> = extent.cells().collect();
    let free = |map: &GridMap, cell: Cell| map.terrain(cell) == Some(Terrain::GROUND);
    let wanted = (percent / 100.0 * cells.len() as f64).round() as i64;
    let have = cells.iter().filter(|&&cell| free(map, cell)).count() as i64;
    let dig = wanted > have;
    let mut left = (wanted - have).unsigned_abs();
    let mut random = Random::new(seed);
    for neighbours_min in [2, 1, 0] {
        let mut candidates: Vec<Cell> =
            cells.iter().copied().filter(|&cell| free(map, cell) != dig).collect();
        random.shuffle(&mut candidates);
        for cell in candidates {
            if left == 0 {
                return;
            }
            let beside = [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().filter(|&(dx, dy)| {
                let (x, y) = (cell.x.checked_add_signed(dx), cell.y.checked_add_signed(dy));
                x.zip(y).is_some_and(|(x, y)| {
                    let other = Cell::new(x, y);
                    extent.contains(other) && free(map, other) == dig
                })
            });
            if beside.count() >= neighbours_min {
                map.set(cell, if dig { Terrain::GROUND } else { Terrain::WALL });
                left -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_that_are_not_published_are_made_of_the_same_size_and_share() {
        let figures = Figures::get();
        let all: Vec<&MapFigures> = figures.maps.iter().collect();
        let effort = Effort { queries: 1, passes: 1, seed: 1 };
        let shelf = MapShelf::fill(&all, None, effort).unwrap();
        assert_eq!(shelf.maps.len() + shelf.missing.len(), figures.maps.len());
        assert_eq!(shelf.missing.len(), 6, "the public ones");
        for map in &shelf.maps {
            let extent = map.grid.extent();
            assert_eq!([extent.width(), extent.height()], map.figures.size);
            let cells = f64::from(extent.width() * extent.height());
            let off = (map.free_percent() - map.figures.free_percent).abs();
            assert!(off <= 50.0 / cells + 1e-9, "{}: {off}", map.figures.name);
        }
        let notes = shelf.notes(&all);
        assert!(notes[0].contains("map02 is `obstacles width=20 height=15 "), "{notes:?}");
        assert!(notes[1].contains("AcrosstheCape. MovingAI"), "{notes:?}");
    }
}
