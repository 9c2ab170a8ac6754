//! Queries: what both ends see, and where their labels meet.

use super::CornerLabels;
use super::labels::Entry;
use crate::environment::{Edition, Environment};
use crate::mesh::{Cone, Mesh, MeshPoint, Sight, distance};
use crate::planner::{
    Algorithm, Answer, Fault, Guarantee, Memory, MeshEnds, PathQuery, Point, Progress, Session,
    Shape, SketchLayer, add_mesh_point, begin_mesh_path, start_of,
};
use crate::search::{Run, SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::NodeId;

/// Units of cost by which rounding may make a path cheaper than its length says: half a unit a leg.
const ROUNDING: u64 = 256;

/// Entries of labels looked at that count as one unit of work.
const ENTRIES_A_UNIT: usize = 64;

/// A corner that an end of the query sees.
#[derive(Clone, Copy, Debug)]
struct Link {
    corner: u32,
    /// Which start or goal.
    end: u32,
    cost: u64,
    /// The least that a path by way of it can cost.
    least: u64,
}

/// The cheapest way to a hub, from the starts.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    cost: u64,
    stamp: u32,
    link: u32,
}

/// Where a way from a start meets one from a goal.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    cost: u64,
    hub: u32,
    /// By their numbers among the links of starts and of goals.
    links: [u32; 2],
}

/// What a query of [`CornerLabels`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct CornerMemory {
    ends: MeshEnds,
    sight: Sight,
    /// Ends that have begun to look: first the starts, then the goals.
    begun: usize,
    cones: u32,
    /// What starts see, and what goals see.
    links: [Vec<Link>; 2],
    /// A start and a goal that see each other, and what the way costs.
    direct: Option<(u64, u32, u32)>,
    /// For each corner the look that has seen it.
    seen: Vec<u32>,
    look: u32,
    slots: Vec<Slot>,
    stamp: u32,
    way: Vec<u32>,
}

impl Memory for CornerMemory {
    fn bytes(&self) -> usize {
        self.ends.bytes()
            + self.sight.bytes()
            + self.links.iter().map(|links| links.capacity() * size_of::<Link>()).sum::<usize>()
            + (self.seen.capacity() + self.way.capacity()) * 4
            + self.slots.capacity() * size_of::<Slot>()
    }
}

