//! Points in polygons, and straight lines through them.

use super::point::{MeshPoint, Xy, is_on_lattice, orient};
use super::shape::{MeshShape, NONE};

impl MeshShape {
    /// Whether orientations of a point and vertices are exact as computed.
    pub(crate) fn is_exact_with(&self, point: Xy) -> bool {
        self.exact && point.iter().all(|&coordinate| is_on_lattice(coordinate))
    }

    /// Whether a point lies in a polygon or on its edges.
    pub(crate) fn contains(&self, polygon: u32, point: Xy) -> bool {
        let exact = self.is_exact_with(point);
        let sides = self.sides(polygon);
        let mut from = sides[sides.len() - 1].at;
        sides.iter().all(|side| {
            let inside = orient(exact, from, side.at, point) >= 0.0;
            from = side.at;
            inside
        })
    }

    /// Whether a place lies in a polygon that may be entered.
    pub(crate) fn is_at(&self, polygon: u32, point: MeshPoint) -> bool {
        self.layer(polygon) == point.layer()
            && self.contains(polygon, point.xy())
            && self.is_open(polygon)
    }

    /// Adds the polygons at a point, on its layer, in increasing order.
    pub(crate) fn add_polygons_at(&self, point: MeshPoint, into: &mut Vec<u32>) {
        let near = self.locator.candidates(point.xy());
        into.extend(near.iter().filter(|&&polygon| self.is_at(polygon, point)));
        if !self.patched.is_empty() {
            self.add_patched_at(point, near, into);
        }
    }

    /// Adds the polygons in which a path from or to a point may go on: those at the point on its layer, and those of
    /// other layers that are joined to them there.
    pub(crate) fn add_polygons_from(&self, point: MeshPoint, into: &mut Vec<u32>) {
        let begin = into.len();
        self.add_polygons_at(point, into);
        if self.layers.is_empty() {
            return;
        }
        let mut next = begin;
        while next < into.len() {
            let polygon = into[next];
            next += 1;
            for edge in self.range(polygon) {
                let Some(other) = self.across(edge as u32) else { continue };
                if self.touches(edge as u32, [point.xy(); 2]) && !into[begin..].contains(&other) {
                    into.push(other);
                }
            }
        }
    }

