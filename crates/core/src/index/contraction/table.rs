//! Costs between many nodes at once, by buckets.
//!
//! Knopp, Sanders, Schultes, Schulz and Wagner, "Computing Many-to-Many Shortest Paths Using Highway Hierarchies"
//! (2007). A search up from each target leaves at every node it settles, in that node's bucket, what it costs from
//! there to the target. A search up from each source then reads the buckets of the nodes that it settles: a cheapest
//! way has a highest node, and both searches settle that one at its final cost. One search for each end takes the
//! place of one for each pair.
//!
//! In a core, searches from targets stop at the first core node, and those from sources move through all of it: a
//! cheapest way goes up to the core, through it, and down.
//!
//! Buckets hold a bounded number of entries. More targets than that are done in turns, each with its own searches
//! from the sources.
//!
//! O(nodes + (sources · turns + targets) · search + entries read), where a search is one up the hierarchy.

use super::{COST_END, ContractionHierarchy, UpEdge};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const UNREACHED: u64 = u64::MAX;
const RANK_BITS: u32 = 24;
const RANK_MASK: u64 = (1 << RANK_BITS) - 1;

/// Entries of buckets at a time: 64 MB while they are sorted.
const ENTRIES_MAX: usize = 1 << 22;

/// A target and what it costs to get there, in one word: the cost in the upper 40 bits.
type Entry = u64;

/// What tables are made with.
#[derive(Default)]
pub(crate) struct TableMemory {
    /// What it costs to come to each rank; [`UNREACHED`] between searches.
    costs: Vec<u64>,
    touched: Vec<u32>,
    /// Costs, then ranks of 24 bits.
    open: BinaryHeap<Reverse<u64>>,
    /// Ranks that the latest search has settled and that may be the highest of a cheapest way.
    settled: Vec<(u32, u64)>,
    /// Where the bucket of each rank begins, and the end.
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries by targets, with their ranks, before they are sorted.
    unsorted: Vec<(u32, Entry)>,
}

impl TableMemory {
    pub(crate) fn bytes(&self) -> usize {
        (self.costs.capacity() + self.open.capacity() + self.entries.capacity()) * 8
            + (self.touched.capacity() + self.first.capacity()) * 4
            + (self.settled.capacity() + self.unsorted.capacity()) * 16
    }

    fn reach(&mut self, rank: u32, cost: u64) {
        let known = &mut self.costs[rank as usize];
        // No shortest way costs more than that, and keys hold no more.
        if cost < *known && cost < COST_END {
            if *known == UNREACHED {
                self.touched.push(rank);
            }
            *known = cost;
            self.open.push(Reverse(cost << RANK_BITS | u64::from(rank)));
        }
    }

    /// Sorts what the targets have left by ranks.
    fn fill_buckets(&mut self, rank_count: usize) {
        let Self { first, entries, unsorted, .. } = self;
        first.clear();
        first.resize(rank_count + 2, 0);
        unsorted.iter().for_each(|&(rank, _)| first[rank as usize + 2] += 1);
        for rank in 2..first.len() {
            first[rank] += first[rank - 1];
        }
        entries.clear();
        entries.resize(unsorted.len(), 0);
        // One place ahead: where the next entry of a rank goes, and in the end where the bucket after begins.
        for &(rank, entry) in &*unsorted {
            let next = &mut first[rank as usize + 1];
            entries[*next as usize] = entry;
            *next += 1;
        }
    }
}

impl ContractionHierarchy {
    /// What the cheapest ways from each source to each target cost, by ranks, row by row into `costs`, which holds
    /// as many numbers; `u64::MAX` where there is no way.
    pub(crate) fn fill_table(
        &self,
        sources: &[u32],
        targets: &[u32],
        memory: &mut TableMemory,
        costs: &mut [u64],
    ) {
        self.fill_table_in_turns(sources, targets, ENTRIES_MAX, memory, costs);
    }

    pub(super) fn fill_table_in_turns(
        &self,
        sources: &[u32],
        targets: &[u32],
        entries_max: usize,
        memory: &mut TableMemory,
        costs: &mut [u64],
    ) {
        if memory.costs.len() < self.node_count() {
            memory.costs.resize(self.node_count(), UNREACHED);
        }
        costs.fill(UNREACHED);
        let columns = targets.len();
        let mut begin = 0;
        while begin < columns {
            let mut end = begin;
            memory.unsorted.clear();
            while end < columns
                && end - begin <= RANK_MASK as usize
                && (end == begin || memory.unsorted.len() < entries_max)
            {
                self.ascend(targets[end], 1, memory);
                let target = (end - begin) as u64;
                let TableMemory { unsorted, settled, .. } = &mut *memory;
                unsorted.extend(settled.iter().map(|&(rank, cost)| {
                    // Costs are below 2⁴⁰.
                    (rank, cost << RANK_BITS | target)
                }));
                end += 1;
            }
            memory.fill_buckets(self.node_count());
            for (&source, row) in sources.iter().zip(costs.chunks_exact_mut(columns)) {
                self.ascend(source, 0, memory);
                self.read_buckets(memory, &mut row[begin..end]);
            }
            begin = end;
        }
    }

    /// Betters a row of costs by the buckets of what a search has settled.
    fn read_buckets(&self, memory: &TableMemory, row: &mut [u64]) {
        let TableMemory { settled, first, entries, .. } = memory;
        for &(rank, cost) in settled {
            let range = first[rank as usize] as usize..first[rank as usize + 1] as usize;
            for &entry in &entries[range] {
                let best = &mut row[(entry & RANK_MASK) as usize];
                *best = (*best).min(cost + (entry >> RANK_BITS));
            }
        }
    }

    /// Searches up from a rank, along the edges (0) or against them (1), until nothing is left. Nodes that are reached
    /// more cheaply by coming down from a higher one are not gone on from.
    fn ascend(&self, from: u32, side: usize, memory: &mut TableMemory) {
        memory.touched.drain(..).for_each(|rank| memory.costs[rank as usize] = UNREACHED);
        memory.settled.clear();
        memory.reach(from, 0);
        while let Some(Reverse(entry)) = memory.open.pop() {
            let (rank, cost) = ((entry & RANK_MASK) as u32, entry >> RANK_BITS);
            if cost > memory.costs[rank as usize] {
                continue;
            }
            let in_core = rank >= self.core;
            let higher = |edge: &UpEdge| {
                let known = memory.costs[edge.rank as usize];
                known != UNREACHED && known + u64::from(edge.weight) < cost
            };
            if !in_core && self.edges[self.range(rank, 1 - side)].iter().any(higher) {
                continue;
            }
            memory.settled.push((rank, cost));
            if in_core && side == 1 {
                continue;
            }
            for edge in &self.edges[self.range(rank, side)] {
                memory.reach(edge.rank, cost + u64::from(edge.weight));
            }
        }
    }
}
