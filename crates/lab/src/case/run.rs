//! Running a case.

use super::cast::{CaseCheck, CaseDeed, CaseOrder, add_agents};
use super::heat::Heat;
use super::{Case, CaseError, cell};
use highroad::crowd::{CrowdOptions, Formation, fits};
use highroad::grid::{Batch, EditError, Link};
use highroad::simulation::{
    AgentEvent, AgentEventKind, AgentId, AgentState, GroupError, StopReason,
};
use highroad::world::BuildWorldError;
use highroad::{Budget, Cell, GridMap, PathWorld, Simulation};
use serde::Serialize;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A case in progress.
pub struct CaseRun {
    /// What walks and changes.
    pub simulation: Simulation,
    changes: Vec<Pending>,
    orders: Vec<CaseOrder>,
    groups: Vec<PendingGroup>,
    ticks_max: u64,
    check: CaseCheck,
    heat: Heat,
    report: CaseReport,
    /// Since when agents wait for an answer to an edit, by the clock.
    edited: Option<Duration>,
}

struct Pending {
    number: usize,
    trigger: Trigger,
    batch: Batch,
}

struct PendingGroup {
    number: usize,
    at_tick: u64,
    agents: Vec<AgentId>,
    goal: Cell,
    formation: Formation,
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
    /// What came of it in numbers.
    pub outcome: Outcome,
    /// What is not as the case asks for, a sentence each.
    pub shortfalls: Vec<String>,
}

