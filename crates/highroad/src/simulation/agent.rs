//! An agent: where it is, where it wants to go, and the way it is on.

use crate::requests::Ticket;
use highroad_core::{Cell, Corridor, Cost, Grid, KindId, Path};

/// An agent's number, from 0 in the order they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId(pub u32);

/// How fast an agent walks: so many cells in so many ticks. Diagonal steps take √2 times as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    cells: u32,
    ticks: u32,
}

impl Pace {
    /// So many cells in so many ticks, each at least 1.
    pub const fn new(cells: u32, ticks: u32) -> Self {
        Self {
            cells: if cells == 0 { 1 } else { cells },
            ticks: if ticks == 0 { 1 } else { ticks },
        }
    }

    /// What a tick earns towards a step.
    fn earned(self) -> u64 {
        STRAIGHT * u64::from(self.cells)
    }

    /// What a step takes.
    fn price(self, from: Cell, to: Cell) -> u64 {
        let diagonal = from.x != to.x && from.y != to.y;
        u64::from(self.ticks) * if diagonal { DIAGONAL } else { STRAIGHT }
    }
}

/// As near to √2 as the costs of steps are, so that walking is as exact as planning.
const STRAIGHT: u64 = 2378;
const DIAGONAL: u64 = 3363;

/// What an agent sets out with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentPlan {
    /// Where it starts.
    pub start: Cell,
    /// Where it wants to go.
    pub goal: Cell,
    /// Which kind of agent it is.
    pub kind: KindId,
    /// How fast it walks.
    pub pace: Pace,
    /// Whether it looks for a shorter way when something opens that could be on one.
    pub improves: bool,
    /// Steps of a first leg to ask for, so that it can set off before its whole path is known.
    pub first_leg: Option<u32>,
}

impl AgentPlan {
    /// One cell a tick, looking for shorter ways, without legs.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        let (start, goal) = (start.into(), goal.into());
        let (kind, pace) = (KindId::DEFAULT, Pace::new(1, 1));
        Self { start, goal, kind, pace, improves: true, first_leg: None }
    }

    /// The same of another kind than the default one.
    pub fn with_kind(mut self, kind: KindId) -> Self {
        self.kind = kind;
        self
    }

    /// The same at another pace.
    pub fn with_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// The same, asking for first legs of so many steps.
    pub fn with_first_leg(mut self, steps: u32) -> Self {
        self.first_leg = Some(steps);
        self
    }

    /// The same, content with a way that has become longer than need be.
    pub fn without_improving(mut self) -> Self {
        self.improves = false;
        self
    }
}

/// How an agent fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentState {
    /// It waits for its first path.
    Waiting,
    /// It is on its way.
    Walking,
    /// It is at its goal.
    Arrived,
    /// It has stopped, and has said why.
    Stopped(StopReason),
}

/// Why an agent has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// No way leads to its goal.
    Unreachable,
    /// Nobody can stand on its goal.
    GoalBlocked,
    /// Its own cell was blocked.
    Buried,
    /// The world has no such kind of agent.
    NoSuchKind,
}

/// An agent of a [`Simulation`](super::Simulation).
#[derive(Debug)]
pub struct Agent {
    pub(super) plan: AgentPlan,
    pub(super) state: AgentState,
    /// The cells of its way; where it is, at `index`.
    pub(super) route: Vec<Cell>,
    pub(super) index: usize,
    /// The last cell of the route that it can walk to.
    pub(super) sound: usize,
    /// Whether the route leads to the goal, and is no leg.
    pub(super) whole: bool,
    pub(super) corridor: Corridor,
    pub(super) asked: Option<Asked>,
    /// Whether its way has become another since somebody looked.
    pub(super) rerouted: bool,
    /// What it has earned towards its next step.
    charge: u64,
    /// What the rest of its way cost when it was found: a better path must cost less.
    pub(super) cost_left: u64,
    pub(super) steps: u64,
}

/// A path that an agent waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) ticket: Ticket,
    pub(super) reason: Reason,
    /// The cell where the path begins.
    pub(super) from: Cell,
    /// The index of `from` on the route; below 0 once the agent has passed it.
    lead: i64,
    /// Whether the agent walks on a leg of it already.
    on_leg: bool,
    /// How far ahead it was asked for.
    pub(super) ahead: usize,
}

/// Why a path is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    First,
    Repair,
    Improve,
}

impl Agent {
    pub(super) fn new(plan: AgentPlan) -> Self {
        Self {
            plan,
            state: AgentState::Waiting,
            route: vec![plan.start],
            index: 0,
            sound: 0,
            whole: false,
            corridor: Corridor::of(&[plan.start]),
            asked: None,
            rerouted: true,
            charge: 0,
            cost_left: 0,
            steps: 0,
        }
    }

    /// Where it is.
    pub fn at(&self) -> Cell {
        self.route[self.index]
    }

    /// Where it wants to go.
    pub fn goal(&self) -> Cell {
        self.plan.goal
    }

