//! Plans of a team, and plans as text.

use super::floor::{Floor, Place};
use crate::grid::Cell;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Where each agent of a team is at each time.
///
/// As text it is a line for each agent, with the cells that it is in from time 0 until it stays at its last one:
///
/// ```
/// use highroad::Cell;
/// use highroad::cooperative::TeamPlan;
/// let plan: TeamPlan = "team plan 1\n0,0 1,0 1,0 2,0\n5,5\n".parse()?;
/// assert_eq!((plan.len(), plan.cost(), plan.duration()), (2, 3, 3));
/// assert_eq!(plan.at(0, 2), Some(Cell::new(1, 0)));
/// assert_eq!(plan.at(1, 99), Some(Cell::new(5, 5)), "it stays where it is");
/// assert_eq!(plan.path(0).unwrap().len(), 4);
/// assert_eq!(plan.to_string().parse::<TeamPlan>()?, plan);
/// # Ok::<(), highroad::cooperative::PlanTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamPlan {
    cells: Vec<Cell>,
    /// Where each agent's cells end.
    ends: Vec<usize>,
}

/// Why a text is not a plan, and in which line, from 1.
///
/// ```
/// use highroad::cooperative::{PlanTextError, TeamPlan};
/// let error: PlanTextError = "team plan 1\n0,0 1;0\n".parse::<TeamPlan>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: '1;0' is not a cell: expected column,row");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanTextError {
    /// The first line is another one.
    #[error("line 1: expected '{HEADER}'")]
    Header,
    /// A line names no cell.
    #[error("line {line}: an agent has no cells")]
    Empty {
        /// The line.
        line: usize,
    },
    /// A word is not a cell.
    #[error("line {line}: '{word}' is not a cell: expected column,row")]
    Cell {
        /// The line.
        line: usize,
        /// The word.
        word: String,
    },
}

const HEADER: &str = "team plan 1";

impl TeamPlan {
    /// The plan of these places of agents; what an agent waits at its last place in the end does not count.
    pub(super) fn of(floor: &Floor, paths: &[Vec<Place>]) -> Self {
        let cells = paths.iter().map(|path| path.iter().map(|&place| floor.cell(place)));
        Self::from_paths(cells).expect("everybody is somewhere at time 0")
    }

    /// The plan of agents that are in these cells from time 0 on; `None` if an agent has no cells. Whether they can go there is
    /// for [`TeamPlan::check`] to say.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::cooperative::TeamPlan;
    /// let paths = [vec![Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 0)], vec![Cell::new(5, 5)]];
    /// let plan = TeamPlan::from_paths(paths).unwrap();
    /// assert_eq!((plan.len(), plan.cost()), (2, 1), "to wait at the end costs nothing");
    /// assert_eq!(TeamPlan::from_paths([vec![]]), None);
    /// ```
    pub fn from_paths<P>(paths: impl IntoIterator<Item = P>) -> Option<Self>
    where
        P: IntoIterator<Item = Cell>,
    {
        let mut plan = Self { cells: Vec::new(), ends: Vec::new() };
        for path in paths {
            let first = plan.cells.len();
            plan.cells.extend(path);
            if plan.cells.len() == first {
                return None;
            }
            plan.end_agent();
        }
        Some(plan)
    }

    /// Ends the list of an agent's cells, and leaves out what it waits at the end.
    fn end_agent(&mut self) {
        let first = self.ends.last().copied().unwrap_or(0);
        while let [.., before, last] = self.cells[first..]
            && before == last
        {
            self.cells.pop();
        }
        self.ends.push(self.cells.len());
    }

    /// How many agents it is for.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it is for no agents.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The cells of an agent from time 0 until it stays at its last one; `None` if there is no such agent.
    pub fn path(&self, agent: usize) -> Option<&[Cell]> {
        let first = if agent == 0 { 0 } else { *self.ends.get(agent - 1)? };
        self.cells.get(first..*self.ends.get(agent)?)
    }

    /// Where an agent is at some time; `None` if there is no such agent.
    pub fn at(&self, agent: usize, time: u32) -> Option<Cell> {
        let path = self.path(agent)?;
        path.get(time as usize).or(path.last()).copied()
    }

    /// The sum over all agents of the time until each stays at its goal.
    pub fn cost(&self) -> u64 {
        self.cells.len() as u64 - self.ends.len() as u64
    }

    /// The time until everybody stays at its goal.
    pub fn duration(&self) -> u32 {
        let lengths = (0..self.len()).filter_map(|agent| self.path(agent));
        lengths.map(|path| path.len() as u32 - 1).max().unwrap_or(0)
    }
}

impl fmt::Display for TeamPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{HEADER}")?;
        for path in (0..self.len()).filter_map(|agent| self.path(agent)) {
            for (index, cell) in path.iter().enumerate() {
                write!(out, "{}{},{}", if index > 0 { " " } else { "" }, cell.x, cell.y)?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl FromStr for TeamPlan {
    type Err = PlanTextError;

    fn from_str(text: &str) -> Result<Self, PlanTextError> {
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEADER) {
            return Err(PlanTextError::Header);
        }
        let mut plan = Self { cells: Vec::new(), ends: Vec::new() };
        for (line, text) in (2..).zip(lines) {
            let first = plan.cells.len();
            for word in text.split_whitespace() {
                let cell = word.split_once(',').and_then(|(column, row)| {
                    Some(Cell::new(column.parse().ok()?, row.parse().ok()?))
                });
                plan.cells
                    .push(cell.ok_or_else(|| PlanTextError::Cell { line, word: word.to_owned() })?);
            }
            if plan.cells.len() == first {
                return Err(PlanTextError::Empty { line });
            }
            plan.end_agent();
        }
        Ok(plan)
    }
}
