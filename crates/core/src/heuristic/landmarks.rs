//! Landmarks: estimates by the triangle inequality (ALT).
//!
//! Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory" (2005). Distances to
//! and from a few landmarks *L* are known for every node. From a node *u* to a goal *t*
//!
//! ```text
//! d(u, t) ≥ d(L, t) − d(L, u)      since d(L, t) ≤ d(L, u) + d(u, t)
//! d(u, t) ≥ d(u, L) − d(t, L)      since d(u, L) ≤ d(u, t) + d(t, L)
//! ```
//!
//! so the largest of these is admissible. Each is consistent, being the distance of a fixed node but for a
//! constant, and so are the largest of several and, over several goals, the smallest. Where a landmark shows
//! that there is no way at all, the estimate is beyond all bounds, which is no less true.
//!
//! Searches count costs below 2⁴⁴. Where a distance is larger, the smaller of it and 2⁴⁴ is taken: all of the above
//! holds for `min(d, c)` as it does for `d`.

use crate::environment::{BuildError, Edition, Watch};
use crate::search::{ESTIMATE_MAX, Heuristic, Limits, NoHeuristic, Run, Workspace};
use crate::space::{Arrival, NodeId, Nodes, Reversed, Space};

const FAR: u64 = u64::MAX;

/// Distances between every node and a few landmarks.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph};
/// use highroad::heuristic::Landmarks;
/// use highroad::search::Heuristic;
/// let edges = [Edge::new(0, 1, 3), Edge::new(1, 2, 4), Edge::new(2, 0, 5)];
/// let graph = Graph::from_edges(3, &edges)?;
/// let landmarks = Landmarks::choose(&graph, 2)?;
/// assert_eq!(landmarks.heuristic(&[NodeId(2)]).estimate(NodeId(0)), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    nodes: Vec<NodeId>,
    node_count: usize,
    /// For each node and each landmark, the distance from the landmark.
    from: Vec<u64>,
    /// For each node and each landmark, the distance to the landmark. Empty where it equals the distance from it.
    to: Vec<u64>,
    edition: Edition,
}

impl Landmarks {
    /// The most landmarks.
    pub const COUNT_MAX: usize = 64;

    /// Chooses so many landmarks, each as far as can be from those before it; fewer, if there are fewer
    /// nodes. One search over everything for each, two where steps have a direction. Fails if paths cannot be found in the
    /// environment at all, as on a graph with a negative edge.
    pub fn choose<E: Nodes>(environment: &E, count: usize) -> Result<Self, BuildError> {
        Self::choose_watched(environment, count, &mut Watch::none())
    }

    /// As [`Landmarks::choose`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::heuristic::Landmarks;
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("....\n....\n".parse()?);
    /// let mut reports = 0;
    /// let mut count = |_done, _of| { reports += 1; ControlFlow::Continue(()) };
    /// let landmarks = Landmarks::choose_watched(&grid, 4, &mut Watch::new(&mut count))?;
    /// assert!(landmarks.nodes().len() == 4 && reports >= 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose_watched<E: Nodes>(
        environment: &E,
        count: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let space = environment.space();
        let mut space = space.map_err(|refusal| BuildError::NotServed(refusal.to_string()))?;
        let node_count = environment.node_count();
        let count = count.min(Self::COUNT_MAX).min(node_count);
        let size = node_count * count;
        let mut this = Self {
            nodes: Vec::new(),
            node_count,
            from: vec![FAR; size],
            to: if environment.is_symmetric() { Vec::new() } else { vec![FAR; size] },
            edition: environment.edition(),
        };
        let span = 2 * environment.step_max();
        let mut work = Workspace::default();
        let Some(mut next) = first_landmark(&mut space, span, &mut work) else {
            return Ok(this);
        };
        // How far each node lies from the nearest landmark; `FAR` where none reaches it.
        let mut nearest = vec![FAR; node_count];
        let all = || (0..node_count as u32).map(NodeId);
        for slot in 0..count {
            watch.report(slot as u64, count as u64)?;
            this.nodes.push(next);
            let mut note = |distances: &mut [u64], unreached: u64, work: &Workspace| {
                for node in all() {
                    let cost = work.cost(node).unwrap_or(unreached);
                    distances[node.index() * count + slot] = cost;
                    nearest[node.index()] = nearest[node.index()].min(cost);
                }
            };
            let unreached = explore(&mut space, span, next, &mut work);
            note(&mut this.from, unreached, &work);
            if !environment.is_symmetric() {
                let unreached = explore(Reversed(&mut space), span, next, &mut work);
                note(&mut this.to, unreached, &work);
            }
            let distance = |node: &NodeId| Some(nearest[node.index()]).filter(|&far| far != FAR);
            next = all().max_by_key(distance).unwrap_or(next);
        }
        Ok(this)
    }

    /// The landmarks.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Which state of which environment they are of.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Estimates to the nearest of some goals.
    pub fn heuristic<'l>(&'l self, goals: &'l [NodeId]) -> LandmarkHeuristic<'l> {
        LandmarkHeuristic { landmarks: self, goals }
    }

    #[inline]
    fn row<'d>(&self, distances: &'d [u64], node: NodeId) -> &'d [u64] {
        let count = self.nodes.len();
        distances.get(node.index() * count..(node.index() + 1) * count).unwrap_or_default()
    }

    /// At least what it costs to go from one node to another.
    #[inline]
    fn bound(&self, node: NodeId, goal: NodeId) -> u64 {
        let between = |(&near, &far): (&u64, &u64)| match (near, far) {
            (FAR, _) => 0,
            // A finite distance taken from none at all means: no way.
            (_, FAR) => FAR,
            _ => far.saturating_sub(near),
        };
        let most = |near: &[u64], far: &[u64]| near.iter().zip(far).map(between).max().unwrap_or(0);
        let (from, goal_from) = (self.row(&self.from, node), self.row(&self.from, goal));
        let by_start = most(from, goal_from);
        if self.to.is_empty() {
            return by_start.max(most(goal_from, from));
        }
        by_start.max(most(self.row(&self.to, goal), self.row(&self.to, node)))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        (self.from.capacity() + self.to.capacity()) * size_of::<u64>()
    }
}

