//! Groups: agents that are sent together arrive together, in a formation where there is room.
//!
//! The leader is an ordinary agent on a path of its own. It waits for those who lag behind. Each other member walks, whichever comes first:
//!
//! 1. to its *place* in the formation, if it fits there and gets there straight from where it is and from where the leader is,
//! 2. along the *trail*, the cells that the leader has walked over: so a group passes a gap one behind the other,
//! 3. on a path of its own to the leader.
//!
//! When the leader has arrived, everybody else is sent to a cell around the goal: that of its place in the formation, or the nearest
//! one that is free.

use super::Simulation;
use super::agent::{AgentId, AgentState, StopReason};
use super::event::AgentEventKind;
use super::follow::grid_of;
use crate::crowd::{
    Aim, Body, Formation, Vector, aim_along, cell_at, fits, middle_of, reaches, within,
};
use highroad_core::{Cell, CellRect, Grid};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use thiserror::Error;

/// The id of a group of a [`Simulation`]. It is never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupId(pub u32);

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group {}", self.0)
    }
}

/// Why agents cannot be a group. See [`Simulation::send_group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupError {
    /// It would have no member.
    #[error("a group without agents")]
    Empty,
    /// There is no such agent, or it was removed.
    #[error("there is no {0}")]
    NoSuchAgent(AgentId),
    /// It has no body: only bodies keep a formation.
    #[error("{0} has no body")]
    NoBody(AgentId),
    /// It is named twice.
    #[error("{0} is named twice")]
    Twice(AgentId),
}

/// Cells of the trail that are kept.
const TRAIL_MAX: usize = 512;
/// How much of the leader's heading a tick takes over.
const TURN_SHARE: f64 = 0.05;
/// Seconds within which a member wants to be at its place.
const PLACE_SECONDS: f64 = 0.5;
/// Cells by which a member may lag behind before the leader waits, and by which it waits most.
const LAG_FREE: f64 = 0.4;
const LAG_MAX: f64 = 3.0;
/// The share of the slowest member's speed with which the leader walks, so that the slowest can catch up.
const LEADER_SHARE: f64 = 0.9;
/// The least share of its speed with which the leader goes on: it does not stand in a gap for ever.
const LEAST_SHARE: f64 = 0.1;
/// How near to the end of the trail a member walks at most, in steps.
const TRAIL_GAP: usize = 1;
/// Cells of the trail that are looked at together.
const TRAIL_PIECE: usize = 8;
/// Ticks after which a member on a path of its own looks for its group again.
const LOOK_TICKS: u64 = 16;

/// Agents that were sent together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) id: GroupId,
    /// The leader first, then by their places in the formation.
    pub(super) members: Vec<Member>,
    pub(super) goal: Cell,
    pub(super) formation: Formation,
    /// Where the formation looks, of length one.
    pub(super) heading: Vector,
    /// Cells that the leader has walked over, the latest last, and how many were forgotten.
    pub(super) trail: Vec<Cell>,
    pub(super) forgotten: usize,
    /// Whether the leader has arrived, and the others go to their cells around the goal.
    pub(super) settles: bool,
}

/// A member of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) agent: AgentId,
    /// How far along the trail it is, with what was forgotten.
    pub(super) passed: usize,
    /// Whether it is on a path of its own.
    pub(super) astray: bool,
}

/// Where a member walks in a tick.
enum Step {
    To { point: Vector, share: f64, passed: usize, lag: f64 },
    Astray,
}

