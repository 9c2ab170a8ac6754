//! Maps with queries to ask on them: found on disk, or made up.

use crate::generate::Random;
use crate::scenario::{Scenario, ScenarioError};
use highroad::environment::Environment;
use highroad::grid::{CostOverflow, Footprint, Grid, Movement, MovementRule, Profile, StepCosts};
use highroad::mesh::MeshTextError;
use highroad::{Cell, GridMap};
use highroad_formats::{MapFormat, ReadError, file_below, read_map};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A map file, with the scenario file for it if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The map file.
    pub map: PathBuf,
    /// Its scenario file.
    pub scenario: Option<PathBuf>,
}

/// A map and the queries to ask on it.
pub struct Workload<E: Environment = Grid> {
    /// The map's file name, or the scenario's where that shows more.
    pub name: String,
    /// The map for the agents of this run.
    pub environment: E,
    /// What to ask.
    pub queries: Vec<WorkQuery<E::Place>>,
}

/// One query of a workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkQuery<P = Cell> {
    /// Where the path starts.
    pub start: P,
    /// Where it ends.
    pub goal: P,
    /// What a scenario file says of it, under the rules that it was made for.
    pub published: Option<Published>,
}

/// The answer that a scenario file gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The optimal length; `None`: there is no path.
    pub length: Option<f64>,
    /// By how much a length may differ.
    pub tolerance: f64,
}

/// How many of a scenario's queries to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Every one; of a map without a scenario, 100 seeded ones.
    All,
    /// That many, spread evenly over the file, or seeded where there is none.
    Spread(usize),
}

pub(crate) const SEEDED_QUERIES: usize = 100;

/// Why no workload came of a path.
#[derive(Debug, Error)]
pub enum WorkloadError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The map's file is missing or broken.
    #[error(transparent)]
    Map(#[from] ReadError),
    /// The scenario's text is broken.
    #[error("{}, {error}", .path.display())]
    Scenario {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        error: ScenarioError,
    },
    /// The scenario is for a map of another size.
    #[error(
        "{} is for a map of {} × {} cells, but {} has {} × {}",
        .scenario.display(), .claimed.0, .claimed.1, .map.display(), .actual.0, .actual.1
    )]
    Size {
        /// The scenario file.
        scenario: PathBuf,
        /// The map file.
        map: PathBuf,
        /// Size in the scenario.
        claimed: (u32, u32),
        /// Size of the map.
        actual: (u32, u32),
    },
    /// No map lies beside a scenario.
    #[error("{} names the map '{name}', which does not lie beside it", .scenario.display())]
    NoMap {
        /// The scenario file.
        scenario: PathBuf,
        /// The map that it names.
        name: String,
    },
    /// Neither a map, nor a scenario, nor a folder.
    #[error("{} is neither a map (.map, .png, .tmx, .tmj, .txt) nor a .scen file nor a folder of such", .0.display())]
    Unknown(PathBuf),
    /// The costs of steps are too large for the terrain of a map.
    #[error("{name}: {error}")]
    Steps {
        /// The map's name.
        name: String,
        /// Why.
        error: CostOverflow,
    },
    /// The text of a mesh is broken.
    #[error("{}, {error}", .path.display())]
    Mesh {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        error: MeshTextError,
    },
    /// No mesh can be made of a map.
    #[error("{}: {reason}", .path.display())]
    NoMesh {
        /// The map's file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A folder without maps.
    #[error("no maps under {}", .0.display())]
    Nothing(PathBuf),
}

/// Every map with its scenarios at or below some paths, in the order of their names. In a folder only `.map`
/// files are maps: pictures and levels there may be anything. A scenario of
/// another version in a folder (the dynamic ones of the path planning competition) is passed over.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<Source>, WorkloadError> {
    let mut sources = Vec::new();
    for path in paths {
        let before = sources.len();
        if path.is_dir() {
            find_below(path, &mut sources)?;
            if sources.len() == before {
                return Err(WorkloadError::Nothing(path.clone()));
            }
        } else {
            // A missing file is reported before others are worked on.
            std::fs::metadata(path)
                .map_err(|error| WorkloadError::Read { path: path.clone(), error })?;
            match MapFormat::of_path(path) {
                Some(_) => sources.push(with_own_scenario(path)),
                None if extension(path) == "scen" => sources.push(source_of_scenario(path)?),
                None => return Err(WorkloadError::Unknown(path.clone())),
            }
        }
    }
    Ok(sources)
}

pub(crate) fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn with_own_scenario(map: &Path) -> Source {
    let mut name = map.as_os_str().to_owned();
    name.push(".scen");
    let scenario = Some(PathBuf::from(name)).filter(|path| path.exists());
    Source { map: map.to_owned(), scenario }
}

