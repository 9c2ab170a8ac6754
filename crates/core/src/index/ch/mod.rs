//! Contraction hierarchies as planners: of a graph ([`GraphHierarchy`]), and of a grid ([`ChIndex`]), over its subgoals
//! where it has them, else over its cells.

mod cells;
mod distance;
mod entry;
mod graph;
mod save;
mod search;

pub use graph::GraphHierarchy;

pub(crate) use entry::ENTRY;
pub(super) use search::ChMemory;

use super::contraction::ContractionHierarchy;
use super::subgoal::{SubgoalGraph, serves_subgoals};
use crate::grid::{Cell, Edition, Grid, SHAPED};
use crate::planner::{BOTH_WAYS, BuildError, Watch};
use cells::CellGraph;

/// A contraction hierarchy of a grid: exact.
///
/// On uniform terrain where no corner may be cut it contracts the [`SubgoalGraph`]; on any other
/// grid the cells themselves, if there are at most [`ChIndex::CELLS_MAX`] to stand on.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::ChIndex;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let index = ChIndex::build(&grid)?;
/// let answer = index.solve(&grid, &PathQuery::new((0, 0), (3, 2)), &mut Scratch::new())?;
/// assert_eq!(answer.path().map(|path| path.length()), Some(5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChIndex {
    ground: GridGraph,
    hierarchy: ContractionHierarchy,
    /// The cells of nodes, by rank.
    cells: Vec<Cell>,
    /// What a straight and a diagonal step cost at least, in the graph's unit.
    straight: u64,
    diagonal: u64,
    grid: Edition,
    own: Edition,
    fingerprint: u64,
}

/// What is contracted.
#[derive(Clone, Debug)]
enum GridGraph {
    Subgoals(Box<SubgoalGraph>),
    Cells(CellGraph),
}

/// Whether a grid can have a hierarchy; if not, why.
pub(crate) fn serves_hierarchy(grid: &Grid) -> Result<(), String> {
    if grid.is_shaped() {
        return Err(SHAPED.to_owned());
    }
    if !grid.costs_the_same_both_ways() {
        return Err(BOTH_WAYS.to_owned());
    }
    serves_subgoals(grid).or_else(|reason| {
        let (cells, most) = (grid.enterable_count(), CellGraph::CELLS_MAX);
        if cells > most {
            return Err(format!(
                "{reason}, and of {cells} cells it would contract at most {most} one by one"
            ));
        }
        // A shortest path is on no cell twice, so that no shortcut is more costly.
        let step = u64::from(grid.movement().steps().diagonal()) * 2;
        let cost_max = step * u64::from(*grid.cost_range().end()) * u64::from(cells);
        if cost_max >= u64::from(u32::MAX) {
            return Err(format!("{reason}, and a path could cost more than {}", u32::MAX));
        }
        Ok(())
    })
}

impl ChIndex {
    /// The most cells that are contracted one by one.
    pub const CELLS_MAX: u32 = CellGraph::CELLS_MAX;

    /// Builds the index on this thread. Fails with [`BuildError::NotServed`] if the grid cannot be served: the error says
    /// why.
    pub fn build(grid: &Grid) -> Result<Self, BuildError> {
        Self::build_watched(grid, &mut Watch::none())
    }

