//! Where agents go one after the other: via points and patrols.

use super::Simulation;
use super::agent::{AgentId, AgentState, StopReason};
use super::event::AgentEventKind;
use highroad_core::Cell;
use std::sync::Arc;

/// The points that an agent goes to, and the next one after its goal.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders {
    pub(super) points: Arc<Vec<Cell>>,
    pub(super) next: usize,
    pub(super) repeats: bool,
}

impl Orders {
    /// The points that are left.
    pub(super) fn left(&self) -> &[Cell] {
        self.points.get(self.next..).unwrap_or(&[])
    }

    /// Whether the goal is the last point.
    pub(super) fn is_done(&self) -> bool {
        self.left().is_empty() && !self.repeats
    }

    /// The point after the goal, which becomes the goal.
    pub(super) fn advance(&mut self) -> Option<Cell> {
        if self.repeats && self.next >= self.points.len() {
            self.next = 0;
        }
        let point = self.points.get(self.next).copied()?;
        self.next += 1;
        Some(point)
    }
}

impl Simulation {
    /// Sends an agent to some points one after the other, from where it is; the last one is its goal. At each one before it an
    /// event says that it has passed. Does nothing if there is no such agent or no point.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation};
    /// use highroad::simulation::AgentEventKind;
    /// let world = PathWorld::new("......\n......\n......\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// let scout = simulation.add(AgentPlan::new((0, 0), (0, 0)));
    /// simulation.send_via(scout, &[Cell::new(5, 0), Cell::new(5, 2), Cell::new(0, 2)]);
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// let passed: Vec<Cell> = simulation.take_events().iter().filter_map(|event| match event.kind {
    ///     AgentEventKind::Passed { at, .. } => Some(at),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(passed, [Cell::new(5, 0), Cell::new(5, 2)]);
    /// assert_eq!(simulation.agent(scout).unwrap().at(), Cell::new(0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_via(&mut self, id: AgentId, points: &[Cell]) {
        self.order(id, points, false);
    }

    /// Lets an agent go from point to point for ever, after the last one to the first again. With a single point it is as
    /// [`Simulation::send`]. Does nothing if there is no such agent or no point.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation};
    /// let mut simulation = Simulation::new(PathWorld::new("......\n".parse()?), Budget::expansions(10_000));
    /// let guard = simulation.add(AgentPlan::new((0, 0), (0, 0)));
    /// simulation.patrol(guard, &[Cell::new(5, 0), Cell::new(0, 0)]);
    /// (0..100).for_each(|_| _ = simulation.tick());
    /// assert!(!simulation.is_at_rest() && simulation.agent(guard).unwrap().steps() > 50);
    /// simulation.stop(guard);
    /// assert!(simulation.is_at_rest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn patrol(&mut self, id: AgentId, points: &[Cell]) {
        self.order(id, points, points.len() > 1);
    }

    fn order(&mut self, id: AgentId, points: &[Cell], repeats: bool) {
        let Some(&goal) = points.first() else { return };
        self.leave_group(id);
        self.direct(id, goal);
        if let Some(agent) = self.agents.get_mut(id.0 as usize) {
            agent.orders = Orders { points: Arc::new(points.to_vec()), next: 1, repeats };
        }
    }

    /// Sends an agent to a goal, and forgets what it should do after that.
    pub(super) fn direct(&mut self, id: AgentId, goal: Cell) {
        let Some(agent) = self.agents.get_mut(id.0 as usize) else { return };
        agent.plan.goal = goal;
        (agent.steps, agent.orders) = (0, Orders::default());
        let stays = [StopReason::Buried, StopReason::Unfit].map(AgentState::Stopped);
        if !stays.contains(&agent.state) && agent.state != AgentState::Removed {
            self.set_out(id);
        }
    }

    /// An agent is at its goal: it has arrived, or goes on to the next point.
    pub(super) fn arrive(&mut self, id: AgentId) {
        self.cancel(id);
        let agent = &mut self.agents[id.0 as usize];
        let (at, steps) = (agent.at(), agent.steps);
        if let Some(next) = agent.orders.advance() {
            let left = agent.orders.left().len() + 1;
            agent.plan.goal = next;
            self.record(AgentEventKind::Passed { agent: id, at, left });
            self.set_out(id);
            return;
        }
        agent.state = AgentState::Arrived;
        self.record(AgentEventKind::Arrived { agent: id, at, steps });
    }
}
