//! Running a case.

use super::{Case, CaseError, cell};
use highroad::grid::{Batch, EditError};
use highroad::simulation::{AgentEvent, AgentEventKind, Pace};
use highroad::world::BuildWorldError;
use highroad::{AgentPlan, Budget, GridMap, PathWorld, Simulation};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A case in progress.
pub struct CaseRun {
    /// What walks and changes.
    pub simulation: Simulation,
    changes: Vec<Pending>,
    ticks_max: u64,
    report: CaseReport,
    /// Since when agents wait for an answer to an edit, by the clock.
    edited: Option<Duration>,
}

struct Pending {
    number: usize,
    trigger: Trigger,
    batch: Batch,
}

#[derive(Clone, Copy)]
enum Trigger {
    Step { agent: usize, steps: u64 },
    Tick(u64),
}

/// What came of a case. The events are the same every time; the times are not.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// Everything that happened.
    pub events: Vec<AgentEvent>,
    /// For each edit that an agent replied to by another way, or by stopping: how long the edit took, and
    /// how long it was from the edit to that reply.
    pub replies: Vec<(Duration, Duration)>,
    /// The longest that a planner was made in the background.
    pub rebuild_max: Duration,
    /// Whether everyone was at rest at the end.
    pub at_rest: bool,
}

/// Why a case cannot be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The case makes no sense.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The planner cannot be made.
    #[error(transparent)]
    World(#[from] BuildWorldError),
    /// A change lies outside.
    #[error("change {change}: {error}")]
    Outside {
        /// Which, from 0.
        change: usize,
        /// What is wrong.
        error: EditError,
    },
}

impl CaseRun {
    /// Sets up a case on its map.
    pub fn new(case: &Case, map: GridMap) -> Result<Self, RunError> {
        let mut builder =
            PathWorld::new(map).with_planner(case.spec()?).with_lockstep(case.lockstep_ticks);
        if let Some(cells) = case.patch_cells_max {
            builder = builder.with_patch_limit(cells);
        }
        let mut simulation = Simulation::new(builder.build()?, Budget::expansions(case.budget));
        for agent in &case.agents {
            let mut plan = AgentPlan::new(cell(agent.start), cell(agent.goal))
                .with_pace(Pace::new(case.tick_ms, agent.step_ms));
            plan.first_leg = agent.first_leg;
            plan.improves = agent.improves;
            simulation.add(plan);
        }
        let mut changes = Vec::new();
        for (number, change) in case.changes.iter().enumerate() {
            let trigger = match (change.after_step, change.at_tick) {
                (Some(steps), None) => Trigger::Step { agent: change.agent, steps },
                (_, Some(tick)) => Trigger::Tick(tick),
                (None, None) => return Err(CaseError::Trigger(number).into()),
            };
            changes.push(Pending { number, trigger, batch: case.batch(number)? });
        }
        let (ticks_max, report) = (case.ticks_max, CaseReport::default());
        Ok(Self { simulation, changes, ticks_max, report, edited: None })
    }

    /// Makes the changes whose time has come, then one tick. Returns whether there is more to come; `notify`
    /// hears of each event.
    pub fn advance(&mut self, notify: &mut dyn FnMut(&AgentEvent)) -> Result<bool, RunError> {
        self.make_changes()?;
        self.collect(notify);
        if !self.is_over() {
            let begun = Instant::now();
            self.simulation.tick();
            if let Some(waited) = &mut self.edited {
                *waited += begun.elapsed();
            }
            self.collect(notify);
        }
        self.report.at_rest = self.simulation.is_at_rest();
        Ok(!self.is_over())
    }

    /// Runs the case to its end.
    pub fn finish(mut self, notify: &mut dyn FnMut(&AgentEvent)) -> Result<CaseReport, RunError> {
        while self.advance(notify)? {}
        Ok(self.into_report())
    }

    /// What came of it so far.
    pub fn into_report(self) -> CaseReport {
        self.report
    }

    fn is_due(&self, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Tick(tick) => self.simulation.ticks() >= tick,
            Trigger::Step { agent, steps } => {
                self.simulation.agents().get(agent).is_some_and(|agent| agent.steps() >= steps)
            }
        }
    }

    fn is_over(&self) -> bool {
        let to_come = |change: &Pending| {
            matches!(change.trigger, Trigger::Tick(_)) || self.is_due(change.trigger)
        };
        let busy = !self.simulation.is_at_rest() || self.changes.iter().any(to_come);
        !busy || self.simulation.ticks() >= self.ticks_max
    }

    fn make_changes(&mut self) -> Result<(), RunError> {
        let mut at = 0;
        while at < self.changes.len() {
            if !self.is_due(self.changes[at].trigger) {
                at += 1;
                continue;
            }
            let Pending { number, batch, .. } = self.changes.remove(at);
            let begun = Instant::now();
            self.simulation
                .edit(&batch)
                .map_err(|error| RunError::Outside { change: number, error })?;
            let took = begun.elapsed();
            self.report.replies.push((took, Duration::ZERO));
            self.edited = Some(took);
        }
        Ok(())
    }

    fn collect(&mut self, notify: &mut dyn FnMut(&AgentEvent)) {
        for event in self.simulation.take_events() {
            notify(&event);
            let replied = matches!(
                event.kind,
                AgentEventKind::Replanned { .. }
                    | AgentEventKind::Improved { .. }
                    | AgentEventKind::Unreachable { .. }
                    | AgentEventKind::GoalBlocked { .. }
            );
            if replied
                && let Some(waited) = self.edited.take()
                && let Some(reply) = self.report.replies.last_mut()
            {
                reply.1 = waited;
            }
            self.report.events.push(event);
        }
        self.report.rebuild_max = self.simulation.slowest_rebuild();
    }
}
