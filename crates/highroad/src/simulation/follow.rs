//! What agents do: notice edits, take paths, walk.

use super::agent::{Agent, AgentId, AgentState, Asked, Reason, StopReason};
use super::event::AgentEventKind;
use super::{AHEAD, Simulation};
use crate::requests::{Reply, RequestError};
use crate::world::PathWorld;
use highroad_core::{Cell, CellEffect, Cost, End, Grid, Path, QueryError};

/// How an edit bears on a way.
#[derive(Debug, PartialEq, Eq)]
enum Effect {
    None,
    /// It can still be walked, but costs something else.
    Costlier,
    /// It can be walked up to that cell of the route.
    Cut(usize),
}

impl Simulation {
    /// Lets an agent notice an edit.
    pub(super) fn notice(&mut self, id: AgentId, effects: &[CellEffect]) {
        let grid = grid_of(&self.world, &self.agents[id.0 as usize]);
        let agent = &mut self.agents[id.0 as usize];
        let at = agent.at();
        // A body is buried when it does not fit, and walks out by itself.
        if agent.body.is_none() && !grid.is_enterable(at) {
            if agent.state != AgentState::Stopped(StopReason::Buried) {
                agent.state = AgentState::Stopped(StopReason::Buried);
                self.cancel(id);
                self.agents[id.0 as usize].stand();
                self.record(AgentEventKind::Buried { agent: id, at });
            }
            return;
        }
        match agent.state {
            AgentState::Stopped(StopReason::Buried) if agent.body.is_some() => {}
            AgentState::Stopped(StopReason::Buried) => {
                self.record(AgentEventKind::Freed { agent: id, at });
                self.set_out(id);
            }
            // A field finds out by itself what an edit means.
            _ if agent.plan.by_field => {}
            AgentState::Stopped(StopReason::Unreachable | StopReason::GoalBlocked) => {
                if agent.asked.is_none() && effects.iter().any(opens) {
                    self.set_out(id);
                }
            }
            AgentState::Walking | AgentState::Crossing => self.notice_walking(id, effects),
            AgentState::Waiting
            | AgentState::Arrived
            | AgentState::Removed
            | AgentState::Stopped(_) => {}
        }
    }

    fn notice_walking(&mut self, id: AgentId, effects: &[CellEffect]) {
        let grid = grid_of(&self.world, &self.agents[id.0 as usize]);
        let agent = &mut self.agents[id.0 as usize];
        match effect(agent, grid, effects) {
            Effect::Cut(sound) => {
                agent.sound = sound;
                let steps = sound - agent.index;
                self.record(AgentEventKind::Cut { agent: id, steps });
                self.ask(id, Reason::Repair, AHEAD);
            }
            Effect::Costlier => {
                let repairing = agent.asked.is_some_and(|asked| asked.reason == Reason::Repair);
                // On a leg, the path that it waits for is found again on the map as it is now.
                let improves = agent.whole && !repairing;
                self.record(AgentEventKind::Costlier { agent: id });
                if improves {
                    self.ask(id, Reason::Improve, AHEAD);
                }
            }
            Effect::None => {
                let may = agent.plan.improves && agent.whole && agent.asked.is_none();
                if may && could_improve(agent, grid, effects) {
                    self.ask(id, Reason::Improve, AHEAD);
                }
            }
        }
    }

    /// Lets an agent take what it has asked for, if it is there.
    pub(super) fn receive(&mut self, id: AgentId) {
        let Some(asked) = self.agents[id.0 as usize].asked else { return };
        match self.world.poll(asked.ticket) {
            // The beginning of a way that may not be better is not worth taking for a whole one.
            Reply::Leg(_) if asked.reason == Reason::Improve => {}
            Reply::Leg(path) => self.take(id, &path, false),
            Reply::Ready(path) => self.take(id, &path, true),
            Reply::Unreachable(nearest) => {
                let of_this_map = nearest.revision() == self.world.revision();
                self.give_up(id, asked, nearest.goal(), of_this_map);
            }
            Reply::GaveUp(nearest) => {
                // Edits have outdated the search too often; the map as it is now was not searched to the end.
                let of_this_map = asked.revision == self.world.revision();
                self.give_up(id, asked, nearest.goal(), of_this_map);
            }
            Reply::Failed(error) => {
                self.agents[id.0 as usize].asked = None;
                self.cope(id, asked.reason, error);
            }
            Reply::Pending | Reply::Each(_) | Reply::Range(_) => {}
        }
    }

