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
//! A **link** that begins in a polygon leads on to the polygons where it ends. Where **areas** cost more than other ground, a step
//! costs its length times what the ground costs there, and the line is drawn where it is cheapest, by trial (`line.rs`). No
//! search for cheapest paths through such areas is exact: where a path crosses a border it is refracted like light, and
//! the points where that happens are roots of polynomials of any degree.
//!
//! Invariants: a polygon is expanded once, and again only if ground costs differently and a cheaper way to it was found; `reached` of an open polygon is on the open list under its key.

use super::cone::crossing;
use super::line::{Hop, Line, cheapest_on};
use super::sketch::STEPS;
use super::trace;
use crate::mesh::shape::MeshShape;
use crate::mesh::{Mesh, MeshPoint, NONE, Ways, Xy, distance};
use crate::planner::{
    Algorithm, Guarantee, Memory, MeshEnds, PathQuery, Point, Progress, Scratch, Session, Shape,
    SketchLayer, begin_mesh_path, end_at_mesh_limit, is_longer_than,
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
    /// The half-edge by which it was entered, in it; `NONE` where a start lies or a link ends.
    by: u32,
    /// The link by which it was reached, or `NONE`.
    way: u32,
    /// The polygon before.
    before: u32,
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
    /// What the way leads through.
    way: Vec<Hop>,
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
            + self.way.capacity() * size_of::<Hop>()
            + self.line.bytes()
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
            let (by, way, before) = (NONE, NONE, NONE);
            let (search, is_expanded, start, g, at) = (0, false, 0, 0.0, [0.0; 2]);
            let blank = Reached { search, is_expanded, by, way, before, start, g, at };
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
        let (shape, ways) = (mesh.shape(), mesh.ways());
        let mut search = Search { shape, ways, starts, goals, run, memory, observer };
        if is_first {
            search.open_starts();
        }
        match search.advance(slice) {
            Outcome::Paused => Progress::Running,
            Outcome::Goal { polygon, goal } => {
                let goal = session.goals[goal as usize];
                memory.pull(mesh, session, polygon, goal);
                begin_mesh_path(session, memory.ends.redirected)
            }
            Outcome::Limit => {
                let polygon = memory.nearest.1;
                let reached = memory.reached.get(polygon as usize).copied();
                match reached.map(|reached| (reached.way, reached.by)) {
                    Some((NONE, NONE)) | None => session.writing.places.clear(),
                    Some((way, NONE)) => {
                        let end = mesh.ways().list[way as usize].to;
                        memory.pull(mesh, session, polygon, end);
                    }
                    Some((_, by)) => {
                        // As far as the edge by which the polygon was entered: to an end of it, which lies on the mesh.
                        let side = &mesh.shape().half_edges[by as usize];
                        let end = MeshPoint::known(side.at, mesh.shape().layer(polygon));
                        memory.pull(mesh, session, polygon, end);
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
        _mesh: &Mesh,
        memory: &FunnelMemory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        let is_known = |reached: &&Reached| reached.search == memory.search && reached.by != NONE;
        let before = |reached: &Reached| &memory.reached[reached.before as usize];
        let point = |at: Xy| Point { x: at[0] as f32, y: at[1] as f32 };
        let known = memory.reached.iter().filter(is_known);
        let steps = known.map(|reached| [point(before(reached).at), point(reached.at)]).collect();
        vec![STEPS.layer(1, Shape::Lines(steps))]
    }
}

/// How a polygon is reached.
struct Step {
    by: u32,
    way: u32,
    before: u32,
    start: u32,
    g: f64,
    at: Xy,
}

enum Outcome {
    Paused,
    Goal { polygon: u32, goal: u32 },
    Limit,
}

struct Search<'s, O> {
    shape: &'s MeshShape,
    ways: &'s Ways,
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
            let step = Step { by: NONE, way: NONE, before: polygon, start, g: 0.0, at: xy };
            self.open(polygon, step);
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
            self.report(TraceKind::Expand, polygon, reached.before, reached.g, remote);
        }
        let has_costs = self.shape.has_costs();
        let (start, factor) = (reached.start, self.shape.factor(polygon));
        for at in 0..self.memory.ends.goals.len() {
            let (there, goal) = self.memory.ends.goals[at];
            let to = self.goals[goal as usize].xy();
            let length = reached.g + factor * distance(reached.at, to);
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
            let at = match has_costs {
                true => {
                    let factors = [factor, shape.factor(behind.polygon)];
                    cheapest_on([behind.at, side.at], [reached.at, towards], factors)
                }
                false => crossing([reached.at, towards], behind.at, side.at),
            };
            let g = reached.g + factor * distance(reached.at, at);
            let step = Step { by: side.twin, way: NONE, before: polygon, start, g, at };
            self.open(behind.polygon, step);
        }
        if !self.ways.is_empty() {
            self.take_ways(polygon, reached, factor);
        }
    }

    /// Opens the polygons at the ends of the links that begin in one.
    fn take_ways(&mut self, polygon: u32, reached: Reached, factor: f64) {
        let ways = self.ways;
        for number in ways.beginning_in(polygon) {
            let way = &ways.list[number as usize];
            let g = reached.g + factor * distance(reached.at, way.from.xy()) + way.length;
            let (start, at) = (reached.start, way.to.xy());
            for there in ways.polygons_at_end(number) {
                let step = Step { by: NONE, way: number, before: polygon, start, g, at };
                self.open(there, step);
            }
        }
    }

    fn open(&mut self, polygon: u32, step: Step) {
        let Step { by, way, before, start, g, at } = step;
        let known = &mut self.memory.reached[polygon as usize];
        let is_known = known.search == self.memory.search;
        // Where ground costs differently, a polygon may be reached at less cost later on.
        let is_final = known.is_expanded && !self.shape.has_costs();
        if is_known && (is_final || known.g <= g) {
            return;
        }
        let h = self.nearest_goal(at).0.min(self.memory.ends.least_by_way);
        let cost_max = self.run.limits.cost_max;
        if g + h >= self.memory.shortest || is_longer_than(self.shape.cost_scale, g + h, cost_max) {
            return;
        }
        let search = self.memory.search;
        self.memory.reached[polygon as usize] =
            Reached { search, is_expanded: false, by, way, before, start, g, at };
        self.push(g + h, polygon);
        self.run.note_open(self.memory.open.len());
        let kind = match is_known {
            _ if by == NONE && way == NONE => TraceKind::Start,
            true => TraceKind::Improve,
            false => TraceKind::Open,
        };
        self.report(kind, polygon, before, g, h);
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

    fn report(&mut self, kind: TraceKind, polygon: u32, from: u32, g: f64, h: f64) {
        trace(self.observer, self.shape, kind, [polygon, from], [g, h]);
    }
}

impl FunnelMemory {
    /// Writes down the shortest line through the polygons that lead to one, and on to a point in it; where areas cost more
    /// than other ground, the cheapest of some lines.
    fn pull(
        &mut self,
        mesh: &Mesh,
        session: &mut Session<'_, MeshPoint>,
        polygon: u32,
        goal: MeshPoint,
    ) {
        let shape = mesh.shape();
        self.way.clear();
        let mut at = polygon;
        let start = loop {
            let Reached { by, way, before, start, at: crossed, .. } = self.reached[at as usize];
            if way != NONE {
                self.way.push(Hop::Link(way));
            } else if by != NONE {
                let is_border = shape.has_costs() && shape.factor(before) != shape.factor(at);
                self.way.push(if is_border { Hop::Border(by, crossed) } else { Hop::Edge(by) });
            } else {
                break session.starts[start as usize];
            }
            at = before;
        };
        self.way.reverse();
        session.run.statistics.beside += self.way.len() as u64 / 8;
        let exact = self.ends.exact && shape.is_exact_with(goal.xy());
        let points = &mut session.writing.places;
        self.line.pull(mesh, exact, [start, goal], &self.way, points);
        if self.way.iter().any(|hop| matches!(hop, Hop::Border(..))) {
            session.run.statistics.beside += self.way.len() as u64;
            self.line.cheapen(mesh, exact, [start, goal], &mut self.way, points);
        }
    }
}
