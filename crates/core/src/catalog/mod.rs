//! All planners by name.
//!
//! [`CATALOG`] lists every planner with its options and what it serves. A [`Spec`] is a planner with its options as
//! written on a command line, and builds it. The command line, the workbench, the common test suite and the benchmarks
//! know planners by this list alone; the entry of a planner lies in the planner's own module.

use crate::environment::Watch;
use crate::hierarchy::{ENTRANCES, HPA, PRA, REGIONS};
use crate::index::{CH, CORNER_LABELS, HUB_LABELS, SUBGOAL};
use crate::online::{
    ANY_ANGLE, ASTAR, BFS, BIDIRECTIONAL, DEPTH_FIRST, DIJKSTRA, FUNNEL, GREEDY, JUMP_POINTS,
    WEIGHTED_ASTAR,
};
use crate::planner::{
    BuildError, CatalogEntry, Cataloged, OptionInfo, OptionKind, OptionValues, Planner,
};
use crate::saved::LoadError;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// All planners.
///
/// ```
/// use highroad::catalog::{CATALOG, Spec};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
/// for entry in CATALOG.iter().filter(|entry| entry.serves(&grid).is_ok()) {
///     let planner = Spec::usual(entry).build(&grid)?;
///     println!("{}: {}", entry.title, planner.guarantee(&grid));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    &ANY_ANGLE,
    &FUNNEL,
    &CORNER_LABELS,
];

/// The planner of that name; `None` if there is none.
///
/// ```
/// let entry = highroad::catalog::find("hpa").expect("it is in the list");
/// assert_eq!(entry.title, "HPA*");
/// assert!(entry.follows_edits && entry.option("cluster").is_some());
/// ```
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
    ///
    /// ```
    /// use highroad::catalog::{CATALOG, Spec};
    /// assert_eq!(Spec::usual(CATALOG[2]).to_string(), "astar");
    /// ```
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
    /// use highroad::catalog::Spec;
    /// use highroad::grid::Grid;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let spec: Spec = "hpa:cluster=4".parse()?;
    /// let planner = spec.build(&grid)?;
    /// let answer = planner.solve(&grid, &PathQuery::new((0, 0), (2, 2)), &mut Scratch::new())?;
    /// assert!(answer.path().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails with [`SpecError::NotServed`] if the planner does not serve the environment. How long it takes depends on the
    /// planner: searches need no time, hierarchies and indexes look at every place at least once.
    pub fn build<E: Cataloged>(&self, environment: &E) -> Result<Box<dyn Planner<E>>, SpecError> {
        self.build_watched(environment, &mut Watch::none())
    }

    /// As [`Spec::build`], with progress. Fails with [`SpecError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::catalog::{Spec, SpecError};
    /// use highroad::grid::Grid;
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let built = "hpa".parse::<Spec>()?.build_watched(&grid, &mut Watch::new(&mut stop));
    /// assert_eq!(built.err(), Some(SpecError::Stopped { planner: "hpa" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// use highroad::catalog::Spec;
    /// use highroad::grid::Grid;
    /// use highroad::planner::Planner;
    /// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
    /// let spec: Spec = "ch".parse()?;
    /// let bytes = spec.build(&grid)?.save(&grid).expect("hierarchies can be saved");
    /// assert!(spec.load(&bytes, &grid).expect("and loaded").is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The inner result fails with a [`LoadError`] if the bytes are damaged, or were saved for another environment.
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
///
/// ```
/// use highroad::catalog::{Spec, SpecError};
/// let error: SpecError = "hpa:cluster=huge".parse::<Spec>().unwrap_err();
/// assert!(error.to_string().starts_with("hpa: cluster cannot be 'huge'; it can be "));
/// assert!(matches!("hpa*".parse::<Spec>(), Err(SpecError::UnknownPlanner(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
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
mod tests;
