//! Replaying a dynamic scenario on a world, and holding every answer against the file.

use super::{Command, DynamicError, DynamicScenario, Patch};
use crate::quality::Quality;
use crate::table::{mean, quantile};
use crate::verify::check_published;
use crate::workload::{Published, WorkQuery};
use highroad::catalog::Spec;
use highroad::grid::{Batch, EditError, Grid, SizeError};
use highroad::planner::{Guarantee, PathQuery};
use highroad::world::{BuildWatch, BuildWorldError};
use highroad::{Cell, GridMap, PathWorld, Terrain};
use highroad_formats::file_below;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use thiserror::Error;

/// The files have eleven significant digits or more.
const TOLERANCE: f64 = 1e-6;

/// The most edits in one batch: 16 million take about half a gigabyte.
const EDITS_MAX: usize = 1 << 24;

/// A dynamic scenario, ready to be replayed.
pub struct DynamicReplay {
    /// The scenario's file name.
    pub name: String,
    scenario: DynamicScenario,
    patches: Vec<Patch>,
    /// How many edits each patch takes.
    run_counts: Vec<usize>,
}

/// What came of a replay: the keys of its JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DynamicRow {
    /// The scenario's file name.
    pub scenario: String,
    /// The planner, as asked for.
    pub planner: String,
    /// Batches of patches laid after the first query.
    pub edits: usize,
    /// Queries asked.
    pub queries: usize,
    /// Microseconds from a batch to a world that can be asked again, snapshots before and after
    /// included: the mean.
    pub edit_mean_us: f64,
    /// The 99th percentile of the same time, in microseconds.
    pub edit_p99_us: f64,
    /// The mean of a query's time, in microseconds.
    pub query_mean_us: f64,
    /// The 99th percentile of a query's time, in microseconds.
    pub query_p99_us: f64,
    /// By how many per cent paths are longer than the shortest, on average.
    pub suboptimality_mean_percent: f64,
    /// Answers that break what the planner promises, or are wrong.
    pub mismatches: usize,
}

/// Why a scenario cannot be replayed.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file's text is broken.
    #[error("{}, {error}", .path.display())]
    Text {
        /// Which.
        path: PathBuf,
        /// Where and why.
        error: DynamicError,
    },
    /// The scenario lays a patch that is not in the file of patches.
    #[error("line {line}: there is no patch {patch}, only {count}")]
    NoPatch {
        /// The line of the scenario.
        line: usize,
        /// The patch asked for.
        patch: usize,
        /// Patches in the file.
        count: usize,
    },
    /// A patch lies outside the map.
    #[error("line {line}: {error}")]
    Outside {
        /// The line of the scenario.
        line: usize,
        /// What is wrong.
        error: EditError,
    },
    /// The watch has stopped it.
    #[error("the replay was stopped")]
    Stopped,
    /// Patches in a row that change more at once than there is memory for.
    #[error("line {line}: the patches up to here make more than {EDITS_MAX} edits at once")]
    TooMuch {
        /// The line of the scenario.
        line: usize,
    },
    /// The map's size is none.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The planner cannot be made.
    #[error(transparent)]
    World(#[from] BuildWorldError),
}

