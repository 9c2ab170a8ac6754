//! Every planner on the present query, one after the other, beside the user interface.

use super::MapMode;
use crate::shared::job::{Job, JobState};
use highroad::Cell;
use highroad::catalog::{CATALOG, SpecError};
use highroad::grid::{Grid, Revision};
use highroad_lab::compare::{CompareError, CompareRow, Comparison};

/// How often each planner is timed.
const PASSES: usize = 3;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The planner, by the order of the catalog.
    Planner,
    /// By how much its path costs more than the cheapest.
    AboveOptimal,
    /// Expanded nodes.
    Expanded,
    /// The time of the query.
    Time,
    /// The time to prepare the planner.
    Build,
    /// What it holds.
    Memory,
}

impl Column {
    /// All of them, in their order.
    pub const ALL: [Self; 6] =
        [Self::Planner, Self::AboveOptimal, Self::Expanded, Self::Time, Self::Build, Self::Memory];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::AboveOptimal => "vs. opt.",
            Self::Expanded => "expanded",
            Self::Time => "time",
            Self::Build => "build",
            Self::Memory => "memory",
        }
    }

    /// What it means.
    pub fn help(self) -> &'static str {
        match self {
            Self::Planner => "the planner; click to choose it",
            Self::AboveOptimal => "by how much the path costs more than the cheapest",
            Self::Expanded => "nodes taken from the open list",
            Self::Time => "the time of the query, once the planner is prepared",
            Self::Build => "the time to prepare the planner for the map",
            Self::Memory => "what the planner and its searches hold, beside the map",
        }
    }

    /// What rows are ordered by, the best first; `None` for the order of the catalog. No path comes last.
    pub fn value(self, row: &CompareRow) -> Option<f64> {
        match self {
            Self::Planner => None,
            Self::AboveOptimal => Some(row.above_optimal_percent.unwrap_or(f64::INFINITY)),
            Self::Expanded => Some(row.expanded as f64),
            Self::Time => Some(row.query_us),
            Self::Build => Some(row.build_ms),
            Self::Memory => Some(row.memory_bytes as f64),
        }
    }
}

/// The table of all planners, and the job that makes it.
#[derive(Default)]
pub struct Compare {
    /// What was found, and for which query.
    pub table: Option<CompareTable>,
    /// The column that rows are ordered by, and whether the best comes last.
    pub order: Option<(Column, bool)>,
    job: Option<Job<Result<CompareTable, String>>>,
}

/// What every planner made of a query.
pub struct CompareTable {
    /// From where to where.
    pub query: (Cell, Cell),
    /// The revision of the map.
    pub revision: Revision,
    /// A row for each planner.
    pub rows: Vec<CompareRow>,
    /// Planners that do not serve the map, each with the reason.
    pub left_out: Vec<String>,
}

impl CompareTable {
    /// The numbers of rows in an order; rows that are alike stay as they are.
    pub fn ordered(&self, order: Option<(Column, bool)>) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.rows.len()).collect();
        let Some((column, reversed)) = order else { return rows };
        let value = |row: &usize| column.value(&self.rows[*row]).unwrap_or(*row as f64);
        rows.sort_by(|a, b| {
            let order = value(a).total_cmp(&value(b));
            if reversed { order.reverse() } else { order }
        });
        rows
    }

    /// The best value of a column.
    pub fn best(&self, column: Column) -> Option<f64> {
        self.rows.iter().filter_map(|row| column.value(row)).min_by(f64::total_cmp)
    }

    /// The table as lines with tabs, as spreadsheets take it.
    pub fn as_text(&self, order: Option<(Column, bool)>) -> String {
        let mut text =
            "planner\tcost\tabove optimal %\texpanded\ttime µs\tbuild ms\tmemory B\n".to_owned();
        for row in self.ordered(order).into_iter().map(|row| &self.rows[row]) {
            let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.4}"));
            text.push_str(&format!(
                "{}\t{}\t{}\t{}\t{:.2}\t{:.3}\t{}\n",
                row.planner,
                number(row.cost),
                number(row.above_optimal_percent),
                row.expanded,
                row.query_us,
                row.build_ms,
                row.memory_bytes
            ));
        }
        text
    }
}

