//! Edits of a mesh: obstacles, areas and links that come, move and go, and what of the mesh is made again for that.
//!
//! What a mesh has under a name is the same for all kinds of agents; what that means is up to the kind. An area of a class that is
//! forbidden is an obstacle, one that costs nothing more is nothing, and else the ground is cut along it. Links change no
//! polygons (`ways.rs`).
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

use super::batch::{MeshBatch, MeshChange, MeshEditError, MeshItem, Step};
use super::link::MeshLink;
use super::obstacle::{Obstacle, do_meet};
use super::patch::{Effect, Patch, Together, Uncut};
use super::shape::{HALF_EDGES_MAX, MeshShape};
use super::ways::Ways;
use super::{Mesh, MeshMovement, Xy};
use crate::environment::{Edition, Revision};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What has a name, and the polygons without obstacles that it touches and may change, in increasing order.
#[derive(Clone, Debug)]
struct Placed {
    item: MeshItem,
    touched: Arc<[u32]>,
}

/// What a mesh has by name, and the patches that obstacles and areas have led to.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    placed: BTreeMap<Arc<str>, Placed>,
    /// In the order of their first closed polygons.
    patches: Vec<Arc<Patch>>,
}

impl Items {
    pub(super) fn memory_bytes(&self) -> usize {
        let placed = |(name, placed): (&Arc<str>, &Placed)| {
            let outline = placed.item.obstacle().map_or(0, |known| size_of_val(known.outline()));
            name.len() + placed.touched.len() * 4 + outline
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
        Self::apply_to_all(std::slice::from_mut(self), batch)
    }

    /// The same for several kinds of agents on one mesh, which have the same things under the same names: for all of them, or
    /// for none. Fails with a [`MeshEditError`]. See [`Mesh::another_kind`] for an example.
    pub fn apply_to_all(
        kinds: &mut [Self],
        batch: &MeshBatch,
    ) -> Result<Vec<MeshChange>, MeshEditError> {
        let mut changes: Vec<Vec<MeshChange>> = Vec::with_capacity(kinds.len());
        let mut patches = Vec::with_capacity(kinds.len());
        let mut failed = None;
        for mesh in &mut *kinds {
            let mut own = Vec::new();
            let made = mesh.make(batch, &mut own);
            changes.push(own);
            match made.and_then(|()| mesh.patches()) {
                Ok(made) => patches.push(made),
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        if let Some(error) = failed {
            for (mesh, changes) in kinds.iter_mut().zip(changes) {
                for change in changes.into_iter().rev() {
                    mesh.put(change.name, change.before);
                }
            }
            return Err(error);
        }
        for (mesh, patches) in kinds.iter_mut().zip(patches) {
            mesh.install(patches);
            mesh.revision = Revision(mesh.revision.0 + 1);
            mesh.edition = Edition::new();
        }
        Ok(changes.into_iter().next().unwrap_or_default())
    }

    /// The same mesh for another kind of agent, with a number of its own. The ground without obstacles is shared, and
    /// everything that has a name is there; edits that are made to one alone are not made to the other. O(corners) if the
    /// kind has patches of its own. Fails with a [`MeshEditError`] if areas that are obstacles to this kind cannot be cut.
    ///
    /// ```
    /// use highroad::mesh::{AreaClass, Mesh, MeshBatch, MeshMovement, Obstacle};
    /// let water = AreaClass::new(2)?;
    /// let walker = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let cart = walker.another_kind(1, MeshMovement::default().forbidding(water))?;
    /// let pond = Obstacle::new(vec![[2.0, 2.0], [6.0, 2.0], [6.0, 6.0]])?.of_class(water);
    /// let mut kinds = [walker, cart];
    /// Mesh::apply_to_all(&mut kinds, MeshBatch::new().place("pond", pond))?;
    /// assert_eq!(kinds.each_ref().map(|mesh| mesh.has_closed()), [false, true]);
    /// assert_eq!(kinds.each_ref().map(|mesh| mesh.kind()), [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn another_kind(&self, kind: u16, movement: MeshMovement) -> Result<Self, MeshEditError> {
        let mut other = Self {
            shape: self.base.clone(),
            items: Arc::default(),
            movement: Arc::new(movement),
            kind,
            edition: Edition::new(),
            ..self.clone()
        };
        for (name, placed) in &self.items.placed {
            other.put(name.clone(), Some(placed.item.clone()));
        }
        let patches = other.patches()?;
        other.install(patches);
        Ok(other)
    }

    /// The mesh without anything that has a name: its own, of revision 0. It shares the memory of the ground.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let untouched = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let mut mesh = untouched.clone();
    /// let post = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0]])?;
    /// mesh.apply(MeshBatch::new().place("post", post))?;
    /// assert_eq!(mesh.ground().fingerprint(), untouched.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ground(&self) -> Self {
        Self {
            shape: self.base.clone(),
            items: Arc::default(),
            ways: Arc::default(),
            revision: Revision(0),
            edition: Edition::new(),
            ..self.clone()
        }
    }

    /// Everything that has a name, by name.
    pub fn items(&self) -> impl ExactSizeIterator<Item = (&str, &MeshItem)> + '_ {
        self.items.placed.iter().map(|(name, placed)| (&**name, &placed.item))
    }

