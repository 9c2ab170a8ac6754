//! One query, many planners.

use crate::generate::Random;
use crate::measurable::Measurable;
use crate::quality::excess_percent;
use crate::workload::random_cell;
use highroad::catalog::{Spec, SpecError};
use highroad::field::Field;
use highroad::grid::{Components, Grid};
use highroad::planner::{Answer, PathQuery, Point, QueryError, Scratch, Watch};
use highroad::{Cell, Path};
use highroad_pictures::PathLine;
use serde::Serialize;
use thiserror::Error;
use web_time::Instant;

/// What one planner made of the query: the keys of its JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompareRow {
    /// The planner, as asked for.
    pub planner: String,
    /// What it promises on this map.
    pub guarantee: String,
    /// Whether it found a path.
    pub found: bool,
    /// The path's length, as scenarios have it: on weighted terrain, its cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// The path's cost, in straight steps over ground that costs 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// By how many per cent it costs more than the cheapest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above_optimal_percent: Option<f64>,
    /// Steps of the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// How often it changes direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// Nodes expanded.
    pub expanded: u64,
    /// Microseconds of the query, warm: the least of all passes.
    pub query_us: f64,
    /// Milliseconds to prepare the planner for the map.
    pub build_ms: f64,
    /// Bytes held by the planner and its scratch memory, beside the map.
    pub memory_bytes: usize,
}

/// Why planners cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// The planner cannot be made.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The query cannot be asked.
    #[error("{0}")]
    Query(String),
}

/// A query that is asked of one planner after the other.
pub struct Comparison<'g, E: Measurable = Grid> {
    grid: &'g E,
    query: PathQuery<E::Place>,
    optimal: Option<Path<E::Place>>,
    passes: usize,
    /// One row a planner.
    pub rows: Vec<CompareRow>,
    /// The paths found, in the order of rows.
    paths: Vec<(String, Path<E::Place>)>,
}

impl<'g, E: Measurable> Comparison<'g, E> {
    /// Finds the optimum; each planner will be timed that many times.
    pub fn new(
        grid: &'g E,
        (from, to): (E::Place, E::Place),
        passes: usize,
    ) -> Result<Self, QueryError<E::Refusal>> {
        let query = PathQuery::new(from, to);
        let optimal = grid.reference(None).solve(grid, &query, &mut Scratch::new())?.path();
        Ok(Self { grid, query, optimal, passes, rows: Vec::new(), paths: Vec::new() })
    }

    /// Whether there is a path at all.
    pub fn has_path(&self) -> bool {
        self.optimal.is_some()
    }

    /// Asks one planner. `asked` hears when it has been made, and of each pass.
    pub fn ask(&mut self, spec: &Spec, asked: impl FnMut()) -> Result<(), CompareError> {
        self.ask_watched(spec, &mut Watch::none(), asked)
    }

    /// As [`Comparison::ask`], with progress while the planner is built. Fails with [`SpecError::Stopped`] when the watch
    /// stops it.
    pub fn ask_watched(
        &mut self,
        spec: &Spec,
        watch: &mut Watch<'_>,
        mut asked: impl FnMut(),
    ) -> Result<(), CompareError> {
        let build_start = Instant::now();
        let planner = spec.build_watched(self.grid, watch)?;
        let build_ms = build_start.elapsed().as_secs_f64() * 1e3;
        asked();
        let mut scratch = Scratch::new();
        let answer = planner.solve(self.grid, &self.query, &mut scratch);
        let path = answer.map_err(|error| CompareError::Query(error.to_string()))?.path();
        let expanded = scratch.statistics().expanded;
        let mut query_us = f64::INFINITY;
        for _ in 0..self.passes.max(1) {
            let start = Instant::now();
            let answer = planner.solve(self.grid, &self.query, &mut scratch);
            query_us = query_us.min(start.elapsed().as_secs_f64() * 1e6);
            drop(std::hint::black_box::<Result<Answer<E::Place>, _>>(answer));
            asked();
        }
        let optimal = self.optimal.as_ref().map(|path| path.cost().0 as f64);
        let above = path.as_ref().zip(optimal);
        let unit = self.grid.cost_unit();
        self.rows.push(CompareRow {
            planner: spec.to_string(),
            guarantee: planner.guarantee(self.grid).to_string(),
            found: path.is_some(),
            length: path.as_ref().map(|path| self.grid.published_length_of(path)),
            cost: path.as_ref().map(|path| path.cost().0 as f64 / unit),
            above_optimal_percent: above
                .map(|(path, optimal)| Self::above(path.cost().0 as f64, optimal)),
            steps: path.as_ref().map(|path| path.places().len() - 1),
            turns: path.as_ref().map(|path| self.grid.turns_of(path)),
            expanded,
            query_us,
            build_ms,
            memory_bytes: planner.memory_bytes() + scratch.memory_bytes(),
        });
        self.paths.extend(path.map(|path| (spec.to_string(), path)));
        Ok(())
    }

