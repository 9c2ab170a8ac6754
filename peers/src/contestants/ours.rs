//! Highroad's own planners, by their names in the catalog.

use super::{Peer, PeerPlanner, Rules, locked_version};
use anyhow::Result;
use highroad::{Cell, GridMap, Terrain};
use highroad::catalog::Spec;
use highroad::grid::{Batch, Grid};
use highroad::planner::{Answer, CatchUp, Guarantee, PathQuery, Planner, Scratch};
use std::borrow::Cow;

/// A planner of the catalog.
pub(crate) struct Ours {
    spec: Spec,
}

impl Ours {
    /// The planner of that name and those options.
    pub(crate) fn new(spec: Spec) -> Self {
        Self { spec }
    }

    /// What it promises on ground and walls, which is the same on every such map.
    fn guarantee(&self) -> Option<Guarantee> {
        let map = GridMap::filled(2, 1, Terrain::GROUND).ok()?;
        let grid = Grid::with_defaults(map);
        Some(self.spec.build(&grid).ok()?.guarantee(&grid))
    }
}

impl Peer for Ours {
    fn name(&self) -> String {
        format!("highroad {}", self.spec)
    }

    fn version(&self) -> &'static str {
        locked_version("highroad")
    }

    fn rules(&self) -> Rules {
        let note = match self.guarantee() {
            Some(Guarantee::NearOptimal) => "same, approximate",
            Some(Guarantee::Bounded(_)) => "same, within a bound",
            Some(Guarantee::None) => "same, any path",
            Some(Guarantee::Optimal) | None => Rules::SAME.note,
        };
        Rules { note, ..Rules::SAME }
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let planner = self.spec.build(grid)?;
        let grid = Cow::Borrowed(grid);
        Ok(Box::new(OursOnMap { grid, planner, scratch: Scratch::new() }))
    }
}

struct OursOnMap<'g> {
    /// Shared with the other contestants until the first edit.
    grid: Cow<'g, Grid>,
    planner: Box<dyn Planner>,
    scratch: Scratch,
}

impl PeerPlanner for OursOnMap<'_> {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        let answer = self.planner.solve(&self.grid, &PathQuery::new(start, goal), &mut self.scratch);
        let path = answer.ok().and_then(Answer::path)?;
        Some(path.cells().to_vec())
    }
    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        let mut batch = Batch::new();
        batch.set(cell, if free { Terrain::GROUND } else { Terrain::WALL });
        let Ok(changes) = self.grid.to_mut().apply(&batch) else { return false };
        let caught_up = self.planner.catch_up(&self.grid, &changes, &mut self.scratch);
        caught_up != CatchUp::NeedsRebuild
    }
}
