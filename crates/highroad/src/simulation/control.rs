//! What a game does to agents and planners between two ticks.

use super::Simulation;
use super::agent::{AgentId, Pace};
use crate::planners::PlannerId;
use crate::recipe::Recipe;
use crate::requests::TickReport;
#[allow(unused_imports, reason = "links of the documentation")]
use crate::world::PathWorld;
use highroad_core::KindId;

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