    /// No path was found, on the map as it is now or as it was: an edit since may have opened one.
    fn give_up(&mut self, id: AgentId, asked: Asked, nearest: Cell, of_this_map: bool) {
        let grid = grid_of(&self.world, &self.agents[id.0 as usize]);
        let (agent, reason) = (&mut self.agents[id.0 as usize], asked.reason);
        agent.asked = None;
        if reason == Reason::Improve {
            return;
        }
        if !of_this_map {
            self.ask(id, reason, AHEAD);
            return;
        }
        // No way leads on from the cell that it asked from. One may lead from where it stands, if steps lead one way and that
        // cell is ahead, or if an edit came while it walked away from there.
        let may_differ = match asked.on_leg {
            true => asked.revision != self.world.revision(),
            false => !grid.costs_the_same_both_ways(),
        };
        if may_differ && asked.from != agent.at() {
            agent.sound = agent.index;
            self.ask(id, reason, 0);
            return;
        }
        let at = self.halt(id, StopReason::Unreachable);
        self.record(AgentEventKind::Unreachable { agent: id, at, nearest });
    }

    /// A request that made no sense: an end was blocked meanwhile, or lies outside.
    fn cope(&mut self, id: AgentId, reason: Reason, error: RequestError) {
        let start_blocked =
            matches!(error, RequestError::Query(QueryError::Refused { end: End::Start, .. }));
        let agent = &self.agents[id.0 as usize];
        if reason == Reason::Improve && !agent.is_at_end() {
            return;
        }
        if start_blocked && grid_of(&self.world, agent).is_enterable(agent.at()) {
            // The cell ahead that it asked from is gone; the one it stands on is not.
            self.ask(id, reason, 0);
            return;
        }
        if let RequestError::NoSuchKind(_) = error {
            let at = self.halt(id, StopReason::NoSuchKind);
            self.record(AgentEventKind::NoSuchKind { agent: id, at });
        } else if let RequestError::Panicked = error {
            // As if the search had given up: no way is known.
            let at = self.halt(id, StopReason::Unreachable);
            self.record(AgentEventKind::Unreachable { agent: id, at, nearest: at });
        } else if start_blocked {
            let at = self.halt(id, StopReason::Buried);
            self.record(AgentEventKind::Buried { agent: id, at });
        } else {
            let at = self.halt(id, StopReason::GoalBlocked);
            self.record(AgentEventKind::GoalBlocked { agent: id, at });
        }
    }

    /// Lets an agent stop for a reason. Returns where it stands.
    pub(super) fn halt(&mut self, id: AgentId, reason: StopReason) -> Cell {
        self.stand_body(id);
        let agent = &mut self.agents[id.0 as usize];
        agent.state = AgentState::Stopped(reason);
        agent.stand();
        agent.at()
    }

    /// Takes a path, or its beginning.
    fn take(&mut self, id: AgentId, path: &Path, whole: bool) {
        let grid = grid_of(&self.world, &self.agents[id.0 as usize]);
        let agent = &mut self.agents[id.0 as usize];
        let Some(asked) = agent.asked else { return };
        let mut saved = Cost::ZERO;
        if asked.reason == Reason::Improve {
            let present = agent.cost_from_join(grid).map_or(u64::MAX, |cost| cost.0);
            saved = Cost(present.saturating_sub(path.cost().0));
            if saved == Cost::ZERO {
                agent.asked = None;
                return;
            }
        }
        // The map may have changed since the path was found.
        let sound = path.revision() == grid.revision() || path.validate(grid).is_ok();
        if !sound || !agent.adopt(path, whole) {
            let ahead = if whole { AHEAD } else { 0 };
            if whole || !sound {
                self.ask(id, asked.reason, ahead);
            }
            return;
        }
        let first = agent.state == AgentState::Waiting;
        agent.state = AgentState::Walking;
        if whole {
            agent.asked = None;
            agent.cost_left = agent.cost_ahead(grid).map_or(0, |cost| cost.0);
        }
        let (at, steps) = (agent.at(), agent.route.len() - 1 - agent.index);
        let kind = match asked.reason {
            _ if !whole => AgentEventKind::Leg { agent: id, steps },
            Reason::First => AgentEventKind::Found { agent: id, steps },
            Reason::Repair => AgentEventKind::Replanned { agent: id, at, steps },
            Reason::Improve => AgentEventKind::Improved { agent: id, at, steps, saved },
        };
        self.replans += u64::from(whole && !first && asked.reason != Reason::First);
        self.record(kind);
    }

