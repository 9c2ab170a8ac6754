//! Regions of graphs in the catalog.

use super::entrances::LAYERS as ENTRANCE_LAYERS;
use super::{ConnectionCost, EntranceGraph, LAYERS, RegionOptions, RegionRefinement, Regions};
use crate::graph::{Graph, Partition};
use crate::planner::{
    CatalogEntry, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, boxed,
};

const SIZE: OptionInfo = OptionInfo {
    name: "size",
    kind: OptionKind::Number(NumberRange::whole(2, 1_000_000)),
    default: "400",
    help: "how many nodes a region has, about",
};

/// In the order of [`ConnectionCost::ALL`].
const CONNECTIONS: [&str; 3] = ["minimum", "maximin", "average"];

pub(crate) static REGIONS: CatalogEntry = CatalogEntry {
    name: "regions",
    title: "Regions",
    summary: "a route through regions of a graph first, then the way through each: quick, and rough",
    options: &[
        SIZE,
        OptionInfo {
            name: "connection",
            kind: OptionKind::Words(&CONNECTIONS),
            default: "average",
            help: "what it costs to go to a neighbouring region: the cheapest edge, or the way to it from the entrance \
                   that lies worst, or from all entrances on average",
        },
        OptionInfo {
            name: "refine",
            kind: OptionKind::Words(&["corridor", "legs"]),
            default: "corridor",
            help: "how a route becomes a path: one search through all its regions, or region by region",
        },
        OptionInfo {
            name: "table",
            kind: OptionKind::Switch,
            default: "no",
            help: "whether routes on the highest level are looked up in a table of all pairs",
        },
        OptionInfo {
            name: "levels",
            kind: OptionKind::Number(NumberRange::whole(1, Regions::LEVELS_MAX)),
            default: "1",
            help: "how many levels of regions there are",
        },
    ],
    layers: &LAYERS,
    follows_edits: false,
    traces_places: false,
    grid: None,
    graph: Some(Maker {
        serves: Graph::serves_searches,
        build: |graph, values, watch| {
            let partition = Partition::compute_watched(graph, size(values), watch)?;
            boxed(Regions::build_watched(graph, partition, options(values), &[], watch))
        },
        load: None,
    }),
    mesh: None,
};

pub(crate) static ENTRANCES: CatalogEntry = CatalogEntry {
    name: "entrances",
    title: "Graph of entrances",
    summary: "searches among the entrances of regions of a graph, then fills in the ways between: exact with all entrances",
    options: &[
        SIZE,
        OptionInfo {
            name: "border",
            kind: OptionKind::WordsOrNumber(&["all"], NumberRange::whole(1, 1000)),
            default: "all",
            help: "how many edges are kept between two regions; with fewer than all, paths are near optimal",
        },
    ],
    layers: &ENTRANCE_LAYERS,
    follows_edits: false,
    traces_places: false,
    grid: None,
    graph: Some(Maker {
        serves: Graph::serves_searches,
        build: |graph, values, watch| {
            let partition = Partition::compute_watched(graph, size(values), watch)?;
            let per_pair = values.whole("border").map(|count| count as usize);
            boxed(EntranceGraph::build_watched(graph, partition, per_pair, watch))
        },
        load: None,
    }),
    mesh: None,
};

fn size(values: &OptionValues) -> usize {
    values.whole(SIZE.name).unwrap_or(2) as usize
}

fn options(values: &OptionValues) -> RegionOptions {
    let usual = RegionOptions::default();
    let refinements = [RegionRefinement::Corridor, RegionRefinement::Legs];
    RegionOptions {
        connection: values.choice("connection", &ConnectionCost::ALL).unwrap_or_default(),
        refinement: values.choice("refine", &refinements).unwrap_or_default(),
        table: values.switch("table"),
        levels: values.whole("levels").unwrap_or(usual.levels),
        ..usual
    }
}
