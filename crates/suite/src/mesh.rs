//! The suite for planners of meshes.
//!
//! A situation is a small map of squares, some of them blocked. Free ground becomes a mesh of squares, of rows or of
//! triangles, on a lattice or turned and scaled, so that coordinates are rounded. The oracle knows the squares alone: all
//! corners of obstacles that see each other, by whole numbers, and Dijkstra's algorithm over them.

use crate::candidate::Candidate;
use crate::checks::Question;
use crate::outcome::{Failures, Rounds, Summary, Tally};
use crate::posed::{Posed, check_random, query_between};
use crate::random::Random;
use crate::squares::{Spot, SquareMesh};
use highroad_core::mesh::{Mesh, MeshPoint};
use highroad_core::{Answer, Environment, Guarantee, NodeId, Path, PathQuery, Planner, Scratch};
use std::fmt;

/// The most squares along a side of a map.
const SIDE_MAX: u32 = 7;

/// Units by which the costs of equally short paths may differ: each leg is rounded to a whole unit.
const SLACK: u64 = 64;

/// A mesh, with a question about it.
#[derive(Clone)]
pub struct MeshSituation {
    /// The mesh.
    pub mesh: Mesh,
    ground: SquareMesh,
    starts: Vec<Spot>,
    goals: Vec<Spot>,
}

/// Tests a planner of meshes in random situations: squares, rows with corners of 180° and triangles, coordinates that are
/// exact and such that are rounded, obstacles that touch at corners, ends on corners and edges, several starts and goals,
/// goals that cannot be reached.
///
/// ```
/// use highroad_core::{AnyAngle, Mesh};
/// use highroad_suite::{Candidate, Rounds, check_mesh};
/// let candidate = Candidate::new(|_: &Mesh| Some(Box::new(AnyAngle) as _)).with_abstract_traces();
/// assert!(check_mesh(&candidate, Rounds::new(5)).is_ok());
/// ```
pub fn check_mesh(candidate: &Candidate<'_, Mesh>, rounds: Rounds) -> Result<Summary, Failures> {
    check_random::<_, MeshSituation>(candidate, rounds, SIDE_MAX)
}

impl Posed<Mesh> for MeshSituation {
    fn random(random: &mut Random, size_max: u32) -> Self {
        Self::random(random, size_max)
    }

    fn environment(&self) -> &Mesh {
        &self.mesh
    }

    fn check(
        &self,
        candidate: &Candidate<'_, Mesh>,
        planner: &dyn Planner<Mesh>,
        random: &mut Random,
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        let mesh = &self.mesh;
        let length = self.shortest();
        let guarantee = planner.guarantee(mesh);
        let right = |answer: &Answer<MeshPoint>| self.is_right(length, guarantee, answer);
        let check_path = |path: &Path<MeshPoint>| self.check_path(path);
        let node_of = |_| NodeId(0);
        // Of equally short paths one may cost a unit more than another, by the rounding of its legs: what is best is what the planner
        // has found, if that is as short as it can be.
        let own = planner.solve(mesh, &self.query(), scratch).ok().and_then(Answer::path);
        let best = match (guarantee, own) {
            (Guarantee::Optimal, Some(path)) => Some(path.cost().0),
            _ => length.map(|length| (length * mesh.cost_scale() * (1.0 - 1e-9)) as u64),
        };
        let edge = best.unwrap_or_default();
        let limits =
            [edge / 100 * u64::from(random.below(120)), edge + SLACK, edge.saturating_sub(1)];
        let question = Question {
            environment: mesh,
            planner,
            query: self.query(),
            best,
            slack: SLACK,
            cost_limits: candidate.cost_limits(&limits),
            traces_places: candidate.traces_places,
            shared_places: Vec::new(),
            right: &right,
            check_path: &check_path,
            node_of: &node_of,
        };
        question.check(self, random, scratch, tally);
    }
}

