//! An agent: where it is, where it wants to go, and the way it is on.

use super::group::GroupId;
use super::orders::Orders;
use crate::crowd::{BodyId, BodyPlan, cell_at};
use crate::requests::Ticket;
use highroad_core::field::FlowId;
use highroad_core::{Cell, Corridor, Cost, Grid, KindId, Path, Revision};
use std::sync::Arc;

/// An agent's number, from 0 in the order they were added. [`Simulation::add`](super::Simulation::add) returns it.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
/// use highroad::simulation::AgentId;
/// let mut simulation = Simulation::new(PathWorld::new("....\n".parse()?), Budget::expansions(1000));
/// let first: AgentId = simulation.add(AgentPlan::new((0, 0), (3, 0)));
/// assert_eq!(first.to_string(), "agent 0");
/// assert!(simulation.agent(AgentId(7)).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentId(pub u32);

/// How fast an agent walks: a number of cells in a number of ticks. Diagonal steps take √2 times as long.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
/// use highroad::simulation::Pace;
/// let world = PathWorld::new(".............\n.............\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let runner = simulation.add(AgentPlan::new((0, 0), (12, 0)).with_pace(Pace::new(3, 1)));
/// let snail = simulation.add(AgentPlan::new((0, 1), (12, 1)).with_pace(Pace::new(1, 4)));
/// for _ in 0..8 {
///     simulation.tick();
/// }
/// let steps = |id| simulation.agent(id).map(|agent| agent.steps());
/// assert_eq!((steps(runner), steps(snail)), (Some(12), Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "(u32, u32)", into = "(u32, u32)"))]
pub struct Pace {
    cells: u32,
    ticks: u32,
}

impl Pace {
    /// A pace of `cells` cells in `ticks` ticks. A 0 is taken as 1.
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

#[cfg(feature = "serde")]
impl From<(u32, u32)> for Pace {
    fn from((cells, ticks): (u32, u32)) -> Self {
        Self::new(cells, ticks)
    }
}

impl From<Pace> for (u32, u32) {
    fn from(pace: Pace) -> Self {
        (pace.cells, pace.ticks)
    }
}

/// As near to √2 as the costs of steps are, so that walking is as exact as planning.
const STRAIGHT: u64 = 2378;
const DIAGONAL: u64 = 3363;

/// What an agent sets out with: its ends, its kind, its pace, and how it looks for ways.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation, Terrain};
/// use highroad::grid::Batch;
/// let world = PathWorld::new("......\n.####.\n.####.\n......\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let eager = simulation.add(AgentPlan::new((0, 1), (5, 1)));
/// let steady = simulation.add(AgentPlan::new((0, 2), (5, 2)).without_improving());
/// simulation.tick();
/// // A tunnel opens in both rows.
/// let mut tunnel = Batch::new();
/// (1..5).for_each(|x| _ = tunnel.set((x, 1), Terrain::GROUND).set((x, 2), Terrain::GROUND));
/// simulation.edit(&tunnel)?;
/// while !simulation.is_at_rest() {
///     simulation.tick();
/// }
/// let steps = |id| simulation.agent(id).map(|agent| agent.steps());
/// assert!(steps(eager) < steps(steady), "only the first has taken the tunnel");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Its body, if it walks in continuous space and avoids others; without one it steps from cell to cell at its pace.
    #[cfg_attr(feature = "serde", serde(default))]
    pub body: Option<BodyPlan>,
    /// Whether it follows a flow field that it shares with all agents of its kind and goal, instead of a path of its own.
    #[cfg_attr(feature = "serde", serde(default))]
    pub by_field: bool,
    /// Ticks after which it gives up if others hold it up; without it, it never does.
    #[cfg_attr(feature = "serde", serde(default))]
    pub patience: Option<u16>,
}