impl DynamicReplay {
    /// Reads a scenario, and its patches from beside it.
    pub fn load(path: &Path) -> Result<Self, ReplayError> {
        let scenario = DynamicScenario::parse(&read(path)?)
            .map_err(|error| ReplayError::Text { path: path.to_owned(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = file_below(folder, &scenario.patch_name)
            .map_err(|error| ReplayError::Read { path: path.to_owned(), error })?;
        let patches = Patch::parse_all(&read(&beside)?)
            .map_err(|error| ReplayError::Text { path: beside, error })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Self::new(name.unwrap_or_default(), scenario, patches)
    }

    /// A scenario with its patches.
    pub fn new(
        name: String,
        scenario: DynamicScenario,
        patches: Vec<Patch>,
    ) -> Result<Self, ReplayError> {
        for command in &scenario.commands {
            if let Command::Patch { patch, line, .. } = *command
                && patch >= patches.len()
            {
                return Err(ReplayError::NoPatch { line, patch, count: patches.len() });
            }
        }
        let run_counts = patches.iter().map(Patch::run_count).collect();
        Ok(Self { name, scenario, patches, run_counts })
    }

    /// How many queries it asks.
    pub fn query_count(&self) -> usize {
        let queries = self.scenario.commands.iter();
        queries.filter(|command| matches!(command, Command::Query { .. })).count()
    }

    /// The map that the world begins with, and the commands that follow.
    fn beginning(&self) -> Result<(Grid, &[Command]), ReplayError> {
        let (width, height) = self.scenario.size;
        let map = GridMap::filled(width, height, Terrain::GROUND)?;
        let mut grid = Grid::with_defaults(map);
        let is_patch = |command: &&Command| matches!(command, Command::Patch { .. });
        let first = self.scenario.commands.iter().take_while(is_patch).count();
        let (patches, rest) = self.scenario.commands.split_at(first);
        // One after the other: together they may be far larger than the map.
        for patch in patches.chunks(1) {
            let (batch, line) = self.batch(patch)?;
            grid.apply(&batch).map_err(|error| ReplayError::Outside { line, error })?;
        }
        // As a map of its own, so that revisions count edits.
        Ok((Grid::with_defaults(grid.map().clone()), rest))
    }

    /// Patches in a row as one batch, and the line of the last.
    fn batch(&self, patches: &[Command]) -> Result<(Batch, usize), ReplayError> {
        let laid = || {
            patches.iter().filter_map(|command| match *command {
                Command::Patch { patch, at, line } => Some((patch, at, line)),
                Command::Query { .. } => None,
            })
        };
        let mut edits = 0;
        for (patch, _, line) in laid() {
            edits += self.run_counts[patch];
            if edits > EDITS_MAX {
                return Err(ReplayError::TooMuch { line });
            }
        }
        let mut batch = Batch::new();
        laid().for_each(|(patch, at, _)| self.patches[patch].lay(at, &mut batch));
        Ok((batch, laid().next_back().map_or(0, |(_, _, line)| line)))
    }
}

fn read(path: &Path) -> Result<String, ReplayError> {
    let bytes =
        std::fs::read(path).map_err(|error| ReplayError::Read { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Replays a scenario with a planner; `wait`: an index that cannot follow an edit is waited for, and its
/// making counts as the edit's time, instead of an exact search answering meanwhile. Returns what is
/// wrong beside the row, query by query. `asked` hears of each query.
pub fn replay(
    replay: &DynamicReplay,
    spec: &Spec,
    wait: bool,
    asked: impl FnMut(),
) -> Result<(DynamicRow, Vec<String>), ReplayError> {
    replay_watched(replay, spec, wait, &BuildWatch::default(), asked)
}

/// As [`replay`], with progress: how many queries are done. Fails with [`ReplayError::Stopped`] when the watch is stopped,
/// from any thread; while the planner is built, with what that says.
pub fn replay_watched(
    replay: &DynamicReplay,
    spec: &Spec,
    wait: bool,
    watch: &BuildWatch,
    mut asked: impl FnMut(),
) -> Result<(DynamicRow, Vec<String>), ReplayError> {
    let (grid, commands) = replay.beginning()?;
    let mut world = PathWorld::on(grid).with_planner(spec.clone()).build_watched(watch)?;
    // What answers in its place meanwhile is exact, and keeps every promise.
    let first = world.planners().next();
    let guarantee = first.and_then(|planner| world.guarantee(planner)).unwrap_or(Guarantee::None);
    let (mut edits, mut queries) = (Vec::new(), Vec::new());
    let (mut excess, mut wrong) = (Vec::new(), Vec::new());
    let same_kind =
        |a: &Command, b: &Command| matches!((a, b), (Command::Patch { .. }, Command::Patch { .. }));
    // Whoever reads holds the revision before; an edit pays for what that costs.
    let mut held = world.snapshot();
    for group in commands.chunk_by(same_kind) {
        if watch.report(queries.len() as u64, replay.query_count() as u64).is_break() {
            return Err(ReplayError::Stopped);
        }
        if let [Command::Query { start, goal, length }] = *group {
            let begun = Instant::now();
            let answer = world.answer(&PathQuery::new(start, goal));
            queries.push(begun.elapsed().as_secs_f64() * 1e6);
            let published = Published { length, tolerance: TOLERANCE };
            let query = WorkQuery { start, goal, published: Some(published) };
            match check_published(world.grid(), &query, guarantee, answer, published) {
                Ok(percent) => excess.extend(percent),
                Err(problem) => wrong.push(shown(&world, start, goal, &problem)),
            }
            asked();
            continue;
        }
        let (batch, line) = replay.batch(group)?;
        let begun = Instant::now();
        world.apply(&batch).map_err(|error| ReplayError::Outside { line, error })?;
        if wait {
            world.finish_rebuilds();
        }
        let next = world.snapshot();
        edits.push(begun.elapsed().as_secs_f64() * 1e6);
        held = next;
    }
    drop(held);
    edits.sort_by(f64::total_cmp);
    queries.sort_by(f64::total_cmp);
    let row = DynamicRow {
        scenario: replay.name.clone(),
        planner: spec.to_string(),
        edits: edits.len(),
        queries: queries.len(),
        edit_mean_us: mean(&edits),
        edit_p99_us: quantile(&edits, 0.99),
        query_mean_us: mean(&queries),
        query_p99_us: quantile(&queries, 0.99),
        suboptimality_mean_percent: Quality::of(excess).mean_percent,
        mismatches: wrong.len(),
    };
    Ok((row, wrong))
}

fn shown(world: &PathWorld, start: Cell, goal: Cell, problem: &str) -> String {
    format!("at {}, {start} to {goal}: {problem}", world.revision())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wall with a gate that opens, closes, and moves.
    fn scenario(last: &str) -> DynamicReplay {
        let text = format!(
            "version 2\nheight 5\nwidth 7\ncost 1 octile\npatch x.patch\ncommands\n\
             P 0 0 3 0\nQ 0 0 0 6 0 -1\nP 1 1 3 2\nQ 1 0 2 6 2 6\nQ 1 0 0 6 0 {}\n\
             P 2 2 3 2\nP 2 1 3 4\nQ 2 0 4 6 4 6\nQ 2 1 4 6 4 {last}\n",
            // Two diagonals on each side, and the straight way past the posts of the gate.
            2.0 + 4.0 * 2f64.sqrt()
        );
        let patches = "type patch\npatches 3\npatch 0\nheight 5\nwidth 1\nmap\n@\n@\n@\n@\n@\n\
                       patch 1\nheight 1\nwidth 1\nmap\n.\npatch 2\nheight 1\nwidth 1\nmap\n@\n";
        let scenario = DynamicScenario::parse(&text).unwrap();
        DynamicReplay::new("x.scen".into(), scenario, Patch::parse_all(patches).unwrap()).unwrap()
    }

    #[test]
    fn every_planner_keeps_its_promise_at_every_state() {
        for entry in highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            for wait in [false, true] {
                let spec: Spec = entry.name.parse().unwrap();
                let (row, wrong) = replay(&scenario("5"), &spec, wait, || ()).unwrap();
                assert_eq!(wrong, Vec::<String>::new(), "{}", entry.name);
                assert_eq!((row.edits, row.queries, row.mismatches), (2, 5, 0));
            }
        }
    }

    #[test]
    fn patches_that_change_too_much_at_once_are_refused_before_they_take_memory() {
        let row = |odd: bool| if odd { ".@".repeat(500) } else { "@.".repeat(500) };
        let rows: Vec<String> = (0..1000).map(|y| row(y % 2 == 1)).collect();
        let patches = format!(
            "type patch\npatches 1\npatch 0\nheight 1000\nwidth 1000\nmap\n{}\n",
            rows.join("\n")
        );
        let patches = Patch::parse_all(&patches).unwrap();
        let head = "version 2\nheight 1000\nwidth 1000\ncost 1 octile\npatch x\ncommands\n";
        let again = "P 1 0 0 0\n".repeat(400);
        let text = format!("{head}P 0 0 0 0\nP 0 0 0 0\nQ 0 1 0 1 0 0\n{again}Q 1 1 0 1 0 0\n");
        let scenario = DynamicScenario::parse(&text).unwrap();
        let many = DynamicReplay::new("x".into(), scenario, patches).unwrap();
        let error = replay(&many, &"astar".parse().unwrap(), false, || ()).unwrap_err();
        assert!(matches!(error, ReplayError::TooMuch { line: 26 }), "{error}");
        // Before the first query, each is laid for itself.
        assert!(many.beginning().is_ok());
    }

    #[test]
    fn a_wrong_length_is_a_mismatch_for_exact_planners_only_if_too_long() {
        let mismatches = |last, planner: &str| {
            let (row, wrong) =
                replay(&scenario(last), &planner.parse().unwrap(), false, || ()).unwrap();
            assert_eq!(row.mismatches, wrong.len());
            row.mismatches
        };
        assert_eq!((mismatches("4.9", "astar"), mismatches("4.9", "hpa")), (1, 0));
        assert_eq!((mismatches("5.1", "astar"), mismatches("5.1", "hpa")), (1, 1));
    }

    #[test]
    fn the_keys_of_the_json_are_those_promised() {
        let spec: Spec = "hpa".parse().unwrap();
        let (row, _) = replay(&scenario("5"), &spec, false, || ()).unwrap();
        let json = serde_json::to_value(&row).unwrap();
        let mut keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        let mut promised = [
            "scenario",
            "planner",
            "edits",
            "queries",
            "edit_mean_us",
            "edit_p99_us",
            "query_mean_us",
            "query_p99_us",
            "suboptimality_mean_percent",
            "mismatches",
        ];
        promised.sort_unstable();
        assert_eq!(keys, promised);
    }

    #[test]
    fn patches_that_are_not_there_or_lie_outside_are_refused() {
        let text = "version 2\nheight 2\nwidth 2\ncost 1 octile\npatch x\ncommands\nP 0 1 0 0\n";
        let patches =
            Patch::parse_all("type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n@@\n");
        let patches = patches.unwrap();
        let parse = |text: &str| DynamicScenario::parse(text).unwrap();
        let error = DynamicReplay::new("x".into(), parse(text), patches.clone()).err().unwrap();
        assert_eq!(error.to_string(), "line 7: there is no patch 1, only 1");
        let text = text.replace("P 0 1 0 0", "Q 0 0 0 1 1 1.4\nP 0 0 1 0");
        let outside = DynamicReplay::new("x".into(), parse(&text), patches).unwrap();
        let error = replay(&outside, &"astar".parse().unwrap(), false, || ()).unwrap_err();
        assert!(error.to_string().starts_with("line 8: cell (2, 0) lies outside"), "{error}");
    }
}
