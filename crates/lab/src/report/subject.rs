//! Which maps are measured: files, maps that come with the program, and generated ones.

use super::settings::{Settings, hash};
use crate::builtin::{BUILTIN_MAPS, BuiltinMap};
use crate::generate::{GenerateError, Layout, MapRecipe, Random};
use crate::workload::{
    AgentMovement, Sample, Source, WorkQuery, Workload, WorkloadError, find_sources, grid_with,
    seeded_queries,
};
use highroad::Cell;
use highroad::grid::{Components, Grid};
use highroad_formats::read_map;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A map of a set, or one of the growth.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Which set it belongs to: its folder, or what made it.
    pub set: String,
    /// Its name in the set.
    pub name: String,
    /// Columns and rows of a map that shows how things grow; `None` for maps of sets.
    pub side: Option<u32>,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    File(Source),
    Builtin(&'static str),
    Recipe(MapRecipe),
}

/// Why a map cannot be had.
#[derive(Debug, Error)]
pub enum SubjectError {
    /// A file is missing or broken.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// A recipe makes no map.
    #[error("{recipe}: {error}")]
    Recipe {
        /// The recipe's line.
        recipe: String,
        /// What is wrong with it.
        error: GenerateError,
    },
}

/// The kinds of maps on which growth is measured, and what they are called.
fn growth_layouts() -> [(&'static str, Layout); 3] {
    [
        ("caves", Layout::Caves { noise_percent: 46, steps: 5, joined: true }),
        ("rooms", Layout::Rooms { room_side: 15, doors_percent: 80 }),
        ("random obstacles", Layout::Obstacles { blocked_percent: 25, connected: false }),
    ]
}

/// Recipes of the set that is measured where there are no maps.
const GENERATED: [&str; 6] = [
    "caves width=384 height=384 noise=46 steps=5 joined=yes seed=21",
    "caves width=384 height=384 noise=50 steps=5 joined=yes seed=22",
    "rooms width=385 height=385 room=15 doors=80 seed=23",
    "maze width=385 height=385 corridor=3 braid=5 seed=24",
    "obstacles width=384 height=384 blocked=15 seed=25",
    "obstacles width=384 height=384 blocked=35 seed=26",
];

impl Subject {
    /// Every map at or below some paths. Sets are folders.
    pub fn of_files(paths: &[PathBuf]) -> Result<Vec<Self>, SubjectError> {
        let mut subjects = Vec::new();
        for root in paths {
            let sources = find_sources(std::slice::from_ref(root))?;
            subjects.extend(sources.into_iter().map(|source| Self {
                set: set_name(root, &source.map),
                name: short_name(&source.name()).to_owned(),
                side: None,
                origin: Origin::File(source),
            }));
        }
        // Maps of one set stand together, whatever lies between them.
        subjects.sort_by(|a, b| a.set.cmp(&b.set));
        Ok(subjects)
    }

    /// Maps that need no files: those that come with the program, and generated ones.
    pub fn own() -> Vec<Self> {
        let builtin = BUILTIN_MAPS.iter().map(|map| Self {
            set: "built-in".to_owned(),
            name: map.name.to_owned(),
            side: None,
            origin: Origin::Builtin(map.name),
        });
        let generated = GENERATED.iter().filter_map(|line| line.parse::<MapRecipe>().ok());
        builtin.chain(generated.map(|recipe| Self::of_recipe("generated", recipe))).collect()
    }

    /// Generated maps of rising size.
    pub fn growth(sides: &[u32], seed: u64) -> Vec<Self> {
        let of_kind = |(set, layout): (&'static str, Layout)| {
            sides.iter().map(move |&side| Self {
                side: Some(side),
                name: format!("{side} × {side}"),
                ..Self::of_recipe(set, MapRecipe { width: side, height: side, layout, seed })
            })
        };
        growth_layouts().into_iter().flat_map(of_kind).collect()
    }

    fn of_recipe(set: &str, recipe: MapRecipe) -> Self {
        let line = recipe.to_string();
        // What is the same for all of them is left out.
        let shown = line.split(' ').filter(|word| {
            !["width=", "height=", "seed=", "joined=", "steps="]
                .iter()
                .any(|key| word.starts_with(key))
        });
        Self {
            set: set.to_owned(),
            name: shown.collect::<Vec<_>>().join(" "),
            side: None,
            origin: Origin::Recipe(recipe),
        }
    }

    /// Set and name: what distinguishes it from others in a list.
    pub fn title(&self) -> String {
        format!("{}/{}", self.set, self.name)
    }

    /// The recipe's line of a generated map.
    pub fn recipe(&self) -> Option<String> {
        match &self.origin {
            Origin::Recipe(recipe) => Some(recipe.to_string()),
            _ => None,
        }
    }

    /// The map and its queries: an even sample of the scenario, or seeded ones, in a seeded order. So the
    /// first ones are an even sample as well, if there is time for no more.
    pub fn load(&self, settings: &Settings) -> Result<Workload, SubjectError> {
        let mut workload = self.load_in_order(settings)?;
        if self.side.is_some() {
            return Ok(workload); // The same order on every size.
        }
        Random::new(settings.seed ^ hash(self.title().as_bytes())).shuffle(&mut workload.queries);
        Ok(workload)
    }

    fn load_in_order(&self, settings: &Settings) -> Result<Workload, SubjectError> {
        let map = match &self.origin {
            Origin::File(source) if source.scenario.is_some() => {
                return Ok(source.load_with(
                    AgentMovement::new(settings.rule, settings.steps),
                    settings.queries,
                )?);
            }
            Origin::File(source) => read_map(&source.map).map_err(WorkloadError::from)?,
            Origin::Builtin(name) => BuiltinMap::find(name)
                .map(BuiltinMap::load)
                .ok_or_else(|| WorkloadError::Nothing(PathBuf::from(name)))?,
            Origin::Recipe(recipe) => recipe
                .generate()
                .map_err(|error| SubjectError::Recipe { recipe: recipe.to_string(), error })?,
        };
        let grid = grid_with(map, AgentMovement::new(settings.rule, settings.steps))
            .map_err(|error| WorkloadError::Steps { name: self.name.clone(), error })?;
        let queries = match (self.side, settings.queries) {
            (Some(_), _) => relative_queries(&grid, settings.growth_queries, settings.seed),
            (None, Sample::Spread(count)) => seeded_queries(&grid, count, settings.seed),
            (None, Sample::All) => seeded_queries(&grid, SEEDED_QUERIES, settings.seed),
        };
        Ok(Workload { name: self.name.clone(), environment: grid, queries })
    }
}

/// Of a map without a scenario, if all of its queries are wanted.
const SEEDED_QUERIES: usize = 100;

/// Queries between the same places on a map of any size, as shares of its sides: each moved to the nearest cell of
/// the largest connected part, so that all have a path.
fn relative_queries(grid: &Grid, count: usize, seed: u64) -> Vec<WorkQuery> {
    let components = Components::of(grid);
    let sizes = components.sizes();
    let Some(largest) = (0..sizes.len()).max_by_key(|&part| (sizes[part], usize::MAX - part))
    else {
        return Vec::new();
    };
    let extent = grid.extent();
    let inside = |cell: &Cell| {
        let id = extent.id(*cell);
        id.is_some_and(|id| components.numbers()[id.index()] == largest as u32)
    };
    let mut random = Random::new(seed);
    let mut place = || {
        let mut share = |side: u32| ((random.below(1 << 16) * u64::from(side)) >> 16) as u32;
        let wanted = Cell::new(share(extent.width()), share(extent.height()));
        let reach = extent.width().max(extent.height());
        (0..=reach).find_map(|distance| ring(wanted, distance).find(inside))
    };
    let query = |_| Some(WorkQuery { start: place()?, goal: place()?, published: None });
    (0..count).map_while(query).collect()
}

/// The cells that lie so far from one, counted by the longer of both ways; those left of or above the map left out.
fn ring(middle: Cell, distance: u32) -> impl Iterator<Item = Cell> {
    let (x, y, reach) = (i64::from(middle.x), i64::from(middle.y), i64::from(distance));
    let rows = (y - reach..=y + reach).flat_map(move |row| {
        let whole = (row - y).abs() == reach;
        let step = if whole { 1 } else { (2 * reach).max(1) };
        (x - reach..=x + reach).step_by(step as usize).map(move |column| (column, row))
    });
    rows.filter_map(|(x, y)| Some(Cell::new(u32::try_from(x).ok()?, u32::try_from(y).ok()?)))
}

/// The folder of a map below the root, or the root's own name.
fn set_name(root: &Path, map: &Path) -> String {
    let folder = map.parent().unwrap_or(Path::new(""));
    let below = folder.strip_prefix(root).unwrap_or(folder);
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if below != folder && !parts.is_empty() {
        return parts.join("/");
    }
    let full = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    full.file_name().map_or_else(|| "maps".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn short_name(file: &str) -> &str {
    file.strip_suffix(".scen").or(file.strip_suffix(".map")).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_maps_can_be_had_without_files() {
        let own = Subject::own();
        assert_eq!(own.len(), BUILTIN_MAPS.len() + GENERATED.len());
        let settings = crate::report::tests::settings();
        for subject in own.iter().filter(|subject| subject.set == "built-in") {
            let workload = subject.load(&settings).unwrap();
            assert_eq!(workload.queries.len(), 8, "{}", subject.title());
        }
        assert_eq!(own.last().unwrap().name, "obstacles blocked=35");
    }

    #[test]
    fn sets_are_folders() {
        assert_eq!(set_name(Path::new("maps"), Path::new("maps/dao/x.map")), "dao");
        assert_eq!(set_name(Path::new("maps"), Path::new("maps/a/b/x.map")), "a/b");
        assert_eq!(set_name(Path::new("maps/dao"), Path::new("maps/dao/x.map")), "dao");
        assert_eq!(set_name(Path::new("maps/x.map"), Path::new("maps/x.map")), "maps");
    }

    #[test]
    fn queries_of_the_growth_lie_alike_on_every_size() {
        let settings = crate::report::tests::settings();
        let growth = Subject::growth(&[64, 256], 5);
        for (small, large) in [(0, 1), (2, 3), (4, 5)] {
            let [small, large] = [small, large].map(|index| growth[index].load(&settings).unwrap());
            assert_eq!((small.queries.len(), large.queries.len()), (4, 4));
            for (a, b) in small.queries.iter().zip(&large.queries) {
                let apart =
                    a.start.x.abs_diff(b.start.x / 4).max(a.start.y.abs_diff(b.start.y / 4));
                assert!(apart <= 16, "{a:?} {b:?}");
            }
            assert!(
                crate::measure::exact_answers(&large.environment, &large.queries, |_| true)
                    .iter()
                    .all(Option::is_some)
            );
        }
    }

    #[test]
    fn rings_are_whole() {
        assert_eq!(ring(Cell::new(5, 5), 0).collect::<Vec<_>>(), [Cell::new(5, 5)]);
        assert_eq!(ring(Cell::new(5, 5), 2).count(), 16);
        assert_eq!(ring(Cell::new(0, 0), 1).count(), 3);
    }

    #[test]
    fn growth_is_the_same_kinds_of_map_in_every_size() {
        let growth = Subject::growth(&[16, 32], 5);
        let shown: Vec<_> = growth.iter().map(Subject::title).collect();
        assert_eq!(shown.len(), 6);
        assert_eq!(
            (shown[0].as_str(), shown[5].as_str()),
            ("caves/16 × 16", "random obstacles/32 × 32")
        );
        assert!(growth[1].recipe().unwrap().contains("width=32 height=32"));
        assert!(growth[1].recipe().unwrap().ends_with("seed=5"));
    }
}