impl CornerMemory {
    fn clear(&mut self, corners: usize) {
        self.begun = 0;
        self.cones = 0;
        self.links.iter_mut().for_each(Vec::clear);
        self.direct = None;
        if self.seen.len() < corners {
            self.seen.resize(corners, 0);
            self.slots.resize(corners, Slot::default());
        }
        if self.stamp == u32::MAX {
            self.slots.fill(Slot::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        self.sight.begin([0.0; 2], false);
    }

    /// Begins another look; what earlier ones have seen is not seen yet.
    fn begin_look(&mut self) {
        if self.look == u32::MAX {
            self.seen.fill(0);
            self.look = 0;
        }
        self.look += 1;
    }
}

impl Algorithm<Mesh> for CornerLabels {
    type Memory = CornerMemory;

    fn guarantee_for(&self, _mesh: &Mesh) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, mesh: &Mesh) -> bool {
        self.mesh == mesh.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        mesh: &Mesh,
        _query: &PathQuery<MeshPoint>,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut CornerMemory,
    ) {
        memory.clear(self.corners.nodes.len());
        memory.ends.place(mesh, session);
        // Traces number the starts first.
        memory.cones = session.starts.len() as u32;
    }

    fn run<O: SearchObserver>(
        &self,
        mesh: &Mesh,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut CornerMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<MeshPoint> {
        let is_first = session.first_report();
        let Session { starts, goals, run, .. } = &mut *session;
        let mut look = Look { labels: self, mesh, starts, goals, run, memory, observer };
        if is_first {
            look.report_starts();
        }
        match look.advance(slice) {
            Outcome::Paused => return Progress::Running,
            Outcome::Limit => {
                return Progress::Done(Answer::LimitReached { nearest: start_of(mesh, session) });
            }
            Outcome::Seen => {}
        }
        let meeting = self.meet(session, memory);
        let is_direct =
            memory.direct.filter(|direct| meeting.is_none_or(|met| direct.0 <= met.cost));
        let places = &mut session.writing.places;
        places.clear();
        match (is_direct, meeting) {
            (Some((_, start, goal)), _) => {
                places.push(session.starts[start as usize]);
                let goal = session.goals[goal as usize];
                add_mesh_point(places, goal.xy(), goal.layer());
            }
            (None, Some(meeting)) => self.write(session, memory, meeting),
            // Ends are connected, so that they meet.
            (None, None) => {
                return Progress::Done(Answer::LimitReached { nearest: start_of(mesh, session) });
            }
        }
        begin_mesh_path(session, memory.ends.redirected)
    }

    fn held_bytes(&self) -> usize {
        self.corners.memory_bytes() + self.labels.memory_bytes()
    }

    fn check_invariants(&self, mesh: &Mesh) -> Result<(), Fault> {
        self.check(mesh).map_err(Fault::new)
    }

    fn layers(&self, _mesh: &Mesh) -> Vec<SketchLayer> {
        let point = |at: [f64; 2]| Point { x: at[0] as f32, y: at[1] as f32 };
        let corners = self.corners.nodes.iter().map(|corner| point(corner.at)).collect();
        vec![super::entry::CORNERS.layer(1, Shape::Points(corners))]
    }

    fn to_bytes(&self, _mesh: &Mesh) -> Option<Vec<u8>> {
        Some(self.save())
    }
}

enum Outcome {
    Paused,
    Limit,
    Seen,
}

/// Looks from all ends, in progress.
struct Look<'s, O> {
    labels: &'s CornerLabels,
    mesh: &'s Mesh,
    starts: &'s [MeshPoint],
    goals: &'s [MeshPoint],
    run: &'s mut Run,
    memory: &'s mut CornerMemory,
    observer: &'s mut O,
}

impl<'s, O: SearchObserver> Look<'s, O> {
    fn report_starts(&mut self) {
        for start in 0..self.starts.len() as u32 {
            self.report(TraceKind::Start, start);
            self.run.note_open(1);
        }
    }

    fn report(&mut self, kind: TraceKind, node: u32) {
        if O::ACTIVE {
            let (node, parent) = (NodeId(node), NodeId(node));
            let event = TraceEvent { kind, node, parent, g: 0, h: 0, side: Side::Forward };
            self.observer.event(event);
        }
    }

    fn advance(&mut self, slice: u64) -> Outcome {
        let end = self.run.slice_end(slice);
        let shape = self.mesh.shape();
        loop {
            // With one end on either side, nothing is shorter than a straight line.
            let is_over = self.memory.direct.is_some() && self.starts.len() + self.goals.len() == 2;
            if is_over {
                return Outcome::Seen;
            }
            let Some(cone) = self.memory.sight.next() else {
                if self.memory.begun == self.starts.len() + self.goals.len() {
                    return Outcome::Seen;
                }
                self.begin_end();
                continue;
            };
            if self.run.statistics.expanded >= end {
                self.memory.sight.put_back(cone);
                if self.run.statistics.expanded >= self.run.limits.expansions_max {
                    return Outcome::Limit;
                }
                return Outcome::Paused;
            }
            self.run.statistics.expanded += 1;
            self.report(TraceKind::Expand, cone.number);
            if self.memory.begun <= self.starts.len() {
                self.see_goals(Sight::polygon(shape, cone), Some(cone));
            }
            let first = self.memory.cones;
            self.go_on(None, Some(cone));
            self.note_opened(first);
        }
    }

