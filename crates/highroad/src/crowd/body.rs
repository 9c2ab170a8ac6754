//! What moves in a crowd.

use super::vector::Vector;
use highroad_core::field::FlowId;
use highroad_core::{Cell, KindId};
use thiserror::Error;

/// A disc that walks: how large it is, and how it can move. Lengths are in cells, times in seconds.
///
/// ```
/// use highroad::crowd::BodyPlan;
/// let knight = BodyPlan::new([3.5, 2.5])
///     .with_radius(0.45)
///     .with_speed(3.0)
///     .with_acceleration(6.0)
///     .with_turn(4.0)
///     .with_priority(3);
/// assert_eq!((knight.radius, knight.speed), (0.45, 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyPlan {
    /// Where its middle is at first.
    pub position: [f64; 2],
    /// Up to half a cell. 0.4 by default.
    pub radius: f64,
    /// The speed that it prefers, on the cheapest ground. 2 cells a second by default.
    pub speed: f64,
    /// How fast its velocity may change: 8 cells a second, each second, by default.
    pub acceleration: f64,
    /// How fast it may turn, in radians a second; no limit by default.
    pub turn: f64,
    /// Who has more makes way less. 1 by default.
    pub priority: u8,
    /// Which kind of agent it is: which of the grounds of [`Crowd::tick_on`](super::Crowd::tick_on) it walks on. The default one
    /// by default.
    pub kind: KindId,
}

impl BodyPlan {
    /// One with the usual size and speed.
    pub fn new(position: [f64; 2]) -> Self {
        Self {
            position,
            radius: 0.4,
            speed: 2.0,
            acceleration: 8.0,
            turn: f64::INFINITY,
            priority: 1,
            kind: KindId::DEFAULT,
        }
    }

    /// The same of another radius. See [`BodyPlan`] for an example.
    pub fn with_radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// The same with another speed. See [`BodyPlan`] for an example.
    pub fn with_speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// The same with another acceleration. See [`BodyPlan`] for an example.
    pub fn with_acceleration(self, acceleration: f64) -> Self {
        Self { acceleration, ..self }
    }

    /// The same with another limit of turns. See [`BodyPlan`] for an example.
    pub fn with_turn(self, turn: f64) -> Self {
        Self { turn, ..self }
    }

    /// The same with another priority. See [`BodyPlan`] for an example.
    pub fn with_priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }

    /// The same of another kind. See [`Crowd::tick_on`](super::Crowd::tick_on) for an example.
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind, ..self }
    }

    /// Whether a crowd can have it; fails with what is wrong.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let positive = |number: f64| number > 0.0;
        if !(positive(self.radius) && self.radius <= 0.5) {
            return Err(BodyError::Radius { radius: self.radius });
        }
        if !(positive(self.speed) && self.speed <= SPEED_MAX) {
            return Err(BodyError::Speed { speed: self.speed });
        }
        let limits = [self.acceleration, self.turn];
        match limits.into_iter().find(|&limit| !positive(limit)) {
            Some(limit) => Err(BodyError::Limit { limit }),
            None => Ok(()),
        }
    }
}

/// The fastest that an agent may be, in cells a second.
const SPEED_MAX: f64 = 1000.0;

/// Why an agent cannot be in a crowd.
///
/// ```
/// use highroad::crowd::{BodyError, BodyPlan, Crowd, CrowdOptions};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("..#\n".parse()?);
/// let mut crowd = Crowd::new(CrowdOptions::default());
/// let error = crowd.add(&grid, BodyPlan::new([1.8, 0.5])).unwrap_err();
/// assert!(matches!(error, BodyError::NoRoom { .. }));
/// assert_eq!(error.to_string(), "at (1.8, 0.5) there is no room for a disc of radius 0.4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// Its radius is not above 0 and at most 0.5.
    #[error("a radius of {radius} cells: it has to be above 0 and at most 0.5")]
    Radius {
        /// What was given.
        radius: f64,
    },
    /// Its speed is not above 0 and at most 1000.
    #[error("a speed of {speed} cells a second: it has to be above 0 and at most 1000")]
    Speed {
        /// What was given.
        speed: f64,
    },
    /// Its acceleration or turn is not above 0.
    #[error("a limit of acceleration or turns of {limit}: it has to be above 0")]
    Limit {
        /// What was given.
        limit: f64,
    },
    /// It does not fit where it should be.
    #[error("at ({}, {}) there is no room for a disc of radius {radius}", position[0], position[1])]
    NoRoom {
        /// Where.
        position: [f64; 2],
        /// Its radius.
        radius: f64,
    },
}

