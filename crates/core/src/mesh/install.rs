//! Patches put into the arrays of a mesh, and taken out again.
//!
//! Polygons, half-edges and vertices of patches come after those that were there before, patch by patch. Closed polygons
//! keep their numbers, but nothing leads to them. So arrays as they were before are had by cutting them off and by
//! restoring the half-edges around patches.
//!
//! **Dead ends stay what they were**: obstacles open no new ways. Polygons of patches are never dead ends of their own; what
//! leads out of one is what led out of the closed polygon at its place (`homes`).
//!
//! **Parts** stay what they were as long as no patch divides what was connected inside of it, which is known patch by
//! patch. Else all parts are found again: O(polygons).

use super::patch::Patch;
use super::point::MeshPoint;
use super::shape::{HalfEdge, MeshShape, NONE};
use std::sync::Arc;

/// What patches have changed in the arrays of a mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patched {
    /// Closed polygons, in increasing order, each with the number of its patch.
    replaced: Vec<(u32, u32)>,
    /// The polygons of each patch: from, and up to.
    ranges: Vec<[u32; 2]>,
    /// Half-edges of polygons that have stayed, but are joined or marked otherwise. Some of them twice.
    changed: Vec<u32>,
    /// Whether parts had to be found again.
    is_divided: bool,
    /// What a unit of length costs in the last polygons, which are those of patches; empty if it is 1 everywhere.
    factors: Vec<f64>,
}

impl Patched {
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.replaced.capacity() + self.ranges.capacity()) * 8
            + self.changed.capacity() * 4
            + self.factors.capacity() * size_of::<f64>()
    }

    fn patch_of(&self, polygon: u32) -> Option<u32> {
        let at = self.replaced.binary_search_by_key(&polygon, |known| known.0).ok()?;
        Some(self.replaced[at].1)
    }
}

impl MeshShape {
    /// Replaces all patches by others. `base` is the shape without patches. O(patches), and O(polygons) if one divides what
    /// was connected, before or now.
    pub(super) fn install(&mut self, base: &MeshShape, patches: &[Arc<Patch>]) {
        self.take_out(base);
        self.exact = base.exact && patches.iter().all(|patch| patch.exact);
        for patch in patches {
            self.close_for(base, patch);
        }
        self.closed.sort_unstable();
        self.patched.replaced.sort_unstable();
        let has_costs = base.has_costs() || patches.iter().any(|patch| !patch.factors.is_empty());
        for patch in patches {
            self.add_polygons(patch);
            if has_costs {
                self.patched.factors.extend_from_slice(&patch.factors);
                let count = self.polygon_count() - base.polygon_count();
                self.patched.factors.resize(base.patched.factors.len() + count, 1.0);
            }
        }
        self.link(base, patches);
        self.mark_patched(base);
        self.connect_patches(base, patches);
    }

    /// Whether ground costs more in some polygons than in others.
    pub(crate) fn has_costs(&self) -> bool {
        !self.patched.factors.is_empty()
    }

    /// What a unit of length costs in a polygon.
    #[inline]
    pub(crate) fn factor(&self, polygon: u32) -> f64 {
        let factors = &self.patched.factors;
        let before = self.polygon_count() - factors.len();
        (polygon as usize).checked_sub(before).map_or(1.0, |at| factors[at])
    }

    /// Restores the shape without patches.
    fn take_out(&mut self, base: &MeshShape) {
        let is_divided = self.patched.is_divided;
        for &edge in &self.patched.changed {
            self.half_edges[edge as usize] = base.half_edges[edge as usize];
        }
        for &(polygon, _) in &self.patched.replaced {
            let range = base.range(polygon);
            self.half_edges[range.clone()].copy_from_slice(&base.half_edges[range]);
        }
        self.vertices.truncate(base.vertices.len());
        self.half_edges.truncate(base.half_edges.len());
        self.first.truncate(base.first.len());
        self.layers.truncate(base.layers.len());
        self.tree_parent.truncate(base.tree_parent.len());
        self.parts.truncate(base.parts.len());
        if is_divided {
            self.parts.copy_from_slice(&base.parts);
        }
        self.closed.clone_from(&base.closed);
        self.patched.clone_from(&base.patched);
    }

    /// Closes the polygons of a patch.
    fn close_for(&mut self, base: &MeshShape, patch: &Patch) {
        let number = self.patched.ranges.len() as u32;
        for &polygon in &patch.closed {
            for edge in base.range(polygon) {
                let twin = base.half_edges[edge].twin;
                let side = &mut self.half_edges[edge];
                (side.twin, side.flags) = (NONE, 0);
                if let Some(other) = self.half_edges.get_mut(twin as usize) {
                    other.twin = NONE;
                    self.patched.changed.push(twin);
                }
            }
            self.patched.replaced.push((polygon, number));
        }
        self.closed.extend_from_slice(&patch.closed);
        // Where its polygons will be is known once all before it are there.
        self.patched.ranges.push([NONE; 2]);
    }

    /// Adds the polygons of a patch, joined with each other.
    fn add_polygons(&mut self, patch: &Patch) {
        let (edges, polygons) = (self.half_edges.len() as u32, self.polygon_count() as u32);
        let numbers: Vec<u32> = patch
            .vertices
            .iter()
            .map(|&(at, vertex)| match vertex {
                NONE => {
                    self.vertices.push(at);
                    self.vertices.len() as u32 - 1
                }
                vertex => vertex,
            })
            .collect();
        for (polygon, range) in (polygons..).zip(patch.first.windows(2)) {
            let sides = &patch.edges[range[0] as usize..range[1] as usize];
            self.half_edges.extend(sides.iter().map(|&(vertex, twin)| HalfEdge {
                at: patch.vertices[vertex as usize].0,
                vertex: numbers[vertex as usize],
                twin: if twin == NONE { NONE } else { edges + twin },
                polygon,
                flags: 0,
            }));
            self.first.push(self.half_edges.len() as u32);
            if !self.layers.is_empty() {
                self.layers.push(patch.layer);
            }
        }
        let at = self.patched.ranges.partition_point(|range| range[0] != NONE);
        self.patched.ranges[at] = [polygons, self.polygon_count() as u32];
    }

