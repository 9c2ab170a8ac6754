//! The only list of all planners, and how one is asked for by name and options. The command line, the workbench, the
//! common test suite and the benchmarks read it. Everything they know of a planner stands in its entry, which lies in
//! the planner's own module; here it is one line.

use crate::environment::Watch;
use crate::hierarchy::{ENTRANCES, HPA, PRA, REGIONS};
use crate::index::{CH, HUB_LABELS, SUBGOAL};
use crate::online::{
    ASTAR, BFS, BIDIRECTIONAL, DEPTH_FIRST, DIJKSTRA, GREEDY, JUMP_POINTS, WEIGHTED_ASTAR,
};
use crate::planner::{
    BuildError, CatalogEntry, Cataloged, OptionInfo, OptionKind, OptionValues, Planner,
};
use crate::saved::LoadError;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// All planners.
pub static CATALOG: &[&CatalogEntry] = &[
    &BFS,
    &DIJKSTRA,
    &ASTAR,
    &WEIGHTED_ASTAR,
    &GREEDY,
    &DEPTH_FIRST,
    &BIDIRECTIONAL,
    &JUMP_POINTS,
    &SUBGOAL,
    &CH,
    &HUB_LABELS,
    &HPA,
    &PRA,
    &REGIONS,
    &ENTRANCES,
];

/// The planner of that name.
pub fn find(name: &str) -> Option<&'static CatalogEntry> {
    CATALOG.iter().copied().find(|entry| entry.name == name)
}

/// A planner and its options, as written on a command line: `astar`,
/// `weighted-astar:weight=2:heuristic=euclidean`.
#[derive(Clone)]
pub struct Spec {
    entry: &'static CatalogEntry,
    text: String,
    values: OptionValues,
}

impl Spec {
    /// A planner with its usual options.
    pub fn usual(entry: &'static CatalogEntry) -> Self {
        Self { entry, text: entry.name.to_owned(), values: OptionValues::usual(entry.options) }
    }

    /// The catalog's entry.
    pub fn entry(&self) -> &'static CatalogEntry {
        self.entry
    }

    /// The values of its options.
    pub fn values(&self) -> &OptionValues {
        &self.values
    }

    /// Builds the planner for an environment.
    ///
    /// ```
    /// use highroad_core::{Grid, Planner, Query, Scratch, Spec};
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let spec: Spec = "hpa:cluster=4".parse()?;
    /// let planner = spec.build(&grid)?;
    /// let answer = planner.solve(&grid, &Query::new((0, 0), (2, 2)), &mut Scratch::new())?;
    /// assert!(answer.path().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build<E: Cataloged>(&self, environment: &E) -> Result<Box<dyn Planner<E>>, SpecError> {
        self.build_watched(environment, &mut Watch::none())
    }

    /// As [`Spec::build`], with progress, and stopping when the watch says so.
    pub fn build_watched<E: Cataloged>(
        &self,
        environment: &E,
        watch: &mut Watch<'_>,
    ) -> Result<Box<dyn Planner<E>>, SpecError> {
        let planner = self.entry.name;
        let refused = |reason| SpecError::NotServed { planner, reason };
        self.entry.serves(environment).map_err(refused)?;
        let built =
            E::maker(self.entry).map(|maker| (maker.build)(environment, &self.values, watch));
        match built {
            Some(Ok(built)) => Ok(built),
            Some(Err(BuildError::Stopped)) => Err(SpecError::Stopped { planner }),
            Some(Err(BuildError::NotServed(reason))) => Err(refused(reason)),
            Some(Err(error)) => Err(refused(error.to_string())),
            None => Err(refused("it is not made for this kind of map".to_owned())),
        }
    }

    /// Reads what [`Planner::save`] has written for such an environment; `None` if such a planner cannot be saved.
    ///
    /// ```
    /// use highroad_core::{Grid, Planner, Spec};
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let spec: Spec = "ch".parse()?;
    /// let bytes = spec.build(&grid)?.save(&grid).expect("hierarchies can be saved");
    /// assert!(spec.load(&bytes, &grid).expect("and loaded").is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load<E: Cataloged>(
        &self,
        bytes: &[u8],
        environment: &E,
    ) -> Option<Result<Box<dyn Planner<E>>, LoadError>> {
        let load = E::maker(self.entry)?.load?;
        Some(load(bytes, environment, &self.values))
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
        let entry = find(name).ok_or_else(|| SpecError::UnknownPlanner(name.to_owned()))?;
        let mut values = OptionValues::usual(entry.options);
        let mut given: Vec<&'static OptionInfo> = Vec::new();
        for part in parts {
            let (key, value) =
                part.split_once('=').ok_or_else(|| SpecError::Malformed(part.to_owned()))?;
            let planner = entry.name;
            let option = entry
                .option(key)
                .ok_or_else(|| SpecError::UnknownOption { planner, option: key.to_owned() })?;
            if given.contains(&option) {
                return Err(SpecError::Repeated(option.name));
            }
            given.push(option);
            if !values.set(key, value) {
                let (option, kind, value) = (option.name, option.kind, value.to_owned());
                return Err(SpecError::BadValue { planner, option, value, kind });
            }
        }
        Ok(Self { entry, text: text.to_owned(), values })
    }
}