    /// Lets the sight go on, round the end in a polygon or through a cone: corners that are seen become links.
    fn go_on(&mut self, around: Option<u32>, cone: Option<Cone>) {
        let (end, point, others) = self.end();
        let exact = self.memory.ends.exact;
        let CornerMemory { sight, links, seen, look, cones, begun, .. } = &mut *self.memory;
        let side = usize::from(*begun > self.starts.len());
        let (links, look) = (&mut links[side], *look);
        let (labels, mesh, shape) = (self.labels, self.mesh, self.mesh.shape());
        let mut visit = |edge: u32| {
            let Some(corner) = labels.corners.at(shape, edge) else { return };
            if std::mem::replace(&mut seen[corner as usize], look) == look {
                return;
            }
            let node = &labels.corners.nodes[corner as usize];
            if !node.is_taut(exact, point.xy()) {
                return;
            }
            let cost = mesh.leg_cost(distance(point.xy(), node.at)).0;
            let ahead = others.iter().map(|other| distance(node.at, other.xy()));
            let ahead = mesh.leg_cost(ahead.fold(f64::INFINITY, f64::min)).0;
            let least = (cost + ahead).saturating_sub(ROUNDING);
            links.push(Link { corner, end, cost, least });
        };
        let mut number = || {
            *cones += 1;
            *cones - 1
        };
        if let Some(polygon) = around {
            sight.look_around(shape, polygon, &mut visit, &mut number);
        }
        if let Some(cone) = cone {
            sight.follow(shape, cone, &mut visit, &mut number);
        }
    }

    /// The end that looks, by its number among starts or goals, where it is, and the ends on the other side.
    fn end(&self) -> (u32, MeshPoint, &'s [MeshPoint]) {
        let at = self.memory.begun - 1;
        match at.checked_sub(self.starts.len()) {
            None => (at as u32, self.starts[at], self.goals),
            Some(goal) => (goal as u32, self.goals[goal], self.starts),
        }
    }

    /// Begins to look from the next end.
    fn begin_end(&mut self) {
        self.memory.begun += 1;
        self.memory.begin_look();
        let is_start = self.memory.begun <= self.starts.len();
        let (end, point, _) = self.end();
        let exact = self.memory.ends.exact;
        self.memory.sight.begin(point.xy(), exact);
        let count = match is_start {
            true => self.memory.ends.starts.len(),
            false => self.memory.ends.goals.len(),
        };
        let first = self.memory.cones;
        for at in 0..count {
            let ends = &self.memory.ends;
            let (polygon, number) = if is_start { ends.starts[at] } else { ends.goals[at] };
            if number != end {
                continue;
            }
            if is_start {
                self.see_goals(polygon, None);
            }
            self.go_on(Some(polygon), None);
        }
        self.note_opened(first);
    }

    /// Counts and reports the cones that have begun since.
    fn note_opened(&mut self, first: u32) {
        let open = self.memory.sight.open_len();
        for number in first..self.memory.cones {
            self.run.note_open(open);
            self.report(TraceKind::Open, number);
        }
    }