impl AgentPlan {
    /// One cell a tick, looking for shorter ways, without legs.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        let (start, goal) = (start.into(), goal.into());
        let (kind, pace) = (KindId::DEFAULT, Pace::new(1, 1));
        let (improves, first_leg) = (true, None);
        let (body, by_field, patience) = (None, false, None);
        Self { start, goal, kind, pace, improves, first_leg, body, by_field, patience }
    }

    /// One with a body, which walks in continuous space: with its own speed, acceleration and turns, on ways that are smoothed as it
    /// goes, around other bodies, and never out of the cells that it may enter. It starts where its body is.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::BodyPlan;
    /// use highroad::simulation::AgentState;
    /// let world = PathWorld::new("......\n.####.\n......\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// let body = BodyPlan::new([0.5, 1.5]).with_speed(3.0);
    /// let walker = simulation.add(AgentPlan::of_body(body, (5, 1)));
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// assert_eq!(simulation.agent(walker).unwrap().state(), AgentState::Arrived);
    /// let [x, y] = simulation.body(walker).unwrap().position();
    /// assert!((x - 5.5).hypot(y - 1.5) < 0.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_body(body: BodyPlan, goal: impl Into<Cell>) -> Self {
        let start = cell_at(body.position.into()).unwrap_or(Cell::new(0, 0));
        Self { body: Some(body), kind: body.kind, ..Self::new(start, goal) }
    }

    /// The same plan by a flow field: all agents of one kind and goal share one, so that thousands of them ask for no path. Such an
    /// agent takes the cheapest way, goes another one as soon as the field has followed an edit, and goes on by itself when a way opens.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::BodyPlan;
    /// let world = PathWorld::new("........\n........\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// let creep = simulation.add(AgentPlan::new((0, 0), (7, 1)).by_field());
    /// let runner = simulation.add(AgentPlan::of_body(BodyPlan::new([0.5, 1.5]), (7, 1)).by_field());
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// let at = |id| simulation.agent(id).map(|agent| agent.at());
    /// assert_eq!((at(creep), at(runner)), (Some((7, 1).into()), Some((7, 1).into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_field(mut self) -> Self {
        self.by_field = true;
        self
    }

    /// The same plan of one that gives up when others have held it up for so many ticks. Only bodies are held up.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// use highroad::crowd::BodyPlan;
    /// use highroad::simulation::{AgentState, StopReason};
    /// // Two want past each other where there is no room.
    /// let mut simulation = Simulation::new(PathWorld::new("........\n".parse()?), Budget::expansions(10_000));
    /// for (from, to) in [(0.5, 7), (7.5, 0)] {
    ///     simulation.add(AgentPlan::of_body(BodyPlan::new([from, 0.5]), (to, 0)).with_patience(300));
    /// }
    /// (0..3000).for_each(|_| _ = simulation.tick());
    /// let gave_up = AgentState::Stopped(StopReason::HeldUp);
    /// assert!(simulation.agents().iter().any(|agent| agent.state() == gave_up));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_patience(mut self, ticks: u16) -> Self {
        self.patience = Some(ticks);
        self
    }

    /// The same plan for another kind of agent than the default one.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation, Terrain};
    /// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
    /// let boat = Profile::movingai().without(Terrain::GROUND);
    /// let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT)?;
    /// let world = PathWorld::new("..WWWW\n".parse()?).with_kind("boat", boat).build()?;
    /// let boat = world.kind("boat").expect("it was just added");
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// let sailor = simulation.add(AgentPlan::new((2, 0), (5, 0)).with_kind(boat).with_first_leg(2));
    /// while !simulation.is_at_rest() {
    ///     simulation.tick();
    /// }
    /// assert_eq!(simulation.agent(sailor).map(|agent| agent.at()), Some((5, 0).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_kind(mut self, kind: KindId) -> Self {
        self.kind = kind;
        self
    }

    /// The same plan at another pace.
    pub fn with_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// The same plan, asking for first legs of about `steps` steps, so that the agent can set off before its whole path
    /// is known.
    pub fn with_first_leg(mut self, steps: u32) -> Self {
        self.first_leg = Some(steps);
        self
    }

    /// The same plan without improvements: when an edit opens a shorter way, the agent stays on the way that it is on. It
    /// still goes another way when its own is cut or becomes more costly.
    pub fn without_improving(mut self) -> Self {
        self.improves = false;
        self
    }
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AgentState {
    /// It waits for its first path.
    Waiting,
    /// It is on its way.
    Walking,
    /// It takes a link: it stands where the link begins, and is then where it ends.
    Crossing,
    /// It is at its goal.
    Arrived,
    /// It was taken off the map.
    Removed,
    /// It has stopped, and has said why.
    Stopped(StopReason),
}

