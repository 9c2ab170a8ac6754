//! What a game does to agents and planners between two ticks.

use super::Simulation;
use super::agent::{AgentId, AgentState, Pace, StopReason};
use super::event::AgentEventKind;
use crate::crowd::{BodyError, BodyPlan, middle_of};
use crate::planners::PlannerId;
use crate::recipe::Recipe;
use crate::requests::{Budget, TickReport};
#[allow(unused_imports, reason = "links of the documentation")]
use crate::world::PathWorld;
use highroad_core::{Cell, KindId};

impl Simulation {
    /// Lets an agent walk at another pace from now on. Does nothing if there is no such agent.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::simulation::Pace;
    /// let mut simulation = Simulation::new(PathWorld::new(".........\n".parse()?), Budget::expansions(1000));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (8, 0)));
    /// simulation.tick();
    /// simulation.set_pace(agent, Pace::new(3, 1));
    /// simulation.tick();
    /// assert_eq!(simulation.agent(agent).map(|agent| agent.steps()), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_pace(&mut self, id: AgentId, pace: Pace) {
        if let Some(agent) = self.agents.get_mut(id.0 as usize) {
            agent.plan.pace = pace;
        }
    }

    /// Stops an agent where it is, until it is sent again. Does nothing if there is no such agent. See [`Simulation::patrol`] for an
    /// example.
    pub fn stop(&mut self, id: AgentId) {
        let Some(agent) = self.agents.get(id.0 as usize) else { return };
        let stays = [StopReason::Buried, StopReason::Unfit].map(AgentState::Stopped);
        if agent.state == AgentState::Removed || stays.contains(&agent.state) {
            return;
        }
        self.leave_group(id);
        self.cancel(id);
        self.agents[id.0 as usize].orders = Default::default();
        let at = self.halt(id, StopReason::Ordered);
        self.record(AgentEventKind::Halted { agent: id, at });
    }

    /// Puts an agent into another cell, from where it goes on to its goal; a body is put into its middle. In a blocked cell it is buried.
    /// Does nothing if there is no such agent.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation};
    /// let mut simulation = Simulation::new(PathWorld::new(".....#...\n".parse()?), Budget::expansions(1000));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (8, 0)));
    /// simulation.tick();
    /// simulation.teleport(agent, (6, 0));
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// assert_eq!(simulation.agent(agent).unwrap().at(), Cell::new(8, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn teleport(&mut self, id: AgentId, to: impl Into<Cell>) {
        let (number, to) = (id.0 as usize, to.into());
        let Some(agent) = self.agents.get_mut(number) else { return };
        if matches!(agent.state, AgentState::Removed | AgentState::Stopped(StopReason::Unfit)) {
            return;
        }
        agent.put(to);
        if let Some(body) = agent.body {
            self.crowd.put(body, middle_of(to).into());
        }
        self.record(AgentEventKind::Teleported { agent: id, to });
        let agent = &self.agents[number];
        let is_done = agent.state == AgentState::Arrived && agent.goal() == to;
        let rests = matches!(agent.state, AgentState::Stopped(StopReason::Ordered));
        if !is_done && !rests {
            self.set_out(id);
        }
    }

    /// Takes an agent off the map. Its number is not given to another one, and its state is [`AgentState::Removed`] from now on. Does
    /// nothing if there is no such agent.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::simulation::AgentState;
    /// let mut simulation = Simulation::new(PathWorld::new("...\n".parse()?), Budget::expansions(1000));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (2, 0)));
    /// simulation.remove(agent);
    /// assert_eq!(simulation.agent(agent).unwrap().state(), AgentState::Removed);
    /// assert!(simulation.is_at_rest() && simulation.world().waiting() == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: AgentId) {
        let number = id.0 as usize;
        if self.agents.get(number).is_none_or(|agent| agent.state == AgentState::Removed) {
            return;
        }
        self.leave_group(id);
        self.cancel(id);
        let agent = &mut self.agents[number];
        let at = agent.at();
        agent.stand();
        agent.state = AgentState::Removed;
        agent.orders = Default::default();
        if let Some(body) = agent.body {
            if let Ok(place) = self.crowd.bodies().binary_search_by_key(&body, |body| body.id()) {
                self.owners.remove(place);
            }
            self.crowd.remove(body);
        }
        self.record(AgentEventKind::Removed { agent: id, at });
    }

    /// Makes an agent one of another kind from now on; it looks for its way again. Does nothing if there is no such agent.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation, Terrain};
    /// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
    /// let moves = |profile| Movement::new(profile, MovementRule::FourWay, StepCosts::EXACT);
    /// let walker = Profile::movingai().without(Terrain::SWAMP);
    /// let world = PathWorld::with_movement("..S..\n".parse()?, moves(walker)?);
    /// let world = world.with_kind("wader", moves(Profile::movingai())?).build()?;
    /// let wader = world.kind("wader").expect("it was just added");
    /// let mut simulation = Simulation::new(world, Budget::expansions(1000));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (4, 0)));
    /// simulation.tick();
    /// assert!(simulation.is_at_rest(), "swamp is in the way");
    /// simulation.set_kind(agent, wader);
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// assert_eq!(simulation.agent(agent).unwrap().at(), Cell::new(4, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kind(&mut self, id: AgentId, kind: KindId) {
        let Some(agent) = self.agents.get_mut(id.0 as usize) else { return };
        agent.plan.kind = kind;
        if let Some((body, plan)) = agent.body.zip(agent.plan.body.as_mut()) {
            plan.kind = kind;
            let _ = self.crowd.set_plan(body, *plan);
        }
        let rests = match agent.state {
            AgentState::Arrived | AgentState::Removed => true,
            AgentState::Stopped(reason) => {
                matches!(reason, StopReason::Ordered | StopReason::Unfit | StopReason::HeldUp)
            }
            AgentState::Waiting | AgentState::Walking | AgentState::Crossing => false,
        };
        if !rests {
            self.set_out(id);
        }
    }

    /// Gives an agent another body from now on: another size, speed, acceleration, limit of turns or priority. Its kind stays. Does nothing if
    /// there is no such agent, or if it has none. Fails with a [`BodyError`] if the numbers make no sense.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::BodyPlan;
    /// let mut simulation = Simulation::new(PathWorld::new(".........\n".parse()?), Budget::expansions(1000));
    /// let body = BodyPlan::new([0.5, 0.5]);
    /// let agent = simulation.add(AgentPlan::of_body(body, (8, 0)));
    /// simulation.set_body(agent, body.with_speed(4.0))?;
    /// (0..60).for_each(|_| _ = simulation.tick());
    /// assert!(simulation.body(agent).unwrap().velocity()[0] > 3.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_body(&mut self, id: AgentId, plan: BodyPlan) -> Result<(), BodyError> {
        let Some(agent) = self.agents.get_mut(id.0 as usize) else { return Ok(()) };
        let plan = BodyPlan { kind: agent.plan.kind, ..plan };
        plan.check()?;
        if let Some(body) = agent.body {
            self.crowd.set_plan(body, plan)?;
            agent.plan.body = Some(plan);
            agent.steered = None;
        }
        Ok(())
    }

    /// What the world may do in each tick from now on.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::simulation::AgentState;
    /// let mut simulation = Simulation::new(PathWorld::new("...\n".parse()?), Budget::expansions(0));
    /// let agent = simulation.add(AgentPlan::new((0, 0), (2, 0)));
    /// simulation.tick();
    /// assert_eq!(simulation.agent(agent).unwrap().state(), AgentState::Waiting);
    /// simulation.set_budget(Budget::expansions(1000));
    /// simulation.tick();
    /// assert_eq!(simulation.agent(agent).unwrap().state(), AgentState::Walking);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Takes all agents off the map. Numbers of agents begin at 0 again.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// let mut simulation = Simulation::new(PathWorld::new("...\n".parse()?), Budget::expansions(1000));
    /// simulation.add(AgentPlan::new((0, 0), (2, 0)));
    /// simulation.remove_agents();
    /// assert!(simulation.agents().is_empty() && simulation.world().waiting() == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_agents(&mut self) {
        for number in 0..self.agents.len() {
            self.cancel(AgentId(number as u32));
        }
        self.agents.clear();
        self.watched.clear();
        self.groups.clear();
        self.owners.clear();
        self.crowd = crate::crowd::Crowd::new(*self.crowd.options());
    }

    /// Adds a planner to its world: see [`PathWorld::add_planner`].
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Simulation};
    /// use highroad::catalog::Spec;
    /// use highroad::grid::KindId;
    /// use highroad::world::PlannerStatus;
    /// let mut simulation = Simulation::new(PathWorld::new("...\n".parse()?), Budget::expansions(1000));
    /// let planner = simulation.add_planner(KindId::DEFAULT, "hpa".parse::<Spec>()?).unwrap();
    /// simulation.replace_planner(planner, "jps".parse::<Spec>()?);
    /// simulation.stop_rebuild(planner);
    /// simulation.rebuild(planner);
    /// while simulation.world().planner_status(planner) != Some(PlannerStatus::Ready) {
    ///     simulation.tick_world();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_planner(
        &mut self,
        kind: KindId,
        recipe: impl Recipe + 'static,
    ) -> Option<PlannerId> {
        self.world.add_planner(kind, recipe)
    }

    /// Puts another planner in the place of one of its world's: see [`PathWorld::replace_planner`].
    pub fn replace_planner(&mut self, planner: PlannerId, recipe: impl Recipe + 'static) -> bool {
        self.world.replace_planner(planner, recipe)
    }

    /// Builds a planner of its world again: see [`PathWorld::rebuild`].
    pub fn rebuild(&mut self, planner: PlannerId) {
        self.world.rebuild(planner);
    }

    /// Gives up building a planner of its world: see [`PathWorld::stop_rebuild`].
    pub fn stop_rebuild(&mut self, planner: PlannerId) -> bool {
        self.world.stop_rebuild(planner)
    }

    /// A tick in which agents stand still: the world goes on within the budget. For games that are paused, since planners
    /// follow edits then as well. See [`Simulation::add_planner`] for an
    /// example.
    pub fn tick_world(&mut self) -> TickReport {
        let report = self.world.tick(self.budget);
        self.tell_rebuilds();
        report
    }
}
