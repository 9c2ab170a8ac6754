//! Dynamic test cases: a map, agents, and changes that come when an agent has taken so many steps.
//!
//! A case is a TOML file; `cases/` has some to read. What must happen is part of it: the events, line
//! by line, as a simulation reports them. A *scene* is a case with many agents, of which only the outcome is checked; `scenes/` has
//! some.

mod cast;
mod draw;
mod heat;
mod run;
#[cfg(test)]
mod tests;

pub use cast::{
    CaseBody, CaseCheck, CaseCrowd, CaseDeed, CaseGait, CaseGroup, CaseKind, CaseOrder, CaseShape,
};
pub use draw::draw_window;
pub use heat::{Heat, bodies_of};
pub use run::{CaseReport, CaseRun, Outcome, RunError};

use crate::generate::{GenerateError, MapRecipe, RecipeError};
use highroad::catalog::{Spec, SpecError};
use highroad::grid::{Batch, MapError};
use highroad::{Cell, CellRect, GridMap, Terrain};
use highroad_formats::{ReadError, file_below, read_map};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A dynamic test case, as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is about, in a few words.
    pub title: String,
    /// Where the agents walk.
    pub map: CaseMap,
    /// The planner and its options.
    #[serde(default = "usual_planner")]
    pub planner: String,
    /// How long a tick is.
    #[serde(default = "usual_tick")]
    pub tick_ms: u32,
    /// Expansions that the world may make a tick.
    #[serde(default = "usual_budget")]
    pub budget: u64,
    /// Ticks after which a planner that was made in the background takes over.
    #[serde(default = "usual_lockstep")]
    pub lockstep_ticks: u64,
    /// Batches of more changed cells are followed in the background; 0: all, as the thesis does.
    pub patch_cells_max: Option<usize>,
    /// Ticks after which it ends whatever happens.
    #[serde(default = "usual_end")]
    pub ticks_max: u64,
    /// Kinds of agents beside the default one.
    #[serde(default, rename = "kind")]
    pub kinds: Vec<CaseKind>,
    /// Who walks.
    #[serde(default, rename = "agent")]
    pub agents: Vec<CaseAgent>,
    /// Many who walk alike.
    #[serde(default, rename = "crowd")]
    pub crowds: Vec<CaseCrowd>,
    /// Who is sent together.
    #[serde(default, rename = "group")]
    pub groups: Vec<CaseGroup>,
    /// What agents are ordered to do.
    #[serde(default, rename = "order")]
    pub orders: Vec<CaseOrder>,
    /// Links that are there from the beginning.
    #[serde(default, rename = "link")]
    pub links: Vec<CaseLink>,
    /// What changes.
    #[serde(default, rename = "change")]
    pub changes: Vec<CaseChange>,
    /// The events that must happen, a line each.
    pub expect: Option<String>,
    /// What must be true at the end.
    pub check: Option<CaseCheck>,
}

/// A link of a case.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseLink {
    /// Where it begins.
    pub from: [u32; 2],
    /// Where it ends.
    pub to: [u32; 2],
    /// What it costs, in straight steps over the cheapest ground.
    #[serde(default = "usual_link")]
    pub steps: u32,
    /// Whether it also leads back.
    #[serde(default)]
    pub both_ways: bool,
}

fn usual_link() -> u32 {
    1
}

fn usual_planner() -> String {
    "hpa".to_owned()
}

fn usual_tick() -> u32 {
    100
}

fn usual_budget() -> u64 {
    20_000
}

fn usual_lockstep() -> u64 {
    10
}

/// The most ticks that a case can ask for.
const TICKS_MAX: u64 = 1_000_000;

fn usual_end() -> u64 {
    20_000
}

/// Where a case's map comes from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub enum CaseMap {
    /// A drawing, a letter a cell.
    Drawing(String),
    /// A recipe, as `highroad generate` prints it.
    Recipe(String),
    /// A file in MovingAI's format, below the folder of public maps.
    File(PathBuf),
}

/// An agent of a case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseAgent {
    /// Column and row where it starts.
    pub start: [u32; 2],
    /// Column and row of its goal.
    pub goal: [u32; 2],
    /// How long a straight step takes it.
    #[serde(default = "usual_step")]
    pub step_ms: u32,
    /// Steps of a first leg to ask for.
    pub first_leg: Option<u32>,
    /// Whether it looks for shorter ways when something opens.
    #[serde(default = "yes")]
    pub improves: bool,
    /// How it walks.
    #[serde(flatten)]
    pub gait: CaseGait,
}

fn usual_step() -> u32 {
    500
}

fn yes() -> bool {
    true
}

/// A change of a case: one batch, when its time has come.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseChange {
    /// The change happens after that many steps of the agent `agent`.
    pub after_step: Option<u64>,
    /// The agent whose steps count, from 0.
    #[serde(default)]
    pub agent: usize,
    /// The change happens at that tick, instead of after a number of steps.
    pub at_tick: Option<u64>,
    /// Rectangles to fill.
    pub fill: Vec<CaseFill>,
}

/// A rectangle that becomes a terrain.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFill {
    /// One corner.
    pub from: [u32; 2],
    /// The opposite corner; the same cell if left out.
    pub to: Option<[u32; 2]>,
    /// The terrain's letter; none to change only the surcharge.
    pub terrain: Option<char>,
    /// What the cells cost on top.
    pub surcharge: Option<u16>,
}

