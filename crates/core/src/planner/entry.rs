//! What the catalog knows of a planner: its options with their types, where it serves, how it is built, saved and
//! loaded, and what it draws. Each planner's module has an entry of its own; the catalog is the list of them.

use super::sketch::LayerInfo;
use super::{Algorithm, Planner, Searchable};
use crate::environment::{BuildError, Environment, Watch};
use crate::graph::Graph;
use crate::grid::Grid;
use crate::mesh::Mesh;
use crate::saved::LoadError;
use std::fmt;

/// A planner that can be asked for by name. See [`CATALOG`](crate::CATALOG).
///
/// ```
/// use highroad::catalog::{CATALOG, Spec};
/// use highroad::grid::Grid;
/// use highroad::planner::{Cataloged, CatalogEntry};
/// let entry: &CatalogEntry = CATALOG.iter().find(|entry| entry.name == "ch").unwrap();
/// assert!(entry.option("cluster").is_none());
/// assert!(entry.can_be_saved() && !entry.follows_edits);
/// assert!(Grid::maker(entry).is_some(), "it serves grids");
/// let grid = Grid::with_defaults("...\n".parse()?);
/// entry.serves(&grid)?; // and this one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CatalogEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in prose.
    pub title: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// What can be set.
    pub options: &'static [OptionInfo],
    /// What it draws, of what it has precomputed and of a query.
    pub layers: &'static [LayerInfo],
    /// Whether it follows edits, instead of being built again.
    pub follows_edits: bool,
    /// Whether the nodes of its traces are the places themselves, each once: not where they stand for something
    /// abstract.
    pub traces_places: bool,
    /// How it is made for a grid, if it is.
    pub grid: Option<Maker<Grid>>,
    /// How it is made for a graph, if it is.
    pub graph: Option<Maker<Graph>>,
    /// How it is made for a mesh, if it is.
    pub mesh: Option<Maker<Mesh>>,
}

/// Makes a planner for one kind of environment. An entry of your own has one for each environment that it serves:
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::{Builder, CatalogEntry, LayerInfo, Loader, Maker, OptionValues, Watch};
/// const BUILD: Builder<Grid> = |_grid, _options, _watch| Ok(Box::new(GridSearch::dijkstra()));
/// const LOAD: Option<Loader<Grid>> = None;
/// static ENTRY: CatalogEntry = CatalogEntry {
///     name: "own", title: "My own", summary: "Dijkstra's algorithm by another name",
///     options: &[], layers: &[], follows_edits: true, traces_places: true,
///     grid: Some(Maker { serves: |_grid| Ok(()), build: BUILD, load: LOAD }), graph: None, mesh: None,
/// };
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let maker = ENTRY.grid.as_ref().unwrap();
/// let planner = (maker.build)(&grid, &OptionValues::usual(ENTRY.options), &mut Watch::none())?;
/// assert_eq!(planner.memory_bytes(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Maker<E: Environment> {
    /// Whether it serves an environment, with its usual options; if not, why. What only a build can find out, such as
    /// costs that are too large to be counted, the build reports.
    pub serves: fn(&E) -> Result<(), String>,
    /// All the work that comes before the first query.
    pub build: Builder<E>,
    /// Reads what [`Planner::save`] has written; `None` if it cannot be saved.
    pub load: Option<Loader<E>>,
}

