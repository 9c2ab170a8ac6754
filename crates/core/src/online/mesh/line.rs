//! The funnel algorithm: the shortest line through edges that follow each other (Lee and Preparata 1984). Which side a corner lies
//! on is decided exactly.

use crate::environment::Environment;
use crate::mesh::{Mesh, MeshPoint, Way, Xy, distance, orient};
use crate::planner::add_mesh_point;

/// The funnel: the shortest lines from its apex to the two ends of an edge, kept in one list from the left end by way of the
/// apex to the right end.
#[derive(Default)]
pub(super) struct Line {
    points: Vec<(Xy, u16)>,
    trial: Vec<MeshPoint>,
    first: usize,
    apex: usize,
    last: usize,
    exact: bool,
}

/// What a way leads through.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hop {
    /// An edge, given by the half-edge in the polygon that is entered.
    Edge(u32),
    /// An edge between ground of different costs, and where it is crossed.
    Border(u32, Xy),
    /// A link.
    Link(u32),
}

/// Rounds in which crossings of borders are moved to where they are cheaper.
const ROUNDS: usize = 12;

/// Steps in which the cheapest point of an edge is looked for, each of which leaves two thirds of it.
const STEPS: usize = 48;

impl Line {
    pub(super) fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<(Xy, u16)>()
            + self.trial.capacity() * size_of::<MeshPoint>()
    }

    /// Writes down the shortest line from a start through all edges and links to a goal. Borders are edges like others.
    pub(super) fn pull(
        &mut self,
        mesh: &Mesh,
        exact: bool,
        ends: [MeshPoint; 2],
        way: &[Hop],
        into: &mut Vec<MeshPoint>,
    ) {
        self.draw(mesh, exact, ends, way, false, into);
    }

    /// Draws the line; if borders are fixed, through the points where they are crossed.
    fn draw(
        &mut self,
        mesh: &Mesh,
        exact: bool,
        [start, goal]: [MeshPoint; 2],
        way: &[Hop],
        are_fixed: bool,
        into: &mut Vec<MeshPoint>,
    ) {
        let shape = mesh.shape();
        into.clear();
        into.push(start);
        self.begin(exact, (start.xy(), start.layer()), way.len());
        for &hop in way {
            match hop {
                Hop::Link(number) => {
                    let Way { from, to, .. } = mesh.ways().list[number as usize];
                    self.end((from.xy(), from.layer()), into);
                    if into.last() != Some(&from) {
                        into.push(from);
                    }
                    into.push(to);
                    self.begin(exact, (to.xy(), to.layer()), way.len());
                }
                Hop::Border(by, at) if are_fixed => {
                    let here = shape.half_edges[by as usize].polygon;
                    let before = shape.across(by).unwrap_or(here);
                    let polygon = if shape.contains(before, at) { before } else { here };
                    let point = (at, shape.layer(polygon));
                    self.end(point, into);
                    self.begin(false, point, way.len());
                }
                Hop::Edge(by) | Hop::Border(by, _) => {
                    let side = &shape.half_edges[by as usize];
                    let layer = shape.layer(side.polygon);
                    let right = shape.half_edges[shape.next(by) as usize].at;
                    self.add_left((side.at, layer), into);
                    self.add_right((right, layer), into);
                }
            }
        }
        self.end((goal.xy(), goal.layer()), into);
    }

    /// Replaces a line by the cheapest of some through the same edges: crossings of borders are moved, one after the other, to
    /// where the legs before and after cost least, and the line is drawn again. What it costs is a convex function of all
    /// crossings, so that this comes near the cheapest line through these edges.
    pub(super) fn cheapen(
        &mut self,
        mesh: &Mesh,
        exact: bool,
        ends: [MeshPoint; 2],
        way: &mut [Hop],
        into: &mut Vec<MeshPoint>,
    ) {
        let mut trial = std::mem::take(&mut self.trial);
        let mut least = mesh.price(into).ok();
        for _ in 0..=ROUNDS {
            self.draw(mesh, exact, ends, way, true, &mut trial);
            let cost = mesh.price(&trial).ok();
            if let Some(cost) = cost
                && least.is_none_or(|least| cost < least)
            {
                least = Some(cost);
                into.clone_from(&trial);
            }
            move_crossings(mesh, way, &trial);
        }
        self.trial = trial;
    }

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

/// Moves every crossing of a border to where the legs that meet there cost least, given a line through all of them.
fn move_crossings(mesh: &Mesh, way: &mut [Hop], line: &[MeshPoint]) {
    let shape = mesh.shape();
    let mut next = 0;
    for hop in way {
        let Hop::Border(by, at) = hop else { continue };
        let Some(found) = line[next..].iter().position(|point| point.xy() == *at) else { continue };
        next += found;
        let (Some(before), Some(after)) =
            (next.checked_sub(1).and_then(|at| line.get(at)), line.get(next + 1))
        else {
            continue;
        };
        let side = &shape.half_edges[*by as usize];
        let factors = [shape.across(*by).unwrap_or(side.polygon), side.polygon]
            .map(|polygon| shape.factor(polygon));
        let ends = [side.at, shape.half_edges[shape.next(*by) as usize].at];
        *at = cheapest_on(ends, [before.xy(), after.xy()], factors);
    }
}

/// Where a line between two points crosses an edge so that it costs least, given what ground costs on both sides. The cost is a
/// convex function of where that is.
pub(super) fn cheapest_on(
    [one, other]: [Xy; 2],
    [before, after]: [Xy; 2],
    [first, last]: [f64; 2],
) -> Xy {
    let at = |part: f64| [0, 1].map(|axis| one[axis] + part * (other[axis] - one[axis]));
    let cost = |p: Xy| first * distance(before, p) + last * distance(p, after);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let [left, right] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if cost(at(left)) <= cost(at(right)) {
            high = right;
        } else {
            low = left;
        }
    }
    // Ends of the edge as they are: a point computed there could lie beside the mesh.
    let inner = at(0.5 * (low + high));
    [one, other]
        .into_iter()
        .fold(inner, |best, end| if cost(end) <= cost(best) { end } else { best })
}