impl Compare {
    /// Orders the rows by a column; by the same one again, the other way round.
    pub fn order_by(&mut self, column: Column) {
        self.order = match self.order {
            Some((known, reversed)) if known == column => Some((column, !reversed)),
            _ => Some((column, false)),
        };
    }

    /// Whether planners are being compared now, and how many are done.
    pub fn progress(&self) -> Option<f32> {
        let job = self.job.as_ref()?;
        let count = CATALOG.iter().filter(|entry| entry.grid.is_some()).count();
        Some(job.done() as f32 / count.max(1) as f32)
    }
}

impl MapMode {
    /// Starts to compare all planners on the present query.
    pub fn compare(&mut self) {
        let (grid, query) = (self.document.grid().clone(), self.document.places());
        self.compare.job = Some(Job::start(&self.seams, "comparing planners", move |control| {
            let mut asked = 0;
            let is_wanted = || {
                control.report(asked);
                asked += 1;
                !control.is_cancelled()
            };
            compare(&grid, query, is_wanted)
        }));
    }

    /// Whether the table is about the map and the query as they are.
    pub fn comparison_is_fresh(&self) -> bool {
        self.compare.table.as_ref().is_some_and(|table| {
            (table.query, table.revision)
                == (self.document.places(), self.document.world().revision())
        })
    }

    pub(super) fn poll_compare(&mut self) {
        let Some(job) = &self.compare.job else { return };
        match job.poll() {
            JobState::Running => return,
            JobState::Lost => {}
            JobState::Done(Ok(table)) => self.compare.table = Some(table),
            JobState::Done(Err(reason)) => {
                self.say_error(format!("The planners cannot be compared: {reason}."));
            }
        }
        self.compare.job = None;
    }

    pub(super) fn cancel_compare(&mut self) -> bool {
        self.compare.job.take().is_some()
    }
}

fn compare(
    grid: &Grid,
    query: (Cell, Cell),
    mut is_wanted: impl FnMut() -> bool,
) -> Result<CompareTable, String> {
    let mut comparison = Comparison::new(grid, query, PASSES).map_err(|error| error.to_string())?;
    let mut left_out = Vec::new();
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        if !is_wanted() {
            return Err("it was cancelled".to_owned());
        }
        let spec = entry.name.parse().map_err(|error: SpecError| error.to_string())?;
        match comparison.ask(&spec, || ()) {
            Ok(()) => {}
            Err(CompareError::Spec(error)) => left_out.push(error.to_string()),
            Err(error) => return Err(error.to_string()),
        }
    }
    let rows = comparison.rows;
    Ok(CompareTable { query, revision: grid.revision(), rows, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_by_any_column() {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let table = compare(&grid, (Cell::new(0, 0), Cell::new(5, 2)), || true).unwrap();
        let all: Vec<usize> = (0..table.rows.len()).collect();
        assert_eq!(table.ordered(None), all);
        for column in Column::ALL {
            let up = table.ordered(Some((column, false)));
            let values: Vec<f64> =
                up.iter().filter_map(|&r| column.value(&table.rows[r])).collect();
            assert!(values.is_sorted(), "{column:?}: {values:?}");
            assert_eq!(values.first().copied(), table.best(column));
            let mut sorted = up.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, all);
        }
        let text = table.as_text(Some((Column::Expanded, true)));
        assert_eq!(text.lines().count(), all.len() + 1);
        assert!(text.lines().all(|line| line.matches('\t').count() == 6), "{text}");
    }

    #[test]
    fn a_second_click_turns_the_order_round() {
        let mut compare = Compare::default();
        compare.order_by(Column::Time);
        assert_eq!(compare.order, Some((Column::Time, false)));
        compare.order_by(Column::Time);
        assert_eq!(compare.order, Some((Column::Time, true)));
        compare.order_by(Column::Memory);
        assert_eq!(compare.order, Some((Column::Memory, false)));
    }
}
