//! The goals of a flow field.

use crate::grid::{Cell, CellId, Cost, Extent};

/// The most that a goal may cost by itself: a way on top of it fits 64 bits.
const COST_MAX: u64 = 1 << 60;

/// Goals with their starting costs.
#[derive(Clone, Default)]
pub(super) struct Sources {
    /// By the numbers of their cells, each once.
    all: Vec<(u32, u64)>,
    /// A bit for each cell that is one.
    bits: Vec<u64>,
    extent: Option<Extent>,
}

impl Sources {
    /// Goals inside the map; of equal ones the cheapest.
    pub(super) fn of(extent: Extent, goals: &[(Cell, Cost)]) -> Self {
        let number =
            |&(cell, cost): &(Cell, Cost)| (extent.id_inside(cell).0, cost.0.min(COST_MAX));
        let mut all: Vec<(u32, u64)> = goals.iter().map(number).collect();
        all.sort_unstable();
        all.dedup_by_key(|source| source.0);
        let mut bits = vec![0; extent.cell_count().div_ceil(64)];
        all.iter().for_each(|&(id, _)| bits[id as usize / 64] |= 1 << (id % 64));
        Self { all, bits, extent: Some(extent) }
    }

    pub(super) fn all(&self) -> &[(u32, u64)] {
        &self.all
    }

    /// Keeps those that lie inside a map of another size.
    pub(super) fn fit(&mut self, extent: Extent) {
        let Some(before) = self.extent else { return };
        let place = |&(id, cost): &(u32, u64)| (before.cell(CellId(id)), Cost(cost));
        let inside = self.all.iter().map(place).filter(|(cell, _)| extent.contains(*cell));
        *self = Self::of(extent, &inside.collect::<Vec<_>>());
    }

    /// The starting cost of a cell; the largest number if it is no goal.
    #[inline]
    pub(super) fn cost_of(&self, id: u32) -> u64 {
        let is_one = self.bits.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1);
        let found = is_one.then(|| self.all.binary_search_by_key(&id, |source| source.0));
        found.and_then(Result::ok).map_or(u64::MAX, |at| self.all[at].1)
    }

    /// The cells whose starting costs are others.
    pub(super) fn differing(&self, other: &Self) -> Vec<u32> {
        let own = self.all.iter().filter(|(id, cost)| other.cost_of(*id) != *cost);
        let new = other.all.iter().filter(|(id, cost)| self.cost_of(*id) != *cost);
        own.chain(new).map(|&(id, _)| id).collect()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u32, u64)>() + self.bits.capacity() * 8
    }
}
