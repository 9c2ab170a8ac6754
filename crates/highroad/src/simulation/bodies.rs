//! Agents with bodies, and agents that follow fields.
//!
//! A body walks along the route of its agent: from the route and where the body is, [`aim_along`] finds a point to walk to straight,
//! which smooths the way as it goes. The crowd then moves all bodies at once, around each other. What has come of it is reported in the
//! agents' states and events, so that everything else (requests, edits, orders) is the same with and without a body.

use super::agent::{Agent, AgentId, AgentState, Reason, StopReason};
use super::event::AgentEventKind;
use super::follow::{grid_of, touches};
use super::{AHEAD, Simulation};
use crate::crowd::{
    Aim, Body, BodyError, BodyId, BodyPlan, BodyState, Crowd, CrowdEvent, Ground, Vector,
    aim_along, cell_at, link_seconds, middle_of,
};
use crate::requests::Budget;
use highroad_core::field::{Flow, FlowFields, FlowId};
use highroad_core::{Cell, KindId, Path};
use std::time::Duration;

/// Ticks after which it is reported that others hold an agent up, and after which it is not held up any more.
const HELD_TICKS: u16 = 120;
const FREE_TICKS: u16 = 60;
/// As near to a point on its way a body has passed it.
const PASSED: f64 = 0.6;
/// Looks of a field that count as one expansion, and looks between two looks at the clock.
const LOOKS_PER_EXPANSION: u64 = 4;
const LOOKS_PER_CLOCK: u64 = 2048;

impl Simulation {
    /// The bodies of agents that have one: where they are and how they move.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The body of an agent; `None` if there is no such agent, or if it has none. See [`AgentPlan::of_body`](super::AgentPlan::of_body) for an
    /// example.
    pub fn body(&self, id: AgentId) -> Option<&Body> {
        self.crowd.body(self.agent(id)?.body?)
    }

    /// The flow fields that agents of a kind follow; `None` as long as nobody does. See [`Simulation::path_of`] for an example.
    pub fn fields(&self, kind: KindId) -> Option<&FlowFields> {
        self.fields.get(kind.index())
    }

