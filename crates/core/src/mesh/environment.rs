//! A mesh as an environment: where a path may start, what a path costs, what a change touches.

use super::point::{MeshPoint, distance};
use super::{Mesh, MeshChange};
use crate::environment::{Cost, Edition, Environment, PathFault, Position, Revision};
use thiserror::Error;

/// Why no path can start or end at a point.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshPoint, MeshRefusal};
/// let mesh = Mesh::from_polygons(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], &[vec![0, 1, 2]])?;
/// let refusal: MeshRefusal = mesh.check_place(MeshPoint::new(9.0, 9.0)?).unwrap_err();
/// assert_eq!(refusal.to_string(), "(9, 9) lies beside the mesh");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MeshRefusal {
    /// No polygon of the point's layer is there.
    #[error("{point} lies beside the mesh")]
    Beside {
        /// The point.
        point: MeshPoint,
    },
    /// A field on a mesh where ground costs more in some places than in others.
    #[error("fields serve no mesh on which areas cost more than other ground")]
    Costs,
}

/// What is wrong with a path on a mesh.
///
/// ```
/// use highroad::Path;
/// use highroad::mesh::{Mesh, MeshPathProblem, MeshPoint};
/// let mesh = Mesh::from_polygons(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], &[vec![0, 1, 2]])?;
/// let beside = MeshPoint::new(3.0, 3.0)?;
/// let fault = Path::new(&mesh, vec![MeshPoint::new(1.0, 1.0)?, beside]).unwrap_err();
/// assert_eq!((fault.index, fault.problem), (1, MeshPathProblem::Beside(beside)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MeshPathProblem {
    /// It has no points.
    #[error("a path has at least one point")]
    Empty,
    /// A point that no polygon has.
    #[error("{0} lies beside the mesh")]
    Beside(MeshPoint),
    /// A leg that leaves the mesh, or squeezes through where two obstacles touch.
    #[error("the straight line from {from} to {to} leaves the mesh")]
    Leaves {
        /// Where the leg begins.
        from: MeshPoint,
        /// Where it would end.
        to: MeshPoint,
    },
    /// The legs are sound, but do not add up to the cost claimed.
    #[error("the legs cost {actual}, not {claimed}")]
    Cost {
        /// What the path says.
        claimed: Cost,
        /// What its legs cost.
        actual: Cost,
    },
}

/// How a path may have come to a point: at what cost, and in which polygons there.
type Arrival = (Cost, Vec<u32>);

impl Mesh {
    /// How a leg may be gone, after the ways in which it may be begun: straight, or by a link. There are several ways only
    /// where a leg that can be walked is a link as well, which may lead on where the walk does not: at a point where two
    /// obstacles touch.
    fn add_leg(&self, from: MeshPoint, to: MeshPoint, arrivals: &mut Vec<Arrival>) {
        let shape = self.shape();
        let through = self.ways().length(from, to).map(|length| self.leg_cost(length));
        let begins = |arrival: &&Arrival| {
            arrival.1.iter().any(|&polygon| self.ways().begins_in(from, to, polygon))
        };
        let by_link = through.and_then(|through| {
            let begin = arrivals.iter().filter(begins).map(|arrival| arrival.0).min()?;
            let mut reached = Vec::new();
            shape.add_polygons_from(to, &mut reached);
            Some((begin + through, reached))
        });
        arrivals.retain_mut(|(cost, reached)| {
            let length = match shape.has_costs() {
                true => shape.weighted_length(from.xy(), to.xy(), reached),
                false => distance(from.xy(), to.xy()),
            };
            *cost += self.leg_cost(length);
            shape.follow_line(from.xy(), to.xy(), reached)
                && reached.iter().any(|&polygon| shape.layer(polygon) == to.layer())
        });
        if let Some(by_link) = by_link {
            // Where a link ends one can go on in every direction.
            arrivals.retain(|arrival| arrival.0 <= by_link.0);
            arrivals.push(by_link);
        }
    }
}

impl Environment for Mesh {
    type Place = MeshPoint;
    type Change = MeshChange;
    type Refusal = MeshRefusal;
    type Problem = MeshPathProblem;

    fn revision(&self) -> Revision {
        self.revision
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn check_place(&self, point: MeshPoint) -> Result<(), MeshRefusal> {
        let shape = self.shape();
        let near = shape.locator.candidates(point.xy());
        let mut here = near.iter();
        if here.any(|&polygon| shape.is_at(polygon, point)) {
            return Ok(());
        }
        let mut patched = Vec::new();
        shape.add_patched_at(point, near, &mut patched);
        if patched.is_empty() { Err(MeshRefusal::Beside { point }) } else { Ok(()) }
    }

    /// The sum of the legs, each of which must lie on the mesh or be a link. A leg begins where the one before has arrived: a
    /// path cannot change sides at a point where two obstacles touch. A leg that can be walked and is a link as well
    /// costs what is less.
    fn price(&self, points: &[MeshPoint]) -> Result<Cost, PathFault<MeshPathProblem>> {
        let fault = |index, problem| PathFault { index, problem };
        let shape = self.shape();
        if points.is_empty() {
            return Err(fault(0, MeshPathProblem::Empty));
        }
        for (index, &point) in points.iter().enumerate() {
            if self.check_place(point).is_err() {
                return Err(fault(index, MeshPathProblem::Beside(point)));
            }
        }
        let mut reached = Vec::new();
        shape.add_polygons_from(points[0], &mut reached);
        let mut arrivals = vec![(Cost::ZERO, reached)];
        for (index, leg) in (1..).zip(points.windows(2)) {
            let (from, to) = (leg[0], leg[1]);
            self.add_leg(from, to, &mut arrivals);
            if arrivals.is_empty() {
                return Err(fault(index, MeshPathProblem::Leaves { from, to }));
            }
        }
        Ok(arrivals.iter().map(|arrival| arrival.0).min().unwrap_or(Cost::ZERO))
    }

    fn known_price(&self, points: &[MeshPoint]) -> Cost {
        let uses_link =
            || points.windows(2).any(|leg| self.ways().length(leg[0], leg[1]).is_some());
        if self.has_costs() || (self.has_links() && uses_link()) {
            return self.price(points).unwrap_or(Cost::ZERO);
        }
        points.windows(2).map(|leg| self.leg_cost(distance(leg[0].xy(), leg[1].xy()))).sum()
    }

    fn wrong_cost(claimed: Cost, actual: Cost) -> MeshPathProblem {
        MeshPathProblem::Cost { claimed, actual }
    }

    fn first_touched(
        &self,
        points: &[MeshPoint],
        from: usize,
        change: &MeshChange,
    ) -> Option<usize> {
        let start = *points.get(from)?;
        let is_met = |one, other| change.is_met(one, other, |item| self.is_concerned_by_item(item));
        if self.check_place(start).is_err() && is_met(start, start) {
            return Some(from);
        }
        (from + 1..points.len()).find(|&at| is_met(points[at - 1], points[at]))
    }

    /// A polygon is blocked as a whole, so whoever stands in one covers all of it: an obstacle in the polygon of a start would
    /// block the start.
    fn covers(&self, at: MeshPoint, point: MeshPoint) -> bool {
        let own = self.polygons_at(at);
        at == point || self.polygons_at(point).iter().any(|polygon| own.contains(polygon))
    }

    fn position(&self, point: MeshPoint) -> Option<Position> {
        Some([point.x(), point.y(), f64::from(point.layer())])
    }
}