    /// Notes the goals of a polygon that the start sees, through a cone or from inside.
    fn see_goals(&mut self, polygon: u32, cone: Option<Cone>) {
        let (start, from, _) = self.end();
        let shape = self.mesh.shape();
        for at in 0..self.memory.ends.goals.len() {
            let (there, goal) = self.memory.ends.goals[at];
            let to = self.goals[goal as usize];
            let is_seen = there == polygon
                && cone.is_none_or(|cone| self.memory.sight.sees(shape, cone, to.xy()));
            if is_seen {
                let cost = self.mesh.leg_cost(distance(from.xy(), to.xy())).0;
                let direct = &mut self.memory.direct;
                if direct.is_none_or(|best| cost < best.0) {
                    *direct = Some((cost, start, goal));
                }
            }
        }
    }
}

impl CornerLabels {
    /// Where the cheapest ways from both sides meet, if that costs less than a straight line.
    fn meet(
        &self,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut CornerMemory,
    ) -> Option<Meeting> {
        let CornerMemory { links, slots, stamp, direct, .. } = memory;
        let [onwards, back] = links;
        let mut bound = direct.map_or(u64::MAX, |direct| direct.0);
        let mut best: Option<Meeting> = None;
        let nearest = |links: &[Link]| (0..links.len()).min_by_key(|&at| links[at].least);
        let (one, other) = (nearest(onwards)?, nearest(back)?);
        if let Some((cost, hub)) = self.between(onwards[one].corner, back[other].corner) {
            let cost = onwards[one].cost + cost + back[other].cost;
            if cost < bound {
                bound = cost;
                best = Some(Meeting { cost, hub, links: [one as u32, other as u32] });
            }
        }
        let mut looked_at = 0;
        for (number, link) in (0..).zip(onwards.iter()).filter(|(_, link)| link.least < bound) {
            let label = self.labels.of_node(link.corner);
            looked_at += label.len();
            for &Entry { distance, hub, .. } in label {
                let slot = &mut slots[hub as usize];
                let cost = link.cost + distance;
                if slot.stamp != *stamp || cost < slot.cost {
                    *slot = Slot { cost, stamp: *stamp, link: number };
                }
            }
        }
        for (number, link) in (0..).zip(back.iter()) {
            if link.least >= bound {
                continue;
            }
            let label = self.labels.of_node(link.corner);
            looked_at += label.len();
            for &Entry { distance, hub, .. } in label {
                let slot = &slots[hub as usize];
                let cost = slot.cost + link.cost + distance;
                if slot.stamp == *stamp && cost < bound {
                    bound = cost;
                    best = Some(Meeting { cost, hub, links: [slot.link, number] });
                }
            }
        }
        session.run.statistics.beside += (looked_at / ENTRIES_A_UNIT) as u64;
        best
    }

    /// The distance between two corners, and the hub that gives it.
    fn between(&self, one: u32, other: u32) -> Option<(u64, u32)> {
        let (mut one, mut other) = (self.labels.of_node(one), self.labels.of_node(other));
        let mut best: Option<(u64, u32)> = None;
        while let ([a, rest_a @ ..], [b, rest_b @ ..]) = (one, other) {
            if a.hub == b.hub {
                let cost = a.distance + b.distance;
                if best.is_none_or(|best| cost < best.0) {
                    best = Some((cost, a.hub));
                }
            }
            (one, other) = match a.hub.cmp(&b.hub) {
                std::cmp::Ordering::Less => (rest_a, other),
                std::cmp::Ordering::Greater => (one, rest_b),
                std::cmp::Ordering::Equal => (rest_a, rest_b),
            };
        }
        best
    }

    /// Writes the points of the path by way of a meeting.
    fn write(
        &self,
        session: &mut Session<'_, MeshPoint>,
        memory: &mut CornerMemory,
        Meeting { hub, links: [one, other], .. }: Meeting,
    ) {
        let CornerMemory { links, way, .. } = memory;
        let (one, other) = (links[0][one as usize], links[1][other as usize]);
        let places = &mut session.writing.places;
        places.push(session.starts[one.end as usize]);
        let mut add = |corner: u32| {
            let node = &self.corners.nodes[corner as usize];
            add_mesh_point(places, node.at, node.layer);
        };
        self.each_to_hub(one.corner, hub, &mut add);
        way.clear();
        self.each_to_hub(other.corner, hub, |corner| way.push(corner));
        way.iter().rev().for_each(|&corner| add(corner));
        let goal = session.goals[other.end as usize];
        add_mesh_point(places, goal.xy(), goal.layer());
    }

    /// Every corner on the way from one to a hub of it, both included.
    fn each_to_hub(&self, from: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let mut corner = from;
        loop {
            visit(corner);
            match self.labels.entry(corner, hub) {
                Some(entry) if entry.next != corner => corner = entry.next,
                _ => break,
            }
        }
    }
}
