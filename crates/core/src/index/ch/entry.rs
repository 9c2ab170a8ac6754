//! Contraction hierarchies in the catalog.

use super::{ChIndex, GraphHierarchy, search, serves_hierarchy};
use crate::graph::Graph;
use crate::planner::{CatalogEntry, Maker, boxed};

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "ch",
    title: "Contraction hierarchy",
    summary: "climbs a precomputed order of corners (on small maps of mixed terrain, of cells) from both ends: exact, in microseconds",
    options: &[],
    layers: &search::LAYERS,
    follows_edits: false,
    traces_places: false,
    grid: Some(Maker {
        serves: serves_hierarchy,
        build: |grid, _, watch| boxed(ChIndex::build_watched(grid, watch)),
        load: Some(|bytes, grid, _| Ok(Box::new(ChIndex::load(bytes, grid)?))),
    }),
    graph: Some(Maker {
        serves: Graph::serves_searches,
        build: |graph, _, watch| boxed(GraphHierarchy::build_watched(graph, watch)),
        load: Some(|bytes, graph, _| Ok(Box::new(GraphHierarchy::load(bytes, graph)?))),
    }),
    mesh: None,
};
