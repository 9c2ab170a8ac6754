//! Checks plans by plain rules. Shares no code with the searches.

use super::plan::TeamPlan;
use crate::grid::{Cell, Grid};
use thiserror::Error;

/// What is wrong with a plan: the first conflict, by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Conflict {
    /// The plan is for another number of agents.
    #[error("the plan is for {planned} agents, and there are {agents}")]
    Agents {
        /// Agents of the plan.
        planned: usize,
        /// Agents that there are.
        agents: usize,
    },
    /// An agent does not begin at its start, or does not end at its goal.
    #[error("agent {agent} is in ({}, {}) at time {time}, not at its start or goal", cell.x, cell.y)]
    Ends {
        /// The agent.
        agent: usize,
        /// When.
        time: u32,
        /// Where it is instead.
        cell: Cell,
    },
    /// An agent goes where nobody can stand, or further than to a neighbour.
    #[error("agent {agent} cannot go to ({}, {}) at time {time}", cell.x, cell.y)]
    Step {
        /// The agent.
        agent: usize,
        /// When it arrives.
        time: u32,
        /// Where it goes.
        cell: Cell,
    },
    /// Two agents are in one cell.
    #[error("agents {first} and {second} are both in ({}, {}) at time {time}", cell.x, cell.y)]
    Cell {
        /// The agent with the smaller number.
        first: usize,
        /// The other agent.
        second: usize,
        /// When.
        time: u32,
        /// Where.
        cell: Cell,
    },
    /// Two neighbours change places.
    #[error("agents {first} and {second} change places at time {time}")]
    Swap {
        /// The agent with the smaller number.
        first: usize,
        /// The other agent.
        second: usize,
        /// When they arrive.
        time: u32,
    },
}

impl TeamPlan {
    /// Checks that everybody goes from start to goal by steps or waiting, and that no two agents are in one cell or change
    /// places. Takes O(agents · duration + cells). Fails with the first [`Conflict`].
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::cooperative::{Conflict, TeamPlan};
    /// use highroad::grid::{Grid, Movement, MovementRule, Profile, StepCosts};
    /// let four_way = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
    /// let grid = Grid::new("...\n".parse()?, four_way);
    /// let ends = [(Cell::new(0, 0), Cell::new(1, 0)), (Cell::new(1, 0), Cell::new(0, 0))];
    /// let plan: TeamPlan = "team plan 1\n0,0 1,0\n1,0 0,0\n".parse()?;
    /// assert_eq!(plan.check(&grid, &ends), Err(Conflict::Swap { first: 0, second: 1, time: 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, grid: &Grid, ends: &[(Cell, Cell)]) -> Result<(), Conflict> {
        if self.len() != ends.len() {
            return Err(Conflict::Agents { planned: self.len(), agents: ends.len() });
        }
        let duration = self.duration();
        for (agent, &(start, goal)) in ends.iter().enumerate() {
            for (time, wanted) in [(0, start), (duration, goal)] {
                if let Some(cell) = self.at(agent, time).filter(|&cell| cell != wanted) {
                    return Err(Conflict::Ends { agent, time, cell });
                }
            }
        }
        let extent = grid.extent();
        // Who is in each cell, one time ago and now; with the time, so that nothing has to be cleared.
        let nobody = (u32::MAX, 0);
        let mut before = vec![nobody; extent.cell_count()];
        let mut now = before.clone();
        for time in 0..=duration {
            for agent in 0..self.len() {
                let Some(cell) = self.at(agent, time) else { continue };
                let from = self.at(agent, time.saturating_sub(1)).unwrap_or(cell);
                let is_step = cell.x.abs_diff(from.x) + cell.y.abs_diff(from.y) <= 1;
                let Some(id) = extent.id(cell).filter(|_| is_step && grid.is_enterable(cell))
                else {
                    return Err(Conflict::Step { agent, time, cell });
                };
                let (when, other) = now[id.0 as usize];
                if when == time {
                    return Err(Conflict::Cell { first: other, second: agent, time, cell });
                }
                now[id.0 as usize] = (time, agent);
            }
            for agent in 0..self.len() {
                let (Some(cell), Some(from)) =
                    (self.at(agent, time), self.at(agent, time.saturating_sub(1)))
                else {
                    continue;
                };
                let (Some(id), Some(from_id)) = (extent.id(cell), extent.id(from)) else {
                    continue;
                };
                let (was_when, other) = before[id.0 as usize];
                let is_here = now[from_id.0 as usize] == (time, other);
                if cell != from && time > 0 && was_when == time - 1 && other != agent && is_here {
                    let (first, second) = (agent.min(other), agent.max(other));
                    return Err(Conflict::Swap { first, second, time });
                }
            }
            std::mem::swap(&mut before, &mut now);
        }
        Ok(())
    }
}
