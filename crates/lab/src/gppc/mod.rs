//! Dynamic scenarios of the Grid-Based Path Planning Competition: a map that is patched between queries
//! whose optimal lengths are known.
//!
//! ```text
//! version 2 · height H · width W · cost 1 octile · patch FILE · commands, then
//! P n i x y             lays patch i with its top left corner on (x, y); n counts the map's states
//! Q n sx sy gx gy len   asks a query; below 0: there is no path
//! ```
//!
//! The map begins all free. Patches in a row are one batch; those before the first query are the map
//! that the world begins with.

mod make;
mod replay;
mod text;
mod write;

pub use make::{DynamicPlan, MakeError, make_dynamic};
pub use replay::{DynamicReplay, DynamicRow, ReplayError, replay, replay_watched};
pub use text::{DynamicError, DynamicProblem};

use highroad::grid::Batch;
use highroad::{Cell, CellRect, GridMap, Terrain};

/// A dynamic scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicScenario {
    /// Columns and rows of the map.
    pub size: (u32, u32),
    /// The file of patches, without folders.
    pub patch_name: String,
    /// What is done, in order.
    pub commands: Vec<Command>,
}

/// One thing that a dynamic scenario does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Lays a patch.
    Patch {
        /// Its number in the file of patches.
        patch: usize,
        /// Where its top left corner comes to lie.
        at: Cell,
        /// The line of the scenario, from 1.
        line: usize,
    },
    /// Asks for a path.
    Query {
        /// Where it starts.
        start: Cell,
        /// Where it ends.
        goal: Cell,
        /// The optimal length; `None`: there is no path.
        length: Option<f64>,
    },
}

/// A rectangle of cells to lay onto a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    rows: Vec<Vec<Terrain>>,
}

impl Patch {
    /// What a map has in a rectangle; cells outside are walls.
    pub fn of(map: &GridMap, part: CellRect) -> Self {
        let terrain = |x, y| map.terrain(Cell::new(x, y)).unwrap_or(Terrain::WALL);
        let (min, max) = (part.min(), part.max());
        let row = |y| (min.x..=max.x).map(|x| terrain(x, y)).collect();
        Self { rows: (min.y..=max.y).map(row).collect() }
    }

    /// A rectangle of one terrain.
    pub fn filled(width: u32, height: u32, terrain: Terrain) -> Self {
        Self { rows: vec![vec![terrain; width as usize]; height as usize] }
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.rows.first().map_or(0, Vec::len) as u32, self.rows.len() as u32)
    }

    /// How many edits of a batch it takes to lay it.
    pub fn run_count(&self) -> usize {
        self.rows.iter().map(|row| row.chunk_by(|a, b| a == b).count()).sum()
    }

    /// Adds the patch to a batch, run by run, with its corner on that cell.
    pub fn lay(&self, at: Cell, batch: &mut Batch) {
        for (y, row) in (at.y..).zip(&self.rows) {
            let mut x = at.x;
            for run in row.chunk_by(|a, b| a == b) {
                let length = run.len() as u32;
                batch.fill(CellRect::new((x, y), (x + length - 1, y)), run[0]);
                x += length;
            }
        }
    }
}
