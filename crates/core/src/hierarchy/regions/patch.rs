//! A graph of entrances after an edit: exactly what building it again with the same regions would give.
//!
//! The links of a region depend on the edges within it and on which of its nodes are entrances. Where neither has
//! changed they are copied, with new numbers if other regions have gained or lost entrances. So the searches, which
//! are nearly all of a build, are made for few regions.
//!
//! O(nodes + edges) to look at every edge once, and the searches of the regions that have changed.

use super::entrances::{EntranceGraph, check_partition, kept_edges};
use crate::environment::{Edition, Environment, NodeId};
use crate::graph::{Edge, EdgeChange, Graph};
use crate::planner::CatchUp;
use crate::search::Workspace;
use std::ops::Range;

impl EntranceGraph {
    /// Follows an edit. New nodes are in no region, so that they need a build.
    pub(super) fn patch(&mut self, graph: &Graph, changes: &[EdgeChange]) -> CatchUp {
        if self.whole == graph.edition() {
            return CatchUp::Done;
        }
        let comes_later = graph.revision() > self.revision && !changes.is_empty();
        if !comes_later || graph.non_negative().is_err() {
            return CatchUp::NeedsRebuild;
        }
        match self.patched(graph, changes) {
            Some(patched) => {
                *self = patched;
                CatchUp::Done
            }
            None => CatchUp::NeedsRebuild,
        }
    }

    fn patched(&self, graph: &Graph, changes: &[EdgeChange]) -> Option<Self> {
        check_partition(graph, &self.partition).ok()?;
        let across = kept_edges(graph, &self.partition, self.per_pair);
        let mut next = Self::number(graph, self.partition.clone(), &across).ok()?;
        next.per_pair = self.per_pair;
        let mut edges = next.numbered(&across);
        let (changed, mut work) = (self.changed_regions(changes), Workspace::default());
        for (region, changed) in changed.into_iter().enumerate() {
            let (old, new) = (self.entrances_of(region), next.entrances_of(region));
            if changed || self.nodes[old.clone()] != next.nodes[new.clone()] {
                next.link_region(graph, region, &mut edges, &mut work);
            } else {
                self.copy_links(old, new.start, &mut edges);
            }
        }
        next.graph = Graph::from_edges(next.nodes.len(), &edges).ok()?;
        next.own = Edition::new();
        Some(next)
    }

    /// For each region whether an edge within it has changed.
    fn changed_regions(&self, changes: &[EdgeChange]) -> Vec<bool> {
        let mut changed = vec![false; self.partition.count()];
        let regions = self.partition.regions();
        for (from, to) in changes.iter().filter_map(EdgeChange::step) {
            // Nodes that have come and gone since are in no region.
            if let (Some(&from), Some(&to)) = (regions.get(from.index()), regions.get(to.index()))
                && from == to
            {
                changed[from as usize] = true;
            }
        }
        changed
    }

    /// The numbers of a region's entrances.
    fn entrances_of(&self, region: usize) -> Range<usize> {
        self.first[region] as usize..self.first[region + 1] as usize
    }

    /// The links of a region, the entrances of which are numbered from `start` on now.
    fn copy_links(&self, entrances: Range<usize>, start: usize, edges: &mut Vec<Edge>) {
        let renumbered = |old: usize| NodeId((old - entrances.start + start) as u32);
        for from in entrances.clone() {
            for (to, weight) in self.graph.outgoing().of(NodeId(from as u32)) {
                // Other edges lead to other regions.
                if entrances.contains(&to.index()) {
                    let (from, to) = (renumbered(from), renumbered(to.index()));
                    edges.push(Edge { from, to, weight });
                }
            }
        }
    }
}
