//! Hub labels in the catalog.

use super::{HubLabels, HubOptions, sketch};
use crate::index::subgoal::serves_subgoals;
use crate::planner::{
    CatalogEntry, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, boxed,
};

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "hub-labels",
    title: "Hub labels",
    summary: "looks up where the precomputed labels of both ends meet: exact on uniform terrain, in a few microseconds",
    options: &[OptionInfo {
        name: "memory",
        kind: OptionKind::Number(NumberRange::whole(1, 16384)),
        default: "256",
        help: "megabytes that labels may take; with more, the contraction hierarchy answers",
    }],
    layers: &sketch::LAYERS,
    follows_edits: false,
    traces_places: false,
    grid: Some(Maker {
        serves: serves_subgoals,
        build: |grid, values, watch| boxed(HubLabels::build_watched(grid, options(values), watch)),
        load: Some(|bytes, grid, _| Ok(Box::new(HubLabels::load(bytes, grid)?))),
    }),
    graph: None,
    mesh: None,
};

fn options(values: &OptionValues) -> HubOptions {
    let usual = HubOptions::default();
    let megabytes = values.whole("memory").map(|size| (size as usize) << 20);
    HubOptions { bytes_max: megabytes.unwrap_or(usual.bytes_max) }
}
