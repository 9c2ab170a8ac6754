//! Agents that walk in a world that changes, in fixed ticks.
//!
//! A tick lets the world go on (planners take over, requests are worked on within the budget), then every
//! agent takes the answers to its requests and walks. An edit is looked at by every agent through the
//! [corridor](highroad_core::Corridor) of its path: an agent that is cut off goes on as far as the path is sound, asks
//! for another from a few cells ahead, and turns there when it has it. No agent enters a blocked cell.
//!
//! An agent steps from cell to cell at its [`Pace`], or has a body in a [`Crowd`], which walks in continuous space along the same
//! way. It has a path of its own, or follows a flow field that it shares with others. All four ways to walk have the same
//! orders, states and events; bodies can also walk in [groups](Simulation::send_group).
//!
//! With a budget in expansions and a world in [lockstep](crate::world::WorldBuilder::with_lockstep), the same edits at
//! the same ticks give the same events, on every machine and any number of threads.

mod agent;
mod bodies;
#[cfg(test)]
mod body_tests;
mod control;
mod event;
mod follow;
mod group;
mod orders;
mod saved;
#[cfg(test)]
mod tests;
mod watched;

pub use agent::{Agent, AgentId, AgentPlan, AgentState, Pace, StopReason};
pub use event::{AgentEvent, AgentEventKind};
pub use group::{GroupError, GroupId};

use crate::crowd::{Crowd, CrowdOptions};
use crate::planners::RebuildEvent;
use crate::requests::{Budget, Request, TickReport};
use crate::world::PathWorld;
use agent::Reason;
use group::Group;
use highroad_core::field::FlowFields;
use highroad_core::{Batch, CellEffect, Change, EditError, KindId, Revision};
use std::time::Duration;
use watched::{WatchedTiles, tiles_of};

/// Cells ahead from which an agent asks for another way, so that it can walk on meanwhile; doubled each
/// time that it gets there before the answer does.
const AHEAD: usize = 1;

/// How urgent what agents ask for is: those that cannot go on first, improvements last.
const PRIORITY_REPAIR: u8 = 2;
const PRIORITY_FIRST: u8 = 1;
const PRIORITY_IMPROVE: u8 = 0;

/// A world, agents that walk in it, and what has happened.
///
/// ```
/// use highroad::{AgentPlan, Budget, CellRect, PathWorld, Simulation, Terrain};
/// use highroad::grid::Batch;
/// use highroad::simulation::AgentState;
/// let world = PathWorld::new("........\n........\n........\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let walker = simulation.add(AgentPlan::new((0, 1), (7, 1)));
/// simulation.tick();
/// simulation.tick();
/// let mut wall = Batch::new();
/// wall.fill(CellRect::new((5, 0), (5, 1)), Terrain::WALL);
/// simulation.edit(&wall)?;
/// while simulation.agent(walker).unwrap().state() == AgentState::Walking {
///     simulation.tick();
/// }
/// assert_eq!(simulation.agent(walker).unwrap().state(), AgentState::Arrived);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A clone goes on exactly as the original would, with the same events; ids of agents are the same. It shares the ways of
/// agents and everything of the world that [a clone of a world](PathWorld#impl-Clone-for-PathWorld<E>) shares, so that a
/// lockstep game can keep one for each tick that it may have to return to. It takes time in proportion to the agents, to
/// the events that were not taken, and to the cells of flow fields, which are copied.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
/// let world = PathWorld::new("........\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let walker = simulation.add(AgentPlan::new((0, 0), (7, 0)));
/// simulation.tick();
/// let mut past = simulation.clone();
/// simulation.tick();
/// past.tick();
/// assert_eq!(past.agent(walker).unwrap().at(), simulation.agent(walker).unwrap().at());
/// assert_eq!(past.take_events(), simulation.take_events());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Simulation {
    world: PathWorld,
    agents: Vec<Agent>,
    /// What each of them must watch.
    watched: Vec<WatchedTiles>,
    budget: Budget,
    tick: u64,
    events: Vec<AgentEvent>,
    reports_steps: bool,
    /// How often an agent has been given another way.
    replans: u64,
    slowest_rebuild: Duration,
    /// The bodies of agents that have one, and whose they are, in the same order.
    crowd: Crowd,
    owners: Vec<AgentId>,
    /// The fields of each kind of agent.
    fields: Vec<FlowFields>,
    fields_bytes_max: usize,
    groups: Vec<Group>,
    groups_sent: u32,
}