/// What came of a case in numbers, which are the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Ticks that passed.
    pub ticks: u64,
    /// Agents, with those that were removed.
    pub agents: usize,
    /// Agents that have arrived at the end.
    pub arrived: usize,
    /// Agents that have stopped at the end: no way leads on, they were stopped, or gave up.
    pub stopped: usize,
    /// Agents that are still on their way.
    pub walking: usize,
    /// The tick of the first arrival.
    pub first_arrival: Option<u64>,
    /// The tick of the last arrival.
    pub last_arrival: Option<u64>,
    /// How often agents have passed points on their way.
    pub passed: usize,
    /// How often agents have taken links.
    pub links: usize,
    /// Groups that have arrived.
    pub groups: usize,
    /// How deep two bodies overlapped at most, in per cent of a radius.
    pub overlap_percent: f64,
    /// How often a body was in a wall at the end of a tick, but for those under which one was just built.
    pub in_walls: usize,
    /// Events.
    pub events: usize,
    /// Bytes held at the end.
    pub memory_bytes: usize,
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
    /// A group cannot be sent.
    #[error("group {group}: {error}")]
    Group {
        /// Which, from 0.
        group: usize,
        /// What is wrong.
        error: GroupError,
    },
    /// A link lies outside.
    #[error("links: {0}")]
    Links(EditError),
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
        for kind in &case.kinds {
            builder = builder.with_kind(&kind.name, kind.movement()?).with_planner(case.spec()?);
        }
        let mut world = builder.build()?;
        if !case.links.is_empty() {
            let straight = 2 * world.grid().movement().steps().straight();
            let mut batch = Batch::new();
            for link in &case.links {
                let cost = link.steps.saturating_mul(straight).max(1);
                let both_ways = link.both_ways;
                let link = Link::new(cell(link.from), cell(link.to), cost);
                batch.open_link(Link { both_ways, ..link });
            }
            world.apply(&batch).map_err(RunError::Links)?;
        }
        let mut options = CrowdOptions::default();
        options.tick_seconds = f64::from(case.tick_ms) / 1000.0;
        let simulation = Simulation::new(world, Budget::expansions(case.budget));
        let mut simulation = simulation.with_crowd_options(options);
        add_agents(case, &mut simulation);
        let mut changes = Vec::new();
        for (number, change) in case.changes.iter().enumerate() {
            let trigger = match (change.after_step, change.at_tick) {
                (Some(steps), None) => Trigger::Step { agent: change.agent, steps },
                (_, Some(tick)) => Trigger::Tick(tick),
                (None, None) => return Err(CaseError::Trigger(number).into()),
            };
            changes.push(Pending { number, trigger, batch: case.batch(number)? });
        }
        let group = |(number, group): (usize, &super::CaseGroup)| {
            let (agents, formation) = group.parts();
            let (goal, at_tick) = (cell(group.goal), group.at_tick);
            PendingGroup { number, at_tick, agents, goal, formation }
        };
        let groups = case.groups.iter().enumerate().map(group).collect();
        let (ticks_max, report) = (case.ticks_max, CaseReport::default());
        let heat = Heat::new(simulation.world().grid().extent());
        let (orders, check) = (case.orders.clone(), case.check.unwrap_or_default());
        let edited = None;
        Ok(Self { simulation, changes, orders, groups, ticks_max, check, heat, report, edited })
    }

    /// Makes the changes whose time has come, then one tick. Returns whether there is more to come; `notify`
    /// hears of each event.
    pub fn advance(&mut self, notify: &mut dyn FnMut(&AgentEvent)) -> Result<bool, RunError> {
        self.make_changes()?;
        self.give_orders()?;
        self.collect(notify);
        if !self.is_over() {
            let begun = Instant::now();
            self.simulation.tick();
            if let Some(waited) = &mut self.edited {
                *waited += begun.elapsed();
            }
            self.collect(notify);
            self.look_at_bodies();
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
    pub fn into_report(mut self) -> CaseReport {
        let count = |wanted: fn(AgentState) -> bool| {
            self.simulation.agents().iter().filter(|agent| wanted(agent.state())).count()
        };
        let arrived = count(|state| state == AgentState::Arrived);
        let stopped = count(|state| matches!(state, AgentState::Stopped(_)));
        let removed = count(|state| state == AgentState::Removed);
        let agents = self.simulation.agents().len();
        let check = self.check;
        let (ticks, memory_bytes) = (self.simulation.ticks(), self.simulation.memory_bytes());
        let walking = agents - arrived - stopped - removed;
        let events = self.report.events.len();
        let so_far = std::mem::take(&mut self.report.outcome);
        self.report.outcome =
            Outcome { ticks, agents, arrived, stopped, walking, events, memory_bytes, ..so_far };
        self.report.shortfalls = self.report.outcome.shortfalls(&check);
        self.report
    }

    /// Where bodies have been so far.
    pub fn heat(&self) -> &Heat {
        &self.heat
    }

    fn look_at_bodies(&mut self) {
        let simulation = &self.simulation;
        self.heat.add(simulation.crowd().bodies());
        let radius = simulation.crowd().bodies().iter().map(|body| body.plan().radius);
        let least = radius.fold(f64::INFINITY, f64::min);
        let overlap = 100.0 * simulation.crowd().report().overlap_max / least;
        let outcome = &mut self.report.outcome;
        outcome.overlap_percent = outcome.overlap_percent.max(overlap);
        let is_in_wall = |agent: &&highroad::simulation::Agent| {
            let body = agent.body().and_then(|body| simulation.crowd().body(body));
            let grid = simulation.world().environment_of(agent.plan().kind);
            let is_buried = agent.state() == AgentState::Stopped(StopReason::Buried);
            let fits_there = body
                .zip(grid)
                .is_none_or(|(body, grid)| fits(grid, body.position(), body.plan().radius));
            !is_buried && !fits_there
        };
        outcome.in_walls += simulation.agents().iter().filter(is_in_wall).count();
    }

    /// Gives the orders whose time has come.
    fn give_orders(&mut self) -> Result<(), RunError> {
        let tick = self.simulation.ticks();
        let (due, later) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(|order: &CaseOrder| order.at_tick <= tick);
        self.orders = later;
        let due: Vec<CaseOrder> = due;
        for CaseOrder { agent, what, .. } in due {
            let (simulation, id) = (&mut self.simulation, AgentId(agent));
            match what {
                CaseDeed::Stop => simulation.stop(id),
                CaseDeed::Remove => simulation.remove(id),
                CaseDeed::Send(to) => simulation.send(id, cell(to)),
                CaseDeed::Teleport(to) => simulation.teleport(id, cell(to)),
            }
        }
        for group in self.groups.extract_if(.., |group| group.at_tick <= tick) {
            let sent = self.simulation.send_group(&group.agents, group.goal, group.formation);
            sent.map_err(|error| RunError::Group { group: group.number, error })?;
        }
        Ok(())
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
        let ordered = !self.orders.is_empty() || !self.groups.is_empty();
        let busy = !self.simulation.is_at_rest() || self.changes.iter().any(to_come) || ordered;
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
            self.report.outcome.note(&event);
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

impl Outcome {
    fn note(&mut self, event: &AgentEvent) {
        match event.kind {
            AgentEventKind::Arrived { .. } => {
                self.first_arrival.get_or_insert(event.tick);
                self.last_arrival = Some(event.tick);
            }
            AgentEventKind::Passed { .. } => self.passed += 1,
            AgentEventKind::TookLink { .. } => self.links += 1,
            AgentEventKind::GroupArrived { .. } => self.groups += 1,
            _ => {}
        }
    }

    /// What is not as a case asks for, a sentence each.
    pub fn shortfalls(&self, check: &CaseCheck) -> Vec<String> {
        let spread = self.last_arrival.unwrap_or(0) - self.first_arrival.unwrap_or(0);
        let least = [
            ("agents have arrived", self.arrived, check.arrived_min),
            ("points were passed", self.passed, check.passed_min),
            ("links were taken", self.links, check.links_min),
            ("groups have arrived", self.groups, check.groups_min),
        ];
        let least = least.into_iter().filter_map(|(what, number, least)| {
            let least = least.filter(|&least| number < least)?;
            Some(format!("{number} {what}, not {least}"))
        });
        let most = [
            ("agents have stopped", self.stopped as f64, check.stopped_max.map(|most| most as f64)),
            ("per cent of overlap", self.overlap_percent, check.overlap_percent_max),
            (
                "ticks between the first and the last arrival",
                spread as f64,
                check.spread_ticks_max.map(|most| most as f64),
            ),
            ("times somebody in a wall", self.in_walls as f64, Some(0.0)),
        ];
        let most = most.into_iter().filter_map(|(what, number, most)| {
            let most = most.filter(|&most| number > most)?;
            Some(format!("{number} {what}, at most {most} are allowed"))
        });
        least.chain(most).collect()
    }
}
