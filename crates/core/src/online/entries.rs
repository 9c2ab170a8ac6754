//! Searches without precomputation in the catalog: the same ones for grids and graphs.

use super::{Distance, Estimates, GraphSearch, GridSearch, JumpPointSearch, Search};
use crate::environment::{BuildError, Watch};
use crate::graph::{Graph, Partition};
use crate::grid::Grid;
use crate::heuristic::{
    AbstractDistances, ClusterTable, HeuristicKind, Landmarks, Metric, PositionEstimate,
};
use crate::planner::{
    CatalogEntry, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, serves_any,
};
use crate::search::{TieRule, Weight};
use crate::space::Nodes;

const HEURISTIC: OptionInfo = OptionInfo {
    name: "heuristic",
    kind: OptionKind::Words(&HEURISTICS),
    default: "auto",
    help: "how the cost to go is estimated; auto: octile on a grid, the straight line on a graph with positions; \
           landmarks, clusters and abstract are tables that are worked out first; \
           true: the true costs, worked out for every query",
};

const HEURISTICS: [&str; 11] = [
    "auto",
    "zero",
    "manhattan",
    "octile",
    "chebyshev",
    "euclidean",
    "euclidean-rounded-up",
    "landmarks",
    "clusters",
    "abstract",
    "true",
];

const LANDMARKS: OptionInfo = OptionInfo {
    name: "landmarks",
    kind: OptionKind::Number(NumberRange::whole(1, Landmarks::COUNT_MAX as u32)),
    default: "8",
    help: "how many landmarks there are, for heuristic=landmarks",
};

const CLUSTER: OptionInfo = OptionInfo {
    name: "cluster",
    kind: OptionKind::Number(NumberRange::whole(1, 4096)),
    default: "64",
    help: "columns and rows of a cluster, on a graph its nodes, for heuristic=clusters and heuristic=abstract",
};

const REOPEN: OptionInfo = OptionInfo {
    name: "reopen",
    kind: OptionKind::Words(&["auto", "yes", "no"]),
    default: "auto",
    help: "whether nodes are expanded again when they get cheaper; auto: where the heuristic is inconsistent",
};

const TIES: OptionInfo = OptionInfo {
    name: "ties",
    kind: OptionKind::Words(&["newest", "larger-g", "smaller-id", "oldest"]),
    default: "newest",
    help: "which of several nodes with the same key comes first: the newest, the one that cost more so far, the one with the smaller number, or the oldest",
};

const TEXTBOOK: OptionInfo = OptionInfo {
    name: "textbook",
    kind: OptionKind::Switch,
    default: "no",
    help: "whether it runs as in textbooks: all neighbours, a plain heap, and for breadth-first search a plain queue",
};

const WEIGHTS: NumberRange = NumberRange { min: 0.0, max: 1000.0, step: 0.1 };

/// An entry of a search, for grids and graphs.
const fn entry(
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    options: &'static [OptionInfo],
    grid: Maker<Grid>,
    graph: Maker<Graph>,
) -> CatalogEntry {
    CatalogEntry {
        name,
        title,
        summary,
        options,
        layers: &[],
        follows_edits: true,
        traces_places: true,
        grid: Some(grid),
        graph: Some(graph),
        mesh: None,
    }
}

/// The two makers of a search that is made the same way for both.
macro_rules! makers {
    ($values:ident => $search:expr) => {
        (
            Maker {
                serves: serves_any,
                build: |grid, $values, watch| {
                    let search: GridSearch = with_options($search, $values);
                    Ok(Box::new(estimating(search, $values, |word| {
                        grid_estimates(grid, word, $values, watch)
                    })?))
                },
                load: None,
            },
            Maker {
                serves: Graph::serves_searches,
                build: |graph, $values, watch| {
                    let search: GraphSearch = with_options($search, $values);
                    Ok(Box::new(estimating(search, $values, |word| {
                        graph_estimates(graph, word, $values, watch)
                    })?))
                },
                load: None,
            },
        )
    };
}

/// Declares an entry of a search.
macro_rules! search {
    ($name:ident, $text:literal, $title:literal, $summary:literal, $options:expr, $values:ident => $search:expr) => {
        pub(crate) static $name: CatalogEntry = {
    let (grid, graph) = makers!($values => $search);
            entry($text, $title, $summary, $options, grid, graph)
        };
    };
}

