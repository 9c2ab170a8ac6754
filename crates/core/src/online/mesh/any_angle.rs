//! Shortest paths on a mesh, after Cui, Harabor and Grastien, "Compromise-free Pathfinding on a Navigation Mesh"
//! (IJCAI 2017), whose method is called Polyanya.
//!
//! A node of the search is a root, where the path bent last, and the part of an edge that is seen from it. To expand it
//! is to cross the polygon behind the edge: parts of its other edges are seen from the same root, and where the part
//! ends at a corner, a path may bend there, which becomes the root of what lies behind the corner.
//!
//! ```text
//!            a  left of the cone: only round the corner a, if a is one
//!     root ──+────────────────
//!       \    |   seen from the root
//!        \   |
//!         ───+────────────────
//!            b  right of the cone: only round b
//! ```
//!
//! **Invariants.** Keys are lengths that no path of the node undercuts, so that the first goal that comes out of the open list
//! is reached on a shortest path. A root at a vertex is as cheap as any found there before; nodes of dearer
//! ones are passed over. Every node's cone has a positive angle, or its root lies at an end of the edge.
//!
//! **Where we deviate.**
//! * A cone is kept as the two *vertices* that limit it, not as computed points on the edge. So all that is decided
//!   (what is seen, where a path can bend, whether a cone meets an edge at all) is the orientation of three given points,
//!   which is exact (`mesh/point.rs`). Points on edges are computed for keys only.
//! * A path bends only where more than 180° are free, in the fan of polygons that it is in (`mesh/shape.rs`).
//! * Dead ends are left out at once, however deep, unless an end of the query lies in them.
//! * The best successor is expanded without a detour through the open list if it would come out first anyway.
//!
//! **Links** (`online/mesh/ways.rs`) are seen as goals are. Where one ends is a root, as where a path starts. No path by a link
//! costs less than its last link and the straight line from there, which caps every key: it stays a bound.
//!
//! **Areas** that cost more than other ground are not known to it: it finds shortest paths, not cheapest ones. The catalog refuses it
//! there.
//!
//! **Complexity.** Nodes may be many in the worst case, as with the original; each takes time in proportion to the
//! corners of a polygon. Lengths are rounded to about one part in 10¹⁵ for each leg, and so is what "shortest" means.

use super::cone::{Node, OPEN, Ray, Root, TURN, WAY, crossing_or, way_through};
use super::sketch;
use super::trace;
use crate::mesh::shape::{HalfEdge, MeshShape};
use crate::mesh::{Mesh, MeshPoint, NONE, Ways, Xy, distance, orient};
use crate::planner::{
    Algorithm, Guarantee, Memory, MeshEnds, PathQuery, Progress, Scratch, Session, SketchLayer,
    add_mesh_point, begin_mesh_path, end_at_mesh_limit, is_longer_than,
};
use crate::search::{Run, SearchObserver, TraceKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Shortest paths from point to point on a [`Mesh`], with nothing precomputed. See the header of its file.
///
/// The nodes of its traces are its own: first the starts, then what is opened, numbered as it is.
///
/// ```
/// use highroad::mesh::{Mesh, MeshPoint};
/// use highroad::online::AnyAngle;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// // A corridor round a corner: the path bends at (1, 1).
/// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
/// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
/// let query = PathQuery::new(MeshPoint::new(4.0, 1.0)?, MeshPoint::new(0.0, 4.0)?);
/// let path = AnyAngle.solve(&mesh, &query, &mut Scratch::new())?.path().expect("they are connected");
/// assert_eq!(mesh.length(path.places()), 3.0 + 10f64.sqrt());
/// assert_eq!(path.places()[1], MeshPoint::new(1.0, 1.0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyAngle;

/// What a search needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct AnyAngleMemory {
    pub(super) ends: MeshEnds,
    pub(super) roots: Vec<Root>,
    /// How many roots are starts.
    starts: usize,
    pub(super) nodes: Vec<Node>,
    /// The key as the bits of a positive number, which are ordered as the number is; then the inverted number of the
    /// node, so that the newest of equal ones comes first.
    open: BinaryHeap<Reverse<u128>>,
    /// The entry that comes next whatever is on the open list.
    next: Option<u128>,
    /// For each vertex, and after them for the end of each link, the search that has had a root there, and the length of the
    /// way to it.
    pub(super) best: Vec<(u32, f64)>,
    pub(super) search: u32,
    /// The shortest way to a goal so far.
    pub(super) shortest: f64,
    /// The root nearest to a goal, and how far away it is.
    nearest: (f64, u32),
}

