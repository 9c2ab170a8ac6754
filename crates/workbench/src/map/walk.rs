//! An agent of the engine's simulation that walks from start to goal while the map changes.

use super::MapMode;
use highroad::AgentPlan;
use highroad::planner::{Answer, Point};
use highroad::simulation::{Agent, AgentEventKind, AgentId, AgentState, Pace, StopReason};
use std::time::Duration;

/// Ticks of the simulation in a second.
const TICKS_PER_SECOND: f64 = 60.0;
/// Ticks that one frame makes up for; what is owed beyond is forgotten.
const TICKS_MAX: f64 = 12.0;
/// Parts of a cell that a speed is rounded to.
const PACE_PARTS: f32 = 64.0;

/// The agent, and what is seen of it.
pub struct Walk {
    /// How fast it walks, in cells a second.
    pub speed: f32,
    /// Whether it was ordered to wait.
    pub is_paused: bool,
    agent: Option<AgentId>,
    /// Where it has been, and where it is.
    trail: Vec<Point>,
    /// How often it has taken another way.
    pub replans: u32,
    /// Part of a tick that is still owed.
    owed: f64,
    /// The speed that the agent was given.
    speed_given: f32,
}

impl Walk {
    pub(super) fn new(speed: f32) -> Self {
        Self {
            speed,
            is_paused: false,
            agent: None,
            trail: Vec::new(),
            replans: 0,
            owed: 0.0,
            speed_given: 0.0,
        }
    }

    fn pace(&self) -> Pace {
        let cells = (self.speed * PACE_PARTS).round().max(1.0) as u32;
        Pace::new(cells, (TICKS_PER_SECOND as f32 * PACE_PARTS) as u32)
    }
}

impl MapMode {
    /// The agent, if there is one.
    pub fn agent(&self) -> Option<&Agent> {
        self.document.simulation().agent(self.walk.agent?)
    }

    /// Where the agent has been, and at last where it is.
    pub fn trail(&self) -> &[Point] {
        &self.walk.trail
    }

    /// Where the agent is, on its way between two cells.
    fn agent_place(&self) -> Option<Point> {
        let agent = self.agent()?;
        let from = Point::middle_of(agent.at());
        let Some((next, share)) = agent.stride() else { return Some(from) };
        let (to, share) = (Point::middle_of(next), share.clamp(0.0, 1.0) as f32);
        let between = |from: f32, to: f32| from + (to - from) * share;
        Some(Point { x: between(from.x, to.x), y: between(from.y, to.y) })
    }

    /// Whether the agent is on its way, or waits for one.
    pub fn is_walking(&self) -> bool {
        let on_its_way =
            |agent: &Agent| matches!(agent.state(), AgentState::Waiting | AgentState::Walking);
        self.agent().is_some_and(on_its_way)
    }

    /// Why the agent has stopped, if it has.
    pub fn stop_reason(&self) -> Option<&'static str> {
        let AgentState::Stopped(reason) = self.agent()?.state() else { return None };
        Some(match reason {
            StopReason::Unreachable => "The agent stopped: no way leads to the goal.",
            StopReason::GoalBlocked => "The agent stopped: the goal is blocked.",
            StopReason::Buried => "The agent stopped: there is a wall where it stands.",
            _ => "The agent stopped.",
        })
    }

    /// Lets an agent walk the path; or wait, or go on.
    pub fn toggle_walk(&mut self) {
        if self.is_walking() {
            self.walk.is_paused = !self.walk.is_paused;
        } else {
            self.start_walk();
        }
    }

    /// Sets an agent out on the path, from its start.
    pub fn start_walk(&mut self) {
        self.end_walk();
        let outcome = self.run.outcome.as_ref();
        if !matches!(outcome.map(|outcome| &outcome.answer), Some(Answer::Found(_))) {
            self.say_error("There is no path to walk.");
            return;
        }
        let (start, goal) = self.document.places();
        let plan = AgentPlan::new(start, goal).with_pace(self.walk.pace());
        self.walk.speed_given = self.walk.speed;
        self.walk.trail = vec![Point::middle_of(start); 2];
        self.walk.agent = Some(self.document.simulation_mut().add(plan));
    }

    /// Takes the agent off the map.
    pub fn end_walk(&mut self) {
        self.document.simulation_mut().remove_agents();
        self.walk = Walk::new(self.walk.speed);
    }

    /// The goal has moved: an agent that has not arrived goes there.
    pub(super) fn redirect_agent(&mut self) {
        let goal = self.document.goal();
        let Some(id) = self.walk.agent else { return };
        let has_not_arrived =
            |agent: &Agent| agent.state() != AgentState::Arrived && agent.goal() != goal;
        if self.agent().is_some_and(has_not_arrived) {
            self.document.simulation_mut().send(id, goal);
        }
    }

    /// Lets the simulation go on: the agent walks for some time, and the planner follows edits in any case.
    pub(super) fn advance_simulation(&mut self, elapsed: Duration) {
        if !self.is_walking() || self.walk.is_paused {
            self.document.simulation_mut().tick_world();
        } else {
            self.set_pace();
            let owed = self.walk.owed + elapsed.as_secs_f64() * TICKS_PER_SECOND;
            self.walk.owed = owed.min(TICKS_MAX).fract();
            for _ in 0..owed.min(TICKS_MAX) as u32 {
                self.document.simulation_mut().tick();
            }
        }
        self.take_events();
    }

    fn set_pace(&mut self) {
        if let Some(agent) = self.walk.agent.filter(|_| self.walk.speed_given != self.walk.speed) {
            self.walk.speed_given = self.walk.speed;
            let pace = self.walk.pace();
            self.document.simulation_mut().set_pace(agent, pace);
        }
    }

    fn take_events(&mut self) {
        self.walk.trail.pop();
        for event in self.document.simulation_mut().take_events() {
            match event.kind {
                AgentEventKind::Stepped { to, .. } => {
                    self.walk.trail.push(Point::middle_of(to));
                }
                AgentEventKind::Replanned { .. } | AgentEventKind::Improved { .. } => {
                    self.walk.replans += 1;
                }
                _ => {}
            }
        }
        self.walk.trail.extend(self.agent_place());
    }
}
