//! Links in the any-angle search.
//!
//! A link is seen where it begins, as a goal is: then it is put on the open list under the length of the way through it. When it comes
//! out, where it ends is a root, from which everything around it is opened. Of several ways to a link only the shortest
//! counts, as for corners.

use super::any_angle::{Search, View};
use super::cone::{Node, OPEN, Root, WAY};
use crate::mesh::{NONE, Way, distance};
use crate::planner::is_longer_than;
use crate::search::{SearchObserver, TraceKind};

impl<O: SearchObserver> Search<'_, O> {
    /// Notes which links that begin in a polygon a node leads to.
    pub(super) fn see_ways(&mut self, view: &View<'_>, polygon: u32) {
        let ways = self.ways;
        for way in ways.beginning_in(polygon) {
            if let Some(root) = self.root_to(view, ways.list[way as usize].from.xy()) {
                self.reach_way(way, root);
            }
        }
    }

    /// Notes that the links that begin in a polygon are reached straight from a root.
    pub(super) fn reach_ways(&mut self, polygon: u32, root: u32) {
        let ways = self.ways;
        for way in ways.beginning_in(polygon) {
            self.reach_way(way, root);
        }
    }

    /// The lengths of the ways to where a link begins and ends, by way of a root.
    fn lengths(&self, way: &Way, root: u32) -> [f64; 2] {
        let Root { at, g, .. } = self.memory.roots[root as usize];
        let begin = g + distance(at, way.from.xy());
        [begin, begin + way.length]
    }

    fn best_at(&self, number: u32) -> usize {
        self.shape.vertices.len() + number as usize
    }

    fn reach_way(&mut self, number: u32, root: u32) {
        let way = self.ways.list[number as usize];
        let [_, g] = self.lengths(&way, root);
        let at = self.best_at(number);
        let (search, known) = self.memory.best[at];
        if search == self.memory.search && known <= g {
            return;
        }
        let h = self.least(|goal| distance(way.to.xy(), goal)).min(self.memory.ends.least_by_way);
        if g + h >= self.memory.shortest {
            return;
        }
        if is_longer_than(self.shape.cost_scale, g + h, self.run.limits.cost_max) {
            self.run.cut_by_cost = true;
            return;
        }
        self.memory.best[at] = (self.memory.search, g);
        let node = self.traced(self.memory.nodes.len());
        self.push(Node { edge: NONE, root, left: number, right: WAY }, g + h);
        if O::ACTIVE {
            self.report(TraceKind::Open, node, self.from, g, h);
        }
    }

    /// Goes through a link, and opens what lies around its end.
    pub(super) fn take_way(&mut self, number: u32, root: u32) {
        let ways = self.ways;
        let way = ways.list[number as usize];
        let [begin, end] = self.lengths(&way, root);
        let vertex = self.best_at(number);
        if self.memory.best[vertex] != (self.memory.search, end) {
            return;
        }
        let first = self.memory.roots.len() as u32;
        let (at, layer) = (way.from.xy(), way.from.layer());
        self.memory.roots.push(Root { at, g: begin, vertex: OPEN, before: root, layer });
        let (at, layer) = (way.to.xy(), way.to.layer());
        self.memory.roots.push(Root { at, g: end, vertex: vertex as u32, before: first, layer });
        self.note_nearest(first + 1);
        for polygon in ways.polygons_at_end(number) {
            self.begin_in(polygon, first + 1);
        }
    }
}
