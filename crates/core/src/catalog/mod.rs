//! The only list of all planners. The command line, the common test suite and the benchmarks read
//! it; adding an algorithm is a module and an entry here.

use crate::grid::Grid;
use crate::heuristic::HeuristicKind;
use crate::hierarchy::{
    Hpa, HpaOptions, Levels, Pra, PraOptions, Refinement, StartLayer, Transitions,
};
use crate::index::{
    ChIndex, HubLabels, HubOptions, SubgoalGraph, serves_hierarchy, serves_subgoals,
};
use crate::online::{GridSearch, JumpPointSearch};
use crate::planner::{BuildError, Planner};
use crate::search::Weight;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A planner that can be asked for by name.
pub struct CatalogEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in prose.
    pub title: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What can be set.
    pub options: &'static [OptionHelp],
    /// Whether it serves a grid; if not, why.
    pub serves: fn(&Grid) -> Result<(), String>,
    /// Makes it for a grid: all the work that comes before the first query.
    make: Make,
}

type Make = fn(&Grid, &Spec) -> Result<Box<dyn Planner>, SpecError>;

/// An option of a planner.
pub struct OptionHelp {
    /// Its name.
    pub name: &'static str,
    /// What it can be.
    pub values: &'static str,
    /// What it is unless set.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

const HEURISTIC: OptionHelp = OptionHelp {
    name: "heuristic",
    values: "zero, manhattan, octile, chebyshev, euclidean or euclidean-rounded-up",
    default: "octile",
    help: "how the cost to go is estimated",
};

const REOPEN: OptionHelp = OptionHelp {
    name: "reopen",
    values: "auto, yes or no",
    default: "auto",
    help: "whether cells are expanded again when they get cheaper; auto: where the heuristic is inconsistent",
};

fn any_grid(_: &Grid) -> Result<(), String> {
    Ok(())
}

/// All planners.
pub static CATALOG: &[CatalogEntry] = &[
    CatalogEntry {
        name: "bfs",
        title: "Breadth-first search",
        summary: "as few steps as possible, whatever they cost",
        options: &[],
        serves: any_grid,
        make: |_, _| Ok(Box::new(GridSearch::breadth_first())),
    },
    CatalogEntry {
        name: "dijkstra",
        title: "Dijkstra's algorithm",
        summary: "cheapest first, in every direction: the exact answer without any guessing",
        options: &[],
        serves: any_grid,
        make: |_, _| Ok(Box::new(GridSearch::dijkstra())),
    },
    CatalogEntry {
        name: "astar",
        title: "A*",
        summary: "cheapest first, counting an estimate of what is left",
        options: &[
            HEURISTIC,
            OptionHelp {
                name: "scale",
                values: "0 to 1000",
                default: "1",
                help: "what estimates are multiplied by; above 1 it may miss the optimum by that factor",
            },
            REOPEN,
        ],
        serves: any_grid,
        make: |_, spec| make_astar(spec, "scale", 1.0),
    },
    CatalogEntry {
        name: "weighted-astar",
        title: "Weighted A*",
        summary: "A* that trusts its estimate more: fewer cells, at most so many times dearer",
        options: &[
            HEURISTIC,
            OptionHelp {
                name: "weight",
                values: "0 to 1000",
                default: "1.5",
                help: "what estimates are multiplied by, and the most by which the cost may exceed the optimum",
            },
            REOPEN,
        ],
        serves: any_grid,
        make: |_, spec| make_astar(spec, "weight", 1.5),
    },
    CatalogEntry {
        name: "greedy",
        title: "Greedy best-first search",
        summary: "always to the cell that seems nearest to the goal",
        options: &[HEURISTIC],
        serves: any_grid,
        make: |_, spec| {
            let heuristic = spec.heuristic()?;
            Ok(Box::new(GridSearch::greedy().with_heuristic(heuristic)))
        },
    },
    CatalogEntry {
        name: "depth-first",
        title: "Depth-first search",
        summary: "one way to its end before another: some path, usually a long one",
        options: &[],
        serves: any_grid,
        make: |_, _| Ok(Box::new(GridSearch::depth_first())),
    },
    CatalogEntry {
        name: "bidirectional",
        title: "Bidirectional Dijkstra",
        summary: "Dijkstra's algorithm from both ends until they have met",
        options: &[],
        serves: any_grid,
        make: |_, _| Ok(Box::new(GridSearch::bidirectional())),
    },
    CatalogEntry {
        name: "jps",
        title: "Jump point search",
        summary: "A* over the cells where a path may turn, found 64 cells at a time: exact on uniform terrain",
        options: &[],
        serves: JumpPointSearch::serves,
        make: |_, _| Ok(Box::new(JumpPointSearch::new())),
    },
    CatalogEntry {
        name: "subgoal",
        title: "Subgoal graph",
        summary: "A* over the corners of obstacles and the precomputed ways between them: exact on uniform terrain",
        options: &[],
        serves: serves_subgoals,
        make: |grid, spec| indexed(SubgoalGraph::build(grid), spec),
    },
    CatalogEntry {
        name: "ch",
        title: "Contraction hierarchy",
        summary: "climbs a precomputed order of corners (on small maps of mixed terrain, of cells) from both ends: exact, in microseconds",
        options: &[],
        serves: serves_hierarchy,
        make: |grid, spec| indexed(ChIndex::build(grid), spec),
    },
    CatalogEntry {
        name: "hub-labels",
        title: "Hub labels",
        summary: "looks up where the precomputed labels of both ends meet: exact on uniform terrain, in a few microseconds",
        options: &[OptionHelp {
            name: "memory",
            values: "1 to 16384",
            default: "256",
            help: "megabytes that labels may take; with more, the contraction hierarchy answers",
        }],
        serves: serves_subgoals,
        make: |grid, spec| indexed(HubLabels::build(grid, spec.hub_options()?), spec),
    },
    CatalogEntry {
        name: "hpa",
        title: "HPA*",
        summary: "searches the ways between clusters, then fills in the cells: fast, and follows edits",
        options: &[
            OptionHelp {
                name: "cluster",
                values: "4 to 64",
                default: "32",
                help: "columns and rows of a cluster",
            },
            OptionHelp {
                name: "transitions",
                values: "ends, thesis or a number from 1 to 64",
                default: "16",
                help: "where clusters are joined: at the ends of entrances, by the thesis's two constants, or once every so many cells",
            },
            OptionHelp {
                name: "levels",
                values: "auto or 1 to 4",
                default: "auto",
                help: "how many levels of clusters; auto: one up to 4096 × 4096 cells, then two",
            },
            OptionHelp {
                name: "smooth",
                values: "yes or no",
                default: "yes",
                help: "whether paths are pulled tight",
            },
        ],
        serves: |grid| {
            Hpa::plan_build(grid, HpaOptions::default()).map(drop).map_err(|e| e.to_string())
        },
        make: |grid, spec| Ok(Box::new(make_hpa(grid, spec)?)),
    },
    CatalogEntry {
        name: "pra",
        title: "PRA*",
        summary: "searches a coarse layer of cells folded into cliques, then refines: fast, and follows edits",
        options: &[
            OptionHelp {
                name: "start",
                values: "auto, half or 0 to 30",
                default: "auto",
                help: "the layer on which the search begins; auto: the lowest with few enough nodes; half: of the height, as in the thesis",
            },
            OptionHelp {
                name: "margin",
                values: "0 to 16",
                default: "0",
                help: "rings of neighbours that widen the corridor of a refinement",
            },
            OptionHelp {
                name: "k",
                values: "all or 1 to 65535",
                default: "all",
                help: "how many steps of a layer's path are refined at a time, leg by leg",
            },
            OptionHelp {
                name: "refine",
                values: "lazy, layers, thesis or thesis-greedy",
                default: "lazy",
                help: "how cells are found: along lines of sight, by searches layer by layer, or from group to group as in the thesis, with its smoothing or without",
            },
            OptionHelp {
                name: "smooth",
                values: "yes or no",
                default: "yes",
                help: "whether paths are pulled tight",
            },
        ],
        serves: |grid| Pra::serves(grid).map_err(|error| error.to_string()),
        make: |grid, spec| Ok(Box::new(make_pra(grid, spec)?)),
    },
];

fn indexed<P: Planner + 'static>(
    built: Result<P, BuildError>,
    spec: &Spec,
) -> Result<Box<dyn Planner>, SpecError> {
    match built {
        Ok(index) => Ok(Box::new(index)),
        Err(error) => {
            let reason = error.to_string();
            Err(SpecError::NotServed { planner: spec.entry.name, reason })
        }
    }
}

