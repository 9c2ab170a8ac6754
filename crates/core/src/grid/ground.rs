//! What all kinds of agents on a map share: its cells, and surcharges that apply to everybody.

use super::cell::{Cell, CellId};
use super::edit::{CellState, Change, Paint};
use super::map::GridMap;
use super::pages::Pages;
use super::terrain::Terrain;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A kind of agent on a map, by its number. [`KindId::DEFAULT`] is the one that a map has from the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KindId(pub u16);

impl KindId {
    /// The kind that needs no name.
    pub const DEFAULT: Self = Self(0);

    /// Its number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for KindId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kind {}", self.0)
    }
}

/// The cells and what they cost everybody on top of their terrain.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) map: GridMap,
    pub(super) surcharges: Surcharges,
}

/// What grids refer to while their ground is being changed.
static NOWHERE: LazyLock<Arc<Ground>> = LazyLock::new(|| {
    let map = GridMap::filled(1, 1, Terrain::WALL).expect("a map of one cell");
    Arc::new(Ground { map, surcharges: Surcharges::default() })
});

impl Ground {
    /// Stands in for a ground that is being changed, so that nobody else holds it.
    pub(super) fn nowhere() -> Arc<Self> {
        Arc::clone(&NOWHERE)
    }

    /// Changes what all kinds share of a cell that lies inside; `None` if it is like that already.
    pub(super) fn paint(&mut self, cell: Cell, paint: Paint) -> Option<Change> {
        let id = self.map.extent().id_inside(cell);
        let before =
            CellState { terrain: self.map.terrain_at(id), surcharge: self.surcharges.at(id) };
        let mut after = before;
        match paint {
            Paint::Terrain(terrain) => after.terrain = terrain,
            Paint::Surcharge(amount) => after.surcharge = amount,
        }
        if after == before {
            return None;
        }
        if after.terrain != before.terrain {
            self.map.set_at(id, after.terrain);
        }
        self.surcharges.set(self.map.extent().cell_count(), id, after.surcharge);
        Some(Change { cell, kind: None, before, after })
    }
}

/// Costs on top of the terrain's, cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Surcharges {
    /// Present while there are any.
    pages: Option<Pages<u16>>,
    /// How many cells have one.
    cells: u32,
}

impl Surcharges {
    #[inline]
    pub(super) fn at(&self, id: CellId) -> u16 {
        self.pages.as_ref().map_or(0, |pages| pages.get(id.index()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_none()
    }

    /// The surcharges of so many cells from one on; nothing where there are none at all.
    pub(super) fn from(&self, start: usize, length: usize) -> impl Iterator<Item = u16> {
        let runs = self.pages.iter().flat_map(move |pages| pages.runs(start, length));
        runs.flatten().copied()
    }

    pub(super) fn set(&mut self, cell_count: usize, id: CellId, amount: u16) {
        let before = self.at(id);
        if before == amount {
            return;
        }
        self.pages.get_or_insert_with(|| Pages::new(cell_count)).set(id.index(), amount);
        self.cells += u32::from(amount > 0);
        self.cells -= u32::from(before > 0);
        if self.cells == 0 {
            self.pages = None;
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.pages.as_ref().map_or(0, Pages::memory_bytes)
    }
}