/// The id of an agent of a crowd. It is never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(super) u64);

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyState {
    /// It has no goal, and makes way for others.
    Idle,
    /// It waits until its field is worked out where it stands.
    Waiting,
    /// It walks.
    Walking,
    /// It takes a link: it stands where the link begins for as long as the link costs, and is then at its end.
    Crossing,
    /// It is at its goal, or as near as others let it.
    Arrived,
    /// No way leads to its goal, or the field is gone; it goes on by itself when there is one.
    Blocked,
    /// An edit has put a wall where it is; it walks to the nearest place where it fits.
    Buried,
}

/// An agent of a crowd.
///
/// ```
/// use highroad::crowd::{Body, BodyId, BodyPlan, BodyState, Crowd, CrowdOptions};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let mut crowd = Crowd::new(CrowdOptions::default());
/// let id: BodyId = crowd.add(&grid, BodyPlan::new([1.5, 0.5]))?;
/// let body: &Body = crowd.body(id).expect("it was just added");
/// assert_eq!((body.position(), body.velocity(), body.heading()), ([1.5, 0.5], [0.0, 0.0], [1.0, 0.0]));
/// assert_eq!((body.state(), body.goal()), (BodyState::Idle, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub(super) id: BodyId,
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    /// Where it looks, of length one.
    pub(super) heading: Vector,
    pub(super) plan: BodyPlan,
    pub(super) state: BodyState,
    pub(super) guide: Guide,
    /// The point that it walks to, and whether it is a goal.
    pub(super) aim: Vector,
    pub(super) aim_is_goal: bool,
    /// Where and for which revision that was found.
    pub(super) aimed_at: Option<(Cell, u64)>,
    /// Ticks for which others have held it up.
    pub(super) held: u16,
    /// Ticks for which it lets others go first.
    pub(super) yields: u16,
    /// The end of the link that it takes, and for how many more ticks.
    pub(super) crossing: Option<(Cell, u32)>,
    /// The share of its speed that it may walk with, from 0 to 1.
    pub(super) throttle: f64,
}

/// What an agent follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guide {
    Nothing,
    Field(FlowId),
    /// Points that somebody names one after the other, on the way to a goal.
    Points {
        goal: Cell,
    },
}

impl Body {
    pub(super) fn new(id: BodyId, plan: BodyPlan) -> Self {
        let position = Vector::from(plan.position);
        Self {
            id,
            position,
            velocity: Vector::ZERO,
            heading: Vector::new(1.0, 0.0),
            plan,
            state: BodyState::Idle,
            guide: Guide::Nothing,
            aim: position,
            aim_is_goal: false,
            aimed_at: None,
            held: 0,
            yields: 0,
            crossing: None,
            throttle: 1.0,
        }
    }

    /// Its id.
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// Where its middle is.
    pub fn position(&self) -> [f64; 2] {
        self.position.into()
    }

    /// Its velocity, in cells a second.
    pub fn velocity(&self) -> [f64; 2] {
        self.velocity.into()
    }

    /// Where it looks, of length one: east at first.
    pub fn heading(&self) -> [f64; 2] {
        self.heading.into()
    }

    /// How large it is and how it can move; `position` is where it was at first.
    pub fn plan(&self) -> &BodyPlan {
        &self.plan
    }

    /// What it does.
    pub fn state(&self) -> BodyState {
        self.state
    }

    /// The field that it follows.
    pub fn goal(&self) -> Option<FlowId> {
        match self.guide {
            Guide::Field(field) => Some(field),
            Guide::Nothing | Guide::Points { .. } => None,
        }
    }

    /// For how many ticks others have held it up; the number falls again while it gets on.
    pub fn held_ticks(&self) -> u16 {
        self.held
    }

    /// The point that it walks to.
    pub(crate) fn aim(&self) -> Vector {
        self.aim
    }

    /// The cell of its middle; the first one where there is none.
    pub(crate) fn cell(&self) -> Cell {
        super::ground::cell_at(self.position).unwrap_or(Cell::new(0, 0))
    }
}
