//! What becomes of planners while maps grow.

use super::scale::Measure;
use super::statistics::Fit;
use super::unit::Unit;
use crate::table::{bytes, duration, mean};

/// What is looked at while maps grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grown {
    /// The time to build.
    Build,
    /// The time of a query.
    Query,
    /// The memory.
    Memory,
}

impl Grown {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Build, Self::Query, Self::Memory];

    /// What a table calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Build => "build time",
            Self::Query => "time of a query",
            Self::Memory => "memory",
        }
    }

    /// What an axis calls it.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Build => "time to build",
            Self::Query => "time of a query (mean)",
            Self::Memory => "memory beside the map",
        }
    }

    /// How an axis is numbered.
    pub(super) fn measure(self) -> Measure {
        match self {
            Self::Build | Self::Query => Measure::Time,
            Self::Memory => Measure::Memory,
        }
    }

    /// A value, for people.
    pub(super) fn shown(self, value: f64) -> String {
        match self {
            Self::Build | Self::Query => duration(value),
            Self::Memory => bytes(value as usize),
        }
    }
}

/// Cells of maps, and what a planner took there: microseconds or bytes. Times are of the queries that it was asked
/// on every size, which lie alike on all of them. Builds of less than 0.1 ms, which is what a planner without an
/// index takes, are left out.
pub(super) fn growth_points(units: &[&Unit], planner: &str, grown: Grown) -> Vec<(f64, f64)> {
    let own = || {
        let units = units.iter().filter(|unit| unit.planner == planner);
        units.filter_map(|unit| Some((unit.cells() as f64, unit.measured()?)))
    };
    let asked = own().map(|(_, measured)| measured.queries.len()).min().unwrap_or(0);
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (cells, measured) in own() {
        let times: Vec<f64> =
            measured.queries[..asked].iter().map(|query| query.least_us).collect();
        let value = match grown {
            Grown::Build => measured.build_ms * 1e3,
            Grown::Query => mean(&times),
            Grown::Memory => measured.memory_bytes() as f64,
        };
        if value > 0.0 && (grown != Grown::Build || value >= 100.0) {
            points.push((cells, value));
        }
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// The law by which it grows with the number of cells.
pub(super) fn growth_fit(units: &[&Unit], planner: &str, grown: Grown) -> Option<Fit> {
    Fit::power_law(&growth_points(units, planner, grown))
}