impl Memory for AnyAngleMemory {
    fn bytes(&self) -> usize {
        self.ends.bytes()
            + self.roots.capacity() * size_of::<Root>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.open.capacity() * size_of::<u128>()
            + self.best.capacity() * size_of::<(u32, f64)>()
    }
}

impl AnyAngleMemory {
    /// Makes it ready for a query: O(1) but for the first on a larger mesh.
    fn clear(&mut self, vertices: usize) {
        self.roots.clear();
        self.nodes.clear();
        self.open.clear();
        self.next = None;
        self.shortest = f64::INFINITY;
        self.nearest = (f64::INFINITY, 0);
        if self.best.len() < vertices || self.search == u32::MAX {
            self.best.clear();
            self.best.resize(vertices, (0, 0.0));
            self.search = 0;
        }
        self.search += 1;
    }

    /// Adds the points of the path to a root, from the start on. Vertices of the mesh are numbered below `vertices`.
    fn write_way(&self, root: u32, vertices: usize, points: &mut Vec<MeshPoint>) {
        points.clear();
        let mut at = root;
        // Ends of links stay, though the other end may lie at the same place of another layer.
        let mut was_end = false;
        let mut is_begin = false;
        loop {
            let Root { at: xy, before, layer, vertex, .. } = self.roots[at as usize];
            let point = MeshPoint::known(xy, layer);
            let is_link_end = vertex != OPEN && vertex as usize >= vertices;
            let is_end = is_begin || is_link_end;
            let is_same = |last: &MeshPoint| match is_end || was_end {
                true => *last == point,
                false => last.xy() == xy,
            };
            if !points.last().is_some_and(is_same) {
                points.push(point);
            }
            if before == at {
                break;
            }
            (was_end, is_begin) = (is_end, is_link_end);
            at = before;
        }
        points.reverse();
    }
}

/// The number of a node in an entry of the open list.
fn node_of(entry: u128) -> u32 {
    !(entry as u32)
}

fn key_of(entry: u128) -> f64 {
    f64::from_bits((entry >> 64) as u64)
}

impl Algorithm<Mesh> for AnyAngle {
    type Memory = AnyAngleMemory;

    fn guarantee_for(&self, mesh: &Mesh) -> Guarantee {
        if mesh.has_costs() { Guarantee::None } else { Guarantee::Optimal }
    }

    fn start(
        &self,
        mesh: &Mesh,
        _query: &PathQuery<MeshPoint>,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut AnyAngleMemory,
    ) {
        memory.clear(mesh.vertex_count() + mesh.ways().list.len());
        memory.ends.place(mesh, session);
        for start in &*session.starts {
            let at = start.xy();
            let before = memory.roots.len() as u32;
            let layer = start.layer();
            memory.roots.push(Root { at, g: 0.0, vertex: OPEN, before, layer });
        }
        memory.starts = memory.roots.len();
    }

