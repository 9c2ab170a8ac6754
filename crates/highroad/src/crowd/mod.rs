//! Agents that walk in continuous space, follow flow fields, and keep out of each other's way.
//!
//! Begin with [`Crowd`]. Its parts serve alone as well: [`aim`] says where somebody goes next who follows a
//! [`FlowField`](crate::field::FlowField), [`slide`] how far a disc gets on a grid, and [`fits`] where it may be.
//!
//! A cell of the grid is a square of side one, and cell (x, y) reaches from (x, y) to (x + 1, y + 1): the middle of cell
//! (3, 1) is at [3.5, 1.5]. [`Coordinates`](crate::world::Coordinates) turn that into a game's space.

mod avoidance;
mod body;
mod ground;
mod near;
mod steering;
mod step;
#[cfg(test)]
mod tests;
mod vector;

pub use body::{Body, BodyError, BodyId, BodyPlan, BodyState};
pub use ground::{fits, slide};
pub use steering::{Aim, aim};

use highroad_core::field::{FlowFields, FlowId};
use highroad_core::{Cell, Grid};
use near::NearIndex;
use std::collections::BTreeMap;
use vector::Vector;

/// How a crowd moves. See [`Crowd`] for an example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// Seconds of a tick: a 60th by default.
    pub tick_seconds: f64,
    /// How many seconds ahead collisions are avoided: 1 by default.
    pub horizon_seconds: f64,
    /// How far an agent sees others, in cells: 3 by default, 2 at least.
    pub sight: f64,
    /// How many of the nearest it avoids: 8 by default.
    pub neighbours_max: usize,
    /// How often a tick moves those apart that still overlap: 6 by default.
    pub separations: usize,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            tick_seconds: 1.0 / 60.0,
            horizon_seconds: 1.0,
            sight: 3.0,
            neighbours_max: 8,
            separations: 6,
        }
    }
}

/// Agents that walk in continuous space: each follows a flow field with its own speed, acceleration and turns, avoids others by
/// optimal reciprocal collision avoidance, and never leaves the cells that it may enter.
///
/// A tick takes time in proportion to the agents, on all cores with the feature `rayon`. It is deterministic: the same on every
/// machine and number of threads.
///
/// ```
/// use highroad::Cell;
/// use highroad::crowd::{BodyPlan, BodyState, Crowd, CrowdOptions};
/// use highroad::field::FlowFields;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("........\n........\n........\n".parse()?);
/// let mut fields = FlowFields::new(1 << 20);
/// let mut crowd = Crowd::new(CrowdOptions::default());
/// // Two agents that have to pass each other.
/// let ends = [[0.5, 1.5], [7.5, 1.5]];
/// for (from, to) in [(ends[0], Cell::new(7, 1)), (ends[1], Cell::new(0, 1))] {
///     let agent = crowd.add(&grid, BodyPlan::new(from))?;
///     crowd.send(agent, fields.open(&grid, &[to])?);
/// }
/// fields.advance(1000);
/// for _ in 0..600 {
///     let report = crowd.tick(&grid, &fields);
///     assert!(report.overlap_max < 0.02);
/// }
/// assert!(crowd.bodies().iter().all(|body| body.state() == BodyState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Crowd {
    options: CrowdOptions,
    bodies: Vec<Body>,
    /// Where each agent is in `bodies`.
    places: BTreeMap<BodyId, usize>,
    next_id: u64,
    events: Vec<CrowdEvent>,
    work: Work,
}

/// Memory of a tick, used again by the next.
#[derive(Default)]
struct Work {
    positions: Vec<Vector>,
    /// Everybody as before the tick, in the order of the index.
    before: Vec<Body>,
    /// What the tick makes of each, in the same order.
    next: Vec<step::Next>,
    moved: Vec<Vector>,
    index: NearIndex,
}

/// Something that happened to an agent of a crowd. See [`Crowd::take_events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrowdEvent {
    /// It does something else now.
    Changed {
        /// Who.
        body: BodyId,
        /// What it does.
        state: BodyState,
    },
    /// It has taken a link to that cell.
    TookLink {
        /// Who.
        body: BodyId,
        /// Where the link ends.
        to: Cell,
    },
}

impl CrowdEvent {
    /// Whom it is about.
    pub fn body(&self) -> BodyId {
        match *self {
            Self::Changed { body, .. } | Self::TookLink { body, .. } => body,
        }
    }
}

/// What a tick of a crowd has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CrowdReport {
    /// How many agents walk.
    pub walking: usize,
    /// How many have arrived.
    pub arrived: usize,
    /// How many wait, or find no way.
    pub waiting: usize,
    /// How many are where a wall has been built.
    pub buried: usize,
    /// How deep two agents overlap at most, in cells.
    pub overlap_max: f64,
}

impl Crowd {
    /// Nobody yet. Numbers of the options that make no sense are replaced by the nearest that do.
    pub fn new(options: CrowdOptions) -> Self {
        // What is no number becomes the least.
        let within = |number: f64, least: f64, most: f64| number.max(least).min(most);
        let options = CrowdOptions {
            tick_seconds: within(options.tick_seconds, 1e-4, 1.0),
            horizon_seconds: within(options.horizon_seconds, 0.05, 60.0),
            sight: within(options.sight, 2.0, 64.0),
            neighbours_max: options.neighbours_max.clamp(1, step::NEIGHBOURS_MAX),
            separations: options.separations.min(64),
        };
        Self { options, ..Self::default() }
    }

