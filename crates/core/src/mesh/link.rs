//! Links: ways between two points of a mesh that are no ground. Jumps, ladders, lifts, portals.

use super::point::{CoordinateError, MeshPoint, accepted};
use super::{AreaClass, MeshMovement};
use std::fmt;
use thiserror::Error;

/// A way from a point of a mesh to another, wherever they lie.
///
/// A link is placed under a name like an obstacle ([`MeshBatch::place_link`](super::MeshBatch::place_link)), and can be closed
/// and opened. It can be used while both its ends lie on the mesh. On a path its two ends follow each other.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::mesh::{Mesh, MeshLink, MeshPoint};
/// // Two rooms with a wall between them.
/// let mut world = PathWorld::on(Mesh::from_cells(9, 3, |x, _| x != 4)?);
/// let [a, b] = [MeshPoint::new(1.0, 1.0)?, MeshPoint::new(8.0, 1.0)?];
/// assert_eq!(world.find_path(a, b)?, None);
/// let jump = MeshLink::new(MeshPoint::new(3.0, 1.0)?, MeshPoint::new(6.0, 1.0)?, 10.0)?;
/// world.edit(|edit| _ = edit.place_link("jump", jump))?;
/// let path = world.find_path(a, b)?.expect("over the wall");
/// assert_eq!(path.cost().0 as f64 / world.environment().cost_scale(), 2.0 + 10.0 + 2.0);
/// assert_eq!(world.find_path(b, a)?, None, "it leads one way");
/// world.edit(|edit| _ = edit.close_link("jump"))?;
/// assert_eq!(world.find_path(a, b)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshLink {
    from: MeshPoint,
    to: MeshPoint,
    length: f64,
    both_ways: bool,
    is_open: bool,
    class: Option<AreaClass>,
}

/// Why there can be no such link.
///
/// ```
/// use highroad::mesh::{MeshLink, MeshLinkError, MeshPoint};
/// let [a, b] = [MeshPoint::new(1.0, 1.0)?, MeshPoint::new(2.0, 1.0)?];
/// assert_eq!(MeshLink::new(a, a, 1.0), Err(MeshLinkError::ToItself { point: a }));
/// assert!(MeshLink::new(a, b, f64::NAN).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshLinkError {
    /// It ends where it begins.
    #[error("it begins and ends at {point}")]
    ToItself {
        /// Where.
        point: MeshPoint,
    },
    /// It costs nothing, too much, or what is no number.
    #[error(
        "it costs {length}: it must cost more than 0, and at most as much as a way of 2⁴⁰ units of length"
    )]
    Length {
        /// What it would cost.
        length: f64,
    },
    /// An end that would lie too far off.
    #[error(transparent)]
    Coordinate(#[from] CoordinateError),
}

impl MeshLink {
    /// A link that leads one way and is open. It costs as much as a way on ordinary ground of that length. Fails with a
    /// [`MeshLinkError`].
    pub fn new(from: MeshPoint, to: MeshPoint, length: f64) -> Result<Self, MeshLinkError> {
        if from == to {
            return Err(MeshLinkError::ToItself { point: from });
        }
        let is_cost = length > 0.0 && length <= MeshPoint::COORDINATE_MAX;
        if !is_cost || accepted(length).unwrap_or(0.0) == 0.0 {
            return Err(MeshLinkError::Length { length });
        }
        Ok(Self { from, to, length, both_ways: false, is_open: true, class: None })
    }

    /// The same link, which also leads back.
    ///
    /// ```
    /// use highroad::mesh::{AreaClass, MeshLink, MeshPoint};
    /// let [a, b] = [MeshPoint::new(1.0, 1.0)?, MeshPoint::new(2.0, 1.0)?.on_layer(1)];
    /// let ladder = MeshLink::new(a, b, 4.0)?.with_way_back().of_class(AreaClass::new(7)?).closed();
    /// assert!(ladder.leads_back() && !ladder.is_open());
    /// assert_eq!(ladder.reopened().class().map(AreaClass::number), Some(7));
    /// assert_eq!(ladder.moved_by([3.0, 0.0])?.from(), MeshPoint::new(4.0, 1.0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_way_back(self) -> Self {
        Self { both_ways: true, ..self }
    }

    /// The same link for kinds of agents that may use links of a class.
    pub fn of_class(self, class: AreaClass) -> Self {
        Self { class: Some(class), ..self }
    }

    /// The same link, closed: nobody uses it.
    pub fn closed(self) -> Self {
        Self { is_open: false, ..self }
    }

    /// The same link, open.
    pub fn reopened(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// The same link elsewhere. Fails with a [`MeshLinkError`] if an end would lie too far off, or if rounding puts both
    /// ends at one point.
    pub fn moved_by(&self, by: [f64; 2]) -> Result<Self, MeshLinkError> {
        let moved = |point: MeshPoint| {
            MeshPoint::new(point.x() + by[0], point.y() + by[1])
                .map(|moved| moved.on_layer(point.layer()))
        };
        let same = Self::new(moved(self.from)?, moved(self.to)?, self.length)?;
        let Self { both_ways, is_open, class, .. } = *self;
        Ok(Self { both_ways, is_open, class, ..same })
    }

    /// Where it begins.
    pub fn from(&self) -> MeshPoint {
        self.from
    }

    /// Where it ends.
    pub fn to(&self) -> MeshPoint {
        self.to
    }

    /// It costs as much as a way of this length.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether it also leads back.
    pub fn leads_back(&self) -> bool {
        self.both_ways
    }

    /// Whether it can be used, as far as that is its own affair.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Its class; links without one are for all kinds of agents.
    pub fn class(&self) -> Option<AreaClass> {
        self.class
    }

    /// What it costs a kind of agent, as a length; `None` if that kind cannot use it.
    pub(super) fn length_for(&self, movement: &MeshMovement) -> Option<f64> {
        if !self.is_open {
            return None;
        }
        let factor = self.class.map_or(Some(1.0), |class| movement.factor(class))?;
        Some(self.length * factor)
    }

    /// Whether a leg of a path may be this link.
    pub(super) fn joins(&self, from: MeshPoint, to: MeshPoint) -> bool {
        (from, to) == (self.from, self.to) || (self.both_ways && (to, from) == (self.from, self.to))
    }
}

impl fmt::Display for MeshLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, length, .. } = self;
        write!(f, "a link from {from} to {to} at a cost of {length}")
    }
}