fn make_hpa(grid: &Grid, spec: &Spec) -> Result<Hpa, SpecError> {
    let usual = HpaOptions::default();
    let in_range = |number: &u32| (4..=64).contains(number);
    let options = HpaOptions {
        cluster_side: spec
            .value("cluster", usual.cluster_side, |text| text.parse().ok().filter(in_range))?,
        transitions: spec.value("transitions", usual.transitions, |text| match text {
            "ends" => Some(Transitions::Ends),
            "thesis" => Some(Transitions::Thesis),
            _ => {
                Some(Transitions::Every(text.parse().ok().filter(|step| (1..=64).contains(step))?))
            }
        })?,
        levels: spec.value("levels", usual.levels, |text| match text {
            "auto" => Some(Levels::Automatic),
            _ => Some(Levels::Exactly(
                text.parse().ok().filter(|levels| (1..=Levels::MAX).contains(levels))?,
            )),
        })?,
        smooth: spec.value("smooth", usual.smooth, yes_or_no)?,
    };
    Hpa::build(grid, options).map_err(|error| SpecError::NotServed {
        planner: spec.entry.name,
        reason: error.to_string(),
    })
}

fn make_pra(grid: &Grid, spec: &Spec) -> Result<Pra, SpecError> {
    let usual = PraOptions::default();
    let options = PraOptions {
        start: spec.value("start", usual.start, |text| match text {
            "auto" => Some(StartLayer::Automatic),
            "half" => Some(StartLayer::Half),
            _ => Some(StartLayer::Exactly(text.parse().ok().filter(|layer| *layer <= 30)?)),
        })?,
        margin: spec.value("margin", usual.margin, |text| {
            text.parse().ok().filter(|margin| *margin <= PraOptions::MARGIN_MAX)
        })?,
        steps: spec.value("k", usual.steps, |text| match text {
            "all" => Some(None),
            _ => Some(Some(text.parse().ok().filter(|steps| *steps > 0)?)),
        })?,
        refinement: spec.value("refine", usual.refinement, |text| match text {
            "lazy" => Some(Refinement::Lazy),
            "layers" => Some(Refinement::Layers),
            "thesis" => Some(Refinement::Thesis),
            "thesis-greedy" => Some(Refinement::ThesisGreedy),
            _ => None,
        })?,
        smooth: spec.value("smooth", usual.smooth, yes_or_no)?,
    };
    Pra::build(grid, options).map_err(|error| SpecError::NotServed {
        planner: spec.entry.name,
        reason: error.to_string(),
    })
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn make_astar(spec: &Spec, factor: &str, usual: f64) -> Result<Box<dyn Planner>, SpecError> {
    let weight = spec.value(factor, Weight::new(usual).unwrap_or_default(), |text| {
        Weight::new(text.parse().ok()?).ok()
    })?;
    let reopen = spec.value("reopen", None, |text| match text {
        "auto" => Some(None),
        _ => yes_or_no(text).map(Some),
    })?;
    let search = GridSearch::astar().with_heuristic(spec.heuristic()?).with_weight(weight);
    Ok(Box::new(match reopen {
        Some(wanted) => search.with_reopening(wanted),
        None => search,
    }))
}

/// A planner and its options, as written on a command line: `astar`,
/// `weighted-astar:weight=2:heuristic=euclidean`.
#[derive(Clone)]
pub struct Spec {
    entry: &'static CatalogEntry,
    text: String,
    options: Vec<(&'static OptionHelp, String)>,
}

impl Spec {
    /// The catalog's entry.
    pub fn entry(&self) -> &'static CatalogEntry {
        self.entry
    }

    /// Makes the planner for a grid.
    pub fn build(&self, grid: &Grid) -> Result<Box<dyn Planner>, SpecError> {
        (self.entry.serves)(grid)
            .map_err(|reason| SpecError::NotServed { planner: self.entry.name, reason })?;
        (self.entry.make)(grid, self)
    }

    /// Reads an option, or takes what is usual.
    fn value<T>(
        &self,
        name: &str,
        usual: T,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, SpecError> {
        let Some((option, text)) = self.options.iter().find(|(option, _)| option.name == name)
        else {
            return Ok(usual);
        };
        parse(text).ok_or_else(|| SpecError::BadValue {
            planner: self.entry.name,
            option: option.name,
            value: text.clone(),
            values: option.values,
        })
    }

    /// How the labels of a spec of hub labels are to be built; for others, what is usual.
    pub fn hub_options(&self) -> Result<HubOptions, SpecError> {
        let usual = HubOptions::default();
        let in_range = |size: &usize| (1..=16384).contains(size);
        let size =
            self.value("memory", usual.bytes_max >> 20, |text| text.parse().ok().filter(in_range))?;
        Ok(HubOptions { bytes_max: size << 20 })
    }

    fn heuristic(&self) -> Result<HeuristicKind, SpecError> {
        self.value("heuristic", HeuristicKind::default(), HeuristicKind::from_name)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({})", self.text)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let entry = CATALOG
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| SpecError::UnknownPlanner(name.to_owned()))?;
        let mut options: Vec<(&'static OptionHelp, String)> = Vec::new();
        for part in parts {
            let (key, value) =
                part.split_once('=').ok_or_else(|| SpecError::Malformed(part.to_owned()))?;
            let option = entry.options.iter().find(|option| option.name == key);
            let option = option.ok_or_else(|| SpecError::UnknownOption {
                planner: entry.name,
                option: key.to_owned(),
            })?;
            if options.iter().any(|(given, _)| given.name == option.name) {
                return Err(SpecError::Repeated(option.name));
            }
            options.push((option, value.to_owned()));
        }
        Ok(Self { entry, text: text.to_owned(), options })
    }
}

/// Why a planner cannot be made as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// No planner has that name.
    #[error("there is no planner '{0}'; known are: {list}", list = names(CATALOG.iter().map(|entry| entry.name)))]
    UnknownPlanner(String),
    /// An option without a value.
    #[error(
        "'{0}' is no option: write options as name=value after the planner, such as astar:heuristic=manhattan"
    )]
    Malformed(String),
    /// The planner has no such option.
    #[error("{planner} has no option '{option}'{}", known_options(planner))]
    UnknownOption {
        /// The planner.
        planner: &'static str,
        /// The option asked for.
        option: String,
    },
    /// The option cannot be that.
    #[error("{planner}: {option} cannot be '{value}'; it can be {values}")]
    BadValue {
        /// The planner.
        planner: &'static str,
        /// The option.
        option: &'static str,
        /// What was asked for.
        value: String,
        /// What it can be.
        values: &'static str,
    },
    /// An option is given twice.
    #[error("the option '{0}' is given twice")]
    Repeated(&'static str),
    /// The planner does not work on this grid.
    #[error("{planner} does not serve this map: {reason}")]
    NotServed {
        /// The planner.
        planner: &'static str,
        /// Why not.
        reason: String,
    },
}

