//! Labels of corners in the catalog.

use super::{CornerLabels, CornerOptions};
use crate::planner::{
    CatalogEntry, LayerInfo, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, boxed,
};

pub(super) static CORNERS: LayerInfo =
    LayerInfo::hidden("corners", "corners that paths may bend at, each with a label");

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "corner-labels",
    title: "Corner labels",
    summary: "Shortest paths on a mesh by precomputed distances between its corners, for meshes that do not change",
    options: &[OptionInfo {
        name: "memory",
        kind: OptionKind::Number(NumberRange::whole(1, 16384)),
        default: "256",
        help: "megabytes that labels may take; with more, it does not serve the mesh",
    }],
    layers: &[CORNERS],
    follows_edits: false,
    traces_places: false,
    grid: None,
    graph: None,
    mesh: Some(Maker {
        serves: super::serves,
        build: |mesh, values, watch| {
            boxed(CornerLabels::build_watched(mesh, options(values), watch))
        },
        load: Some(|bytes, mesh, _| Ok(Box::new(CornerLabels::load(bytes, mesh)?))),
    }),
};

fn options(values: &OptionValues) -> CornerOptions {
    let usual = CornerOptions::default();
    let megabytes = values.whole("memory").map(|size| (size as usize) << 20);
    CornerOptions { bytes_max: megabytes.unwrap_or(usual.bytes_max) }
}