impl Simulation {
    /// Sends agents with bodies somewhere together: they arrive together, and keep the formation where there is room. The one nearest to the
    /// goal leads. Whoever is sent elsewhere, stopped or removed leaves the group, and so does a leader: the next one leads then.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::{BodyPlan, Formation, Shape};
    /// use highroad::simulation::{AgentEventKind, GroupError, GroupId};
    /// let world = PathWorld::new("............\n............\n............\n............\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// let agents: Vec<_> = [[0.5, 0.5], [0.5, 2.5], [2.5, 1.5]]
    ///     .map(|at| simulation.add(AgentPlan::of_body(BodyPlan::new(at), (0, 0))))
    ///     .to_vec();
    /// let group: GroupId = simulation.send_group(&agents, (9, 2), Formation::new(Shape::Wedge))?;
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// let arrived = |kind: &AgentEventKind| matches!(kind, AgentEventKind::GroupArrived { group: g, .. } if *g == group);
    /// assert!(simulation.take_events().iter().any(|event| arrived(&event.kind)));
    /// assert_eq!(simulation.send_group(&[], (0, 0), Formation::default()), Err(GroupError::Empty));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no agent, one of them does not exist or has no body, or is named twice.
    pub fn send_group(
        &mut self,
        agents: &[AgentId],
        goal: impl Into<Cell>,
        formation: Formation,
    ) -> Result<GroupId, GroupError> {
        let goal = goal.into();
        self.check_group(agents)?;
        let middle = middle_of(goal);
        let position = |this: &Self, id: AgentId| {
            this.body(id).map_or(Vector::ZERO, |body| body.position().into())
        };
        let distance = |id: &AgentId| (position(self, *id) - middle).length_squared();
        let by_distance = |a: &AgentId, b: &AgentId| distance(a).total_cmp(&distance(b));
        let leader = agents.iter().copied().min_by(by_distance).ok_or(GroupError::Empty)?;
        let from = position(self, leader);
        let heading = (middle - from).unit().unwrap_or(Vector::new(1.0, 0.0));
        // Each place goes to the nearest member that has none.
        let mut left: Vec<AgentId> = agents.iter().copied().filter(|&id| id != leader).collect();
        let mut order = vec![leader];
        for number in 1..agents.len() {
            let place = formation.place(number, agents.len(), from.into(), heading.into());
            let apart = |id: AgentId| (position(self, id) - Vector::from(place)).length_squared();
            let nearest =
                (0..left.len()).min_by(|&a, &b| apart(left[a]).total_cmp(&apart(left[b])));
            order.extend(nearest.map(|at| left.remove(at)));
        }
        let id = GroupId(self.groups_sent);
        self.groups_sent += 1;
        let member = |&agent: &AgentId| Member { agent, passed: 0, astray: false };
        let members: Vec<Member> = order.iter().map(member).collect();
        for &agent in &order {
            self.leave_group(agent);
            self.agents[agent.0 as usize].group = Some(id);
        }
        self.record(AgentEventKind::GroupSent { group: id, members: members.len(), to: goal });
        self.groups.push(Group {
            id,
            members,
            goal,
            formation,
            heading,
            trail: Vec::new(),
            forgotten: 0,
            settles: false,
        });
        self.direct(leader, goal);
        order[1..].iter().for_each(|&agent| self.fall_in(agent, goal));
        Ok(id)
    }

    fn check_group(&self, agents: &[AgentId]) -> Result<(), GroupError> {
        let mut seen = BTreeSet::new();
        for &id in agents {
            let agent = self.agent(id).filter(|agent| agent.state != AgentState::Removed);
            let agent = agent.ok_or(GroupError::NoSuchAgent(id))?;
            agent.body.ok_or(GroupError::NoBody(id))?;
            if !seen.insert(id) {
                return Err(GroupError::Twice(id));
            }
        }
        if agents.is_empty() { Err(GroupError::Empty) } else { Ok(()) }
    }

    /// Lets a member walk with its group, on no path of its own.
    fn fall_in(&mut self, id: AgentId, goal: Cell) {
        self.cancel(id);
        let agent = &mut self.agents[id.0 as usize];
        if matches!(agent.state, AgentState::Stopped(StopReason::Buried | StopReason::Unfit)) {
            return;
        }
        agent.orders = Default::default();
        agent.plan.goal = goal;
        agent.steps = 0;
        agent.stand();
        agent.state = AgentState::Walking;
    }

    /// Takes an agent out of its group, if it is in one.
    pub(super) fn leave_group(&mut self, id: AgentId) {
        let Some(agent) = self.agents.get_mut(id.0 as usize) else { return };
        let Some(group) = agent.group.take() else { return };
        if let Some(body) = agent.body {
            self.crowd.throttle(body, 1.0);
        }
        let Some(at) = self.groups.iter().position(|other| other.id == group) else { return };
        let group = &mut self.groups[at];
        let led = group.members.first().map(|member| member.agent) == Some(id);
        group.members.retain(|member| member.agent != id);
        let (goal, settles) = (group.goal, group.settles);
        match group.members.first().map(|member| member.agent) {
            None => _ = self.groups.remove(at),
            Some(next) if led && !settles => {
                self.groups[at].members[0].astray = false;
                self.direct(next, goal);
            }
            Some(_) => {}
        }
    }

    /// Whether the group of an agent says where it walks, and not a path of its own.
    pub(super) fn is_led(&self, id: AgentId) -> bool {
        let Some(group) = self.agents[id.0 as usize].group else { return false };
        let group = self.groups.iter().find(|other| other.id == group);
        let is_led = |group: &Group| {
            let mut others = group.members.iter().skip(1);
            !group.settles && others.any(|member| member.agent == id && !member.astray)
        };
        group.is_some_and(is_led)
    }

    /// Lets all groups go on for a tick.
    pub(super) fn lead_groups(&mut self) {
        let mut at = 0;
        while at < self.groups.len() {
            // It is put back unless it is done.
            let mut group = self.groups[at].clone();
            if self.lead(&mut group) {
                self.groups[at] = group;
                at += 1;
            } else {
                self.groups.retain(|other| other.id != group.id);
            }
        }
    }

