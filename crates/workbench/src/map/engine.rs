//! What happens on a worker: a planner of the world answers a query, and what it did is recorded and compared.

use crate::seams::Clock;
use crate::shared::job::Control;
use highroad::grid::Grid;
use highroad::online::GridSearch;
use highroad::planner::{
    Answer, Guarantee, PathQuery, Planner, Progress, QueryError, Scratch, SketchLayer,
};
use highroad::search::{Statistics, TraceLog};
use highroad::{Cell, Cost};
use highroad_pictures::replay::Replay;
use std::sync::Arc;

/// Expansions between two looks at whether the work is still wanted.
const SLICE: u64 = 4_000;
/// Events that are kept for replay: some 200 MB at the most.
const EVENTS_MAX: usize = 5_000_000;
/// A query this short is run twice: the first run pays for fresh memory.
const SHORT_US: f64 = 20_000.0;

/// Memory of searches, kept from one query to the next.
#[derive(Default)]
pub(crate) struct Memory {
    scratch: Scratch,
    /// For the search that finds the optimum.
    reference: Scratch,
}

/// What a job is doing, reported through its control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Phase {
    Searching = 0,
    Recording = 1,
    Comparing = 2,
}

const PHASE_SHIFT: u32 = 56;

impl Phase {
    /// The phase and what is done of it, as a job shows it.
    pub(crate) fn read(shown: u64) -> (Self, u64) {
        let phase = match shown >> PHASE_SHIFT {
            0 => Self::Searching,
            1 => Self::Recording,
            _ => Self::Comparing,
        };
        (phase, shown & ((1 << PHASE_SHIFT) - 1))
    }

    fn report(self, control: &Control, done: u64) {
        control.report((self as u64) << PHASE_SHIFT | done.min((1 << PHASE_SHIFT) - 1));
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Searching => "finding a path",
            Self::Recording => "recording the search",
            Self::Comparing => "looking for the optimum",
        }
    }
}

/// How much is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The path alone, as fast as can be.
    Path,
    /// The path, the recording, the optimum, the layers.
    Everything,
}

/// What is asked of a worker.
pub(crate) struct Request {
    pub(crate) planner: Arc<dyn Planner>,
    pub(crate) grid: Grid,
    pub(crate) memory: Memory,
    pub(crate) query: (Cell, Cell),
    pub(crate) detail: Detail,
    /// Whether what the planner has precomputed is to be drawn again.
    pub(crate) wants_sketch: bool,
    /// How long the planner took to be built.
    pub(crate) build_us: f64,
}

/// What a worker gives back.
pub(crate) struct Reply {
    pub(crate) memory: Memory,
    pub(crate) result: Result<RunResult, Failure>,
    /// What the planner has precomputed, if it was asked for.
    pub(crate) sketch: Option<Vec<SketchLayer>>,
    /// How long all of it took.
    pub(crate) total_us: f64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It was no longer wanted.
    Cancelled,
    /// The planner cannot be made.
    NoPlanner(String),
    /// The query makes no sense.
    Query(QueryError),
}

/// An answer and everything about it.
pub struct RunResult {
    /// From where to where.
    pub query: (Cell, Cell),
    /// The answer.
    pub answer: Answer,
    /// What the search did.
    pub statistics: Statistics,
    /// How long it took.
    pub solve_us: f64,
    /// What the planner promises on this map.
    pub guarantee: Guarantee,
    /// How long the planner took to be made.
    pub build_us: f64,
    /// What the planner holds.
    pub memory_bytes: usize,
    /// Working memory of its searches.
    pub scratch_bytes: usize,
    /// The cost of an optimal path, where one was looked for.
    pub optimal: Option<Cost>,
    /// The recording, where one was made; taken by the player.
    pub replay: Option<Replay>,
    /// What the query did on the abstraction.
    pub query_layers: Vec<SketchLayer>,
}

