//! The run: every planner on every map, what is measured already left out.

use super::circumstances::{Circumstances, now};
use super::settings::{QUERIES_MIN, Settings, hash};
use super::store::Store;
use super::subject::{Subject, SubjectError};
use super::unit::{Measured, QueryRecord, Unit, UnitOutcome, Worst};
use crate::files::WriteError;
use crate::measure::{Checked, Probe, Times, exact_answers, queries_of};
use crate::verify::check_answer;
use crate::workload::Workload;
use highroad::catalog::{Spec, SpecError};
use highroad::grid::PaletteDoubt;
use highroad::online::GridSearch;
use highroad::planner::{Guarantee, PathQuery, Planner, Watch};
use highroad::{Cost, Path};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What is to be measured, and how.
pub struct Plan {
    /// The maps, those of a set together.
    pub subjects: Vec<Subject>,
    /// The planners.
    pub specs: Vec<Spec>,
    /// How.
    pub settings: Settings,
    /// On what.
    pub circumstances: Circumstances,
    /// Whether units count that another build or another processor has measured.
    pub any_build: bool,
}

/// Why a run ends early.
#[derive(Debug, Error)]
pub enum RunError {
    /// A map cannot be had.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// A planner cannot be made as asked.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The watcher has stopped it. Units that were measured are kept.
    #[error("the report was stopped")]
    Stopped,
    /// A unit cannot be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Who wants to know how far a run is.
pub trait Watcher {
    /// All that is to be done, in steps, before anything is measured.
    fn begins(&mut self, steps: u64, done: usize, missing: usize);
    /// A planner on a map is worked on now.
    fn enters(&mut self, what: &str);
    /// So many steps are done.
    fn passes(&mut self, steps: u64);
    /// A map looks as if it was meant otherwise.
    fn warns(&mut self, _about: &str, _doubt: PaletteDoubt) {}
    /// Whether to go on: asked before each planner, while one is built, and before each query.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// A map with what is known of its units.
struct Job {
    subject: usize,
    /// For each planner, in the order of the list.
    units: Vec<Result<Unit, String>>,
    steps: u64,
}

/// Measures what is missing. Units come map by map, planners in the order of the list.
pub fn run(plan: &Plan, store: &Store, watcher: &mut dyn Watcher) -> Result<Vec<Unit>, RunError> {
    check_specs(&plan.specs)?;
    let mut jobs = Vec::new();
    for subject in 0..plan.subjects.len() {
        jobs.push(look_up(plan, store, subject, watcher)?);
    }
    let missing = |job: &Job| job.units.iter().filter(|unit| unit.is_err()).count();
    let steps = jobs.iter().map(|job| job.steps * missing(job) as u64).sum();
    let all_missing: usize = jobs.iter().map(missing).sum();
    let done = jobs.len() * plan.specs.len() - all_missing;
    watcher.begins(steps, done, all_missing);
    let mut units: Vec<Unit> = Vec::new();
    for job in jobs {
        let fresh = work(plan, store, &units, job, watcher)?;
        units.extend(fresh);
    }
    Ok(units)
}

/// Planners that serve no grid at all are refused before hours of work.
fn check_specs(specs: &[Spec]) -> Result<(), SpecError> {
    match specs.iter().map(Spec::entry).find(|entry| entry.grid.is_none()) {
        Some(entry) => {
            let (planner, reason) = (entry.name, "it is for graphs".to_owned());
            Err(SpecError::NotServed { planner, reason })
        }
        None => Ok(()),
    }
}

/// Reads a map and its queries once, to know what is to be done, and to report broken files at once.
fn look_up(
    plan: &Plan,
    store: &Store,
    subject: usize,
    watcher: &mut dyn Watcher,
) -> Result<Job, RunError> {
    let title = plan.subjects[subject].title();
    let workload = plan.subjects[subject].load(&plan.settings)?;
    if let Some(doubt) = workload.environment.map().palette_doubt() {
        watcher.warns(&title, doubt);
    }
    let queries = hash(format!("{:?}", workload.queries).as_bytes());
    let map = workload.environment.fingerprint();
    let same_build = |unit: &Unit| {
        let here = (&plan.circumstances.build, &plan.circumstances.processor);
        plan.any_build || (&unit.build, &unit.processor) == here
    };
    let unit = |spec: &Spec| {
        let key = plan.settings.key(&title, &spec.to_string(), map, queries);
        let kept = store.find(&unit_title(&title, spec), &key).filter(same_build);
        kept.ok_or(key)
    };
    let units = plan.specs.iter().map(unit).collect();
    // A guess that makes the remaining time a fair one: work grows with the map until time is up.
    let asks = (workload.queries.len() * (plan.settings.passes + 1)) as u64;
    let cells = workload.environment.extent().cell_count() as u64;
    let steps = (asks * cells / 1_000).min(plan.settings.unit_seconds * CELLS_A_MS_GUESSED).max(1);
    Ok(Job { subject, units, steps })
}

/// How many thousand cells planners pass in a second, all taken together.
const CELLS_A_MS_GUESSED: u64 = 40_000;

fn unit_title(title: &str, spec: &Spec) -> String {
    format!("{title}-{spec}")
}

/// Measures the planners that are missing on one map. Each map begins with another planner, so that none
/// always comes first or last.
fn work(
    plan: &Plan,
    store: &Store,
    before: &[Unit],
    mut job: Job,
    watcher: &mut dyn Watcher,
) -> Result<Vec<Unit>, RunError> {
    let subject = &plan.subjects[job.subject];
    if job.units.iter().any(Result::is_err) {
        let workload = subject.load(&plan.settings)?;
        watcher.enters(&format!("{} · exact lengths", subject.title()));
        let exact = exact_lengths(&workload, watcher)?;
        let count = plan.specs.len();
        for index in (0..count).map(|index| (index + job.subject) % count) {
            let Err(key) = &job.units[index] else { continue };
            let spec = &plan.specs[index];
            watcher.enters(&format!("{} · {spec}", subject.title()));
            let task = Task { settings: &plan.settings, workload: &workload, exact: &exact, spec };
            let unit = Unit {
                key: key.clone(),
                build: plan.circumstances.build.clone(),
                processor: plan.circumstances.processor.clone(),
                set: subject.set.clone(),
                map: subject.name.clone(),
                size: (
                    workload.environment.extent().width(),
                    workload.environment.extent().height(),
                ),
                side: subject.side,
                planner: spec.to_string(),
                wanted: workload.queries.len(),
                outcome: task.outcome(
                    before.iter().filter(|unit| {
                        (&unit.set, unit.side.is_some()) == (&subject.set, subject.side.is_some())
                            && unit.planner == spec.to_string()
                    }),
                    watcher,
                )?,
                measured_at: now(),
            };
            store.keep(&unit_title(&subject.title(), spec), &unit)?;
            job.units[index] = Ok(unit);
            watcher.passes(job.steps);
        }
    }
    Ok(job.units.into_iter().filter_map(Result::ok).collect())
}

fn continues(watcher: &mut dyn Watcher) -> ControlFlow<()> {
    if watcher.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Exact costs and lengths of queries that have none published, a few at a time on all cores.
fn exact_lengths(
    workload: &Workload,
    watcher: &mut dyn Watcher,
) -> Result<Vec<Option<(Cost, f64)>>, RunError> {
    /// Queries between two looks at the watcher.
    const AT_A_TIME: usize = 16;
    let mut exact = Vec::with_capacity(workload.queries.len());
    for queries in workload.queries.chunks(AT_A_TIME) {
        if continues(watcher).is_break() {
            return Err(RunError::Stopped);
        }
        exact.extend(exact_answers(&workload.environment, queries, |query| {
            query.published.is_none()
        }));
    }
    Ok(exact)
}

/// One planner on one map.
struct Task<'a> {
    settings: &'a Settings,
    workload: &'a Workload,
    exact: &'a [Option<(Cost, f64)>],
    spec: &'a Spec,
}

impl Task<'_> {
    /// Builds and measures the planner, unless it does not serve, or what it did on other maps of the set
    /// makes it likely to exceed the limits.
    fn outcome<'u>(
        &self,
        before: impl Iterator<Item = &'u Unit>,
        watcher: &mut dyn Watcher,
    ) -> Result<UnitOutcome, RunError> {
        let grid = &self.workload.environment;
        if let Err(reason) = self.spec.entry().serves(grid) {
            return Ok(UnitOutcome::NotServed(reason));
        }
        let cells = grid.extent().cell_count() as u64;
        if let Some(reason) = too_much(self.settings, cells, before) {
            return Ok(UnitOutcome::NotBuilt(reason));
        }
        let mut asks = |_, _| continues(watcher);
        match Probe::build_watched(grid, self.spec, &mut Watch::new(&mut asks)) {
            Ok(probe) => Ok(UnitOutcome::Measured(self.measure(probe, watcher)?)),
            Err(SpecError::NotServed { reason, .. }) => Ok(UnitOutcome::NotBuilt(reason)),
            Err(SpecError::Stopped { .. }) => Err(RunError::Stopped),
            Err(error) => Err(error.into()),
        }
    }

