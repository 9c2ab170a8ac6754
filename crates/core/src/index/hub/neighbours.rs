//! The subgoal graph without directions.
//!
//! An edge of the subgoal graph leads one way, but a path may be walked both ways: a way of diagonal
//! steps first is, turned round, one of straight steps first. Labels of such a graph serve starts and
//! goals alike, so that one set of them is enough where a directed graph needs two.

use crate::index::subgoal::{Ground, Link, SubgoalGraph};

/// An edge as one of its ends sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbour {
    pub(super) node: u32,
    pub(super) cost: u32,
    pub(super) ways: Ways,
}

/// Which ways of diagonal steps first are open between two nodes: a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ways(pub(super) u8);

impl Ways {
    pub(super) const THERE: Self = Self(1);
    pub(super) const BACK: Self = Self(2);

    pub(super) fn there(self) -> bool {
        self.0 & Self::THERE.0 != 0
    }

    pub(super) fn back(self) -> bool {
        self.0 & Self::BACK.0 != 0
    }

    /// As seen from the other end.
    pub(super) fn turned(self) -> Self {
        Self(self.0 >> 1 | (self.0 & 1) << 1)
    }
}

/// Neighbours of each node, sorted.
pub(super) struct Neighbours {
    first: Vec<u32>,
    list: Vec<Neighbour>,
}

impl Neighbours {
    /// The neighbours in sight that links onwards lead to, in either direction; with those that links
    /// pass by, all that see each other are joined at the cost of the way between.
    pub(super) fn new(subgoals: &SubgoalGraph, passed: bool) -> Self {
        let count = subgoals.subgoal_count();
        let mut lists: Vec<Vec<Neighbour>> = vec![Vec::new(); count];
        for (node, &cell) in (0..).zip(&subgoals.map.cells) {
            let mut join = |link: Link| {
                let Link { subgoal, cost } = link;
                if subgoal != node {
                    let there = Neighbour { node: subgoal, cost, ways: Ways::THERE };
                    lists[node as usize].push(there);
                    let back = Neighbour { node, cost, ways: Ways::BACK };
                    lists[subgoal as usize].push(back);
                }
            };
            subgoals.links_onwards(cell, &mut join);
            if passed {
                subgoals.map.links_passed(cell, &mut join);
            }
        }
        let mut this = Self { first: Vec::with_capacity(count + 1), list: Vec::new() };
        this.first.push(0);
        for mut list in lists {
            list.sort_by_key(|neighbour| neighbour.node);
            for neighbour in list {
                // The same two ends are always as far apart: what differs is which way is open.
                match this.list.get_mut(this.first[this.first.len() - 1] as usize..) {
                    Some([.., last]) if last.node == neighbour.node => {
                        last.ways.0 |= neighbour.ways.0;
                    }
                    _ => this.list.push(neighbour),
                }
            }
            this.first.push(this.list.len() as u32);
        }
        this
    }

    /// Leaves out edges that two others make up, each of them shorter: no distance changes.
    pub(super) fn thinned(mut self) -> Self {
        let mut costs = vec![u32::MAX; self.node_count()];
        let mut kept = Vec::with_capacity(self.list.len());
        let mut first = vec![0];
        for node in 0..self.node_count() as u32 {
            for neighbour in self.of(node) {
                costs[neighbour.node as usize] = neighbour.cost;
            }
            let is_made_up = |edge: &Neighbour| {
                self.of(edge.node).iter().any(|by| {
                    let cost = costs[by.node as usize];
                    by.cost < edge.cost && cost < edge.cost && by.cost + cost == edge.cost
                })
            };
            kept.extend(self.of(node).iter().filter(|edge| !is_made_up(edge)));
            first.push(kept.len() as u32);
            for neighbour in self.of(node) {
                costs[neighbour.node as usize] = u32::MAX;
            }
        }
        self.first = first;
        self.list = kept;
        self
    }

    pub(super) fn node_count(&self) -> usize {
        self.first.len() - 1
    }

    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Neighbour] {
        let node = node as usize;
        &self.list[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
