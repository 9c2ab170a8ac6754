//! The links that a kind of agent can use, as searches need them: which begin and end in which polygons, and what can be
//! reached by way of them.
//!
//! There are few links, so that all of this is found again after every edit: O(links · log links), and a look-up of two points
//! for each.

use super::MeshMovement;
use super::link::MeshLink;
use super::point::{MeshPoint, Xy, distance};
use super::shape::MeshShape;

/// A link in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    pub(crate) from: MeshPoint,
    pub(crate) to: MeshPoint,
    /// What it costs, as a length.
    pub(crate) length: f64,
}

/// All links that can be used, in each direction that they lead in, sorted by their ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    pub(crate) list: Vec<Way>,
    /// Polygons in which ways begin and end, each with the number of the way, in increasing order.
    begins: Vec<(u32, u32)>,
    ends: Vec<(u32, u32)>,
    /// The same by ways: their numbers, each with a polygon.
    polygons_at_begin: Vec<(u32, u32)>,
    polygons_at_end: Vec<(u32, u32)>,
    /// Whether orientations of their ends and vertices are exact as computed.
    pub(crate) exact: bool,
}

/// The part of a sorted list with one number first.
fn with_first(list: &[(u32, u32)], first: u32) -> &[(u32, u32)] {
    let begin = list.partition_point(|entry| entry.0 < first);
    let count = list[begin..].iter().take_while(|entry| entry.0 == first).count();
    &list[begin..begin + count]
}

impl Ways {
    pub(super) fn of<'l>(
        shape: &MeshShape,
        links: impl Iterator<Item = &'l MeshLink>,
        movement: &MeshMovement,
    ) -> Self {
        let mut list: Vec<Way> = Vec::new();
        for link in links {
            let Some(length) = link.length_for(movement) else { continue };
            let (from, to) = (link.from(), link.to());
            list.push(Way { from, to, length });
            if link.leads_back() {
                list.push(Way { from: to, to: from, length });
            }
        }
        list.sort_by(|one, other| {
            let ends = (one.from, one.to).cmp(&(other.from, other.to));
            ends.then(one.length.total_cmp(&other.length))
        });
        // Of links between the same two points the cheapest counts.
        list.dedup_by(|later, kept| (later.from, later.to) == (kept.from, kept.to));
        let polygons = |point: MeshPoint| {
            let mut found = Vec::new();
            shape.add_polygons_from(point, &mut found);
            found
        };
        let mut ways = Self { exact: shape.exact, ..Self::default() };
        for way in list {
            let (here, there) = (polygons(way.from), polygons(way.to));
            if here.is_empty() || there.is_empty() {
                continue;
            }
            let number = ways.list.len() as u32;
            ways.polygons_at_begin.extend(here.iter().map(|&polygon| (number, polygon)));
            ways.polygons_at_end.extend(there.iter().map(|&polygon| (number, polygon)));
            ways.exact &= [way.from, way.to].iter().all(|end| shape.is_exact_with(end.xy()));
            ways.list.push(way);
        }
        let turned = |list: &[(u32, u32)]| {
            let mut turned: Vec<(u32, u32)> = list.iter().map(|&(a, b)| (b, a)).collect();
            turned.sort_unstable();
            turned
        };
        ways.begins = turned(&ways.polygons_at_begin);
        ways.ends = turned(&ways.polygons_at_end);
        ways
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Polygons in which some way begins or ends.
    pub(crate) fn all_polygons(&self) -> impl Iterator<Item = u32> + '_ {
        self.begins.iter().chain(&self.ends).map(|entry| entry.0)
    }

    /// The ways that begin in a polygon.
    #[inline]
    pub(crate) fn beginning_in(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        with_first(&self.begins, polygon).iter().map(|entry| entry.1)
    }

    /// The ways that end in a polygon.
    pub(crate) fn ending_in(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        with_first(&self.ends, polygon).iter().map(|entry| entry.1)
    }

    /// The polygons in which a way begins.
    pub(crate) fn polygons_at_begin(&self, way: u32) -> impl Iterator<Item = u32> + '_ {
        with_first(&self.polygons_at_begin, way).iter().map(|entry| entry.1)
    }

    /// The polygons in which a way ends.
    pub(crate) fn polygons_at_end(&self, way: u32) -> impl Iterator<Item = u32> + '_ {
        with_first(&self.polygons_at_end, way).iter().map(|entry| entry.1)
    }

    /// What the way from a point to another costs, as a length.
    pub(crate) fn length(&self, from: MeshPoint, to: MeshPoint) -> Option<f64> {
        Some(self.list[self.find(from, to)?].length)
    }

    fn find(&self, from: MeshPoint, to: MeshPoint) -> Option<usize> {
        self.list.binary_search_by(|way| (way.from, way.to).cmp(&(from, to))).ok()
    }

    /// Whether the way from a point to another begins in a polygon.
    pub(super) fn begins_in(&self, from: MeshPoint, to: MeshPoint, polygon: u32) -> bool {
        let way = self.find(from, to);
        way.is_some_and(|way| self.polygons_at_begin(way as u32).any(|begin| begin == polygon))
    }

    /// A bound for what is left by any path that uses a link: its last link, and the straight line from there.
    pub(crate) fn least_by_way(&self, goals: &[MeshPoint]) -> f64 {
        let from = |at: Xy| goals.iter().map(move |goal| distance(at, goal.xy()));
        let left = |way: &Way| way.length + from(way.to.xy()).fold(f64::INFINITY, f64::min);
        self.list.iter().map(left).fold(f64::INFINITY, f64::min)
    }

    /// Adds the parts that can be reached from some parts, and sorts all of them.
    pub(crate) fn add_reached_parts(&self, shape: &MeshShape, parts: &mut Vec<u32>) {
        parts.sort_unstable();
        parts.dedup();
        if self.is_empty() {
            return;
        }
        let part = |polygon: u32| shape.parts[polygon as usize];
        let mut by_part: Vec<(u32, u32)> =
            self.begins.iter().map(|&(polygon, way)| (part(polygon), way)).collect();
        by_part.sort_unstable();
        let mut is_taken = vec![false; self.list.len()];
        let mut open = parts.clone();
        while let Some(here) = open.pop() {
            for &(_, way) in with_first(&by_part, here) {
                if std::mem::replace(&mut is_taken[way as usize], true) {
                    continue;
                }
                for there in self.polygons_at_end(way).map(part) {
                    if let Err(at) = parts.binary_search(&there) {
                        parts.insert(at, there);
                        open.push(there);
                    }
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let pairs = [&self.begins, &self.ends, &self.polygons_at_begin, &self.polygons_at_end];
        self.list.capacity() * size_of::<Way>()
            + pairs.iter().map(|list| list.capacity() * 8).sum::<usize>()
    }
}