    /// Lets a group go on for a tick. Returns whether there is more to come.
    fn lead(&mut self, group: &mut Group) -> bool {
        let leader = group.members[0].agent;
        if group.settles {
            return self.wait_for_all(group);
        }
        match self.agents[leader.0 as usize].state {
            AgentState::Arrived => {
                self.settle(group);
                return true;
            }
            AgentState::Stopped(
                StopReason::Unreachable | StopReason::GoalBlocked | StopReason::NoSuchKind,
            ) => {
                let at = self.agents[leader.0 as usize].at();
                self.record(AgentEventKind::GroupStopped { group: group.id, at });
                self.dissolve(group, true);
                return false;
            }
            _ => {}
        }
        let Some(body) = self.body(leader).copied() else { return true };
        group.follow_leader(&body);
        let mut lag_max = 0.0_f64;
        for number in 1..group.members.len() {
            lag_max = lag_max.max(self.lead_member(group, number, &body));
        }
        let slowest = |this: &Self| {
            let bodies = group.members.iter().filter_map(|member| this.body(member.agent));
            bodies.map(|body| body.plan().speed).fold(f64::INFINITY, f64::min)
        };
        let wait = 1.0 - within((lag_max - LAG_FREE) / (LAG_MAX - LAG_FREE), 0.0, 1.0);
        let share = LEADER_SHARE * slowest(self) / body.plan().speed * wait.max(LEAST_SHARE);
        self.crowd.throttle(body.id(), share);
        true
    }

    /// Says where a member walks. Returns how far it lags behind.
    fn lead_member(&mut self, group: &mut Group, number: usize, leader: &Body) -> f64 {
        let Member { agent: id, passed, astray } = group.members[number];
        let agent = &self.agents[id.0 as usize];
        if !matches!(agent.state, AgentState::Walking | AgentState::Waiting) {
            return 0.0;
        }
        let Some(body) = self.body(id).copied() else { return 0.0 };
        let grid = grid_of(&self.world, agent);
        if astray && !(self.tick + u64::from(id.0)).is_multiple_of(LOOK_TICKS) {
            return LAG_MAX;
        }
        match group.step_of(number, passed, leader, &body, grid) {
            Step::To { point, share, passed, lag } => {
                if astray {
                    self.fall_in(id, group.goal);
                }
                group.members[number] = Member { agent: id, passed, astray: false };
                self.crowd.walk_to(body.id(), point.into(), group.goal, false);
                self.crowd.throttle(body.id(), share);
                return lag;
            }
            Step::Astray if !astray => {
                group.members[number].astray = true;
                self.crowd.throttle(body.id(), 1.0);
                let to = cell_at(leader.position().into()).unwrap_or(group.goal);
                self.agents[id.0 as usize].plan.goal = to;
                self.set_out(id);
            }
            Step::Astray => {}
        }
        LAG_MAX
    }

    /// Sends all but the leader to cells around the goal.
    fn settle(&mut self, group: &mut Group) {
        group.settles = true;
        let mut taken = BTreeSet::from([group.goal]);
        for number in 1..group.members.len() {
            let id = group.members[number].agent;
            let agent = &self.agents[id.0 as usize];
            let radius = agent.plan.body.map_or(0.5, |body| body.radius);
            let cell = group.cell_around_goal(number, grid_of(&self.world, agent), radius, &taken);
            taken.insert(cell);
            if let Some(body) = agent.body {
                self.crowd.throttle(body, 1.0);
            }
            let gone = matches!(agent.state, AgentState::Removed | AgentState::Stopped(_));
            if !gone {
                self.direct(id, cell);
            }
        }
    }

    /// Whether somebody is still on the way to its cell around the goal.
    fn wait_for_all(&mut self, group: &mut Group) -> bool {
        let state = |member: &Member| self.agents[member.agent.0 as usize].state;
        let rests = |member: &Member| {
            matches!(
                state(member),
                AgentState::Arrived | AgentState::Stopped(_) | AgentState::Removed
            )
        };
        if !group.members.iter().all(rests) {
            return true;
        }
        self.record(AgentEventKind::GroupArrived { group: group.id, at: group.goal });
        self.dissolve(group, false);
        false
    }

    /// Lets members go their own ways; `stops` those who walk.
    fn dissolve(&mut self, group: &Group, stops: bool) {
        for member in &group.members {
            let agent = &mut self.agents[member.agent.0 as usize];
            agent.group = None;
            let walks = matches!(agent.state, AgentState::Walking | AgentState::Waiting);
            if let Some(body) = agent.body {
                self.crowd.throttle(body, 1.0);
            }
            if stops && walks {
                self.cancel(member.agent);
                let at = self.halt(member.agent, StopReason::Unreachable);
                self.record(AgentEventKind::Unreachable { agent: member.agent, at, nearest: at });
            }
        }
    }
}

