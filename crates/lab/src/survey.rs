//! What a map is like to search: how much of it can be walked on, in how many parts, how far queries lead
//! around obstacles and how much A* looks at. Two maps that agree in this are alike to planners, whatever
//! they look like.

use crate::scenario::published_length;
use crate::table::mean;
use crate::workload::seeded_queries;
use highroad::Cell;
use highroad::grid::{Components, Grid, MovementRule, StepCosts};
use highroad::online::GridSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use rayon::prelude::*;
use serde::Serialize;

/// The keys of its JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurveyRow {
    /// The map.
    pub map: String,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Share of cells that can be entered, in per cent.
    pub walkable_percent: f64,
    /// Parts without a way between them.
    pub parts: usize,
    /// Share of the walkable cells that lie in the largest part, in per cent.
    pub largest_percent: f64,
    /// Random queries that have a path.
    pub queries: usize,
    /// Length of the shortest paths, as scenarios have it: the mean.
    pub length_mean: f64,
    /// How many times as long as the way on an empty map the shortest path is: the mean. On weighted
    /// terrain the empty map is one of the cheapest terrain there.
    pub detour_mean: f64,
    /// Share of the walkable cells that A* expands, in per cent: the mean.
    pub expanded_percent_mean: f64,
}

/// Surveys a map by so many seeded queries, on all cores.
pub fn survey(name: &str, grid: &Grid, queries: usize, seed: u64) -> SurveyRow {
    let extent = grid.extent();
    let walkable = f64::from(grid.enterable_count());
    let parts = Components::of(grid);
    let largest = parts.sizes().iter().copied().max().unwrap_or(0);
    let ask = |scratch: &mut Scratch, ends: (Cell, Cell)| {
        let query = PathQuery::new(ends.0, ends.1);
        let path = GridSearch::astar().solve(grid, &query, scratch).ok()?.path()?;
        let length = published_length(grid, &path);
        let straight = straight_length(grid, ends.0, ends.1);
        let expanded = scratch.statistics().expanded as f64;
        (straight > 0.0).then_some([length, length / straight, expanded / walkable * 100.0])
    };
    let asked: Vec<[f64; 3]> = seeded_queries(grid, queries, seed)
        .par_iter()
        .map_init(Scratch::new, |scratch, query| ask(scratch, (query.start, query.goal)))
        .flatten()
        .collect();
    let average = |at: usize| mean(&asked.iter().map(|row| row[at]).collect::<Vec<_>>());
    SurveyRow {
        map: name.to_owned(),
        width: extent.width(),
        height: extent.height(),
        walkable_percent: walkable / extent.cell_count() as f64 * 100.0,
        parts: parts.count(),
        largest_percent: f64::from(largest) / walkable.max(1.0) * 100.0,
        queries: asked.len(),
        length_mean: average(0),
        detour_mean: average(1),
        expanded_percent_mean: average(2),
    }
}

/// The length of a shortest path between two cells if nothing were in the way.
fn straight_length(grid: &Grid, from: Cell, to: Cell) -> f64 {
    let (columns, rows) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let diagonal = match (grid.movement().rule(), grid.movement().steps()) {
        (MovementRule::FourWay, _) => 2.0,
        (_, StepCosts::EXACT) => std::f64::consts::SQRT_2,
        (_, steps) => f64::from(steps.diagonal()) / f64::from(steps.straight()),
    };
    let (short, long) = (columns.min(rows), columns.max(rows));
    let cost = f64::from(*grid.cost_range().start());
    (f64::from(long - short) + f64::from(short) * diagonal) * cost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_map_has_no_detours_and_a_wall_makes_some() {
        let empty = Grid::with_defaults(".......\n.......\n.......\n".parse().unwrap());
        let row = survey("empty", &empty, 50, 1);
        assert_eq!((row.walkable_percent, row.parts, row.largest_percent), (100.0, 1, 100.0));
        assert!((row.detour_mean - 1.0).abs() < 1e-9 && row.queries > 30, "{row:?}");
        let wall =
            Grid::with_defaults("...#...\n...#...\n...#...\n...#...\n.......\n".parse().unwrap());
        let row = survey("wall", &wall, 50, 1);
        assert!(row.detour_mean > 1.1 && row.length_mean > 3.0, "{row:?}");
        let apart = Grid::with_defaults("..#\n..#\n###\n.##\n".parse().unwrap());
        let row = survey("apart", &apart, 50, 1);
        assert_eq!((row.parts, row.largest_percent), (2, 80.0));
        let nothing = survey("nothing", &Grid::with_defaults("##\n".parse().unwrap()), 50, 1);
        assert_eq!((nothing.parts, nothing.queries, nothing.length_mean), (0, 0, 0.0));
    }

    #[test]
    fn weighted_and_four_way_maps_are_held_against_their_own_empty_maps() {
        use crate::workload::grid_under;
        for (drawing, rule) in
            [("CCCC\nCCCC\n", MovementRule::default()), ("....\n....\n", MovementRule::FourWay)]
        {
            let grid = grid_under(drawing.parse().unwrap(), rule);
            let row = survey("even", &grid, 40, 1);
            assert!((row.detour_mean - 1.0).abs() < 1e-9, "{row:?}");
        }
    }
}
