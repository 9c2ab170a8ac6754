//! A* over polygons, and the shortest line through those that it passes: near optimal and quick.
//!
//! The search goes from polygon to polygon. Where it crosses an edge, the point is taken in which the straight line
//! to the goal meets the edge, or the end of the edge nearest to that; the way so far is the sum of the lines between
//! such points. That is a way on the mesh, but not the shortest, so the polygons found need not be those of a shortest
//! path. Through those found, the shortest line is pulled by the funnel algorithm (Lee and Preparata 1984), in time
//! in proportion to their number; which side a corner lies on is decided exactly.
//!
//! It has a loop of its own, since what a step costs depends on where the edge before was crossed: no space of nodes
//! with fixed costs describes that.
//!
//! Invariants: a polygon is expanded once; `reached` of an open polygon is on the open list under its key.

use super::cone::crossing;
use super::sketch::STEPS;
use super::trace;
use crate::mesh::shape::MeshShape;
use crate::mesh::{Mesh, MeshPoint, NONE, Xy, distance, orient};
use crate::planner::{
    Algorithm, Guarantee, Memory, MeshEnds, PathQuery, Point, Progress, Scratch, Session, Shape,
    SketchLayer, add_mesh_point, begin_mesh_path, end_at_mesh_limit, is_longer_than,
};
use crate::search::{Run, SearchObserver, TraceKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A* over the polygons of a [`Mesh`], then the shortest line through those it passes. See the header of its file.
///
/// The nodes of its traces are polygons.
///
/// ```
/// use highroad::mesh::{Mesh, MeshPoint};
/// use highroad::online::Funnel;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
/// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
/// let query = PathQuery::new(MeshPoint::new(4.0, 1.0)?, MeshPoint::new(0.0, 4.0)?);
/// let path = Funnel.solve(&mesh, &query, &mut Scratch::new())?.path().expect("they are connected");
/// assert_eq!(path.places()[1], MeshPoint::new(1.0, 1.0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Funnel;

/// What is known of a polygon.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// The search that has come here; later searches know nothing of it.
    search: u32,
    is_expanded: bool,
    /// The half-edge by which it was entered, in it; `NONE` where a start lies.
    by: u32,
    /// Which start the way comes from.
    start: u32,
    g: f64,
    at: Xy,
}

/// What a search needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct FunnelMemory {
    ends: MeshEnds,
    reached: Vec<Reached>,
    search: u32,
    /// The bits of a key, which is positive; the inverted number of the entry, so that newer ones come first; then the
    /// polygon, or a goal.
    open: BinaryHeap<Reverse<(u64, u32, u32)>>,
    pushes: u32,
    /// Goals on the open list: which, and the polygon.
    goals: Vec<(u32, u32)>,
    shortest: f64,
    /// The polygon that was entered nearest to a goal, and how far away.
    nearest: (f64, u32),
    /// The half-edges of the polygons on the way, the last first.
    way: Vec<u32>,
    line: Line,
}

/// In the number of an entry: a goal, not a polygon.
const GOAL: u32 = 1 << 31;

impl Memory for FunnelMemory {
    fn bytes(&self) -> usize {
        self.ends.bytes()
            + self.reached.capacity() * size_of::<Reached>()
            + self.open.capacity() * size_of::<(u64, u32, u32)>()
            + self.goals.capacity() * size_of::<(u32, u32)>()
            + self.way.capacity() * 4
            + self.line.points.capacity() * size_of::<(Xy, u16)>()
    }
}

impl Algorithm<Mesh> for Funnel {
    type Memory = FunnelMemory;

    fn guarantee_for(&self, _mesh: &Mesh) -> Guarantee {
        Guarantee::NearOptimal
    }

    fn start(
        &self,
        mesh: &Mesh,
        _query: &PathQuery<MeshPoint>,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut FunnelMemory,
    ) {
        let count = mesh.polygon_count();
        if memory.reached.len() < count || memory.search == u32::MAX {
            let blank =
                Reached { search: 0, is_expanded: false, by: NONE, start: 0, g: 0.0, at: [0.0; 2] };
            memory.reached.clear();
            memory.reached.resize(count, blank);
            memory.search = 0;
        }
        memory.search += 1;
        memory.open.clear();
        memory.goals.clear();
        memory.pushes = 0;
        memory.shortest = f64::INFINITY;
        memory.nearest = (f64::INFINITY, NONE);
        memory.ends.place(mesh, session);
    }

