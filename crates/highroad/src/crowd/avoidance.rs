//! Velocities with which discs do not collide: optimal reciprocal collision avoidance.
//!
//! After van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance" (2011): each neighbour forbids the
//! velocities that would lead to a collision within a time, given that the neighbour does its share to avoid it. What is
//! allowed is a half-plane of velocities; of all that every half-plane allows, the one nearest to what the agent prefers is a linear
//! program in two dimensions, solved half-plane by half-plane. Where nothing is allowed, the least violation is found in the same
//! way, one dimension up; half-planes of walls are never violated for the sake of neighbours.
//!
//! Deviations: shares follow from priorities instead of halves. Walls are the cells around an agent, each of which limits
//! how fast its nearest point is approached. Discs that overlap already are driven apart over several steps.

use super::vector::Vector;

/// Below that, lines count as parallel.
const PARALLEL: f64 = 1e-9;

/// The velocities to the left of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    point: Vector,
    direction: Vector,
}

/// A disc that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    pub(super) radius: f64,
}

impl HalfPlane {
    /// The velocities that approach a wall in that direction no faster than that.
    pub(super) fn of_wall(towards: Vector, speed_max: f64) -> Self {
        Self { point: towards * speed_max, direction: towards.turned() }
    }

    /// The velocities with which a disc collides with no other one within `horizon`, or gets apart from it within `apart`,
    /// if it does that share of what has to be done. Both are in seconds.
    pub(super) fn of_neighbour(
        own: &Disc,
        other: &Disc,
        share: f64,
        horizon: f64,
        apart: f64,
    ) -> Self {
        let offset = other.position - own.position;
        let closing = own.velocity - other.velocity;
        let (gap_squared, reach) = (offset.length_squared(), own.radius + other.radius);
        let time = if gap_squared > reach * reach { horizon } else { apart };
        let outside = closing - offset * (1.0 / time);
        let along = outside.dot(offset);
        let is_ahead = along < 0.0 && along * along > reach * reach * outside.length_squared();
        let (direction, change) = if is_ahead || gap_squared <= reach * reach {
            // What is forbidden ends in a disc there.
            let away = outside.unit().or((-offset).unit()).unwrap_or(Vector::new(1.0, 0.0));
            (-away.turned(), away * (reach / time - outside.length()))
        } else {
            // What is forbidden is bounded by a tangent there, the left or the right one.
            let tangent = (gap_squared - reach * reach).sqrt();
            let leg = match offset.cross(outside) > 0.0 {
                true => offset * tangent + offset.turned() * reach,
                false => -(offset * tangent - offset.turned() * reach),
            };
            let direction = leg * (1.0 / gap_squared);
            (direction, direction * closing.dot(direction) - closing)
        };
        Self { point: own.velocity + change * share, direction }
    }

    /// How far a velocity is from being allowed; not positive if it is.
    #[inline]
    fn violation(&self, velocity: Vector) -> f64 {
        self.direction.cross(self.point - velocity)
    }
}

/// What is optimised.
#[derive(Clone, Copy)]
enum Aim {
    /// The nearest to a velocity.
    Near(Vector),
    /// The farthest in a direction of length one.
    Far(Vector),
}

/// The most half-planes: four walls or corners, and the neighbours.
const PLANES_MAX: usize = 4 + super::step::NEIGHBOURS_MAX;

/// Half-planes, without memory of their own.
struct Planes {
    all: [HalfPlane; PLANES_MAX],
    count: usize,
}

impl Planes {
    const fn new() -> Self {
        let nothing = HalfPlane { point: Vector::ZERO, direction: Vector::ZERO };
        Self { all: [nothing; PLANES_MAX], count: 0 }
    }

    fn push(&mut self, plane: HalfPlane) {
        self.all[self.count] = plane;
        self.count += 1;
    }

    fn as_slice(&self) -> &[HalfPlane] {
        &self.all[..self.count]
    }
}

/// Finds a velocity: at most four half-planes of walls first, then those of at most 16 neighbours.
pub(super) struct Solver {
    planes: Planes,
    walls: usize,
}

