//! Subgoal graphs in the catalog.

use super::{SubgoalGraph, search, serves_subgoals};
use crate::planner::{CatalogEntry, Maker, boxed};

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "subgoal",
    title: "Subgoal graph",
    summary: "A* over the corners of obstacles and the precomputed ways between them: exact on uniform terrain",
    options: &[],
    layers: &search::LAYERS,
    follows_edits: false,
    traces_places: false,
    grid: Some(Maker {
        serves: serves_subgoals,
        build: |grid, _, watch| boxed(SubgoalGraph::build_watched(grid, watch)),
        load: Some(|bytes, grid, _| Ok(Box::new(SubgoalGraph::load(bytes, grid)?))),
    }),
    graph: None,
    mesh: None,
};