    fn run<O: SearchObserver>(
        &self,
        mesh: &Mesh,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut FunnelMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<MeshPoint> {
        let is_first = session.first_report();
        let Session { starts, goals, run, .. } = &mut *session;
        let mut search = Search { shape: mesh.shape(), starts, goals, run, memory, observer };
        if is_first {
            search.open_starts();
        }
        match search.advance(slice) {
            Outcome::Paused => Progress::Running,
            Outcome::Goal { polygon, goal } => {
                let goal = session.goals[goal as usize];
                memory.pull(mesh.shape(), session, polygon, goal);
                begin_mesh_path(session, memory.ends.redirected)
            }
            Outcome::Limit => {
                let polygon = memory.nearest.1;
                match memory.reached.get(polygon as usize).map(|reached| reached.by) {
                    None | Some(NONE) => session.writing.places.clear(),
                    Some(by) => {
                        // As far as the edge by which the polygon was entered: to an end of it, which lies on the mesh.
                        let side = &mesh.shape().half_edges[by as usize];
                        let end = MeshPoint::known(side.at, mesh.shape().layer(polygon));
                        memory.pull(mesh.shape(), session, polygon, end);
                    }
                }
                if session.writing.places.is_empty() {
                    session.writing.places.push(session.starts[0]);
                }
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
        memory: &FunnelMemory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        let shape = mesh.shape();
        let is_known = |reached: &&Reached| reached.search == memory.search && reached.by != NONE;
        let before = |reached: &Reached| {
            let twin = shape.half_edges[reached.by as usize].twin;
            &memory.reached[shape.half_edges[twin as usize].polygon as usize]
        };
        let point = |at: Xy| Point { x: at[0] as f32, y: at[1] as f32 };
        let known = memory.reached.iter().filter(is_known);
        let steps = known.map(|reached| [point(before(reached).at), point(reached.at)]).collect();
        vec![STEPS.layer(1, Shape::Lines(steps))]
    }
}

enum Outcome {
    Paused,
    Goal { polygon: u32, goal: u32 },
    Limit,
}

struct Search<'s, O> {
    shape: &'s MeshShape,
    starts: &'s [MeshPoint],
    goals: &'s [MeshPoint],
    run: &'s mut Run,
    memory: &'s mut FunnelMemory,
    observer: &'s mut O,
}

impl<O: SearchObserver> Search<'_, O> {
    fn open_starts(&mut self) {
        for at in 0..self.memory.ends.starts.len() {
            let (polygon, start) = self.memory.ends.starts[at];
            let xy = self.starts[start as usize].xy();
            self.open(polygon, NONE, start, 0.0, xy, polygon);
        }
    }

    fn advance(&mut self, slice: u64) -> Outcome {
        let end = self.run.slice_end(slice);
        loop {
            let Some(Reverse(entry)) = self.memory.open.pop() else { return Outcome::Limit };
            let (key, _, number) = entry;
            if number & GOAL != 0 {
                let (goal, polygon) = self.memory.goals[(number & !GOAL) as usize];
                let g = self.memory.reached[polygon as usize].g;
                self.report(TraceKind::Goal, polygon, polygon, g, f64::from_bits(key) - g);
                return Outcome::Goal { polygon, goal };
            }
            let reached = self.memory.reached[number as usize];
            if reached.is_expanded {
                continue;
            }
            if self.run.statistics.expanded >= end {
                self.memory.open.push(Reverse(entry));
                if self.run.statistics.expanded >= self.run.limits.expansions_max {
                    return Outcome::Limit;
                }
                return Outcome::Paused;
            }
            self.run.statistics.expanded += 1;
            self.memory.reached[number as usize].is_expanded = true;
            self.expand(number, reached);
        }
    }

    fn expand(&mut self, polygon: u32, reached: Reached) {
        let (remote, towards) = self.nearest_goal(reached.at);
        if remote < self.memory.nearest.0 {
            self.memory.nearest = (remote, polygon);
        }
        if O::ACTIVE {
            let from = self.parent(polygon, reached.by);
            self.report(TraceKind::Expand, polygon, from, reached.g, remote);
        }
        for at in 0..self.memory.ends.goals.len() {
            let (there, goal) = self.memory.ends.goals[at];
            let length = reached.g + distance(reached.at, self.goals[goal as usize].xy());
            if there == polygon && length < self.memory.shortest {
                self.memory.shortest = length;
                let number = self.memory.goals.len() as u32 | GOAL;
                self.memory.goals.push((goal, polygon));
                self.push(length, number);
            }
        }
        let shape = self.shape;
        for edge in shape.range(polygon) {
            let side = &shape.half_edges[edge];
            let Some(behind) = shape.half_edges.get(side.twin as usize) else { continue };
            if side.is_tree_across() && !self.memory.ends.may_enter(behind.polygon) {
                continue;
            }
            // The left end, as seen from inside, is where the half-edge ends.
            let at = crossing([reached.at, towards], behind.at, side.at);
            let g = reached.g + distance(reached.at, at);
            self.open(behind.polygon, side.twin, reached.start, g, at, polygon);
        }
    }

    fn open(&mut self, polygon: u32, by: u32, start: u32, g: f64, at: Xy, from: u32) {
        let known = &mut self.memory.reached[polygon as usize];
        let is_known = known.search == self.memory.search;
        if is_known && (known.is_expanded || known.g <= g) {
            return;
        }
        let (h, _) = self.nearest_goal(at);
        let cost_max = self.run.limits.cost_max;
        if g + h >= self.memory.shortest || is_longer_than(self.shape.cost_scale, g + h, cost_max) {
            return;
        }
        let search = self.memory.search;
        self.memory.reached[polygon as usize] =
            Reached { search, is_expanded: false, by, start, g, at };
        self.push(g + h, polygon);
        self.run.note_open(self.memory.open.len());
        let kind = match (by, is_known) {
            (NONE, _) => TraceKind::Start,
            (_, true) => TraceKind::Improve,
            (_, false) => TraceKind::Open,
        };
        self.report(kind, polygon, from, g, h);
    }

    fn push(&mut self, key: f64, number: u32) {
        self.memory.pushes = self.memory.pushes.wrapping_add(1);
        self.memory.open.push(Reverse((key.to_bits(), !self.memory.pushes, number)));
    }

    fn nearest_goal(&self, at: Xy) -> (f64, Xy) {
        let mut best = (f64::INFINITY, at);
        for goal in self.goals {
            let away = distance(at, goal.xy());
            if away < best.0 {
                best = (away, goal.xy());
            }
        }
        best
    }

    fn parent(&self, polygon: u32, by: u32) -> u32 {
        if by == NONE { polygon } else { self.shape.across(by).unwrap_or(polygon) }
    }

    fn report(&mut self, kind: TraceKind, polygon: u32, from: u32, g: f64, h: f64) {
        trace(self.observer, self.shape, kind, [polygon, from], [g, h]);
    }
}

impl FunnelMemory {
    /// Writes down the shortest line through the polygons that lead to one, and on to a point in it.
    fn pull(
        &mut self,
        shape: &MeshShape,
        session: &mut Session<'_, MeshPoint>,
        polygon: u32,
        goal: MeshPoint,
    ) {
        self.way.clear();
        let mut at = polygon;
        let start = loop {
            let Reached { by, start, .. } = self.reached[at as usize];
            match shape.half_edges.get(by as usize).map(|_| shape.across(by)) {
                Some(Some(before)) => {
                    self.way.push(by);
                    at = before;
                }
                _ => break session.starts[start as usize],
            }
        };
        session.run.statistics.beside += self.way.len() as u64 / 8;
        let points = &mut session.writing.places;
        points.clear();
        points.push(start);
        let exact = self.ends.exact && shape.is_exact_with(goal.xy());
        let mut line = std::mem::take(&mut self.line);
        line.begin(exact, (start.xy(), start.layer()), self.way.len());
        for &by in self.way.iter().rev() {
            let side = &shape.half_edges[by as usize];
            let layer = shape.layer(side.polygon);
            let right = shape.half_edges[shape.next(by) as usize].at;
            line.add_left((side.at, layer), points);
            line.add_right((right, layer), points);
        }
        line.end((goal.xy(), goal.layer()), points);
        self.line = line;
    }
}

/// The funnel: the shortest lines from its apex to the two ends of an edge, kept in one list from the left end by way of the
/// apex to the right end.
#[derive(Default)]
struct Line {
    points: Vec<(Xy, u16)>,
    first: usize,
    apex: usize,
    last: usize,
    exact: bool,
}

impl Line {
    fn begin(&mut self, exact: bool, apex: (Xy, u16), edges: usize) {
        self.points.clear();
        self.points.resize(2 * edges + 3, apex);
        self.exact = exact;
        (self.first, self.apex, self.last) = (edges + 1, edges + 1, edges + 1);
    }