    /// The way that an agent would go from where it is: what is left of its path, or what its field says. `None` if there is no such
    /// agent, or if its field does not know yet. O(its length).
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::grid::KindId;
    /// let world = PathWorld::new("....\n.##.\n....\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(1000));
    /// let creep = simulation.add(AgentPlan::new((0, 1), (3, 1)).by_field());
    /// simulation.tick();
    /// assert_eq!(simulation.fields(KindId::DEFAULT).map(|fields| fields.len()), Some(1));
    /// assert_eq!(simulation.path_of(creep).map(|cells| cells.len()), Some(5), "it has gone a step");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path_of(&self, id: AgentId) -> Option<Vec<Cell>> {
        let agent = self.agent(id)?;
        if !agent.plan.by_field {
            return Some(agent.ahead().to_vec());
        }
        let field = self.fields(agent.plan.kind)?.get(agent.field?)?;
        field.path_from(agent.at()).map(|path: Path| path.cells().to_vec())
    }

    /// Gives an agent its body. Fails if it cannot be.
    pub(super) fn add_body(&mut self, id: AgentId) -> Result<(), BodyError> {
        let agent = &mut self.agents[id.0 as usize];
        let Some(plan) = agent.plan.body else { return Ok(()) };
        let plan = BodyPlan { kind: agent.plan.kind, ..plan };
        let (position, radius) = (plan.position, plan.radius);
        let inside = |cell: &Cell| self.world.grid().extent().contains(*cell);
        let cell = cell_at(position.into()).filter(inside);
        let cell = cell.ok_or(BodyError::NoRoom { position, radius })?;
        let body = self.crowd.add_anywhere(plan)?;
        (agent.plan.start, agent.plan.body) = (cell, Some(plan));
        *agent = Agent { body: Some(body), ..Agent::new(agent.plan) };
        self.owners.push(id);
        Ok(())
    }

    /// Lets the body of an agent stand.
    pub(super) fn stand_body(&mut self, id: AgentId) {
        if let Some(body) = self.agents[id.0 as usize].body {
            self.crowd.stop(body);
        }
    }

    /// Lets fields follow edits, and works on them for up to half of the budget. Returns what is left of it, and how much of it in
    /// expansions was used.
    pub(super) fn work_on_fields(&mut self) -> (Budget, u64) {
        let Self { world, fields, budget, .. } = self;
        let begun = budget.micros.and_then(|_| world.clock().read());
        let half = budget.half();
        let mut left = half.expansions.saturating_mul(LOOKS_PER_EXPANSION);
        for (kind, fields) in (0..).zip(fields) {
            world.update_fields(KindId(kind), fields);
            let is_over = || {
                let limit = half.micros.map(Duration::from_micros);
                limit.is_some_and(|limit| begun.is_none() || world.clock().since(begun) >= limit)
            };
            let piece =
                |left: u64| if half.micros.is_some() { left.min(LOOKS_PER_CLOCK) } else { left };
            loop {
                let looks = fields.advance(piece(left));
                left -= looks;
                if looks == 0 || left == 0 || is_over() {
                    break;
                }
            }
        }
        let spent = (half.expansions.saturating_mul(LOOKS_PER_EXPANSION) - left)
            .div_ceil(LOOKS_PER_EXPANSION);
        let expansions = match budget.expansions {
            u64::MAX => u64::MAX,
            expansions => expansions.saturating_sub(spent),
        };
        let took = world.clock().since(begun).as_micros() as u64;
        let micros = budget.micros.map(|micros| micros.saturating_sub(took));
        (Budget { expansions, micros }, spent)
    }

    /// Opens the field of an agent's goal, or finds it, and lets the agent follow it.
    pub(super) fn follow_field(&mut self, id: AgentId) {
        let (kind, goal) =
            (self.agents[id.0 as usize].plan.kind, self.agents[id.0 as usize].goal());
        match self.open_field(kind, goal) {
            Some(Ok(field)) => {
                let agent = &mut self.agents[id.0 as usize];
                agent.field = Some(field);
                if let Some(body) = agent.body {
                    self.crowd.send(body, field);
                }
            }
            Some(Err(())) => {
                let at = self.halt(id, StopReason::GoalBlocked);
                self.record(AgentEventKind::GoalBlocked { agent: id, at });
            }
            None => {
                let at = self.halt(id, StopReason::NoSuchKind);
                self.record(AgentEventKind::NoSuchKind { agent: id, at });
            }
        }
    }

    /// The field of a goal; `None` if there is no such kind, an error if nobody can stand on the goal.
    fn open_field(&mut self, kind: KindId, goal: Cell) -> Option<Result<FlowId, ()>> {
        let grid = self.world.environment_of(kind)?;
        while self.fields.len() <= kind.index() {
            self.fields.push(FlowFields::new(self.fields_bytes_max));
        }
        let fields = &mut self.fields[kind.index()];
        // A field that is begun now is of the map as it is; others have to follow first.
        self.world.update_fields(kind, fields);
        Some(fields.open(grid, &[goal]).map_err(|_| ()))
    }

    /// Gives an agent that was loaded its field.
    pub(super) fn find_field(&mut self, id: AgentId) {
        let agent = &self.agents[id.0 as usize];
        let (kind, goal, body) = (agent.plan.kind, agent.goal(), agent.body);
        let Some(Ok(field)) = self.open_field(kind, goal) else { return };
        self.agents[id.0 as usize].field = Some(field);
        if let Some(body) = body {
            self.crowd.follow_on(body, field);
        }
    }

    /// Opens the field of an agent again, if it had to make room for others. Returns whether the agent has one.
    fn keep_field(&mut self, id: AgentId) -> bool {
        let agent = &self.agents[id.0 as usize];
        let Some(field) = agent.field else { return false };
        let fields = self.fields.get(agent.plan.kind.index());
        if fields.is_some_and(|fields| fields.get(field).is_some()) {
            return true;
        }
        self.find_field(id);
        true
    }

    /// Lets an agent without a body step along its field for a tick.
    pub(super) fn walk_by_field(&mut self, id: AgentId) {
        let number = id.0 as usize;
        let is_on_way = |agent: &Agent| match agent.state {
            AgentState::Waiting | AgentState::Walking => true,
            AgentState::Stopped(reason) => reason == StopReason::Unreachable,
            AgentState::Crossing | AgentState::Arrived | AgentState::Removed => false,
        };
        if !is_on_way(&self.agents[number]) || !self.keep_field(id) {
            return;
        }
        self.agents[number].earn();
        loop {
            let agent = &self.agents[number];
            let field = self.fields.get(agent.plan.kind.index()).zip(agent.field);
            let flow = field.and_then(|(fields, id)| Some(fields.get(id)?.flow(agent.at())));
            let next = match flow {
                Some(Flow::Next(next)) => next,
                Some(Flow::Arrived) => {
                    self.agents[number].rest();
                    self.arrive(id);
                    return;
                }
                Some(Flow::Unreachable) => {
                    self.cannot_go_on(id);
                    self.agents[number].rest();
                    return;
                }
                Some(Flow::Unsettled) | None => {
                    self.agents[number].rest();
                    return;
                }
            };
            if self.agents[number].state != AgentState::Walking {
                self.agents[number].state = AgentState::Walking;
                self.record(AgentEventKind::Following { agent: id });
            }
            let agent = &mut self.agents[number];
            agent.extend(next);
            let cost = grid_of(&self.world, agent).step_cost(agent.at(), next);
            let Some(cost) = cost.filter(|_| agent.next_step() == Some(next)) else { return };
            let is_link = !touches(agent.at(), next);
            agent.step(cost);
            if is_link {
                self.record(AgentEventKind::TookLink { agent: id, to: next });
            }
            if self.reports_steps {
                self.record(AgentEventKind::Stepped { agent: id, to: next });
            }
        }
    }

    /// No way leads an agent that follows a field to its goal, for now.
    fn cannot_go_on(&mut self, id: AgentId) {
        let agent = &mut self.agents[id.0 as usize];
        let stopped = AgentState::Stopped(StopReason::Unreachable);
        if agent.state != stopped {
            agent.state = stopped;
            let at = agent.at();
            self.record(AgentEventKind::Unreachable { agent: id, at, nearest: at });
        }
    }

    /// Says where the body of an agent walks in this tick.
    pub(super) fn steer(&mut self, id: AgentId, body: BodyId) {
        let number = id.0 as usize;
        if self.agents[number].plan.by_field {
            if !matches!(self.agents[number].state, AgentState::Arrived | AgentState::Removed) {
                self.keep_field(id);
            }
            return;
        }
        if self.agents[number].state != AgentState::Walking || self.is_led(id) {
            return;
        }
        if self.agents[number].is_at_join() && !self.agents[number].is_at_end() {
            // The answer is late: it may walk on, and be notified of a way from farther ahead.
            let asked = self.agents[number].asked;
            let (reason, ahead) =
                asked.map_or((Reason::Repair, AHEAD), |asked| (asked.reason, asked.ahead));
            self.ask(id, reason, ahead.saturating_mul(2).max(AHEAD));
        }
        let agent = &mut self.agents[number];
        let Some(moving) = self.crowd.body(body) else { return };
        let here = Some((moving.cell(), agent.sound));
        if agent.steered == here && cell_at(moving.aim()) != Some(moving.cell()) {
            return;
        }
        let (position, plan) = (moving.position(), *moving.plan());
        let grid = grid_of(&self.world, agent);
        let way = &agent.route[..=agent.sound];
        let (aim, on) = aim_along(grid, way, agent.index, position, plan.radius);
        agent.steered = here;
        agent.pass(grid, on);
        match aim {
            Aim::Walk { point, is_goal } => {
                let ends = agent.whole && agent.sound + 1 == agent.route.len();
                let is_last = is_goal && ends && agent.orders.is_done();
                self.crowd.walk_to(body, point, agent.plan.goal, is_last);
            }
            Aim::Link(to) => {
                let seconds = link_seconds(grid, agent.route[on], to, plan.speed);
                self.crowd.cross(body, to, seconds);
            }
            Aim::Unreachable | Aim::Unsettled => {
                // Others have pushed it off its way.
                agent.stand();
                self.ask(id, Reason::Repair, 0);
            }
        }
    }

    /// Moves all bodies, and takes what has come of it into the states of their agents.
    pub(super) fn move_bodies(&mut self) {
        let nothing = FlowFields::new(0);
        let grids = (0..).map_while(|kind| self.world.environment_of(KindId(kind)));
        let grounds: Vec<Ground<'_>> = grids
            .enumerate()
            .map(|(kind, grid)| Ground { grid, fields: self.fields.get(kind).unwrap_or(&nothing) })
            .collect();
        self.crowd.tick_on(&grounds);
        drop(grounds);
        for event in self.crowd.take_events() {
            if let CrowdEvent::TookLink { body, to } = event
                && let Ok(place) = self.crowd.bodies().binary_search_by_key(&body, Body::id)
            {
                let agent = self.owners[place];
                self.record(AgentEventKind::TookLink { agent, to });
            }
        }
        for place in 0..self.owners.len() {
            let (id, body) = (self.owners[place], self.crowd.bodies()[place]);
            self.take_note(id, &body);
        }
    }

    /// What a tick has made of the body of an agent.
    fn take_note(&mut self, id: AgentId, body: &Body) {
        let (agent, cell) = (&mut self.agents[id.0 as usize], body.cell());
        if agent.cell != cell {
            agent.cell = cell;
            agent.steps += 1;
            if self.reports_steps {
                self.record(AgentEventKind::Stepped { agent: id, to: cell });
            }
        }
        let agent = &mut self.agents[id.0 as usize];
        let buried = AgentState::Stopped(StopReason::Buried);
        let is_on_way = matches!(agent.state, AgentState::Walking | AgentState::Crossing);
        match body.state() {
            BodyState::Buried if agent.state == buried => {}
            BodyState::Buried => {
                agent.state = buried;
                self.cancel(id);
                self.agents[id.0 as usize].stand();
                self.record(AgentEventKind::Buried { agent: id, at: cell });
            }
            _ if agent.state == buried => {
                self.record(AgentEventKind::Freed { agent: id, at: cell });
                self.set_out(id);
            }
            BodyState::Crossing if agent.state == AgentState::Walking => {
                agent.state = AgentState::Crossing;
                self.record(AgentEventKind::AtLink { agent: id, at: cell });
            }
            BodyState::Crossing => {}
            BodyState::Arrived if is_on_way || agent.state == AgentState::Waiting => {
                self.arrive(id)
            }
            _ if agent.plan.by_field => self.take_note_by_field(id, body.state()),
            _ if is_on_way => {
                agent.state = AgentState::Walking;
                self.take_note_of_others(id, body);
            }
            _ => {}
        }
    }

    fn take_note_by_field(&mut self, id: AgentId, state: BodyState) {
        let agent = &mut self.agents[id.0 as usize];
        match state {
            BodyState::Walking if agent.state == AgentState::Crossing => {
                agent.state = AgentState::Walking;
            }
            BodyState::Walking if agent.state != AgentState::Walking => {
                agent.state = AgentState::Walking;
                self.record(AgentEventKind::Following { agent: id });
            }
            BodyState::Blocked => self.cannot_go_on(id),
            _ => {}
        }
        if let (BodyState::Walking, Some(body)) = (state, self.body(id).copied()) {
            self.take_note_of_others(id, &body);
        }
    }

    /// Passes points on the way, and notices who is held up.
    fn take_note_of_others(&mut self, id: AgentId, body: &Body) {
        let agent = &mut self.agents[id.0 as usize];
        let held = body.held_ticks();
        let is_led = agent.group.is_some();
        if agent.whole && !agent.orders.is_done() && !is_led {
            let way = middle_of(agent.goal()) - Vector::from(body.position());
            if way.length() < PASSED {
                self.arrive(id);
                return;
            }
        }
        let agent = &mut self.agents[id.0 as usize];
        if agent.plan.patience.is_some_and(|patience| held >= patience) {
            self.leave_group(id);
            self.cancel(id);
            let at = self.halt(id, StopReason::HeldUp);
            self.record(AgentEventKind::GaveUp { agent: id, at });
        } else if held >= HELD_TICKS && !agent.is_held_up {
            agent.is_held_up = true;
            let at = agent.at();
            self.record(AgentEventKind::HeldUp { agent: id, at });
        } else if held < FREE_TICKS {
            agent.is_held_up = false;
        }
    }
}