    /// Lets an agent walk for a tick.
    pub(super) fn walk(&mut self, id: AgentId) {
        let number = id.0 as usize;
        if self.agents[number].plan.by_field {
            self.walk_by_field(id);
            return;
        }
        if self.agents[number].state != AgentState::Walking {
            return;
        }
        self.agents[number].earn();
        loop {
            if self.agents[number].is_at_join() && !self.agents[number].is_at_end() {
                // The answer is late: it may walk on, and be notified of a way from farther ahead.
                let asked = self.agents[number].asked;
                let (reason, ahead) =
                    asked.map_or((Reason::Repair, AHEAD), |asked| (asked.reason, asked.ahead));
                self.ask(id, reason, ahead.saturating_mul(2).max(AHEAD));
            }
            let agent = &mut self.agents[number];
            let Some(next) = agent.next_step() else { break };
            let grid = grid_of(&self.world, agent);
            let Some(cost) = grid.step_cost(agent.at(), next) else {
                // Cannot be, as long as every edit was noticed; but no agent enters a blocked cell.
                agent.sound = agent.index;
                self.ask(id, Reason::Repair, 0);
                break;
            };
            let is_link = !touches(agent.at(), next);
            agent.step(cost);
            if is_link {
                self.record(AgentEventKind::TookLink { agent: id, to: next });
            }
            if self.reports_steps {
                self.record(AgentEventKind::Stepped { agent: id, to: next });
            }
        }
        let agent = &mut self.agents[number];
        if agent.is_at_end() {
            agent.rest();
            if agent.whole && agent.at() == agent.goal() {
                self.arrive(id);
            }
        }
    }
}

/// Whether two cells are the same or neighbours: from others one gets by links alone.
pub(super) fn touches(from: Cell, to: Cell) -> bool {
    from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1
}

/// The map as an agent sees it; one of a kind that does not exist sees that of the default kind, and never walks.
pub(super) fn grid_of<'w>(world: &'w PathWorld, agent: &Agent) -> &'w Grid {
    world.environment_of(agent.plan.kind).unwrap_or_else(|| world.grid())
}

/// How changes bear on the way that is left to an agent.
fn effect(agent: &Agent, grid: &Grid, effects: &[CellEffect]) -> Effect {
    let cells = &agent.route[..];
    let mut first = usize::MAX;
    let mut costlier = false;
    for effect in effects {
        if let Some(touched) = agent.corridor.first_touched(cells, agent.index, effect.rect) {
            first = first.min(touched);
            costlier |= makes_costlier(effect);
        }
    }
    let allowed = |at: &usize| grid.step_cost(cells[at - 1], cells[*at]).is_some();
    let mut steps = first.max(agent.index + 1)..=agent.sound;
    match steps.find(|at| !allowed(at)) {
        Some(broken) => Effect::Cut(broken - 1),
        None if costlier => Effect::Costlier,
        None => Effect::None,
    }
}

/// Whether a place costs more than before, or steps there may, and it can be entered still.
fn makes_costlier(effect: &CellEffect) -> bool {
    let costs = effect.before.zip(effect.after);
    effect.steps_alone || costs.is_some_and(|(before, after)| after.cost > before.cost)
}

/// Whether a way may lead here that did not, or be cheaper.
fn opens(effect: &CellEffect) -> bool {
    match (effect.before, effect.after) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(before), Some(after)) => {
            before.domain != after.domain || after.cost < before.cost || effect.steps_alone
        }
    }
}

/// Whether places that have opened could lie on a shorter way: as the crow flies, the way to the nearest of them and on
/// would have to be shorter than what is left.
fn could_improve(agent: &Agent, grid: &Grid, effects: &[CellEffect]) -> bool {
    let (at, goal) = (agent.at(), agent.goal());
    effects.iter().any(|effect| {
        let near = |cell: Cell| crow_flies(grid, cell, effect.rect.nearest_to(cell));
        let over = || near(at) + near(goal);
        opens(effect) && over() < agent.cost_left
    })
}

/// The least that a way between two cells can cost: octile, at the cheapest terrain.
fn crow_flies(grid: &Grid, from: Cell, to: Cell) -> u64 {
    let (columns, rows) = from.offset(to);
    let steps = grid.movement().steps();
    let (straight, diagonal) = (u64::from(steps.straight()), u64::from(steps.diagonal()));
    let diagonals = u64::from(columns.min(rows));
    let straights = u64::from(columns.max(rows)) - diagonals;
    let half = if grid.movement().rule().has_diagonals() { diagonal } else { 2 * straight };
    2 * u64::from(*grid.cost_range().start()) * (diagonals * half + straights * straight)
}
