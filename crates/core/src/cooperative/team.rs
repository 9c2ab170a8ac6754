//! A team: a grid, and where each agent starts and wants to go.

use super::approach::{Approach, FloodMemory};
use super::floor::{Floor, Place};
use crate::grid::{Cell, Grid, MovementRule};
use thiserror::Error;

/// Agents on a grid, each with a start and a goal of its own.
///
/// Steps go four ways and take one unit of time, whatever cells cost. Every agent stays at its goal once all have arrived.
///
/// ```
/// use highroad::Cell;
/// use highroad::cooperative::{Team, TeamError};
/// use highroad::grid::{Grid, Movement, MovementRule, Profile, StepCosts};
///
/// let four_way = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
/// let grid = Grid::new("....\n.#..\n".parse()?, four_way);
/// let ends = [(Cell::new(0, 0), Cell::new(3, 0)), (Cell::new(3, 0), Cell::new(0, 0))];
/// let team = Team::new(&grid, &ends)?;
/// assert_eq!((team.len(), team.cost_min()), (2, 6));
/// assert_eq!(team.ends(1), Some(ends[1]));
/// let same_goal = [ends[0], (Cell::new(0, 1), Cell::new(3, 0))];
/// assert_eq!(Team::new(&grid, &same_goal).err(), Some(TeamError::SharedGoal { first: 0, second: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Team {
    pub(super) floor: Floor,
    pub(super) starts: Vec<Place>,
    pub(super) goals: Vec<Place>,
    /// The way to each agent's goal.
    pub(super) approaches: Vec<Approach>,
    /// Steps from each start to its goal, with nobody in the way.
    pub(super) distances: Vec<u32>,
}

/// Why there is no such team. Agents are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TeamError {
    /// The grid allows diagonal steps.
    #[error("a team moves four ways, and this grid has the rule {}: make a grid with the rule four-way", .0.name())]
    Rule(MovementRule),
    /// The grid has borders, heights or links, both land and water, or agents larger than a cell.
    #[error(
        "a team moves on plain cells: this grid has borders, heights, links, both land and water, or agents larger than a cell"
    )]
    Shaped,
    /// A start or a goal lies outside the map or cannot be entered.
    #[error("agent {agent}: nobody can stand on ({}, {})", cell.x, cell.y)]
    Blocked {
        /// The agent.
        agent: usize,
        /// Its start or goal.
        cell: Cell,
    },
    /// Two agents start in one cell.
    #[error("agents {first} and {second} start in the same cell")]
    SharedStart {
        /// The agent that came first.
        first: usize,
        /// The agent that came later.
        second: usize,
    },
    /// Two agents have one goal.
    #[error("agents {first} and {second} have the same goal")]
    SharedGoal {
        /// The agent that came first.
        first: usize,
        /// The agent that came later.
        second: usize,
    },
    /// No way leads from an agent's start to its goal.
    #[error("no way leads from the start of agent {agent} to its goal")]
    Unreachable {
        /// The agent.
        agent: usize,
    },
    /// The ways to all goals would take more memory than [`Team::MEMORY_MAX`].
    #[error("the ways to all goals would take {bytes} bytes, more than {}", Team::MEMORY_MAX)]
    TooLarge {
        /// What they would take.
        bytes: u64,
    },
}

impl Team {
    /// Bytes that the ways to all goals may take: a bit for each cell and agent.
    pub const MEMORY_MAX: u64 = 4 << 30;

    /// A team of agents with these starts and goals.
    ///
    /// Takes O(agents · cells) and a bit for each of them. Fails with a [`TeamError`] that names the agent if ends are blocked,
    /// shared or not connected, if the grid is not a plain four-way one, or if it would take too much memory.
    pub fn new(grid: &Grid, ends: &[(Cell, Cell)]) -> Result<Self, TeamError> {
        Self::new_while(grid, ends, || true).expect("nothing stops it")
    }