fn source_of_scenario(path: &Path) -> Result<Source, WorkloadError> {
    let scenario = read_scenario(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let map = file_below(folder, &scenario.map_name).ok().filter(|map| map.exists());
    let no_map = || WorkloadError::NoMap { scenario: path.to_owned(), name: scenario.map_name };
    let map = map.ok_or_else(no_map)?;
    Ok(Source { map, scenario: Some(path.to_owned()) })
}

/// Whether the lengths of a scenario are those of paths in any direction, which no path from cell to cell has.
pub(crate) fn is_any_angle(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(".any-angle.scen"))
}

fn find_below(folder: &Path, sources: &mut Vec<Source>) -> Result<(), WorkloadError> {
    let unreadable = |error| WorkloadError::Read { path: folder.to_owned(), error };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    let first = sources.len();
    for entry in &entries {
        if entry.is_dir() {
            find_below(entry, sources)?;
        } else if extension(entry) == "scen" && !is_any_angle(entry) && is_version_1(entry)? {
            sources.push(source_of_scenario(entry)?);
        }
    }
    for map in entries.iter().filter(|entry| extension(entry) == "map") {
        if !sources[first..].iter().any(|source| source.map == *map) {
            sources.push(Source { map: map.clone(), scenario: None });
        }
    }
    Ok(())
}

fn is_version_1(path: &Path) -> Result<bool, WorkloadError> {
    let bytes = read(path)?;
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(start.trim_ascii_start().starts_with(b"version 1"))
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, WorkloadError> {
    std::fs::read(path).map_err(|error| WorkloadError::Read { path: path.to_owned(), error })
}

fn read_scenario(path: &Path) -> Result<Scenario, WorkloadError> {
    let text = read(path)?;
    Scenario::parse(&String::from_utf8_lossy(&text))
        .map_err(|error| WorkloadError::Scenario { path: path.to_owned(), error })
}

impl Source {
    /// Reads the map and the queries, for agents that move by that rule.
    pub fn load(&self, rule: MovementRule, sample: Sample) -> Result<Workload, WorkloadError> {
        self.load_with(AgentMovement { rule, ..AgentMovement::default() }, sample)
    }

    /// The same for agents that move otherwise. Queries of a scenario that begin or end where agents larger than a cell do
    /// not fit are left out.
    pub fn load_with(
        &self,
        moves: AgentMovement,
        sample: Sample,
    ) -> Result<Workload, WorkloadError> {
        let map = read_map(&self.map)?;
        let grid = grid_with(map, moves)
            .map_err(|error| WorkloadError::Steps { name: self.name(), error })?;
        let Some(path) = &self.scenario else {
            let count = match sample {
                Sample::All => SEEDED_QUERIES,
                Sample::Spread(count) => count,
            };
            let queries = seeded_queries(&grid, count, 1);
            return Ok(Workload { name: self.name(), environment: grid, queries });
        };
        let scenario = read_scenario(path)?;
        let actual = (grid.extent().width(), grid.extent().height());
        if scenario.size != actual {
            return Err(WorkloadError::Size {
                scenario: path.clone(),
                map: self.map.clone(),
                claimed: scenario.size,
                actual,
            });
        }
        let AgentMovement { rule, steps, footprint } = moves;
        let is_cell = footprint == Footprint::CELL;
        let comparable = is_cell && (rule, steps) == (scenario.rule, scenario.steps);
        let query = |index: usize| {
            let query = &scenario.queries[index];
            let published = Published { length: query.length, tolerance: query.tolerance };
            WorkQuery {
                start: query.start,
                goal: query.goal,
                published: comparable.then_some(published),
            }
        };
        let fits = |query: &WorkQuery| {
            is_cell || (grid.is_enterable(query.start) && grid.is_enterable(query.goal))
        };
        let queries = spread(scenario.queries.len(), sample).map(query).filter(fits).collect();
        Ok(Workload { name: self.name(), environment: grid, queries })
    }

    /// The map's file name, or the scenario's where that shows more.
    pub fn name(&self) -> String {
        let map = file_name(&self.map);
        let scenario = self.scenario.as_deref().map(file_name);
        scenario.filter(|name| name.strip_suffix(".scen") != Some(&map)).unwrap_or(map)
    }
}

/// The map under a rule, with the profile of its palette and exact step costs.
pub fn grid_under(map: GridMap, rule: MovementRule) -> Grid {
    let moves = AgentMovement { rule, ..AgentMovement::default() };
    grid_with(map, moves).expect("built-in profiles and exact steps fit")
}

/// How agents move; what terrain means to them follows from the palette of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentMovement {
    /// Which steps are allowed.
    pub rule: MovementRule,
    /// What steps cost.
    pub steps: StepCosts,
    /// Which cells an agent covers.
    pub footprint: Footprint,
}