/// Why a case makes no sense.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The text is no case.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// The drawing is no map.
    #[error("the drawing")]
    Drawing(#[from] MapError),
    /// The recipe is none.
    #[error("the recipe")]
    Recipe(#[from] RecipeError),
    /// The recipe makes no map.
    #[error("the recipe")]
    Generate(#[from] GenerateError),
    /// The map's file is missing or broken.
    #[error(transparent)]
    Map(#[from] ReadError),
    /// The planner is not known.
    #[error(transparent)]
    Planner(#[from] SpecError),
    /// A change has no trigger, or two.
    #[error("change {0}: give it either 'after_step' or 'at_tick'")]
    Trigger(usize),
    /// A change waits for an agent that is not there.
    #[error("change {change}: there is no agent {agent}")]
    NoAgent {
        /// Which change, from 0.
        change: usize,
        /// The agent asked for.
        agent: usize,
    },
    /// A letter that is no terrain.
    #[error("change {change}: '{letter}' is no terrain")]
    Letter {
        /// Which change, from 0.
        change: usize,
        /// The letter.
        letter: char,
    },
    /// A kind that is not named, or that cannot move.
    #[error("there is no kind '{0}' that can move")]
    Kind(String),
    /// A letter of a kind that is no terrain, or costs nothing.
    #[error("kind '{kind}': '{letter}' is no terrain, or its cost makes no sense")]
    KindLetter {
        /// Which kind.
        kind: String,
        /// The letter.
        letter: char,
    },
    /// Neither agents nor crowds.
    #[error("nobody walks: give it an 'agent' or a 'crowd'")]
    Nobody,
    /// More agents than anybody waits for.
    #[error("{count} agents, but there can be at most {count_max}")]
    Crowded {
        /// How many.
        count: usize,
        /// How many there can be.
        count_max: usize,
    },
    /// A crowd without a goal.
    #[error("crowd {0}: it has no goal")]
    NoGoal(usize),
    /// Time that does not pass.
    #[error("'tick_ms' and 'step_ms' must be above 0")]
    NoTime,
    /// More ticks than anybody waits for.
    #[error("'ticks_max' is {0}, but can be at most {TICKS_MAX}")]
    TooLong(u64),
}

impl Case {
    /// Reads a case from its file.
    pub fn load(path: &Path) -> Result<Self, CaseError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| CaseError::Read { path: path.to_owned(), error })?;
        Self::parse(&text)
    }

    /// Reads a case, and checks what can be checked without its map.
    pub fn parse(text: &str) -> Result<Self, CaseError> {
        let case: Self = toml::from_str(text)?;
        case.spec()?;
        case.check_cast()?;
        if case.tick_ms == 0 || case.agents.iter().any(|agent| agent.step_ms == 0) {
            return Err(CaseError::NoTime);
        }
        if case.ticks_max > TICKS_MAX {
            return Err(CaseError::TooLong(case.ticks_max));
        }
        for (number, change) in case.changes.iter().enumerate() {
            if change.after_step.is_some() == change.at_tick.is_some() {
                return Err(CaseError::Trigger(number));
            }
            if change.agent >= case.agents.len() && change.after_step.is_some() {
                return Err(CaseError::NoAgent { change: number, agent: change.agent });
            }
            case.batch(number)?;
        }
        Ok(case)
    }

    /// Its planner.
    pub fn spec(&self) -> Result<Spec, CaseError> {
        Ok(self.planner.parse()?)
    }

    /// Its map; files lie below `folder`.
    pub fn load_map(&self, folder: &Path) -> Result<GridMap, CaseError> {
        Ok(match &self.map {
            CaseMap::Drawing(drawing) => drawing.parse()?,
            CaseMap::Recipe(line) => line.parse::<MapRecipe>()?.generate()?,
            CaseMap::File(file) => {
                let unreadable = |error| CaseError::Read { path: file.clone(), error };
                let name =
                    file.to_str().ok_or_else(|| unreadable(io::ErrorKind::InvalidInput.into()));
                read_map(&file_below(folder, name?).map_err(unreadable)?)?
            }
        })
    }

    /// A change as a batch.
    fn batch(&self, number: usize) -> Result<Batch, CaseError> {
        let mut batch = Batch::new();
        for fill in &self.changes[number].fill {
            let rect = CellRect::new(cell(fill.from), cell(fill.to.unwrap_or(fill.from)));
            if let Some(letter) = fill.terrain {
                let terrain = u8::try_from(letter).ok().map(|letter| match letter {
                    b'#' => Some(Terrain::WALL),
                    _ => Terrain::from_letter(letter),
                });
                let unknown = CaseError::Letter { change: number, letter };
                batch.fill(rect, terrain.flatten().ok_or(unknown)?);
            }
            if let Some(amount) = fill.surcharge {
                batch.surcharge(rect, amount);
            }
        }
        Ok(batch)
    }

    /// The events that must happen, trimmed; `None` if it does not say.
    pub fn expected(&self) -> Option<Vec<&str>> {
        let lines = self.expect.as_ref()?.lines().map(str::trim);
        Some(lines.filter(|line| !line.is_empty()).collect())
    }
}

fn cell([x, y]: [u32; 2]) -> Cell {
    Cell::new(x, y)
}