/// Bytes that the fields of a kind of agent may take together, if nobody says otherwise.
const FIELDS_BYTES_MAX: usize = 256 << 20;

impl Simulation {
    /// A simulation without agents yet, whose world may do that much in each tick.
    pub fn new(world: PathWorld, budget: Budget) -> Self {
        let (agents, watched, events) = (Vec::new(), Vec::new(), Vec::new());
        let (tick, reports_steps, replans) = (0, false, 0);
        let slowest_rebuild = Duration::ZERO;
        Self {
            world,
            agents,
            watched,
            budget,
            tick,
            events,
            reports_steps,
            replans,
            slowest_rebuild,
            crowd: Crowd::new(CrowdOptions::default()),
            owners: Vec::new(),
            fields: Vec::new(),
            fields_bytes_max: FIELDS_BYTES_MAX,
            groups: Vec::new(),
            groups_sent: 0,
        }
    }

    /// The same simulation, whose bodies move in another way: how long a tick is, how far they see. Only before agents are added.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::{BodyPlan, CrowdOptions};
    /// let mut options = CrowdOptions::default();
    /// options.tick_seconds = 0.1;
    /// let world = PathWorld::new(".........\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(1000)).with_crowd_options(options);
    /// let walker = simulation.add(AgentPlan::of_body(BodyPlan::new([0.5, 0.5]), (8, 0)));
    /// (0..10).for_each(|_| _ = simulation.tick());
    /// assert!(simulation.body(walker).unwrap().position()[0] > 1.5, "a second has passed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_crowd_options(mut self, options: CrowdOptions) -> Self {
        if self.crowd.bodies().is_empty() {
            self.crowd = Crowd::new(options);
        }
        self
    }

    /// The same simulation, in which the flow fields of each kind of agent may take so many bytes; one is always kept. A field that is
    /// wanted again is begun again. 256 MB by default.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// let world = PathWorld::new("....\n....\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(1000)).with_field_memory(0);
    /// simulation.add(AgentPlan::new((0, 0), (3, 1)).by_field());
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// assert!(simulation.memory_bytes() < 1 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_field_memory(mut self, bytes_max: usize) -> Self {
        self.fields_bytes_max = bytes_max;
        self.fields.clear();
        self
    }

    /// The same simulation, which reports every step as an event, too.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation};
    /// use highroad::simulation::AgentEventKind;
    /// let world = PathWorld::new("....\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(1000)).with_step_events();
    /// let guard = simulation.add(AgentPlan::new((0, 0), (3, 0)));
    /// let walk = |simulation: &mut Simulation| while !simulation.is_at_rest() { simulation.tick(); };
    /// walk(&mut simulation);
    /// simulation.send(guard, (1, 0)); // and back
    /// walk(&mut simulation);
    /// let steps: Vec<Cell> = simulation.take_events().iter().filter_map(|event| match event.kind {
    ///     AgentEventKind::Stepped { to, .. } => Some(to),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(steps, [(1, 0), (2, 0), (3, 0), (2, 0), (1, 0)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_step_events(mut self) -> Self {
        self.reports_steps = true;
        self
    }

    /// Adds an agent, which asks for its path at once. An end that lies outside or is blocked shows as
    /// an event, like everything else, and so does a body whose numbers make no sense.
    pub fn add(&mut self, plan: AgentPlan) -> AgentId {
        let id = AgentId(self.agents.len() as u32);
        self.agents.push(Agent::new(plan));
        self.watched.push(WatchedTiles::EVERYWHERE);
        if let Err(error) = self.add_body(id) {
            self.agents[id.0 as usize].state = AgentState::Stopped(StopReason::Unfit);
            self.record(AgentEventKind::Unfit { agent: id, reason: error.to_string() });
        } else {
            self.set_out(id);
        }
        id
    }

    /// Sends an agent somewhere else, from where it is. Does nothing if there is no such agent.
    pub fn send(&mut self, id: AgentId, goal: impl Into<highroad_core::Cell>) {
        self.leave_group(id);
        self.direct(id, goal.into());
    }

    /// An agent; `None` if there is none of that number.
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        self.agents.get(id.0 as usize)
    }

    /// All agents, by number.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// The world.
    pub fn world(&self) -> &PathWorld {
        &self.world
    }

    /// How many ticks have passed.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// How often agents have been given another way than the one they were on.
    pub fn replans(&self) -> u64 {
        self.replans
    }

    /// The longest that a planner was made in the background, by the clock.
    pub fn slowest_rebuild(&self) -> Duration {
        self.slowest_rebuild
    }

    /// Everything that has happened and has not been taken.
    pub fn events(&self) -> &[AgentEvent] {
        &self.events
    }

    /// Takes what has happened since the last call.
    pub fn take_events(&mut self) -> Vec<AgentEvent> {
        std::mem::take(&mut self.events)
    }

    /// Whether no agent will move any more unless something changes.
    pub fn is_at_rest(&self) -> bool {
        let resting = |agent: &Agent| match agent.state {
            // A body walks out of the wall that buries it.
            AgentState::Stopped(StopReason::Buried) if agent.body.is_some() => false,
            AgentState::Arrived | AgentState::Stopped(_) => agent.asked.is_none(),
            AgentState::Removed => true,
            AgentState::Waiting | AgentState::Walking | AgentState::Crossing => false,
        };
        self.groups.is_empty() && self.agents.iter().all(resting)
    }

    /// Changes the map, between two ticks. Agents notice at once. Fails with an [`EditError`] as [`PathWorld::apply`] does.
    pub fn edit(&mut self, batch: &Batch) -> Result<Revision, EditError> {
        let changes = self.world.apply_reporting(batch)?;
        self.let_agents_notice(&changes);
        Ok(self.world.revision())
    }

    /// Takes back the latest batch as [`PathWorld::undo`] does, between two ticks. Agents notice at once.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation, Terrain};
    /// use highroad::grid::Batch;
    /// use highroad::simulation::{AgentState, StopReason};
    /// let mut simulation = Simulation::new(PathWorld::new("...\n".parse()?), Budget::expansions(1000));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (2, 0)));
    /// let mut wall = Batch::new();
    /// wall.set((1, 0), Terrain::WALL);
    /// simulation.edit(&wall)?;
    /// simulation.tick();
    /// assert_eq!(simulation.agent(agent).unwrap().state(), AgentState::Stopped(StopReason::Unreachable));
    /// simulation.undo();
    /// simulation.tick();
    /// assert_eq!(simulation.agent(agent).unwrap().state(), AgentState::Walking);
    /// simulation.redo();
    /// assert!(!simulation.world().grid().is_enterable((1, 0).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<Revision> {
        let changes = self.world.undo_reporting()?;
        self.let_agents_notice(&changes);
        Some(self.world.revision())
    }

    /// Makes the batch again that was taken back last, as [`PathWorld::redo`] does. Agents notice at once. See
    /// [`Simulation::undo`] for an example.
    pub fn redo(&mut self) -> Option<Revision> {
        let changes = self.world.redo_reporting()?;
        self.let_agents_notice(&changes);
        Some(self.world.revision())
    }

    fn let_agents_notice(&mut self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        let revision = self.world.revision();
        let cells = Change::cell_count(changes) as usize;
        self.record(AgentEventKind::Edited { cells, revision });
        self.tell_rebuilds();
        // One list for each kind of agent.
        let effects: Vec<Vec<CellEffect>> = {
            let grids = (0..).map_while(|kind| self.world.environment_of(KindId(kind)));
            grids.map(|grid| grid.effects_of(changes)).collect()
        };
        let cells = effects.iter().flatten().map(|effect| effect.rect);
        let tiles = tiles_of(self.world.grid().extent(), cells);
        for number in 0..self.agents.len() {
            let watched = self.watched[number];
            if tiles.iter().any(|&tile| watched.contains(tile)) {
                let kind = self.agents[number].plan.kind.index();
                let effects = effects.get(kind).unwrap_or(&effects[0]);
                self.notice(AgentId(number as u32), effects);
                self.watch(number);
            }
        }
    }

    /// One tick: the world goes on within the budget, then every agent takes the answers to its requests and walks.
    pub fn tick(&mut self) -> TickReport {
        self.tick += 1;
        let (left, spent) = self.work_on_fields();
        let mut report = self.world.tick(left);
        report.expansions += spent;
        self.tell_rebuilds();
        trace_span!("agents", tick = self.tick, agents = self.agents.len());
        self.lead_groups();
        for number in 0..self.agents.len() {
            let id = AgentId(number as u32);
            self.receive(id);
            match self.agents[number].body {
                Some(body) => self.steer(id, body),
                None => self.walk(id),
            }
            self.watch(number);
        }
        if !self.owners.is_empty() {
            self.move_bodies();
        }
        report
    }

    /// Works out again what an agent must watch, if its way is another.
    fn watch(&mut self, number: usize) {
        let agent = &mut self.agents[number];
        if std::mem::take(&mut agent.rerouted) {
            let hopes = match agent.state {
                _ if agent.plan.by_field => false,
                AgentState::Stopped(reason) => {
                    matches!(reason, StopReason::Unreachable | StopReason::GoalBlocked)
                }
                AgentState::Walking | AgentState::Crossing => agent.plan.improves,
                AgentState::Waiting | AgentState::Arrived | AgentState::Removed => false,
            };
            self.watched[number] = if hopes {
                WatchedTiles::EVERYWHERE
            } else {
                WatchedTiles::of(self.world.grid().extent(), &agent.route)
            };
        }
    }

    fn record(&mut self, kind: AgentEventKind) {
        self.events.push(AgentEvent { tick: self.tick, kind });
    }

    fn tell_rebuilds(&mut self) {
        let tick = self.tick;
        let Self { world, events, slowest_rebuild, .. } = self;
        events.extend(world.take_reports().map(|report| {
            *slowest_rebuild = report.took.max(*slowest_rebuild);
            let planner = report.name;
            let kind = match report.event {
                RebuildEvent::Started => AgentEventKind::RebuildStarted { planner },
                RebuildEvent::Swapped => AgentEventKind::RebuildSwapped { planner },
                RebuildEvent::Failed(reason) => {
                    AgentEventKind::RebuildFailed { planner, reason: reason.to_string() }
                }
            };
            AgentEvent { tick, kind }
        }));
    }

    /// Lets an agent ask for a path from where it stands.
    fn set_out(&mut self, id: AgentId) {
        self.cancel(id);
        let agent = &mut self.agents[id.0 as usize];
        agent.stand();
        agent.state = AgentState::Waiting;
        let (from, to) = (agent.at(), agent.goal());
        self.record(AgentEventKind::Asked { agent: id, from, to });
        self.agents[id.0 as usize].field = None;
        if self.agents[id.0 as usize].plan.by_field {
            self.follow_field(id);
        } else {
            self.stand_body(id);
            self.ask(id, Reason::First, 0);
        }
    }

    /// Asks for a path from so many cells ahead.
    fn ask(&mut self, id: AgentId, reason: Reason, ahead: usize) {
        self.cancel(id);
        let agent = &mut self.agents[id.0 as usize];
        let join = agent.join(ahead);
        let ends = Request::path(agent.route[join], agent.goal()).with_kind(agent.plan.kind);
        let mut request = ends.with_priority(match reason {
            Reason::First => PRIORITY_FIRST,
            Reason::Repair => PRIORITY_REPAIR,
            Reason::Improve => PRIORITY_IMPROVE,
        });
        // A way that may not be better is not worth beginning.
        if let Some(steps) = agent.plan.first_leg.filter(|_| reason != Reason::Improve) {
            request = request.with_first_leg(steps);
        }
        let ticket = self.world.request(request);
        agent.note_asked((ticket, self.world.revision()), reason, join, ahead);
    }

    fn cancel(&mut self, id: AgentId) {
        if let Some(asked) = self.agents[id.0 as usize].asked.take() {
            self.world.cancel(asked.ticket);
        }
    }

    /// Bytes held by the world, the agents and what has been reported.
    pub fn memory_bytes(&self) -> usize {
        self.world.memory_bytes()
            + self.agents.iter().map(Agent::memory_bytes).sum::<usize>()
            + self.events.capacity() * size_of::<AgentEvent>()
            + self.fields.iter().map(FlowFields::memory_bytes).sum::<usize>()
            + self.crowd.memory_bytes()
    }
}