/// Why a planner cannot be made as asked.
#[derive(Clone, Debug, PartialEq, Error)]
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
    #[error("{planner}: {option} cannot be '{value}'; it can be {kind}")]
    BadValue {
        /// The planner.
        planner: &'static str,
        /// The option.
        option: &'static str,
        /// What was asked for.
        value: String,
        /// What it can be.
        kind: OptionKind,
    },
    /// An option is given twice.
    #[error("the option '{0}' is given twice")]
    Repeated(&'static str),
    /// The planner was not built, because the watch stopped it.
    #[error("{planner} was stopped while it was built")]
    Stopped {
        /// The planner.
        planner: &'static str,
    },
    /// The planner does not work on this map.
    #[error("{planner} does not serve this map: {reason}")]
    NotServed {
        /// The planner.
        planner: &'static str,
        /// Why not.
        reason: String,
    },
}

fn known_options(planner: &str) -> String {
    let entry = find(planner);
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
    use crate::{Grid, GridMap, Guarantee, Path, Query, Scratch, Statistics, Terrain};

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
    fn an_option_takes_its_default_and_what_it_says_it_takes() {
        for option in CATALOG.iter().flat_map(|entry| entry.options) {
            assert!(option.kind.takes(option.default), "{}", option.name);
            assert!(option.kind.words().iter().all(|word| option.kind.takes(word)));
            assert!(!option.kind.takes("") && !option.kind.takes("nonsense"));
            if let Some(range) = option.kind.range() {
                for (number, taken) in
                    [(range.min, true), (range.max, true), (range.max + 1.0, false)]
                {
                    assert_eq!(option.kind.takes(&number.to_string()), taken, "{}", option.name);
                }
                assert_eq!(option.kind.takes(&(range.min + 0.5).to_string()), !range.is_whole());
            }
        }
    }

    /// What a planner draws is what its entry lists, so that switches can be made from the entry.
    #[test]
    fn planners_draw_the_layers_that_their_entries_list() {
        let map = GridMap::from_fn(90, 70, |cell| {
            let wall = cell.x % 9 == 4 && cell.y % 31 != cell.x % 29;
            if wall { Terrain::WALL } else { Terrain::GROUND }
        });
        let grid = Grid::with_defaults(map.unwrap());
        let mut scratch = Scratch::new();
        for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            let planner = Spec::usual(entry).build(&grid).unwrap();
            planner.solve(&grid, &Query::new((0, 0), (89, 60)), &mut scratch).unwrap();
            let drawn = planner.sketch(&grid).into_iter();
            let drawn: Vec<_> = drawn.chain(planner.sketch_query(&grid, &scratch)).collect();
            for layer in &drawn {
                assert!(entry.layers.contains(layer.info), "{}: {}", entry.name, layer.info.name);
            }
            for info in entry.layers {
                assert!(
                    drawn.iter().any(|layer| layer.info == info),
                    "{}: {}",
                    entry.name,
                    info.name
                );
            }
        }
    }

    #[test]
    fn what_can_be_saved_can_be_loaded_and_answers_the_same() {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let query = Query::new((0, 0), (5, 2));
        let mut scratch = Scratch::new();
        for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            let spec = Spec::usual(entry);
            let planner = spec.build(&grid).unwrap();
            let bytes = planner.save(&grid);
            assert_eq!(bytes.is_some(), entry.can_be_saved(), "{spec}");
            let Some(bytes) = bytes else { continue };
            let loaded = spec.load(&bytes, &grid).unwrap().unwrap();
            let answers = [planner, loaded].map(|one| one.solve(&grid, &query, &mut scratch));
            assert_eq!(answers[0], answers[1], "{spec}");
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
        assert!(error("bidirectional:weight=2").ends_with("it has none"));
        assert!(
            error("astar:weight=2")
                .ends_with("it has: heuristic, scale, reopen, ties, landmarks, cluster")
        );
        assert!(error("astar:heuristic=octal").contains("cannot be 'octal'; it can be auto, zero"));
        assert!(error("weighted-astar:weight=-1").contains("0 to 1000"));
        assert!(error("astar:scale=1:scale=2").contains("twice"));
    }
}