impl Group {
    /// Takes note of where the leader is and looks.
    fn follow_leader(&mut self, leader: &Body) {
        let cell = leader.cell();
        if self.trail.last() != Some(&cell) {
            self.trail.push(cell);
            if self.trail.len() > TRAIL_MAX {
                self.trail.drain(..TRAIL_MAX / 2);
                self.forgotten += TRAIL_MAX / 2;
            }
        }
        let turned =
            self.heading * (1.0 - TURN_SHARE) + Vector::from(leader.heading()) * TURN_SHARE;
        self.heading = turned.unit().unwrap_or(self.heading);
    }

    /// Where a member walks in this tick.
    fn step_of(
        &self,
        number: usize,
        passed: usize,
        leader: &Body,
        body: &Body,
        grid: &Grid,
    ) -> Step {
        let (position, radius) = (body.position(), body.plan().radius);
        let place = self.formation.place(
            number,
            self.members.len(),
            leader.position(),
            self.heading.into(),
        );
        let is_free = fits(grid, place, radius)
            && reaches(grid, leader.position(), place, radius)
            && reaches(grid, position, place, radius);
        if is_free {
            // A little ahead of its place, so that it walks as fast as the leader when it is there.
            let ahead = Vector::from(place) + Vector::from(leader.velocity()) * PLACE_SECONDS;
            let way = (ahead - position.into()).length();
            let share = (way / (PLACE_SECONDS * body.plan().speed)).min(1.0);
            let lag = (Vector::from(place) - position.into()).length();
            let passed = self.nearest_on_trail(passed, position.into());
            return Step::To { point: ahead, share, passed, lag };
        }
        // Behind whoever walks before it on the trail.
        let end = self.trail.len().saturating_sub(TRAIL_GAP).max(1);
        let from = passed.saturating_sub(self.forgotten).min(end - 1);
        let mut pieces = (from..end).step_by(TRAIL_PIECE);
        let along = |from| aim_along(grid, &self.trail[..end], from, position, radius);
        let found =
            pieces.find_map(|from| Some(along(from)).filter(|(aim, _)| *aim != Aim::Unreachable));
        let (aim, on) = found.unwrap_or((Aim::Unreachable, from));
        match aim {
            Aim::Walk { point, .. } => {
                // One behind the other the group is longer than its formation.
                let apart = (Vector::from(leader.position()) - position.into()).length();
                let lag = apart - self.formation.spacing.max(1.0) * number as f64;
                Step::To { point: point.into(), share: 1.0, passed: self.forgotten + on, lag }
            }
            Aim::Link(_) | Aim::Unreachable | Aim::Unsettled => Step::Astray,
        }
    }

    /// The cell of the trail that is nearest to a position, not before one that was passed and not far after it; with what was forgotten.
    fn nearest_on_trail(&self, passed: usize, position: Vector) -> usize {
        let from = passed.saturating_sub(self.forgotten).min(self.trail.len() - 1);
        let near = from..self.trail.len().min(from + 2 * TRAIL_PIECE);
        let distance = |at: &usize| (middle_of(self.trail[*at]) - position).length_squared();
        let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        self.forgotten + nearest.unwrap_or(from)
    }

    /// The cell of a member's place around the goal, or the nearest one that is free.
    fn cell_around_goal(
        &self,
        number: usize,
        grid: &Grid,
        radius: f64,
        taken: &BTreeSet<Cell>,
    ) -> Cell {
        let middle = middle_of(self.goal).into();
        let place = self.formation.place(number, self.members.len(), middle, self.heading.into());
        let wanted = cell_at(place.into());
        let has_room =
            |cell: &Cell| fits(grid, middle_of(*cell).into(), radius) && !taken.contains(cell);
        let is_open = |cell: &Cell| reaches(grid, middle, middle_of(*cell).into(), radius);
        if let Some(cell) = wanted.filter(has_room).filter(is_open) {
            return cell;
        }
        // Outwards from the goal, step by step.
        let (mut seen, mut queue) = (BTreeSet::from([self.goal]), VecDeque::from([self.goal]));
        while let Some(cell) = queue.pop_front() {
            if has_room(&cell) {
                return cell;
            }
            let first = Cell::new(cell.x.saturating_sub(1), cell.y.saturating_sub(1));
            let last = Cell::new(cell.x.saturating_add(1), cell.y.saturating_add(1));
            for next in CellRect::new(first, last).cells() {
                if grid.step_cost(cell, next).is_some() && seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        self.goal
    }
}
