//! Plans for teams, measured: how many agents, how long, how good, and checked.

use crate::generate::Random;
use crate::scenario::Scenario;
use crate::thread_time::thread_time;
use highroad::Cell;
use highroad::cooperative::{
    Conflict, Team, TeamError, TeamMethod, TeamOptions, TeamPlan, TeamSearch, TeamState,
};
use highroad::grid::{
    Components, CostOverflow, Grid, GridMap, Movement, MovementRule, Profile, StepCosts,
};
use serde::Serialize;
use thiserror::Error;

/// How long to search, and with what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamBudget {
    /// Method, seed and memory.
    pub options: TeamOptions,
    /// Seconds of processor time for the first plan, the ways to all goals included.
    pub seconds: f64,
    /// Seconds of processor time to improve it afterwards.
    pub improve_seconds: f64,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeamRow {
    /// The method.
    pub method: &'static str,
    /// How many agents there are.
    pub agents: usize,
    /// Whether there is a plan. It was checked.
    pub solved: bool,
    /// The sum over all agents of the time until each stays at its goal.
    pub cost: Option<u64>,
    /// What the cost is at least: nobody in the way.
    pub cost_min: u64,
    /// The cost of the plan that was found first.
    pub first_cost: Option<u64>,
    /// The time until everybody is at its goal.
    pub duration: Option<u32>,
    /// What that is at least.
    pub duration_min: u32,
    /// Seconds of processor time until there was a plan, or until there was none.
    pub seconds: f64,
    /// Seconds of that for the ways to all goals.
    pub prepare_seconds: f64,
    /// The most bytes that were held.
    pub memory_bytes: usize,
}

/// Why a team cannot be measured.
#[derive(Debug, Error)]
pub enum TeamRunError {
    /// The team makes no sense on the map.
    #[error(transparent)]
    Team(#[from] TeamError),
    /// A plan broke the rules: a defect of the search.
    #[error("a plan by {method} breaks the rules: {conflict}")]
    Wrong {
        /// The method.
        method: &'static str,
        /// What is wrong.
        conflict: Conflict,
    },
}

/// Work between two looks at the clock.
const SLICE: u64 = 20_000;

/// Searches for a plan, improves it while there is time, and checks it.
pub fn measure_team(
    grid: &Grid,
    ends: &[(Cell, Cell)],
    budget: TeamBudget,
) -> Result<(TeamRow, Option<TeamPlan>), TeamRunError> {
    let begun = thread_time();
    let seconds = || thread_time().saturating_sub(begun).as_secs_f64();
    let team = Team::new(grid, ends)?;
    let prepare_seconds = seconds();
    let method = budget.options.method.name();
    let mut search = TeamSearch::new(&team, budget.options);
    let mut memory_max = 0;
    let mut state = TeamState::Searching;
    while state == TeamState::Searching && seconds() < budget.seconds {
        state = search.advance(SLICE);
        memory_max = memory_max.max(search.memory_bytes());
    }
    let found_after = seconds();
    let first_cost = search.plan().map(TeamPlan::cost);
    while state == TeamState::Found && seconds() < found_after + budget.improve_seconds {
        state = search.advance(SLICE);
        memory_max = memory_max.max(search.memory_bytes());
    }
    let plan = search.plan().cloned();
    if let Some(plan) = &plan {
        plan.check(grid, ends).map_err(|conflict| TeamRunError::Wrong { method, conflict })?;
    }
    let row = TeamRow {
        method,
        agents: ends.len(),
        solved: plan.is_some(),
        cost: plan.as_ref().map(TeamPlan::cost),
        cost_min: team.cost_min(),
        first_cost,
        duration: plan.as_ref().map(TeamPlan::duration),
        duration_min: team.duration_min(),
        seconds: found_after,
        prepare_seconds,
        memory_bytes: memory_max + team.memory_bytes(),
    };
    Ok((row, plan))
}

/// A map with four-way steps of one unit, as multi-agent benchmarks have them. Fails only if terrain costs too much.
pub fn team_grid(map: GridMap) -> Result<Grid, CostOverflow> {
    let movement = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
    Ok(Grid::new(map, movement))
}

/// The ends of the first agents of a multi-agent scenario, one agent a line.
pub fn scenario_ends(scenario: &Scenario, agents: usize) -> Vec<(Cell, Cell)> {
    scenario.queries.iter().take(agents).map(|query| (query.start, query.goal)).collect()
}

/// Ends of so many agents at random places that ways join; fewer if there is no room.
pub fn random_ends(grid: &Grid, agents: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let parts = Components::of(grid);
    let part = |cell: Cell| grid.extent().id(cell).map_or(0, |id| parts.numbers()[id.0 as usize]);
    let mut random = Random::new(seed);
    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let mut shuffled = || {
        let mut cells = free.clone();
        for last in (1..cells.len()).rev() {
            cells.swap(last, random.below(last as u64 + 1) as usize);
        }
        // Within each part cells stay in random order.
        cells.sort_by_key(|&cell| part(cell));
        cells
    };
    let (starts, goals) = (shuffled(), shuffled());
    let mut ends: Vec<(Cell, Cell)> = starts.into_iter().zip(goals).collect();
    for last in (1..ends.len()).rev() {
        ends.swap(last, random.below(last as u64 + 1) as usize);
    }
    ends.truncate(agents);
    ends
}

/// Methods by their names, separated by commas.
pub fn parse_methods(list: &str) -> Result<Vec<TeamMethod>, String> {
    let named = |name: &str| {
        let known = TeamMethod::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| {
            let names = TeamMethod::ALL.map(TeamMethod::name).join(", ");
            format!("there is no method '{name}'; there are: {names}, all")
        })
    };
    if list == "all" {
        return Ok(TeamMethod::ALL.to_vec());
    }
    list.split(',').map(|name| named(name.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_is_measured_and_its_plan_checked() {
        let grid = team_grid(GridMap::filled(24, 24, highroad::Terrain::GROUND).unwrap()).unwrap();
        let ends = random_ends(&grid, 100, 3);
        assert_eq!(ends.len(), 100);
        for method in TeamMethod::ALL {
            let options = TeamOptions::default().with_method(method);
            let budget = TeamBudget { options, seconds: 20.0, improve_seconds: 0.05 };
            let (row, plan) = measure_team(&grid, &ends, budget).unwrap();
            assert!(row.solved, "{row:?}");
            assert!(row.cost >= Some(row.cost_min) && row.cost <= row.first_cost);
            assert_eq!(plan.map(|plan| plan.len()), Some(100));
        }
        assert_eq!(random_ends(&grid, 9999, 1).len(), 24 * 24);
    }

    #[test]
    fn methods_are_named_in_a_list() {
        assert_eq!(
            parse_methods("pibt, windowed"),
            Ok(vec![TeamMethod::Pibt, TeamMethod::Windowed])
        );
        assert_eq!(parse_methods("all").map(|methods| methods.len()), Ok(4));
        assert!(parse_methods("cbs").unwrap_err().contains("there are: lacam"));
    }
}
