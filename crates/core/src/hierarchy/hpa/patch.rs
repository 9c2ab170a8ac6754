//! Keeping up with edits.

use super::Hpa;
use super::cluster::ClusterBuilder;
use super::layout::ClusterId;
use super::levels::{self, RegionMemory};
use super::links::Links;
use crate::grid::{Cell, Change, Edition, Grid};
use std::sync::Arc;

impl Hpa {
    /// Rebuilds the clusters that the changed cells lie in or touch. `changes` are all that lie between
    /// the grid it describes and `grid`. Returns how many clusters were rebuilt; `None` if the
    /// grid cannot be the one it knew, or the changes cannot be its own; then nothing was done.
    pub(crate) fn apply(
        &mut self,
        grid: &Grid,
        changes: &[Change],
        builder: &mut ClusterBuilder,
        memory: &mut RegionMemory,
    ) -> Option<usize> {
        let movement = grid.shared_movement();
        let same_agents = Arc::ptr_eq(&self.movement, &movement) || self.movement == movement;
        let unexplained = changes.is_empty() && self.grid != grid.edition();
        if !grid.costs_the_same_both_ways() {
            return None;
        }
        if unexplained || !same_agents || !self.layout.is_of(grid.extent()) {
            return None;
        }
        // Cells outside the map cannot have changed.
        if changes.iter().any(|change| !self.layout.contains(change.cell)) {
            return None;
        }
        let mut touched: Vec<ClusterId> = Vec::new();
        for change in changes {
            self.touched_by(change.cell, &mut touched);
        }
        touched.sort_unstable();
        touched.dedup();
        let mut reconnected = Vec::new();
        let mut relinked = Vec::new();
        for &cluster in &touched {
            let slot = &mut self.clusters[cluster.index()];
            let rebuilt =
                builder.rebuild(grid, &self.layout, &self.options, cluster, slot, changes);
            let Some(built) = rebuilt else { continue };
            if !slot.same_connections(&built) {
                reconnected.push((cluster, !slot.same_part_numbers(&built)));
            }
            relinked.push(cluster);
            if !slot.same_nodes(&built) {
                // Those beside it know its nodes by their numbers.
                self.layout.visit_neighbours(cluster, |beside| relinked.push(beside));
            }
            *slot = Arc::new(built);
        }
        relinked.sort_unstable();
        relinked.dedup();
        let mut changed: Vec<ClusterId> = reconnected.iter().map(|(cluster, _)| *cluster).collect();
        for &cluster in &relinked {
            let links = Links::build(&self.layout, &self.clusters, cluster);
            if *self.links[cluster.index()] != links {
                self.links[cluster.index()] = Arc::new(links);
                changed.push(cluster);
            }
        }
        let Self { layout, clusters, links, levels, .. } = self;
        levels::update(layout, clusters, links, levels, &changed, memory);
        self.reach.update(&self.layout, &self.clusters, &reconnected);
        self.grid = grid.edition();
        self.own = Edition::new();
        Some(touched.len())
    }

    /// The cluster of a cell, and those that touch the cell.
    fn touched_by(&self, cell: Cell, touched: &mut Vec<ClusterId>) {
        for dy in -1..=1 {
            for dx in -1..=1 {
                let near =
                    Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                if self.layout.contains(near) {
                    touched.push(self.layout.cluster_of(near));
                }
            }
        }
    }
}