    fn run<O: SearchObserver>(
        &self,
        mesh: &Mesh,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut AnyAngleMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<MeshPoint> {
        let is_first = session.first_report();
        let Session { goals, run, .. } = &mut *session;
        let (shape, ways) = (mesh.shape(), mesh.ways());
        let mut search = Search { shape, ways, goals, run, memory, observer, from: 0 };
        if is_first {
            search.open_starts();
        }
        match search.advance(slice) {
            Outcome::Paused => Progress::Running,
            Outcome::Goal(node) => {
                let places = &mut session.writing.places;
                memory.write_way(node.root, mesh.vertex_count(), places);
                let goal = session.goals[node.left as usize];
                add_mesh_point(places, goal.xy(), goal.layer());
                begin_mesh_path(session, memory.ends.redirected)
            }
            Outcome::Limit => {
                let places = &mut session.writing.places;
                memory.write_way(memory.nearest.1, mesh.vertex_count(), places);
                Progress::Done(end_at_mesh_limit(mesh, session))
            }
        }
    }

    fn copy(&self) -> Option<Self> {
        Some(*self)
    }

    fn query_layers(
        &self,
        mesh: &Mesh,
        memory: &AnyAngleMemory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        sketch::cones(mesh.shape(), memory)
    }
}

enum Outcome {
    Paused,
    Goal(Node),
    Limit,
}

/// A search in progress.
pub(super) struct Search<'s, O> {
    pub(super) shape: &'s MeshShape,
    pub(super) ways: &'s Ways,
    goals: &'s [MeshPoint],
    pub(super) run: &'s mut Run,
    pub(super) memory: &'s mut AnyAngleMemory,
    observer: &'s mut O,
    /// What is being expanded, as traces number it.
    pub(super) from: u32,
}

