//! PRA* in the catalog.

use super::{Pra, PraOptions, Refinement, StartLayer, sketch};
use crate::planner::{
    CatalogEntry, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, boxed,
};

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "pra",
    title: "PRA*",
    summary: "searches a coarse layer of cells folded into cliques, then refines: fast, and follows edits",
    options: &[
        OptionInfo {
            name: "start",
            kind: OptionKind::WordsOrNumber(&["auto", "half"], NumberRange::whole(0, 30)),
            default: "auto",
            help: "the layer on which the search begins; auto: where a sample of ways between groups is straight enough; half: of the height, as in the thesis",
        },
        OptionInfo {
            name: "margin",
            kind: OptionKind::Number(NumberRange::whole(0, PraOptions::MARGIN_MAX as u32)),
            default: "0",
            help: "rings of neighbours that widen the corridor of a refinement",
        },
        OptionInfo {
            name: "k",
            kind: OptionKind::WordsOrNumber(&["all"], NumberRange::whole(1, u16::MAX as u32)),
            default: "all",
            help: "how many steps of a layer's path are refined at a time, leg by leg",
        },
        OptionInfo {
            name: "refine",
            kind: OptionKind::Words(&["lazy", "layers", "thesis", "thesis-greedy"]),
            default: "lazy",
            help: "how cells are found: along lines of sight, by searches layer by layer, or from group to group as in the thesis, with its smoothing or without",
        },
        OptionInfo {
            name: "smooth",
            kind: OptionKind::Switch,
            default: "yes",
            help: "whether paths are pulled tight",
        },
    ],
    layers: &sketch::LAYERS,
    follows_edits: true,
    traces_places: false,
    grid: Some(Maker {
        serves: |grid| Pra::serves(grid).map_err(|error| error.to_string()),
        build: |grid, values, watch| boxed(Pra::build_watched(grid, options(values), watch)),
        load: Some(|bytes, grid, values| Ok(Box::new(Pra::load(bytes, grid, options(values))?))),
    }),
    graph: None,
    mesh: None,
};

fn options(values: &OptionValues) -> PraOptions {
    use Refinement::{Layers, Lazy, Thesis, ThesisGreedy};
    let usual = PraOptions::default();
    let start = values.choice("start", &[StartLayer::Automatic, StartLayer::Half]);
    let layer = || StartLayer::Exactly(values.whole("start").unwrap_or(0) as u8);
    PraOptions {
        start: start.unwrap_or_else(layer),
        margin: values.whole("margin").map_or(usual.margin, |margin| margin as u8),
        steps: values.whole("k").map(|steps| steps as u16),
        refinement: values
            .choice("refine", &[Lazy, Layers, Thesis, ThesisGreedy])
            .unwrap_or(usual.refinement),
        smooth: values.switch("smooth"),
    }
}
