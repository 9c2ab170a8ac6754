//! Which queries run, one at a time: the latest request counts, and the planner is kept from one to the
//! next.

use super::engine::{Detail, Engine, Failure, Phase, Reply, Request, carry_out};
use super::job::{Job, JobState};
use crate::seams::Seams;
use highroad::Cell;
use highroad::catalog::Spec;
use highroad::grid::{Change, Grid};
use std::sync::Arc;
use std::time::Duration;

/// Answers within this time follow the hand.
const LIVE_US_MAX: f64 = 50_000.0;
/// More changes than this, and the planner is rebuilt rather than patched.
const CHANGES_MAX: usize = 200_000;

/// Whom an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The path from start to goal.
    Path(Detail),
    /// The agent's next path.
    Agent,
}

/// Runs queries, one at a time.
#[derive(Default)]
pub(crate) struct Solver {
    engine: Option<Engine>,
    job: Option<(Job<Reply>, Purpose, u64)>,
    /// What the engine has not heard of yet.
    changes: Vec<Change>,
    /// Counts up when the engine no longer fits: another map, planner or movement.
    generation: u64,
    wanted: Option<Detail>,
    agent_wanted: bool,
    /// How long the latest answer took in all.
    latest_us: Option<f64>,
}

/// What goes on, for the eye.
#[derive(Clone, Debug)]
pub struct Busy {
    /// What is being done.
    pub what: String,
    /// How much of it, from 0 to 1, where that is known.
    pub share: Option<f32>,
    /// For how long.
    pub age: Duration,
}

impl Solver {
    /// The planner, the map or the movement is another now.
    pub(crate) fn forget_engine(&mut self) {
        self.generation += 1;
        self.engine = None;
        self.changes.clear();
        self.latest_us = None;
        if let Some((job, ..)) = &self.job {
            job.cancel();
        }
    }

    /// Cells have changed.
    pub(crate) fn note(&mut self, changes: &[Change]) {
        if self.changes.len() + changes.len() > CHANGES_MAX {
            self.forget_engine();
        } else {
            self.changes.extend_from_slice(changes);
        }
    }

    /// A path from start to goal is wanted; what was wanted before no longer is.
    pub(crate) fn want(&mut self, detail: Detail) {
        self.wanted = Some(detail);
        if let Some((job, Purpose::Path(Detail::Everything), _)) = &self.job {
            job.cancel();
        }
    }

    /// The agent wants a path from where it stands.
    pub(crate) fn want_for_agent(&mut self) {
        self.agent_wanted = true;
    }

    /// Whether answers come fast enough to follow a hand, and how long they take.
    pub(crate) fn live(&self) -> Result<(), f64> {
        match self.latest_us {
            Some(us) if us > LIVE_US_MAX => Err(us),
            _ => Ok(()),
        }
    }

    /// Stops what is going on.
    pub(crate) fn cancel(&mut self) {
        self.wanted = None;
        self.agent_wanted = false;
        let building = |job: &Job<Reply>| Phase::read(job.done()).0 == Phase::Building;
        if self.job.as_ref().is_some_and(|(job, ..)| building(job)) {
            // Nothing can be asked of a planner that is being made: it is left to itself.
            self.job = None;
            self.generation += 1;
            self.changes.clear();
        } else if let Some((job, ..)) = &self.job {
            job.cancel();
        }
    }

    /// Whether a query runs or waits.
    pub(crate) fn is_busy(&self) -> bool {
        self.job.is_some() || self.wanted.is_some() || self.agent_wanted
    }

    /// What goes on.
    pub(crate) fn busy(&self, seams: &Seams, grid: &Grid) -> Option<Busy> {
        let (job, ..) = self.job.as_ref()?;
        let (phase, done) = Phase::read(job.done());
        let share = (phase != Phase::Building)
            .then(|| (done as f32 / grid.enterable_count().max(1) as f32).min(1.0));
        Some(Busy { what: phase.name().to_owned(), share, age: job.age(seams) })
    }

    /// Takes an answer that has come, if it is for the present map and planner.
    pub(crate) fn poll(&mut self) -> Option<(Purpose, Reply)> {
        let (job, purpose, generation) = self.job.as_ref()?;
        let (purpose, current) = (*purpose, *generation == self.generation);
        let mut reply = match job.poll() {
            JobState::Running => return None,
            // A planner that panicked has taken its thread with it, and nothing else.
            JobState::Lost => Reply {
                engine: None,
                result: Err(Failure::NoPlanner(
                    "it broke down, which is a fault of the program".to_owned(),
                )),
                sketch: None,
                total_us: 0.0,
            },
            JobState::Done(reply) => reply,
        };
        self.job = None;
        if !current {
            return None;
        }
        self.engine = reply.engine.take();
        if reply.result.is_ok() && purpose == Purpose::Path(Detail::Path) {
            self.latest_us = Some(reply.total_us);
        } else if let Ok(outcome) = &reply.result {
            self.latest_us = Some(outcome.solve_us);
        }
        Some((purpose, reply))
    }

    /// Starts what is wanted, if nothing runs. The agent comes first.
    pub(crate) fn dispatch(
        &mut self,
        seams: &Seams,
        spec: &Spec,
        grid: &Grid,
        query: (Cell, Cell),
        agent: Option<(Cell, Cell)>,
    ) {
        if self.job.is_some() {
            return;
        }
        let (purpose, query) = match (std::mem::take(&mut self.agent_wanted), agent, self.wanted) {
            (true, Some(agent), _) => (Purpose::Agent, agent),
            (_, _, Some(detail)) => {
                self.wanted = None;
                (Purpose::Path(detail), query)
            }
            _ => return,
        };
        let detail = match purpose {
            Purpose::Path(detail) => detail,
            Purpose::Agent => Detail::Path,
        };
        let request = Request {
            spec: spec.clone(),
            grid: grid.clone(),
            engine: self.engine.take(),
            changes: std::mem::take(&mut self.changes),
            query,
            detail,
        };
        let clock = Arc::clone(&seams.clock);
        let job = Job::start(seams, "path", move |control| carry_out(request, control, &clock));
        self.job = Some((job, purpose, self.generation));
    }
}