impl Solver {
    pub(super) const fn new() -> Self {
        Self { planes: Planes::new(), walls: 0 }
    }

    /// Walls come before neighbours.
    pub(super) fn add_wall(&mut self, plane: HalfPlane) {
        debug_assert_eq!(self.walls, self.planes.count, "walls come first");
        self.planes.push(plane);
        self.walls += 1;
    }

    pub(super) fn add_neighbour(&mut self, plane: HalfPlane) {
        self.planes.push(plane);
    }

    /// The velocity nearest to the preferred one that everything allows and that is no faster than that; if there is none, one
    /// that violates what neighbours ask for as little as possible.
    pub(super) fn solve(&self, preferred: Vector, speed_max: f64) -> Vector {
        match optimum(self.planes.as_slice(), speed_max, Aim::Near(preferred)) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => self.least_violation(failed, speed_max, velocity),
        }
    }

    fn least_violation(&self, failed: usize, speed_max: f64, velocity: Vector) -> Vector {
        let planes = self.planes.as_slice();
        let (mut velocity, mut worst) = (velocity, 0.0);
        for (number, plane) in planes.iter().enumerate().skip(failed) {
            if plane.violation(velocity) <= worst {
                continue;
            }
            let mut projected = Planes::new();
            planes[..self.walls].iter().for_each(|&wall| projected.push(wall));
            for other in planes.iter().take(number).skip(self.walls) {
                if let Some(line) = equal_violation(plane, other) {
                    projected.push(line);
                }
            }
            let away = Aim::Far(plane.direction.turned());
            if let Ok(better) = optimum(projected.as_slice(), speed_max, away) {
                velocity = better;
            }
            worst = plane.violation(velocity);
        }
        velocity
    }
}

/// The velocities that violate one half-plane no more than another one.
fn equal_violation(plane: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let slant = plane.direction.cross(other.direction);
    let point = if slant.abs() > PARALLEL {
        let along = other.direction.cross(plane.point - other.point) / slant;
        plane.point + plane.direction * along
    } else if plane.direction.dot(other.direction) > 0.0 {
        return None;
    } else {
        (plane.point + other.point) * 0.5
    };
    Some(HalfPlane { point, direction: (other.direction - plane.direction).unit()? })
}

/// The best velocity that all half-planes allow, or the number of the first that cannot be met together with those
/// before, and the best velocity up to there.
fn optimum(planes: &[HalfPlane], speed_max: f64, aim: Aim) -> Result<Vector, (usize, Vector)> {
    let mut best = match aim {
        Aim::Near(velocity) => velocity.at_most(speed_max),
        Aim::Far(direction) => direction * speed_max,
    };
    for (number, plane) in planes.iter().enumerate() {
        if plane.violation(best) > 0.0 {
            match on_line(plane, &planes[..number], speed_max, aim) {
                Some(better) => best = better,
                None => return Err((number, best)),
            }
        }
    }
    Ok(best)
}

/// The best velocity on the line of a half-plane that others allow.
fn on_line(plane: &HalfPlane, others: &[HalfPlane], speed_max: f64, aim: Aim) -> Option<Vector> {
    let along = plane.point.dot(plane.direction);
    let inside = along * along + speed_max * speed_max - plane.point.length_squared();
    if inside < 0.0 {
        return None;
    }
    let half = inside.sqrt();
    let (mut first, mut last) = (-along - half, -along + half);
    for other in others {
        let slant = plane.direction.cross(other.direction);
        let outside = other.direction.cross(plane.point - other.point);
        if slant.abs() <= PARALLEL {
            if outside < 0.0 {
                return None;
            }
            continue;
        }
        let crossing = outside / slant;
        if slant >= 0.0 {
            last = last.min(crossing);
        } else {
            first = first.max(crossing);
        }
        if first > last {
            return None;
        }
    }
    let at = match aim {
        Aim::Far(direction) if direction.dot(plane.direction) > 0.0 => last,
        Aim::Far(_) => first,
        Aim::Near(velocity) => {
            plane.direction.dot(velocity - plane.point).clamp(first, last.max(first))
        }
    };
    Some(plane.point + plane.direction * at)
}
