//! One path on a map, for programs that need nothing else.

use super::{GridSearch, JumpPointSearch};
use crate::grid::{Cell, Grid, GridMap};
use crate::path::Path;
use crate::planner::{PathQuery, Planner, QueryError, Scratch};

static ASTAR: GridSearch = GridSearch::astar();
static JUMP_POINTS: JumpPointSearch = JumpPointSearch::new();

/// The exact search that needs nothing precomputed and is fastest on that grid: right at once after any
/// edit. Jump point search where it serves, A* elsewhere.
pub fn online_search(grid: &Grid) -> &'static dyn Planner {
    if JumpPointSearch::serves(grid).is_ok() { &JUMP_POINTS } else { &ASTAR }
}

impl GridMap {
    /// A cheapest path under the benchmark rules (see [`Grid::with_defaults`]); `None` if there is
    /// none, an error if an end lies outside or is blocked. For more than one path on a map, make a
    /// [`Grid`] and keep a [`Scratch`].
    ///
    /// ```
    /// use highroad::GridMap;
    /// let map: GridMap = "..#.\n....\n".parse()?;
    /// let path = map.find_path((0, 0), (3, 0))?.expect("one can go round");
    /// assert_eq!(path.steps(), 4);
    /// assert!(map.find_path((0, 0), (2, 0)).is_err(), "a wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<Path>, QueryError> {
        let grid = Grid::with_defaults(self.clone());
        let query = PathQuery::new(start, goal);
        Ok(online_search(&grid).solve(&grid, &query, &mut Scratch::new())?.path())
    }
}