    /// The obstacles and areas by name.
    pub fn obstacles(&self) -> impl Iterator<Item = (&str, &Obstacle)> + '_ {
        self.items().filter_map(|(name, item)| Some((name, &**item.obstacle()?)))
    }

    /// The links by name.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, MeshLink, MeshPoint};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let lift = MeshLink::new(MeshPoint::new(1.0, 1.0)?, MeshPoint::new(7.0, 7.0)?, 2.0)?;
    /// mesh.apply(MeshBatch::new().place_link("lift", lift))?;
    /// assert_eq!(mesh.links().collect::<Vec<_>>(), [("lift", &lift)]);
    /// assert!(mesh.has_links());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn links(&self) -> impl Iterator<Item = (&str, &MeshLink)> + '_ {
        self.items().filter_map(|(name, item)| Some((name, item.link()?)))
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
        self.items.placed.get(name)?.item.obstacle().map(|obstacle| &**obstacle)
    }

    /// Makes the steps of a batch, but not what follows from them.
    fn make(
        &mut self,
        batch: &MeshBatch,
        changes: &mut Vec<MeshChange>,
    ) -> Result<(), MeshEditError> {
        for (name, step) in &batch.steps {
            let before = self.items.placed.get(name).map(|placed| placed.item.clone());
            let missing = || MeshEditError::NoSuchItem { name: name.clone() };
            let after = match step {
                Step::Place(item) => Some(item.clone()),
                Step::Remove if before.is_none() => return Err(missing()),
                Step::Remove => None,
                Step::MoveBy(by) => Some(moved(before.as_ref().ok_or_else(missing)?, *by, name)?),
                Step::SetOpen(is_open) => match &before {
                    Some(MeshItem::Link(link)) => {
                        let link = if *is_open { link.reopened() } else { link.closed() };
                        Some(MeshItem::Link(Arc::new(link)))
                    }
                    _ => return Err(MeshEditError::NoSuchLink { name: name.clone() }),
                },
            };
            self.put(name.clone(), after.clone());
            changes.push(MeshChange { name: name.clone(), before, after });
        }
        Ok(())
    }

    fn put(&mut self, name: Arc<str>, item: Option<MeshItem>) {
        let placed = item.map(|item| {
            let counts = |obstacle: &&Arc<Obstacle>| effect(&self.movement, obstacle).is_some();
            let obstacle = item.obstacle().filter(counts);
            let touched = obstacle.map(|obstacle| touched_by(&self.base, obstacle));
            let touched = touched.unwrap_or_default().into();
            Placed { item, touched }
        });
        let items = &mut Arc::make_mut(&mut self.items).placed;
        match placed {
            Some(placed) => items.insert(name, placed),
            None => items.remove(&name),
        };
    }

    /// Whether something may mean something to this kind of agent.
    pub(super) fn is_concerned_by_item(&self, item: &MeshItem) -> bool {
        match item {
            MeshItem::Obstacle(obstacle) => effect(&self.movement, obstacle).is_some(),
            MeshItem::Link(_) => true,
        }
    }

    /// The patches for all obstacles and areas; those that are there are used again.
    fn patches(&self) -> Result<Vec<Arc<Patch>>, MeshEditError> {
        let placed: Vec<(&Arc<str>, &Placed)> = self.items.placed.iter().collect();
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
                    .filter_map(|&member| placed[member as usize].1.item.obstacle().cloned())
                    .collect();
                let effect = |obstacle: &Obstacle| {
                    effect(&self.movement, obstacle).unwrap_or(Effect::Factor(1.0))
                };
                let patch = match self.known_patch(&closed, &obstacles) {
                    Some(patch) => patch,
                    None => match Patch::of(&self.base, closed, obstacles, effect) {
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
        let patches = &self.items.patches;
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
        Arc::make_mut(&mut self.items).patches = patches;
        self.find_ways();
    }

    /// Finds out which links can be used.
    pub(super) fn find_ways(&mut self) {
        let links = self.items.placed.values().filter_map(|placed| placed.item.link());
        let ways = Ways::of(&self.shape, links, &self.movement);
        if !ways.is_empty() || !self.ways.is_empty() {
            self.ways = Arc::new(ways);
        }
    }
}

/// What an obstacle or an area means to a kind of agent, if anything.
fn effect(movement: &MeshMovement, obstacle: &Obstacle) -> Option<Effect> {
    match obstacle.class().map(|class| movement.factor(class)) {
        None | Some(None) => Some(Effect::Solid),
        Some(Some(factor)) => (factor != 1.0).then_some(Effect::Factor(factor)),
    }
}

/// Something elsewhere.
fn moved(item: &MeshItem, by: [f64; 2], name: &Arc<str>) -> Result<MeshItem, MeshEditError> {
    let name = name.clone();
    match item {
        MeshItem::Obstacle(obstacle) => match obstacle.moved_by(by) {
            Ok(moved) => Ok(MeshItem::Obstacle(Arc::new(moved))),
            Err(error) => Err(MeshEditError::Moved { name, error }),
        },
        MeshItem::Link(link) => match link.moved_by(by) {
            Ok(moved) => Ok(MeshItem::Link(Arc::new(moved))),
            Err(error) => Err(MeshEditError::MovedLink { name, error }),
        },
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