impl AgentMovement {
    /// Agents of one cell that move by a rule, with steps of some costs.
    pub fn new(rule: MovementRule, steps: StepCosts) -> Self {
        Self { rule, steps, footprint: Footprint::CELL }
    }
}

/// The map for agents that move like that, if the costliest step fits.
pub fn grid_with(map: GridMap, moves: AgentMovement) -> Result<Grid, CostOverflow> {
    let profile = Profile::for_palette(map.palette());
    let movement = Movement::new(profile, moves.rule, moves.steps)?;
    Ok(Grid::new(map, movement.with_footprint(moves.footprint)))
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Which of `total` to take.
pub(crate) fn spread(total: usize, sample: Sample) -> impl Iterator<Item = usize> {
    let count = match sample {
        Sample::All => total,
        Sample::Spread(count) => count.min(total),
    };
    (0..count).map(move |index| index * total / count)
}

/// Queries between random enterable cells, the same for the same seed. Some may have no path.
pub fn seeded_queries(grid: &Grid, count: usize, seed: u64) -> Vec<WorkQuery> {
    if grid.enterable_count() == 0 {
        return Vec::new();
    }
    let mut random = Random::new(seed);
    let mut cell = || random_cell(grid, &mut random);
    (0..count).map(|_| WorkQuery { start: cell(), goal: cell(), published: None }).collect()
}

/// A random enterable cell of a grid that has one.
pub(crate) fn random_cell(grid: &Grid, random: &mut Random) -> Cell {
    let extent = grid.extent();
    let mut draw = || {
        let x = random.below(u64::from(extent.width())) as u32;
        Cell::new(x, random.below(u64::from(extent.height())) as u32)
    };
    // Where hardly any cell can be entered, the next one that can after a random one will do.
    let drawn = (0..1000).map(|_| draw()).find(|&cell| grid.is_enterable(cell));
    drawn.unwrap_or_else(|| {
        let from = draw();
        let cells = || extent.cells().filter(|&cell| grid.is_enterable(cell));
        let after = cells().find(|cell| (cell.y, cell.x) >= (from.y, from.x));
        after.or_else(|| cells().next()).unwrap_or(from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_from_the_first_on() {
        assert_eq!(spread(10, Sample::Spread(3)).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(spread(2, Sample::Spread(5)).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(spread(3, Sample::All).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(3, Sample::Spread(0)).count(), 0);
    }

    #[test]
    fn seeded_queries_are_enterable_and_repeatable() {
        let grid = Grid::with_defaults(".#.#\n#.#.\n".parse().unwrap());
        let queries = seeded_queries(&grid, 20, 7);
        assert_eq!(queries, seeded_queries(&grid, 20, 7));
        assert_ne!(queries, seeded_queries(&grid, 20, 8));
        assert!(queries.iter().all(|q| grid.is_enterable(q.start) && grid.is_enterable(q.goal)));
        assert!(seeded_queries(&Grid::with_defaults("##\n".parse().unwrap()), 5, 1).is_empty());
    }

    #[test]
    fn scenarios_of_paths_in_any_direction_are_left_out_of_folders() {
        let folder =
            std::env::temp_dir().join(format!("highroad-any-angle-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("small.map"), "type octile\nheight 1\nwidth 2\nmap\n..\n")
            .unwrap();
        // Its map would lie in another folder.
        let text = "version 1\n0\tother.map\t2\t1\t0\t0\t1\t0\t1.0\n";
        std::fs::write(folder.join("other.any-angle.scen"), text).unwrap();
        let sources = find_sources(std::slice::from_ref(&folder)).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(sources.len(), 1);
        assert_eq!(
            (sources[0].map.file_name(), &sources[0].scenario),
            (Some("small.map".as_ref()), &None)
        );
    }

    #[test]
    fn steps_that_are_too_costly_are_an_error() {
        let map = || GridMap::filled(3, 2, highroad::Terrain::GROUND).unwrap();
        let large = StepCosts::new(30_000, 40_000).unwrap();
        assert!(grid_with(map(), AgentMovement::new(MovementRule::default(), large)).is_err());
        let largest = StepCosts::new(32_767, 32_767).unwrap();
        assert!(grid_with(map(), AgentMovement::new(MovementRule::default(), largest)).is_ok());
    }

    #[test]
    fn what_is_not_there_or_not_a_map_is_an_error() {
        let missing = find_sources(&["no/such/place.map".into()]);
        assert!(matches!(missing, Err(WorkloadError::Read { .. })));
        assert!(matches!(find_sources(&["nowhere".into()]), Err(WorkloadError::Read { .. })));
        let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let toml = manifest.join("Cargo.toml");
        assert!(matches!(find_sources(&[toml]), Err(WorkloadError::Unknown(_))));
        assert!(matches!(find_sources(&[manifest.join("src")]), Err(WorkloadError::Nothing(_))));
    }
}