/// Builds a planner for an environment, with options, and reports to a watch. Fails with a [`BuildError`] if the planner
/// does not serve the environment, or if the watch stops it.
pub type Builder<E> =
    fn(&E, &OptionValues, &mut Watch<'_>) -> Result<Box<dyn Planner<E>>, BuildError>;

/// Reads a planner from bytes, for an environment, with options. Fails with a [`LoadError`] if the bytes are damaged, or of
/// another environment.
pub type Loader<E> = fn(&[u8], &E, &OptionValues) -> Result<Box<dyn Planner<E>>, LoadError>;

/// An environment that the catalog has planners for.
pub trait Cataloged: Searchable {
    /// How a planner is made for it, if it is.
    fn maker(entry: &CatalogEntry) -> Option<&Maker<Self>>;
}

impl Cataloged for Grid {
    fn maker(entry: &CatalogEntry) -> Option<&Maker<Self>> {
        entry.grid.as_ref()
    }
}

impl Cataloged for Graph {
    fn maker(entry: &CatalogEntry) -> Option<&Maker<Self>> {
        entry.graph.as_ref()
    }
}

impl Cataloged for Mesh {
    fn maker(entry: &CatalogEntry) -> Option<&Maker<Self>> {
        entry.mesh.as_ref()
    }
}

impl CatalogEntry {
    /// Whether it serves an environment with its usual options; the error says why not.
    pub fn serves<E: Cataloged>(&self, environment: &E) -> Result<(), String> {
        match E::maker(self) {
            Some(maker) => (maker.serves)(environment),
            None => Err("it is not made for this kind of map".to_owned()),
        }
    }

    /// The option of that name.
    pub fn option(&self, name: &str) -> Option<&'static OptionInfo> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Whether it can be saved and loaded, in some environment.
    pub fn can_be_saved(&self) -> bool {
        self.grid.as_ref().is_some_and(|maker| maker.load.is_some())
            || self.graph.as_ref().is_some_and(|maker| maker.load.is_some())
            || self.mesh.as_ref().is_some_and(|maker| maker.load.is_some())
    }
}

/// An option of a planner, and what values it takes.
///
/// ```
/// use highroad::catalog::find;
/// use highroad::planner::{NumberRange, OptionInfo, OptionKind};
/// let option: &OptionInfo = find("hpa").unwrap().option("cluster").unwrap();
/// assert!(option.kind.takes(option.default) && !option.kind.takes("huge"));
/// let slider: Option<NumberRange> = option.kind.range();
/// assert!(slider.is_some_and(|range| range.is_whole() && range.contains(16.0)));
/// assert_eq!(slider.map(|range| range.max), Some(NumberRange::whole(4, 64).max));
/// assert_eq!(OptionKind::Switch.words(), ["yes", "no"]);
/// ```
#[derive(Debug, PartialEq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it can be.
    pub kind: OptionKind,
    /// What it is unless set.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// What an option can be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// Yes or no.
    Switch,
    /// One of some words.
    Words(&'static [&'static str]),
    /// A number.
    Number(NumberRange),
    /// One of some words, or a number.
    WordsOrNumber(&'static [&'static str], NumberRange),
}

/// Which numbers an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// From one to the next, for a slider; whole if only whole numbers are taken.
    pub step: f64,
}

impl NumberRange {
    /// Whole numbers between two.
    pub const fn whole(min: u32, max: u32) -> Self {
        Self { min: min as f64, max: max as f64, step: 1.0 }
    }

    /// Whether only whole numbers are taken.
    pub fn is_whole(self) -> bool {
        self.step.fract() == 0.0
    }

    /// Whether a number is among them.
    pub fn contains(self, number: f64) -> bool {
        (self.min..=self.max).contains(&number) && (!self.is_whole() || number.fract() == 0.0)
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.min, self.max)
    }
}

/// What a switch can be.
const SWITCH: [&str; 2] = ["yes", "no"];

impl OptionKind {
    /// The words that it takes.
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Switch => &SWITCH,
            Self::Words(words) | Self::WordsOrNumber(words, _) => words,
            Self::Number(_) => &[],
        }
    }

    /// The numbers that it takes, if any.
    pub fn range(&self) -> Option<NumberRange> {
        match self {
            Self::Number(range) | Self::WordsOrNumber(_, range) => Some(*range),
            Self::Switch | Self::Words(_) => None,
        }
    }

    /// Whether it takes a value.
    pub fn takes(&self, value: &str) -> bool {
        let number = || value.parse().ok().zip(self.range());
        self.words().contains(&value)
            || number().is_some_and(|(number, range)| range.contains(number))
    }
}

impl fmt::Display for OptionKind {
    /// As help texts say it: "ends, thesis or 1 to 64".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut choices: Vec<String> = self.words().iter().map(|word| (*word).to_owned()).collect();
        choices.extend(self.range().map(|range| range.to_string()));
        match &choices[..] {
            [before @ .., last] if !before.is_empty() => {
                write!(f, "{} or {last}", before.join(", "))
            }
            choices => f.write_str(&choices.concat()),
        }
    }
}