    /// How it moves.
    pub fn options(&self) -> &CrowdOptions {
        &self.options
    }

    /// Adds an agent. Fails with a [`BodyError`] if its numbers make no sense, or if it does not fit there.
    pub fn add(&mut self, grid: &Grid, plan: BodyPlan) -> Result<BodyId, BodyError> {
        plan.check()?;
        check_room(grid, plan.position, plan.radius)?;
        let id = BodyId(self.next_id);
        self.next_id += 1;
        self.places.insert(id, self.bodies.len());
        self.bodies.push(Body::new(id, plan));
        Ok(id)
    }

    /// Takes an agent out. Returns whether there was one of that id.
    ///
    /// ```
    /// use highroad::crowd::{BodyPlan, BodyState, Crowd, CrowdOptions};
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let first = crowd.add(&grid, BodyPlan::new([0.5, 0.5]))?;
    /// let second = crowd.add(&grid, BodyPlan::new([2.5, 0.5]))?;
    /// assert!(crowd.remove(first) && !crowd.remove(first));
    /// crowd.teleport(&grid, second, [3.5, 0.5])?;
    /// assert_eq!(crowd.body(second).map(|body| body.position()), Some([3.5, 0.5]));
    /// assert!(crowd.stop(second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> bool {
        let Some(at) = self.places.remove(&id) else { return false };
        // In order, so that what a tick does depends on no history.
        self.bodies.remove(at);
        self.places = self.bodies.iter().enumerate().map(|(at, body)| (body.id, at)).collect();
        true
    }

    /// Sends an agent to the goals of a field. Returns whether there is one of that id. See [`Crowd`] for an example.
    pub fn send(&mut self, id: BodyId, goal: FlowId) -> bool {
        self.change(id, |body| {
            body.goal = Some(goal);
            body.state = BodyState::Waiting;
            body.aimed_at = None;
            (body.held, body.yields) = (0, 0);
        })
    }

    /// Lets an agent stop where it is; it makes way for others. Returns whether there is one of that id. See [`Crowd::remove`] for
    /// an example.
    pub fn stop(&mut self, id: BodyId) -> bool {
        self.change(id, |body| {
            body.goal = None;
            body.state = BodyState::Idle;
        })
    }

    /// Puts an agent somewhere else, at rest. Returns whether there is one of that id; fails if it does not fit there. See
    /// [`Crowd::remove`] for an example.
    pub fn teleport(
        &mut self,
        grid: &Grid,
        id: BodyId,
        position: [f64; 2],
    ) -> Result<bool, BodyError> {
        if let Some(body) = self.body(id) {
            check_room(grid, position, body.plan.radius)?;
        }
        Ok(self.change(id, |body| {
            body.position = position.into();
            body.velocity = Vector::ZERO;
            body.aimed_at = None;
        }))
    }

    fn change(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) -> bool {
        let body = self.places.get(&id).and_then(|&at| self.bodies.get_mut(at));
        body.map(change).is_some()
    }

    /// An agent.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.places.get(&id).and_then(|&at| self.bodies.get(at))
    }

    /// All agents, in the order in which they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// What has happened since the last call, in the order of ticks and agents.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::crowd::{BodyPlan, BodyState, Crowd, CrowdEvent, CrowdOptions};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let (mut fields, mut crowd) = (FlowFields::new(1 << 20), Crowd::new(CrowdOptions::default()));
    /// let body = crowd.add(&grid, BodyPlan::new([0.5, 0.5]))?;
    /// crowd.send(body, fields.open(&grid, &[Cell::new(1, 0)])?);
    /// fields.advance(100);
    /// (0..120).for_each(|_| _ = crowd.tick(&grid, &fields));
    /// let events: Vec<CrowdEvent> = crowd.take_events();
    /// let state = |state| CrowdEvent::Changed { body, state };
    /// assert_eq!(events, [state(BodyState::Walking), state(BodyState::Arrived)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_events(&mut self) -> Vec<CrowdEvent> {
        std::mem::take(&mut self.events)
    }

    /// Lets a tick pass: everybody moves on a grid, by fields that follow its edits.
    ///
    /// ```
    /// use highroad::crowd::{BodyPlan, Crowd, CrowdOptions, CrowdReport};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("...\n".parse()?);
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// crowd.add(&grid, BodyPlan::new([1.5, 0.5]))?;
    /// let report: CrowdReport = crowd.tick(&grid, &FlowFields::new(1 << 20));
    /// assert_eq!((report.walking, report.overlap_max), (0, 0.0), "nobody has sent it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick(&mut self, grid: &Grid, fields: &FlowFields) -> CrowdReport {
        step::tick(self, grid, fields)
    }
}

fn check_room(grid: &Grid, position: [f64; 2], radius: f64) -> Result<(), BodyError> {
    fits(grid, position, radius).then_some(()).ok_or(BodyError::NoRoom { position, radius })
}
