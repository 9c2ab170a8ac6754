//! Edits of a mesh: obstacles that come, move and go, and what of the mesh is made again for that.
//!
//! A mesh keeps its shape without obstacles, and the obstacles by their names. An edit finds out which obstacles touch a
//! common polygon, directly or by way of others; each such group has one patch (`patch.rs`). Patches of groups that are
//! as they were are kept; only others are made. Then all patches are put into the arrays (`install.rs`).
//!
//! **One form**: groups and patches follow from the set of obstacles, and patches are numbered by their first closed
//! polygon. So the mesh is the same to the last bit as one to which the same obstacles were given in any other order.
//!
//! **Complexity.** The triangulation of what the edited obstacles touch, and a copy of what all patches have; to find groups
//! takes O(n · log n), for n pairs of an obstacle and a polygon that it touches. If a clone of the mesh is in use, its arrays
//! are copied first, as they are for the first obstacle.
//!
//! **Where it is slow.** Obstacles that touch a common polygon are triangulated together. On a map that is crowded with
//! obstacles most of them form one group, and an edit takes as long as making that part of the mesh.

use super::obstacle::{MeshBatch, MeshChange, MeshEditError, Obstacle, Step, do_meet};
use super::patch::{Patch, Together, Uncut};
use super::shape::{HALF_EDGES_MAX, MeshShape};
use super::{Mesh, Xy};
use crate::environment::{Edition, Revision};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An obstacle, and the polygons without obstacles that it touches, in increasing order.
#[derive(Clone, Debug)]
struct Placed {
    obstacle: Arc<Obstacle>,
    touched: Arc<[u32]>,
}

/// The obstacles of a mesh by name, and the patches that they have led to.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    placed: BTreeMap<Arc<str>, Placed>,
    /// In the order of their first closed polygons.
    patches: Vec<Arc<Patch>>,
}

impl Obstacles {
    pub(super) fn memory_bytes(&self) -> usize {
        let placed = |(name, placed): (&Arc<str>, &Placed)| {
            name.len() + placed.touched.len() * 4 + size_of_val(placed.obstacle.outline())
        };
        self.placed.iter().map(placed).sum::<usize>()
            + self.patches.iter().map(|patch| patch.memory_bytes()).sum::<usize>()
    }
}

/// Obstacles that share a patch, and what is closed for them.
struct Group {
    members: Vec<u32>,
    closed: Vec<u32>,
}

impl Mesh {
    /// Makes all edits of a batch, or none: one revision. Returns which obstacles differ, in order. Fails with a
    /// [`MeshEditError`].
    ///
    /// Planners made for the mesh before have to be made again, but for searches that keep nothing.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
    /// use highroad::online::AnyAngle;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let diamond = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0], [2.0, 4.0]])?;
    /// let changes = mesh.apply(MeshBatch::new().place("diamond", diamond))?;
    /// let query = PathQuery::new(MeshPoint::new(1.0, 4.0)?, MeshPoint::new(7.0, 4.0)?);
    /// let path = AnyAngle.solve(&mesh, &query, &mut Scratch::new())?.path().expect("there is a way round it");
    /// assert_eq!(mesh.length(path.places()), 2.0 * 13f64.sqrt());
    /// assert_eq!((changes.len(), mesh.obstacles().count()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, batch: &MeshBatch) -> Result<Vec<MeshChange>, MeshEditError> {
        let mut changes: Vec<MeshChange> = Vec::new();
        let made = self.make(batch, &mut changes);
        let patches = made.and_then(|()| self.patches());
        match patches {
            Ok(patches) => {
                self.install(patches);
                self.revision = Revision(self.revision.0 + 1);
                self.edition = Edition::new();
                Ok(changes)
            }
            Err(error) => {
                for change in changes.into_iter().rev() {
                    self.put(change.name, change.before);
                }
                Err(error)
            }
        }
    }

    /// The obstacles by name.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = (&str, &Obstacle)> + '_ {
        self.obstacles.placed.iter().map(|(name, placed)| (&**name, &*placed.obstacle))
    }

    /// The obstacle of a name.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let post = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0]])?;
    /// mesh.apply(MeshBatch::new().place("post", post.clone()))?;
    /// assert_eq!(mesh.obstacle("post"), Some(&post));
    /// assert_eq!(mesh.obstacle("crate"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn obstacle(&self, name: &str) -> Option<&Obstacle> {
        self.obstacles.placed.get(name).map(|placed| &*placed.obstacle)
    }

    /// Makes the steps of a batch, but not what follows from them.
    fn make(
        &mut self,
        batch: &MeshBatch,
        changes: &mut Vec<MeshChange>,
    ) -> Result<(), MeshEditError> {
        for (name, step) in &batch.steps {
            let before = self.obstacles.placed.get(name).map(|placed| placed.obstacle.clone());
            let missing = || MeshEditError::NoSuchObstacle { name: name.clone() };
            let after = match step {
                Step::Place(obstacle) => Some(obstacle.clone()),
                Step::Remove if before.is_none() => return Err(missing()),
                Step::Remove => None,
                Step::MoveBy(by) => {
                    let moved = before.as_ref().ok_or_else(missing)?.moved_by(*by);
                    let name = name.clone();
                    Some(Arc::new(moved.map_err(|error| MeshEditError::Moved { name, error })?))
                }
            };
            self.put(name.clone(), after.clone());
            changes.push(MeshChange { name: name.clone(), before, after });
        }
        Ok(())
    }

    fn put(&mut self, name: Arc<str>, obstacle: Option<Arc<Obstacle>>) {
        let placed = obstacle.map(|obstacle| {
            let touched = touched_by(&self.base, &obstacle).into();
            Placed { obstacle, touched }
        });
        let obstacles = &mut Arc::make_mut(&mut self.obstacles).placed;
        match placed {
            Some(placed) => obstacles.insert(name, placed),
            None => obstacles.remove(&name),
        };
    }

    /// The patches for all obstacles; those that are there are used again.
    fn patches(&self) -> Result<Vec<Arc<Patch>>, MeshEditError> {
        let placed: Vec<(&Arc<str>, &Placed)> = self.obstacles.placed.iter().collect();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (number, (_, placed)) in (0u32..).zip(&placed) {
            pairs.extend(placed.touched.iter().map(|&polygon| (polygon, number)));
        }
        loop {
            let groups = groups_of(&mut pairs, placed.len());
            let mut patches = Vec::with_capacity(groups.len());
            let mut edges = self.base.half_edges.len();
            let known = pairs.len();
            for Group { members, closed } in groups {
                let obstacles: Vec<Arc<Obstacle>> = members
                    .iter()
                    .map(|&member| placed[member as usize].1.obstacle.clone())
                    .collect();
                let patch = match self.known_patch(&closed, &obstacles) {
                    Some(patch) => patch,
                    None => match Patch::of(&self.base, closed, obstacles) {
                        Ok(patch) => Arc::new(patch),
                        // More has to be closed, which may join groups.
                        Err(Uncut::Portals(polygons)) => {
                            pairs.extend(polygons.iter().map(|&polygon| (polygon, members[0])));
                            continue;
                        }
                        Err(uncut) => return Err(refusal(uncut, placed[members[0] as usize].0)),
                    },
                };
                edges += patch.edges.len();
                patches.push(patch);
            }
            if edges > HALF_EDGES_MAX {
                return Err(MeshEditError::TooManyCorners { count: edges, max: HALF_EDGES_MAX });
            }
            if pairs.len() == known {
                return Ok(patches);
            }
        }
    }

    /// The patch for these closed polygons and obstacles, if there is one already.
    fn known_patch(&self, closed: &[u32], obstacles: &[Arc<Obstacle>]) -> Option<Arc<Patch>> {
        let patches = &self.obstacles.patches;
        let at = patches.binary_search_by_key(&closed[0], |patch| patch.closed[0]).ok()?;
        let patch = &patches[at];
        let is_same = |(one, other): (&Arc<Obstacle>, &Arc<Obstacle>)| Arc::ptr_eq(one, other);
        let are_same = patch.closed == closed
            && patch.obstacles.len() == obstacles.len()
            && patch.obstacles.iter().zip(obstacles).all(is_same);
        are_same.then(|| patch.clone())
    }

    /// Puts patches into the arrays.
    fn install(&mut self, patches: Vec<Arc<Patch>>) {
        // A mesh that never had an obstacle shares its arrays with what it is without any.
        if !patches.is_empty() || !Arc::ptr_eq(&self.shape, &self.base) {
            Arc::make_mut(&mut self.shape).install(&self.base, &patches);
        }
        Arc::make_mut(&mut self.obstacles).patches = patches;
    }
}

