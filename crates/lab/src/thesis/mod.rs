//! The tables of the thesis that Highroad was begun from, with its figures beside ours.
//!
//! J. Harvanová, "Hierarchical pathfinding in computer games", bachelor thesis, Comenius University in Bratislava,
//! 2017. It compares A*, HPA* and PRA* on grid maps with steps of 1 and 1.4. `highroad thesis` runs the same searches
//! with its settings, and ours with our own, on its maps where they are public and on maps like them where they are not.
//!
//! Reading order: [`figures`](Figures) is what it prints, [`slips`](slips_of_paths) what of that cannot be right,
//! [`queries_of_cost`] and [`MapShelf`] what is asked on which maps; then a file a section.

mod building;
mod changes;
mod figures;
mod maps;
mod measure;
mod paths;
mod placement;
mod queries;
mod sheet;
mod slips;
mod smoothing;
#[cfg(test)]
mod tests;

pub use figures::{ChangeFigures, Figures, MapFigures, PathFigures};
pub use maps::{MapShelf, ThesisMap};
pub use queries::queries_of_cost;
pub use sheet::{Column, Entry, Sheet};
pub use slips::{degradation_by_costs, degradation_percent, is_possible, slips_of_paths};

use crate::generate::{GenerateError, RecipeError};
use highroad::catalog::SpecError;
use highroad::grid::{CostOverflow, EditError};
use highroad::planner::QueryError;
use highroad_formats::ReadError;
use std::path::Path;
use thiserror::Error;

/// A section with something to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// 4.1: paths of A*, HPA* and PRA*.
    Paths,
    /// 4.2: building the hierarchies.
    Building,
    /// 4.3: placement of transitions in HPA*.
    Placement,
    /// 4.4: maps that change under way.
    Changes,
    /// 3.2.7: smoothing in PRA*.
    Smoothing,
}

impl Section {
    /// Every one, the results first.
    pub const ALL: [Self; 5] =
        [Self::Paths, Self::Building, Self::Placement, Self::Changes, Self::Smoothing];

    /// Its number in the thesis.
    pub fn number(self) -> &'static str {
        match self {
            Self::Paths => "4.1",
            Self::Building => "4.2",
            Self::Placement => "4.3",
            Self::Changes => "4.4",
            Self::Smoothing => "3.2.7",
        }
    }

    /// The section of that number.
    pub fn from_number(number: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.number() == number)
    }

    /// The maps that it is about.
    fn maps(self) -> Vec<&'static MapFigures> {
        let figures = Figures::get();
        match self {
            Self::Building => figures.maps.iter().collect(),
            Self::Paths | Self::Placement | Self::Smoothing => figures.path_maps().collect(),
            Self::Changes => {
                figures.changes.iter().filter_map(|change| figures.map(&change.map)).collect()
            }
        }
    }

    /// What is run on each map.
    fn runs(self) -> usize {
        match self {
            Self::Paths => paths::SEARCHES.len(),
            Self::Building => building::SEARCHES.len(),
            Self::Placement => placement::PLACEMENTS.len(),
            Self::Changes => changes::SEARCHES.len(),
            Self::Smoothing => smoothing::VARIANTS.len(),
        }
    }
}

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Queries a map.
    pub queries: usize,
    /// Measured passes; the least time counts.
    pub passes: usize,
    /// Where queries, and the maps that are made, begin.
    pub seed: u64,
}

/// Why there is no table.
#[derive(Debug, Error)]
pub enum ThesisError {
    /// A map cannot be read.
    #[error(transparent)]
    Map(#[from] ReadError),
    /// A layout is no recipe.
    #[error("a map like the thesis's")]
    Recipe(#[from] RecipeError),
    /// A recipe makes no map.
    #[error("a map like the thesis's")]
    Generate(#[from] GenerateError),
    /// The thesis's steps are too costly for the terrain of a map.
    #[error(transparent)]
    Steps(#[from] CostOverflow),
    /// A planner does not serve a map.
    #[error(transparent)]
    Planner(#[from] SpecError),
    /// A query is refused.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A change is refused: the map has another size than the thesis's.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A planner finds no path where there is one: a defect of Highroad, or another map of the same name.
    #[error("there is no path where there should be one: is it the map that MovingAI publishes?")]
    NoPath,
    /// A planner does not follow an edit.
    #[error("the planner cannot follow the change")]
    CannotFollow,
}

/// The maps of some sections: published ones from a folder, others made.
pub fn shelf(
    sections: &[Section],
    folder: Option<&Path>,
    effort: Effort,
) -> Result<MapShelf, ThesisError> {
    let wanted: Vec<Vec<&MapFigures>> = sections.iter().map(|section| section.maps()).collect();
    let is_wanted = |map: &&MapFigures| wanted.iter().flatten().any(|one| one.name == map.name);
    let maps: Vec<&MapFigures> = Figures::get().maps.iter().filter(is_wanted).collect();
    MapShelf::fill(&maps, folder, effort)
}

/// How often `done` will be notified of something while a section is measured on those maps.
pub fn steps(section: Section, shelf: &MapShelf) -> u64 {
    (section.runs() * shelf.those(&section.maps()).len()) as u64
}

/// Measures one section. `done` is called with what has just been done.
pub fn measure(
    section: Section,
    shelf: &MapShelf,
    done: &mut dyn FnMut(&str),
) -> Result<Sheet, ThesisError> {
    let wanted = section.maps();
    match section {
        Section::Paths => paths::sheet(shelf, &wanted, done),
        Section::Building => building::sheet(shelf, &wanted, done),
        Section::Placement => placement::sheet(shelf, &wanted, done),
        Section::Changes => changes::sheet(shelf, &wanted, done),
        Section::Smoothing => smoothing::sheet(shelf, &wanted, done),
    }
}
