//! Queries like the thesis's: it prints what its paths cost, but not where they begin and end.
//!
//! A start is drawn at random, and a goal among the cells to which the cheapest path costs exactly as much as the
//! thesis's does. Costs can then be compared as they stand. Where everything is nearer than that, the farthest cell
//! becomes the start.

use crate::generate::Random;
use highroad::field::Field;
use highroad::grid::Grid;
use highroad::planner::PathQuery;
use highroad::{Cell, Cost};

/// Starts that are drawn for each query before the best so far is taken.
const DRAWS: usize = 4;
/// How often an end is exchanged for the cell farthest from it, where no path is costly enough.
const EXCHANGES: usize = 2;

/// Queries whose cheapest paths cost that much, with a straight step as 1; where a map is too small for it, as much as
/// was found. The same seed gives the same queries. None where no cell can be entered.
pub fn queries_of_cost(grid: &Grid, cost: f64, count: usize, seed: u64) -> Vec<PathQuery> {
    let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let Some(&first) = free.first() else { return Vec::new() };
    let wanted = Cost((cost * straight_step(grid)).round() as u64);
    let mut random = Random::new(seed);
    let mut queries = Vec::with_capacity(count);
    let Ok(mut field) = Field::within(grid, &[first], wanted.0) else { return queries };
    let mut draws = DRAWS;
    for _ in 0..count {
        let mut best: Option<(Cost, PathQuery)> = None;
        for _ in 0..draws {
            let mut start = free[random.below(free.len() as u64) as usize];
            for _ in 0..=EXCHANGES {
                if field.renew(grid, &[start], wanted.0).is_err() {
                    break;
                }
                field.finish();
                let Some((cost, goal)) = farthest(&field, &free, &mut random) else { break };
                if best.as_ref().is_none_or(|(best, _)| cost > *best) {
                    best = Some((cost, PathQuery::new(start, goal)));
                }
                if cost == wanted {
                    break;
                }
                start = goal;
            }
            if best.as_ref().is_some_and(|(cost, _)| *cost == wanted) {
                break;
            }
        }
        // Where there was no such path, there will hardly be one for the next: one draw will do.
        if best.as_ref().is_none_or(|(cost, _)| *cost < wanted) {
            draws = 1;
        }
        queries.extend(best.map(|(_, query)| query));
    }
    queries
}

/// One of the cells farthest from the field's source, each with the same chance, and its cost.
fn farthest(field: &Field, free: &[Cell], random: &mut Random) -> Option<(Cost, Cell)> {
    let mut most = Cost::ZERO;
    let mut cells = Vec::new();
    for &cell in free {
        let Some(cost) = field.cost(cell) else { continue };
        if cost > most {
            most = cost;
            cells.clear();
        }
        if cost == most {
            cells.push(cell);
        }
    }
    let goal = (!cells.is_empty()).then(|| cells[random.below(cells.len() as u64) as usize]);
    Some((most, goal?))
}

/// What a straight step on the cheapest ground costs in whole numbers.
pub(super) fn straight_step(grid: &Grid) -> f64 {
    f64::from(grid.movement().steps().straight()) * 2.0 * f64::from(*grid.cost_range().start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{AgentMovement, grid_with};
    use highroad::grid::{MovementRule, StepCosts};
    use highroad::online::GridSearch;
    use highroad::planner::{Planner, Scratch};
    use highroad::{GridMap, Terrain};

    #[test]
    fn the_cheapest_path_costs_what_was_asked_for_or_what_there_is() {
        let map = GridMap::filled(40, 30, Terrain::GROUND).unwrap();
        let grid =
            grid_with(map, AgentMovement::new(MovementRule::AlwaysDiagonal, StepCosts::THESIS))
                .unwrap();
        let cost = |query: &PathQuery| {
            let answer = GridSearch::dijkstra().solve(&grid, query, &mut Scratch::new());
            answer.unwrap().path().unwrap().cost().0 as f64 / straight_step(&grid)
        };
        let queries = queries_of_cost(&grid, 20.4, 9, 5);
        assert_eq!(queries.iter().map(cost).collect::<Vec<_>>(), [20.4; 9]);
        let far = queries_of_cost(&grid, 1000.0, 3, 5);
        assert!(far.iter().all(|query| (25.0..=51.0).contains(&cost(query))));
        let walls = GridMap::filled(3, 3, Terrain::WALL).unwrap();
        let walls =
            grid_with(walls, AgentMovement::new(MovementRule::AlwaysDiagonal, StepCosts::THESIS))
                .unwrap();
        assert!(queries_of_cost(&walls, 2.0, 3, 5).is_empty());
    }
}