    /// How it fares.
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// Steps taken since it was last sent.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The cells that it means to walk over, from where it is.
    pub fn ahead(&self) -> &[Cell] {
        &self.route[self.index..]
    }

    /// The cell that it steps to, and how far it is on the way there, from 0 to 1: for drawing.
    pub fn stride(&self) -> Option<(Cell, f64)> {
        let next = *self.route.get(self.index + 1).filter(|_| self.index < self.sound)?;
        let price = self.plan.pace.price(self.at(), next);
        Some((next, self.charge as f64 / price as f64))
    }

    /// Forgets its way, and stands.
    pub(super) fn stand(&mut self) {
        let at = self.at();
        self.route.clear();
        self.route.push(at);
        self.set_off(0, false);
        self.charge = 0;
    }

    /// Begins with a route that was just laid out. Whoever stops stands, so that a change of state for
    /// which others parts of the map matter comes by here, too.
    fn set_off(&mut self, index: usize, whole: bool) {
        self.index = index;
        self.sound = self.route.len() - 1;
        self.whole = whole;
        self.rerouted = true;
        self.corridor.renew(&self.route);
    }

    /// From which cell of its route it would go another way, looking so far ahead.
    pub(super) fn join(&self, ahead: usize) -> usize {
        (self.index + ahead).min(self.sound)
    }

    pub(super) fn note_asked(&mut self, ticket: Ticket, reason: Reason, join: usize, ahead: usize) {
        let (from, lead) = (self.route[join], join as i64);
        self.asked = Some(Asked { ticket, reason, from, lead, on_leg: false, ahead });
    }

    /// Whether it has come to where the path that it waits for begins, without it.
    pub(super) fn is_at_join(&self) -> bool {
        self.asked.is_some_and(|asked| !asked.on_leg && asked.lead <= self.index as i64)
    }

    /// Takes a path or a leg for the rest of its route. Returns whether it could: a path that leads
    /// neither over where it is nor from where it will be is of no use.
    pub(super) fn adopt(&mut self, path: &Path, whole: bool) -> bool {
        let Some(asked) = self.asked else { return false };
        let cells = path.cells();
        if asked.on_leg && path.start() != asked.from && self.route.last() == Some(&path.start()) {
            // A leg that goes on where the one before ends.
            self.route.extend_from_slice(&cells[1..]);
            self.set_off(self.index, whole);
            return true;
        }
        let behind = self.index as i64 - asked.lead;
        let lead = if behind <= 0 {
            self.route.drain(..self.index);
            self.route.truncate(behind.unsigned_abs() as usize + 1);
            self.route.extend_from_slice(&cells[1..]);
            -behind
        } else {
            let at = self.at();
            let expected = behind as usize;
            let found = if cells.get(expected) == Some(&at) {
                Some(expected)
            } else {
                cells.iter().position(|&cell| cell == at)
            };
            let Some(found) = found else { return false };
            self.route.clear();
            self.route.extend_from_slice(&cells[found..]);
            -(found as i64)
        };
        self.asked = Some(Asked { lead, on_leg: true, ..asked });
        self.set_off(0, whole);
        true
    }

    /// What the rest of its route costs from where the path that it waits for begins.
    pub(super) fn cost_from_join(&self, grid: &Grid) -> Option<Cost> {
        let from = self.asked.map_or(self.index, |asked| asked.lead.max(0) as usize);
        cost_along(grid, self.route.get(from..)?)
    }

    /// What the rest of its route costs.
    pub(super) fn cost_ahead(&self, grid: &Grid) -> Option<Cost> {
        cost_along(grid, self.ahead())
    }

    /// Earns a tick's worth of walking.
    pub(super) fn earn(&mut self) {
        self.charge += self.plan.pace.earned();
    }

    /// The next cell, if it has earned the step there.
    pub(super) fn next_step(&self) -> Option<Cell> {
        let next = *self.route.get(self.index + 1).filter(|_| self.index < self.sound)?;
        (self.charge >= self.plan.pace.price(self.at(), next)).then_some(next)
    }

    /// Takes the next step, which costs so much.
    pub(super) fn step(&mut self, cost: u32) {
        self.cost_left = self.cost_left.saturating_sub(u64::from(cost));
        let price = self.plan.pace.price(self.at(), self.route[self.index + 1]);
        self.charge -= price;
        self.index += 1;
        self.steps += 1;
    }

    /// Whether it stands at the end of what it can walk.
    pub(super) fn is_at_end(&self) -> bool {
        self.index >= self.sound
    }

    /// Who stands earns nothing.
    pub(super) fn rest(&mut self) {
        self.charge = 0;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.route.capacity() * size_of::<Cell>() + self.corridor.memory_bytes()
    }
}

/// What those steps cost; `None` if one is not allowed.
fn cost_along(grid: &Grid, cells: &[Cell]) -> Option<Cost> {
    let steps = cells.windows(2);
    steps.map(|step| Some(Cost(u64::from(grid.step_cost(step[0], step[1])?)))).sum::<Option<Cost>>()
}
