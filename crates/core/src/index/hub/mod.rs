//! Hub labels: exact distances by looking two lists up, exact paths by unfolding what they say.
//!
//! Every subgoal of the [graph](SubgoalGraph) has a *label*: some hubs, and how far they are. Of any two
//! subgoals that a path joins, the labels share a hub on a shortest one (Cohen, Halperin, Kaplan and
//! Zwick, "Reachability and distance queries via 2-hop labels", 2003). So a query joins its ends to the
//! subgoals around them, takes the best hub that both sides know, and follows the ways to it that
//! are kept beside the labels:
//!
//! ```text
//!   start → u₁ u₂ u₃           label of u₂: a 40, h 12, …  ┐  h: 12 + 31
//!    goal ← w₁ w₂              label of w₁: c 7, h 31, …   ┘
//!   path: start → u₂ → … → h → … → w₁ → goal
//! ```
//!
//! Where labels would take more memory than allowed, the contraction hierarchy answers in their place. A sample shows that
//! before they are made (`estimate.rs`).

mod build;
mod distance;
mod entry;
mod estimate;
mod flat;
mod landmarks;
mod meet;
mod neighbours;
pub(in crate::index) mod order;
mod pruned;
mod reach;
mod save;
mod search;
mod sketch;

pub use build::{HubBuild, HubPart};

pub(crate) use entry::ENTRY;

use super::ch::ChIndex;
use super::subgoal::SubgoalGraph;
use crate::grid::{Edition, Grid};
use crate::planner::{BuildError, Watch};
use flat::Labels;
use reach::Reach;
use std::fmt;

/// Hub labels of a grid of uniform cost where no corner may be cut: where they fit into memory, the
/// exact planner whose queries take least time.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::{HubLabels, HubOptions};
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let index = HubLabels::build(&grid, HubOptions::default())?;
/// let answer = index.solve(&grid, &PathQuery::new((0, 0), (3, 2)), &mut Scratch::new())?;
/// assert_eq!(answer.path().map(|path| path.length()), Some(5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HubLabels {
    answers: Answers,
    grid: Edition,
    own: Edition,
    fingerprint: u64,
}

/// What answers queries.
#[derive(Clone, Debug)]
enum Answers {
    Labels(Box<Labelled>),
    Hierarchy { index: Box<ChIndex>, reason: HubFallback },
}

/// A grid's labels, and what joins its cells to them.
#[derive(Clone, Debug)]
struct Labelled {
    subgoals: Box<SubgoalGraph>,
    labels: Labels,
    reach: Reach,
}

/// How labels are built.
///
/// ```
/// use highroad::index::HubOptions;
/// assert_eq!(HubOptions::default().with_bytes_max(64 << 20).bytes_max, 64 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HubOptions {
    /// The most bytes that labels may take; with more, the contraction hierarchy answers.
    pub bytes_max: usize,
}

impl Default for HubOptions {
    fn default() -> Self {
        Self { bytes_max: 256 << 20 }
    }
}

impl HubOptions {
    /// The same options with another limit of memory.
    pub fn with_bytes_max(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }
}

/// Why an index has no labels.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::{HubFallback, HubLabels, HubOptions};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let index = HubLabels::build(&grid, HubOptions::default().with_bytes_max(1))?;
/// assert_eq!(index.fallback(), Some(HubFallback::Memory { bytes_max: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HubFallback {
    /// They would take more memory than allowed.
    Memory {
        /// The most bytes allowed.
        bytes_max: usize,
    },
    /// Some two cells are further apart than a label can say.
    Distance,
}

impl fmt::Display for HubFallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { bytes_max } => write!(
                f,
                "labels would take more than {} MB, so the contraction hierarchy answers",
                bytes_max >> 20
            ),
            Self::Distance => {
                f.write_str("paths are too long for labels, so the contraction hierarchy answers")
            }
        }
    }
}

impl HubLabels {
    /// Builds the index on this thread. [`HubLabels::plan_build`] does so on several. Fails with [`BuildError::NotServed`] on
    /// maps whose cells differ in cost, and where corners may be cut.
    pub fn build(grid: &Grid, options: HubOptions) -> Result<Self, BuildError> {
        Self::build_watched(grid, options, &mut Watch::none())
    }

    /// Why the index answers by a contraction hierarchy, if it does. See [`HubFallback`] for an example.
    pub fn fallback(&self) -> Option<HubFallback> {
        match self.answers {
            Answers::Labels(_) => None,
            Answers::Hierarchy { reason, .. } => Some(reason),
        }
    }

    /// How many entries all labels have.
    pub fn entry_count(&self) -> usize {
        self.labels().map_or(0, |labels| labels.entries.len())
    }

    /// How many entries the longest label has.
    pub fn longest_label(&self) -> usize {
        let lengths = |labels: &Labels| labels.nodes.iter().map(|node| node.end - node.first).max();
        self.labels().and_then(lengths).unwrap_or(0) as usize
    }

    fn labels(&self) -> Option<&Labels> {
        match &self.answers {
            Answers::Labels(labelled) => Some(&labelled.labels),
            Answers::Hierarchy { .. } => None,
        }
    }

    fn of(answers: Answers, grid: &Grid) -> Self {
        let own = Edition::new();
        Self { answers, grid: grid.edition(), own, fingerprint: grid.fingerprint() }
    }
}

#[cfg(test)]
mod tests;
