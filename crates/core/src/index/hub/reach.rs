//! What each cell is joined to, written down.
//!
//! The links onwards of a cell can be found by a look at bits, but that takes longer than all else that a
//! query does. So they are kept for every cell: the numbers of subgoals only, since what a link costs
//! follows from the two places.
//!
//! PERF: AcrosstheCape has 20 links a cell, in 16 MB; to find them took a fifth of a query's time, twice.

use super::flat::Labels;
use crate::grid::{Cell, Grid};
use crate::index::subgoal::{Ground, Link, SubgoalGraph, SubgoalMap};
use crate::path::octile_cost;
use std::ops::Range;

/// The subgoals that links onwards lead to, by cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Where the list of each cell begins, and where the last ends.
    pub(super) first: Vec<u32>,
    pub(super) nodes: Nodes,
}

/// Numbers of subgoals, in as few bytes as they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Nodes {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Default for Nodes {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

impl Nodes {
    pub(super) fn for_count(node_count: usize) -> Self {
        if node_count <= 1 << 16 { Self::Short(Vec::new()) } else { Self::Long(Vec::new()) }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(list) => list.len(),
            Self::Long(list) => list.len(),
        }
    }

    pub(super) fn push(&mut self, node: u32) {
        match self {
            Self::Short(list) => list.push(node as u16),
            Self::Long(list) => list.push(node),
        }
    }
}

impl Reach {
    /// The lists of the cells of some rows.
    pub(super) fn of_rows(subgoals: &SubgoalGraph, grid: &Grid, rows: Range<u32>) -> Self {
        let mut this = Self::empty(subgoals.subgoal_count());
        for y in rows {
            for x in 0..grid.extent().width() {
                let cell = Cell::new(x, y);
                if grid.is_enterable(cell) {
                    subgoals.links_onwards(cell, |link| this.nodes.push(link.subgoal));
                }
                this.first.push(this.nodes.len() as u32);
            }
        }
        this
    }

    pub(super) fn empty(node_count: usize) -> Self {
        Self { first: vec![0], nodes: Nodes::for_count(node_count) }
    }

    /// Adds the lists of the rows that come next.
    pub(super) fn append(&mut self, next: Self) {
        let begin = self.nodes.len() as u32;
        self.first.extend(next.first[1..].iter().map(|end| begin + end));
        match (&mut self.nodes, next.nodes) {
            (Nodes::Short(list), Nodes::Short(next)) => list.extend(next),
            (Nodes::Long(list), Nodes::Long(next)) => list.extend(next),
            // Both are of as many nodes.
            (Nodes::Long(list), Nodes::Short(next)) => list.extend(next.into_iter().map(u32::from)),
            (Nodes::Short(_), Nodes::Long(_)) => {}
        }
    }

    /// Gives back what was taken in advance.
    pub(super) fn shrink(&mut self) {
        self.first.shrink_to_fit();
        match &mut self.nodes {
            Nodes::Short(list) => list.shrink_to_fit(),
            Nodes::Long(list) => list.shrink_to_fit(),
        }
    }

    /// The links of a cell, with what they cost.
    #[inline]
    pub(super) fn links(
        &self,
        map: &SubgoalMap,
        labels: &Labels,
        cell: Cell,
        mut visit: impl FnMut(Link),
    ) {
        let id = map.extent.id_inside(cell).index();
        let range = self.first[id] as usize..self.first[id + 1] as usize;
        let mut visit = |node: u32| {
            let end = labels.nodes[node as usize].cell;
            let cost = octile_cost(cell, end, map.straight, map.diagonal) as u32;
            visit(Link { subgoal: node, cost });
        };
        match &self.nodes {
            Nodes::Short(list) => list[range].iter().for_each(|&node| visit(u32::from(node))),
            Nodes::Long(list) => list[range].iter().for_each(|&node| visit(node)),
        }
    }

    /// The bytes of the lists of so many cells with so many links in all, which lead to so many subgoals.
    pub(super) fn bytes_of(cell_count: usize, link_count: usize, node_count: usize) -> usize {
        let link = match Nodes::for_count(node_count) {
            Nodes::Short(_) => size_of::<u16>(),
            Nodes::Long(_) => size_of::<u32>(),
        };
        link_count * link + (cell_count + 1) * size_of::<u32>()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let nodes = match &self.nodes {
            Nodes::Short(list) => list.capacity() * size_of::<u16>(),
            Nodes::Long(list) => list.capacity() * size_of::<u32>(),
        };
        nodes + self.first.capacity() * size_of::<u32>()
    }
}