/// The groups of obstacles that touch common polygons, given pairs of a polygon and an obstacle: in the order of the first
/// polygon that each touches. Obstacles that touch nothing are in no group.
fn groups_of(pairs: &mut Vec<(u32, u32)>, obstacles: usize) -> Vec<Group> {
    pairs.sort_unstable();
    pairs.dedup();
    let mut together = Together::new(obstacles);
    for pair in pairs.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        together.join(pair[0].1, pair[1].1);
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = vec![u32::MAX; obstacles];
    for &(polygon, obstacle) in pairs.iter() {
        let first = together.first(obstacle) as usize;
        if group_of[first] == u32::MAX {
            group_of[first] = groups.len() as u32;
            groups.push(Group { members: Vec::new(), closed: Vec::new() });
        }
        let group = &mut groups[group_of[first] as usize];
        group.members.push(obstacle);
        if group.closed.last() != Some(&polygon) {
            group.closed.push(polygon);
        }
    }
    for group in &mut groups {
        group.members.sort_unstable();
        group.members.dedup();
    }
    groups
}

/// The open polygons on the layer of an obstacle that have a point in common with it, in increasing order. Exact.
fn touched_by(base: &MeshShape, obstacle: &Obstacle) -> Vec<u32> {
    let bounds = obstacle.bounds();
    let mut near = base.open_near(bounds);
    near.retain(|&polygon| {
        base.layer(polygon) == obstacle.layer() && is_touched(base, polygon, obstacle, bounds)
    });
    near
}

fn is_touched(base: &MeshShape, polygon: u32, obstacle: &Obstacle, [least, most]: [Xy; 2]) -> bool {
    let sides = base.sides(polygon);
    let is_apart = |axis: usize| {
        let coordinates = || sides.iter().map(|side| side.at[axis]);
        coordinates().all(|at| at < least[axis]) || coordinates().all(|at| at > most[axis])
    };
    if is_apart(0) || is_apart(1) {
        return false;
    }
    let mut from = sides[sides.len() - 1].at;
    let meets = |side: &super::shape::HalfEdge| {
        let line = [std::mem::replace(&mut from, side.at), side.at];
        obstacle.sides().any(|side| do_meet(line, side))
    };
    base.contains(polygon, obstacle.outline()[0])
        || obstacle.covers(sides[0].at)
        || sides.iter().any(meets)
}

fn refusal(uncut: Uncut, name: &Arc<str>) -> MeshEditError {
    let name = name.clone();
    match uncut {
        Uncut::EqualVertices(vertices) => MeshEditError::EqualVertices { name, vertices },
        Uncut::Crossing | Uncut::Portals(_) => MeshEditError::NotCut { name },
    }
}

#[cfg(test)]
mod tests;
