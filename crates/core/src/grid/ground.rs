//! What all kinds of agents on a map share: its cells, and surcharges that apply to everybody.

use super::cell::CellId;
use super::edit::{CellRect, CellState, Change, Paint};
use super::layer::Layer;
use super::links::{Link, LinkChange};
use super::map::GridMap;
use super::relief::BorderSide;
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

    /// What a cell is, with a surcharge.
    pub(super) fn state(&self, id: CellId, surcharge: u16) -> CellState {
        let (terrain, relief) = (self.map.terrain_at(id), self.map.relief());
        if relief.is_flat() {
            return CellState::flat(terrain, surcharge);
        }
        CellState {
            terrain,
            surcharge,
            height: relief.heights.at(id),
            east: relief.border(id, BorderSide::East),
            south: relief.border(id, BorderSide::South),
        }
    }

    /// The first cells of a row that are alike, by some surcharges, and what they are.
    pub(super) fn alike(&self, row: CellRect, surcharges: &Surcharges) -> (CellRect, CellState) {
        let first = self.map.extent().id_inside(row.min());
        let state = |id: CellId| self.state(id, surcharges.at(id));
        let before = state(first);
        let others = (first.0 + 1..).map(CellId).zip(row.min().x..row.max().x);
        let alike = others.take_while(|&(id, _)| state(id) == before).count() as u32;
        (CellRect::new(row.min(), (row.min().x + alike, row.min().y)), before)
    }

    /// Changes what all kinds share of the first cells of a row that lies inside, as far as they are alike. Returns
    /// them, and the change; `None` if they are like that already.
    pub(super) fn paint(&mut self, row: CellRect, paint: Paint) -> (CellRect, Option<Change>) {
        let (run, before) = self.alike(row, &self.surcharges);
        let mut after = before;
        match paint {
            Paint::Terrain(terrain) => after.terrain = terrain,
            Paint::Surcharge(amount) => after.surcharge = amount,
            Paint::Height(height) => after.height = height,
            Paint::Border(BorderSide::East, border) => after.east = border,
            Paint::Border(BorderSide::South, border) => after.south = border,
            Paint::Link { link, opened } => return (run, self.set_link(link, opened)),
            Paint::RestoredLink(link) => return (run, self.set_link(link, true)),
            // Refused before anything is done.
            Paint::NoBorder { .. } => {}
        }
        if after == before {
            return (run, None);
        }
        let first = self.map.extent().id_inside(run.min());
        let cells = run.cell_count() as u32;
        if after.terrain != before.terrain {
            self.map.fill_alike(first, cells, after.terrain);
        }
        let cell_count = self.map.extent().cell_count();
        let ids = (first.0..first.0 + cells).map(CellId);
        if after.surcharge != before.surcharge {
            for id in ids.clone() {
                self.surcharges.set(cell_count, id, after.surcharge);
            }
        }
        if after.relief() != before.relief() {
            let relief = self.map.relief_mut();
            for id in ids {
                relief.set_height(cell_count, id, after.height);
                relief.set_border(cell_count, id, BorderSide::East, after.east);
                relief.set_border(cell_count, id, BorderSide::South, after.south);
            }
        }
        (run, Some(Change { rect: run, kind: None, before, after, link: None }))
    }

    /// Opens or closes a link; `None` if it is like that already.
    fn set_link(&mut self, link: Link, opened: bool) -> Option<Change> {
        let links = self.map.links_mut();
        let changed = if opened { links.open(link) } else { links.close(link) };
        let id = self.map.extent().id_inside(link.from);
        let state = self.state(id, self.surcharges.at(id));
        let (rect, kind, link) = (link.from.into(), link.kind, Some(LinkChange { link, opened }));
        changed.then_some(Change { rect, kind, before: state, after: state, link })
    }
}

/// Costs on top of the terrain's, cell by cell.
pub(super) type Surcharges = Layer<u16>;
