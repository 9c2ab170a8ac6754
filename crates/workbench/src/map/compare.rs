//! Every planner on the present query, one after the other, beside the user interface.

use super::MapMode;
use crate::shared::job::{Job, JobState};
use highroad::Cell;
use highroad::catalog::{CATALOG, SpecError};
use highroad::grid::{Grid, Revision};
use highroad::planner::{CatalogEntry, Watch};
use highroad_lab::compare::{CompareError, CompareRow, Comparison};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// What was found, and for which query. While planners are being compared, what is known so far.
    pub table: Option<CompareTable>,
    /// The column that rows are ordered by, and whether the best comes last.
    pub order: Option<(Column, bool)>,
    job: Option<Job<Result<(), String>>>,
    /// What the job has written so far.
    written: Arc<Mutex<CompareTable>>,
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareProgress {
    /// The planner that is worked with.
    pub planner: &'static str,
    /// Whether it is being built; else it is asked for the path.
    pub is_building: bool,
    /// The number of the planner, from 0.
    pub number: usize,
    /// How many planners there are.
    pub count: usize,
}

impl CompareProgress {
    /// Reads what a job reports: twice the planner's number, and one more once it is built.
    fn read(done: u64) -> Option<Self> {
        let count = planners().count();
        let number = (done / 2) as usize;
        let planner = planners().nth(number)?.title;
        Some(Self { planner, is_building: done.is_multiple_of(2), number, count })
    }

    /// What is going on, in words.
    pub fn text(&self) -> String {
        let what = if self.is_building { "Building" } else { "Timing" };
        format!("{what} {}: {} of {}", self.planner, self.number + 1, self.count)
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f32 {
        let half = if self.is_building { 0.0 } else { 0.5 };
        (self.number as f32 + half) / self.count.max(1) as f32
    }
}

/// The planners that are compared.
fn planners() -> impl Iterator<Item = &'static CatalogEntry> {
    CATALOG.iter().copied().filter(|entry| entry.grid.is_some())
}

/// What every planner made of a query.
#[derive(Clone, Default)]
pub struct CompareTable {
    /// Whether every planner has been asked.
    pub is_whole: bool,
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
    /// How many planners have been asked.
    fn asked(&self) -> usize {
        self.rows.len() + self.left_out.len()
    }

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

    /// How far a comparison is, if planners are being compared now.
    pub fn progress(&self) -> Option<CompareProgress> {
        CompareProgress::read(self.job.as_ref()?.done())
    }
}

impl MapMode {
    /// Starts to compare all planners on the present query.
    pub fn compare(&mut self) {
        let (grid, query) = (self.document.grid().clone(), self.document.places());
        let table = CompareTable { query, revision: grid.revision(), ..CompareTable::default() };
        let written = Arc::new(Mutex::new(table));
        self.compare.written = Arc::clone(&written);
        self.compare.table = None;
        self.compare.job = Some(Job::start(&self.seams, "comparing planners", move |control| {
            let is_wanted = |done| {
                control.report(done);
                !control.is_cancelled()
            };
            compare(&grid, &written, is_wanted)
        }));
    }

    /// Whether the table is about the map and the query as they are.
    pub fn comparison_is_fresh(&self) -> bool {
        self.compare.table.as_ref().is_some_and(|table| {
            table.is_whole
                && (table.query, table.revision)
                    == (self.document.places(), self.document.world().revision())
        })
    }

    pub(super) fn poll_compare(&mut self) {
        let Some(job) = &self.compare.job else { return };
        let state = job.poll();
        let written = self.compare.written.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.compare.table.as_ref().map_or(0, CompareTable::asked);
        if written.is_whole || written.asked() > known {
            self.compare.table = Some(written.clone());
        }
        drop(written);
        match state {
            JobState::Running => return,
            JobState::Lost | JobState::Done(Ok(())) => {}
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

/// Asks one planner after the other, and writes down what each of them found. `is_wanted` hears how far it is.
fn compare(
    grid: &Grid,
    written: &Mutex<CompareTable>,
    is_wanted: impl Fn(u64) -> bool,
) -> Result<(), String> {
    let table = || written.lock().unwrap_or_else(PoisonError::into_inner);
    let query = table().query;
    let mut comparison = Comparison::new(grid, query, PASSES).map_err(|error| error.to_string())?;
    for (number, entry) in (0..).zip(planners()) {
        if !is_wanted(2 * number) {
            return Err("it was cancelled".to_owned());
        }
        let spec = entry.name.parse().map_err(|error: SpecError| error.to_string())?;
        let mut report = |_, _| match is_wanted(2 * number) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let asked = || _ = is_wanted(2 * number + 1);
        match comparison.ask_watched(&spec, &mut Watch::new(&mut report), asked) {
            Ok(()) => table().rows.extend(comparison.rows.last().cloned()),
            Err(CompareError::Spec(SpecError::Stopped { .. })) => {
                return Err("it was cancelled".to_owned());
            }
            Err(CompareError::Spec(error)) => table().left_out.push(error.to_string()),
            Err(error) => return Err(error.to_string()),
        }
    }
    table().is_whole = true;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_by_any_column() {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let query = (Cell::new(0, 0), Cell::new(5, 2));
        let written = Mutex::new(CompareTable { query, ..CompareTable::default() });
        compare(&grid, &written, |_| true).unwrap();
        let table = written.into_inner().unwrap();
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

    /// What is being built is known from the first moment on, and rows come one by one.
    #[test]
    fn a_comparison_says_what_it_is_doing() {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let query = (Cell::new(0, 0), Cell::new(5, 2));
        let written = Mutex::new(CompareTable { query, ..CompareTable::default() });
        let seen = Mutex::new(Vec::new());
        compare(&grid, &written, |done| {
            let progress = CompareProgress::read(done).unwrap();
            let table = written.lock().unwrap();
            assert!(!table.is_whole);
            seen.lock().unwrap().push((progress, table.asked()));
            true
        })
        .unwrap();
        let seen = seen.into_inner().unwrap();
        let (first, count) = (seen[0].0, planners().count());
        let title = planners().next().unwrap().title;
        assert_eq!(first.text(), format!("Building {title}: 1 of {count}"));
        assert!(seen.iter().all(|(progress, asked)| progress.number == *asked));
        assert!(seen.windows(2).all(|pair| pair[0].0.share() <= pair[1].0.share()));
        assert!(written.into_inner().unwrap().is_whole);
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