/// Why an agent has stopped.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
/// use highroad::simulation::{AgentState, StopReason};
/// let world = PathWorld::new("..#.\n..#.\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let cut_off = simulation.add(AgentPlan::new((0, 0), (3, 0)));
/// let astray = simulation.add(AgentPlan::new((0, 0), (2, 0)));
/// simulation.tick();
/// let state = |id| simulation.agent(id).unwrap().state();
/// assert_eq!(state(cut_off), AgentState::Stopped(StopReason::Unreachable));
/// assert_eq!(state(astray), AgentState::Stopped(StopReason::GoalBlocked));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum StopReason {
    /// No way leads to its goal.
    Unreachable,
    /// Nobody can stand on its goal.
    GoalBlocked,
    /// Its own cell was blocked, or it no longer fits where it stands.
    Buried,
    /// The world has no such kind of agent.
    NoSuchKind,
    /// Somebody has stopped it.
    Ordered,
    /// Others have held it up for longer than it has patience.
    HeldUp,
    /// The numbers of its body make no sense, or it lies outside the map.
    Unfit,
}

/// An agent of a [`Simulation`](super::Simulation).
///
/// ```
/// use highroad::{AgentPlan, Budget, Cell, PathWorld, Simulation};
/// use highroad::simulation::{Agent, AgentState};
/// let world = PathWorld::new(".....\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// simulation.add(AgentPlan::new((0, 0), (4, 0)));
/// simulation.tick();
/// simulation.tick();
/// let agent: &Agent = &simulation.agents()[0];
/// assert_eq!((agent.state(), agent.goal()), (AgentState::Walking, Cell::new(4, 0)));
/// assert_eq!(agent.ahead().first(), Some(&agent.at()));
/// let (next, share) = agent.stride().expect("it walks");
/// assert!(next == agent.ahead()[1] && share < 1.0);
/// assert_eq!(agent.ahead().len() as u64 + agent.steps(), 5, "cells to go and steps taken");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agent {
    pub(super) plan: AgentPlan,
    pub(super) state: AgentState,
    /// The cells of its way; where it is, at `index`. Clones share them.
    pub(super) route: Arc<Vec<Cell>>,
    pub(super) index: usize,
    /// The last cell of the route that it can walk to.
    pub(super) sound: usize,
    /// Whether the route leads to the goal, and is no leg.
    pub(super) whole: bool,
    pub(super) corridor: Arc<Corridor>,
    pub(super) asked: Option<Asked>,
    /// Whether its way has become another since somebody looked.
    pub(super) rerouted: bool,
    /// What it has earned towards its next step.
    pub(super) charge: u64,
    /// What the rest of its way cost when it was found: a better path must cost less.
    pub(super) cost_left: u64,
    pub(super) steps: u64,
    /// Where it goes after its goal.
    pub(super) orders: Orders,
    pub(super) body: Option<BodyId>,
    /// The cell of its body.
    pub(super) cell: Cell,
    /// In which cell its body was given a point to walk to, and how far its route was sound then.
    pub(super) steered: Option<(Cell, usize)>,
    /// Whether it was reported that others hold it up.
    pub(super) is_held_up: bool,
    /// The field that it follows.
    pub(super) field: Option<FlowId>,
    /// The group that it walks in.
    pub(super) group: Option<GroupId>,
}

