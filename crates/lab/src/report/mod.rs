//! Reports: every planner on every map, measured once, reported as a page with plots, as Markdown and as CSV.
//!
//! A [`Plan`] says what is to be measured; [`run`] measures what is not yet in the [`Store`], unit by unit (one
//! planner on one map), and keeps each at once, so that a run can be broken off at any time and gone on with. A
//! [`Report`] puts units together, and [`Report::write`] writes it.
//!
//! Reading order: `unit.rs` (what is measured), `run.rs` (how), `statistics.rs` (what becomes of it), `model.rs`;
//! then `page.rs` with `table.rs` and `charts.rs`.

mod charts;
mod circumstances;
mod csv;
mod growth;
mod guide;
mod html;
mod markdown;
mod method;
mod model;
mod page;
mod plot;
mod run;
mod scale;
mod settings;
mod statistics;
mod store;
mod subject;
mod table;
mod unit;
mod worst;

pub use crate::files::WriteError;
pub use circumstances::{Circumstances, seconds_since_1970};
pub use model::{Absence, Report};
pub use run::{Plan, RunError, Watcher, run};
pub use settings::{QUERIES_MIN, Settings};
pub use statistics::{Fit, Sample, Summary, by_length};
pub use store::Store;
pub use subject::{Subject, SubjectError};
pub use unit::{Measured, QueryRecord, Unit, UnitOutcome, Worst};

use crate::files::write_whole;
use crate::worst::WorstRow;
use std::path::{Path, PathBuf};

impl Report {
    /// Puts together what a run has measured.
    pub fn new(plan: Plan, units: Vec<Unit>, command: String) -> Self {
        Self {
            settings: plan.settings,
            circumstances: plan.circumstances,
            subjects: plan.subjects,
            planners: plan.specs.iter().map(ToString::to_string).collect(),
            units,
            worst_cases: Vec::new(),
            command,
        }
    }

    /// With what was measured where things go badly.
    pub fn with_worst_cases(mut self, rows: Vec<WorstRow>) -> Self {
        self.worst_cases = rows;
        self
    }

    /// Writes `index.html`, `report.md`, `queries.csv` and `summary.csv` into a folder.
    pub fn write(&self, out: &Path) -> Result<Vec<PathBuf>, WriteError> {
        let files = [
            ("index.html", page::html(self)),
            ("report.md", markdown::markdown(self)),
            ("summary.csv", csv::summary(self)),
            ("queries.csv", csv::queries(self)),
        ];
        let mut written = Vec::new();
        for (name, text) in files {
            let path = out.join(name);
            write_whole(&path, text.as_bytes())?;
            written.push(path);
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests;