    fn measure(
        &self,
        mut probe: Probe<'_>,
        watcher: &mut dyn Watcher,
    ) -> Result<Measured, RunError> {
        let guarantee = probe.planner.guarantee(probe.grid);
        let queries = queries_of(self.workload);
        let checked = self.check(&mut probe, &queries, guarantee, watcher)?;
        let queries = &queries[..checked.len()];
        let times = probe.time_while(queries, self.settings.passes, || continues(watcher));
        let times = times.ok_or(RunError::Stopped)?;
        let records: Vec<QueryRecord> = checked
            .into_iter()
            .zip(times)
            .enumerate()
            .map(|(index, (checked, times))| self.record(index, checked, times))
            .collect();
        let (index_bytes, scratch_bytes) =
            (probe.planner.memory_bytes(), probe.scratch.memory_bytes());
        Ok(Measured {
            exact: guarantee == Guarantee::Optimal,
            promise: guarantee.to_string(),
            build_ms: rounded(probe.build_ms),
            index_bytes,
            scratch_bytes,
            worst: worst(&mut probe, queries, &records),
            remark: probe.planner.remark(),
            queries: records,
        })
    }

    /// Asks queries for the first time, as many as there is time for.
    fn check(
        &self,
        probe: &mut Probe<'_>,
        queries: &[PathQuery],
        guarantee: Guarantee,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<Checked>, RunError> {
        let grid = probe.grid;
        let limit = Duration::from_secs(self.settings.unit_seconds)
            / (self.settings.passes as u32).saturating_add(1);
        let start = Instant::now();
        let mut checked: Vec<Checked> = Vec::new();
        for ((ask, query), exact) in queries.iter().zip(&self.workload.queries).zip(self.exact) {
            if checked.len() >= QUERIES_MIN && start.elapsed() > limit {
                break;
            }
            if continues(watcher).is_break() {
                return Err(RunError::Stopped);
            }
            checked.push(probe.check(ask, |answer| {
                check_answer(grid, query, guarantee, answer, || exact.map(|(cost, _)| cost))
            }));
        }
        Ok(checked)
    }

    fn record(&self, index: usize, checked: Checked, times: Times) -> QueryRecord {
        let query = &self.workload.queries[index];
        let (excess_percent, violation) = match checked.excess_percent {
            Ok(percent) => (percent, None),
            Err(problem) => (None, Some(problem)),
        };
        QueryRecord {
            start: (query.start.x, query.start.y),
            goal: (query.goal.x, query.goal.y),
            shortest: match query.published {
                Some(published) => published.length,
                None => self.exact[index].map(|(_, length)| length),
            }
            .map(fine),
            published: query.published.is_some(),
            length: checked.found.map(|(_, length)| fine(length)),
            cost: checked.found.map(|(cost, _)| cost.0),
            excess_percent: excess_percent.map(fine),
            violation,
            expanded: checked.expanded,
            least_us: rounded(times.least_us),
            most_us: rounded(times.most_us),
        }
    }
}

/// To a thousandth: clocks are not more exact.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// To a millionth: so short a number is the same when it is read again.
fn fine(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

const TOO_MUCH_BEFORE: &str = "not for a smaller map,";

/// Why a planner is likely to take too long or too much memory to build, judging by what it took for each
/// cell on maps of the set that are not much smaller.
fn too_much<'u>(
    settings: &Settings,
    cells: u64,
    before: impl Iterator<Item = &'u Unit>,
) -> Option<String> {
    let (mut seconds, mut bytes, mut from) = (0.0f64, 0.0f64, "");
    for unit in before.filter(|unit| unit.cells() * 4 >= cells) {
        match &unit.outcome {
            UnitOutcome::Measured(measured) => {
                let times = cells as f64 / unit.cells() as f64;
                seconds = seconds.max(measured.build_ms / 1e3 * times);
                bytes = bytes.max(measured.memory_bytes() as f64 * times);
                from = &unit.map;
            }
            // What was too much for a smaller one is too much for this one.
            UnitOutcome::NotBuilt(reason) if unit.cells() < cells => {
                // Reported once, however many sizes follow.
                let again = reason.starts_with(TOO_MUCH_BEFORE);
                let shown = format!("{TOO_MUCH_BEFORE} {}, either: {reason}", unit.map);
                return Some(if again { reason.clone() } else { shown });
            }
            _ => {}
        }
    }
    let megabytes = bytes / 1e6;
    if seconds > settings.build_seconds as f64 {
        return Some(format!(
            "judging by {from} it would take {seconds:.0} s or more; the limit is {} s",
            settings.build_seconds
        ));
    }
    (megabytes > settings.memory_megabytes as f64).then(|| {
        format!(
            "judging by {from} it would take {megabytes:.0} MB or more; the limit is {} MB",
            settings.memory_megabytes
        )
    })
}

/// The query with the worst path, and an optimal one for it.
fn worst(probe: &mut Probe<'_>, queries: &[PathQuery], records: &[QueryRecord]) -> Option<Worst> {
    let excess = |record: &QueryRecord| record.excess_percent.unwrap_or(0.0);
    let (index, record) =
        records.iter().enumerate().max_by(|(_, a), (_, b)| excess(a).total_cmp(&excess(b)))?;
    if excess(record) == 0.0 {
        return None;
    }
    let mut found = turns(&probe.path(&queries[index])?);
    let answer = GridSearch::astar().solve(probe.grid, &queries[index], &mut probe.scratch);
    let optimal = turns(&answer.ok()?.path()?);
    // Depth-first search has paths of a hundred thousand turns, which no picture can show.
    let every = found.len().div_ceil(TURNS_MAX);
    let thinned = every > 1;
    if thinned {
        found = found.into_iter().step_by(every).collect();
    }
    Some(Worst { query: index, found, thinned, optimal })
}

const TURNS_MAX: usize = 4_000;

fn turns(path: &Path) -> Vec<(u32, u32)> {
    path.turning_points().map(|cell| (cell.x, cell.y)).collect()
}