/// The values of a planner's options, each of which is one that the option takes.
///
/// ```
/// use highroad::catalog::Spec;
/// use highroad::planner::OptionValues;
/// let spec: Spec = "weighted-astar:weight=2:heuristic=manhattan".parse()?;
/// let values: &OptionValues = spec.values();
/// assert_eq!((values.number("weight"), values.text("heuristic")), (Some(2.0), "manhattan"));
/// assert!(values.has("weight") && values.whole("weight") == Some(2));
/// let names: Vec<&str> = values.iter().map(|(option, _value)| option.name).collect();
/// assert!(names.contains(&"weight"));
/// # Ok::<(), highroad::catalog::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValues {
    options: &'static [OptionInfo],
    /// In the order of the options; `None` where nothing was set.
    values: Vec<Option<String>>,
}

impl OptionValues {
    /// Nothing is set.
    pub fn usual(options: &'static [OptionInfo]) -> Self {
        Self { options, values: vec![None; options.len()] }
    }

    /// Sets an option. Returns `false`, and changes nothing, if there is no such option or it does not take that value.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let index = self.options.iter().position(|option| option.name == name);
        match index.filter(|&index| self.options[index].kind.takes(value)) {
            Some(index) => {
                self.values[index] = Some(value.to_owned());
                true
            }
            None => false,
        }
    }

    /// Every option with its value, set or usual.
    pub fn iter(&self) -> impl Iterator<Item = (&'static OptionInfo, &str)> {
        self.options
            .iter()
            .zip(&self.values)
            .map(|(option, value)| (option, value.as_deref().unwrap_or(option.default)))
    }

    /// Whether there is an option of that name.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }

    /// The value of an option, as text.
    ///
    /// # Panics
    /// If there is no such option: what an entry asks for, it must list.
    pub fn text(&self, name: &str) -> &str {
        let option = self.iter().find(|(option, _)| option.name == name);
        option.map(|(_, value)| value).unwrap_or_else(|| panic!("no option is called {name}"))
    }

    /// The value of a switch.
    ///
    /// ```
    /// use highroad::planner::{OptionInfo, OptionKind, OptionValues};
    /// static OPTIONS: [OptionInfo; 2] = [
    ///     OptionInfo { name: "fast", kind: OptionKind::Switch, default: "no", help: "whether to hurry" },
    ///     OptionInfo { name: "ties", kind: OptionKind::Words(&["new", "old"]), default: "new", help: "" },
    /// ];
    /// let mut values = OptionValues::usual(&OPTIONS);
    /// assert!(values.set("fast", "yes") && !values.set("ties", "random"));
    /// assert!(values.switch("fast"));
    /// assert_eq!(values.choice("ties", &[1, 2]), Some(1), "what `new` stands for");
    /// ```
    ///
    /// # Panics
    /// If there is no such option.
    pub fn switch(&self, name: &str) -> bool {
        self.text(name) == SWITCH[0]
    }

    /// The value of a number; `None` where it is a word.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }

    /// The value of a whole number; `None` where it is a word. Options take none that is negative or too large.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn whole(&self, name: &str) -> Option<u32> {
        self.number(name).map(|number| number as u32)
    }

    /// What a word stands for, by its place among the option's words; `None` where it is a number, and where there is no such
    /// option. See [`OptionValues::switch`] for an example.
    pub fn choice<T: Copy>(&self, name: &str, meanings: &[T]) -> Option<T> {
        let option = self.options.iter().find(|option| option.name == name)?;
        let index = option.kind.words().iter().position(|word| *word == self.text(name))?;
        meanings.get(index).copied()
    }
}

/// Any environment is served.
pub(crate) fn serves_any<E: Environment>(_: &E) -> Result<(), String> {
    Ok(())
}

/// A planner in a box, or why it was not built.
pub(crate) fn boxed<E: Searchable, A: Algorithm<E>, R: Into<BuildError>>(
    built: Result<A, R>,
) -> Result<Box<dyn Planner<E>>, BuildError> {
    Ok(Box::new(built.map_err(Into::into)?))
}