/// Carries a request out.
pub(crate) fn carry_out(mut request: Request, control: &Control, clock: &Arc<dyn Clock>) -> Reply {
    let began = clock.now();
    let memory = std::mem::take(&mut request.memory);
    let mut work = Work { request: &request, memory, control, clock };
    let result = work.answer();
    let memory = work.memory;
    let wanted = request.wants_sketch && request.detail == Detail::Everything;
    let sketch = wanted.then(|| request.planner.sketch(&request.grid));
    Reply { memory, result, sketch, total_us: (clock.now() - began).as_secs_f64() * 1e6 }
}

struct Work<'a> {
    request: &'a Request,
    memory: Memory,
    control: &'a Control,
    clock: &'a Arc<dyn Clock>,
}

impl Work<'_> {
    fn answer(&mut self) -> Result<RunResult, Failure> {
        let (answer, mut solve_us) = self.solve()?;
        let everything = self.request.detail == Detail::Everything;
        if everything && solve_us < SHORT_US {
            solve_us = self.solve()?.1;
        }
        let statistics = self.memory.scratch.statistics();
        let replay = everything.then(|| self.record()).transpose()?;
        let Request { planner, grid, build_us, .. } = self.request;
        let query_layers = planner.sketch_query(grid, &self.memory.scratch);
        let guarantee = planner.guarantee(grid);
        let (build_us, memory_bytes) = (*build_us, planner.memory_bytes());
        let scratch_bytes = self.memory.scratch.memory_bytes();
        let optimal = match (&answer, guarantee) {
            (Answer::Found(path), Guarantee::Optimal) => Some(path.cost()),
            (Answer::Found(_), _) if everything => self.optimum()?,
            _ => None,
        };
        Ok(RunResult {
            query: self.request.query,
            answer,
            statistics,
            solve_us,
            guarantee,
            build_us,
            memory_bytes,
            scratch_bytes,
            optimal,
            replay,
            query_layers,
        })
    }

    fn query(&self) -> PathQuery {
        PathQuery::new(self.request.query.0, self.request.query.1)
    }

    /// Answers the query, and how long that took.
    fn solve(&mut self) -> Result<(Answer, f64), Failure> {
        let query = self.query();
        let Self { request, memory: Memory { scratch, .. }, control, clock } = self;
        let planner = &request.planner;
        let began = clock.now();
        planner.begin(&request.grid, &query, scratch).map_err(Failure::Query)?;
        let answer = run(control, Phase::Searching, scratch, |scratch| {
            planner.advance(&request.grid, scratch, SLICE)
        })?;
        Ok((answer, (clock.now() - began).as_secs_f64() * 1e6))
    }

    fn record(&mut self) -> Result<Replay, Failure> {
        let query = self.query();
        let Self { request, memory: Memory { scratch, .. }, control, .. } = self;
        let planner = &request.planner;
        let mut log = TraceLog::new(EVENTS_MAX);
        planner.begin(&request.grid, &query, scratch).map_err(Failure::Query)?;
        run(control, Phase::Recording, scratch, |scratch| {
            planner.advance_traced(&request.grid, scratch, SLICE, &mut log)
        })?;
        Ok(Replay::new(request.grid.extent(), log))
    }

    /// What an optimal path costs.
    fn optimum(&mut self) -> Result<Option<Cost>, Failure> {
        let query = self.query();
        let Self { request, memory: Memory { reference, .. }, control, .. } = self;
        let search = GridSearch::astar();
        search.begin(&request.grid, &query, reference).map_err(Failure::Query)?;
        let answer = run(control, Phase::Comparing, reference, |scratch| {
            search.advance(&request.grid, scratch, SLICE)
        })?;
        Ok(answer.path().map(|path| path.cost()))
    }
}

/// Advances a query slice by slice, until it is answered or no longer wanted.
fn run(
    control: &Control,
    phase: Phase,
    scratch: &mut Scratch,
    mut advance: impl FnMut(&mut Scratch) -> Progress,
) -> Result<Answer, Failure> {
    loop {
        if control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        phase.report(control, scratch.statistics().expanded);
        match advance(scratch) {
            Progress::Running | Progress::Leg(_) => {}
            Progress::Done(answer) => return Ok(answer),
            Progress::Stale => return Err(Failure::Query(QueryError::Stale)),
        }
    }
}