impl<O: SearchObserver> Search<'_, O> {
    /// Opens the edges around all starts.
    fn open_starts(&mut self) {
        for start in 0..self.memory.roots.len() as u32 {
            self.note_nearest(start);
            self.report(TraceKind::Start, start, start, 0.0, 0.0);
            self.run.note_open(self.memory.open.len() + 1);
        }
        for at in 0..self.memory.ends.starts.len() {
            let (polygon, root) = self.memory.ends.starts[at];
            self.from = root;
            self.begin_in(polygon, root);
        }
    }

    /// Opens everything that a root sees that lies in a polygon.
    pub(super) fn begin_in(&mut self, polygon: u32, root: u32) {
        self.reach_goals(polygon, root);
        if !self.ways.is_empty() {
            self.reach_ways(polygon, root);
        }
        self.open_around(polygon, root);
    }

    /// A node as traces number it.
    pub(super) fn traced(&self, node: usize) -> u32 {
        (self.memory.starts + node) as u32
    }

    fn open_around(&mut self, polygon: u32, root: u32) {
        let shape = self.shape;
        let range = shape.range(polygon);
        let exact = self.memory.ends.exact;
        let at = self.memory.roots[root as usize].at;
        for edge in range.clone() {
            let next = if edge + 1 == range.end { range.start } else { edge + 1 };
            let (from, to) = (&shape.half_edges[edge], &shape.half_edges[next]);
            if orient(exact, at, from.at, to.at) > 0.0 {
                self.open(edge, root, to.vertex, from.vertex);
                continue;
            }
            // On the line of an edge, which leads on only beyond the nearer of its ends. If the start lies on the edge
            // itself, it is a start of the polygon on the other side as well.
            let ahead = [0, 1].map(|axis| to.at[axis] - from.at[axis]);
            let along = |p: Xy| ahead[0] * (p[0] - at[0]) + ahead[1] * (p[1] - at[1]);
            if along(from.at) > 0.0 {
                self.bend_right(from, edge, root, to.vertex);
            } else if along(to.at) < 0.0 {
                self.bend_left(to, edge, root, from.vertex);
            }
        }
    }

    fn advance(&mut self, slice: u64) -> Outcome {
        let end = self.run.slice_end(slice);
        loop {
            let entry = match self.memory.next.take() {
                Some(entry) => entry,
                None => match self.memory.open.pop() {
                    Some(Reverse(entry)) => entry,
                    // Ends are connected: only a limit of cost can have kept the search from the goal.
                    None => return Outcome::Limit,
                },
            };
            let node = self.memory.nodes[node_of(entry) as usize];
            if node.edge == NONE && node.right != WAY {
                let number = self.traced(node_of(entry) as usize);
                self.report(TraceKind::Goal, number, number, key_of(entry), 0.0);
                return Outcome::Goal(node);
            }
            let root = self.memory.roots[node.root as usize];
            if self.is_dearer(&root) {
                continue;
            }
            if self.run.statistics.expanded >= end {
                self.memory.next = Some(entry);
                if self.run.statistics.expanded >= self.run.limits.expansions_max {
                    return Outcome::Limit;
                }
                return Outcome::Paused;
            }
            self.run.statistics.expanded += 1;
            let first = self.memory.nodes.len();
            if O::ACTIVE {
                self.from = self.traced(node_of(entry) as usize);
                self.report(
                    TraceKind::Expand,
                    self.from,
                    self.from,
                    root.g,
                    key_of(entry) - root.g,
                );
            }
            match node.right {
                WAY => self.take_way(node.left, node.root),
                _ => self.expand(node, root),
            }
            self.choose_next(first);
        }
    }

    /// Of the nodes opened since, puts all on the open list but the first to come out, if that comes before all others.
    fn choose_next(&mut self, first: usize) {
        let memory = &mut *self.memory;
        let Some(next) = memory.next else { return };
        // An only successor may come out of order: that costs nothing but order, unless it is a goal.
        let is_only = memory.nodes.len() == first + 1 && memory.nodes[first].edge != NONE;
        if !is_only && memory.open.peek().is_some_and(|&Reverse(top)| top < next) {
            memory.next = None;
            memory.open.push(Reverse(next));
        }
    }

    /// Whether a shorter way to a root's vertex is known.
    fn is_dearer(&self, root: &Root) -> bool {
        let best = self.memory.best.get(root.vertex as usize);
        best.is_some_and(|&(search, g)| search == self.memory.search && root.g > g)
    }

    /// Crosses the polygon behind the edge of a node.
    fn expand(&mut self, node: Node, root: Root) {
        let (shape, exact) = (self.shape, self.memory.ends.exact);
        let entry = node.edge as usize;
        let polygon = shape.half_edges[entry].polygon;
        let range = shape.range(polygon);
        let view = View {
            sides: &shape.half_edges,
            range: (range.start, range.end),
            entry,
            node,
            exact,
            right: self.ray(node.right, &root),
            left: self.ray(node.left, &root),
        };
        if self.memory.ends.goals.iter().any(|goal| goal.0 == polygon) {
            self.see_goals(&view, polygon);
        }
        if !self.ways.is_empty() {
            self.see_ways(&view, polygon);
        }
        let (edge, side) = self.pass_right(&view);
        let (edge, side) = self.pass_middle(&view, &root, edge, side);
        self.pass_left(&view, edge, side);
    }

    fn ray(&self, limit: u32, root: &Root) -> Ray {
        match limit {
            OPEN => None,
            TURN => Some([self.memory.roots[root.before as usize].at, root.at]),
            vertex => Some([root.at, self.shape.vertices[vertex as usize]]),
        }
    }

    /// Looks at the edges right of the cone, which are reached by a bend at its right end. Returns the first edge that
    /// is seen, and on which side of the right ray it begins.
    #[inline]
    fn pass_right(&mut self, view: &View<'_>) -> (usize, f64) {
        let View { sides, entry, node, .. } = *view;
        let first = view.after(entry);
        let ends_at_vertex = node.right == sides[first].vertex;
        let (mut edge, mut side) = (first, 0.0);
        if node.right != OPEN && !ends_at_vertex {
            side = -1.0;
        }
        let mut bent = None;
        loop {
            let next = view.after(edge);
            let next_side = if next == entry { 1.0 } else { view.side_of_right(sides[next].at) };
            if next_side > 0.0 {
                if let (true, Some(bent)) = (side < 0.0, bent) {
                    let right = if edge == first { OPEN } else { sides[edge].vertex };
                    self.open(edge, bent, TURN, right);
                }
                return (edge, side);
            }
            if side == 0.0 && next_side == 0.0 && edge != first {
                self.bend_right(&sides[edge], edge, node.root, sides[next].vertex);
            } else if ends_at_vertex && sides[first].is_corner() {
                if edge == first {
                    bent = self.bend(&sides[first], node.root);
                }
                if let Some(bent) = bent {
                    let to = sides[next].vertex;
                    if edge == first {
                        self.open(edge, bent, to, OPEN);
                    } else if view.is_on_line(first, edge, next) {
                        self.bend_right(&sides[edge], edge, bent, to);
                    } else {
                        self.open(edge, bent, to, sides[edge].vertex);
                    }
                }
            }
            (edge, side) = (next, next_side);
        }
    }

    /// Opens the edges that are seen. Returns the last of them, and on which side of the left ray it ends.
    #[inline]
    fn pass_middle(
        &mut self,
        view: &View<'_>,
        root: &Root,
        first: usize,
        side: f64,
    ) -> (usize, f64) {
        let View { sides, entry, node, .. } = *view;
        let mut edge = first;
        let mut right = match side {
            0.0 if node.right == OPEN => OPEN,
            0.0 => sides[edge].vertex,
            _ => node.right,
        };
        let is_root_here = node.left == OPEN || node.right == OPEN;
        loop {
            let next = view.after(edge);
            let ends_at_vertex = node.left == OPEN || node.left == sides[entry].vertex;
            let next_side = match next == entry {
                true if ends_at_vertex => 0.0,
                true => 1.0,
                false => view.side_of_left(sides[next].at),
            };
            let left = if next_side > 0.0 || (next == entry && node.left == OPEN) {
                node.left
            } else {
                sides[next].vertex
            };
            let is_beside_root = right == OPEN || left == OPEN;
            let on_line = is_root_here && !is_beside_root && sides[edge].is_straight();
            if on_line && orient(view.exact, root.at, sides[edge].at, sides[next].at) == 0.0 {
                if node.right == OPEN {
                    self.bend_right(&sides[edge], edge, node.root, sides[next].vertex);
                } else {
                    self.bend_left(&sides[next], edge, node.root, sides[edge].vertex);
                }
            } else {
                self.open(edge, node.root, left, right);
            }
            if next_side >= 0.0 {
                return (edge, next_side);
            }
            edge = next;
            right = sides[edge].vertex;
        }
    }

    /// Looks at the edges left of the cone, which are reached by a bend at its left end. `edge` is the last that is seen.
    #[inline]
    fn pass_left(&mut self, view: &View<'_>, edge: usize, mut side: f64) {
        let View { sides, entry, node, .. } = *view;
        let crossed = edge;
        let mut edge = view.after(edge);
        if edge == entry || node.left != sides[entry].vertex {
            return;
        }
        let bent = match sides[entry].is_corner() {
            true => self.bend(&sides[entry], node.root),
            false => None,
        };
        if let (true, Some(bent)) = (side > 0.0, bent) {
            self.open(crossed, bent, sides[edge].vertex, TURN);
        }
        while edge != entry {
            let next = view.after(edge);
            let from = sides[edge].vertex;
            let next_side = match side {
                0.0 if next != entry => view.side_of_left(sides[next].at),
                _ => 1.0,
            };
            if side == 0.0 && next_side == 0.0 {
                self.bend_left(&sides[next], edge, node.root, from);
            } else if let Some(bent) = bent {
                if next == entry {
                    self.open(edge, bent, OPEN, from);
                } else if view.is_on_line(entry, edge, next) {
                    self.bend_left(&sides[next], edge, bent, from);
                } else {
                    self.open(edge, bent, sides[next].vertex, from);
                }
            }
            (edge, side) = (next, next_side);
        }
    }

    /// Notes which goals of a polygon a node leads to, straight or by a bend at an end of its edge.
    fn see_goals(&mut self, view: &View<'_>, polygon: u32) {
        for at in 0..self.memory.ends.goals.len() {
            let (there, goal) = self.memory.ends.goals[at];
            if there == polygon
                && let Some(root) = self.root_to(view, self.goals[goal as usize].xy())
            {
                self.reach(goal, root);
            }
        }
    }

    /// The root from which a node leads straight to a point in the polygon that it enters: its own, or a new one where it
    /// bends at an end of its edge.
    pub(super) fn root_to(&mut self, view: &View<'_>, xy: Xy) -> Option<u32> {
        let View { sides, entry, node, .. } = *view;
        let first = view.after(entry);
        let (right, left) = (view.side_of_right(xy), view.side_of_left(xy));
        if right >= 0.0 && left <= 0.0 {
            Some(node.root)
        } else if left > 0.0 && node.left == sides[entry].vertex && sides[entry].is_corner() {
            self.bend(&sides[entry], node.root)
        } else if right < 0.0 && node.right == sides[first].vertex && sides[first].is_corner() {
            self.bend(&sides[first], node.root)
        } else {
            None
        }
    }

    /// Notes that the goals of a polygon are reached straight from a root.
    fn reach_goals(&mut self, polygon: u32, root: u32) {
        for at in 0..self.memory.ends.goals.len() {
            let (there, goal) = self.memory.ends.goals[at];
            if there == polygon {
                self.reach(goal, root);
            }
        }
    }

    fn reach(&mut self, goal: u32, root: u32) {
        let Root { at, g, .. } = self.memory.roots[root as usize];
        let length = g + distance(at, self.goals[goal as usize].xy());
        if length < self.memory.shortest {
            self.memory.shortest = length;
            self.push(Node { edge: NONE, root, left: goal, right: OPEN }, length);
        }
    }

    /// A new root where a half-edge begins, for paths that bend there; `None` if a shorter way there is known.
    fn bend(&mut self, side: &HalfEdge, before: u32) -> Option<u32> {
        let Root { at, g, .. } = self.memory.roots[before as usize];
        let g = g + distance(at, side.at);
        let best = &mut self.memory.best[side.vertex as usize];
        if *best != (self.memory.search, g) {
            if best.0 == self.memory.search && best.1 < g {
                return None;
            }
            *best = (self.memory.search, g);
        }
        let root = self.memory.roots.len() as u32;
        let layer = self.shape.layer(side.polygon);
        let new = Root { at: side.at, g, vertex: side.vertex, before, layer };
        self.memory.roots.push(new);
        self.note_nearest(root);
        Some(root)
    }

    /// Opens an edge by a bend to the right where it begins, if that is a corner.
    fn bend_right(&mut self, side: &HalfEdge, edge: usize, before: u32, left: u32) {
        if side.is_corner()
            && let Some(root) = self.bend(side, before)
        {
            self.open(edge, root, left, OPEN);
        }
    }

    /// Opens an edge by a bend to the left where it ends, if that is a corner.
    fn bend_left(&mut self, side: &HalfEdge, edge: usize, before: u32, right: u32) {
        if side.is_corner()
            && let Some(root) = self.bend(side, before)
        {
            self.open(edge, root, OPEN, right);
        }
    }

    /// Opens the part of an edge that a root sees between two limits, to enter the polygon behind it.
    #[inline]
    fn open(&mut self, edge: usize, root: u32, left: u32, right: u32) {
        let shape = self.shape;
        let side = &shape.half_edges[edge];
        let Some(behind) = shape.half_edges.get(side.twin as usize) else { return };
        if side.is_tree_across() && !self.memory.ends.may_enter(behind.polygon) {
            return;
        }
        let from = self.memory.roots[root as usize];
        let h = if left == OPEN || right == OPEN {
            self.least(|goal| distance(from.at, goal))
        } else {
            let at_left = self.end_of(left, behind.vertex, &from, behind.at, side.at, true);
            let at_right = self.end_of(right, side.vertex, &from, behind.at, side.at, false);
            let ends = [side.at, behind.at];
            self.least(|goal| way_through(from.at, [at_left, at_right], ends, goal))
        };
        let h = h.min(self.memory.ends.least_by_way);
        let key = from.g + h;
        if key >= self.memory.shortest {
            return;
        }
        if is_longer_than(shape.cost_scale, key, self.run.limits.cost_max) {
            self.run.cut_by_cost = true;
            return;
        }
        let number = self.memory.nodes.len();
        self.push(Node { edge: side.twin, root, left, right }, key);
        self.run.note_open(self.memory.open.len() + 1);
        if O::ACTIVE {
            self.report(TraceKind::Open, self.traced(number), self.from, from.g, h);
        }
    }

    /// Where the part of an edge that is seen ends.
    #[inline]
    fn end_of(
        &self,
        limit: u32,
        vertex: u32,
        root: &Root,
        left: Xy,
        right: Xy,
        is_left: bool,
    ) -> Xy {
        let wide = if is_left { left } else { right };
        match self.ray(limit, root) {
            Some(ray) if limit != vertex => crossing_or(wide, ray, left, right),
            _ => wide,
        }
    }

    #[inline]
    pub(super) fn least(&self, length: impl Fn(Xy) -> f64) -> f64 {
        match self.goals {
            [goal] => length(goal.xy()),
            goals => goals.iter().map(|goal| length(goal.xy())).fold(f64::INFINITY, f64::min),
        }
    }

    /// Puts a node on the open list, or keeps it as the next, if it would come out before those opened with it.
    #[inline]
    pub(super) fn push(&mut self, node: Node, key: f64) {
        let memory = &mut *self.memory;
        let entry = u128::from(key.to_bits()) << 64 | u128::from(!(memory.nodes.len() as u32));
        memory.nodes.push(node);
        let later = match memory.next {
            Some(other) if other < entry => entry,
            other => {
                memory.next = Some(entry);
                match other {
                    Some(other) => other,
                    None => return,
                }
            }
        };
        memory.open.push(Reverse(later));
    }

    pub(super) fn note_nearest(&mut self, root: u32) {
        let at = self.memory.roots[root as usize].at;
        let remote = self.least(|goal| distance(at, goal));
        if remote < self.memory.nearest.0 {
            self.memory.nearest = (remote, root);
        }
    }

    pub(super) fn report(&mut self, kind: TraceKind, node: u32, from: u32, g: f64, h: f64) {
        trace(self.observer, self.shape, kind, [node, from], [g, h]);
    }
}