    /// As [`ChIndex::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::index::{ChIndex, HubLabels, HubOptions};
    /// use highroad::planner::{BuildError, Watch};
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// assert_eq!(ChIndex::build_watched(&grid, &mut Watch::new(&mut stop)).err(), Some(BuildError::Stopped));
    /// let labels = HubLabels::build_watched(&grid, HubOptions::default(), &mut Watch::new(&mut stop));
    /// assert_eq!(labels.err(), Some(BuildError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(grid: &Grid, watch: &mut Watch<'_>) -> Result<Self, BuildError> {
        serves_hierarchy(grid).map_err(BuildError::NotServed)?;
        if serves_subgoals(grid).is_ok() {
            return Self::contract(SubgoalGraph::build_watched(grid, watch)?, grid, watch);
        }
        let (graph, edges) = CellGraph::new(grid);
        let count = graph.cells().len();
        let hierarchy = ContractionHierarchy::build_bounded(count, &edges, watch)?;
        Ok(Self::of(GridGraph::Cells(graph), hierarchy, grid))
    }

    /// Contracts a subgoal graph that was built before, on however many threads.
    ///
    /// Fails if the subgoals are of another grid, or if the watch stops it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::index::{ChIndex, SubgoalGraph};
    /// use highroad::planner::Watch;
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let build = SubgoalGraph::plan_build(&grid)?;
    /// let parts = (0..build.job_count()).map(|job| build.run(job)).collect(); // on several threads
    /// let index = ChIndex::contract(build.finish(parts)?, &grid, &mut Watch::none())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contract(
        subgoals: SubgoalGraph,
        grid: &Grid,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        if subgoals.grid != grid.edition() {
            return Err(BuildError::NotServed("the subgoals are of another map".to_owned()));
        }
        let edges: Vec<_> = subgoals.graph_edges().collect();
        let count = subgoals.subgoal_count();
        let hierarchy = ContractionHierarchy::build_bounded(count, &edges, watch)?;
        Ok(Self::of(GridGraph::Subgoals(Box::new(subgoals)), hierarchy, grid))
    }

    /// An index most of which is core, as only large maps have.
    #[cfg(test)]
    pub(crate) fn build_with_large_core(grid: &Grid) -> Self {
        let Ok(subgoals) = SubgoalGraph::build(grid) else {
            let (graph, edges) = CellGraph::new(grid);
            let count = graph.cells().len();
            let hierarchy = ContractionHierarchy::build_with_large_core(count, &edges);
            return Self::of(GridGraph::Cells(graph), hierarchy, grid);
        };
        let edges: Vec<_> = subgoals.graph_edges().collect();
        let count = subgoals.subgoal_count();
        let hierarchy = ContractionHierarchy::build_with_large_core(count, &edges);
        Self::of(GridGraph::Subgoals(Box::new(subgoals)), hierarchy, grid)
    }

    fn of(ground: GridGraph, hierarchy: ContractionHierarchy, grid: &Grid) -> Self {
        let cells = match &ground {
            GridGraph::Subgoals(subgoals) => &subgoals.map.cells,
            GridGraph::Cells(graph) => graph.cells(),
        };
        let cells = hierarchy.nodes_by_rank().iter().map(|&node| cells[node as usize]).collect();
        let steps = grid.movement().steps();
        let unit = match &ground {
            GridGraph::Subgoals(_) => 1,
            GridGraph::Cells(_) => 2 * u64::from(*grid.cost_range().start()),
        };
        Self {
            ground,
            hierarchy,
            cells,
            straight: unit * u64::from(steps.straight()),
            diagonal: unit * u64::from(steps.diagonal()),
            grid: grid.edition(),
            own: Edition::new(),
            fingerprint: grid.fingerprint(),
        }
    }

    /// The subgoals that it contracts, if these are of that grid.
    pub(crate) fn subgoals_of(&self, grid: &Grid) -> Option<&SubgoalGraph> {
        match &self.ground {
            GridGraph::Subgoals(subgoals) if self.grid == grid.edition() => Some(subgoals),
            _ => None,
        }
    }

    /// The subgoals that it contracts, if it does.
    pub(crate) fn into_subgoals(self) -> Option<Box<SubgoalGraph>> {
        match self.ground {
            GridGraph::Subgoals(subgoals) => Some(subgoals),
            GridGraph::Cells(_) => None,
        }
    }

    /// The hierarchy itself.
    pub fn hierarchy(&self) -> &ContractionHierarchy {
        &self.hierarchy
    }
}