/// A path that an agent waits for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) ticket: Ticket,
    pub(super) reason: Reason,
    /// The cell where the path begins.
    pub(super) from: Cell,
    /// The index of `from` on the route; below 0 once the agent has passed it.
    pub(super) lead: i64,
    /// Whether the agent walks on a leg of it already.
    pub(super) on_leg: bool,
    /// How far ahead it was asked for.
    pub(super) ahead: usize,
    /// The revision of the world when it was asked for.
    pub(super) revision: Revision,
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
            route: Arc::new(vec![plan.start]),
            index: 0,
            sound: 0,
            whole: false,
            corridor: Arc::new(Corridor::of(&[plan.start])),
            asked: None,
            rerouted: true,
            charge: 0,
            cost_left: 0,
            steps: 0,
            orders: Orders::default(),
            body: None,
            cell: plan.start,
            steered: None,
            is_held_up: false,
            field: None,
            group: None,
        }
    }

    /// Where it is: the cell of its body, if it has one.
    pub fn at(&self) -> Cell {
        if self.body.is_some() { self.cell } else { self.route[self.index] }
    }

    /// The id of its body in [`Simulation::crowd`](super::Simulation::crowd), if it has one.
    pub fn body(&self) -> Option<BodyId> {
        self.body
    }

    /// The group that it walks in, if it does.
    pub fn group(&self) -> Option<GroupId> {
        self.group
    }

    /// What it set out with; `goal` is where it goes now.
    pub fn plan(&self) -> &AgentPlan {
        &self.plan
    }

    /// The points that it goes to after its goal; of a patrol those that are left of a round.
    pub fn points_left(&self) -> &[Cell] {
        self.orders.left()
    }

    /// Where it wants to go.
    pub fn goal(&self) -> Cell {
        self.plan.goal
    }

    /// Its state.
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// Steps taken since it was last sent.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The cells that it means to walk over, from where it is. Who follows a field keeps no way: see
    /// [`Simulation::path_of`](super::Simulation::path_of).
    pub fn ahead(&self) -> &[Cell] {
        &self.route[self.index..]
    }

    /// The cell that it steps to, and how far it is on the way there, from 0 to 1: for drawing.
    pub fn stride(&self) -> Option<(Cell, f64)> {
        let is_between = self.body.is_none() && self.index < self.sound;
        let next = *self.route.get(self.index + 1).filter(|_| is_between)?;
        let price = self.plan.pace.price(self.at(), next);
        Some((next, self.charge as f64 / price as f64))
    }

    /// Forgets its way, and stands.
    pub(super) fn stand(&mut self) {
        self.put(self.at());
    }

    /// Forgets its way, and stands in a cell.
    pub(super) fn put(&mut self, at: Cell) {
        self.cell = at;
        let route = self.other_route();
        route.push(at);
        self.set_off(0, false);
        self.charge = 0;
    }

    /// An empty route in the place of its own.
    fn other_route(&mut self) -> &mut Vec<Cell> {
        if Arc::get_mut(&mut self.route).is_none() {
            self.route = Arc::default();
        }
        let route = Arc::make_mut(&mut self.route);
        route.clear();
        route
    }

    /// Begins with a route that was just laid out. Whoever stops stands, so that a change of state for
    /// which others parts of the map matter comes by here, too.
    fn set_off(&mut self, index: usize, whole: bool) {
        self.index = index;
        self.sound = self.route.len() - 1;
        self.whole = whole;
        self.rerouted = true;
        self.steered = None;
        Arc::make_mut(&mut self.corridor).renew(&self.route);
    }

    /// From which cell of its route it would go another way, looking so far ahead.
    pub(super) fn join(&self, ahead: usize) -> usize {
        (self.index + ahead).min(self.sound)
    }

    pub(super) fn note_asked(
        &mut self,
        (ticket, revision): (Ticket, Revision),
        reason: Reason,
        join: usize,
        ahead: usize,
    ) {
        let (from, lead) = (self.route[join], join as i64);
        self.asked = Some(Asked { ticket, reason, from, lead, on_leg: false, ahead, revision });
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
            Arc::make_mut(&mut self.route).extend_from_slice(&cells[1..]);
            self.set_off(self.index, whole);
            return true;
        }
        let behind = self.index as i64 - asked.lead;
        let lead = if behind <= 0 {
            let route = Arc::make_mut(&mut self.route);
            route.drain(..self.index);
            route.truncate(behind.unsigned_abs() as usize + 1);
            route.extend_from_slice(&cells[1..]);
            -behind
        } else {
            let at = self.route[self.index];
            let expected = behind as usize;
            let found = if cells.get(expected) == Some(&at) {
                Some(expected)
            } else {
                cells.iter().position(|&cell| cell == at)
            };
            let Some(found) = found else { return false };
            self.other_route().extend_from_slice(&cells[found..]);
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

    /// Takes the next cell of a field for its route.
    pub(super) fn extend(&mut self, next: Cell) {
        let at = self.at();
        let route = self.other_route();
        route.extend([at, next]);
        (self.index, self.sound) = (0, 1);
        self.rerouted = true;
    }

    /// Notes that its body has passed the route up to that index.
    pub(super) fn pass(&mut self, grid: &Grid, index: usize) {
        for step in self.route[self.index..=index].windows(2) {
            let cost = grid.step_cost(step[0], step[1]).unwrap_or(0);
            self.cost_left = self.cost_left.saturating_sub(u64::from(cost));
        }
        self.index = index;
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
