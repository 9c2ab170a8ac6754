//! The crate `bevy_northstar`: HPA* for games made with Bevy, used without an app.
//!
//! Its default mode, "refined": a path over the entrances of chunks, whose corners lines of sight then
//! cut off. The filter `NoCornerCutting` gives it our steps. A cell has a cost and a step has none of
//! its own, so diagonals cost as much as straight steps.

use super::{Peer, PeerPlanner, Rules, locked_version};
use anyhow::{Result, ensure};
use bevy_math::UVec3;
use bevy_northstar::prelude::{GridSettingsBuilder, Nav, OrdinalGrid, PathfindArgs, filter};
use highroad::Cell;
use highroad::grid::Grid;

/// `Grid::pathfind` on an `OrdinalGrid`. The library's own chunks have 16 cells a side.
pub(crate) struct Refined {
    pub(crate) chunk_size: u32,
}

impl Peer for Refined {
    fn name(&self) -> String {
        format!("bevy_northstar {}", self.chunk_size)
    }

    fn version(&self) -> &'static str {
        locked_version("bevy_northstar")
    }

    fn rules(&self) -> Rules {
        Rules { note: "diagonals cost 1, approximate", ..Rules::SAME }
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let extent = grid.extent();
        ensure!(extent.width() >= 3 && extent.height() >= 3, "maps need three cells each way");
        let settings = GridSettingsBuilder::new_2d(extent.width(), extent.height())
            .chunk_size(self.chunk_size)
            .default_impassable()
            .add_neighbor_filter(filter::NoCornerCutting)
            .build();
        let mut chunks = OrdinalGrid::new(&settings);
        for cell in extent.cells().filter(|&cell| grid.is_enterable(cell)) {
            chunks.set_nav(position(cell), Nav::Passable(1));
        }
        chunks.build();
        Ok(Box::new(Chunks(chunks)))
    }
}

struct Chunks(OrdinalGrid);

impl PeerPlanner for Chunks {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let mut asked = PathfindArgs::new(position(start), position(goal));
        let rest = self.0.pathfind(&mut asked)?;
        let rest = rest.path().iter().map(|at| Cell::new(at.x, at.y));
        Some(std::iter::once(start).chain(rest).collect())
    }

    /// `build` rebuilds only what the change has marked.
    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        let nav = if free { Nav::Passable(1) } else { Nav::Impassable };
        self.0.set_nav(position(cell), nav);
        self.0.build();
        true
    }
}

fn position(cell: Cell) -> UVec3 {
    UVec3::new(cell.x, cell.y, 0)
}
