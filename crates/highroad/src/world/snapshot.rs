//! Snapshots: one revision of a world, for readers on any thread.

use crate::field_paths::paths_to_each;
use crate::frame::Frame;
use crate::pool::ScratchPool;
use arc_swap::ArcSwap;
use highroad_core::{
    Answer, Cell, Cost, Field, Grid, Path, Planner, Query, QueryError, Scratch, online_search,
};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// One revision of a world: its grid, and the planners that know it. Cheap to make and to clone, `Send +
/// Sync`, and it stays as it is. Reads like a [`Grid`], and nobody can change it.
///
/// ```
/// use highroad::{HpaOptions, Query, Terrain, World};
/// let map = "........\n........\n........\n".parse()?;
/// let mut world = World::new(map).with(HpaOptions::default()).build()?;
/// let view = world.snapshot();
/// world.edit(|edit| _ = edit.set((3, 1), Terrain::WALL))?;
/// let queries: Vec<Query> = (0..8).map(|x| Query::new((0, 1), (x, 1))).collect();
/// let paths = view.find_many(&queries); // on all cores
/// assert_eq!(paths[7].as_ref().unwrap().as_ref().unwrap().length(), 7.0); // as it was
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Snapshot(pub(crate) Arc<View>);

pub(crate) struct View {
    pub(crate) grid: Grid,
    /// Those that know the grid, the preferred first.
    pub(crate) planners: Vec<Arc<dyn Planner>>,
    pub(crate) frame: Frame,
    pub(crate) pool: Arc<ScratchPool>,
}

impl Deref for Snapshot {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        &self.0.grid
    }
}

impl Snapshot {
    /// Where the map lies in the game's space.
    pub fn frame(&self) -> Frame {
        self.0.frame
    }

    /// A path, as good as the world's first planner promises; `None` if there is none.
    pub fn find_path(
        &self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<Path>, QueryError> {
        Ok(self.answer(&Query::new(start, goal))?.path())
    }

    /// The answer to a query of any kind, with the way to the nearest reachable cell where there is no
    /// path.
    pub fn answer(&self, query: &Query) -> Result<Answer, QueryError> {
        self.answer_in(query, &mut self.0.pool.take())
    }

    fn answer_in(&self, query: &Query, scratch: &mut Scratch) -> Result<Answer, QueryError> {
        let planners = self.0.planners.iter().map(|planner| &**planner);
        solve(planners, &self.0.grid, query, scratch)
    }

    /// Many paths, on all cores: the same answers, in the order of the queries, on any number of
    /// them. Without the feature `rayon` it works on this thread.
    pub fn find_many(&self, queries: &[Query]) -> Vec<Result<Option<Path>, QueryError>> {
        self.map_many(queries, |answer| answer.map(Answer::path))
    }

    /// The same with whole answers.
    pub fn answer_many(&self, queries: &[Query]) -> Vec<Result<Answer, QueryError>> {
        self.map_many(queries, |answer| answer)
    }

    fn map_many<T: Send>(
        &self,
        queries: &[Query],
        turn: impl Fn(Result<Answer, QueryError>) -> T + Sync,
    ) -> Vec<T> {
        #[cfg(feature = "rayon")]
        {
            let ask = |scratch: &mut crate::pool::Pooled<'_>, query: &Query| {
                turn(self.answer_in(query, scratch))
            };
            queries.par_iter().map_init(|| self.0.pool.take(), ask).collect()
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut scratch = self.0.pool.take();
            queries.iter().map(|query| turn(self.answer_in(query, &mut scratch))).collect()
        }
    }

    /// A path to the nearest of some goals.
    pub fn find_nearest(
        &self,
        start: impl Into<Cell>,
        goals: Vec<Cell>,
    ) -> Result<Option<Path>, QueryError> {
        Ok(self.answer(&Query::among(vec![start.into()], goals))?.path())
    }

    /// A cheapest path to each of some goals, by one search; `None` for those that cannot be reached.
    /// Goals that lie outside or are blocked cannot.
    pub fn find_each(
        &self,
        start: impl Into<Cell>,
        goals: &[Cell],
    ) -> Result<Vec<Option<Path>>, QueryError> {
        let mut field = Field::around(&self.0.grid, &[start.into()])?;
        Ok(paths_to_each(&mut field, goals))
    }

    /// Every cell within that cost of a start, with its cost: the range of a movement. Row by row.
    pub fn range(
        &self,
        start: impl Into<Cell>,
        cost_max: Cost,
    ) -> Result<Vec<(Cell, Cost)>, QueryError> {
        let mut field = Field::within(&self.0.grid, &[start.into()], cost_max.0)?;
        field.finish();
        Ok(field.cells().collect())
    }
}

/// Asks the first planner that knows the grid, and an exact search if none does.
pub(crate) fn solve<'p>(
    planners: impl Iterator<Item = &'p dyn Planner>,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<Answer, QueryError> {
    for planner in planners {
        match planner.solve(grid, query, scratch) {
            Err(QueryError::Stale) => {}
            answer => return answer,
        }
    }
    online_search(grid).solve(grid, query, scratch)
}

/// Gives threads the latest snapshot while the world is changed elsewhere. Clones are cheap.
///
/// A world that has readers publishes each revision as it comes about; [`Reader::snapshot`] never
/// waits, and never sees half a change.
#[derive(Clone)]
pub struct Reader(pub(crate) Arc<ArcSwap<View>>);

impl Reader {
    /// The world as it was last published.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.0.load_full())
    }
}