    /// The same as long as `goes_on` says so, which is asked before the way to each goal is found; `None` if it was stopped.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::cooperative::Team;
    /// use highroad::grid::{Grid, Movement, MovementRule, Profile, StepCosts};
    /// let four_way = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
    /// let grid = Grid::new("....\n".parse()?, four_way);
    /// let ends = [(Cell::new(0, 0), Cell::new(3, 0))];
    /// assert!(Team::new_while(&grid, &ends, || false).is_none());
    /// assert_eq!(Team::new_while(&grid, &ends, || true).unwrap()?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new_while(
        grid: &Grid,
        ends: &[(Cell, Cell)],
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<Result<Self, TeamError>> {
        let mut team = match Self::without_ways(grid, ends) {
            Ok(team) => team,
            Err(error) => return Some(Err(error)),
        };
        let mut memory = FloodMemory::default();
        for agent in 0..team.len() {
            if !goes_on() {
                return None;
            }
            let (start, goal) = (team.starts[agent], team.goals[agent]);
            let (approach, distance) = Approach::new(&team.floor, start, goal, &mut memory);
            let Some(distance) = distance else {
                return Some(Err(TeamError::Unreachable { agent }));
            };
            team.distances.push(distance);
            team.approaches.push(approach);
        }
        Some(Ok(team))
    }

    /// A team whose ways to goals are not known yet.
    fn without_ways(grid: &Grid, ends: &[(Cell, Cell)]) -> Result<Self, TeamError> {
        let rule = grid.movement().rule();
        if rule != MovementRule::FourWay {
            return Err(TeamError::Rule(rule));
        }
        let mut domains = grid.extent().cells().filter_map(|cell| grid.domain_of(cell));
        let first = domains.next();
        let is_divided = domains.any(|domain| Some(domain) != first);
        let is_large = grid.movement().footprint().size() > 1;
        if grid.is_shaped() || grid.has_links() || is_large || is_divided {
            return Err(TeamError::Shaped);
        }
        for (agent, &(start, goal)) in ends.iter().enumerate() {
            for cell in [start, goal] {
                if !grid.is_enterable(cell) {
                    return Err(TeamError::Blocked { agent, cell });
                }
            }
        }
        let floor = Floor::of(grid);
        let bytes = floor.block_count() as u64 * 8 * ends.len() as u64;
        if bytes > Self::MEMORY_MAX {
            return Err(TeamError::TooLarge { bytes });
        }
        let starts: Vec<Place> = ends.iter().map(|ends| floor.place(ends.0)).collect();
        let goals: Vec<Place> = ends.iter().map(|ends| floor.place(ends.1)).collect();
        if let Some((first, second)) = shared(&starts) {
            return Err(TeamError::SharedStart { first, second });
        }
        if let Some((first, second)) = shared(&goals) {
            return Err(TeamError::SharedGoal { first, second });
        }
        let (approaches, distances) =
            (Vec::with_capacity(ends.len()), Vec::with_capacity(ends.len()));
        Ok(Self { floor, starts, goals, approaches, distances })
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Where an agent starts and where it wants to go; `None` if there is no such agent.
    pub fn ends(&self, agent: usize) -> Option<(Cell, Cell)> {
        Some((self.floor.cell(*self.starts.get(agent)?), self.floor.cell(*self.goals.get(agent)?)))
    }

    /// What a plan costs at least: the steps of everybody with nobody in the way.
    pub fn cost_min(&self) -> u64 {
        self.distances.iter().map(|&steps| u64::from(steps)).sum()
    }

    /// How long a plan takes at least: the steps of the agent that has the longest way.
    pub fn duration_min(&self) -> u32 {
        self.distances.iter().copied().max().unwrap_or(0)
    }

    /// The bytes that it holds.
    pub fn memory_bytes(&self) -> usize {
        let approaches: usize = self.approaches.iter().map(Approach::memory_bytes).sum();
        approaches + self.floor.memory_bytes() + self.len() * 12
    }
}

/// Two agents with the same place, the first such pair.
fn shared(places: &[Place]) -> Option<(usize, usize)> {
    let mut by_place: Vec<(Place, usize)> = places.iter().copied().zip(0..).collect();
    by_place.sort_unstable();
    let pairs = by_place.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    pairs.map(|pair| (pair[0].1, pair[1].1)).min_by_key(|pair| pair.1)
}
