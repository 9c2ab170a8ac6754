//! Agents that walk in continuous space, follow flow fields or paths, and keep out of each other's way.
//!
//! Begin with [`Crowd`]; a [`Simulation`](crate::Simulation) has one for its agents with bodies. Its parts serve alone as well: [`aim`]
//! says where somebody goes next who follows a [`FlowField`], [`aim_along`] the same for a path, [`slide`] how far a disc gets
//! on a grid, [`fits`] where it may be, and a [`Formation`] who walks where in a group.
//!
//! A cell of the grid is a square of side one, and cell (x, y) reaches from (x, y) to (x + 1, y + 1): the middle of cell
//! (3, 1) is at [3.5, 1.5]. [`Coordinates`](crate::world::Coordinates) turn that into a game's space.

mod avoidance;
mod body;
mod formation;
mod ground;
mod near;
mod saved;
mod steering;
mod step;
#[cfg(test)]
mod tests;
mod vector;

pub use body::{Body, BodyError, BodyId, BodyPlan, BodyState};
pub use formation::{Formation, Shape};
pub use ground::{fits, slide};
pub use steering::{Aim, aim, aim_along, reaches};

use body::Guide;
#[allow(unused_imports, reason = "links of the documentation")]
use highroad_core::field::FlowField;
use highroad_core::field::{FlowFields, FlowId};
use highroad_core::{Cell, Grid};
use near::NearIndex;

pub(crate) use ground::{cell_at, middle_of};
pub(crate) use step::link_seconds;
pub(crate) use vector::Vector;

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
#[derive(Clone, Default)]
pub struct Crowd {
    options: CrowdOptions,
    /// In the order of their ids.
    bodies: Vec<Body>,
    next_id: u64,
    events: Vec<CrowdEvent>,
    report: CrowdReport,
    work: Work,
}

/// What agents of a kind walk on, and the fields that they follow. See [`Crowd::tick_on`].
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    /// The grid of their kind.
    pub grid: &'g Grid,
    /// Fields on that grid.
    pub fields: &'g FlowFields,
}

/// Memory of a tick, used again by the next. A copy begins with none.
#[derive(Default)]
struct Work {
    positions: Vec<Vector>,
    /// Everybody as before the tick, in the order of the index.
    before: Vec<Body>,
    /// What the tick makes of each, in the same order.
    next: Vec<step::Next>,
    /// What of them is needed to move them apart, in a round and in the next one.
    spots: Vec<step::Spot>,
    moved: Vec<step::Spot>,
    strains: Vec<step::Strain>,
    index: NearIndex,
}

impl Work {
    fn memory_bytes(&self) -> usize {
        let spots = self.spots.capacity() + self.moved.capacity();
        self.positions.capacity() * size_of::<Vector>()
            + spots * size_of::<step::Spot>()
            + self.strains.capacity() * size_of::<step::Strain>()
            + self.before.capacity() * size_of::<Body>()
            + self.next.capacity() * size_of::<step::Next>()
            + self.index.memory_bytes()
    }
}