    /// Whether a straight line, ends included, meets an edge, ends included.
    fn touches(&self, edge: u32, [p, q]: [Xy; 2]) -> bool {
        let (u, v) =
            (self.half_edges[edge as usize].at, self.half_edges[self.next(edge) as usize].at);
        for axis in 0..2 {
            let apart = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d);
            if apart(p[axis], q[axis], u[axis], v[axis])
                || apart(u[axis], v[axis], p[axis], q[axis])
            {
                return false;
            }
        }
        let exact = self.is_exact_with(p) && self.is_exact_with(q);
        let are_split = |a: Xy, b: Xy, c: Xy, d: Xy| {
            let [left, right] = [orient(exact, a, b, c), orient(exact, a, b, d)];
            !((left > 0.0 && right > 0.0) || (left < 0.0 && right < 0.0))
        };
        are_split(p, q, u, v) && are_split(u, v, p, q)
    }

    /// Follows the straight line from `from` to `to`, beginning in some of the polygons in `reached`, all of which `from`
    /// lies in. On success `reached` is those that the line arrives in, all round the point where it ends.
    ///
    /// A polygon is entered from a neighbour if the line meets the edge between them. Since polygons are convex, what
    /// lies between two edges that a line meets lies in the polygon: so the whole line is on the mesh exactly if this
    /// leads to a polygon that has its end. Nothing leads through a point where two obstacles touch.
    pub(crate) fn follow_line(&self, from: Xy, to: Xy, reached: &mut Vec<u32>) -> bool {
        self.spread_along(from, to, reached);
        reached.retain(|&polygon| self.contains(polygon, to));
        !reached.is_empty()
    }

    /// Adds the polygons that lead along a straight line from those in `reached`.
    fn spread_along(&self, from: Xy, to: Xy, reached: &mut Vec<u32>) {
        let mut seen = reached.clone();
        seen.sort_unstable();
        let mut next = 0;
        while next < reached.len() {
            let polygon = reached[next];
            next += 1;
            for edge in self.range(polygon) {
                if self.half_edges[edge].twin == NONE || !self.touches(edge as u32, [from, to]) {
                    continue;
                }
                let Some(other) = self.across(edge as u32) else { continue };
                if let Err(at) = seen.binary_search(&other) {
                    seen.insert(at, other);
                    reached.push(other);
                }
            }
        }
    }

    /// The length of a straight line with each part of it times what ground costs there, given polygons in which it begins.
    /// Along the border of an area the cheaper side counts.
    pub(crate) fn weighted_length(&self, from: Xy, to: Xy, begin: &[u32]) -> f64 {
        let mut reached = begin.to_vec();
        self.spread_along(from, to, &mut reached);
        let mut parts: Vec<(f64, f64, f64)> = Vec::with_capacity(reached.len());
        let mut cuts = vec![0.0, 1.0];
        for &polygon in &reached {
            if let Some([enter, leave]) = self.span_in(polygon, from, to) {
                parts.push((enter, leave, self.factor(polygon)));
                cuts.extend([enter, leave]);
            }
        }
        cuts.sort_by(f64::total_cmp);
        let length = super::distance(from, to);
        let factor = |middle: f64| {
            let here = parts.iter().filter(|part| part.0 <= middle && middle <= part.1);
            here.map(|part| part.2).fold(f64::INFINITY, f64::min)
        };
        let mut sum = 0.0;
        for cut in cuts.windows(2).filter(|cut| cut[0] < cut[1]) {
            // Between polygons there may be a gap as small as rounding.
            let factor = factor(0.5 * (cut[0] + cut[1]));
            let factor = if factor.is_finite() { factor } else { 1.0 };
            sum += factor * (cut[1] - cut[0]);
        }
        length * sum
    }

    /// See [`Mesh::corridor`](super::Mesh::corridor).
    pub(super) fn corridor(&self, points: &[MeshPoint]) -> Vec<u32> {
        let mut passed = Vec::new();
        let mut reached = Vec::new();
        let Some(&start) = points.first() else { return passed };
        self.add_polygons_from(start, &mut reached);
        for leg in points.windows(2) {
            let (from, to) = (leg[0].xy(), leg[1].xy());
            self.spread_along(from, to, &mut reached);
            let mut met: Vec<(f64, u32)> = reached
                .iter()
                .filter_map(|&polygon| Some((self.part_in(polygon, from, to)?, polygon)))
                .collect();
            met.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (_, polygon) in met {
                if !passed.contains(&polygon) {
                    passed.push(polygon);
                }
            }
            reached.retain(|&polygon| self.contains(polygon, to));
        }
        if passed.is_empty() { reached } else { passed }
    }

    /// Where a line enters a polygon, from 0 to 1, if it has more than a point in common with it.
    fn part_in(&self, polygon: u32, from: Xy, to: Xy) -> Option<f64> {
        self.span_in(polygon, from, to).map(|span| span[0])
    }

    /// Where a line enters and leaves a polygon, from 0 to 1, if it has more than a point in common with it. A line that lies
    /// along an edge as near as rounding is inside.
    fn span_in(&self, polygon: u32, from: Xy, to: Xy) -> Option<[f64; 2]> {
        /// Depths below this part of the products that they are the difference of are none.
        const SLACK: f64 = 1.0 / (1u64 << 40) as f64;
        let sides = self.sides(polygon);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for (at, side) in sides.iter().enumerate() {
            let (a, b) = (side.at, sides[(at + 1) % sides.len()].at);
            let depth = |p: Xy| {
                let [one, other] = [(b[0] - a[0]) * (p[1] - a[1]), (b[1] - a[1]) * (p[0] - a[0])];
                let depth = one - other;
                if depth.abs() <= SLACK * (one.abs() + other.abs()) { 0.0 } else { depth }
            };
            let (first, last) = (depth(from), depth(to));
            if first < 0.0 && last < 0.0 {
                return None;
            }
            let crossed = first / (first - last);
            if first < 0.0 {
                enter = enter.max(crossed);
            } else if last < 0.0 {
                leave = leave.min(crossed);
            }
        }
        (leave - enter > 1e-9).then_some([enter, leave])
    }
}