    /// The paths to draw, the cheapest first: planners that found the very same one share it.
    pub fn lines(&self) -> Vec<PathLine> {
        let mut groups: Vec<(&Path<E::Place>, Vec<&str>)> = Vec::new();
        for (planner, path) in &self.paths {
            match groups.iter_mut().find(|(known, _)| known.places() == path.places()) {
                Some((_, planners)) => planners.push(planner),
                None => groups.push((path, vec![planner])),
            }
        }
        groups.sort_by_key(|(path, _)| path.cost());
        let optimal = self.optimal.as_ref().map_or(0.0, |path| path.cost().0 as f64);
        let label = |path: &Path<E::Place>, planners: &[&str]| {
            let above = Self::above(path.cost().0 as f64, optimal);
            let quality =
                if above == 0.0 { "optimal".to_owned() } else { format!("+{above:.2} %") };
            let length = self.grid.published_length_of(path);
            format!("{}: {length:.2} ({quality})", planners.join(", "))
        };
        let position = |&place: &E::Place| self.grid.position(place).map(Point::of_position);
        let line = |(path, planners): (&Path<E::Place>, Vec<&str>)| PathLine {
            points: path.places().iter().filter_map(position).collect(),
            label: label(path, &planners),
        };
        groups.into_iter().map(line).collect()
    }

    /// By how many per cent a cost is above the optimum: what rounding may have made is not counted.
    fn above(cost: f64, optimal: f64) -> f64 {
        let is_rounding = (cost - optimal).abs() <= E::COST_SLACK as f64;
        if is_rounding { 0.0 } else { excess_percent(cost, optimal) }
    }
}

/// A query where none is named: two cells about as far apart as the map's largest part has. From some
/// cell to the farthest from it, and from there to the farthest again. `None` if nobody can walk.
pub fn far_apart(grid: &Grid, seed: u64) -> Option<(Cell, Cell)> {
    if grid.enterable_count() == 0 {
        return None;
    }
    let parts = Components::of(grid);
    let largest = (0..parts.count()).max_by_key(|&part| parts.sizes()[part])? as u32;
    let in_largest = |cell: Cell| {
        let id = grid.extent().id(cell);
        id.is_some_and(|id| parts.numbers()[id.index()] == largest)
    };
    let mut random = Random::new(seed);
    let drawn = (0..100).map(|_| random_cell(grid, &mut random)).find(|&cell| in_largest(cell));
    let first = drawn.or_else(|| grid.extent().cells().find(|&cell| in_largest(cell)))?;
    let farthest = |from: Cell| {
        let mut field = Field::around(grid, &[from]).ok()?;
        field.finish();
        field.cells().max_by_key(|&(cell, cost)| (cost, cell.y, cell.x)).map(|(cell, _)| cell)
    };
    let start = farthest(first)?;
    Some((start, farthest(start)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::catalog::CATALOG;

    fn grid(drawing: &str) -> Grid {
        Grid::with_defaults(drawing.parse().unwrap())
    }

    #[test]
    fn every_planner_is_told_of_and_equal_paths_are_drawn_once() {
        let grid = grid(".........\n.#######.\n.......#.\n.#######.\n.........\n");
        let mut comparison = Comparison::new(&grid, ((0, 2).into(), (8, 2).into()), 2).unwrap();
        let mut asked = 0;
        let entries = || CATALOG.iter().filter(|entry| entry.grid.is_some());
        let count = entries().count();
        for entry in entries() {
            comparison.ask(&entry.name.parse().unwrap(), || asked += 1).unwrap();
        }
        assert_eq!((comparison.rows.len(), asked), (count, 3 * count));
        for row in &comparison.rows {
            assert!(row.found && row.length >= Some(12.0), "{row:?}");
            assert!(row.guarantee != "optimal" || row.above_optimal_percent == Some(0.0));
            assert!(row.query_us > 0.0 && row.query_us.is_finite());
        }
        let lines = comparison.lines();
        assert!((2..count).contains(&lines.len()), "{lines:?}");
        let shown: usize = lines.iter().map(|line| line.label.matches(", ").count() + 1).sum();
        assert_eq!(shown, count, "each planner is named once: {lines:?}");
        assert!(lines[0].label.contains("astar") || lines[0].label.contains("(optimal)"));
        let mut points: Vec<_> = lines.iter().map(|line| &line.points).collect();
        points.dedup();
        assert_eq!(points.len(), lines.len());
    }

    #[test]
    fn no_path_is_an_answer_and_a_blocked_end_an_error() {
        let grid = grid("..#..\n..#..\n");
        let mut comparison = Comparison::new(&grid, ((0, 0).into(), (4, 0).into()), 1).unwrap();
        comparison.ask(&"astar".parse().unwrap(), || ()).unwrap();
        let row = &comparison.rows[0];
        assert!(!comparison.has_path() && !row.found && row.above_optimal_percent.is_none());
        assert!(comparison.lines().is_empty());
        assert!(Comparison::new(&grid, ((0, 0).into(), (2, 0).into()), 1).is_err());
    }

    #[test]
    fn a_query_of_the_maps_own_is_far_and_always_the_same() {
        let grid = grid("#######\n#.#...#\n#.....#\n#######\n.######\n");
        let (start, goal) = far_apart(&grid, 1).unwrap();
        assert_eq!(far_apart(&grid, 1), Some((start, goal)));
        let ends = [Cell::new(1, 1), Cell::new(5, 1), Cell::new(5, 2)];
        assert!(ends.contains(&start) && ends.contains(&goal) && start != goal);
        let walled = Grid::with_defaults("##\n".parse().unwrap());
        assert_eq!(far_apart(&walled, 1), None);
    }
}
