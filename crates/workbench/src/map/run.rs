//! Which queries run, one at a time: the latest request counts. The planner is that of the document's world, which
//! builds it in the background and lets it follow edits.

use super::Document;
use super::engine::{Detail, Failure, Memory, Phase, Reply, Request, RunResult, carry_out};
use crate::seams::Seams;
use crate::shared::Busy;
use crate::shared::job::{Job, JobState};
use highroad::world::{PlannerStatus, RebuildError};
use std::sync::Arc;
use std::time::Duration;

/// Answers within this time follow the hand.
const LIVE_US_MAX: f64 = 50_000.0;
/// A recording with everything around it that takes no longer is made while the hand moves, too.
const LIVE_WHOLE_US_MAX: f64 = 25_000.0;

/// Runs queries, one at a time, and keeps what the latest found.
#[derive(Default)]
pub struct Run {
    /// What the latest query found.
    pub outcome: Option<RunResult>,
    /// What is wrong with the query or the planner.
    pub trouble: Option<String>,
    /// Taken by the job that is under way.
    memory: Memory,
    job: Option<(Job<Reply>, Detail, u64)>,
    /// Counts up when answers under way no longer fit: another map, planner or movement.
    generation: u64,
    wanted: Option<Detail>,
    /// Whether what the planner has precomputed is not what was drawn last.
    sketch_is_stale: bool,
    /// How long the latest answer took in all.
    latest_us: Option<f64>,
    /// How long the latest answer with a recording took in all.
    latest_whole_us: Option<f64>,
    /// Since when the planner is being built.
    building_since: Option<Duration>,
}

impl Run {
    /// The planner, the map or the movement is another now: nothing that was found fits.
    pub(super) fn start_afresh(&mut self) {
        self.generation += 1;
        self.outcome = None;
        self.trouble = None;
        self.latest_us = None;
        self.latest_whole_us = None;
        self.sketch_is_stale = true;
        self.building_since = None;
        if let Some((job, ..)) = &self.job {
            job.cancel();
        }
    }

    /// Cells have changed.
    pub(super) fn note_edit(&mut self) {
        self.sketch_is_stale = true;
    }

    /// A path from start to goal is wanted; what was wanted before no longer is.
    pub(super) fn want(&mut self, detail: Detail) {
        self.wanted = Some(detail);
        if let Some((job, Detail::Everything, _)) = &self.job
            && self.latest_whole_us.is_none_or(|us| us > LIVE_WHOLE_US_MAX)
        {
            job.cancel();
        }
    }

    /// Nothing is wanted any more, and answers under way are not taken.
    pub(super) fn stop_wanting(&mut self) {
        self.wanted = None;
        self.generation += 1;
        self.job = None;
    }

    /// How much can be found out while a hand moves, or how long the path alone takes if that is too long.
    pub(super) fn live(&self) -> Result<Detail, f64> {
        match (self.latest_us, self.latest_whole_us) {
            (Some(us), _) if us > LIVE_US_MAX => Err(us),
            (_, Some(us)) if us <= LIVE_WHOLE_US_MAX => Ok(Detail::Everything),
            _ => Ok(Detail::Path),
        }
    }

    /// Whether a query runs or waits.
    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some() || self.wanted.is_some()
    }

    /// Stops what is going on. What was found before is kept.
    pub(super) fn cancel(&mut self, document: &mut Document) {
        self.wanted = None;
        if self.job.take().is_some() {
            self.generation += 1;
        } else if let Some(planner) = document.planner() {
            document.simulation_mut().stop_rebuild(planner);
        }
        if self.outcome.is_none() {
            self.trouble = Some("Cancelled. \"Find a path\" runs the planner again.".to_owned());
        }
    }

    /// What goes on.
    pub(super) fn busy(&self, seams: &Seams, document: &Document) -> Option<Busy> {
        if let Some((job, ..)) = &self.job {
            let (phase, done) = Phase::read(job.done());
            let cells = document.grid().enterable_count().max(1);
            let share = Some((done as f32 / cells as f32).min(1.0));
            return Some(Busy { what: phase.name().to_owned(), share, age: job.age(seams) });
        }
        self.wanted?;
        let share = match document.world().planner_status(document.planner()?)? {
            PlannerStatus::Rebuilding { done, of } if of > 0 => Some(done as f32 / of as f32),
            _ => None,
        };
        let age = self.building_since.map(|since| seams.clock.now().saturating_sub(since));
        Some(Busy { what: "preparing the planner".to_owned(), share, age: age.unwrap_or_default() })
    }

    /// Takes an answer that has come, if it is for the present map and planner.
    pub(super) fn poll(&mut self) -> Option<(Detail, Reply)> {
        let (job, detail, generation) = self.job.as_ref()?;
        let (detail, is_current) = (*detail, *generation == self.generation);
        let mut reply = match job.poll() {
            JobState::Running => return None,
            // A planner that panicked has taken its thread with it, and nothing else.
            JobState::Lost => Reply {
                memory: Memory::default(),
                result: Err(Failure::NoPlanner(
                    "it broke down, which is a fault of the program".to_owned(),
                )),
                sketch: None,
                total_us: 0.0,
            },
            JobState::Done(reply) => reply,
        };
        self.job = None;
        self.memory = std::mem::take(&mut reply.memory);
        if !is_current {
            return None;
        }
        match (&reply.result, detail) {
            (Ok(_), Detail::Path) => self.latest_us = Some(reply.total_us),
            (Ok(outcome), Detail::Everything) => {
                self.latest_us = Some(outcome.solve_us);
                self.latest_whole_us = Some(reply.total_us);
            }
            (Err(_), _) => {}
        }
        if reply.sketch.is_some() {
            self.sketch_is_stale = false;
        }
        Some((detail, reply))
    }

    /// Starts what is wanted, if nothing runs and the planner is ready. Returns why there will be no answer, if that is
    /// so.
    pub(super) fn dispatch(&mut self, seams: &Seams, document: &mut Document) -> Option<Failure> {
        if self.job.is_some() {
            return None;
        }
        let (Some(detail), Some(planner)) = (self.wanted, document.planner()) else { return None };
        if let Some(PlannerStatus::Idle(reason)) = document.world().planner_status(planner) {
            if reason == RebuildError::Stopped {
                document.simulation_mut().rebuild(planner);
                return None;
            }
            self.wanted = None;
            return Some(Failure::NoPlanner(reason.to_string()));
        }
        let Some(shared) = document.world().shared_planner(planner) else {
            self.building_since.get_or_insert(seams.clock.now());
            return None;
        };
        self.building_since = None;
        self.wanted = None;
        let build_time = document.world().build_time(planner).unwrap_or_default();
        let request = Request {
            planner: shared,
            grid: document.grid().clone(),
            memory: std::mem::take(&mut self.memory),
            query: document.places(),
            detail,
            wants_sketch: self.sketch_is_stale,
            build_us: build_time.as_secs_f64() * 1e6,
        };
        let clock = Arc::clone(&seams.clock);
        let job = Job::start(seams, "path", move |control| carry_out(request, control, &clock));
        self.job = Some((job, detail, self.generation));
        None
    }
}