/// A polygon as it is seen through one of its edges.
pub(super) struct View<'s> {
    sides: &'s [HalfEdge],
    /// Its half-edges.
    range: (usize, usize),
    /// That through which it is seen.
    entry: usize,
    node: Node,
    exact: bool,
    right: Ray,
    left: Ray,
}

impl View<'_> {
    #[inline(always)]
    fn after(&self, edge: usize) -> usize {
        if edge + 1 == self.range.1 { self.range.0 } else { edge + 1 }
    }

    /// Positive inside of the cone, as far as its right ray matters.
    #[inline(always)]
    fn side_of_right(&self, point: Xy) -> f64 {
        self.right.map_or(1.0, |[from, to]| orient(self.exact, from, to, point))
    }

    /// Negative inside of the cone, as far as its left ray matters.
    #[inline(always)]
    fn side_of_left(&self, point: Xy) -> f64 {
        self.left.map_or(-1.0, |[from, to]| orient(self.exact, from, to, point))
    }

    /// Whether three corners of the polygon lie on a line.
    fn is_on_line(&self, one: usize, two: usize, three: usize) -> bool {
        let [a, b, c] = [one, two, three].map(|edge| self.sides[edge].at);
        self.sides[one].is_straight() && orient(self.exact, a, b, c) == 0.0
    }
}
