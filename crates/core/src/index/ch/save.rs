//! Hierarchies of grids as bytes.

use super::cells::CellGraph;
use super::{ChIndex, GridGraph};
use crate::grid::Grid;
use crate::index::contraction::ContractionHierarchy;
use crate::index::subgoal::{SubgoalGraph, serves_subgoals};
use crate::saved::{Kind, LoadError, Reader, Writer};

impl ChIndex {
    /// The index as bytes, to be loaded again for a grid that is the same.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::index::ChIndex;
    /// use highroad::saved::LoadError;
    /// let map: highroad::GridMap = "...\n.#.\n...\n".parse()?;
    /// let bytes = ChIndex::build(&Grid::with_defaults(map.clone()))?.save();
    /// assert!(ChIndex::load(&bytes, &Grid::with_defaults(map)).is_ok());
    /// let other = Grid::with_defaults("...\n...\n...\n".parse()?);
    /// assert_eq!(ChIndex::load(&bytes, &other).err(), Some(LoadError::OtherGrid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Hierarchy, self.fingerprint);
        self.write(&mut writer);
        writer.finish()
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        if let GridGraph::Subgoals(subgoals) = &self.ground {
            subgoals.write(writer);
        }
        self.hierarchy.write(writer);
    }

    /// The index that [`ChIndex::save`] has made for such a grid. O(bytes). Fails with a [`LoadError`] if the bytes are
    /// damaged, or of another grid.
    pub fn load(bytes: &[u8], grid: &Grid) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, Kind::Hierarchy, || grid.fingerprint())?;
        let index = Self::read(&mut reader, grid)?;
        reader.finish()?;
        Ok(index)
    }

    pub(crate) fn read(reader: &mut Reader<'_>, grid: &Grid) -> Result<Self, LoadError> {
        Ok(if serves_subgoals(grid).is_ok() {
            let subgoals = SubgoalGraph::read(reader, grid)?;
            let map = &subgoals.map;
            let weight = |from: u32, to: u32| {
                let cell = |node: u32| map.cells.get(node as usize);
                let (from, to) = (*cell(from)?, *cell(to)?);
                map.cost_in_sight(from, to)
            };
            let count = map.cells.len();
            let hierarchy = ContractionHierarchy::read(reader, count, weight)?;
            Self::of(GridGraph::Subgoals(Box::new(subgoals)), hierarchy, grid)
        } else if grid.enterable_count() <= Self::CELLS_MAX {
            let (graph, _) = CellGraph::new(grid);
            let cells = graph.cells();
            let weight = |from: u32, to: u32| {
                let cell = |node: u32| cells.get(node as usize);
                grid.step_cost(*cell(from)?, *cell(to)?).map(u64::from)
            };
            let hierarchy = ContractionHierarchy::read(reader, cells.len(), weight)?;
            Self::of(GridGraph::Cells(graph), hierarchy, grid)
        } else {
            return Err(LoadError::OtherGrid);
        })
    }
}
