//! Which polygons lie at a point: buckets over the mesh, each with the polygons that reach into it.
//!
//! There are about as many buckets as polygons. A polygon is entered row by row, only where it reaches, so that long
//! diagonal ones do not fill the whole table; if the lists still get long, buckets are made larger. O(polygons) memory;
//! a look-up takes time in proportion to the polygons of one bucket.

use super::point::{Xy, distance};
use super::shape::HalfEdge;

/// Entries that the table may have for each polygon, on average, before buckets are made larger.
const ENTRIES_A_POLYGON: usize = 12;

/// How far outside of the bounds of a mesh polygons are looked for, as a part of its size.
const BOUNDS_SLACK: f64 = 1.0 / (1u64 << 20) as f64;

#[derive(Clone, Debug)]
pub(crate) struct Locator {
    least: Xy,
    most: Xy,
    /// Buckets for each unit of length.
    per_unit: Xy,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    polygons: Vec<u32>,
}

impl Locator {
    pub(crate) fn new(half_edges: &[HalfEdge], first: &[u32]) -> Self {
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for side in half_edges {
            for axis in 0..2 {
                least[axis] = least[axis].min(side.at[axis]);
                most[axis] = most[axis].max(side.at[axis]);
            }
        }
        let count = first.len() - 1;
        if count == 0 {
            (least, most) = ([0.0; 2], [0.0; 2]);
        }
        let mut wanted = count.max(1);
        loop {
            let mut locator = Self::sized(least, most, wanted);
            let polygons =
                || first.windows(2).map(|ends| &half_edges[ends[0] as usize..ends[1] as usize]);
            let mut counts = vec![0u32; locator.columns * locator.rows + 1];
            let mut entries = 0usize;
            for sides in polygons() {
                locator.each_bucket(sides, |bucket| {
                    counts[bucket + 1] += 1;
                    entries += 1;
                });
            }
            if entries > ENTRIES_A_POLYGON * count + 64 && wanted > 1 {
                wanted /= 4;
                continue;
            }
            for at in 1..counts.len() {
                counts[at] += counts[at - 1];
            }
            let mut next = counts.clone();
            let mut listed = vec![0; entries];
            for (polygon, sides) in (0u32..).zip(polygons()) {
                locator.each_bucket(sides, |bucket| {
                    listed[next[bucket] as usize] = polygon;
                    next[bucket] += 1;
                });
            }
            (locator.first, locator.polygons) = (counts, listed);
            return locator;
        }
    }

    /// A table of about so many buckets, still empty.
    fn sized(least: Xy, most: Xy, wanted: usize) -> Self {
        let [width, height] = [most[0] - least[0], most[1] - least[1]];
        let side = (width * height / wanted as f64).sqrt();
        let longest = width.max(height) / wanted as f64;
        let side = if side > longest { side } else { longest };
        let buckets = |length: f64| {
            if side > 0.0 { ((length / side).ceil() as usize).clamp(1, wanted) } else { 1 }
        };
        let (columns, rows) = (buckets(width), buckets(height));
        let rate =
            |count: usize, length: f64| if length > 0.0 { count as f64 / length } else { 0.0 };
        let per_unit = [rate(columns, width), rate(rows, height)];
        Self { least, most, per_unit, columns, rows, first: Vec::new(), polygons: Vec::new() }
    }

    fn column(&self, x: f64) -> usize {
        (((x - self.least[0]) * self.per_unit[0]).max(0.0) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        (((y - self.least[1]) * self.per_unit[1]).max(0.0) as usize).min(self.rows - 1)
    }

    /// Every bucket that a polygon reaches into, and perhaps one more at either end of a row, for rounding.
    fn each_bucket(&self, sides: &[HalfEdge], mut visit: impl FnMut(usize)) {
        let ys = || sides.iter().map(|side| side.at[1]);
        let (low, high) =
            (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
        for row in self.row(low).saturating_sub(1)..=(self.row(high) + 1).min(self.rows - 1) {
            // A little more than the row, so that no rounding leaves a point out.
            let height = if self.per_unit[1] > 0.0 { 1.0 / self.per_unit[1] } else { 0.0 };
            let bottom = self.least[1] + (row as f64 - 0.001) * height;
            let top = self.least[1] + (row as f64 + 1.001) * height;
            let Some((left, right)) = extent_between(sides, bottom, top) else { continue };
            let width = if self.per_unit[0] > 0.0 { 0.001 / self.per_unit[0] } else { 0.0 };
            for column in self.column(left - width)..=self.column(right + width) {
                visit(row * self.columns + column);
            }
        }
    }

    /// The polygons that may lie at a point: none outside of the mesh's bounds, but for a little, since the corner of a
    /// patch may be rounded across them.
    pub(crate) fn candidates(&self, at: Xy) -> &[u32] {
        let is_inside = |axis: usize| {
            let slack = (self.most[axis] - self.least[axis]) * BOUNDS_SLACK;
            (self.least[axis] - slack..=self.most[axis] + slack).contains(&at[axis])
        };
        if !is_inside(0) || !is_inside(1) || self.polygons.is_empty() {
            return &[];
        }
        let bucket = self.row(at[1]) * self.columns + self.column(at[0]);
        &self.polygons[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }

    /// Adds the polygons that may reach into a rectangle, some of them several times.
    pub(crate) fn add_near(&self, [least, most]: [Xy; 2], into: &mut Vec<u32>) {
        let is_apart = |axis: usize| most[axis] < self.least[axis] || least[axis] > self.most[axis];
        if self.polygons.is_empty() || is_apart(0) || is_apart(1) {
            return;
        }
        for row in self.row(least[1])..=self.row(most[1]) {
            let begin = row * self.columns;
            let [first, last] = [least, most].map(|at| begin + self.column(at[0]));
            let range = self.first[first] as usize..self.first[last + 1] as usize;
            into.extend_from_slice(&self.polygons[range]);
        }
    }

    /// The corners of the mesh's bounds.
    pub(crate) fn bounds(&self) -> [Xy; 2] {
        [self.least, self.most]
    }

    pub(crate) fn diagonal(&self) -> f64 {
        distance(self.least, self.most)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        (self.first.capacity() + self.polygons.capacity()) * 4
    }
}

/// The least and the largest x that a polygon has between two heights.
fn extent_between(sides: &[HalfEdge], bottom: f64, top: f64) -> Option<(f64, f64)> {
    let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
    for (at, side) in sides.iter().enumerate() {
        let (from, to) = (side.at, sides[(at + 1) % sides.len()].at);
        let (low, high) = if from[1] <= to[1] { (from, to) } else { (to, from) };
        if high[1] < bottom || low[1] > top {
            continue;
        }
        let x_at = |y: f64| {
            let part = (y - low[1]) / (high[1] - low[1]);
            if (0.0..=1.0).contains(&part) { low[0] + part * (high[0] - low[0]) } else { low[0] }
        };
        let ends = [
            if low[1] < bottom { x_at(bottom) } else { low[0] },
            if high[1] > top { x_at(top) } else { high[0] },
        ];
        for x in ends {
            left = left.min(x);
            right = right.max(x);
        }
    }
    (left <= right).then_some((left, right))
}