fn known_options(planner: &str) -> String {
    let entry = CATALOG.iter().find(|entry| entry.name == planner);
    match entry.map_or(&[][..], |entry| entry.options) {
        [] => "; it has none".to_owned(),
        options => format!("; it has: {}", names(options.iter().map(|option| option.name))),
    }
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GridMap, Guarantee, Path, Query, Scratch, Statistics, Terrain};

    fn grid() -> Grid {
        Grid::with_defaults("...\n".parse().unwrap())
    }

    #[test]
    fn names_are_unique_and_every_entry_builds() {
        for entry in CATALOG {
            let same = CATALOG.iter().filter(|other| other.name == entry.name);
            assert_eq!(same.count(), 1, "{}", entry.name);
            entry.name.parse::<Spec>().unwrap().build(&grid()).unwrap();
        }
    }

    /// What a planner does on a map with obstacles, large enough for several clusters.
    fn behaviour(spec: &Spec) -> (Guarantee, Statistics, Option<Path>, usize) {
        let map = GridMap::from_fn(150, 90, |cell| {
            let wall = cell.x % 9 == 4 && cell.y % 31 != cell.x % 29;
            if wall { Terrain::WALL } else { Terrain::GROUND }
        });
        let grid = Grid::with_defaults(map.unwrap());
        let planner = spec.build(&grid).unwrap();
        let mut scratch = Scratch::new();
        let query = Query::new((0, 0), (149, 80));
        let path = planner.solve(&grid, &query, &mut scratch).unwrap().path();
        (planner.guarantee(&grid), scratch.statistics(), path, planner.memory_bytes())
    }

    #[test]
    fn the_default_in_the_help_is_the_default_in_fact() {
        for entry in CATALOG {
            for option in entry.options {
                let spelled: Spec =
                    format!("{}:{}={}", entry.name, option.name, option.default).parse().unwrap();
                let plain: Spec = entry.name.parse().unwrap();
                assert_eq!(behaviour(&spelled), behaviour(&plain), "{spelled}");
            }
        }
    }

    #[test]
    fn what_cannot_be_built_says_why() {
        let error = |text: &str| match text.parse::<Spec>() {
            Err(error) => error.to_string(),
            Ok(spec) => spec.build(&grid()).err().unwrap().to_string(),
        };
        assert!(
            error("a-star").starts_with("there is no planner 'a-star'; known are: bfs, dijkstra")
        );
        assert!(error("astar:fast").contains("name=value"));
        assert!(error("dijkstra:weight=2").ends_with("it has none"));
        assert!(error("astar:weight=2").ends_with("it has: heuristic, scale, reopen"));
        assert!(error("astar:heuristic=octal").contains("cannot be 'octal'; it can be zero"));
        assert!(error("weighted-astar:weight=-1").contains("0 to 1000"));
        assert!(error("astar:scale=1:scale=2").contains("twice"));
    }
}