impl MeshSituation {
    /// A random situation on a map of at most so many squares along a side.
    pub fn random(random: &mut Random, side_max: u32) -> Self {
        let (width, height) = (1 + random.below(side_max), 1 + random.below(side_max));
        let blocked_percent = random.pick(&[0, 15, 30, 45]);
        let count = (width * height) as usize;
        let mut blocked: Vec<bool> =
            (0..count).map(|_| random.below(100) < blocked_percent).collect();
        blocked[random.below(count as u32) as usize] = false;
        let turn = random.pick(&[0, 0, 1, 2]);
        let form = random.below(3);
        let ground = SquareMesh::of((width, height), blocked, turn, form, random);
        let mesh = ground.mesh.clone();
        let spots = ground.free_spots();
        let mut ends = || {
            let picked = random.pick_ends(&spots);
            let on_mesh = |spot: &Spot| mesh.check_place(ground.point(*spot)).is_ok();
            picked.into_iter().filter(on_mesh).collect::<Vec<Spot>>()
        };
        let (mut starts, mut goals) = (ends(), ends());
        // The middle of a free square lies on the mesh, however it is rounded.
        let middle = ground.middle();
        for list in [&mut starts, &mut goals] {
            if list.is_empty() {
                list.push(middle);
            }
        }
        Self { mesh, ground, starts, goals }
    }

    /// The question.
    pub fn query(&self) -> PathQuery<MeshPoint> {
        let points =
            |spots: &[Spot]| spots.iter().map(|&spot| self.point(spot)).collect::<Vec<_>>();
        query_between(&points(&self.starts), &points(&self.goals))
    }

    fn point(&self, spot: Spot) -> MeshPoint {
        self.ground.point(spot)
    }

    /// The length of a shortest path, if there is one.
    fn shortest(&self) -> Option<f64> {
        self.ground.shortest(&self.starts, &self.goals)
    }

    fn is_right(
        &self,
        best: Option<f64>,
        guarantee: Guarantee,
        answer: &Answer<MeshPoint>,
    ) -> Result<(), String> {
        match (answer, best) {
            (Answer::Found(path), Some(best)) => {
                self.check_path(path)?;
                if !self.goals.iter().any(|&goal| self.point(goal) == path.goal()) {
                    return Err(format!("the path ends at {}, which is no goal", path.goal()));
                }
                let length = self.mesh.length(path.places());
                let slack = 1e-9 * (1.0 + best);
                if length < best - slack
                    || (guarantee == Guarantee::Optimal && length > best + slack)
                {
                    return Err(format!("length {length} where {best} is best: not {guarantee}"));
                }
                Ok(())
            }
            (Answer::Unreachable { nearest }, None) => {
                self.check_path(nearest)?;
                let near = self.mesh.length(&[nearest.goal(), self.point(self.goals[0])]);
                let starts = self.starts.iter().map(|&start| self.point(start));
                let from_start = |start| self.mesh.length(&[start, self.point(self.goals[0])]);
                if self.goals.len() == 1 && starts.map(from_start).any(|start| start + 1e-9 < near)
                {
                    return Err(format!("a start is nearer than {}", nearest.goal()));
                }
                Ok(())
            }
            (answer, best) => Err(format!("{answer:?}, but the best length is {best:?}")),
        }
    }

    fn check_path(&self, path: &Path<MeshPoint>) -> Result<(), String> {
        path.validate(&self.mesh).map_err(|fault| fault.to_string())?;
        if self.starts.iter().any(|&start| self.point(start) == path.start()) {
            return Ok(());
        }
        Err(format!("the path starts at {}, which is no start", path.start()))
    }
}

impl fmt::Debug for MeshSituation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ground, starts, goals, .. } = self;
        writeln!(f, "\nstarts {starts:?}, goals {goals:?}\n{ground:?}")?;
        writeln!(f, "{}", highroad_core::mesh::write_polyanya(&self.mesh))
    }
}
