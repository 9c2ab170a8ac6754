//! Leaving out edges that no shortest way needs.
//!
//! Looking for witnesses gives up early, so that a hierarchy has shortcuts that are longer than the way
//! they stand in for. An edge u → w goes if some node x, higher than u, gives a shorter way u → x → w:
//! then it is on no shortest way, and of those each has one that goes up and then down without it.
//! (Customizable hierarchies find all such edges by these triangles: Dibbelt, Strasser and Wagner 2014.)
//! In the core every node counts as higher.
//!
//! Σ over nodes u and edges u → x of the edges at x.

use super::{ContractionHierarchy, NONE, Parts, Unpacked, UpEdge};

const FAR: u64 = u64::MAX;

impl ContractionHierarchy {
    /// Leaves out the edges that a triangle shows to be too long.
    pub(super) fn prune(&mut self) {
        let mut costs = vec![FAR; self.node_count()];
        let mut kept = vec![true; self.edges.len()];
        for rank in 0..self.node_count() as u32 {
            for side in 0..2 {
                self.mark_detours(rank, side, &mut costs, &mut kept);
            }
        }
        self.keep(&kept);
        self.forget_unused();
    }

    /// Marks the edges of a rank on one side for which a way over a third node is shorter.
    fn mark_detours(&self, rank: u32, side: usize, costs: &mut [u64], kept: &mut [bool]) {
        let range = self.range(rank, side);
        let edges = &self.edges[range.clone()];
        for edge in edges {
            costs[edge.rank as usize] = u64::from(edge.weight);
        }
        for edge in edges {
            // On upwards from a node between.
            let cost = costs[edge.rank as usize];
            for next in &self.edges[self.range(edge.rank, side)] {
                let known = &mut costs[next.rank as usize];
                if *known != FAR {
                    *known = (*known).min(cost + u64::from(next.weight));
                }
            }
        }
        for (at, edge) in range.zip(edges) {
            // Down from a node above.
            let above = &self.edges[self.range(edge.rank, 1 - side)];
            let weight = u64::from(edge.weight);
            let over = |by: &UpEdge| {
                let cost = costs[by.rank as usize];
                cost != FAR && cost + u64::from(by.weight) < weight
            };
            kept[at] = costs[edge.rank as usize] >= weight && !above.iter().any(over);
        }
        for edge in edges {
            costs[edge.rank as usize] = FAR;
        }
    }

    fn keep(&mut self, kept: &[bool]) {
        let (mut from, mut to) = (0, 0);
        for list in 1..self.first.len() {
            let end = self.first[list] as usize;
            for (at, &keep) in (from..end).zip(&kept[from..end]) {
                if keep {
                    self.edges[to] = self.edges[at];
                    self.numbers[to] = self.numbers[at];
                    to += 1;
                }
            }
            from = end;
            self.first[list] = to as u32;
        }
        self.edges.truncate(to);
        self.edges.shrink_to_fit();
        self.numbers.truncate(to);
        self.numbers.shrink_to_fit();
    }

    /// Renumbers what kept edges stand for, without the rest.
    fn forget_unused(&mut self) {
        let mut used = vec![false; self.unpacked.len()];
        self.numbers.iter().for_each(|&number| used[number as usize] = true);
        // What a shortcut is made of was made before it.
        for number in (0..used.len()).rev() {
            if used[number]
                && let Parts::Shortcut(halves) = self.unpacked[number].parts()
            {
                halves.iter().for_each(|&half| used[half as usize] = true);
            }
        }
        let mut renumbered = vec![NONE; used.len()];
        let mut kept = Vec::with_capacity(used.iter().filter(|&&used| used).count());
        for (number, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            renumbered[number] = kept.len() as u32;
            kept.push(match self.unpacked[number].parts() {
                Parts::Shortcut(halves) => Unpacked(halves.map(|half| renumbered[half as usize])),
                Parts::Edge { .. } => self.unpacked[number],
            });
        }
        self.numbers.iter_mut().for_each(|number| *number = renumbered[*number as usize]);
        self.unpacked = kept;
    }
}