impl Clone for Work {
    fn clone(&self) -> Self {
        Self::default()
    }
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
        self.add_anywhere(plan)
    }

    /// Adds an agent that may stand in a wall, and walks out of it.
    pub(crate) fn add_anywhere(&mut self, plan: BodyPlan) -> Result<BodyId, BodyError> {
        plan.check()?;
        let id = BodyId(self.next_id);
        self.next_id += 1;
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
        let Some(at) = self.place_of(id) else { return false };
        // In order, so that what a tick does depends on no history.
        self.bodies.remove(at);
        true
    }

    fn place_of(&self, id: BodyId) -> Option<usize> {
        self.bodies.binary_search_by_key(&id, |body| body.id).ok()
    }

    /// Sends an agent to the goals of a field. Returns whether there is one of that id. See [`Crowd`] for an example.
    pub fn send(&mut self, id: BodyId, goal: FlowId) -> bool {
        self.change(id, |body| {
            (body.guide, body.state) = (Guide::Field(goal), BodyState::Waiting);
            (body.aimed_at, body.crossing) = (None, None);
            (body.held, body.yields) = (0, 0);
        })
    }

    /// Gives an agent that follows a field another id of that field, which was begun again.
    pub(crate) fn follow_on(&mut self, id: BodyId, goal: FlowId) {
        self.change(id, |body| body.guide = Guide::Field(goal));
    }

    /// Sends an agent straight to a point, on its way to a goal: whoever leads it by a path of its own names one point after the other,
    /// such as [`aim_along`] finds them. At the last one it slows down and has arrived; so it has where others who have arrived at the
    /// same goal leave no room. Returns whether there is an agent of that id.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::crowd::{Aim, BodyPlan, BodyState, Crowd, CrowdOptions, aim_along};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// use highroad::PathWorld;
    /// let mut world = PathWorld::new("......\n.####.\n......\n".parse()?);
    /// let path = world.find_path((0, 1), (5, 1))?.expect("there is a way round");
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let body = crowd.add(world.grid(), BodyPlan::new([0.5, 1.5]))?;
    /// let mut passed = 0;
    /// for _ in 0..600 {
    ///     let position = crowd.body(body).expect("it was added").position();
    ///     let (aim, on) = aim_along(world.grid(), path.cells(), passed, position, 0.4);
    ///     passed = on;
    ///     if let Aim::Walk { point, is_goal } = aim {
    ///         crowd.walk_to(body, point, path.goal(), is_goal);
    ///     }
    ///     crowd.tick(world.grid(), &FlowFields::new(0));
    /// }
    /// assert_eq!(crowd.body(body).map(|body| body.state()), Some(BodyState::Arrived));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk_to(&mut self, id: BodyId, point: [f64; 2], goal: Cell, is_last: bool) -> bool {
        self.change(id, |body| {
            let guide = Guide::Points { goal };
            if body.guide != guide {
                (body.guide, body.held, body.yields) = (guide, 0, 0);
                body.crossing = None;
                body.state = BodyState::Walking;
            }
            let is_elsewhere = body.aim != point.into() || body.aim_is_goal != is_last;
            if is_elsewhere && !matches!(body.state, BodyState::Crossing | BodyState::Buried) {
                body.state = BodyState::Walking;
            }
            (body.aim, body.aim_is_goal) = (point.into(), is_last);
        })
    }

    /// Lets an agent take a link: it stands for so many seconds where it is, and is then in the middle of that cell, as soon as nobody
    /// stands there. Agents that follow a field do so by themselves. Returns whether there is one of that id.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::crowd::{BodyPlan, BodyState, Crowd, CrowdOptions};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("..#..\n".parse()?);
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let body = crowd.add(&grid, BodyPlan::new([1.5, 0.5]))?;
    /// crowd.cross(body, Cell::new(3, 0), 0.1);
    /// assert_eq!(crowd.body(body).map(|body| body.state()), Some(BodyState::Crossing));
    /// (0..10).for_each(|_| _ = crowd.tick(&grid, &FlowFields::new(0)));
    /// assert_eq!(crowd.body(body).map(|body| body.position()), Some([3.5, 0.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cross(&mut self, id: BodyId, to: Cell, seconds: f64) -> bool {
        let ticks = step::ticks_of(seconds, self.options.tick_seconds);
        self.change(id, |body| {
            (body.state, body.crossing) = (BodyState::Crossing, Some((to, ticks)));
        })
    }

    /// Lets an agent walk with at most that share of its speed from now on, from 0 to 1: one that waits for others. Returns whether there
    /// is one of that id.
    ///
    /// ```
    /// use highroad::crowd::{BodyPlan, Crowd, CrowdOptions};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("........\n".parse()?);
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let body = crowd.add(&grid, BodyPlan::new([0.5, 0.5]).with_speed(2.0))?;
    /// crowd.walk_to(body, [7.5, 0.5], (7, 0).into(), true);
    /// crowd.throttle(body, 0.25);
    /// (0..60).for_each(|_| _ = crowd.tick(&grid, &FlowFields::new(0)));
    /// let [speed, _] = crowd.body(body).expect("it was added").velocity();
    /// assert!((speed - 0.5).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throttle(&mut self, id: BodyId, share: f64) -> bool {
        let share = within(share, 0.0, 1.0);
        self.change(id, |body| body.throttle = share)
    }

    /// Gives an agent another plan: another size, speed or kind. It stays where it is, also if it does not fit there any more; it then
    /// walks to the nearest place where it fits. Returns whether there is one of that id; fails with a [`BodyError`] if the numbers of
    /// the plan make no sense.
    ///
    /// ```
    /// use highroad::crowd::{BodyPlan, Crowd, CrowdOptions};
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let body = crowd.add(&grid, BodyPlan::new([0.5, 0.5]))?;
    /// let tired = BodyPlan::new([0.5, 0.5]).with_speed(0.5);
    /// assert!(crowd.set_plan(body, tired)?);
    /// assert_eq!(crowd.body(body).map(|body| body.plan().speed), Some(0.5));
    /// assert!(crowd.set_plan(body, tired.with_speed(-1.0)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_plan(&mut self, id: BodyId, plan: BodyPlan) -> Result<bool, BodyError> {
        plan.check()?;
        Ok(self.change(id, |body| (body.plan, body.aimed_at) = (plan, None)))
    }

    /// Lets an agent stop where it is; it makes way for others. Returns whether there is one of that id. See [`Crowd::remove`] for
    /// an example.
    pub fn stop(&mut self, id: BodyId) -> bool {
        self.change(id, |body| {
            (body.guide, body.crossing) = (Guide::Nothing, None);
            if body.state != BodyState::Buried {
                body.state = BodyState::Idle;
            }
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
        Ok(self.put(id, position))
    }

    /// Puts an agent somewhere else, also into a wall, out of which it walks.
    pub(crate) fn put(&mut self, id: BodyId, position: [f64; 2]) -> bool {
        self.change(id, |body| {
            (body.position, body.velocity) = (position.into(), Vector::ZERO);
            (body.aimed_at, body.crossing) = (None, None);
            if body.state == BodyState::Crossing {
                body.state = BodyState::Waiting;
            }
        })
    }

    fn change(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) -> bool {
        let body = self.place_of(id).and_then(|at| self.bodies.get_mut(at));
        body.map(change).is_some()
    }

    /// An agent.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.place_of(id).and_then(|at| self.bodies.get(at))
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
        self.tick_on(&[Ground { grid, fields }])
    }

    /// As [`Crowd::tick`], for several kinds of agents: each walks on the ground whose place in the list is the number of its kind, and
    /// avoids agents of all kinds. Agents of a kind that is not on the list stand.
    ///
    /// ```
    /// use highroad::{Cell, PathWorld, Terrain};
    /// use highroad::crowd::{BodyPlan, BodyState, Crowd, CrowdOptions, Ground};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
    /// let boat = Profile::movingai().without(Terrain::GROUND);
    /// let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT)?;
    /// let world = PathWorld::new("....\nWWWW\n".parse()?).with_kind("boat", boat).build()?;
    /// let boat = world.kind("boat").expect("it was just added");
    /// let grids = [world.grid(), world.environment_of(boat).expect("it was just added")];
    /// let mut fields = [FlowFields::new(1 << 20), FlowFields::new(1 << 20)];
    /// let mut crowd = Crowd::new(CrowdOptions::default());
    /// let walker = crowd.add(grids[0], BodyPlan::new([0.5, 0.5]))?;
    /// let sailor = crowd.add(grids[1], BodyPlan::new([0.5, 1.5]).with_kind(boat))?;
    /// crowd.send(walker, fields[0].open(grids[0], &[Cell::new(3, 0)])?);
    /// crowd.send(sailor, fields[1].open(grids[1], &[Cell::new(3, 1)])?);
    /// fields.iter_mut().for_each(|fields| _ = fields.advance(100));
    /// let grounds = [0, 1].map(|kind| Ground { grid: grids[kind], fields: &fields[kind] });
    /// (0..300).for_each(|_| _ = crowd.tick_on(&grounds));
    /// assert!(crowd.bodies().iter().all(|body| body.state() == BodyState::Arrived));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick_on(&mut self, grounds: &[Ground<'_>]) -> CrowdReport {
        self.report = step::tick(self, grounds);
        self.report
    }

    /// What the latest tick has come to.
    pub fn report(&self) -> CrowdReport {
        self.report
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<Body>()
            + self.events.capacity() * size_of::<CrowdEvent>()
            + self.work.memory_bytes()
    }
}

/// The number nearest to another one between two limits; what is no number becomes the least.
pub(crate) fn within(number: f64, least: f64, most: f64) -> f64 {
    number.max(least).min(most)
}

fn check_room(grid: &Grid, position: [f64; 2], radius: f64) -> Result<(), BodyError> {
    fits(grid, position, radius).then_some(()).ok_or(BodyError::NoRoom { position, radius })
}
