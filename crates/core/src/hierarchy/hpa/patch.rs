//! Keeping up with edits, in slices.
//!
//! A cluster depends on its own cells and on those that touch it, links on clusters, and the parts of the map on
//! both. So clusters are rebuilt first, each from the grid as it is then; a later edit marks those that it touches
//! again. When none is left, links and parts follow. Until then the abstraction describes no grid, and answers
//! nothing.

use super::cluster::{ClusterBuilder, Edits, reach_of};
use super::layout::ClusterId;
use super::levels::{self, RegionMemory};
use super::links::Links;
use super::{Hpa, serves};
use crate::grid::{CellEffect, Change, Edition, Grid};
use std::sync::Arc;

/// What it counts to rebuild a cluster.
const REBUILDING: u64 = 128;
/// What it counts to link a cluster.
const LINKING: u64 = 16;

/// What is left to be done to keep up with edits.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Whether anything is.
    is_begun: bool,
    /// All that has changed for the agents since the grid that is described.
    effects: Vec<CellEffect>,
    /// Clusters to be rebuilt.
    touched: Vec<ClusterId>,
    /// Clusters that were, and whose parts or exits differ; and whether their parts have other numbers.
    reconnected: Vec<(ClusterId, bool)>,
    /// Clusters to be linked again, once none is to be rebuilt.
    relinked: Vec<ClusterId>,
    /// Clusters that were linked again and differ.
    changed: Vec<ClusterId>,
    /// Where agents can use links: clusters that were rebuilt, and those from which ways to links are to be measured, once it
    /// is known which.
    rebuilt: Vec<ClusterId>,
    unmeasured: Vec<ClusterId>,
    links_listed: bool,
}

impl Pending {
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    fn clear(&mut self) {
        self.is_begun = false;
        self.effects.clear();
        self.touched.clear();
        self.reconnected.clear();
        self.relinked.clear();
        self.changed.clear();
        self.rebuilt.clear();
        self.unmeasured.clear();
        self.links_listed = false;
    }
}

impl Hpa {
    /// Notes what differs from the grid that it describes, beside what was noted before. Returns whether it can
    /// follow: not if the grid cannot be the one it knew, or the changes cannot be its own; then nothing was done.
    pub(super) fn note_changes(&mut self, grid: &Grid, changes: &[Change]) -> bool {
        let movement = grid.shared_movement();
        let same_agents = Arc::ptr_eq(&self.movement, &movement) || self.movement == movement;
        if !serves(grid) {
            return false;
        }
        let pending = self.pending.is_begun;
        let unexplained = changes.is_empty() && self.grid != grid.edition() && !pending;
        if unexplained || !same_agents || !self.layout.is_of(grid.extent()) {
            return false;
        }
        // Cells outside the map cannot have changed.
        if changes.iter().any(|change| !self.layout.contains(change.rect.max())) {
            return false;
        }
        self.shaped |= grid.is_shaped();
        let mut touched = std::mem::take(&mut self.pending.touched);
        let effects = grid.effects_of(changes);
        for effect in &effects {
            touched.extend(self.layout.clusters_in(reach_of(self.shaped, effect)));
        }
        // The last is rebuilt first.
        touched.sort_unstable_by(|a, b| b.cmp(a));
        touched.dedup();
        self.pending.touched = touched;
        self.pending.effects.extend(effects);
        self.pending.is_begun = true;
        // Without changes it only goes on.
        self.pending.links_listed &= changes.is_empty();
        true
    }

    /// Rebuilds the clusters that changed cells lie in or touch, as far as `left` goes: what remains of it when this
    /// returns. Returns whether it describes the grid.
    pub(super) fn patch_on(
        &mut self,
        grid: &Grid,
        builder: &mut ClusterBuilder,
        memory: &mut RegionMemory,
        left: &mut u64,
    ) -> bool {
        while let Some(cluster) = self.pending.touched.pop() {
            if *left == 0 {
                self.pending.touched.push(cluster);
                return false;
            }
            *left = left.saturating_sub(REBUILDING);
            self.rebuild_cluster(grid, cluster, builder);
        }
        if !self.measure_links(grid, builder, left) {
            return false;
        }
        let Pending { relinked, .. } = &mut self.pending;
        relinked.sort_unstable();
        relinked.dedup();
        while let Some(cluster) = self.pending.relinked.pop() {
            if *left == 0 {
                self.pending.relinked.push(cluster);
                return false;
            }
            *left = left.saturating_sub(LINKING);
            let links = Links::build(&self.layout, &self.clusters, cluster);
            if *self.links[cluster.index()] != links {
                self.links[cluster.index()] = Arc::new(links);
                self.pending.changed.push(cluster);
            }
        }
        let Self { layout, clusters, links, levels, pending, .. } = self;
        let Pending { changed, reconnected, .. } = &mut *pending;
        changed.extend(reconnected.iter().map(|(cluster, _)| *cluster));
        levels::update(layout, clusters, links, levels, changed, memory);
        self.reach.update(layout, clusters, reconnected);
        pending.clear();
        self.shaped = grid.is_shaped();
        self.grid = grid.edition();
        self.own = Edition::new();
        true
    }

    /// Measures the ways to and from links that have changed, as far as `left` goes. Returns whether all are known.
    fn measure_links(&mut self, grid: &Grid, builder: &mut ClusterBuilder, left: &mut u64) -> bool {
        let Self { layout, clusters, portals, pending, .. } = self;
        if portals.is_empty() && !grid.has_links() {
            return true;
        }
        if !pending.links_listed {
            pending.rebuilt.sort_unstable();
            let unmeasured = portals.list(grid, layout, &pending.rebuilt);
            pending.rebuilt.clear();
            pending.unmeasured.extend(unmeasured);
            pending.unmeasured.sort_unstable();
            pending.unmeasured.dedup();
            pending.links_listed = true;
        }
        while let Some(cluster) = pending.unmeasured.pop() {
            if *left == 0 {
                pending.unmeasured.push(cluster);
                return false;
            }
            *left = left.saturating_sub(REBUILDING);
            portals.measure(grid, layout, clusters, builder, cluster);
        }
        portals.number(layout);
        true
    }

    fn rebuild_cluster(&mut self, grid: &Grid, cluster: ClusterId, builder: &mut ClusterBuilder) {
        let Self { layout, options, clusters, pending, portals, shaped, .. } = self;
        let known = &clusters[cluster.index()];
        let edits = Edits { effects: &pending.effects, shaped: *shaped };
        let rebuilt = builder.rebuild(grid, layout, options, cluster, known, edits);
        if !portals.is_empty() {
            pending.rebuilt.push(cluster);
        }
        let Some(built) = rebuilt else { return };
        if !known.same_connections(&built) {
            pending.reconnected.push((cluster, !known.same_part_numbers(&built)));
        }
        pending.relinked.push(cluster);
        if !known.same_nodes(&built) {
            // Those beside it know its nodes by their numbers.
            layout.visit_neighbours(cluster, |beside| pending.relinked.push(beside));
        }
        clusters[cluster.index()] = Arc::new(built);
    }
}