    /// Joins patches with what is around them, and with each other.
    fn link(&mut self, base: &MeshShape, patches: &[Arc<Patch>]) {
        let mut links: Vec<(u32, u32)> = Vec::new();
        let mut first = base.half_edges.len() as u32;
        for patch in patches {
            links.extend(patch.portals.iter().map(|&(edge, portal)| (portal, first + edge)));
            first += patch.edges.len() as u32;
        }
        links.sort_unstable();
        for &(portal, edge) in &links {
            let HalfEdge { twin, flags, .. } = base.half_edges[portal as usize];
            let beyond = base.half_edges[twin as usize].polygon;
            if self.patched.patch_of(beyond).is_some() {
                let found = links.binary_search_by_key(&twin, |link| link.0).ok();
                self.half_edges[edge as usize].twin = found.map_or(NONE, |at| links[at].1);
                continue;
            }
            let inner = &mut self.half_edges[edge as usize];
            inner.twin = twin;
            inner.flags |= flags & HalfEdge::TREE_ACROSS;
            let outer = &mut self.half_edges[twin as usize];
            outer.twin = edge;
            outer.flags &= !HalfEdge::TREE_ACROSS;
        }
    }

    /// Marks corners, and polygons with straight ones, in patches and around them.
    fn mark_patched(&mut self, base: &MeshShape) {
        for polygon in base.polygon_count()..self.polygon_count() {
            self.mark_straight_polygon(polygon as u32);
        }
        let known = base.half_edges.len() as u32;
        for edge in known..self.half_edges.len() as u32 {
            // A fan that begins inside of a patch is marked once, there.
            if let Some(first) = self.first_of_fan(edge)
                && (first == edge || first < known)
            {
                self.mark_changed_fan(first, known);
            }
        }
        // Portals that rounding has closed: nothing of a patch reaches the fans there.
        for at in 0..self.patched.changed.len() {
            let edge = self.patched.changed[at];
            let HalfEdge { twin, polygon, .. } = self.half_edges[edge as usize];
            if twin == NONE && self.is_open(polygon) {
                for edge in [edge, self.next(edge)] {
                    if let Some(first) = self.first_of_fan(edge) {
                        self.mark_changed_fan(first, known);
                    }
                }
            }
        }
    }

    fn mark_changed_fan(&mut self, first: u32, known: u32) {
        self.mark_fan(first);
        let mut around = first;
        while around != NONE {
            if around < known {
                self.patched.changed.push(around);
            }
            around = self.half_edges[self.before(around) as usize].twin;
        }
    }

    /// The half-edge of a fan of polygons with an obstacle on its right; `None` if the fan goes all the way round.
    fn first_of_fan(&self, edge: u32) -> Option<u32> {
        let mut at = edge;
        loop {
            match self.half_edges[at as usize].twin {
                NONE => return Some(at),
                twin => at = self.next(twin),
            }
            if at == edge {
                return None;
            }
        }
    }

    /// Parts and ways out of dead ends, for the polygons of patches.
    fn connect_patches(&mut self, base: &MeshShape, patches: &[Arc<Patch>]) {
        for patch in patches {
            let first = self.tree_parent.len() as u32;
            self.tree_parent.extend_from_slice(&patch.homes);
            let part = |(&home, &part): (&u32, &u32)| match home {
                NONE => first + part,
                home => base.parts[home as usize],
            };
            self.parts.extend(patch.homes.iter().zip(&patch.parts).map(part));
        }
        self.patched.is_divided = base.patched.is_divided;
        if patches.iter().any(|patch| patch.divides) {
            self.mark_parts();
            self.patched.is_divided = true;
        }
    }

    /// Adds the polygons of patches at a point, on its layer, given the polygons near it that were there before.
    pub(super) fn add_patched_at(&self, point: MeshPoint, near: &[u32], into: &mut Vec<u32>) {
        if self.patched.is_empty() {
            return;
        }
        let begin = into.len();
        let mut patches: Vec<u32> = Vec::new();
        let note = |polygon: u32, patches: &mut Vec<u32>| {
            if let Some(patch) = self.patched.patch_of(polygon)
                && !patches.contains(&patch)
            {
                patches.push(patch);
            }
        };
        near.iter().for_each(|&polygon| note(polygon, &mut patches));
        let mut next = 0;
        while let Some(&patch) = patches.get(next) {
            next += 1;
            let [from, to] = self.patched.ranges[patch as usize];
            for polygon in from..to {
                if self.is_at(polygon, point) {
                    into.push(polygon);
                } else {
                    note(polygon, &mut patches);
                }
            }
        }
        into[begin..].sort_unstable();
    }

    /// The open polygons that may reach into a rectangle, in increasing order.
    pub(super) fn open_near(&self, bounds: [super::Xy; 2]) -> Vec<u32> {
        let mut near = Vec::new();
        self.locator.add_near(bounds, &mut near);
        near.sort_unstable();
        near.dedup();
        let mut next = 0;
        while let Some(&polygon) = near.get(next) {
            next += 1;
            if let Some(patch) = self.patched.patch_of(polygon) {
                let [from, to] = self.patched.ranges[patch as usize];
                if !near.contains(&from) {
                    near.extend(from..to);
                }
            }
        }
        near.retain(|&polygon| self.is_open(polygon));
        near.sort_unstable();
        near
    }
}