search!(
    BFS,
    "bfs",
    "Breadth-first search",
    "as few steps as possible, whatever they cost",
    &[TIES, TEXTBOOK],
    _values => Search::breadth_first()
);
search!(
    DIJKSTRA,
    "dijkstra",
    "Dijkstra's algorithm",
    "cheapest first, in every direction: the exact answer without any guessing",
    &[TIES, TEXTBOOK],
    _values => Search::dijkstra()
);
search!(
    ASTAR,
    "astar",
    "A*",
    "cheapest first, counting an estimate of what is left",
    &[
        HEURISTIC,
        OptionInfo {
            name: "scale",
            kind: OptionKind::Number(WEIGHTS),
            default: "1",
            help: "what estimates are multiplied by; above 1 it may miss the optimum by that factor",
        },
        REOPEN,
        TIES,
        LANDMARKS,
        CLUSTER,
        TEXTBOOK,
    ],
    values => Search::astar().with_weight(weight(values, "scale"))
);
search!(
    WEIGHTED_ASTAR,
    "weighted-astar",
    "Weighted A*",
    "A* that trusts its estimate more: fewer cells, at most so many times as costly",
    &[
        HEURISTIC,
        OptionInfo {
            name: "weight",
            kind: OptionKind::Number(WEIGHTS),
            default: "1.5",
            help: "what estimates are multiplied by, and the most by which the cost may exceed the optimum",
        },
        REOPEN,
        TIES,
        LANDMARKS,
        CLUSTER,
        TEXTBOOK,
    ],
    values => Search::astar().with_weight(weight(values, "weight"))
);
search!(
    GREEDY,
    "greedy",
    "Greedy best-first search",
    "always to the node that seems nearest to the goal",
    &[HEURISTIC, TIES, LANDMARKS, CLUSTER, TEXTBOOK],
    _values => Search::greedy()
);
search!(
    DEPTH_FIRST,
    "depth-first",
    "Depth-first search",
    "one way to its end before another: some path, usually a long one",
    &[],
    _values => Search::depth_first()
);
search!(
    BIDIRECTIONAL,
    "bidirectional",
    "Bidirectional Dijkstra",
    "Dijkstra's algorithm from both ends until they have met",
    &[TEXTBOOK],
    _values => Search::bidirectional()
);

pub(crate) static JUMP_POINTS: CatalogEntry = CatalogEntry {
    name: "jps",
    title: "Jump point search",
    summary: "A* over the cells where a path may turn, found 64 cells at a time: exact on uniform terrain",
    options: &[],
    layers: &super::jump_points::LAYERS,
    follows_edits: true,
    traces_places: true,
    grid: Some(Maker {
        serves: JumpPointSearch::serves,
        build: |_, _, _| Ok(Box::new(JumpPointSearch::new())),
        load: None,
    }),
    graph: None,
    mesh: None,
};

fn weight(values: &OptionValues, name: &str) -> Weight {
    values.number(name).and_then(|factor| Weight::new(factor).ok()).unwrap_or_default()
}

/// A search with those of its options that have nothing to do with the environment.
fn with_options<D: Distance>(search: Search<D>, values: &OptionValues) -> Search<D> {
    let mut search = search;
    if values.has("reopen")
        && let Some(wanted) = values.choice("reopen", &[None, Some(true), Some(false)]).flatten()
    {
        search = search.with_reopening(wanted);
    }
    if values.has("ties")
        && let Some(ties) = values.choice("ties", &TieRule::ALL)
    {
        search = search.with_ties(ties);
    }
    if values.has(TEXTBOOK.name) && values.switch(TEXTBOOK.name) {
        search = search.as_in_textbooks();
    }
    search
}

fn estimating<D: Distance>(
    search: Search<D>,
    values: &OptionValues,
    estimates: impl FnOnce(&str) -> Result<Option<Estimates<D>>, BuildError>,
) -> Result<Search<D>, BuildError> {
    if !values.has(HEURISTIC.name) {
        return Ok(search);
    }
    Ok(match estimates(values.text(HEURISTIC.name))? {
        Some(estimates) => search.with_heuristic(estimates),
        None => search,
    })
}

/// What a word stands for on a grid.
fn grid_estimates(
    grid: &Grid,
    word: &str,
    values: &OptionValues,
    watch: &mut Watch<'_>,
) -> Result<Option<Estimates<HeuristicKind>>, BuildError> {
    if let Some(kind) = HeuristicKind::from_name(word) {
        return Ok(Some(kind.into()));
    }
    let side = values.whole(CLUSTER.name).unwrap_or(1);
    table(grid, word, values, || Partition::squares(grid, side), watch)
}

/// What a word stands for on a graph.
fn graph_estimates(
    graph: &Graph,
    word: &str,
    values: &OptionValues,
    watch: &mut Watch<'_>,
) -> Result<Option<Estimates<PositionEstimate>>, BuildError> {
    let by = |metric| PositionEstimate::of(graph, metric);
    let metric = match word {
        "auto" => return Ok(by(Metric::Euclidean).map(Estimates::Distance)),
        "zero" => return Ok(Some(PositionEstimate::None.into())),
        "manhattan" => Metric::Manhattan,
        "chebyshev" => Metric::Chebyshev,
        "euclidean" => Metric::Euclidean,
        _ => {
            let size = values.whole(CLUSTER.name).unwrap_or(1) as usize;
            let clusters = || Partition::compute(graph, size);
            return match table(graph, word, values, clusters, watch)? {
                None => Err(BuildError::NotServed(format!("{word} is a distance of grids"))),
                found => Ok(found),
            };
        }
    };
    match by(metric) {
        Some(estimate) => Ok(Some(estimate.into())),
        None => Err(BuildError::NotServed("the graph's nodes have no positions".to_owned())),
    }
}

/// The table that a word stands for, worked out for an environment; `None` if the word is none.
fn table<E: Nodes, D: Distance>(
    environment: &E,
    word: &str,
    values: &OptionValues,
    clusters: impl FnOnce() -> Partition,
    watch: &mut Watch<'_>,
) -> Result<Option<Estimates<D>>, BuildError> {
    Ok(Some(match word {
        "landmarks" => {
            let count = values.whole(LANDMARKS.name).unwrap_or(1) as usize;
            Landmarks::choose_watched(environment, count, watch)?.into()
        }
        "clusters" => ClusterTable::new_watched(environment, clusters(), watch)?.into(),
        "abstract" => AbstractDistances::new_watched(environment, clusters(), watch)?.into(),
        "true" => Estimates::True,
        _ => return Ok(None),
    }))
}
