//! What was measured of one planner on one map, as it is kept on disk.

use serde::{Deserialize, Serialize};

/// One planner on one map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Tells whether the same would be measured again: settings, map, queries, planner.
    pub key: String,
    /// The build of the program that measured it.
    pub build: String,
    /// The processor on which it was measured.
    pub processor: String,
    /// When it was measured, in seconds since 1970.
    pub measured_at: u64,
    /// The map's set.
    pub set: String,
    /// The map's name.
    pub map: String,
    /// Columns and rows of the map.
    pub size: (u32, u32),
    /// For maps of the growth: their side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<u32>,
    /// The planner, as asked for.
    pub planner: String,
    /// How many queries were to be asked.
    pub wanted: usize,
    /// What came of it.
    pub outcome: UnitOutcome,
}

/// What came of a planner on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum UnitOutcome {
    /// It does not serve such maps; why.
    NotServed(String),
    /// It was not built; why.
    NotBuilt(String),
    /// It was measured.
    Measured(Measured),
}

/// Numbers of one planner on one map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Whether it promises the optimum.
    pub exact: bool,
    /// What it promises, in words.
    pub promise: String,
    /// Milliseconds to make it.
    pub build_ms: f64,
    /// Bytes of the planner's index for the map.
    pub index_bytes: usize,
    /// Bytes of the memory that its searches run in.
    pub scratch_bytes: usize,
    /// One record a query, in the order they were asked.
    pub queries: Vec<QueryRecord>,
    /// The query whose path was the worst, if any was not the best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Worst>,
    /// What the planner says of itself, such as that another method answers in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// One query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryRecord {
    /// Where the path starts.
    pub start: (u32, u32),
    /// Where the path ends.
    pub goal: (u32, u32),
    /// Length of the shortest path: as published, or by an exact search; `None`: there is no path.
    pub shortest: Option<f64>,
    /// Whether that length is a published one.
    pub published: bool,
    /// Length of the path found.
    pub length: Option<f64>,
    /// Cost of the path found, in the grid's units.
    pub cost: Option<u64>,
    /// By how many per cent it costs more than the cheapest.
    pub excess_percent: Option<f64>,
    /// What is wrong with the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<String>,
    /// Nodes expanded.
    pub expanded: u64,
    /// Microseconds in the quickest pass.
    pub least_us: f64,
    /// Microseconds in the slowest pass.
    pub most_us: f64,
}

/// The query whose path was the worst.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// Which of the records.
    pub query: usize,
    /// The path found, by the cells where it turns.
    pub found: Vec<(u32, u32)>,
    /// Whether `found` has only some of the turns, since they are too many.
    pub thinned: bool,
    /// An optimal path, likewise.
    pub optimal: Vec<(u32, u32)>,
}

impl Unit {
    /// The numbers, if it was measured.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            UnitOutcome::Measured(measured) => Some(measured),
            _ => None,
        }
    }

    /// Whether fewer queries were asked than were to be.
    pub fn is_cut(&self) -> bool {
        self.measured().is_some_and(|measured| measured.queries.len() < self.wanted)
    }

    /// How many cells the map has.
    pub fn cells(&self) -> u64 {
        u64::from(self.size.0) * u64::from(self.size.1)
    }
}

impl Measured {
    /// Bytes held by the planner and its scratch memory, beside the map.
    pub fn memory_bytes(&self) -> usize {
        self.index_bytes + self.scratch_bytes
    }
}