/// Costs from a node; returns what it costs at least to come to those that were not reached.
fn explore(space: impl Space, span: u64, from: NodeId, work: &mut Workspace) -> u64 {
    let mut run = Run::new(Limits::default());
    work.explore(space, span, [(from, 0)].into_iter(), &[], NoHeuristic, &mut run);
    run.unreached_cost()
}

/// A node far out in a large part of the space; `None` if there are no nodes.
fn first_landmark<S: Space>(space: &mut S, span: u64, work: &mut Workspace) -> Option<NodeId> {
    /// Parts looked at before the largest of them is taken.
    const TRIES: usize = 16;
    let count = space.node_count();
    let mut seen = vec![false; count];
    let mut best = (0, NodeId(0));
    let mut tries = 0;
    for node in (0..count as u32).map(NodeId) {
        let mut isolated = true;
        if !seen[node.index()] {
            space.expand(Arrival { node, parent: node }, &mut |_, _| isolated = false);
        }
        if isolated {
            continue;
        }
        explore(&mut *space, span, node, work);
        let mut part = (0, (0, node));
        for other in (0..count as u32).map(NodeId) {
            if let Some(cost) = work.cost(other) {
                seen[other.index()] = true;
                part = (part.0 + 1, part.1.max((cost, other)));
            }
        }
        // The node farthest from the first is a better beginning than the first.
        let (size, (_, far)) = part;
        best = if size > best.0 { (size, far) } else { best };
        tries += 1;
        if tries == TRIES || best.0 > count / 2 {
            break;
        }
    }
    (count > 0).then_some(best.1)
}

/// Estimates by landmarks for the goals of one query. An estimate takes O(landmarks · goals).
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::heuristic::{LandmarkHeuristic, Landmarks};
/// use highroad::search::Heuristic;
/// use highroad::space::Nodes;
/// let grid = Grid::with_defaults("...\n.#.\n...\n".parse()?);
/// let landmarks = Landmarks::choose(&grid, 2)?;
/// let goals = [grid.node(Cell::new(2, 2))];
/// let heuristic: LandmarkHeuristic<'_> = landmarks.heuristic(&goals);
/// assert!(heuristic.is_consistent() && heuristic.estimate(goals[0]) == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LandmarkHeuristic<'l> {
    landmarks: &'l Landmarks,
    goals: &'l [NodeId],
}

impl Heuristic for LandmarkHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let bound = match self.goals {
            [goal] => self.landmarks.bound(node, *goal),
            goals => goals.iter().map(|&goal| self.landmarks.bound(node, goal)).min().unwrap_or(0),
        };
        bound.min(ESTIMATE_MAX)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}