    fn side(&self, from: usize, to: usize, point: Xy) -> f64 {
        orient(self.exact, self.points[from].0, self.points[to].0, point)
    }

    /// Draws the left end of the funnel to a point. Where that crosses the right line, the path bends there.
    fn add_left(&mut self, point: (Xy, u16), path: &mut Vec<MeshPoint>) {
        while self.first < self.apex && self.side(self.first + 1, self.first, point.0) <= 0.0 {
            self.first += 1;
        }
        if self.first == self.apex {
            while self.apex < self.last && self.side(self.apex, self.apex + 1, point.0) < 0.0 {
                self.apex += 1;
                let (at, layer) = self.points[self.apex];
                add_mesh_point(path, at, layer);
            }
            self.first = self.apex;
        }
        self.first -= 1;
        self.points[self.first] = point;
    }

    /// The same for the right end.
    fn add_right(&mut self, point: (Xy, u16), path: &mut Vec<MeshPoint>) {
        while self.last > self.apex && self.side(self.last - 1, self.last, point.0) >= 0.0 {
            self.last -= 1;
        }
        if self.last == self.apex {
            while self.apex > self.first && self.side(self.apex, self.apex - 1, point.0) > 0.0 {
                self.apex -= 1;
                let (at, layer) = self.points[self.apex];
                add_mesh_point(path, at, layer);
            }
            self.last = self.apex;
        }
        self.last += 1;
        self.points[self.last] = point;
    }

    /// Ends the path at a point.
    fn end(&mut self, goal: (Xy, u16), path: &mut Vec<MeshPoint>) {
        self.add_left(goal, path);
        for at in (self.first..self.apex).rev() {
            let (at, layer) = self.points[at];
            add_mesh_point(path, at, layer);
        }
    }
}
